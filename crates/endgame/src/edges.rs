//! From where each position is reached: the moves, turned round.
//!
//! Moves are found in the order of the positions that they lead from, and are needed in the order of those
//! that they lead to. They are written down by *blocks* of positions that they lead to, in four bytes each;
//! when all are known, each block is sorted by itself, which a processor's cache has room for.
//!
//! PERF: to write each move to its place at once, the number of moves to each position has to be known, and
//! so the rules have to run twice. Running them takes thirty times as long as sorting (KQKR: 4.8 s and 0.14
//! s).

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use multigame_threads::Tasks;

/// Positions of a block.
const BLOCK: usize = 1 << BLOCK_BITS;
const BLOCK_BITS: u32 = 18;
/// Positions whose moves are written down together.
pub(crate) const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = u32::BITS - BLOCK_BITS - 1;
/// Bytes for each move, while blocks are sorted.
pub(crate) const BYTES_PER_EDGE: u64 = 5;

/// The moves from some positions that follow each other to those of a block.
#[derive(Debug)]
struct Segment {
    /// The first of those positions.
    first: u32,
    /// The number of a move's target within its block, and above that of its origin behind `first`.
    moves: Vec<u32>,
}

/// Moves from a chunk of positions, as they are found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    blocks: Vec<Vec<u32>>,
    moves: u64,
}

impl Found {
    /// Adds a move from the position that many behind the chunk's first.
    #[inline]
    pub fn push(&mut self, offset: usize, child: u32) {
        debug_assert!(offset < CHUNK);
        let block = child as usize / BLOCK;
        if block >= self.blocks.len() {
            self.blocks.resize_with(block + 1, Vec::new);
        }
        self.blocks[block].push(((offset as u32) << BLOCK_BITS) | (child % BLOCK as u32));
        self.moves += 1;
    }

    /// What was found, in as little memory as it needs; this is empty again.
    pub fn take(&mut self) -> Found {
        let blocks = self.blocks.iter().map(|moves| moves.as_slice().to_vec()).collect();
        self.blocks.iter_mut().for_each(Vec::clear);
        Found { blocks, moves: std::mem::take(&mut self.moves) }
    }
}

/// All moves, not yet sorted.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    blocks: Vec<Vec<Segment>>,
    count: u64,
}

impl Moves {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Adds the moves from a chunk of positions.
    pub fn add(&mut self, first: usize, found: Found) {
        self.count += found.moves;
        if self.blocks.len() < found.blocks.len() {
            self.blocks.resize_with(found.blocks.len(), Vec::new);
        }
        for (block, moves) in self.blocks.iter_mut().zip(found.blocks) {
            if !moves.is_empty() {
                block.push(Segment { first: first as u32, moves });
            }
        }
    }

    /// Sorts the moves between that many positions; nothing if it was stopped.
    pub fn sorted(
        mut self,
        size: usize,
        threads: usize,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(u64, u64),
    ) -> anyhow::Result<Option<Edges>> {
        let count = size.div_ceil(BLOCK);
        self.blocks.resize_with(count, Vec::new);
        let open: Vec<Mutex<Vec<Segment>>> = self.blocks.into_iter().map(Mutex::new).collect();
        let mut blocks: Vec<Option<Block>> = (0..count).map(|_| None).collect();
        let tasks = Tasks {
            threads,
            stop,
            worker: &|| Ok(()),
            work: &|(): &mut (), number| {
                let mut block = open[number].lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                let positions = BLOCK.min(size - number * BLOCK);
                Ok(Some(Block::of(std::mem::take(&mut *block), positions)?))
            },
        };
        let mut done = 0;
        tasks.run(0..count, &mut |number, block| {
            done += BLOCK.min(size - number * BLOCK);
            blocks[number] = Some(block);
            tell(done as u64, size as u64);
            Ok(())
        })?;
        Ok(blocks.into_iter().collect::<Option<_>>().map(|blocks| Edges { blocks }))
    }
}

/// For each position those before it.
#[derive(Debug)]
pub(crate) struct Edges {
    blocks: Vec<Block>,
}

impl Edges {
    /// The positions from which a move leads to this one.
    #[inline]
    pub fn parents(&self, node: usize) -> &[u32] {
        let (block, place) = (&self.blocks[node / BLOCK], node % BLOCK);
        &block.parents[block.starts[place] as usize..block.starts[place + 1] as usize]
    }
}

#[derive(Debug)]
struct Block {
    /// For each position where its list begins, and one more.
    starts: Vec<u32>,
    parents: Vec<u32>,
}

impl Block {
    fn of(segments: Vec<Segment>, positions: usize) -> anyhow::Result<Block> {
        let mut starts = vec![0u32; positions + 1];
        for code in segments.iter().flat_map(|segment| &segment.moves) {
            starts[*code as usize % BLOCK + 1] += 1;
        }
        let mut sum = 0u32;
        for start in &mut starts {
            sum = sum.checked_add(*start).context("too many moves lead to a few positions")?;
            *start = sum;
        }
        let mut parents = Vec::new();
        parents.try_reserve_exact(sum as usize).context("no memory for the moves")?;
        parents.resize(sum as usize, 0);
        // Each start becomes the next one while its list fills, so the lists are moved back by one after it.
        for segment in segments {
            for code in segment.moves {
                let start = &mut starts[code as usize % BLOCK];
                parents[*start as usize] = segment.first + (code >> BLOCK_BITS);
                *start += 1;
            }
        }
        starts.rotate_right(1);
        starts[0] = 0;
        starts[positions] = sum;
        Ok(Block { starts, parents })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_turned_round() {
        let size = 2 * BLOCK + 77;
        let to = |node: usize| [(node * 7 + 3) % size, (node * 31) % size, 5];
        let (mut moves, mut found) = (Moves::default(), Found::default());
        let mut nodes: Vec<usize> = (0..size).filter(|node| node % 3 != 1).collect();
        nodes.dedup();
        for first in (0..size).step_by(CHUNK) {
            for &node in nodes.iter().filter(|node| (first..first + CHUNK).contains(*node)) {
                to(node).into_iter().for_each(|child| found.push(node - first, child as u32));
            }
            moves.add(first, found.take());
        }
        assert_eq!(moves.count(), 3 * nodes.len() as u64);
        let edges = moves.sorted(size, 2, &AtomicBool::new(false), &mut |_, _| {}).unwrap().unwrap();
        let mut count = 0;
        for child in 0..size {
            for &parent in edges.parents(child) {
                assert!(to(parent as usize).contains(&child) && parent % 3 != 1);
                count += 1;
            }
        }
        assert_eq!(count, 3 * nodes.len());
    }
}
