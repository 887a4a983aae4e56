//! Following what remains to be done, from a state to its results.

use multigame_ir::{Op, Stmt};

use crate::facts::Live;
use crate::lower::{Lowering, R, Refusal, TOO_MUCH};
use crate::rest::{Rest, Step};
use crate::state::{Branch, Finger, State};
use crate::{Brevity, Value, Variable};

/// With more code than this in a function and in those it calls, it is lowered again for less.
const LARGE: usize = 40_000;

/// Back ends follow nested code by recursion.
const DEEPEST: u32 = 400;

/// More code than this is not worth compiling.
const MAX_SIZE: usize = 150_000;

impl<'p> Lowering<'p> {
    /// Which of finger and direction matter to what remains.
    pub(crate) fn live(&self, rest: &Rest<'p>) -> Live {
        rest.steps().iter().rev().fold(Live::default(), |live, step| match step {
            Step::Do(stmt) => self.facts.live(stmt, live),
            Step::Mark(_) => live,
            Step::Found(_) => Live::default(),
            Step::Best(_, value) => self.facts.live_in_expr(value),
            Step::Equals(value, _) => live.or(self.facts.live_in_expr(value)),
            Step::Tally(_) | Step::Enter(..) => Live { finger: true, direction: true },
            Step::Round(stmt, _) | Step::Fields(stmt, _) => self.facts.live(stmt, live),
        })
    }

    /// Generates code for what remains, from a state. The stack grows on the heap where needed.
    pub(crate) fn run(&mut self, rest: &Rest<'p>, state: State) -> R<()> {
        if self.nesting > DEEPEST {
            return Err(Refusal::new("rules that are nested too deeply"));
        }
        self.nesting += 1;
        let done = stacker::maybe_grow(256 << 10, 4 << 20, || self.run_here(rest, state));
        self.nesting -= 1;
        done
    }

    pub(crate) fn run_here(&mut self, rest: &Rest<'p>, mut state: State) -> R<()> {
        let most = if self.brevity == Brevity::Loops { MAX_SIZE } else { LARGE };
        if self.finished_size + self.builder.size() > most {
            return Err(Refusal::new(TOO_MUCH));
        }
        let mut rest = rest.clone();
        loop {
            let stay = std::mem::take(&mut self.stay);
            let live = self.live(&rest);
            if !live.direction {
                self.forget_direction(&mut state);
            }
            if let Finger::Many(branches) = &state.finger
                && !live.finger
            {
                return self.collapse(&rest, branches.clone(), live, state);
            }
            let Rest::Then(cell) = &rest else { return self.result(&mut state) };
            let (step, after) = (cell.0.clone(), cell.1.clone());
            match step {
                Step::Mark(variable) => {
                    self.mark(variable, &state);
                    rest = after;
                }
                Step::Found(variable) => {
                    self.mark(variable, &state);
                    if self.answer == Some(variable) {
                        let found = self.builder.get(variable);
                        self.builder.push(crate::Stmt::ReturnIf(found));
                    }
                    return Ok(());
                }
                Step::Best(..) | Step::Equals(..) | Step::Round(..) | Step::Fields(..) | Step::Enter(..)
                    if matches!(state.finger, Finger::Many(_)) =>
                {
                    return self.split(&rest, state);
                }
                Step::Best(variable, value) => return self.remember_best(variable, value, state),
                Step::Equals(value, wanted) => {
                    let value = self.evaluate(value, &mut state)?;
                    let equal = self.builder.binary(crate::Binary::Equal, value, wanted);
                    return self.when(equal, &mut |lowering| lowering.run(&after, state.clone()));
                }
                Step::Tally(variable) => return self.add_to_tally(variable, &state),
                Step::Round(Stmt { op: Op::While { condition, .. }, .. }, _)
                    if self.brevity == Brevity::Fast =>
                {
                    let Some(goes_on) = self.goes_on(condition, &state)? else {
                        return self.outline(&rest, state);
                    };
                    // Most loops end at once: those need no function.
                    self.when(goes_on, &mut |lowering| lowering.outline(&rest, state.clone()))?;
                    let ends = self.builder.is_zero(goes_on);
                    return self.when(ends, &mut |lowering| lowering.run(&after, state.clone()));
                }
                Step::Round(..) | Step::Fields(..) | Step::Enter(..) => return self.outline(&rest, state),
                Step::Do(stmt) if !stay && self.pays_as_function(stmt, &state) => {
                    return self.outline(&rest, state);
                }
                Step::Do(stmt) => match self.statement(stmt, &after, state)? {
                    Some(next) => {
                        rest = after;
                        state = next;
                    }
                    None => return Ok(()),
                },
            }
        }
    }

    /// Remembers that there is a state here: with a set of fingers, if it is not empty.
    pub(crate) fn mark(&mut self, variable: Variable, state: &State) {
        let there = self.is_there(state);
        let marked = match self.builder.known(there) {
            Some(1) => there,
            _ => {
                let before = self.builder.get(variable);
                self.builder.or(before, there)
            }
        };
        self.builder.set(variable, marked);
    }

    /// 1 if the state stands for any state at all.
    pub(crate) fn is_there(&mut self, state: &State) -> Value {
        let Finger::Many(branches) = &state.finger else { return self.builder.constant(1) };
        let mut any = self.builder.constant(0);
        for branch in branches {
            let set = self.as_set(&branch.fingers);
            let inhabited = self.is_inhabited(&set);
            any = self.builder.or(any, inhabited);
        }
        any
    }

    /// Counts the states that have come this far.
    pub(crate) fn add_to_tally(&mut self, variable: Variable, state: &State) -> R<()> {
        let mut sum = self.builder.get(variable);
        let mut add = |lowering: &mut Self, number: Value| {
            sum = lowering.builder.binary(crate::Binary::Add, sum, number);
        };
        match &state.finger {
            Finger::Many(branches) => {
                for branch in branches {
                    for word in self.as_set(&branch.fingers) {
                        let ones = self.builder.unary(crate::Unary::CountOnes, word);
                        add(self, ones);
                    }
                }
            }
            _ => {
                let one = self.builder.constant(1);
                add(self, one);
            }
        }
        self.builder.set(variable, sum);
        Ok(())
    }

    pub(crate) fn forget_direction(&mut self, state: &mut State) {
        state.direction = None;
        if let Finger::Many(branches) = &mut state.finger
            && branches.iter().any(|branch| branch.direction.is_some())
        {
            let mut branches = std::mem::take(branches);
            branches.iter_mut().for_each(|branch| branch.direction = None);
            state.finger = Finger::Many(self.merge(branches));
        }
    }

    /// The finger does not matter any more: what remains is done once for each direction that has a finger.
    pub(crate) fn collapse(
        &mut self,
        rest: &Rest<'p>,
        branches: Vec<Branch>,
        live: Live,
        state: State,
    ) -> R<()> {
        debug_assert!(live.direction || branches.len() <= 1);
        for branch in branches {
            let set = self.as_set(&branch.fingers);
            let inhabited = self.is_inhabited(&set);
            let state = State { finger: Finger::Nowhere, direction: branch.direction, ..state.clone() };
            self.when(inhabited, &mut |lowering| lowering.run(rest, state.clone()))?;
        }
        Ok(())
    }

    /// Code that is run only if the condition holds.
    pub(crate) fn when(&mut self, condition: Value, code: &mut dyn FnMut(&mut Self) -> R<()>) -> R<()> {
        match self.builder.known(condition) {
            Some(0) => return Ok(()),
            Some(_) => return code(self),
            None => {}
        }
        self.builder.open();
        let done = code(self);
        let block = self.builder.close();
        done?;
        self.builder.push(crate::Stmt::If(condition, block, Vec::new()));
        Ok(())
    }
}
