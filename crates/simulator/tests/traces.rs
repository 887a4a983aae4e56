//! Every bound that is computed anywhere is true of the full tree, whatever messages do; and messages do
//! everything they can: each seed is another order of events.

use std::sync::atomic::{AtomicU64, Ordering};

use multigame_game::{Game, Random};
use multigame_parallel::{Balance, Form, Memory, MessagePolicy, PolicyKind, Setup};
use multigame_search::random_tree::{Guess, RandomTree, Shape, TreePosition};
use multigame_search::{Computed, Engine, Monitor, Options, Root, Search, Value};
use multigame_simulator::{Account, Experiment, Faults, Machine, Outcome, simulate};

fn policies() -> Vec<MessagePolicy> {
    let sound = PolicyKind::ALL.into_iter().filter(|(_, kind, _)| kind.is_sound());
    sound.filter_map(|(_, kind, _)| kind.messages()).collect()
}

fn full_value(game: &RandomTree, position: &TreePosition, depth: u32) -> Value {
    let root = Root::new(game, *position);
    let mut search = Search::new(game, &Guess, Options::plain(Engine::NegaMax)).unwrap();
    search.run(&root, depth, &mut ()).unwrap().value
}

/// Compares every bound with the full tree.
struct Checker<'g>(&'g RandomTree, &'g AtomicU64);

impl Monitor<RandomTree> for Checker<'_> {
    fn witnesses(&self) -> bool {
        true
    }

    fn computed(&mut self, computed: &Computed<'_, RandomTree>) {
        self.1.fetch_add(1, Ordering::Relaxed);
        let value = full_value(self.0, computed.position, computed.depth).from_node(computed.ply);
        assert!(computed.bounds.contains(value), "{computed:?} but the value is {value}");
        assert_eq!(computed.parent.is_none(), computed.ply == 0, "{computed:?}");
        if let Some(parent) = computed.parent {
            let (game, mut found) = (self.0, false);
            let wanted = game.signature(computed.position);
            let outcome = game.visit(parent, &mut |_, child| {
                found |= game.signature(child) == wanted;
                std::ops::ControlFlow::Continue(())
            });
            assert!(outcome.unwrap().is_none() && found, "{computed:?} is not a child of its parent");
        }
    }
}

/// A stormy run on a machine that the seed chooses.
fn stormy(game: &RandomTree, seed: u64, checked: bool) -> Outcome<u16> {
    let mut random = Random::new(seed);
    let policies = policies();
    let policy = policies[random.below(policies.len())];
    let text = "tt,table-move,history,killers,refutation,deepening=1,depth-exact,aspiration";
    let engine = [Engine::NegaScout, Engine::AlphaBeta, Engine::Mtdf][random.below(3)];
    let options = Options::plain(engine).with(text).unwrap();
    let memory = [
        Memory::SHARED,
        Memory::PRIVATE,
        Memory::USUAL.from_depth(1),
        Memory::of(Form::Replicated).from_depth(1).in_company(2),
    ][random.below(4)];
    let machine =
        Machine::named(["cluster", "transputer", "wide-area-ring", "myrinet-grid"][random.below(4)]).unwrap();
    let balance = Balance {
        neighbours: random.below(2) == 0,
        forwards: random.below(3) as u32 * 2,
        results_ask: random.below(2) == 0,
        have_work: random.below(2) == 0,
        helpful: random.below(2) == 0,
        line_last: random.below(2) == 0,
        last_child: random.below(2) == 0,
        father_only: random.below(4) == 0,
        longest_pause: 8,
    };
    let experiment = Experiment {
        processors: 1 << (1 + random.below(4)),
        options: &options,
        setup: Setup {
            memory,
            balance,
            grain: random.below(2) as u32,
            share_killers: random.below(2) == 0,
            spread_history: [0, 8][random.below(2)],
            ..Setup::fine(policy)
        },
        depth: 4,
        machine,
        faults: Faults::storm(machine.prices.node),
        seed,
        entries: 1 << 10,
        spans: checked,
    };
    let root = Root::new(game, game.initial());
    let bounds = AtomicU64::new(0);
    let outcome = if checked {
        simulate(game, &Guess, &root, &experiment, &mut |_, _| true, &|| Checker(game, &bounds))
    } else {
        simulate(game, &Guess, &root, &experiment, &mut |_, _| true, &|| ())
    };
    let outcome = outcome.unwrap();
    assert!(outcome.complete && outcome.clean, "seed {seed}: {experiment:?}");
    assert_eq!(outcome.value, full_value(game, &game.initial(), 4), "seed {seed}: {experiment:?}");
    // One node for each ply, and one father for each job that is nested in a waiting one.
    assert!(outcome.highest_stack <= 2 * 5, "seed {seed}: {}", outcome.highest_stack);
    if checked {
        assert!(bounds.into_inner() > 0, "seed {seed}: no bound was looked at");
        check_spans(&outcome, seed);
    }
    outcome
}

/// No processor does two things at once, and spans and accounts tell the same.
fn check_spans(outcome: &Outcome<u16>, seed: u64) {
    for (worker, account) in outcome.accounts.iter().enumerate() {
        let (mut last, mut sums) = (0, [0; 4]);
        for span in outcome.spans.iter().filter(|span| span.processor as usize == worker) {
            assert!(span.from >= last && span.to > span.from, "seed {seed}, {worker}: {span:?} after {last}");
            last = span.to;
            sums[span.activity as usize] += span.to - span.from;
        }
        let Account { work, messages, routing, pauses } = *account;
        assert_eq!(sums, [work, messages, routing, pauses], "seed {seed}, processor {worker}");
    }
}

#[test]
fn every_bound_is_true() {
    for seed in 0..60 {
        let positions = [0, 5, 14][seed as usize % 3];
        let shape = Shape {
            width: 3,
            height: 5,
            seed,
            positions,
            sudden: 80,
            again: 100,
            ordered: 40,
            ..Shape::default()
        };
        stormy(&RandomTree::new(shape), seed, true);
    }
}

#[test]
fn races_are_met_and_survived() {
    let mut races = 0;
    let mut seed = 1000;
    // The seed is all it takes to meet the same race again.
    while races < RACES {
        let shape = Shape { width: 5, height: 5, seed, ordered: 50, ..Shape::default() };
        let outcome = stormy(&RandomTree::new(shape), seed, false);
        races += outcome.counters.stale + outcome.counters.killed + outcome.counters.narrowed;
        seed += 1;
        assert!(seed < 20_000, "only {races} races");
    }
}

/// Kills, narrowed windows and messages that came too late.
const RACES: u64 = 10_000;
