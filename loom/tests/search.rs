//! Everything that threads of a search share without locks, in every order of events that the memory model
//! allows.
//!
//! The files under test are included here as they are; `atomic` gives them loom's atomics instead of the real
//! ones.

#[allow(dead_code, reason = "the crate uses what this test does not")]
#[path = "../../crates/search/src/busy.rs"]
mod busy;
#[allow(dead_code, reason = "the crate uses what this test does not")]
#[path = "../../crates/search/src/paths.rs"]
mod paths;
#[allow(dead_code, reason = "the crate uses what this test does not")]
#[path = "../../crates/search/src/slot.rs"]
mod slot;
#[allow(dead_code, reason = "the crate uses what this test does not")]
#[path = "../../crates/search/src/mcts/tally.rs"]
mod tally;

mod atomic {
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
}

use std::sync::atomic::{AtomicBool, Ordering};

use busy::BusyMoves;
use loom::sync::Arc;
use loom::thread;
use paths::Paths;
use slot::Slot;
use tally::Tally;

/// Two positions, and what is known about them.
const ENTRIES: [(u64, u64); 2] = [(0x1111, 0xaaaa), (0x2222, 0xbbbb)];

static TORN: AtomicBool = AtomicBool::new(false);
static BELIEVED: AtomicBool = AtomicBool::new(false);

#[test]
fn a_torn_entry_is_lost_and_never_believed() {
    loom::model(|| {
        let slot = Arc::new(Slot::default());
        let writers: Vec<_> = ENTRIES
            .into_iter()
            .map(|(signature, data)| {
                let slot = slot.clone();
                thread::spawn(move || slot.write(signature, data))
            })
            .collect();
        for (signature, data) in ENTRIES {
            let (found, is_own) = slot.read(signature);
            if is_own {
                assert_eq!(found, data, "an entry of another position is believed");
                BELIEVED.store(true, Ordering::Relaxed);
            }
        }
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        let [check, data] = slot.words();
        if ENTRIES.iter().all(|&(signature, _)| check ^ data != signature) {
            TORN.store(true, Ordering::Relaxed);
        }
    });
    assert!(TORN.load(Ordering::Relaxed), "writers met in some order of events");
    assert!(BELIEVED.load(Ordering::Relaxed), "and in another one the reader found what was written");
}

#[test]
fn two_writers_of_one_position_leave_what_one_of_them_wrote() {
    loom::model(|| {
        let slot = Arc::new(Slot::default());
        let (signature, values) = (0x1111, [0xaaaa, 0xbbbb]);
        let writers: Vec<_> = values
            .into_iter()
            .map(|data| {
                let slot = slot.clone();
                thread::spawn(move || slot.write(signature, data))
            })
            .collect();
        let (found, own) = slot.read(signature);
        assert!(!own || values.contains(&found));
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        let (found, own) = slot.read(signature);
        assert!(!own || values.contains(&found));
    });
}

#[test]
fn busy_moves_are_forgotten_and_never_made_up() {
    loom::model(|| {
        let busy = Arc::new(BusyMoves::with_room(1));
        let workers: Vec<_> = [7, 8]
            .into_iter()
            .map(|key| {
                let busy = busy.clone();
                thread::spawn(move || {
                    busy.enter(key);
                    busy.leave(key);
                })
            })
            .collect();
        assert!(!busy.contains(9), "nobody is at it");
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        assert!(!busy.contains(7) || !busy.contains(8), "there is room for one");
    });
}

#[test]
fn knows_who_is_at_what() {
    loom::model(|| {
        let busy = BusyMoves::with_room(4);
        busy.enter(7);
        assert!(busy.contains(7) && !busy.contains(8));
        busy.leave(7);
        assert!(!busy.contains(7));
    });
}

#[test]
fn a_busy_move_that_nobody_overwrites_is_gone_when_it_is_left() {
    loom::model(|| {
        let busy = Arc::new(BusyMoves::with_room(1));
        let other = busy.clone();
        let worker = thread::spawn(move || {
            other.enter(7);
            other.leave(7);
        });
        let _ = busy.contains(7);
        worker.join().unwrap();
        assert!(!busy.contains(7));
    });
}

/// df-pn tells something about all its entries by a flag.
#[test]
fn whoever_finds_an_entry_sees_what_was_written_before_it() {
    use loom::sync::atomic::AtomicBool;
    loom::model(|| {
        let shared = Arc::new((AtomicBool::new(false), Slot::default(), Slot::default()));
        let (one, other) = (shared.clone(), shared.clone());
        let first = thread::spawn(move || {
            one.0.store(true, Ordering::Relaxed);
            one.1.write(1, 0xaa);
        });
        // A conclusion from what another thread has written.
        let second = thread::spawn(move || {
            if other.1.read(1) == (0xaa, true) {
                other.2.write(2, 0xbb);
            }
        });
        if shared.2.read(2) == (0xbb, true) {
            assert!(shared.0.load(Ordering::Relaxed), "the entry is seen without the flag");
        }
        first.join().unwrap();
        second.join().unwrap();
    });
}

#[test]
fn paths_are_those_of_others_and_gone_when_they_are_left() {
    loom::model(|| {
        let paths = Arc::new(Paths::new(2));
        let other = paths.clone();
        let worker = thread::spawn(move || {
            other.enter(1, 0, 7);
            other.enter(1, 1, 8);
            other.leave(1, 1);
            other.leave(1, 0);
        });
        paths.enter(0, 0, 7);
        assert!(paths.beside(0, 0, 7).all(|child| [0, 8].contains(&child)), "nobody is elsewhere");
        worker.join().unwrap();
        assert_eq!(paths.beside(0, 0, 7).count(), 0);
    });
}

#[test]
fn no_visit_is_lost_and_a_proof_brings_what_it_rests_on() {
    use loom::sync::atomic::AtomicBool;
    loom::model(|| {
        let shared = Arc::new((AtomicBool::new(false), Tally::new(None)));
        let other = shared.clone();
        let worker = thread::spawn(move || {
            other.1.enter();
            other.0.store(true, Ordering::Relaxed);
            other.1.prove(0.5);
            other.1.leave(0.5);
        });
        shared.1.enter();
        if let Some(result) = shared.1.proved() {
            assert!(result == 0.5 && shared.0.load(Ordering::Relaxed), "a proof without its grounds");
        }
        shared.1.leave(1.0);
        worker.join().unwrap();
        assert_eq!((shared.1.counts(), shared.1.total()), ((2, 0), 1.5));
    });
}
