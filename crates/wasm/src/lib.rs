//! Machine programs as WebAssembly: [`emit`] translates a [`multigame_mir::Module`], and an engine that is
//! WebAssembly itself runs the result in its own memory (module `engine`, which only such engines have).
//!
//! The new module imports the engine's memory, and whoever instantiates it puts its functions into the
//! engine's table of functions. The engine calls them as function pointers, so no call goes through
//! JavaScript.
//!
//! | module | what |
//! |---|---|
//! | `context` | what generated code works on, at fixed distances |
//! | `module` | types, imports and exports around the functions |
//! | `function` | one function: statements and calls |
//! | `expression` | how values are computed: on the stack where they are used once |
//! | `slots` | locals that are used again when a value is no longer needed |
//! | `engine` | the functions in an engine's own memory |
//!
//! **Invariant:** `unsafe` occurs in `engine` alone, which only WebAssembly has.

mod context;
#[cfg(target_family = "wasm")]
pub mod engine;
mod expression;
mod function;
mod module;
mod slots;

use multigame_mir::Refusal;

pub use context::{Context, DONE, FAILED, broken};
pub use module::{Emitted, emit, tables};

/// Why a program cannot be played by WebAssembly; the interpreter still can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WasmError {
    /// The rules contain something that has no machine program.
    #[error("these rules cannot be compiled: {0}")]
    Refused(String),
    /// The compiled code cannot run.
    #[error("WebAssembly code is not available: {0}")]
    Unsupported(String),
}

impl From<Refusal> for WasmError {
    fn from(refusal: Refusal) -> Self {
        WasmError::Refused(refusal.to_string())
    }
}
