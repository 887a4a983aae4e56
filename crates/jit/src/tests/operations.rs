//! Every operation, with operands from memory and as constants.

use multigame_mir::{Binary, FunctionId, Kind, Op, TableId, Unary, Value};

use super::*;

const ARITHMETIC: [Binary; 11] = [
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
const SHIFTS: [Binary; 3] = [Binary::ShiftLeft, Binary::ShiftRight, Binary::ShiftRightSigned];
const DIVISIONS: [Binary; 2] = [Binary::Divide, Binary::Remainder];

const OPERANDS: [u64; 8] = [0, 1, 2, 63, 0x8000_0000_0000_0000, u64::MAX, 0x7fff_ffff_ffff_ffff, 0xff00_0ff0];
const DISTANCES: [u64; 5] = [0, 1, 31, 32, 63];
const DIVISORS: [u64; 5] = [1, 2, 7, -3i64 as u64, 1 << 40];

fn check_binary(operator: Binary, seconds: &[u64]) {
    let loaded = module(
        Kind::Count,
        1,
        vec![let_(0, Op::Word(2)), let_(1, Op::Word(3)), let_(2, binary(operator, 0, 1)), set(0, 2)],
    );
    let native = compile(&loaded);
    for &a in &OPERANDS {
        for &b in seconds {
            let position = [0, 0, a, b, 0, 0];
            let found = run(&native, Kind::Count, &position);
            assert_eq!(found, evaluate(&loaded, FunctionId(1), &position), "{operator:?} {a:#x} {b:#x}");
        }
    }
    for &b in seconds {
        let half = vec![
            let_(0, Op::Word(2)),
            let_(1, Op::Const(b)),
            let_(2, binary(operator, 0, 1)),
            let_(3, Op::Const(OPERANDS[3])),
            let_(4, binary(operator, 3, 1)),
            set(0, 2),
            set(1, 4),
        ];
        check(Kind::Count, 2, half).unwrap();
    }
}

#[test]
fn binary_operators() {
    for operator in ARITHMETIC {
        check_binary(operator, &OPERANDS);
    }
    for operator in SHIFTS {
        check_binary(operator, &DISTANCES);
    }
    for operator in DIVISIONS {
        check_binary(operator, &DIVISORS);
    }
}

#[test]
fn unary_operators() {
    for operator in [Unary::Not, Unary::Negate, Unary::CountOnes, Unary::TrailingZeros, Unary::LeadingZeros] {
        let body = vec![let_(0, Op::Word(2)), let_(1, Op::Unary(operator, Value(0))), set(0, 1)];
        let module = module(Kind::Count, 1, body);
        let native = compile(&module);
        for &a in &OPERANDS {
            let position = [0, 0, a, 0, 0, 0];
            let found = run(&native, Kind::Count, &position);
            assert_eq!(found, evaluate(&module, FunctionId(1), &position), "{operator:?} {a:#x}");
        }
    }
}

#[test]
fn words_properties_and_tables() {
    for word in 0..6 {
        let answer = check(Kind::Count, 1, vec![let_(0, Op::Word(word)), set(0, 0)]).unwrap();
        assert_eq!(answer.variables[0], POSITION[word as usize]);
    }
    for (property, expected) in [7, -3, 41].into_iter().enumerate() {
        let direct = vec![let_(0, Op::Property(property as u32)), set(0, 0)];
        assert_eq!(check(Kind::Count, 1, direct).unwrap().variables[0] as i64, expected);
    }
    let tables = vec![
        let_(0, Op::Const(1)),
        let_(1, Op::Property(2)),
        let_(2, Op::Table(TableId(0), Value(0))),
        let_(3, Op::Table(TableId(1), Value(1))),
        set(0, 2),
        set(1, 3),
    ];
    assert_eq!(check(Kind::Count, 2, tables).unwrap().variables, [8, 1 << 41]);
}

#[test]
fn select_and_truths() {
    for (a, b) in [(0, 0), (0, 5), (5, 0), (5, 5), (1 << 40, 256)] {
        let body = vec![
            let_(0, Op::Const(a)),
            let_(1, Op::Const(b)),
            let_(2, Op::Word(2)),
            let_(3, Op::Word(3)),
            let_(4, binary(Binary::Less, 0, 1)),
            let_(5, binary(Binary::NotEqual, 0, 1)),
            let_(6, binary(Binary::And, 4, 5)),
            let_(7, binary(Binary::Or, 4, 5)),
            let_(8, Op::Select(Value(6), Value(2), Value(3))),
            let_(9, Op::Select(Value(0), Value(8), Value(7))),
            let_(10, Op::Select(Value(7), Value(9), Value(6))),
            set(0, 9),
            set(1, 10),
        ];
        check(Kind::Test, 2, body).unwrap();
    }
}
