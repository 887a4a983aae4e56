//! One suite of positions over all games, on which all searches must agree.
//!
//! `positions.toml` freezes NegaMax's value of each position at a depth. The evaluation is the number of
//! pieces ([`Material`]); quiescence is on, and repetition is ignored, because a table cannot know it. Every
//! search to the same depth, with tables that use only entries of exactly the wanted depth (`depth-exact`),
//! must give the same value:
//!
//! ```
//! let case = &multigame_suite::cases()[0];
//! let game = multigame_ir::RulesGame::new(case.program());
//! let root = case.root(&game);
//! assert_eq!(multigame_suite::negamax(&game, &root, case.depth), case.value());
//! ```

#![forbid(unsafe_code)]

use std::collections::BTreeMap;

use multigame_compiler::{Options as CompilerOptions, compile};
use multigame_game::{Game, parse_position};
use multigame_ir::Program;
use multigame_search::{Bounds, Engine, Material, Options, Root, Search, Value};
use serde::{Deserialize, Serialize};

/// A position and what it is worth.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub struct Case {
    /// Name of a bundled game.
    pub game: String,
    /// Parameters that are not as declared.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, i64>,
    /// The position as text.
    pub position: String,
    /// Plies to search.
    pub depth: u32,
    /// NegaMax's value for the player to move, see [`Value::number`].
    pub value: i32,
}

/// The whole file.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Suite {
    /// All positions.
    #[serde(rename = "position")]
    pub cases: Vec<Case>,
}

/// Options that go with every search of the suite: what a value is depends on them.
pub const COMMON: &str =
    "quiescence=on,quiescence-depth=4,extensions=on,repetition=off,depth-exact=on,tt-size=1";

/// All positions.
pub fn cases() -> Vec<Case> {
    let suite: Suite = toml::from_str(include_str!("../positions.toml")).expect("the suite is well-formed");
    suite.cases
}

impl Case {
    /// The rules.
    pub fn program(&self) -> Program {
        let text = multigame_loader::bundled::rules(&self.game);
        let text = text.unwrap_or_else(|| panic!("there is no game `{}`", self.game));
        let parameters = self.set.iter().map(|(name, value)| (name.clone(), *value)).collect();
        let compilation = compile(&text, &CompilerOptions { name: self.game.clone(), parameters });
        compilation.program.unwrap_or_else(|| panic!("{}: {:?}", self.game, compilation.diagnostics))
    }

    /// The position to search.
    pub fn root<G: Game>(&self, game: &G) -> Root<G> {
        let diagram = parse_position(game.description(), &self.position);
        let diagram = diagram.unwrap_or_else(|error| panic!("{} {}: {error}", self.game, self.position));
        Root::new(game, game.position(&diagram))
    }

    /// The value that every search must give.
    pub fn value(&self) -> Value {
        Value::from_number(self.value)
    }
}

/// The options of an engine with a set of enhancements on top of nothing.
pub fn options(engine: Engine, set: &str) -> Options {
    let mut options = Options::plain(engine);
    options.set(COMMON).expect("the common options exist");
    options.table = engine == Engine::Mtdf;
    options.set(set).unwrap_or_else(|error| panic!("{set}: {error}"));
    options
}

/// NegaMax's value.
pub fn negamax<G: Game>(game: &G, root: &Root<G>, depth: u32) -> Value {
    let mut search =
        Search::new(game, &Material, options(Engine::NegaMax, "")).expect("the options fit together");
    let result = search.run(root, depth, &mut ()).expect("the rules do not fail");
    assert_eq!(result.bounds, Bounds::exact(result.value));
    result.value
}
