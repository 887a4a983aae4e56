//! The lessons of random games about rules: the mobility of pieces, which properties go with the result,
//! where goals are.

use std::ops::ControlFlow;

use multigame_game::{
    Diagram, FieldWeights, Game, Line, Piece, PieceInfo, PieceSet, Random, RulesError, Scope, Side, Status,
};

/// Positions of random games that are looked at, and the moves in them: whichever comes first.
const POSITIONS: usize = 2500;
const MOVES: usize = 75_000;
/// Numbers that a position of usual size has at most: fields and values. For larger ones there are fewer moves, which take
/// longer.
const USUAL_SIZE: usize = 1024;
/// Longer games are broken off.
const LONGEST: usize = 200;
/// Properties whose correlation with the result is less do not count, and fewer games say nothing.
const CORRELATION: f64 = 0.4;
const GAMES: usize = 20;
/// Fewer games do not tell whether a whole evaluation means something.
const FEW_GAMES: usize = 10;
/// The worth of being at a goal.
const NEARNESS: i32 = 90;
/// The addition to the mobility of each piece: a piece that cannot move is worth something.
const PRESENCE: f64 = 0.1;

/// Whether most pieces want to get to a goal. Then it matters less how many moves there are: in breakthrough,
/// counting them at full weight cost more than half of what the goals gain.
pub(super) fn is_race<G: Game>(game: &G) -> bool {
    let goals = game.goals();
    let cells = &game.description().initial.cells;
    let pieces = cells.iter().filter(|&&piece| piece != Piece::NONE).count();
    let runners = cells.iter().filter(|&&piece| goals.iter().any(|goal| goal.pieces.contains(piece))).count();
    runners > 0 && 2 * runners > pieces
}

/// Whether positions after equally many moves have equally many moves, so that their number says nothing
/// about who is better: each move of dots-and-boxes takes one of the others away.
pub(super) fn only_time_tells<G: Game>(game: &G, games: &[(Vec<G::Position>, Option<f64>)]) -> bool {
    let mut compared = 0;
    for ply in (1..LONGEST).step_by(3) {
        let positions = games.iter().filter_map(|(positions, _)| positions.get(ply)).take(4);
        let counts: Vec<u64> = positions.filter_map(|position| game.count(position).ok()).collect();
        if counts.iter().any(|&count| count != counts[0]) {
            return false;
        }
        compared += counts.len().saturating_sub(1);
    }
    compared >= 8
}

/// The gain of pieces near the goals that the rules name: most of it on the last steps, and as much
/// with each step where all have to arrive.
pub(super) fn near_goals<G: Game>(game: &G) -> Option<FieldWeights> {
    let description = game.description();
    let goals = game.goals();
    let mut weights = FieldWeights::new(description.pieces.len(), description.board.size());
    for goal in &goals {
        let distances = goal.distances(&description.board);
        let far = distances.iter().flatten().max().copied().unwrap_or(0).max(1) as i32;
        let sign = if goal.side == Side::White { 1 } else { -1 };
        for field in description.board.fields() {
            let Some(distance) = distances[field.index()] else { continue };
            let near = far - distance as i32;
            let worth = sign * NEARNESS * near * if goal.all { far } else { near } / (far * far);
            goal.pieces.iter().for_each(|piece| weights.add(piece, field, [worth, worth]));
        }
    }
    (!goals.is_empty()).then_some(weights)
}

/// Positions of random games with what White got in the end; nothing where a game was broken off.
pub(super) fn random_games<G: Game>(game: &G) -> Vec<(Vec<G::Position>, Option<f64>)> {
    let mut random = Random::new(1);
    let mut games = Vec::new();
    let (mut positions, mut seen) = (0, 0);
    let mut moves = Vec::new();
    let description = game.description();
    let size = description.board.size() + description.value_count();
    let most = MOVES * USUAL_SIZE / size.max(USUAL_SIZE);
    while positions < POSITIONS && seen < most {
        let mut line = Line::new(game, game.initial());
        let mut result = None;
        while line.moves().len() < LONGEST && positions < POSITIONS && seen < most {
            positions += 1;
            match (line.legal_moves(&mut moves), line.repetition()) {
                (Ok(None), Ok(Status::Playing)) => {
                    // The same games however the rules are run: the order of generation may differ.
                    moves.sort_unstable_by_key(|mv| game.move_key(mv));
                    line.play(&moves[random.below(moves.len())]);
                }
                (Ok(Some(outcome)), _) => {
                    result = Some(outcome.worth_to(Side::White).signum() as f64);
                    break;
                }
                _ => break,
            }
            seen += moves.len();
        }
        games.push((line.positions()[..line.moves().len()].to_vec(), result));
    }
    games
}

/// The weights of properties that go with the result; empty if none does. A player's own value counts against
/// what the other one has; early positions say nothing yet.
pub(super) fn properties<G: Game>(game: &G, games: &[(Vec<G::Position>, Option<f64>)]) -> Vec<i32> {
    let description = game.description();
    let mut weights = vec![0; description.value_count()];
    let mut late: Vec<(Diagram, f64)> = Vec::new();
    let finished = || games.iter().filter_map(|(positions, result)| Some((positions, (*result)?)));
    if weights.is_empty() || finished().count() < GAMES {
        return Vec::new();
    }
    for (positions, result) in finished() {
        late.extend(positions[positions.len() / 2..].iter().map(|position| (game.diagram(position), result)));
    }
    for property in description.shown_properties() {
        let first = property.offset;
        if property.scope == Scope::Player {
            let sign = sign(late.iter().map(|(d, result)| (d.values[first] - d.values[first + 1], *result)));
            (weights[first], weights[first + 1]) = (100 * sign, -100 * sign);
            continue;
        }
        let length = property.length(&description.board);
        for (index, weight) in weights.iter_mut().enumerate().skip(first).take(length) {
            *weight = 100 * sign(late.iter().map(|(d, result)| (d.values[index], *result)));
        }
    }
    if weights.iter().all(|&weight| weight == 0) { Vec::new() } else { weights }
}

/// Whether numbers go with results (1), against them (-1), or neither.
fn sign(pairs: impl Iterator<Item = (i32, f64)>) -> i32 {
    let correlation = correlation(pairs);
    if correlation.abs() >= CORRELATION { correlation.signum() as i32 } else { 0 }
}

/// The correlation of a number of each position with results, in the second halves of games: from 1 to
/// -1. Nothing if too few games came to an end.
pub(super) fn correlation_with_results<P>(
    games: &[(Vec<P>, Option<f64>)],
    number: impl Fn(&P) -> i32,
) -> Option<f64> {
    let finished = || games.iter().filter_map(|(positions, result)| Some((positions, (*result)?)));
    if finished().count() < FEW_GAMES {
        return None;
    }
    let late = finished().flat_map(|(positions, result)| {
        positions[positions.len() / 2..].iter().map(move |position| (position, result))
    });
    Some(correlation(late.map(|(position, result)| (number(position), result))))
}

/// Correlations of numbers with results.
fn correlation(pairs: impl Iterator<Item = (i32, f64)>) -> f64 {
    let (mut n, mut x, mut y, mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for (number, result) in pairs {
        let number = f64::from(number);
        n += 1.0;
        x += number;
        y += result;
        xx += number * number;
        yy += result * result;
        xy += number * result;
    }
    let spread = (xx - x * x / n) * (yy - y * y / n);
    if spread > 1e-9 { (xy - x * y / n) / spread.sqrt() } else { 0.0 }
}

/// Number of times that each piece was on the board when its owner was to move, and its number of moves.
pub(super) struct Study {
    stood: Vec<u64>,
    pub moved: Vec<u64>,
    pub moves: u64,
}

impl Study {
    pub fn of<G: Game>(game: &G, positions: &[&G::Position]) -> Result<Study, RulesError> {
        let pieces = game.description().pieces.len();
        let mut study = Study { stood: vec![0; pieces], moved: vec![0; pieces], moves: 0 };
        for position in positions {
            let before = game.diagram(position);
            let own = game.description().pieces_of(before.side);
            for piece in before.cells.iter().filter(|&&piece| own.contains(piece)) {
                study.stood[piece.index()] += 1;
            }
            game.visit(position, &mut |_, child| {
                study.add_move(&before, &game.diagram(child), own);
                ControlFlow::Continue(())
            })?;
        }
        Ok(study)
    }

    fn add_move(&mut self, before: &Diagram, after: &Diagram, own: PieceSet) {
        self.moves += 1;
        for (&old, &new) in before.cells.iter().zip(&after.cells) {
            self.moved[old.index()] += u64::from(old != new && own.contains(old));
        }
    }

    /// The worth of each piece, Black's negative; both owners' pieces of a kind are worth the same.
    pub fn worth<G: Game>(&self, game: &G, moving: bool) -> Vec<i32> {
        let pieces = &game.description().pieces;
        let unit = if moving { 100.0 } else { 20.0 };
        let of_kind = |kind: &str, counts: &[u64]| -> f64 {
            let same = pieces.iter().zip(counts).filter(|(piece, _)| piece.name == kind);
            same.map(|(_, &count)| count as f64).sum()
        };
        let mobility = |kind: &str| {
            let stood = of_kind(kind, &self.stood);
            (stood > 0.0).then(|| of_kind(kind, &self.moved) / stood + PRESENCE)
        };
        let owned = || pieces.iter().skip(1).filter(|piece| piece.side.is_some());
        let least = owned().filter_map(|piece| mobility(&piece.name)).fold(f64::INFINITY, f64::min);
        let worth = |kind: &str| match mobility(kind) {
            Some(mobility) => (unit * mobility / least).min(20.0 * unit),
            // Never met: what comes late is usually a piece that was promoted.
            None => 2.0 * unit,
        };
        let signed = |piece: &PieceInfo| match piece.side {
            Some(Side::White) => worth(&piece.name) as i32,
            Some(Side::Black) => -(worth(&piece.name) as i32),
            None => 0,
        };
        pieces.iter().map(signed).collect()
    }
}
