//! What remains to be done: an explicit list, so that at every point the compiler can ask what still matters.

use std::rc::Rc;

use multigame_game::Direction;
use multigame_ir::{Expr, FunctionId as IrFunction, Stmt};

use crate::lowering::state::Set;
use crate::{Value, Variable};

/// What remains to be done.
#[derive(Clone)]
pub(crate) enum Rest<'p> {
    /// A result.
    End,
    Then(Rc<(Step<'p>, Rest<'p>)>),
}

#[derive(Clone)]
pub(crate) enum Step<'p> {
    Do(&'p Stmt),
    /// Remember that it came this far, and go on.
    Mark(Variable),
    /// Remember that it came this far; nothing else is wanted.
    Found(Variable),
    /// Remember the greatest value of an expression; nothing else is wanted.
    Best(Variable, &'p Expr),
    /// Go on if an expression has this value.
    Equals(&'p Expr, Value),
    /// Count the states that come this far; nothing else is wanted.
    Tally(Variable),
    /// A recursive rule, this deep inside itself.
    Enter(IrFunction, Value),
    /// Another round of a loop, after this many.
    Round(&'p Stmt, Value),
    /// The other fields of a `for each`.
    Fields(&'p Stmt, Left),
}

/// What a `for each` has left to do.
#[derive(Clone)]
pub(crate) struct Left {
    pub fields: Set,
    /// Where the finger was, and will be.
    pub finger: Option<Value>,
    pub direction: Option<Direction>,
}

impl<'p> Rest<'p> {
    pub fn then(step: Step<'p>, rest: &Rest<'p>) -> Rest<'p> {
        Rest::Then(Rc::new((step, rest.clone())))
    }

    /// Statements one after the other, then this.
    pub fn after_all(&self, parts: impl DoubleEndedIterator<Item = &'p Stmt>) -> Rest<'p> {
        parts.rev().fold(self.clone(), |rest, part| Rest::then(Step::Do(part), &rest))
    }

    /// Whether what it finds out is all that is wanted of it, so that it has no results.
    pub fn ends(&self) -> bool {
        matches!(self.steps().last(), Some(Step::Found(_) | Step::Best(..) | Step::Tally(_)))
    }

    pub fn steps(&self) -> Vec<Step<'p>> {
        let mut steps = Vec::new();
        let mut rest = self;
        while let Rest::Then(cell) = rest {
            steps.push(cell.0.clone());
            rest = &cell.1;
        }
        steps
    }
}
