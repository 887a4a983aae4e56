//! The numbers of a node of the Monte-Carlo tree, which threads count in without locks.
//!
//! A thread that goes through a node counts as a visitor until it brings back a result, and a visitor counts
//! as a loss for the player who chose the node (virtual loss), so that others look elsewhere meanwhile.
//!
//! # Memory ordering
//! The grounds of a proved result were written before it, by release, and are seen by whoever reads it, by
//! acquire. The other numbers are for themselves: relaxed is enough. `loom/tests/search.rs` tries every order
//! of events.

use crate::atomic::{AtomicU64, Ordering};

/// A visitor, beside the visits in the lower half of the word.
const VISITOR: u64 = 1 << 32;

/// The numbers; see the module.
#[derive(Debug)]
pub(crate) struct Tally {
    /// Visits, and above them visitors.
    counts: AtomicU64,
    /// Sum of results as White sees them: 1 for a win, 0 for a loss. The bits of an `f64`.
    total: AtomicU64,
    /// One more than twice the result with best play; 0 as long as it is not known.
    proved: AtomicU64,
}

impl Tally {
    pub fn new(proved: Option<f64>) -> Tally {
        let tally = Tally { counts: AtomicU64::new(0), total: AtomicU64::new(0), proved: AtomicU64::new(0) };
        if let Some(result) = proved {
            tally.prove(result);
        }
        tally
    }

    /// Visits that have brought a result, and visits that have not yet.
    pub fn counts(&self) -> (u32, u32) {
        let counts = self.counts.load(Ordering::Relaxed);
        (counts as u32, (counts / VISITOR) as u32)
    }

    /// Sum of results as White sees them.
    pub fn total(&self) -> f64 {
        f64::from_bits(self.total.load(Ordering::Relaxed))
    }

    /// The result with best play, where it is known.
    pub fn proved(&self) -> Option<f64> {
        match self.proved.load(Ordering::Acquire) {
            0 => None,
            proved => Some((proved - 1) as f64 / 2.0),
        }
    }

    /// The result with best play has become known: a win, a draw or a loss.
    pub fn prove(&self, result: f64) {
        self.proved.store((result * 2.0) as u64 + 1, Ordering::Release);
    }

    /// A visit begins.
    pub fn enter(&self) {
        self.counts.fetch_add(VISITOR, Ordering::Relaxed);
    }

    /// It brings a result.
    pub fn leave(&self, result: f64) {
        let add = |bits: u64| Some((f64::from_bits(bits) + result).to_bits());
        let _ = self.total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        self.counts.fetch_sub(VISITOR - 1, Ordering::Relaxed);
    }
}
