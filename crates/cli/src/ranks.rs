//! One process or one of several: what `mpirun` makes of the same command line.
//!
//! Rank 0 runs the command; the others wait for what it tells them. Without `mpirun` nothing of MPI is
//! touched.

#[cfg(unix)]
mod signals;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow};
use multigame_cluster::{Cluster, LOST, Lost, SilenceLimit, Transport};
use multigame_loader::{Backend, Playable};
use multigame_player::ranks::{self, Member, Next, Ranks};

use crate::chores::Chores;
use crate::launcher;
use crate::output::AlreadyReported;

/// Whether the launcher has begun to end the job.
static ENDING: AtomicBool = AtomicBool::new(false);

/// How this process leaves the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// All ranks leave together.
    Together,
    /// The launcher is ending the job: waiting for the others would only take time.
    AtOnce,
}

/// Joins the processes that a launcher started, and does something with the way to the others.
pub type Join = fn(&mut dyn FnMut(Box<dyn Transport>) -> Leave) -> Result<(), Lost>;

/// Runs the command as rank 0, or follows orders as another rank.
pub fn run(join: Option<Join>, command: &dyn Fn() -> anyhow::Result<()>) -> anyhow::Result<()> {
    match (ranks::launched(), join) {
        (Some((size, rank)), Some(join)) => {
            let mut result = Ok(());
            join(&mut |transport| {
                let (leave, what) = run_in_job(size, rank, transport, command);
                result = what;
                leave
            })?;
            result
        }
        _ => {
            launcher::alone(
                "this program was built without MPI; build it with `cargo build --release --features mpi` (docs/cluster.md), or start it without `mpirun`",
            )?;
            command()
        }
    }
}

fn run_in_job(
    size: u32,
    rank: u32,
    transport: Box<dyn Transport>,
    command: &dyn Fn() -> anyhow::Result<()>,
) -> (Leave, anyhow::Result<()>) {
    if transport.size() != size {
        let other = launcher::alone(&format!(
            "by the launcher of another MPI library: this program was built with {}; use the `mpirun` of that library, or build it again (docs/cluster.md)",
            transport.library()
        ));
        return (Leave::Together, other);
    }
    let on_loss = move |lost: &Lost| {
        // Rank 0 talks; the others do where it cannot any more.
        let _ = writeln!(std::io::stderr(), "error: {lost} (seen by rank {rank})");
    };
    let cluster = Cluster::new(transport, SilenceLimit::default(), on_loss);
    let result = if rank > 0 { follow(cluster) } else { conduct(cluster, command) };
    let leave = if ENDING.load(Ordering::Relaxed) { Leave::AtOnce } else { Leave::Together };
    (leave, result)
}

/// Runs the command as rank 0.
fn conduct(cluster: Cluster, command: &dyn Fn() -> anyhow::Result<()>) -> anyhow::Result<()> {
    ranks::install(Ranks::new(cluster)?);
    let ranks = ranks::installed().context("this process was a rank before")?;
    #[cfg(unix)]
    signals::listen_as_first(ranks)?;
    let _fall = Fall(ranks.cluster());
    let result = command();
    ranks.quit();
    result
}

/// Ends all ranks if this one panics: the others would wait until it is missed.
struct Fall<'c>(&'c Cluster);

impl Fall<'_> {
    /// Ends all ranks because this one cannot go on.
    fn tell(&self, error: &anyhow::Error) -> anyhow::Error {
        let _ = writeln!(std::io::stderr(), "error: {}: {error:#}", self.0.name_of(self.0.rank()));
        self.0.abort(LOST);
        AlreadyReported.into()
    }
}

impl Drop for Fall<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abort(LOST);
        }
    }
}

/// Plays the games that rank 0 asks for, until the job is over.
fn follow(cluster: Cluster) -> anyhow::Result<()> {
    let cluster = Arc::new(cluster);
    #[cfg(unix)]
    signals::listen_as_other(cluster.clone())?;
    let fall = Fall(&cluster);
    play_games(&cluster).map_err(|error| fall.tell(&error))
}

fn play_games(cluster: &Cluster) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut next = ranks::no_game(cluster, start, &Chores)?;
    loop {
        next = match next {
            Next::Quit => {
                cluster.let_leave();
                return Ok(());
            }
            Next::Load { program, interpret } => {
                let parsed = multigame_ir::parse(&program).map_err(|error| anyhow!("{error}"));
                let parsed = parsed.context("the rules that rank 0 sent")?;
                let backend = if interpret { Backend::Interp } else { Backend::Auto };
                let (game, _) = Playable::new(parsed, backend);
                game.run(Member { cluster, start, program: &program, chores: &Chores })?
            }
        };
    }
}
