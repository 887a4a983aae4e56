//! Small rules that once meant something else to native code, each with its lesson.

use multigame_compiler::{Options, compile};
use multigame_game::{Game, parse_position};
use multigame_ir::RulesGame;

use super::random_rules::{Verdict, compare};
use crate::under_test::TestedGame;

const DECLARATIONS: &str = "no moves = loss pieces { man 'M' 'm' king 'K' 'k' rock '#' }
    properties { turns : board : [0 .. 9] mark : field : [0 .. 5] }";

/// Counts the moves of a rule in a position with both; native code must not leave it to the interpreter
/// unless it may.
fn moves(main: &str, position: &str) -> (Option<u64>, u64) {
    let (picture, _) = position.split_once(' ').expect("a picture and whose turn it is");
    let setup: String = picture.split('/').map(|row| format!("\"{row}\" ")).collect();
    let text = format!("{DECLARATIONS} setup {{ {setup}}}\nmain = {main}.");
    let compiled = compile(&text, &Options::default());
    let program = compiled.program.unwrap_or_else(|| panic!("{main}: {:?}", compiled.diagnostics));
    let rules = RulesGame::new(program.clone());
    let diagram = parse_position(rules.description(), position).unwrap();
    let expected = rules.count(&rules.position(&diagram)).unwrap();
    let native = TestedGame::new(program.clone()).ok();
    let found = native.map(|game| game.count(&game.position(&diagram)).unwrap());
    assert!(found.is_none_or(|found| found == expected), "{main}: {found:?} instead of {expected}");
    if let Verdict::Differs(message) = compare(program, &multigame_mir::Options::checked()) {
        panic!("{main}: {message}");
    }
    (found, expected)
}

fn check(main: &str, position: &str, expected: u64) {
    assert_eq!(moves(main, position), (Some(expected), expected), "{main}");
}

/// MachineCode code may refuse these, but not answer otherwise.
fn check_or_refuse(main: &str, position: &str, expected: u64) {
    assert_eq!(moves(main, position).1, expected, "{main}");
}

#[test]
fn what_is_behind_is_behind_one_step_only() {
    let main = "find empty field, any direction, step,
        try [ not points at own man, repeat 2 times step backward, replace by rock ]";
    check(main, "###/#.#/### w", 1);
    let turned =
        "find empty field, north, step, not points at own man, turn 90, step backward, replace by man";
    check(turned, "M#M/#.#/M#M w", 1);
    let each = "find empty field, north, step, points at rock, for each direction do [ step backward, replace by man ]";
    check_or_refuse(each, "M#M/#.#/M#M w", 1);
}

#[test]
fn a_count_belongs_to_one_state() {
    let main = "find own man, either east or south, assert (count [ find own man ] == 2), step,
        points at empty field, replace by man";
    check(main, "M./.. w", 0);
    let facing =
        "find own man, either east or south, assert (count [ find own man, step ] == 1), replace by rock";
    check_or_refuse(facing, "M./.M w", 2);
    let nowhere = "assert (count [ match (any field, any field, any field, any field) ] == 1),
        find own man, replace by rock";
    check(nowhere, "M./.. w", 1);
    let both_ways = "find own man, assert (count [ either find own man or nothing ] == 2), replace by rock";
    check_or_refuse(both_ways, "M./.M w", 2);
    let directions =
        "find own man, north, assert (count [ optionally [ find own man, any direction ] ] == 9),
        replace by rock";
    check_or_refuse(directions, "M./.. w", 0);
}

#[test]
fn a_direction_changed_in_a_loop_stays_changed() {
    let main = "find own man, north, test [ repeat 2 times [ step, turn 90 ], step ], replace by empty field";
    check(main, "MMM/MMM/MMM w", 4);
    let range = "find own man, north, test [ repeat 1 .. 2 times [ step, turn 90 ], step, points at rock ],
        replace by empty field";
    check(range, "MM#/MMM/MMM w", 1);
    let endless =
        "find own man, not [ repeat 0 .. infinity times [ orthogonal, step, points at own man ], step,
        points at rock ], replace by empty field";
    check_or_refuse(&format!("north, {endless}"), "#M#/MM#/..M w", 0);
}

#[test]
fn each_finger_has_its_own_greatest() {
    let main = "find own man, greatest (row) [ orthogonal, step ], replace by rock";
    check(main, "M../.../..M w", 2);
}

#[test]
fn the_finger_matters_after_a_loop_that_begins_by_finding_one() {
    let main = "find own man, replace by rock, repeat 1 .. infinity times [ find man, replace by king ], points at king";
    check(main, "MMM w", 9);
}

#[test]
fn a_field_may_change_for_each_direction() {
    let main = "find own man, for each direction do replace by rock, replace by king";
    check(main, "M./.M w", 2);
    let around =
        "find own man, for each direction do [ points at own man, replace by rock ], points at rock, win";
    check(around, "M./.. w", 1);
}

#[test]
fn a_try_may_have_many_results_that_matter() {
    let main = "find empty field, replace by man, try find own man, replace by rock";
    check(main, "M./.. w", 6);
}

#[test]
fn a_piece_put_down_where_it_was_makes_no_new_result() {
    let main = "find own man, pick up, move to (column, turns), put down";
    check(main, "MM/MM w", 0);
    let back = "find any piece, pick up, move to (column, turns + 1), put down";
    check(back, "M./.M w", 2);
}

#[test]
fn every_field_on_the_way_of_a_threat_counts() {
    let moves = "find own man, pick up, east, step, points at empty field, put down";
    let threat = "find own king, north, repeat 2 times [ step, points at empty field ], step, points at opponent's man";
    check(&format!("{moves}, not [ {threat} ]"), "m./../M./K. w", 0);
    let tested = "find own king, north, test [ step, points at empty field ], repeat 3 times step, points at opponent's man";
    check(&format!("{moves}, not [ {tested} ]"), "m./../M./K. w", 0);
    let to_empty = "find own king, north, repeat 0 .. infinity times [ step, points at rock ], step, points at empty field";
    check(&format!("{moves}, not [ {to_empty} ]"), "m./#./M./K. w", 0);
}

#[test]
fn a_finger_that_points_nowhere_is_not_everywhere() {
    let text = format!(
        "dimensions (2, 2) {DECLARATIONS}\nmain = try [ find own king ], points at own man, replace by rock."
    );
    let program = compile(&text, &Options::default()).program.unwrap();
    assert!(!matches!(compare(program, &multigame_mir::Options::checked()), Verdict::Differs(_)));
}

// Nothing was wrong but the comparison: names that grow in an endless loop are given up after other numbers
// of steps.
#[test]
fn names_without_end_are_given_up() {
    let growing = "do [ repeat 0 .. infinity times [ pick up, called field, put down ] ] while [ nothing ]";
    let main = format!("find any field, north, {growing}, pick up, nothing, put down");
    check_or_refuse(&main, "K./.m b", 0);
}

/// One alternative steps, so both can write the same field after different choices.
#[test]
fn alternatives_for_different_fields_may_have_equal_results() {
    let main = "find own man, try [ north, step backward, points at own man ] else [ irreversible ], draw, replace by opponent's king";
    check(main, "MM./MM./..M w", 3);
}

#[test]
fn signatures_of_many_values_are_computed() {
    let text = "no moves = loss pieces { man 'M' 'm' } setup { \"m.m\" \"...\" \"M.M\" }
        properties {
            far : board : [-2000000000 .. 2000000000]
            own_far : player : [0 .. 100000]
            deep : field : [-70000 .. 70000]
            free : board : [0 .. 1000000] unhashed
            clock : board : [0 .. 9]
        }
        main = find own man, pick up, any direction, step, points at empty field, put down, assign (
            far = (far >> clock) - (column << (clock + 8)) + 1000000000 / (clock + 1),
            own_far = (own own_far + 65537) % 100000, deep = ~deep / 2 + 69999 % (row + 1),
            free = (free ^ 77777) & 1048575 % 1000001, clock = (clock + 1) % 10
        ).";
    let compiled = compile(text, &Options::default());
    let program = compiled.program.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    match compare(program, &multigame_mir::Options::checked()) {
        Verdict::Agrees => {}
        Verdict::Differs(message) => panic!("{message}"),
        Verdict::Invalid | Verdict::Refused => panic!("these rules are compiled"),
    }
}

/// Making moves merges states that are equal; counting the moves of many pieces at once has to know of it.
#[test]
fn ways_to_one_result_are_counted_once() {
    let moved = |ways: &str, expected| {
        check(&format!("find own man, pick up, {ways}, put down"), "..../..../MMMM w", expected);
    };
    moved("either north or north, step, points at empty field", 4);
    moved("either [ north, step, points at empty field ] or [ north, step, not points at own man ]", 4);
    moved("either [ north, step, east, step ] or [ east, step, north, step ], points at empty field", 3);
    moved("either [ diagonal, step, points at empty field ] or [ northwest, step ]", 6);
    // These differ by what is seen, by the field, or by the piece that is left.
    moved("north, either [ step, points at empty field ] or [ step, points at any piece ]", 4);
    moved("north, either step or [ step, step ], points at empty field", 8);
    let left = "find own man, pick up, north, step, put down, either replace by king or replace by rock";
    check(left, "..../..../MMMM w", 8);
}

/// A statement that may change a position need not have changed it.
#[test]
fn an_ending_after_changes_that_change_nothing_is_not_a_move() {
    let endings = [
        "find any field, for each any field do [ win, nothing ]",
        "find own man, replace by man, win",
        "find own man, pick up, put down, win",
        "find own man, assign (mark = 0), win",
        "assign (turns = 0), win",
        "find own man, try [ assert (turns), replace by rock ] else nothing, win",
        "find own man, either replace by man or assign (mark = 0), win",
        "find own man, pick up, any direction, test [ step ], put down, assign (turns = 5 * turns), draw",
        "find own man, pick up, repeat 2 times [ nothing ], put down, draw",
        "find own man, assign (mark = 1), assign (mark = 0), lose",
        "back. back = find own man, pick up, either put down or [ optionally back, put down ], score (3)",
    ];
    for main in endings {
        check_or_refuse(main, "M./.. w", 0);
    }
    check("find own man, north, pick up, try [ step ], put down, win", "../M. w", 1);
    check("find own man, replace by man, either win or assign (turns = 1)", "M./.. w", 2);
}

/// The body of the loop looks for a field first, so the finger does not matter before a round; but the loop
/// may end there, and then it does.
#[test]
fn a_loop_may_end_where_its_last_round_has_pointed() {
    let clear = "repeat 1 .. infinity times [ find own piece, replace by empty field ]";
    let rest = "points at any field, replace by man";
    check(&format!("{clear}, {rest}"), ".M/../m./.m b", 3);
    check(&format!("find own man, north, {clear}, {rest}"), ".M/../K./.m w", 4);
    let facing = "repeat 1 .. 2 times [ find own man, either north or south ]";
    check_or_refuse(&format!("{facing}, step, points at empty field, replace by rock"), "../M./.. w", 2);
}

/// A field that follows from another by a table may be a constant, which other fields may be as well.
#[test]
fn a_field_follows_from_another_only_where_it_was_found() {
    let turns = "either [ replace by man, step backward ] or [ nothing ] or [ step ]";
    let moved = format!("repeat 3 times [ pick up, {turns}, put down, north ]");
    check(&format!("find any field, southwest, {moved}, pick up, nothing, put down"), ".m/.K/.# w", 19);
    let back = "either [ find any field, pick up, diagonal, step backward, put down ] or [ nothing ]";
    let first = format!("find any field, north, repeat 2 times [ {back} ], step, pick up, put down");
    check(&format!("either [ {first} ] or [ find any field, pick up, put down ]"), ".m/.K w", 1);
}
