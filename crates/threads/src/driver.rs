//! The driver: a thread and a channel for each worker.
//!
//! Worker 0 runs on the thread of the caller, who can watch it. A worker without work looks into its inbox a few times,
//! then sleeps until a message wakes it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use multigame_parallel::{Mail, Status, Worker, WorkerId};

/// Ticks that a worker may work between two looks at its inbox; long work looks by itself.
const BUDGET: u64 = 256;
/// Looks into an empty inbox before sleeping.
const LOOKS: u32 = 200;
/// The watcher is asked at least so often.
const BEAT: Duration = Duration::from_millis(2);
/// Sleepers look around at least so often.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// Watches worker 0 on the thread of the caller.
pub trait Watcher<W: Worker> {
    /// Called often, also in the middle of long work, with the nodes that worker 0 has visited.
    fn beat(&mut self, nodes: Option<u64>);

    /// Called between two stretches of worker 0's work.
    fn worked(&mut self, worker: &mut W);
}

/// Hears how many nodes each other worker has visited.
pub trait Listener: Sync {
    /// A worker has visited so many.
    fn visited(&self, worker: WorkerId, nodes: u64);
}

struct Post<'p, M, H> {
    me: WorkerId,
    inbox: &'p Receiver<(WorkerId, M)>,
    senders: &'p [Sender<(WorkerId, M)>],
    hear: H,
}

impl<M, H: FnMut(u64)> Mail<M> for Post<'_, M, H> {
    fn send(&mut self, to: WorkerId, message: M) {
        // A worker that has finished needs no more messages.
        let _ = self.senders[to as usize].send((self.me, message));
    }

    fn receive(&mut self) -> Option<(WorkerId, M)> {
        self.inbox.try_recv().ok()
    }

    fn visited(&mut self, nodes: u64) {
        (self.hear)(nodes);
    }
}

/// Runs workers to their end and gives them back, each with the time it had no work.
pub fn run<W>(workers: Vec<W>, watcher: &mut impl Watcher<W>, listener: &impl Listener) -> Vec<(W, Duration)>
where
    W: Worker + Send,
    W::Message: Send,
{
    let (senders, inboxes): (Vec<_>, Vec<_>) = workers.iter().map(|_| channel()).unzip();
    std::thread::scope(|scope| {
        let mut team = workers.into_iter().zip(inboxes).zip(0..);
        let Some(((first, inbox), _)) = team.next() else { return Vec::new() };
        let handles: Vec<_> = team
            .map(|((mut worker, inbox), me)| {
                let senders = &senders;
                crate::spawn(scope, move || {
                    let hear = |nodes| listener.visited(me, nodes);
                    let mut post = Post { me, inbox: &inbox, senders, hear };
                    let idle = work(&mut worker, &mut post, LONGEST_SLEEP, |_, _| ());
                    (worker, idle)
                })
            })
            .collect();
        let mut first = first;
        let watcher = std::cell::RefCell::new(watcher);
        let hear = |nodes| watcher.borrow_mut().beat(Some(nodes));
        let mut post = Post { me: 0, inbox: &inbox, senders: &senders, hear };
        let idle = work(&mut first, &mut post, BEAT, |worker, working| {
            let mut watcher = watcher.borrow_mut();
            if working {
                watcher.worked(worker);
            }
            watcher.beat(None);
        });
        let mut done = vec![(first, idle)];
        for handle in handles {
            match handle.join() {
                Ok(worker) => done.push(worker),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    })
}

/// One worker's life; the time it had nothing to do.
fn work<W: Worker, H: FnMut(u64)>(
    worker: &mut W,
    post: &mut Post<'_, W::Message, H>,
    sleep: Duration,
    mut look: impl FnMut(&mut W, bool),
) -> Duration {
    let mut idle = Duration::ZERO;
    loop {
        while let Some((from, message)) = post.receive() {
            worker.handle(from, message, post);
        }
        let progress = worker.work(BUDGET, post);
        look(worker, true);
        let wait = match progress.status {
            Status::Busy => continue,
            Status::Finished => return idle,
            Status::Idle(Some(_)) => Duration::from_micros(20),
            Status::Waiting | Status::Idle(None) => sleep,
        };
        let start = Instant::now();
        if let Some((from, message)) = wait_for(post.inbox, wait, || look(worker, false)) {
            idle += start.elapsed();
            worker.handle(from, message, post);
        } else {
            idle += start.elapsed();
        }
    }
}

/// Waits for a message, awake for a moment first. `None` after a while, or if a message cannot come any more.
fn wait_for<M>(
    inbox: &Receiver<(WorkerId, M)>,
    sleep: Duration,
    mut look: impl FnMut(),
) -> Option<(WorkerId, M)> {
    for _ in 0..LOOKS {
        if let Ok(letter) = inbox.try_recv() {
            return Some(letter);
        }
        std::hint::spin_loop();
    }
    look();
    inbox.recv_timeout(sleep).ok()
}
