//! Every statement, and what the check refuses.

use multigame_mir::{Binary, Emission, Kind, Op, Stmt, TableId, Value};

use super::*;

/// `variable += amount`, using two values from `first` on.
fn add(variable: u32, amount: u32, first: u32) -> Vec<Stmt> {
    vec![
        let_(first, get(variable)),
        let_(first + 1, binary(Binary::Add, first, amount)),
        set(variable, first + 1),
    ]
}

#[test]
fn variables_begin_with_zero_and_change() {
    assert_eq!(check(Kind::Count, 2, vec![]).unwrap().variables, [0, 0]);
    let body =
        vec![let_(0, Op::Const(3)), set(1, 0), let_(1, get(1)), set(0, 1), let_(2, Op::Const(9)), set(1, 2)];
    assert_eq!(check(Kind::Count, 2, body).unwrap().variables, [3, 9]);
    assert_eq!(check(Kind::Count, 1, vec![let_(0, Op::Const(3)), set(0, 0)]).unwrap().variables, [3, 0]);
    assert_eq!(check(Kind::Count, 0, vec![]).unwrap().variables, [0, 0]);
}

#[test]
fn choices() {
    for condition in [0, 1, 256, 1 << 63] {
        let body = vec![
            let_(0, Op::Const(condition)),
            let_(1, Op::Const(5)),
            Stmt::If(Value(0), add(0, 1, 2), vec![set(1, 1)]),
            Stmt::If(Value(0), vec![], add(1, 1, 2)),
            Stmt::If(Value(0), add(0, 1, 2), vec![]),
        ];
        let expected = if condition != 0 { [10, 0] } else { [0, 10] };
        assert_eq!(check(Kind::Count, 2, body).unwrap().variables, expected);
    }
}

#[test]
fn bits_come_in_order() {
    for set_ in [0, 1, 0b1010_0110, 1 << 63, u64::MAX] {
        let each = vec![
            let_(3, get(0)),
            let_(4, binary(Binary::Multiply, 3, 1)),
            let_(5, binary(Binary::Add, 4, 2)),
            set(0, 5),
        ];
        let body = vec![
            let_(0, Op::Const(set_)),
            let_(1, Op::Const(67)),
            Stmt::ForBits { set: Value(0), index: Value(2), body: each },
        ];
        check(Kind::Count, 1, body).unwrap();
    }
}

#[test]
fn loops_end_by_breaks_at_any_depth() {
    let inner = vec![
        let_(3, get(1)),
        let_(4, binary(Binary::Add, 3, 0)),
        set(1, 4),
        let_(5, binary(Binary::And, 4, 1)),
        Stmt::If(Value(5), vec![], vec![Stmt::BreakIf(Value(0))]),
    ];
    let outer = [
        add(0, 0, 6),
        vec![
            Stmt::Loop(inner),
            let_(8, get(0)),
            let_(9, binary(Binary::Equal, 8, 2)),
            Stmt::BreakIf(Value(9)),
        ],
    ];
    let body =
        vec![let_(0, Op::Const(1)), let_(1, Op::Const(3)), let_(2, Op::Const(6)), Stmt::Loop(outer.concat())];
    assert_eq!(check(Kind::Count, 2, body).unwrap().variables, [6, 24]);
}

#[test]
fn returns_and_failures() {
    for (limit, expected) in [(2, Ok([2, 0])), (9, Ok([4, 7]))] {
        let each = [
            vec![let_(4, get(0)), let_(5, binary(Binary::Equal, 4, 1)), Stmt::ReturnIf(Value(5))],
            add(0, 2, 6),
        ];
        let body = vec![
            let_(0, Op::Const(0xf0)),
            let_(1, Op::Const(limit)),
            let_(2, Op::Const(1)),
            let_(8, Op::Const(7)),
            Stmt::ForBits { set: Value(0), index: Value(3), body: each.concat() },
            set(1, 8),
        ];
        assert_eq!(check(Kind::Test, 2, body).map(|answer| answer.variables), expected);
    }
    for (limit, fails) in [(2, true), (9, false)] {
        let body = vec![
            let_(0, Op::Const(5)),
            let_(1, Op::Const(limit)),
            let_(2, binary(Binary::Less, 1, 0)),
            Stmt::FailIf(Value(2)),
        ];
        assert_eq!(check(Kind::Generate, 0, body).is_err(), fails);
    }
}

/// Emissions with any mix of changed words and values, more than fit in the first buffer.
#[test]
fn emissions() {
    let mixes: [(&[u32], &[u32]); 7] = [
        (&[0, 1], &[]),
        (&[1, 0, 2], &[0]),
        (&[0, 1, 3], &[1]),
        (&[0, 1, 2, 3], &[0, 1]),
        (&[0, 1], &[1, 0, 2]),
        (&[0, 1, 4], &[2]),
        (&[5, 4, 3, 2, 1, 0], &[]),
    ];
    for (words, values) in mixes {
        let emission = Emission {
            words: words.iter().map(|&word| (word, Value(3 + word % 2))).collect(),
            values: values.iter().map(|&value| (value, Value(2))).collect(),
        };
        let each = vec![
            let_(3, Op::Table(TableId(1), Value(2))),
            let_(4, binary(Binary::Add, 3, 1)),
            Stmt::Emit(emission),
        ];
        let body = vec![
            let_(0, Op::Const(u64::MAX)),
            let_(1, get(0)),
            Stmt::ForBits { set: Value(0), index: Value(2), body: each.clone() },
            Stmt::ForBits { set: Value(0), index: Value(2), body: each.clone() },
            Stmt::ForBits { set: Value(0), index: Value(2), body: each },
        ];
        assert_eq!(check(Kind::Generate, 1, body).unwrap().children.len(), 192);
    }
}

/// Function 2 is called by function 1: the factorial of its parameter, and how often it was called.
fn factorial(kind: Kind, inside: Block) -> Function {
    let call =
        Stmt::Call { function: FunctionId(2), arguments: vec![Value(2)], results: vec![Value(3), Value(4)] };
    let mut yes = inside;
    yes.extend([
        let_(2, binary(Binary::Subtract, 0, 1)),
        call,
        let_(5, binary(Binary::Multiply, 0, 3)),
        set(0, 5),
        let_(6, binary(Binary::Add, 4, 1)),
        set(1, 6),
    ]);
    let body = vec![let_(1, Op::Const(1)), Stmt::If(Value(0), yes, vec![set(0, 1), set(1, 1)])];
    function(kind, &[0], 2, 2, body)
}

fn calling(kind: Kind, argument: u64, inside: Block) -> Result<Answer, Failed> {
    let call =
        Stmt::Call { function: FunctionId(2), arguments: vec![Value(0)], results: vec![Value(1), Value(2)] };
    let body = vec![let_(0, Op::Const(argument)), call, set(0, 1), set(1, 2)];
    let mut module = module(kind, 2, body);
    module.functions.push(factorial(kind, inside));
    multigame_compiled::check(&module).unwrap();
    let found = run(&compile(&module), kind, &POSITION);
    assert_eq!(found, evaluate(&module, FunctionId(1), &POSITION));
    found
}

#[test]
fn calls_nest_report_emit_and_fail() {
    assert_eq!(calling(Kind::Count, 0, vec![]).unwrap().variables, [1, 1]);
    assert_eq!(calling(Kind::Test, 10, vec![]).unwrap().variables, [3_628_800, 11]);
    let emission = Emission { words: vec![(0, Value(0)), (1, Value(1))], values: vec![(2, Value(0))] };
    let children = calling(Kind::Generate, 100, vec![Stmt::Emit(emission)]).unwrap().children;
    assert_eq!(
        children.iter().map(|child| child[0]).collect::<Vec<_>>(),
        (1..=100).rev().collect::<Vec<_>>()
    );
    let fail =
        |limit| vec![let_(7, Op::Const(limit)), let_(8, binary(Binary::Equal, 0, 7)), Stmt::FailIf(Value(8))];
    assert_eq!(calling(Kind::Count, 4, fail(2)), Err(Failed));
    assert_eq!(calling(Kind::Count, 4, fail(5)).unwrap().variables, [24, 5]);
}

#[test]
#[should_panic(expected = "an index, a divisor or a shift that cannot be")]
fn broken_promises_are_noticed_through_calls() {
    let inside = vec![let_(7, Op::Word(2)), let_(8, Op::Table(TableId(0), Value(7))), set(1, 8)];
    let call =
        Stmt::Call { function: FunctionId(2), arguments: vec![Value(0)], results: vec![Value(1), Value(2)] };
    let mut module = module(Kind::Count, 2, vec![let_(0, Op::Const(1)), call]);
    module.functions.push(factorial(Kind::Count, inside));
    let _ = run(&compile(&module), Kind::Count, &POSITION);
}

#[test]
fn children_of_an_earlier_run_are_forgotten() {
    let emission = Emission { words: vec![(0, Value(0)), (1, Value(0))], values: vec![] };
    let module =
        module(Kind::Generate, 0, vec![let_(0, Op::Word(2)), Stmt::FailIf(Value(0)), Stmt::Emit(emission)]);
    let native = compile(&module);
    let mut children = WordList::default();
    native.generate(FunctionId(1), &[0; 6], &mut children).unwrap();
    assert_eq!(children.len(), 1);
    native.generate(FunctionId(1), &[0; 6], &mut children).unwrap();
    assert_eq!(children.len(), 1);
    assert_eq!(native.generate(FunctionId(1), &[1; 6], &mut children), Err(Failed));
    assert_eq!(children.len(), 0);
}

#[test]
#[should_panic(expected = "an index, a divisor or a shift that cannot be")]
fn broken_promises_are_noticed() {
    let module = module(
        Kind::Test,
        1,
        vec![let_(0, Op::Word(2)), let_(1, Op::Table(TableId(0), Value(0))), set(0, 1)],
    );
    let _ = run(&compile(&module), Kind::Test, &POSITION);
}

#[test]
fn mistakes_of_the_lowering_have_names() {
    let one = |stmt: Stmt| vec![let_(0, Op::Const(1)), stmt];
    let incomplete = Emission { words: vec![(0, Value(0))], values: vec![] };
    let cases = [
        (Kind::Test, one(set(1, 0)), "there is no variable 1"),
        (Kind::Test, one(set(0, 1)), "value 1 is not defined here"),
        (Kind::Test, one(let_(0, Op::Const(1))), "value 0 is defined twice"),
        (Kind::Test, one(let_(1, Op::Word(6))), "positions have no word 6"),
        (Kind::Test, one(let_(1, Op::Property(3))), "positions have no value 3"),
        (Kind::Test, one(let_(1, Op::Table(TableId(3), Value(0)))), "there is no table 3"),
        (
            Kind::Test,
            one(Stmt::Call { function: FunctionId(2), arguments: vec![], results: vec![] }),
            "there is no function 2",
        ),
        (
            Kind::Test,
            one(Stmt::Call { function: FunctionId(0), arguments: vec![], results: vec![] }),
            "a call that does not fit `test`",
        ),
        (Kind::Test, one(Stmt::BreakIf(Value(0))), "a break outside of a loop"),
        (
            Kind::Test,
            vec![let_(0, Op::Const(1)), Stmt::If(Value(0), vec![let_(1, Op::Const(1))], vec![]), set(0, 1)],
            "value 1 is not defined here",
        ),
        (Kind::Test, one(Stmt::Emit(incomplete.clone())), "only generators emit positions"),
        (Kind::Generate, one(Stmt::Emit(incomplete)), "a position is emitted without signature or header"),
    ];
    for (kind, body, expected) in cases {
        let found = multigame_compiled::check(&module(kind, 1, body)).unwrap_err();
        assert_eq!(found, format!("function `test`: {expected}"));
    }
}
