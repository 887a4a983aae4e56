//! What launchers tell the processes of a job by signals.
//!
//! Open MPI ends a job in three steps, a second apart: SIGCONT, SIGTERM, SIGKILL; between them it sleeps and
//! prints nothing. MPICH passes SIGINT and SIGTERM on. Rank 0 decides what they mean; it takes SIGCONT for
//! Ctrl-C, so that the search has stopped and all ranks have ended before the launcher sends the next signal.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use multigame_cluster::Cluster;
use multigame_player::ranks::Ranks;
use signal_hook::consts::{SIGCONT, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::ENDING;
use crate::interrupt::{INTERRUPT, INTERRUPTED};

/// How long another rank waits for rank 0 to end the job.
const GRACE: Duration = Duration::from_millis(500);

/// Rank 0 listens: a process that goes on without having been stopped is about to be ended.
pub fn listen_as_first(ranks: &'static Ranks) -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGCONT])?;
    let listen = move || {
        for _ in signals.forever() {
            if ranks.cluster().is_awake() {
                ENDING.store(true, Ordering::Relaxed);
                ranks.cluster().hurry();
                INTERRUPT.stop();
            }
        }
    };
    thread::Builder::new().name("signals".to_string()).spawn(listen)?;
    Ok(())
}

/// Another rank listens: Ctrl-C is rank 0's business; a rank that is asked to end does so if rank 0 does not
/// say more.
pub fn listen_as_other(cluster: Arc<Cluster>) -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGCONT])?;
    let listen = move || {
        for signal in signals.forever() {
            match signal {
                SIGCONT if cluster.is_awake() => ENDING.store(true, Ordering::Relaxed),
                SIGTERM => {
                    thread::sleep(GRACE);
                    std::process::exit(INTERRUPTED);
                }
                _ => {}
            }
        }
    };
    thread::Builder::new().name("signals".to_string()).spawn(listen)?;
    Ok(())
}
