//! The driver: a thread and a channel for each worker.
//!
//! Worker 0 runs on the thread of the caller, who can watch it. A worker without work looks into its inbox a few times,
//! then sleeps until a message wakes it.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use multigame_parallel::{Activity, Mail, Span, Status, Worker, WorkerId};

/// Ticks that a worker may work between two looks at its inbox; long work looks by itself.
const BUDGET: u64 = 256;
/// Looks into an empty inbox before sleeping, where threads have to share cores and where each has its own: to be woken
/// takes longer than most waits for work.
const LOOKS: [u32; 2] = [200, 20_000];
/// Before a worker that found nothing asks again.
const PAUSE: Duration = Duration::from_micros(20);
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
    /// Looks into the inbox before sleeping.
    looks: u32,
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

impl<M, H> Post<'_, M, H> {
    /// Waits for a message, awake for a moment first. `None` after a while, or if a message cannot come any more.
    fn wait_for(&self, sleep: Duration, mut look: impl FnMut()) -> Option<(WorkerId, M)> {
        let looks = if sleep <= PAUSE { LOOKS[0] } else { self.looks };
        for _ in 0..looks {
            if let Ok(letter) = self.inbox.try_recv() {
                return Some(letter);
            }
            std::hint::spin_loop();
        }
        look();
        // Who sleeps for a moment only may lose its core to others for much longer.
        if sleep <= PAUSE && self.looks > LOOKS[0] {
            return None;
        }
        self.inbox.recv_timeout(sleep).ok()
    }
}

/// A worker that has come to its end.
#[derive(Debug)]
pub struct Done<W> {
    /// The worker.
    pub worker: W,
    /// Time without work.
    pub idle: Duration,
    /// When it worked, if that was asked for.
    pub spans: Vec<Span>,
}

/// Runs workers to their end and gives them back. With `trace` it is kept when each of them worked, counted from then.
pub fn run<W>(
    workers: Vec<W>,
    watcher: &mut impl Watcher<W>,
    listener: &impl Listener,
    trace: Option<Instant>,
) -> Vec<Done<W>>
where
    W: Worker + Send,
    W::Message: Send,
{
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let looks = LOOKS[usize::from(workers.len() <= cores)];
    let (senders, inboxes): (Vec<_>, Vec<_>) = workers.iter().map(|_| channel()).unzip();
    std::thread::scope(|scope| {
        let mut team = workers.into_iter().zip(inboxes).zip(0..);
        let Some(((first, inbox), _)) = team.next() else { return Vec::new() };
        let handles: Vec<_> = team
            .map(|((worker, inbox), me)| {
                let senders = &senders;
                crate::spawn(scope, move || {
                    let hear = |nodes| listener.visited(me, nodes);
                    let mut post = Post { me, inbox: &inbox, senders, looks, hear };
                    work(worker, &mut post, LONGEST_SLEEP, trace, |_, _| ())
                })
            })
            .collect();
        let watcher = std::cell::RefCell::new(watcher);
        let hear = |nodes| watcher.borrow_mut().beat(Some(nodes));
        let mut post = Post { me: 0, inbox: &inbox, senders: &senders, looks, hear };
        let first = work(first, &mut post, BEAT, trace, |worker, working| {
            let mut watcher = watcher.borrow_mut();
            if working {
                watcher.worked(worker);
            }
            watcher.beat(None);
        });
        let mut done = vec![first];
        for handle in handles {
            match handle.join() {
                Ok(worker) => done.push(worker),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    })
}

/// One worker's life.
fn work<W: Worker, H: FnMut(u64)>(
    mut worker: W,
    post: &mut Post<'_, W::Message, H>,
    sleep: Duration,
    trace: Option<Instant>,
    mut look: impl FnMut(&mut W, bool),
) -> Done<W> {
    let (mut idle, mut spans) = (Duration::ZERO, Vec::new());
    let mut began = Instant::now();
    loop {
        while let Some((from, message)) = post.receive() {
            worker.handle(from, message, post);
        }
        let progress = worker.work(BUDGET, post);
        look(&mut worker, true);
        let wait = match progress.status {
            Status::Busy => continue,
            Status::Finished => Duration::ZERO,
            Status::Idle(Some(_)) => PAUSE,
            Status::Waiting | Status::Idle(None) => sleep,
        };
        let start = Instant::now();
        if let Some(trace) = trace {
            let since = |time: Instant| time.saturating_duration_since(trace).as_nanos() as u64;
            spans.push(Span {
                processor: post.me,
                from: since(began),
                to: since(start),
                activity: Activity::Work,
            });
        }
        if progress.status == Status::Finished {
            return Done { worker, idle, spans };
        }
        let letter = post.wait_for(wait, || look(&mut worker, false));
        began = Instant::now();
        idle += began - start;
        if let Some((from, message)) = letter {
            worker.handle(from, message, post);
        }
    }
}
