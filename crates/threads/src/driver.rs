//! The driver: a thread and a channel for each worker, and a port to workers in other processes.
//!
//! The first worker here runs on the thread of the caller, who can watch it. It carries letters between the
//! workers here and the port, whenever it looks for its own. A worker without work looks into its inbox a few
//! times, then sleeps until a message wakes it; the first one, if there is a port, sleeps for moments only.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use multigame_parallel::{Activity, Mail, Span, Status, Worker, WorkerId};

use crate::NoThreads;
use crate::port::{Alone, Port, Team};
use crate::stage::{self, Receiver, Sender, channel};

/// Ticks that a worker may work between two looks at its inbox; long work looks by itself.
const BUDGET: u64 = 256;
/// Looks into an empty inbox before sleeping, where threads have to share cores and where each has its own:
/// to be woken takes longer than most waits for work.
const LOOKS: [u32; 2] = [200, 20_000];
/// Before a worker that found nothing asks again.
const PAUSE: Duration = Duration::from_micros(20);
/// The watcher is asked at least so often.
const BEAT: Duration = Duration::from_millis(2);
/// Between two looks at the port of a worker that has nothing to do.
const NAP: Duration = Duration::from_micros(50);
/// Sleepers look around at least so often.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// Watches the first worker on the thread of the caller.
pub trait Watcher<W: Worker> {
    /// Called often, also in the middle of long work, with the nodes that the first worker has visited.
    fn beat(&mut self, nodes: Option<u64>);

    /// Called between two stretches of the first worker's work.
    fn worked(&mut self, worker: &mut W);
}

/// Hears how many nodes each other worker has visited.
pub trait Listener: Sync {
    /// A worker has visited this many.
    fn visited(&self, worker: WorkerId, nodes: u64);
}

/// A letter on its way to another process: from, to, and what it says.
type Outgoing<M> = (WorkerId, WorkerId, M);

/// The mail of one worker. `P` is the port of the first one, and the way to the first one for the others.
struct Post<'p, M, H, P> {
    me: WorkerId,
    team: Team,
    inbox: &'p Receiver<(WorkerId, M)>,
    senders: &'p [Sender<(WorkerId, M)>],
    way_out: P,
    /// Looks into the inbox before sleeping.
    looks: u32,
    hear: H,
}

/// How a worker reaches other processes.
trait WayOut<M> {
    /// Whether letters can arrive by it, so that it has to be looked at.
    const ARRIVES: bool;

    fn send(&mut self, from: WorkerId, to: WorkerId, message: M);

    /// Carries letters in both directions; those that arrive are handed to `deliver`.
    fn carry(&mut self, deliver: impl FnMut(WorkerId, WorkerId, M));
}

/// The first worker's: the port, and what the others want to send.
struct Gate<'g, M, P> {
    port: P,
    outgoing: &'g Receiver<Outgoing<M>>,
    is_part: bool,
}

impl<M, P: Port<M>> WayOut<M> for Gate<'_, M, P> {
    const ARRIVES: bool = true;

    fn send(&mut self, from: WorkerId, to: WorkerId, message: M) {
        self.port.send(from, to, message);
    }

    #[inline]
    fn carry(&mut self, mut deliver: impl FnMut(WorkerId, WorkerId, M)) {
        if !self.is_part {
            return;
        }
        while let Ok((from, to, message)) = self.outgoing.try_recv() {
            self.port.send(from, to, message);
        }
        self.port.flush();
        while let Some((from, to, message)) = self.port.receive() {
            deliver(from, to, message);
        }
    }
}

impl<M> WayOut<M> for &Sender<Outgoing<M>> {
    const ARRIVES: bool = false;

    fn send(&mut self, from: WorkerId, to: WorkerId, message: M) {
        // A first worker that has finished carries nothing any more, and nobody waits for it.
        let _ = Sender::send(self, (from, to, message));
    }

    #[inline]
    fn carry(&mut self, _deliver: impl FnMut(WorkerId, WorkerId, M)) {}
}

impl<M, H: FnMut(u64), P: WayOut<M>> Mail<M> for Post<'_, M, H, P> {
    fn send(&mut self, to: WorkerId, message: M) {
        match self.team.place(to) {
            // A worker that has finished needs no more messages.
            Some(place) => drop(self.senders[place].send((self.me, message))),
            None => self.way_out.send(self.me, to, message),
        }
    }

    fn receive(&mut self) -> Option<(WorkerId, M)> {
        self.carry();
        self.inbox.try_recv().ok()
    }

    fn visited(&mut self, nodes: u64) {
        (self.hear)(nodes);
    }
}

impl<M, H, P: WayOut<M>> Post<'_, M, H, P> {
    #[inline]
    fn carry(&mut self) {
        let (team, senders) = (self.team, self.senders);
        self.way_out.carry(|from, to, message| {
            if let Some(place) = team.place(to) {
                let _ = senders[place].send((from, message));
            }
        });
    }

    /// Whether letters arrive only if this worker looks for them.
    fn carries(&self) -> bool {
        P::ARRIVES && self.team.is_part()
    }

    /// Looks for a message this many times, here and elsewhere.
    fn look(&mut self, times: u32) -> Option<(WorkerId, M)> {
        for _ in 0..times {
            self.carry();
            if let Ok(letter) = self.inbox.try_recv() {
                return Some(letter);
            }
            std::hint::spin_loop();
        }
        None
    }

    /// Waits for a message, awake for a moment first. `None` after a while, or if a message cannot come any
    /// more.
    fn wait_for(&mut self, sleep: Duration, mut look: impl FnMut()) -> Option<(WorkerId, M)> {
        let looks = if sleep <= PAUSE { LOOKS[0] } else { self.looks };
        let letter = if self.carries() { self.look(looks) } else { stage::look(self.inbox, looks) };
        if letter.is_some() {
            return letter;
        }
        look();
        // A thread that sleeps only briefly may lose its core to others for much longer.
        if sleep <= PAUSE && self.looks > LOOKS[0] {
            return None;
        }
        if !self.carries() {
            return stage::wait(self.inbox, sleep);
        }
        let start = Instant::now();
        while start.elapsed() < sleep {
            let letter = stage::wait(self.inbox, NAP);
            if letter.is_some() {
                return letter;
            }
            self.carry();
        }
        self.inbox.try_recv().ok()
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

/// Runs workers to their end and gives them back, unless there are fewer threads than workers. With `trace`
/// it is kept when each of them worked, counted from then.
pub fn run<W>(
    workers: Vec<W>,
    watcher: &mut impl Watcher<W>,
    listener: &impl Listener,
    trace: Option<Instant>,
) -> Result<Vec<Done<W>>, NoThreads>
where
    W: Worker + Send,
    W::Message: Send,
{
    let team = Team::alone(workers.len() as u32);
    run_team(team, workers, Alone, watcher, listener, trace)
}

/// Runs the workers of a team of which others may be in other processes, where the port leads.
pub fn run_team<W, P: Port<W::Message>>(
    team: Team,
    workers: Vec<W>,
    port: P,
    watcher: &mut impl Watcher<W>,
    listener: &impl Listener,
    trace: Option<Instant>,
) -> Result<Vec<Done<W>>, NoThreads>
where
    W: Worker + Send,
    W::Message: Send,
{
    let looks = LOOKS[usize::from(team.all as usize <= stage::cores())];
    let (senders, inboxes): (Vec<_>, Vec<_>) = workers.iter().map(|_| channel()).unzip();
    let (out, outgoing) = channel();
    let working = AtomicU32::new(team.here.saturating_sub(1));
    let fallen = AtomicBool::new(false);
    stage::scope(|scope| {
        let mut workers = workers.into_iter().zip(inboxes).zip(team.workers());
        let Some(((first, inbox), me)) = workers.next() else { return Ok(Vec::new()) };
        let others: Vec<_> = workers
            .map(|((worker, inbox), me)| {
                let (senders, out, working, fallen) = (&senders, &out, &working, &fallen);
                move || {
                    let hear = |nodes| listener.visited(me, nodes);
                    let mut post = Post { me, team, inbox: &inbox, senders, way_out: out, looks, hear };
                    let done = work(worker, &mut post, fallen, LONGEST_SLEEP, trace, |_, _| ());
                    working.fetch_sub(1, Ordering::Release);
                    done
                }
            })
            .collect();
        let handles = stage::spawn_all(scope, others.into_iter())?;
        let watcher = std::cell::RefCell::new(watcher);
        let hear = |nodes| watcher.borrow_mut().beat(Some(nodes));
        let way_out = Gate { port, outgoing: &outgoing, is_part: team.is_part() };
        let mut post = Post { me, team, inbox: &inbox, senders: &senders, way_out, looks, hear };
        let first = work(first, &mut post, &fallen, BEAT, trace, |worker, working| {
            let mut watcher = watcher.borrow_mut();
            if working {
                watcher.worked(worker);
            }
            watcher.beat(None);
        });
        let mut done = vec![first];
        // Letters of those who have not finished yet still have to leave.
        while team.is_part() && working.load(Ordering::Acquire) > 0 {
            post.carry();
            stage::sleep(NAP);
        }
        for handle in handles {
            match handle.join() {
                Ok(worker) => done.push(worker),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        post.carry();
        Ok(done)
    })
}

/// Tells the others if a worker's thread panics: they must not wait for it for ever.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// One worker's life.
fn work<W: Worker, H: FnMut(u64), P: WayOut<W::Message>>(
    mut worker: W,
    post: &mut Post<'_, W::Message, H, P>,
    fallen: &AtomicBool,
    sleep: Duration,
    trace: Option<Instant>,
    mut look: impl FnMut(&mut W, bool),
) -> Done<W> {
    let (mut idle, mut spans) = (Duration::ZERO, Vec::new());
    let mut began = Instant::now();
    let _alarm = Alarm(fallen);
    loop {
        assert!(!fallen.load(Ordering::Relaxed), "another worker has failed");
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
