//! `multigame serve`: a page to play on, and the same things for scripts.

use std::env::VarError;
use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use multigame_input::read_text;
use multigame_loader::Playable;
use multigame_player::parse_time;
use multigame_player::ranks;
use multigame_server::{Config, Limits};
use multigame_session::{Hosted, MakeHosted};

use crate::{databases, interrupt};

/// Where the token can be.
const TOKEN: &str = "MULTIGAME_TOKEN";
/// Bytes of a file with a token.
const MOST_TOKEN: u64 = 4096;

/// Serve a page for playing, and an HTTP interface for scripts (docs/api.md).
#[derive(Debug, Args)]
pub struct Arguments {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 8017)]
    port: u16,
    /// Listen on this address instead of the loopback interface; needs a token
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<IpAddr>,
    /// A file with the token that requests must bring: 8 or more letters, digits, `-` or `_`. The environment
    /// variable `MULTIGAME_TOKEN` can hold it, too
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The token itself, which everybody can read who may list the processes of this machine
    #[arg(long, conflicts_with = "token_file")]
    token: Option<String>,
    /// Let these pages show the page inside themselves, as a content policy names them: `vscode-webview:` for
    /// an editor
    #[arg(long, value_name = "SOURCES", value_parser = frame_sources)]
    framed_by: Option<String>,
    /// A folder with endgame databases (`GAME.endgames`) and strong solutions (`GAME.solution`), or one of
    /// these: the page shows what each move leads to. The current folder if not given, `none` for none
    #[arg(long, value_name = "PATH")]
    endgames: Option<PathBuf>,
    /// Games being played at the same time
    #[arg(long, value_name = "NUMBER", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    sessions: u32,
    /// A game that nobody asks about is closed after this time
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = parse_time)]
    idle: Duration,
    /// The largest request
    #[arg(long, value_name = "KIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65536))]
    body: u32,
    /// Searches at the same time; the number of processors if not given
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    searches: Option<u32>,
    /// The longest search
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    search_time: Duration,
    /// Transposition table of each game
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    table: u32,
    /// For compiling rules that come with a request, and for each move list of them
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    rules_time: Duration,
    /// Memory of a process that runs such rules
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(64..))]
    rules_memory: u32,
    /// Such processes at the same time
    #[arg(long, value_name = "NUMBER", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    rules_processes: u32,
}

/// Serves until Ctrl-C.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let worker = std::env::current_exe().context("the program cannot find itself")?;
    let mut config = Config::new(worker, make_game);
    config.port = arguments.port;
    config.address = arguments.bind.unwrap_or(config.address);
    config.token = token(arguments)?;
    config.framed_by = arguments.framed_by.clone();
    config.endgames = endgames(arguments)?;
    config.limits = Limits {
        sessions: arguments.sessions as usize,
        idle: arguments.idle,
        body: arguments.body as usize * 1024,
        searches: arguments.searches.map_or(config.limits.searches, |searches| searches as usize),
        search_time: arguments.search_time,
        table_mib: arguments.table as usize,
        rules_time: arguments.rules_time,
        rules_memory_mib: u64::from(arguments.rules_memory),
        rules_processes: arguments.rules_processes as usize,
    };
    config.ranks = ranks::installed().filter(|ranks| ranks.size() > 1);
    // Open MPI's launcher announces the end of a job; the flag is set then, as in a search.
    let _thinking = config.ranks.map(|ranks| {
        // Nobody minds if this cannot be said.
        let _ = writeln!(
            std::io::stderr(),
            "note: all {} ranks search bundled games, one search after the other; rules that come with a \
             request run on this host alone",
            ranks.size()
        );
        config.end = Some(interrupt::flag());
        interrupt::thinking()
    });
    let token = config.token.as_ref().map_or(String::new(), |token| format!("?token={token}"));
    multigame_server::serve(config, |address| {
        // The other end may be closed; the server goes on.
        let _ = writeln!(std::io::stdout(), "http://{address}/{token}");
        let _ = std::io::stdout().flush();
    })
}

/// Where databases are. What somebody names must have some.
fn endgames(arguments: &Arguments) -> anyhow::Result<Option<PathBuf>> {
    let given = arguments.endgames.as_ref();
    match databases::named(given) {
        Some(path) => multigame_server::databases::check(&path).map(|()| Some(path)),
        None if given.is_some() => Ok(None),
        None => Ok(Some(PathBuf::from("."))),
    }
}

/// Reads the sources of a content policy: schemes such as `vscode-webview:` and addresses such as
/// `http://localhost:3000`. A `*` or a quoted word would let in everybody.
fn frame_sources(text: &str) -> Result<String, String> {
    let is_source = |source: &str| {
        source.contains(':')
            && !source.starts_with(':')
            && source.chars().all(|c| c.is_ascii_alphanumeric() || ":/.-+[]".contains(c))
    };
    let sources: Vec<&str> = text.split_whitespace().collect();
    if sources.is_empty() || !sources.iter().all(|source| is_source(source)) {
        return Err(
            "give schemes or addresses with blanks between, such as `vscode-webview: http://localhost:3000`"
                .to_string(),
        );
    }
    Ok(sources.join(" "))
}

/// Makes a game one that sessions can be opened for: [`Config::make`]. It is here because the searches of
/// this crate are the same.
pub fn make_game(playable: Playable, make: MakeHosted) -> Arc<dyn Hosted> {
    playable.run(make)
}

/// The token, from where fewest can see it.
fn token(arguments: &Arguments) -> anyhow::Result<Option<String>> {
    if let Some(file) = &arguments.token_file {
        let text = read_text(file, MOST_TOKEN);
        let text = text.with_context(|| format!("cannot read the token in `{}`", file.display()))?;
        return Ok(Some(text.trim().to_string()));
    }
    if arguments.token.is_some() {
        let note = "note: others on this machine can see the token among the processes; use `--token-file`";
        // Nobody minds if this cannot be said.
        let _ = writeln!(std::io::stderr(), "{note}");
        return Ok(arguments.token.clone());
    }
    match std::env::var(TOKEN) {
        Ok(token) => Ok(Some(token)),
        Err(VarError::NotPresent) => Ok(None),
        Err(error) => Err(error).context(format!("cannot read the token in `{TOKEN}`")),
    }
}

/// Run rules that came with a request; only `serve` starts this.
#[derive(Debug, Args)]
pub struct WorkerArguments {
    /// Memory that it may use
    #[arg(long, value_name = "MIB")]
    memory: u64,
    /// Where endgame databases are
    #[arg(long, value_name = "PATH")]
    endgames: Option<PathBuf>,
}

/// Works through what the server asks.
pub fn run_worker(arguments: &WorkerArguments) -> anyhow::Result<()> {
    multigame_server::worker::run(arguments.memory, arguments.endgames.as_deref(), make_game)
}

#[cfg(test)]
mod tests {
    use super::frame_sources;

    #[test]
    fn only_named_pages_may_frame_the_page() {
        assert_eq!(
            frame_sources(" vscode-webview:  http://localhost:3000 ").unwrap(),
            "vscode-webview: http://localhost:3000"
        );
        for wrong in ["", "*", "'self'", "a: ; script-src *", "http:,https:", "localhost", "ü:"] {
            assert!(frame_sources(wrong).is_err(), "{wrong}");
        }
    }
}
