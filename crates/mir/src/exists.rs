//! Whether statements have a result at all: the first is enough.

use std::rc::Rc;

use multigame_game::PieceSet;
use multigame_ir::{Op, Stmt};
use smallvec::smallvec;

use crate::geometry::Mask;
use crate::lower::{Lowering, R};
use crate::state::{Branch, Finger, Fingers, State};
use crate::{Pass, Value};

impl<'p> Lowering<'p> {
    /// 1 if a statement has a result from here.
    pub(crate) fn exists(&mut self, stmt: &'p Stmt, state: &State) -> R<Value> {
        let mut parts = Vec::new();
        self.flatten(stmt, &mut parts);
        let mut state = state.clone();
        let branches = self.branches(&state);
        let Some(anywhere) = self.row_anywhere(&parts, &mut state)? else {
            return self.exists_from(&parts, branches, &mut state);
        };
        let found = self.builder.variable();
        let zero = self.builder.constant(0);
        self.builder.set(found, zero);
        self.when(anywhere, &mut |lowering| {
            let exists = lowering.exists_from(&parts, branches.clone(), &mut state.clone())?;
            lowering.builder.set(found, exists);
            Ok(())
        })?;
        Ok(self.builder.get(found))
    }

    /// 1 if statements one after the other have a result from here.
    pub(crate) fn exists_in_sequence(&mut self, parts: &[&'p Stmt], state: &State) -> R<Value> {
        let branches = self.branches(state);
        self.exists_from(parts, branches, &mut state.clone())
    }

    pub(crate) fn exists_from(
        &mut self,
        parts: &[&'p Stmt],
        mut branches: Vec<Branch>,
        state: &mut State,
    ) -> R<Value> {
        let mut content = state.content;
        if let ([Stmt { op: Op::Either(alternatives), .. }], [branch]) = (parts, &branches[..])
            && let Fingers::From(index, table) = &branch.fingers
            && self.options.has(Pass::FarLooks)
            && alternatives.iter().any(|alternative| self.looks_far(alternative).is_some())
        {
            let (index, table) = (*index, Rc::clone(table));
            return self.exists_any(alternatives, branch, index, &table, state);
        }
        for (number, part) in parts.iter().enumerate() {
            // A rare piece is better looked at from where it stands than from everywhere.
            let looks_around = matches!(part.op, Op::Test(_) | Op::Not(_)) && !self.is_simple_test(part);
            if looks_around && number > 0 && self.finds_rare_piece(parts[number - 1]) {
                return self.exists_from_each(&parts[number..], &branches, content, state);
            }
            (branches, content) = self.forward(part, branches, content, state)?;
        }
        let zero = self.builder.constant(0);
        let mut any = zero;
        for branch in &branches {
            let set = self.as_set(&branch.fingers);
            let inhabited = self.is_inhabited(&set);
            any = self.builder.or(any, inhabited);
        }
        Ok(any)
    }

    /// Whether one of some alternatives has a result: what looks far is only done where there may be something to see.
    pub(crate) fn exists_any(
        &mut self,
        alternatives: &'p [Stmt],
        branch: &Branch,
        origin: Value,
        table: &[Mask],
        state: &mut State,
    ) -> R<Value> {
        let found = self.builder.variable();
        let mut any = self.builder.constant(0);
        let mut far = Vec::new();
        for alternative in alternatives {
            let mut parts = Vec::new();
            self.flatten(alternative, &mut parts);
            let widest = self.widest(alternative, branch.direction).ok();
            match self.looks_far(alternative).zip(widest) {
                Some((wanted, widest)) => far.push((widest, parts, wanted)),
                None => {
                    let exists = self.exists_from(&parts, vec![branch.clone()], &mut state.clone())?;
                    any = self.builder.or(any, exists);
                }
            }
        }
        self.builder.set(found, any);
        for (widest, parts, wanted) in far {
            let reach = table.iter().map(|mask| {
                let mut all = smallvec![0; self.geometry.words];
                for field in crate::geometry::bits(mask) {
                    all.iter_mut().zip(&widest[field]).for_each(|(word, more)| *word |= more);
                }
                all
            });
            let reach: Vec<Mask> = reach.collect();
            let fields = self.fields_of(wanted, state);
            let mut visible = self.builder.constant(0);
            for (word, &fields) in fields.iter().enumerate() {
                let entries = self.tables.add(reach.iter().map(|mask| mask[word]).collect());
                let reached = self.builder.table(&self.tables, entries, origin);
                let both = self.builder.and(reached, fields);
                visible = self.builder.or(visible, both);
            }
            let visible = self.builder.is_nonzero(visible);
            let (branch, here) = (branch.clone(), state.clone());
            self.when(visible, &mut |lowering| {
                let exists = lowering.exists_from(&parts, vec![branch.clone()], &mut here.clone())?;
                lowering.builder.set_bits(found, exists);
                Ok(())
            })?;
        }
        Ok(self.builder.get(found))
    }

    /// What an alternative that goes over any number of fields wants to see in the end.
    pub(crate) fn looks_far(&self, stmt: &'p Stmt) -> Option<PieceSet> {
        let mut parts = Vec::new();
        self.flatten(stmt, &mut parts);
        let (last, before) = parts.split_last()?;
        let walks = before.iter().all(|part| {
            matches!(part.op, Op::Face(_) | Op::Step | Op::Repeat { .. } | Op::PointsAt(_) | Op::Turn(_))
        });
        let far = before.iter().any(|part| matches!(part.op, Op::Repeat { high: None, .. }));
        match last.op {
            Op::PointsAt(wanted) if walks && far => Some(wanted),
            _ => None,
        }
    }

    pub(crate) fn exists_from_each(
        &mut self,
        parts: &[&'p Stmt],
        branches: &[Branch],
        content: PieceSet,
        state: &State,
    ) -> R<Value> {
        let found = self.builder.variable();
        let zero = self.builder.constant(0);
        self.builder.set(found, zero);
        for branch in branches {
            let set = self.as_set(&branch.fingers);
            self.for_each_field(&set, &mut |lowering, index| {
                let mut here = state.clone();
                here.finger = Finger::One(index);
                here.direction = branch.direction;
                here.content = content;
                let branches = lowering.branches(&here);
                let exists = lowering.exists_from(parts, branches, &mut here)?;
                lowering.builder.set_bits(found, exists);
                Ok(())
            })?;
        }
        Ok(self.builder.get(found))
    }

    pub(crate) fn finds_rare_piece(&self, stmt: &Stmt) -> bool {
        let Op::Find(pieces) = &stmt.op else { return false };
        let initial = &self.program.description.initial;
        let count = initial.cells.iter().filter(|&&piece| pieces.contains(piece)).count();
        (1..=2).contains(&count)
    }

    /// Sequences and calls taken apart.
    pub(crate) fn flatten(&self, stmt: &'p Stmt, parts: &mut Vec<&'p Stmt>) {
        match &stmt.op {
            Op::Sequence(inner) => inner.iter().for_each(|part| self.flatten(part, parts)),
            Op::Call(function) if !self.facts.recursive(*function) => {
                self.flatten(self.facts.body(*function), parts);
            }
            _ => parts.push(stmt),
        }
    }

    /// Looks at the field under the finger only.
    pub(crate) fn is_simple_test(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Test(a) | Op::Not(a) => self.is_simple_test(a),
            Op::Sequence(parts) | Op::Either(parts) => parts.iter().all(|part| self.is_simple_test(part)),
            Op::PointsAt(_) | Op::Assert(_) | Op::Match(_) => true,
            _ => false,
        }
    }
}
