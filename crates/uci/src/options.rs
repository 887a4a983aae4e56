//! What can be set.

use anyhow::Context;
use multigame_game::Game;
use multigame_player::{Changes, Configuration, Player};

/// The options that this protocol calls by names of its own. Whether a table fits into memory is checked when
/// it is asked for.
const OWN: [(&str, &str); 3] = [("Hash", "tt-size"), ("MultiPV", "lines"), ("Threads", "threads")];

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
    pub search: Changes,
}

impl Settings {
    /// The current settings of a player.
    pub fn of<G: Game>(player: &Player<'_, G>) -> Settings {
        let configuration = player.configuration();
        Settings {
            hash: configuration.search.table_mib as u32,
            threads: configuration.threads,
            lines: configuration.search.lines,
            ponder: false,
            search: Changes::default(),
        }
    }

    /// The lines that tell the other side what can be set.
    pub fn declarations(&self) -> Vec<String> {
        vec![
            spin("Hash", self.hash),
            spin("Threads", self.threads),
            spin("MultiPV", self.lines),
            "option name Ponder type check default false".to_string(),
            "option name Clear Hash type button".to_string(),
            "option name Search type string default <empty>".to_string(),
        ]
    }

    /// Sets an option; names are compared without regard to case.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.hash = number(name, value, most("Hash"))?,
            "threads" => self.threads = number(name, value, most("Threads"))?,
            "multipv" => self.lines = number(name, value, most("MultiPV"))?,
            "ponder" => {
                self.ponder = match value {
                    "true" => true,
                    "false" => false,
                    _ => return Err(format!("option `{name}` is `true` or `false`, not `{value}`")),
                }
            }
            "search" => self.search = search_changes(value)?,
            _ => {
                return Err(format!(
                    "there is no option `{name}`; there are Hash, Threads, MultiPV, Ponder, Clear Hash, \
                     Search"
                ));
            }
        }
        Ok(())
    }

    /// Makes a player play by these settings. `first` is what it began with.
    pub fn apply<G: Game>(&self, first: &Configuration, player: &mut Player<'_, G>) -> anyhow::Result<()> {
        let mut configuration = first.clone();
        self.search.apply(&mut configuration)?;
        let before = (first.search.table_mib as u32, first.search.lines, first.threads);
        let own = [(self.hash, before.0), (self.lines, before.1), (self.threads, before.2)];
        // Programs set them all, so only another value counts as a wish.
        for ((_, name), (value, _)) in OWN.iter().zip(own).filter(|(_, (value, before))| value != before) {
            configuration.set_one(name, &value.to_string())?;
        }
        player.configure(configuration).context("these options cannot be used")
    }
}

/// Reads switches of the search; what has an option of its own is not among them.
fn search_changes(value: &str) -> Result<Changes, String> {
    let value = if value == "<empty>" { "" } else { value };
    let changes = Changes::parse(value).map_err(|error| error.to_string())?;
    match OWN.iter().find(|(_, option)| changes.names(option)) {
        Some((own, option)) => Err(format!("`Search` does not set `{option}`; set option `{own}`")),
        None => Ok(changes),
    }
}

fn most(name: &str) -> u32 {
    let option = OWN.iter().find(|(own, _)| *own == name).and_then(|(_, option)| Configuration::most(option));
    option.map_or(u32::MAX, |most| most as u32)
}

fn spin(name: &str, default: u32) -> String {
    format!("option name {name} type spin default {default} min 1 max {}", most(name))
}

fn number(name: &str, value: &str, most: u32) -> Result<u32, String> {
    let number = value.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("option `{name}` is a number from 1 to {most}, not `{value}`"))
}
