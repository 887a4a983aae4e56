//! The parts of a machine program. Moves come first; what only some ask for can be added when it is asked
//! for.

use multigame_game::Side;
use multigame_ir::Program;

use crate::analysis::sites::Class;
use crate::lowering::Lowering;
use crate::program::builder::Tables;
use crate::refusal::{R, Refusal, TOO_MUCH};
use crate::{Brevity, Function, FunctionId, Kind, Layout, Module, Options, Pass};

/// What the functions of a module share.
#[derive(Default)]
pub(crate) struct Parts {
    pub brevity: Brevity,
    pub options: Options,
    pub tables: Tables,
    pub functions: Vec<Function>,
    /// The classes of results in which equal ones cannot be excluded: they are not counted.
    pub doubtful: Vec<Class>,
}

/// Lowers all parts of a program, or says why that is not possible.
pub fn lower(program: &Program) -> Result<Module, Refusal> {
    lower_with(program, &Options::default())
}

/// Lowers all parts of a program with some passes left out.
pub fn lower_with(program: &Program, options: &Options) -> Result<Module, Refusal> {
    let mut module = lower_moves(program, options)?;
    module.add_counts(program, options)?;
    module.add_leaves(options);
    module.add_picks(program, options);
    module.add_takes(program, options);
    module.add_features(program, options);
    Ok(module)
}

/// Lowers the functions that generate moves and test whether a puzzle is solved.
pub fn lower_moves(program: &Program, options: &Options) -> Result<Module, Refusal> {
    let program = &prepared(program, options);
    let mut module = as_fast_as_fits(Brevity::Fast, |brevity| moves(program, options, brevity))
        .map_err(|refusal| refusal.placed(program))?;
    module.add_last(program, options);
    Ok(module)
}

/// The functions that generate moves, with this much done for less code.
fn moves(program: &Program, options: &Options, brevity: Brevity) -> R<Module> {
    let mut parts = Parts { brevity, options: options.clone(), ..Parts::default() };
    let mut doubtful: Vec<Class> = Vec::new();
    let mut generate = [FunctionId(0); 2];
    for side in Side::BOTH {
        let main = program.main[side.index()];
        let (function, sites) = Lowering::function(program, &mut parts, main, side, Kind::Generate)?;
        generate[side.index()] = function;
        doubtful.extend(crate::analysis::sites::doubtful(&sites));
    }
    let goal = match program.goal {
        None => None,
        Some(goal) => Some(Lowering::function(program, &mut parts, goal, Side::White, Kind::Test)?.0),
    };
    Ok(Module {
        layout: Layout::new(program),
        tables: parts.tables.into_vec(),
        functions: parts.functions,
        generate,
        count: [None; 2],
        leaves: Vec::new(),
        pick: [None; 2],
        take: [None; 2],
        last: [None; 2],
        goal,
        features: Vec::new(),
        may_repeat: !doubtful.is_empty(),
        doubtful,
        brevity,
        checked: options.checked,
    })
}

impl Module {
    /// Adds the functions that say how a game ends in which the player to move cannot move.
    fn add_last(&mut self, program: &Program, options: &Options) {
        let Some(last) = program.last else { return };
        let last = self.add(options, |parts| {
            let lower = |side: Side, parts: &mut Parts| {
                let last = last[side.index()];
                Lowering::function(program, parts, last, side, Kind::Generate)
                    .map(|(function, _)| Some(function))
            };
            Ok([lower(Side::White, parts)?, lower(Side::Black, parts)?])
        });
        self.last = last.unwrap_or_default();
    }

    /// Adds the functions that count moves, as far as moves can be counted.
    pub fn add_counts(&mut self, program: &Program, options: &Options) -> Result<(), Refusal> {
        // Where no alternative is free of doubt there is nothing to count.
        if self.doubtful.contains(&Class::new()) || !options.has(Pass::Counting) {
            return Ok(());
        }
        let program = &prepared(program, options);
        self.count = self.add(options, |parts| {
            let lower = |side: Side, parts: &mut Parts| {
                let main = program.main[side.index()];
                Lowering::function(program, parts, main, side, Kind::Count)
                    .map(|(function, _)| Some(function))
            };
            Ok([lower(Side::White, parts)?, lower(Side::Black, parts)?])
        })?;
        Ok(())
    }

    /// Adds the functions that make a single move, given its number, where moves can be counted.
    pub fn add_picks(&mut self, program: &Program, options: &Options) {
        if self.count.contains(&None) {
            return;
        }
        let program = &prepared(program, options);
        let picks = self.add(options, |parts| {
            let lower = |side, parts: &mut Parts| Lowering::pick(program, parts, side).map(Some);
            Ok([lower(Side::White, parts)?, lower(Side::Black, parts)?])
        });
        self.pick = picks.unwrap_or_default();
    }

    /// Adds the functions that generate only captures.
    pub fn add_takes(&mut self, program: &Program, options: &Options) {
        let program = &prepared(program, options);
        let takes = self.add(options, |parts| {
            let lower = |side, parts: &mut Parts| Lowering::takes(program, parts, side).map(Some);
            Ok([lower(Side::White, parts)?, lower(Side::Black, parts)?])
        });
        self.take = takes.unwrap_or_default();
    }

    /// Adds the functions that compute the terms of evaluations.
    pub fn add_features(&mut self, program: &Program, options: &Options) {
        let program = &prepared(program, options);
        let features = self.add(options, |parts| {
            let judgements = program.evaluations.iter();
            Ok(judgements
                .map(|judgement| crate::emission::features::features(program, parts, judgement))
                .collect())
        });
        self.features = features.unwrap_or_default();
    }

    /// Adds functions; if that is refused, the module stays as it is.
    fn add<T>(&mut self, options: &Options, lower: impl Fn(&mut Parts) -> R<T>) -> R<T> {
        as_fast_as_fits(self.brevity, |brevity| {
            let mut parts = Parts {
                brevity,
                options: options.clone(),
                tables: Tables::of(self.tables.clone()),
                functions: self.functions.clone(),
                doubtful: self.doubtful.clone(),
            };
            let added = lower(&mut parts)?;
            self.tables = parts.tables.into_vec();
            self.functions = parts.functions;
            Ok(added)
        })
    }
}

/// Lowers again for less code as long as there is too much.
fn as_fast_as_fits<T>(first: Brevity, mut lower: impl FnMut(Brevity) -> R<T>) -> R<T> {
    let mut brevity = first;
    loop {
        match (lower(brevity), brevity.further()) {
            (Err(refusal), Some(further)) if refusal.is(TOO_MUCH) => brevity = further,
            (result, _) => return result,
        }
    }
}

/// The program as it is lowered: without the names of its moves, which machine code does not need, with what
/// alternatives have in common done once, and with each way of `main` as a whole.
fn prepared(program: &Program, options: &Options) -> Program {
    let mut program = program.without_names();
    if options.has(Pass::Prefixes) {
        program = program.with_shared_prefixes();
    }
    if options.has(Pass::Classes) {
        program = program.with_distributed_choices();
    }
    program
}
