//! Whether statements have a result at all: the first is enough.

use multigame_game::PieceSet;
use multigame_ir::{Op, Stmt};

use crate::analysis::facts::Facts;
use crate::analysis::geometry::{Mask, through};
use crate::lowering::Lowering;
use crate::lowering::state::{Branch, Finger, Fingers, State};
use crate::refusal::R;
use crate::sets::code::Code;
use crate::sets::forward::Reached;
use crate::{Pass, Value};

impl<'p> Facts<'p> {
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

    /// Whether statements face somewhere, go there and look: few instructions for all fields at once.
    fn looks_around(&self, parts: &[&'p Stmt]) -> bool {
        let mut flat = Vec::new();
        parts.iter().for_each(|part| self.flatten(part, &mut flat));
        matches!(flat[..], [Stmt { op: Op::Face(_), .. }, ..])
            && flat[1..].iter().all(|part| matches!(part.op, Op::Step | Op::PointsAt(_)))
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
            Op::Call(function) if !self.recursive(*function) => {
                self.flatten(self.body(*function), parts);
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

impl Code {
    /// 1 if any of some pieces stands on the fields that a table has for the field of origin.
    fn is_any_on(&mut self, pieces: PieceSet, table: &[Mask], origin: Value, state: &mut State) -> Value {
        let fields = self.fields_of(pieces, state);
        let mut any = self.constant(0);
        for (word, &fields) in fields.iter().enumerate() {
            let reached = self.entry(table.iter().map(|mask| mask[word]).collect(), origin);
            let both = self.and(reached, fields);
            any = self.or(any, both);
        }
        self.is_nonzero(any)
    }
}

impl<'p> Lowering<'p> {
    /// 1 if a statement has a result from here.
    pub(crate) fn exists(&mut self, stmt: &'p Stmt, state: &State) -> R<Value> {
        let mut parts = Vec::new();
        self.facts.flatten(stmt, &mut parts);
        let mut state = state.clone();
        let branches = self.code.branches(&state);
        let Some(anywhere) = self.row_anywhere(&parts, &mut state)? else {
            return self.exists_from(&parts, branches, &mut state);
        };
        let found = self.code.cleared();
        self.when(anywhere, &mut |lowering| {
            let exists = lowering.exists_from(&parts, branches.clone(), &mut state.clone())?;
            lowering.code.set(found, exists);
            Ok(())
        })?;
        Ok(self.code.get(found))
    }

    /// 1 if statements one after the other have a result from here.
    pub(crate) fn exists_in_sequence(&mut self, parts: &[&'p Stmt], state: &State) -> R<Value> {
        let branches = self.code.branches(state);
        self.exists_from(parts, branches, &mut state.clone())
    }

    pub(crate) fn exists_from(
        &mut self,
        parts: &[&'p Stmt],
        branches: Vec<Branch>,
        state: &mut State,
    ) -> R<Value> {
        if let ([Stmt { op: Op::Either(alternatives), .. }], [branch]) = (parts, &branches[..])
            && let Fingers::From(index, table) = &branch.fingers
            && self.options.has(Pass::FarLooks)
            && alternatives.iter().any(|alternative| self.facts.looks_far(alternative).is_some())
        {
            return self.exists_any(alternatives, branch, *index, table, state);
        }
        let mut now = Reached { branches, content: state.content };
        for (number, part) in parts.iter().enumerate() {
            // A rare piece is better looked at from where it stands than from everywhere.
            let looks_around =
                matches!(part.op, Op::Test(_) | Op::Not(_)) && !self.facts.is_simple_test(part);
            if looks_around && number > 0 && self.facts.finds_rare_piece(parts[number - 1]) {
                return self.exists_from_each(&parts[number..], &now, state);
            }
            if let Op::Repeat { low, high: None, body } = &part.op
                && self.facts.faces(body)
                && self.facts.looks_around(&parts[number + 1..])
            {
                let rounds = (0..*low).try_fold(now, |now, _| self.forward(body, now, state))?;
                let all = self.code.all();
                let goal = self.before(&parts[number + 1..], None, &all, state)?;
                let start = self.code.all_fingers(&rounds.branches);
                return self.spreads_into(start, body, &goal, state);
            }
            now = self.forward(part, now, state)?;
        }
        Ok(self.code.any_finger(&now.branches))
    }

    /// Whether one of some alternatives has a result: what looks far is only done where there may be
    /// something to see.
    pub(crate) fn exists_any(
        &mut self,
        alternatives: &'p [Stmt],
        branch: &Branch,
        origin: Value,
        table: &[Mask],
        state: &mut State,
    ) -> R<Value> {
        let found = self.code.variable();
        let mut any = self.code.constant(0);
        let mut far = Vec::new();
        for alternative in alternatives {
            let mut parts = Vec::new();
            self.facts.flatten(alternative, &mut parts);
            let widest = self.facts.widest(alternative, branch.direction).ok();
            match self.facts.looks_far(alternative).zip(widest) {
                Some((wanted, widest)) => far.push((widest, parts, wanted)),
                None => {
                    let exists = self.exists_from(&parts, vec![branch.clone()], &mut state.clone())?;
                    any = self.code.or(any, exists);
                }
            }
        }
        self.code.set(found, any);
        for (widest, parts, wanted) in far {
            let reach: Vec<Mask> = table.iter().map(|mask| through(mask, &widest)).collect();
            let visible = self.code.is_any_on(wanted, &reach, origin, state);
            let (branch, here) = (branch.clone(), state.clone());
            self.when(visible, &mut |lowering| {
                let exists = lowering.exists_from(&parts, vec![branch.clone()], &mut here.clone())?;
                lowering.code.set_bits(found, exists);
                Ok(())
            })?;
        }
        Ok(self.code.get(found))
    }

    pub(crate) fn exists_from_each(&mut self, parts: &[&'p Stmt], from: &Reached, state: &State) -> R<Value> {
        let found = self.code.cleared();
        for branch in &from.branches {
            let set = self.code.as_set(&branch.fingers);
            self.for_each_field(&set, &mut |lowering, index| {
                let mut here = state.clone();
                here.finger = Finger::One(index);
                here.direction = branch.direction;
                here.content = from.content;
                let branches = lowering.code.branches(&here);
                let exists = lowering.exists_from(parts, branches, &mut here)?;
                lowering.code.set_bits(found, exists);
                Ok(())
            })?;
        }
        Ok(self.code.get(found))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{KINGS, function, module};
    use crate::{Options, Pass};

    #[test]
    fn a_far_look_is_taken_only_where_there_is_something_to_see() {
        let rules = "find own king, pick up, either north or east, step, points at empty field, put down,
            not either [ orthogonal, repeat 0 .. infinity times [ step, points at empty field ], step,
                points at opponent's rook ]
            or [ diagonal, step, points at opponent's king ]";
        let count =
            |options: &Options| function(&module(KINGS, rules, options), "main_white_count").to_string();
        let (with, without) = (count(&Options::default()), count(&Options::without(Pass::FarLooks)));
        let questions = |text: &str| text.matches("if v").count();
        assert!(questions(&with) > questions(&without), "{with}\n{without}");
    }
}
