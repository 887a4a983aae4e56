//! Leaves of game trees, counted by all ranks.
//!
//! Every rank divides the tree in the same way, so that a share of it is a number. A share is some parts one
//! after the other, because trees cannot be divided into just as many parts as one likes.

use std::sync::atomic::AtomicBool;

use anyhow::Context;
use multigame_game::{Part, Portable, parts};
use multigame_threads::Tasks;

use super::conductor::Ranks;
use super::farm::{Farmhand, Task, work_off};

/// Shares for each rank, so that the last ones end at about the same time.
const SHARES: u32 = 512;
/// Shares that a rank has on their way, beside those in hand.
const AHEAD: u32 = 4;

impl Ranks {
    /// Numbers of sequences of `depth` moves, by first move, counted by this many threads of each rank.
    pub fn divide<G: Portable>(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        threads: u32,
    ) -> anyhow::Result<Vec<(G::Move, u64)>> {
        let least = SHARES * self.size();
        let mut bytes = Vec::new();
        game.pack_position(position, &mut bytes);
        let (moves, parts) = parts(game, position, depth, least as usize)?;
        let task = Task::Leaves { position: bytes, depth, parts: least };
        let farm = self.farm_small(task, threads, AHEAD);
        let mut counts = vec![0; moves.len()];
        let stop = AtomicBool::new(false);
        let shares = shares(&parts, least);
        let work = |(): &mut (), number: usize| Ok(Some(count_share(game, shares[number])?));
        let tasks = Tasks { threads: threads as usize, stop: &stop, worker: &|| Ok(()), work: &work };
        work_off(&tasks, 0..shares.len(), Some(&farm), &mut |number, counted: Vec<u64>| {
            anyhow::ensure!(counted.len() == shares[number].len(), "a share was not counted as a whole");
            shares[number].iter().zip(counted).for_each(|(part, count)| counts[part.first] += count);
            Ok(())
        })?;
        Ok(moves.into_iter().zip(counts).collect())
    }
}

/// Divides parts into about this many shares, or less.
fn shares<P>(parts: &[Part<P>], most: u32) -> Vec<&[Part<P>]> {
    parts.chunks(parts.len().div_ceil(most as usize).max(1)).collect()
}

fn count_share<G: Portable>(game: &G, share: &[Part<G::Position>]) -> anyhow::Result<Vec<u64>> {
    share.iter().map(|part| anyhow::Ok(part.count(game)?)).collect()
}

/// Counts the shares that another rank is given.
pub(super) fn count<G: Portable>(
    game: &G,
    position: &[u8],
    depth: u32,
    least: u32,
    hand: &Farmhand<'_>,
) -> anyhow::Result<()> {
    let position = game.unpack_position(&mut &position[..]).context("the position to count from")?;
    let (_, parts) = parts(game, &position, depth, least as usize)?;
    let shares = shares(&parts, least);
    hand.work_off(&|| Ok(()), &|(): &mut (), number| {
        let share = shares.get(number).context("a share of another tree was asked for")?;
        Ok(Some(count_share(game, share)?))
    })
}
