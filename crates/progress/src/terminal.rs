//! Whether a person sees what the program prints.
//!
//! Launchers of jobs give their processes a pseudo-terminal or a pipe, wherever they send what comes out of
//! it. In a job the stream of the launcher counts, if it runs on this machine.

use std::io::IsTerminal;

/// Variables that only launchers of jobs set.
const LAUNCHED: [&str; 2] = ["OMPI_COMM_WORLD_RANK", "PMI_RANK"];
/// What launchers are called, as far as the system shows names.
const LAUNCHERS: [&str; 5] = ["mpirun", "mpiexec", "orterun", "prterun", "hydra"];
/// Processes between a launcher and a rank, itself included.
const GENERATIONS: u32 = 4;

/// Whether a person sees standard output.
pub fn sees_output() -> bool {
    is_seen(std::io::stdout().is_terminal(), 1)
}

/// Whether a person sees standard error.
pub fn sees_errors() -> bool {
    is_seen(std::io::stderr().is_terminal(), 2)
}

fn is_seen(terminal: bool, stream: u32) -> bool {
    if LAUNCHED.iter().all(|name| std::env::var_os(name).is_none()) {
        return terminal;
    }
    let launcher = launcher("self", GENERATIONS);
    let target = launcher.and_then(|process| std::fs::read_link(format!("/proc/{process}/fd/{stream}")).ok());
    target.is_some_and(|target| target.starts_with("/dev/pts") || target.starts_with("/dev/tty"))
}

/// The nearest launcher among the ancestors of a process; the launcher's helper on its own machine is passed
/// over.
fn launcher(process: &str, generations: u32) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim();
    let name = std::fs::read_to_string(format!("/proc/{parent}/comm")).ok()?;
    let is_launcher = LAUNCHERS.iter().any(|known| name.starts_with(known));
    if is_launcher && !name.starts_with("hydra_") {
        return Some(parent.to_string());
    }
    if generations == 0 { None } else { launcher(parent, generations - 1) }
}
