//! Rank 0's end of a job.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use anyhow::{Context, bail};
use multigame_cluster::{Cluster, Rank};
use multigame_game::{Game, Portable, WithGame};
use multigame_ir::Program;
use multigame_parallel::{Form, Memory, check_verdict_memory};
use multigame_search::{Engine, Options, Root, RulesEvaluator};
use multigame_threads::{Beyond, ProcessReport};

use super::journey::{Clock, Journey, Overhead};
use super::machine::Machine;
use super::orders::{EvaluatorSpec, JudgeSpec, Order, Reply, SearchOrder, read, write};
use super::turns::Rulebook;
use super::warm::warm_up;
use super::{Elsewhere, fingerprint};
use crate::Configuration;

/// The conductor of a job; see the module above.
#[derive(Debug)]
pub struct Ranks {
    cluster: Cluster,
    machines: Vec<Machine>,
    searches: AtomicU64,
    /// What the others were equipped with last.
    equipped: Mutex<Option<(JudgeSpec, Options)>>,
    /// The rules that they play, if players take turns.
    learned: Mutex<Option<Arc<Rulebook>>>,
    /// Held by the player whose turn it is.
    pub(super) turns: Mutex<()>,
    /// When the job began: the origin of its clock.
    start: Instant,
}

impl Ranks {
    /// Gets to know the other ranks. Fails if they run another program; then they are sent away.
    pub fn new(cluster: Cluster) -> anyhow::Result<Ranks> {
        let start = Instant::now();
        let machines = introduced(&cluster).inspect_err(|_| send_away(&cluster))?;
        let (searches, equipped, learned) = (AtomicU64::new(0), Mutex::default(), Mutex::default());
        Ok(Ranks { cluster, machines, searches, equipped, learned, turns: Mutex::new(()), start })
    }

    /// How many ranks there are.
    pub fn size(&self) -> u32 {
        self.cluster.size()
    }

    /// Where they run.
    pub fn machines(&self) -> &[Machine] {
        &self.machines
    }

    /// By how much the clocks of each rank are ahead of this one's now.
    pub fn clocks(&self) -> anyhow::Result<Vec<Clock>> {
        (0..self.size()).map(|rank| Clock::of(&self.cluster, rank, self.start)).collect()
    }

    /// How long messages between two ranks take.
    pub fn journey(&self, from: Rank, to: Rank) -> anyhow::Result<Journey> {
        if from == self.cluster.rank() {
            return Journey::between(&self.cluster, to);
        }
        self.cluster.send_order(from, write(&Order::Travel(to)));
        match reply(&self.cluster)?.1 {
            Reply::Journey(journey) => Ok(journey),
            reply => bail!("{} did not travel: {}", self.cluster.name_of(from), reason(&reply)),
        }
    }

    /// The ranks for a player of a game, which judges positions like this.
    pub fn others<'l, G: Portable>(
        &'l self,
        game: &'l G,
        evaluator: EvaluatorSpec,
    ) -> Box<dyn OtherRanks<G> + 'l> {
        Box::new(Conductor { ranks: self, game, evaluator, book: None })
    }

    /// Rank 0's end of the cluster.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// What a small message to another rank costs, besides the time it is on its way.
    pub fn overhead(&self, to: Rank) -> anyhow::Result<Overhead> {
        Overhead::of(&self.cluster, to)
    }

    /// Tells all ranks what to play; they make ready while this one does.
    pub fn load(&self, program: &Program, interpret: bool) -> Loading<'_> {
        self.load_text(multigame_ir::print(program), interpret)
    }

    /// The same for the text of a program.
    pub(super) fn load_text(&self, program: String, interpret: bool) -> Loading<'_> {
        (*self.equipped(), *self.learned()) = (None, None);
        tell_all(&self.cluster, &Order::Load { program: program.clone(), interpret });
        Loading { ranks: self, program }
    }

    /// Waits until all ranks are ready. Fails if one of them makes something else of what it was told.
    fn all_ready(&self, own: u64, what: &str) -> anyhow::Result<()> {
        for (rank, reply) in (1..).zip(replies(&self.cluster)?) {
            let name = self.cluster.name_of(rank);
            match reply {
                Reply::Ready(other) if other == own => {}
                Reply::Ready(other) => bail!(
                    "{name} plays other rules ({what} {other:016x}) than {} ({own:016x}): install the same program everywhere",
                    self.cluster.name_of(0)
                ),
                reply => bail!("{name} cannot play this game: {}", reason(&reply)),
            }
        }
        Ok(())
    }

    fn equipped(&self) -> MutexGuard<'_, Option<(JudgeSpec, Options)>> {
        self.equipped.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The number of another search; each has one of its own.
    pub(super) fn next_search(&self) -> u64 {
        self.searches.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The rules that all ranks play, if players take turns.
    pub(super) fn learned(&self) -> MutexGuard<'_, Option<Arc<Rulebook>>> {
        self.learned.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Has all ranks judge positions alike and make room for a table, unless they have. `own` is the
    /// fingerprint of this rank's judge.
    fn equip(&self, judge: JudgeSpec, options: &Options, own: impl FnOnce() -> u64) -> anyhow::Result<()> {
        // The interval between looks at the clock makes no difference to the preparations.
        let wanted = Some((judge.clone(), Options { poll_interval: 0, ..options.clone() }));
        let mut equipped = self.equipped();
        if *equipped == wanted {
            return Ok(());
        }
        let order = Order::Equip { judge: Box::new(judge), options: Box::new(options.clone()) };
        tell_all(&self.cluster, &order);
        self.all_ready(own(), "values")?;
        *equipped = wanted;
        Ok(())
    }

    /// Ends the job: all ranks leave. A search that is running is waited for, and none begins any more.
    pub fn quit(&self) {
        std::mem::forget(self.turn());
        send_away(&self.cluster);
    }
}

/// All ranks are making ready to play.
#[derive(Debug)]
#[must_use]
pub struct Loading<'r> {
    ranks: &'r Ranks,
    program: String,
}

impl Loading<'_> {
    /// Waits until they are ready, and fails if they play another game than this one.
    pub fn wait<G: Game>(self, game: &G) -> anyhow::Result<()> {
        self.ranks.all_ready(fingerprint::of_game(game, &self.program), "moves")
    }
}

/// A task that begins when all ranks play the game.
#[derive(Debug)]
pub struct Together<'r, T> {
    /// What they are doing meanwhile, if there are any.
    pub loading: Option<Loading<'r>>,
    /// What to do then.
    pub task: T,
}

impl<R, T: WithGame<Output = anyhow::Result<R>>> WithGame for Together<'_, T> {
    type Output = anyhow::Result<R>;

    fn run<G: Portable + 'static>(self, game: G) -> anyhow::Result<R> {
        self.loading.map_or(Ok(()), |loading| loading.wait(&game))?;
        self.task.run(game)
    }
}

/// Who the ranks are. Fails if one of them runs another program.
fn introduced(cluster: &Cluster) -> anyhow::Result<Vec<Machine>> {
    let mut machines = vec![Machine::here(cluster.host(), cluster.library())];
    tell_all(cluster, &Order::Introduce);
    for reply in replies(cluster)? {
        let Reply::Machine(text) = reply else { bail!("a rank did not introduce itself") };
        machines.push(Machine::of_text(&text));
    }
    for (rank, machine) in (0..).zip(&machines) {
        cluster.call(rank, &machine.host);
    }
    let own = &machines[0].program;
    if let Some(other) = (0..machines.len()).find(|&rank| machines[rank].program != *own) {
        bail!(
            "{} runs multigame {}, {} runs {own}: install the same program everywhere",
            cluster.name_of(other as Rank),
            machines[other].program,
            cluster.name_of(0)
        );
    }
    Ok(machines)
}

fn send_away(cluster: &Cluster) {
    tell_all(cluster, &Order::Quit);
    cluster.let_leave();
}

fn tell_all(cluster: &Cluster, order: &Order) {
    let bytes = write(order);
    cluster.others().for_each(|rank| cluster.send_order(rank, bytes.clone()));
}

pub(super) fn reply(cluster: &Cluster) -> anyhow::Result<(Rank, Reply)> {
    let (rank, bytes) = cluster.order()?;
    Ok((rank, read(&bytes).with_context(|| cluster.name_of(rank))?))
}

/// One reply of each other rank, by rank.
fn replies(cluster: &Cluster) -> anyhow::Result<Vec<Reply>> {
    let mut replies = vec![None; cluster.size() as usize - 1];
    while replies.iter().any(Option::is_none) {
        let (rank, reply) = reply(cluster)?;
        let place = rank.checked_sub(1).and_then(|place| replies.get_mut(place as usize));
        *place.context("rank 0 answered itself")? = Some(reply);
    }
    Ok(replies.into_iter().flatten().collect())
}

fn reason(reply: &Reply) -> String {
    match reply {
        Reply::Refused(reason) => reason.clone(),
        other => format!("it answered {other:?}"),
    }
}

/// What the other ranks did in a search, when all have finished it.
pub(super) fn reports(cluster: &Cluster, search: u64) -> anyhow::Result<Vec<ProcessReport>> {
    let mut reports = Vec::new();
    for (rank, reply) in (1..).zip(replies(cluster)?) {
        match reply {
            Reply::Searched(number, report) if number == search => reports.push(*report),
            reply => bail!("{} did not finish the search: {}", cluster.name_of(rank), reason(&reply)),
        }
    }
    Ok(reports)
}

/// Makes this rank ready for searches, as others make themselves; gives the fingerprint of its judge.
pub(super) fn made_ready<G: Game>(game: &G, evaluator: &RulesEvaluator, options: &Options) -> u64 {
    warm_up(game, evaluator, options);
    fingerprint::of_evaluator(game, evaluator)
}

/// The other ranks, for a player of any game.
pub trait OtherRanks<G: Game>: Send + Sync {
    /// How many ranks there are.
    fn size(&self) -> u32;

    /// Has the others make ready for searches with these options, which takes a while the first time. They
    /// must judge positions like this rank's evaluator.
    fn prepare(&self, options: &Options, evaluator: &RulesEvaluator) -> anyhow::Result<()>;

    /// Has the others forget everything learned from searches before the next one.
    fn forget(&self);

    /// Begins a search for which the others have made ready; they work from now on, until the search ends.
    fn begin(
        &self,
        configuration: &Configuration,
        root: &Root<G>,
        depth: u32,
        trace: bool,
    ) -> anyhow::Result<Box<dyn Beyond<G> + '_>>;
}

/// The other ranks with a game whose positions can travel.
pub(crate) struct Conductor<'l, G> {
    pub ranks: &'l Ranks,
    pub game: &'l G,
    pub evaluator: EvaluatorSpec,
    /// The rules of the game, where the ranks may be playing another one.
    pub book: Option<Arc<Rulebook>>,
}

impl<G: Portable> OtherRanks<G> for Conductor<'_, G> {
    fn size(&self) -> u32 {
        self.ranks.size()
    }

    fn prepare(&self, options: &Options, evaluator: &RulesEvaluator) -> anyhow::Result<()> {
        let Conductor { ranks, game, evaluator: spec, book } = self;
        if let Some(book) = book {
            ranks.learn(book, *game)?;
        }
        let judge = match evaluator.is_nothing() {
            true => JudgeSpec::Nothing,
            false => JudgeSpec::Rules(spec.clone()),
        };
        ranks.equip(judge, options, || made_ready(*game, evaluator, options))
    }

    fn forget(&self) {
        // Who is equipped anew begins with an empty table.
        *self.ranks.equipped() = None;
    }

    fn begin(
        &self,
        configuration: &Configuration,
        root: &Root<G>,
        depth: u32,
        trace: bool,
    ) -> anyhow::Result<Box<dyn Beyond<G> + '_>> {
        let ranks = self.ranks;
        let Configuration { search: options, threads, policy, memory, .. } = configuration;
        let usual = match options.engine {
            Engine::Verdict => Memory::of(Form::Replicated),
            engine => policy.usual_memory(engine == Engine::IdaStar, ranks.size()),
        };
        let memory = memory.unwrap_or(usual);
        match options.engine {
            Engine::IdaStar => policy.check_memory(memory),
            Engine::Verdict => check_verdict_memory(memory),
            _ => Ok(()),
        }
        .map_err(anyhow::Error::msg)?;
        let number = ranks.next_search();
        let elsewhere = Elsewhere::new(&ranks.cluster, self.game, number, *threads, memory);
        let order = SearchOrder {
            number,
            root: root.pack(self.game),
            depth,
            options: options.clone(),
            threads: *threads,
            policy: policy.to_string(),
            memory: memory.to_string(),
            trace,
            began: 0,
        };
        // Clocks drift apart, so they are compared anew.
        let clocks = if trace { ranks.clocks()? } else { vec![Clock::default(); ranks.size() as usize] };
        for rank in ranks.cluster.others() {
            // Each hears in its own time when the search began.
            let began = ranks.start.elapsed().as_nanos() as i64 + clocks[rank as usize].own;
            let order = Order::Search(Box::new(SearchOrder { began, ..order.clone() }));
            ranks.cluster.send_order(rank, write(&order));
        }
        Ok(Box::new(elsewhere))
    }
}
