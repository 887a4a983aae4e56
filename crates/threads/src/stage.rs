//! The threads, channels and clocks that the other modules use. They use no others, so that tests can put a
//! deterministic schedule in their place: `schedule/stage.rs`.

use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

use crate::NoThreads;

pub(crate) use std::sync::mpsc::{Receiver, Sender, channel};
pub(crate) use std::thread::{scope, sleep};

/// Deep searches need more stack than threads usually have.
const STACK: usize = 64 << 20;

/// A thread that can be joined.
pub(crate) struct Handle<'s, T>(std::thread::ScopedJoinHandle<'s, Option<T>>);

impl<T> Handle<'_, T> {
    pub fn join(self) -> std::thread::Result<T> {
        self.0.join().map(|done| done.expect("it was let in"))
    }
}

/// Starts a thread for each piece of work, or does none of it: threads that wait for one that cannot be
/// started would wait for ever. So all of them wait at a gate until the last one is there.
pub(crate) fn spawn_all<'s, T: Send + 's, W: FnOnce() -> T + Send + 's>(
    scope: &'s std::thread::Scope<'s, '_>,
    works: impl ExactSizeIterator<Item = W>,
) -> Result<Vec<Handle<'s, T>>, NoThreads> {
    let (gate, wanted) = (Arc::new(OnceLock::<bool>::new()), works.len());
    let mut handles = Vec::with_capacity(wanted);
    for work in works {
        let way_in = Arc::clone(&gate);
        let builder = std::thread::Builder::new().stack_size(STACK);
        match builder.spawn_scoped(scope, move || way_in.wait().then(work)) {
            Ok(handle) => handles.push(Handle(handle)),
            Err(reason) => {
                let _ = gate.set(false);
                return Err(NoThreads { wanted, started: handles.len(), reason });
            }
        }
    }
    let _ = gate.set(true);
    Ok(handles)
}

/// How many threads can run at the same time.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// Looks for a message this many times, without sleeping.
pub(crate) fn look<T>(inbox: &mpsc::Receiver<T>, times: u32) -> Option<T> {
    for _ in 0..times {
        if let Ok(letter) = inbox.try_recv() {
            return Some(letter);
        }
        std::hint::spin_loop();
    }
    None
}

/// Sleeps until there is a message; nothing if nobody can send one any more.
pub(crate) fn next<T>(inbox: &mpsc::Receiver<T>) -> Option<T> {
    inbox.recv().ok()
}

/// Sleeps until there is a message, or as long as that.
pub(crate) fn wait<T>(inbox: &mpsc::Receiver<T>, longest: Duration) -> Option<T> {
    inbox.recv_timeout(longest).ok()
}
