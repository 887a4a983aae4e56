//! Counting the moves of all pieces of a kind at once.
//!
//! `find own pawn, pick up, north, step, points at empty field, put down` gives one result for each pawn that can step:
//! a shift, an and, and a population count, without looking at a single pawn. That needs steps that lead different
//! fields to different fields, and a way that never comes back to the field that was left, so that it makes no
//! difference that all pawns are still standing there.

use multigame_game::{Direction, Piece, PieceSet};
use multigame_ir::{Op, Stmt};

use crate::facts::Depends;
use crate::lower::{Lowering, R};
use crate::rest::{Rest, Step};
use crate::state::{Branch, Fingers, Hand, Set, State};
use crate::vector::anything;
use crate::{Binary, Kind, Pass, Unary, Value, Variable};

/// With fewer pieces of a kind, looking at each of them with tables is cheaper.
const MANY: usize = 4;

/// More ways than this to go are better looked up for each piece.
const MOST_WAYS: usize = 6;

/// A count in the making.
struct Count {
    /// The sets whose members are counted, and how often.
    sets: Vec<(Set, u64)>,
    marks: Vec<Variable>,
    /// The piece that is carried.
    piece: Piece,
}

/// Where a way of the pieces has come to.
#[derive(Clone)]
struct Way {
    fingers: Set,
    direction: Option<Direction>,
    /// Whether the fields have been left.
    left: bool,
    /// Whether the pieces have been put down.
    put: bool,
    /// Whether a property has been changed, so that tests of properties would see old values.
    assigned: bool,
}

/// What is to be done.
#[derive(Clone, Copy)]
enum Part<'p> {
    Do(&'p Stmt),
    Mark(Variable),
}

impl<'p> Lowering<'p> {
    /// Counts what comes of picking up each piece of a set; false if that has to be done one by one.
    pub(crate) fn count_origins(&mut self, rest: &Rest<'p>, origins: &Set, state: &State) -> R<bool> {
        let Some(piece) = self.carries_many(state).filter(|_| self.options.has(Pass::Wholesale)) else {
            return Ok(false);
        };
        let mut parts = Vec::new();
        for step in rest.steps() {
            match step {
                Step::Do(stmt) => parts.push(Part::Do(stmt)),
                Step::Mark(variable) => parts.push(Part::Mark(variable)),
                _ => return Ok(false),
            }
        }
        let Some((Part::Do(Stmt { op: Op::PickUp, .. }), parts)) = parts.split_first() else {
            return Ok(false);
        };
        // Pieces that may not leave their fields just so are looked at one by one.
        let mut bound = self.empty();
        for threat in self.threats.clone() {
            let sensitive = self.intersection(origins, &threat.sensitive);
            bound = self.union_of(&bound, &sensitive);
        }
        let free = self.without(origins, &bound);
        let way = Way { fingers: free, direction: None, left: false, put: false, assigned: false };
        let mut count = Count { sets: Vec::new(), marks: Vec::new(), piece };
        let mut look = state.clone();
        if !self.follow_way(parts, way, &mut count, &mut look)? || count.sets.len() > MOST_WAYS {
            return Ok(false);
        }
        self.add_counts(&count)?;
        self.each_field(rest, None, &bound, state)?;
        Ok(true)
    }

    /// The one piece that stands on all the fields, if there may be many of it.
    fn carries_many(&self, state: &State) -> Option<Piece> {
        let mut pieces = state.content.iter();
        let (piece, None) = (pieces.next()?, pieces.next()) else { return None };
        let initial = &self.program.description.initial;
        let many = initial.cells.iter().filter(|&&cell| cell == piece).count() >= MANY;
        (self.kind == Kind::Count && piece != Piece::NONE && many && state.hand == Hand::Empty)
            .then_some(piece)
    }

    fn add_counts(&mut self, count: &Count) -> R<()> {
        let zero = self.builder.constant(0);
        let mut sum = zero;
        for (set, times) in &count.sets {
            for &word in set {
                let ones = self.builder.unary(Unary::CountOnes, word);
                let times = self.builder.constant(*times);
                let results = self.builder.binary(Binary::Multiply, ones, times);
                sum = self.builder.binary(Binary::Add, sum, results);
            }
        }
        let before = self.builder.get(Variable(0));
        let after = self.builder.binary(Binary::Add, before, sum);
        self.builder.set(Variable(0), after);
        if !count.marks.is_empty() {
            let any = self.builder.is_nonzero(sum);
            for &mark in &count.marks {
                self.builder.set_bits(mark, any);
            }
        }
        Ok(())
    }

    /// Follows all pieces along what remains; false if something cannot be done for all of them at once.
    fn follow_way(
        &mut self,
        parts: &[Part<'p>],
        mut way: Way,
        count: &mut Count,
        state: &mut State,
    ) -> R<bool> {
        let Some((first, after)) = parts.split_first() else {
            match count.sets.iter_mut().find(|(known, _)| *known == way.fingers) {
                Some((_, times)) => *times += 1,
                None => count.sets.push((way.fingers, 1)),
            }
            return Ok(way.put && count.sets.len() <= MOST_WAYS);
        };
        let stmt = match *first {
            Part::Mark(variable) => {
                if !count.marks.contains(&variable) {
                    count.marks.push(variable);
                }
                return self.follow_way(after, way, count, state);
            }
            Part::Do(stmt) => stmt,
        };
        let then = |stmts: &[&'p Stmt]| -> Vec<Part<'p>> {
            stmts.iter().map(|stmt| Part::Do(stmt)).chain(after.iter().copied()).collect()
        };
        match &stmt.op {
            Op::Sequence(inner) => {
                let inner: Vec<&'p Stmt> = inner.iter().collect();
                self.follow_way(&then(&inner), way, count, state)
            }
            Op::Call(function) if !self.facts.recursive(*function) => {
                self.follow_way(&then(&[self.facts.body(*function)]), way, count, state)
            }
            Op::Either(inner) => {
                for part in inner {
                    if !self.follow_way(&then(&[part]), way.clone(), count, state)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Op::Face(directions) if !way.left => {
                for &direction in directions {
                    let way = Way { direction: Some(direction), ..way.clone() };
                    if !self.follow_way(after, way, count, state)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Op::Step if !way.put && way.direction.is_some_and(|direction| self.never_returns(direction)) => {
                way.fingers = self.forward_set(stmt, &way, state)?;
                way.left = true;
                self.follow_way(after, way, count, state)
            }
            Op::Repeat { low, high: Some(high), body } if low == high && !way.put => {
                let rounds = vec![&**body; *low as usize];
                self.follow_way(&then(&rounds), way, count, state)
            }
            Op::PointsAt(_) if way.left && !way.put => {
                way.fingers = self.forward_set(stmt, &way, state)?;
                self.follow_way(after, way, count, state)
            }
            Op::Not(inner) | Op::Test(inner)
                if way.left && !way.put && matches!(inner.op, Op::PointsAt(_)) =>
            {
                way.fingers = self.forward_set(stmt, &way, state)?;
                self.follow_way(after, way, count, state)
            }
            Op::Assert(value) if self.may_assert(value, &way) => {
                way.fingers = self.forward_set(stmt, &way, state)?;
                self.follow_way(after, way, count, state)
            }
            Op::PutDown if way.left && !way.put => {
                way.put = true;
                self.follow_way(after, way, count, state)
            }
            Op::Replace(piece) if way.put && *piece != Piece::NONE => {
                let before = std::mem::replace(&mut count.piece, *piece);
                let harmless = self.follow_way(after, way, count, state)?;
                count.piece = before;
                Ok(harmless)
            }
            Op::Try(first, second) => match self.condition_of(first) {
                Some((condition, consequence)) if way.put => {
                    let mask = self.place_mask(condition)?;
                    let fields = self.constant_set(&mask);
                    let inside = self.intersection(&way.fingers, &fields);
                    let outside = self.without(&way.fingers, &fields);
                    let there = Way { fingers: inside, ..way.clone() };
                    let elsewhere = Way { fingers: outside, ..way };
                    Ok(self.follow_way(&then(&consequence), there, count, state)?
                        && self.follow_way(&then(&[second]), elsewhere, count, state)?)
                }
                _ => self.pass_over(stmt, after, way, count, state),
            },
            Op::Not(_) => match self.threat(stmt) {
                Some(threat) if way.put && self.cannot_bring_about(threat, count.piece) => {
                    self.follow_way(after, way, count, state)
                }
                _ => Ok(false),
            },
            _ => self.pass_over(stmt, after, way, count, state),
        }
    }

    /// A statement that changes nothing about how many results there are.
    fn pass_over(
        &mut self,
        stmt: &'p Stmt,
        after: &[Part<'p>],
        mut way: Way,
        count: &mut Count,
        state: &mut State,
    ) -> R<bool> {
        if !self.facts.surely_one(stmt) || self.facts.writes(stmt) {
            return Ok(false);
        }
        way.assigned = true;
        self.follow_way(after, way, count, state)
    }

    fn forward_set(&mut self, stmt: &'p Stmt, way: &Way, state: &mut State) -> R<Set> {
        let fingers = Fingers::Set(way.fingers.clone());
        let branch = Branch { direction: way.direction, fingers, reach: None, behind: None };
        let (branches, _) = self.forward(stmt, vec![branch], anything(self.layout.pieces), state)?;
        let mut all = self.empty();
        for branch in &branches {
            let set = self.as_set(&branch.fingers);
            all = self.union_of(&all, &set);
        }
        Ok(all)
    }

    fn may_assert(&self, value: &multigame_ir::Expr, way: &Way) -> bool {
        match self.facts.depends(value) {
            Depends::Place => true,
            Depends::Position => !way.assigned && !way.left,
            Depends::Mixed => false,
        }
    }

    /// `assert (row == 8), replace by queen`: what decides, and what surely follows then.
    fn condition_of(&self, stmt: &'p Stmt) -> Option<(&'p multigame_ir::Expr, Vec<&'p Stmt>)> {
        let mut parts = Vec::new();
        self.flatten(stmt, &mut parts);
        let (Stmt { op: Op::Assert(value), .. }, after) = parts.split_first()? else { return None };
        let replaces = |stmt: &Stmt| match &stmt.op {
            Op::Either(parts) => {
                !parts.is_empty() && parts.iter().all(|part| matches!(part.op, Op::Replace(_)))
            }
            _ => self.facts.surely_one(stmt),
        };
        let sure = after.iter().all(|part| replaces(part));
        (sure && self.facts.depends(value) == Depends::Place).then(|| (value, after.to_vec()))
    }

    /// Whether steps in a direction lead each field to another one, and never back to where they began.
    pub(crate) fn never_returns(&self, direction: Direction) -> bool {
        let next = &self.geometry.next[direction.index()];
        let mut reached = vec![false; next.len()];
        for to in next.iter().flatten() {
            if std::mem::replace(&mut reached[to.index()], true) {
                return false;
            }
        }
        (0..next.len()).all(|start| {
            let mut at = next[start];
            for _ in 0..next.len() {
                match at {
                    None => return true,
                    Some(field) if field.index() == start => return false,
                    Some(field) => at = next[field.index()],
                }
            }
            false
        })
    }

    /// Whether putting down a piece cannot bring a threat about.
    fn cannot_bring_about(&self, threat: &'p Stmt, piece: Piece) -> bool {
        let asked = self.patterns(threat);
        let is_asked = |piece: Piece| asked.iter().any(|pattern: &PieceSet| pattern.contains(piece));
        piece != Piece::NONE && self.own_pieces().contains(piece) && !is_asked(piece)
    }

    /// The usual way: one field after the other.
    pub(crate) fn each_field(
        &mut self,
        rest: &Rest<'p>,
        direction: Option<Direction>,
        fields: &Set,
        state: &State,
    ) -> R<()> {
        self.for_each_field(fields, &mut |lowering, index: Value| {
            let place = crate::state::Place { field: index, reach: None, follows: false };
            lowering.run(rest, crate::results::pointing_at(state, direction, place))
        })
    }
}
