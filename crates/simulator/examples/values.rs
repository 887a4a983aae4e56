//! The value of the root does not depend on who searches: every sound policy on 1, 2, 4 and 8 threads and on
//! 1 to 256 virtual processors, in storms of delays, on the positions of the suite.
//!
//!     cargo run --release -p multigame-simulator --example values -- SECONDS [SEEDS] [FIRST] [POSITIONS]
//!
//! With each seed every combination of policy and number of threads or processors searches this many
//! positions (1 if nothing is said), the next combination those after them, and the next seed begins one
//! position later: so each combination meets as many positions as there are seeds, and each seed all
//! positions. One line is printed for each seed. A seed that was not finished in time is not counted.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "an example is a program")]

use std::time::{Duration, Instant};

use multigame_game::Game;
use multigame_jit::JitGame;
use multigame_parallel::{Form, Memory, MessagePolicy, PolicyKind, Setup};
use multigame_search::{Bounds, Engine, Material, Options, Root, TranspositionTable};
use multigame_simulator::{Experiment, Faults, Machine, simulate};
use multigame_suite::{Case, cases, options};
use multigame_threads::Crew;

const PROCESSORS: [u32; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const THREADS: [u32; 4] = [1, 2, 4, 8];
const SET: &str = "tt=on,table-move=on,deepening=1,aspiration=on,history=on,killers=on,refutation=on";
/// Entries of each virtual processor's table.
const ENTRIES: usize = 1 << 8;

struct Values<'a> {
    case: &'a Case,
    options: &'a Options,
    seed: u64,
}

impl Values<'_> {
    fn check(&self, what: std::fmt::Arguments<'_>, bounds: Bounds) {
        let Values { case, seed, .. } = self;
        assert_eq!(bounds, Bounds::exact(case.value()), "{what}, seed {seed}: {case:?}");
    }

    fn on_threads<G: Game>(&self, game: &G, root: &Root<G>, policy: PolicyKind, threads: u32) {
        let options = Options { seed: self.seed, ..self.options.clone() };
        let table = TranspositionTable::with_entries(1 << 14, options.table_layout).expect("memory");
        let crew = Crew::new(game, &Material, options, threads, policy).expect("a policy for two players");
        let (result, _) = crew.with_table(&table).run(root, self.case.depth, &mut ()).expect("it runs");
        self.check(format_args!("{policy} on {threads} threads"), result.bounds);
    }

    fn on_processors<G: Game>(&self, game: &G, root: &Root<G>, policy: MessagePolicy, processors: u32) {
        let memories = [
            Memory::USUAL.from_depth(1),
            Memory::SHARED,
            Memory::PRIVATE,
            Memory::of(Form::Replicated).from_depth(1).in_company(4),
        ];
        let networks = ["cluster", "transputer", "wide-area-ring", "myrinet-grid"];
        let machine = Machine::named(networks[self.seed as usize % 4]).expect("a network");
        let memory = memories[self.seed as usize / 4 % 4];
        let experiment = Experiment {
            processors,
            options: self.options,
            setup: Setup { memory, grain: self.seed as u32 % 2, ..Setup::fine(policy) },
            depth: self.case.depth,
            machine,
            faults: Faults::storm(machine.prices.node),
            seed: self.seed,
            entries: ENTRIES,
            spans: false,
        };
        let outcome = simulate(game, &Material, root, &experiment, &mut |_, _| true, &|| ());
        let outcome = outcome.expect("it runs");
        let what = format_args!("{} on {processors} processors", PolicyKind::Messages(policy));
        assert!(outcome.complete && outcome.clean, "{what}, seed {}: {:?}", self.seed, self.case);
        self.check(what, outcome.result.bounds);
    }
}

/// A policy and what it runs on.
#[derive(Clone, Copy)]
enum Combination {
    Threads(PolicyKind, u32),
    Processors(MessagePolicy, u32),
}

fn combinations() -> Vec<Combination> {
    let sound = PolicyKind::ALL.iter().map(|(_, policy, _)| *policy).filter(|policy| policy.is_sound());
    let mut all = Vec::new();
    for policy in sound.filter(|policy| !matches!(policy, PolicyKind::Puzzle(_))) {
        all.extend(THREADS.map(|threads| Combination::Threads(policy, threads)));
        if let Some(policy) = policy.messages() {
            all.extend(PROCESSORS.map(|processors| Combination::Processors(policy, processors)));
        }
    }
    all
}

fn main() {
    let arguments: Vec<u64> =
        std::env::args().skip(1).map(|text| text.parse().expect("a whole number")).collect();
    let argument = |number: usize, usual: u64| arguments.get(number).copied().unwrap_or(usual);
    let (limit, seeds, first) = (Duration::from_secs(argument(0, 60)), argument(1, 100), argument(2, 1));
    let start = Instant::now();
    let cases = cases();
    let groups: Vec<(JitGame, &[Case])> = cases
        .chunk_by(|a, b| (&a.game, &a.set) == (&b.game, &b.set))
        .filter(|group| group[0].program().description.players == 2)
        .filter_map(|group| Some((JitGame::new(group[0].program()).ok()?, group)))
        .collect();
    let positions: Vec<(&JitGame, &Case)> =
        groups.iter().flat_map(|(game, group)| group.iter().map(move |case| (game, case))).collect();
    let (combinations, width) = (combinations(), argument(3, 1) as usize);
    println!(
        "{} positions of {} games, {} combinations of policies with threads or processors",
        positions.len(),
        groups.len(),
        combinations.len()
    );
    let options = options(Engine::NegaScout, SET);
    for seed in first..first + seeds {
        let (mut threads, mut processors) = (0, 0);
        for (number, &combination) in combinations.iter().enumerate() {
            for turn in 0..width {
                if start.elapsed() > limit {
                    return;
                }
                let (game, case) = positions[(seed as usize + number * width + turn) % positions.len()];
                let root = case.root(game);
                let values = Values { case, options: &options, seed };
                match combination {
                    Combination::Threads(policy, count) => {
                        values.on_threads(game, &root, policy, count);
                        threads += 1;
                    }
                    Combination::Processors(policy, count) => {
                        values.on_processors(game, &root, policy, count);
                        processors += 1;
                    }
                }
            }
        }
        println!("seed {seed}: {threads} runs on threads, {processors} on processors, all values right");
    }
}
