//! The parser never panics, and whatever it accepts it can print and read again.

use multigame_game::{Direction, Field, Outcome, Piece, Side};
use multigame_ir::{Expr, ExprOp, FunctionId, NamePart, Op, OriginId, Program, Slot, Stmt, parse, print};
use proptest::prelude::*;

use crate::round_trip::check;
use crate::sample;

/// Builds statements from numbers; without any left it builds the simplest ones.
struct Choices(std::vec::IntoIter<u32>);

impl Choices {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.next().unwrap_or(0) % bound
    }

    fn origin(&mut self) -> OriginId {
        OriginId(self.below(8).saturating_sub(4))
    }

    fn set(&mut self) -> multigame_game::PieceSet {
        let bits = self.below(8);
        (0..3).filter(|bit| bits >> bit & 1 != 0).map(Piece).collect()
    }

    fn side(&mut self) -> Side {
        Side::BOTH[self.below(2) as usize]
    }

    fn statements(&mut self, depth: u32) -> Vec<Stmt> {
        (0..self.below(4)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u32) -> Stmt {
        let inner = depth.saturating_sub(1);
        let op = match self.below(if depth == 0 { 12 } else { 27 }) {
            0 => Op::Step,
            1 => Op::Find(self.set()),
            2 => Op::PointsAt(self.set()),
            3 => Op::Replace(Piece(self.below(3) as u8)),
            4 => Op::Face((0..self.below(4)).map(|_| Direction(self.below(8) as u8)).collect()),
            5 => Op::Turn(self.below(9) as i32 - 4),
            6 => Op::Place(Field(self.below(9) as u16)),
            7 => Op::Match((0..self.below(5)).map(|_| (Field(self.below(9) as u16), self.set())).collect()),
            8 => Op::Call(FunctionId(self.below(2))),
            9 => Op::Outcome(Outcome::Wins(self.side())),
            10 => Op::PickUp,
            11 => Op::KeepTurn,
            12..=14 => Op::Sequence(self.statements(inner)),
            15 | 16 => Op::Either(self.statements(inner)),
            17 => Op::Try(self.boxed(inner), self.boxed(inner)),
            18 => Op::Test(self.boxed(inner)),
            19 => Op::While { condition: self.boxed(inner), body: self.boxed(inner) },
            20 => Op::Greatest(self.expression(inner), self.boxed(inner)),
            21 => Op::ForEachField(self.set(), self.boxed(inner)),
            22 => {
                let (column, row) = (self.expression(inner), self.expression(inner));
                Op::MoveTo { column, row, view: self.side() }
            }
            23 => Op::Score(self.expression(inner), self.side()),
            25 => Op::Called(vec![
                NamePart::Text("P@ \"".to_string()),
                NamePart::Field,
                NamePart::Number(self.expression(inner)),
            ]),
            24 => Op::Repeat { low: self.below(3), high: Some(self.below(3)), body: self.boxed(inner) },
            _ => Op::Assert(self.expression(inner)),
        };
        Stmt::new(op, self.origin())
    }

    fn boxed(&mut self, depth: u32) -> Box<Stmt> {
        Box::new(self.statement(depth))
    }

    fn operand(&mut self, depth: u32) -> Box<Expr> {
        Box::new(self.expression(depth))
    }

    fn expression(&mut self, depth: u32) -> Expr {
        let inner = depth.saturating_sub(1);
        let slot = Slot::Value(self.below(3) as u16);
        let op = match self.below(if depth == 0 { 4 } else { 14 }) {
            0 => ExprOp::Const(i64::from(self.below(7)) - 3),
            1 => ExprOp::Load(slot),
            2 => ExprOp::Row(self.side()),
            3 => ExprOp::PostAdd(slot, i64::from(self.below(5)) - 2),
            4 => ExprOp::Negate(self.operand(inner)),
            5 => ExprOp::Not(self.operand(inner)),
            6 => ExprOp::Complement(self.operand(inner)),
            7 => ExprOp::And(self.operand(inner), self.operand(inner)),
            8 => ExprOp::Conditional(self.operand(inner), self.operand(inner), self.operand(inner)),
            9 => ExprOp::Store(slot, self.operand(inner)),
            10 => ExprOp::Comma(self.operand(inner), self.operand(inner)),
            11 => ExprOp::Count(self.boxed(inner)),
            12 => ExprOp::Sum(self.operand(inner), self.boxed(inner)),
            _ => {
                let op = sample::BINARY[self.below(16) as usize];
                ExprOp::Binary(op, self.operand(inner), self.operand(inner))
            }
        };
        Expr { op, origin: self.origin() }
    }
}

fn programs() -> impl Strategy<Value = Program> {
    proptest::collection::vec(any::<u32>(), 0..200).prop_map(|numbers| {
        let mut choices = Choices(numbers.into_iter());
        let mut program = sample::race();
        for function in &mut program.functions {
            function.body = choices.statement(5);
        }
        program
    })
}

/// Whatever is accepted survives printing.
fn try_text(text: &str) {
    if let Ok(program) = parse(text) {
        check(&program);
    }
}

/// Replaces the characters at two places by a snippet.
fn mutate(text: &str, start: usize, length: usize, snippet: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let start = start % (chars.len() + 1);
    let end = (start + length).min(chars.len());
    chars[..start].iter().copied().chain(snippet.chars()).chain(chars[end..].iter().copied()).collect()
}

const SNIPPETS: [&str; 40] = [
    "",
    " ",
    "\n",
    "{",
    "}",
    "(",
    ")",
    "@",
    "@1",
    "@9",
    "~2",
    "..",
    "-",
    "--",
    "++",
    "=",
    "?",
    ":",
    ",",
    ";",
    "0",
    "99999999999",
    "'",
    "\"",
    "\\",
    "#",
    "$",
    "a1",
    "[finger]",
    ".white",
    "move",
    "not {",
    "count {",
    "function x white {\n}\n",
    "origin 1 \"\" 1 1..1\n",
    "holes a1\n",
    "piece 'x' \"x\" neutral\n",
    "property \"p\" field 0 .. 9\n",
    "board graph 2 2\n",
    "sequence @1 {",
];

proptest! {
    #[test]
    fn built_programs_round_trip(program in programs()) {
        check(&program);
    }

    #[test]
    fn arbitrary_texts_do_not_panic(text in any::<String>()) {
        let _ = parse(&text);
        let _ = parse(&format!("multigame ir 1\n{text}"));
    }

    #[test]
    fn arbitrary_snippets_do_not_panic(snippets in proptest::collection::vec(0..SNIPPETS.len(), 0..60)) {
        let text: Vec<&str> = snippets.into_iter().map(|number| SNIPPETS[number]).collect();
        try_text(&format!("multigame ir 1\n{}", text.join(" ")));
    }

    #[test]
    fn mutated_texts_do_not_panic(
        which in 0..4usize,
        changes in proptest::collection::vec((any::<usize>(), 0..12usize, 0..SNIPPETS.len()), 1..4),
        program in programs(),
    ) {
        let program = [sample::race(), sample::decorated(), sample::graph(), program].into_iter().nth(which);
        let mut text = program.map(|program| print(&program)).unwrap_or_default();
        for (start, length, snippet) in changes {
            text = mutate(&text, start, length, SNIPPETS[snippet]);
        }
        try_text(&text);
    }
}
