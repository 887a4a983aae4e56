//! Counting leaves on several threads: the tree is cut into parts near the root, and whoever has nothing to
//! do takes the next one. Threads have nothing else in common.

use std::sync::atomic::{AtomicUsize, Ordering};

use multigame_game::{Game, RulesError, parts};
use multigame_search::SearchError;

use crate::stage;

/// So many parts for each thread, so that the last ones end at about the same time.
const PARTS: usize = 64;

/// [`multigame_game::perft`] on several threads.
pub fn perft<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    threads: u32,
) -> Result<u64, SearchError> {
    if threads < 2 || depth < 2 {
        return multigame_game::perft(game, position, depth).map_err(of_rules);
    }
    Ok(divide(game, position, depth, threads)?.iter().map(|(_, count)| count).sum())
}

/// [`multigame_game::divide`] on several threads.
pub fn divide<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    threads: u32,
) -> Result<Vec<(G::Move, u64)>, SearchError> {
    if threads < 2 || depth < 2 {
        return multigame_game::divide(game, position, depth).map_err(of_rules);
    }
    let (moves, parts) = parts(game, position, depth, PARTS * threads as usize).map_err(of_rules)?;
    let next = AtomicUsize::new(0);
    let count = || {
        let mut counts = vec![0; moves.len()];
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            counts[part.first] += part.count(game)?;
        }
        Ok(counts)
    };
    let all = stage::scope(|scope| {
        let others = stage::spawn_all(scope, vec![count; threads as usize - 1].into_iter())?;
        let mut all = vec![count()];
        for other in others {
            all.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all.into_iter().collect::<Result<Vec<Vec<u64>>, RulesError>>().map_err(of_rules)
    })?;
    let mut sums = vec![0; moves.len()];
    for counts in all {
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    Ok(moves.into_iter().zip(sums).collect())
}

fn of_rules(error: RulesError) -> SearchError {
    SearchError::Rules(Box::new(error))
}
