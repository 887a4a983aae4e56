//! The baton: who runs, and who is next.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use multigame_game::Random;

/// This many changes of hands mean that a search does not come to its end.
const MOST: u64 = 2_000_000;
/// One in this many choices wakes a sleeper to whom nobody has written, as the clock may at any time.
const OVERSLEPT: usize = 16;

/// What a thread waits for; none of them but the baton.
#[derive(Debug)]
pub(crate) enum Seat {
    Ready,
    /// A message: those in the inbox are counted here.
    Inbox(Arc<AtomicUsize>),
    /// The end of other threads.
    Joins(Vec<usize>),
    Done,
}

#[derive(Debug)]
struct State {
    random: Random,
    seats: Vec<(Seat, Arc<Condvar>)>,
    /// How likely each thread is to be next, so that some schedules let a thread lag far behind.
    weights: [usize; 4],
    /// Points that a thread may pass before it hands the baton on, at most.
    stretch: usize,
    holder: usize,
    changes: u64,
    /// Of all decisions: two runs with the same one were the same.
    fingerprint: u64,
    /// Why the schedule was given up.
    broken: Option<&'static str>,
}

/// The baton of one schedule.
#[derive(Debug)]
pub(crate) struct Baton(Mutex<State>);

thread_local! {
    /// The baton this thread waits for, and its number.
    static SEAT: RefCell<Option<(Arc<Baton>, usize)>> = const { RefCell::new(None) };
    /// Points to pass before the baton is handed on.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Runs something whose threads follow the schedule with that seed. The second answer is the schedule's
/// fingerprint.
pub(crate) fn scheduled<T>(seed: u64, work: impl FnOnce() -> T) -> (T, u64) {
    scheduled_in_stretches(8, seed, work)
}

/// The same for long searches: between two changes of hands lie up to this many points, or more, as the seed
/// wants it.
pub(crate) fn scheduled_in_stretches<T>(least: usize, seed: u64, work: impl FnOnce() -> T) -> (T, u64) {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let weights = [(); 4].map(|()| [1, 1, 1, 16][random.below(4)]);
    // From a change at nearly every point to long stretches.
    let stretch = least << (2 * random.below(5));
    let seats = vec![(Seat::Ready, Arc::default())];
    let (holder, changes, fingerprint, broken) = (0, 0, 0, None);
    let state = State { random, seats, weights, stretch, holder, changes, fingerprint, broken };
    let baton = Arc::new(Baton(Mutex::new(state)));
    let leave = enter(baton.clone(), 0);
    let result = work();
    drop(leave);
    let state = baton.state();
    assert!(
        state.seats.iter().all(|(seat, _)| matches!(seat, Seat::Done)),
        "all threads have come to their end"
    );
    (result, state.fingerprint)
}

/// The baton of this thread and its number.
pub(crate) fn seat() -> (Arc<Baton>, usize) {
    SEAT.with_borrow(|seat| seat.clone()).expect("threads of unit tests run in a schedule")
}

/// A place where another thread may go on.
pub(crate) fn point() {
    match LEFT.get() {
        usize::MAX => {}
        0 => pass(Seat::Ready),
        left => LEFT.set(left - 1),
    }
}

/// Hands the baton on and waits for it.
pub(crate) fn pass(until: Seat) {
    let (baton, me) = seat();
    let mut state = baton.state();
    state.seats[me].0 = until;
    state.hand_on();
    baton.wait(state, me);
}

/// Sits down and waits for the baton; leaves when dropped.
pub(crate) fn enter(baton: Arc<Baton>, me: usize) -> Leave {
    SEAT.set(Some((baton.clone(), me)));
    baton.wait(baton.state(), me);
    Leave
}

/// A thread that leaves hands the baton on.
pub(crate) struct Leave;

impl Drop for Leave {
    fn drop(&mut self) {
        let Some((baton, me)) = SEAT.take() else { return };
        LEFT.set(usize::MAX);
        let mut state = baton.state();
        state.seats[me].0 = Seat::Done;
        if std::thread::panicking() {
            state.give_up("a thread of the schedule has failed");
        } else if state.seats.iter().any(|(seat, _)| !matches!(seat, Seat::Done)) {
            state.hand_on();
        }
    }
}

impl Baton {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A seat for a new thread, which is ready to run.
    pub fn new_seat(&self) -> usize {
        let mut state = self.state();
        state.seats.push((Seat::Ready, Arc::default()));
        state.seats.len() - 1
    }

    /// How many seats there are.
    pub fn seats(&self) -> usize {
        self.state().seats.len()
    }

    /// Lets all threads fail that wait for the baton, so that nobody waits for them.
    pub fn give_up(&self) {
        self.state().give_up("a thread of the schedule has failed");
    }

    fn wait(&self, mut state: MutexGuard<'_, State>, me: usize) {
        let wake = state.seats[me].1.clone();
        while state.holder != me && state.broken.is_none() {
            state = wake.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        state.seats[me].0 = Seat::Ready;
        let stretch = state.stretch;
        LEFT.set(state.random.below(stretch));
        if let Some(reason) = state.broken {
            drop(state);
            panic!("{reason}");
        }
    }
}

impl State {
    /// Gives the baton to a thread that can go on.
    fn hand_on(&mut self) {
        self.changes += 1;
        let mut next: Vec<usize> = (0..self.seats.len()).filter(|&seat| self.can_run(seat)).collect();
        if next.is_empty() || self.random.below(OVERSLEPT) == 0 {
            let sleeps = |seat: &usize| matches!(self.seats[*seat].0, Seat::Inbox(_)) && !self.can_run(*seat);
            next.extend((0..self.seats.len()).filter(sleeps));
        }
        if next.is_empty() {
            return self.give_up("every thread waits for another");
        }
        if self.changes > MOST {
            return self.give_up("the search does not come to its end");
        }
        self.holder = self.choose(&next);
        self.fingerprint = Random::new(self.fingerprint ^ self.holder as u64).next_u64();
        self.seats[self.holder].1.notify_one();
    }

    fn choose(&mut self, next: &[usize]) -> usize {
        let weight = |seat: usize| self.weights[seat % self.weights.len()];
        let mut chosen = self.random.clone().below(next.iter().map(|&seat| weight(seat)).sum());
        let found = next.iter().copied().find(|&seat| {
            let found = chosen < weight(seat);
            chosen = chosen.wrapping_sub(weight(seat));
            found
        });
        self.random.next_u64();
        found.expect("the number is below the sum of the weights")
    }

    fn can_run(&self, seat: usize) -> bool {
        match &self.seats[seat].0 {
            Seat::Ready => true,
            Seat::Inbox(letters) => letters.load(Ordering::Relaxed) > 0,
            Seat::Joins(others) => others.iter().all(|&other| matches!(self.seats[other].0, Seat::Done)),
            Seat::Done => false,
        }
    }

    fn give_up(&mut self, reason: &'static str) {
        self.broken.get_or_insert(reason);
        self.seats.iter().for_each(|(_, wake)| wake.notify_all());
    }
}
