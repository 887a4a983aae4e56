//! Building machine code: values are numbered, equal computations are shared, constants are folded.

use rustc_hash::FxHashMap;

use crate::fold::{fold, opposite};
use crate::possible::Possible;
use crate::{Binary, Block, Op, Stmt, TableId, Unary, Value, Variable};

/// Builds the body of one function.
#[derive(Default)]
pub(crate) struct Builder {
    blocks: Vec<Block>,
    /// What has been computed and can be used here.
    computed: FxHashMap<Op, Value>,
    /// For each open block what has been computed in it.
    scopes: Vec<Vec<Op>>,
    /// How each value was computed, where that is known.
    made: Vec<Option<Op>>,
    possible: Possible,
    values: u32,
    variables: u32,
    statements: usize,
}

/// The constant tables of a module; equal ones are shared.
#[derive(Default)]
pub(crate) struct Tables {
    tables: Vec<Vec<u64>>,
    numbers: FxHashMap<Vec<u64>, TableId>,
}

impl Tables {
    pub fn add(&mut self, table: Vec<u64>) -> TableId {
        if let Some(&id) = self.numbers.get(&table) {
            return id;
        }
        let id = TableId(self.tables.len() as u32);
        self.numbers.insert(table.clone(), id);
        self.tables.push(table);
        id
    }

    /// The tables of a module, to which more are added.
    pub fn of(tables: Vec<Vec<u64>>) -> Tables {
        let numbers = tables.iter().cloned().zip((0..).map(TableId)).collect();
        Tables { tables, numbers }
    }

    pub fn into_vec(self) -> Vec<Vec<u64>> {
        self.tables
    }
}

impl Builder {
    /// A function with so many variables that have a meaning to the caller.
    pub fn new(variables: u32) -> Builder {
        Builder { blocks: vec![Vec::new()], scopes: vec![Vec::new()], variables, ..Builder::default() }
    }

    /// Body, number of values, number of variables.
    pub fn finish(mut self) -> (Block, u32, u32) {
        (self.blocks.pop().unwrap_or_default(), self.values, self.variables)
    }

    /// How much code there is.
    pub fn size(&self) -> usize {
        self.statements
    }

    pub fn push(&mut self, stmt: Stmt) {
        self.statements += 1;
        if let Some(block) = self.blocks.last_mut() {
            block.push(stmt);
        }
    }

    pub fn fresh(&mut self) -> Value {
        self.values += 1;
        Value(self.values - 1)
    }

    pub fn variable(&mut self) -> Variable {
        self.variables += 1;
        Variable(self.variables - 1)
    }

    /// Opens a block; [`Builder::close`] gives it back.
    pub fn open(&mut self) {
        self.blocks.push(Vec::new());
        self.scopes.push(Vec::new());
    }

    pub fn close(&mut self) -> Block {
        for op in self.scopes.pop().unwrap_or_default() {
            self.computed.remove(&op);
        }
        self.blocks.pop().unwrap_or_default()
    }

    pub fn constant(&mut self, number: u64) -> Value {
        let op = Op::Const(number);
        if let Some(&value) = self.computed.get(&op) {
            return value;
        }
        self.define(op)
    }

    pub fn known(&self, value: Value) -> Option<u64> {
        match self.made(value) {
            Some(Op::Const(number)) => Some(number),
            _ => None,
        }
    }

    fn made(&self, value: Value) -> Option<Op> {
        self.made.get(value.0 as usize).copied().flatten()
    }

    /// The bits of a value that may be set.
    pub fn possible_bits(&self, value: Value) -> u64 {
        self.possible.bits(value)
    }

    /// A value that numbers one of the bits of a set, whichever it will be.
    pub fn index_in(&mut self, set: Value) -> Value {
        let index = self.fresh();
        self.possible.is_one_of(index, self.possible.bits(set));
        index
    }

    fn define(&mut self, op: Op) -> Value {
        let value = self.fresh();
        self.push(Stmt::Let(value, op));
        self.computed.insert(op, value);
        self.made.resize(value.0 as usize, None);
        self.made.push(Some(op));
        let made = &self.made;
        self.possible.computed(value, op, |value| match made.get(value.0 as usize) {
            Some(Some(Op::Const(number))) => Some(*number),
            _ => None,
        });
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(op);
        }
        value
    }

    fn op(&mut self, op: Op) -> Value {
        match self.computed.get(&op) {
            Some(&value) => value,
            None => self.define(op),
        }
    }

    pub fn word(&mut self, number: usize) -> Value {
        self.op(Op::Word(number as u32))
    }

    pub fn property(&mut self, number: usize) -> Value {
        self.op(Op::Property(number as u32))
    }

    pub fn table(&mut self, tables: &Tables, table: TableId, index: Value) -> Value {
        let entries = &tables.tables[table.0 as usize];
        if let Some(index) = self.known(index) {
            return self.constant(entries[index as usize]);
        }
        let numbers = self.possible.numbers(index);
        let is_asked = |number: u64| numbers.is_none_or(|numbers| number < 64 && numbers >> number & 1 != 0);
        let mut asked = entries.iter().zip(0_u64..).filter(|&(_, number)| is_asked(number));
        let Some((&first, lowest)) = asked.next() else { return self.constant(0) };
        let (same, straight) = asked.fold((true, true), |(same, straight), (&entry, number)| {
            (same && entry == first, straight && entry == first.wrapping_add(number - lowest))
        });
        if same {
            return self.constant(first);
        }
        if straight {
            let by = self.constant(first.wrapping_sub(lowest));
            return self.binary(Binary::Add, index, by);
        }
        self.op(Op::Table(table, index))
    }

    /// Reads a variable as it is now.
    pub fn get(&mut self, variable: Variable) -> Value {
        let value = self.fresh();
        self.push(Stmt::Let(value, Op::Get(variable)));
        value
    }

    pub fn set(&mut self, variable: Variable, value: Value) {
        self.push(Stmt::Set(variable, value));
    }

    /// Adds bits to a variable.
    pub fn set_bits(&mut self, variable: Variable, bits: Value) {
        let before = self.get(variable);
        let after = self.or(before, bits);
        self.set(variable, after);
    }

    pub fn unary(&mut self, op: Unary, a: Value) -> Value {
        if let Some(a) = self.known(a) {
            return self.constant(match op {
                Unary::Not => !a,
                Unary::Negate => a.wrapping_neg(),
                Unary::CountOnes => u64::from(a.count_ones()),
                Unary::TrailingZeros => u64::from(a.trailing_zeros()),
                Unary::LeadingZeros => u64::from(a.leading_zeros()),
            });
        }
        self.op(Op::Unary(op, a))
    }

    pub fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let (known_a, known_b) = (self.known(a), self.known(b));
        if let (Some(a), Some(b)) = (known_a, known_b)
            && let Some(folded) = fold(op, a, b)
        {
            return self.constant(folded);
        }
        if let (Binary::And, None, Some(mask)) | (Binary::And, Some(mask), None) = (op, known_a, known_b)
            && let Some(same) = self.masked(if known_a.is_none() { a } else { b }, mask)
        {
            return same;
        }
        let (bits_a, bits_b) = (self.possible.bits(a), self.possible.bits(b));
        match (op, known_a, known_b) {
            (Binary::And, ..) if bits_a & bits_b == 0 => return self.constant(0),
            (Binary::Or, Some(all), _) if bits_b & !all == 0 => return a,
            (Binary::Or, _, Some(all)) if bits_a & !all == 0 => return b,
            (Binary::NotEqual, _, Some(0)) if bits_a & !1 == 0 => return a,
            (Binary::And, Some(0), _) | (Binary::And | Binary::Multiply, _, Some(0)) => {
                return self.constant(0);
            }
            (Binary::And, Some(u64::MAX), _) | (Binary::Multiply, Some(1), _) => return b,
            (Binary::Multiply, _, Some(1)) => return a,
            (Binary::And, _, Some(mask)) if bits_a & !mask == 0 => return a,
            (Binary::And, Some(mask), _) if bits_b & !mask == 0 => return b,
            (Binary::Or | Binary::Xor | Binary::Add, Some(0), _) => return b,
            (Binary::Or | Binary::Xor | Binary::Add | Binary::Subtract, _, Some(0)) => return a,
            (Binary::AndNot, Some(0), _) => return a,
            (Binary::AndNot, _, Some(0)) => return a,
            (Binary::AndNot, _, Some(u64::MAX)) => return self.constant(0),
            (Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned, _, Some(0)) => return a,
            (Binary::ShiftLeft | Binary::ShiftRight, Some(0), _) => return a,
            _ => {}
        }
        if a == b {
            match op {
                Binary::And | Binary::Or => return a,
                Binary::Xor | Binary::AndNot | Binary::Subtract | Binary::NotEqual | Binary::Less => {
                    return self.constant(0);
                }
                Binary::Equal | Binary::LessEqual => return self.constant(1),
                _ => {}
            }
        }
        if matches!(op, Binary::NotEqual | Binary::Equal)
            && known_b == Some(0)
            && let Some(condition) = self.nonzero_if(a)
        {
            return match op {
                Binary::NotEqual => self.is_nonzero(condition),
                _ => self.is_zero(condition),
            };
        }
        if let (Binary::Equal, Some(Op::Binary(compared, x, y)), Some(0)) = (op, self.made(a), known_b)
            && let Some(opposite) = opposite(compared)
        {
            return self.binary(opposite, x, y);
        }
        let commutes = matches!(
            op,
            Binary::And
                | Binary::Or
                | Binary::Xor
                | Binary::Add
                | Binary::Multiply
                | Binary::Equal
                | Binary::NotEqual
        );
        let (a, b) = if commutes && b < a { (b, a) } else { (a, b) };
        self.op(Op::Binary(op, a, b))
    }

    /// A value under a mask, without the parts that the mask hides: a digit that was put together with others is that
    /// digit.
    fn masked(&mut self, value: Value, mask: u64) -> Option<Value> {
        let (inner, by) = match self.made(value)? {
            Op::Binary(Binary::ShiftRight, inner, by) => (inner, self.known(by)?),
            _ => (value, 0),
        };
        let seen = mask.checked_shl(u32::try_from(by).ok()?).filter(|seen| seen >> by == mask)?;
        let mut part = inner;
        while let Some(Op::Binary(Binary::Or, a, b)) = self.made(part) {
            part = match [a, b].map(|half| self.possible.bits(half) & seen == 0) {
                [true, _] => b,
                [_, true] => a,
                _ => break,
            };
        }
        if part == inner {
            return None;
        }
        let shift = self.constant(by);
        let moved = match self.made(part) {
            Some(Op::Binary(Binary::ShiftLeft, digit, back)) if back == shift => digit,
            _ => self.binary(Binary::ShiftRight, part, shift),
        };
        let mask = self.constant(mask);
        Some(self.and(moved, mask))
    }

    pub fn select(&mut self, condition: Value, a: Value, b: Value) -> Value {
        match self.known(condition) {
            _ if a == b => a,
            Some(0) => b,
            Some(_) => a,
            None => match self.change_of(b, a) {
                // PERF: what is added or taken away is selected once for all boards it is added to or taken from.
                Some((op, change)) => {
                    let zero = self.constant(0);
                    let change = self.select(condition, change, zero);
                    self.binary(op, b, change)
                }
                None => self.op(Op::Select(condition, a, b)),
            },
        }
    }

    /// How a value was made from another by adding or taking away bits.
    fn change_of(&self, before: Value, after: Value) -> Option<(Binary, Value)> {
        match self.made(after)? {
            Op::Binary(op @ (Binary::Or | Binary::Xor | Binary::AndNot), a, b) if a == before => {
                Some((op, b))
            }
            Op::Binary(op @ (Binary::Or | Binary::Xor), a, b) if b == before => Some((op, a)),
            _ => None,
        }
    }

    /// The condition under which a value is not 0, where that is all there is to it: a field, or a field or a number that
    /// is selected.
    fn nonzero_if(&mut self, value: Value) -> Option<Value> {
        let is_field = |builder: &Builder, value: Value| match builder.made(value) {
            Some(Op::Binary(Binary::ShiftLeft, one, _)) => builder.known(one) == Some(1),
            _ => false,
        };
        let is_something = |builder: &Builder, value: Value| builder.known(value).is_some_and(|it| it != 0);
        match self.made(value)? {
            Op::Select(condition, a, b)
                if self.known(b) == Some(0) && (is_field(self, a) || is_something(self, a)) =>
            {
                Some(condition)
            }
            _ if is_field(self, value) => Some(self.constant(1)),
            _ => None,
        }
    }

    pub fn and(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::And, a, b)
    }

    pub fn or(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Or, a, b)
    }

    pub fn xor(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Xor, a, b)
    }

    pub fn and_not(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::AndNot, a, b)
    }

    /// 1 for 0, 0 for anything else.
    pub fn is_zero(&mut self, a: Value) -> Value {
        let zero = self.constant(0);
        self.binary(Binary::Equal, a, zero)
    }

    /// 0 for 0, 1 for anything else.
    pub fn is_nonzero(&mut self, a: Value) -> Value {
        let zero = self.constant(0);
        self.binary(Binary::NotEqual, a, zero)
    }
}
