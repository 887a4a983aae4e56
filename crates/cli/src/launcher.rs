//! Whether this process is one of several that `mpirun` started.

use anyhow::anyhow;
use multigame_player::ranks::launched;

use crate::output::AlreadyReported;

/// Fails in a process that cannot talk to the others that were started with it. One of them says why.
pub fn alone(remedy: &str) -> anyhow::Result<()> {
    match launched() {
        // One process needs no MPI, so a program without it will do.
        None | Some((1, _)) => Ok(()),
        Some((size, 0)) => Err(anyhow!("{size} processes were started, but {remedy}")),
        Some(_) => Err(AlreadyReported.into()),
    }
}
