//! Running statements for many fingers at once.
//!
//! `forward` follows statements from a set of fingers to where they lead; `before` (see `backward`) goes the other way:
//! from which fields would these statements succeed? Both work on whole sets with a handful of instructions a
//! statement. From a single field, steps are table look-ups until something on the board is looked at.

use std::rc::Rc;

use multigame_game::{Direction, Piece, PieceSet};
use multigame_ir::{Op, Stmt};
use smallvec::smallvec;

use crate::facts::Depends;
use crate::geometry::Mask;
use crate::lower::{Lowering, R, Refusal};
use crate::state::{Branch, Finger, Fingers, Reach, Set, State};
use crate::{Binary, Pass, Value};

/// All pieces and the empty field.
pub(crate) fn anything(pieces: usize) -> PieceSet {
    (0..=pieces).map(|piece| Piece(piece as u8)).collect()
}

impl<'p> Lowering<'p> {
    /// The branches a state's finger stands for.
    pub(crate) fn branches(&mut self, state: &State) -> Vec<Branch> {
        match &state.finger {
            Finger::Many(branches) => branches.clone(),
            Finger::One(index) => {
                let table = Rc::clone(&self.identity);
                let reach = Some(Reach { origin: *index, table: Rc::clone(&table) });
                vec![Branch {
                    direction: state.direction,
                    fingers: Fingers::From(*index, table),
                    reach,
                    behind: None,
                }]
            }
            Finger::Nowhere => {
                // Something that is there, but must not be looked at.
                let all = self.all();
                vec![Branch {
                    direction: state.direction,
                    fingers: Fingers::Set(all),
                    reach: None,
                    behind: None,
                }]
            }
        }
    }

    /// Runs a statement on a state; its finger becomes a set.
    pub(crate) fn run_on_sets(&mut self, stmt: &'p Stmt, state: &mut State) -> R<()> {
        let branches = self.branches(state);
        let content = state.content;
        if let Finger::One(index) = state.finger {
            state.known_contents.retain(|(field, _)| *field != index);
            state.known_contents.push((index, content));
        }
        let (branches, content) = self.forward(stmt, branches, content, state)?;
        state.finger = Finger::Many(branches);
        state.content = content;
        Ok(())
    }

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

    fn exists_from(&mut self, parts: &[&'p Stmt], mut branches: Vec<Branch>, state: &mut State) -> R<Value> {
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
    fn exists_any(
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
                let before = lowering.builder.get(found);
                let after = lowering.builder.or(before, exists);
                lowering.builder.set(found, after);
                Ok(())
            })?;
        }
        Ok(self.builder.get(found))
    }

    /// What an alternative that goes over any number of fields wants to see in the end.
    fn looks_far(&self, stmt: &'p Stmt) -> Option<PieceSet> {
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

    fn exists_from_each(
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
                let before = lowering.builder.get(found);
                let after = lowering.builder.or(before, exists);
                lowering.builder.set(found, after);
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
    fn is_simple_test(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Test(a) | Op::Not(a) => self.is_simple_test(a),
            Op::Sequence(parts) | Op::Either(parts) => parts.iter().all(|part| self.is_simple_test(part)),
            Op::PointsAt(_) | Op::Assert(_) | Op::Match(_) => true,
            _ => false,
        }
    }

    /// Where a statement leads, and what may stand there.
    pub(crate) fn forward(
        &mut self,
        stmt: &'p Stmt,
        branches: Vec<Branch>,
        content: PieceSet,
        state: &mut State,
    ) -> R<(Vec<Branch>, PieceSet)> {
        let unknown = anything(self.layout.pieces);
        match &stmt.op {
            Op::Sequence(parts) => {
                let mut now = (branches, content);
                for part in parts {
                    now = self.forward(part, now.0, now.1, state)?;
                }
                Ok(now)
            }
            Op::Call(function) => self.forward(self.facts.body(*function), branches, content, state),
            Op::Either(parts) => {
                let mut all = Vec::new();
                let mut contents = PieceSet::EMPTY;
                for part in parts {
                    let (branches, content) = self.forward(part, branches.clone(), content, state)?;
                    all.extend(branches);
                    contents = contents.union(content);
                }
                Ok((self.merge(all), contents))
            }
            Op::Try(a, b) => {
                let succeeding = self.filter(&branches, a, state, true)?;
                let failing = self.filter(&branches, a, state, false)?;
                let (mut all, first) = self.forward(a, succeeding, content, state)?;
                let (rest, second) = self.forward(b, failing, content, state)?;
                all.extend(rest);
                Ok((self.merge(all), first.union(second)))
            }
            Op::Test(a) => Ok((self.filter(&branches, a, state, true)?, content)),
            Op::Not(a) => {
                let content = match &a.op {
                    Op::PointsAt(pieces) => content.iter().filter(|&piece| !pieces.contains(piece)).collect(),
                    _ => content,
                };
                Ok((self.filter(&branches, a, state, false)?, content))
            }
            // Any number of rounds first: from a single field a slide is then looked up instead of followed.
            Op::Repeat { low, high: None, body } if self.slides_over(body).is_some() => {
                let mut now = self.forward_closure(body, branches, content, state)?;
                for _ in 0..*low {
                    now = self.forward(body, now.0, now.1, state)?;
                }
                Ok(now)
            }
            Op::Repeat { low, high, body } => {
                let mut now = (branches, content);
                for _ in 0..*low {
                    now = self.forward(body, now.0, now.1, state)?;
                }
                match high {
                    Some(high) => {
                        let mut all = now.0.clone();
                        let mut contents = now.1;
                        for _ in *low..*high {
                            now = self.forward(body, now.0, now.1, state)?;
                            all.extend(now.0.clone());
                            contents = contents.union(now.1);
                        }
                        Ok((self.merge(all), contents))
                    }
                    None => self.forward_closure(body, now.0, now.1, state),
                }
            }
            Op::While { condition, body } => {
                let mut all = branches;
                let rounds = self.rounds(&all)?;
                for _ in 0..rounds {
                    let (after, _) = self.forward(condition, all.clone(), unknown, state)?;
                    let (after, _) = self.forward(body, after, unknown, state)?;
                    all.extend(after);
                    all = self.merge(all);
                }
                Ok((self.filter(&all, condition, state, false)?, unknown))
            }
            Op::Find(pieces) => {
                let fields = self.fields_of(*pieces, state);
                Ok((self.jump(&branches, &fields, state), *pieces))
            }
            Op::Place(field) => {
                let mask = self.geometry.single(field.index());
                let set = self.constant_set(&mask);
                Ok((self.jump(&branches, &set, state), unknown))
            }
            Op::PointsAt(pieces) => {
                let fields = self.fields_of(*pieces, state);
                let content = content.iter().filter(|&piece| pieces.contains(piece)).collect();
                Ok((self.restrict(branches, &fields), content))
            }
            Op::Face(directions) => {
                let mut all = Vec::new();
                for branch in &branches {
                    for &direction in directions {
                        all.push(Branch { direction: Some(direction), behind: None, ..branch.clone() });
                    }
                }
                Ok((self.merge(all), content))
            }
            Op::Turn(steps) => {
                let count = self.geometry.next.len() as i32;
                let mut turned = branches;
                for branch in &mut turned {
                    let direction = known(branch.direction)?;
                    branch.direction =
                        Some(Direction((i32::from(direction.0) + steps).rem_euclid(count) as u8));
                    branch.behind = None;
                }
                Ok((turned, content))
            }
            Op::Step => Ok((self.step_branches(branches, content, |_, direction| Some(direction))?, unknown)),
            Op::StepBackward => {
                let content = match (&state.finger, state.behind) {
                    (Finger::One(index), Some((field, content))) if *index == field => content,
                    _ => unknown,
                };
                Ok((self.step_branches(branches, unknown, |g, d| g.opposite[d.index()])?, content))
            }
            Op::Match(fields) => {
                let matches = self.matches(fields, state);
                Ok((self.keep_if(branches, matches), content))
            }
            Op::Assert(value) => match self.facts.depends(value) {
                Depends::Place => {
                    let mask = self.place_mask(value)?;
                    let fields = self.constant_set(&mask);
                    Ok((self.restrict(branches, &fields), content))
                }
                Depends::Position => {
                    let value = self.evaluate(value, state)?;
                    let condition = self.builder.is_nonzero(value);
                    Ok((self.keep_if(branches, condition), content))
                }
                Depends::Mixed => {
                    Err(Refusal::new("an assertion on sets that depends on finger and position"))
                }
            },
            _ => Err(Refusal::new("a statement that does not run on sets")),
        }
    }

    /// Zero or more rounds of a body that keeps the direction.
    fn forward_closure(
        &mut self,
        body: &'p Stmt,
        branches: Vec<Branch>,
        content: PieceSet,
        state: &mut State,
    ) -> R<(Vec<Branch>, PieceSet)> {
        if let Some(pieces) = self.slides_over(body) {
            let over = self.fields_of(pieces, state);
            let mut runs = Vec::new();
            for branch in branches {
                let direction = known(branch.direction)?;
                runs.push(self.run_along(branch, direction, &over));
            }
            return Ok((runs, content.union(pieces)));
        }
        if self.facts.faces(body) {
            let mut start = self.empty();
            for branch in &branches {
                let set = self.as_set(&branch.fingers);
                start = self.union_of(&start, &set);
            }
            let spread = self.spread(start, &mut |lowering, reached| {
                let branch =
                    Branch { direction: None, fingers: Fingers::Set(reached), reach: None, behind: None };
                let unknown = anything(lowering.layout.pieces);
                let (after, _) = lowering.forward(body, vec![branch], unknown, &mut state.clone())?;
                let mut all = lowering.empty();
                for branch in &after {
                    let set = lowering.as_set(&branch.fingers);
                    all = lowering.union_of(&all, &set);
                }
                Ok(all)
            })?;
            let branch = Branch { direction: None, fingers: Fingers::Set(spread), reach: None, behind: None };
            return Ok((vec![branch], anything(self.layout.pieces)));
        }
        let mut all = branches;
        for _ in 0..self.rounds(&all)? {
            let (after, _) = self.forward(body, all.clone(), anything(self.layout.pieces), state)?;
            all.extend(after);
            all = self.merge(all);
        }
        Ok((all, anything(self.layout.pieces)))
    }

    /// Adds to a set what one round gives until nothing is new.
    pub(crate) fn spread(&mut self, start: Set, round: &mut dyn FnMut(&mut Self, Set) -> R<Set>) -> R<Set> {
        let variables: Vec<_> = start.iter().map(|_| self.builder.variable()).collect();
        for (&variable, &word) in variables.iter().zip(&start) {
            self.builder.set(variable, word);
        }
        self.builder.open();
        let reached: Set = variables.iter().map(|&variable| self.builder.get(variable)).collect();
        let done = round(self, reached.clone()).map(|more| {
            let after = self.union_of(&reached, &more);
            let fresh = self.without(&after, &reached);
            for (&variable, &word) in variables.iter().zip(&after) {
                self.builder.set(variable, word);
            }
            let grows = self.is_inhabited(&fresh);
            let ends = self.builder.is_zero(grows);
            self.builder.push(crate::Stmt::BreakIf(ends));
        });
        let block = self.builder.close();
        done?;
        self.builder.push(crate::Stmt::Loop(block));
        Ok(variables.iter().map(|&variable| self.builder.get(variable)).collect())
    }

    /// How often a loop can make progress at most.
    fn rounds(&self, branches: &[Branch]) -> R<usize> {
        let mut rounds = 0;
        for branch in branches {
            rounds = rounds.max(self.geometry.longest[known(branch.direction)?.index()]);
        }
        if rounds > 24 {
            return Err(Refusal::new("a loop on sets with more than 24 rounds"));
        }
        Ok(rounds)
    }

    fn step_branches(
        &mut self,
        branches: Vec<Branch>,
        content: PieceSet,
        way: impl Fn(&crate::geometry::Geometry, Direction) -> Option<Direction>,
    ) -> R<Vec<Branch>> {
        let mut stepped = Vec::new();
        for branch in branches {
            let facing = known(branch.direction)?;
            let direction = way(&self.geometry, facing)
                .ok_or_else(|| Refusal::new("a step backward without an opposite direction"))?;
            let step_table = |table: &Vec<Mask>| -> Rc<Vec<Mask>> {
                Rc::new(table.iter().map(|mask| self.geometry.step_mask(mask, direction)).collect())
            };
            let reach =
                branch.reach.as_ref().map(|r| Reach { origin: r.origin, table: step_table(&r.table) });
            let fingers = match &branch.fingers {
                Fingers::From(index, table) => Fingers::From(*index, step_table(table)),
                Fingers::Run { with_start: true, reach, direction: along, .. } if *along == direction => {
                    Fingers::Set(reach.clone())
                }
                other => {
                    let set = self.as_set(other);
                    Fingers::Set(self.step_set(&set, direction))
                }
            };
            let behind = (content != anything(self.layout.pieces)).then_some(content);
            stepped.push(Branch { direction: Some(facing), fingers, reach, behind });
        }
        Ok(stepped)
    }

    /// The fingers from which a statement succeeds (or fails).
    fn filter(
        &mut self,
        branches: &[Branch],
        stmt: &'p Stmt,
        state: &mut State,
        succeeds: bool,
    ) -> R<Vec<Branch>> {
        let mut kept = Vec::new();
        for branch in branches {
            if let Fingers::From(_, table) = &branch.fingers
                && table.iter().all(|mask| mask.iter().map(|word| word.count_ones()).sum::<u32>() <= 1)
                && !self.is_simple_test(stmt)
            {
                let mut parts = Vec::new();
                self.flatten(stmt, &mut parts);
                let exists = self.exists_from(&parts, vec![branch.clone()], &mut state.clone())?;
                let condition = if succeeds { exists } else { self.builder.is_zero(exists) };
                kept.extend(self.keep_if(vec![branch.clone()], condition));
                continue;
            }
            let all = self.all();
            let fields = self.before(&[stmt], branch.direction, &all, state)?;
            let fields = match succeeds {
                true => fields,
                false => self.without(&all, &fields),
            };
            kept.extend(self.restrict(vec![branch.clone()], &fields));
        }
        Ok(kept)
    }

    fn restrict(&mut self, branches: Vec<Branch>, fields: &Set) -> Vec<Branch> {
        let known: Option<Mask> = fields.iter().map(|&word| self.builder.known(word)).collect();
        let mut kept = Vec::new();
        for branch in branches {
            if let (Fingers::From(index, table), Some(mask)) = (&branch.fingers, &known) {
                let both = |entry: &Mask| entry.iter().zip(mask).map(|(a, b)| a & b).collect();
                let table = Rc::new(table.iter().map(both).collect());
                let narrowed = |reach: &Reach| Rc::new(reach.table.iter().map(both).collect());
                let reach =
                    branch.reach.as_ref().map(|reach| Reach { origin: reach.origin, table: narrowed(reach) });
                kept.push(Branch { fingers: Fingers::From(*index, table), reach, ..branch });
                continue;
            }
            let set = self.as_set(&branch.fingers);
            let set = self.intersection(&set, fields);
            if !self.surely_empty(&set) {
                kept.push(Branch { fingers: Fingers::Set(set), ..branch });
            }
        }
        kept
    }

    fn keep_if(&mut self, branches: Vec<Branch>, condition: Value) -> Vec<Branch> {
        if self.builder.known(condition).is_some_and(|known| known != 0) {
            return branches;
        }
        let mut kept = Vec::new();
        for branch in branches {
            let set = self.as_set(&branch.fingers);
            let set = self.only_if(condition, &set);
            if !self.surely_empty(&set) {
                kept.push(Branch { fingers: Fingers::Set(set), ..branch });
            }
        }
        kept
    }

    /// The finger goes elsewhere, whatever it pointed at, if it was anywhere.
    fn jump(&mut self, branches: &[Branch], fields: &Set, state: &State) -> Vec<Branch> {
        let mut all = Vec::new();
        for branch in branches {
            let set = if self.is_untouched(branch, state) {
                fields.clone()
            } else {
                let from = self.as_set(&branch.fingers);
                let inhabited = self.is_inhabited(&from);
                self.only_if(inhabited, fields)
            };
            all.push(Branch {
                direction: branch.direction,
                fingers: Fingers::Set(set),
                reach: None,
                behind: None,
            });
        }
        self.merge(all)
    }

    /// Whether a branch is still the state's own finger, which surely is somewhere.
    fn is_untouched(&self, branch: &Branch, state: &State) -> bool {
        match (&branch.fingers, &state.finger) {
            (Fingers::From(_, table), Finger::One(_)) => self.is_identity(table),
            (Fingers::Set(set), Finger::Nowhere) => {
                set.iter().zip(&self.geometry.all).all(|(&word, &all)| self.builder.known(word) == Some(all))
            }
            _ => false,
        }
    }

    /// Branches that face the same direction become one.
    pub(crate) fn merge(&mut self, branches: Vec<Branch>) -> Vec<Branch> {
        let mut merged: Vec<Branch> = Vec::new();
        for branch in branches {
            let Some(same) = merged.iter().position(|other| other.direction == branch.direction) else {
                merged.push(branch);
                continue;
            };
            let other = merged[same].clone();
            let join = |a: &Vec<Mask>, b: &Vec<Mask>| -> Rc<Vec<Mask>> {
                let join = |(a, b): (&Mask, &Mask)| a.iter().zip(b).map(|(a, b)| a | b).collect();
                Rc::new(a.iter().zip(b).map(join).collect())
            };
            let fingers = match (&other.fingers, &branch.fingers) {
                (Fingers::From(a, first), Fingers::From(b, second)) if a == b => {
                    Fingers::From(*a, join(first, second))
                }
                (a, b) => {
                    let (a, b) = (self.as_set(a), self.as_set(b));
                    Fingers::Set(self.union_of(&a, &b))
                }
            };
            let reach = match (&other.reach, &branch.reach) {
                (Some(a), Some(b)) if a.origin == b.origin => {
                    Some(Reach { origin: a.origin, table: join(&a.table, &b.table) })
                }
                _ => None,
            };
            let behind = match (other.behind, branch.behind) {
                (Some(a), Some(b)) => Some(a.union(b)),
                _ => None,
            };
            merged[same] = Branch { direction: branch.direction, fingers, reach, behind };
        }
        merged
    }

    /// Whether a table leads every field to itself.
    pub(crate) fn is_identity(&self, table: &Rc<Vec<Mask>>) -> bool {
        Rc::ptr_eq(table, &self.identity) || **table == *self.identity
    }

    /// Runs code for each field of a set.
    pub(crate) fn for_each_field(
        &mut self,
        set: &Set,
        body: &mut dyn FnMut(&mut Self, Value) -> R<()>,
    ) -> R<()> {
        for (word, &bits) in set.iter().enumerate() {
            if self.builder.known(bits) == Some(0) {
                continue;
            }
            if let Some(bits) = self.builder.known(bits)
                && bits.count_ones() == 1
            {
                let index = self.builder.constant(word as u64 * 64 + u64::from(bits.trailing_zeros()));
                body(self, index)?;
                continue;
            }
            let bit = self.builder.index_in(bits);
            self.builder.open();
            let first = self.builder.constant(word as u64 * 64);
            let index = self.builder.binary(Binary::Add, bit, first);
            let done = body(self, index);
            let block = self.builder.close();
            done?;
            self.builder.push(crate::Stmt::ForBits { set: bits, index: bit, body: block });
        }
        Ok(())
    }
}

/// A direction that must be set.
pub(crate) fn known(direction: Option<Direction>) -> R<Direction> {
    direction.ok_or_else(|| Refusal::new("a step in a direction that may not be set"))
}
