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
}

impl Default for Configuration {
    fn default() -> Self {
        Configuration::from(Options::default())
    }
}

/// On one thread, by the engine that suits the game.
impl From<Options> for Configuration {
    fn from(search: Options) -> Configuration {
        Configuration { automatic: true, search, threads: 1, policy: PolicyKind::default(), memory: None }
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

const THREADED: &[Engine] =
    &[Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf, Engine::Verdict, Engine::IdaStar];
const SHARED: &[Engine] = &[Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf, Engine::IdaStar];

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
        engines: THREADED,
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
        engines: SHARED,
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
    /// The engines it makes a difference to; none for those that are for every engine.
    pub engines: &'static [Engine],
    /// What it does.
    pub help: &'static str,
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

    /// Changes one option; nothing is changed if it is wrong.
    pub fn set_one(&mut self, name: &str, value: &str) -> Result<(), OptionsError> {
        if let Some(own) = OWN.iter().find(|own| own.name == name) {
            return own.set(self, value);
        }
        match Options::DECLARED.iter().find(|option| option.name == name) {
            Some(option) => option.set(&mut self.search, value),
            None => Err(Configuration::unknown(name)),
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
            let (values, engines, help) = match OWN.iter().find(|own| own.name == name) {
                Some(own) => (own.values(), own.engines, own.help),
                None => Options::declared(name).map_or((String::new(), &[][..], ""), |option| {
                    (option.values(), option.engines, option.help)
                }),
            };
            Described { name, values, default, playing, engines, help }
        };
        values.map(describe).collect()
    }

    /// The greatest number an option can be set to.
    pub fn most(name: &str) -> Option<u64> {
        let own = OWN.iter().find(|own| own.name == name).and_then(Declaration::range);
        let search = || Options::declared(name).ok().and_then(Declaration::range);
        own.or_else(search).map(|(_, most)| most)
    }

    /// Whether a game can be searched like this, by the engine in `search`. Nothing is made for it.
    pub fn check<G: Game>(&self, game: &G) -> Result<(), SearchError> {
        OWN.iter().try_for_each(|own| own.check(self))?;
        if self.threads > 1 {
            return multigame_threads::check(game, &self.search, self.threads, self.policy);
        }
        multigame_search::check(game, &self.search)
    }
}

/// All options in the form that [`Configuration::set`] reads.
impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, value)) in self.values().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{name}={value}")?;
        }
        Ok(())
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
        assert_eq!(Configuration::default().with(&configuration.to_string()), Ok(configuration));
        let automatic = Configuration::default();
        assert!(automatic.to_string().starts_with("engine=automatic,deepening=1,"));
        assert_eq!(Configuration::default().with(&automatic.to_string()), Ok(automatic));
    }

    #[test]
    fn the_engine_can_be_automatic_again() {
        let chosen = Configuration::default().with("engine=dfpn").unwrap();
        assert_eq!(chosen.engine(), Some(Engine::DfPn));
        assert_eq!(chosen.with("engine=automatic").unwrap(), Configuration::default());
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
        assert!(error("killer=on").ends_with("seed, threads, policy, memory"));
    }

    #[test]
    fn code_cannot_leave_a_range_either() {
        let game = multigame_search::random_tree::RandomTree::new(Default::default());
        let mut configuration = Configuration::default();
        assert_eq!(configuration.check(&game), Ok(()));
        configuration.threads = 1000;
        assert!(configuration.check(&game).unwrap_err().to_string().contains("1 to 256"));
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
