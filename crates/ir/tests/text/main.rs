//! The textual form of move programs: what it looks like, that nothing is lost, what is refused and where.

mod errors;
mod fuzz;
mod round_trip;
mod sample;

use expect_test::expect;
use multigame_ir::{Op, OriginId, Stmt, parse, print};

#[test]
fn a_small_program_reads_well() {
    let expected = expect![[r#"
        multigame ir 1
        game "race"
        players 2
        board square 3 3 turned
        piece 'P' "pawn" white
        piece 'p' "pawn" black
        property "moved" player 0 .. 1 hashed
        move property "taken" 0 .. 3
        no moves loss
        repetition draw 3
        notation coordinates
        initial "ppp/3/PPP w"
        main white @main.white
        main black @main.black
        pattern a1 b2 : 0 5 -3 1 0 0 2 0 9

        function main white {
          find "P" @1
          pick up
          either {
            face north
            step
            points at "."
          } or { @2
            face northwest northeast
            step
            points at "p"
            assign (move.taken++)
          }
          put down
          assign ((moved.white = 1)@3)
          try {
            assert ((row.white == 3) || (count { find "p"; points at "p" } == 0))
            outcome white
          }
        }

        function main black {
          call @main.white
        }

        origin 1 "main" 7 120..128
        origin 2 "main" 9 150..190
        origin 3 "main" 11 200..210
    "#]];
    let program = sample::race();
    expected.assert_eq(&print(&program));
    assert_eq!(parse(&print(&program)), Ok(program));
}

#[test]
fn a_network_is_part_of_the_text() {
    let mut program = sample::race();
    program.network = Some(sample::network());
    let text = print(&program);
    let line = text.lines().find(|line| line.starts_with("network ")).expect("it is printed");
    assert!(line.starts_with("network 16 apart 150 \""), "{line}");
    assert_eq!(parse(&text), Ok(program));
    let refused = |old: &str, new: &str, message: &str| {
        let error = parse(&text.replace(old, new)).expect_err("it does not fit").to_string();
        assert!(error.contains(message), "{error}");
    };
    refused("network 16 apart", "network 16 turned", "learn again with these rules");
    refused("network 16 apart", "network 16 closed", "`closed` is not `turned`, `flipped` or `apart`");
    refused("network 16 apart", "network 32 apart", "learn again with these rules");
    refused("apart 150 \"", "apart 150 \"-", "are damaged");
    refused("apart 150", "apart 0", "is not between");
}

#[test]
fn what_belongs_together_in_braces_stays_apart_in_the_program() {
    let step = || Stmt::new(Op::Step, OriginId(0));
    let sequence = |parts: Vec<Stmt>, origin: u32| Stmt::new(Op::Sequence(parts), OriginId(origin));
    let expected = expect![[r#"
        function main white {
          not {
            step
          }
          not {
            sequence {
              step
            }
          }
          not {
            sequence @1 {
              step
            }
          }
          not { @1
            step
            step
          }
          not {
            nothing @1
          }
          sequence {
            step
            step
          }
          sequence @1 {
            sequence {
              step
            }
          }
          either {
            fail
          }
          try {
            step
          }
          try {
            step
          } else {
            nothing @1
          }
        }
    "#]];
    let not = |body: Stmt| Stmt::new(Op::Not(Box::new(body)), OriginId(0));
    let try_else = |second: Stmt| Stmt::new(Op::Try(Box::new(step()), Box::new(second)), OriginId::default());
    let mut program = sample::race();
    program.functions[0].body = sequence(
        vec![
            not(step()),
            not(sequence(vec![step()], 0)),
            not(sequence(vec![step()], 1)),
            not(sequence(vec![step(), step()], 1)),
            not(sequence(vec![], 1)),
            sequence(vec![step(), step()], 0),
            sequence(vec![sequence(vec![step()], 0)], 1),
            Stmt::new(Op::Either(vec![Stmt::fail()]), OriginId(0)),
            try_else(Stmt::nothing()),
            try_else(sequence(vec![], 1)),
        ],
        0,
    );
    let text = print(&program);
    let body = text.split("\n\n").nth(1).unwrap_or_default();
    expected.assert_eq(&format!("{body}\n"));
    assert_eq!(parse(&text), Ok(program));
}

#[test]
fn comments_blank_lines_and_semicolons_are_layout() {
    let program = sample::race();
    let text = print(&program);
    let header = text.find("function").unwrap_or_default();
    let (facts, functions) = text.split_at(header);
    let spread = text.replace('\n', "   # a \"comment\"\n\n");
    let dense = format!("{facts}{}", functions.replace('\n', ";"));
    assert_eq!(parse(&spread), Ok(program.clone()));
    assert_eq!(parse(&dense), Ok(program));
}
