//! What can be set.

use anyhow::Context;
use multigame_game::Game;
use multigame_player::{MOST_THREADS, Player};
use multigame_search::Options;

/// Largest table offered; whether it fits into memory is checked when it is asked for.
const MAX_HASH: u32 = 1 << 20;
/// Most lines offered.
const MAX_LINES: u32 = 256;

/// The settings of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Table in MiB (`Hash`).
    pub hash: u32,
    /// Threads to search on (`Threads`).
    pub threads: u32,
    /// Lines to report (`MultiPV`).
    pub lines: u32,
    /// Whether the other side lets the player think on the opponent's time (`Ponder`); it says so itself with
    /// `go ponder`.
    pub ponder: bool,
    /// Switches of the search (`Search`), as `multigame search --options` reads them.
    pub search: String,
}

impl Settings {
    /// The settings of a player as he is.
    pub fn of<G: Game>(player: &Player<'_, G>) -> Settings {
        let options = player.options();
        Settings {
            hash: options.table_mib as u32,
            threads: options.threads,
            lines: options.lines,
            ponder: false,
            search: String::new(),
        }
    }

    /// The lines that tell the other side what can be set.
    pub fn declarations(&self) -> Vec<String> {
        vec![
            format!("option name Hash type spin default {} min 1 max {MAX_HASH}", self.hash),
            format!("option name Threads type spin default {} min 1 max {MOST_THREADS}", self.threads),
            format!("option name MultiPV type spin default {} min 1 max {MAX_LINES}", self.lines),
            "option name Ponder type check default false".to_string(),
            "option name Clear Hash type button".to_string(),
            "option name Search type string default <empty>".to_string(),
        ]
    }

    /// Sets an option; names are compared without regard to case.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.hash = number(name, value, MAX_HASH)?,
            "threads" => self.threads = number(name, value, MOST_THREADS)?,
            "multipv" => self.lines = number(name, value, MAX_LINES)?,
            "ponder" => {
                self.ponder = match value {
                    "true" => true,
                    "false" => false,
                    _ => return Err(format!("option `{name}` is `true` or `false`, not `{value}`")),
                }
            }
            "search" => self.search = self.search_text(value)?,
            _ => {
                return Err(format!(
                    "there is no option `{name}`; there are Hash, Threads, MultiPV, Ponder, Clear Hash, Search"
                ));
            }
        }
        Ok(())
    }

    fn search_text(&self, value: &str) -> Result<String, String> {
        let value = if value == "<empty>" { "" } else { value };
        let options = Options::default().with(value).map_err(|error| error.to_string())?;
        let usual = Options::default();
        if options.table_mib != usual.table_mib {
            return Err("`Search` does not set `tt-size`; set option `Hash`".to_string());
        }
        if options.lines != usual.lines {
            return Err("`Search` does not set `lines`; set option `MultiPV`".to_string());
        }
        if options.threads != usual.threads {
            return Err("`Search` does not set `threads`; set option `Threads`".to_string());
        }
        Ok(value.to_string())
    }

    /// Makes a player play by these settings. `first` is what he began with.
    pub fn apply<G: Game>(&self, first: &Options, player: &mut Player<'_, G>) -> anyhow::Result<()> {
        let mut options = first.to_string();
        if player.options().engine == first.engine {
            // Naming the engine would say that no other one may be chosen to suit the game.
            options = options.replace(&format!("engine={},", first.engine), "");
        }
        let Settings { hash, threads, lines, search, .. } = self;
        let text = format!("{options},{search},tt-size={hash},threads={threads},lines={lines}");
        player.change_options(&text).context("these options cannot be used")
    }
}

fn number(name: &str, value: &str, most: u32) -> Result<u32, String> {
    let number = value.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("option `{name}` is a number from 1 to {most}, not `{value}`"))
}
