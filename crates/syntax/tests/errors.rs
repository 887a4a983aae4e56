//! The parser's messages about broken programs: one table of cases, `check(program, expected)`.
//!
//! A line of the expected text is `line:column code: message {replaced -> replacement}`. After a change of a
//! message run the tests with `UPDATE_EXPECT=1`, and read the difference.

mod support;

use expect_test::{Expect, expect};

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&support::errors(text));
}

#[test]
fn missing_full_stop_before_a_rule() {
    check(
        "a = step\nb = win.",
        expect![[r#"
        1:9 missing-full-stop: expected `.` at the end of the rule `a`, found `b` { -> .}
    "#]],
    );
}

#[test]
fn missing_full_stop_before_a_declaration() {
    check(
        "a = step\nplayers = 2",
        expect![[r#"
        1:9 missing-full-stop: expected `.` at the end of the rule `a`, found `players` { -> .}
    "#]],
    );
}

#[test]
fn missing_full_stop_at_the_end() {
    check(
        "a = step",
        expect![[r#"
        1:9 missing-full-stop: expected `.` at the end of the rule `a`, found the end of the file { -> .}
    "#]],
    );
}

#[test]
fn comma_in_place_of_the_full_stop() {
    check(
        "a = step,\nb = win.",
        expect![[r#"
        1:10 missing-full-stop: expected `.` at the end of the rule `a`, found `b` {, -> .}
    "#]],
    );
}

#[test]
fn missing_comma() {
    check(
        "a = north step, win.",
        expect![[r#"
        1:10 missing-comma: expected `,` between statements, found `step` { -> ,}
    "#]],
    );
}

#[test]
fn missing_comma_before_a_bracket() {
    check(
        "a = north [step, win].",
        expect![[r#"
        1:10 missing-comma: expected `,` between statements, found `[` { -> ,}
    "#]],
    );
}

#[test]
fn semicolon_between_statements() {
    check(
        "a = north; step.",
        expect![[r#"
        1:10 semicolon: statements are separated by `,` {; -> ,}
    "#]],
    );
}

#[test]
fn full_stop_for_a_comma() {
    check(
        "a = north. step, win.\nb = step.",
        expect![[r#"
        1:12 expected-item: expected a rule or a declaration, found `step` {. -> ,}
    "#]],
    );
}

#[test]
fn full_stop_inside_brackets() {
    check(
        "a = [north. step], win.",
        expect![[r#"
        1:11 full-stop-in-bracket: the full stop ends a rule; inside brackets statements are separated by `,` {. -> ,}
    "#]],
    );
}

#[test]
fn opponents_without_apostrophe() {
    check(
        "a = find opponents pawn, points at opponent piece.",
        expect![[r#"
        1:10 opponents-apostrophe: `opponents` lacks the apostrophe of `opponent's` {opponents -> opponent's}
        1:36 opponents-apostrophe: `opponent` lacks the apostrophe of `opponent's` {opponent -> opponent's}
    "#]],
    );
}

#[test]
fn apostrophe_behind_the_s() {
    check(
        "a = find opponents' pawn.",
        expect![[r#"
        1:10 opponents-apostrophe: the apostrophe stands before the `s` {opponents' -> opponent's}
    "#]],
    );
}

#[test]
fn opponents_in_an_expression() {
    check(
        "a = assert (opponents x == opponent y).",
        expect![[r#"
        1:13 opponents-apostrophe: `opponents` lacks the apostrophe of `opponent's` {opponents -> opponent's}
        1:28 opponents-apostrophe: `opponent` lacks the apostrophe of `opponent's` {opponent -> opponent's}
    "#]],
    );
}

#[test]
fn a_piece_may_be_called_opponent() {
    check("a = find opponent, step.", expect![[""]]);
}

#[test]
fn elseif() {
    check(
        "a = try b elseif c else d.",
        expect![[r#"
        1:11 unknown-word: there is no `elseif` {elseif -> else try}
    "#]],
    );
}

#[test]
fn two_equals_signs_in_a_rule() {
    check(
        "a == step.",
        expect![[r#"
        1:3 expected-token: expected `=` after the rule's name `a`, found `==` {== -> =}
    "#]],
    );
}

#[test]
fn colon_equals_in_a_rule() {
    check(
        "a := step.",
        expect![[r#"
        1:3 expected-token: expected `=` after the rule's name `a`, found `:` {:= -> =}
    "#]],
    );
}

#[test]
fn no_equals_sign_in_a_rule() {
    check(
        "a find empty field.",
        expect![[r#"
        1:3 expected-token: expected `=` after the rule's name `a`, found `find` { ->  =}
    "#]],
    );
}

#[test]
fn missing_times() {
    check(
        "a = repeat 3 step.",
        expect![[r#"
        1:14 expected-word: expected `times`, found `step` { ->  times}
    "#]],
    );
}

#[test]
fn misspelled_times() {
    check(
        "a = repeat 3 time step.",
        expect![[r#"
        1:14 expected-word: expected `times`, found `time` {time -> times}
    "#]],
    );
}

#[test]
fn unclosed_bracket_at_the_full_stop() {
    check(
        "a = [north, step.\nb = win.",
        expect![[r#"
        1:17 unclosed-bracket: expected `]` at the end of this sequence, found `.` { -> ]}
    "#]],
    );
}

#[test]
fn unclosed_bracket_at_a_rule() {
    check(
        "a = [north, step\nb = win.",
        expect![[r#"
        1:17 unclosed-bracket: expected `]` at the end of this sequence, found `b` { -> ].}
    "#]],
    );
}

#[test]
fn unclosed_bracket_at_the_end_of_the_file() {
    check(
        "a = try [north, [step",
        expect![[r#"
        1:22 unclosed-bracket: expected `]` at the end of this sequence, found the end of the file { -> ]}
    "#]],
    );
}

#[test]
fn unopened_bracket() {
    check(
        "a = north], step.",
        expect![[r#"
        1:10 unopened-bracket: nothing is open that `]` could close {] -> }
    "#]],
    );
}

#[test]
fn unopened_parenthesis() {
    check(
        "a = north), step.",
        expect![[r#"
        1:10 unopened-bracket: nothing is open that `)` could close {) -> }
    "#]],
    );
}

#[test]
fn empty_brackets() {
    check(
        "a = [].",
        expect![[r#"
        1:5 empty-brackets: the brackets are empty { -> nothing}
    "#]],
    );
}

#[test]
fn unclosed_parenthesis() {
    check(
        "a = assert (x == 1, step, win.",
        expect![[r#"
        1:19 unclosed-parenthesis: expected `)`, found `,` { -> )}
    "#]],
    );
}

#[test]
fn parenthesis_closed_too_late() {
    check(
        "a = assert (x y), step.",
        expect![[r#"
        1:15 unclosed-parenthesis: expected `)`, found `y`
    "#]],
    );
}

#[test]
fn no_parentheses() {
    check(
        "a = assert x == 1, step.",
        expect![[r#"
        1:12 expected-token: expected `(`, found `x` {x == 1 -> (x == 1)}
    "#]],
    );
}

#[test]
fn step_back() {
    check(
        "a = step back, step backwards.",
        expect![[r#"
        1:10 expected-word: expected `backward`, found `back` {back -> backward}
        1:21 expected-word: expected `backward`, found `backwards` {backwards -> backward}
    "#]],
    );
}

#[test]
fn point_at() {
    check(
        "a = point at empty field, points to own pawn, points own king.",
        expect![[r#"
        1:5 unknown-word: `point at` is written `points at` {point -> points}
        1:34 expected-word: expected `at`, found `to` {to -> at}
        1:54 expected-word: expected `at`, found `own` { ->  at}
    "#]],
    );
}

#[test]
fn replace_with() {
    check(
        "a = replace with queen.",
        expect![[r#"
        1:13 expected-word: expected `by`, found `with` {with -> by}
    "#]],
    );
}

#[test]
fn pick_without_up() {
    check(
        "a = pick, put.",
        expect![[r#"
        1:9 expected-word: expected `up`, found `,` { ->  up}
        1:14 expected-word: expected `down`, found `.` { ->  down}
    "#]],
    );
}

#[test]
fn any_without_direction() {
    check(
        "a = any.",
        expect![[r#"
        1:8 expected-word: expected `direction`, found `.` { ->  direction}
    "#]],
    );
}

#[test]
fn turn_without_angle() {
    check(
        "a = turn left, turn x.",
        expect![[r#"
        1:10 expected-angle: expected an angle in degrees, found `left`
        1:21 expected-angle: expected an angle in degrees, found `x`
    "#]],
    );
}

#[test]
fn misspelled_extensions() {
    check(
        "a = keep trun, as oponent step, for every pawn do step.",
        expect![[r#"
        1:10 unknown-word: `keep` is followed by `turn`, found `trun` {trun -> turn}
        1:19 unknown-word: `as` is followed by `opponent`, found `oponent` {oponent -> opponent}
        1:37 unknown-word: `for` is followed by `each`, found `every` {every -> each}
    "#]],
    );
}

#[test]
fn a_call_without_arguments_has_no_parentheses() {
    check(
        "a = b (3), c ().",
        expect![[r#"
            1:14 call-arguments: `c` is called by its name alone {() -> }
        "#]],
    );
}

#[test]
fn blanks_in_a_rule_name() {
    check(
        "new mark = step.\nthree in a row = win.",
        expect![[r#"
        1:1 blank-in-name: a name cannot contain blanks {new mark -> new_mark}
        2:1 blank-in-name: a name cannot contain blanks {three in a row -> three_in_a_row}
    "#]],
    );
}

#[test]
fn blanks_in_a_rule_name_behind_a_missing_full_stop() {
    check(
        "a = step\nnew mark = win.",
        expect![[r#"
        1:9 missing-full-stop: expected `.` at the end of the rule `a`, found `new` { -> .}
        2:1 blank-in-name: a name cannot contain blanks {new mark -> new_mark}
    "#]],
    );
}

#[test]
fn reserved_rule_name() {
    check(
        "step = win.\nfind = a.",
        expect![[r#"
        1:1 reserved-word: `step` is a word of the language and cannot be a rule's name {step -> my_step}
        2:1 reserved-word: `find` is a word of the language and cannot be a rule's name {find -> my_find}
    "#]],
    );
}

#[test]
fn reserved_piece_and_property() {
    check(
        "pieces { empty 'e' }\nproperties { row : board : [0 .. 1] }",
        expect![[r#"
        1:10 reserved-word: `empty` is a word of the language and cannot be a piece's name {empty -> my_empty}
        2:14 reserved-word: `row` is a word of the language and cannot be a property's name {row -> my_row}
    "#]],
    );
}

#[test]
fn typographic_quotes() {
    check(
        "pieces { pawn ‘P’ ’p’ }\nsetup { “...” }",
        expect![[r#"
        1:15 typographic-character: typographic quotes around a symbol {‘P’ -> 'P'}
        1:19 typographic-character: typographic quotes around a symbol {’p’ -> 'p'}
        2:9 typographic-character: typographic quotes around a string {“...” -> "..."}
    "#]],
    );
}

#[test]
fn typographic_apostrophe_is_accepted() {
    check("a = find opponent’s pawn.", expect![[""]]);
}

#[test]
fn typographic_minus() {
    check(
        "a = turn −45, turn –45, assign (x = 1 − 2).",
        expect![[r#"
        1:10 typographic-character: `−` is not `-` {− -> -}
        1:20 typographic-character: `–` is not `-` {– -> -}
        1:39 typographic-character: `−` is not `-` {− -> -}
    "#]],
    );
}

#[test]
fn foreign_comments() {
    check(
        "// one\na = step. /* two */",
        expect![[r#"
        1:1 foreign-comment: a comment begins with `#` {// -> #}
        2:11 foreign-comment: a comment begins with `#`
    "#]],
    );
}

#[test]
fn unknown_characters() {
    check(
        "a = step @@ , win $.",
        expect![[r#"
        1:10 unknown-character: the character `@` has no meaning here
        1:19 unknown-character: the character `$` has no meaning here
    "#]],
    );
}

#[test]
fn symbols() {
    check(
        "pieces { a 'xy' b '' c 'd e 'f' }",
        expect![[r#"
        1:12 long-symbol: a symbol is one character
        1:19 empty-symbol: there is no character between the quotes
        1:24 unclosed-symbol: this quote begins no symbol
    "#]],
    );
}

#[test]
fn unclosed_string() {
    check(
        "setup { \"...\n\"...\" }",
        expect![[r#"
        1:9 unclosed-string: the string is not closed on its line { -> "}
    "#]],
    );
}

#[test]
fn number_too_large() {
    check(
        "players = 99999999999999999999",
        expect![[r#"
        1:11 number-too-large: this number is too large
    "#]],
    );
}

#[test]
fn misspelled_declarations() {
    check(
        "dimension (3, 3)\npeices { pawn 'P' }\ntopolgy hex",
        expect![[r#"
        1:1 unknown-declaration: there is no declaration `dimension` {dimension -> dimensions}
        2:1 unknown-declaration: there is no declaration `peices` {peices -> pieces}
        3:1 unknown-declaration: there is no declaration `topolgy` {topolgy -> topology}
    "#]],
    );
}

#[test]
fn unknown_declaration() {
    check(
        "animals { cat 'c' }\na = step.",
        expect![[r#"
        1:1 unknown-declaration: there is no declaration `animals`
    "#]],
    );
}

#[test]
fn full_stop_behind_a_declaration() {
    check(
        "players = 2.\na = step.",
        expect![[r#"
        1:12 stray-full-stop: this full stop ends nothing {. -> }
    "#]],
    );
}

#[test]
fn misspelled_words_of_declarations() {
    check(
        "no moves = los\nrepetition = lose 3\nproperties { a : bord : [0 .. 1] }",
        expect![[r#"
        1:12 unknown-word: expected `loss`, `draw`, `pass` or `error` after `no moves =`, found `los` {los -> loss}
        2:14 unknown-word: expected `draw`, `win`, `loss`, `judge` or `forbidden` after `repetition =`, found `lose` {lose -> loss}
        3:18 unknown-word: expected `board`, `player`, `move` or `field` after `:`, found `bord` {bord -> board}
    "#]],
    );
}

#[test]
fn no_moves_with_an_impossible_word() {
    check(
        "no moves = banana\na = step.",
        expect![[r#"
        1:12 unknown-word: expected `loss`, `draw`, `pass` or `error` after `no moves =`, found `banana`
    "#]],
    );
}

#[test]
fn piece_without_symbol() {
    check(
        "pieces {\n  pawn\n  rook 'R'\n}",
        expect![[r#"
        2:7 expected-symbol: expected a symbol for the piece `pawn`, found `rook`
    "#]],
    );
}

#[test]
fn piece_with_three_symbols() {
    check(
        "pieces { pawn 'P' 'p' 'q' }",
        expect![[r#"
        1:23 too-many-symbols: the piece `pawn` has more than two symbols
    "#]],
    );
}

#[test]
fn commas_between_pieces() {
    check(
        "pieces { pawn 'P', rook 'R' }",
        expect![[r#"
        1:18 separator-in-block: entries are not separated by `,` {, -> }
    "#]],
    );
}

#[test]
fn unclosed_brace() {
    check(
        "pieces { pawn 'P'\na = step.",
        expect![[r#"
        1:18 unclosed-brace: expected `}`, found `a` { -> \n}}
    "#]],
    );
}

#[test]
fn unclosed_brace_before_a_declaration() {
    check(
        "properties { a : board : [0 .. 1]\npieces { pawn 'P' }",
        expect![[r#"
        1:34 unclosed-brace: expected `}`, found `pieces` { -> \n}}
    "#]],
    );
}

#[test]
fn broken_range() {
    check(
        "properties { a : board : [0 1] }\nparameter n = 3 [1 .. ]",
        expect![[r#"
        1:29 expected-token: expected `..`, found the number `1`
        2:23 expected-expression: expected an expression, found `]`
    "#]],
    );
}

#[test]
fn broken_directions() {
    check(
        "directions { up / : a1 a2\n  left : }",
        expect![[r#"
        1:19 expected-name: expected a direction's name, found `:`
        2:10 expected-entry: expected a coordinate such as `a1`, found `}`
    "#]],
    );
}

#[test]
fn broken_setup() {
    check(
        "setup { \"...\" 5\n  a = \n  white move }",
        expect![[r#"
        1:15 expected-entry: expected a row in quotes, `name = value`, `white to move` or `apply`, found the number `5`
        3:3 expected-expression: expected an expression, found `white`
        3:9 expected-word: expected `to`, found `move` { ->  to}
    "#]],
    );
}

#[test]
fn either_without_or() {
    check(
        "a = either step, win.",
        expect![[r#"
        1:16 expected-word: expected `or`, found `,`
    "#]],
    );
}

#[test]
fn or_without_either() {
    check(
        "a = find own pawn or own king, win.",
        expect![[r#"
        1:19 stray-word: `or` without `either`
    "#]],
    );
}

#[test]
fn else_without_try() {
    check(
        "a = step else win.",
        expect![[r#"
        1:10 stray-word: `else` without `try`
    "#]],
    );
}

#[test]
fn either_with_a_pattern() {
    check(
        "a = either find pawn or own king.",
        expect![[r#"
        1:25 expected-statement: expected a statement, found `own`
    "#]],
    );
}

#[test]
fn patterns_with_a_comma() {
    check(
        "a = find [pawn, king].",
        expect![[r#"
        1:15 comma-in-pattern: the alternatives of a pattern are joined by `or` {, ->  or}
    "#]],
    );
}

#[test]
fn pattern_without_owner() {
    check(
        "a = find piece, points at field.",
        expect![[r#"
        1:10 whose-piece: whose piece? {piece -> any piece}
        1:27 which-field: which field? {field -> any field}
    "#]],
    );
}

#[test]
fn while_without_do() {
    check(
        "a = while step win, do step.",
        expect![[r#"
            1:16 expected-word: expected `do`, found `win` { ->  do}
            1:28 expected-word: expected `while`, found `.`
        "#]],
    );
}

#[test]
fn broken_pattern() {
    check(
        "a = find 3, step.",
        expect![[r#"
        1:10 expected-pattern: expected a pattern, found the number `3`
    "#]],
    );
}

#[test]
fn broken_statement_is_skipped() {
    check(
        "a = 3 + 4 [x, y], step, win.",
        expect![[r#"
        1:5 expected-statement: expected a statement, found the number `3`
    "#]],
    );
}

#[test]
fn broken_alternative() {
    check(
        "a = either 5 or step, win.",
        expect![[r#"
        1:12 expected-statement: expected a statement, found the number `5`
    "#]],
    );
}

#[test]
fn assignment_to_no_variable() {
    check(
        "a = assign (3 = x), assign (x + 1 = 2), assign ((x) = 1), assign (++3).",
        expect![[r#"
        1:13 assignment-target: only a variable can be assigned to
        1:29 assignment-target: only a variable can be assigned to
        1:49 assignment-target: only a variable can be assigned to
        1:69 step-target: `++` needs a variable beside it
    "#]],
    );
}

#[test]
fn missing_operand() {
    check(
        "a = assert (x + ), assert (), assert (x ? 1).",
        expect![[r#"
        1:17 expected-expression: expected an expression, found `)`
        1:28 expected-expression: expected an expression, found `)`
        1:44 expected-token: expected `:`, found `)`
    "#]],
    );
}

#[test]
fn reserved_word_in_an_expression() {
    check(
        "a = assert (piece == 1).",
        expect![[r#"
        1:13 expected-expression: expected an expression, found `piece`
    "#]],
    );
}

#[test]
fn stray_text() {
    check(
        "hello world, this is no program",
        expect![[r#"
        1:1 expected-item: expected a rule or a declaration, found `hello`
    "#]],
    );
}

#[test]
fn statement_outside_of_a_rule() {
    check(
        "a = step.\nfind empty field, win.\nb = step.",
        expect![[r#"
        2:1 expected-item: expected a rule or a declaration, found `find` {. -> ,}
    "#]],
    );
}

#[test]
fn other_alphabets() {
    check(
        "größe = step.",
        expect![[r#"
        1:1 name-character: `größe` cannot be a name
    "#]],
    );
}

#[test]
fn misspelled_statements() {
    check(
        "a = fidn empty field, eiter b or c, asert (x), repaet 2 times step, opt step.",
        expect![[r#"
        1:5 unknown-word: there is no statement `fidn` {fidn -> find}
        1:23 unknown-word: there is no statement `eiter` {eiter -> either}
        1:37 unknown-word: there is no statement `asert` {asert -> assert}
        1:48 unknown-word: there is no statement `repaet` {repaet -> repeat}
        1:72 missing-comma: expected `,` between statements, found `step` { -> ,}
    "#]],
    );
}

#[test]
fn missing_full_stop_and_reserved_name() {
    check(
        "a = step\nfind = win.",
        expect![[r#"
        1:9 missing-full-stop: expected `.` at the end of the rule `a`, found `find` { -> .}
    "#]],
    );
}

#[test]
fn statement_misspelled_in_a_bracket() {
    check(
        "a = [ north, stpe, step\n ], win",
        expect![[r#"
        2:8 missing-full-stop: expected `.` at the end of the rule `a`, found the end of the file { -> .}
    "#]],
    );
}

#[test]
fn five_independent_errors() {
    check(
        "dimension (3, 3)\npieces { pawn }\na = step back.\nb = find opponents pawn.\nc = [north, step.\n",
        expect![[r#"
            1:1 unknown-declaration: there is no declaration `dimension` {dimension -> dimensions}
            2:15 expected-symbol: expected a symbol for the piece `pawn`, found `}`
            3:10 expected-word: expected `backward`, found `back` {back -> backward}
            4:10 opponents-apostrophe: `opponents` lacks the apostrophe of `opponent's` {opponents -> opponent's}
            5:17 unclosed-bracket: expected `]` at the end of this sequence, found `.` { -> ]}
        "#]],
    );
}

#[test]
fn if_then() {
    check(
        "a = find own man, if points at king then win, step.",
        expect![[r#"
        1:19 unknown-word: there is no `if` {if points at king then win -> try [points at king, win]}
    "#]],
    );
}

#[test]
fn if_then_else() {
    check(
        "a = if points at king then win else if (row == 8) then [step, draw] else lose.",
        expect![[r#"
            1:5 unknown-word: there is no `if` {if points at king then win -> try [points at king, win]}
            1:37 unknown-word: there is no `if` {if (row == 8) then [step, draw] -> try [assert (row == 8), [step, draw]]}
        "#]],
    );
}

#[test]
fn if_without_then() {
    check(
        "a = if points at king, win.\nb = if (points at king, step) win.",
        expect![[r#"
        1:5 unknown-word: there is no `if` {if points at king -> points at king}
        2:5 unknown-word: there is no `if` {if (points at king, step) win -> try [points at king, step, win]}
    "#]],
    );
}

#[test]
fn if_with_an_expression() {
    check(
        "a = if row == 8 then win.\nb = if (x + 1) * 2 == 8 win.",
        expect![[r#"
        1:5 unknown-word: there is no `if` {if row == 8 then win -> try [assert (row == 8), win]}
        2:5 unknown-word: there is no `if` {if (x + 1) * 2 == 8 win -> try [assert ((x + 1) * 2 == 8), win]}
    "#]],
    );
}

#[test]
fn if_behind_a_missing_comma() {
    check(
        "a = step if points at king then win.",
        expect![[r#"
        1:9 missing-comma: expected `,` between statements, found `if` { -> ,}
    "#]],
    );
}

#[test]
fn a_rule_may_be_called_if() {
    check("a = if, then, and, step.\nb = optionally if.\nc = either if or forall.", expect![[""]]);
}

#[test]
fn then_and_and() {
    check(
        "a = step then win.\nb = step and [win].\nc = north, then step, and then win.",
        expect![[r#"
        1:10 unknown-word: statements are separated by `,` and not by `then` { then -> ,}
        2:10 unknown-word: statements are separated by `,` and not by `and` { and -> ,}
        3:12 unknown-word: there is no `then`: the comma separates statements {then  -> }
        3:23 unknown-word: there is no `and`: the comma separates statements {and  -> }
        3:27 unknown-word: there is no `then`: the comma separates statements {then  -> }
    "#]],
    );
}

#[test]
fn forall() {
    check(
        "a = forall own man do step.",
        expect![[r#"
        1:5 unknown-word: `forall` is written `for each` {forall -> for each}
    "#]],
    );
}

#[test]
fn score_without_parentheses() {
    check(
        "a = score 5.\nb = score -5, step.\nc = score own x + 1.\nd = score.",
        expect![[r#"
        1:11 expected-token: expected `(`, found the number `5` {5 -> (5)}
        2:11 expected-token: expected `(`, found `-` {-5 -> (-5)}
        3:11 expected-token: expected `(`, found `own` {own x + 1 -> (own x + 1)}
    "#]],
    );
}

#[test]
fn an_expression_is_no_statement() {
    check(
        "a = count [find king, step] > 3, win.\nb = sum (x) [find king] == 1.\nc = find king, row == 8, x += \
         1, x++.",
        expect![[r#"
            1:5 expected-statement: an expression alone is not a statement {count [find king, step] > 3 -> assert (count [find king, step] > 3)}
            2:5 expected-statement: an expression alone is not a statement {sum (x) [find king] == 1 -> assert (sum (x) [find king] == 1)}
            3:16 expected-statement: an expression alone is not a statement {row == 8 -> assert (row == 8)}
            3:26 expected-statement: an expression alone is not a statement {x += 1 -> assign (x += 1)}
            3:34 expected-statement: an expression alone is not a statement {x++ -> assign (x++)}
        "#]],
    );
}

#[test]
fn count_in_parentheses() {
    check(
        "a = assert (count (find king, step) > 3), win.\nb = count (find king) > 3.\nc = assert (count (find \
         king > 3).",
        expect![[r#"
            1:13 expected-token: `count` takes brackets {(find king, step) -> [find king, step]}
            2:5 expected-token: `count` takes brackets {(find king) -> [find king]}
            2:5 expected-statement: an expression alone is not a statement {count (find king) > 3 -> assert (count (find king) > 3)}
            3:13 expected-token: `count` takes brackets
            3:30 expected-separator: expected `,` or `)`, found `>`
            3:34 unclosed-parenthesis: expected `)`, found `.` { -> )}
        "#]],
    );
}

#[test]
fn colon_in_place_of_the_equals_sign() {
    check(
        "main: find own man, win.\na : [step, win].\nb := win.\nc: d.\nd = c.",
        expect![[r#"
        1:5 expected-token: expected `=` after the rule's name `main`, found `:` {: ->  =}
        2:3 expected-token: expected `=` after the rule's name `a`, found `:` { : ->  =}
        3:3 expected-token: expected `=` after the rule's name `b`, found `:` {:= -> =}
        4:2 expected-token: expected `=` after the rule's name `c`, found `:` {: ->  =}
    "#]],
    );
}

#[test]
fn an_entry_outside_its_list_is_no_rule() {
    check(
        "castle : player : [0 .. 1]\na = step.",
        expect![[r#"
        1:1 expected-item: expected a rule or a declaration, found `castle`
    "#]],
    );
}

#[test]
fn step_with_its_direction() {
    check(
        "a = find man, step north, win.\nb = optionally step any direction.\nc = repeat 2 times step \
         diagonal.",
        expect![[r#"
            1:20 unknown-word: the direction is set before `step` {step north -> north, step}
            2:21 unknown-word: the direction is set before `step` {step any direction -> [any direction, step]}
            3:25 unknown-word: the direction is set before `step` {step diagonal -> [diagonal, step]}
        "#]],
    );
}

#[test]
fn step_before_another_direction() {
    check(
        "a = north, step east, step, win.",
        expect![[r#"
        1:16 missing-comma: expected `,` between statements, found `east` { -> ,}
    "#]],
    );
}

#[test]
fn while_at_the_end_of_the_statement() {
    check(
        "a = while step, win.\nb = [while step], win.\nc = while step.",
        expect![[r#"
        1:15 expected-word: expected `do`, found `,` { ->  do nothing}
        2:16 expected-word: expected `do`, found `]` { ->  do nothing}
        3:15 expected-word: expected `do`, found `.` { ->  do nothing}
    "#]],
    );
}

#[test]
fn do_at_the_end_of_the_statement() {
    check(
        "a = do step, win.\nb = for each own man, step.",
        expect![[r#"
        1:12 expected-word: expected `while`, found `,`
        2:21 expected-word: expected `do`, found `,` {, ->  do}
    "#]],
    );
}

#[test]
fn fields_as_coordinates() {
    check(
        "a = move to a3, win.\nb = move to (h12), win.\nc = move to (a, 3), move to main.",
        expect![[r#"
        1:13 expected-token: a field is given by the numbers of its column and row {a3 -> (1, 3)}
        2:13 expected-token: a field is given by the numbers of its column and row {(h12) -> (8, 12)}
        3:29 expected-token: expected `(`, found `main`
    "#]],
    );
}

/// Where a fix changes everything that is wrong, the text is sound afterwards.
#[test]
fn fixes_mend() {
    let texts = [
        "a = find own man, if points at king then win, step.",
        "a = if points at king, win.",
        "a = if (row == 8) then [step, draw] else lose.",
        "a = if (points at king, step) then win.",
        "a = if row == 8 then win.",
        "a = step then win.",
        "a = north, then step.",
        "a = forall own man do step.",
        "a = score -5, step.",
        "a = count [find king, step] > 3, win.",
        "a = x += 1.",
        "a = assert (count (find king, step) > 3), win.",
        "a: step.",
        "a := step.",
        "a = optionally step any direction.",
        "a = step north.",
        "a = while step, win.",
        "a = for each own man, step.",
        "a = move to (h12), win.",
    ];
    for text in texts {
        let diagnostics = multigame_syntax::parse(text).diagnostics;
        let [diagnostic] = &diagnostics[..] else {
            panic!("one error is expected in {text}: {diagnostics:?}")
        };
        let fix = diagnostic.fix.as_ref().unwrap_or_else(|| panic!("no fix for {text}"));
        let mut mended = text.to_owned();
        mended.replace_range(fix.span.start as usize..fix.span.end as usize, &fix.replacement);
        assert_eq!(support::errors(&mended), "", "{mended}");
    }
}

#[test]
fn a_misspelled_field_pattern_is_one_mistake() {
    check(
        "a = find emty field, points at al field.",
        expect![[r#"
            1:10 unknown-word: there is no `emty field` {emty -> empty}
            1:32 unknown-word: there is no `al field` {al -> any}
        "#]],
    );
}

#[test]
fn a_reserved_name_is_reported_where_it_is_declared() {
    check(
        "properties { points : move : [0 .. 9] } a = assign (points = 1), assert (points > 2), assign \
         (points++).",
        expect![[r#"
            1:14 reserved-word: `points` is a word of the language and cannot be a property's name {points -> my_points}
        "#]],
    );
}
