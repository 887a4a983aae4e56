//! How a variant of an experiment searches: names from its file, and what they mean to the simulator.

use multigame_parallel::{
    Balance, Form, Memory, MessagePolicy, PolicyKind, Prices, PuzzlePolicy, PuzzleSetup, Setup, Travel,
    YoungBrothersWait,
};
use multigame_search::{Engine, Options};
use multigame_simulator::{Doubled, Faults, Losses, LossesError, Machine, search_options};
use serde::{Deserialize, Serialize};

/// What a file may say about a variant. What it leaves out is taken from the experiment, and then the usual.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Its name.
    pub name: Option<String>,
    /// What is to be known about it, as a sentence or two for the report.
    pub note: Option<String>,
    /// The set of positions, which names the game.
    pub positions: Option<String>,
    /// The machine, such as `transputer-grid`.
    pub machine: Option<String>,
    /// Prices in nanoseconds instead of the machine's: a node, a leaf, an evaluation.
    pub prices: Option<[u64; 3]>,
    /// The policy, such as `ybwc-1-2*` or `tds`.
    pub policy: Option<String>,
    /// Where the table is, such as `partitioned:depth=1:company=4`.
    pub memory: Option<String>,
    /// Entries of each processor's table.
    pub entries: Option<usize>,
    /// Whether `entries` is for all processors together, so that many have as much memory as one.
    pub equal_memory: Option<bool>,
    /// Options of the search, such as `engine=alphabeta,killers=off`.
    pub options: Option<String>,
    /// Which captures come before quiet moves: `all`, or `good` as in ZUGZWANG.
    pub captures: Option<String>,
    /// Whether jobs bring killers along: `local` or `shared`.
    pub killers: Option<String>,
    /// How good moves are told: `local`, `merged` between iterations, or after how many nodes.
    pub history: Option<String>,
    /// Messages that are sent twice, to see what they cost: `table` or `jobs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubled: Option<String>,
    /// Which child a thief gets: the `first` that is left, or the `last`, as from a deque.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stolen: Option<String>,
    /// How work is found: `zugzwang`, `random`, `have-work` or `tree`.
    pub balance: Option<String>,
    /// Which of `n1`, `n2`, `n3` are left out.
    pub without: Option<Vec<String>>,
    /// Whether jobs from the principal variation are given last.
    pub line_last: Option<bool>,
    /// Whether masters that wait help their slaves.
    pub helpful: Option<bool>,
    /// Nodes of this depth or less are searched in one go.
    pub grain: Option<u32>,
    /// What goes to the same processor in one message, where positions travel.
    pub combine: Option<u32>,
    /// Which position is taken first where they travel in games of two players: `left`, `last` or `first`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// The policy that says which children are sent home there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brothers: Option<String>,
    /// Processors that are lost, and the seconds within which: `4:0.5`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lose: Option<String>,
    /// For how many nodes' time a processor waits before it does what it waits for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patience: Option<u64>,
    /// How deep, where that is not the same for all variants.
    pub depth: Option<u32>,
    /// The variant whose run on one processor the others are compared with; its own if nothing is said.
    pub base: Option<String>,
}

macro_rules! either {
    ($one:expr, $other:expr, $($field:ident),*) => {
        Settings { $($field: $one.$field.clone().or_else(|| $other.$field.clone()),)* }
    };
}

impl Settings {
    /// These, and the others where these say nothing.
    pub fn or(&self, other: &Settings) -> Settings {
        either!(
            self,
            other,
            name,
            note,
            positions,
            machine,
            prices,
            policy,
            memory,
            entries,
            equal_memory,
            options,
            captures,
            killers,
            history,
            doubled,
            stolen,
            balance,
            without,
            line_last,
            helpful,
            grain,
            combine,
            order,
            brothers,
            lose,
            patience,
            depth,
            base
        )
    }

    /// The name of the variant.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("ours")
    }

    /// All that decides what comes out of a run, as a short text: rows with another one belong to another configuration.
    pub fn fingerprint(&self) -> String {
        let plain = Settings { name: None, note: None, base: None, ..self.clone() };
        let text = toml::to_string(&plain).expect("settings are plain data");
        format!("{:016x}", fnv(text.as_bytes()))
    }

    /// The prices that are paid, if the file gives them.
    fn prices(&self) -> Option<Prices> {
        self.prices.map(|[node, leaf, evaluation]| Prices { node, leaf, evaluation })
    }

    /// The machine for games of two players.
    pub fn machine(&self) -> Result<Machine, String> {
        let name = self.machine.as_deref().unwrap_or("cluster");
        let machine = Machine::named(name).map_err(|error| error.to_string())?;
        let doubled = match &self.doubled {
            None => Doubled::Nothing,
            Some(kind) => kind.parse().map_err(|error| format!("{error}"))?,
        };
        Ok(Machine { prices: self.prices().unwrap_or(machine.prices), doubled, ..machine })
    }

    /// The machine for puzzles.
    pub fn puzzle_machine(&self) -> Result<Machine, String> {
        let machine = Settings { prices: None, ..self.clone() }.machine()?.for_puzzles();
        Ok(Machine { prices: self.prices().unwrap_or(machine.prices), ..machine })
    }

    /// The policy, whatever it is for.
    fn policy(&self) -> Result<PolicyKind, String> {
        let name = self.policy.as_deref().unwrap_or("ybwc-1-2*");
        name.parse().map_err(|_| format!("there is no policy `{name}`; docs/parallel.md lists them"))
    }

    /// The policy for a game of two players.
    pub fn message_policy(&self) -> Result<MessagePolicy, String> {
        let policy = self.policy()?;
        policy.messages().ok_or_else(|| {
            format!("`{policy}` needs common memory or is for puzzles; nothing simulates it here")
        })
    }

    /// Whether one processor searches what the sequential search does: not with policies that cut less.
    pub fn is_sequential_alone(&self) -> bool {
        let cuts_less = ["exhaustive", "mwf", "speculative"];
        let policy = self.policy.as_deref().unwrap_or_default();
        !cuts_less.iter().any(|name| policy.starts_with(name))
    }

    /// The policy for a puzzle.
    pub fn puzzle_policy(&self) -> Result<PuzzlePolicy, String> {
        let policy = self.policy()?;
        policy.puzzle().ok_or_else(|| {
            format!("`{policy}` is for games of two players; use `stealing`, `tds` or `windows`")
        })
    }

    /// Entries of one processor's table on a machine.
    pub fn entries(&self, processors: u32) -> usize {
        let entries = self.entries.unwrap_or(1 << 14);
        if self.equal_memory == Some(true) { entries / processors as usize } else { entries }
    }

    /// The options of the search.
    pub fn options(&self) -> Result<Options, String> {
        let text = self.options.as_deref().unwrap_or_default();
        search_options(Engine::NegaScout, text).map_err(|error| error.to_string())
    }

    /// Whether captures that lose material come after quiet moves.
    pub fn sorts_captures(&self) -> Result<bool, String> {
        match self.captures.as_deref().unwrap_or("all") {
            "all" => Ok(false),
            "good" => Ok(true),
            other => Err(format!("there are no captures `{other}`; use all or good")),
        }
    }

    fn balance(&self) -> Result<Balance, String> {
        let named = Balance::named(self.balance.as_deref().unwrap_or("zugzwang"))?;
        let mut balance = named.stealing(self.stolen.as_deref().unwrap_or("first"))?;
        for name in self.without.iter().flatten() {
            match name.as_str() {
                "n1" => balance.neighbours = false,
                "n2" => balance.forwards = 0,
                "n3" => balance.results_ask = false,
                other => return Err(format!("there is no `{other}` to leave out; there are n1, n2 and n3")),
            }
        }
        balance.line_last = self.line_last.unwrap_or(false);
        balance.helpful = self.helpful.unwrap_or(balance.helpful);
        Ok(balance)
    }

    /// What goes wrong.
    pub fn faults(&self) -> Result<Faults, String> {
        let losses = self.lose.as_deref().map_or(Ok(Losses::default()), str::parse);
        let losses = losses.map_err(|error: LossesError| error.to_string())?;
        Ok(Faults { losses, ..Faults::default() })
    }

    /// How the workers of a game of two players are set up between which positions travel.
    fn travelling(&self, travel: Travel) -> Result<Setup, String> {
        let given = [
            ("balance", self.balance.is_some()),
            ("without", self.without.is_some()),
            ("line_last", self.line_last.is_some()),
            ("stolen", self.stolen.is_some()),
            ("helpful", self.helpful.is_some()),
            ("killers", self.killers.is_some()),
            ("history", self.history.is_some()),
            ("lose", self.lose.is_some()),
            ("patience", self.patience.is_some()),
        ];
        if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
            return Err(format!("`{name}` means nothing with `tds`; leave it out"));
        }
        let policy = Settings { policy: self.brothers.clone(), ..Settings::default() };
        let policy = match &self.brothers {
            None => MessagePolicy::Ybwc(YoungBrothersWait::PLAIN),
            Some(_) => policy.message_policy()?,
        };
        if !matches!(policy, MessagePolicy::Ybwc(_)) {
            return Err("`brothers` is `ybwc` or one of its variants".to_string());
        }
        let order = self.order.as_deref().map_or(Ok(travel.order), str::parse)?;
        let travel = Travel { combine: self.combine.unwrap_or(travel.combine), order };
        let memory = self.memory(Memory::of(Form::Partitioned))?;
        self.policy()?.check_memory(memory)?;
        let grain = self.grain.unwrap_or(0);
        Ok(Setup { memory, grain, travel: Some(travel), ..Setup::fine(policy) })
    }

    /// How the workers of a game of two players are set up.
    pub fn setup(&self) -> Result<Setup, String> {
        if let Some(travel) = self.policy()?.travel() {
            return self.travelling(travel);
        }
        let travels = [("order", self.order.is_some()), ("brothers", self.brothers.is_some())];
        if let Some((name, _)) = travels.iter().find(|(_, given)| *given) {
            return Err(format!("`{name}` is for positions that travel; leave it out, or use `tds`"));
        }
        let memory = self.memory(Memory::USUAL)?;
        let node = self.machine()?.prices.node.max(1);
        let patience = match (&self.lose, self.patience) {
            (None, Some(_)) => return Err("`patience` is for searches that `lose` processors".to_string()),
            (None, None) => 0,
            (Some(_), nodes) => nodes.unwrap_or(1000) * node,
        };
        let setup = Setup {
            memory,
            patience,
            balance: self.balance()?,
            grain: self.grain.unwrap_or(0),
            ..Setup::fine(self.message_policy()?)
        };
        setup
            .with_killers(self.killers.as_deref().unwrap_or("local"))?
            .with_history(self.history.as_deref().unwrap_or("merged"))
    }

    fn memory(&self, usual: Memory) -> Result<Memory, String> {
        let Some(text) = &self.memory else { return Ok(usual) };
        text.parse().map_err(|error| format!("{error}"))
    }

    /// How the workers of a puzzle are set up.
    pub fn puzzle_setup(&self) -> Result<PuzzleSetup, String> {
        let policy = self.puzzle_policy()?;
        let usual = PuzzleSetup::fine(policy);
        if policy.homes().is_some() && self.memory.is_some() {
            return Err("with `tds` every position is at its home; leave `memory` out".to_string());
        }
        Ok(PuzzleSetup {
            memory: self.memory(usual.memory)?,
            grain: self.grain.unwrap_or(usual.grain),
            combine: self.combine.map_or(usual.combine, |most| most as usize),
            ..usual
        })
    }
}

/// A hash that stays the same in all versions.
pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Settings {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_variant_says_what_the_experiment_leaves_open() {
        let own = settings("policy = \"ybwc\"\ngrain = 2");
        let common = settings("policy = \"jamboree\"\nmachine = \"transputer\"");
        let both = own.or(&common);
        assert_eq!((both.policy.as_deref(), both.machine.as_deref()), (Some("ybwc"), Some("transputer")));
        assert_eq!(both.setup().unwrap().grain, 2);
    }

    #[test]
    fn names_and_notes_are_not_a_configuration() {
        let one = settings("policy = \"ybwc\"\nname = \"a\"\nnote = \"b\"");
        assert_eq!(one.fingerprint(), settings("policy = \"ybwc\"").fingerprint());
        assert_ne!(one.fingerprint(), settings("policy = \"ybwc*\"").fingerprint());
    }

    #[test]
    fn wrong_names_are_refused_with_the_right_ones() {
        let error = |text: &str| {
            let settings = settings(text);
            let wrong = [
                settings.setup().err(),
                settings.options().err(),
                settings.sorts_captures().err(),
                settings.machine().err(),
            ];
            wrong.into_iter().flatten().next().unwrap_or_default()
        };
        assert!(error("policy = \"nobody\"").contains("docs/parallel.md"));
        assert!(error("policy = \"tds\"\nkillers = \"shared\"").contains("leave it out"));
        assert!(error("policy = \"tds\"\nbrothers = \"jamboree\"").contains("ybwc"));
        assert!(error("policy = \"tds\"\nmemory = \"private\"").contains("partitioned"));
        assert!(error("policy = \"tds:stride=2\"").contains("puzzles"));
        assert!(error("order = \"left\"").contains("tds"));
        assert!(error("patience = 5").contains("lose"));
        assert!(settings("lose = \"many\"").faults().unwrap_err().contains("4:0.5"));
        let travelling = settings("policy = \"tds\"\norder = \"last\"\ncombine = 3").setup().unwrap();
        assert_eq!(travelling.travel, Some(Travel { combine: 3, order: multigame_parallel::Order::Last }));
        assert!(error("without = [\"n4\"]").contains("n3"));
        assert!(error("killers = \"all\"").contains("shared"));
        assert!(error("history = \"0\"").contains("merged"));
        assert!(error("balance = \"none\"").contains("tree"));
        assert!(error("stolen = \"best\"").contains("last child"));
        assert!(error("doubled = \"kills\"").contains("use table or jobs"));
        assert!(error("captures = \"none\"").contains("good"));
        assert!(error("machine = \"cray\"").contains("transputer"));
        assert!(error("options = \"engine=idastar\"").contains("negascout"));
        assert!(error("memory = \"far\"").contains("hybrid"));
        assert!(settings("policy = \"ybwc\"").puzzle_setup().unwrap_err().contains("stealing"));
    }

    #[test]
    fn equal_memory_is_shared_out() {
        let text = "entries = 1024\nequal_memory = true";
        assert_eq!((settings(text).entries(1), settings(text).entries(128)), (1024, 8));
    }
}
