//! The bundled games: what the gallery shows, and each game made ready once for all its sessions.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use multigame_game::{Description, Game, NotationStyle, Piece, Scope};
use multigame_ir::RulesGame;
use multigame_loader::{NETWORK, PATTERNS, WEIGHTS, bundled};
use multigame_player::ranks::Ranks;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::describe;
use crate::failure::Failure;
use crate::protocol::Rules;
use crate::rules;
use crate::session::{Hosted, Next};
use crate::worker::{Ready, get_ready};

/// This many kinds of pieces make a game look like chess.
const CHESS_KINDS: usize = 5;

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
pub struct Bundled {
    /// The ranks that search them, too.
    ranks: Option<&'static Ranks>,
    ready: Mutex<HashMap<String, Arc<OnceCell<Arc<ReadyGame>>>>>,
    gallery: OnceCell<Gallery>,
}

/// What can be told about the games without playing them.
struct Gallery {
    list: String,
    games: HashMap<String, String>,
}

impl Bundled {
    /// None is compiled yet.
    pub fn new(ranks: Option<&'static Ranks>) -> Bundled {
        Bundled { ranks, ready: Mutex::default(), gallery: OnceCell::default() }
    }

    /// A game ready for sessions.
    pub async fn game(&self, name: &str) -> Result<Arc<ReadyGame>, Failure> {
        let rules = rules_of(name)?;
        let cell = {
            let mut ready = self.ready.lock().expect("nobody panics here");
            Arc::clone(ready.entry(name.to_string()).or_default())
        };
        let ranks = self.ranks;
        let ready = cell.get_or_try_init(|| async move {
            let made = tokio::task::spawn_blocking(move || make_ready(&rules, ranks)).await;
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

fn make_ready(rules: &Rules, ranks: Option<&'static Ranks>) -> Result<Arc<ReadyGame>, Failure> {
    let compiled = rules::compiled(rules)?;
    let Ready { first, next, backend } = get_ready(compiled.program.clone(), ranks);
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
            "group": group(&game)?,
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

/// What kind of game it is, as far as its rules show.
fn group(game: &RulesGame) -> Result<Value, Failure> {
    let description = game.description();
    let name = if description.players == 1 {
        "puzzles"
    } else if description.notation.contains(&NotationStyle::Pdn) {
        "draughts"
    } else if description.pieces.len() == 1 && has_field_values(description) {
        "sowing"
    } else if only_places(game)? {
        "placing"
    } else if kinds(description) >= CHESS_KINDS {
        "chess family"
    } else {
        "moving"
    };
    Ok(json!(name))
}

fn has_field_values(description: &Description) -> bool {
    description.properties.iter().any(|property| property.scope == Scope::Field)
}

fn kinds(description: &Description) -> usize {
    description.pieces.iter().filter(|piece| piece.side == Some(multigame_game::Side::White)).count()
}

/// Whether no first move takes a piece away from where it stands.
fn only_places(game: &RulesGame) -> Result<bool, Failure> {
    let before = &game.description().initial;
    let mut places = true;
    game.visit(&game.initial(), &mut |_, child| {
        let after = game.diagram(child);
        let leaves = |(old, new): (&Piece, &Piece)| *old != Piece::NONE && *new == Piece::NONE;
        places &= !before.cells.iter().zip(&after.cells).any(leaves);
        if places { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(places)
}
