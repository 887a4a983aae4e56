//! The table of df-pn: proof and disproof numbers of positions.

use multigame_game::{Random, Signature};

use crate::proof::Numbers;

/// The answer relies on no position of the path.
pub(crate) const NOTHING: u32 = u32::MAX;

/// Facts about a node on a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub numbers: Numbers,
    /// The ply nearest to the root that a failure relies on.
    pub relies_on: u32,
}

impl Known {
    pub fn anywhere(numbers: Numbers) -> Known {
        Known { numbers, relies_on: NOTHING }
    }
}

/// The key of what is known about a position on one path only.
pub(crate) fn twin(signature: Signature, way: u64) -> u64 {
    Random::new(signature ^ way.rotate_left(21)).next_u64()
}

/// Numbers by key in sets of four; the entry with the least work behind it is replaced. The table starts
/// small and grows to its limit.
#[derive(Debug)]
pub struct Proofs {
    entries: Vec<Option<Entry>>,
    used: usize,
    /// Most sets, a power of two as their number always is.
    limit: usize,
    /// Whether a game ended with a score, which is less than a win.
    pub(crate) saw_score: bool,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    known: Known,
    work: u32,
}

const WAYS: usize = 4;

impl Proofs {
    /// Room for this many positions.
    pub fn new(entries: usize) -> Proofs {
        let limit = (entries / WAYS).clamp(16, 1 << 26).next_power_of_two();
        Proofs { entries: vec![None; limit.min(256) * WAYS], used: 0, limit, saw_score: false }
    }

    /// Number of words that [`Proofs::words`] gives.
    pub fn len_words(&self) -> usize {
        1 + 3 * self.used
    }

    /// Everything in words, for a file.
    pub fn words(&self) -> impl Iterator<Item = u64> {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let entries = self.entries.iter().flatten().flat_map(move |entry| {
            let Known { numbers, relies_on } = entry.known;
            [entry.key, pair(numbers.proof, numbers.disproof), pair(relies_on, entry.work)]
        });
        std::iter::once(u64::from(self.saw_score)).chain(entries)
    }

    /// Adds what [`Proofs::words`] gave.
    pub fn extend_from_words(&mut self, words: &[u64]) {
        let [saw_score, entries @ ..] = words else { return };
        self.saw_score |= *saw_score != 0;
        for entry in entries.chunks_exact(3) {
            let (numbers, rest) = (entry[1], entry[2]);
            let numbers = Numbers { proof: numbers as u32, disproof: (numbers >> 32) as u32 };
            self.store(entry[0], Known { numbers, relies_on: rest as u32 }, (rest >> 32) as u32);
        }
    }

    fn grow(&mut self) {
        let larger = vec![None; self.entries.len() * 2];
        let entries = std::mem::replace(&mut self.entries, larger);
        self.used = 0;
        for entry in entries.into_iter().flatten() {
            self.store(entry.key, entry.known, entry.work);
        }
    }

    fn set(&self, key: u64) -> std::ops::Range<usize> {
        let sets = self.entries.len() / WAYS;
        let set = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (sets - 1);
        set * WAYS..(set + 1) * WAYS
    }

    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let mut entries = self.entries[self.set(key)].iter().flatten();
        entries.find(|entry| entry.key == key).map(|entry| entry.known)
    }

    /// Facts about a position on a path.
    pub(crate) fn probe(&self, signature: Signature, way: u64) -> Option<Known> {
        let known = self.get(signature);
        if known.is_some_and(|known| known.numbers.is_solved()) {
            return known;
        }
        self.get(twin(signature, way)).or(known)
    }

    pub(crate) fn store(&mut self, key: u64, known: Known, work: u32) {
        if self.used * 2 > self.entries.len() && self.entries.len() < self.limit * WAYS {
            self.grow();
        }
        let range = self.set(key);
        let set = &mut self.entries[range];
        let same = set.iter().position(|entry| entry.is_some_and(|entry| entry.key == key));
        let place = same.unwrap_or_else(|| {
            let cost = |index: &usize| set[*index].map_or(0, |entry| 1 + u64::from(entry.work));
            (0..WAYS).min_by_key(cost).expect("a set has entries")
        });
        self.used += usize::from(set[place].is_none());
        let before = set[place].filter(|entry| entry.key == key).map_or(0, |entry| entry.work);
        set[place] = Some(Entry { key, known, work: work.saturating_add(before) });
    }
}
