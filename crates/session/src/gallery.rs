//! The bundled games: what a gallery shows of them.

use std::collections::HashMap;

use multigame_game::Game;
use multigame_ir::RulesGame;
use multigame_loader::{NETWORK, PATTERNS, WEIGHTS, bundled};
use serde_json::{Value, json};

use crate::describe;
use crate::failure::Failure;
use crate::protocol::Rules;
use crate::rules;

/// What can be told about the games without playing them.
pub struct Gallery {
    list: String,
    games: HashMap<String, String>,
}

impl Gallery {
    /// Compiles all bundled games to describe them.
    pub fn new() -> Result<Gallery, Failure> {
        let (mut list, mut games) = (Vec::new(), HashMap::new());
        for name in bundled::names() {
            let (entry, about) = entry(&name)?;
            list.push(entry);
            games.insert(name, about);
        }
        Ok(Gallery { list: json!({ "games": list }).to_string(), games })
    }

    /// The list of all games as JSON.
    pub fn list(&self) -> &str {
        &self.list
    }

    /// A game's rules and description as JSON.
    pub fn about(&self, name: &str) -> Result<&str, Failure> {
        self.games.get(name).map(String::as_str).ok_or_else(|| no_such_game(name))
    }
}

/// The rules of a bundled game with their usual parameters.
pub fn rules_of(name: &str) -> Result<Rules, Failure> {
    let text = bundled::rules(name).ok_or_else(|| no_such_game(name))?;
    let beside = |file: &str| bundled::beside(name, file);
    let (weights, patterns, network) = (beside(WEIGHTS), beside(PATTERNS), beside(NETWORK));
    Ok(Rules { name: name.to_string(), text, parameters: Default::default(), weights, patterns, network })
}

fn no_such_game(name: &str) -> Failure {
    let names = bundled::names();
    let near = multigame_syntax::closest(name, names.iter().map(String::as_str));
    let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let shown: String = name.chars().take(60).collect();
    Failure::new(
        404,
        "no-such-game",
        format!("there is no game `{shown}`{hint} (`GET /api/games` lists them)"),
    )
}

/// A game's entry in the list, and what is told about it alone.
fn entry(name: &str) -> Result<(Value, String), Failure> {
    let rules = rules_of(name)?;
    let compiled = rules::compiled(&rules)?;
    let game = RulesGame::new(compiled.program);
    let description = game.description();
    let board = &description.board;
    let entry = json!({
        "name": name,
        "about": compiled.game["about"],
        "family": bundled::family(name),
        "players": description.players,
        "topology": describe::topology_name(board.topology()),
        "columns": board.columns(),
        "rows": board.rows(),
        "parameters": compiled.game["parameters"],
    });
    let about = json!({"name": name, "rules": rules.text, "game": compiled.game, "start": compiled.start});
    Ok((entry, about.to_string()))
}
