//! Following what remains to be done, from a state to its results.

use multigame_ir::{Op, Stmt};

use crate::analysis::live::Live;
use crate::lowering::Lowering;
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::{Branch, Finger, Set, State};
use crate::refusal::{self, R, Refusal, TOO_MUCH};
use crate::sets::code::Code;
use crate::{Binary, Brevity, Value, Variable};

/// With more code than this in a function and in those it calls, it is lowered again for less.
const LARGE: usize = 40_000;

/// Back ends follow nested code by recursion.
const DEEPEST: u32 = 400;

/// More code than this is not worth compiling.
const MAX_SIZE: usize = 150_000;

impl Code {
    /// Remembers that there is a state here: with a set of fingers, if it is not empty.
    pub(crate) fn mark(&mut self, variable: Variable, state: &State) {
        let there = self.is_there(state);
        let marked = match self.known(there) {
            Some(1) => there,
            _ => {
                let before = self.get(variable);
                self.or(before, there)
            }
        };
        self.set(variable, marked);
    }

    /// 1 if the state describes any state at all.
    pub(crate) fn is_there(&mut self, state: &State) -> Value {
        let Finger::Many(branches) = &state.finger else { return self.constant(1) };
        self.any_finger(branches)
    }

    /// 1 if any branch has a finger.
    pub(crate) fn any_finger(&mut self, branches: &[Branch]) -> Value {
        let mut any = self.constant(0);
        for branch in branches {
            let set = self.as_set(&branch.fingers);
            let inhabited = self.is_inhabited(&set);
            any = self.or(any, inhabited);
        }
        any
    }

    /// The fingers of all branches.
    pub(crate) fn all_fingers(&mut self, branches: &[Branch]) -> Set {
        let mut all = self.empty();
        for branch in branches {
            let set = self.as_set(&branch.fingers);
            all = self.union_of(&all, &set);
        }
        all
    }

    /// Counts the states that have come this far.
    pub(crate) fn add_to_tally(&mut self, variable: Variable, state: &State) -> R<()> {
        let mut sum = self.get(variable);
        let mut add = |lowering: &mut Self, number: Value| {
            sum = lowering.builder.binary(Binary::Add, sum, number);
        };
        match &state.finger {
            Finger::Many(branches) => {
                for branch in branches {
                    for word in self.as_set(&branch.fingers) {
                        let ones = self.unary(crate::Unary::CountOnes, word);
                        add(self, ones);
                    }
                }
            }
            _ => {
                let one = self.constant(1);
                add(self, one);
            }
        }
        self.set(variable, sum);
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
}

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
            // The loop may end before this round.
            Step::Round(stmt, _) => live.or(self.facts.live(stmt, live)),
            Step::Fields(stmt, _) => self.facts.live(stmt, live),
        })
    }

    /// Generates code for what remains, from a state. The stack grows on the heap where needed.
    pub(crate) fn run(&mut self, rest: &Rest<'p>, state: State) -> R<()> {
        self.run_deeper(rest, state, false)
    }

    /// The same, with the first step done here, whatever another function would be worth.
    pub(crate) fn run_inside(&mut self, rest: &Rest<'p>, state: State) -> R<()> {
        self.run_deeper(rest, state, true)
    }

    fn run_deeper(&mut self, rest: &Rest<'p>, state: State, stays: bool) -> R<()> {
        if self.size.nesting > DEEPEST {
            return Err(Refusal::new(refusal::NESTED));
        }
        self.size.nesting += 1;
        let done = stacker::maybe_grow(256 << 10, 4 << 20, || self.run_here(rest, state, stays));
        self.size.nesting -= 1;
        done
    }

    fn run_here(&mut self, rest: &Rest<'p>, mut state: State, mut stays: bool) -> R<()> {
        let most = if self.size.brevity == Brevity::Loops { MAX_SIZE } else { LARGE };
        if self.size.finished + self.code.size() > most {
            return Err(Refusal::new(TOO_MUCH));
        }
        let mut rest = rest.clone();
        loop {
            let stays_here = std::mem::take(&mut stays);
            let live = self.live(&rest);
            if !live.direction {
                self.code.forget_direction(&mut state);
            }
            if let Finger::Many(branches) = &state.finger
                && !live.finger
            {
                return self.collapse(&rest, branches.clone(), live, state);
            }
            let Rest::Then(cell) = &rest else { return self.result(&mut state) };
            let (step, after) = (cell.0.clone(), cell.1.clone());
            let next = match step {
                Step::Do(stmt) if !stays_here && self.pays_as_function(stmt, &state) => {
                    return self.outline(&rest, state);
                }
                Step::Do(stmt) => self.statement(stmt, &after, state)?,
                Step::Mark(variable) => {
                    self.code.mark(variable, &state);
                    Some(state)
                }
                step => return self.last_step(step, &rest, &after, state),
            };
            let Some(next) = next else { return Ok(()) };
            (rest, state) = (after, next);
        }
    }

    /// A step that takes care of what remains after it, if anything does.
    fn last_step(&mut self, step: Step<'p>, rest: &Rest<'p>, after: &Rest<'p>, mut state: State) -> R<()> {
        match step {
            Step::Found(variable) => {
                self.found(variable, &state);
                Ok(())
            }
            Step::Tally(variable) => self.code.add_to_tally(variable, &state),
            _ if matches!(state.finger, Finger::Many(_)) => self.split(rest, state),
            Step::Best(variable, value) => self.remember_best(variable, value, state),
            Step::Equals(value, wanted) => {
                let value = self.evaluate(value, &mut state)?;
                let equal = self.code.binary(Binary::Equal, value, wanted);
                self.when(equal, &mut |lowering| lowering.run(after, state.clone()))
            }
            Step::Round(Stmt { op: Op::While { condition, .. }, .. }, _)
                if self.size.brevity == Brevity::Fast =>
            {
                self.round_if_needed(condition, rest, after, state)
            }
            _ => self.outline(rest, state),
        }
    }

    /// It came this far; a function that is only for that ends.
    fn found(&mut self, variable: Variable, state: &State) {
        self.code.mark(variable, state);
        if self.here.answer == Some(variable) {
            let found = self.code.get(variable);
            self.code.push(crate::Stmt::ReturnIf(found));
        }
    }

    /// Most loops end at once: those need no function.
    fn round_if_needed(
        &mut self,
        condition: &'p Stmt,
        rest: &Rest<'p>,
        after: &Rest<'p>,
        state: State,
    ) -> R<()> {
        let Some(goes_on) = self.goes_on(condition, &state)? else { return self.outline(rest, state) };
        self.when(goes_on, &mut |lowering| lowering.outline(rest, state.clone()))?;
        let ends = self.code.is_zero(goes_on);
        self.when(ends, &mut |lowering| lowering.run(after, state.clone()))
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
            let set = self.code.as_set(&branch.fingers);
            let inhabited = self.code.is_inhabited(&set);
            let state = State { finger: Finger::Nowhere, direction: branch.direction, ..state.clone() };
            self.when(inhabited, &mut |lowering| lowering.run(rest, state.clone()))?;
        }
        Ok(())
    }

    /// Code that is run only if the condition holds.
    pub(crate) fn when(&mut self, condition: Value, code: &mut dyn FnMut(&mut Self) -> R<()>) -> R<()> {
        match self.code.known(condition) {
            Some(0) => return Ok(()),
            Some(_) => return code(self),
            None => {}
        }
        self.code.open();
        let done = code(self);
        let block = self.code.close();
        done?;
        self.code.push(crate::Stmt::If(condition, block, Vec::new()));
        Ok(())
    }
}
