//! Code that must be entered more than once: what remains at some point becomes a function of its own.
//!
//! The function is handed the whole state as parameters; what it finds out comes back in its first variables.
//! Loops whose rounds may have several results call themselves for another round: the round is part of what
//! remains, so meeting the same rest again is what makes a loop of it.

use crate::analysis::sites::{Class, Site};
use crate::lowering::exchange::{COUNTS, Combine, Exchange, Shape, renamed};
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::{Finger, State};
use crate::lowering::{Here, Lowering};
use crate::program::builder::Builder;
use crate::refusal::{self, R, Refusal};
use crate::{Binary, Function, FunctionId, Kind, MAX_RESULTS, Stmt, Value, Variable};

/// More rounds of a loop than this are left to the interpreter, which knows whether they come to an end.
pub(crate) const MAX_ROUNDS: u64 = 120;

/// This many functions are enough for any rules that do not nest without end.
const MAX_FUNCTIONS: usize = 300;

/// A rest that has become a function.
#[derive(Clone)]
pub(crate) struct Outlined {
    function: FunctionId,
    /// What comes back besides the counts: how it is combined.
    exports: Vec<Combine>,
    shape: Shape,
}

/// What makes two rests the same function: the steps, and what is known while compiling.
#[derive(PartialEq)]
pub(crate) struct Key {
    steps: Vec<(u8, usize, usize)>,
    shape: Shape,
    /// Functions that have results belong to one class of them.
    class: Option<Class>,
}

fn address<T>(it: &T) -> usize {
    std::ptr::from_ref(it) as usize
}

fn key_of(step: &Step<'_>) -> (u8, usize, usize) {
    match step {
        Step::Do(stmt) => (0, address(*stmt), 0),
        Step::Mark(_) => (1, 0, 0),
        Step::Found(_) => (2, 0, 0),
        Step::Best(_, value) => (3, address(*value), 0),
        Step::Equals(value, _) => (4, address(*value), 0),
        Step::Tally(_) => (7, 0, 0),
        Step::Enter(function, _) => (8, function.0 as usize, 0),
        Step::Round(stmt, _) => (5, address(*stmt), 0),
        Step::Fields(stmt, left) => {
            let facing = left.direction.map_or(0, |direction| direction.index() + 1);
            (6, address(*stmt), 2 * facing + usize::from(left.finger.is_some()))
        }
    }
}

impl<'p> Lowering<'p> {
    /// Makes a function of what remains, unless there is one already, and calls it.
    pub(crate) fn outline(&mut self, rest: &Rest<'p>, mut state: State) -> R<()> {
        let live = self.live(rest);
        if !live.finger {
            state.finger = Finger::Nowhere;
        }
        if !live.direction {
            state.direction = None;
        }
        let ends = rest.ends();
        let exchange = Exchange::of(rest, self.here.left_fields.as_ref().filter(|_| !ends));
        if exchange.exports.len() + COUNTS as usize > MAX_RESULTS {
            return Err(Refusal::new("a loop deep inside alternatives"));
        }
        let shape = Shape::of(&state)?;
        if self.only_judges(rest) && self.aim.kind == Kind::Generate && !self.here.told_apart {
            self.aim.sites.push(Site::of(&state, &self.aim.class, &self.code.builder));
        }
        if self.aim.wanted.is_some() && !ends {
            return Err(Refusal::new("results of a function, which are not numbered"));
        }
        let class = (!ends).then(|| self.aim.class.clone());
        let key = Key { steps: rest.steps().iter().map(key_of).collect(), shape, class };
        let outlined = self.outlined(key, rest, &exchange)?;
        self.call_outlined(&outlined, &exchange, state)
    }

    /// Whether what remains only judges what has been done, so that results differ by what has been done.
    fn only_judges(&self, rest: &Rest<'p>) -> bool {
        rest.steps().iter().all(|step| match step {
            Step::Do(stmt) => self.facts.only_judges(stmt),
            step => matches!(step, Step::Mark(_)),
        })
    }

    /// The function of a rest, which is made if there is none yet.
    fn outlined(&mut self, key: Key, rest: &Rest<'p>, exchange: &Exchange) -> R<Outlined> {
        if let Some((_, outlined)) = self.made.outlined.iter().find(|(known, _)| *known == key) {
            return Ok(outlined.clone());
        }
        if self.made.outlined.len() > MAX_FUNCTIONS {
            return Err(Refusal::new(refusal::TOO_MANY_FUNCTIONS));
        }
        let outlined = Outlined {
            function: FunctionId(self.made.functions.len() as u32),
            exports: exchange.exports.clone(),
            shape: key.shape.clone(),
        };
        // It is known before it is made, because it may call itself.
        self.made.outlined.push((key, outlined.clone()));
        self.make_function(&outlined, rest, exchange.passed.len())?;
        Ok(outlined)
    }

    fn make_function(&mut self, outlined: &Outlined, rest: &Rest<'p>, passed: usize) -> R<()> {
        let results = COUNTS + outlined.exports.len() as u32;
        self.made.functions.push(Function {
            name: format!("rest_{}", outlined.function.0),
            kind: self.aim.kind,
            parameters: Vec::new(),
            results,
            variables: 0,
            values: 0,
            body: Vec::new(),
        });
        let mut builder = Builder::new(results);
        let depth = builder.constant(0);
        let guard = builder.constant(1);
        let here = Here {
            answer: answer(rest),
            told_apart: self.here.told_apart || self.only_judges(rest),
            left_fields: collected(&outlined.exports),
            ..Here::new(guard, depth)
        };
        let outer =
            (std::mem::replace(&mut self.code.builder, builder), std::mem::replace(&mut self.here, here));
        let done = self.fill_function(outlined, rest, passed);
        let builder = std::mem::replace(&mut self.code.builder, outer.0);
        self.here = outer.1;
        self.size.finished += builder.size();
        let parameters = done?;
        let (body, values, variables) = builder.finish();
        let made = &mut self.made.functions[outlined.function.0 as usize];
        (made.parameters, made.body, made.values, made.variables) = (parameters, body, values, variables);
        Ok(())
    }

    /// The code of the function of a rest; its parameters.
    fn fill_function(&mut self, outlined: &Outlined, rest: &Rest<'p>, passed: usize) -> R<Vec<Value>> {
        for (number, export) in outlined.exports.iter().enumerate() {
            if *export == Combine::Greatest {
                let lowest = self.code.constant(i64::MIN as u64);
                self.code.set(Variable(COUNTS + number as u32), lowest);
            }
        }
        let (parameters, state, passed) = self.parameters(&outlined.shape, passed);
        self.enter(&renamed(rest, &passed), state)?;
        Ok(parameters)
    }

    /// The body of the function of a rest: its first step is done here, not in another function.
    fn enter(&mut self, rest: &Rest<'p>, state: State) -> R<()> {
        let Rest::Then(cell) = rest else { return self.run(rest, state) };
        let after = &cell.1;
        match &cell.0 {
            Step::Round(stmt, rounds) => self.round(stmt, *rounds, after, state),
            Step::Fields(stmt, left) => self.next_field(stmt, left, after, state),
            Step::Enter(function, depth) => {
                let most = self.code.constant(MAX_ROUNDS);
                let too_deep = self.code.binary(Binary::LessEqual, most, *depth);
                self.code.push(Stmt::FailIf(too_deep));
                self.here.depth = *depth;
                self.run(&Rest::then(Step::Do(self.facts.body(*function)), after), state)
            }
            _ => self.run_inside(rest, state),
        }
    }

    fn call_outlined(&mut self, outlined: &Outlined, exchange: &Exchange, state: State) -> R<()> {
        let arguments = self.arguments(exchange, state)?;
        let count = COUNTS as usize + exchange.targets.len();
        let results: Vec<Value> = (0..count).map(|_| self.code.fresh()).collect();
        let function = outlined.function;
        self.code.push(Stmt::Call { function, arguments, results: results.clone() });
        for (number, &result) in (0..COUNTS).zip(&results) {
            let before = self.code.get(Variable(number));
            let after = self.code.binary(Binary::Add, before, result);
            self.code.set(Variable(number), after);
        }
        for (number, &target) in exchange.targets.iter().enumerate() {
            self.code.combine(outlined.exports[number], target, results[COUNTS as usize + number]);
            if self.here.answer == Some(target) {
                let found = self.code.get(target);
                self.code.push(Stmt::ReturnIf(found));
            }
        }
        Ok(())
    }
}

/// The variable that is all the function of a rest is called for.
fn answer(rest: &Rest<'_>) -> Option<Variable> {
    let steps = rest.steps();
    let marks = steps.iter().filter(|step| !matches!(step, Step::Do(_) | Step::Enter(..) | Step::Round(..)));
    match (marks.count(), steps.last()) {
        (1, Some(Step::Found(_))) => Some(Variable(COUNTS)),
        _ => None,
    }
}

/// The variables in which a function collects the fields that its results have left, if it does.
fn collected(exports: &[Combine]) -> Option<Vec<Variable>> {
    let collected = (COUNTS..).map(Variable).zip(exports).filter(|(_, how)| **how == Combine::Apart);
    let collected: Vec<Variable> = collected.map(|(variable, _)| variable).collect();
    (!collected.is_empty()).then_some(collected)
}

#[cfg(test)]
mod tests {
    use crate::Options;
    use crate::testing::{BOARD, module};

    #[test]
    fn the_same_rest_is_the_same_function() {
        // Both ways end with the same jumps: what remains after them is there once.
        let rules = "either [ find own man, pick up, jumps ] or [ find rock, pick up, jumps ].
            jumps = while jump do nothing, put down.
            jump = any direction, step, points at opponent's man, replace by empty field, step,
                points at empty field";
        let one = "find own man, pick up, while jump do nothing, put down.
            jump = any direction, step, points at opponent's man, replace by empty field, step,
                points at empty field";
        let rests = |rules| {
            let module = module(BOARD, rules, &Options::default());
            let name = module.functions[module.generate[0].0 as usize].name.clone();
            let before = module.functions.iter().position(|function| function.name == name);
            module.functions[..before.unwrap_or(0)]
                .iter()
                .filter(|function| function.name.starts_with("rest"))
                .count()
        };
        // A man and a rock in the hand are two functions, not more.
        assert_eq!([rests(one), rests(rules)], [1, 2]);
    }
}
