//! Reduces a program to what can run when only some pieces can be on the board.
//!
//! Two things are known of every position that can come up: which pieces it may have, and which properties
//! still have their least values. Statements that need anything else are dead; what is dead puts no pieces on
//! the board and changes no properties, so both are found together, as a least fixed point.

use multigame_game::{Field, Piece, PieceSet, Scope};

use crate::{BinaryOp, Expr, ExprOp, FunctionId, Op, Program, Slot, Stmt};

/// Calls that are looked into to see that a statement only tests.
const DEEPEST: u32 = 8;

/// A program without its dead parts.
pub(super) struct Reduction<'p> {
    pub program: &'p Program,
    /// The pieces that may be on a field, the empty one included.
    pieces: PieceSet,
    /// The value of each slot where it never changes.
    constants: Vec<Option<i64>>,
    /// Slots that nothing reads.
    idle: Vec<bool>,
    /// The functions that were reduced.
    functions: Vec<Option<Stmt>>,
    /// Those that are being reduced.
    open: Vec<bool>,
}

/// What living statements do.
#[derive(Default)]
struct Effects {
    pieces: Vec<Piece>,
    stored: Vec<Slot>,
    loaded: Vec<Slot>,
    /// Whether results are counted or compared, so that it matters which of them are equal.
    counts: bool,
}

impl<'p> Reduction<'p> {
    /// Reduces a program to what can run with these pieces.
    pub fn of(program: &'p Program, pieces: PieceSet) -> Reduction<'p> {
        let board = &program.description.board;
        let properties = program.description.properties.iter().flat_map(|property| {
            let value = property.hashed.then_some(i64::from(property.low));
            std::iter::repeat_n(value, property.length(board))
        });
        let begin = program.move_properties.iter().map(|property| Some(i64::from(property.low)));
        let constants: Vec<Option<i64>> = properties.chain(begin).collect();
        let mut reduction = Reduction {
            program,
            pieces: pieces.union(PieceSet::of(Piece::NONE)),
            idle: vec![false; constants.len()],
            constants,
            functions: Vec::new(),
            open: Vec::new(),
        };
        let effects = loop {
            reduction.reduce();
            let effects = reduction.effects();
            if !reduction.learn(&effects) {
                break effects;
            }
        };
        for slot in 0..reduction.idle.len() {
            let read = effects.loaded.iter().any(|&loaded| reduction.slots(loaded).contains(&slot));
            reduction.idle[slot] = !effects.counts && !read;
        }
        reduction.reduce();
        reduction
    }

    /// The functions in which a position's moves, and its end, begin.
    pub fn entries(&self) -> impl Iterator<Item = FunctionId> + use<> {
        let program = self.program;
        let entries: Vec<FunctionId> =
            program.main.into_iter().chain(program.last.into_iter().flatten()).chain(program.goal).collect();
        entries.into_iter()
    }

    /// A function that is alive.
    pub fn function(&self, id: FunctionId) -> Option<&Stmt> {
        self.functions[id.0 as usize].as_ref()
    }

    /// Whether a slot is a value of a certain field.
    pub fn belongs_to_field(&self, slot: u16) -> bool {
        let description = &self.program.description;
        let mut fields = description.properties.iter().filter(|property| property.scope == Scope::Field);
        fields.any(|it| (it.offset..it.offset + it.length(&description.board)).contains(&slot.into()))
    }

    fn reduce(&mut self) {
        self.functions = vec![None; self.program.functions.len()];
        self.open = vec![false; self.program.functions.len()];
        for entry in self.entries() {
            self.call(entry);
        }
    }

    /// The slots that may be meant.
    fn slots(&self, slot: Slot) -> std::ops::Range<usize> {
        match slot {
            Slot::Value(number) => number.into()..usize::from(number) + 1,
            Slot::AtFinger(first) => first.into()..usize::from(first) + self.program.description.board.size(),
        }
    }

    fn constant(&self, slot: Slot) -> Option<i64> {
        let mut values = self.constants[self.slots(slot)].iter();
        let first = (*values.next()?)?;
        values.all(|value| *value == Some(first)).then_some(first)
    }

    /// Takes into account what living statements do; whether that is new.
    fn learn(&mut self, effects: &Effects) -> bool {
        let mut news = false;
        for &piece in &effects.pieces {
            news |= !self.pieces.contains(piece);
            self.pieces.insert(piece);
        }
        for slot in effects.stored.iter().flat_map(|&slot| self.slots(slot)).collect::<Vec<_>>() {
            news |= self.constants[slot].take().is_some();
        }
        news
    }

    fn effects(&self) -> Effects {
        let mut effects = Effects::default();
        let alive = self.functions.iter().flatten();
        alive.for_each(|body| in_statement(body, &mut effects));
        effects
    }

    fn living(&self, pieces: PieceSet) -> PieceSet {
        pieces.iter().filter(|&piece| self.pieces.contains(piece)).collect()
    }

    fn call(&mut self, id: FunctionId) -> Stmt {
        let number = id.0 as usize;
        let call = Stmt::new(Op::Call(id), Default::default());
        if self.open[number] {
            return call;
        }
        if self.functions[number].is_none() {
            self.open[number] = true;
            let program = self.program;
            let body = self.statement(&program.function(id).body);
            self.open[number] = false;
            self.functions[number] = Some(body);
        }
        match &self.functions[number] {
            Some(body) if is_nothing(body) || is_failure(body) => body.clone(),
            _ => call,
        }
    }

    fn statement(&mut self, stmt: &Stmt) -> Stmt {
        let op = match &stmt.op {
            Op::Sequence(parts) => return self.sequence(parts),
            Op::Either(parts) => return self.either(parts),
            Op::Try(a, b) => {
                let (a, b) = (self.statement(a), self.statement(b));
                if is_failure(&a) || (is_nothing(&b) && self.only_tests(&a, 0)) {
                    return b;
                }
                if is_nothing(&a) || is_failure(&b) {
                    return a;
                }
                Op::Try(a.into(), b.into())
            }
            Op::Test(a) => {
                let a = self.statement(a);
                if is_failure(&a) || self.only_tests(&a, 0) {
                    return a;
                }
                Op::Test(a.into())
            }
            Op::Not(a) => {
                let a = self.statement(a);
                if is_failure(&a) {
                    return Stmt::nothing();
                }
                if is_nothing(&a) {
                    return Stmt::fail();
                }
                Op::Not(a.into())
            }
            Op::Repeat { low, high, body } => {
                let body = self.statement(body);
                if is_failure(&body) {
                    return if *low == 0 { Stmt::nothing() } else { Stmt::fail() };
                }
                Op::Repeat { low: *low, high: *high, body: body.into() }
            }
            Op::While { condition, body } => {
                let condition = self.statement(condition);
                if is_failure(&condition) {
                    return Stmt::nothing();
                }
                Op::While { condition: condition.into(), body: self.statement(body).into() }
            }
            Op::Greatest(value, body) => {
                let body = self.statement(body);
                if is_failure(&body) {
                    return body;
                }
                Op::Greatest(self.expression(value), body.into())
            }
            Op::ForEachField(pieces, body) => {
                let (pieces, body) = (self.living(*pieces), self.statement(body));
                if pieces.is_empty() || is_failure(&body) {
                    return Stmt::nothing();
                }
                Op::ForEachField(pieces, body.into())
            }
            Op::ForEachDirection(directions, body) => {
                let body = self.statement(body);
                if is_failure(&body) {
                    return Stmt::nothing();
                }
                Op::ForEachDirection(directions.clone(), body.into())
            }
            Op::Call(id) => return self.call(*id),
            Op::Find(pieces) | Op::PointsAt(pieces) => {
                let living = self.living(*pieces);
                if living.is_empty() {
                    return Stmt::fail();
                }
                if matches!(stmt.op, Op::Find(_)) { Op::Find(living) } else { Op::PointsAt(living) }
            }
            Op::Match(fields) => {
                let fields: Vec<(Field, PieceSet)> =
                    fields.iter().map(|&(field, pieces)| (field, self.living(pieces))).collect();
                if fields.iter().any(|(_, pieces)| pieces.is_empty()) {
                    return Stmt::fail();
                }
                Op::Match(fields)
            }
            Op::MoveTo { column, row, view } => {
                Op::MoveTo { column: self.expression(column), row: self.expression(row), view: *view }
            }
            Op::Assert(value) => match self.expression(value) {
                Expr { op: ExprOp::Const(0), .. } => return Stmt::fail(),
                Expr { op: ExprOp::Const(_), .. } => return Stmt::nothing(),
                value => Op::Assert(value),
            },
            Op::Assign(value) => {
                let value = self.expression(value);
                if is_pure(&value) {
                    return Stmt::nothing();
                }
                Op::Assign(value)
            }
            Op::Score(value, view) => Op::Score(self.expression(value), *view),
            other => other.clone(),
        };
        Stmt::new(op, Default::default())
    }

    fn sequence(&mut self, parts: &[Stmt]) -> Stmt {
        let mut all = Vec::new();
        for part in parts {
            let part = self.statement(part);
            if is_failure(&part) {
                return part;
            }
            match part.op {
                Op::Sequence(parts) => all.extend(parts),
                op => all.push(Stmt::new(op, Default::default())),
            }
        }
        single(all, Op::Sequence)
    }

    fn either(&mut self, parts: &[Stmt]) -> Stmt {
        let mut all = Vec::new();
        for part in parts {
            let part = self.statement(part);
            match part.op {
                Op::Either(parts) => all.extend(parts),
                op => all.push(Stmt::new(op, Default::default())),
            }
        }
        single(all, Op::Either)
    }

    /// Whether the result of a statement is the state as it was, or none.
    fn only_tests(&self, stmt: &Stmt, depth: u32) -> bool {
        let all = |parts: &[Stmt]| parts.iter().all(|part| self.only_tests(part, depth));
        match &stmt.op {
            Op::Sequence(parts) | Op::Either(parts) => all(parts),
            Op::Try(a, b) => self.only_tests(a, depth) && self.only_tests(b, depth),
            Op::Test(_) | Op::Not(_) | Op::PointsAt(_) | Op::Match(_) => true,
            Op::Assert(value) => is_pure(value),
            Op::Call(id) if depth < DEEPEST => {
                self.function(*id).is_some_and(|body| self.only_tests(body, depth + 1))
            }
            _ => false,
        }
    }

    fn expression(&mut self, expr: &Expr) -> Expr {
        let op = match &expr.op {
            ExprOp::Load(slot) => match self.constant(*slot) {
                Some(value) => ExprOp::Const(value),
                None => ExprOp::Load(*slot),
            },
            ExprOp::Store(slot, value) => {
                let value = self.expression(value);
                let constant = self.constant(*slot);
                let same =
                    constant.is_some_and(|constant| matches!(value.op, ExprOp::Const(it) if it == constant));
                if same || self.slots(*slot).all(|slot| self.idle[slot]) {
                    return value;
                }
                ExprOp::Store(*slot, value.into())
            }
            ExprOp::Negate(a) => ExprOp::Negate(self.expression(a).into()),
            ExprOp::Not(a) => match self.expression(a) {
                Expr { op: ExprOp::Const(value), .. } => ExprOp::Const((value == 0).into()),
                a => ExprOp::Not(a.into()),
            },
            ExprOp::Complement(a) => ExprOp::Complement(self.expression(a).into()),
            ExprOp::Binary(operator, a, b) => {
                let (a, b) = (self.expression(a), self.expression(b));
                match (&a.op, &b.op) {
                    (&ExprOp::Const(a), &ExprOp::Const(b)) if compared(*operator, a, b).is_some() => {
                        ExprOp::Const(compared(*operator, a, b).unwrap_or(0))
                    }
                    _ => ExprOp::Binary(*operator, a.into(), b.into()),
                }
            }
            ExprOp::And(a, b) => match (self.expression(a), self.expression(b)) {
                (Expr { op: ExprOp::Const(0), .. }, _) => ExprOp::Const(0),
                (a, b) => ExprOp::And(a.into(), b.into()),
            },
            ExprOp::Or(a, b) => ExprOp::Or(self.expression(a).into(), self.expression(b).into()),
            ExprOp::Conditional(a, b, c) => match self.expression(a) {
                Expr { op: ExprOp::Const(0), .. } => return self.expression(c),
                Expr { op: ExprOp::Const(_), .. } => return self.expression(b),
                a => ExprOp::Conditional(a.into(), self.expression(b).into(), self.expression(c).into()),
            },
            ExprOp::Comma(a, b) => {
                let (a, b) = (self.expression(a), self.expression(b));
                if is_pure(&a) {
                    return b;
                }
                ExprOp::Comma(a.into(), b.into())
            }
            ExprOp::Count(body) => ExprOp::Count(self.statement(body).into()),
            ExprOp::Sum(value, body) => {
                ExprOp::Sum(self.expression(value).into(), self.statement(body).into())
            }
            other => other.clone(),
        };
        Expr { op, origin: Default::default() }
    }
}

/// One part for itself, several together.
fn single(mut parts: Vec<Stmt>, together: fn(Vec<Stmt>) -> Op) -> Stmt {
    match parts.len() {
        1 => parts.remove(0),
        _ => Stmt::new(together(parts), Default::default()),
    }
}

fn is_nothing(stmt: &Stmt) -> bool {
    matches!(&stmt.op, Op::Sequence(parts) if parts.is_empty())
}

fn is_failure(stmt: &Stmt) -> bool {
    matches!(&stmt.op, Op::Either(parts) if parts.is_empty())
}

/// Whether an expression assigns nothing.
fn is_pure(expr: &Expr) -> bool {
    match expr.op {
        ExprOp::Store(..) | ExprOp::PostAdd(..) => false,
        // Assignments inside are forgotten.
        ExprOp::Count(_) | ExprOp::Sum(..) => true,
        _ => expr.operands().into_iter().all(is_pure),
    }
}

/// A comparison of known numbers.
pub(super) fn compared(operator: BinaryOp, a: i64, b: i64) -> Option<i64> {
    Some(i64::from(match operator {
        BinaryOp::Less => a < b,
        BinaryOp::LessEqual => a <= b,
        BinaryOp::Greater => a > b,
        BinaryOp::GreaterEqual => a >= b,
        BinaryOp::Equal => a == b,
        BinaryOp::NotEqual => a != b,
        _ => return None,
    }))
}

fn in_statement(stmt: &Stmt, effects: &mut Effects) {
    match stmt.op {
        Op::Replace(piece) => effects.pieces.push(piece),
        Op::Greatest(..) => effects.counts = true,
        _ => {}
    }
    stmt.for_each_expression(&mut |expr| in_expression(expr, effects));
    stmt.children().into_iter().for_each(|part| in_statement(part, effects));
}

fn in_expression(expr: &Expr, effects: &mut Effects) {
    match &expr.op {
        ExprOp::Load(slot) => effects.loaded.push(*slot),
        ExprOp::Store(slot, _) => effects.stored.push(*slot),
        ExprOp::PostAdd(slot, _) => {
            effects.stored.push(*slot);
            effects.loaded.push(*slot);
        }
        ExprOp::Count(body) | ExprOp::Sum(_, body) => {
            effects.counts = true;
            in_statement(body, effects);
        }
        _ => {}
    }
    expr.operands().into_iter().for_each(|operand| in_expression(operand, effects));
}
