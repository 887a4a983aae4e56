//! Puzzles on virtual machines: shortest solutions, whatever messages do.

#[path = "support/double_blank.rs"]
mod double_blank;
#[path = "support/fifteen.rs"]
mod fifteen;

use double_blank::DoubleBlank;
use fifteen::{Manhattan, shuffled};
use multigame_game::{Game, Random};
use multigame_parallel::{Form, Homes, Memory, Prices, PuzzlePolicy, PuzzleResult, PuzzleSetup};
use multigame_reference::Fifteen;
use multigame_search::{Engine, Evaluator, Options, Root, Search};
use multigame_simulator::{Faults, Machine, PuzzleExperiment, simulate_puzzle};

const POLICIES: [PuzzlePolicy; 5] = [
    PuzzlePolicy::Stealing,
    PuzzlePolicy::TDS,
    PuzzlePolicy::Tds(Homes { stride: 3, relay: false }),
    PuzzlePolicy::Tds(Homes { stride: 2, relay: true }),
    PuzzlePolicy::Windows,
];

fn experiment(policy: PuzzlePolicy, processors: u32, seed: u64) -> PuzzleExperiment {
    PuzzleExperiment {
        processors,
        setup: PuzzleSetup { grain: 4, combine: 8, alone: 0, ..PuzzleSetup::fine(policy) },
        longest: 60,
        machine: Machine::named("myrinet").unwrap(),
        faults: Faults::default(),
        seed,
        entries: 1 << 12,
        spans: false,
    }
}

#[test]
fn solutions_are_shortest_and_real() {
    solves(&Fifteen::new(), 12, 60);
    solves(&DoubleBlank::new(), 6, 20);
}

fn solves<G: Game<Position: Copy>>(game: &G, seeds: u64, moves: usize) {
    let mut random = Random::new(4);
    for seed in 0..seeds {
        let root = shuffled(game, moves, &mut random);
        let options = Options::plain(Engine::IdaStar);
        let mut search = Search::new(game, &Manhattan, options).unwrap();
        let length = search.run(&Root::new(game, root), 60, &mut ()).unwrap().pv.len();
        for policy in POLICIES {
            for processors in [1, 2, 16] {
                if policy == PuzzlePolicy::Windows && processors > 4 {
                    // Nearly all of them would search much too far.
                    continue;
                }
                let mut experiment = experiment(policy, processors, seed);
                experiment.setup.grain = [0, 4, 9][seed as usize % 3];
                experiment.faults = if seed % 2 == 0 { Faults::default() } else { Faults::storm(57_000) };
                let run =
                    || simulate_puzzle((game, &Manhattan), &root, &experiment, &mut |_, _| true).unwrap();
                let outcome = run();
                let PuzzleResult::Solved(path) = &outcome.result else { panic!("{:?}", outcome.result) };
                assert_eq!(path.len(), length, "{policy:?} on {processors}, seed {seed}");
                let (mut position, mut moves) = (root, Vec::new());
                for &index in path {
                    game.moves(&position, &mut moves).unwrap();
                    let before = position;
                    game.apply(&before, &moves[usize::from(index)], &mut position);
                }
                assert_eq!(
                    game.outcome(&position).unwrap().map(|outcome| outcome.winner().is_some()),
                    Some(true)
                );
                assert_eq!(run().time, outcome.time, "the same seed is the same run");
            }
        }
    }
}

#[test]
fn what_cannot_be_solved_in_time_is_told() {
    let game = Fifteen::new();
    let root = shuffled(&game, 100, &mut Random::new(9));
    for policy in [PuzzlePolicy::Stealing, PuzzlePolicy::TDS, PuzzlePolicy::Windows] {
        let experiment = PuzzleExperiment { longest: 5, ..experiment(policy, 4, 1) };
        let outcome = simulate_puzzle((&game, &Manhattan), &root, &experiment, &mut |_, _| true).unwrap();
        assert!(matches!(outcome.result, PuzzleResult::Unknown(least) if least > 5), "{:?}", outcome.result);
    }
}

#[test]
fn nobody_has_more_messages_about_the_end_of_limits_than_others() {
    let game = Fifteen::new();
    let root = shuffled(&game, 60, &mut Random::new(3));
    let experiment = experiment(PuzzlePolicy::TDS, 128, 1);
    let outcome = simulate_puzzle((&game, &Manhattan), &root, &experiment, &mut |_, _| true).unwrap();
    let waves = outcome.traffic.iter().find(|(name, _)| *name == "wave").unwrap().1.count;
    assert!(waves >= 2 * 127, "{waves}");
    let messages: Vec<u64> = outcome.accounts.iter().map(|account| account.messages).collect();
    // The first worker tells all others that it is over.
    let first = messages[0] - 127 * experiment.machine.send;
    let mean = messages[1..].iter().sum::<u64>() / 127;
    assert!(first < 3 * mean, "{first}, others {mean}");
}

/// What happens over a network whose messages take as long as a hundred nodes.
fn far(policy: PuzzlePolicy, processors: u32) -> PuzzleExperiment {
    let machine = Machine::named("wide-area").unwrap();
    let prices = Prices { node: 6_360, leaf: 2_700, evaluation: 0 };
    let setup = PuzzleSetup::fine(policy);
    let machine = Machine { prices, latency: 1_000_000, ..machine };
    PuzzleExperiment { setup, machine, entries: 1 << 16, ..experiment(policy, processors, 1) }.suited()
}

#[test]
fn far_apart_processors_do_not_leave_everything_to_one() {
    let game = Fifteen::new();
    let root = shuffled(&game, 400, &mut Random::new(26));
    let longest = Evaluator::lower_bound(&Manhattan, &game, &root) + 8;
    let run = |processors| {
        simulate_puzzle(
            (&game, &Manhattan),
            &root,
            &PuzzleExperiment { longest, ..far(PuzzlePolicy::TDS, processors) },
            &mut |_, _| true,
        )
        .unwrap()
    };
    let (one, many) = (run(1), run(8));
    assert_eq!(one.result, many.result);
    let most = many.accounts.iter().map(|account| account.work).max().unwrap();
    assert!(most < one.time * 7 / 10, "one worker does {most} of {}", one.time);
}

/// Workers with tables of their own, and workers that search larger trees in one go and share a table.
#[test]
fn two_workers_share_a_short_search_from_early_on() {
    let game = Fifteen::new();
    for seed in [26, 12] {
        let root = shuffled(&game, 400, &mut Random::new(seed));
        let longest = Evaluator::lower_bound(&Manhattan, &game, &root) + 8;
        for (form, entries) in [(Form::Partitioned, 1 << 17), (Form::Shared, 1 << 18)] {
            let setup = match form {
                Form::Shared => PuzzleSetup::threads(PuzzlePolicy::TDS),
                _ => PuzzleSetup::ranks(PuzzlePolicy::TDS, 1, Memory::of(form), 0),
            };
            let machine =
                Machine { prices: Prices::NODES, send: 2, receive: 2, ..Machine::named("cluster").unwrap() };
            let machine = Machine { latency: 20, ..machine };
            let nodes = |processors| {
                let usual = experiment(PuzzlePolicy::TDS, processors, 1);
                let experiment = PuzzleExperiment { setup, longest, machine, entries, ..usual };
                let outcome = simulate_puzzle((&game, &Manhattan), &root, &experiment, &mut |_, _| true);
                let outcome = outcome.unwrap();
                assert!(matches!(outcome.result, PuzzleResult::Unknown(_)), "{:?}", outcome.result);
                let least = outcome.accounts.iter().map(|account| account.work).min().unwrap();
                (outcome.statistics.nodes, least)
            };
            let ((alone, _), (both, least)) = (nodes(1), nodes(2));
            assert!(both <= alone + alone / 10, "{form}: {both} nodes instead of {alone}, seed {seed}");
            assert!(least >= both / 3, "{form}: the second worker has {least} of {both}, seed {seed}");
        }
    }
}

#[test]
fn relays_and_strides_make_letters_fuller_and_fewer() {
    let game = Fifteen::new();
    let root = shuffled(&game, 400, &mut Random::new(12));
    let longest = Evaluator::lower_bound(&Manhattan, &game, &root) + 8;
    let letters = |stride, relay| {
        let policy = PuzzlePolicy::Tds(Homes { stride, relay });
        let setup = PuzzleSetup { alone: 0, ..PuzzleSetup::fine(policy) };
        let experiment = PuzzleExperiment { setup, longest, ..experiment(policy, 64, 1) };
        let outcome = simulate_puzzle((&game, &Manhattan), &root, &experiment, &mut |_, _| true).unwrap();
        let states = outcome.traffic.iter().find(|(name, _)| *name == "states").unwrap().1;
        (states.count, states.bytes / states.count)
    };
    let (usual, relayed, seldom) = (letters(1, false), letters(1, true), letters(2, false));
    assert!(relayed.1 > usual.1 * 3 / 2, "{relayed:?} {usual:?}");
    assert!(seldom.0 < usual.0 * 3 / 4, "{seldom:?} {usual:?}");
}

#[test]
fn the_double_blank_puzzle_is_the_bundled_one() {
    let source = multigame_loader::source("double-blank-puzzle").unwrap();
    let program = multigame_loader::compile(&source, &[]).program.unwrap();
    let (rules, game) = (multigame_jit::JitGame::new(program).unwrap(), DoubleBlank::new());
    let mut random = Random::new(7);
    for moves in [0, 1, 2, 3, 40, 41] {
        let position = shuffled(&game, moves, &mut random);
        let same = rules.position(&game.diagram(&position));
        assert_eq!(game.outcome(&position).unwrap(), rules.outcome(&same).unwrap(), "{position:x}");
        assert_eq!(game.count(&position).unwrap(), rules.count(&same).unwrap(), "{position:x}");
    }
}
