//! Leaves of game trees, counted by all ranks.
//!
//! Every rank divides the tree in the same way, so that a part is a number.

use std::sync::atomic::AtomicBool;

use anyhow::Context;
use multigame_game::{Portable, parts};
use multigame_threads::Tasks;

use super::conductor::Ranks;
use super::farm::{Farmhand, Task, work_off};

/// Parts for each rank, so that the last ones end at about the same time.
const PARTS: u32 = 512;
/// Parts that a rank has on their way, beside those in hand.
const AHEAD: u32 = 2;

impl Ranks {
    /// Numbers of sequences of `depth` moves, by first move, counted by this many threads of each rank.
    pub fn divide<G: Portable>(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        threads: u32,
    ) -> anyhow::Result<Vec<(G::Move, u64)>> {
        let least = PARTS * self.size();
        let mut bytes = Vec::new();
        game.pack_position(position, &mut bytes);
        let (moves, parts) = parts(game, position, depth, least as usize)?;
        let task = Task::Leaves { position: bytes, depth, parts: least };
        let farm = self.farm_small(task, threads, AHEAD);
        let mut counts = vec![0; moves.len()];
        let stop = AtomicBool::new(false);
        let work = |(): &mut (), number: usize| Ok(Some(parts[number].count(game)?));
        let tasks = Tasks { threads: threads as usize, stop: &stop, worker: &|| Ok(()), work: &work };
        work_off(&tasks, 0..parts.len(), Some(&farm), &mut |number, count: u64| {
            counts[parts[number].first] += count;
            Ok(())
        })?;
        Ok(moves.into_iter().zip(counts).collect())
    }
}

/// Counts the parts that another rank is given.
pub(super) fn count<G: Portable>(
    game: &G,
    position: &[u8],
    depth: u32,
    least: u32,
    hand: &Farmhand<'_>,
) -> anyhow::Result<()> {
    let position = game.unpack_position(&mut &position[..]).context("the position to count from")?;
    let (_, parts) = parts(game, &position, depth, least as usize)?;
    hand.work_off(&|| Ok(()), &|(): &mut (), number| {
        let part = parts.get(number).context("a part of another tree was asked for")?;
        Ok(Some(part.count(game)?))
    })
}
