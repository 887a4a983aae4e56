//! Monte-Carlo tree search with the UCT rule: random games tell which moves deserve more random games.
//!
//! Where the tree reaches endings, it is exact: a move to a won position is won, and a position is lost when
//! all moves lose. Endings are seen when a position is expanded, and random games are random only as long as
//! nobody can win at once. A game that takes too long is judged by its evaluation.

use multigame_game::{Game, Outcome, Random, Side, chance};

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::kernel::KernelInput;
use crate::{Bounds, Evaluator, Proved, Root, SearchResult, Value};

/// The weight of exploration.
const EXPLORATION: f64 = 1.0;
/// Longest random game, and longest path in the tree.
const MAX_PLIES: usize = 500;
/// An evaluation of this size means a chance of winning of about 73 %.
const SCALE: f64 = 300.0;

struct Node<M> {
    parent: u32,
    mv: Option<M>,
    side: Side,
    /// Whether nature moves here, which is known once it is expanded.
    chance: bool,
    /// How often this is what nature does, among what it may do.
    weight: u32,
    /// Empty until it is expanded.
    children: std::ops::Range<u32>,
    visits: u32,
    /// Sum of results as White sees them: 1 for a win, 0 for a loss.
    total: f64,
    /// The result with best play, where it is known.
    proved: Option<f64>,
}

struct Mcts<'a, G: Game, E, M> {
    game: &'a G,
    evaluator: &'a E,
    pulse: Pulse<'a, M>,
    random: Random,
    nodes: Vec<Node<G::Move>>,
    limit: usize,
    moves: Vec<G::Move>,
    /// The position being looked at, and room for the next.
    here: G::Position,
    next: G::Position,
    saw_score: bool,
}

/// Searches until the tree is full, the root is proved or somebody stops it.
pub(crate) fn search<'a, G: Game, E: Evaluator<G>, M: Monitor<G>>(
    task: KernelInput<'a, G, E>,
    root: &Root<G>,
    monitor: &'a mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let side = task.game.side_to_move(&root.position);
    let mut search = Mcts {
        game: task.game,
        evaluator: task.evaluator,
        pulse: Pulse::new(monitor, task.abort, task.options.poll_interval),
        random: Random::new(task.options.seed),
        nodes: vec![Node {
            parent: 0,
            mv: None,
            side,
            chance: false,
            weight: 1,
            children: 0..0,
            visits: 0,
            total: 0.0,
            proved: None,
        }],
        limit: task.options.tree_nodes.clamp(2, u32::MAX as usize),
        moves: Vec::new(),
        here: root.position.clone(),
        next: root.position.clone(),
        saw_score: false,
    };
    let mut finished = true;
    // A tree that is known to its ends stops growing, but throws go on.
    let throws = task.game.description().chance.is_some();
    while search.nodes[0].proved.is_none()
        && search.nodes.len() < search.limit
        && !(throws && search.nodes[0].visits as usize >= search.limit)
    {
        search.here.clone_from(&root.position);
        match search.pulse.tick().and_then(|_| search.once(root)) {
            Err(Interrupt::Stopped) => {
                finished = false;
                break;
            }
            done => done?,
        }
    }
    Ok(search.result(finished))
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Mcts<'_, G, E, M> {
    /// Goes down the tree, adds to it, plays a random game, and takes its result back up.
    fn once(&mut self, root: &Root<G>) -> Result<(), Interrupt> {
        let mut node = 0;
        for _ in 0..MAX_PLIES {
            if self.nodes[node as usize].children.is_empty() {
                if self.nodes[node as usize].visits == 0 && node != 0 {
                    break;
                }
                if let Some(outcome) = self.expand(node, root)? {
                    let result = self.result_of(outcome);
                    self.nodes[node as usize].proved = Some(result);
                    self.back_up(node, result);
                    return Ok(());
                }
                if let Some(result) = self.proved_by_children(node) {
                    self.back_up(node, result);
                    return Ok(());
                }
            }
            node = match self.nodes[node as usize].chance {
                true => self.throw(node),
                false => self.select(node),
            };
            let mv = self.nodes[node as usize].mv.as_ref().expect("only the root has no move");
            self.game.apply(&self.here, mv, &mut self.next);
            std::mem::swap(&mut self.here, &mut self.next);
        }
        let (result, ended_at_once) = self.random_game()?;
        if ended_at_once {
            self.nodes[node as usize].proved = Some(result);
        }
        self.back_up(node, result);
        Ok(())
    }

    fn expand(&mut self, node: u32, root: &Root<G>) -> Result<Option<Outcome>, Interrupt> {
        if let Some(outcome) = self.game.moves(&self.here, &mut self.moves)? {
            return Ok(Some(outcome));
        }
        if node == 0 {
            root.limit(self.game, &mut self.moves);
        }
        let first = self.nodes.len() as u32;
        for mv in self.moves.drain(..) {
            self.game.apply(&self.here, &mv, &mut self.next);
            let side = self.game.side_to_move(&self.next);
            let proved = self.game.ended(&self.next).map(|outcome| result_of(outcome, &mut self.saw_score));
            let weight = self.game.weight(&self.next) as u32;
            self.nodes.push(Node {
                parent: node,
                mv: Some(mv),
                side,
                chance: false,
                weight,
                children: 0..0,
                visits: 0,
                total: 0.0,
                proved,
            });
        }
        self.nodes[node as usize].chance = self.game.is_chance(&self.here);
        self.nodes[node as usize].children = first..self.nodes.len() as u32;
        Ok(None)
    }

    /// One of the things that nature may do, as often as it does it.
    fn throw(&mut self, node: u32) -> u32 {
        let children = self.nodes[node as usize].children.clone();
        let weight = |child: u32| self.nodes[child as usize].weight as usize;
        let mut left = self.random.below(children.clone().map(weight).sum());
        for child in children.clone() {
            let weight = self.nodes[child as usize].weight as usize;
            match left.checked_sub(weight) {
                Some(rest) => left = rest,
                None => return child,
            }
        }
        children.start
    }

    /// The child that promises most by its results and by how little is known about it. Of proved children
    /// only the best result counts: there is nothing to learn from them.
    fn select(&self, node: u32) -> u32 {
        let Node { children, side, visits, .. } = &self.nodes[node as usize];
        let log = f64::from((*visits).max(1)).ln();
        let promise = |child: &Node<G::Move>| match child.proved {
            Some(result) => seen_by(*side, result) - 10.0,
            None if child.visits == 0 => f64::INFINITY,
            None => {
                let visits = f64::from(child.visits);
                seen_by(*side, child.total / visits) + EXPLORATION * (log / visits).sqrt()
            }
        };
        let mut best = children.start;
        let mut most = f64::NEG_INFINITY;
        for number in children.clone() {
            let promise = promise(&self.nodes[number as usize]);
            if promise > most {
                (best, most) = (number, promise);
            }
        }
        best
    }

    /// The result of a random game from here, and whether it was over before it began.
    fn random_game(&mut self) -> Result<(f64, bool), Interrupt> {
        self.pulse.statistics.leaves += 1;
        for ply in 0..MAX_PLIES {
            if let Some(outcome) = self.game.moves(&self.here, &mut self.moves)? {
                return Ok((self.result_of(outcome), ply == 0));
            }
            self.pulse.work(self.moves.len())?;
            if self.game.is_chance(&self.here) {
                let number = chance::throw(self.game, &self.here, &self.moves, &mut self.random);
                self.game.apply(&self.here, &self.moves[number], &mut self.next);
                std::mem::swap(&mut self.here, &mut self.next);
                continue;
            }
            let side = self.game.side_to_move(&self.here);
            let endings = self.moves.iter().filter_map(|mv| self.game.ending(mv));
            if let Some(outcome) = endings.into_iter().find(|outcome| outcome.winner() == Some(side)) {
                return Ok((self.result_of(outcome), ply == 0));
            }
            let mv = &self.moves[self.random.below(self.moves.len())];
            self.game.apply(&self.here, mv, &mut self.next);
            std::mem::swap(&mut self.here, &mut self.next);
        }
        self.pulse.statistics.evaluations += 1;
        let value = f64::from(self.evaluator.evaluate(self.game, &self.here).number());
        let result = 1.0 / (1.0 + (-value / SCALE).exp());
        Ok((seen_by(self.game.side_to_move(&self.here), result), false))
    }

    fn result_of(&mut self, outcome: Outcome) -> f64 {
        result_of(outcome, &mut self.saw_score)
    }

    fn back_up(&mut self, mut node: u32, result: f64) {
        loop {
            if self.nodes[node as usize].proved.is_none() {
                self.nodes[node as usize].proved = self.proved_by_children(node);
            }
            let Node { visits, total, parent, .. } = &mut self.nodes[node as usize];
            *visits += 1;
            *total += result;
            if node == 0 {
                return;
            }
            node = *parent;
        }
    }

    fn proved_by_children(&self, node: u32) -> Option<f64> {
        let Node { children, side, chance, .. } = &self.nodes[node as usize];
        let proved = |child: u32| self.nodes[child as usize].proved;
        if *chance {
            // What happens by chance is certain only where everything that may happen ends alike.
            let first = proved(children.start).filter(|_| !children.is_empty())?;
            return children.clone().all(|child| proved(child) == Some(first)).then_some(first);
        }
        let mut best: Option<f64> = None;
        let mut all = !children.is_empty();
        for child in children.clone() {
            match self.nodes[child as usize].proved {
                Some(result) if seen_by(*side, result) == 1.0 => return Some(result),
                Some(result) => {
                    let better = best.is_none_or(|best| seen_by(*side, result) > seen_by(*side, best));
                    best = if better { Some(result) } else { best };
                }
                None => all = false,
            }
        }
        best.filter(|_| all)
    }

    fn result(self, finished: bool) -> SearchResult<G::Move> {
        let root = &self.nodes[0];
        let chance = seen_by(root.side, root.proved.unwrap_or(root.total / f64::from(root.visits.max(1))));
        let won = if self.saw_score { Value::LEAST_SCORE } else { Value::LEAST_WIN };
        let bounds = match root.proved {
            Some(_) if chance == 1.0 => Bounds::at_least(won),
            Some(_) if chance == 0.0 => Bounds::at_most(-won),
            Some(_) => Bounds::exact(Value::DRAW),
            None => Bounds::UNKNOWN,
        };
        let chance = chance.clamp(1e-6, 1.0 - 1e-6);
        let guess = Value::new((SCALE * (chance / (1.0 - chance)).ln()) as i32);
        let value = if bounds == Bounds::UNKNOWN { guess } else { bounds.strongest().1 };
        // Paths are not looked at: where a repeated position is not just a draw, the tree proves nothing.
        let proved = match crate::proof::check(self.game) {
            Ok(()) => Proved::within(bounds),
            Err(_) => Proved::NOTHING,
        };
        let (pv, statistics) = (self.line(), self.pulse.statistics);
        SearchResult { bounds, proved, value, pv, depth: 0, finished, reported: finished, statistics }
    }

    /// The moves tried most, or those that prove the result.
    fn line(&self) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut node = &self.nodes[0];
        while !node.children.is_empty() {
            let rank = |child: &u32| {
                let child = &self.nodes[*child as usize];
                let proved = child.proved.map_or(0.5, |result| seen_by(node.side, result));
                // Known to be won first, known to be lost last, the most visited between.
                ((proved * 2.0) as i32, child.visits)
            };
            let children = node.children.clone();
            let Some(best) = children.max_by_key(rank) else { break };
            node = &self.nodes[best as usize];
            if node.visits == 0 && node.proved.is_none() {
                break;
            }
            line.extend(node.mv.clone());
        }
        line
    }
}

/// White's points.
fn result_of(outcome: Outcome, saw_score: &mut bool) -> f64 {
    *saw_score |= matches!(outcome, Outcome::Score(_));
    match outcome.winner() {
        Some(Side::White) => 1.0,
        Some(Side::Black) => 0.0,
        None => 0.5,
    }
}

/// White's result as a player sees it, and back.
fn seen_by(side: Side, result: f64) -> f64 {
    if side == Side::White { result } else { 1.0 - result }
}
