//! What must hold for any input: the bodies of the fuzz targets in `fuzz/`, and inputs to begin with.
//!
//! A body is a plain function, so that tests here run it over damaged seeds with the usual compiler, and cargo-fuzz runs the
//! same with coverage guidance. It panics if something is wrong, and for no other reason.
//!
//! `cargo run --release -p multigame-fuzzing --example corpus -- fuzz/corpus` writes the seeds down for cargo-fuzz. Without
//! them it takes long to find a first program.

#![forbid(unsafe_code)]

mod conversations;
pub mod extensions;
mod files;
mod games;
mod letters;
mod mutation;
mod positions;
mod programs;
mod requests;
mod rules;
#[expect(clippy::disallowed_methods, reason = "states are files")]
mod states;
mod wire;

pub use mutation::mutated;

/// What a fuzzer gives inputs to.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name in `fuzz/`.
    pub name: &'static str,
    /// Panics if the input shows that something is wrong.
    pub check: fn(&[u8]),
    /// Inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All targets.
pub const TARGETS: [Target; 12] = [
    Target { name: "conversations", check: conversations::check, seeds: conversations::seeds },
    Target { name: "extensions", check: extensions::check_bytes, seeds: programs::numbers },
    Target { name: "files", check: files::check, seeds: files::seeds },
    Target { name: "letters", check: letters::check, seeds: letters::seeds },
    Target { name: "moves", check: programs::check_text, seeds: programs::texts },
    Target { name: "mutants", check: programs::check_mutant, seeds: programs::numbers },
    Target { name: "positions", check: positions::check, seeds: positions::seeds },
    Target { name: "programs", check: programs::check, seeds: programs::numbers },
    Target { name: "requests", check: requests::check, seeds: requests::seeds },
    Target { name: "rules", check: rules::check, seeds: rules::seeds },
    Target { name: "states", check: states::check, seeds: states::seeds },
    Target { name: "wire", check: wire::check, seeds: wire::seeds },
];

/// Gives an input to the target of that name.
pub fn run(name: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("a target of that name").check)(input);
}
