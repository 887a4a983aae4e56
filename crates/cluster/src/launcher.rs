//! What launchers such as `mpirun` tell the processes they start.

use std::ffi::OsStr;

/// How many processes there are, and which one it is. Slurm tells the number of tasks to the script of a job,
/// too; that of a step is known only to what `srun` started.
const LAUNCHERS: [(&str, &str); 3] = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
];
/// How the names of all variables begin that MPI libraries look for.
const LIBRARIES: [&str; 3] = ["OMPI_", "PMI_", "PMIX_"];

/// How many processes a launcher started, and which one this is.
pub fn launched() -> Option<(u32, u32)> {
    let number = |name: &str| std::env::var(name).ok()?.parse().ok();
    LAUNCHERS.iter().find_map(|(size, rank)| Some((number(size)?, number(rank)?)))
}

/// Whether a variable is a launcher's. A program that a rank starts is not a rank, and must not see it.
pub fn is_of_launcher(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let told = LAUNCHERS.iter().any(|(size, rank)| [*size, *rank].contains(&&*name));
    told || LIBRARIES.iter().any(|library| name.starts_with(library))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_launchers_are_told_from_others() {
        for name in ["OMPI_COMM_WORLD_RANK", "PMI_FD", "PMIX_NAMESPACE", "SLURM_PROCID"] {
            assert!(is_of_launcher(OsStr::new(name)), "{name}");
        }
        for name in ["PATH", "SLURM_JOB_ID", "OMP_NUM_THREADS"] {
            assert!(!is_of_launcher(OsStr::new(name)), "{name}");
        }
    }
}
