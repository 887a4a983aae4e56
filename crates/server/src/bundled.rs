//! The bundled games: what the gallery shows, and each game made ready once for all its sessions.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use multigame_player::ranks::Ranks;
use multigame_session::{
    Failure, Gallery, Hosted, Known, MakeGame, Next, Ready, Rules, With, compiled, get_ready, rules_of,
};
use tokio::sync::OnceCell;

use crate::config::Config;
use crate::databases;

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
    make: MakeGame,
    /// The ranks that search them, too.
    ranks: Option<&'static Ranks>,
    /// Where databases are.
    endgames: Option<PathBuf>,
    ready: Mutex<HashMap<String, Arc<OnceCell<Arc<ReadyGame>>>>>,
    gallery: OnceCell<Gallery>,
}

impl Bundled {
    /// None is ready yet.
    pub fn new(config: &Config) -> Bundled {
        let Config { make, ranks, endgames, .. } = config;
        let (ready, gallery) = Default::default();
        Bundled { make: *make, ranks: *ranks, endgames: endgames.clone(), ready, gallery }
    }

    /// A game ready for sessions.
    pub async fn game(&self, name: &str) -> Result<Arc<ReadyGame>, Failure> {
        let rules = rules_of(name)?;
        let cell = {
            let mut ready = self.ready.lock().expect("nobody panics here");
            Arc::clone(ready.entry(name.to_string()).or_default())
        };
        let (make, ranks) = (self.make, self.ranks);
        let endgames = self.endgames.as_deref().and_then(|path| databases::find(path, name));
        let ready = cell.get_or_try_init(|| async move {
            let made = tokio::task::spawn_blocking(move || make_ready(&rules, make, ranks, endgames)).await;
            made.unwrap_or_else(|_| Err(Failure::session_failed()))
        });
        ready.await.cloned()
    }

    /// The list of all games as JSON.
    pub async fn list(&self) -> Result<&str, Failure> {
        Ok(self.gallery().await?.list())
    }

    /// A game's rules and description as JSON.
    pub async fn about(&self, name: &str) -> Result<&str, Failure> {
        self.gallery().await?.about(name)
    }

    async fn gallery(&self) -> Result<&Gallery, Failure> {
        let make = || async {
            tokio::task::spawn_blocking(Gallery::new).await.unwrap_or_else(|_| Err(Failure::session_failed()))
        };
        self.gallery.get_or_try_init(make).await
    }
}

fn make_ready(
    rules: &Rules,
    make: MakeGame,
    ranks: Option<&'static Ranks>,
    endgames: Option<PathBuf>,
) -> Result<Arc<ReadyGame>, Failure> {
    let compiled = compiled(rules)?;
    let known = endgames.map(|path| Known::read(&path, &compiled.program, u64::MAX)).unwrap_or_default();
    let with = With { ranks, endgames: known.endgames.clone() };
    let Ready { first, next, backend } = get_ready(compiled.program.clone(), make, with);
    let description = compiled.describe(backend, &known);
    Ok(Arc::new(ReadyGame { first, next, description: description.to_string() }))
}
