//! What launchers tell the processes of a job by signals.
//!
//! Open MPI ends a job in three steps, a second apart: SIGCONT, SIGTERM, SIGKILL. MPICH passes SIGINT and
//! SIGTERM on. Rank 0 decides what they mean; it takes SIGCONT for Ctrl-C, so that the search has stopped and
//! its result is printed before the launcher grows impatient.

use std::thread;
use std::time::Duration;

use multigame_player::ranks::Ranks;
use signal_hook::consts::{SIGCONT, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::interrupt::{INTERRUPT, INTERRUPTED};

/// How long another rank waits for rank 0 to end the job.
const GRACE: Duration = Duration::from_millis(500);

/// Rank 0 listens: a process that goes on without having been stopped is about to be ended.
pub fn listen_as_first(ranks: &'static Ranks) -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGCONT])?;
    let listen = move || {
        for _ in signals.forever() {
            if ranks.cluster().is_awake() {
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
pub fn listen_as_other() -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let listen = move || {
        if signals.forever().any(|signal| signal == SIGTERM) {
            thread::sleep(GRACE);
            std::process::exit(INTERRUPTED);
        }
    };
    thread::Builder::new().name("signals".to_string()).spawn(listen)?;
    Ok(())
}
