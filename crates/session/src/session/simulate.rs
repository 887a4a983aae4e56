//! A search of the position now on a simulated parallel machine: how fast it is, and who did what when.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use multigame_game::{Game, Portable};
use multigame_parallel::{Activity, Balance, Memory, MessagePolicy, PolicyKind, Setup, Span};
use multigame_player::value_text;
use multigame_search::{Engine, Found, Grounds, Monitor, Options, Proved, Root, RulesEvaluator};
use multigame_simulator::{
    Experiment, Faults, Machine, Outcome, Row, SimulationError, search_options, simulate,
};
use serde_json::{Value as Json, json};

use super::Session;
use crate::failure::Failure;
use crate::protocol::{Parallel, Reply, Simulate};

/// More processors cannot be told apart in a picture.
pub const MOST_PROCESSORS: u32 = 64;
/// What is simulated if nothing is said.
const USUAL_PROCESSORS: u32 = 16;
const USUAL_NETWORK: &str = "cm5";
/// Where no depth is given, one processor looks at about this many nodes, and takes no more than a part of
/// the time for each number of processors.
const USUAL_NODES: u64 = 40_000;
const TRIAL_SHARE: u32 = 4;
/// No simulated search goes deeper.
const DEEPEST: u32 = 20;
/// Nodes of one run; memory for what the processors did grows with them.
const MOST_NODES: u64 = 1_000_000;
/// Entries of each processor's table.
const ENTRIES: usize = 1 << 12;
/// Columns of a timeline.
const COLUMNS: usize = 240;
/// Between two reports.
const PAUSE: Duration = Duration::from_millis(200);

/// A parallel machine that can be simulated.
#[derive(Clone, Debug)]
pub struct Team {
    /// How many processors.
    pub processors: u32,
    policy: MessagePolicy,
    policy_name: String,
    machine: Machine,
    network: String,
}

impl Team {
    /// What its searches prove.
    pub fn grounds<G: Game>(&self, game: &G, options: &Options) -> Grounds {
        match PolicyKind::Messages(self.policy).is_sound() {
            true => Grounds::new(game, options, true),
            false => Grounds::NONE,
        }
    }

    /// The machine that a request asks for.
    pub fn new(wish: &Parallel) -> Result<Team, Failure> {
        let processors = wish.processors.unwrap_or(USUAL_PROCESSORS);
        if !(1..=MOST_PROCESSORS).contains(&processors) {
            let message = format!("`processors` is {processors}, but 1 to {MOST_PROCESSORS} are simulated");
            return Err(Failure::bad_request(message));
        }
        let kind = match &wish.policy {
            Some(name) => name.parse::<PolicyKind>().map_err(|error| bad(&error))?,
            None => PolicyKind::default(),
        };
        let Some(policy) = kind.messages() else {
            let message =
                format!("`{kind}` needs common memory and is not simulated; `GET /api` lists policies");
            return Err(Failure::bad_request(message));
        };
        let network = wish.network.clone().unwrap_or_else(|| USUAL_NETWORK.to_string());
        let machine = Machine::named(&network).map_err(|error| bad(&error))?;
        machine.topology.check(processors).map_err(|error| bad(&error))?;
        Ok(Team { processors, policy, policy_name: kind.to_string(), machine, network })
    }

    /// Has a part of the team search a position; `watch` is asked now and then with the nodes so far and may
    /// say stop, `witness` makes a monitor for each worker in the order of their numbers.
    pub fn search<G: Game, M: Monitor<G>>(
        &self,
        (game, evaluator, options): (&G, &RulesEvaluator, &Options),
        (root, depth): (&Root<G>, u32),
        processors: u32,
        watch: &mut dyn FnMut(u64) -> bool,
        witness: &dyn Fn() -> M,
    ) -> Result<Outcome<G::Move>, Failure> {
        let memory = Memory::USUAL;
        let balance = Balance::ZUGZWANG;
        let experiment = Experiment {
            processors,
            options,
            setup: Setup { balance, memory, ..Setup::fine(self.policy) },
            depth,
            machine: self.machine,
            faults: Faults::default(),
            seed: 1,
            entries: ENTRIES,
            spans: processors == self.processors,
        };
        simulate(game, evaluator, root, &experiment, &mut |_, nodes| watch(nodes), witness).map_err(|error| {
            match error {
                SimulationError::Rules(error) => (*error).into(),
                SimulationError::Table(_) => Failure::bad_request(error.to_string()),
            }
        })
    }
}

/// The switches of a search that can be simulated; the engine may be another one only if the text says so.
pub fn options(engine: Engine, text: Option<&str>) -> Result<Options, Failure> {
    search_options(engine, text.unwrap_or_default()).map_err(|error| bad(&error))
}

fn bad(error: &dyn std::error::Error) -> Failure {
    Failure::bad_request(error.to_string())
}

/// Looks at the clock, the stop and the size of a run for the simulator.
struct RunLimits<'p> {
    deadline: Instant,
    stopped: &'p dyn Fn() -> bool,
    most_nodes: u64,
    next_report: Cell<Instant>,
    report: &'p dyn Fn(u32, u64),
}

impl RunLimits<'_> {
    fn lasts(&self, processors: u32, nodes: u64) -> bool {
        let now = Instant::now();
        if now >= self.next_report.get() {
            self.next_report.set(now + PAUSE);
            (self.report)(processors, nodes);
        }
        now < self.deadline && nodes < self.most_nodes && !(self.stopped)()
    }
}

impl<'s, G: Portable> Session<'s, G> {
    /// Simulates searches of the position now with more and more processors.
    pub(super) fn simulate(&mut self, wish: &Simulate) -> Reply {
        self.legal()?;
        self.two_players("a puzzle is not simulated here; `solve` finds its solution")?;
        let team = Team::new(&wish.parallel)?;
        let options = options(Engine::NegaScout, wish.options.as_deref())?;
        if wish.depth.is_some_and(|depth| !(1..=DEEPEST).contains(&depth)) {
            return Err(Failure::bad_request(format!("`depth` is 1 to {DEEPEST}")));
        }
        self.mailbox.stops.begin(wish.number);
        let evaluator = self.evaluator()?;
        let root = Root::of_line(&self.line);
        let (stops, number) = (&self.mailbox.stops, wish.number);
        let stopped = || stops.flag().load(Ordering::Relaxed);
        let report = |processors: u32, nodes: u64| {
            let event = json!({"search": number, "processors": processors, "nodes": nodes});
            self.tell("simulating", event.to_string());
        };
        let limits = RunLimits {
            deadline: Instant::now() + Duration::from_millis(wish.time),
            stopped: &stopped,
            most_nodes: MOST_NODES,
            next_report: Cell::new(Instant::now()),
            report: &report,
        };
        let run = |depth: u32, processors: u32, goes_on: &dyn Fn(u64) -> bool| {
            let mut watch = |nodes: u64| goes_on(nodes) && limits.lasts(processors, nodes);
            team.search((self.game, &evaluator, &options), (&root, depth), processors, &mut watch, &|| ())
        };
        let ended = |outcome: &Outcome<G::Move>| match outcome.complete {
            true => Ok(()),
            false if stopped() => Err(Failure::new(409, "stopped", "the simulation was stopped")),
            false => Err(Failure::new(
                409,
                "unfinished",
                "the simulation took too long and was ended; try a smaller `depth` or more `time`",
            )),
        };
        let (depth, mut base) = match wish.depth {
            Some(depth) => (depth, None),
            None => {
                let share =
                    Duration::from_millis(wish.time) / TRIAL_SHARE / steps(team.processors).count() as u32;
                let end = Instant::now() + share;
                let trial = run(DEEPEST, 1, &|nodes| nodes < USUAL_NODES && Instant::now() < end)?;
                let depth = trial.result.depth.max(1);
                (depth, Some(trial).filter(|trial| trial.complete))
            }
        };
        let (mut rows, mut last, mut first) = (Vec::new(), None, None);
        for processors in steps(team.processors) {
            let outcome = match base.take() {
                Some(outcome) => outcome,
                None => run(depth, processors, &|_| true)?,
            };
            ended(&outcome)?;
            let first = *first.get_or_insert((outcome.time, outcome.statistics.nodes));
            rows.push(Row::new(&outcome, team.machine.prices.node, first));
            last = Some(outcome);
        }
        let Some(outcome) = last else { return Err(Failure::session_failed()) };
        let pv = self.line_moves(&outcome.result.pv, depth as usize)?;
        let rows: Vec<Json> = rows.iter().map(row_json).collect();
        let traffic = outcome.traffic.iter().filter(|(_, traffic)| traffic.count > 0);
        let traffic: Vec<Json> = traffic
            .map(|(kind, traffic)| json!({"kind": kind, "count": traffic.count, "bytes": traffic.bytes}))
            .collect();
        let result = &outcome.result;
        let found = Found { bounds: result.bounds, complete: result.complete };
        let proved = Proved::of_search(found, result.depth, team.grounds(self.game, &options));
        let body = json!({
            "search": wish.number,
            "processors": team.processors,
            "policy": team.policy_name,
            "network": team.network,
            "depth": depth,
            "value": outcome.value.number(),
            "value_text": value_text(result.bounds, proved),
            "pv": pv,
            "time": millis(outcome.time),
            "rows": rows,
            "traffic": traffic,
            "timeline": timeline(&outcome.spans, team.processors, outcome.time),
        });
        Ok(body.to_string())
    }
}

/// 1, 2, 4 and so on, and what was asked for at last.
fn steps(processors: u32) -> impl Iterator<Item = u32> {
    let powers = (0..).map(|power| 1u32 << power).take_while(move |&count| count < processors);
    powers.chain([processors])
}

fn millis(nanos: u64) -> f64 {
    nanos as f64 * 1e-6
}

fn row_json(row: &Row) -> Json {
    let share = |value: f64| (value * 1e4).round() / 1e4;
    json!({
        "processors": row.processors,
        "time": row.time * 1e3,
        "speedup": share(row.speedup),
        "efficiency": share(row.efficiency),
        "load": share(row.load),
        "overhead": share(row.overhead),
        "communication": share(row.communication),
        "idle": share(row.idle),
        "nodes": row.nodes,
        "parallelism": share(row.parallelism()),
        "messages": row.messages,
        "jobs": row.jobs,
    })
}

/// What each worker did in each of a number of columns of the whole time, in percent of the column.
pub fn timeline(spans: &[Span], workers: u32, end: u64) -> Json {
    let width = end.max(1).div_ceil(COLUMNS as u64);
    let columns = end.max(1).div_ceil(width) as usize;
    let mut shares = vec![[[0u64; 2]; COLUMNS]; workers as usize];
    for span in spans {
        let row = match span.activity {
            Activity::Work => 0,
            Activity::Messages | Activity::Routing => 1,
            Activity::Pause => continue,
        };
        let (mut from, to) = (span.from, span.to.min(end));
        while from < to {
            let column = (from / width) as usize;
            let edge = to.min((column as u64 + 1) * width);
            shares[span.processor as usize][column][row] += edge - from;
            from = edge;
        }
    }
    let percent = |time: u64| (time * 100).div_ceil(width).min(100);
    let lanes: Vec<Json> = shares
        .iter()
        .map(|lane| {
            let of = |row: usize| lane[..columns].iter().map(|share| percent(share[row])).collect::<Vec<_>>();
            let total =
                |row: usize| lane.iter().map(|share| share[row]).sum::<u64>() as f64 / end.max(1) as f64;
            json!({"work": of(0), "messages": of(1), "busy": total(0), "talking": total(1)})
        })
        .collect();
    json!({"end": millis(end), "step": millis(width), "lanes": lanes})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_processors_grow_to_the_one_asked_for() {
        assert_eq!(steps(1).collect::<Vec<_>>(), [1]);
        assert_eq!(steps(12).collect::<Vec<_>>(), [1, 2, 4, 8, 12]);
        assert_eq!(steps(16).collect::<Vec<_>>(), [1, 2, 4, 8, 16]);
    }

    #[test]
    fn columns_of_a_timeline_hold_what_happened_in_them() {
        let span = |processor, from, to, activity| Span { processor, from, to, activity };
        let spans = [
            span(0, 0, 1200, Activity::Work),
            span(1, 600, 605, Activity::Messages),
            span(1, 605, 2400, Activity::Work),
        ];
        let timeline = timeline(&spans, 2, 2400);
        let lane = |worker: usize, row: &str, column: usize| timeline["lanes"][worker][row][column].clone();
        assert_eq!(
            (lane(0, "work", 0), lane(0, "work", 119), lane(0, "work", 120)),
            (100.into(), 100.into(), 0.into())
        );
        assert_eq!((lane(1, "messages", 60), lane(1, "work", 60)), (50.into(), 50.into()));
        assert_eq!(timeline["lanes"][0]["busy"], 0.5);
        assert_eq!(timeline["lanes"][1]["work"].as_array().unwrap().len(), COLUMNS);
        // A run that is shorter than the picture has columns.
        assert_eq!(super::timeline(&[], 1, 3)["lanes"][0]["work"].as_array().unwrap().len(), 3);
    }
}
