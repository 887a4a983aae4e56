//! Expectimax: Alpha-Beta where some nodes are nature's, with Star1 and Star2 pruning and the transposition
//! table.
//!
//! # Values
//! A value is what the player to move may expect, in millionths of a won game: a win is worth 1,000,000, a
//! draw 0, a loss -1,000,000. A margin of `n` counts as `n` won games, up to option `points`. An evaluation
//! is worth less than a won game: `e` becomes `e / (|e| + 600)` of one.
//!
//! The value of a chance node is the sum of its outcomes' values, each times its weight, divided by the sum
//! of the weights and **rounded down**, as the player to move there sees it. So a value is a definite whole
//! number, whatever is pruned: every search of this file to the same depth gives the same. It differs from
//! the exact expectation by less than a millionth for each chance node on the way down.
//!
//! Nature's moves are plies like others. Repetition is not looked at.
//!
//! # Pruning
//! Star1 (Ballard 1983) keeps an interval for each outcome. An outcome need not be searched further once the
//! sum of all lower ends reaches beta, or that of all upper ends falls to alpha; from the intervals of the
//! others follows the window for the next. Star2 looks at one move after each outcome first, which makes one
//! end of its interval good at little cost. The table gives intervals at no cost at all.

use multigame_game::{Game, Outcome, Side, chance};

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::kernel::KernelInput;
use crate::transposition::{Entry, move_mark};
use crate::{Bounds, Evaluator, Options, Proved, Root, SearchResult, TranspositionTable, Value, Window};

/// The worth of a won game.
pub(crate) const WON: i64 = 1_000_000;
/// Longer lines are judged by the evaluation.
const MAX_PLY: u32 = 400;
/// An evaluation of this size is worth half a won game.
const HALF_WON: i64 = 600;

/// The interval in which a value lies, and whether it rests on finished games alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    low: i64,
    high: i64,
    complete: bool,
}

impl Known {
    fn exact(value: i64, complete: bool) -> Known {
        Known { low: value, high: value, complete }
    }

    /// As the other player sees it.
    fn turned(self, turn: bool) -> Known {
        if turn { Known { low: -self.high, high: -self.low, ..self } } else { self }
    }

    fn decides(self, (alpha, beta): (i64, i64)) -> bool {
        self.low >= beta || self.high <= alpha || self.low == self.high
    }

    /// Both together; `other` was found later.
    fn and(self, other: Known) -> Known {
        let complete = other.complete && (self.complete || other.low == other.high);
        Known { low: self.low.max(other.low), high: self.high.min(other.high), complete }
    }
}

struct Expectimax<'a, G: Game, E, M> {
    game: &'a G,
    evaluator: &'a E,
    table: Option<&'a TranspositionTable>,
    pulse: Pulse<'a, M>,
    /// No value is greater.
    most: i64,
    star1: bool,
    star2: bool,
}

/// Searches more and more deeply until the depth is reached, the value cannot change any more or somebody
/// stops it.
pub(crate) fn search<'a, G: Game, E: Evaluator<G>, M: Monitor<G>>(
    task: KernelInput<'a, G, E>,
    root: &Root<G>,
    depth: u32,
    monitor: &'a mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let Options { star1, star2, points, table, .. } = *task.options;
    let mut search = Expectimax {
        game: task.game,
        evaluator: task.evaluator,
        table: task.table.filter(|_| table),
        pulse: Pulse::new(monitor, task.abort, task.options.poll_interval),
        most: WON * i64::from(points),
        star1,
        star2,
    };
    let mut result = SearchResult { reported: false, ..SearchResult::nothing() };
    let mut moves = Vec::new();
    if task.game.moves(&root.position, &mut moves)?.is_some() {
        return Ok(result);
    }
    root.limit(task.game, &mut moves);
    for depth in 1..=depth {
        let found = match search.root(&root.position, &mut moves, depth) {
            Err(Interrupt::Stopped) => {
                result.finished = false;
                break;
            }
            found => found?,
        };
        let value = Value::new((found.low / 1000) as i32);
        (result.value, result.bounds, result.depth) = (value, Bounds::exact(value), depth);
        result.proved = if root.is_limited() { Proved::NOTHING } else { proof(found) };
        let chooses = !task.game.is_chance(&root.position);
        result.pv = moves.first().filter(|_| chooses).cloned().into_iter().collect();
        let goes_on = search.pulse.iteration(depth, result.bounds, result.proved, &result.pv);
        result.reported = true;
        if goes_on.is_break() || found.complete || found.low.abs() == search.most {
            break;
        }
    }
    result.statistics = search.pulse.statistics;
    Ok(result)
}

/// The part of a value that is a proof: only certainty can be said in terms of winning.
fn proof(found: Known) -> Proved {
    match found.complete {
        true if found.low >= WON => Proved::within(Bounds::at_least(Value::LEAST_SCORE)),
        true if found.high <= -WON => Proved::within(Bounds::at_most(-Value::LEAST_SCORE)),
        _ => Proved::NOTHING,
    }
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Expectimax<'_, G, E, M> {
    /// The value of the root; the best move comes to the front, and stays there unless another is better.
    fn root(
        &mut self,
        position: &G::Position,
        moves: &mut [G::Move],
        depth: u32,
    ) -> Result<Known, Interrupt> {
        if self.game.is_chance(position) {
            return self.nature(position, moves, depth, 0, (-self.most - 1, self.most + 1));
        }
        let (mut best, mut complete) = (-self.most - 1, true);
        let mut child = position.clone();
        for number in 0..moves.len() {
            self.game.apply(position, &moves[number], &mut child);
            let window = (best, self.most + 1);
            let found = self.child(position, &child, depth - 1, 1, window)?;
            complete &= found.complete;
            if found.low > best {
                best = found.low;
                moves[..=number].rotate_right(1);
            }
        }
        Ok(Known::exact(best, complete))
    }

    /// The value of a position after a move, as the player before it sees it.
    fn child(
        &mut self,
        position: &G::Position,
        child: &G::Position,
        depth: u32,
        ply: u32,
        (alpha, beta): (i64, i64),
    ) -> Result<Known, Interrupt> {
        let turn = self.turns(position, child);
        let window = if turn { (-beta, -alpha) } else { (alpha, beta) };
        Ok(self.node(child, depth, ply, window)?.turned(turn))
    }

    fn turns(&self, position: &G::Position, child: &G::Position) -> bool {
        self.game.side_to_move(position) != self.game.side_to_move(child)
    }

    fn node(
        &mut self,
        position: &G::Position,
        depth: u32,
        ply: u32,
        window: (i64, i64),
    ) -> Result<Known, Interrupt> {
        self.pulse.tick()?;
        if let Some(outcome) = self.game.ended(position) {
            self.pulse.statistics.leaves += 1;
            return Ok(self.worth(outcome, self.game.side_to_move(position)));
        }
        if depth == 0 || ply >= MAX_PLY {
            return self.leaf(position);
        }
        let entry = self.table.and_then(|table| table.probe(self.game.signature(position)));
        let known = entry.map_or(self.unknown(), |entry| self.of_entry(entry, depth));
        if known.decides(window) {
            self.pulse.statistics.table_cutoffs += 1;
            return Ok(known);
        }
        let mut moves = Vec::new();
        if let Some(outcome) = self.game.moves(position, &mut moves)? {
            self.pulse.statistics.leaves += 1;
            return Ok(self.worth(outcome, self.game.side_to_move(position)));
        }
        let mut mark = 0;
        let found = if self.game.is_chance(position) {
            self.nature(position, &moves, depth, ply, window)?
        } else {
            if let Some(entry) = entry
                && let Some(best) = moves.iter().position(|mv| self.mark(mv) == entry.mark)
            {
                moves.swap(0, best);
            }
            self.player(position, &moves, depth, ply, window, &mut mark)?
        };
        self.store(position, found, window, depth, mark);
        Ok(found)
    }

    fn player(
        &mut self,
        position: &G::Position,
        moves: &[G::Move],
        depth: u32,
        ply: u32,
        (alpha, beta): (i64, i64),
        mark: &mut u32,
    ) -> Result<Known, Interrupt> {
        let mut best = Known { low: -self.most, high: -self.most, complete: true };
        let mut child = position.clone();
        for mv in moves {
            self.game.apply(position, mv, &mut child);
            let found = self.child(position, &child, depth - 1, ply + 1, (alpha.max(best.low), beta))?;
            best.complete &= found.complete;
            best.high = best.high.max(found.high);
            if found.low > best.low || *mark == 0 {
                best.low = best.low.max(found.low);
                *mark = self.mark(mv);
            }
            if best.low >= beta {
                best.high = self.most;
                break;
            }
        }
        Ok(best)
    }

    /// A chance node: searches outcomes one after the other, each with the window that the others leave.
    fn nature(
        &mut self,
        position: &G::Position,
        moves: &[G::Move],
        depth: u32,
        ply: u32,
        window: (i64, i64),
    ) -> Result<Known, Interrupt> {
        let mut outcomes = Outcomes::new(chance::weights(self.game, position, moves), self.unknown());
        let mut child = position.clone();
        let probes = self.star2 && self.star1 && depth >= 2 && window != (-self.most - 1, self.most + 1);
        for (number, mv) in moves.iter().enumerate().filter(|_| probes) {
            self.game.apply(position, mv, &mut child);
            let turn = self.turns(position, &child);
            let (low, high) = outcomes.window(number, window);
            let child_window = if turn { (-high, -low) } else { (low, high) };
            let known = self.probe(&child, depth - 1, ply + 1, child_window)?.turned(turn);
            outcomes.learn(number, known);
            if outcomes.value().decides(window) {
                self.pulse.statistics.cutoffs += 1;
                return Ok(outcomes.value());
            }
        }
        for (number, mv) in moves.iter().enumerate() {
            self.game.apply(position, mv, &mut child);
            let full = (-self.most - 1, self.most + 1);
            let left = if self.star1 { outcomes.window(number, window) } else { full };
            let known = outcomes.known[number];
            if known.low < known.high {
                let found = self.child(position, &child, depth - 1, ply + 1, left)?;
                outcomes.learn(number, found);
            }
            if self.star1 && number + 1 < moves.len() && outcomes.value().decides(window) {
                self.pulse.statistics.cutoffs += 1;
                break;
            }
        }
        Ok(outcomes.value())
    }

    /// Looks at one move of a position after a throw, which gives at least one end of its interval.
    fn probe(
        &mut self,
        position: &G::Position,
        depth: u32,
        ply: u32,
        (alpha, beta): (i64, i64),
    ) -> Result<Known, Interrupt> {
        let nothing = self.unknown();
        if let Some(outcome) = self.game.ended(position) {
            return Ok(self.worth(outcome, self.game.side_to_move(position)));
        }
        let entry = self.table.and_then(|table| table.probe(self.game.signature(position)));
        let known = entry.map_or(nothing, |entry| self.of_entry(entry, depth));
        if depth == 0 || known.decides((alpha, beta)) || self.game.is_chance(position) {
            return Ok(known);
        }
        let mut moves = Vec::new();
        if self.game.moves(position, &mut moves)?.is_some() {
            return Ok(known);
        }
        let best = entry.and_then(|entry| moves.iter().position(|mv| self.mark(mv) == entry.mark));
        let mut child = position.clone();
        self.game.apply(position, &moves[best.unwrap_or(0)], &mut child);
        let found = self.child(position, &child, depth - 1, ply + 1, (alpha, beta))?;
        let found = if moves.len() == 1 { found } else { Known { high: self.most, ..found } };
        Ok(known.and(found))
    }

    fn leaf(&mut self, position: &G::Position) -> Result<Known, Interrupt> {
        self.pulse.statistics.leaves += 1;
        self.pulse.statistics.evaluations += 1;
        let value = i64::from(self.evaluator.evaluate(self.game, position).number());
        let guess = value * (WON - 1) / (value.abs() + HALF_WON);
        Ok(Known::exact(guess, false))
    }

    fn worth(&self, outcome: Outcome, side: Side) -> Known {
        let white = match outcome {
            Outcome::Wins(Side::White) => WON,
            Outcome::Wins(Side::Black) => -WON,
            Outcome::Draw => 0,
            Outcome::Score(margin) => (i64::from(margin) * WON).clamp(-self.most, self.most),
        };
        Known::exact(if side == Side::White { white } else { -white }, true)
    }

    fn unknown(&self) -> Known {
        Known { low: -self.most, high: self.most, complete: true }
    }

    fn mark(&self, mv: &G::Move) -> u32 {
        move_mark(self.game.move_key(mv))
    }

    fn of_entry(&self, entry: Entry, depth: u32) -> Known {
        if !entry.answers(depth, true) {
            return self.unknown();
        }
        let Bounds { lower, upper } = Bounds::of(entry.bound, entry.value);
        let [low, high] = [lower, upper].map(|end| i64::from(end.number()).clamp(-self.most, self.most));
        Known { low, high, complete: entry.complete }
    }

    fn store(&self, position: &G::Position, found: Known, window: (i64, i64), depth: u32, mark: u32) {
        let Some(table) = self.table else { return };
        let value = |number: i64| Value::from_number(number as i32);
        let bounds = Bounds { lower: value(found.low), upper: value(found.high) };
        let window = Window { alpha: value(window.0), beta: value(window.1) };
        let entry = Entry::new(bounds, window, 0, depth, found.complete, mark);
        table.store(self.game.signature(position), entry);
    }
}

/// The outcomes of a chance node with what is known about each.
struct Outcomes {
    weights: Vec<i64>,
    total: i64,
    known: Vec<Known>,
    /// The sums of the lower and of the upper ends, each times its weight.
    low: i64,
    high: i64,
}

impl Outcomes {
    fn new(weights: Vec<u64>, unknown: Known) -> Outcomes {
        let weights: Vec<i64> = weights.into_iter().map(|weight| weight as i64).collect();
        let total: i64 = weights.iter().sum();
        let known = vec![unknown; weights.len()];
        Outcomes { weights, total, known, low: unknown.low * total, high: unknown.high * total }
    }

    /// The window for one outcome: at most its lower end the node fails low, whatever the others are worth,
    /// and at least its upper end it fails high.
    fn window(&self, number: usize, (alpha, beta): (i64, i64)) -> (i64, i64) {
        let (weight, known) = (self.weights[number], self.known[number]);
        let (low, high) = (self.low - weight * known.low, self.high - weight * known.high);
        let fails_low = (alpha * self.total + self.total - 1 - high).div_euclid(weight);
        let fails_high = -(low - beta * self.total).div_euclid(weight);
        (fails_low.max(known.low - 1), fails_high.min(known.high + 1))
    }

    fn learn(&mut self, number: usize, found: Known) {
        let (weight, before) = (self.weights[number], self.known[number]);
        let after = before.and(found);
        self.low += weight * (after.low - before.low);
        self.high += weight * (after.high - before.high);
        self.known[number] = after;
    }

    /// The node's value, rounded down.
    fn value(&self) -> Known {
        let complete = self.known.iter().all(|known| known.complete);
        let [low, high] = [self.low, self.high].map(|sum| sum.div_euclid(self.total));
        Known { low, high, complete }
    }
}
