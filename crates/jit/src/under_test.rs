//! What the tests of `tests` are about; other back ends that run them have another file of this name.

use multigame_mir::{FunctionId, Module};

/// What runs functions.
pub type Tested = crate::machine_code::MachineCode;

/// Translates functions of a module that keeps to what lowering promises.
pub fn compile(module: &Module, functions: &[FunctionId]) -> Tested {
    // SAFETY: the modules of these tests keep to the contract, and checked code would notice otherwise.
    unsafe { Tested::compiled(module, functions) }.unwrap()
}
