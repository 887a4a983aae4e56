//! Whole programs: entries, puzzles, other boards, parameters.

use expect_test::expect;

use crate::{check, compiled};

#[test]
fn unused_rules_are_left_out() {
    check(
        r##"dimensions (2, 2) main = try a else draw. a = nothing, win. unused = draw."##,
        expect![[r#"
            function main white {
              try @3 {
                call @a.white @1
              } else {
                outcome draw @2
              }
            }
            function main black {
              try @3 {
                call @a.black @1
              } else {
                outcome draw @2
              }
            }
            function a white {
              outcome white @5
            }
            function a black {
              outcome black @5
            }
        "#]],
    );
}

#[test]
fn recursion() {
    check(
        r##"dimensions (2, 2) main = find any field, north, walk. walk = step, optionally walk."##,
        expect![[r#"
            function main white { @4
              find "." @1
              face north @2
              call @walk.white @3
            }
            function main black { @4
              find "." @1
              face south @2
              call @walk.black @3
            }
            function walk white { @8
              step @5
              either @7 {
                nothing
              } or {
                call @walk.white @6
              }
            }
            function walk black { @8
              step @5
              either @7 {
                nothing
              } or {
                call @walk.black @6
              }
            }
        "#]],
    );
}

#[test]
fn a_puzzle_has_one_view() {
    check(
        r##"players = 1 dimensions (2, 2) pieces { tile 't' } properties { p : player : [0 .. 1] } main = find own tile, assert (p). goal = find empty field. final = draw."##,
        expect![[r#"
            function main white { @4
              find "t" @1
              assert (p.white@2) @3
            }
            function goal white {
              find "." @5
            }
        "#]],
    );
}

#[test]
fn final_has_two_views() {
    check(
        r##"dimensions (2, 2) no moves = pass main = find any field. final = win."##,
        expect![[r#"
        function main white {
          find "." @1
        }
        function main black {
          find "." @1
        }
        function final white {
          outcome white @2
        }
        function final black {
          outcome black @2
        }
    "#]],
    );
}

#[test]
fn one_side() {
    check(
        r##"dimensions (2, 2) sides = 1 pieces { man 'M' 'm' } main = find own man, north, assert (row == 1), move to (1, 1)."##,
        expect![[r#"
            function main white { @7
              find "M" @1
              face north @2
              assert ((row.white@3 == 1)@4) @5
              place a1 @6
            }
            function main black { @7
              find "m" @1
              face north @2
              assert ((row.black@3 == 1)@4) @5
              place a1 @6
            }
        "#]],
    );
}

#[test]
fn hex() {
    check(
        r##"topology hex dimensions (2, 2) main = find any field, northwest, turn 60, turn -180, any direction, step."##,
        expect![[r#"
            function main white { @7
              find "." @1
              face northwest @2
              turn 1 @3
              turn -3 @4
              face north east southeast south west northwest @5
              step @6
            }
            function main black { @7
              find "." @1
              face southeast @2
              turn 1 @3
              turn -3 @4
              face south west northwest north east southeast @5
              step @6
            }
        "#]],
    );
}

#[test]
fn graph() {
    check(
        r##"topology graph dimensions (3, 1) directions { on / back : a1 b1 c1 } main = find any field, on, step, any direction, step backward."##,
        expect![[r#"
            function main white { @6
              find "." @1
              face on @2
              step @3
              face on back @4
              step backward @5
            }
            function main black { @6
              find "." @1
              face on @2
              step @3
              face on back @4
              step backward @5
            }
        "#]],
    );
}

#[test]
fn turned_graph() {
    check(
        r##"topology graph sides = 2 dimensions (3, 1) directions { on / back : a1 b1 c1 } main = find any field, on, step, for each direction do step."##,
        expect![[r#"
            function main white { @6
              find "." @1
              face on @2
              step @3
              for each direction on back @5 {
                step @4
              }
            }
            function main black { @6
              find "." @1
              face back @2
              step @3
              for each direction back on @5 {
                step @4
              }
            }
        "#]],
    );
}

#[test]
fn holes_are_not_matched() {
    check(
        r##"setup { "._" ".." "_." } pieces { man 'M' 'm' } main = match (man, empty field, any piece, any field)."##,
        expect![[r#"
            function main white {
              match "M" a3, "." a2, "Mm" b2, ".Mm" b1 @1
            }
            function main black {
              match "m" b1, "." b2, "Mm" a2, ".Mm" a3 @1
            }
        "#]],
    );
}

#[test]
fn entries_have_their_functions() {
    let text = "dimensions (2, 2) no moves = pass main = find any field. final = win.";
    let program = compiled(text).program.unwrap();
    let name = |id| program.function(id).name.clone();
    assert_eq!(program.main.map(name), ["main", "main"]);
    assert_ne!(program.main[0], program.main[1]);
    assert_eq!(program.last.unwrap().map(name), ["final", "final"]);
    assert_eq!(program.goal, None);
    assert_eq!(program.description.name, "test");
}

#[test]
fn setup_is_applied_as_white() {
    let text = "dimensions (2, 2) no moves = loss pieces { man 'M' 'm' } main = find own man.
setup { black to move apply start } start = move to (2, 1), replace by man.";
    let initial = compiled(text).program.unwrap().description.initial;
    assert_eq!(initial.cells.iter().map(|piece| piece.0).collect::<Vec<_>>(), [0, 1, 0, 0]);
}

#[test]
fn setup_must_have_one_result() {
    let text = "dimensions (2, 2) no moves = loss pieces { man 'M' 'm' } main = find own man.
setup { apply start } start = find any field, replace by man.";
    let compilation = multigame_compiler::compile(text, &Default::default());
    assert!(compilation.program.is_none());
    let [found] = compilation.diagnostics.as_slice() else { panic!("{:?}", compilation.diagnostics) };
    assert_eq!(found.code, "setup-failed");
    let (start, end) = (found.span.start as usize, found.span.end as usize);
    assert_eq!(&text[start..end], "find any field, replace by man");
}

#[test]
fn setup_keeps_nothing_but_the_board() {
    let message = |rule: &str| -> Vec<String> {
        let text = format!(
            "dimensions (2, 1) no moves = loss pieces {{ man 'M' 'm' }} setup {{ \"MM\" apply start }}
main = find own man, replace by empty field. start = {rule}."
        );
        let compilation = multigame_compiler::compile(&text, &Default::default());
        assert_eq!(compilation.program.is_none(), !compilation.diagnostics.is_empty());
        compilation
            .diagnostics
            .into_iter()
            .map(|found| format!("{}: {}", found.code, found.message))
            .collect()
    };
    assert!(message("move to (1, 1), pick up, put down").is_empty());
    let hand = "setup-failed: the setup fails: it ends with a piece in hand; `put down` is missing";
    assert_eq!(message("move to (1, 1), pick up"), [hand]);
    let outcome = "setup-failed: the setup fails: it ends the game, which has not begun";
    assert_eq!(message("win"), [outcome]);
    assert_eq!(message("score (3)"), [outcome]);
    let found = message("keep turn");
    assert!(found[0].contains("`keep turn` has no meaning here"), "{found:?}");
}

#[test]
fn origins_name_rule_line_and_bytes() {
    let text = "dimensions (2, 2)\nmain = find any field, north,\n    step,\n    a.\na = step.\n";
    let program = compiled(text).program.unwrap();
    let places: Vec<String> = program.origins[1..]
        .iter()
        .map(|origin| {
            let (start, end) = origin.span;
            format!("{} {} {}", origin.rule, origin.line, &text[start as usize..end as usize])
        })
        .collect();
    let whole = "main 2 find any field, north,\n    step,\n    a";
    assert_eq!(
        places,
        ["main 2 find any field", "main 2 north", "main 3 step", "main 4 a", whole, "a 5 step"]
    );
}

#[test]
fn parameters_are_numbers() {
    let options = multigame_compiler::Options {
        name: String::new(),
        parameters: vec![("columns".to_string(), 5), ("need".to_string(), 4)],
    };
    let text = "parameter columns = 3 [1 .. 9] parameter need = 3 [2 .. 9] dimensions (columns, columns - 2)
main = repeat need - 1 times nothing.";
    let program = multigame_compiler::compile(text, &options).program.unwrap();
    assert_eq!((program.description.board.columns(), program.description.board.rows()), (5, 3));
    let multigame_ir::Op::Repeat { low: 3, high: Some(3), .. } = program.functions[0].body.op else {
        panic!("{:?}", program.functions[0]);
    };
}

#[test]
fn syntax_errors_hide_their_echoes() {
    let codes = |text: &str| -> Vec<&str> {
        let compilation = multigame_compiler::compile(text, &Default::default());
        assert!(compilation.program.is_none());
        compilation.diagnostics.iter().map(|found| found.code).collect()
    };
    assert!(!codes("dimensions (2, ").contains(&"no-main"));
    let both = codes("dimensions (2, 2) main = find any field, north, repeat 2 step, other.");
    assert_eq!(both.last(), Some(&"undefined-rule"), "{both:?}");
    assert_eq!(both.len(), 2, "{both:?}");
    assert_eq!(codes(""), ["missing-dimensions", "no-main"]);
}

#[test]
fn evaluations_become_functions_and_data() {
    let text = "dimensions (2, 2) no moves = loss pieces { man 'M' 'm' }
        evaluation {
            phase = count [ find any piece ] [0 .. 4]
            material { man 100 .. 120 }
            table man = \"3\" \"4\" .. \"1 2\" \"3 4\"
            ahead 5 : count [ find own man, assert (row == 2) ]
            tempo 7 mover : 1
        }
        evaluation other { near -3 : sum (row) [ find own man ] }
        main = find own man, pick up, north, step, put down.";
    let program = compiled(text).program.unwrap();
    let printed = multigame_ir::print(&program);
    assert_eq!(multigame_ir::parse(&printed).as_ref(), Ok(&program), "the text form says everything");
    let main = &program.evaluations[0].evaluation;
    assert_eq!(main.phase, Some((0, 4)));
    // A table that is mirrored in one phase only has a weight for each field.
    let names: Vec<&str> = main.weights.iter().map(|weight| weight.name.as_str()).collect();
    assert_eq!(names.len(), 2 + 8 + 2, "{names:?}");
    assert_eq!(main.weights[main.weight("table.man.b1.end").unwrap()].value, 4);
    assert!(program.evaluations[0].counted[1].mover);
    let constant = program.counted(program.evaluations[0].counted[1].functions[0]).unwrap();
    assert_eq!(constant.op, multigame_ir::ExprOp::Const(1));
    assert_eq!(program.evaluations[1].evaluation.name, "other");
}
