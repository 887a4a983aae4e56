//! Machine programs as native code: Cranelift translates a [`multigame_mir::Module`], [`JitGame`] plays it.
//!
//! Rules go down as `Program` -> `Module` -> machine code. Whatever a step refuses is said in a [`JitError`], so that
//! the caller can let the interpreter play instead.
//!
//! **Invariant:** a [`JitGame`] behaves exactly like the [`multigame_ir::RulesGame`] of the same program: the same
//! moves, outcomes, signatures, move keys and errors. What native code cannot answer, the interpreter answers.
//! **Invariant:** `unsafe` occurs in `native` alone.

mod check;
mod compile;
mod expand;
mod frame;
mod game;
mod later;
mod native;
mod position;
#[cfg(test)]
mod tests;
mod translate;

pub use game::JitGame;
pub use position::{JitMove, JitPosition};

/// Why a program cannot be played by native code; the interpreter still can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JitError {
    /// The rules contain something that has no machine program.
    #[error("these rules cannot be compiled: {0}")]
    Refused(String),
    /// This machine cannot run what was compiled.
    #[error("native code is not available: {0}")]
    Unsupported(String),
}
