//! Warnings.

use expect_test::expect;

use crate::{check, check_rules};

#[test]
fn unused_rule() {
    check_rules(
        r##"main = draw. helper = other. other = win."##,
        expect![[r#"
            warning[unused-rule] <helper> rule `helper` is never used
            warning[unused-rule] <other> rule `other` is never used
        "#]],
    );
}

#[test]
fn unused_goal_and_final() {
    check_rules(
        r##"main = draw. goal = win. final = draw."##,
        expect![[r#"
        warning[unused-rule] <goal> rule `goal` is never used
            help: `goal` has a meaning of its own with `players = 1` only
        warning[unused-rule] <final> rule `final` is never used
            help: `final` has a meaning of its own with `no moves = pass` only
    "#]],
    );
}

#[test]
fn goal_of_a_puzzle() {
    check(
        r##"players = 1 dimensions (3, 3) no moves = loss main = find empty field. goal = match (empty field, any field, any field, any field, any field, any field, any field, any field, any field)."##,
        expect![[""]],
    );
}

#[test]
fn missing_final() {
    check(
        r##"pieces { man 'M' 'm' } dimensions (3, 3) no moves = pass main = find empty field."##,
        expect![[r#"
        warning[missing-final] <no moves = pass> there is no rule `final`: neither player able to move is then a draw
            help: write a rule `final` that sets the outcome: `final = score (...)` or `final = draw`
    "#]],
    );
}

#[test]
fn given_final() {
    check(
        r##"pieces { man 'M' 'm' } dimensions (3, 3) no moves = pass main = find empty field. final = score (1)."##,
        expect![[""]],
    );
}

#[test]
fn unused_property() {
    check_rules(
        r##"properties { a, b : board : [0 .. 1] } main = assign (a = 1)."##,
        expect![[r#"
        warning[unused-property] <b> property `b` is never used
    "#]],
    );
}

#[test]
fn unreachable_after_failure() {
    check_rules(
        r##"main = assert (0), draw."##,
        expect![[r#"
        warning[unreachable] <draw> this is never reached
            at <assert (0)>: this never has a result
    "#]],
    );
}

#[test]
fn unreachable_after_failing_rule() {
    check_rules(
        r##"main = never, draw. never = not nothing."##,
        expect![[r#"
        warning[unreachable] <draw> this is never reached
            at <never>: this never has a result
    "#]],
    );
}

#[test]
fn unreachable_else() {
    check_rules(
        r##"main = try nothing else draw."##,
        expect![[r#"
        warning[unreachable] <draw> this is never reached
            at <nothing>: this always has a result
    "#]],
    );
}

#[test]
fn unreachable_repeat() {
    check_rules(
        r##"main = repeat 0 times draw."##,
        expect![[r#"
        warning[unreachable] <draw> this is never reached
            ^ repeated 0 times
    "#]],
    );
}

#[test]
fn reachable_by_another_parameter() {
    check_rules(
        r##"parameter easy = 0 [0 .. 1] main = either [assert (easy), draw] or win."##,
        expect![[""]],
    );
}

#[test]
fn endless_while() {
    check_rules(
        r##"main = while nothing do nothing."##,
        expect![[r#"
        warning[endless-loop] <nothing> this loop has no way out
            ^ this always has a result
            help: a loop ends where its condition has no result; one without end has no result
    "#]],
    );
}

#[test]
fn endless_do() {
    check_rules(
        r##"main = find own man, do nothing while try points at rock, draw."##,
        expect![[r#"
        warning[endless-loop] <try points at rock> this loop has no way out
            ^ this always has a result
            help: a loop ends where its condition has no result; one without end has no result
        warning[unreachable] <draw> this is never reached
            at <do nothing while try points at rock>: this never has a result
    "#]],
    );
}

#[test]
fn loop_with_a_way_out() {
    check_rules(r##"main = find own man, north, while step do nothing."##, expect![[""]]);
}

#[test]
fn no_such_pieces() {
    check(
        r##"dimensions (3, 3) no moves = loss main = find any piece."##,
        expect![[r#"
        warning[never-matches] <any piece> this pattern never matches
            ^ there are no such pieces
    "#]],
    );
}

#[test]
fn neutral_pieces_are_not_own() {
    check(
        r##"dimensions (3, 3) no moves = loss pieces { rock '#' } main = find own piece."##,
        expect![[r#"
        warning[never-matches] <own piece> this pattern never matches
            ^ there are no such pieces
    "#]],
    );
}

#[test]
fn contradiction() {
    check_rules(
        r##"main = find own man, points at opponent's man."##,
        expect![[r#"
        warning[never-matches] <points at opponent's man> this never holds
            ^ the statements before already decide this
    "#]],
    );
}

#[test]
fn contradiction_after_pick_up() {
    check_rules(
        r##"main = find own man, pick up, points at own piece, put down."##,
        expect![[r#"
        warning[never-matches] <points at own piece> this never holds
            ^ the statements before already decide this
    "#]],
    );
}

#[test]
fn contradiction_by_not() {
    check_rules(
        r##"main = find own man, not points at own piece."##,
        expect![[r#"
        warning[never-matches] <not points at own piece> this never holds
            ^ the statements before already decide this
    "#]],
    );
}

#[test]
fn contradiction_after_replace() {
    check_rules(
        r##"main = find own man, replace by [rock or empty field], points at own piece."##,
        expect![[r#"
            warning[never-matches] <points at own piece> this never holds
                ^ the statements before already decide this
        "#]],
    );
}

#[test]
fn no_contradiction() {
    check_rules(
        r##"main = find own piece, not points at rock, pick up, north, step, not points at own piece, put down."##,
        expect![[""]],
    );
}

#[test]
fn different_outcomes() {
    check_rules(
        r##"main = either win or lose."##,
        expect![[r#"
        warning[different-outcomes] <lose> the same position has different outcomes
            ^ one outcome here
            at <win>: another one here
    "#]],
    );
}

#[test]
fn different_outcomes_after_the_same() {
    check_rules(
        r##"main = either [find own man, win] or [find own man, [draw]] or find rock."##,
        expect![[r#"
            warning[different-outcomes] <[find own man, [draw]]> the same position has different outcomes
                ^ one outcome here
                at <[find own man, win]>: another one here
        "#]],
    );
}

#[test]
fn same_outcomes() {
    check_rules(r##"main = either win or win or nothing."##, expect![[""]]);
}

#[test]
fn missing_no_moves() {
    check(
        r##"pieces { man 'M' 'm' } dimensions (3, 3) main = find empty field."##,
        expect![[r#"
        warning[missing-no-moves] <main> what happens to a player without a move is not declared
            ^ this may have no result; the player to move has then lost
            help: `loss`, `draw`, `pass` and `error` are possible
            fix: declare that this player has lost: <> -> <no moves = loss

        >
    "#]],
    );
}

#[test]
fn no_moves_not_needed() {
    check(
        r##"pieces { man 'M' 'm' } dimensions (3, 3) main = try find empty field else draw."##,
        expect![""],
    );
}

#[test]
fn no_moves_not_needed_behind_a_call() {
    check(
        r##"pieces { man 'M' 'm' } dimensions (3, 3) main = either place or end. place = find empty field. end = irreversible, draw."##,
        expect![[""]],
    );
}

#[test]
fn assignment_in_assert() {
    check_rules(
        r##"properties { phase : board : [0 .. 3] gold : player : [0 .. 9] }
main = assert (phase = 3), assert (own gold=phase), assert ((phase = 2)), assert (phase += 1)."##,
        expect![[r#"
            warning[assignment-in-assert] <phase = 3> this assigns and does not compare
                ^ the value assigned is asserted
                help: if it is meant, write `assert ((...))`
                fix: write `==`: < = > -> < == >
            warning[assignment-in-assert] <own gold=phase> this assigns and does not compare
                ^ the value assigned is asserted
                help: if it is meant, write `assert ((...))`
                fix: write `==`: <=> -> < == >
        "#]],
    );
}
