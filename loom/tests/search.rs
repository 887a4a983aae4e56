//! Everything that threads of a search share without locks, in every order of events that the memory model
//! allows.
//!
//! The files under test are included here as they are; `atomic` gives them loom's atomics instead of the real
//! ones.

#[allow(dead_code, reason = "the crate uses what this test does not")]
#[path = "../../crates/search/src/busy.rs"]
mod busy;
#[allow(dead_code, reason = "the crate uses what this test does not")]
#[path = "../../crates/search/src/slot.rs"]
mod slot;

mod atomic {
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
}

use std::sync::atomic::{AtomicBool, Ordering};

use busy::BusyMoves;
use loom::sync::Arc;
use loom::thread;
use slot::Slot;

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
