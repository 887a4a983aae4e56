//! Only the moves that take something from the opponent: searches below their horizon need no others.
//!
//! A result is left out where nothing that belongs to the opponent has changed. What leads to such results
//! only then has no effect and is taken out.

use multigame_game::{PieceSet, Side};
use multigame_ir::{Op, Program, Stmt};

use crate::lowering::Lowering;
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::{Set, State};
use crate::parts::Parts;
use crate::passes::unused::remove_unused;
use crate::refusal::{R, Refusal};
use crate::{FunctionId, Kind};

impl<'p> Lowering<'p> {
    /// A function that emits the results of `main` after which the opponent's pieces stand elsewhere, and
    /// perhaps some others; it does not notice how a game without moves ends.
    pub(crate) fn takes(program: &'p Program, parts: &mut Parts, side: Side) -> R<FunctionId> {
        let mut lowering = Lowering::new(program, parts, side, Kind::Generate, 2);
        if lowering.facts.layout.coded || program.description.players != 2 {
            return Err(Refusal::new("pieces that cannot be told apart by their boards"));
        }
        lowering.aim.prey = Some(program.description.pieces_of(side.opponent()));
        lowering.here.told_apart = true;
        let mut state = lowering.beginning();
        lowering.look_for_threats(&mut state)?;
        let body = lowering.facts.body(program.main[side.index()]);
        lowering.run_main(body, state)?;
        let function = lowering.finish(format!("main_{side}_take").to_lowercase(), Vec::new(), parts);
        remove_unused(&mut parts.functions[function.0 as usize]);
        Ok(function)
    }

    /// Whether a result is wanted, as far as what has changed tells.
    pub(crate) fn is_prey_changed(&self, state: &State) -> bool {
        let Some(prey) = self.aim.prey else { return true };
        prey.iter().any(|piece| state.changed_boards[piece.index() - 1])
    }

    /// Whether results of a statement at the end of a move are never wanted.
    pub(crate) fn is_never_wanted(&self, stmt: &Stmt) -> bool {
        self.aim.prey.is_some() && !self.facts.writes(stmt)
    }

    /// Those fingers of a set that lead to results that are wanted: where the next step is all that changes
    /// the board, it has to take something there.
    pub(crate) fn on_prey(&mut self, rest: &Rest<'p>, set: Set, state: &State) -> Set {
        let Some(prey) = self.aim.prey.filter(|_| !self.is_prey_changed(state)) else { return set };
        let steps = rest.steps();
        let Some((Step::Do(Stmt { op: Op::PutDown | Op::Replace(_), .. }), others)) = steps.split_first()
        else {
            return set;
        };
        if !others.iter().all(|step| matches!(step, Step::Do(stmt) if !self.facts.writes(stmt))) {
            return set;
        }
        let there: PieceSet = prey.iter().filter(|&piece| state.content.contains(piece)).collect();
        let fields = self.code.fields_of(there, &mut state.clone());
        set.iter().zip(&fields).map(|(&set, &fields)| self.code.and(set, fields)).collect()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn moves_to_empty_fields_are_left_out() {
        let rules = "find own man, pick up, either [ north, step, points at empty field ] or [ east,
            step, points at opponent's man ], put down";
        check(
            rules,
            "main_white_take",
            expect![[r#"
                main_white_take() -> x0, x1 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  v5 = v2 | v3
                  v6 = v4 | v5
                  v8 = 0xffff &~ v6
                  for v9 in v2 {
                    v10 = 1 << v9
                    v11 = t0[v9]
                    v12 = v2 &~ v10
                    v13 = v8 | v10
                    v14 = t1[v9]
                    v15 = v13 & v14
                    v16 = t2[v9]
                    v17 = v3 & v16
                    v18 = v15 | v17
                    v19 = v3 & v18
                    for v20 in v19 {
                      v21 = 1 << v20
                      v22 = t3[v20]
                      v23 = v3 >> v20
                      v24 = 1 & v23
                      v25 = v24 ? v22 : 0
                      v26 = v11 ^ v25
                      v27 = t0[v20]
                      v28 = v26 ^ v27
                      v29 = v3 &~ v21
                      v30 = v12 | v21
                      v32 = word 0
                      v33 = v28 ^ v32
                      v35 = v33 ^ 0x9d39247e33776d41
                      emit word 2 = v30, word 3 = v29, word 1 = 1, word 0 = v35
                    }
                  }
                }
            "#]],
        );
    }

    #[test]
    fn rules_that_take_nothing_have_no_code() {
        check(
            "find empty field, replace by man",
            "main_white_take",
            expect![[r#"
            main_white_take() -> x0, x1 {
            }
        "#]],
        );
    }
}
