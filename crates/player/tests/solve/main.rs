//! `solve` says the truth or nothing, however early it is stopped: small games whose values are computed from
//! all their positions, solved by every engine under random limits.

mod checkpoints;
#[path = "../jobs/mod.rs"]
mod jobs;
mod ranks;
mod truth;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use multigame_compiler::{Options as CompilerOptions, compile};
use multigame_game::{Game, Line, Random, parse_position};
use multigame_ir::Program;
use multigame_jit::JitGame;
use multigame_parallel::PolicyKind;
use multigame_player::{Changes, Limits, Solver, Solving, Thought, result_text};
use multigame_search::{Engine, Value};

use truth::truth;

type Move = <JitGame as Game>::Move;

/// A position with what it is worth.
struct Case {
    name: String,
    program: Program,
    game: JitGame,
    position: <JitGame as Game>::Position,
    truth: Value,
}

/// Where a case begins.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// After this many random moves.
    After(u32),
    At(&'static str),
}
use Start::{After, At};

macro_rules! rules {
    ($name:literal) => {
        include_str!(concat!("../../../../games/", $name, "/rules.mg"))
    };
}
const CONNECT_4: &str = rules!("connect-4");
const TIC_TAC_TOE: &str = rules!("tic-tac-toe");
const HANOI: &str = rules!("hanoi");
const MORRIS: &str = rules!("three-mens-morris");
const EIGHT_PUZZLE: &str = concat!(include_str!("../../../../tests/data/8-puzzle.mg"), "\ngoal = solved.\n");

type Parameters = &'static [(&'static str, i64)];

const GAMES: [(&str, &str, Parameters, Start); 17] = [
    ("tic-tac-toe", TIC_TAC_TOE, &[], After(0)),
    ("tic-tac-toe", TIC_TAC_TOE, &[], After(3)),
    ("tic-tac-toe", TIC_TAC_TOE, &[], At("OO./.../XX. b")),
    ("three-mens-morris", MORRIS, &[], After(0)),
    ("three-mens-morris", MORRIS, &[], After(7)),
    ("connect-4", CONNECT_4, &[("columns", 4), ("rows", 3), ("connect", 3)], After(0)),
    ("connect-4", CONNECT_4, &[("columns", 3), ("rows", 4), ("connect", 4)], After(0)),
    ("connect-4", CONNECT_4, &[("columns", 4), ("rows", 4)], After(4)),
    ("connect-4", CONNECT_4, &[("columns", 5), ("rows", 4)], After(10)),
    ("domineering", rules!("domineering"), &[("columns", 4), ("rows", 3)], After(0)),
    ("dots-and-boxes", rules!("dots-and-boxes"), &[("columns", 2), ("rows", 2)], After(0)),
    ("hex", rules!("hex"), &[("size", 3)], After(0)),
    ("othello", rules!("othello"), &[], After(53)),
    ("hanoi", HANOI, &[("discs", 3)], After(0)),
    ("n-puzzle", rules!("n-puzzle"), &[("columns", 3), ("rows", 2)], At("ooo/1oo number=4,5,3/0,1,2")),
    ("8-puzzle", EIGHT_PUZZLE, &[], At("312/675/48.")),
    ("8-puzzle", EIGHT_PUZZLE, &[], At("21./345/678")),
];

fn cases() -> Vec<Case> {
    GAMES.iter().map(|&(name, rules, parameters, start)| case(name, rules, parameters, start)).collect()
}

fn program(name: &str, rules: &str, parameters: Parameters) -> Program {
    let numbers = parameters.iter().map(|&(name, value)| (name.to_string(), value)).collect();
    let options = CompilerOptions { name: name.to_string(), parameters: numbers };
    compile(rules, &options).program.unwrap()
}

fn game(name: &str, rules: &str, parameters: Parameters) -> JitGame {
    JitGame::new(program(name, rules, parameters)).unwrap()
}

fn case(name: &str, rules: &str, parameters: Parameters, start: Start) -> Case {
    let program = program(name, rules, parameters);
    let game = JitGame::new(program.clone()).unwrap();
    let position = match start {
        After(moves) => after_random_moves(&game, moves).expect(name),
        At(text) => game.position(&parse_position(game.description(), text).unwrap()),
    };
    let truth = truth(&game, &position);
    Case { name: format!("{name} {parameters:?} {start:?}"), program, game, position, truth }
}

/// A position of a random game that is not over.
fn after_random_moves(game: &JitGame, count: u32) -> Option<<JitGame as Game>::Position> {
    let mut legal = Vec::new();
    let mut candidates = (1..100).map(|seed| {
        let (mut random, mut position) = (Random::new(seed), game.initial());
        for _ in 0..count {
            if game.moves(&position, &mut legal).unwrap().is_some() {
                break;
            }
            let before = position.clone();
            game.apply(&before, &legal[random.below(legal.len())], &mut position);
        }
        position
    });
    candidates.find(|position| game.outcome(position).unwrap().is_none())
}

/// What is switched beside the engine; some of it makes proofs harder to come by, none of it may make them
/// false.
const OPTIONS: [&str; 12] = [
    "",
    "",
    "tt=off,etc=off",
    "repetition=exact",
    "repetition=off",
    "deepening=0",
    "deepening=2,aspiration=off",
    "null=on,lmr=on,futility=on,lmp=on",
    "quiescence-table=on,singular=on,iir=on",
    "depth-exact=on",
    "fewest=on,etc=on",
    "symmetry=off,history=off",
];

fn random_limits(random: &mut Random) -> Limits {
    let logarithmic = |random: &mut Random, bits: usize| {
        let size = 1u64 << random.below(bits);
        size + random.next_u64() % size
    };
    match random.below(8) {
        0..3 => Limits { nodes: Some(logarithmic(random, 16)), ..Limits::default() },
        3..6 => {
            let time = Duration::from_micros(logarithmic(random, 15));
            Limits { time: Some(time), ..Limits::default() }
        }
        // Proof-number search refuses a depth.
        _ => Limits { depth: Some(1 + random.below(14) as u32), nodes: Some(1 << 16), ..Limits::default() },
    }
}

/// A way to solve a game, chosen at random among those that make sense and some that do not.
fn random_solving(game: &JitGame, random: &mut Random) -> Solving {
    use Engine::{AStar, AlphaBeta, Bfs, DfPn, IdaStar, Mtdf, NegaMax, NegaScout, ProofNumber, Verdict};
    let engines = match game.description().players {
        1 => [IdaStar, IdaStar, IdaStar, AStar, Bfs, Verdict, AlphaBeta, NegaScout, NegaMax],
        _ => [AlphaBeta, AlphaBeta, NegaScout, NegaScout, Mtdf, NegaMax, ProofNumber, DfPn, Verdict],
    };
    let engine = Some(engines[random.below(engines.len())]).filter(|_| random.below(10) > 0);
    let threads = 1 + random.below(3) as u32;
    let policies = PolicyKind::ALL.len();
    let policy = PolicyKind::ALL[random.below(policies)].1;
    let several = !matches!(engine, Some(DfPn | AStar));
    let policy = Some(policy).filter(|_| threads > 1 && several && random.below(10) > 0);
    Solving {
        engine,
        verdict: false,
        table_mib: 1,
        options: Changes::parse(OPTIONS[random.below(OPTIONS.len())]).unwrap(),
        threads: Some(threads),
        policy,
        limits: random_limits(random),
        ..Solving::default()
    }
}

/// Solves a case; somebody presses Ctrl-C after `patience` reports.
fn solve(case: &Case, solving: &Solving, patience: usize) -> anyhow::Result<Thought<Move>> {
    let stop = AtomicBool::new(patience == 0);
    let mut reports = 0;
    let line = Line::new(&case.game, case.position.clone());
    Solver::new(&case.game, solving, &stop).run(&line, &mut |_| {
        reports += 1;
        stop.fetch_or(reports >= patience, Ordering::Relaxed);
    })
}

/// The proved interval holds the truth.
fn check(case: &Case, solving: &Solving, solution: &Thought<Move>) {
    let bounds = solution.proved.bounds();
    let side = case.game.side_to_move(&case.position);
    let text = result_text(case.game.description(), side, solution.proved);
    assert!(
        bounds.contains(case.truth),
        "{}: {bounds} is said to be proved ({text:?}), but the value is {}\n{solving:?}",
        case.name,
        case.truth
    );
    assert_eq!(text.is_some(), solution.proved.decides());
}

/// Solves cases at random; tells how many ways were possible and how many gave a proof.
fn solve_at_random(seed: u64, runs: usize) -> (usize, usize) {
    let (cases, mut random) = (cases(), Random::new(seed));
    let (mut possible, mut proved) = (0, 0);
    for _ in 0..runs {
        let case = &cases[random.below(cases.len())];
        let solving = random_solving(&case.game, &mut random);
        let patience = if random.below(8) == 0 { random.below(6) } else { usize::MAX };
        // Engines, policies and switches that do not fit together are refused.
        let Ok(solution) = solve(case, &solving, patience) else { continue };
        check(case, &solving, &solution);
        possible += 1;
        proved += usize::from(solution.proved.decides());
    }
    (possible, proved)
}

#[test]
fn nothing_false_is_proved_under_any_limit() {
    let (possible, proved) = solve_at_random(1, 1500);
    // Otherwise the test would say nothing.
    assert!(possible > 500 && proved > 150 && proved < possible, "{proved} of {possible}");
}

/// Takes minutes: `cargo test --release -p multigame-player --test solve -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn nothing_false_is_proved_in_ten_thousand_searches() {
    for seed in 2..7 {
        let (possible, proved) = solve_at_random(seed, 6000);
        println!("seed {seed}: {proved} proofs in {possible} searches");
        assert!(possible > 2000 && proved > 500, "{proved} of {possible}");
    }
}

/// With time enough every game is solved, so that saying nothing is not the way out.
#[test]
fn everything_is_proved_without_limits() {
    for case in cases() {
        let solving = Solving { table_mib: 128, ..Solving::default() };
        let solution = solve(&case, &solving, usize::MAX).unwrap();
        check(&case, &solving, &solution);
        assert!(solution.proved.decides() && solution.finished, "{}", case.name);
    }
}

/// The first iterations see a draw, and there is no time for more.
#[test]
fn a_deepening_that_is_stopped_is_not_finished() {
    let case = case("connect-4", CONNECT_4, &[("columns", 4), ("rows", 4)], After(0));
    for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
        for threads in 1..=3 {
            for policy in ["ybwc-1-2*", "lazy-smp", "abdada", "aspiration"] {
                let solving = Solving {
                    engine: Some(engine),
                    table_mib: 1,
                    threads: Some(threads),
                    policy: (threads > 1).then(|| policy.parse().unwrap()),
                    limits: Limits { time: Some(Duration::from_nanos(1)), ..Limits::default() },
                    ..Solving::default()
                };
                let Ok(solution) = solve(&case, &solving, usize::MAX) else { continue };
                assert!(!solution.finished && !solution.proved.decides(), "{engine} {threads} {policy}");
            }
        }
    }
}
