//! One move instead of all: random games need no others.
//!
//! Moves are passed over until the one whose number is wanted. Where each finger of a set surely gives one move, the
//! whole set is passed over by its count, and only the wanted finger goes on.

use multigame_game::{Direction, Side};
use multigame_ir::Program;

use crate::lower::{Lowering, R, Refusal};
use crate::parts::Parts;
use crate::rest::Rest;
use crate::state::{Set, State};
use crate::{Binary, FunctionId, Kind, Stmt, Unary, Value};

/// With more code than this, most moves have to be followed to be passed over, and it takes long to compile.
const WORTH: usize = 3_000;

impl<'p> Lowering<'p> {
    /// A function that emits the result of `main` whose number it is given.
    pub(crate) fn pick(program: &'p Program, parts: &mut Parts, side: Side) -> R<FunctionId> {
        let mut lowering = Lowering::new(program, parts, side, Kind::Generate, 2);
        let number = lowering.builder.fresh();
        let wanted = lowering.builder.variable();
        lowering.builder.set(wanted, number);
        lowering.wanted = Some(wanted);
        lowering.told_apart = true;
        let mut state = lowering.beginning();
        lowering.look_for_threats(&mut state)?;
        let body = lowering.facts.body(program.main[side.index()]);
        lowering.run_main(body, state)?;
        if lowering.builder.size() > WORTH {
            return Err(Refusal::new("more code for single moves than they are worth"));
        }
        Ok(lowering.finish(format!("main_{side}_pick").to_lowercase(), vec![number], parts))
    }

    /// Whether each finger surely gives one result, and nothing has to be looked at for that.
    pub(crate) fn gives_one_each(
        &self,
        rest: &Rest<'p>,
        set: &Set,
        direction: Option<Direction>,
        state: &State,
    ) -> bool {
        let steps = rest.steps();
        self.carries_each(&steps, set, direction, state)
            || self.threats_to_each(&steps, state).is_some_and(|threats| threats.is_empty())
    }

    /// Code for the finger whose number is wanted, or all are passed over.
    pub(crate) fn for_one_field(
        &mut self,
        set: &Set,
        code: &mut dyn FnMut(&mut Self, Value) -> R<()>,
    ) -> R<()> {
        let Some(wanted) = self.wanted else { return self.for_each_field(set, code) };
        let mut count = self.builder.constant(0);
        for &word in set {
            let ones = self.builder.unary(Unary::CountOnes, word);
            count = self.builder.binary(Binary::Add, count, ones);
        }
        let number = self.builder.get(wanted);
        let among_them = self.builder.binary(Binary::Less, number, count);
        self.picked = true;
        let done = self.when(among_them, &mut |lowering| {
            lowering.for_each_field(set, &mut |lowering, index| {
                lowering.pass_or(&mut |lowering| code(lowering, index))
            })
        });
        self.picked = false;
        done?;
        let left = self.builder.binary(Binary::Subtract, number, count);
        self.builder.set(wanted, left);
        Ok(())
    }

    /// Code that is run for the result that is wanted; others are passed over.
    fn pass_or(&mut self, code: &mut dyn FnMut(&mut Self) -> R<()>) -> R<()> {
        let Some(wanted) = self.wanted else { return code(self) };
        let number = self.builder.get(wanted);
        let is_wanted = self.builder.is_zero(number);
        self.when(is_wanted, code)?;
        let one = self.builder.constant(1);
        let left = self.builder.binary(Binary::Subtract, number, one);
        self.builder.set(wanted, left);
        Ok(())
    }

    /// Emits a result, or passes it over.
    pub(crate) fn emit_if_wanted(&mut self, state: &mut State) -> R<()> {
        if self.wanted.is_none() {
            return self.emit(state);
        }
        let mut last = |lowering: &mut Self| {
            lowering.emit(&mut state.clone())?;
            let end = lowering.builder.constant(1);
            lowering.builder.push(Stmt::ReturnIf(end));
            Ok(())
        };
        if self.picked { last(self) } else { self.pass_or(&mut last) }
    }
}
