//! How workers are set up: what work costs, how it is found, where the [transposition table](Memory) is.

use multigame_search::{Bounds, Statistics, Window};
use serde::{Deserialize, Serialize};

use crate::form::Memory;
use crate::policy::{MessagePolicy, PolicyKind};
use crate::travel::Travel;

/// What work costs, in ticks: for virtual time, and for work and critical path in both drivers. A node is
/// priced once as such, and again for what happened at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prices {
    /// A position visited.
    pub node: u64,
    /// A position at the horizon or a finished game.
    pub leaf: u64,
    /// A call of the evaluation.
    pub evaluation: u64,
}

impl Prices {
    /// Every node costs one tick: work is a number of nodes.
    pub const NODES: Prices = Prices { node: 1, leaf: 0, evaluation: 0 };
    /// Only leaves cost: the measure of the theorems on Jamboree.
    pub const LEAVES: Prices = Prices { node: 0, leaf: 1, evaluation: 0 };

    /// What was paid between two counts.
    pub fn between(&self, before: &Statistics, after: &Statistics) -> u64 {
        self.node * (after.nodes - before.nodes)
            + self.leaf * (after.leaves - before.leaves)
            + self.evaluation * (after.evaluations - before.evaluations)
    }
}

/// How idle workers look for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Balance {
    /// N1: ask a neighbour in the network instead of anybody.
    pub neighbours: bool,
    /// N2: how often a request that cannot be served is passed on to a neighbour.
    pub forwards: u32,
    /// N3: a result is taken for a request.
    pub results_ask: bool,
    /// Whether victims that had nothing say so when they have something; until then nobody asks them again.
    pub have_work: bool,
    /// Whether masters that wait for their slaves take work from below them.
    pub helpful: bool,
    /// Whether victims give jobs from the principal variation only where they have no others: its brothers
    /// are cheaper to refute once the elder ones have had their say. Otherwise the job nearest the root is
    /// given.
    pub line_last: bool,
    /// Whether victims give the child that they would search last, as from a deque, and not the next one.
    pub last_child: bool,
    /// Whether idle workers ask only their father in a processor tree that never changes; drivers tell them
    /// who that is as their only neighbour.
    pub father_only: bool,
    /// Longest pause before a worker that found nothing asks again, in nodes' time; only without `have_work`.
    pub longest_pause: u64,
}

impl Balance {
    /// For threads: few workers, messages cost little.
    pub const THREADS: Balance = Balance {
        neighbours: false,
        forwards: 0,
        results_ask: true,
        have_work: true,
        helpful: true,
        line_last: false,
        last_child: false,
        father_only: false,
        longest_pause: 64,
    };
    /// ZUGZWANG's: N1, N2 and N3.
    pub const ZUGZWANG: Balance = Balance {
        neighbours: true,
        forwards: 8,
        results_ask: true,
        have_work: false,
        helpful: false,
        line_last: false,
        last_child: false,
        father_only: false,
        longest_pause: 8,
    };
    /// Chess programs before ZUGZWANG: a processor tree with work from the father only.
    pub const TREE: Balance = Balance { forwards: 0, father_only: true, ..Balance::ZUGZWANG };

    /// The ways to find work by name.
    pub fn named(text: &str) -> Result<Balance, String> {
        match text {
            "zugzwang" => Ok(Balance::ZUGZWANG),
            "random" => {
                Ok(Balance { neighbours: false, forwards: 0, results_ask: false, ..Balance::ZUGZWANG })
            }
            "have-work" => Ok(Balance::THREADS),
            "tree" => Ok(Balance::TREE),
            _ => {
                Err(format!("there is no way `{text}` to find work; use zugzwang, random, have-work or tree"))
            }
        }
    }

    /// The same, with the child that thieves get: the `first` that is left, or the `last`.
    pub fn stealing(self, child: &str) -> Result<Balance, String> {
        match child {
            "first" => Ok(Balance { last_child: false, ..self }),
            "last" => Ok(Balance { last_child: true, ..self }),
            _ => Err(format!("thieves get the first or the last child, not `{child}`")),
        }
    }
}

/// How the workers of a search are set up. All of them must be set up alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// How work is divided.
    pub policy: MessagePolicy,
    /// If positions travel to their homes (TDS), how; then nobody looks for work, and the policy says which
    /// children may be sent home.
    pub travel: Option<Travel>,
    /// How it is found.
    pub balance: Balance,
    /// Where the table is.
    pub memory: Memory,
    /// Workers that use the same table, one after the other by number: those of one process. All others are
    /// reached by messages. Means nothing where all use the same.
    pub sharing: u32,
    /// Nodes of this depth or less are searched by the kernel in one go.
    pub grain: u32,
    /// If not 0, the grain grows as far as it takes to have about that many nodes searched in one go, and
    /// workers learn which positions everybody is told about.
    pub grain_nodes: u64,
    /// Whether the kernel's work is paid for node by node, and messages are handled in between: for drivers
    /// in which nothing arrives while it runs.
    pub pays_by_node: bool,
    /// Whether workers note when infinitely many processors would do what they do.
    pub ideal: bool,
    /// What work costs.
    pub prices: Prices,
    /// Whether histories are merged between iterations.
    pub merge_history: bool,
    /// Whether jobs bring the killers of those who give them along, and results the killers of those who did
    /// them.
    pub share_killers: bool,
    /// If not 0, workers tell each other after this many nodes which moves were good. Histories are not
    /// merged between iterations then.
    pub spread_history: u64,
    /// If not 0, workers may be lost: one that has waited for this many ticks does itself what it waits for.
    pub patience: u64,
    /// Whether a child that may be better is searched again even if its value is known exactly by then, as
    /// the algorithms are printed.
    pub by_the_book: bool,
    /// Of what is left to chance: whom to ask for work.
    pub seed: u64,
}

impl Setup {
    /// For threads.
    pub fn threads(policy: MessagePolicy) -> Setup {
        Setup {
            policy,
            travel: None,
            balance: Balance::THREADS,
            memory: Memory::SHARED,
            sharing: 1,
            grain: 2,
            grain_nodes: 1000,
            pays_by_node: false,
            ideal: false,
            prices: Prices::NODES,
            merge_history: true,
            share_killers: false,
            spread_history: 0,
            patience: 0,
            by_the_book: false,
            seed: 1,
        }
    }

    /// For threads of several processes, as many in each.
    pub fn ranks(policy: MessagePolicy, threads: u32, memory: Memory) -> Setup {
        Setup { memory, sharing: threads.max(1), ..Setup::threads(policy) }
    }

    /// For experiments: every node in the worker's own hands.
    pub fn fine(policy: MessagePolicy) -> Setup {
        Setup {
            grain: 0,
            grain_nodes: 0,
            pays_by_node: true,
            ideal: true,
            merge_history: false,
            balance: Balance::ZUGZWANG,
            ..Setup::threads(policy)
        }
    }

    /// The same, with killers of each worker's own (`local`) or with jobs (`shared`).
    pub fn with_killers(self, text: &str) -> Result<Setup, String> {
        match text {
            "local" => Ok(Setup { share_killers: false, ..self }),
            "shared" => Ok(Setup { share_killers: true, ..self }),
            _ => Err(format!("killers are local or shared, not `{text}`")),
        }
    }

    /// The same, with histories of each worker's own (`local`), `merged` between iterations, or told after a
    /// number of nodes.
    pub fn with_history(self, text: &str) -> Result<Setup, String> {
        let (merge_history, spread_history) = match text {
            "local" => (false, 0),
            "merged" => (true, 0),
            _ => match text.parse() {
                Ok(nodes) if nodes > 0 => (false, nodes),
                _ => {
                    let told = "histories are local, merged, or told after a number of nodes";
                    return Err(format!("{told}, not `{text}`"));
                }
            },
        };
        Ok(Setup { merge_history, spread_history, ..self })
    }

    /// Whether nothing more has to be known about a child for a window of its father.
    pub(crate) fn decides(&self, bounds: Bounds, window: Window) -> bool {
        if self.by_the_book {
            bounds.lower >= window.beta || bounds.upper <= window.alpha
        } else {
            bounds.decides(window)
        }
    }
}

impl Default for Setup {
    fn default() -> Self {
        let policy = PolicyKind::default().messages().expect("the default policy sends messages");
        Setup::threads(policy)
    }
}
