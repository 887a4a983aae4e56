//! Several plies at once: the moves after each move are counted where the move is made, and the positions
//! between are not written down. What only such a position would need, its signature above all, is not
//! computed.
//!
//! Machine programs are put together here, without any thought of rules: in place of each emission of the
//! generator comes the code that counts below that position, reading the values that would have been written.

use multigame_game::Side;
use rustc_hash::FxHashMap;

use crate::passes::unused::remove_unused;
use crate::program::builder::{Builder, Tables};
use crate::program::visit::blocks;
use crate::{
    Binary, Block, Emission, Function, FunctionId, HEADER, Header, Kind, Module, Op, Options, Pass, Stmt,
    Value, Variable,
};

/// With more code than this, what is saved between the plies does not matter.
const WORTH: usize = 4_000;

/// The most plies that are counted at once: most of the work is in the last ones.
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
    /// The function for one side to move; nothing if the functions at hand do not let themselves be put
    /// together.
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
                // The end of what counts after one move is not the end of all.
                Stmt::ReturnIf(value) if source.position.is_some() => {
                    let rest = &block[number + 1..];
                    return if whole { self.unless(*value, rest, source) } else { None };
                }
                _ => self.statement(stmt, source)?,
            }
        }
        Some(())
    }

    /// Copies what is only done where a value is 0.
    fn unless(&mut self, value: Value, rest: &[Stmt], source: &mut Source<'_>) -> Option<()> {
        let value = source.value(value)?;
        let copy = self.branch(rest, source, true)?;
        self.builder.push(Stmt::If(value, Block::new(), copy));
        self.forget(rest, source);
        Some(())
    }

    fn statement(&mut self, stmt: &Stmt, source: &mut Source<'_>) -> Option<()> {
        match stmt {
            Stmt::Let(value, op) => {
                let copy = self.operation(op, source)?;
                source.values[value.0 as usize] = Some(copy);
            }
            Stmt::Set(variable, value) => self.set(source.variable(*variable), source.value(*value)?),
            Stmt::If(condition, yes, no) => {
                self.choice(stmt, source.value(*condition)?, [yes, no], source)?
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
            Stmt::ReturnIf(value) => self.builder.push(Stmt::ReturnIf(source.value(*value)?)),
            Stmt::Emit(emission) => self.emit(emission, source)?,
            // A function that is called reads a position that is written down.
            Stmt::Call { .. } => return None,
        }
        Some(())
    }

    fn choice(
        &mut self,
        whole: &Stmt,
        condition: Value,
        [yes, no]: [&Block; 2],
        source: &mut Source<'_>,
    ) -> Option<()> {
        match self.builder.known(condition) {
            Some(0) => self.block(no, source, false),
            Some(_) => self.block(yes, source, false),
            None => {
                let [yes, no] = [yes, no].map(|block| self.branch(block, source, false));
                self.builder.push(Stmt::If(condition, yes?, no?));
                self.forget(std::slice::from_ref(whole), source);
                Some(())
            }
        }
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
        // A player who cannot move passes, or loses, or the rules say how the game ends: the caller finds
        // out.
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

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::testing::{BOARD, check, module};

    #[test]
    fn the_move_between_is_not_written_down() {
        let rules = "find empty field, replace by man, irreversible";
        check(
            rules,
            "main_white_leaves_2",
            expect![[r#"
                main_white_leaves_2() -> x0 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  v5 = v2 | v3
                  v6 = v4 | v5
                  v8 = 0xffff &~ v6
                  for v9 in v8 {
                    v10 = 1 << v9
                    v12 = v2 | v10
                    v21 = v3 | v12
                    v22 = v4 | v21
                    v23 = 0xffff &~ v22
                    v24 = ones v23
                    v25 = 0 == v24
                    fail if v25
                    v26 = x0
                    v27 = v24 + v26
                    x0 = v27
                  }
                }
            "#]],
        );
    }

    #[test]
    fn plies_are_counted_by_their_number() {
        let rules = "find empty field, replace by man";
        let plies = |options: &Options| module(BOARD, rules, options).leaves.len();
        assert_eq!([plies(&Options::default()), plies(&Options::without(Pass::Plies))], [MOST_PLIES - 1, 0]);
    }
}
