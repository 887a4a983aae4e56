//! Where the server listens and how much it gives to whom.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use multigame_player::ranks::Ranks;
use serde_json::{Value, json};

use multigame_session::MakeGame;

/// Where the server listens.
#[derive(Clone, Debug)]
pub struct Config {
    /// The interface.
    pub address: IpAddr,
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// What requests must bring; needed beyond the loopback interface.
    pub token: Option<String>,
    /// The pages that may show the page inside themselves, as a content policy names them: `vscode-webview:`.
    pub framed_by: Option<String>,
    /// The program that runs rules of strangers, which must know `serve-worker --memory MIB`.
    pub worker: PathBuf,
    /// Makes games for sessions.
    pub make: MakeGame,
    /// How much it gives.
    pub limits: Limits,
    /// Where endgame databases and strong solutions are: a folder that has them, or those of one game.
    pub endgames: Option<PathBuf>,
    /// The ranks of a job that search bundled games, too.
    pub ranks: Option<&'static Ranks>,
    /// Ends the server when somebody sets it, as Ctrl-C does.
    pub end: Option<&'static AtomicBool>,
}

impl Config {
    /// A server for the own machine.
    pub fn new(worker: PathBuf, make: MakeGame) -> Config {
        Config {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            token: None,
            framed_by: None,
            worker,
            make,
            limits: Limits::default(),
            endgames: None,
            ranks: None,
            end: None,
        }
    }
}

/// How much the server gives.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Sessions at the same time.
    pub sessions: usize,
    /// A session that nobody asks about is closed after this time.
    pub idle: Duration,
    /// Bytes of a request's body.
    pub body: usize,
    /// Searches at the same time; others wait.
    pub searches: usize,
    /// The longest search.
    pub search_time: Duration,
    /// Memory for the table of a session's searches.
    pub table_mib: usize,
    /// For compiling rules of strangers, and for each of their answers.
    pub rules_time: Duration,
    /// Memory of a process that runs rules of strangers.
    pub rules_memory_mib: u64,
    /// Such processes at the same time.
    pub rules_processes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            sessions: 200,
            idle: Duration::from_secs(30 * 60),
            body: 256 << 10,
            searches: std::thread::available_parallelism().map_or(2, usize::from),
            search_time: Duration::from_secs(60),
            table_mib: 16,
            rules_time: Duration::from_secs(10),
            rules_memory_mib: 512,
            rules_processes: 16,
        }
    }
}

impl Limits {
    /// Processes that answer questions about rules at the same time, beside those that play.
    pub fn question_processes(&self) -> usize {
        self.rules_processes.div_ceil(4)
    }

    /// As clients see them.
    pub fn to_json(&self) -> Value {
        let millis = |time: Duration| time.as_millis() as u64;
        json!({
            "sessions": self.sessions,
            "idle": millis(self.idle),
            "body": self.body,
            "searches": self.searches,
            "search_time": millis(self.search_time),
            "table": self.table_mib,
            "rules_time": millis(self.rules_time),
            "rules_memory": self.rules_memory_mib,
            "rules_processes": self.rules_processes,
        })
    }
}
