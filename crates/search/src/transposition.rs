//! The transposition table: what is already known about positions, shared by all workers without locks.
//!
//! Entries are [slots](crate::slot): two words each, for which nobody has to wait.
//!
//! # What a position is
//! Entries are found by [`multigame_game::Game::signature`]. It has to tell apart all that decides how a game
//! goes on: a finished position must not have the signature of one that is not.
//!
//! PERF: in a table much larger than the caches, most of the time of a fast game's search is the first read
//! of `probe`. Large pages help everybody. A prefetch right after the move was made came too late to be
//! measurable in Alpha-Beta; searches that expand a position before they look it up ask for it before.

use std::sync::atomic::{AtomicU64, Ordering};

use multigame_game::Signature;
use serde::{Deserialize, Serialize};

use crate::memory::{prefer_huge_pages, prefetch};
use crate::slot::Slot;
use crate::{Bound, Bounds, Value, Window};

/// The layout of entries in a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Layout {
    /// Sets of two entries, as in the Multigame thesis.
    TwoWay,
    /// Sets of four entries that fill one cache line.
    #[default]
    Cluster,
}

/// The memory is too small for the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a transposition table of {mib} MiB; choose a smaller one with `tt-size`")]
pub struct TableError {
    /// The size asked for.
    pub mib: usize,
}

/// Facts about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// A bound, counted from the position.
    pub value: Value,
    /// The kind of bound.
    pub bound: Bound,
    /// The depth it was searched to.
    pub depth: u32,
    /// Whether the search met only finished games, so that the bound holds for every depth from `depth` on.
    pub complete: bool,
    /// Mark of the best move, see [`move_mark`]; 0 if none is known.
    pub mark: u32,
}

impl Entry {
    /// The bound, counted from the root `ply` plies above.
    pub fn bounds(&self, ply: usize) -> Bounds {
        Bounds::of(self.bound, self.value).from_node(ply)
    }

    /// Whether the entry answers for a depth. With `exact` only the same depth will do, or one from which
    /// nothing changes any more: then values do not depend on what else is in the table.
    pub fn answers(&self, depth: u32, exact: bool) -> bool {
        self.depth == depth || (self.depth > depth && !exact) || (self.depth < depth && self.complete)
    }

    /// The entry for bounds found with a window; values are counted from the root, entries from the node.
    pub fn new(bounds: Bounds, window: Window, ply: usize, depth: u32, complete: bool, mark: u32) -> Entry {
        let (bound, value) = if bounds.is_exact() {
            (Bound::Exact, bounds.lower)
        } else if bounds.upper <= window.alpha {
            (Bound::Upper, bounds.upper)
        } else {
            bounds.strongest()
        };
        Entry { value: value.to_node(ply), bound, depth, complete, mark }
    }
}

/// 24 bits by which entries remember a move; never 0.
pub fn move_mark(key: u64) -> u32 {
    ((key.wrapping_mul(MIXER) >> 40) as u32).max(1)
}

const MIXER: u64 = 0x9e37_79b9_7f4a_7c15;
const AGES: u64 = 32;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Cluster([Slot; 4]);

/// The table. All methods take it shared.
#[derive(Debug)]
pub struct TranspositionTable {
    clusters: Vec<Cluster>,
    layout: Layout,
    /// Searches begun since the table was empty.
    searches: AtomicU64,
}

impl TranspositionTable {
    /// A table of that many MiB, at least 1.
    pub fn new(mib: usize, layout: Layout) -> Result<TranspositionTable, TableError> {
        let count = mib.max(1).checked_mul((1 << 20) / size_of::<Cluster>()).ok_or(TableError { mib })?;
        Self::with_clusters(count, layout).ok_or(TableError { mib })
    }

    /// A table of at least that many entries: for experiments with thousands of small tables.
    pub fn with_entries(entries: usize, layout: Layout) -> Result<TranspositionTable, TableError> {
        let mib = entries / ((1 << 20) / size_of::<Slot>());
        Self::with_clusters(entries.div_ceil(4).max(1), layout).ok_or(TableError { mib })
    }

    fn with_clusters(count: usize, layout: Layout) -> Option<TranspositionTable> {
        let mut clusters = Vec::new();
        clusters.try_reserve_exact(count).ok()?;
        prefer_huge_pages(clusters.spare_capacity_mut());
        clusters.resize_with(count, Cluster::default);
        Some(TranspositionTable { clusters, layout, searches: AtomicU64::new(0) })
    }

    /// Number of entries there is room for.
    pub fn capacity(&self) -> usize {
        self.clusters.len() * 4
    }

    /// The two words of an entry, for keeping a table; `index` is below [`capacity`](Self::capacity).
    pub fn words(&self, index: usize) -> [u64; 2] {
        self.clusters[index / 4].0[index % 4].words()
    }

    /// Puts back what [`words`](Self::words) gave, into a table of the same size and layout.
    pub fn set_words(&self, index: usize, words: [u64; 2]) {
        self.clusters[index / 4].0[index % 4].set_words(words);
    }

    /// Begins a new search: entries so far become the first to be replaced.
    pub fn new_search(&self) {
        self.searches.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of the present search: how often a new one has [begun](Self::new_search) since the table
    /// was empty.
    pub fn search_number(&self) -> u64 {
        self.searches.load(Ordering::Relaxed)
    }

    fn age(&self) -> u8 {
        (self.search_number() % AGES) as u8
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.clusters.iter().flat_map(|cluster| &cluster.0) {
            slot.set_words([0, 0]);
        }
        self.searches.store(0, Ordering::Relaxed);
    }

    /// Hash full: the share of the table that the present search has filled, in thousandths, from a sample.
    pub fn fullness(&self) -> u32 {
        let age = self.age();
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let slots = sample.iter().flat_map(|cluster| &cluster.0);
        let used =
            slots.map(Slot::data).filter(|&data| bound_of(data).is_some() && age_of(data) == age).count();
        (used * 1000 / (sample.len() * 4)) as u32
    }

    /// Says that a position will be looked up soon.
    #[inline]
    pub(crate) fn expect(&self, signature: Signature) {
        prefetch(&self.set(signature)[0]);
    }

    /// Looks a position up.
    #[inline]
    pub fn probe(&self, signature: Signature) -> Option<Entry> {
        for slot in self.set(signature) {
            let (data, own) = slot.read(signature);
            if own && let Some(bound) = bound_of(data) {
                return Some(unpack(data, bound));
            }
        }
        None
    }

    /// Writes what is known about a position over the least valuable entry of its set: one of the same
    /// position, an empty one, one of an earlier search, the shallowest. A deeper entry of the same position
    /// and search stays.
    #[inline]
    pub fn store(&self, signature: Signature, mut entry: Entry) {
        let age = self.age();
        let set = self.set(signature);
        let (mut victim, mut least) = (&set[0], u32::MAX);
        for slot in set {
            let (data, own) = slot.read(signature);
            let Some(bound) = bound_of(data) else {
                (victim, least) = (slot, 0);
                continue;
            };
            if own {
                let old = unpack(data, bound);
                let sharper = old.bound == Bound::Exact && entry.bound != Bound::Exact;
                if age_of(data) == age && (old.depth > entry.depth || (old.depth == entry.depth && sharper)) {
                    return;
                }
                if entry.mark == 0 {
                    entry.mark = old.mark;
                }
                victim = slot;
                break;
            }
            let worth = 1 + u32::from(age_of(data) == age) * 1000 + depth_of(data);
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        victim.write(signature, pack(entry, age));
    }

    #[inline]
    fn set(&self, signature: Signature) -> &[Slot] {
        // Hand-written games may have signatures whose high bits say little.
        let mixed = u128::from(signature.wrapping_mul(MIXER));
        match self.layout {
            Layout::Cluster => {
                let index = (mixed * self.clusters.len() as u128) >> 64;
                &self.clusters[index as usize].0
            }
            Layout::TwoWay => {
                let index = ((mixed * (2 * self.clusters.len() as u128)) >> 64) as usize;
                let half = index % 2 * 2;
                &self.clusters[index / 2].0[half..half + 2]
            }
        }
    }
}

// The data word from the top: mark 24, value 24, depth 8, bound 2, complete 1, age 5.

fn pack(entry: Entry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.mark) << 40
        | (entry.value.number() as u64 & 0xff_ffff) << 16
        | u64::from(entry.depth.min(255)) << 8
        | bound << 6
        | u64::from(entry.complete) << 5
        | u64::from(age)
}

fn unpack(data: u64, bound: Bound) -> Entry {
    Entry {
        value: Value::from_number(((data << 24) as i64 >> 40) as i32),
        bound,
        depth: depth_of(data),
        complete: data >> 5 & 1 != 0,
        mark: (data >> 40) as u32,
    }
}

/// Nothing for an empty entry.
fn bound_of(data: u64) -> Option<Bound> {
    match data >> 6 & 3 {
        1 => Some(Bound::Lower),
        2 => Some(Bound::Upper),
        3 => Some(Bound::Exact),
        _ => None,
    }
}

fn depth_of(data: u64) -> u32 {
    (data >> 8) as u32 & 0xff
}

fn age_of(data: u64) -> u8 {
    data as u8 % AGES as u8
}

#[cfg(test)]
mod tests {
    use multigame_game::Random;

    use super::*;

    fn entry(depth: u32, value: i32) -> Entry {
        Entry { value: Value::new(value), bound: Bound::Exact, depth, complete: false, mark: 7 }
    }

    #[test]
    fn an_entry_is_one_half_of_a_quarter_line() {
        assert_eq!((size_of::<Cluster>(), align_of::<Cluster>()), (64, 64));
    }

    #[test]
    fn gives_back_what_was_stored() {
        let mut random = Random::new(1);
        for layout in [Layout::TwoWay, Layout::Cluster] {
            let table = TranspositionTable::new(1, layout).unwrap();
            for bound in [Bound::Lower, Bound::Upper, Bound::Exact] {
                for number in [-8_300_000, -8_000_000, -1, 0, 1, 99, 7_999_999, 8_300_000] {
                    let signature = random.next_u64();
                    let value = Value::from_number(number);
                    let entry = Entry { value, bound, depth: 200, complete: number == 99, mark: 0xab_cdef };
                    table.store(signature, entry);
                    assert_eq!(table.probe(signature), Some(entry));
                    assert_eq!(table.probe(signature ^ 1), None);
                }
            }
            assert!(table.fullness() < 10);
            table.clear();
            assert_eq!(table.fullness(), 0);
        }
    }

    #[test]
    fn replaces_aged_entries_first_and_then_the_shallowest() {
        let mut table = TranspositionTable::new(1, Layout::TwoWay).unwrap();
        table.clusters.truncate(1);
        // With one cluster the two sets are told apart by the top bit of the mixed signature.
        let same_set: Vec<u64> = (1..200u64).filter(|s| s.wrapping_mul(MIXER) >> 63 == 0).collect();
        let [a, b, c, d] = same_set[..4] else { panic!() };
        table.store(a, entry(9, 1));
        table.store(b, entry(3, 2));
        table.store(c, entry(1, 3));
        assert!(table.probe(a).is_some() && table.probe(b).is_none() && table.probe(c).is_some());
        table.new_search();
        table.store(c, entry(1, 4));
        table.store(d, entry(1, 5));
        assert!(table.probe(a).is_none(), "the deep entry of the last search goes first");
        assert_eq!(table.probe(c).unwrap().value, Value::new(4));
        table.store(d, entry(0, 6));
        assert_eq!(table.probe(d).unwrap().value, Value::new(5), "a deeper entry stays");
    }

    #[test]
    fn a_table_that_does_not_fit_is_an_error() {
        for mib in [usize::MAX, 1 << 42] {
            let error = TranspositionTable::new(mib, Layout::Cluster).unwrap_err();
            assert!(error.to_string().contains("tt-size"));
        }
    }

    #[test]
    fn threads_never_read_torn_entries() {
        let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
        // Few signatures in few sets, so that threads collide; the value tells which signature it belongs to.
        let signatures: Vec<u64> = (0..64).map(|i: u64| i << 58 | 0x1234).collect();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (table, signatures) = (&table, &signatures);
                scope.spawn(move || {
                    let mut random = Random::new(thread);
                    for _ in 0..100_000 {
                        let number = random.below(signatures.len());
                        if let Some(found) = table.probe(signatures[number]) {
                            assert_eq!(found.value.number() as usize % 64, number);
                            assert_eq!(found.mark, found.value.number() as u32 + found.depth);
                        }
                        let value = (random.below(1000) * 64 + number) as i32;
                        let depth = random.below(256) as u32;
                        let mark = value as u32 + depth;
                        table.store(signatures[number], Entry { mark, ..entry(depth, value) });
                    }
                });
            }
        });
    }
}
