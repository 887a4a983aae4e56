//! Taking pieces from stacks and putting them down, as arithmetic on the properties that keep stacks.
//!
//! The pieces below the top of a stack are the digits of a number, the upper ones first; so are those in the
//! hand, whose first digit stays 0: its top piece has a number of its own. Taking and putting down are shifts
//! of these numbers. Every back end gets stacks in this way, and none knows of them.

use multigame_game::{Piece, PieceSet, Stacks};
use multigame_ir::{BinaryOp, Expr, ExprOp, Op, OriginId, Slot, Stmt};
use multigame_sema::model::{self, ExprKind, StackModel, Variable};
use multigame_syntax::Span;

use crate::lower::Body;

impl<'m> Body<'_, 'm> {
    /// `pick up (e)`
    pub(crate) fn lift(&mut self, count: &'m model::Expr, span: Span) -> Op {
        let Some(kept) = self.stacks(span) else { return Op::Either(Vec::new()) };
        // `pick up (height)`, which many games say, leaves nothing behind.
        let whole = count.kind == ExprKind::Load(Variable::Field(kept.stacks.height));
        let (first, taken) = match whole {
            true => (Some(Stmt::new(Op::PointsAt(kept.pieces()), kept.origin)), kept.height()),
            false => kept.taken(count.constant(), || self.expression(count)),
        };
        let mut parts: Vec<Stmt> = first.into_iter().collect();
        if !whole {
            parts.push(kept.assert(kept.binary(BinaryOp::GreaterEqual, kept.height(), taken.clone())));
        }
        if !kept.all_covered() {
            let under = kept.binary(BinaryOp::Equal, kept.carried(), kept.number(0));
            let below = kept.is_one_of(kept.covered());
            parts.push(kept.assert(Expr { op: ExprOp::Or(under.into(), below.into()), origin: kept.origin }));
        }
        // The whole stack as digits; that of the piece that leads the hand stays 0.
        let leads = kept.binary(BinaryOp::Equal, kept.carried(), kept.number(0));
        let follows = Expr { op: ExprOp::Not(leads.clone().into()), origin: kept.origin };
        let top = kept.binary(BinaryOp::Multiply, follows, kept.top_digit());
        let stack = kept.binary(BinaryOp::BitOr, top, kept.shift_in(kept.below(), kept.number(kept.bits)));
        let arriving = if whole { stack } else { kept.low(stack, kept.places(taken.clone())) };
        let arriving = kept.shift_in(arriving, kept.places(kept.carried()));
        let hand = kept.binary(BinaryOp::BitOr, kept.hand(), arriving);
        parts.extend(kept.store_high_first(&kept.slots.hand, hand));
        let top = kept.conditional(leads, kept.top_number(), kept.load(kept.slots.top));
        parts.push(kept.store(kept.slots.top, top));
        let carried = kept.binary(BinaryOp::Add, kept.carried(), taken.clone());
        parts.push(kept.store(kept.slots.carried, carried));
        if whole {
            parts.extend(kept.store_low_first(&kept.slots.below, kept.number(0)));
            parts.push(kept.store(kept.slots.height, kept.number(0)));
            parts.push(Stmt::new(Op::Replace(Piece::NONE), kept.origin));
            return Op::Sequence(parts);
        }
        let left = kept.binary(BinaryOp::Subtract, kept.height(), taken.clone());
        let before = kept.binary(BinaryOp::Subtract, taken.clone(), kept.number(1));
        let next = kept.digit(kept.binary(BinaryOp::ShiftRight, kept.below(), kept.places(before)));
        let empty = kept.binary(BinaryOp::Equal, left.clone(), kept.number(0));
        parts.push(kept.store(kept.slots.next, kept.conditional(empty, kept.number(0), kept.piece_of(next))));
        let below = kept.binary(BinaryOp::ShiftRight, kept.below(), kept.places(taken.clone()));
        parts.extend(kept.store_low_first(&kept.slots.below, below));
        parts.push(kept.store(kept.slots.height, left));
        parts.push(kept.reveal(kept.covered().union(PieceSet::of(Piece::NONE))));
        Op::Sequence(parts)
    }

    /// `put down`, `put down (e)`
    pub(crate) fn drop(&mut self, count: Option<&'m model::Expr>, span: Span) -> Op {
        let Some(kept) = self.stacks(span) else { return Op::Either(Vec::new()) };
        let (first, taken) = match count {
            Some(count) => kept.taken(count.constant(), || self.expression(count)),
            None => kept.taken(None, || kept.carried()),
        };
        let mut parts: Vec<Stmt> = first.into_iter().collect();
        if count.is_some() {
            parts.push(kept.assert(kept.binary(BinaryOp::GreaterEqual, kept.carried(), taken.clone())));
        }
        if !kept.all_covered() {
            let pieces = kept.covered().union(PieceSet::of(Piece::NONE));
            parts.push(Stmt::new(Op::PointsAt(pieces), kept.origin));
        }
        let left = match count {
            Some(_) => kept.binary(BinaryOp::Subtract, kept.carried(), taken.clone()),
            None => kept.number(0),
        };
        parts.push(kept.store(kept.slots.left, left));
        let left = || match count {
            Some(_) => kept.load(kept.slots.left),
            None => kept.number(0),
        };
        let height = kept.binary(BinaryOp::Add, kept.height(), taken.clone());
        parts.push(kept.store(kept.slots.height, height));
        let dropped = kept.binary(BinaryOp::ShiftRight, kept.hand(), kept.places(left()));
        let all = kept.binary(BinaryOp::Equal, left(), kept.number(0));
        let top = kept.load(kept.slots.top);
        let next = kept.conditional(all.clone(), top, kept.piece_of(kept.digit(dropped.clone())));
        parts.push(kept.store(kept.slots.next, next));
        // The pieces put down but for their top, above those that were there.
        let arriving = kept.binary(BinaryOp::ShiftRight, dropped, kept.number(kept.bits));
        let there = kept.shift_in(kept.below(), kept.number(kept.bits));
        let there = kept.binary(BinaryOp::BitOr, kept.top_digit(), there);
        let before = kept.binary(BinaryOp::Subtract, taken, kept.number(1));
        let there = kept.shift_in(there, kept.places(before));
        let below = kept.binary(BinaryOp::BitOr, arriving, there);
        parts.extend(kept.store_high_first(&kept.slots.below, below));
        parts.extend(kept.store_low_first(&kept.slots.hand, kept.low(kept.hand(), kept.places(left()))));
        parts.push(kept.store(kept.slots.carried, left()));
        let top = kept.conditional(all, kept.number(0), kept.load(kept.slots.top));
        parts.push(kept.store(kept.slots.top, top));
        parts.push(kept.reveal(kept.pieces()));
        Op::Sequence(parts)
    }

    /// `add P`: a new piece comes to lie on top.
    pub(crate) fn add(&mut self, pieces: &[[Piece; 2]], span: Span) -> Op {
        let set: PieceSet = pieces.iter().map(|both| both[self.view.index()]).collect();
        let Some(kept) = self.stacks(span) else { return Op::Either(Vec::new()) };
        let each = set.iter().map(|piece| kept.add(piece)).collect();
        let added = Stmt::new(Op::Either(each), kept.origin);
        if kept.all_covered() {
            return Op::Sequence(vec![added]);
        }
        let pieces = kept.covered().union(PieceSet::of(Piece::NONE));
        Op::Sequence(vec![Stmt::new(Op::PointsAt(pieces), kept.origin), added])
    }

    /// `replace by empty field`: the top piece leaves the board.
    pub(crate) fn remove_top(&mut self, span: Span) -> Op {
        let Some(kept) = self.stacks(span) else { return Op::Either(Vec::new()) };
        let last = kept.binary(BinaryOp::Equal, kept.height(), kept.number(1));
        let next = kept.conditional(last, kept.number(0), kept.piece_of(kept.digit(kept.below())));
        let below = kept.binary(BinaryOp::ShiftRight, kept.below(), kept.number(kept.bits));
        let height = kept.binary(BinaryOp::Subtract, kept.height(), kept.number(1));
        let mut parts = vec![Stmt::new(Op::PointsAt(kept.pieces()), kept.origin)];
        parts.push(kept.store(kept.slots.next, next));
        parts.extend(kept.store_low_first(&kept.slots.below, below));
        parts.push(kept.store(kept.slots.height, height));
        parts.push(kept.reveal(kept.covered().union(PieceSet::of(Piece::NONE))));
        let removes = Stmt::new(Op::Sequence(parts), kept.origin);
        Op::Try(Box::new(removes), Box::new(Stmt::nothing()))
    }

    /// `replace by man`: on an empty field a stack of one.
    pub(crate) fn replace_top(&mut self, piece: Piece, span: Span) -> Op {
        let Some(kept) = self.stacks(span) else { return Op::Replace(piece) };
        let empty = kept.binary(BinaryOp::Equal, kept.height(), kept.number(0));
        let height = kept.conditional(empty, kept.number(1), kept.height());
        let replaces = Stmt::new(Op::Replace(piece), kept.origin);
        Op::Sequence(vec![replaces, kept.store(kept.slots.height, height)])
    }

    /// A move, and an error where it ends with pieces in the hand.
    pub(crate) fn with_empty_hand(&mut self, made: Stmt, span: Span) -> Stmt {
        let Some(kept) = self.stacks(span) else { return made };
        let ends = kept.store(kept.slots.end, kept.carried());
        Stmt::new(Op::Sequence(vec![made, ends]), kept.origin)
    }

    /// Where stacks are kept, if fields hold any.
    fn stacks(&mut self, span: Span) -> Option<Kept<'m>> {
        let model = self.lowering.model;
        let stacks = model.stacks.as_ref()?;
        let of_hand = |property| self.slot(Variable::Move(property));
        let of_field = |property| self.slot(Variable::Field(property));
        let slots = Slots {
            height: of_field(stacks.height),
            below: stacks.below.iter().map(|&property| of_field(property)).collect(),
            carried: of_hand(stacks.carried),
            top: of_hand(stacks.top),
            hand: stacks.hand.iter().map(|&property| of_hand(property)).collect(),
            taken: of_hand(stacks.taken),
            left: of_hand(stacks.left),
            next: of_hand(stacks.next),
            end: of_hand(stacks.end),
        };
        let bits = i64::from(Stacks { covered: stacks.covered.clone() }.bits());
        let piece_count = model.description.pieces.len();
        Some(Kept { stacks, slots, bits, piece_count, origin: self.origin(span) })
    }
}

/// Where stacks are kept while a move is built.
struct Slots {
    height: Slot,
    below: Vec<Slot>,
    carried: Slot,
    top: Slot,
    hand: Vec<Slot>,
    taken: Slot,
    left: Slot,
    next: Slot,
    end: Slot,
}

/// What makes statements about stacks.
struct Kept<'m> {
    stacks: &'m StackModel,
    slots: Slots,
    /// Bits of a digit.
    bits: i64,
    piece_count: usize,
    origin: OriginId,
}

impl Kept<'_> {
    /// A piece on top of the field under the finger.
    fn add(&self, piece: Piece) -> Stmt {
        let height = self.binary(BinaryOp::Add, self.height(), self.number(1));
        let mut parts = vec![self.store(self.slots.height, height)];
        let there = self.shift_in(self.below(), self.number(self.bits));
        let below = self.binary(BinaryOp::BitOr, self.top_digit(), there);
        parts.extend(self.store_high_first(&self.slots.below, below));
        parts.push(Stmt::new(Op::Replace(piece), self.origin));
        Stmt::new(Op::Sequence(parts), self.origin)
    }

    fn expr(&self, op: ExprOp) -> Expr {
        Expr { op, origin: self.origin }
    }

    fn number(&self, value: i64) -> Expr {
        Expr { op: ExprOp::Const(value), origin: OriginId::default() }
    }

    fn load(&self, slot: Slot) -> Expr {
        self.expr(ExprOp::Load(slot))
    }

    fn binary(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        match (op, &a.op, &b.op) {
            (BinaryOp::BitAnd | BinaryOp::ShiftRight, ExprOp::Const(0), _) => a,
            (BinaryOp::Multiply, _, ExprOp::Const(1)) => a,
            (BinaryOp::ShiftRight | BinaryOp::ShiftIn | BinaryOp::Subtract, _, ExprOp::Const(0)) => a,
            (BinaryOp::Multiply, ExprOp::Const(x), ExprOp::Const(y)) => self.number(x * y),
            (BinaryOp::Subtract, ExprOp::Const(x), ExprOp::Const(y)) => self.number(x - y),
            (BinaryOp::Equal, ExprOp::Const(x), ExprOp::Const(y)) => self.number(i64::from(x == y)),
            _ => self.expr(ExprOp::Binary(op, Box::new(a), Box::new(b))),
        }
    }

    fn conditional(&self, condition: Expr, a: Expr, b: Expr) -> Expr {
        match condition.op {
            ExprOp::Const(0) => b,
            ExprOp::Const(_) => a,
            _ => self.expr(ExprOp::Conditional(Box::new(condition), Box::new(a), Box::new(b))),
        }
    }

    fn shift_in(&self, a: Expr, by: Expr) -> Expr {
        self.binary(BinaryOp::ShiftIn, a, by)
    }

    /// The lowest bits: what is left when all others are taken away.
    fn low(&self, a: Expr, bits: Expr) -> Expr {
        if bits.op == ExprOp::Const(0) {
            return self.number(0);
        }
        let high = self.binary(BinaryOp::ShiftRight, a.clone(), bits.clone());
        self.binary(BinaryOp::BitXor, a, self.shift_in(high, bits))
    }

    /// The bits of so many digits.
    fn places(&self, digits: Expr) -> Expr {
        self.binary(BinaryOp::Multiply, digits, self.number(self.bits))
    }

    /// The lowest digit.
    fn digit(&self, digits: Expr) -> Expr {
        self.binary(BinaryOp::BitAnd, digits, self.number((1 << self.bits) - 1))
    }

    fn assert(&self, value: Expr) -> Stmt {
        Stmt::new(Op::Assert(value), self.origin)
    }

    fn store(&self, slot: Slot, value: Expr) -> Stmt {
        Stmt::new(Op::Assign(self.expr(ExprOp::Store(slot, Box::new(value)))), self.origin)
    }

    /// How many pieces are meant, and the statement that remembers it unless it is a constant.
    fn taken(&self, constant: Option<i64>, count: impl FnOnce() -> Expr) -> (Option<Stmt>, Expr) {
        match constant {
            Some(count) => (None, self.number(count)),
            None => (Some(self.store(self.slots.taken, count())), self.load(self.slots.taken)),
        }
    }

    fn height(&self) -> Expr {
        self.load(self.slots.height)
    }

    fn carried(&self) -> Expr {
        self.load(self.slots.carried)
    }

    fn below(&self) -> Expr {
        self.joined(&self.slots.below)
    }

    fn hand(&self) -> Expr {
        self.joined(&self.slots.hand)
    }

    /// The properties of a number of digits as one number.
    fn joined(&self, slots: &[Slot]) -> Expr {
        let parts = slots.iter().zip(0_i64..).map(|(&slot, number)| {
            let places = number * i64::from(Stacks::CHUNK);
            self.shift_in(self.load(slot), self.number(places))
        });
        parts.reduce(|low, high| self.binary(BinaryOp::BitOr, low, high)).unwrap_or_else(|| self.number(0))
    }

    /// Stores a number of digits of which each part depends on itself and on higher ones only.
    fn store_low_first(&self, slots: &[Slot], value: Expr) -> Vec<Stmt> {
        let part = |(&slot, number)| self.store(slot, self.chunk(value.clone(), number));
        slots.iter().zip(0_i64..).map(part).collect()
    }

    /// Stores a number of digits of which each part depends on itself and on lower ones only.
    fn store_high_first(&self, slots: &[Slot], value: Expr) -> Vec<Stmt> {
        let mut parts = self.store_low_first(slots, value);
        parts.reverse();
        parts
    }

    fn chunk(&self, value: Expr, number: i64) -> Expr {
        let places = self.number(number * i64::from(Stacks::CHUNK));
        let shifted = self.binary(BinaryOp::ShiftRight, value, places);
        self.binary(BinaryOp::BitAnd, shifted, self.number((1 << Stacks::CHUNK) - 1))
    }

    fn pieces(&self) -> PieceSet {
        (1..self.piece_count).map(|piece| Piece(piece as u8)).collect()
    }

    fn covered(&self) -> PieceSet {
        self.stacks.covered.iter().copied().collect()
    }

    fn all_covered(&self) -> bool {
        self.covered() == self.pieces()
    }

    /// 1 if the field under the finger holds one of these.
    fn is_one_of(&self, pieces: PieceSet) -> Expr {
        self.expr(ExprOp::Count(Box::new(Stmt::new(Op::PointsAt(pieces), self.origin))))
    }

    /// The digit of the piece under the finger; 0 for an empty field.
    fn top_digit(&self) -> Expr {
        self.coded(|piece| {
            let digit = self.stacks.covered.iter().position(|&covered| covered == piece);
            digit.unwrap_or(0)
        })
    }

    /// The number of the piece under the finger.
    fn top_number(&self) -> Expr {
        self.coded(Piece::index)
    }

    /// A number that belongs to the piece under the finger, bit by bit; 0 for an empty field.
    fn coded(&self, code: impl Fn(Piece) -> usize) -> Expr {
        let has = |bit: u32| self.pieces().iter().filter(|&piece| code(piece) >> bit & 1 != 0).collect();
        let bits = (0..u8::BITS).map(|bit| (bit, has(bit)));
        let bits = bits.filter(|(_, pieces): &(u32, PieceSet)| !pieces.is_empty());
        let terms =
            bits.map(|(bit, pieces)| self.shift_in(self.is_one_of(pieces), self.number(i64::from(bit))));
        terms.reduce(|a, b| self.binary(BinaryOp::BitOr, a, b)).unwrap_or_else(|| self.number(0))
    }

    /// The number of the piece with a digit.
    fn piece_of(&self, digit: Expr) -> Expr {
        let covered = &self.stacks.covered;
        let first = covered.first().map_or(0, |piece| piece.index());
        if covered.iter().zip(first..).all(|(piece, number)| piece.index() == number) {
            // Digits beyond the pieces do not occur.
            let last = self.number(covered.len() as i64 - 1);
            let beyond = self.binary(BinaryOp::Greater, digit.clone(), last.clone());
            let digit = match covered.len().is_power_of_two() && covered.len() > 1 {
                true => digit,
                false => self.conditional(beyond, last, digit),
            };
            return self.binary(BinaryOp::Add, digit, self.number(first as i64));
        }
        let known = covered.iter().zip(0..).map(|(piece, number)| {
            let same = self.binary(BinaryOp::Equal, digit.clone(), self.number(number));
            self.binary(BinaryOp::Multiply, same, self.number(piece.index() as i64))
        });
        known.reduce(|a, b| self.binary(BinaryOp::Add, a, b)).unwrap_or_else(|| self.number(0))
    }

    /// What comes to lie on top is one of these: it is put there.
    fn reveal(&self, pieces: PieceSet) -> Stmt {
        let replace = |piece| Stmt::new(Op::Replace(piece), self.origin);
        let mut pieces: Vec<Piece> = pieces.iter().collect();
        let last = pieces.pop().map_or_else(Stmt::nothing, replace);
        pieces.into_iter().rev().fold(last, |otherwise, piece| {
            let next = self.load(self.slots.next);
            let is = self.binary(BinaryOp::Equal, next, self.number(piece.index() as i64));
            let parts = vec![self.assert(is), replace(piece)];
            let this = Stmt::new(Op::Sequence(parts), self.origin);
            Stmt::new(Op::Try(Box::new(this), Box::new(otherwise)), self.origin)
        })
    }
}
