//! Counting the moves of all pieces of a kind at once.
//!
//! `find own pawn, pick up, north, step, points at empty field, put down` gives one result for each pawn that
//! can step: a shift, an and, and a population count, without looking at a single pawn. That needs steps that
//! lead different fields to different fields, and a way that never comes back to the field that was left, so
//! that it makes no difference that all pawns are still standing there.

use multigame_game::{Direction, Piece, PieceSet};
use multigame_ir::{Op, Stmt};

use crate::analysis::facts::{Depends, Facts};
use crate::analysis::geometry::Mask;
use crate::analysis::live::Live;
use crate::lowering::Lowering;
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::{Branch, Hand, Set, State};
use crate::refusal::R;
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
    /// Where the ways that are counted have ended.
    ends: Vec<End>,
}

/// The end of a way, as far as it tells results from those of other ways.
struct End {
    to: Vec<Option<usize>>,
    seen: PieceSet,
    piece: Piece,
}

impl End {
    /// Whether both ways may have led a piece to the same result.
    fn may_equal(&self, other: &End) -> bool {
        let meets = |(a, b): (&Option<usize>, &Option<usize>)| a.is_some() && a == b;
        self.piece == other.piece
            && self.seen.iter().any(|piece| other.seen.contains(piece))
            && self.to.iter().zip(&other.to).any(meets)
    }
}

impl Count {
    /// The end of a way: its pieces are counted; false if that does not pay, or if they may have been counted.
    fn add(&mut self, way: Way) -> bool {
        let end = End { to: way.to, seen: way.seen, piece: self.piece };
        if self.ends.iter().any(|other| other.may_equal(&end)) {
            return false;
        }
        self.ends.push(end);
        match self.sets.iter_mut().find(|(known, _)| *known == way.fingers) {
            Some((_, times)) => *times += 1,
            None => self.sets.push((way.fingers, 1)),
        }
        way.put && self.sets.len() <= MOST_WAYS
    }

    fn mark(&mut self, variable: Variable) {
        if !self.marks.contains(&variable) {
            self.marks.push(variable);
        }
    }
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
    /// The field that each field has led to.
    to: Vec<Option<usize>>,
    /// What may be there, as far as the way has looked.
    seen: PieceSet,
}

impl Way {
    /// Only those fields go on that have come to one of some fields, or to another one.
    fn restricted(mut self, fields: &Mask, inside: bool) -> Way {
        let is_inside = |field: usize| fields[field / 64] >> (field % 64) & 1 != 0;
        self.to.iter_mut().for_each(|to| *to = to.filter(|&field| is_inside(field) == inside));
        self
    }
}

/// What is to be done.
#[derive(Clone, Copy)]
enum Part<'p> {
    Do(&'p Stmt),
    Mark(Variable),
}

impl<'p> Facts<'p> {
    /// `assert (row == 8), replace by queen`: what decides, and what surely follows then.
    fn condition_of(&self, stmt: &'p Stmt) -> Option<(&'p multigame_ir::Expr, Vec<&'p Stmt>)> {
        let mut parts = Vec::new();
        self.flatten(stmt, &mut parts);
        let (Stmt { op: Op::Assert(value), .. }, after) = parts.split_first()? else { return None };
        let replaces = |stmt: &Stmt| match &stmt.op {
            Op::Either(parts) => {
                !parts.is_empty() && parts.iter().all(|part| matches!(part.op, Op::Replace(_)))
            }
            _ => self.surely_one(stmt, Live { finger: true, direction: true }),
        };
        let sure = after.iter().all(|part| replaces(part));
        (sure && self.depends(value) == Depends::Place).then(|| (value, after.to_vec()))
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
        let mut bound = self.code.empty();
        for threat in self.here.threats.clone() {
            let sensitive = self.code.intersection(origins, &threat.sensitive);
            bound = self.code.union_of(&bound, &sensitive);
        }
        let free = self.code.without(origins, &bound);
        let (to, seen) = ((0..self.facts.geometry.fields).map(Some).collect(), self.every_content());
        let way = Way { fingers: free, direction: None, left: false, put: false, assigned: false, to, seen };
        let mut count = Count { sets: Vec::new(), marks: Vec::new(), piece, ends: Vec::new() };
        let mut look = state.clone();
        if !self.follow_way(parts, way, &mut count, &mut look)? || count.sets.len() > MOST_WAYS {
            return Ok(false);
        }
        self.add_counts(&count)?;
        self.each_field(rest, None, &bound, state)?;
        Ok(true)
    }

    /// The one piece that is on all the fields, if there may be many of it.
    fn carries_many(&self, state: &State) -> Option<Piece> {
        let mut pieces = state.content.iter();
        let (piece, None) = (pieces.next()?, pieces.next()) else { return None };
        let initial = &self.facts.program.description.initial;
        let many = initial.cells.iter().filter(|&&cell| cell == piece).count() >= MANY;
        (self.aim.kind == Kind::Count && piece != Piece::NONE && many && state.hand == Hand::Empty)
            .then_some(piece)
    }

    fn add_counts(&mut self, count: &Count) -> R<()> {
        let zero = self.code.constant(0);
        let mut sum = zero;
        for (set, times) in &count.sets {
            for &word in set {
                let ones = self.code.unary(Unary::CountOnes, word);
                let times = self.code.constant(*times);
                let results = self.code.binary(Binary::Multiply, ones, times);
                sum = self.code.binary(Binary::Add, sum, results);
            }
        }
        let before = self.code.get(Variable(0));
        let after = self.code.binary(Binary::Add, before, sum);
        self.code.set(Variable(0), after);
        if !count.marks.is_empty() {
            let any = self.code.is_nonzero(sum);
            for &mark in &count.marks {
                self.code.set_bits(mark, any);
            }
        }
        Ok(())
    }

    /// Follows all pieces along what remains; false if something cannot be done for all of them at once.
    fn follow_way(&mut self, parts: &[Part<'p>], way: Way, count: &mut Count, state: &mut State) -> R<bool> {
        let Some((first, after)) = parts.split_first() else { return Ok(count.add(way)) };
        let stmt = match *first {
            Part::Mark(variable) => {
                count.mark(variable);
                return self.follow_way(after, way, count, state);
            }
            Part::Do(stmt) => stmt,
        };
        match &stmt.op {
            Op::Sequence(inner) => {
                let inner: Vec<&'p Stmt> = inner.iter().collect();
                self.follow_way(&then(&inner, after), way, count, state)
            }
            Op::Call(function) if !self.facts.recursive(*function) => {
                self.follow_way(&then(&[self.facts.body(*function)], after), way, count, state)
            }
            Op::Repeat { low, high: Some(high), body } if low == high && !way.put => {
                self.follow_way(&then(&vec![&**body; *low as usize], after), way, count, state)
            }
            Op::Either(inner) => {
                let ways = inner.iter().map(|part| (then(&[part], after), way.clone()));
                self.follow_ways(ways, count, state)
            }
            Op::Face(directions) if !way.left => {
                let facing = |&direction| (after.to_vec(), Way { direction: Some(direction), ..way.clone() });
                self.follow_ways(directions.iter().map(facing), count, state)
            }
            _ => self.follow_change(stmt, after, way, count, state),
        }
    }

    /// Follows a statement that changes something, or on which it depends whether the pieces go on.
    fn follow_change(
        &mut self,
        stmt: &'p Stmt,
        after: &[Part<'p>],
        mut way: Way,
        count: &mut Count,
        state: &mut State,
    ) -> R<bool> {
        match &stmt.op {
            Op::Try(first, second) if way.put => {
                self.follow_try([first, second, stmt], after, way, count, state)
            }
            Op::Not(_) if way.put => {
                let threat = self.threat(stmt);
                let harmless = threat.is_some_and(|threat| self.cannot_bring_about(threat, count.piece));
                Ok(harmless && self.follow_way(after, way, count, state)?)
            }
            _ if self.walks_or_looks(stmt, &way) => {
                way.fingers = self.forward_set(stmt, &way, state)?;
                self.remember(stmt, &mut way);
                self.follow_way(after, way, count, state)
            }
            Op::Not(_) => Ok(false),
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
            _ => self.pass_over(stmt, after, way, count, state),
        }
    }

    /// Follows each of some ways.
    fn follow_ways(
        &mut self,
        ways: impl Iterator<Item = (Vec<Part<'p>>, Way)>,
        count: &mut Count,
        state: &mut State,
    ) -> R<bool> {
        for (parts, way) in ways {
            if !self.follow_way(&parts, way, count, state)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `try [ assert (...), ... ]` where pieces have been put down: the fields decide which way they go.
    fn follow_try(
        &mut self,
        [first, second, whole]: [&'p Stmt; 3],
        after: &[Part<'p>],
        way: Way,
        count: &mut Count,
        state: &mut State,
    ) -> R<bool> {
        let Some((condition, consequence)) = self.facts.condition_of(first) else {
            return self.pass_over(whole, after, way, count, state);
        };
        let mask = self.facts.place_mask(condition)?;
        let fields = self.code.constant_set(&mask);
        let inside = self.code.intersection(&way.fingers, &fields);
        let outside = self.code.without(&way.fingers, &fields);
        let there = Way { fingers: inside, ..way.clone().restricted(&mask, true) };
        let elsewhere = Way { fingers: outside, ..way.restricted(&mask, false) };
        Ok(self.follow_way(&then(&consequence, after), there, count, state)?
            && self.follow_way(&then(&[second], after), elsewhere, count, state)?)
    }

    /// Whether a statement only moves the fingers, or keeps those that see something, so that all can do it
    /// at once.
    ///
    /// **Invariant:** all pieces still stand where they were. So steps must not lead back there, and fields
    /// may be looked at only after the own one has been left and before another has been changed.
    fn walks_or_looks(&self, stmt: &Stmt, way: &Way) -> bool {
        let looks = way.left && !way.put;
        match &stmt.op {
            Op::Step => {
                !way.put && way.direction.is_some_and(|direction| self.facts.never_returns(direction))
            }
            Op::PointsAt(_) => looks,
            Op::Not(inner) | Op::Test(inner) => looks && matches!(inner.op, Op::PointsAt(_)),
            Op::Assert(value) => self.may_assert(value, way),
            _ => false,
        }
    }

    /// What a walk or a look tells about where a way has come to.
    fn remember(&self, stmt: &Stmt, way: &mut Way) {
        match (&stmt.op, way.direction) {
            (Op::Step, Some(direction)) => {
                let next = &self.facts.geometry.next[direction.index()];
                let step = |from: usize| next[from].map(|field| field.index());
                way.to.iter_mut().for_each(|to| *to = to.and_then(step));
                way.seen = self.every_content();
                way.left = true;
            }
            (Op::PointsAt(wanted), _) => way.seen = selected(way.seen, |piece| wanted.contains(piece)),
            (Op::Test(inner), _) => self.remember(inner, way),
            (Op::Not(inner), _) => {
                if let Op::PointsAt(unwanted) = &inner.op {
                    way.seen = selected(way.seen, |piece| !unwanted.contains(piece));
                }
            }
            _ => {}
        }
    }

    /// Everything that may be on a field.
    fn every_content(&self) -> PieceSet {
        (0..self.facts.program.description.pieces.len()).map(|piece| Piece(piece as u8)).collect()
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
        let live = after.iter().rev().fold(Live::default(), |live, part| match part {
            Part::Do(stmt) => self.facts.live(stmt, live),
            Part::Mark(_) => live,
        });
        if !self.facts.surely_one(stmt, live) || self.facts.writes(stmt) {
            return Ok(false);
        }
        way.assigned = true;
        self.follow_way(after, way, count, state)
    }

    fn forward_set(&mut self, stmt: &'p Stmt, way: &Way, state: &mut State) -> R<Set> {
        let here = self.anywhere(vec![Branch::set(way.direction, way.fingers.clone())]);
        let reached = self.forward(stmt, here, state)?;
        Ok(self.code.all_fingers(&reached.branches))
    }

    fn may_assert(&self, value: &multigame_ir::Expr, way: &Way) -> bool {
        match self.facts.depends(value) {
            Depends::Place => true,
            Depends::Position => !way.assigned && !way.left,
            Depends::Mixed => false,
        }
    }

    /// Whether putting down a piece cannot bring a threat about.
    fn cannot_bring_about(&self, threat: &'p Stmt, piece: Piece) -> bool {
        let asked = self.facts.patterns(threat);
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
            let place = crate::lowering::state::Place { field: index, reach: None, follows: false };
            lowering.run(rest, crate::emission::split::pointing_at(state, direction, place))
        })
    }
}

/// Some of the contents of a field.
fn selected(contents: PieceSet, wanted: impl Fn(Piece) -> bool) -> PieceSet {
    contents.iter().filter(|&piece| wanted(piece)).collect()
}

/// Statements, then what comes after them.
fn then<'p>(stmts: &[&'p Stmt], after: &[Part<'p>]) -> Vec<Part<'p>> {
    stmts.iter().map(|stmt| Part::Do(stmt)).chain(after.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::testing::{BOARD, check_on, check_on_without, check_unchanged_by};

    const MEN: &str = "dimensions (4, 4) no moves = loss pieces { man 'M' 'm' }
        setup { \"mmmm\" \"....\" \"....\" \"MMMM\" }";

    #[test]
    fn steps_of_all_men_are_one_shift() {
        let rules = "find own man, pick up, north, step, points at empty field, put down";
        check_on(
            MEN,
            rules,
            "main_white_count",
            expect![[r#"
            main_white_count() -> x0, x1 {
              v2 = word 2
              v3 = word 3
              v4 = v2 | v3
              v6 = 0xffff &~ v4
              v8 = v2 & 0xfff
              v10 = v8 << 4
              v12 = v6 & v10
              v13 = ones v12
              v14 = x0
              v15 = v13 + v14
              x0 = v15
            }
        "#]],
        );
        check_on_without(
            Pass::Wholesale,
            MEN,
            rules,
            "main_white_count",
            expect![[r#"
            main_white_count() -> x0, x1 {
              v2 = word 2
              v3 = word 3
              v4 = v2 | v3
              v6 = 0xffff &~ v4
              for v7 in v2 {
                v8 = 1 << v7
                v9 = v2 &~ v8
                v10 = v6 | v8
                v11 = t1[v7]
                v12 = v10 & v11
                v13 = x0
                v14 = ones v12
                v15 = v13 + v14
                x0 = v15
              }
            }
        "#]],
        );
    }

    #[test]
    fn few_pieces_are_looked_at_one_by_one() {
        // Without a setup it is not known that there are many men.
        let rules = "find own man, pick up, north, step, points at empty field, put down";
        check_unchanged_by(Pass::Wholesale, BOARD, rules, "main_white_count");
    }

    #[test]
    fn fields_are_looked_at_only_after_the_own_one_has_been_left() {
        // All men still stand where they were, so none would see that its field is empty now.
        let rules =
            "find own man, pick up, points at empty field, north, step, points at empty field, put down";
        check_unchanged_by(Pass::Wholesale, MEN, rules, "main_white_count");
    }
}
