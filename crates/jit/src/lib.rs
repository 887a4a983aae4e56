//! Machine programs as machine code: Cranelift translates a [`multigame_mir::Module`], [`JitGame`] plays it.
//!
//! Rules go down as `Program` -> `Module` -> machine code. Whatever a step refuses is said in a [`JitError`],
//! so that the caller can let the interpreter play instead.
//!
//! **Invariant:** `unsafe` occurs in `native` alone.

mod compile;
mod machine_code;
#[cfg(test)]
mod tests;
mod translate;
#[cfg(test)]
mod under_test;

use multigame_compiled::{CompiledGame, Translated};
use multigame_mir::Refusal;

use machine_code::MachineCode;

/// The machine code of a program.
pub type JitCode = Translated<MachineCode>;

/// A game given by rules and played by machine code.
pub type JitGame = CompiledGame<JitCode>;

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

impl From<Refusal> for JitError {
    fn from(refusal: Refusal) -> Self {
        JitError::Refused(refusal.to_string())
    }
}
