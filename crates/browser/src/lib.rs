//! The engine of Multigame inside of a web page: one session, and questions about rules.
//!
//! It is the counterpart of the server's worker, without threads, files and sockets: a page gives it a wish,
//! and it answers before it returns; events come on the way. A page stops a search by ending its web worker,
//! and begins another one where the game was.
//!
//! **Invariant:** nothing here panics on any wish; a page that was changed by somebody gets a failure.

#[cfg(target_family = "wasm")]
mod exports;

use std::collections::BTreeMap;
use std::sync::{Arc, mpsc};

use multigame_game::{Portable, WithGame};
use multigame_ir::RulesGame;
use multigame_loader::{Backend, Playable};
use multigame_session::{
    Events, Failure, Gallery, Hosted, HostedGame, Known, Mailbox, Ongoing, Opening, Question, Reply, Request,
    Rules, Stops, answer, compiled, describe, words,
};
use serde::Deserialize;
use serde_json::json;

/// What a page can wish for.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wish {
    /// What can be simulated.
    About,
    /// Have these files of games at hand, by their path: a page brings them, because the module has none
    /// inside.
    Shelf(BTreeMap<String, String>),
    /// The list of the games at hand.
    Games,
    /// The rules and the description of one of them.
    Game(String),
    /// The words of the language.
    Words,
    /// A question about rules.
    Ask(Question),
    /// Begin a session with these rules.
    Open(Rules, Opening),
    /// Do something in the session.
    Request(Request),
}

/// The engine of a page. Games and mailboxes of sessions are never freed: a page ends its worker, and all its
/// memory with it, when a session ends.
#[derive(Default)]
pub struct Engine {
    gallery: Option<Gallery>,
    session: Option<Box<dyn Ongoing>>,
}

impl Engine {
    /// Does what a page wishes, as JSON.
    pub fn wish(&mut self, text: &str, events: Events) -> Reply {
        let wish = serde_json::from_str(text)
            .map_err(|error| Failure::bad_request(format!("the wish cannot be read: {error}")))?;
        match wish {
            Wish::About => {
                let body = json!({
                    "name": "multigame",
                    "version": env!("CARGO_PKG_VERSION"),
                    "policies": describe::policies(),
                    "networks": describe::networks(),
                });
                Ok(body.to_string())
            }
            Wish::Shelf(files) => {
                files.into_iter().for_each(put);
                Ok("null".to_string())
            }
            Wish::Games => Ok(self.gallery()?.list().to_string()),
            Wish::Game(name) => Ok(self.gallery()?.about(&name)?.to_string()),
            Wish::Words => Ok(words().to_string()),
            Wish::Ask(question) => answer(&question),
            Wish::Open(rules, opening) => self.open(&rules, &opening, events),
            Wish::Request(request) => {
                let session = self.session.as_mut();
                session
                    .ok_or_else(|| Failure::new(404, "no-such-session", "no game was begun"))?
                    .handle(&request)
            }
        }
    }

    fn gallery(&mut self) -> Result<&Gallery, Failure> {
        if self.gallery.is_none() {
            self.gallery = Some(Gallery::new()?);
        }
        self.gallery.as_ref().ok_or_else(Failure::session_failed)
    }

    /// Begins a session; the answer is the description of the game with the state, and with the reason if the
    /// interpreter plays.
    fn open(&mut self, rules: &Rules, opening: &Opening, events: Events) -> Reply {
        let compiled = compiled(rules)?;
        let tracer = RulesGame::new(compiled.program.clone());
        let (playable, reason) = Playable::new(compiled.program.clone(), Backend::Jit);
        let backend = playable.backend();
        let game = playable.run(Host { tracer });
        let (_, requests) = mpsc::channel();
        let stops = Arc::new(Stops::default());
        let mailbox: &'static Mailbox = Box::leak(Box::new(Mailbox { requests, events, stops }));
        let mut session = game.begin(opening, mailbox)?;
        let state = session.handle(&Request::State)?;
        self.session = Some(session);
        let description = compiled.describe(backend, &Known::default()).to_string();
        let description = description.strip_suffix('}').ok_or_else(Failure::session_failed)?;
        Ok(format!("{description},\"reason\":{},\"state\":{state}}}", json!(reason)))
    }
}

/// Makes a game one that a session can be begun for.
struct Host {
    tracer: RulesGame,
}

impl WithGame for Host {
    type Output = &'static dyn Hosted;

    fn run<G: Portable + 'static>(self, game: G) -> &'static dyn Hosted {
        Box::leak(Box::new(HostedGame { game, tracer: self.tracer, shared: None, endgames: None }))
    }
}

#[cfg(target_family = "wasm")]
fn put((path, text): (String, String)) {
    multigame_library::put(path, text);
}

/// Elsewhere all games are at hand.
#[cfg(not(target_family = "wasm"))]
fn put(_: (String, String)) {}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use multigame_session::rules_of;
    use serde_json::Value;

    use super::*;

    struct Page {
        engine: Engine,
        heard: Arc<Mutex<Vec<(&'static str, Value)>>>,
    }

    impl Page {
        fn new() -> Page {
            Page { engine: Engine::default(), heard: Arc::default() }
        }

        fn wish(&mut self, wish: Value) -> Result<Value, Failure> {
            let heard = Arc::clone(&self.heard);
            let events: Events = Box::new(move |event| {
                heard.lock().unwrap().push((event.name, serde_json::from_str(&event.data).unwrap()));
            });
            let reply = self.engine.wish(&wish.to_string(), events)?;
            Ok(serde_json::from_str(&reply).unwrap())
        }
    }

    fn opening() -> Value {
        json!({"position": null, "moves": [], "clock": null, "table_mib": 1})
    }

    #[test]
    fn a_game_is_begun_played_and_searched() {
        let mut page = Page::new();
        let begun = page.wish(json!({"open": [rules_of("tic-tac-toe").unwrap(), opening()]})).unwrap();
        assert_eq!(begun["state"]["moves"].as_array().unwrap().len(), 9);
        assert_eq!((&begun["backend"], &begun["reason"]), (&json!("machine code"), &Value::Null));
        let state = page.wish(json!({"request": {"play": "b2"}})).unwrap();
        assert_eq!(state["ply"], 1);
        let think = json!({
            "number": 1, "time": null, "total": null, "depth": 9, "nodes": null, "threads": null, "engine": null,
            "options": null, "play": true, "solve": false,
        });
        let thought = page.wish(json!({"request": {"think": think}})).unwrap();
        assert_eq!((&thought["played"], &thought["white_value"]), (&json!(true), &json!(0)));
        let heard = page.heard.lock().unwrap();
        let states = heard.iter().filter(|(name, _)| *name == "state").map(|(_, data)| data["ply"].clone());
        assert_eq!(states.collect::<Vec<_>>(), [0, 1, 2]);
        assert!(heard.iter().any(|(name, _)| *name == "progress"));
    }

    #[test]
    fn wrong_wishes_are_failures() {
        let mut page = Page::new();
        let mut fails = |wish: Value, code: &str| assert_eq!(page.wish(wish).unwrap_err().code, code);
        fails(json!("dance"), "bad-request");
        fails(json!({"request": {"play": "b2"}}), "no-such-session");
        fails(json!({"game": "chez"}), "no-such-game");
        let rules = json!({
            "name": "x", "text": "main = .", "parameters": {}, "weights": null, "patterns": null, "network": null,
        });
        fails(json!({"open": [rules, opening()]}), "rules");
        let mut engine = Engine::default();
        assert_eq!(engine.wish("{", Box::new(|_| ())).unwrap_err().code, "bad-request");
    }

    #[test]
    fn rules_are_checked_and_games_listed() {
        let mut page = Page::new();
        let games = page.wish(json!("games")).unwrap();
        assert!(games["games"].as_array().unwrap().len() >= 50);
        let about = page.wish(json!({"game": "connect-4"})).unwrap();
        assert_eq!(about["game"]["board"]["columns"], 7);
        let checked = page.wish(json!({"ask": {"check": {
            "name": "x", "text": about["rules"], "parameters": {}, "weights": null, "patterns": null, "network": null,
        }}}));
        assert_eq!(checked.unwrap()["ok"], true);
        assert!(page.wish(json!("words")).unwrap()["words"].as_array().unwrap().len() > 50);
        assert!(!page.wish(json!("about")).unwrap()["policies"].as_array().unwrap().is_empty());
    }
}
