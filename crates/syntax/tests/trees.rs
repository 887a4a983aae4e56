//! The trees of sound programs: `check(program, expected)`, with every bracket written out.

mod support;

use expect_test::{Expect, expect};
use multigame_syntax::ast::DeclarationKind;
use multigame_syntax::parse;

#[track_caller]
fn check(text: &str, expected: Expect) {
    assert_eq!(support::errors(text), "");
    expected.assert_eq(&support::rules(text));
}

#[track_caller]
fn check_declarations(text: &str, expected: Expect) {
    assert_eq!(support::errors(text), "");
    expected.assert_eq(&support::declarations(text));
}

#[test]
fn or_belongs_to_the_innermost_either() {
    check(
        "a = either b or either c or d.",
        expect![[r#"
        a = <b or <c or d>>
    "#]],
    );
}

#[test]
fn comma_binds_weakest() {
    check(
        "a = either b or c, d, not e, f.",
        expect![[r#"
        a = [<b or c>, d, not(e), f]
    "#]],
    );
}

#[test]
fn else_belongs_to_the_innermost_try() {
    check(
        "a = try b else try c else d, try try e else f.",
        expect![[r#"
        a = [try(b else try(c else d)), try(try(e else f))]
    "#]],
    );
}

#[test]
fn repeat_takes_one_statement() {
    check(
        "a = repeat 2 times step, b, repeat 0 .. infinity times [c, d], repeat 1 .. n * 2 times e.",
        expect![[r#"
            a = [repeat(2 times Step), b, repeat(0..infinity times [c, d]), repeat(1..(n Multiply 2) times e)]
        "#]],
    );
}

#[test]
fn counts_are_constant_expressions() {
    check(
        "a = repeat connect - 1 times step, repeat -(n + 1) % 2 times step.",
        expect![[r#"
        a = [repeat((connect Subtract 1) times Step), repeat((Minus((n Add 1)) Remainder 2) times Step)]
    "#]],
    );
}

#[test]
fn loops() {
    check(
        "a = while b do c, do d while e, while do f while g do h, do while i do j while k.",
        expect![[r#"
        a = [while(b do c), do(d while e), while(do(f while g) do h), do(while(i do j) while k)]
    "#]],
    );
}

#[test]
fn words_of_several_parts() {
    check(
        r##"a = pick
  up, pickup, put # comment
 down, putdown, step  backward, any direction, alldir, white to move, black to move."##,
        expect![[r#"
            a = [PickUp, PickUp, PutDown, PutDown, StepBackward, AnyDirection, AnyDirection, WhiteToMove, BlackToMove]
        "#]],
    );
}

#[test]
fn directions_and_turns() {
    check(
        "a = north, northeast, east, southeast, south, southwest, west, northwest, orthogonal, diagonal, \
         turn 45, turn -45, rotate - 90.",
        expect![[r#"
            a = [Compass(North), Compass(Northeast), Compass(East), Compass(Southeast), Compass(South), Compass(Southwest), Compass(West), Compass(Northwest), Orthogonal, Diagonal, Turn(45), Turn(-45), Turn(-90)]
        "#]],
    );
}

#[test]
fn outcomes() {
    check(
        "a = win, lose, draw, nothing, irreversible.",
        expect![[r#"
        a = [Outcome(Win), Outcome(Lose), Outcome(Draw), Nothing, Irreversible]
    "#]],
    );
}

#[test]
fn patterns() {
    check(
        "a = find empty field, find any field, points at any piece, points at own piece, find opponent's \
         piece, replace by pawn, find own pawn, find opponent's pawn, find [own a or [b or any field] or \
         opponent's c].",
        expect![[r#"
            a = [find EmptyField, find AnyField, points-at AnyPiece, points-at OwnPiece, find OpponentsPiece, replace-by pawn, find Own:pawn, find Opponents:pawn, find [Own:a or [b or AnyField] or Opponents:c]]
        "#]],
    );
}

#[test]
fn trailing_commas() {
    check(
        "a = [b, c,], d,.",
        expect![[r#"
        a = [[b, c], d]
    "#]],
    );
}

#[test]
fn match_and_move_to() {
    check(
        "a = match (own pawn, empty field, [a or b]), move to (9 - column, x = 3).",
        expect![[r#"
        a = [match(Own:pawn, EmptyField, [a or b]), move-to((9 Subtract column), (x := 3))]
    "#]],
    );
}

#[test]
fn extensions() {
    check(
        "a = greatest (n) try b else c, keep turn, score (x - y), as opponent [b, c], for each direction do \
         b, for each [own a or b] do c.",
        expect![[r#"
            a = [greatest(n try(b else c)), KeepTurn, score (x Subtract y), as-opponent([b, c]), for-each-direction(AnyDirection do b), for-each([Own:a or b] do c)]
        "#]],
    );
}

#[test]
fn words_of_extensions_are_names() {
    check(
        r##"a = greatest, keep, score, as, for, count, sum, each, turns, up, down, pass, loss, error, at, by, to, direction.
count = a.
setup = a.
pass = a.
looks = a.
topology = a."##,
        expect![[r#"
            a = [greatest, keep, score, as, for, count, sum, each, turns, up, down, pass, loss, error, at, by, to, direction]
            count = a
            setup = a
            pass = a
            looks = a
            topology = a
        "#]],
    );
}

#[test]
fn directions_as_sets_and_questions() {
    check(
        "a = for each orthogonal do b, for each either north or ahead do c, for each ahead do c, facing east,
            not facing ahead, holds [own man or rock], board unchanged, facing either east or west.",
        expect![[r#"
            a = [for-each-direction(Orthogonal do b), for-each-direction(<Compass(North) or ahead> do c), for-each(ahead do c), facing(Compass(East)), not(facing(ahead)), holds [Own:man or rock], board-unchanged, facing(<Compass(East) or Compass(West)>)]
        "#]],
    );
    check(
        "a = facing, holds, board, facing\n, unchanged, either facing or holds, while board do facing.",
        expect![[r#"
            a = [facing, holds, board, facing, unchanged, <facing or holds>, while(board do facing)]
        "#]],
    );
}

#[test]
fn a_call_before_a_turn() {
    check(
        "a = north, keep, turn 45.",
        expect![[r#"
        a = [Compass(North), keep, Turn(45)]
    "#]],
    );
}

#[test]
fn bases_and_judges() {
    check_declarations(
        r#"based on chess based on "go-9x9" repetition = judge 4 (cycle) repetition = judge n"#,
        expect![[r#"
            based on chess
            based on go-9x9
            repetition judged 4 cycle
            repetition judged n -
        "#]],
    );
}

#[test]
fn names_of_moves() {
    check(
        r#"a = called "P@" field (row + 1), called (row), called field, called, called "x"."#,
        expect![[r#"
            a = [called("P@" field (row Add 1)), called(row), called(field), called, called("x")]
        "#]],
    );
}

#[test]
fn precedence() {
    check(
        "a = assert (a || b && c | d ^ e & f == g < h << i + j * k).",
        expect![[r#"
        a = assert (a Or (b And (c BitOr (d BitXor (e BitAnd (f Equal (g Less (h ShiftLeft (i Add (j Multiply k))))))))))
    "#]],
    );
}

#[test]
fn left_associative() {
    check(
        "a = assert (a - b - c / d / e % f << 1 >> 2), assert (a < b > c != d == e).",
        expect![[r#"
        a = [assert ((((a Subtract b) Subtract (((c Divide d) Divide e) Remainder f)) ShiftLeft 1) ShiftRight 2), assert ((((a Less b) Greater c) NotEqual d) Equal e)]
    "#]],
    );
}

#[test]
fn right_associative() {
    check(
        "a = assign (a = b += c -= 1), assign (a ? b : c ? d : e), assign (a ? b ? 1 : 2 : 3).",
        expect![[r#"
            a = [assign (a := (b Add:= (c Subtract:= 1))), assign (a ? b : (c ? d : e)), assign (a ? (b ? 1 : 2) : 3)]
        "#]],
    );
}

#[test]
fn comma_expressions() {
    check(
        "a = assign (a = 1, b <<= 2, c >>= 3, d &= 1, e |= 2, f ^= 3, g *= 4, h /= 5, i %= 6).",
        expect![[r#"
            a = assign (((((((((a := 1) , (b ShiftLeft:= 2)) , (c ShiftRight:= 3)) , (d BitAnd:= 1)) , (e BitOr:= 2)) , (f BitXor:= 3)) , (g Multiply:= 4)) , (h Divide:= 5)) , (i Remainder:= 6))
        "#]],
    );
}

#[test]
fn unary_operators() {
    check(
        "a = assert (!a && -b + ~c - -d * +e), assert (!!a), assert (- - a).",
        expect![[r#"
        a = [assert (Not(a) And ((Minus(b) Add Complement(c)) Subtract (Minus(d) Multiply Plus(e)))), assert Not(Not(a)), assert Minus(Minus(a))]
    "#]],
    );
}

#[test]
fn increments() {
    check(
        "a = assign (++a + b++ - --c - d--).",
        expect![[r#"
        a = assign (((before(a+1) Add after(b+1)) Subtract before(c-1)) Subtract after(d-1))
    "#]],
    );
}

#[test]
fn owners() {
    check(
        "a = assert (own p == opponent's p && p != row + column).",
        expect![[r#"
        a = assert ((Own:p Equal Opponents:p) And (p NotEqual (row Add column)))
    "#]],
    );
}

#[test]
fn counting() {
    check(
        "a = assert (count [find own pawn, step] > sum (x + 1, y) [find any piece] + count * sum).",
        expect![[r#"
            a = assert (count [find Own:pawn, Step] Greater (sum ((x Add 1) , y) [find AnyPiece] Add (count Multiply sum)))
        "#]],
    );
}

#[test]
fn parentheses() {
    check(
        "a = assert ((a + b) * c), assert (((a))).",
        expect![[r#"
        a = [assert ((a Add b) Multiply c), assert a]
    "#]],
    );
}

#[test]
fn assert_without_blank() {
    check(
        "a = assert(b), assign(c=d=0).",
        expect![[r#"
        a = [assert b, assign (c := (d := 0))]
    "#]],
    );
}

#[test]
fn a_rule_called_repetition() {
    check(
        "repetition = draw, win.",
        expect![[r#"
        repetition = [Outcome(Draw), Outcome(Win)]
    "#]],
    );
}

#[test]
fn another_rule_called_repetition() {
    check(
        r##"repetition = forbidden.
a = repetition."##,
        expect![[r#"
            repetition = forbidden
            a = repetition
        "#]],
    );
}

#[test]
fn numbers() {
    check_declarations(
        r##"players = 2 sides = n - 1
dimensions (columns + 2, 2 * (rows - 1)) no moves = pass
parameter columns = 7 [4 .. 26]"##,
        expect![[r#"
            players 2
            sides (n Subtract 1)
            dimensions (columns Add 2) (2 Multiply (rows Subtract 1))
            no moves Pass
            parameter columns 7 4..26
        "#]],
    );
}

#[test]
fn pieces_and_properties() {
    check_declarations(
        r##"pieces { pawn 'P' 'p' wall '#' }
properties { a, b : player : [0 .. 8] unhashed unhashed : field : [-1 .. n] c : move : [0 .. 1] d : board : [0 .. 1] }"##,
        expect![[r#"
            piece pawn ['P', 'p']; piece wall ['#']
            property a b Player 0..8 unhashed; property unhashed Field Minus(1)..n; property c Move 0..1; property d Board 0..1
        "#]],
    );
}

#[test]
fn directions_of_a_graph() {
    check_declarations(
        r##"topology graph
directions { up / down : a1 a2 a3, b1 b2 north : a1 b1 ring / back : aa12 b1 }"##,
        expect![[r#"
            topology graph
            direction up down a1 a2 a3, b1 b2; direction north - a1 b1; direction ring back aa12 b1
        "#]],
    );
}

#[test]
fn setup_of_a_position() {
    check_declarations(
        "setup { \"..X\" \"_.O\" black to move a = 1, -1 b = \"4 4\" \"3 3\" apply mirror }",
        expect![[r#"
            row ..X; row _.O; white false; a = 1, Minus(1); b = "4 4" "3 3"; apply mirror
        "#]],
    );
}

#[test]
fn setup_property_called_apply() {
    check_declarations(
        "setup { apply = 3 }",
        expect![[r#"
        apply = 3
    "#]],
    );
}

#[test]
fn repetitions() {
    check_declarations(
        r##"repetition = draw 3
repetition = loss n
repetition = win (2)
repetition = forbidden"##,
        expect![[r#"
            repetition Draw 3
            repetition Lose n
            repetition Win 2
            repetition forbidden
        "#]],
    );
}

#[test]
fn evaluations() {
    check_declarations(
        r##"evaluation {
            phase = count [ find any piece ] [0 .. 24]
            calm = count [ check ] == 0
            material { pawn 82 .. 94 queen 900 }
            table pawn = "0 0" "1 1" .. "2 2" "3 3"
            mobility 4 .. n + 1 : count [ find own pawn ]
            tempo -10 mover : 1
            greatest { a : 1 b : 2 }
        }
        evaluation plain { material : 1 }"##,
        expect![[r#"
            evaluation -: phase count [find AnyPiece] 0..24; calm (count [check] Equal 0); pawn 82..94, queen 900; table pawn 0 0/1 1 | 2 2/3 3; mobility 4..(n Add 1): count [find Own:pawn]; tempo Minus(10) mover: 1; greatest(a: 1, b: 2)
            evaluation plain: material: 1
        "#]],
    );
}

#[test]
fn notation_and_looks() {
    check_declarations(
        r##"notation { uci fen (castling, en_passant) column }
looks { pawn "♙" "♟" pawn colour "white" "black" fields "chequered" colour color "x" }"##,
        expect![[r#"
            notation uci(); notation fen(castling, en_passant); notation column()
            looks pawn "♙" "♟"; looks pawn colour "white" "black"; looks fields "chequered"; looks colour colour "x"
        "#]],
    );
}

#[test]
fn abstractions_name_pieces() {
    check_declarations(
        "abstractions { a : b, c d : e abstractions : f }",
        expect![[r#"
            abstraction a b c; abstraction d e; abstraction abstractions f
        "#]],
    );
}

#[test]
fn declarations_between_rules() {
    check_declarations(
        "a = step. players = 1 b = win. pieces { x 'x' }",
        expect![[r#"
        players 1
        piece x ['x']
    "#]],
    );
}

#[test]
fn the_body_of_a_rule_with_one_statement_is_that_statement() {
    let program = parse("a = [b].").program;
    assert_eq!(support::statement(&program.rules[0].body), "[b]");
    assert_eq!((program.rules[0].span.start, program.rules[0].span.end), (0, 8));
}

#[test]
fn a_symbol_may_be_any_character() {
    let parse = parse("pieces { a '#' b '\u{265f}' c '\'' }");
    assert!(parse.is_ok());
    let DeclarationKind::Pieces(pieces) = &parse.program.declarations[0].kind else { panic!() };
    let symbols: String = pieces.iter().map(|piece| piece.symbols[0].0).collect();
    assert_eq!(symbols, "#\u{265f}'");
}

#[test]
fn deep_nesting_is_one_error() {
    let brackets = format!("a = {}b{}.\nc = step back.", "[".repeat(5000), "]".repeat(5000));
    let parentheses = format!("a = assert ({}b{}).\nc = step back.", "(".repeat(5000), ")".repeat(5000));
    let chain = format!("a = assert (b{}).\nc = step back.", " + b".repeat(5000));
    let commas = format!("a = assign (b{}).\nc = step back.", ", b".repeat(5000));
    let words = format!("a = {}b.\nc = step back.", "try b elseif ".repeat(300));
    let signs = format!("a = assert ({}b).\nc = step back.", "- ".repeat(5000));
    let patterns = format!("a = find {}b.\nc = step back.", "[".repeat(5000));
    for text in [brackets, parentheses, chain, commas, words, signs, patterns] {
        let codes: Vec<&str> = parse(&text).diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        let deep = codes.iter().filter(|code| **code == "nested-too-deeply").count();
        assert_eq!(deep, 1, "{codes:?}");
        assert_eq!(codes.last(), Some(&"expected-word"), "{codes:?}");
    }
}

#[test]
fn a_long_text_is_not_read() {
    let parse = parse(&" ".repeat((1 << 20) + 1));
    assert_eq!(parse.diagnostics[0].code, "file-too-large");
    assert_eq!(usize::from(parse.syntax().text().len()), (1 << 20) + 1);
}

#[test]
fn many_errors_are_cut_off() {
    let parse = parse(&"a = step back.\n".repeat(10_000));
    assert_eq!(parse.diagnostics.last().map(|diagnostic| diagnostic.code), Some("too-many-errors"));
    assert_eq!(parse.program.rules.len(), 10_000);
}
