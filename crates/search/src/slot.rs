//! An entry of the transposition table as memory: two words that threads read and write without locks.
//!
//! # Protocol
//! The words are the data, and the signature xor the data. If two workers write the same entry at the same time, a reader may see one word of each; then the
//! xor of the two is the signature of neither (but for a chance of 2^-64), and the reader takes it for
//! another position. So a torn entry is lost, never believed.
//!
//! # Memory ordering
//! The data is written with release and read with acquire ordering, which costs nothing on x86-64: whoever
//! finds an entry sees all that its writer had seen or written before. So a thread may tell something about all
//! its entries by setting a flag before it writes them. Relaxed is enough for the other word, because only the
//! comparison of the two matters. `loom/tests/search.rs` tries every order of events.

use crate::atomic::{AtomicU64, Ordering};

/// An entry; see the module. Empty when new.
#[derive(Debug)]
pub(crate) struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Default for Slot {
    fn default() -> Self {
        Slot { check: AtomicU64::new(0), data: AtomicU64::new(0) }
    }
}

impl Slot {
    /// The data, and whether it is this signature's.
    #[inline]
    pub fn read(&self, signature: u64) -> (u64, bool) {
        let data = self.data.load(Ordering::Acquire);
        (data, self.check.load(Ordering::Relaxed) ^ data == signature)
    }

    /// The data, whoever's it is.
    pub fn data(&self) -> u64 {
        self.data.load(Ordering::Relaxed)
    }

    #[inline]
    pub fn write(&self, signature: u64, data: u64) {
        self.data.store(data, Ordering::Release);
        self.check.store(signature ^ data, Ordering::Relaxed);
    }

    /// Both words as they are.
    pub fn words(&self) -> [u64; 2] {
        [self.check.load(Ordering::Relaxed), self.data.load(Ordering::Relaxed)]
    }

    pub fn set_words(&self, [check, data]: [u64; 2]) {
        self.check.store(check, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}
