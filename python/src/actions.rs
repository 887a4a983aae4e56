//! Numbers for moves that mean the same in every position of a game: what learners need.
//!
//! A move is numbered by the field it comes from and the field it goes to. Where that does not tell moves
//! apart, a *token* is added: the kind of piece that arrives (promotions, drops), the first other field that
//! changes (the arrow of amazons, a piece taken elsewhere), or both. Where that is not enough either and the
//! moves of the game have few names (sowing, turns of a cube), the names are numbered. Random games, the same
//! ones each time, tell what a game needs.
//!
//! Moves that still have the number of another one of their position get numbers of an overflow at the end,
//! in the order of their keys: only these may mean different moves in different positions.

use std::collections::{BTreeSet, HashMap};

use multigame_game::{Diagram, Game, Line, Piece, RulesError, notation};

use crate::random_games::generator;

/// Games, and moves of each, that tell what a game needs.
const GAMES: u64 = 24;
const PLIES: usize = 150;
/// Games with more names than that are numbered by fields.
const MOST_NAMES: usize = 4096;
/// Room in the overflow beyond what these games need.
const LEAST_OVERFLOW: usize = 16;

/// What tells moves between the same fields apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// They are always different.
    Nothing,
    /// The kind of piece that arrives.
    Kind,
    /// Another field that changes.
    Field,
    /// Both.
    KindAndField,
}

const TOKENS: [(Token, &str); 4] = [
    (Token::Nothing, "fields"),
    (Token::Kind, "fields and kind"),
    (Token::Field, "fields and another field"),
    (Token::KindAndField, "fields, kind and another field"),
];

/// The numbers of a game's moves.
#[derive(Clone, Debug)]
pub struct Actions {
    token: Token,
    /// Whether moves come from fields, or only go to them.
    walks: bool,
    /// Whether the game itself says where moves come from and go to as they are numbered.
    told: bool,
    fields: usize,
    /// The kind of each piece: 0 is nothing.
    kinds: Vec<usize>,
    kind_count: usize,
    /// The numbers of names, if names are numbered.
    names: Option<HashMap<String, u32>>,
    overflow: usize,
}

/// What a move does, as far as it is numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Meaning {
    from: usize,
    to: usize,
    kind: usize,
    field: usize,
}

impl Actions {
    /// Learns what a game needs.
    pub fn new<G: Game>(game: &G) -> Result<Actions, RulesError> {
        let all = TOKENS.map(|(token, _)| Actions::with(game, token));
        let (mut lost, mut most) = ([0usize; 4], [0usize; 4]);
        let (mut walks, mut told) = (false, true);
        for number in 0..GAMES {
            sample(game, number, &mut |position, moves| {
                let before = game.diagram(position);
                let meaning = |mv| Meaning::of(game, position, &before, mv, &all[0].kinds);
                let meanings: Vec<Meaning> = moves.iter().map(meaning).collect();
                walks |= meanings.iter().any(|meaning| meaning.from > 0);
                let ends = moves.iter().map(|mv| game.ends(position, mv));
                told &= ends.zip(&meanings).all(|(ends, meaning)| ends == (meaning.from, meaning.to));
                for (number, actions) in all.iter().enumerate() {
                    let ids: BTreeSet<usize> = meanings.iter().map(|it| actions.number(*it)).collect();
                    lost[number] += moves.len() - ids.len();
                    most[number] = most[number].max(moves.len() - ids.len());
                }
                Ok(())
            })?;
        }
        let best = (0..4).min_by_key(|&number| (lost[number], number)).unwrap_or(0);
        let (mut names, mut most) = (None, most[best]);
        if lost[best] > 0 {
            let learned = Learned::new(game)?;
            if learned.is_better(lost[best]) {
                (names, most) = (Some(learned.names.into_iter().zip(0..).collect()), learned.most);
            }
        }
        let overflow = (4 * most).max(LEAST_OVERFLOW).next_power_of_two();
        Ok(Actions { walks, told, overflow, names, ..all[best].clone() })
    }

    fn with<G: Game>(game: &G, token: Token) -> Actions {
        let description = game.description();
        let (mut names, mut kinds): (Vec<&str>, _) = (Vec::new(), vec![0]);
        for piece in &description.pieces[1..] {
            let known = names.iter().position(|name| *name == piece.name);
            kinds.push(1 + known.unwrap_or(names.len()));
            if known.is_none() {
                names.push(&piece.name);
            }
        }
        Actions {
            token,
            walks: true,
            told: false,
            fields: description.board.size(),
            kind_count: names.len() + 1,
            kinds,
            names: None,
            overflow: 0,
        }
    }

    /// What numbers are made of.
    pub fn scheme(&self) -> &'static str {
        match self.names {
            Some(_) => "names",
            None => TOKENS.iter().find(|(token, _)| *token == self.token).map_or("", |(_, name)| name),
        }
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.regular() + self.overflow
    }

    /// How many numbers there are without the overflow.
    pub fn regular(&self) -> usize {
        if let Some(names) = &self.names {
            return names.len();
        }
        let from = if self.walks { self.fields + 1 } else { 1 };
        from * (self.fields + 1) * self.tokens()
    }

    fn tokens(&self) -> usize {
        match self.token {
            Token::Nothing => 1,
            Token::Kind => self.kind_count,
            Token::Field => self.fields + 1,
            Token::KindAndField => self.kind_count * (self.fields + 1),
        }
    }

    fn number(&self, meaning: Meaning) -> usize {
        let from = if self.walks { meaning.from } else { 0 };
        let token = match self.token {
            Token::Nothing => 0,
            Token::Kind => meaning.kind,
            Token::Field => meaning.field,
            Token::KindAndField => meaning.kind * (self.fields + 1) + meaning.field,
        };
        (from * (self.fields + 1) + meaning.to) * self.tokens() + token
    }

    /// Writes the numbers of the legal moves of a position.
    pub fn of<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        numbers: &mut Vec<u32>,
    ) -> anyhow::Result<()> {
        numbers.clear();
        if let Some(names) = &self.names {
            let known: HashMap<u64, u32> = notation::Names::new(game, position)?
                .iter()
                .filter_map(|(mv, name)| Some((game.move_key(mv), *names.get(name)?)))
                .collect();
            numbers.extend(moves.iter().map(|mv| known.get(&game.move_key(mv)).copied().unwrap_or(u32::MAX)));
        } else {
            let quick = self.told && matches!(self.token, Token::Nothing | Token::Kind);
            let before = game.diagram(position);
            let mut child = position.clone();
            for mv in moves {
                let meaning = match quick {
                    true => self.quick(game, position, &before, mv, &mut child),
                    false => Meaning::of(game, position, &before, mv, &self.kinds),
                };
                // A game whose random games never walked may walk all the same.
                let strange = !self.walks && meaning.from > 0;
                numbers.push(if strange { u32::MAX } else { self.number(meaning) as u32 });
            }
        }
        self.resolve(game, moves, numbers)
    }

    /// The meaning of a move where the game says from where to where it goes.
    fn quick<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
        before: &Diagram,
        mv: &G::Move,
        child: &mut G::Position,
    ) -> Meaning {
        let (from, to) = game.ends(position, mv);
        let mut kind = 0;
        if self.token == Token::Kind {
            game.apply(position, mv, child);
            let (left, arrived) = (at(before, from), piece_at(game, child, to));
            kind = if left == arrived { 0 } else { self.kinds[arrived.index()] };
        }
        Meaning { from, to, kind, field: 0 }
    }

    /// Gives numbers of the overflow to all but one of those moves that have the same one.
    fn resolve<G: Game>(&self, game: &G, moves: &[G::Move], numbers: &mut [u32]) -> anyhow::Result<()> {
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_unstable_by_key(|&place| numbers[place]);
        let twice = order.windows(2).any(|pair| numbers[pair[0]] == numbers[pair[1]]);
        if !twice && order.last().is_none_or(|&last| numbers[last] != u32::MAX) {
            return Ok(());
        }
        order.sort_unstable_by_key(|&place| (numbers[place], game.move_key(&moves[place])));
        let (mut before, mut more) = (None, 0);
        for place in order {
            let number = numbers[place];
            if number == u32::MAX || before == Some(number) {
                if more == self.overflow {
                    anyhow::bail!(
                        "more than {more} moves of this position have the action of another one; play moves \
                         by \
                         their indices in this game"
                    );
                }
                numbers[place] = (self.regular() + more) as u32;
                more += 1;
            }
            before = Some(number);
        }
        Ok(())
    }
}

impl Meaning {
    /// What a move does, from the boards before and after it. It goes to a field that was empty, if there is
    /// one: others may only change their owners.
    fn of<G: Game>(
        game: &G,
        position: &G::Position,
        before: &Diagram,
        mv: &G::Move,
        kinds: &[usize],
    ) -> Meaning {
        let (from, last) = game.ends(position, mv);
        let mut child = position.clone();
        game.apply(position, mv, &mut child);
        let after = game.diagram(&child);
        let own = game.description().pieces_of(before.side);
        let filled = |&field: &usize| before.cells[field] == Piece::NONE && own.contains(after.cells[field]);
        let to = (0..before.cells.len()).rev().find(filled).map_or(last, |field| field + 1);
        let (left, arrived) = (at(before, from), at(&after, to));
        let changed = |&field: &usize| {
            let (old, new) = (before.cells[field], after.cells[field]);
            old != new && field + 1 != from && field + 1 != to
        };
        // The piece that is placed says more than the piece that is taken.
        let placed = (0..before.cells.len()).filter(changed).find(|&field| after.cells[field] != Piece::NONE);
        let field = placed.or_else(|| (0..before.cells.len()).find(changed));
        let kind = if left == arrived { 0 } else { kinds[arrived.index()] };
        Meaning { from, to, kind, field: field.map_or(0, |field| field + 1) }
    }
}

/// What stands on a field, counted from 1.
fn at(diagram: &Diagram, field: usize) -> Piece {
    field.checked_sub(1).map_or(Piece::NONE, |field| diagram.cells[field])
}

/// The same without a diagram where the board is small.
fn piece_at<G: Game>(game: &G, position: &G::Position, field: usize) -> Piece {
    let description = game.description();
    let Some(bit) = field.checked_sub(1) else { return Piece::NONE };
    if description.board.size() > 64 {
        return at(&game.diagram(position), field);
    }
    let stands = |piece: &Piece| game.fields_of(position, *piece) >> bit & 1 != 0;
    (1..description.pieces.len()).map(|piece| Piece(piece as u8)).find(stands).unwrap_or(Piece::NONE)
}

/// The names of moves, as far as random games show them.
#[derive(Default)]
struct Learned {
    names: BTreeSet<String>,
    /// Moves of the second half of the games whose names the first half did not show.
    strange: usize,
    /// The most of them in one position.
    most: usize,
}

impl Learned {
    fn new<G: Game>(game: &G) -> Result<Learned, RulesError> {
        let (mut learned, mut first) = (Learned::default(), BTreeSet::new());
        for number in 0..2 * GAMES {
            if number == GAMES {
                first = learned.names.clone();
            }
            sample(game, number, &mut |position, _| {
                if learned.names.len() > MOST_NAMES {
                    return Ok(());
                }
                let named = notation::Names::new(game, position)?;
                let strange = named.iter().filter(|(_, name)| !first.contains(*name)).count();
                if number >= GAMES {
                    learned.strange += strange;
                    learned.most = learned.most.max(strange);
                }
                learned.names.extend(named.iter().map(|(_, name)| name.to_string()));
                Ok(())
            })?;
        }
        Ok(learned)
    }

    /// Whether names tell more moves apart than fields do, of which so many were lost in the first games.
    fn is_better(&self, lost: usize) -> bool {
        self.names.len() <= MOST_NAMES && self.strange < lost
    }
}

/// What is done with a position of a random game and its moves.
type Show<'s, G> = dyn FnMut(&<G as Game>::Position, &[<G as Game>::Move]) -> Result<(), RulesError> + 's;

/// Plays a random game and shows each position.
fn sample<G: Game>(game: &G, number: u64, show: &mut Show<'_, G>) -> Result<(), RulesError> {
    let mut random = generator(0, number);
    let (mut line, mut moves) = (Line::new(game, game.initial()), Vec::new());
    for _ in 0..PLIES {
        if line.legal_moves(&mut moves)?.is_some() || line.repetition()?.outcome().is_some() {
            break;
        }
        show(line.position(), &moves)?;
        line.play(&moves[random.below(moves.len())]);
    }
    Ok(())
}
