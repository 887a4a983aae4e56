//! Random machine programs: whatever the structure, native code and evaluator agree.

use multigame_game::Random;
use multigame_mir::{Binary, Emission, Kind, Op, Stmt, TableId, Unary, Value};

use super::*;

const BINARY: [Binary; 11] = [
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::AndNot,
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Equal,
    Binary::NotEqual,
    Binary::Less,
    Binary::LessEqual,
];
const UNARY: [Unary; 5] =
    [Unary::Not, Unary::Negate, Unary::CountOnes, Unary::TrailingZeros, Unary::LeadingZeros];

/// Variables that programs play with; those after them count the rounds of loops.
const FREE: u32 = 4;

struct Writer {
    random: Random,
    kind: Kind,
    values: u32,
    variables: u32,
}

impl Writer {
    fn below(&mut self, limit: u64) -> u64 {
        self.random.below(limit as usize) as u64
    }

    fn new_value(&mut self) -> u32 {
        self.values += 1;
        self.values - 1
    }

    fn pick(&mut self, visible: &[u32]) -> Value {
        Value(visible[self.below(visible.len() as u64) as usize])
    }

    fn operation(&mut self, visible: &[u32]) -> Op {
        match self.below(if visible.is_empty() { 4 } else { 12 }) {
            0 => Op::Const([0, 1, u64::MAX, 0x00ff_0000_1200_0001][self.below(4) as usize]),
            1 => Op::Word(self.below(6) as u32),
            2 => Op::Property(self.below(3) as u32),
            3 => get(self.below(u64::from(FREE)) as u32),
            4 | 5 => Op::Unary(UNARY[self.below(5) as usize], self.pick(visible)),
            6 => Op::Select(self.pick(visible), self.pick(visible), self.pick(visible)),
            _ => Op::Binary(BINARY[self.below(11) as usize], self.pick(visible), self.pick(visible)),
        }
    }

    fn block(&mut self, visible: &[u32], depth: u32, in_loop: bool) -> Vec<Stmt> {
        let mut visible = visible.to_vec();
        let mut block = Vec::new();
        for _ in 0..2 + self.below(5) {
            let op = self.operation(&visible);
            let value = self.new_value();
            block.push(let_(value, op));
            visible.push(value);
            self.statement(&mut visible, depth, in_loop, &mut block);
        }
        block
    }

    fn statement(&mut self, visible: &mut Vec<u32>, depth: u32, in_loop: bool, block: &mut Vec<Stmt>) {
        let value = self.pick(visible);
        match self.below(if depth == 0 { 7 } else { 10 }) {
            0..3 => block.push(set(self.below(u64::from(FREE)) as u32, value.0)),
            3 if self.kind == Kind::Generate => {
                let mut words: Vec<(u32, Value)> = (0..6).map(|word| (word, self.pick(visible))).collect();
                words.retain(|&(word, _)| word < 2 || self.below(3) == 0);
                let mut values: Vec<(u32, Value)> = (0..3).map(|word| (word, self.pick(visible))).collect();
                values.retain(|_| self.below(2) == 0);
                block.push(Stmt::Emit(Emission { words, values }));
            }
            4 if in_loop => block.push(Stmt::BreakIf(value)),
            5 => self.rare_exit(value, block),
            6 => self.table(value, visible, block),
            7 => {
                let yes = self.block(visible, depth - 1, in_loop);
                let no = self.block(visible, depth - 1, in_loop);
                block.push(Stmt::If(value, yes, no));
            }
            8 => {
                let index = self.new_value();
                let inner = [&visible[..], &[index]].concat();
                let body = self.block(&inner, depth - 1, false);
                block.push(Stmt::ForBits { set: value, index: Value(index), body });
            }
            9 => self.endless(visible, depth, block),
            _ => {}
        }
    }

    /// Ends the function if some bits happen to be set.
    fn rare_exit(&mut self, value: Value, block: &mut Vec<Stmt>) {
        let [mask, bits, all] = [(); 3].map(|()| self.new_value());
        block.extend([
            let_(mask, Op::Const(0b11_0101)),
            let_(bits, binary(Binary::And, value.0, mask)),
            let_(all, binary(Binary::Equal, bits, mask)),
        ]);
        let exit = if self.below(2) == 0 { Stmt::ReturnIf } else { Stmt::FailIf };
        block.push(exit(Value(all)));
    }

    /// An entry of the table of 64.
    fn table(&mut self, value: Value, visible: &mut Vec<u32>, block: &mut Vec<Stmt>) {
        let [mask, index, entry] = [(); 3].map(|()| self.new_value());
        block.extend([
            let_(mask, Op::Const(63)),
            let_(index, binary(Binary::And, value.0, mask)),
            let_(entry, Op::Table(TableId(1), Value(index))),
        ]);
        visible.push(entry);
    }

    /// A loop of at most three rounds in all.
    fn endless(&mut self, visible: &[u32], depth: u32, block: &mut Vec<Stmt>) {
        let counter = self.variables;
        self.variables += 1;
        let [one, three, old, new, over] = [(); 5].map(|()| self.new_value());
        let mut body = vec![
            let_(one, Op::Const(1)),
            let_(three, Op::Const(3)),
            let_(old, get(counter)),
            let_(new, binary(Binary::Add, old, one)),
            set(counter, new),
            let_(over, binary(Binary::Less, three, new)),
            Stmt::BreakIf(Value(over)),
        ];
        body.extend(self.block(visible, depth - 1, true));
        block.push(Stmt::Loop(body));
    }
}

#[test]
fn random_programs() {
    let (mut failed, mut emitted) = (0, 0);
    for seed in 0..300 {
        let kind = [Kind::Generate, Kind::Count][seed as usize % 2];
        let mut writer = Writer { random: Random::new(seed), kind, values: 0, variables: FREE };
        let body = writer.block(&[], 3, false);
        match check(kind, writer.variables, body) {
            Ok(answer) => emitted += answer.children.len(),
            Err(Failed) => failed += 1,
        }
    }
    assert!(failed < 100 && emitted > 1000, "{failed} failed, {emitted} emitted");
}
