//! Work that is farmed out: numbered parts that do not depend on each other, such as the games of a match.
//!
//! Rank 0 tells the others what the work is, and gives them one part after the other, also to threads of its
//! own. A rank asks for as many parts as it has threads. Where parts are small it asks for more, so that it
//! does not wait for rank 0. What came of the parts is reported on rank 0, in the order of the parts, whoever
//! did them. Every part that was given away is answered, also after a stop.

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};

use anyhow::{Context, bail};
use multigame_cluster::{Cluster, Rank};
use multigame_game::Portable;
use multigame_threads::{InOrder, Tasks};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::conductor::Ranks;
use super::member::answer;
use super::orders::{Order, PartResult, Reply, read, write};

/// Work as other ranks are told of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Errand {
    /// What is to be done: known to those who do it.
    pub task: Task,
    /// Threads of each rank.
    pub threads: u32,
    /// Parts that a rank has beside those that its threads are at.
    pub ahead: u32,
}

/// What other ranks can be asked to do part by part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Task {
    /// Count leaves of the tree below a position.
    Leaves {
        /// The position.
        position: Vec<u8>,
        /// How deep.
        depth: u32,
        /// Parts of the tree at least.
        parts: u32,
    },
    /// What the program's [`Chores`] know about the game that all ranks play.
    Chore(Vec<u8>),
    /// What they know without any game.
    Gameless(Vec<u8>),
}

/// What a program lets other ranks do for it.
pub trait Chores {
    /// Does the parts that `hand` gets of a chore. An error before the first part is told to rank 0.
    fn work<G: Portable>(&self, game: &G, chore: &[u8], hand: &Farmhand<'_>) -> anyhow::Result<()>;

    /// The same for a chore that needs no game.
    fn work_gameless(&self, chore: &[u8], hand: &Farmhand<'_>) -> anyhow::Result<()>;
}

/// For programs that have no chores.
impl Chores for () {
    fn work<G: Portable>(&self, _: &G, _: &[u8], _: &Farmhand<'_>) -> anyhow::Result<()> {
        bail!("this program does not know the chore; install the same program everywhere")
    }

    fn work_gameless(&self, _: &[u8], _: &Farmhand<'_>) -> anyhow::Result<()> {
        bail!("this program does not know the chore; install the same program everywhere")
    }
}

/// The other ranks of a job, and what they are told of some work.
#[derive(Clone, Debug)]
pub struct Farm<'r> {
    ranks: &'r Ranks,
    errand: Errand,
}

impl Ranks {
    /// The ranks for a chore that this many threads of each rank do.
    pub fn farm(&self, chore: &impl Serialize, threads: u32) -> Farm<'_> {
        Farm { ranks: self, errand: Errand { task: Task::Chore(write(chore)), threads, ahead: 0 } }
    }

    /// The same for a chore that needs no game, so that the ranks may not have been told any.
    pub fn farm_gameless(&self, chore: &impl Serialize, threads: u32) -> Farm<'_> {
        Farm { ranks: self, errand: Errand { task: Task::Gameless(write(chore)), threads, ahead: 0 } }
    }
}

/// The chore that bytes describe.
pub fn read_chore<T: DeserializeOwned>(bytes: &[u8]) -> anyhow::Result<T> {
    read(bytes)
}

/// Does tasks of these numbers here and, if there is a farm, on the other ranks. With a farm they are
/// reported in the order of the numbers, otherwise as they end.
pub fn work_off<W, T: Send + Serialize + DeserializeOwned>(
    tasks: &Tasks<'_, W, T>,
    numbers: impl IntoIterator<Item = usize>,
    farm: Option<&Farm<'_>>,
    report: &mut dyn FnMut(usize, T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let Some(farm) = farm else { return tasks.run(numbers, report) };
    let numbers: VecDeque<usize> = numbers.into_iter().collect();
    let mut in_order = InOrder::new(numbers.iter().copied());
    let queue = Mutex::new(numbers);
    let next = || lock(&queue).pop_front();
    let elsewhere = |done: &mut dyn FnMut(usize, T)| farm.give(tasks.stop, &next, done);
    tasks.run_with(&next, Some(&elsewhere), &mut |number, done| in_order.take(number, done, report))?;
    in_order.finish(report)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Farm<'_> {
    /// Gives parts to the other ranks until there are none left, and hands over what came of them.
    fn give<T: DeserializeOwned>(
        &self,
        stop: &AtomicBool,
        next: &dyn Fn() -> Option<usize>,
        done: &mut dyn FnMut(usize, T),
    ) -> anyhow::Result<()> {
        let cluster = self.ranks.cluster();
        let order = write(&Order::Work(self.errand.clone()));
        cluster.others().for_each(|rank| cluster.send_order(rank, order.clone()));
        let slots = self.errand.slots();
        // For each rank how many parts it may still ask for.
        let mut open = vec![slots; cluster.size() as usize];
        open[cluster.rank() as usize] = 0;
        let mut given: HashSet<(Rank, u32)> = HashSet::new();
        let (mut failure, mut told) = (None, false);
        while open.iter().any(|&open| open > 0) {
            if !told && stop.load(Ordering::Relaxed) {
                told = true;
                let busy = (0..).zip(&open).filter(|(_, open)| **open > 0);
                busy.for_each(|(rank, _)| cluster.send_order(rank, write(&Order::Stop)));
            }
            let heard = cluster.order_beside_work(&|| !told && stop.load(Ordering::Relaxed))?;
            let Some((rank, bytes)) = heard else { continue };
            let name = || cluster.name_of(rank);
            let Reply::Part(answered) = read(&bytes).with_context(name)? else {
                bail!("{} said something else than what came of its work", name());
            };
            if let Some((number, result)) = answered {
                if !given.remove(&(rank, number)) {
                    bail!("{} has done a part that it was not given", name());
                }
                match result {
                    Ok(Some(bytes)) => done(number as usize, read(&bytes).with_context(name)?),
                    Ok(None) => {}
                    Err(reason) => {
                        stop.store(true, Ordering::Relaxed);
                        failure.get_or_insert_with(|| anyhow::anyhow!("{}: {reason}", name()));
                    }
                }
            }
            let stopped = stop.load(Ordering::Relaxed);
            let part = if stopped { None } else { next().and_then(|part| u32::try_from(part).ok()) };
            match part {
                Some(part) => drop(given.insert((rank, part))),
                None => {
                    let open = &mut open[rank as usize];
                    *open = open.checked_sub(1).with_context(|| format!("{} asked too often", name()))?;
                }
            }
            cluster.send_order(rank, write(&Order::Part(part)));
        }
        failure.map_or(Ok(()), Err)
    }
}

impl Errand {
    /// Parts that a rank has at most at the same time.
    fn slots(&self) -> u32 {
        self.threads.max(1).saturating_add(self.ahead)
    }
}

/// Another rank at work that is farmed out.
#[derive(Debug)]
pub struct Farmhand<'c> {
    cluster: &'c Cluster,
    errand: &'c Errand,
    /// Whether rank 0 has stopped the work.
    stop: AtomicBool,
    begun: AtomicBool,
}

impl<'c> Farmhand<'c> {
    fn new(cluster: &'c Cluster, errand: &'c Errand) -> Farmhand<'c> {
        Farmhand { cluster, errand, stop: AtomicBool::new(false), begun: AtomicBool::new(false) }
    }

    /// Set when no part is wanted any more.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Does parts until there are none left: each thread makes itself a worker, and `work` does the part of
    /// a number; nothing comes of one that was stopped.
    pub fn work_off<W, T: Serialize>(
        &self,
        worker: &(dyn Fn() -> anyhow::Result<W> + Sync),
        work: &(dyn Fn(&mut W, usize) -> anyhow::Result<Option<T>> + Sync),
    ) -> anyhow::Result<()> {
        self.begun.store(true, Ordering::Relaxed);
        let reason = |error: anyhow::Error| format!("{error:#}");
        let worker = || anyhow::Ok(worker().map_err(reason));
        let work = |worker: &mut Result<W, String>, number: usize| {
            let done: PartResult = match worker {
                _ if self.stop.load(Ordering::Relaxed) => Ok(None),
                Ok(worker) => work(worker, number).map(|done| done.map(|it| write(&it))).map_err(reason),
                Err(reason) => Err(reason.clone()),
            };
            anyhow::Ok(Some(done))
        };
        let (send, receive) = mpsc::channel();
        let (receive, ended) = (Mutex::new(receive), AtomicBool::new(false));
        let next = || lock(&receive).recv().ok();
        // Every part is answered, so that a stop is none of the threads.
        let never = AtomicBool::new(false);
        let tasks =
            Tasks { threads: self.errand.threads as usize, stop: &never, worker: &worker, work: &work };
        std::thread::scope(|scope| {
            let hearing = scope.spawn(|| self.hear(send, &ended));
            let worked = tasks.run_with(&next, None, &mut |number, done| {
                answer(self.cluster, 0, &Reply::Part(Some((number as u32, done))));
                Ok(())
            });
            ended.store(true, Ordering::Relaxed);
            let heard = hearing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            worked.and(heard)
        })
    }

    /// Hears which parts are to be done, until there are none left or the threads have ended.
    fn hear(&self, parts: mpsc::Sender<usize>, ended: &AtomicBool) -> anyhow::Result<()> {
        let slots = self.errand.slots();
        (0..slots).for_each(|_| answer(self.cluster, 0, &Reply::Part(None)));
        let mut open = slots;
        while open > 0 {
            let heard = self.cluster.order_beside_work(&|| ended.load(Ordering::Relaxed))?;
            let Some((_, bytes)) = heard else { break };
            match read(&bytes)? {
                Order::Part(Some(part)) => parts.send(part as usize).context("the threads have ended")?,
                Order::Part(None) => open -= 1,
                Order::Stop => self.stop.store(true, Ordering::Relaxed),
                order => bail!("rank 0 asked for {order:?} while this rank works"),
            }
        }
        Ok(())
    }
}

/// Does what rank 0 gives this rank of some work.
pub(super) fn do_errand<G: Portable>(
    cluster: &Cluster,
    game: &G,
    errand: &Errand,
    chores: &impl Chores,
) -> anyhow::Result<()> {
    take_part(cluster, errand, |hand| match &errand.task {
        Task::Leaves { position, depth, parts } => super::leaves::count(game, position, *depth, *parts, hand),
        Task::Chore(chore) => chores.work(game, chore, hand),
        Task::Gameless(chore) => chores.work_gameless(chore, hand),
    })
}

/// The same before there is a game.
pub(super) fn do_gameless(cluster: &Cluster, errand: &Errand, chores: &impl Chores) -> anyhow::Result<()> {
    take_part(cluster, errand, |hand| match &errand.task {
        Task::Gameless(chore) => chores.work_gameless(chore, hand),
        Task::Leaves { .. } | Task::Chore(_) => bail!("rank 0 has not said which game"),
    })
}

fn take_part(
    cluster: &Cluster,
    errand: &Errand,
    work: impl FnOnce(&Farmhand<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let hand = Farmhand::new(cluster, errand);
    match work(&hand) {
        // Rank 0 hears why as soon as it gives a part away.
        Err(error) if !hand.begun.load(Ordering::Relaxed) => {
            let refuse = || anyhow::Result::<()>::Err(anyhow::anyhow!("{error:#}"));
            hand.work_off(&refuse, &|(): &mut (), _| anyhow::Ok(Some(())))
        }
        done => done,
    }
}

impl Ranks {
    /// The ranks for small parts: they have several at hand.
    pub(super) fn farm_small(&self, task: Task, threads: u32, ahead: u32) -> Farm<'_> {
        Farm { ranks: self, errand: Errand { task, threads, ahead } }
    }
}
