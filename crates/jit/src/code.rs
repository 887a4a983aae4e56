//! Machine code as the code of a game.

use std::thread::LocalKey;

use multigame_compiled::{Code, Failed, Frames, Numbers, Side};
use multigame_ir::Program;
use multigame_mir::{FunctionId, Module, Options};

use crate::JitError;
use crate::flexible::Flexible;
use crate::later::Later;
use crate::machine_code::{Children, MachineCode, Scratch};

/// The machine code of a program.
#[derive(Debug)]
pub struct JitCode {
    native: MachineCode,
    generate: [FunctionId; 2],
    last: [Option<FunctionId>; 2],
    goal: Option<FunctionId>,
    may_repeat: bool,
    /// What of the code is made when it is asked for.
    later: Later,
}

impl JitCode {
    /// Compiles a program with some passes left out.
    pub fn with_options(program: &Program, options: &Options) -> Result<JitCode, JitError> {
        let (module, native) = MachineCode::of_program(program, options)?;
        Ok(JitCode::of_parts(program, module, native, options))
    }

    /// Code that is at hand: `native` is the code of `module`, which is the machine program of `program`.
    pub(crate) fn of_parts(
        program: &Program,
        module: Module,
        native: MachineCode,
        options: &Options,
    ) -> JitCode {
        JitCode {
            native,
            generate: module.generate,
            last: module.last,
            goal: module.goal,
            may_repeat: module.may_repeat,
            later: Later::new(program, module, options.clone()),
        }
    }
}

thread_local! {
    static FRAMES: Frames<JitCode> = const { Frames::new() };
}

impl Code for JitCode {
    type Kept = Flexible;
    type Children = Children;
    type Scratch = Scratch;
    type Error = JitError;

    fn new(program: &Program) -> Result<JitCode, JitError> {
        JitCode::with_options(program, &Options::default())
    }

    #[inline]
    fn frames() -> &'static LocalKey<Frames<JitCode>> {
        &FRAMES
    }

    #[inline]
    fn may_repeat(&self) -> bool {
        self.may_repeat
    }

    #[inline]
    fn generate(&self, side: Side, position: &[u64], children: &mut Children) -> Result<(), Failed> {
        self.native.generate(self.generate[side.index()], position, children)
    }

    #[inline]
    fn take(&self, side: Side, position: &[u64], children: &mut Children) -> Result<(), Failed> {
        let takes = self.later.takes().ok_or(Failed)?;
        takes.native.generate(takes.functions[side.index()], position, children)
    }

    fn last(&self, side: Side, position: &[u64], children: &mut Children) -> Result<(), Failed> {
        self.native.generate(self.last[side.index()].ok_or(Failed)?, position, children)
    }

    fn goal(&self, position: &[u64]) -> Result<bool, Failed> {
        match self.goal {
            Some(goal) => Ok(self.native.evaluate(&mut Scratch::new(), goal, position)? != [0, 0]),
            None => Ok(false),
        }
    }

    #[inline]
    fn scratch(&self) -> Scratch {
        Scratch::new()
    }

    #[inline]
    fn count(&self, scratch: &mut Scratch, side: Side, position: &[u64]) -> Result<[u64; 2], Failed> {
        let counts = self.later.counts().ok_or(Failed)?;
        counts.native.evaluate(scratch, counts.functions[side.index()], position)
    }

    #[inline]
    fn count_at_hand(&self, side: Side, position: &[u64]) -> Result<[u64; 2], Failed> {
        let counts = self.later.counts_at_hand().ok_or(Failed)?;
        counts.native.evaluate(&mut Scratch::new(), counts.functions[side.index()], position)
    }

    #[inline]
    fn plies(&self) -> usize {
        self.later.counts().map_or(0, |counts| counts.leaves.len() + 1)
    }

    #[inline]
    fn leaves(
        &self,
        scratch: &mut Scratch,
        plies: usize,
        side: Side,
        position: &[u64],
    ) -> Result<u64, Failed> {
        let counts = self.later.counts().ok_or(Failed)?;
        let functions = plies.checked_sub(2).and_then(|number| counts.leaves.get(number)).ok_or(Failed)?;
        let [leaves, _] = counts.native.evaluate(scratch, functions[side.index()], position)?;
        Ok(leaves)
    }

    #[inline]
    fn choices(&self, scratch: &mut Scratch, side: Side, position: &[u64]) -> Result<[u64; 2], Failed> {
        let picks = self.later.picks().ok_or(Failed)?;
        picks.native.evaluate(scratch, picks.counts[side.index()], position)
    }

    #[inline]
    fn pick(
        &self,
        scratch: &mut Scratch,
        side: Side,
        position: &[u64],
        number: u64,
        child: &mut [u64],
    ) -> Result<bool, Failed> {
        let picks = self.later.picks().ok_or(Failed)?;
        picks.native.generate_one(scratch, picks.picks[side.index()], number, position, child)
    }

    fn features(&self, evaluation: usize, position: &[u64], numbers: &mut Numbers) -> Result<(), Failed> {
        let (native, features) = self.later.features(evaluation).ok_or(Failed)?;
        let mut scratch = Scratch::new();
        for &function in &features.functions {
            numbers.extend_from_slice(native.report(&mut scratch, function, position)?);
        }
        Ok(())
    }

    fn calm(&self, evaluation: usize, position: &[u64]) -> Result<[u64; 2], Failed> {
        let (native, features) = self.later.features(evaluation).ok_or(Failed)?;
        native.evaluate(&mut Scratch::new(), features.calm.ok_or(Failed)?, position)
    }
}
