//! What is refused, and that the message names the line.

use expect_test::{Expect, expect};
use multigame_ir::{parse, print};

use crate::sample;

/// Replaces a part of the small program's text and compares the error.
#[track_caller]
fn check(old: &str, new: &str, expected: Expect) {
    let text = print(&sample::race());
    assert!(text.contains(old), "{old:?} is not in the text");
    match parse(&text.replacen(old, new, 1)) {
        Ok(_) => panic!("accepted: {new}"),
        Err(error) => expected.assert_eq(&error.to_string()),
    }
}

#[test]
fn facts() {
    check("multigame ir 1", "multigame ir 2", expect!["line 1: 1 is expected, not 2"]);
    check("multigame ir 1\n", "", expect!["line 1: `multigame` is expected, not `game`"]);
    check("game \"race\"", "game race", expect!["line 2: the game's name in quotes is expected, not `race`"]);
    check("game \"race\"", "game \"race", expect!["line 2: the quotation does not end on this line"]);
    check("players 2", "players 3", expect!["line 3: 3 is not between 1 and 2"]);
    check(
        "players 2",
        "playrs 2",
        expect!["line 3: `playrs` is neither a fact such as `players 2` nor a function"],
    );
    check("players 2", "players 2\nplayers 1", expect!["line 4: `players` is stated twice"]);
    check("square 3 3", "triangle 3 3", expect!["line 4: `triangle` is not `square`, `hex` or `graph`"]);
    check(
        "square 3 3",
        "square 99 99",
        expect!["line 4: a board of 99 x 99 fields is not possible: it needs 1 to 1024 fields"],
    );
    check(
        "turned",
        "turned\nholes a1",
        expect![
            "line 4: with `sides = 2` the board must look the same when turned by 180 degrees, but `c3` is a \
             field and `a1` is a hole"
        ],
    );
    check("turned", "turned\nholes d1", expect!["line 5: there is no field `d1` on this board"]);
    check(
        "turned",
        "turned\ndirection \"up\" : a1 a2",
        expect!["line 4: only a `board graph` declares directions"],
    );
    check(
        "'P'",
        "'.'",
        expect!["line 12: `P` is not a piece of this game; its pieces are `p`, `.` is an empty field"],
    );
    check("'P'", "'p'", expect!["line 6: 'p' already is a piece"]);
    check("'P'", "'/'", expect!["line 5: '/' cannot be the sign of a piece"]);
    check("'P'", "'PP'", expect!["line 5: one sign is expected between `'` and `'`"]);
    check(
        "\"moved\"",
        "\"has moved\"",
        expect![[r#"line 7: "has moved" is not the name of a property: one word is expected"#]],
    );
    check("0 .. 1 hashed", "1 .. 0 hashed", expect!["line 7: 0 is not between 1 and 2147483647"]);
    check(
        "notation coordinates",
        "notation fen \"moved\" \"moved\" \"ep\" \"clock\"",
        expect![[r#"line 11: there is no board property "ep" above"#]],
    );
    check(
        "ppp/3/PPP w",
        "ppp/3/PPP x",
        expect!["line 12: `x` is not a side to move: `w` or `b` is expected"],
    );
    check("ppp/3/PPP w", "", expect!["line 12: a position is needed, such as `3/3/3 w`"]);
    check(
        "main black @main.black\n",
        "",
        expect!["line 16: `main white @...` and `main black @...` are needed before the functions"],
    );
    check(
        "main black @main.black",
        "main black @move.black",
        expect!["line 14: there is no function `move.black` number 1"],
    );
    check("origin 2", "origin 3", expect!["line 43: 2 is expected, not 3"]);
    check("origin 3 \"main\" 11 200..210", "", expect!["line 31: there is no line `origin 3 ...`"]);
}

#[test]
fn graphs() {
    let graph = |lines: &str| format!("graph 3 3\n{lines}");
    let check = |lines: &str, expected: Expect| check("square 3 3 turned", &graph(lines), expected);
    check(
        "direction \"up\" : a1 a2\ndirection \"up\"",
        expect![[r#"line 6: there already is a direction "up""#]],
    );
    check("direction \"up\" / \"up\"", expect![[r#"line 5: there already is a direction "up""#]]);
    check(
        "direction \"up\"\ndirection \"in\" : a1 b9",
        expect!["line 6: there is no field `b9` on this board"],
    );
    check("holes a2\ndirection \"up\" : a1 a2", expect!["line 6: there is no field `a2` on this board"]);
    check(
        "direction \"in\"\ndirection \"up\" / \"down\" : a1 b2, c1 b2",
        expect!["line 6: direction `down` already leads from `b2` to another field"],
    );
}

#[test]
fn statements() {
    check("pick up", "pick", expect!["line 19: `up` is expected, not the end of the line"]);
    check("pick up", "jump", expect!["line 19: `jump` is not a statement"]);
    check("pick up", "pick up put down", expect!["line 19: the end of the line is expected, not `put`"]);
    check("face north", "face up", expect![[r#"line 21: there is no direction "up""#]]);
    check("find \"P\"", "find \"Q\"", expect!["line 18: there is no piece 'Q'"]);
    check("find \"P\"", "place d4", expect!["line 18: there is no field `d4` on this board"]);
    check(
        "call @main.white",
        "call @main.white~2",
        expect!["line 39: there is no function `main.white` number 2"],
    );
    check("} or {", "or {", expect!["line 24: `or` is not a statement"]);
    check("  }\n}\n", "  }\n", expect!["line 37: `}` is missing before the next function"]);
}

#[test]
fn expressions() {
    check("move.taken++", "move.given++", expect![[r#"line 28: there is no move property "given""#]]);
    check("move.taken++", "$3++", expect!["line 28: there are 3 values, from $0"]);
    check("move.taken++", "$0[finger]", expect!["line 28: there are 3 values, from $0"]);
    check("moved.white", "moved.green", expect!["line 31: `white` or `black` is expected, not `green`"]);
    check("moved.white", "clock", expect![[r#"line 31: there is no property "clock""#]]);
    check("moved.white", "5", expect!["line 31: only a property can be assigned to"]);
    check("row.white == 3", "row.white = 3", expect!["line 33: only a property can be assigned to"]);
    check("row.white == 3", "row.white : 3", expect!["line 33: `:` is not an operator; `)` is expected"]);
    check("row.white == 3", "row.white == 3 == 4", expect!["line 33: `)` is expected, not `==`"]);
    check(
        "== 3",
        "== 99999999999999999999",
        expect!["line 33: `99999999999999999999` does not fit into 64 bits"],
    );
    check(
        "== 3",
        "== 9223372036854775808",
        expect!["line 33: 9223372036854775808 is not between -9223372036854775808 and 9223372036854775807"],
    );
}
