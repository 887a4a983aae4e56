//! Tests that most moves cannot change, such as "the own king is attacked".
//!
//! A *threat* is a test `not [ find a rare own piece, ... ]` at the end of a move whose inside only asks for
//! fields to hold certain pieces: the more fields match, the likelier it succeeds. Putting an own piece down
//! that is not asked for can only block such a test; what can bring it about is leaving a field. So if the
//! threat does not exist even with all own pieces looked through, no move of those pieces needs the test; and
//! if it does not exist after a piece has been picked up, none of that piece's moves needs it. Which fields
//! are *sensitive* in that way is found out once for all of them (see `sensitive`). This finds pins without
//! knowing what a pin is.

use std::rc::Rc;

use multigame_game::{Piece, PieceSet};
use multigame_ir::{Op, Stmt};

use crate::analysis::facts::Facts;
use crate::lowering::Lowering;
use crate::lowering::state::{Finger, Hand, Set, State};
use crate::refusal::R;
use crate::{Pass, Value};

/// A threat, and what is known about it at the top of a function.
#[derive(Clone)]
pub(crate) struct Threat<'p> {
    /// The inside of the test.
    pub test: &'p Stmt,
    /// 1 if nothing the mover may leave or block can bring it about.
    pub safe: Value,
    /// Leaving another field than these, and only that, cannot bring it about. All fields if it exists
    /// already.
    pub sensitive: Set,
}

impl<'p> Facts<'p> {
    /// Whether a statement only ever asks for fields to hold pieces, never for them not to.
    fn only_asks(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Not(_) | Op::Try(..) | Op::While { .. } | Op::Assert(_) | Op::Match(_) => false,
            Op::Call(function) => self.only_asks(self.body(*function)),
            _ => stmt.children().into_iter().all(|child| self.only_asks(child)),
        }
    }

    pub(crate) fn patterns(&self, stmt: &'p Stmt) -> Rc<Vec<PieceSet>> {
        let key = std::ptr::from_ref(stmt);
        if let Some(known) = self.asked.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut patterns = Vec::new();
        self.collect_asked(stmt, &mut patterns);
        let patterns = Rc::new(patterns);
        self.asked.borrow_mut().insert(key, Rc::clone(&patterns));
        patterns
    }

    fn collect_asked(&self, stmt: &'p Stmt, patterns: &mut Vec<PieceSet>) {
        match &stmt.op {
            Op::Find(pieces) | Op::PointsAt(pieces) if !patterns.contains(pieces) => patterns.push(*pieces),
            Op::Call(function) => self.collect_asked(self.body(*function), patterns),
            _ => stmt.children().into_iter().for_each(|child| self.collect_asked(child, patterns)),
        }
    }
}

impl<'p> Lowering<'p> {
    /// The inside of a statement that tests for a threat.
    pub(crate) fn threat(&self, stmt: &'p Stmt) -> Option<&'p Stmt> {
        let Op::Not(inner) = &stmt.op else { return None };
        self.here.threats.iter().any(|threat| std::ptr::eq(threat.test, &**inner)).then_some(&**inner)
    }

    /// Finds the threats of the rules and computes at the top whether any may exist.
    pub(crate) fn look_for_threats(&mut self, state: &mut State) -> R<()> {
        let mut found: Vec<&'p Stmt> = Vec::new();
        for function in &self.facts.program.functions {
            if self.is_own_view(function) && self.options.has(Pass::Threats) {
                self.collect_threats(&function.body, &mut found);
            }
        }
        for threat in found {
            let own = self.own_pieces();
            let own_fields = self.code.fields_of(own, state);
            let mut seen_through = state.clone();
            for &pattern in self.facts.patterns(threat).iter() {
                let mut fields = self.code.fields_of(pattern, state);
                if pattern.contains(Piece::NONE) {
                    fields = self.code.union_of(&fields, &own_fields);
                }
                let unions = Rc::make_mut(&mut seen_through.unions);
                unions.retain(|(known, _)| *known != pattern);
                unions.push((pattern, fields));
            }
            let exists = self.exists(threat, &seen_through)?;
            let safe = self.code.is_zero(exists);
            let sensitive = self.sensitive_fields(threat, exists, state)?;
            self.here.threats.push(Threat { test: threat, safe, sensitive });
        }
        Ok(())
    }

    fn collect_threats(&self, stmt: &'p Stmt, found: &mut Vec<&'p Stmt>) {
        if let Op::Not(inner) = &stmt.op
            && self.is_threat(inner)
        {
            found.push(inner);
        }
        for child in stmt.children() {
            self.collect_threats(child, found);
        }
    }

    fn finds_own(&self, stmt: &Stmt) -> bool {
        let own = self.own_pieces();
        matches!(&stmt.op, Op::Find(pieces) if pieces.iter().all(|piece| own.contains(piece)))
    }

    fn is_threat(&self, inner: &'p Stmt) -> bool {
        let mut parts = Vec::new();
        self.facts.flatten(inner, &mut parts);
        self.facts.runs_on_sets(inner)
            && parts.len() > 1
            && self.facts.finds_rare_piece(parts[0])
            && self.finds_own(parts[0])
            && parts.iter().all(|part| self.facts.only_asks(part))
    }

    /// Whether all that the move has written, and what the hand still holds if it is about to be put down,
    /// can only block the threat or leave fields of own pieces.
    pub(crate) fn only_blocks(&self, threat: &'p Stmt, state: &State, about_to_put: bool) -> bool {
        let patterns = self.facts.patterns(threat);
        let own = self.own_pieces();
        let asked = |piece: Piece| patterns.iter().any(|pattern| pattern.contains(piece));
        let blocks = |piece: Piece| piece != Piece::NONE && !asked(piece);
        let hand_blocks = match &state.hand {
            Hand::Empty => !about_to_put,
            Hand::Piece(piece) => about_to_put && blocks(*piece),
            Hand::OneOf(_) | Hand::Coded(_) => false,
        };
        let harmless = |old: PieceSet, new: PieceSet| {
            let leaves = new == PieceSet::of(Piece::NONE)
                && old.iter().all(|piece| own.contains(piece) && !asked(piece));
            leaves || new.iter().all(blocks)
        };
        hand_blocks && state.writes.iter().all(|write| harmless(write.old, write.new))
    }

    /// 1 if there is no threat: by what is known from the top, or else by looking now.
    pub(crate) fn no_threat(&mut self, threat: &'p Stmt, state: &State) -> R<Value> {
        let known = self.here.threats.iter().find(|known| std::ptr::eq(known.test, threat)).cloned();
        let safe = match known {
            None => self.here.guard,
            Some(known) => match left_field(state) {
                Some(field) => {
                    let sensitive = self.code.contains(&known.sensitive, field);
                    self.code.is_zero(sensitive)
                }
                None => known.safe,
            },
        };
        let clear = self.code.variable();
        self.code.set(clear, safe);
        let unsure = self.code.is_zero(safe);
        let mut now = state.clone();
        now.finger = Finger::Nowhere;
        now.direction = None;
        self.when(unsure, &mut |lowering| {
            let exists = lowering.exists(threat, &now)?;
            let none = lowering.code.is_zero(exists);
            lowering.code.set(clear, none);
            Ok(())
        })?;
        Ok(self.code.get(clear))
    }
}

/// The one field that has been left, if there is only one.
fn left_field(state: &State) -> Option<Value> {
    let empty = PieceSet::of(Piece::NONE);
    let mut left = state.writes.iter().filter(|write| write.new.contains(Piece::NONE));
    match (left.next(), left.next()) {
        (Some(write), None) if write.new == empty => write.field,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::Pass;
    use crate::testing::{KINGS, check_on, check_on_without, check_unchanged_by};

    #[test]
    fn a_test_is_looked_at_once_with_all_own_pieces_transparent() {
        let rules = "find own rook, replace by empty field, not [ find own king, orthogonal, step,
            points at opponent's rook ]";
        check_on(
            KINGS,
            rules,
            "main_white_count",
            expect![[r#"
            main_white_count() -> x0, x1 {
              v2 = word 2
              v3 = word 3
              v4 = word 4
              v5 = word 5
              v6 = v2 | v4
              v8 = v2 & 0xfff
              v10 = v8 << 4
              v13 = v2 & 0x7777
              v14 = v13 << 1
              v16 = v2 >> 4
              v18 = v2 & 0xeeee
              v19 = v18 >> 1
              v20 = v5 & v10
              v21 = v5 & v14
              v22 = v5 & v16
              v23 = v5 & v19
              v24 = 0 != v20
              v25 = 0 != v21
              v26 = v24 | v25
              v27 = 0 != v22
              v28 = v26 | v27
              v29 = 0 != v23
              v30 = v28 | v29
              v31 = 0 == v30
              x2 = 0
              if v30 {
                for v32 in v2 {
                  v33 = t0[v32]
                  v34 = v5 & v33
                  v35 = t1[v32]
                  v36 = v5 & v35
                  v37 = t2[v32]
                  v38 = v5 & v37
                  v39 = t3[v32]
                  v40 = v5 & v39
                  v41 = 0 != v34
                  v42 = 0 != v36
                  v43 = v41 | v42
                  v44 = 0 != v38
                  v45 = v43 | v44
                  v46 = 0 != v40
                  v47 = v45 | v46
                  v49 = v47 ? 0xffff : 0
                  v50 = x2
                  v51 = v49 | v50
                  x2 = v51
                }
              }
              v52 = x2
              for v53 in v4 {
                v54 = 1 << v53
                v55 = v4 &~ v54
                v56 = v6 &~ v54
                v57 = v52 >> v53
                v58 = 1 & v57
                v59 = 0 == v58
                x3 = v59
                v60 = 0 != v58
                if v60 {
                  x3 = v31
                }
                v61 = x3
                if v61 {
                  v62 = x0
                  v63 = 1 + v62
                  x0 = v63
                }
              }
            }
        "#]],
        );
        check_on_without(
            Pass::Threats,
            KINGS,
            rules,
            "main_white_count",
            expect![[r#"
            main_white_count() -> x0, x1 {
              v2 = word 2
              v3 = word 3
              v4 = word 4
              v5 = word 5
              for v6 in v4 {
                v7 = 1 << v6
                v8 = v4 &~ v7
                v10 = v2 & 0xfff
                v12 = v10 << 4
                v15 = v2 & 0x7777
                v16 = v15 << 1
                v18 = v2 >> 4
                v20 = v2 & 0xeeee
                v21 = v20 >> 1
                v22 = v5 & v12
                v23 = v5 & v16
                v24 = v5 & v18
                v25 = v5 & v21
                v26 = 0 != v22
                v27 = 0 != v23
                v28 = v26 | v27
                v29 = 0 != v24
                v30 = v28 | v29
                v31 = 0 != v25
                v32 = v30 | v31
                v33 = 0 == v32
                v34 = v33 ? v7 : 0
                if v33 {
                  v35 = x0
                  v36 = 1 + v35
                  x0 = v36
                }
              }
            }
        "#]],
        );
    }

    #[test]
    fn a_test_that_asks_for_something_not_to_be_there_is_no_threat() {
        let rules = "find own rook, replace by empty field, not [ find own king, not [ orthogonal,
            step, points at empty field ] ]";
        check_unchanged_by(Pass::Threats, KINGS, rules, "main_white_count");
    }
}
