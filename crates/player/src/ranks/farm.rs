//! Work that is farmed out: leaves of game trees, part by part.
//!
//! Every rank divides the tree in the same way, so that a part is a number. A rank asks for the next part
//! before it has finished the one in hand, so that it does not wait for rank 0, which counts as well.

use std::collections::VecDeque;

use anyhow::{Context, bail};
use multigame_cluster::{Cluster, Rank};
use multigame_game::{Portable, parts};

use super::conductor::Ranks;
use super::member::answer;
use super::orders::{Order, Reply, read, write};

/// Parts for each rank, so that the last ones end at about the same time.
const PARTS: u32 = 512;
/// Parts that a rank has in hand or on their way.
const AHEAD: usize = 3;

impl Ranks {
    /// Numbers of sequences of `depth` moves, by first move, counted by all ranks.
    pub fn divide<G: Portable>(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
    ) -> anyhow::Result<Vec<(G::Move, u64)>> {
        let cluster = self.cluster();
        let least = PARTS * self.size();
        let mut bytes = Vec::new();
        game.pack_position(position, &mut bytes);
        let order = write(&Order::Count { position: bytes, depth, parts: least });
        cluster.others().for_each(|rank| cluster.send_order(rank, order.clone()));
        let (moves, parts) = parts(game, position, depth, least as usize)?;
        let mut counts = vec![0; moves.len()];
        let mut give =
            Giver { next: 0, parts: parts.len() as u32, counting: vec![AHEAD; self.size() as usize] };
        give.counting[0] = 0;
        loop {
            while let Some((rank, bytes)) = cluster.try_order() {
                give.hear(cluster, rank, &bytes, &mut counts)?;
            }
            match give.take() {
                Some(part) => {
                    let part = &parts[part as usize];
                    counts[part.first] += part.count(game)?;
                }
                None if give.counting.iter().all(|&open| open == 0) => break,
                None => {
                    let (rank, bytes) = cluster.order()?;
                    give.hear(cluster, rank, &bytes, &mut counts)?;
                }
            }
        }
        Ok(moves.into_iter().zip(counts).collect())
    }
}

/// Gives parts away.
struct Giver {
    next: u32,
    parts: u32,
    /// For each rank how many parts it may still ask for or report.
    counting: Vec<usize>,
}

impl Giver {
    fn take(&mut self) -> Option<u32> {
        let part = self.next;
        (part < self.parts).then(|| {
            self.next += 1;
            part
        })
    }

    fn hear(
        &mut self,
        cluster: &Cluster,
        rank: Rank,
        bytes: &[u8],
        counts: &mut [u64],
    ) -> anyhow::Result<()> {
        match read(bytes)? {
            Reply::Part(counted) => {
                if let Some((first, count)) = counted {
                    *counts.get_mut(first as usize).context("a part of another tree was counted")? += count;
                }
                let part = self.take();
                let open = &mut self.counting[rank as usize];
                if part.is_none() {
                    *open = open.checked_sub(1).context("more parts were counted than were given")?;
                }
                cluster.send_order(rank, write(&Order::Part(part)));
                Ok(())
            }
            Reply::Refused(reason) => bail!("{} cannot count: {reason}", cluster.name_of(rank)),
            reply => bail!("{} answered {reply:?} while it counts", cluster.name_of(rank)),
        }
    }
}

/// Counts parts for rank 0 until there are none left.
pub(super) fn count_parts<G: Portable>(
    cluster: &Cluster,
    game: &G,
    position: &[u8],
    depth: u32,
    least: u32,
) -> anyhow::Result<()> {
    let position = game.unpack_position(&mut &position[..]).context("the position to count from")?;
    let (_, parts) = match parts(game, &position, depth, least as usize) {
        Ok(parts) => parts,
        Err(error) => {
            answer(cluster, 0, &Reply::Refused(error.to_string()));
            return Ok(());
        }
    };
    (0..AHEAD).for_each(|_| answer(cluster, 0, &Reply::Part(None)));
    let (mut open, mut queue) = (AHEAD, VecDeque::new());
    while open > 0 {
        let heard = if queue.is_empty() { Some(cluster.order()?) } else { cluster.try_order() };
        if let Some((_, bytes)) = heard {
            match read(&bytes)? {
                Order::Part(Some(part)) => queue.push_back(part),
                Order::Part(None) => open -= 1,
                order => bail!("rank 0 asked for {order:?} while this rank counts"),
            }
            continue;
        }
        if let Some(part) = queue.pop_front() {
            let part = parts.get(part as usize).context("a part of another tree was asked for")?;
            let reply = match part.count(game) {
                Ok(count) => Reply::Part(Some((part.first as u32, count))),
                Err(error) => Reply::Refused(error.to_string()),
            };
            answer(cluster, 0, &reply);
        }
    }
    Ok(())
}
