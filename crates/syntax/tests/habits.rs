//! Messages about what people write before they know the grammar well: one table of cases, as in `errors.rs`.

mod support;

use expect_test::{Expect, expect};

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&support::errors(text));
}

#[test]
fn alternatives_without_brackets() {
    check(
        "a = either north, step or east, step, win.",
        expect![[r#"
        1:17 expected-word: a comma ends `either`: alternatives of several statements need brackets
    "#]],
    );
}

#[test]
fn later_alternatives_without_brackets() {
    check(
        "a = [either north or east, step or win].\nb = either a or either a or b, win.",
        expect![[r#"
        1:26 expected-word: a comma ends `either`: alternatives of several statements need brackets
    "#]],
    );
}

#[test]
fn an_either_behind_another() {
    check("a = either north or east, either win or draw.", expect![[""]]);
}

#[test]
fn symbols_in_double_quotes() {
    check(
        "pieces { man \"M\" \"m\" rock \"#\" king 'K' 'k' }\na = win.",
        expect![[r##"
        1:14 expected-symbol: the symbol of the piece `man` is in double quotes {"M" "m" -> 'M' 'm'}
        1:27 expected-symbol: the symbol of the piece `rock` is in double quotes {"#" -> '#'}
    "##]],
    );
}

#[test]
fn long_symbols_in_double_quotes() {
    check(
        "pieces { man \"Man\" }\na = win.",
        expect![[r#"
        1:14 expected-symbol: expected a symbol for the piece `man`, found a string
    "#]],
    );
}

#[test]
fn asserted_statement() {
    check(
        "a = assert (points at empty field), win.",
        expect![[r#"
        1:13 expected-expression: `assert` takes an expression; a statement that fails is a condition by itself {assert (points at empty field) -> points at empty field}
    "#]],
    );
}

#[test]
fn asserted_statements() {
    check(
        "a = not assert (north, points at own man), win.",
        expect![[r#"
            1:17 expected-expression: `assert` takes an expression; a statement that fails is a condition by itself {assert (north, points at own man) -> [north, points at own man]}
        "#]],
    );
}

#[test]
fn asserted_negation() {
    check(
        "a = assert (not points at own man).",
        expect![[r#"
        1:13 expected-expression: `assert` takes an expression; a statement that fails is a condition by itself {assert (not points at own man) -> not points at own man}
    "#]],
    );
}

#[test]
fn statement_inside_an_expression() {
    check(
        "a = assert (row == 5 && points at own man), win.",
        expect![[r#"
        1:25 expected-expression: expected an expression, found `points`
    "#]],
    );
}

#[test]
fn statement_inside_an_assignment() {
    check(
        "a = assign (n = find own man), win.",
        expect![[r#"
        1:17 expected-expression: expected an expression, found `find`
    "#]],
    );
}

#[test]
fn reserved_word_as_a_property() {
    check(
        "a = assert (move == 1), win.",
        expect![[r#"
            1:13 expected-expression: expected an expression, found `move`
        "#]],
    );
}

#[test]
fn unknown_words() {
    check(
        "a = jump die, win.\njump = step.",
        expect![[r#"
        1:9 missing-comma: expected `,` between statements, found `die` { -> ,}
    "#]],
    );
}

#[test]
fn words_of_chance() {
    check(
        "a = roll die, win.\nb = [ dice throw, win ].",
        expect![[r#"
        1:5 unknown-word: there is no statement `roll die`
        2:7 unknown-word: there is no statement `dice throw`
    "#]],
    );
}

#[test]
fn question_about_a_field() {
    check(
        "a = step, is empty field, at own man, on rock.",
        expect![[r#"
        1:11 unknown-word: there is no statement `is` {is -> points at}
        1:27 unknown-word: there is no statement `at` {at -> points at}
        1:39 unknown-word: there is no statement `on` {on -> points at}
    "#]],
    );
}

#[test]
fn unknown_words_with_a_base() {
    check(
        "based on chess\na = jump walk.",
        expect![[r#"
        2:9 missing-comma: expected `,` between statements, found `walk` { -> ,}
    "#]],
    );
}

#[test]
fn counted_step() {
    check(
        "a = north, step 2, win.",
        expect![[r#"
        1:17 expected-separator: `step` goes one field {step 2 -> repeat 2 times step}
    "#]],
    );
}

#[test]
fn piece_behind_put_down() {
    check(
        "a = pick up own man, put down man, win.",
        expect![[r#"
        1:13 expected-separator: `pick up` takes what is on the field under the finger, so it names no piece {pick up own man -> points at own man, pick up}
        1:31 expected-separator: `put down` puts down what the hand holds, so it names no piece {put down man -> replace by man}
    "#]],
    );
}

#[test]
fn rule_behind_put_down() {
    check(
        "a = pick up, put down jump, win.\njump = step.",
        expect![[r#"
        1:22 missing-comma: expected `,` between statements, found `jump` { -> ,}
    "#]],
    );
}

#[test]
fn size_without_parentheses() {
    check(
        "dimensions 5x5\na = win.",
        expect![[r#"
        1:12 expected-token: the size of the board is in parentheses {5x5 -> (5, 5)}
    "#]],
    );
}

#[test]
fn size_with_a_blank() {
    check(
        "dimensions 5 x 7\na = win.",
        expect![[r#"
        1:12 expected-token: the size of the board is in parentheses {5 x 7 -> (5, 7)}
    "#]],
    );
}

#[test]
fn size_with_a_comma() {
    check(
        "dimensions 5, 7\na = win.",
        expect![[r#"
        1:12 expected-token: the size of the board is in parentheses {5, 7 -> (5, 7)}
    "#]],
    );
}

#[test]
fn range_without_brackets() {
    check(
        "properties { n : board : 0..5 unhashed m : move : -1 .. n }\nparameter k = 3 : 0..5\na = win.",
        expect![[r#"
        1:26 expected-token: a range is in brackets {0..5 -> [0 .. 5]}
        1:51 expected-token: a range is in brackets {-1 .. n -> [-1 .. n]}
        2:17 expected-token: a range is in brackets {: 0..5 -> [0 .. 5]}
    "#]],
    );
}

#[test]
fn range_in_parentheses() {
    check(
        "parameter k = 3 (0 .. 5)\na = win.",
        expect![[r#"
        1:17 expected-token: a range is in brackets {(0 .. 5) -> [0 .. 5]}
    "#]],
    );
}

#[test]
fn repetition_without_number() {
    check(
        "repetition = draw\npieces { man 'M' }\na = win.",
        expect![[r#"
        1:18 expected-expression: expected the number of occurrences, found `pieces` { ->  3}
    "#]],
    );
}

#[test]
fn repetition_judged_without_number() {
    check(
        "repetition = judge",
        expect![[r#"
        1:19 expected-expression: expected the number of occurrences, found the end of the file { ->  3}
    "#]],
    );
}

#[test]
fn a_rule_called_repetition() {
    check("repetition = draw.", expect![[""]]);
}

#[test]
fn repetition_as_a_number() {
    check(
        "repetition = 3\na = win.",
        expect![[r#"
        1:14 unknown-word: expected `draw`, `win`, `loss`, `judge` or `forbidden` after `repetition =`, found the number `3`
    "#]],
    );
}

#[test]
fn unknown_declaration_with_a_word() {
    check(
        "capture = yes\npieces { man 'M' }\na = win.",
        expect![[r#"
        1:1 unknown-declaration: there is no declaration `capture`
    "#]],
    );
}

#[test]
fn unknown_declaration_with_a_number() {
    check(
        "player = 2\nlevels = 3\na = win.",
        expect![[r#"
        1:1 unknown-declaration: there is no declaration `player` {player -> players}
        2:1 unknown-declaration: there is no declaration `levels`
    "#]],
    );
}

#[test]
fn rule_without_full_stop_before_a_declaration() {
    check(
        "a = b\npieces { man 'M' }\nb = win.",
        expect![[r#"
        1:6 missing-full-stop: expected `.` at the end of the rule `a`, found `pieces` { -> .}
    "#]],
    );
}

#[test]
fn unknown_list() {
    check(
        "dice { die [1 .. 6] }\nhexagons (5, 5)\na = win.",
        expect![[r#"
        1:1 unknown-declaration: there is no declaration `dice`
    "#]],
    );
}

#[test]
fn missing_equals_sign() {
    check(
        "players 2\nno moves loss\nsides : 2\nrepetition draw 3\na = win.",
        expect![[r#"
            1:9 expected-token: expected `=`, found the number `2` { ->  =}
            2:10 expected-token: expected `=`, found `loss` { ->  =}
            3:7 expected-token: expected `=`, found `:` { : ->  =}
            4:12 expected-token: expected `=`, found `draw` { ->  =}
        "#]],
    );
}

#[test]
fn parameters_may_name_rules() {
    check(
        "a (way, then_what) = way then_what.\nb = a (c, c).\nc = step.",
        expect![[r#"
            1:25 missing-comma: expected `,` between statements, found `then_what` { -> ,}
        "#]],
    );
}
