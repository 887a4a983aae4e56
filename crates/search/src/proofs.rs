//! The table of df-pn: proof and disproof numbers of positions.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use multigame_game::{Random, Signature};

use crate::proof::Numbers;
use crate::slot::Slot;

/// The answer relies on no position of the path.
pub(crate) const NOTHING: u32 = u32::MAX;

/// Facts about a node on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Numbers by key in sets of four; the entry with the least work behind it is replaced. All methods take it
/// shared: entries are `Slot`s, for which nobody has to wait.
///
/// # Memory
/// The table consists of parts, and a part takes memory only once something is written into it, so that small
/// searches need little of a large table.
///
/// # What threads may do to each other
/// Two threads that store at the same time can lose one of two entries, or write one of them twice. That
/// costs work, never truth: each entry is a fact. An entry that is solved is not replaced by older numbers
/// of the same position.
#[derive(Debug)]
pub struct Proofs {
    parts: Vec<OnceLock<Box<[Slot]>>>,
    /// Slots of a part.
    size: usize,
    /// Whether a game ended with a score, which is less than a win. It is set before any entry that rests on
    /// it is written, and the slots see to it that readers of the entry see it.
    saw_score: AtomicBool,
}

const WAYS: usize = 4;
/// Most parts; their list should stay in the caches.
const PARTS: usize = 4096;
/// Fewest sets of a part.
const LEAST: usize = 64;

impl Proofs {
    /// Room for this many positions.
    pub fn new(entries: usize) -> Proofs {
        let sets = (entries / WAYS).clamp(16, 1 << 26).next_power_of_two();
        let parts = (sets / LEAST).clamp(1, PARTS);
        let parts: Vec<_> = std::iter::repeat_with(OnceLock::new).take(parts).collect();
        Proofs { size: sets / parts.len() * WAYS, parts, saw_score: AtomicBool::new(false) }
    }

    /// Everything in words, for a file, and how many they are. Others may write meanwhile.
    pub fn words(&self) -> (usize, impl Iterator<Item = u64>) {
        let entries = || {
            let slots = self.parts.iter().filter_map(OnceLock::get).flatten().map(Slot::words);
            slots.map(|[check, data]| [check ^ data, data]).filter(|&[_, data]| data != 0)
        };
        let count = 1 + 2 * entries().count();
        let words = std::iter::once(u64::from(self.saw_score())).chain(entries().flatten());
        // An entry of zeros says nothing.
        (count, words.chain(std::iter::repeat(0)).take(count))
    }

    /// Adds what [`Proofs::words`] gave.
    pub fn extend_from_words(&self, words: &[u64]) {
        let [saw_score, entries @ ..] = words else { return };
        if *saw_score != 0 {
            self.see_score();
        }
        for entry in entries.chunks_exact(2) {
            if let Some((known, work)) = unpack(entry[1]) {
                self.store(entry[0], known, work);
            }
        }
    }

    pub(crate) fn see_score(&self) {
        // A line that everybody writes is in nobody's cache.
        if !self.saw_score() {
            self.saw_score.store(true, Ordering::Relaxed);
        }
    }

    pub(crate) fn saw_score(&self) -> bool {
        self.saw_score.load(Ordering::Relaxed)
    }

    /// The part of a key, and where its set begins there.
    fn place(&self, key: u64) -> (&OnceLock<Box<[Slot]>>, usize) {
        let sets = self.size / WAYS;
        let set = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (sets * self.parts.len() - 1);
        (&self.parts[set / sets], set % sets * WAYS)
    }

    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let (part, first) = self.place(key);
        let mut slots = part.get()?[first..first + WAYS].iter();
        slots.find_map(|slot| {
            let (data, own) = slot.read(key);
            unpack(data).filter(|_| own).map(|(known, _)| known)
        })
    }

    /// Facts about a position on a path.
    pub(crate) fn probe(&self, signature: Signature, way: u64) -> Option<Known> {
        let known = self.get(signature);
        if known.is_some_and(|known| known.numbers.is_solved()) {
            return known;
        }
        self.get(twin(signature, way)).or(known)
    }

    pub(crate) fn store(&self, key: u64, known: Known, work: u32) {
        let (part, first) = self.place(key);
        let part = part.get_or_init(|| std::iter::repeat_with(Slot::default).take(self.size).collect());
        let (mut victim, mut least, mut before) = (first, u64::MAX, 0);
        for (place, slot) in part.iter().enumerate().skip(first).take(WAYS) {
            let (data, own) = slot.read(key);
            let old = unpack(data);
            if let Some((old, work)) = old.filter(|_| own) {
                if old.numbers.is_solved() && !known.numbers.is_solved() {
                    return;
                }
                (victim, before) = (place, work);
                break;
            }
            let cost = old.map_or(0, |(_, work)| 1 + u64::from(work));
            if cost < least {
                (victim, least) = (place, cost);
            }
        }
        part[victim].write(key, pack(known, work.saturating_add(before)));
    }
}

// The data word from the top: kind 2, then for open positions the numbers 25 each and for failures 12 bits of
// what they rely on, and at the bottom the work 12. No entry is 0.

const OPEN: u64 = 1;
const SUCCESS: u64 = 2;
const FAILURE: u64 = 3;
const NUMBER: u32 = (1 << 25) - 1;
const WORK_BITS: u32 = 12;
/// Stands in an entry for relying on nothing.
const FREE: u64 = 0xfff;

fn pack(known: Known, work: u32) -> u64 {
    let Known { numbers, relies_on } = known;
    let rest = match numbers {
        Numbers { proof: 0, .. } => SUCCESS << 62,
        Numbers { disproof: 0, .. } => FAILURE << 62 | u64::from(relies_on).min(FREE) << WORK_BITS,
        Numbers { proof, disproof } => {
            let number = |number: u32| u64::from(number.min(NUMBER));
            OPEN << 62 | number(proof) << 37 | number(disproof) << WORK_BITS
        }
    };
    rest | pack_work(work)
}

/// Nothing for an empty entry.
fn unpack(data: u64) -> Option<(Known, u32)> {
    let known = match data >> 62 {
        OPEN => {
            let number = |number: u64| number as u32 & NUMBER;
            Known::anywhere(Numbers { proof: number(data >> 37), disproof: number(data >> WORK_BITS) })
        }
        SUCCESS => Known::anywhere(Numbers::SUCCESS),
        FAILURE => {
            let relies_on = data >> WORK_BITS & FREE;
            let relies_on = if relies_on == FREE { NOTHING } else { relies_on as u32 };
            Known { numbers: Numbers::FAILURE, relies_on }
        }
        _ => return None,
    };
    Some((known, unpack_work(data & FREE)))
}

/// Seven digits, the first of which is always 1, and how many follow them.
fn pack_work(work: u32) -> u64 {
    let shift = u64::from(work.max(64).ilog2() - 6);
    if work < 64 { u64::from(work) } else { 64 * shift + u64::from(work >> shift) }
}

fn unpack_work(packed: u64) -> u32 {
    if packed < 64 {
        return packed as u32;
    }
    let shift = (packed / 64 - 1).min(25);
    ((64 + packed % 64) << shift) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::INFINITE;

    #[test]
    fn entries_give_back_what_they_were_told() {
        let open = |proof, disproof| Known::anywhere(Numbers { proof, disproof });
        let failure = |relies_on| Known { numbers: Numbers::FAILURE, relies_on };
        for known in [
            open(1, 1),
            open(NUMBER, 7),
            open(7, NUMBER),
            Known::anywhere(Numbers::SUCCESS),
            failure(0),
            failure(1),
            failure(2000),
            failure(NOTHING),
        ] {
            for work in [0, 1, 63, 64, 127, 1 << 20, 127 << 25] {
                assert_eq!(unpack(pack(known, work)), Some((known, work)), "{known:?} {work}");
            }
        }
        assert_eq!(unpack(pack(open(INFINITE - 1, 2), 0)).unwrap().0, open(NUMBER, 2), "as large as it gets");
        for work in (0..32).map(|power| (1u32 << power) + 1) {
            let kept = unpack_work(pack_work(work));
            assert!(kept <= work && work - kept <= work / 64, "{work} became {kept}");
        }
        assert_eq!(unpack(0), None);
    }

    #[test]
    fn solved_positions_stay_solved() {
        let proofs = Proofs::new(1000);
        let open = Known::anywhere(Numbers::UNKNOWN);
        proofs.store(7, open, 1);
        proofs.store(7, Known::anywhere(Numbers::SUCCESS), 1);
        proofs.store(7, open, 100);
        assert_eq!(proofs.get(7), Some(Known::anywhere(Numbers::SUCCESS)));
        assert_eq!(proofs.get(8), None);
    }

    #[test]
    fn words_rebuild_a_table() {
        let proofs = Proofs::new(100_000);
        for key in 1..2000u64 {
            let numbers = Numbers { proof: key as u32, disproof: 3 };
            proofs.store(key.wrapping_mul(0x2545_f491_4f6c_dd1d), Known::anywhere(numbers), key as u32);
        }
        proofs.see_score();
        let (count, words) = proofs.words();
        let words: Vec<u64> = words.collect();
        assert_eq!(words.len(), count);
        let again = Proofs::new(100_000);
        again.extend_from_words(&words);
        assert!(again.saw_score());
        let mut sorted = [&proofs, &again].map(|proofs| proofs.words().1.skip(1).collect::<Vec<_>>());
        sorted.iter_mut().for_each(|words| words.sort_unstable());
        assert!(words.len() > 3900 && sorted[0] == sorted[1]);
    }

    #[test]
    fn the_least_work_is_forgotten_first() {
        let proofs = Proofs::new(1);
        let numbers = Known::anywhere(Numbers { proof: 2, disproof: 2 });
        let keys: Vec<u64> = (1..).filter(|&key| proofs.place(key).1 == 0).take(5).collect();
        for (work, &key) in keys.iter().enumerate() {
            proofs.store(key, numbers, 10 + work as u32);
        }
        assert_eq!(proofs.get(keys[0]), None);
        assert!(keys[1..].iter().all(|&key| proofs.get(key).is_some()));
    }
}
