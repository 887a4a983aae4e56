//! Named patterns and rules with parameters: their trees, their form, messages about broken ones.

mod support;

use expect_test::{Expect, expect};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let formatted = multigame_syntax::format(text).unwrap_or_default();
    expected.assert_eq(&format!("{}{}{formatted}", support::errors(text), support::rules(text)));
}

#[test]
fn kinds_of_arguments() {
    check(
        "a=f(man,own man,opponent's man),f([man or rock],empty field,any \
         piece),f(3,n+1,row),f(north,[step,jump],f(b)),f(own piece,opponent's piece,[[man or rock] or own \
         king]).\nf(x,y,z)=x.",
        expect![[r#"
            a = [f(name Plain:man; name Own:man; name Opponents:man), f(pattern [man or rock]; pattern EmptyField; pattern AnyPiece), f(number 3; number (n Add 1); number row), f(statement Compass(North); statement [Step, jump]; statement f(name Plain:b)), f(pattern OwnPiece; pattern OpponentsPiece; pattern [[man or rock] or Own:king])]
            f = x
            a =
                f (man, own man, opponent's man),
                f ([man or rock], empty field, any piece),
                f (3, n + 1, row),
                f (north, [ step, jump ], f (b)),
                f (own piece, opponent's piece, [[man or rock] or own king]).

            f (x, y, z) = x.
        "#]],
    );
}

#[test]
fn statements_as_arguments() {
    check(
        "a = f (for each man do step, as opponent step, keep turn, greatest (n) step, score (2), any \
         direction, not step).",
        expect![[r#"
            a = f(statement for-each(man do Step); statement as-opponent(Step); statement KeepTurn; statement greatest(n Step); statement score 2; statement AnyDirection; statement not(Step))
            a =
                f (for each man do step, as opponent step, keep turn, greatest (n) step, score (2), any direction, not step).
        "#]],
    );
}

#[test]
fn long_calls_and_heads() {
    check(
        "main = find man, a_rule_with_a_long_name (a_piece_with_a_long_name, another_piece_with_a_long_name, \
         [north, step]), win.\na_rule_with_a_long_name (first_parameter, second_parameter, third_parameter) \
         = find first_parameter, points at second_parameter, third_parameter.",
        expect![[r#"
            main = [find man, a_rule_with_a_long_name(name Plain:a_piece_with_a_long_name; name Plain:another_piece_with_a_long_name; statement [Compass(North), Step]), Outcome(Win)]
            a_rule_with_a_long_name = [find first_parameter, points-at second_parameter, third_parameter]
            main =
                find man,
                a_rule_with_a_long_name (a_piece_with_a_long_name, another_piece_with_a_long_name, [
                    north,
                    step
                ]),
                win.

            a_rule_with_a_long_name (first_parameter, second_parameter, third_parameter) =
                find first_parameter,
                points at second_parameter,
                third_parameter.
        "#]],
    );
}

#[test]
fn patterns_with_names() {
    check(
        "pattern   royal=[own king or\n own prince]\npattern x = any piece\na = find royal.",
        expect![[r#"
            a = find royal
            pattern royal = [own king or own prince]

            pattern x = any piece

            a = find royal.
        "#]],
    );
}

#[test]
fn broken_ones() {
    check(
        "pattern = man\na = win.",
        expect![[r#"
        1:14 missing-full-stop: expected `.` at the end of the rule `pattern`, found `a` { -> .}
        pattern = man
        a = Outcome(Win)
    "#]],
    );
    check(
        "pattern royal = [king or prince].\na = win.",
        expect![[r#"
        1:33 stray-full-stop: a declaration ends without a full stop {. -> }
        a = Outcome(Win)
    "#]],
    );
    check(
        "a = f ().\nb = f (.\nc = f (north step).",
        expect![[r#"
        1:7 call-arguments: `f` is called by its name alone {() -> }
        2:8 expected-expression: expected an expression, found `.`
        3:14 unclosed-parenthesis: expected `)`, found `step` { -> )}
        3:18 unopened-bracket: nothing is open that `)` could close {) -> }
        a = f()
        b = f(number ?)
        c = [f(statement Compass(North)), Step]
    "#]],
    );
    check(
        "f (x, = x.\nf (3) = x.",
        expect![[r#"
        1:1 expected-item: expected a rule or a declaration, found `f`
    "#]],
    );
}
