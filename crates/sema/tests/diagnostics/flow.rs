//! Finger, direction, hand and recursion.

use expect_test::expect;

use crate::check_rules;

#[test]
fn step_without_finger() {
    check_rules(
        r##"main = step."##,
        expect![[r#"
        error[undefined-finger] <step> the finger points nowhere yet
            ^ this needs the finger on a field
            help: point it with `find` or `move to` first
    "#]],
    );
}

#[test]
fn step_without_direction() {
    check_rules(
        r##"main = find own man, step."##,
        expect![[r#"
        error[undefined-direction] <step> there is no direction yet
            ^ this needs a direction
            help: set one first, such as `north` or `any direction`
    "#]],
    );
}

#[test]
fn points_at_without_finger() {
    check_rules(
        r##"main = points at own man."##,
        expect![[r#"
        error[undefined-finger] <points at own man> the finger points nowhere yet
            ^ this needs the finger on a field
            help: point it with `find` or `move to` first
    "#]],
    );
}

#[test]
fn row_without_finger() {
    check_rules(
        r##"main = assert (row == 1 && column == 1)."##,
        expect![[r#"
        error[undefined-finger] <row> the finger points nowhere yet
            ^ this needs the finger on a field
            help: point it with `find` or `move to` first
    "#]],
    );
}

#[test]
fn field_property_without_finger() {
    check_rules(
        r##"properties { f : field : [0 .. 9] } main = assign (f = 1)."##,
        expect![[r#"
        error[undefined-finger] <f = 1> the finger points nowhere yet
            ^ this needs the finger on a field
            help: point it with `find` or `move to` first
    "#]],
    );
}

#[test]
fn turn_without_direction() {
    check_rules(
        r##"main = turn 90."##,
        expect![[r#"
        error[undefined-direction] <turn 90> there is no direction yet
            ^ this needs a direction
            help: set one first, such as `north` or `any direction`
    "#]],
    );
}

#[test]
fn put_down_without_piece() {
    check_rules(
        r##"main = find own man, put down."##,
        expect![[r#"
        error[empty-hand] <put down> the hand is empty
            ^ this needs a piece in the hand
            help: `pick up` a piece first, or use `replace by`
    "#]],
    );
}

#[test]
fn pick_up_twice() {
    check_rules(
        r##"main = find own man, pick up, find own man, pick up, put down."##,
        expect![[r#"
        error[full-hand] <pick up> the hand already holds a piece
            ^ this needs an empty hand
            help: `put down` the piece first
    "#]],
    );
}

#[test]
fn piece_stays_in_hand() {
    check_rules(
        r##"main = find own man, pick up."##,
        expect![[r#"
        error[piece-in-hand] <main> `main` always ends with a piece in the hand
            help: `put down` the piece
    "#]],
    );
}

#[test]
fn piece_may_stay_in_hand() {
    check_rules(r##"main = find own man, optionally pick up."##, expect![[""]]);
}

#[test]
fn misuse_in_a_called_rule() {
    check_rules(
        r##"main = either a or b. a = walk. b = north, walk. walk = step."##,
        expect![[r#"
        error[undefined-finger] <step> the finger points nowhere yet
            ^ this needs the finger on a field
            help: point it with `find` or `move to` first
    "#]],
    );
}

#[test]
fn misuse_on_one_path_only() {
    check_rules(
        r##"main = either a or b. a = walk. b = find own man, north, walk. walk = step."##,
        expect![[""]],
    );
}

#[test]
fn finger_from_a_called_rule() {
    check_rules(
        r##"main = aim, north, step. aim = try find own man else find opponent's man."##,
        expect![[""]],
    );
}

#[test]
fn finger_on_some_paths() {
    check_rules(r##"main = optionally find own man, north, step."##, expect![[""]]);
}

#[test]
fn test_undoes() {
    check_rules(
        r##"main = test find own man, replace by man."##,
        expect![[r#"
        error[undefined-finger] <replace by man> the finger points nowhere yet
            ^ this needs the finger on a field
            help: point it with `find` or `move to` first
    "#]],
    );
}

#[test]
fn loops_keep_what_they_find() {
    check_rules(r##"main = repeat 1 .. infinity times find own man, replace by man."##, expect![[""]]);
}

#[test]
fn loops_may_not_run() {
    check_rules(r##"main = repeat 0 .. infinity times find own man, replace by man."##, expect![[""]]);
}

#[test]
fn alternating_hand() {
    check_rules(r##"main = find own man, north, repeat 3 times [pick up, step, put down]."##, expect![[""]]);
}

#[test]
fn for_each_gives_finger_and_direction() {
    check_rules(
        r##"main = for each own man do for each direction do [step, replace by man]."##,
        expect![[""]],
    );
}

#[test]
fn for_each_gives_nothing_back() {
    check_rules(
        r##"main = for each own man do nothing, replace by man."##,
        expect![[r#"
        error[undefined-finger] <replace by man> the finger points nowhere yet
            ^ this needs the finger on a field
            help: point it with `find` or `move to` first
    "#]],
    );
}

#[test]
fn greatest_looks_at_results() {
    check_rules(r##"main = greatest (row) find own man, replace by rock."##, expect![[""]]);
}

#[test]
fn count_looks_at_results() {
    check_rules(
        r##"main = assert (count [find own man, north, step] + sum (row) [find own man]), draw."##,
        expect![[""]],
    );
}

#[test]
fn recursive_walk() {
    check_rules(r##"main = find own man, north, walk. walk = step, optionally walk."##, expect![[""]]);
}

#[test]
fn recursion_itself() {
    check_rules(
        r##"main = a. a = a."##,
        expect![[r#"
        error[no-progress] <a> rule `a` calls itself before it does anything
            ^ this never comes to an end
            help: let a path without the call come first, or change the state before it
    "#]],
    );
}

#[test]
fn recursion_in_a_circle() {
    check_rules(
        r##"main = a. a = b. b = nothing, a, step."##,
        expect![[r#"
            error[no-progress] <a> rules `a` and `b` call each other before they do anything
                ^ this never comes to an end
                at <b>: called by the one before
                help: let a path without the call come first, or change the state before it
        "#]],
    );
}

#[test]
fn recursion_by_try() {
    check_rules(
        r##"main = try main else draw."##,
        expect![[r#"
            error[no-progress] <main> rule `main` calls itself before it does anything
                ^ this never comes to an end
                help: let a path without the call come first, or change the state before it
        "#]],
    );
}

#[test]
fn recursion_by_not() {
    check_rules(
        r##"main = not main."##,
        expect![[r#"
        error[no-progress] <main> rule `main` calls itself before it does anything
            ^ this never comes to an end
            help: let a path without the call come first, or change the state before it
    "#]],
    );
}

#[test]
fn recursion_with_another_way() {
    check_rules(r##"main = either main or draw."##, expect![[""]]);
}

#[test]
fn recursion_after_a_test() {
    check_rules(r##"main = try [find own man, main] else draw."##, expect![[""]]);
}

#[test]
fn recursion_without_end() {
    check_rules(
        r##"main = find own man, north, walk. walk = step, walk."##,
        expect![[r#"
        warning[endless-recursion] <walk> rule `walk` never has a result: every path calls it again
            help: add a path without the call, such as `optionally`
    "#]],
    );
}

#[test]
fn the_first_round_of_a_loop() {
    check_rules(
        r##"main = find own man, while optionally step do nothing."##,
        expect![[r#"
            error[undefined-direction] <step> there is no direction yet
                ^ this needs a direction
                help: set one first, such as `north` or `any direction`
        "#]],
    );
}

#[test]
fn the_first_rounds_of_all_loops() {
    check_rules(
        r##"main = either a or b or c or d or e or f.
a = find own man, while step do nothing.
b = find own man, do [step, points at empty field] while points at own man.
c = find own man, repeat 2 times step.
d = find own man, repeat 0 .. 3 times step.
e = find own man, while points at own man do [step, any direction].
f = find own man, while either [points at own man, north] or step do nothing."##,
        expect![[r#"
            error[undefined-direction] <step> there is no direction yet
                ^ this needs a direction
                help: set one first, such as `north` or `any direction`
            error[undefined-direction] <step> there is no direction yet
                ^ this needs a direction
                help: set one first, such as `north` or `any direction`
            error[undefined-direction] <step> there is no direction yet
                ^ this needs a direction
                help: set one first, such as `north` or `any direction`
            error[undefined-direction] <step> there is no direction yet
                ^ this needs a direction
                help: set one first, such as `north` or `any direction`
            error[undefined-direction] <step> there is no direction yet
                ^ this needs a direction
                help: set one first, such as `north` or `any direction`
            error[undefined-direction] <step> there is no direction yet
                ^ this needs a direction
                help: set one first, such as `north` or `any direction`
        "#]],
    );
}

#[test]
fn rounds_inside_rounds() {
    check_rules(
        r##"main = find own man, while points at own man do [while step do nothing, any direction]."##,
        expect![[r#"
            error[undefined-direction] <step> there is no direction yet
                ^ this needs a direction
                help: set one first, such as `north` or `any direction`
        "#]],
    );
}

#[test]
fn a_first_round_that_may_leave_it_out() {
    check_rules(
        r##"main = either a or b or c or d or e or f or g or h.
a = find own man, while either north or [points at own man, step] do nothing.
b = find own man, while try [points at own man, north] else step do nothing.
c = find own man, while test either [points at own man, north] or step do north.
d = find own man, while either [not points at own man, while step do nothing] or north do nothing.
e = find own man, repeat 2 times [try [points at own man, north] else step].
f = find own man, repeat 2 times [either north or [points at own man, step]].
g = find own man, repeat 2 times one, step.
one = try [points at own man, north] else step.
h = find own man, repeat 2 times [assert (column > 1 || count [step] > 0), north]."##,
        expect![[r#"
            warning[endless-loop] <either north or [points at own man, step]> this loop has no way out
                ^ this always has a result
                help: a loop ends where its condition has no result; one without end has no result
            warning[endless-loop] <either [not points at own man, while step do nothing] or north> this loop has no way out
                ^ this always has a result
                help: a loop ends where its condition has no result; one without end has no result
        "#]],
    );
}

#[test]
fn a_rule_is_called_with_and_without_direction() {
    check_rules(
        r##"main = find own man, either a or [north, a].
a = while step do nothing."##,
        expect![[""]],
    );
}

#[test]
fn name_of_a_field_without_finger() {
    check_rules(
        r##"main = called field, find own man, replace by empty field."##,
        expect![[r#"
        error[undefined-finger] <called field> the finger points nowhere yet
            ^ this needs the finger on a field
            help: point it with `find` or `move to` first
    "#]],
    );
}
