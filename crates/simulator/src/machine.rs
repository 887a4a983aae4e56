//! What a virtual machine is like: what work and messages cost on it.

use std::str::FromStr;

use multigame_parallel::Prices;
use serde::{Deserialize, Serialize};

use crate::topology::{Topology, TopologyError};

/// A machine; times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// What searching costs.
    pub prices: Prices,
    /// What it costs the sender to send a message.
    pub send: u64,
    /// What it costs the receiver to take it.
    pub receive: u64,
    /// Time from one processor to the next.
    pub latency: u64,
    /// More for each 1024 bytes, at each step of the way.
    pub per_kib: u64,
    /// Computing time it costs each processor on the way to pass a message on; 0 where the network does that.
    pub routing: u64,
    /// Who is next to whom.
    pub topology: Topology,
    /// Whether questions about the table are answered in the midst of work, and not when a processor next
    /// looks into its inbox. It pays as for passing a message on.
    pub table_server: bool,
    /// How much slower everybody works for each other processor that is busy, in millionths: memory and bus
    /// in common.
    pub contention: u64,
    /// Messages that are sent twice, to see what they cost.
    pub doubled: Doubled,
}

/// Messages that are sent twice; the second copy costs everybody as much as the first and means nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Doubled {
    /// None.
    #[default]
    Nothing,
    /// Those about the table.
    Table,
    /// Jobs.
    Jobs,
}

impl Doubled {
    /// What is doubled, by name.
    pub const ALL: [(&'static str, Doubled); 3] =
        [("nothing", Doubled::Nothing), ("table", Doubled::Table), ("jobs", Doubled::Jobs)];

    /// How often a message of a kind is sent.
    pub fn copies(self, kind: &str) -> u64 {
        let twice = match self {
            Doubled::Nothing => false,
            Doubled::Table => ABOUT_TABLE.contains(&kind),
            Doubled::Jobs => kind == "job",
        };
        1 + u64::from(twice)
    }
}

impl FromStr for Doubled {
    type Err = MachineError;

    fn from_str(text: &str) -> Result<Doubled, MachineError> {
        let known = Doubled::ALL.iter().find(|(name, _)| *name == text);
        known.map(|&(_, doubled)| doubled).ok_or_else(|| {
            MachineError(format!("messages about `{text}` cannot be doubled; use table or jobs"))
        })
    }
}

/// Kinds of messages about the table.
pub const ABOUT_TABLE: [&str; 3] = ["lookup", "answer", "store"];

/// A machine that people know by name.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The machine.
    pub machine: Machine,
}

/// There is no such machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MachineError(pub(crate) String);

impl From<TopologyError> for MachineError {
    fn from(error: TopologyError) -> Self {
        MachineError(error.to_string())
    }
}

const MICRO: u64 = 1_000;
const MILLI: u64 = 1_000_000;

const fn prices(node: u64) -> Prices {
    Prices { node, leaf: 0, evaluation: 0 }
}

impl Profile {
    /// All of them. The first is the default. A topology can be added to each name: `transputer-grid`.
    pub const ALL: [Profile; 8] = [
        Profile {
            name: "ideal",
            about: "a node takes a microsecond, messages nothing",
            machine: Machine {
                prices: prices(MICRO),
                send: 0,
                receive: 0,
                latency: 1,
                per_kib: 0,
                routing: 0,
                topology: Topology::Full,
                table_server: true,
                contention: 0,
                doubled: Doubled::Nothing,
            },
        },
        Profile {
            name: "threads",
            about: "threads of one machine of today: a node 0.6 us, a message 1 us, noticed at the next poll",
            machine: Machine {
                prices: prices(600),
                send: 150,
                receive: 100,
                latency: MICRO,
                per_kib: 100,
                routing: 0,
                topology: Topology::Full,
                table_server: false,
                contention: 2_000,
                doubled: Doubled::Nothing,
            },
        },
        Profile {
            name: "transputer",
            about: "ZUGZWANG's T800: 523 nodes a second, four links of 20 Mbit/s, every step of the way interrupts a processor",
            machine: Machine {
                prices: prices(1_910 * MICRO),
                send: 100 * MICRO,
                receive: 100 * MICRO,
                latency: 60 * MICRO,
                per_kib: 410 * MICRO,
                routing: 150 * MICRO,
                topology: Topology::DeBruijn,
                table_server: true,
                contention: 0,
                doubled: Doubled::Nothing,
            },
        },
        Profile {
            name: "cm5",
            about: "*Socrates's CM-5: 33 MHz, active messages, a table lookup about 1600 cycles",
            machine: Machine {
                prices: prices(180 * MICRO),
                send: 2 * MICRO,
                receive: 2 * MICRO,
                latency: 8 * MICRO,
                per_kib: 110 * MICRO,
                routing: 0,
                topology: Topology::Full,
                table_server: false,
                contention: 0,
                doubled: Doubled::Nothing,
            },
        },
        Profile {
            name: "myrinet",
            about: "the DAS cluster of the Multigame thesis: 200 MHz processors, Myrinet, about 25 us a message",
            machine: Machine {
                prices: prices(57 * MICRO),
                send: 5 * MICRO,
                receive: 5 * MICRO,
                latency: 15 * MICRO,
                per_kib: 18 * MICRO,
                routing: 0,
                topology: Topology::Full,
                table_server: false,
                contention: 0,
                doubled: Doubled::Nothing,
            },
        },
        Profile {
            name: "concert",
            about: "Multello's Concert: 34 processors on common buses, seconds for a node",
            machine: Machine {
                prices: prices(3_400 * MILLI),
                send: 2 * MILLI,
                receive: 2 * MILLI,
                latency: MILLI,
                per_kib: 10 * MILLI,
                routing: 0,
                topology: Topology::Full,
                table_server: false,
                contention: 80_000,
                doubled: Doubled::Nothing,
            },
        },
        Profile {
            name: "cluster",
            about: "a cluster of today: a node 0.6 us, a message 2 us",
            machine: Machine {
                prices: prices(600),
                send: 500,
                receive: 500,
                latency: 2 * MICRO,
                per_kib: 100,
                routing: 0,
                topology: Topology::Full,
                table_server: false,
                contention: 0,
                doubled: Doubled::Nothing,
            },
        },
        Profile {
            name: "wide-area",
            about: "clusters of today in different towns: a node 0.6 us, a message 10 ms",
            machine: Machine {
                prices: prices(600),
                send: 2 * MICRO,
                receive: 2 * MICRO,
                latency: 10 * MILLI,
                per_kib: 100 * MICRO,
                routing: 0,
                topology: Topology::Full,
                table_server: false,
                contention: 0,
                doubled: Doubled::Nothing,
            },
        },
    ];
}

impl Machine {
    /// The same machine for puzzles, whose positions cost less than those of chess. In the Multigame thesis
    /// 57 us for a node of chess stand beside 3.66 us to expand a position of the 15-puzzle and 2.70 us to
    /// judge one; the other machines are taken to be alike.
    pub fn for_puzzles(self) -> Machine {
        let part = |nanoseconds: u64| (self.prices.node * nanoseconds / (57 * MICRO)).max(1);
        Machine { prices: Prices { node: part(6_360), leaf: part(2_700), evaluation: 0 }, ..self }
    }

    /// The machine of a name like `transputer`, `transputer-grid` or `myrinet-torus`.
    pub fn named(name: &str) -> Result<Machine, MachineError> {
        if let Some(profile) = Profile::ALL.iter().find(|profile| profile.name == name) {
            return Ok(profile.machine);
        }
        if let Some((base, topology)) = name.rsplit_once('-')
            && let Some(profile) = Profile::ALL.iter().find(|profile| profile.name == base)
        {
            return Ok(Machine { topology: topology.parse()?, ..profile.machine });
        }
        let names: Vec<&str> = Profile::ALL.iter().map(|profile| profile.name).collect();
        Err(MachineError(format!(
            "there is no network `{name}`; known are {}, each with -full, -ring, -grid, -torus or -debruijn",
            names.join(", ")
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_have_names_and_topologies() {
        for profile in Profile::ALL.iter() {
            assert_eq!(Machine::named(profile.name), Ok(profile.machine));
        }
        assert_eq!(Machine::named("transputer-grid").unwrap().topology, Topology::Grid);
        assert_eq!(Machine::named("wide-area-ring").unwrap().topology, Topology::Ring);
        let puzzles = Machine::named("myrinet").unwrap().for_puzzles().prices;
        assert_eq!((puzzles.node, puzzles.leaf), (6_360, 2_700));
        assert!(Machine::named("cray").unwrap_err().to_string().contains("transputer"));
        assert_eq!(
            ["table", "jobs", "kills"].map(|text| text.parse::<Doubled>().is_ok()),
            [true, true, false]
        );
        assert_eq!(["job", "store"].map(|kind| Doubled::Jobs.copies(kind)), [2, 1]);
        assert!(Machine::named("cm5-star").unwrap_err().to_string().contains("debruijn"));
    }
}
