//! Code that not everybody needs, compiled when it is asked for: counts, single moves, captures, evaluations.

use std::sync::OnceLock;

use multigame_ir::Program;
use multigame_mir::{Features, FunctionId, HEADER, Header, Module, Options};

use crate::native::{Children, Context, Failed, Native};

/// What has been compiled so far, and what is needed to compile more.
#[derive(Debug)]
pub(crate) struct Later {
    /// The moves.
    module: Module,
    options: Options,
    counts: OnceLock<Option<Counts>>,
    picks: OnceLock<Option<Picks>>,
    takes: OnceLock<Option<Takes>>,
    features: OnceLock<Option<Evaluations>>,
}

/// What counts moves.
#[derive(Debug)]
pub(crate) struct Counts {
    native: Native,
    functions: [FunctionId; 2],
    /// For two plies and more.
    leaves: Vec<[FunctionId; 2]>,
}

/// What makes single moves.
#[derive(Debug)]
pub(crate) struct Picks {
    native: Native,
    counts: [FunctionId; 2],
    picks: [FunctionId; 2],
}

/// What generates moves that take something, and perhaps some others.
#[derive(Debug)]
pub(crate) struct Takes {
    native: Native,
    functions: [FunctionId; 2],
}

/// What evaluations count; nothing where the interpreter has to do it.
#[derive(Debug)]
struct Evaluations {
    native: Native,
    features: Vec<Option<Features>>,
}

impl Later {
    /// `module` holds the moves of a program, and what else is known of it already.
    pub fn new(module: Module, options: Options) -> Later {
        let (counts, picks, takes, features) = Default::default();
        Later { module, options, counts, picks, takes, features }
    }

    /// What counts moves, if they can be counted.
    #[inline]
    pub fn counts(&self, program: &Program) -> Option<&Counts> {
        self.counts.get_or_init(|| self.compile_counts(program)).as_ref()
    }

    /// The same if it has been compiled.
    pub fn counts_at_hand(&self) -> Option<&Counts> {
        self.counts.get()?.as_ref()
    }

    /// What makes single moves, where that is less work than to make all.
    pub fn picks(&self, program: &Program) -> Option<&Picks> {
        self.picks.get_or_init(|| self.compile_picks(program)).as_ref()
    }

    /// What generates only moves that take something.
    pub fn takes(&self, program: &Program) -> Option<&Takes> {
        self.takes.get_or_init(|| self.compile_takes(program)).as_ref()
    }

    /// How an evaluation is counted, if the interpreter need not do it.
    pub fn features(&self, program: &Program, evaluation: usize) -> Option<(&Native, &Features)> {
        let all = self.features.get_or_init(|| self.compile_features(program)).as_ref()?;
        all.features.get(evaluation)?.as_ref().map(|features| (&all.native, features))
    }

    fn counted(&self, program: &Program) -> Option<(Module, [FunctionId; 2])> {
        let mut module = self.module.clone();
        if module.count.contains(&None) {
            module.add_counts(program, &self.options).ok()?;
        }
        let [white, black] = module.count;
        Some((module, [white?, black?]))
    }

    fn compile_counts(&self, program: &Program) -> Option<Counts> {
        let (mut module, functions) = self.counted(program)?;
        module.add_leaves(&self.options);
        let leaves = module.leaves.clone();
        let native =
            Native::of_lowered(&module, functions.into_iter().chain(leaves.iter().flatten().copied()));
        Some(Counts { native: native.ok()?, functions, leaves })
    }

    fn compile_picks(&self, program: &Program) -> Option<Picks> {
        let (mut module, counts) = self.counted(program)?;
        module.add_picks(program, &self.options);
        let [white, black] = module.pick;
        let picks = [white?, black?];
        let native = Native::of_lowered(&module, picks.into_iter().chain(counts)).ok()?;
        Some(Picks { native, counts, picks })
    }

    fn compile_takes(&self, program: &Program) -> Option<Takes> {
        let mut module = self.module.clone();
        module.add_takes(program, &self.options);
        let [white, black] = module.take;
        let functions = [white?, black?];
        let native = Native::of_lowered(&module, functions).ok()?;
        Some(Takes { native, functions })
    }

    fn compile_features(&self, program: &Program) -> Option<Evaluations> {
        let mut module = self.module.clone();
        module.add_features(program, &self.options);
        let found = module.features.iter().flatten();
        let functions = found.flat_map(|found| found.functions.iter().copied().chain(found.calm));
        let native = Native::of_lowered(&module, functions).ok()?;
        let features = module.features.iter().map(|features| features.clone().ok()).collect();
        Some(Evaluations { native, features })
    }
}

impl Counts {
    /// What [`Counts::count_in`] works on.
    pub fn silent(&self) -> Context {
        self.native.silent()
    }

    /// Moves, and results that leave the position as it is and end the game.
    pub fn count(&self, words: &[u64]) -> Result<[u64; 2], Failed> {
        self.count_in(&mut self.silent(), words)
    }

    /// The same in a context that may have been used before.
    #[inline]
    pub fn count_in(&self, context: &mut Context, words: &[u64]) -> Result<[u64; 2], Failed> {
        self.native.evaluate_in(context, self.functions[side(words)], words)
    }

    /// How many plies are counted at once at most.
    #[inline]
    pub fn plies(&self) -> usize {
        self.leaves.len() + 1
    }

    /// Sequences of so many moves, 2 or more, where they are counted at once and there are any.
    #[inline]
    pub fn leaves_in(&self, context: &mut Context, plies: usize, words: &[u64]) -> Option<u64> {
        let function = self.leaves.get(plies - 2)?[side(words)];
        let [leaves, _] = self.native.evaluate_in(context, function, words).ok()?;
        (leaves > 0).then_some(leaves)
    }
}

impl Picks {
    /// What both other functions work on.
    pub fn context(&self) -> Context {
        self.native.silent()
    }

    /// The number of moves; nothing if there are none or they cannot be counted.
    #[inline]
    pub fn choices(&self, context: &mut Context, words: &[u64]) -> Option<usize> {
        match self.native.evaluate_in(context, self.counts[side(words)], words) {
            Ok([moves, endings]) if moves > 0 => Some((moves + endings) as usize),
            _ => None,
        }
    }

    /// Makes the move of that number, unless the interpreter has to.
    #[inline]
    pub fn make(&self, context: &mut Context, number: usize, words: &[u64], child: &mut [u64]) -> bool {
        let function = self.picks[side(words)];
        self.native.generate_one(context, function, number as u64, words, child) == Ok(true)
    }
}

impl Takes {
    /// Generates the moves.
    #[inline]
    pub fn generate(&self, words: &[u64], children: &mut Children) -> Result<(), Failed> {
        self.native.generate(self.functions[side(words)], words, children)
    }
}

fn side(words: &[u64]) -> usize {
    (words[HEADER] & Header::BLACK) as usize
}
