//! Monte-Carlo tree search with the UCT rule: random games tell which moves deserve more random games.
//!
//! Where the tree reaches endings, it is exact: a move to a won position is won, and a position is lost when
//! all moves lose. Endings are seen when a position is expanded, and random games are random only as long as
//! nobody can win at once. A game that takes too long is judged by its evaluation.
//!
//! # Threads
//! Several threads may search one [`Tree`]. Its nodes are never moved or changed but for their
//! [numbers](tally), and a node gets its children once: of two threads that expand it at the same time, one
//! has worked in vain.

mod tally;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use multigame_game::{Game, Outcome, Random, Side, chance};

use self::tally::Tally;
use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::kernel::KernelInput;
use crate::{Bounds, Evaluator, Options, Proved, Root, SearchResult, Value};

/// The weight of exploration.
const EXPLORATION: f64 = 1.0;
/// Longest random game, and longest path in the tree.
const MAX_PLIES: usize = 500;
/// An evaluation of this size means a chance of winning of about 73 %.
const SCALE: f64 = 300.0;

/// The tree of a search, which threads may share.
#[derive(Debug)]
pub struct Tree<G: Game> {
    root: Node<G::Move>,
    /// Nodes so far, and the most there may be.
    nodes: AtomicUsize,
    limit: usize,
    /// Whether nature moves in the game.
    throws: bool,
    /// Whether a game ended with a score, which is less than a win. It is set before any result is proved
    /// that rests on it.
    saw_score: AtomicBool,
}

#[derive(Debug)]
struct Node<M> {
    mv: Option<M>,
    side: Side,
    /// How often this is what nature does, among what it may do.
    weight: u64,
    tally: Tally,
    /// Nothing until it is expanded.
    children: OnceLock<Children<M>>,
}

#[derive(Debug)]
struct Children<M> {
    nodes: Box<[Node<M>]>,
    /// Whether nature moves to them.
    by_chance: bool,
}

impl<M> Node<M> {
    fn new(mv: Option<M>, side: Side, weight: u64, proved: Option<f64>) -> Node<M> {
        Node { mv, side, weight, tally: Tally::new(proved), children: OnceLock::new() }
    }

    fn children(&self) -> &[Node<M>] {
        self.children.get().map_or(&[], |children| &children.nodes)
    }

    fn is_chance(&self) -> bool {
        self.children.get().is_some_and(|children| children.by_chance)
    }

    /// The result that follows from those of the children.
    fn proved_by_children(&self) -> Option<f64> {
        if self.is_chance() {
            // What happens by chance is certain only where everything that may happen ends alike.
            let first = self.children().first()?.tally.proved()?;
            let alike = self.children().iter().all(|child| child.tally.proved() == Some(first));
            return alike.then_some(first);
        }
        let mut best: Option<f64> = None;
        let mut all = !self.children().is_empty();
        for child in self.children() {
            match child.tally.proved() {
                Some(result) if seen_by(self.side, result) == 1.0 => return Some(result),
                Some(result) => {
                    let better =
                        best.is_none_or(|best| seen_by(self.side, result) > seen_by(self.side, best));
                    best = if better { Some(result) } else { best };
                }
                None => all = false,
            }
        }
        best.filter(|_| all)
    }

    /// One of the things that nature may do, as often as it does it.
    fn throw(&self, random: &mut Random) -> Option<&Node<M>> {
        let weights = self.children().iter().map(|child| child.weight);
        self.children().get(chance::draw(weights, random))
    }

    /// The child that promises most by its results and by how little is known about it. Of proved children
    /// only the best result counts: there is nothing to learn from them. Those who are at a child just now
    /// count as if they had lost there.
    fn select(&self) -> Option<&Node<M>> {
        let (visits, visitors) = self.tally.counts();
        // The one who asks is among the visitors.
        let log = f64::from((visits + visitors.saturating_sub(1)).max(1)).ln();
        let mut best = None;
        let mut most = f64::NEG_INFINITY;
        for child in self.children() {
            let (visits, visitors) = child.tally.counts();
            let promise = match child.tally.proved() {
                Some(result) => seen_by(self.side, result) - 10.0,
                None if visits + visitors == 0 => f64::INFINITY,
                None => {
                    let all = f64::from(visits + visitors);
                    let lost = if self.side == Side::White { 0.0 } else { f64::from(visitors) };
                    seen_by(self.side, (child.tally.total() + lost) / all) + EXPLORATION * (log / all).sqrt()
                }
            };
            if promise > most {
                (best, most) = (Some(child), promise);
            }
        }
        best
    }
}

impl<G: Game> Tree<G> {
    /// The tree of a root that has not been looked at.
    pub fn new(game: &G, root: &Root<G>, options: &Options) -> Tree<G> {
        Tree {
            root: Node::new(None, game.side_to_move(&root.position), 1, None),
            nodes: AtomicUsize::new(1),
            limit: options.tree_nodes.clamp(2, u32::MAX as usize),
            throws: game.description().chance.is_some(),
            saw_score: AtomicBool::new(false),
        }
    }

    fn is_done(&self) -> bool {
        // A tree that is known to its ends stops growing, but throws go on.
        let grown = match self.throws {
            true => self.nodes.load(Ordering::Relaxed).max(self.root.tally.counts().0 as usize),
            false => self.nodes.load(Ordering::Relaxed),
        };
        self.root.tally.proved().is_some() || grown >= self.limit
    }

    /// White's points.
    fn result_of(&self, outcome: Outcome) -> f64 {
        if matches!(outcome, Outcome::Score(_)) && !self.saw_score.load(Ordering::Relaxed) {
            self.saw_score.store(true, Ordering::Relaxed);
        }
        match outcome.winner() {
            Some(Side::White) => 1.0,
            Some(Side::Black) => 0.0,
            None => 0.5,
        }
    }

    /// The moves tried most, or those that prove the result.
    fn line(&self) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut node = &self.root;
        let rank = |side: Side, child: &Node<G::Move>| {
            let proved = child.tally.proved().map_or(0.5, |result| seen_by(side, result));
            // Known to be won first, known to be lost last, the most visited between.
            ((proved * 2.0) as i32, child.tally.counts().0)
        };
        while let Some(best) = node.children().iter().max_by_key(|child| rank(node.side, child)) {
            if best.tally.counts().0 == 0 && best.tally.proved().is_none() {
                break;
            }
            line.extend(best.mv.clone());
            node = best;
        }
        line
    }
}

struct Mcts<'a, G: Game, E, M> {
    game: &'a G,
    evaluator: &'a E,
    pulse: Pulse<'a, M>,
    random: Random,
    tree: &'a Tree<G>,
    /// The nodes from the root to the one being looked at.
    path: Vec<&'a Node<G::Move>>,
    moves: Vec<G::Move>,
    /// The position being looked at, and room for the next.
    here: G::Position,
    next: G::Position,
}

/// Searches until the tree is full, the root is proved or somebody stops it. `thread` is one of those who
/// search the same tree.
pub(crate) fn search<'a, G: Game, E: Evaluator<G>, M: Monitor<G>>(
    task: KernelInput<'a, G, E>,
    root: &Root<G>,
    (tree, thread): (&'a Tree<G>, usize),
    monitor: &'a mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let random = match thread {
        0 => Random::new(task.options.seed),
        _ => Random::new(Random::new(task.options.seed ^ (thread as u64) << 32).next_u64()),
    };
    let mut search = Mcts {
        game: task.game,
        evaluator: task.evaluator,
        pulse: Pulse::new(monitor, task.abort, task.options.poll_interval),
        random,
        tree,
        path: Vec::new(),
        moves: Vec::new(),
        here: root.position.clone(),
        next: root.position.clone(),
    };
    let mut finished = true;
    while !tree.is_done() {
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

impl<'a, G: Game, E: Evaluator<G>, M: Monitor<G>> Mcts<'a, G, E, M> {
    /// Goes down the tree, adds to it, plays a random game, and takes its result back up.
    fn once(&mut self, root: &Root<G>) -> Result<(), Interrupt> {
        let mut node = &self.tree.root;
        self.path.clear();
        self.enter(node);
        for ply in 0..MAX_PLIES {
            if node.children().is_empty() {
                if node.tally.counts().0 == 0 && ply > 0 {
                    break;
                }
                let outcome = self.expand(node, (ply == 0).then_some(root))?;
                let result = outcome.map(|outcome| self.tree.result_of(outcome));
                if let Some(result) = result.or_else(|| node.proved_by_children()) {
                    node.tally.prove(result);
                    self.back_up(result);
                    return Ok(());
                }
            }
            let next = if node.is_chance() { node.throw(&mut self.random) } else { node.select() };
            node = next.expect("a position without moves has an outcome");
            self.enter(node);
            let mv = node.mv.as_ref().expect("only the root has no move");
            self.game.apply(&self.here, mv, &mut self.next);
            std::mem::swap(&mut self.here, &mut self.next);
        }
        let (result, ended_at_once) = self.random_game()?;
        if ended_at_once {
            node.tally.prove(result);
        }
        self.back_up(result);
        Ok(())
    }

    fn enter(&mut self, node: &'a Node<G::Move>) {
        node.tally.enter();
        self.path.push(node);
    }

    /// Gives a node its children, those of the root as far as they are wanted.
    fn expand(&mut self, node: &Node<G::Move>, root: Option<&Root<G>>) -> Result<Option<Outcome>, Interrupt> {
        if let Some(outcome) = self.game.moves(&self.here, &mut self.moves)? {
            return Ok(Some(outcome));
        }
        if let Some(root) = root {
            root.limit(self.game, &mut self.moves);
        }
        let (game, tree, here, next) = (self.game, self.tree, &self.here, &mut self.next);
        let children = self.moves.drain(..).map(|mv| {
            game.apply(here, &mv, next);
            let proved = game.ended(next).map(|outcome| tree.result_of(outcome));
            Node::new(Some(mv), game.side_to_move(next), game.weight(next), proved)
        });
        let nodes: Box<[_]> = children.collect();
        let count = nodes.len();
        let children = Children { nodes, by_chance: game.is_chance(here) };
        // Another thread may have been faster; its children are the same.
        if node.children.set(children).is_ok() {
            tree.nodes.fetch_add(count, Ordering::Relaxed);
        }
        Ok(None)
    }

    /// The result of a random game from here, and whether it was over before it began.
    fn random_game(&mut self) -> Result<(f64, bool), Interrupt> {
        self.pulse.statistics.leaves += 1;
        for ply in 0..MAX_PLIES {
            if let Some(outcome) = self.game.moves(&self.here, &mut self.moves)? {
                return Ok((self.tree.result_of(outcome), ply == 0));
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
                return Ok((self.tree.result_of(outcome), ply == 0));
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

    /// Tells all nodes of the path the result, the last one first.
    fn back_up(&self, result: f64) {
        for node in self.path.iter().rev() {
            if node.tally.proved().is_none()
                && let Some(proved) = node.proved_by_children()
            {
                node.tally.prove(proved);
            }
            node.tally.leave(result);
        }
    }

    fn result(self, finished: bool) -> SearchResult<G::Move> {
        let Node { side, tally, .. } = &self.tree.root;
        let (proved, visits) = (tally.proved(), tally.counts().0);
        let chance = seen_by(*side, proved.unwrap_or(tally.total() / f64::from(visits.max(1))));
        let saw_score = self.tree.saw_score.load(Ordering::Relaxed);
        let won = if saw_score { Value::LEAST_SCORE } else { Value::LEAST_WIN };
        let bounds = match proved {
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
        let (pv, statistics) = (self.tree.line(), self.pulse.statistics);
        SearchResult { bounds, proved, value, pv, depth: 0, finished, reported: finished, statistics }
    }
}

/// White's result as a player sees it, and back.
fn seen_by(side: Side, result: f64) -> f64 {
    if side == Side::White { result } else { 1.0 - result }
}
