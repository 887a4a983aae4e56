//! `for each` over directions, `facing`, `holds` and `rank`.

use expect_test::expect;

use crate::{check, check_rules};

#[test]
fn a_rule_that_only_sets_directions_names_them() {
    check_rules(
        "main = find man, for each beside do [ step, replace by rock ], ahead, not facing beside, step, replace by man.
        beside = either [ east ] or west or ahead. ahead = north. pattern both = [man or rock]
        others = for each both do replace by man.",
        expect![[r#"
            warning[unused-rule] <others> rule `others` is never used
        "#]],
    );
}

#[test]
fn other_rules_name_no_directions() {
    check_rules(
        "main = find man, for each go do step, north, facing round, replace by rock. go = north, step.
        round = either north or round.",
        expect![[r#"
            error[not-a-direction] <north, step> this does not say which directions
                ^ a direction is expected, `orthogonal`, `diagonal` or `any direction`
                help: several are `either north or east`, here or as a rule of its own
            error[not-a-direction] <round> `round` is made of itself and does not say which directions
        "#]],
    );
}

#[test]
fn a_misspelled_piece_after_for_each_is_one() {
    check_rules(
        "main = for each mann do replace by rock.",
        expect![[r#"
            error[undefined-piece] <mann> there is no piece `mann`
                ^ did you mean `man`?
                fix: write `man`: <mann> -> <man>
        "#]],
    );
}

#[test]
fn what_is_asked_for_must_be_set() {
    check_rules(
        "main = find man, try holds rock else facing north, assert (rank = 2), replace by rock.",
        expect![[r#"
            error[empty-hand] <holds rock> the hand is empty
                ^ this needs a piece in the hand
                help: `pick up` a piece first, or use `replace by`
            error[undefined-direction] <facing north> there is no direction yet
                ^ this needs a direction
                help: set one first, such as `north` or `any direction`
            error[read-only] <rank> `rank` cannot be assigned to
                help: to compare, write `==`
                fix: write `==`: < = > -> < == >
        "#]],
    );
    check_rules(
        "main = assign (rank), replace by rock.",
        expect![[r#"
            error[undefined-finger] <rank> the finger points nowhere yet
                ^ this needs the finger on a field
                help: point it with `find` or `move to` first
            error[undefined-finger] <replace by rock> the finger points nowhere yet
                ^ this needs the finger on a field
                help: point it with `find` or `move to` first
        "#]],
    );
}

#[test]
fn a_property_may_be_called_rank() {
    check_rules(
        "properties { rank : field : [0 .. 9] } main = find man, assign (rank = rank + 1).",
        expect![""],
    );
}

#[test]
fn directions_without_neighbours_are_told_apart_by_turning() {
    let rules = "no moves = loss pieces { man 'M' 'm' } main = find man, pick up, any direction, facing north, put down.";
    check(&format!("dimensions (4, 1) {rules}"), expect![""]);
    check(
        &format!("dimensions (1, 1) {rules}"),
        expect![[r#"
            error[no-such-direction] <facing north> this direction cannot be told from others on this board
                ^ no field has a neighbour there and nowhere else
        "#]],
    );
}

#[test]
fn directions_that_lead_to_the_same_fields_cannot_be_told_apart() {
    check(
        "topology graph dimensions (2, 1) no moves = loss pieces { man 'M' 'm' }
        directions { up : a1 b1  along : a1 b1 }
        main = find man, pick up, any direction, facing up, step, put down.",
        expect![[r#"
            error[no-such-direction] <facing up> this direction cannot be told from others on this board
                ^ no field has a neighbour there and nowhere else
        "#]],
    );
}
