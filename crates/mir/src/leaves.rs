//! Several plies at once: the moves after each move are counted where the move is made, and nobody writes down the
//! positions between. What only such a position would need, its signature above all, is not computed.
//!
//! Machine programs are put together here, without any thought of rules: wherever the generator emits a position stands
//! what counts below that position, reading the values that would have been written.

use multigame_game::Side;
use rustc_hash::FxHashMap;

use crate::builder::{Builder, Tables};
use crate::unused::{blocks, remove_unused};
use crate::{
    Binary, Block, Emission, Function, FunctionId, HEADER, Header, Kind, Module, Op, Options, Pass, Stmt,
    Value, Variable,
};

/// With more code than this, what is saved between the plies does not matter.
const WORTH: usize = 4_000;

/// So many plies are counted at once at most: most of the work is in the last ones.
const MOST_PLIES: usize = 3;

/// The variable that counts the leaves.
const LEAVES: Variable = Variable(0);

impl Module {
    /// Adds what counts several plies, where all moves differ, are counted and are made by one function.
    pub fn add_leaves(&mut self, options: &Options) {
        let [Some(white), Some(black)] = self.count else { return };
        if self.may_repeat || !options.has(Pass::Plies) {
            return;
        }
        let mut below = [white, black];
        for plies in 2..=MOST_PLIES {
            let [Some(white), Some(black)] = Side::BOTH.map(|side| Plies::of(self, side, plies, below))
            else {
                return;
            };
            let first = self.functions.len() as u32;
            self.functions.extend([white, black]);
            below = [FunctionId(first), FunctionId(first + 1)];
            self.leaves.push(below);
        }
    }
}

/// What is put together.
struct Plies<'m> {
    module: &'m Module,
    /// What counts below a move, for White and Black to move.
    below: [FunctionId; 2],
    builder: Builder,
    tables: Tables,
    /// What variables hold, where that is known.
    held: FxHashMap<Variable, Value>,
}

/// A function whose statements are copied, and how far that has come.
struct Source<'f> {
    /// What its values are called in the copy.
    values: Vec<Option<Value>>,
    variables: Vec<Variable>,
    /// The position it reads, if that is not the one that the whole begins with.
    position: Option<&'f Emission>,
}

impl<'m> Plies<'m> {
    /// The function for one side to move; nothing if the functions at hand do not let themselves be put together.
    fn of(module: &'m Module, side: Side, plies: usize, below: [FunctionId; 2]) -> Option<Function> {
        let name = format!("main_{side}_leaves_{plies}").to_lowercase();
        let generate = module.function(module.generate[side.index()]);
        let mut plies = Plies {
            module,
            below,
            builder: Builder::new(1),
            tables: Tables::of(module.tables.clone()),
            held: FxHashMap::default(),
        };
        let mut source = plies.source(generate, None);
        plies.block(&generate.body, &mut source, true)?;
        let (body, values, variables) = plies.builder.finish();
        let parameters = Vec::new();
        let mut function =
            Function { name, kind: Kind::Count, parameters, results: 1, variables, values, body };
        remove_unused(&mut function);
        Some(function)
    }

    fn source<'f>(&mut self, function: &Function, position: Option<&'f Emission>) -> Source<'f> {
        let variables = (0..function.variables).map(|_| self.builder.variable()).collect();
        Source { values: vec![None; function.values as usize], variables, position }
    }

    /// Copies statements, the whole of a function or a part of it; nothing if that is not possible.
    fn block(&mut self, block: &[Stmt], source: &mut Source<'_>, whole: bool) -> Option<()> {
        for (number, stmt) in block.iter().enumerate() {
            if self.builder.size() > WORTH {
                return None;
            }
            match stmt {
                Stmt::Let(value, op) => {
                    let copy = self.operation(op, source)?;
                    source.values[value.0 as usize] = Some(copy);
                }
                Stmt::Set(variable, value) => {
                    let (variable, value) = (source.variable(*variable), source.value(*value)?);
                    self.set(variable, value);
                }
                Stmt::If(condition, yes, no) => {
                    let condition = source.value(*condition)?;
                    match self.builder.known(condition) {
                        Some(0) => self.block(no, source, false)?,
                        Some(_) => self.block(yes, source, false)?,
                        None => {
                            let [yes, no] = [yes, no].map(|block| self.branch(block, source, false));
                            self.builder.push(Stmt::If(condition, yes?, no?));
                            self.forget(std::slice::from_ref(stmt), source);
                        }
                    }
                }
                Stmt::ForBits { set, index, body } => {
                    self.forget(body, source);
                    let set = source.value(*set)?;
                    let bit = self.builder.index_in(set);
                    source.values[index.0 as usize] = Some(bit);
                    let body = self.branch(body, source, false)?;
                    self.builder.push(Stmt::ForBits { set, index: bit, body });
                }
                Stmt::Loop(body) => {
                    self.forget(body, source);
                    let body = self.branch(body, source, false)?;
                    self.builder.push(Stmt::Loop(body));
                }
                Stmt::BreakIf(value) => self.builder.push(Stmt::BreakIf(source.value(*value)?)),
                Stmt::FailIf(value) => self.builder.push(Stmt::FailIf(source.value(*value)?)),
                Stmt::ReturnIf(value) if source.position.is_none() => {
                    self.builder.push(Stmt::ReturnIf(source.value(*value)?));
                }
                // The end of what counts after one move is not the end of all.
                Stmt::ReturnIf(value) if whole => {
                    let (value, rest) = (source.value(*value)?, &block[number + 1..]);
                    let copy = self.branch(rest, source, true)?;
                    self.builder.push(Stmt::If(value, Block::new(), copy));
                    self.forget(rest, source);
                    return Some(());
                }
                Stmt::Emit(emission) => self.emit(emission, source)?,
                // Who is called reads a position that is written down.
                Stmt::ReturnIf(_) | Stmt::Call { .. } => return None,
            }
        }
        Some(())
    }

    /// The copy of a block that belongs to a statement.
    fn branch(&mut self, block: &[Stmt], source: &mut Source<'_>, whole: bool) -> Option<Block> {
        let held = self.held.clone();
        self.builder.open();
        let copied = self.block(block, source, whole);
        let block = self.builder.close();
        self.held = held;
        copied.map(|()| block)
    }

    /// Variables that statements change may hold anything afterwards.
    fn forget(&mut self, block: &[Stmt], source: &Source<'_>) {
        for stmt in block {
            if let Stmt::Set(variable, _) = stmt {
                self.held.remove(&source.variable(*variable));
            }
            blocks(stmt).for_each(|inside| self.forget(inside, source));
        }
    }

    fn set(&mut self, variable: Variable, value: Value) {
        self.builder.set(variable, value);
        self.held.insert(variable, value);
    }

    fn get(&mut self, variable: Variable) -> Value {
        self.held.get(&variable).copied().unwrap_or_else(|| self.builder.get(variable))
    }

    fn operation(&mut self, op: &Op, source: &Source<'_>) -> Option<Value> {
        let value = |value: Value| source.value(value);
        Some(match *op {
            Op::Const(number) => self.builder.constant(number),
            Op::Word(word) if word as usize >= self.module.layout.first_value_word() => return None,
            Op::Word(word) => match source.position.and_then(|position| written(&position.words, word)) {
                Some(written) => written,
                None => self.builder.word(word as usize),
            },
            Op::Property(number) => {
                match source.position.and_then(|position| written(&position.values, number)) {
                    Some(written) => self.extended(written),
                    None => self.builder.property(number as usize),
                }
            }
            Op::Table(table, index) => self.builder.table(&self.tables, table, value(index)?),
            Op::Get(variable) => self.get(source.variable(variable)),
            Op::Binary(op, a, b) => self.builder.binary(op, value(a)?, value(b)?),
            Op::Unary(op, a) => self.builder.unary(op, value(a)?),
            Op::Select(condition, a, b) => self.builder.select(value(condition)?, value(a)?, value(b)?),
        })
    }

    /// The low 32 bits, as they are read when they have been written.
    fn extended(&mut self, value: Value) -> Value {
        let half = self.builder.constant(32);
        let high = self.builder.binary(Binary::ShiftLeft, value, half);
        self.builder.binary(Binary::ShiftRightSigned, high, half)
    }

    /// Counts below a move.
    fn emit(&mut self, emission: &Emission, source: &Source<'_>) -> Option<()> {
        let copied = |of: &[(u32, Value)]| -> Option<Vec<(u32, Value)>> {
            of.iter().map(|&(number, value)| Some((number, source.value(value)?))).collect()
        };
        let position = Emission { words: copied(&emission.words)?, values: copied(&emission.values)? };
        let header = written(&position.words, HEADER as u32)?;
        let [side, outcome] = [Header::BLACK, Header::OUTCOME_MASK].map(|bits| {
            let bits = self.builder.constant(bits);
            self.builder.and(header, bits)
        });
        let count = self.below[self.builder.known(side)? as usize];
        match self.builder.known(outcome) {
            Some(0) => self.count(count, &position),
            // The game is over.
            Some(_) => Some(()),
            None => {
                self.builder.open();
                let counted = self.count(count, &position);
                let block = self.builder.close();
                self.builder.push(Stmt::If(outcome, Block::new(), block));
                counted
            }
        }
    }

    /// Adds what is counted in a position.
    fn count(&mut self, function: FunctionId, position: &Emission) -> Option<()> {
        let function = self.module.function(function);
        let mut source = self.source(function, Some(position));
        let zero = self.builder.constant(0);
        for variable in source.variables.clone() {
            self.set(variable, zero);
        }
        self.block(&function.body, &mut source, true)?;
        let moves = self.get(source.variables[0]);
        let endings = if function.results > 1 { self.get(source.variables[1]) } else { zero };
        // Who cannot move passes, or loses, or the rules say how the game ends: whoever asked finds out.
        let any = self.builder.or(moves, endings);
        let none = self.builder.is_zero(any);
        self.builder.push(Stmt::FailIf(none));
        let both = self.builder.binary(Binary::Add, moves, endings);
        let leaves = if both == moves { moves } else { self.builder.select(moves, both, zero) };
        let before = self.builder.get(LEAVES);
        let after = self.builder.binary(Binary::Add, before, leaves);
        self.builder.set(LEAVES, after);
        Some(())
    }
}

impl Source<'_> {
    fn value(&self, value: Value) -> Option<Value> {
        self.values[value.0 as usize]
    }

    fn variable(&self, variable: Variable) -> Variable {
        self.variables[variable.0 as usize]
    }
}

fn written(of: &[(u32, Value)], number: u32) -> Option<Value> {
    of.iter().find(|(written, _)| *written == number).map(|(_, value)| *value)
}
