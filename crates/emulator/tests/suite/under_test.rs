//! What the tests of `crates/jit` are about here.

pub use multigame_emulator::{
    EmulatedCode as TestedCode, EmulatedGame as TestedGame, EmulatorError as TestedError,
};

/// Published counts up to this are counted.
pub const MAX_PUBLISHED: u64 = 20_000;

/// Random programs that are made, unless the environment says otherwise.
pub const PROGRAMS: u64 = 2_000;

/// Random games from each position, unless the environment says otherwise.
pub const GAMES: u64 = 1;

/// Moves of a random game.
pub const MAX_PLIES: u32 = 20;

/// Leaves of the largest tree that is counted beside the interpreter.
pub const MAX_LEAVES: u64 = 2_000;

/// One game in this many is played; `EVERY=1` plays all.
pub const EVERY: usize = 6;
