//! How a player searches: the options of the search, and what knows of threads and processes.
//!
//! [`Configuration`] is what parsers, help, UCI, the shell and the documentation share: each option is
//! declared once, those of the search in [`Options::DECLARED`] and the others here.

use std::fmt;

use multigame_game::Game;
use multigame_parallel::{Memory, MemoryError, PolicyKind};
use multigame_search::declared::{self, Declaration, Kind, index_of, names_of};
use multigame_search::{Engine, Options, OptionsError, SearchError};
use multigame_threads::MOST_THREADS;

/// What lets the game or the machine decide.
const AUTOMATIC: &str = "automatic";
/// The value that takes an option back.
const TAKEN_BACK: &str = "default";

/// How to search.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// Whether the engine is the one that suits the game, instead of the one in `search`.
    pub automatic: bool,
    /// The options of the search.
    pub search: Options,
    /// Threads to search on.
    pub threads: u32,
    /// How threads divide the work.
    pub policy: PolicyKind,
    /// Where the table of several processes is; the usual place if not given.
    pub memory: Option<Memory>,
    /// The options that somebody named. A search that would not use one of them is refused.
    pub given: Given,
}

/// The options that somebody named, each with the values that it changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given(Vec<(&'static str, Vec<(&'static str, String)>)>);

impl Given {
    /// Whether an option is among them.
    pub fn names(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| *known == name)
    }

    /// Adds an option. If it is named again, the first values before it count.
    fn add(&mut self, name: &'static str, before: Vec<(&'static str, String)>) {
        if !self.names(name) {
            self.0.push((name, Vec::new()));
        }
        let Some((_, known)) = self.0.iter_mut().find(|(known, _)| *known == name) else { return };
        for (changed, value) in before {
            if known.iter().all(|(name, _)| *name != changed) {
                known.push((changed, value));
            }
        }
    }

    /// Takes an option back: the values before it.
    fn remove(&mut self, name: &str) -> Vec<(&'static str, String)> {
        let place = self.0.iter().position(|(known, _)| *known == name);
        place.map_or_else(Vec::new, |place| self.0.remove(place).1)
    }
}

impl Default for Configuration {
    fn default() -> Self {
        Configuration::from(Options::default())
    }
}

/// On one thread, by the engine that suits the game.
impl From<Options> for Configuration {
    fn from(search: Options) -> Configuration {
        let (policy, given) = (PolicyKind::default(), Given::default());
        Configuration { automatic: true, search, threads: 1, policy, memory: None, given }
    }
}

/// The engines, and the one that suits the game.
const ENGINES: [(&str, Option<Engine>); Engine::ALL.len() + 1] = {
    let mut engines = [(AUTOMATIC, None); Engine::ALL.len() + 1];
    let mut next = 0;
    while next < Engine::ALL.len() {
        engines[next + 1] = (Engine::ALL[next].0, Some(Engine::ALL[next].1));
        next += 1;
    }
    engines
};

const THREADED: &[Engine] = &[
    Engine::AlphaBeta,
    Engine::NegaScout,
    Engine::Mtdf,
    Engine::DfPn,
    Engine::Verdict,
    Engine::IdaStar,
    Engine::AStar,
    Engine::Mcts,
];
/// Those whose threads can share the work in several ways.
const DIVIDED: &[Engine] =
    &[Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf, Engine::Verdict, Engine::IdaStar];

/// The options that a search alone does not know, and its engine, which may be automatic here.
const OWN: [Declaration<Configuration>; 4] = [
    Declaration {
        name: "engine",
        kind: Kind::Choice {
            names: const { &names_of(&ENGINES) },
            get: |configuration| index_of(configuration.engine(), &ENGINES),
            set: |configuration, number| configuration.set_engine(ENGINES[number].1),
        },
        engines: &[],
        team: &[],
        help: "the way to search; `automatic` is the one that suits the game",
    },
    Declaration {
        name: "threads",
        kind: Kind::Number {
            least: 1,
            most: MOST_THREADS as u64,
            unit: "",
            get: |configuration| configuration.threads.into(),
            set: |configuration, threads| configuration.threads = threads as u32,
        },
        engines: THREADED,
        team: &[],
        help: "number of threads to search on, see [parallel.md](parallel.md)",
    },
    Declaration {
        name: "policy",
        kind: Kind::Named {
            form: "`ybwc`, `jamboree:2`, `lazy-smp`, ...",
            get: |configuration| configuration.policy.to_string(),
            set: |configuration, text| {
                configuration.policy = text.parse().map_err(|error| format!("{error}"))?;
                Ok(())
            },
        },
        engines: DIVIDED,
        team: &[],
        help: "how the threads share the work, see [parallel.md](parallel.md)",
    },
    Declaration {
        name: "memory",
        kind: Kind::Named {
            form: "`automatic`, `private`, `replicated`, `partitioned`, `hybrid:depth=2:company=16`, ...",
            get: |configuration| {
                configuration.memory.map_or_else(|| AUTOMATIC.to_string(), |memory| memory.to_string())
            },
            set: |configuration, text| {
                configuration.memory = if text == AUTOMATIC { None } else { Some(parse_memory(text)?) };
                Ok(())
            },
        },
        engines: DIVIDED,
        team: &[],
        help: "where the table of several processes is, see [cluster.md](cluster.md)",
    },
];

/// Reads where the table of several processes is.
pub fn parse_memory(text: &str) -> Result<Memory, String> {
    let memory: Memory = text.parse().map_err(|error: MemoryError| error.to_string())?;
    if memory == Memory::SHARED {
        return Err(
            "processes share no memory; use `private`, `replicated`, `partitioned` or `hybrid`".into()
        );
    }
    Ok(memory)
}

/// What people are told about an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// What people write.
    pub name: &'static str,
    /// What it can be set to.
    pub values: String,
    /// What it is if nobody sets it.
    pub default: String,
    /// What it is when the computer plays, if that is something else.
    pub playing: Option<String>,
    /// The engines that use it; none for those that are for every engine.
    pub engines: &'static [Engine],
    /// Engines that use it only together with several threads or processes.
    pub team: &'static [Engine],
    /// Both in words.
    pub users: String,
    /// What it does.
    pub help: &'static str,
}

impl Described {
    fn of<T>(option: &Declaration<T>, default: String, playing: Option<String>) -> Described {
        let &Declaration { name, engines, team, help, .. } = option;
        Described {
            name,
            values: option.values(),
            default,
            playing,
            engines,
            team,
            users: option.users(),
            help,
        }
    }
}

impl Configuration {
    /// What computers play with, by the engine that suits the game.
    pub fn playing() -> Configuration {
        Configuration::from(Options::playing())
    }

    /// The same options with an engine.
    pub fn with_engine(mut self, engine: Engine) -> Configuration {
        self.set_engine(Some(engine));
        self
    }

    /// The engine that was chosen.
    pub fn engine(&self) -> Option<Engine> {
        (!self.automatic).then_some(self.search.engine)
    }

    /// Chooses an engine, or leaves it to the game.
    pub fn set_engine(&mut self, engine: Option<Engine>) {
        self.automatic = engine.is_none();
        self.search.engine = engine.unwrap_or_default();
    }

    /// Changes one option, which counts as named by somebody; the value `default` takes it back. Nothing is
    /// changed if it is wrong.
    pub fn set_one(&mut self, name: &str, value: &str) -> Result<(), OptionsError> {
        let known = Configuration::names().find(|known| *known == name);
        let name = known.ok_or_else(|| Configuration::unknown(name))?;
        if value == TAKEN_BACK {
            for (changed, value) in self.given.remove(name) {
                if !self.given.names(changed) {
                    self.put(changed, &value)?;
                }
            }
            return Ok(());
        }
        let before: Vec<_> = self.values().collect();
        self.put(name, value)?;
        let now = self.values().map(|(_, value)| value);
        let changed = before.into_iter().zip(now).filter(|((_, before), now)| before != now);
        let changed = changed.map(|(before, _)| before).collect();
        self.given.add(name, changed);
        Ok(())
    }

    /// Sets an option to a value.
    fn put(&mut self, name: &str, value: &str) -> Result<(), OptionsError> {
        match OWN.iter().find(|own| own.name == name) {
            Some(own) => own.set(self, value),
            None => Options::declared(name)?.set(&mut self.search, value),
        }
    }

    /// The error for an option that does not exist.
    pub fn unknown(name: &str) -> OptionsError {
        declared::unknown(name, Configuration::names())
    }

    /// Changes the options named in a text like `tt=on,history=off`.
    pub fn set(&mut self, text: &str) -> Result<(), OptionsError> {
        declared::parts(text).try_for_each(|(name, value)| self.set_one(name, value))
    }

    /// The options with those of a text changed.
    pub fn with(mut self, text: &str) -> Result<Configuration, OptionsError> {
        self.set(text)?;
        Ok(self)
    }

    /// The names of all options: the engine, those of the search, those of threads and processes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let search = Options::DECLARED.iter().map(|option| option.name).filter(|name| *name != OWN[0].name);
        let rest = OWN[1..].iter().map(|option| option.name);
        std::iter::once(OWN[0].name).chain(search).chain(rest)
    }

    /// All options with their values, in the order of their names.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, String)> {
        Configuration::names().map(|name| match OWN.iter().find(|own| own.name == name) {
            Some(own) => (name, own.get(self)),
            None => (name, Options::declared(name).map_or_else(|_| String::new(), |it| it.get(&self.search))),
        })
    }

    /// What people are told about each option.
    pub fn described() -> Vec<Described> {
        let (default, playing) = (Configuration::default(), Configuration::playing());
        let values = default.values().zip(playing.values());
        let describe = |((name, default), (_, playing)): ((&'static str, String), (_, String))| {
            let playing = (playing != default).then_some(playing);
            match OWN.iter().find(|own| own.name == name) {
                Some(own) => Some(Described::of(own, default, playing)),
                None => Options::declared(name).ok().map(|option| Described::of(option, default, playing)),
            }
        };
        values.filter_map(describe).collect()
    }

    /// The greatest number an option can be set to.
    pub fn most(name: &str) -> Option<u64> {
        let own = OWN.iter().find(|own| own.name == name).and_then(Declaration::range);
        let search = || Options::declared(name).ok().and_then(Declaration::range);
        own.or_else(search).map(|(_, most)| most)
    }

    /// Whether a game can be searched like this by the engine in `search`, perhaps together with the other
    /// ranks of a job, and whether the search uses all options that somebody named. Nothing is made for it.
    pub fn check<G: Game>(&self, game: &G, others: bool) -> Result<(), SearchError> {
        OWN.iter().try_for_each(|own| own.check(self))?;
        if self.threads > 1 {
            multigame_threads::check(game, &self.search, self.threads, self.policy)?;
        } else {
            multigame_search::check(game, &self.search)?;
        }
        let shared = others && self.can_be_shared(game.description().players);
        let engine = self.search.engine;
        // Every engine searches on one thread, and more were refused above.
        for (name, _) in self.given.0.iter().filter(|(name, _)| *name != "threads") {
            let team = self.threads > 1 || shared;
            match OWN.iter().find(|own| own.name == *name) {
                Some(own) => own.check_use(engine, team)?,
                None => Options::declared(name)?.check_use(engine, team)?,
            }
        }
        Ok(self.check_team(others, shared)?)
    }

    /// Whether what is said about several threads or processes has a meaning.
    fn check_team(&self, others: bool, shared: bool) -> Result<(), OptionsError> {
        let refuse = |message: &str| Err(OptionsError::new(message.to_string()));
        if self.memory.is_some() && !others {
            return refuse(
                "`memory` says where the table of several processes is, and there is only one; start them with \
                 `mpirun`",
            );
        }
        if self.memory.is_some() && !shared {
            return Err(OptionsError::new(format!(
                "`policy={}` searches in one process, so `memory` has no meaning; leave it out, or use \
                 `policy=ybwc`, for puzzles `policy=stealing`",
                self.policy
            )));
        }
        if self.threads == 1 && !shared && self.given.names("policy") {
            return refuse(
                "`policy` says how several threads share the work, and there is one; use `threads=2`",
            );
        }
        let guesses = ["aspiration", "aspiration-narrow"].into_iter().find(|name| self.given.names(name));
        match guesses {
            Some(name) if self.threads > 1 && self.policy == PolicyKind::Aspiration => {
                Err(OptionsError::new(format!(
                    "`policy=aspiration` gives each thread a window of its own, and does not use option `{name}`; \
                     leave it out, or use `policy=ybwc`"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Whether other ranks can take part in a search of a game for this many players: they exchange messages
    /// and share no table.
    pub(crate) fn can_be_shared(&self, players: u8) -> bool {
        match self.search.engine {
            Engine::AlphaBeta | Engine::NegaScout | Engine::Mtdf => self.policy.messages().is_some(),
            Engine::IdaStar => self.policy.puzzle().is_some(),
            // Ranks tell each other what their tables know.
            Engine::Verdict => players == 2 && self.search.table,
            _ => false,
        }
    }
}

/// Changes of options, in the order in which they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes(Vec<(String, String)>);

impl Changes {
    /// Reads `tt=on,history=off`. Names and values are checked, whether they fit together is not.
    pub fn parse(text: &str) -> Result<Changes, OptionsError> {
        Configuration::default().set(text)?;
        Ok(Changes(declared::parts(text).map(|(name, value)| (name.into(), value.into())).collect()))
    }

    /// Whether an option is among them.
    pub fn names(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Makes them.
    pub fn apply(&self, configuration: &mut Configuration) -> Result<(), OptionsError> {
        self.0.iter().try_for_each(|(name, value)| configuration.set_one(name, value))
    }
}

/// As they were written.
impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_configuration_are_the_same() {
        let text = "engine=mtdf,threads=4,policy=ybwc:2,memory=hybrid:depth=2:company=16,lmr=off,seed=18446744073709551615";
        let configuration = Configuration::playing().with(text).unwrap();
        assert_eq!((configuration.engine(), configuration.threads), (Some(Engine::Mtdf), 4));
        for configuration in [configuration, Configuration::default()] {
            let mut read = Configuration::default();
            configuration.values().for_each(|(name, value)| read.set_one(name, &value).unwrap());
            assert_eq!(read, Configuration { given: read.given.clone(), ..configuration });
        }
    }

    /// What is said about a configuration of a game for two.
    fn refusal(text: &str, others: bool) -> String {
        let game = multigame_search::random_tree::RandomTree::new(Default::default());
        let configuration = Configuration::playing().with(text).unwrap();
        configuration.check(&game, others).err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn options_that_the_search_does_not_use_are_refused() {
        assert_eq!(
            refusal("engine=dfpn,lmr=on", false),
            "`engine=dfpn` does not use option `lmr`; leave it out, or use alphabeta, negascout or mtdf"
        );
        assert_eq!(
            refusal("engine=negascout,seed=3", false),
            "`engine=negascout` does not use option `seed`; leave it out, or use verdict or mcts, or several threads"
        );
        for (text, remedy) in [
            ("engine=pns,tt-size=8", "alphabeta, negascout, mtdf, verdict, idastar or expectimax"),
            ("engine=mcts,policy=ybwc", "does not use option `policy`"),
            ("engine=negamax,threads=2", "searches on one thread"),
            ("engine=pns,threads=2", "`dfpn`"),
            ("engine=dfpn,threads=2,policy=abdada", "does not use option `policy`"),
            ("engine=astar,threads=2", "2 players play"),
            ("engine=mcts,memory=private", "does not use option `memory`"),
            ("engine=negascout,tree-nodes=9", "pns, dfpn, astar, bfs or mcts"),
            ("engine=alphabeta,symmetry=off", "or use verdict"),
            ("engine=negascout,policy=lazy-smp", "use `threads=2`"),
            ("engine=negascout,threads=2,policy=aspiration,aspiration-narrow=5", "use `policy=ybwc`"),
        ] {
            let refused = refusal(text, false);
            assert!(refused.contains(remedy), "{text}: {refused}");
        }
        for text in [
            "engine=negascout,seed=3,threads=2",
            "engine=negascout,threads=2,policy=lazy-smp,aspiration=off",
            "engine=dfpn,tree-nodes=1000,poll=7,threads=1",
            "engine=dfpn,tree-nodes=1000,threads=2",
            "engine=mcts,seed=4,threads=3",
            "engine=negascout,lmr=on,tt-size=8",
        ] {
            assert_eq!(refusal(text, false), "", "{text}");
        }
    }

    #[test]
    fn policy_and_memory_need_somebody_to_share_with() {
        assert!(refusal("engine=negascout,memory=private", false).contains("start them with `mpirun`"));
        assert!(refusal("engine=negascout,memory=private,policy=abdada", true).contains("use `policy=ybwc`"));
        assert!(refusal("engine=negascout,policy=abdada", true).contains("use `threads=2`"));
        assert_eq!(refusal("engine=negascout,memory=private,policy=ybwc,seed=4", true), "");
    }

    #[test]
    fn options_are_taken_back() {
        let playing = Configuration::playing();
        let mut configuration = playing.clone().with("null=off,depth-exact=on,tt-size=4,tt-size=8").unwrap();
        configuration.set("tt-size=default,depth-exact=default").unwrap();
        assert!(!configuration.search.null_move && configuration.search.reductions);
        assert_eq!(configuration.set("null=default"), Ok(()));
        assert_eq!(configuration, playing);
        assert_eq!(configuration.with("null=default,engine=default"), Ok(playing));
    }

    #[test]
    fn the_engine_can_be_automatic_again() {
        let chosen = Configuration::default().with("engine=dfpn").unwrap();
        assert_eq!(chosen.engine(), Some(Engine::DfPn));
        assert_eq!(chosen.clone().with("engine=automatic").unwrap().engine(), None);
        assert_eq!(chosen.with("engine=default").unwrap(), Configuration::default());
    }

    #[test]
    fn ranges_are_named() {
        let error = |text: &str| Configuration::default().with(text).unwrap_err().to_string();
        for described in Configuration::described() {
            let wrong = format!("{}=no-such-value", described.name);
            let message = error(&wrong);
            assert!(message.contains("no-such-value"), "{message}");
        }
        assert_eq!(error("threads=0"), "option `threads` needs a number, 1 to 256, not `0`");
        assert_eq!(error("tt-size=0"), "option `tt-size` needs a number, 1 MiB to 1048576 MiB, not `0`");
        assert_eq!(error("deepening=3"), "option `deepening` needs a number, 0, 1 or 2, not `3`");
        assert!(error("memory=shared").contains("share no memory"));
        assert!(error("killer=on").ends_with("seed, star1, star2, points, threads, policy, memory"));
    }

    #[test]
    fn code_cannot_leave_a_range_either() {
        let game = multigame_search::random_tree::RandomTree::new(Default::default());
        let mut configuration = Configuration::default();
        assert_eq!(configuration.check(&game, false), Ok(()));
        configuration.threads = 1000;
        assert!(configuration.check(&game, false).unwrap_err().to_string().contains("1 to 256"));
    }

    #[test]
    fn changes_remember_what_was_named() {
        let changes = Changes::parse("etc, lmr=off").unwrap();
        assert!(changes.names("etc") && !changes.names("engine"));
        let mut configuration = Configuration::playing();
        changes.apply(&mut configuration).unwrap();
        assert!(configuration.search.enhanced_cutoffs && !configuration.search.reductions);
        assert!(Changes::parse("lmr=perhaps").is_err());
    }
}
