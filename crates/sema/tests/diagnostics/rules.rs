//! Names, words and constants in rules.

use expect_test::expect;

use crate::{check, check_rules};

#[test]
fn no_main() {
    check_rules(
        r##"other = draw."##,
        expect![[r#"
        error[no-main] <> there is no rule `main`
            help: `main` says what one move is: `main = find own pawn, ... .`
    "#]],
    );
}

#[test]
fn nearly_main() {
    check_rules(
        r##"mian = draw."##,
        expect![[r#"
        error[no-main] <mian> there is no rule `main`
            ^ did you mean this one?
            help: `main` says what one move is: `main = find own pawn, ... .`
            fix: call it `main`: <mian> -> <main>
    "#]],
    );
}

#[test]
fn undefined_rule() {
    check_rules(
        r##"main = new_mark. newmark = draw."##,
        expect![[r#"
            error[undefined-rule] <new_mark> there is no rule `new_mark`
                ^ did you mean `newmark`?
                fix: write `newmark`: <new_mark> -> <newmark>
        "#]],
    );
}

#[test]
fn undefined_rule_that_is_a_word() {
    check_rules(
        r##"main = nothng."##,
        expect![[r#"
        error[undefined-rule] <nothng> there is no rule `nothng`
            ^ did you mean `nothing`?
            fix: write `nothing`: <nothng> -> <nothing>
    "#]],
    );
}

#[test]
fn undefined_rule_that_is_a_piece() {
    check_rules(
        r##"main = man."##,
        expect![[r#"
            error[undefined-rule] <man> there is no rule `man`
                ^ not declared
                help: `man` is a piece: `find man`, `points at man`
        "#]],
    );
}

#[test]
fn undefined_rule_that_is_a_property() {
    check_rules(
        r##"properties { flag : board : [0 .. 1] } main = flag, assert (flag)."##,
        expect![[r#"
        error[undefined-rule] <flag> there is no rule `flag`
            ^ not declared
            help: `flag` is a property: `assert (flag)`
    "#]],
    );
}

#[test]
fn undefined_piece() {
    check_rules(
        r##"main = find own men."##,
        expect![[r#"
        error[undefined-piece] <men> there is no piece `men`
            ^ did you mean `man`?
            fix: write `man`: <men> -> <man>
    "#]],
    );
}

#[test]
fn undefined_property() {
    check_rules(
        r##"properties { flag : board : [0 .. 1] } main = assert (flog && flag)."##,
        expect![[r#"
        error[undefined-property] <flog> there is no property `flog`
            ^ did you mean `flag`?
            fix: write `flag`: <flog> -> <flag>
    "#]],
    );
}

#[test]
fn undefined_property_that_is_a_piece() {
    check_rules(
        r##"main = assert (man)."##,
        expect![[r#"
        error[undefined-property] <man> there is no property `man`
            ^ not declared
            help: `man` is a piece: `count [find man]` counts it
    "#]],
    );
}

#[test]
fn several_at_once() {
    check_rules(
        r##"main = first, find own second, assert (third)."##,
        expect![[r#"
        error[undefined-rule] <first> there is no rule `first`
            ^ not declared
        error[undefined-piece] <second> there is no piece `second`
            ^ not declared
        error[undefined-property] <third> there is no property `third`
            ^ not declared
    "#]],
    );
}

#[test]
fn own_neutral() {
    check_rules(
        r##"main = find own rock."##,
        expect![[r#"
        error[neutral-piece] <own rock> `rock` is neutral: it has no owner
            ^ the plain name is expected
            at <rock>: declared with one symbol here
            fix: write `rock`: <own rock> -> <rock>
    "#]],
    );
}

#[test]
fn opponents_neutral() {
    check_rules(
        r##"main = find opponent's rock."##,
        expect![[r#"
        error[neutral-piece] <opponent's rock> `rock` is neutral: it has no owner
            ^ the plain name is expected
            at <rock>: declared with one symbol here
            fix: write `rock`: <opponent's rock> -> <rock>
    "#]],
    );
}

#[test]
fn no_opponent() {
    check(
        r##"players = 1 dimensions (3, 3) no moves = loss pieces { man 'M' } main = either find opponent's man or find opponent's piece or as opponent draw or find own man."##,
        expect![[r#"
            error[no-opponent] <opponent's man> there is no opponent: this game has one player
            error[no-opponent] <opponent's piece> there is no opponent: this game has one player
            error[no-opponent] <as opponent > there is no opponent: this game has one player
        "#]],
    );
}

#[test]
fn own_board_property() {
    check_rules(
        r##"properties { flag : board : [0 .. 1] } main = assert (own flag), assert (opponent's flag)."##,
        expect![[r#"
            error[not-a-player-property] <own flag> `flag` is the same for both players
                ^ the plain name is expected
                at <flag>: declared here
                fix: write `flag`: <own flag> -> <flag>
            error[not-a-player-property] <opponent's flag> `flag` is the same for both players
                ^ the plain name is expected
                at <flag>: declared here
                fix: write `flag`: <opponent's flag> -> <flag>
        "#]],
    );
}

#[test]
fn player_property() {
    check_rules(
        r##"properties { flag : player : [0 .. 1] } main = assert (flag == own flag), assert (opponent's flag)."##,
        expect![[""]],
    );
}

#[test]
fn read_only() {
    check_rules(
        r##"parameter size = 3 [1 .. 5] main = find any field, assign (row = 1, column++, size += 1)."##,
        expect![[r#"
            error[read-only] <row> `row` cannot be assigned to
                help: the finger moves by `step`, `find` and `move to`
            error[read-only] <column> `column` cannot be assigned to
                help: the finger moves by `step`, `find` and `move to`
            error[read-only] <size> `size` cannot be assigned to
                ^ a parameter is fixed before the game starts
        "#]],
    );
}

#[test]
fn bad_replacement() {
    check_rules(
        r##"main = find any field, either replace by own piece or replace by any field or replace by [man or any piece]."##,
        expect![[r#"
            error[bad-replacement] <own piece> this does not say which piece to put there
                ^ a piece's name or `empty field` is expected
            error[bad-replacement] <any field> this does not say which piece to put there
                ^ a piece's name or `empty field` is expected
            error[bad-replacement] <any piece> this does not say which piece to put there
                ^ a piece's name or `empty field` is expected
        "#]],
    );
}

#[test]
fn good_replacement() {
    check_rules(
        r##"main = find any field, replace by [man or opponent's man or rock or empty field]."##,
        expect![[""]],
    );
}

#[test]
fn match_size() {
    check_rules(
        r##"main = match (man, man)."##,
        expect![[r#"
        error[match-size] <match (man, man)> `match` has 2 patterns, the board 9 fields
            ^ one pattern for each field is expected, from the top left, row by row
    "#]],
    );
}

#[test]
fn bad_repeat() {
    check_rules(
        r##"main = either repeat 3 .. 2 times nothing or repeat -1 times nothing or repeat 2000000 times nothing."##,
        expect![[r#"
            error[bad-repeat] <3 .. 2> 3 .. 2 counts nothing
                ^ the lower count comes first
            error[bad-repeat] <-1> -1 times is not possible
                ^ 0 to 1000000 is expected
            error[bad-repeat] <2000000> 2000000 times is not possible
                ^ 0 to 1000000 is expected
        "#]],
    );
}

#[test]
fn bad_turn() {
    check_rules(
        r##"main = north, either turn 30 or turn -45 or turn 720."##,
        expect![[r#"
        error[bad-turn] <turn 30> directions cannot be turned by 30 degrees
            ^ a multiple of 45 is expected
    "#]],
    );
}

#[test]
fn off_board() {
    check_rules(
        r##"main = either move to (4, 1) or move to (0, 0) or move to (3, 3)."##,
        expect![[r#"
        error[off-board] <move to (4, 1)> there is no field (4, 1)
            ^ (1, 1) to (3, 3) is expected, and no hole
        error[off-board] <move to (0, 0)> there is no field (0, 0)
            ^ (1, 1) to (3, 3) is expected, and no hole
    "#]],
    );
}

#[test]
fn off_board_by_parameter() {
    check_rules(r##"parameter home = 5 [1 .. 5] main = move to (home, 1)."##, expect![[""]]);
}

#[test]
fn division_by_zero() {
    check_rules(
        r##"properties { a : board : [0 .. 9] } main = assert (a / 0), assign (a %= 0)."##,
        expect![[r#"
            error[division-by-zero] <a / 0> division by zero
            error[division-by-zero] <0> division by zero
        "#]],
    );
}

#[test]
fn division_by_zero_where_nobody_comes() {
    check_rules(
        r##"parameter gap = 0 [0 .. 3] main = either assert (gap && 6 / gap) or [assert (gap), assert (6 / gap)] or assert (gap ? 6 / gap : 0)."##,
        expect![[""]],
    );
}

#[test]
fn overflow() {
    check_rules(
        r##"main = either assert (9223372036854775807 + 1) or assert (1 << 64)."##,
        expect![[r#"
        error[overflow] <9223372036854775807 + 1> the result does not fit into 64 bits
        error[overflow] <1 << 64> numbers can be shifted by 0 to 63 places only
    "#]],
    );
}

#[test]
fn constant_assignment_out_of_range() {
    check_rules(
        r##"properties { a : board : [0 .. 9] } main = assign (a = 10), assign (a = 2 * 3)."##,
        expect![[r#"
            error[out-of-range] <10> 10 is outside the range 0 .. 9
                ^ this assignment always fails
                at <a>: assigned here
        "#]],
    );
}

#[test]
fn comparison_written_as_assignment() {
    check_rules(
        r##"parameter n = 3 [1 .. 9]
main = find own man, assert (row = 3), assert (n = y), assign (row = 3)."##,
        expect![[r#"
            error[read-only] <row> `row` cannot be assigned to
                help: to compare, write `==`
                fix: write `==`: < = > -> < == >
            error[read-only] <n> `n` cannot be assigned to
                help: to compare, write `==`
                fix: write `==`: < = > -> < == >
            error[undefined-property] <y> there is no property `y`
                ^ did you mean `n`?
                fix: write `n`: <y> -> <n>
            error[read-only] <row> `row` cannot be assigned to
                help: the finger moves by `step`, `find` and `move to`
        "#]],
    );
}

#[test]
fn column_as_a_letter() {
    check_rules(
        r##"properties { b : board : [1 .. 3] }
main = move to (a, 3), move to (b, 1), move to (C, a)."##,
        expect![[r#"
            error[undefined-property] <a> there is no property `a`
                help: columns are numbers: `a` is 1
                fix: write `1`: <a> -> <1>
            error[undefined-property] <C> there is no property `C`
                help: columns are numbers: `C` is 3
                fix: write `3`: <C> -> <3>
            error[undefined-property] <a> there is no property `a`
                ^ did you mean `b`?
                fix: write `b`: <a> -> <b>
        "#]],
    );
}
