//! What the tests of `crates/jit` are about here.

use multigame_compiled::{CompiledGame, Translated};
use multigame_mir::{FunctionId, Module};

pub use multigame_wasm::WasmError as TestedError;

/// What runs functions.
pub type Tested = crate::outside::Outside;

/// What plays.
pub type TestedCode = Translated<Tested>;
pub type TestedGame = CompiledGame<TestedCode>;

/// Published counts up to this are counted: this is WebAssembly in an interpreter.
pub const MAX_PUBLISHED: u64 = 5_000;

/// Random programs that are made, unless the environment says otherwise.
pub const PROGRAMS: u64 = 200;

/// Random games from each position, unless the environment says otherwise.
pub const GAMES: u64 = 1;

/// Moves of a random game.
pub const MAX_PLIES: u32 = 12;

/// Translates functions of a module that keeps to what lowering promises.
pub fn compile(module: &Module, functions: &[FunctionId]) -> Tested {
    Tested::translated(module, functions).unwrap()
}

/// Leaves of the largest tree that is counted beside the interpreter.
pub const MAX_LEAVES: u64 = 1_000;

/// One game in this many is played, chess among them; `EVERY=1` plays all.
pub const EVERY: usize = 6;
