//! The moves that are being searched just now, for searches of one tree by several threads (ABDADA, in the
//! form that needs no room in the transposition table).
//!
//! It is a table of hints. A key that another one has overwritten is forgotten, and then two threads do the
//! same work: that costs time, never truth. So relaxed atomics are enough; `loom/tests/search.rs` tries every
//! order of events.

use crate::atomic::{AtomicU64, Ordering};

const SIZE: usize = 1 << 15;

/// The moves being searched; see the module.
#[derive(Debug)]
pub struct BusyMoves {
    keys: Vec<AtomicU64>,
}

impl Default for BusyMoves {
    fn default() -> Self {
        BusyMoves::with_room(SIZE)
    }
}

impl BusyMoves {
    /// Room for this many keys.
    pub(crate) fn with_room(size: usize) -> BusyMoves {
        BusyMoves { keys: (0..size).map(|_| AtomicU64::new(0)).collect() }
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        let mixed = u128::from(key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        &self.keys[((mixed * self.keys.len() as u128) >> 64) as usize]
    }

    /// Whether somebody is at it.
    pub fn contains(&self, key: u64) -> bool {
        self.slot(key).load(Ordering::Relaxed) == key
    }

    /// Somebody begins.
    pub fn enter(&self, key: u64) {
        self.slot(key).store(key, Ordering::Relaxed);
    }

    /// Somebody is done.
    pub fn leave(&self, key: u64) {
        let _ = self.slot(key).compare_exchange(key, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}
