//! Machines as text: what `multigame cluster measure` writes and `multigame simulate --network machine.toml`
//! reads.

use multigame_parallel::Prices;
use serde::{Deserialize, Serialize};

use crate::machine::{Doubled, Machine, MachineError};

/// A machine as its file says; times in nanoseconds.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Description {
    node: u64,
    #[serde(default)]
    leaf: u64,
    #[serde(default)]
    evaluation: u64,
    send: u64,
    receive: u64,
    latency: u64,
    per_kib: u64,
    #[serde(default)]
    routing: u64,
    #[serde(default = "full")]
    topology: String,
    #[serde(default)]
    table_server: bool,
    #[serde(default)]
    contention: u64,
}

fn full() -> String {
    "full".to_string()
}

impl Machine {
    /// The machine that a text describes.
    pub fn from_toml(text: &str) -> Result<Machine, MachineError> {
        let described: Result<Description, _> = toml::from_str(text);
        let it =
            described.map_err(|error| MachineError(format!("this is not a machine: {}", error.message())))?;
        Ok(Machine {
            prices: Prices { node: it.node.max(1), leaf: it.leaf, evaluation: it.evaluation },
            send: it.send,
            receive: it.receive,
            latency: it.latency.max(1),
            per_kib: it.per_kib,
            routing: it.routing,
            topology: it.topology.parse()?,
            table_server: it.table_server,
            contention: it.contention,
            doubled: Doubled::Nothing,
        })
    }

    /// As text; each line of `about` becomes a comment.
    pub fn to_toml(&self, about: &str) -> String {
        let description = Description {
            node: self.prices.node,
            leaf: self.prices.leaf,
            evaluation: self.prices.evaluation,
            send: self.send,
            receive: self.receive,
            latency: self.latency,
            per_kib: self.per_kib,
            routing: self.routing,
            topology: self.topology.to_string(),
            table_server: self.table_server,
            contention: self.contention,
        };
        let comments: String = about.lines().map(|line| format!("# {line}\n")).collect();
        comments + &toml::to_string(&description).expect("numbers and names can be written")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Profile;

    #[test]
    fn machines_come_back() {
        for profile in &Profile::ALL {
            let text = profile.machine.to_toml("measured\ntoday");
            assert!(text.starts_with("# measured\n# today\nnode = "), "{text}");
            assert_eq!(Machine::from_toml(&text), Ok(profile.machine), "{}", profile.name);
        }
    }

    #[test]
    fn what_is_not_a_machine_is_refused() {
        let wrong = |text: &str| Machine::from_toml(text).unwrap_err().to_string();
        assert!(wrong("node = 1").contains("send"));
        let text = Profile::ALL[0].machine.to_toml("");
        assert!(wrong(&format!("{text}colour = 3\n")).contains("colour"));
        assert!(wrong(&text.replace("full", "star")).contains("debruijn"));
        assert!(wrong(&text.replace("send = 0", "send = -1")).contains("not a machine"));
    }
}
