//! What lowering makes of small programs. That the code does the right thing is tested where it runs, in
//! `jit`.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

use expect_test::{Expect, expect};
use multigame_ir::Program;
use multigame_mir::{
    Kind, Module, Op, Options, Pass, SIGNATURE, Stmt, explain, lower, lower_moves, lower_with,
};

fn program(file: &str) -> Program {
    let path = format!("{}/../ir/tests/files/{file}.ir", env!("CARGO_MANIFEST_DIR"));
    multigame_ir::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn module(file: &str) -> Module {
    lower(&program(file)).unwrap()
}

fn check_explanation(file: &str, expected: Expect) {
    expected.assert_eq(&explain(&program(file)));
}

/// Statements of a block and of the blocks inside it.
fn all(block: &[Stmt]) -> Vec<&Stmt> {
    let mut statements = Vec::new();
    for stmt in block {
        statements.push(stmt);
        match stmt {
            Stmt::If(_, yes, no) => statements.extend(all(yes).into_iter().chain(all(no))),
            Stmt::ForBits { body, .. } | Stmt::Loop(body) => statements.extend(all(body)),
            _ => {}
        }
    }
    statements
}

fn count(module: &Module, kind: Kind, wanted: fn(&Stmt) -> bool) -> usize {
    let functions = module.functions.iter().filter(|function| function.kind == kind);
    functions.map(|function| all(&function.body).into_iter().filter(|stmt| wanted(stmt)).count()).sum()
}

/// How many loops over fields there are in what counts the moves of a position.
fn loops_of_counts(module: &Module) -> usize {
    let counts = module.count.map(|count| module.function(count.expect("moves are counted")));
    let loops = |body| all(body).into_iter().filter(|stmt| matches!(stmt, Stmt::ForBits { .. })).count();
    counts.iter().map(|function| loops(&function.body)).sum()
}

#[test]
fn positions_between_two_plies_are_not_written_down() {
    let module = module("breakthrough");
    assert_eq!(module.leaves.len(), 2);
    for function in module.leaves.iter().flatten().map(|id| module.function(*id)) {
        let body = all(&function.body);
        assert!(!body.iter().any(|stmt| matches!(stmt, Stmt::Emit(_) | Stmt::Call { .. })));
        // Nobody reads or computes a signature.
        let signed = |stmt: &&Stmt| matches!(stmt, Stmt::Let(_, Op::Word(word)) if *word == SIGNATURE as u32);
        assert!(!body.iter().any(signed));
    }
    let without = lower_with(&program("breakthrough"), &Options::without(Pass::Plies)).unwrap();
    assert!(without.leaves.is_empty());
}

#[test]
fn a_placement_is_counted_without_a_loop() {
    let module = module("tictactoe");
    assert!(!module.may_repeat);
    assert_eq!(loops_of_counts(&module), 0);
    // Each player's generator visits the empty fields once and emits once.
    let moves = lower_moves(&program("tictactoe"), &Options::default()).unwrap();
    assert_eq!(count(&moves, Kind::Generate, |stmt| matches!(stmt, Stmt::ForBits { .. })), 2);
    assert_eq!(count(&moves, Kind::Generate, |stmt| matches!(stmt, Stmt::Emit(_))), 2);
}

#[test]
fn moves_that_take_nothing_are_not_even_looked_for() {
    // Forward is an alternative of its own, because something else happens there.
    let text = multigame_ir::print(&program("breakthrough"));
    let text = text.replace("points at \".\"\n", "points at \".\"\n    irreversible\n");
    let program = multigame_ir::parse(&text).unwrap();
    let mut module = lower_moves(&program, &Options::default()).unwrap();
    module.add_takes(&program, &Options::default());
    let emissions =
        |body: &[Stmt]| all(body).into_iter().filter(|stmt| matches!(stmt, Stmt::Emit(_))).count();
    for (generate, take) in module.generate.into_iter().zip(module.take) {
        let (generate, take) =
            (module.function(generate), module.function(take.expect("two players' pieces")));
        assert_eq!([emissions(&generate.body), emissions(&take.body)], [2, 1]);
        assert!(all(&take.body).len() * 3 < all(&generate.body).len() * 2);
    }
}

#[test]
fn a_single_move_passes_over_the_others() {
    let module = module("tictactoe");
    for pick in module.pick.map(|pick| module.function(pick.expect("moves are counted"))) {
        assert_eq!(pick.parameters.len(), 1);
        // Fields are visited only if the wanted one is among them, and whoever emits is done.
        let body = all(&pick.body);
        assert_eq!(body.iter().filter(|stmt| matches!(stmt, Stmt::Emit(_))).count(), 1);
        assert!(!pick.body.iter().any(|stmt| matches!(stmt, Stmt::ForBits { .. })));
        let emission = body.iter().position(|stmt| matches!(stmt, Stmt::Emit(_))).unwrap();
        assert!(body[emission..].iter().any(|stmt| matches!(stmt, Stmt::ReturnIf(_))));
    }
}

#[test]
fn steps_of_all_pawns_are_counted_at_once() {
    assert_eq!(loops_of_counts(&module("breakthrough")), 0);
}

#[test]
fn moves_from_field_to_field_cannot_repeat() {
    assert!(!module("breakthrough").may_repeat);
    assert!(!module("connect4").may_repeat);
}

#[test]
fn a_jump_over_a_piece_like_its_own_may_repeat() {
    // Pegs are alike: which of the two emptied fields the jump came from cannot be told from their contents.
    assert!(module("peg").may_repeat);
}

#[test]
fn nothing_is_counted_where_results_may_repeat() {
    let module = module("peg");
    assert_eq!(module.count, [None, None]);
}

#[test]
fn tables_are_shared() {
    let module = module("breakthrough");
    for (number, table) in module.tables.iter().enumerate() {
        assert!(!module.tables[..number].contains(table), "table {number} is there twice");
    }
}

#[test]
fn a_property_of_fields_has_a_board_for_each_bit() {
    let module = module("sowing");
    assert_eq!(module.layout.planes.iter().map(|planes| planes.bits).collect::<Vec<_>>(), [4]);
}

#[test]
fn the_explanation_marks_every_statement() {
    check_explanation(
        "tictactoe",
        expect![[r#"
            # Compiled: 4 words a position, 2 tables.
            # No two results can be equal: the last ply is counted without being generated.
            # main_white_generate generates with 69 values.
            # main_black_generate generates with 68 values.
            # main_white_count counts with 10 values.
            # main_black_count counts with 10 values.
            # main_white_leaves_2 counts with 76 values.
            # main_black_leaves_2 counts with 75 values.
            # main_white_leaves_3 counts with 119 values.
            # main_black_leaves_3 counts with 118 values.
            # main_white_pick generates with 77 values.
            # main_black_pick generates with 76 values.
            # main_white_take generates with 7 values.
            # main_black_take generates with 7 values.

            main =
            set     find
            one     replace by    # changes the board
            one     try
            set         test
            set             a rule
            one         outcome    # sets the outcome

            line =
            set     either
            set         match
            set         match
            set         match
            set         match
            set         match
            set         match
            set         match
            set         match
        "#]],
    );
}
