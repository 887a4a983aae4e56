//! One move instead of all: random games need no others.
//!
//! Moves are passed over until the one whose number is wanted. Where each finger of a set surely gives one
//! move, the whole set is passed over by its count, and only the wanted finger goes on.

use multigame_game::{Direction, Side};
use multigame_ir::Program;

use crate::lowering::Lowering;
use crate::lowering::rest::Rest;
use crate::lowering::state::{Set, State};
use crate::parts::Parts;
use crate::refusal::{R, Refusal};
use crate::{Binary, FunctionId, Kind, Stmt, Unary, Value};

/// With more code than this, most moves have to be followed to be passed over, and compiling takes long.
const WORTH: usize = 3_000;

impl<'p> Lowering<'p> {
    /// A function that emits the result of `main` whose number it is given.
    pub(crate) fn pick(program: &'p Program, parts: &mut Parts, side: Side) -> R<FunctionId> {
        let mut lowering = Lowering::new(program, parts, side, Kind::Generate, 2);
        let number = lowering.code.fresh();
        let wanted = lowering.code.variable();
        lowering.code.set(wanted, number);
        lowering.aim.wanted = Some(wanted);
        lowering.here.told_apart = true;
        let mut state = lowering.beginning();
        lowering.look_for_threats(&mut state)?;
        let body = lowering.facts.body(program.main[side.index()]);
        lowering.run_main(body, state)?;
        if lowering.code.size() > WORTH {
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
        let Some(wanted) = self.aim.wanted else { return self.for_each_field(set, code) };
        let mut count = self.code.constant(0);
        for &word in set {
            let ones = self.code.unary(Unary::CountOnes, word);
            count = self.code.binary(Binary::Add, count, ones);
        }
        let number = self.code.get(wanted);
        let among_them = self.code.binary(Binary::Less, number, count);
        self.aim.picked = true;
        let done = self.when(among_them, &mut |lowering| {
            lowering.for_each_field(set, &mut |lowering, index| {
                lowering.pass_or(&mut |lowering| code(lowering, index))
            })
        });
        self.aim.picked = false;
        done?;
        let left = self.code.binary(Binary::Subtract, number, count);
        self.code.set(wanted, left);
        Ok(())
    }

    /// Code that is run for the result that is wanted; others are passed over.
    fn pass_or(&mut self, code: &mut dyn FnMut(&mut Self) -> R<()>) -> R<()> {
        let Some(wanted) = self.aim.wanted else { return code(self) };
        let number = self.code.get(wanted);
        let is_wanted = self.code.is_zero(number);
        self.when(is_wanted, code)?;
        let one = self.code.constant(1);
        let left = self.code.binary(Binary::Subtract, number, one);
        self.code.set(wanted, left);
        Ok(())
    }

    /// Emits a result, or passes it over.
    pub(crate) fn emit_if_wanted(&mut self, state: &mut State) -> R<()> {
        if self.aim.wanted.is_none() {
            return self.emit(state);
        }
        let mut last = |lowering: &mut Self| {
            lowering.emit(&mut state.clone())?;
            let end = lowering.code.constant(1);
            lowering.code.push(Stmt::ReturnIf(end));
            Ok(())
        };
        if self.aim.picked { last(self) } else { self.pass_or(&mut last) }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn a_whole_set_is_passed_over_by_its_count() {
        let rules =
            "either [ find empty field, replace by man, irreversible ] or [ find own man, replace by rock ]";
        check(
            rules,
            "main_white_pick",
            expect![[r#"
                main_white_pick(v2) -> x0, x1 {
                  x2 = v2
                  v3 = word 2
                  v4 = word 3
                  v5 = word 4
                  v6 = v3 | v4
                  v7 = v5 | v6
                  v9 = 0xffff &~ v7
                  v10 = ones v9
                  v11 = x2
                  v12 = v11 < v10
                  if v12 {
                    for v13 in v9 {
                      v14 = x2
                      v15 = 0 == v14
                      if v15 {
                        v16 = 1 << v13
                        v17 = t0[v13]
                        v18 = v3 | v16
                        v19 = v9 &~ v16
                        v21 = word 0
                        v22 = v17 ^ v21
                        v24 = v22 ^ 0x9d39247e33776d41
                        emit word 2 = v18, word 1 = 3, word 0 = v24
                        return if 1
                      }
                      v26 = v14 - 1
                      x2 = v26
                    }
                  }
                  v27 = v11 - v10
                  x2 = v27
                  v28 = ones v3
                  v29 = x2
                  v30 = v29 < v28
                  if v30 {
                    for v31 in v3 {
                      v32 = x2
                      v33 = 0 == v32
                      if v33 {
                        v34 = 1 << v31
                        v35 = t0[v31]
                        v36 = t1[v31]
                        v37 = v35 ^ v36
                        v38 = v3 &~ v34
                        v39 = v5 | v34
                        v40 = word 0
                        v41 = v37 ^ v40
                        v43 = v41 ^ 0x9d39247e33776d41
                        emit word 2 = v38, word 4 = v39, word 1 = 1, word 0 = v43
                        return if 1
                      }
                      v44 = v32 - 1
                      x2 = v44
                    }
                  }
                  v45 = v29 - v28
                  x2 = v45
                }
            "#]],
        );
    }
}
