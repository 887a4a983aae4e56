//! Warnings about rules that mean something else than they seem to say.

use expect_test::expect;

use crate::{check, check_rules, check_with};

#[test]
fn comparisons_in_a_row() {
    check_rules(
        "main = find own man, assert (1 < row < 4), replace by rock.",
        expect![[r#"
        warning[chained-comparison] <1 < row < 4> this compares the result 0 or 1 of a comparison
            ^ the left comparison comes first
            help: two comparisons are joined by `&&`, as in `1 < row && row < 4`
            fix: insert `&& row`: <> -> < && row>
    "#]],
    );
}

#[test]
fn comparisons_of_something_longer_in_a_row() {
    check_rules(
        "main = find own man, assert (row == column + 1 == 2), replace by rock.",
        expect![[r#"
        warning[chained-comparison] <row == column + 1 == 2> this compares the result 0 or 1 of a comparison
            ^ the left comparison comes first
            help: two comparisons are joined by `&&`, as in `1 < row && row < 4`
    "#]],
    );
}

#[test]
fn comparisons_that_are_meant() {
    check_rules(
        "main = find own man, assert ((1 < row) < 2), assert (row < 2 == column < 2), replace by rock.",
        expect![[""]],
    );
}

#[test]
fn a_number_that_should_be_a_parameter() {
    check(
        "parameter size = 5 [3 .. 9] dimensions (size, size + 1) no moves = loss pieces { man 'M' 'm' }
        main = find empty field, replace by man, try [ assert (row == 6), win ], try [ assert (5 > column), draw ].",
        expect![[r#"
            warning[fixed-size] <6> the number of rows is a parameter, and this is not
                ^ with `--set` this means another field
                at <size + 1>: there are 6 rows because of this
            warning[fixed-size] <5> the number of columns is a parameter, and this is not
                ^ with `--set` this means another field
                at <size>: there are 5 columns because of this
                fix: write `size`: <5> -> <size>
        "#]],
    );
}

#[test]
fn a_number_on_a_board_of_another_size() {
    check_with(
        "parameter size = 5 [3 .. 9] dimensions (size, 6) no moves = loss pieces { man 'M' 'm' }
        main = find empty field, replace by man, try [ assert (row == 6 || column == 5 || column == size), win ].",
        &[("size", 7)],
        expect![[""]],
    );
}

#[test]
fn only_moves_that_win() {
    check_rules(
        "main = find own man, pick up, north, step, put down, irreversible, assert (row == 3), win.",
        expect![[r#"
            warning[only-endings] <assert (row == 3)> only moves that end the game are legal
                ^ where this fails, there is no move
                at <win>: every move comes here
                help: if the game goes on otherwise, write `try [ ..., win ]` around both
        "#]],
    );
}

#[test]
fn only_moves_that_end_the_game_in_a_rule() {
    check_rules(
        "main = go, ending. go = find own man, replace by rock. ending = not [ find own man ], draw.",
        expect![[r#"
            warning[only-endings] <not [ find own man ]> only moves that end the game are legal
                ^ where this fails, there is no move
                at <draw>: every move comes here
                help: if the game goes on otherwise, write `try [ ..., draw ]` around both
        "#]],
    );
}

#[test]
fn conditions_that_are_meant() {
    check_rules(
        "main = either [ find own man, replace by rock, not find own man, win ] or [ find rock, replace by \
         man ].",
        expect![[""]],
    );
    check_rules("main = find own man, replace by rock, try [ assert (row == 3), win ].", expect![[""]]);
    check_rules("main = find own man, assert (row == 3), replace by rock, win.", expect![[""]]);
}

#[test]
fn hops_that_can_go_back() {
    check_rules(
        "main = find own man, pick up, hop, while hop do nothing, put down.
        hop = orthogonal, step, points at [own man or rock], step, points at empty field.",
        expect![[r#"
            warning[endless-loop] <hop> this loop has no way out
                ^ whoever has come this way can go back the same way
                help: `repeat 1 .. infinity times` may stop after each round, and ends where nothing new is found
        "#]],
    );
}

#[test]
fn hops_by_do() {
    check_rules(
        "main = find own man, pick up, do hop while hop, put down. hop = any direction, step.",
        expect![[r#"
            warning[endless-loop] <hop> this loop has no way out
                ^ whoever has come this way can go back the same way
                help: `repeat 1 .. infinity times` may stop after each round, and ends where nothing new is found
        "#]],
    );
}

#[test]
fn hops_that_end() {
    check_rules(
        "main = find own man, pick up, either once or ahead or taken or leap, put down.
        once = put down, pick up, north, slide, while slide do nothing. slide = step, points at empty field.
        ahead = put down, pick up, hop, while hop do nothing. hop = either north or east, step, points at empty field.
        taken = put down, pick up, jump, while jump do nothing.
        jump = orthogonal, step, points at rock, replace by empty field, step, points at empty field.
        leap = put down, pick up, pass, while pass do nothing.
        pass = orthogonal, step, points at rock, step, points at any field, step, points at empty field.",
        expect![[""]],
    );
}

#[test]
fn unknown_symbols_are_reported_once() {
    check(
        "no moves = loss pieces { man 'M' 'm' } setup { \"xMx\" \"xyM\" } main = find own man, replace by \
         empty field.",
        expect![[r#"
            error[unknown-symbol] <x> no piece has the symbol `x`
                ^ `.` is an empty field, `_` a hole
            error[unknown-symbol] <y> no piece has the symbol `y`
                ^ `.` is an empty field, `_` a hole
        "#]],
    );
}
