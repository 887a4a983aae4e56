//! Whether this process is one of several that `mpirun` started.

use anyhow::anyhow;

use crate::output::AlreadyReported;

/// What launchers tell the processes they start: how many there are, and which one it is. Slurm tells the
/// number of tasks to the script of a job, too; that of a step is known only to what `srun` started.
const LAUNCHERS: [(&str, &str); 3] = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
];

/// How many processes a launcher started, and which one this is.
pub fn launched() -> Option<(u32, u32)> {
    let number = |name: &str| std::env::var(name).ok()?.parse().ok();
    LAUNCHERS.iter().find_map(|(size, rank)| Some((number(size)?, number(rank)?)))
}

/// Fails in a process that cannot talk to the others that were started with it. One of them says why.
pub fn alone(remedy: &str) -> anyhow::Result<()> {
    match launched() {
        // One process needs no MPI, so a program without it will do.
        None | Some((1, _)) => Ok(()),
        Some((size, 0)) => Err(anyhow!("{size} processes were started, but {remedy}")),
        Some(_) => Err(AlreadyReported.into()),
    }
}
