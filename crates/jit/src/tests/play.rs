//! A hand-written machine program for tic-tac-toe, played.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

use std::ops::ControlFlow;

use multigame_compiled::{CompiledGame, Translated};
use multigame_game::{Field, Game, Outcome, Piece, Random, Side, Zobrist, perft};
use multigame_ir::{Program, RulesGame};
use multigame_mir::{
    Emission, FunctionId, HEADER, Header, Kind, Layout, Op, Options, SIGNATURE, Stmt, TableId, Unary, Value,
};

use super::*;

type Played = CompiledGame<Translated<Tested>>;

const LINES: [u64; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

fn program() -> Program {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/tic-tac-toe/rules.mg");
    let text = std::fs::read_to_string(path).unwrap();
    multigame_compiler::compile(&text, &Default::default()).program.unwrap()
}

/// Values 0 to 3: own marks, the opponent's, the empty fields, and what is in between.
fn empty_fields(side: Side) -> Block {
    vec![
        let_(0, Op::Word(2 + side.index() as u32)),
        let_(1, Op::Word(3 - side.index() as u32)),
        let_(3, binary(Binary::Or, 0, 1)),
        let_(4, Op::Const(0o777)),
        let_(2, binary(Binary::AndNot, 4, 3)),
    ]
}

fn generator(side: Side) -> Block {
    let header = |outcome| Header { side: side.opponent(), irreversible: true, outcome }.word();
    let mut each = vec![
        let_(6, Op::Table(TableId(2), Value(5))),
        let_(7, binary(Binary::Or, 0, 6)),
        let_(8, Op::Table(TableId(side.index() as u32), Value(5))),
        let_(9, Op::Word(SIGNATURE as u32)),
        let_(10, binary(Binary::Xor, 8, 9)),
        let_(11, Op::Const(0)),
    ];
    let mut won = 11;
    for (number, line) in LINES.into_iter().enumerate() {
        let first = 12 + 4 * number as u32;
        each.extend([
            let_(first, Op::Const(line)),
            let_(first + 1, binary(Binary::And, 7, first)),
            let_(first + 2, binary(Binary::Equal, first, first + 1)),
            let_(first + 3, binary(Binary::Or, won, first + 2)),
        ]);
        won = first + 3;
    }
    each.extend([
        let_(50, Op::Const(header(None))),
        let_(51, Op::Const(header(Some(Outcome::Wins(side))))),
        let_(52, Op::Select(Value(won), Value(51), Value(50))),
        Stmt::Emit(Emission {
            words: vec![
                (SIGNATURE as u32, Value(10)),
                (HEADER as u32, Value(52)),
                (2 + side.index() as u32, Value(7)),
            ],
            values: vec![],
        }),
    ]);
    let mut body = empty_fields(side);
    body.push(Stmt::ForBits { set: Value(2), index: Value(5), body: each });
    body
}

fn counter(side: Side) -> Block {
    let mut body = empty_fields(side);
    body.extend([let_(5, Op::Unary(Unary::CountOnes, Value(2))), set(0, 5)]);
    body
}

/// The machine program; `wasteful` emits everything twice and leaves merging to the game.
fn tic_tac_toe(program: &Program, wasteful: bool) -> Module {
    let zobrist = Zobrist::new(&program.description);
    let signatures = |side: Side| {
        let piece = Piece(side.index() as u8 + 1);
        (0..9).map(|field| zobrist.piece(piece, Field(field)) ^ Zobrist::BLACK_TO_MOVE).collect()
    };
    let bits = (0..9).map(|field| 1 << field).collect();
    let function = |kind, body| function(kind, &[], 2, 2, body);
    let generator = |side| {
        let mut body = generator(side);
        if wasteful {
            body.push(body[body.len() - 1].clone());
        }
        function(Kind::Generate, body)
    };
    let [white, black] = Side::BOTH;
    Module {
        layout: Layout::new(program),
        tables: vec![signatures(white), signatures(black), bits],
        functions: vec![
            generator(white),
            generator(black),
            function(Kind::Count, counter(white)),
            function(Kind::Count, counter(black)),
        ],
        generate: [FunctionId(0), FunctionId(1)],
        count: if wasteful { [None; 2] } else { [Some(FunctionId(2)), Some(FunctionId(3))] },
        leaves: Vec::new(),
        pick: [None; 2],
        take: [None; 2],
        last: [None; 2],
        goal: None,
        features: Vec::new(),
        may_repeat: wasteful,
        doubtful: if wasteful { vec![Vec::new()] } else { Vec::new() },
        brevity: multigame_mir::Brevity::Fast,
        checked: true,
    }
}

fn game(wasteful: bool) -> Played {
    let program = program();
    let module = tic_tac_toe(&program, wasteful);
    let native = compile(&module);
    let code = Translated::of_parts(&program, module, native, &Options::default());
    CompiledGame::with_code(program, code)
}

#[test]
fn counts_are_known() {
    for wasteful in [false, true] {
        let game = game(wasteful);
        let counts = [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&game, &game.initial(), depth), Ok(count));
        }
    }
}

#[test]
fn the_interpreter_helps_where_native_code_fails() {
    let program = program();
    let mut module = tic_tac_toe(&program, false);
    for function in &mut module.functions {
        // Fails while White has fewer than three marks, after all children were emitted.
        let few = [
            let_(54, Op::Word(2)),
            let_(55, Op::Unary(Unary::CountOnes, Value(54))),
            let_(56, Op::Const(3)),
            let_(57, binary(Binary::Less, 55, 56)),
            Stmt::FailIf(Value(57)),
        ];
        function.body.extend(few);
        function.values = 58;
    }
    let native = compile(&module);
    let code = Translated::of_parts(&program, module, native, &Options::default());
    let game = CompiledGame::with_code(program.clone(), code);
    let rules = RulesGame::new(program);
    for seed in 0..10 {
        follow(&game, &rules, seed);
    }
    assert!(game.interpreted() > 0);
}

#[test]
fn random_games_are_those_of_the_interpreter() {
    for wasteful in [false, true] {
        let game = game(wasteful);
        let rules = RulesGame::new(program());
        for seed in 0..20 {
            follow(&game, &rules, seed);
        }
    }
}

fn follow(game: &Played, rules: &RulesGame, seed: u64) {
    let mut random = Random::new(seed);
    let (mut position, mut reference) = (game.initial(), rules.initial());
    loop {
        let mut children = Vec::new();
        let outcome = game
            .visit(&position, &mut |mv, child| {
                let mut applied = game.initial();
                game.apply(&position, mv, &mut applied);
                assert_eq!(applied, *child);
                assert_eq!(applied.words(), child.words(), "also signature and irreversibility");
                children.push((game.move_key(mv), child.clone()));
                ControlFlow::Continue(())
            })
            .unwrap();
        let mut expected = Vec::new();
        let expected_outcome = rules
            .visit(&reference, &mut |mv, child| {
                expected.push((rules.move_key(mv), child.clone()));
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(outcome, expected_outcome);
        assert_eq!(game.outcome(&position), Ok(outcome));
        assert_eq!(game.count(&position), Ok(children.len() as u64));
        children.sort_by_key(|&(key, _)| key);
        expected.sort_by_key(|&(key, _)| key);
        assert_eq!(children.len(), expected.len());
        for ((key, child), (expected_key, expected)) in children.iter().zip(&expected) {
            assert_eq!(key, expected_key);
            assert_eq!(game.diagram(child), rules.diagram(expected));
            assert_eq!(game.signature(child), rules.signature(expected));
            assert_eq!(game.is_irreversible(child), rules.is_irreversible(expected));
        }
        if children.is_empty() {
            return;
        }
        let choice = random.below(children.len());
        position.clone_from(&children[choice].1);
        reference.clone_from(&expected[choice].1);
    }
}
