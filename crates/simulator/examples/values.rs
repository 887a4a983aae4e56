//! The value of the root does not depend on who searches: every sound policy on 1, 2, 4 and 8 threads and on 1 to 256
//! virtual processors, in storms of delays, on all positions of the suite.
//!
//!     cargo run --release -p multigame-simulator --example values -- SECONDS [SEEDS] [FIRST]
//!
//! One line is printed for each seed. A seed that was not finished in time is not counted.

use std::time::{Duration, Instant};

use multigame_game::Game;
use multigame_jit::JitGame;
use multigame_parallel::{Memory, PolicyKind, Setup};
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

    fn on_threads<G: Game>(&self, game: &G, root: &Root<G>, policy: PolicyKind) -> u64 {
        let mut runs = 0;
        for threads in THREADS {
            let options = Options { seed: self.seed, ..self.options.clone() };
            let table = TranspositionTable::with_entries(1 << 14, options.table_layout).expect("memory");
            let Ok(crew) = Crew::new(game, &Material, options, threads, policy) else { continue };
            let (result, _) = crew.with_table(&table).run(root, self.case.depth, &mut ()).expect("it runs");
            self.check(format_args!("{policy} on {threads} threads"), result.bounds);
            runs += 1;
        }
        runs
    }

    fn on_processors<G: Game>(&self, game: &G, root: &Root<G>, policy: PolicyKind) -> u64 {
        let Some(message_policy) = policy.messages() else { return 0 };
        let memories = [
            Memory::Partitioned { least_depth: 1, combine: 1 },
            Memory::Shared,
            Memory::Private,
            Memory::Replicated { least_depth: 1, combine: 4 },
        ];
        let networks = ["cluster", "transputer", "wide-area-ring", "myrinet-grid"];
        let machine = Machine::named(networks[self.seed as usize % 4]).expect("a network");
        let memory = memories[self.seed as usize / 4 % 4];
        for processors in PROCESSORS {
            let experiment = Experiment {
                processors,
                options: self.options,
                setup: Setup { memory, grain: self.seed as u32 % 2, ..Setup::fine(message_policy) },
                depth: self.case.depth,
                machine,
                faults: Faults::storm(machine.prices.node),
                seed: self.seed,
                entries: ENTRIES,
                spans: false,
            };
            let outcome = simulate(game, &Material, root, &experiment, &mut |_, _| true, &|| ());
            let outcome = outcome.expect("it runs");
            let what = format_args!("{policy} on {processors} processors");
            assert!(outcome.complete && outcome.clean, "{what}: {:?}", self.case);
            self.check(what, outcome.result.bounds);
        }
        PROCESSORS.len() as u64
    }
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
    let positions: usize = groups.iter().map(|(_, group)| group.len()).sum();
    let policies: Vec<PolicyKind> =
        PolicyKind::ALL.iter().map(|(_, policy, _)| *policy).filter(|policy| policy.is_sound()).collect();
    println!("{positions} positions of {} games", groups.len());
    let options = options(Engine::NegaScout, SET);
    for seed in first..first + seeds {
        let (mut threads, mut processors) = (0, 0);
        for (game, group) in &groups {
            for case in *group {
                if start.elapsed() > limit {
                    return;
                }
                let root = case.root(game);
                let values = Values { case, options: &options, seed };
                for &policy in &policies {
                    threads += values.on_threads(game, &root, policy);
                    processors += values.on_processors(game, &root, policy);
                }
            }
        }
        println!("seed {seed}: {threads} runs on threads, {processors} on processors, all values right");
    }
}
