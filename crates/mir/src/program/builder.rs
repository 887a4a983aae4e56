//! Building machine code: values are numbered, equal computations are shared, constants are folded.

use rustc_hash::FxHashMap;

use crate::program::possible::Possible;
use crate::{Binary, Block, Op, Stmt, TableId, Value, Variable};

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
    /// A function of which this many variables have a meaning to the caller.
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

    /// A variable that holds 0.
    pub fn cleared(&mut self) -> Variable {
        let variable = self.variable();
        let zero = self.constant(0);
        self.set(variable, zero);
        variable
    }

    /// A variable that holds a value.
    pub fn kept(&mut self, value: Value) -> Variable {
        let variable = self.variable();
        self.set(variable, value);
        variable
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

    pub(super) fn made(&self, value: Value) -> Option<Op> {
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

    /// The value of a computation, which is made if it has not been made yet.
    pub(super) fn op(&mut self, op: Op) -> Value {
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
