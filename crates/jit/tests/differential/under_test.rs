//! What these tests are about; other back ends that run them have another file of this name.

pub use multigame_jit::{JitCode as TestedCode, JitError as TestedError, JitGame as TestedGame};

/// Published counts up to this are counted.
pub const MAX_PUBLISHED: u64 = if cfg!(debug_assertions) { 100_000 } else { 10_000_000 };

/// Random programs that are made, unless the environment says otherwise: `PROGRAMS=10000 FIRST=5000 cargo
/// test ...`.
pub const PROGRAMS: u64 = 1_000;

/// Random games from each position; from the initial one more if the environment says so: `GAMES=50
/// GAME=chess cargo test ...`.
pub const GAMES: u64 = 2;

/// Moves of a random game.
pub const MAX_PLIES: u32 = 80;

/// Leaves of the largest tree that is counted beside the interpreter.
pub const MAX_LEAVES: u64 = 20_000;

/// One game in this many is played, unless the environment says otherwise.
pub const EVERY: usize = 1;
