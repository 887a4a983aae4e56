//! What ranks other than 0 do: wait for orders and follow them.

use std::time::Instant;

use anyhow::{Context, bail};
use multigame_cluster::{Cluster, Rank};
use multigame_game::{Portable, WithGame};
use multigame_search::{Options, Root, RulesEvaluator, TranspositionTable, Workspace};
use multigame_threads::{Crew, ProcessReport};

use super::conductor::made_ready;
use super::farm::{Chores, do_errand, do_gameless};
use super::journey::Journey;
use super::machine::Machine;
use super::orders::{FileNames, JudgeSpec, Order, Reply, SearchOrder, Time, read, write};
use super::{Elsewhere, fingerprint};

/// What a rank does next.
#[derive(Debug)]
pub enum Next {
    /// Play the game of this move program, perhaps by the interpreter.
    Load {
        /// The program's text.
        program: String,
        /// Whether the interpreter is to play it.
        interpret: bool,
    },
    /// Leave.
    Quit,
}

/// Waits for the first game.
pub fn no_game(cluster: &Cluster, start: Instant, chores: &impl Chores) -> anyhow::Result<Next> {
    loop {
        match next_order(cluster)? {
            (_, Order::Work(errand)) => do_gameless(cluster, &errand, chores)?,
            (from, order) => {
                if let Some(next) = follow_anywhere(cluster, start, from, order)? {
                    return Ok(next);
                }
            }
        }
    }
}

/// Follows orders that concern one game, until another one comes.
pub struct Member<'c, C> {
    /// Its end of the cluster.
    pub cluster: &'c Cluster,
    /// The origin of its clock.
    pub start: Instant,
    /// The text of the program that the game was made of.
    pub program: &'c str,
    /// What it does for rank 0 beside searching.
    pub chores: &'c C,
}

impl<C: Chores> WithGame for Member<'_, C> {
    type Output = anyhow::Result<Next>;

    fn run<G: Portable>(self, game: G) -> anyhow::Result<Next> {
        answer(self.cluster, 0, &Reply::Ready(fingerprint::of_game(&game, self.program)));
        let cluster = self.cluster;
        let mut tools = Tools::<G>::new(&game)?;
        loop {
            let (from, order) = next_order(cluster)?;
            match order {
                Order::Equip { judge, options } => {
                    let taken = tools.take(&game, &judge, &options);
                    let refuse = |error: anyhow::Error| Reply::Refused(format!("{error:#}"));
                    answer(cluster, from, &taken.map_or_else(refuse, Reply::Ready));
                }
                Order::Search(order) => {
                    let report = tools.search(cluster, &game, &order, self.start)?;
                    answer(cluster, from, &Reply::Searched(order.number, Box::new(report)));
                }
                Order::Take { number, messages } => {
                    let taken = super::states::take(cluster, &game, number, messages);
                    answer(cluster, from, &Reply::Ready(taken));
                }
                Order::Work(errand) => do_errand(cluster, &game, &errand, self.chores)?,
                order => {
                    if let Some(next) = follow_anywhere(cluster, self.start, from, order)? {
                        return Ok(next);
                    }
                }
            }
        }
    }
}

/// What a rank searches with.
struct Tools<G: Portable> {
    /// What judges positions.
    evaluator: RulesEvaluator,
    table: Option<TranspositionTable>,
    kind: (usize, multigame_search::Layout),
    workspaces: Vec<Workspace<G>>,
}

impl<G: Portable> Tools<G> {
    fn new(game: &G) -> anyhow::Result<Self> {
        let evaluator = RulesEvaluator::new(game, None).map_err(anyhow::Error::msg)?;
        Ok(Tools { evaluator, table: None, kind: Default::default(), workspaces: Vec::new() })
    }

    /// Judges like this from now on, and has an empty table; gives the fingerprint of the judge.
    fn take(&mut self, game: &G, judge: &JudgeSpec, options: &Options) -> anyhow::Result<u64> {
        self.evaluator = match judge {
            JudgeSpec::Rules(spec) => spec.evaluator(game, &FileNames::default())?,
            JudgeSpec::Nothing => RulesEvaluator::nothing(game),
        };
        self.workspaces = Vec::new();
        self.make_table(options)?;
        Ok(made_ready(game, &self.evaluator, options))
    }

    fn make_table(&mut self, options: &Options) -> anyhow::Result<()> {
        let kind = (options.table_mib, options.table_layout);
        if !options.table {
            self.table = None;
        } else if self.table.is_none() || self.kind != kind {
            self.table = None;
            crate::player::check_memory(options.table_mib)?;
            self.table = Some(TranspositionTable::new(options.table_mib, options.table_layout)?);
            self.kind = kind;
        } else if let Some(table) = &self.table {
            table.clear();
        }
        Ok(())
    }

    /// Works for a search of rank 0, as it is equipped.
    fn search(
        &mut self,
        cluster: &Cluster,
        game: &G,
        order: &SearchOrder,
        start: Instant,
    ) -> anyhow::Result<ProcessReport> {
        let Tools { evaluator, table, workspaces, .. } = self;
        search(cluster, game, evaluator, (table.as_ref(), workspaces), order, start)
    }
}

fn search<G: Portable>(
    cluster: &Cluster,
    game: &G,
    evaluator: &RulesEvaluator,
    (table, workspaces): (Option<&TranspositionTable>, &mut Vec<Workspace<G>>),
    order: &SearchOrder,
    start: Instant,
) -> anyhow::Result<ProcessReport> {
    let shift = (start.elapsed().as_nanos() as i64).saturating_sub(order.began);
    let root = Root::unpack(game, &order.root).context("the position to search")?;
    let (options, memory) = (order.options.clone(), order.memory.parse()?);
    let (threads, policy) = (order.threads, order.policy.parse()?);
    let elsewhere = Elsewhere::new(cluster, game, order.number, threads, memory);
    let mut crew = Crew::new(game, evaluator, options, threads, policy)?.with_others(&elsewhere)?;
    crew = crew.with_trace(order.trace).with_workspaces(std::mem::take(workspaces));
    if let Some(table) = table {
        crew = crew.with_table(table);
    }
    let mut report = crew.assist(&root, order.depth)?;
    *workspaces = crew.into_workspaces();
    for span in &mut report.spans {
        span.from = span.from.saturating_add_signed(shift);
        span.to = span.to.saturating_add_signed(shift);
    }
    Ok(report)
}

/// Follows orders that need no game; what is next if they end the present one.
fn follow_anywhere(
    cluster: &Cluster,
    start: Instant,
    from: Rank,
    order: Order,
) -> anyhow::Result<Option<Next>> {
    match order {
        Order::Introduce => {
            let machine = Machine::here(cluster.host(), cluster.library());
            answer(cluster, from, &Reply::Machine(machine.text()));
        }
        Order::Clock => answer(cluster, from, &Reply::Time(Time::now(start))),
        Order::Echo(bytes) => answer(cluster, from, &Reply::Echo(bytes)),
        Order::Travel(to) if to < cluster.size() && to != cluster.rank() => {
            answer(cluster, from, &Reply::Journey(Journey::between(cluster, to)?));
        }
        Order::Load { program, interpret } => return Ok(Some(Next::Load { program, interpret })),
        Order::Quit => return Ok(Some(Next::Quit)),
        order => bail!("rank 0 asked for {order:?} before it said which game"),
    }
    Ok(None)
}

fn next_order(cluster: &Cluster) -> anyhow::Result<(Rank, Order)> {
    let (from, bytes) = cluster.order()?;
    Ok((from, read(&bytes)?))
}

pub(super) fn answer(cluster: &Cluster, to: Rank, reply: &Reply) {
    cluster.send_order(to, write(reply));
}
