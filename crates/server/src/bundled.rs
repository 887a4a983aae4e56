//! The bundled games: what the gallery shows, and each game made ready once for all its sessions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use multigame_game::Game;
use multigame_ir::RulesGame;
use multigame_loader::{NETWORK, PATTERNS, WEIGHTS, bundled};
use serde_json::json;
use tokio::sync::OnceCell;

use crate::describe;
use crate::failure::Failure;
use crate::protocol::Rules;
use crate::rules;
use crate::session::{Hosted, Next};
use crate::worker::{Ready, get_ready};

/// A game ready for sessions.
pub struct ReadyGame {
    /// What plays it at first.
    pub first: Arc<dyn Hosted>,
    /// What plays it later.
    pub next: Arc<Next>,
    /// What clients are told besides the state: an object as text.
    pub description: String,
}

/// All bundled games; each is compiled when it is first asked for.
#[derive(Default)]
pub struct Bundled {
    ready: Mutex<HashMap<String, Arc<OnceCell<Arc<ReadyGame>>>>>,
    gallery: OnceCell<Gallery>,
}

/// What can be told about the games without playing them.
struct Gallery {
    list: String,
    games: HashMap<String, String>,
}

impl Bundled {
    /// A game ready for sessions.
    pub async fn game(&self, name: &str) -> Result<Arc<ReadyGame>, Failure> {
        let rules = rules_of(name)?;
        let cell = {
            let mut ready = self.ready.lock().expect("nobody panics here");
            Arc::clone(ready.entry(name.to_string()).or_default())
        };
        let ready = cell.get_or_try_init(|| async move {
            let made = tokio::task::spawn_blocking(move || make_ready(&rules)).await;
            made.unwrap_or_else(|_| Err(Failure::session_failed()))
        });
        ready.await.cloned()
    }

    /// The list of all games as JSON.
    pub async fn list(&self) -> Result<&str, Failure> {
        Ok(&self.gallery().await?.list)
    }

    /// A game's rules and description as JSON.
    pub async fn about(&self, name: &str) -> Result<&str, Failure> {
        let gallery = self.gallery().await?;
        gallery.games.get(name).map(String::as_str).ok_or_else(|| no_such_game(name))
    }

    async fn gallery(&self) -> Result<&Gallery, Failure> {
        let make = || async {
            tokio::task::spawn_blocking(gallery).await.unwrap_or_else(|_| Err(Failure::session_failed()))
        };
        self.gallery.get_or_try_init(make).await
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

fn make_ready(rules: &Rules) -> Result<Arc<ReadyGame>, Failure> {
    let compiled = rules::compiled(rules)?;
    let Ready { first, next, backend } = get_ready(compiled.program.clone());
    let description = compiled.describe(backend);
    Ok(Arc::new(ReadyGame { first, next, description: description.to_string() }))
}

fn gallery() -> Result<Gallery, Failure> {
    let (mut list, mut games) = (Vec::new(), HashMap::new());
    for name in bundled::names() {
        let rules = rules_of(&name)?;
        let compiled = rules::compiled(&rules)?;
        let game = RulesGame::new(compiled.program);
        let description = game.description();
        let board = &description.board;
        list.push(json!({
            "name": name,
            "about": compiled.game["about"],
            "family": bundled::family(&name),
            "players": description.players,
            "topology": describe::topology_name(board.topology()),
            "columns": board.columns(),
            "rows": board.rows(),
            "parameters": compiled.game["parameters"],
        }));
        let about =
            json!({"name": name, "rules": rules.text, "game": compiled.game, "start": compiled.start});
        games.insert(name, about.to_string());
    }
    Ok(Gallery { list: json!({ "games": list }).to_string(), games })
}
