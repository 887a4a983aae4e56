//! One rank's end of the cluster: what has arrived, who is alive, what was carried.
//!
//! Any thread may look for what has arrived: whoever looks sorts it for everybody. So the thread that
//! searches hears orders while it searches, and the pulse hears that others are alive while nobody searches.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use multigame_threads::Traffic;

use crate::frame::{Frame, FrameKind};
use crate::pulse;
use crate::transport::{Lost, Rank, Transport};

/// How long a rank may say nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SilenceLimit {
    /// Between two signs of life.
    pub beat: Duration,
    /// A rank that was not heard for so long is lost.
    pub silence: Duration,
}

impl Default for SilenceLimit {
    fn default() -> SilenceLimit {
        SilenceLimit { beat: Duration::from_millis(200), silence: Duration::from_millis(2000) }
    }
}

/// Letters of a search that have arrived.
#[derive(Debug)]
pub(crate) struct Arrived {
    pub from: Rank,
    pub search: u64,
    pub body: Vec<u8>,
}

/// Everything behind the lock.
pub(crate) struct Desk {
    transport: Box<dyn Transport>,
    orders: VecDeque<(Rank, Vec<u8>)>,
    pub letters: VecDeque<Arrived>,
    /// When each rank was last heard.
    pub heard: Vec<Instant>,
    /// What ranks are called: their hosts.
    pub names: Vec<String>,
    /// Nodes that the workers of each rank have visited in the present search.
    pub nodes: Vec<u64>,
    pub traffic: Traffic,
    lost: Option<Lost>,
}

impl Desk {
    /// Sorts what has arrived.
    pub fn look(&mut self) {
        if self.lost.is_some() {
            return;
        }
        loop {
            match self.transport.receive() {
                Ok(Some((from, bytes))) => self.sort(from, &bytes),
                Ok(None) => return,
                Err(lost) => {
                    self.lost = Some(lost);
                    return;
                }
            }
        }
    }

    fn sort(&mut self, from: Rank, bytes: &[u8]) {
        let known = self.heard.get_mut(from as usize);
        let (Ok(frame), Some(heard)) = (Frame::read(bytes), known) else {
            self.lost = Some(Lost(format!("rank {from} sent {} bytes that are not a frame", bytes.len())));
            return;
        };
        *heard = Instant::now();
        match frame.kind {
            FrameKind::Order => self.orders.push_back((from, frame.body)),
            FrameKind::Letters(search) => {
                self.nodes[from as usize] = frame.nodes;
                self.letters.push_back(Arrived { from, search, body: frame.body });
            }
            FrameKind::Beat => self.nodes[from as usize] = frame.nodes,
        }
    }

    /// Sends a frame.
    pub fn send(&mut self, to: Rank, frame: &Frame) {
        let bytes = frame.write();
        self.traffic.messages += 1;
        self.traffic.bytes += bytes.len() as u64;
        if let Err(lost) = self.transport.send(to, bytes) {
            self.lost.get_or_insert(lost);
        }
    }

    /// Something has gone wrong; the pulse will end the job.
    pub fn fail(&mut self, lost: Lost) {
        self.lost.get_or_insert(lost);
    }

    /// What messages call a rank.
    pub fn name_of(&self, rank: Rank) -> String {
        match self.names.get(rank as usize).filter(|name| !name.is_empty()) {
            Some(host) => format!("rank {rank} on `{host}`"),
            None => format!("rank {rank}"),
        }
    }

    /// What has gone wrong.
    pub fn lost(&self) -> Option<&Lost> {
        self.lost.as_ref()
    }
}

/// How long a thread stands back for the pulse.
const POLITE: Duration = Duration::from_micros(50);

/// What the threads of a rank share.
pub(crate) struct Office {
    pub rank: Rank,
    pub size: u32,
    desk: Mutex<Desk>,
    /// Whether the pulse waits for the desk. It goes first: it comes rarely and leaves at once.
    pub pulse_waits: AtomicBool,
    /// When the pulse last ran. It has a lock of its own, which is never held for long.
    beaten: Mutex<Instant>,
    pub closed: AtomicBool,
    /// Whether the job is about to be ended from outside.
    pub hurried: AtomicBool,
}

impl Office {
    pub fn desk(&self) -> MutexGuard<'_, Desk> {
        while self.pulse_waits.load(Ordering::Relaxed) {
            std::thread::sleep(POLITE);
        }
        self.desk.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The pulse runs; tells when it did before.
    pub fn beat(&self) -> Instant {
        std::mem::replace(&mut *self.beaten(), Instant::now())
    }

    fn beaten(&self) -> MutexGuard<'_, Instant> {
        self.beaten.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The desk, unless another thread has it.
    pub fn try_desk(&self) -> Option<MutexGuard<'_, Desk>> {
        match self.desk.try_lock() {
            Ok(desk) => Some(desk),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// One rank's end of the cluster; see the module.
pub struct Cluster {
    office: Arc<Office>,
    host: String,
    library: String,
    limit: SilenceLimit,
    pulse: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cluster").field("rank", &self.rank()).field("size", &self.size()).finish()
    }
}

impl Cluster {
    /// Takes a transport into use. `on_loss` hears why the job has to end; then all ranks are ended.
    pub fn new(
        transport: Box<dyn Transport>,
        limit: SilenceLimit,
        on_loss: impl Fn(&Lost) + Send + 'static,
    ) -> Cluster {
        let (rank, size) = (transport.rank(), transport.size());
        let (host, library) = (transport.host(), transport.library());
        let mut names = vec![String::new(); size as usize];
        names[rank as usize].clone_from(&host);
        let desk = Desk {
            transport,
            orders: VecDeque::new(),
            letters: VecDeque::new(),
            heard: vec![Instant::now(); size as usize],
            names,
            nodes: vec![0; size as usize],
            traffic: Traffic::default(),
            lost: None,
        };
        let (closed, hurried) = (AtomicBool::new(false), AtomicBool::new(false));
        let office = Arc::new(Office {
            rank,
            size,
            desk: Mutex::new(desk),
            pulse_waits: AtomicBool::new(false),
            beaten: Mutex::new(Instant::now()),
            closed,
            hurried,
        });
        let pulse = pulse::start(office.clone(), limit, on_loss);
        Cluster { office, host, library, limit, pulse: Some(pulse) }
    }

    /// Which rank this is.
    pub fn rank(&self) -> Rank {
        self.office.rank
    }

    /// How many ranks there are.
    pub fn size(&self) -> u32 {
        self.office.size
    }

    /// The machine this rank runs on.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// What carries the messages.
    pub fn library(&self) -> &str {
        &self.library
    }

    /// What this rank has sent so far.
    pub fn traffic(&self) -> Traffic {
        self.office.desk().traffic.clone()
    }

    /// The other ranks.
    pub fn others(&self) -> impl Iterator<Item = Rank> + use<> {
        let me = self.rank();
        (0..self.size()).filter(move |&rank| rank != me)
    }

    /// Remembers where a rank runs, for messages about it.
    pub fn call(&self, rank: Rank, host: &str) {
        if let Some(name) = self.office.desk().names.get_mut(rank as usize) {
            *name = host.to_string();
        }
    }

    /// What messages call a rank.
    pub fn name_of(&self, rank: Rank) -> String {
        self.office.desk().name_of(rank)
    }

    /// Sends an order.
    pub fn send_order(&self, to: Rank, body: Vec<u8>) {
        self.office.desk().send(to, &Frame { kind: FrameKind::Order, nodes: 0, body });
    }

    /// The next order that has arrived, with its sender.
    pub fn try_order(&self) -> Option<(Rank, Vec<u8>)> {
        let mut desk = self.office.desk();
        desk.look();
        desk.orders.pop_front()
    }

    /// Waits for an order.
    pub fn order(&self) -> Result<(Rank, Vec<u8>), Lost> {
        let mut looks = 0u32;
        loop {
            if let Some(order) = self.order_or_loss()? {
                return Ok(order);
            }
            looks += 1;
            rest(looks);
        }
    }

    /// Waits for an order while other threads work, which get the core; nothing if `over` says that none is
    /// wanted any more.
    pub fn order_beside_work(&self, over: &dyn Fn() -> bool) -> Result<Option<(Rank, Vec<u8>)>, Lost> {
        let start = Instant::now();
        loop {
            let order = self.order_or_loss()?;
            if order.is_some() || over() {
                return Ok(order);
            }
            std::thread::sleep((start.elapsed() / 8).clamp(NAPS[0], NAPS[1]));
        }
    }

    /// The next order that has arrived, unless the job is lost.
    fn order_or_loss(&self) -> Result<Option<(Rank, Vec<u8>)>, Lost> {
        let order = self.try_order();
        match (order, self.office.desk().lost()) {
            (None, Some(lost)) => Err(lost.clone()),
            (order, _) => Ok(order),
        }
    }

    /// Tells how many nodes this rank has visited in the present search, and hears how many the others have.
    pub fn exchange_nodes(&self, nodes: u64) -> u64 {
        let mut desk = self.office.desk();
        desk.nodes[self.office.rank as usize] = nodes;
        desk.nodes.iter().sum::<u64>() - nodes
    }

    pub(crate) fn office(&self) -> &Arc<Office> {
        &self.office
    }

    /// Lets everything leave that was sent, and stops listening.
    pub fn let_leave(&self) {
        self.office.closed.store(true, Ordering::Relaxed);
        // A rank that cannot be reached any more needs nothing.
        let _ = self.office.desk().transport.close();
    }

    /// Whether this process has run all the time; one that was stopped has missed signs of life of its own.
    pub fn is_awake(&self) -> bool {
        self.office.beaten().elapsed() < 2 * self.limit.beat
    }

    /// The job is about to be ended from outside: a rank that is silent is named soon, or nobody would hear
    /// of it.
    pub fn hurry(&self) {
        self.office.hurried.store(true, Ordering::Relaxed);
    }

    /// Ends all ranks with an exit code.
    pub fn abort(&self, code: i32) {
        self.office.desk().transport.abort(code);
    }

    fn stop_pulse(&mut self) {
        self.office.closed.store(true, Ordering::Relaxed);
        if let Some(pulse) = self.pulse.take() {
            pulse.thread().unpark();
            // A pulse that panicked has nothing more to say.
            let _ = pulse.join();
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop_pulse();
    }
}

impl Desk {
    pub(crate) fn abort(&mut self, code: i32) {
        self.transport.abort(code);
    }
}

/// Between two looks of a thread that waits while others work, at first and in the end: a look takes some
/// microseconds from them.
const NAPS: [Duration; 2] = [Duration::from_micros(200), Duration::from_millis(5)];

/// Waits a little longer the longer there was nothing: at first not at all, in the end for some milliseconds.
pub(crate) fn rest(looks: u32) {
    match looks {
        0..200 => std::hint::spin_loop(),
        200..400 => std::thread::yield_now(),
        400..2000 => std::thread::sleep(Duration::from_micros(50)),
        _ => std::thread::sleep(Duration::from_millis(2)),
    }
}
