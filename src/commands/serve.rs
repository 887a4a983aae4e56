//! `multigame serve`: a page to play on, and the same things for scripts.

use std::io::Write;
use std::net::IpAddr;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use multigame_player::parse_time;
use multigame_server::{Config, Limits};

/// Serve a page to play on, and the same things to scripts (docs/api.md).
#[derive(Debug, Args)]
pub struct Arguments {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 8017)]
    port: u16,
    /// Listen on this address instead of the loopback interface; needs a token
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<IpAddr>,
    /// What requests must bring: 8 or more letters, digits, `-` or `_`
    #[arg(long)]
    token: Option<String>,
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
    let mut config = Config::new(worker);
    config.port = arguments.port;
    config.address = arguments.bind.unwrap_or(config.address);
    config.token = arguments.token.clone();
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
    let token = config.token.as_ref().map_or(String::new(), |token| format!("?token={token}"));
    multigame_server::serve(config, |address| {
        // Whoever started it may have closed the other end; the server goes on.
        let _ = writeln!(std::io::stdout(), "http://{address}/{token}");
        let _ = std::io::stdout().flush();
    })
}

/// Run rules that came with a request; only `serve` starts this.
#[derive(Debug, Args)]
pub struct WorkerArguments {
    /// Memory that it may use
    #[arg(long, value_name = "MIB")]
    memory: u64,
}

/// Works through what the server asks.
pub fn run_worker(arguments: &WorkerArguments) -> anyhow::Result<()> {
    multigame_server::worker::run(arguments.memory)
}
