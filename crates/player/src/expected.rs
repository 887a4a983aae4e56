//! Solving games with chance: what the player to move may expect with best play, over all positions.
//!
//! All positions that can be reached are found first. Then their values are computed again and again, each
//! from those of the positions that follow (value iteration), until an upper and a lower limit of the root
//! are as near to each other as was asked for. Both limits are monotone: the lower ones begin with a loss
//! everywhere and only grow, the upper ones begin with a win and only fall. So the value lies between them
//! whenever the computation ends, for games with cycles as well as for those without; only rounding of
//! floating-point numbers, far below the digits that are shown, is not accounted for.
//!
//! Where endless play is possible the limits may never meet: a game that is never finished is worth neither a
//! win nor a loss, and the interval says so.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use multigame_game::{Game, Outcome, Side, Signature};

/// The expectation of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected<M> {
    /// The expectation of the player to move lies in this interval: 1 for a win, -1 for a loss, margins as
    /// they are.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The move that leads there, where a player moves.
    pub best: Option<M>,
    /// Number of positions.
    pub positions: usize,
    /// Number of times that all values were computed.
    pub rounds: u32,
}

impl<M> Expected<M> {
    /// The probability of winning, for games that are won or lost.
    pub fn chances(&self) -> (f64, f64) {
        (f64::midpoint(self.low, 1.0), f64::midpoint(self.high, 1.0))
    }
}

/// Limits of the computation.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The interval shall not be wider.
    pub precision: f64,
    /// Positions there is memory for.
    pub positions: usize,
    /// Rounds after which the interval is taken as it is.
    pub rounds: u32,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted { precision: 1e-9, positions: 50_000_000, rounds: 100_000 }
    }
}

/// One position: what it is worth to White, and where its successors are in the list of all.
struct Node {
    kind: Kind,
    first: usize,
    count: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Final,
    White,
    Black,
    Chance,
}

struct Graph {
    nodes: Vec<Node>,
    /// Successors with their weights.
    next: Vec<(u32, u32)>,
    /// Limits of each value, as White sees it.
    low: Vec<f64>,
    high: Vec<f64>,
}

/// Solves a position.
pub fn expected<G: Game>(
    game: &G,
    root: &G::Position,
    wanted: Wanted,
    stop: &AtomicBool,
) -> anyhow::Result<Expected<G::Move>> {
    let mut graph = explore(game, root, wanted.positions, stop)?;
    let mut rounds = 0;
    while graph.high[0] - graph.low[0] > wanted.precision && rounds < wanted.rounds {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let changed = graph.round();
        rounds += 1;
        if !changed {
            break;
        }
    }
    let mut moves = Vec::new();
    game.moves(root, &mut moves)?;
    let white = game.side_to_move(root) == Side::White;
    let (low, high) = (graph.low[0], graph.high[0]);
    let (low, high) = if white { (low, high) } else { (-high, -low) };
    let best = graph.best(white).map(|number| moves[number].clone());
    Ok(Expected { low, high, best, positions: graph.nodes.len(), rounds })
}

fn explore<G: Game>(game: &G, root: &G::Position, most: usize, stop: &AtomicBool) -> anyhow::Result<Graph> {
    let mut numbers: HashMap<Signature, u32> = HashMap::new();
    let mut waiting = vec![root.clone()];
    numbers.insert(game.signature(root), 0);
    let mut graph = Graph { nodes: Vec::new(), next: Vec::new(), low: Vec::new(), high: Vec::new() };
    let mut greatest: f64 = 1.0;
    let mut looked = 0;
    let mut positions: Vec<G::Position> = Vec::new();
    // Breadth first, so that numbers are given in the order in which positions are looked at.
    while looked < waiting.len() {
        if stop.load(Ordering::Relaxed) {
            bail!("interrupted after {looked} positions, before all were found");
        }
        let position = waiting[looked].clone();
        looked += 1;
        positions.clear();
        let first = graph.next.len();
        let outcome = game.visit(&position, &mut |_, child| {
            positions.push(child.clone());
            std::ops::ControlFlow::Continue(())
        })?;
        for child in &positions {
            // Positions that the last move ended have endings of their own, whatever their signatures are.
            let ended = game.ended(child);
            let key = game.signature(child) ^ ended.map_or(0, Outcome::key);
            let next = numbers.len() as u32;
            let number = *numbers.entry(key).or_insert(next);
            if number == next {
                waiting.push(child.clone());
            }
            graph.next.push((number, game.weight(child) as u32));
        }
        if numbers.len() > most {
            bail!(
                "more than {most} positions can be reached; solve from a position nearer to the end, or with \
                 smaller parameters"
            );
        }
        let kind = match (outcome, game.is_chance(&position), game.side_to_move(&position)) {
            (Some(_), _, _) => Kind::Final,
            (_, true, _) => Kind::Chance,
            (_, _, Side::White) => Kind::White,
            (_, _, Side::Black) => Kind::Black,
        };
        let worth = outcome.map(worth);
        greatest = greatest.max(worth.map_or(0.0, f64::abs));
        graph.low.push(worth.unwrap_or(f64::NAN));
        graph.high.push(worth.unwrap_or(f64::NAN));
        graph.nodes.push(Node { kind, first, count: (graph.next.len() - first) as u32 });
    }
    for (low, high) in graph.low.iter_mut().zip(&mut graph.high).filter(|(low, _)| low.is_nan()) {
        (*low, *high) = (-greatest, greatest);
    }
    Ok(graph)
}

/// The worth of an outcome to White.
fn worth(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Wins(Side::White) => 1.0,
        Outcome::Wins(Side::Black) => -1.0,
        Outcome::Draw => 0.0,
        Outcome::Score(margin) => f64::from(margin),
    }
}

impl Graph {
    /// Computes all values anew, those found last first; tells whether anything has changed.
    fn round(&mut self) -> bool {
        let mut changed = false;
        for number in (0..self.nodes.len()).rev() {
            let node = &self.nodes[number];
            if node.kind == Kind::Final {
                continue;
            }
            let next = &self.next[node.first..][..node.count as usize];
            let low = value(node.kind, next, &self.low);
            let high = value(node.kind, next, &self.high);
            // Monotone, whatever rounding does.
            if low > self.low[number] {
                (self.low[number], changed) = (low, true);
            }
            if high < self.high[number] {
                (self.high[number], changed) = (high, true);
            }
        }
        changed
    }

    /// The number of the root's best move.
    fn best(&self, white: bool) -> Option<usize> {
        let root = &self.nodes[0];
        if matches!(root.kind, Kind::Final | Kind::Chance) {
            return None;
        }
        let next = &self.next[root.first..][..root.count as usize];
        let worth = |&(_, &(next, _)): &(usize, &(u32, u32))| {
            let next = next as usize;
            if white { self.low[next] } else { -self.high[next] }
        };
        next.iter().enumerate().max_by(|a, b| worth(a).total_cmp(&worth(b))).map(|(number, _)| number)
    }
}

fn value(kind: Kind, next: &[(u32, u32)], values: &[f64]) -> f64 {
    let of = |&(next, _): &(u32, u32)| values[next as usize];
    match kind {
        Kind::Chance => {
            let total: f64 = next.iter().map(|&(_, weight)| f64::from(weight)).sum();
            let sum: f64 = next.iter().map(|child| of(child) * f64::from(child.1)).sum();
            sum / total
        }
        Kind::Black => next.iter().map(of).fold(f64::INFINITY, f64::min),
        Kind::White | Kind::Final => next.iter().map(of).fold(f64::NEG_INFINITY, f64::max),
    }
}
