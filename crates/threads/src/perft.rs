//! Counting leaves on several threads: the tree is cut into parts near the root, and whoever has nothing to do takes the
//! next one. Threads have nothing else in common.

use std::sync::atomic::{AtomicUsize, Ordering};

use multigame_game::{Game, RulesError, parts};

/// So many parts for each thread, so that the last ones end at about the same time.
const PARTS: usize = 64;

/// [`multigame_game::perft`] on several threads.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32, threads: u32) -> Result<u64, RulesError> {
    if threads < 2 || depth < 2 {
        return multigame_game::perft(game, position, depth);
    }
    Ok(divide(game, position, depth, threads)?.iter().map(|(_, count)| count).sum())
}

/// [`multigame_game::divide`] on several threads.
pub fn divide<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    threads: u32,
) -> Result<Vec<(G::Move, u64)>, RulesError> {
    if threads < 2 || depth < 2 {
        return multigame_game::divide(game, position, depth);
    }
    let (moves, parts) = parts(game, position, depth, PARTS * threads as usize)?;
    let next = AtomicUsize::new(0);
    let count = || {
        let mut counts = vec![0; moves.len()];
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            counts[part.first] += part.count(game)?;
        }
        Ok(counts)
    };
    let all: Result<Vec<Vec<u64>>, RulesError> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| crate::spawn(scope, count)).collect();
        let mut all = vec![count()];
        for other in others {
            all.push(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all.into_iter().collect()
    });
    let mut sums = vec![0; moves.len()];
    for counts in all? {
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    Ok(moves.into_iter().zip(sums).collect())
}
