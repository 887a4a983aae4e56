//! Nothing is lost: reading what was printed gives the same program.

use multigame_game::{NoMoves, Repetition};
use multigame_ir::{Expr, ExprOp, Op, OriginId, Program, Stmt, parse, print};

use crate::sample::{self, boxed, expr, stmt};

#[track_caller]
pub fn check(program: &Program) {
    let text = print(program);
    match parse(&text) {
        Ok(read) => assert_eq!(&read, program, "{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// The body in two places: alone and in a sequence.
#[track_caller]
fn check_body(body: Stmt) {
    let mut program = sample::race();
    program.functions[1].body = stmt(Op::Sequence(vec![body.clone(), body.clone()]));
    program.functions[0].body = body;
    check(&program);
}

#[test]
fn every_statement() {
    for op in sample::every_op() {
        for origin in [OriginId(0), OriginId(3)] {
            let body = Stmt::new(op.clone(), origin);
            check_body(body.clone());
            check_body(stmt(Op::Not(Box::new(body.clone()))));
            check_body(stmt(Op::Assign(expr(ExprOp::Count(Box::new(body))))));
        }
    }
}

#[test]
fn every_expression() {
    for op in sample::every_expr_op() {
        for origin in [OriginId(0), OriginId(2)] {
            let value = Expr { op: op.clone(), origin };
            let inner = || Box::new(value.clone());
            check_body(Stmt::new(Op::Assert(value.clone()), OriginId(1)));
            check_body(Stmt::new(Op::Greatest(value.clone(), Box::new(stmt(Op::Step))), OriginId(1)));
            check_body(stmt(Op::Score(value.clone(), multigame_game::Side::White)));
            for outer in [
                ExprOp::Negate(inner()),
                ExprOp::Not(inner()),
                ExprOp::Complement(inner()),
                ExprOp::Binary(multigame_ir::BinaryOp::Subtract, inner(), inner()),
                ExprOp::Conditional(inner(), inner(), inner()),
                ExprOp::Comma(inner(), inner()),
                ExprOp::Sum(inner(), Box::new(stmt(Op::Step))),
            ] {
                check_body(stmt(Op::Assign(expr(outer.clone()))));
                check_body(stmt(Op::Assign(Expr { op: outer, origin: OriginId(1) })));
            }
        }
    }
}

#[test]
fn every_fact() {
    check(&sample::decorated());
    check(&sample::graph());
    let mut program = sample::race();
    for no_moves in [NoMoves::Loss, NoMoves::Draw, NoMoves::Pass, NoMoves::Error] {
        program.description.no_moves = no_moves;
        check(&program);
    }
    let repetitions = [
        Repetition::Ignored,
        Repetition::Draw(3),
        Repetition::Win(0),
        Repetition::Loss(u32::MAX),
        Repetition::Forbidden,
    ];
    for repetition in repetitions {
        program.description.repetition = repetition;
        check(&program);
    }
}

#[test]
fn graphs_keep_their_links() {
    let program = sample::graph();
    let text = print(&program);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("direction")).collect();
    let expected = expect_test::expect![[r#"
        direction "sow" / "sow back" : a1 b1 c1 c2 a2 a1
        direction "fall" : a1 c2 c1 a2 a2, b1 c2
        direction "nowhere" / "neither"
        direction "direction" / "step" : a1 b1, a2 c2"#]];
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn deep_programs_are_read_up_to_a_limit() {
    let nested = |levels: usize| {
        let mut program = sample::race();
        program.functions[0].body = (0..levels).fold(stmt(Op::Step), |body, _| stmt(Op::Not(Box::new(body))));
        let sum = (0..levels)
            .fold(expr(ExprOp::Const(1)), |a, _| expr(ExprOp::And(Box::new(a), boxed(ExprOp::Const(1)))));
        program.functions[1].body = stmt(Op::Assert(sum));
        program
    };
    check(&nested(900));
    let error = parse(&print(&nested(1_100))).unwrap_err();
    assert!(error.message.contains("nested 1000 levels deep"), "{error}");
}
