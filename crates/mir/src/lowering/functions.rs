//! Whole functions: what a rule becomes, from its beginning to its results.

use multigame_game::{PieceSet, Side};
use multigame_ir::{FunctionId as IrFunction, Op, Program, Stmt};

use crate::analysis::sites::Site;
use crate::lowering::Lowering;
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::State;
use crate::parts::Parts;
use crate::refusal::R;
use crate::{Function, FunctionId, Kind, Pass, Value, Variable};

impl<'p> Lowering<'p> {
    /// Lowers a rule: the function and, where it emits positions, where it does.
    pub(crate) fn function(
        program: &'p Program,
        parts: &mut Parts,
        function: IrFunction,
        side: Side,
        kind: Kind,
    ) -> R<(FunctionId, Vec<Site>)> {
        crate::analysis::unset::finger_is_set(program, function)?;
        let mut lowering = Lowering::new(program, parts, side, kind, 2);
        let mut state = lowering.beginning();
        lowering.look_for_threats(&mut state)?;
        let body = lowering.facts.body(function);
        let done = if kind == Kind::Test {
            let found = Rest::then(Step::Found(Variable(0)), &Rest::End);
            lowering.run(&Rest::then(Step::Do(body), &found), state)
        } else {
            lowering.stop_if_solved(&state)?;
            lowering.run_main(body, state)
        };
        done?;
        let name = format!("{}_{side}_{kind:?}", program.function(function).name).to_lowercase();
        let sites = std::mem::take(&mut lowering.aim.sites);
        Ok((lowering.finish(name, Vec::new(), parts), sites))
    }

    /// The function that is lowered becomes one of the parts.
    pub(crate) fn finish(mut self, name: String, parameters: Vec<Value>, parts: &mut Parts) -> FunctionId {
        let kind = self.aim.kind;
        let (body, values, variables) = self.code.builder.finish();
        self.made.functions.push(Function { name, kind, parameters, results: 2, variables, values, body });
        parts.tables = self.code.tables;
        parts.functions = self.made.functions;
        FunctionId(parts.functions.len() as u32 - 1)
    }

    /// A solved puzzle has no moves; it counts as an ending.
    fn stop_if_solved(&mut self, state: &State) -> R<()> {
        let Some(goal) = self.facts.program.goal else { return Ok(()) };
        let solved = self.finds(self.facts.body(goal), state)?;
        if self.aim.kind == Kind::Count {
            self.code.set(Variable(1), solved);
        }
        self.code.push(crate::Stmt::ReturnIf(solved));
        Ok(())
    }

    /// The whole of `main`: its outermost alternatives give classes of results that exclude each other.
    pub(crate) fn run_main(&mut self, stmt: &'p Stmt, state: State) -> R<()> {
        match &stmt.op {
            Op::Call(function) if !self.facts.recursive(*function) => {
                self.run_main(self.facts.body(*function), state)
            }
            Op::Try(first, second) if self.is_never_wanted(second) => self.run_main(first, state),
            Op::Try(first, second) if self.makes_classes(first, second) => {
                let succeeded = self.code.variable();
                self.aim.class.push(true);
                let done = if self.is_counted() {
                    let marked = Rest::then(Step::Mark(succeeded), &Rest::End);
                    self.run(&Rest::then(Step::Do(first), &marked), state.clone())
                } else if self.count_apart(first, Some(succeeded), &state)? {
                    Ok(())
                } else {
                    self.give_up_if_found(first, &state)
                };
                self.aim.class.pop();
                done?;
                let succeeded = self.code.get(succeeded);
                let failed = self.code.is_zero(succeeded);
                self.aim.class.push(false);
                let done = self.when(failed, &mut |lowering| lowering.run_main(second, state.clone()));
                self.aim.class.pop();
                done
            }
            _ if self.is_counted() => self.run(&Rest::then(Step::Do(stmt), &Rest::End), state),
            _ if self.count_apart(stmt, None, &state)? => Ok(()),
            _ => self.give_up_if_found(stmt, &state),
        }
    }

    /// Whether alternatives have results that are worth telling apart.
    fn makes_classes(&self, first: &Stmt, second: &Stmt) -> bool {
        self.options.has(Pass::Classes) && !(self.facts.may_attempt(first) && self.facts.may_attempt(second))
    }

    /// Whether results of the class at hand can be made, or counted without comparing them.
    fn is_counted(&self) -> bool {
        let all = self.aim.kind != Kind::Count && self.aim.wanted.is_none();
        all || !self.aim.doubtful.iter().any(|class| class.starts_with(&self.aim.class))
    }

    /// Leaves it to the caller to make the results of a statement and to compare them, if there are any.
    fn give_up_if_found(&mut self, stmt: &'p Stmt, state: &State) -> R<()> {
        let found = match self.anybody_moves(stmt, state)? {
            Some(found) => found,
            None if !self.facts.writes(stmt) => self.finds_here(stmt, state)?,
            None => self.finds_by_function(stmt, state)?,
        };
        self.code.push(crate::Stmt::FailIf(found));
        Ok(())
    }

    /// The pieces of the player to move.
    pub(crate) fn own_pieces(&self) -> PieceSet {
        self.facts.program.description.pieces_of(self.aim.side)
    }

    pub(crate) fn is_own_view(&self, function: &multigame_ir::Function) -> bool {
        function.view == self.aim.side
    }
}
