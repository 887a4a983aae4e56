//! A module as a back end.

use std::thread::LocalKey;

use multigame_compiled::{Failed, Frames, Lowered, Machine, Translated, WordList, called, check};
use multigame_mir::{FunctionId, Kind, Module};

use crate::EmulatorError;
use crate::run::{Memory, run};

/// The most statements of a run. Some random programs do millions where the interpreter of rules does a few
/// steps: it answers then.
const MOST_STATEMENTS: u64 = 1 << 15;

/// Functions of a module.
#[derive(Debug)]
pub struct Emulator {
    module: Module,
    /// Which functions can come back to themselves.
    recursive: Vec<bool>,
    /// Which functions were asked for, and what they call.
    wanted: Vec<bool>,
}

/// Memory of functions, which may have been used before.
#[derive(Debug, Default)]
pub struct Scratch(Memory);

thread_local! {
    static FRAMES: Frames<Translated<Emulator>> = const { Frames::new() };
}

impl Emulator {
    /// Functions of any module that passes the check, and what they call.
    pub fn emulated(module: &Module, functions: &[FunctionId]) -> Result<Emulator, EmulatorError> {
        check(module).map_err(EmulatorError::Mistake)?;
        let (recursive, wanted) = (module.recursive(), called(module, functions));
        Ok(Emulator { module: module.clone(), recursive, wanted })
    }

    fn run(
        &self,
        function: FunctionId,
        position: &[u64],
        arguments: &[u64],
        memory: &mut Memory,
    ) -> Result<(), Failed> {
        assert!(self.wanted[function.0 as usize], "it was asked for");
        run(&self.module, &self.recursive, function, position, arguments, memory, MOST_STATEMENTS)
    }
}

impl Machine for Emulator {
    type Scratch = Scratch;
    type Error = EmulatorError;

    fn new(module: Lowered<'_>, functions: &[FunctionId]) -> Result<Emulator, EmulatorError> {
        Emulator::emulated(module.module(), functions)
    }

    fn frames() -> &'static LocalKey<Frames<Translated<Emulator>>> {
        &FRAMES
    }

    fn scratch() -> Scratch {
        Scratch::default()
    }

    fn generate(
        &self,
        function: FunctionId,
        position: &[u64],
        children: &mut WordList,
    ) -> Result<(), Failed> {
        assert_eq!(self.module.function(function).kind, Kind::Generate);
        let mut memory = Memory::default();
        self.run(function, position, &[], &mut memory)?;
        let buffer = children.room(position.len());
        if buffer.len() < memory.children.len() {
            buffer.resize(memory.children.len(), 0);
        }
        buffer[..memory.children.len()].copy_from_slice(&memory.children);
        children.fill(memory.children.len());
        Ok(())
    }

    fn generate_one(
        &self,
        scratch: &mut Scratch,
        function: FunctionId,
        number: u64,
        position: &[u64],
        child: &mut [u64],
    ) -> Result<bool, Failed> {
        let memory = &mut scratch.0;
        self.run(function, position, &[number], memory)?;
        assert!(memory.children.len() <= child.len(), "there is room for one position alone");
        let made = !memory.children.is_empty();
        if made {
            child.copy_from_slice(&memory.children);
        }
        Ok(made)
    }

    fn evaluate(
        &self,
        scratch: &mut Scratch,
        function: FunctionId,
        position: &[u64],
    ) -> Result<[u64; 2], Failed> {
        let results = self.report(scratch, function, position)?;
        Ok([0, 1].map(|number| results.get(number).copied().unwrap_or(0)))
    }

    fn report<'s>(
        &self,
        scratch: &'s mut Scratch,
        function: FunctionId,
        position: &[u64],
    ) -> Result<&'s [u64], Failed> {
        assert_ne!(self.module.function(function).kind, Kind::Generate);
        self.run(function, position, &[], &mut scratch.0)?;
        Ok(&scratch.0.results)
    }
}
