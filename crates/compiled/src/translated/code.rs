//! Translated functions as the code of a game.

use std::thread::LocalKey;

use multigame_game::Side;
use multigame_ir::Program;
use multigame_mir::{FunctionId, Module, Options, lower_moves};

use super::later::Later;
use super::{Flexible, Lowered, Machine, WordList};
use crate::{Code, CompiledGame, Failed, Frames, Numbers};

/// The code of a program, translated by a machine; or none, so that the interpreter answers every question.
///
/// PERF: both are one type, so that a search is compiled once for all rules. Asking whether there is code
/// takes two instructions of the hundreds and thousands that a question takes.
#[derive(Debug)]
pub struct Translated<M>(Option<Functions<M>>);

/// The functions of a program.
#[derive(Debug)]
struct Functions<M> {
    moves: M,
    generate: [FunctionId; 2],
    last: [Option<FunctionId>; 2],
    goal: Option<FunctionId>,
    may_repeat: bool,
    /// What of the code is made when it is asked for.
    later: Later<M>,
}

impl<M: Machine> Translated<M> {
    /// Translates a program with some passes left out.
    pub fn with_options(program: &Program, options: &Options) -> Result<Self, M::Error> {
        let module = lower_moves(program, options)?;
        let moves = module.generate.into_iter().chain(module.goal).chain(module.last.into_iter().flatten());
        let moves = M::new(Lowered(&module), &moves.collect::<Vec<_>>())?;
        Ok(Translated::of_parts(program, module, moves, options))
    }

    /// Code that is at hand: `moves` is that of `module`, which is the machine program of `program`.
    pub fn of_parts(program: &Program, module: Module, moves: M, options: &Options) -> Self {
        Translated(Some(Functions {
            moves,
            generate: module.generate,
            last: module.last,
            goal: module.goal,
            may_repeat: module.may_repeat,
            later: Later::new(program, module, options.clone()),
        }))
    }

    /// No code.
    pub fn none() -> Self {
        Translated(None)
    }

    /// The functions, if there are any.
    #[inline(always)]
    fn functions(&self) -> Result<&Functions<M>, Failed> {
        self.0.as_ref().ok_or(Failed)
    }
}

impl<M: Machine> CompiledGame<Translated<M>> {
    /// The game of a program, played by the interpreter alone.
    pub fn interpreting(program: Program) -> Self {
        CompiledGame::with_code(program, Translated::none())
    }

    /// Whether there is code for the game; otherwise the interpreter plays it.
    pub fn has_code(&self) -> bool {
        self.code.0.is_some()
    }
}

impl<M: Machine> Code for Translated<M> {
    type Kept = Flexible;
    type Children = WordList;
    type Scratch = M::Scratch;
    type Error = M::Error;

    fn new(program: &Program) -> Result<Self, M::Error> {
        Translated::with_options(program, &Options::default())
    }

    #[inline]
    fn frames() -> &'static LocalKey<Frames<Self>> {
        M::frames()
    }

    #[inline]
    fn may_repeat(&self) -> bool {
        self.0.as_ref().is_some_and(|functions| functions.may_repeat)
    }

    #[inline]
    fn generate(&self, side: Side, position: &[u64], children: &mut WordList) -> Result<(), Failed> {
        let functions = self.functions()?;
        functions.moves.generate(functions.generate[side.index()], position, children)
    }

    #[inline]
    fn take(&self, side: Side, position: &[u64], children: &mut WordList) -> Result<(), Failed> {
        let takes = self.functions()?.later.takes().ok_or(Failed)?;
        takes.machine.generate(takes.functions[side.index()], position, children)
    }

    fn last(&self, side: Side, position: &[u64], children: &mut WordList) -> Result<(), Failed> {
        let functions = self.functions()?;
        functions.moves.generate(functions.last[side.index()].ok_or(Failed)?, position, children)
    }

    fn goal(&self, position: &[u64]) -> Result<bool, Failed> {
        let functions = self.functions()?;
        match functions.goal {
            Some(goal) => Ok(functions.moves.evaluate(&mut M::scratch(), goal, position)? != [0, 0]),
            None => Ok(false),
        }
    }

    #[inline]
    fn scratch(&self) -> M::Scratch {
        M::scratch()
    }

    #[inline]
    fn count(&self, scratch: &mut M::Scratch, side: Side, position: &[u64]) -> Result<[u64; 2], Failed> {
        let counts = self.functions()?.later.counts().ok_or(Failed)?;
        counts.machine.evaluate(scratch, counts.functions[side.index()], position)
    }

    #[inline]
    fn count_at_hand(&self, side: Side, position: &[u64]) -> Result<[u64; 2], Failed> {
        let counts = self.functions()?.later.counts_at_hand().ok_or(Failed)?;
        counts.machine.evaluate(&mut M::scratch(), counts.functions[side.index()], position)
    }

    #[inline]
    fn plies(&self) -> usize {
        let counts = self.0.as_ref().and_then(|functions| functions.later.counts());
        counts.map_or(0, |counts| counts.leaves.len() + 1)
    }

    #[inline]
    fn leaves(
        &self,
        scratch: &mut M::Scratch,
        plies: usize,
        side: Side,
        position: &[u64],
    ) -> Result<u64, Failed> {
        let counts = self.functions()?.later.counts().ok_or(Failed)?;
        let functions = plies.checked_sub(2).and_then(|number| counts.leaves.get(number)).ok_or(Failed)?;
        let [leaves, _] = counts.machine.evaluate(scratch, functions[side.index()], position)?;
        Ok(leaves)
    }

    #[inline]
    fn choices(&self, scratch: &mut M::Scratch, side: Side, position: &[u64]) -> Result<[u64; 2], Failed> {
        let picks = self.functions()?.later.picks().ok_or(Failed)?;
        picks.machine.evaluate(scratch, picks.counts[side.index()], position)
    }

    #[inline]
    fn pick(
        &self,
        scratch: &mut M::Scratch,
        side: Side,
        position: &[u64],
        number: u64,
        child: &mut [u64],
    ) -> Result<bool, Failed> {
        let picks = self.functions()?.later.picks().ok_or(Failed)?;
        picks.machine.generate_one(scratch, picks.picks[side.index()], number, position, child)
    }

    fn features(&self, evaluation: usize, position: &[u64], numbers: &mut Numbers) -> Result<(), Failed> {
        let (machine, features) = self.functions()?.later.features(evaluation).ok_or(Failed)?;
        let mut scratch = M::scratch();
        for &function in &features.functions {
            numbers.extend_from_slice(machine.report(&mut scratch, function, position)?);
        }
        Ok(())
    }

    fn calm(&self, evaluation: usize, position: &[u64]) -> Result<[u64; 2], Failed> {
        let (machine, features) = self.functions()?.later.features(evaluation).ok_or(Failed)?;
        machine.evaluate(&mut M::scratch(), features.calm.ok_or(Failed)?, position)
    }
}
