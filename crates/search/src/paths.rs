//! The places in the tree where the threads of a proof-number search are, so that each can avoid the others.
//!
//! Each thread writes the signatures of its own path, by ply, and reads those of the others at nodes where
//! it meets them. They are hints: a path that changes while somebody reads it costs time, never truth. So
//! relaxed atomics are enough; `loom/tests/search.rs` tries every order of events.
//!
//! PERF: counts of threads by position in one common table, as in Kaneko's virtual proof numbers, are written
//! by everybody at every node, and the memory of each goes to and fro between the cores.

use crate::atomic::{AtomicU64, Ordering};

/// Plies that are told; below, work is too small to be shared.
const PLIES: usize = 64;

/// The paths; see the module.
#[derive(Debug)]
pub struct Paths {
    threads: Vec<Path>,
}

/// Paths of different threads lie in different cache lines.
#[derive(Debug)]
#[repr(align(128))]
struct Path(Vec<AtomicU64>);

impl Paths {
    /// Paths of this many threads.
    pub fn new(threads: usize) -> Paths {
        let path = || Path((0..PLIES + 16).map(|_| AtomicU64::new(0)).collect());
        Paths { threads: (0..threads).map(|_| path()).collect() }
    }

    /// A thread is at a node.
    pub(crate) fn enter(&self, thread: usize, ply: usize, signature: u64) {
        if ply < PLIES {
            self.threads[thread].0[ply].store(signature, Ordering::Relaxed);
        }
    }

    /// A thread has left its node, and goes back to the one above.
    pub(crate) fn leave(&self, thread: usize, ply: usize) {
        self.enter(thread, ply, 0);
    }

    /// The children at which the other threads are that are below the same node.
    pub(crate) fn beside(&self, thread: usize, ply: usize, signature: u64) -> impl Iterator<Item = u64> {
        let others = self.threads.iter().enumerate().filter(move |(other, _)| *other != thread);
        let others = others.filter(move |_| ply + 1 < PLIES);
        let at = |path: &Path, ply: usize| path.0[ply].load(Ordering::Relaxed);
        others.filter(move |(_, path)| at(path, ply) == signature).map(move |(_, path)| at(path, ply + 1))
    }
}
