//! Ranks of a job inside of one process: every search by several ranks says what one rank says, in any
//! weather.

mod jobs;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use multigame_cluster::memory::{self, Weather};
use multigame_cluster::{Cluster, SilenceLimit};
use multigame_game::{Game, Line, Portable, WithGame, parse_position};
use multigame_ir::Program;
use multigame_jit::JitGame;
use multigame_parallel::Memory;
use multigame_player::ranks::{
    Chores, EvaluatorSpec, Farmhand, FileNames, Member, Next, Ranks, Rulebook, no_game, read_chore, work_off,
};
use multigame_player::{Configuration, Limits, News, Player, Solver, Solving, Thought};
use multigame_search::{Engine, Options, RulesEvaluator};

use multigame_threads::Tasks;
use serde::{Deserialize, Serialize};

use jobs::{SILENCE, job, job_with};

fn program(name: &str, set: &[(&str, i64)]) -> Program {
    let source = multigame_loader::source(name).unwrap();
    let set: Vec<(String, i64)> = set.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    multigame_loader::compile(&source, &set).program.unwrap()
}

/// What a player says about a position, alone or together with others.
fn think(
    game: &JitGame,
    position: &str,
    configuration: &Configuration,
    limits: Limits,
    others: Option<(&Ranks, Memory)>,
) -> Thought<<JitGame as Game>::Move> {
    let stop = AtomicBool::new(false);
    let diagram = parse_position(game.description(), position).unwrap();
    let line = Line::new(game, game.position(&diagram));
    let memory = others.map(|(_, memory)| memory);
    let configuration = Configuration { memory, ..configuration.clone() };
    let mut player = Player::new(game, configuration, limits, &stop).unwrap();
    if let Some((ranks, _)) = others {
        player = player.with_others(ranks.others(game, EvaluatorSpec::default()));
        assert!(player.uses_others());
    }
    player.search(&line, &mut |_| ()).unwrap()
}

fn exact(engine: Engine, policy: &str, threads: u32) -> Configuration {
    let text = "tt=on,quiescence=on,quiescence-depth=4,repetition=off,depth-exact=on,tt-size=1,history=on,killers=on";
    let options = Options::plain(engine).with(text).unwrap();
    let configuration = Configuration::from(options).with_engine(engine);
    Configuration { policy: policy.parse().unwrap(), threads, ..configuration }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Policies that send messages, all of them that are sound.
const POLICIES: [&str; 15] = [
    "ybwc",
    "ybwc-1-2",
    "ybwc*",
    "ybwc-1-2*",
    "ybwc-1",
    "free",
    "jamboree",
    "jamboree-2",
    "root-splitting",
    "pv-splitting",
    "exhaustive",
    "mwf",
    "speculative-1",
    "speculative-2",
    "lazy-smp",
];
/// Forms of the table.
const MEMORIES: [&str; 9] = [
    "private",
    "replicated:tell=1:company=3",
    "partitioned:depth=1",
    "hybrid",
    "hybrid:depth=1:company=4",
    "partitioned:depth=1:ahead=64",
    "hybrid:depth=1:ahead=3",
    "hybrid:depth=1:tell=3:ahead=64:family=on",
    "partitioned:depth=2:family=on",
];
const SIZES: [u32; 5] = [2, 3, 4, 8, 1];
/// Engines that search together.
const ENGINES: [Engine; 3] = [Engine::NegaScout, Engine::AlphaBeta, Engine::Mtdf];
/// The seeds of the short form; `RANKS_SEEDS=1000` for the long one.
const SEEDS: u64 = 14;
/// Searches of each seed.
const STEPS: u64 = 3;
/// After this many seeds every policy was tried with every form, number of ranks and number of threads.
const ALL_SEEDS: u64 = 450;

/// What is tried: the number of ranks; the policy, the form of the table and the number of threads; the
/// engine.
fn tried(seed: u64, step: u64) -> (u32, (&'static str, &'static str, u32), Engine) {
    let number = seed / SIZES.len() as u64 * STEPS + step;
    // Neighbours differ in everything.
    let place = (number * 71 % (POLICIES.len() * MEMORIES.len() * 2) as u64) as usize;
    let (policy, rest) = (POLICIES[place % POLICIES.len()], place / POLICIES.len());
    let what = (policy, MEMORIES[rest % MEMORIES.len()], 1 + (rest / MEMORIES.len()) as u32);
    (SIZES[seed as usize % SIZES.len()], what, ENGINES[(number + number / 3) as usize % ENGINES.len()])
}

#[test]
fn the_long_form_tries_everything_with_everything() {
    let numbers = (0..ALL_SEEDS).flat_map(|seed| (0..STEPS).map(move |step| (seed, step)));
    let tried: HashSet<_> = numbers.map(|(seed, step)| tried(seed, step)).map(|it| (it.0, it.1)).collect();
    assert_eq!(tried.len(), SIZES.len() * POLICIES.len() * MEMORIES.len() * 2);
}

/// The seeds of this run: `RANKS_SEEDS=450` for the first so many, `RANKS_SEEDS=100..150` for a part of them.
fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("RANKS_SEEDS") else { return 0..SEEDS };
    let (first, end) = text.split_once("..").unwrap_or(("0", &text));
    let number = |text: &str| text.parse().expect("RANKS_SEEDS is a number of seeds, or two as in 100..150");
    number(first)..number(end)
}

/// Letters are held back for up to 40 looks, each pair's in its own way.
fn weather(seed: u64) -> Weather {
    Weather { seed, looks: [0, 4, 40][seed as usize % 3] }
}

/// Every policy that sends messages, every form of the table, several ranks with one and two threads, in fair
/// weather and in foul: each seed is another position, order of letters and choice of these.
#[test]
fn ranks_find_the_sequential_value() {
    let cases = multigame_suite::cases();
    let mut told = [0; 3];
    for seed in seeds() {
        let case = &cases[(seed * 17 + seed / 20) as usize % cases.len()];
        let program = case.program();
        let game = JitGame::new(program.clone()).unwrap();
        let mut values = HashMap::new();
        let (size, _, _) = tried(seed, 0);
        job(size, weather(seed), |ranks| {
            ranks.load(&program, false).wait(&game).unwrap();
            for step in 0..STEPS {
                let (_, (policy, memory, threads), engine) = tried(seed, step);
                // The whole tree is soon too large.
                let plies = if policy == "exhaustive" { case.depth.min(2) } else { case.depth };
                let alone = values.entry(plies).or_insert_with(|| {
                    let configuration = exact(Engine::NegaScout, "ybwc", 1);
                    think(&game, &case.position, &configuration, depth(plies), None).bounds
                });
                let options = exact(engine, policy, threads);
                let others = Some((ranks, memory.parse().unwrap()));
                let found = think(&game, &case.position, &options, depth(plies), others);
                let what = format!(
                    "{} {} {engine} {policy} {memory} {size} ranks {threads} threads, seed {seed}",
                    case.game, case.position
                );
                assert_eq!(found.bounds, *alone, "{what}");
                assert!(found.finished, "{what}");
                let crew = found.crew.unwrap();
                assert_eq!(crew.hands.len() as u32, size * threads, "{what}");
                assert_eq!(crew.processes.len() as u32, size, "{what}");
                let counters = crew.counters();
                let seen = [counters.lookups, counters.asked_ahead, counters.told];
                told.iter_mut().zip(seen).for_each(|(sum, count)| *sum += count);
                if memory == "private" {
                    assert_eq!(seen, [0; 3], "{what}");
                }
            }
        });
    }
    assert!(told.iter().all(|&count| count > 0), "tables were asked, ahead as well, and told: {told:?}");
}

/// Every policy for puzzles with every form of the table that it has.
#[test]
fn ranks_find_shortest_solutions() {
    let program = program("15-puzzle", &[]);
    let game = JitGame::new(program.clone()).unwrap();
    let position = scrambled(&game, 60);
    let options = |policy: &str, threads: u32| {
        let configuration = Configuration::playing().with("tt-size=2").unwrap().with_engine(Engine::IdaStar);
        Configuration { policy: policy.parse().unwrap(), threads, ..configuration }
    };
    let alone = think(&game, &position, &options("stealing", 1), depth(80), None);
    assert!(alone.pv.len() > 12);
    // To wait for answers about more positions takes long in foul weather.
    let near = alone.pv.len() - 10;
    let forms = [
        ("stealing", "private".to_string()),
        ("tds", "partitioned".to_string()),
        ("windows", "private".to_string()),
        ("stealing", format!("replicated:tell={near}:company=3")),
        ("stealing", format!("partitioned:depth={near}")),
        ("tds", "partitioned".to_string()),
        ("stealing", format!("hybrid:depth={near}:tell={}:company=2", near - 1)),
        ("windows", "private".to_string()),
        ("stealing", format!("hybrid:depth={near}:ahead=64")),
        ("stealing", format!("partitioned:depth={near}:ahead=2:family=on")),
    ];
    let mut counted = multigame_parallel::Counters::default();
    let rounds = if std::env::var_os("RANKS_SEEDS").is_some() { seeds() } else { 0..1 };
    let count = forms.len();
    for seed in rounds.flat_map(|round| (0..count).map(move |form| round as usize * count + form)) {
        let (policy, memory) = &forms[seed % count];
        let (size, threads) = (SIZES[(seed + seed / 10) % 4], 1 + (seed / 2 % 2) as u32);
        // Most windows would be searched much too far.
        let size = if *policy == "windows" { 2 } else { size };
        let weather = Weather { seed: seed as u64, looks: [0, 10][seed % 2] };
        let found = job(size, weather, |ranks| {
            ranks.load(&program, false).wait(&game).unwrap();
            let others = Some((ranks, memory.parse().unwrap()));
            think(&game, &position, &options(policy, threads), depth(80), others)
        });
        let what = format!("{policy} {memory} on {size} ranks, seed {seed}");
        assert_eq!(found.pv.len(), alone.pv.len(), "{what}");
        assert_eq!(found.bounds, alone.bounds, "{what}");
        counted += found.crew.unwrap().counters();
    }
    let seen = [counted.lookups, counted.asked_ahead, counted.hits, counted.waits, counted.told];
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    assert!(counted.waits < counted.lookups && counted.asked_ahead < counted.lookups, "{seen:?}");
}

/// Who wins by what several ranks, or one, find out, and what they did.
fn verdict(
    game: &JitGame,
    (threads, memory): (u32, Option<&str>),
    others: Option<&Ranks>,
) -> anyhow::Result<Thought<<JitGame as Game>::Move>> {
    let (stop, line) = (AtomicBool::new(false), Line::new(game, game.initial()));
    let (threads, memory) = (Some(threads), memory.map(|memory| memory.parse().unwrap()));
    let solving = Solving { verdict: true, table_mib: 1, threads, memory, ..Solving::default() };
    let mut solver = Solver::new(game, &solving, &stop);
    if let Some(ranks) = others {
        solver = solver.with_others(ranks.others(game, EvaluatorSpec::default()));
    }
    solver.run(&line, &mut |news| assert!(!matches!(news, News::OneRank(..))))
}

/// Verdicts of several ranks are those of one: what they tell each other is true in any weather, and they
/// share the work.
#[test]
fn ranks_find_the_same_verdicts() {
    let (mut busy, mut helped) = (0, 0);
    for seed in 0..9u64 {
        let (name, columns, rows) =
            [("connect-4", 5, 4), ("connect-4", 4, 5), ("domineering", 5, 5)][seed as usize % 3];
        let program = program(name, &[("columns", columns), ("rows", rows)]);
        let game = JitGame::new(program.clone()).unwrap();
        let alone = verdict(&game, (1, None), None).unwrap();
        let (size, threads) = (SIZES[seed as usize % 3], 1 + (seed / 3 % 2) as u32);
        let memory = [None, Some("private"), Some("replicated:tell=3:company=2")][seed as usize / 3];
        job(size, weather(seed), |ranks| {
            ranks.load(&program, false).wait(&game).unwrap();
            let found = verdict(&game, (threads, memory), Some(ranks)).unwrap();
            assert_eq!((found.proved, found.finished), (alone.proved, true), "seed {seed}");
            let crew = found.crew.unwrap();
            assert_eq!(crew.processes.len() as u32, size);
            let told = crew.counters().told;
            assert!((told == 0) == (memory == Some("private")), "{told} entries told, seed {seed}");
            let letters = crew.processes.iter().flat_map(|(_, traffic)| &traffic.letters);
            busy += letters.filter(|(kind, _)| kind == "busy").map(|(_, count)| count).sum::<u64>();
            let others = &crew.hands[threads as usize..];
            helped += others.iter().map(|hand| hand.statistics.nodes).sum::<u64>();
        });
    }
    // A rank may have finished before another has begun, but not each time.
    assert!(busy > 0 && helped > 0, "{busy} letters about work, {helped} nodes by other ranks");
}

/// Tables that are asked are of no use to verdicts, which is said before anybody searches.
#[test]
fn verdicts_ask_nobody_about_positions() {
    let program = program("tic-tac-toe", &[]);
    let game = JitGame::new(program.clone()).unwrap();
    job(2, Weather::FAIR, |ranks| {
        ranks.load(&program, false).wait(&game).unwrap();
        let refused = verdict(&game, (1, Some("hybrid")), Some(ranks)).unwrap_err().to_string();
        assert!(refused.contains("use memory `replicated` or `private`, not `hybrid`"), "{refused}");
        assert!(verdict(&game, (1, Some("replicated")), Some(ranks)).unwrap().finished);
    });
}

/// Positions are sent to another rank and counted there, also while letters are held back.
#[test]
fn positions_are_sent_by_the_message() {
    let name = |name: &str| {
        let program = program(name, &[]);
        job(2, weather(1), |ranks| {
            let game = JitGame::new(program.clone()).unwrap();
            ranks.load(&program, false).wait(&game).unwrap();
            let evaluator = RulesEvaluator::new(&game, None).unwrap();
            ranks.states_per_second(&game, &evaluator, 1).map_err(|error| error.to_string())
        })
    };
    assert!(name("15-puzzle").unwrap() > 1000.0);
    assert!(name("hanoi").unwrap_err().contains("another one, such as 15-puzzle"));
}

/// A form of the table that a policy cannot use is refused before anybody searches; a policy that is chosen
/// later has its own.
#[test]
fn forms_that_mislead_are_refused() {
    let program = program("15-puzzle", &[]);
    let game = JitGame::new(program.clone()).unwrap();
    let position = scrambled(&game, 8);
    let stop = AtomicBool::new(false);
    let diagram = parse_position(game.description(), &position).unwrap();
    let line = Line::new(&game, game.position(&diagram));
    job(2, Weather::FAIR, |ranks| {
        ranks.load(&program, false).wait(&game).unwrap();
        for (policy, memory, refused) in [
            ("windows", Some("hybrid"), Some("use memory `private`")),
            ("tds", Some("private"), Some("use memory `partitioned`")),
            ("windows", None, None),
            ("tds", None, None),
            ("stealing", None, None),
        ] {
            let text = format!("engine=idastar,policy={policy},tt-size=1");
            let text = memory.map_or(text.clone(), |memory| format!("{text},memory={memory}"));
            let configuration = Configuration::playing().with(&text).unwrap();
            let player = Player::new(&game, configuration, depth(40), &stop).unwrap();
            let mut player = player.with_others(ranks.others(&game, EvaluatorSpec::default()));
            let found = player.search(&line, &mut |_| ());
            match refused {
                Some(remedy) => assert!(found.unwrap_err().to_string().contains(remedy)),
                None => assert!(found.unwrap().finished, "{policy}"),
            }
        }
    });
}

/// A position this many random moves from the start.
fn scrambled(game: &JitGame, moves: u32) -> String {
    let mut random = multigame_game::Random::new(11);
    let (mut position, mut list) = (game.initial(), Vec::new());
    for _ in 0..moves {
        game.moves(&position, &mut list).unwrap();
        let mv = list[random.below(list.len())].clone();
        let before = position.clone();
        game.apply(&before, &mv, &mut position);
    }
    multigame_game::position_text(game.description(), &game.diagram(&position))
}

#[test]
fn leaves_are_counted_by_all_ranks() {
    for (name, depth, threads) in [("chess", 4, 1), ("othello", 6, 2), ("go-9x9", 2, 1)] {
        let program = program(name, &[]);
        let game = JitGame::new(program.clone()).unwrap();
        let parts = job(3, Weather { seed: 1, looks: 3 }, |ranks| {
            ranks.load(&program, false).wait(&game).unwrap();
            ranks.divide(&game, &game.initial(), depth, threads).unwrap()
        });
        assert_eq!(parts, multigame_game::divide(&game, &game.initial(), depth).unwrap(), "{name}");
    }
}

/// A chore: to multiply numbers.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Multiply {
    /// 0 is refused by other ranks.
    by: u64,
    /// This one cannot be done.
    broken: Option<usize>,
    /// Whether ranks do it without a game.
    gameless: bool,
}

impl Multiply {
    fn number(self, number: usize) -> anyhow::Result<Option<u64>> {
        anyhow::ensure!(self.broken != Some(number), "{number} is broken");
        // Early ones take longest.
        std::thread::sleep(Duration::from_micros(20 * (NUMBERS - number) as u64));
        Ok(Some(self.by * number as u64))
    }
}

const NUMBERS: usize = 60;

/// What the other ranks do.
#[derive(Default)]
struct Multiplication {
    /// Parts that they have begun.
    begun: AtomicUsize,
}

impl Multiplication {
    /// Waits until others have begun something, or were refused: they are asked however busy the machine is.
    fn wait(&self, before: usize, stop: &AtomicBool) {
        while self.begun.load(Ordering::Relaxed) == before && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_micros(50));
        }
    }
}

impl Multiplication {
    fn multiply(&self, multiply: Multiply, hand: &Farmhand<'_>) -> anyhow::Result<()> {
        anyhow::ensure!(multiply.by > 0, "nothing is multiplied by 0");
        hand.work_off(&|| Ok(()), &|(): &mut (), number| {
            self.begun.fetch_add(1, Ordering::Relaxed);
            multiply.number(number)
        })
    }
}

impl Chores for Multiplication {
    fn work<G: Portable>(&self, _: &G, chore: &[u8], hand: &Farmhand<'_>) -> anyhow::Result<()> {
        let multiply: Multiply = read_chore(chore)?;
        anyhow::ensure!(!multiply.gameless, "this needs no game");
        self.multiply(multiply, hand)
    }

    fn work_gameless(&self, chore: &[u8], hand: &Farmhand<'_>) -> anyhow::Result<()> {
        self.multiply(read_chore(chore)?, hand)
    }
}

/// What came of farmed work: numbers with their products as they were reported, how many were multiplied here,
/// and how it ended. It is stopped when the product of `last` is reported.
fn multiply(
    ranks: &Ranks,
    others: &Multiplication,
    task: Multiply,
    threads: u32,
    last: usize,
) -> (Vec<(usize, u64)>, usize, anyhow::Result<()>) {
    let farm = match task.gameless {
        true => ranks.farm_gameless(&task, threads),
        false => ranks.farm(&task, threads),
    };
    let (stop, here, mut reported) = (AtomicBool::new(false), AtomicUsize::new(0), Vec::new());
    let before = others.begun.load(Ordering::Relaxed);
    let work = |(): &mut (), number: usize| {
        here.fetch_add(1, Ordering::Relaxed);
        if ranks.size() > 1 {
            others.wait(before, &stop);
        }
        task.number(number)
    };
    let tasks = Tasks { threads: threads as usize, stop: &stop, worker: &|| Ok(()), work: &work };
    let result = work_off(&tasks, 0..NUMBERS, Some(&farm), &mut |number, product| {
        reported.push((number, product));
        stop.fetch_or(number == last, Ordering::Relaxed);
        Ok(())
    });
    (reported, here.into_inner(), result)
}

/// Parts are done once, by all ranks, and reported in their order; errors come with the name of the rank, and
/// after an error or a stop the ranks can be asked again.
#[test]
fn farmed_work_comes_back_in_order() {
    let program = program("tic-tac-toe", &[]);
    let game = JitGame::new(program.clone()).unwrap();
    for seed in 0..6u64 {
        let (size, threads) = ([2, 3, 1][seed as usize % 3], 1 + (seed / 3) as u32);
        let others = Multiplication::default();
        job_with(&others, size, weather(seed), |ranks| {
            let whole = |by: u64, gameless: bool| {
                let task = Multiply { by, broken: None, gameless };
                let (reported, here, result) = multiply(ranks, &others, task, threads, NUMBERS);
                result.unwrap();
                let expected: Vec<(usize, u64)> = (0..NUMBERS).map(|it| (it, by * it as u64)).collect();
                assert_eq!(reported, expected, "seed {seed}");
                assert_eq!(here == NUMBERS, size == 1, "{here} were done here, seed {seed}");
                assert!(here > 0);
            };
            whole(7, true);
            ranks.load(&program, false).wait(&game).unwrap();
            whole(3, false);
            whole(8, true);
            let broken = Multiply { by: 2, broken: Some(30), gameless: false };
            let (reported, _, result) = multiply(ranks, &others, broken, threads, NUMBERS);
            let message = result.unwrap_err().to_string();
            assert!(message.ends_with("30 is broken"), "{message}");
            assert!(reported.iter().all(|&(number, _)| number < 30), "{reported:?}");
            whole(4, false);
            let task = Multiply { by: 5, broken: None, gameless: false };
            let (reported, _, result) = multiply(ranks, &others, task, threads, 20);
            result.unwrap();
            assert!((21..NUMBERS).contains(&reported.len()), "{}", reported.len());
            assert!(reported.is_sorted() && reported.iter().all(|&(number, it)| it == 5 * number as u64));
            if size > 1 {
                let task = Multiply { by: 0, broken: None, gameless: true };
                let (_, _, result) = multiply(ranks, &others, task, threads, NUMBERS);
                let message = result.unwrap_err().to_string();
                assert!(message.contains("on `memory`: nothing is multiplied by 0"), "{message}");
            }
            whole(6, false);
        });
    }
}

#[test]
fn a_search_that_is_stopped_stops_everywhere_and_keeps_its_best_move() {
    let program = program("chess", &[]);
    let game = JitGame::new(program.clone()).unwrap();
    let position = multigame_game::position_text(game.description(), &game.description().initial);
    job(3, Weather::FAIR, |ranks| {
        ranks.load(&program, false).wait(&game).unwrap();
        for _ in 0..3 {
            let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
            let configuration = Configuration::playing().with("tt-size=1,engine=negascout").unwrap();
            let found = think(&game, &position, &configuration, limits, Some((ranks, Memory::USUAL)));
            assert!(!found.finished && found.best.is_some());
            assert!(found.time < Duration::from_secs(10), "{:?}", found.time);
        }
    });
}

/// Bytes that nobody of the job has written end it with a message that names their sender; nothing panics.
#[test]
fn garbage_from_a_rank_is_an_error() {
    use multigame_cluster::{Frame, FrameKind, Transport};
    let order = |body| Frame { kind: FrameKind::Order, nodes: 0, body }.write();
    for garbage in [vec![0xff; 40], Vec::new(), order(vec![0xee; 9]), order(Vec::new())] {
        let mut ends = memory::ranks(2, Weather::FAIR).into_iter();
        let (first, mut second) = (ends.next().unwrap(), ends.next().unwrap());
        // The memory's way to end all ranks is to end the process, so nothing here may get that far.
        let patient = SilenceLimit { beat: Duration::from_secs(60), silence: Duration::from_secs(600) };
        let cluster = Cluster::new(Box::new(first), patient, |lost| panic!("{lost}"));
        second.send(0, garbage.clone()).unwrap();
        let message = Ranks::new(cluster).unwrap_err();
        let message = format!("{message:#}");
        assert!(message.contains("rank 1") || message.contains("is not an order"), "{garbage:?}: {message}");
    }
}

/// A player that forgets has all ranks forget: the same search takes the same nodes again, one rank of
/// several idle or not.
#[test]
fn all_ranks_forget() {
    let program = program("checkers", &[]);
    let game = JitGame::new(program.clone()).unwrap();
    job(2, Weather::FAIR, |ranks| {
        ranks.load(&program, false).wait(&game).unwrap();
        let stop = AtomicBool::new(false);
        let memory = Some(Memory::USUAL.from_depth(1));
        // Entries of other depths count: then a table that is full leaves hardly anything to do.
        let engine = Engine::NegaScout;
        let options = Options::plain(engine).with("tt=on,repetition=off,tt-size=1").unwrap();
        let configuration = Configuration { memory, ..Configuration::from(options).with_engine(engine) };
        let player = Player::new(&game, configuration, depth(8), &stop).unwrap();
        let mut player = player.with_others(ranks.others(&game, EvaluatorSpec::default()));
        let line = Line::new(&game, game.initial());
        let mut nodes = || player.search(&line, &mut |_| ()).unwrap().statistics.nodes;
        let (first, again) = (nodes(), nodes());
        assert!(again < first / 4, "tables help: {first}, then {again}");
        player.forget();
        let anew = player.search(&line, &mut |_| ()).unwrap().statistics.nodes;
        assert!(anew > first / 2, "{first}, then {anew}");
    });
}

/// Players of several games use the ranks by turns, and each finds what it finds alone.
#[test]
fn players_of_several_games_take_turns() {
    let programs = ["othello", "checkers", "othello"].map(|name| program(name, &[]));
    let games = programs.each_ref().map(|program| JitGame::new(program.clone()).unwrap());
    let configuration = exact(Engine::NegaScout, "ybwc-1-2*", 1);
    let initial =
        |game: &JitGame| multigame_game::position_text(game.description(), &game.description().initial);
    let alone: Vec<_> =
        games.iter().map(|game| think(game, &initial(game), &configuration, depth(5), None).bounds).collect();
    let searched = job(3, weather(1), |ranks| {
        let searched = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for ((program, game), alone) in programs.iter().zip(&games).zip(&alone) {
                let (searched, configuration) = (&searched, &configuration);
                scope.spawn(move || {
                    let (stop, line) = (AtomicBool::new(false), Line::new(game, game.initial()));
                    let book = Arc::new(Rulebook::new(program, false));
                    let player = Player::new(game, configuration.clone(), depth(5), &stop).unwrap();
                    let others = ranks.others_in_turn(game, &book, EvaluatorSpec::default());
                    let mut player = player.with_others(others);
                    for _ in 0..3 {
                        let _turn = ranks.turn();
                        let found = player.search(&line, &mut |_| ()).unwrap();
                        assert_eq!(found.bounds, *alone);
                        assert_eq!(found.crew.unwrap().processes.len(), 3);
                        searched.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        searched.into_inner()
    });
    assert_eq!(searched, 9);
}

/// What every rank has to be told is checked: ranks that play something else are named.
#[test]
fn a_rank_with_other_rules_is_named() {
    fn wrong(cluster: &Cluster) {
        let start = Instant::now();
        let Next::Load { program, .. } = no_game(cluster, start, &()).unwrap() else {
            panic!("a game comes first")
        };
        let game = JitGame::new(multigame_ir::parse(&program).unwrap()).unwrap();
        let member = Member { cluster, start, program: &format!("{program} "), chores: &() };
        assert!(matches!(member.run(game), Ok(Next::Quit)));
    }
    let mut ends = memory::ranks(2, Weather::FAIR).into_iter();
    let cluster = |end| Cluster::new(Box::new(end), SILENCE, |lost| panic!("{lost}"));
    let (first, second) = (ends.next().unwrap(), ends.next().unwrap());
    std::thread::scope(|scope| {
        scope.spawn(move || wrong(&cluster(second)));
        let ranks = Ranks::new(cluster(first)).unwrap();
        let program = program("tic-tac-toe", &[]);
        let game = JitGame::new(program.clone()).unwrap();
        let message = ranks.load(&program, false).wait(&game).unwrap_err().to_string();
        assert!(message.contains("rank 1 on `memory` plays other rules"), "{message}");
        ranks.quit();
    });
}

/// Evaluators that were put together here are the same ones on other ranks.
#[test]
fn evaluators_travel_whole() {
    for name in ["atomic", "italian-draughts", "checkers", "hex"] {
        let game = JitGame::new(program(name, &[])).unwrap();
        let usual = RulesEvaluator::new(&game, None).unwrap();
        let mut evaluators = vec![usual.clone(), usual.clone().without_learned()];
        evaluators.extend(["measured", "material"].map(|it| RulesEvaluator::new(&game, Some(it)).unwrap()));
        if let Some(appraiser) = usual.appraiser() {
            let mut other = appraiser.clone();
            let evaluation = appraiser.evaluation().clone();
            let least = evaluation.weights.iter().map(|weight| weight.low.max(-7)).collect();
            other.set(game.description(), least);
            evaluators.push(RulesEvaluator::with_appraiser(&game, other));
        }
        for evaluator in evaluators {
            let spec = EvaluatorSpec::of(game.description(), &evaluator);
            let bytes = serde_json::to_string(&spec).unwrap();
            let spec: EvaluatorSpec = serde_json::from_str(&bytes).unwrap();
            let read = spec.evaluator(&game, &FileNames::default()).unwrap();
            assert!(read == evaluator, "{name}: {}", evaluator.name());
        }
    }
    let learned = |name: &str| {
        let game = JitGame::new(program(name, &[])).unwrap();
        RulesEvaluator::new(&game, None).unwrap().learned().map(|learned| learned.name())
    };
    assert_eq!([learned("atomic"), learned("italian-draughts")], [Some("network"), Some("patterns")]);
}
