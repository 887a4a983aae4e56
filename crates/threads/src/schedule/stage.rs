//! Threads, channels and clocks whose every order of events is decided by a [schedule](crate::schedule).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::Scope;
use std::time::Duration;

use crate::NoThreads;
use crate::schedule::baton::{Seat, enter, pass, point, seat};

/// As in the real one; the schedule ends its threads before the scope does.
pub(crate) fn scope<'e, T>(work: impl for<'s> FnOnce(&'s Scope<'s, 'e>) -> T) -> T {
    let (baton, _) = seat();
    let first = baton.seats();
    std::thread::scope(|scope| {
        let _rescue = Rescue;
        let result = work(scope);
        pass(Seat::Joins((first..baton.seats()).collect()));
        result
    })
}

/// Lets the other threads fail where one has failed that should have waited for them.
struct Rescue;

impl Drop for Rescue {
    fn drop(&mut self) {
        if std::thread::panicking() {
            seat().0.give_up();
        }
    }
}

/// A thread that can be joined.
pub(crate) struct Handle<'s, T> {
    thread: std::thread::ScopedJoinHandle<'s, T>,
    seat: usize,
}

impl<T> Handle<'_, T> {
    pub fn join(self) -> std::thread::Result<T> {
        pass(Seat::Joins(vec![self.seat]));
        self.thread.join()
    }
}

/// Starts threads; here there are always enough.
pub(crate) fn spawn_all<'s, T: Send + 's, W: FnOnce() -> T + Send + 's>(
    scope: &'s Scope<'s, '_>,
    works: impl ExactSizeIterator<Item = W>,
) -> Result<Vec<Handle<'s, T>>, NoThreads> {
    Ok(works.map(|work| spawn(scope, work)).collect())
}

/// Starts a thread, which waits for the baton first.
pub(crate) fn spawn<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> Handle<'s, T> {
    let (baton, _) = seat();
    let seat = baton.new_seat();
    let thread = scope.spawn(move || {
        let _leave = enter(baton, seat);
        work()
    });
    point();
    Handle { thread, seat }
}

/// The same on every machine.
pub(crate) fn cores() -> usize {
    1
}

/// Others go on.
pub(crate) fn sleep(_: Duration) {
    pass(Seat::Ready);
}

/// Counts the messages that are in it.
pub(crate) struct Sender<T>(mpsc::Sender<T>, Arc<AtomicUsize>);

/// The other end.
pub(crate) struct Receiver<T>(mpsc::Receiver<T>, Arc<AtomicUsize>);

/// A channel.
pub(crate) fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = mpsc::channel();
    let letters = Arc::new(AtomicUsize::new(0));
    (Sender(sender, letters.clone()), Receiver(receiver, letters))
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        Sender(self.0.clone(), Arc::clone(&self.1))
    }
}

impl<T> Sender<T> {
    pub fn send(&self, letter: T) -> Result<(), mpsc::SendError<T>> {
        point();
        self.0.send(letter)?;
        self.1.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

impl<T> Receiver<T> {
    pub fn try_recv(&self) -> Result<T, mpsc::TryRecvError> {
        point();
        let letter = self.0.try_recv()?;
        self.1.fetch_sub(1, Ordering::Relaxed);
        Ok(letter)
    }
}

/// Looks for a message.
pub(crate) fn look<T>(inbox: &Receiver<T>, _times: u32) -> Option<T> {
    inbox.try_recv().ok()
}

/// Sleeps until there is a message; nothing if nobody can send one any more. Where all others have ended, the
/// schedule wakes those that sleep.
pub(crate) fn next<T>(inbox: &Receiver<T>) -> Option<T> {
    loop {
        match inbox.try_recv() {
            Ok(letter) => return Some(letter),
            Err(mpsc::TryRecvError::Disconnected) => return None,
            Err(mpsc::TryRecvError::Empty) => pass(Seat::Inbox(Arc::clone(&inbox.1))),
        }
    }
}

/// Sleeps until there is a message or the schedule says that it was long enough.
pub(crate) fn wait<T>(inbox: &Receiver<T>, _longest: Duration) -> Option<T> {
    pass(Seat::Inbox(inbox.1.clone()));
    inbox.try_recv().ok()
}
