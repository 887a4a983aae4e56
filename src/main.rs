//! The `multigame` program; `crates/cli` has everything that it does, but MPI.

#[cfg(feature = "mpi")]
mod mpi;

use std::process::ExitCode;

/// The way to other processes that `mpirun` starts, if it was built in.
#[cfg(feature = "mpi")]
const JOIN: Option<multigame_cli::Join> = Some(mpi::join);
#[cfg(not(feature = "mpi"))]
const JOIN: Option<multigame_cli::Join> = None;

fn main() -> ExitCode {
    multigame_cli::main(JOIN)
}
