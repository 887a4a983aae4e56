//! Counting the leaves of the game tree: the test of every move generator.

use std::ops::ControlFlow;

use crate::{Game, History, Repetition, RulesError};

/// Number of move sequences of exactly `depth` moves. A pass is a move; games that end earlier add nothing.
///
/// Of the rules on repetition only `forbidden` counts here: it decides which moves there are.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> Result<u64, RulesError> {
    Counter::new(game, position).count(position, depth)
}

/// The same, but every position is made, the last ones too: what a search has to pay for.
pub fn perft_making<G: Game>(game: &G, position: &G::Position, depth: u32) -> Result<u64, RulesError> {
    Counter { makes: true, ..Counter::new(game, position) }.count(position, depth)
}

/// For each move the number of sequences that begin with it.
pub fn divide<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
) -> Result<Vec<(G::Move, u64)>, RulesError> {
    let mut counter = Counter::new(game, position);
    let mut children = Vec::new();
    game.visit(position, &mut |mv, child| {
        children.push((mv.clone(), child.clone()));
        ControlFlow::Continue(())
    })?;
    let mut counts = Vec::with_capacity(children.len());
    for (mv, child) in children {
        if let Some(count) = counter.enter(&child, depth)? {
            counts.push((mv, count));
        }
    }
    Ok(counts)
}

/// A part of a count that can be made by itself: a position on the way, and the way to it where that matters.
#[derive(Clone, Debug)]
pub struct Part<P> {
    /// The place of the first move on the way among those of [`parts`].
    pub first: usize,
    position: P,
    depth: u32,
    history: Option<History>,
}

impl<P> Part<P> {
    /// The sequences of this part.
    pub fn count<G: Game<Position = P>>(&self, game: &G) -> Result<u64, RulesError> {
        Counter { game, history: self.history.clone(), makes: false }.count(&self.position, self.depth)
    }
}

/// The first moves, and the parts of all sequences that begin with them.
pub type Parts<G> = (Vec<<G as Game>::Move>, Vec<Part<<G as Game>::Position>>);

/// Divides a count of sequences of `depth` moves, not 0, into at least `least` parts, if the tree is large
/// enough, for those who share the work. The sum of their counts is [`perft`], and those of each first move
/// are [`divide`].
pub fn parts<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    least: usize,
) -> Result<Parts<G>, RulesError> {
    let Counter { history, .. } = Counter::new(game, position);
    let root = Part { first: 0, position: position.clone(), depth, history };
    let (mut moves, mut parts) = (Vec::new(), Vec::new());
    root.divide(game, |mv, part| {
        parts.push(Part { first: moves.len(), ..part });
        moves.push(mv.clone());
    })?;
    while parts.len() < least && parts.first().is_some_and(|part| part.depth >= LEAST_PART) {
        let mut next = Vec::new();
        for part in &parts {
            part.divide(game, |_, part| next.push(part))?;
        }
        parts = next;
    }
    Ok((moves, parts))
}

/// Less deep parts cost more than they are worth.
const LEAST_PART: u32 = 2;

impl<P: Clone> Part<P> {
    /// Hands out one part for each move that is allowed.
    fn divide<G: Game<Position = P>>(
        &self,
        game: &G,
        mut take: impl FnMut(&G::Move, Part<P>),
    ) -> Result<(), RulesError> {
        game.visit(&self.position, &mut |mv, child| {
            let mut history = self.history.clone();
            if let Some(history) = &mut history {
                let (signature, irreversible) = (game.signature(child), game.is_irreversible(child));
                if !irreversible && history.occurrences(signature) > 0 {
                    return ControlFlow::Continue(());
                }
                history.push(signature, irreversible);
            }
            let (first, depth) = (self.first, self.depth - 1);
            take(mv, Part { first, position: child.clone(), depth, history });
            ControlFlow::Continue(())
        })?;
        Ok(())
    }
}

struct Counter<'g, G: Game> {
    game: &'g G,
    /// The way here, where repetition is forbidden.
    history: Option<History>,
    /// Whether positions are made that need only be counted.
    makes: bool,
}

impl<'g, G: Game> Counter<'g, G> {
    fn new(game: &'g G, position: &G::Position) -> Self {
        let forbidden = game.description().repetition == Repetition::Forbidden;
        let history = forbidden.then(|| {
            let mut history = History::new();
            history.push(game.signature(position), true);
            history
        });
        Counter { game, history, makes: false }
    }

    fn count(&mut self, position: &G::Position, depth: u32) -> Result<u64, RulesError> {
        if depth == 0 {
            return Ok(1);
        }
        let counts = self.history.is_none() && !self.makes;
        if depth == 1 && counts {
            return self.game.count(position);
        }
        if counts && let Some(leaves) = self.game.leaves(position, depth)? {
            return Ok(leaves);
        }
        let game = self.game;
        let mut sum = 0;
        let mut failure = None;
        game.children(position, &mut |child| match self.enter(child, depth) {
            Ok(count) => {
                sum += count.unwrap_or(0);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        })?;
        failure.map_or(Ok(sum), Err)
    }

    /// Counts below a child; nothing if the move to it is forbidden.
    fn enter(&mut self, child: &G::Position, depth: u32) -> Result<Option<u64>, RulesError> {
        let Some(history) = &mut self.history else {
            return self.count(child, depth - 1).map(Some);
        };
        let (signature, irreversible) = (self.game.signature(child), self.game.is_irreversible(child));
        if !irreversible && history.occurrences(signature) > 0 {
            return Ok(None);
        }
        history.push(signature, irreversible);
        let count = self.count(child, depth - 1);
        if let Some(history) = &mut self.history {
            history.pop();
        }
        count.map(Some)
    }
}
