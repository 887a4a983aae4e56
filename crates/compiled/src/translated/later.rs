//! Code that is translated when it is first asked for: counts, single moves, captures, evaluations.

use std::sync::OnceLock;

use multigame_ir::Program;
use multigame_mir::{Features, FunctionId, Module, Options};

use super::{Lowered, Machine};

/// What has been compiled so far, and what is needed to compile more.
#[derive(Debug)]
pub(super) struct Later<M> {
    /// What the rules mean, without what was learned about them.
    program: Program,
    /// The moves.
    module: Module,
    options: Options,
    counts: OnceLock<Option<Counts<M>>>,
    picks: OnceLock<Option<Picks<M>>>,
    takes: OnceLock<Option<Takes<M>>>,
    features: OnceLock<Option<Evaluations<M>>>,
}

/// What counts moves.
#[derive(Debug)]
pub(super) struct Counts<M> {
    pub machine: M,
    pub functions: [FunctionId; 2],
    /// For two plies and more.
    pub leaves: Vec<[FunctionId; 2]>,
}

/// What makes single moves.
#[derive(Debug)]
pub(super) struct Picks<M> {
    pub machine: M,
    pub counts: [FunctionId; 2],
    pub picks: [FunctionId; 2],
}

/// What generates moves that take something, and perhaps some others.
#[derive(Debug)]
pub(super) struct Takes<M> {
    pub machine: M,
    pub functions: [FunctionId; 2],
}

/// What evaluations count; nothing where the interpreter has to do it.
#[derive(Debug)]
struct Evaluations<M> {
    machine: M,
    features: Vec<Option<Features>>,
}

impl<M: Machine> Later<M> {
    /// `module` holds the moves of a program, and what else is known of it already.
    pub fn new(program: &Program, module: Module, options: Options) -> Self {
        let program = without_learned(program);
        let (counts, picks, takes, features) = Default::default();
        Later { program, module, options, counts, picks, takes, features }
    }

    /// What counts moves, if they can be counted.
    #[inline]
    pub fn counts(&self) -> Option<&Counts<M>> {
        self.counts.get_or_init(|| self.compile_counts()).as_ref()
    }

    /// The same if it has been compiled.
    pub fn counts_at_hand(&self) -> Option<&Counts<M>> {
        self.counts.get()?.as_ref()
    }

    /// What makes single moves, where that is less work than to make all.
    pub fn picks(&self) -> Option<&Picks<M>> {
        self.picks.get_or_init(|| self.compile_picks()).as_ref()
    }

    /// What generates only moves that take something.
    pub fn takes(&self) -> Option<&Takes<M>> {
        self.takes.get_or_init(|| self.compile_takes()).as_ref()
    }

    /// How an evaluation is counted, if the interpreter need not do it.
    pub fn features(&self, evaluation: usize) -> Option<(&M, &Features)> {
        let all = self.features.get_or_init(|| self.compile_features()).as_ref()?;
        all.features.get(evaluation)?.as_ref().map(|features| (&all.machine, features))
    }

    fn counted(&self) -> Option<(Module, [FunctionId; 2])> {
        let mut module = self.module.clone();
        if module.count.contains(&None) {
            module.add_counts(&self.program, &self.options).ok()?;
        }
        let [white, black] = module.count;
        Some((module, [white?, black?]))
    }

    fn compile_counts(&self) -> Option<Counts<M>> {
        let (mut module, functions) = self.counted()?;
        module.add_leaves(&self.options);
        let leaves = module.leaves.clone();
        let wanted: Vec<_> = functions.into_iter().chain(leaves.iter().flatten().copied()).collect();
        let machine = M::new(Lowered(&module), &wanted).ok()?;
        Some(Counts { machine, functions, leaves })
    }

    fn compile_picks(&self) -> Option<Picks<M>> {
        let (mut module, counts) = self.counted()?;
        module.add_picks(&self.program, &self.options);
        let [white, black] = module.pick;
        let picks = [white?, black?];
        let machine = M::new(Lowered(&module), &[picks, counts].concat()).ok()?;
        Some(Picks { machine, counts, picks })
    }

    fn compile_takes(&self) -> Option<Takes<M>> {
        let mut module = self.module.clone();
        module.add_takes(&self.program, &self.options);
        let [white, black] = module.take;
        let functions = [white?, black?];
        let machine = M::new(Lowered(&module), &functions).ok()?;
        Some(Takes { machine, functions })
    }

    fn compile_features(&self) -> Option<Evaluations<M>> {
        let mut module = self.module.clone();
        module.add_features(&self.program, &self.options);
        let found = module.features.iter().flatten();
        let functions = found.flat_map(|found| found.functions.iter().copied().chain(found.calm));
        let functions: Vec<_> = functions.collect();
        let machine = M::new(Lowered(&module), &functions).ok()?;
        let features = module.features.iter().map(|features| features.clone().ok()).collect();
        Some(Evaluations { machine, features })
    }
}

/// A copy of a program for compiling: patterns and networks are large and not compiled.
fn without_learned(program: &Program) -> Program {
    Program {
        description: program.description.clone(),
        move_properties: program.move_properties.clone(),
        functions: program.functions.clone(),
        main: program.main,
        goal: program.goal,
        last: program.last,
        abstractions: program.abstractions.clone(),
        evaluations: program.evaluations.clone(),
        patterns: Vec::new(),
        network: None,
        judge: program.judge,
        origins: program.origins.clone(),
    }
}
