//! Judging positions by an evaluation.

use crate::evaluation::{FieldWeights, MAX_TERMS, Purpose, TermKind};
use crate::{Description, Evaluation, Game, RulesError, Side};

/// An evaluation with its weights set, ready to judge positions of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appraiser {
    /// Which one of the game's evaluations it is.
    number: usize,
    evaluation: Evaluation,
    values: Vec<i32>,
    /// All terms that weigh pieces on fields, in one table. For bounds: those outside of groups.
    fields: FieldWeights,
    /// The weights of the counted terms.
    counted: Vec<[i32; 2]>,
    /// For bounds: the terms of each group.
    groups: Vec<Vec<Part>>,
    /// Counted terms outside of groups.
    free: Vec<bool>,
    /// Whether pieces on fields weigh anything at all.
    weighs_fields: bool,
}

/// A term of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Fields(FieldWeights),
    Counted(usize),
}

/// A term's share of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The term.
    pub name: String,
    /// The count, own minus the opponent's; nothing where pieces on fields are weighed.
    pub count: Option<i32>,
    /// Its weights in the opening and at the end, if it has one pair of them.
    pub weights: Option<[i32; 2]>,
    /// The contribution for the player to move.
    pub value: f64,
    /// Of the terms of one group only the greatest counts.
    pub group: Option<u32>,
}

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The phase, if the evaluation has one.
    pub phase: Option<i32>,
    /// The shares of the terms.
    pub shares: Vec<Share>,
    /// The value for the player to move, or the lower bound.
    pub value: i32,
}

impl Appraiser {
    /// An evaluation of a game with the weights as its rules give them. `number` counts
    /// [`Game::evaluations`].
    pub fn new<G: Game>(game: &G, number: usize) -> Appraiser {
        let evaluation = game.evaluations()[number].clone();
        let values = evaluation.values();
        let mut appraiser = Appraiser {
            number,
            evaluation,
            values: Vec::new(),
            fields: FieldWeights::default(),
            counted: Vec::new(),
            groups: Vec::new(),
            free: Vec::new(),
            weighs_fields: false,
        };
        appraiser.set(game.description(), values);
        appraiser
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Which one of the game's evaluations it is.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Whether a position is in the last eighth of the phases; true where there are none.
    pub fn is_near_the_end<G: Game>(&self, game: &G, position: &G::Position) -> bool {
        let Some((low, high)) = self.evaluation.phase else { return true };
        let mut counts = [0; MAX_TERMS];
        let phase = game.features(position, self.number, &mut counts[..self.counted.len()]);
        phase.is_ok_and(|phase| phase - low <= (high - low) / 8)
    }

    /// The values of the weights.
    pub fn values(&self) -> &[i32] {
        &self.values
    }

    /// Sets all weights, in the order of [`Evaluation::weights`].
    ///
    /// # Panics
    ///
    /// If there are more or fewer values than weights.
    pub fn set(&mut self, description: &Description, values: Vec<i32>) {
        assert_eq!(values.len(), self.evaluation.weights.len(), "one value for each weight is expected");
        self.values = values;
        let empty = FieldWeights::new(description.pieces.len(), description.board.size());
        self.fields = empty.clone();
        (self.counted, self.groups, self.free) = (Vec::new(), Vec::new(), Vec::new());
        for term in &self.evaluation.terms {
            if let Some(group) = term.group {
                self.groups.resize((group as usize + 1).max(self.groups.len()), Vec::new());
            }
            let part = if let TermKind::Counted(pair) = term.kind {
                self.counted.push([self.values[pair.opening as usize], self.values[pair.end as usize]]);
                self.free.push(term.group.is_none());
                Part::Counted(self.counted.len() - 1)
            } else {
                let mut table = empty.clone();
                let target = if term.group.is_some() { &mut table } else { &mut self.fields };
                term.kind.for_each_field(&description.board, &mut |piece, field, sign, pair| {
                    let [opening, end] = [pair.opening, pair.end].map(|w| sign * self.values[w as usize]);
                    target.add(piece, field, [opening, end]);
                });
                Part::Fields(table)
            };
            if let Some(group) = term.group {
                self.groups[group as usize].push(part);
            }
        }
        self.weighs_fields = self.fields != empty;
    }

    /// The value of a position for the player to move; for a bound, the number of moves that are needed.
    ///
    /// The game must go on in that position.
    #[inline]
    pub fn value<G: Game>(&self, game: &G, position: &G::Position) -> Result<i32, RulesError> {
        let mut counts = [0; MAX_TERMS];
        let counts = &mut counts[..self.counted.len()];
        let needed = !counts.is_empty() || self.evaluation.phase.is_some();
        let phase = if needed { game.features(position, self.number, counts)? } else { 0 };
        let mut fields = [0, 0];
        if self.weighs_fields {
            fields = game.weigh_fields(position, &self.fields);
            if game.side_to_move(position) == Side::Black {
                fields = [-fields[0], -fields[1]];
            }
        }
        if self.evaluation.purpose == Purpose::Bound {
            return Ok(self.bound(game, position, counts, fields[0]));
        }
        let mut sum = fields.map(i64::from);
        for (&count, weights) in counts.iter().zip(&self.counted) {
            sum[0] += i64::from(count) * i64::from(weights[0]);
            sum[1] += i64::from(count) * i64::from(weights[1]);
        }
        Ok(self.blend(phase, sum))
    }

    /// The same, but where a term makes an error, what the pieces weigh on their fields.
    #[inline]
    pub fn value_or_fields<G: Game>(&self, game: &G, position: &G::Position) -> i32 {
        self.value(game, position).unwrap_or_else(|_| {
            let [value, _] = game.weigh_fields(position, &self.fields);
            if game.side_to_move(position) == Side::White { value } else { -value }
        })
    }

    /// The average worth of each piece over the board in the opening, White's positive.
    pub fn worth_of_pieces(&self, description: &Description) -> Vec<i32> {
        let fields = description.board.fields().count().max(1) as i64;
        let mean = |piece: usize| {
            let sum: i64 =
                self.fields.of_piece(crate::Piece(piece as u8)).iter().map(|w| i64::from(w[0])).sum();
            (sum / fields) as i32
        };
        (0..description.pieces.len()).map(mean).collect()
    }

    fn bound<G: Game>(&self, game: &G, position: &G::Position, counts: &[i32], fields: i32) -> i32 {
        let of_count = |number: usize| counts[number].saturating_mul(self.counted[number][0]);
        let free = self.free.iter().enumerate().filter(|(_, free)| **free);
        let mut sum = fields + free.map(|(number, _)| of_count(number)).sum::<i32>();
        for group in &self.groups {
            let parts = group.iter().map(|part| match part {
                Part::Fields(table) => game.weigh_fields(position, table)[0],
                Part::Counted(number) => of_count(*number),
            });
            sum += parts.max().unwrap_or(0);
        }
        sum.max(0)
    }

    /// From the opening's to the end's value.
    #[inline]
    fn blend(&self, phase: i32, sum: [i64; 2]) -> i32 {
        // These limits are worth more than any position, and can be multiplied.
        let [opening, end] = sum.map(|sum| sum.clamp(i32::MIN.into(), i32::MAX.into()));
        match self.evaluation.phase {
            None => opening as i32,
            Some((low, high)) => {
                let (before, after) = (i64::from(phase - low), i64::from(high - phase));
                ((opening * before + end * after) / i64::from(high - low)) as i32
            }
        }
    }

    /// The share of the opening in a phase.
    fn share_of_opening(&self, phase: i32) -> f64 {
        match self.evaluation.phase {
            None => 1.0,
            Some((low, high)) => f64::from(phase - low) / f64::from(high - low),
        }
    }

    /// The growth of the value for the player to move with each weight: numbers of weights, in rising order,
    /// and slopes; weights that do not matter are left out. The value is the sum of weights times slopes, but
    /// for rounding.
    pub fn gradient<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
    ) -> Result<Vec<(usize, f64)>, RulesError> {
        let mut counts = [0; MAX_TERMS];
        let counts = &mut counts[..self.counted.len()];
        let phase = game.features(position, self.number, counts)?;
        let opening = self.share_of_opening(phase);
        let diagram = game.diagram(position);
        let own = if diagram.side == Side::White { 1 } else { -1 };
        let mut slopes = vec![0.0; self.values.len()];
        let mut add = |pair: crate::evaluation::Pair, count: i32| {
            if pair.opening == pair.end {
                slopes[pair.opening as usize] += f64::from(count);
            } else {
                slopes[pair.opening as usize] += f64::from(count) * opening;
                slopes[pair.end as usize] += f64::from(count) * (1.0 - opening);
            }
        };
        let mut counted = counts.iter();
        for term in &self.evaluation.terms {
            match term.kind {
                TermKind::Counted(pair) => add(pair, *counted.next().expect("one count for each term")),
                _ => term.kind.for_each_field(&game.description().board, &mut |piece, field, sign, pair| {
                    if diagram.piece(field) == piece {
                        add(pair, sign * own);
                    }
                }),
            }
        }
        Ok(slopes.into_iter().enumerate().filter(|(_, slope)| *slope != 0.0).collect())
    }

    /// A value term by term.
    pub fn explain<G: Game>(&self, game: &G, position: &G::Position) -> Result<Explanation, RulesError> {
        let mut counts = [0; MAX_TERMS];
        let counts = &mut counts[..self.counted.len()];
        let phase = game.features(position, self.number, counts)?;
        let opening = self.share_of_opening(phase);
        let blend =
            |weights: [i32; 2]| f64::from(weights[0]) * opening + f64::from(weights[1]) * (1.0 - opening);
        let diagram = game.diagram(position);
        let own = if diagram.side == Side::White { 1.0 } else { -1.0 };
        let mut counted = counts.iter().zip(&self.counted);
        let mut shares = Vec::new();
        for term in &self.evaluation.terms {
            let (count, weights, value) = if let TermKind::Counted(_) = term.kind {
                let (&count, &weights) = counted.next().expect("one count for each term");
                (Some(count), Some(weights), f64::from(count) * blend(weights))
            } else {
                let mut sum = 0.0;
                term.kind.for_each_field(&game.description().board, &mut |piece, field, sign, pair| {
                    if diagram.piece(field) == piece {
                        let weights = [pair.opening, pair.end].map(|weight| self.values[weight as usize]);
                        sum += own * f64::from(sign) * blend(weights);
                    }
                });
                (None, None, sum)
            };
            shares.push(Share { name: term.name.clone(), count, weights, value, group: term.group });
        }
        let phase = self.evaluation.phase.map(|_| phase);
        Ok(Explanation { phase, shares, value: self.value(game, position)? })
    }
}
