//! Sensitive fields: leaving which own field would bring a threat about?
//!
//! A slide towards the own king that is stopped by an own piece goes on if that piece leaves: the piece's
//! field is sensitive if the slide then reaches what it looks for. For other ways to look at the board, every
//! field of an own piece on the way counts as sensitive.

use std::rc::Rc;

use multigame_game::{Direction, Field, Piece, PieceSet};
use multigame_ir::{Op, Stmt};

use crate::analysis::facts::Facts;
use crate::analysis::geometry::Mask;
use crate::analysis::walks::{Look, Pointing, rounds, union};
use crate::lowering::Lowering;
use crate::lowering::state::{Finger, Fingers, Set, State};
use crate::refusal::R;
use crate::sets::code::Code;
use crate::{Pass, Value, Variable};

/// `D, repeat 0 .. infinity times [ step, points at E ], step, points at W`.
struct Ray<'p> {
    directions: &'p [Direction],
    over: PieceSet,
    wanted: PieceSet,
}

impl<'p> Facts<'p> {
    /// The alternatives of a test, each as a list of statements.
    fn ways_of(&self, parts: &[&'p Stmt]) -> Vec<Vec<&'p Stmt>> {
        match parts {
            [Stmt { op: Op::Test(inner), .. }] => {
                let mut parts = Vec::new();
                self.flatten(inner, &mut parts);
                self.ways_of(&parts)
            }
            [Stmt { op: Op::Either(alternatives), .. }] => {
                let ways = alternatives.iter().flat_map(|alternative| {
                    let mut parts = Vec::new();
                    self.flatten(alternative, &mut parts);
                    self.ways_of(&parts)
                });
                ways.collect()
            }
            _ => vec![parts.to_vec()],
        }
    }

    /// For each field the fields that a way from there may pass, over any pieces.
    fn passed_fields(&mut self, way: &[&'p Stmt]) -> R<Vec<Mask>> {
        let fields = (0..self.geometry.fields as u16).map(|field| {
            let (start, mut seen): (Pointing, Pointing) = ([(Field(field), None)].into(), Pointing::new());
            way.iter().try_fold(start, |at, part| self.pass(part, &at, &mut seen))?;
            let mut mask = smallvec::smallvec![0; self.geometry.words];
            seen.iter().for_each(|(field, _)| crate::analysis::geometry::insert(&mut mask, *field));
            Ok(mask)
        });
        fields.collect()
    }

    /// Where a statement leads at most, and on the way every field that it comes to.
    ///
    /// **Invariant:** a field that some statement looks at is among them, also inside of tests and of rounds
    /// that are not the last: leaving any of them may bring the threat about.
    fn pass(&self, stmt: &Stmt, from: &Pointing, seen: &mut Pointing) -> R<Pointing> {
        let reached = match &stmt.op {
            Op::Sequence(parts) => {
                parts.iter().try_fold(from.clone(), |at, part| self.pass(part, &at, seen))?
            }
            Op::Either(parts) => union(parts.iter().map(|part| self.pass(part, from, seen)))?,
            Op::Test(inner) => {
                self.pass(inner, from, seen)?;
                from.clone()
            }
            Op::Call(function) => self.pass(self.body(*function), from, seen)?,
            Op::Repeat { low, high, body } => {
                rounds(*low, *high, from, &mut |now| self.pass(body, now, seen))?
            }
            _ => self.walk(stmt, from, Look::Ignored)?,
        };
        seen.extend(&reached);
        Ok(reached)
    }
}

impl<'p> Lowering<'p> {
    /// The sensitive fields of a threat, where a threat may exist; all fields if it exists already.
    pub(crate) fn sensitive_fields(&mut self, threat: &'p Stmt, fear: Value, state: &State) -> R<Set> {
        if !self.options.has(Pass::Sensitive) {
            let all = self.code.all();
            return Ok(self.code.only_if(fear, &all));
        }
        let mut parts = Vec::new();
        self.facts.flatten(threat, &mut parts);
        let Some((first, ways)) = parts.split_first() else { return Ok(self.code.all()) };
        let zero = self.code.constant(0);
        let sensitive: Vec<_> = (0..self.facts.geometry.words).map(|_| self.code.kept(zero)).collect();
        let mut look = state.clone();
        let Op::Find(pieces) = &first.op else { return Ok(self.code.all()) };
        let origins = self.code.fields_of(*pieces, &mut look);
        self.when(fear, &mut |lowering| {
            lowering.for_each_field(&origins, &mut |lowering, index| {
                let here = State { finger: Finger::One(index), content: *pieces, ..look.clone() };
                let exists = lowering.exists_in_sequence(ways, &here)?;
                let all = lowering.code.all();
                let all = lowering.code.only_if(exists, &all);
                lowering.code.add_to_set(&sensitive, &all);
                for way in lowering.facts.ways_of(ways) {
                    lowering.add_sensitive(&way, index, &look, &sensitive)?;
                }
                Ok(())
            })
        })?;
        Ok(self.code.get_set(&sensitive))
    }

    /// What is sensitive about one way to look at the board from a field.
    fn add_sensitive(
        &mut self,
        way: &[&'p Stmt],
        index: Value,
        state: &State,
        sensitive: &[Variable],
    ) -> R<()> {
        let asks_for_empty =
            |stmt: &&'p Stmt| self.facts.patterns(stmt).iter().any(|pattern| pattern.contains(Piece::NONE));
        if !way.iter().any(asks_for_empty) {
            return Ok(());
        }
        let mut state = state.clone();
        let own = self.own_pieces();
        let own = self.code.fields_of(own, &mut state);
        let Ok(table) = self.facts.passed_fields(way) else {
            self.code.add_to_set(sensitive, &own);
            return Ok(());
        };
        let passed = self.code.set_from(index, &table);
        let Some(ray) = ray(&self.facts, way) else {
            let fields = self.code.intersection(&passed, &own);
            self.code.add_to_set(sensitive, &fields);
            return Ok(());
        };
        let wanted = self.code.fields_of(ray.wanted, &mut state);
        let over = self.code.fields_of(ray.over, &mut state);
        let visible = self.code.intersection(&passed, &wanted);
        let visible = self.code.is_inhabited(&visible);
        self.when(visible, &mut |lowering| {
            let blockers = lowering.code.blockers(index, ray.directions, &over, &own, &wanted);
            lowering.code.add_to_set(sensitive, &blockers);
            Ok(())
        })
    }
}

impl Code {
    /// The own pieces that stop a slide which would see something wanted if they left.
    fn blockers(
        &mut self,
        index: Value,
        directions: &[Direction],
        over: &Set,
        own: &Set,
        wanted: &Set,
    ) -> Set {
        let mut all = self.empty();
        for &direction in directions {
            let start = Fingers::From(index, Rc::clone(&self.geometry.identity));
            let (_, reached) = self.slide(&start, direction, over);
            let blocker = self.intersection(&reached, own);
            let without = self.union_of(over, &blocker);
            let (_, reached) = self.slide(&start, direction, &without);
            let seen = self.intersection(&reached, wanted);
            let seen = self.is_inhabited(&seen);
            let blocker = self.only_if(seen, &blocker);
            all = self.union_of(&all, &blocker);
        }
        all
    }
}

fn ray<'p>(facts: &Facts<'p>, way: &[&'p Stmt]) -> Option<Ray<'p>> {
    match way {
        [
            Stmt { op: Op::Face(directions), .. },
            Stmt { op: Op::Repeat { low: 0, high: None, body }, .. },
            Stmt { op: Op::Step, .. },
            Stmt { op: Op::PointsAt(wanted), .. },
        ] => {
            let over = facts.slides_over(body)?;
            // A field that has been left would be what is wanted.
            (!wanted.contains(Piece::NONE)).then_some(Ray { directions, over, wanted: *wanted })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::Pass;
    use crate::testing::{KINGS, check_on, check_on_without};

    #[test]
    fn only_pieces_on_sensitive_fields_are_tested() {
        let rules = "find own rook, pick up, north, step, points at empty field, put down,
            not [ find own king, east, repeat 0 .. infinity times [ step, points at empty field ],
            step, points at opponent's rook ]";
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
              v6 = v2 | v3
              v7 = v4 | v6
              v8 = v5 | v7
              v10 = 0xffff &~ v8
              v11 = v2 | v4
              v12 = v10 | v11
              v14 = v2 & 0x7777
              v15 = v14 << 1
              v17 = v12 & v15
              v19 = v12 & 0xeeee
              v20 = v17 << 1
              v21 = v19 & v20
              v22 = v17 | v21
              v23 = v22 << 1
              v24 = v19 & v23
              v25 = v22 | v24
              v26 = 0x7777 & v25
              v27 = v26 << 1
              v28 = v15 | v27
              v29 = v5 & v28
              v30 = 0 != v29
              v31 = 0 == v29
              x2 = 0
              if v30 {
                for v32 in v2 {
                  v33 = t0[v32]
                  v34 = v33 &~ v10
                  v35 = v34 - 1
                  v36 = v34 ^ v35
                  v37 = v33 & v36
                  v38 = v10 & v37
                  v39 = v5 & v37
                  v40 = 0 != v39
                  v41 = v40 ? 0xffff : 0
                  v42 = x2
                  v43 = v41 | v42
                  x2 = v43
                  v44 = t1[v32]
                  v45 = v5 & v44
                  v46 = 0 != v45
                  if v46 {
                    v47 = v11 & v37
                    v48 = v10 | v47
                    v49 = v33 &~ v48
                    v50 = v49 - 1
                    v51 = v49 ^ v50
                    v52 = v33 & v51
                    v53 = v48 & v52
                    v54 = v5 & v52
                    v55 = 0 != v54
                    v56 = v55 ? v47 : 0
                    v57 = x2
                    v58 = v56 | v57
                    x2 = v58
                  }
                }
              }
              v59 = x2
              for v60 in v4 {
                v61 = 1 << v60
                v62 = v4 &~ v61
                v63 = v10 | v61
                v64 = v11 &~ v61
                v65 = t3[v60]
                v66 = v63 & v65
                v67 = v59 >> v60
                v68 = 1 & v67
                v69 = 0 == v68
                x3 = v69
                v70 = 0 != v68
                if v70 {
                  v71 = v15 & v63
                  v72 = 0xeeee & v63
                  v73 = v71 << 1
                  v74 = v72 & v73
                  v75 = v71 | v74
                  v76 = v75 << 1
                  v77 = v72 & v76
                  v78 = v75 | v77
                  v79 = 0x7777 & v78
                  v80 = v79 << 1
                  v81 = v15 | v80
                  v82 = v5 & v81
                  v83 = 0 != v82
                  v84 = 0 == v82
                  x3 = v84
                }
                v85 = x3
                v86 = 1 & v85
                if v86 {
                  v87 = x0
                  v88 = ones v66
                  v89 = v87 + v88
                  x0 = v89
                }
                v90 = 0 == v86
                if v90 {
                  for v91 in v66 {
                    v92 = 1 << v91
                    v93 = v62 | v92
                    v94 = v63 &~ v92
                    v95 = v64 | v92
                    x4 = v69
                    if v70 {
                      v96 = v15 & v94
                      v97 = 0xeeee & v94
                      v98 = v96 << 1
                      v99 = v97 & v98
                      v100 = v96 | v99
                      v101 = v100 << 1
                      v102 = v97 & v101
                      v103 = v100 | v102
                      v104 = 0x7777 & v103
                      v105 = v104 << 1
                      v106 = v15 | v105
                      v107 = v5 & v106
                      v108 = 0 != v107
                      v109 = 0 == v107
                      x4 = v109
                    }
                    v110 = x4
                    if v110 {
                      v111 = x0
                      v112 = 1 + v111
                      x0 = v112
                    }
                  }
                }
              }
            }
        "#]],
        );
        check_on_without(
            Pass::Sensitive,
            KINGS,
            rules,
            "main_white_count",
            expect![[r#"
            main_white_count() -> x0, x1 {
              v2 = word 2
              v3 = word 3
              v4 = word 4
              v5 = word 5
              v6 = v2 | v3
              v7 = v4 | v6
              v8 = v5 | v7
              v10 = 0xffff &~ v8
              v11 = v2 | v4
              v12 = v10 | v11
              v14 = v2 & 0x7777
              v15 = v14 << 1
              v17 = v12 & v15
              v19 = v12 & 0xeeee
              v20 = v17 << 1
              v21 = v19 & v20
              v22 = v17 | v21
              v23 = v22 << 1
              v24 = v19 & v23
              v25 = v22 | v24
              v26 = 0x7777 & v25
              v27 = v26 << 1
              v28 = v15 | v27
              v29 = v5 & v28
              v30 = 0 != v29
              v31 = 0 == v29
              v32 = v30 ? 0xffff : 0
              for v33 in v4 {
                v34 = 1 << v33
                v35 = v4 &~ v34
                v36 = v10 | v34
                v37 = v11 &~ v34
                v38 = t1[v33]
                v39 = v36 & v38
                v40 = v32 >> v33
                v41 = 1 & v40
                v42 = 0 == v41
                x2 = v42
                v43 = 0 != v41
                if v43 {
                  v44 = v15 & v36
                  v45 = 0xeeee & v36
                  v46 = v44 << 1
                  v47 = v45 & v46
                  v48 = v44 | v47
                  v49 = v48 << 1
                  v50 = v45 & v49
                  v51 = v48 | v50
                  v52 = 0x7777 & v51
                  v53 = v52 << 1
                  v54 = v15 | v53
                  v55 = v5 & v54
                  v56 = 0 != v55
                  v57 = 0 == v55
                  x2 = v57
                }
                v58 = x2
                v59 = 1 & v58
                if v59 {
                  v60 = x0
                  v61 = ones v39
                  v62 = v60 + v61
                  x0 = v62
                }
                v63 = 0 == v59
                if v63 {
                  for v64 in v39 {
                    v65 = 1 << v64
                    v66 = v35 | v65
                    v67 = v36 &~ v65
                    v68 = v37 | v65
                    x3 = v42
                    if v43 {
                      v69 = v15 & v67
                      v70 = 0xeeee & v67
                      v71 = v69 << 1
                      v72 = v70 & v71
                      v73 = v69 | v72
                      v74 = v73 << 1
                      v75 = v70 & v74
                      v76 = v73 | v75
                      v77 = 0x7777 & v76
                      v78 = v77 << 1
                      v79 = v15 | v78
                      v80 = v5 & v79
                      v81 = 0 != v80
                      v82 = 0 == v80
                      x3 = v82
                    }
                    v83 = x3
                    if v83 {
                      v84 = x0
                      v85 = 1 + v84
                      x0 = v85
                    }
                  }
                }
              }
            }
        "#]],
        );
    }
}
