//! Back ends that translate functions while the program runs: what they have in common.
//!
//! Such a back end implements [`Machine`], and [`Translated`] makes [`Code`](crate::Code) of it. Moves are
//! translated at once, everything else when it is first asked for.

mod check;
mod children;
mod code;
mod flexible;
mod later;

use std::fmt::Debug;
use std::thread::LocalKey;

use multigame_mir::{FunctionId, Module, Refusal};

use crate::{Failed, Frames};

pub use check::check;
pub use children::WordList;
pub use code::Translated;
pub use flexible::Flexible;

/// Functions of a machine program that were translated and can be run.
///
/// Positions have as many words as the module says.
pub trait Machine: Debug + Send + Sync + Sized + 'static {
    /// Memory of functions that emit nothing: made once, it serves for many positions.
    type Scratch;

    /// Why a program cannot be translated.
    type Error: From<Refusal>;

    /// Translates functions and what they call.
    fn new(module: Lowered<'_>, functions: &[FunctionId]) -> Result<Self, Self::Error>;

    /// The memory that a thread keeps from one expansion to the next.
    fn frames() -> &'static LocalKey<Frames<Translated<Self>>>;

    /// Memory that was not used before.
    fn scratch() -> Self::Scratch;

    /// Runs a generator; `children` then holds what it emitted.
    fn generate(&self, function: FunctionId, position: &[u64], children: &mut WordList)
    -> Result<(), Failed>;

    /// Runs a generator that is given a number and emits at most one position: whether it did.
    fn generate_one(
        &self,
        scratch: &mut Self::Scratch,
        function: FunctionId,
        number: u64,
        position: &[u64],
        child: &mut [u64],
    ) -> Result<bool, Failed>;

    /// Runs a count or a test: its variables 0 and 1.
    fn evaluate(
        &self,
        scratch: &mut Self::Scratch,
        function: FunctionId,
        position: &[u64],
    ) -> Result<[u64; 2], Failed>;

    /// Runs a function that emits nothing: its results.
    fn report<'s>(
        &self,
        scratch: &'s mut Self::Scratch,
        function: FunctionId,
        position: &[u64],
    ) -> Result<&'s [u64], Failed>;
}

/// A module as lowering made it. Lowering derives indices from fields, pieces and values, which are within
/// the ranges its tables are made for, and looks at divisors before it divides: a [`Machine`] may rely on
/// that.
///
/// **Invariant:** only [`Translated`] makes one, from what it has lowered itself.
#[derive(Clone, Copy, Debug)]
pub struct Lowered<'m>(&'m Module);

impl<'m> Lowered<'m> {
    /// The module.
    pub fn module(self) -> &'m Module {
        self.0
    }
}

/// Which functions are called by some, themselves included.
pub fn called(module: &Module, functions: &[FunctionId]) -> Vec<bool> {
    let calls = module.calls();
    let mut called = vec![false; module.functions.len()];
    let mut open = functions.to_vec();
    while let Some(function) = open.pop() {
        let number = function.0 as usize;
        if !std::mem::replace(&mut called[number], true) {
            open.extend(&calls[number]);
        }
    }
    called
}
