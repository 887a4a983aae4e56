//! Sensitive fields: leaving which own field would bring a threat about?
//!
//! A slide towards the own king that is stopped by an own piece goes on if that piece leaves: the piece's field is
//! sensitive if the slide then reaches what it looks for. For other ways to look at the board, every field of an own
//! piece on the way counts as sensitive.

use multigame_game::{Direction, Piece, PieceSet};
use multigame_ir::{Op, Stmt};

use crate::geometry::Mask;
use crate::lower::{Lowering, R};
use crate::state::{Finger, Fingers, Set, State};
use crate::{Pass, Value};

/// `D, repeat 0 .. infinity times [ step, points at E ], step, points at W`.
struct Ray<'p> {
    directions: &'p [Direction],
    over: PieceSet,
    wanted: PieceSet,
}

impl<'p> Lowering<'p> {
    /// The sensitive fields of a threat, where there is any cause for fear; all fields if the threat exists already.
    pub(crate) fn sensitive_fields(&mut self, threat: &'p Stmt, fear: Value, state: &State) -> R<Set> {
        if !self.options.has(Pass::Sensitive) {
            let all = self.all();
            return Ok(self.only_if(fear, &all));
        }
        let mut parts = Vec::new();
        self.flatten(threat, &mut parts);
        let Some((first, ways)) = parts.split_first() else { return Ok(self.all()) };
        let sensitive: Vec<_> = (0..self.geometry.words).map(|_| self.builder.variable()).collect();
        let zero = self.builder.constant(0);
        for &variable in &sensitive {
            self.builder.set(variable, zero);
        }
        let mut add = |lowering: &mut Self, set: &Set| {
            for (&variable, &word) in sensitive.iter().zip(set) {
                let before = lowering.builder.get(variable);
                let after = lowering.builder.or(before, word);
                lowering.builder.set(variable, after);
            }
        };
        let mut look = state.clone();
        let Op::Find(pieces) = &first.op else { return Ok(self.all()) };
        let origins = self.fields_of(*pieces, &mut look);
        self.when(fear, &mut |lowering| {
            lowering.for_each_field(&origins, &mut |lowering, index| {
                let here = State { finger: Finger::One(index), content: *pieces, ..look.clone() };
                let exists = lowering.exists_in_sequence(ways, &here)?;
                let all = lowering.all();
                let all = lowering.only_if(exists, &all);
                add(lowering, &all);
                for way in lowering.ways_of(ways) {
                    lowering.add_sensitive(&way, index, &look, &mut add)?;
                }
                Ok(())
            })
        })?;
        Ok(sensitive.iter().map(|&variable| self.builder.get(variable)).collect())
    }

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

    /// What is sensitive about one way to look at the board from a field.
    fn add_sensitive(
        &mut self,
        way: &[&'p Stmt],
        index: Value,
        state: &State,
        add: &mut dyn FnMut(&mut Self, &Set),
    ) -> R<()> {
        let asks_for_empty =
            |stmt: &&'p Stmt| self.patterns(stmt).iter().any(|pattern| pattern.contains(Piece::NONE));
        if !way.iter().any(asks_for_empty) {
            return Ok(());
        }
        let mut state = state.clone();
        let own = self.own_pieces();
        let own = self.fields_of(own, &mut state);
        let Ok(table) = self.passed_fields(way) else {
            add(self, &own);
            return Ok(());
        };
        let mut passed = Set::new();
        for word in 0..self.geometry.words {
            let entries = self.tables.add(table.iter().map(|mask| mask[word]).collect());
            passed.push(self.builder.table(&self.tables, entries, index));
        }
        let Some(ray) = ray(self, way) else {
            let fields = self.intersection(&passed, &own);
            add(self, &fields);
            return Ok(());
        };
        let wanted = self.fields_of(ray.wanted, &mut state);
        let over = self.fields_of(ray.over, &mut state);
        let visible = self.intersection(&passed, &wanted);
        let visible = self.is_inhabited(&visible);
        self.when(visible, &mut |lowering| {
            let mut all = lowering.empty();
            for &direction in ray.directions {
                let start = Fingers::From(index, std::rc::Rc::clone(&lowering.identity));
                let (_, reached) = lowering.slide(&start, direction, &over);
                let blocker = lowering.intersection(&reached, &own);
                let without = lowering.union_of(&over, &blocker);
                let (_, reached) = lowering.slide(&start, direction, &without);
                let seen = lowering.intersection(&reached, &wanted);
                let seen = lowering.is_inhabited(&seen);
                let blocker = lowering.only_if(seen, &blocker);
                all = lowering.union_of(&all, &blocker);
            }
            add(lowering, &all);
            Ok(())
        })
    }

    /// For each field the fields that a way from there may pass, whatever stands on the board.
    fn passed_fields(&mut self, way: &[&'p Stmt]) -> R<Vec<Mask>> {
        let mut all = vec![smallvec::smallvec![0; self.geometry.words]; self.geometry.fields];
        for length in 1..=way.len() {
            for (all, more) in all.iter_mut().zip(self.widest_of(&way[..length])?) {
                all.as_mut_slice().iter_mut().zip(&more).for_each(|(word, more)| *word |= more);
            }
        }
        Ok(all)
    }
}

fn ray<'p>(lowering: &Lowering<'p>, way: &[&'p Stmt]) -> Option<Ray<'p>> {
    match way {
        [
            Stmt { op: Op::Face(directions), .. },
            Stmt { op: Op::Repeat { low: 0, high: None, body }, .. },
            Stmt { op: Op::Step, .. },
            Stmt { op: Op::PointsAt(wanted), .. },
        ] => {
            let over = lowering.slides_over(body)?;
            Some(Ray { directions, over, wanted: *wanted })
        }
        _ => None,
    }
}
