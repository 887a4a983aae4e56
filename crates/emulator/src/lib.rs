//! Machine programs run step by step, without code being made: the plainest back end.
//!
//! A random program is played only for a moment, and making machine code of it takes far longer than playing
//! it. The emulator begins at once, so that tests can compare many more programs with the interpreter of
//! rules: what lowering does is the same for all back ends, and nearly all mistakes were made there. Back ends
//! are compared with the emulator operation by operation.
//!
//! Indices, divisors and shifts are always checked.
#![forbid(unsafe_code)]

mod answers;
mod machine;
mod operations;
mod run;

use multigame_compiled::{CompiledGame, Translated};
use multigame_mir::Refusal;

pub use answers::{Examination, answers};
pub use machine::{Emulator, Scratch};
/// What generated programs need to be asked like the emulator: a build folder may have several builds of it.
pub use multigame_compiled as compiled;
pub use run::{Answer, evaluate, statements};

/// A program as code that is emulated.
pub type EmulatedCode = Translated<Emulator>;

/// A game given by rules and played by emulation.
pub type EmulatedGame = CompiledGame<EmulatedCode>;

/// Why a program cannot be emulated; the interpreter can still play it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmulatorError {
    /// The rules contain something that has no machine program.
    #[error("these rules cannot be compiled: {0}")]
    Refused(String),
    /// The machine program is not one.
    #[error("mistake of the compiler: {0}")]
    Mistake(String),
}

impl From<Refusal> for EmulatorError {
    fn from(refusal: Refusal) -> Self {
        EmulatorError::Refused(refusal.to_string())
    }
}
