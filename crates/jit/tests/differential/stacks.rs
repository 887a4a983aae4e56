//! Rules with stacks: every statement about them, with numbers of one and of two words, and with pieces that
//! cannot be covered.

use multigame_compiler::{Options, compile};

use super::random_rules::{Verdict, compare};

const DECLARATIONS: &str = "dimensions (4, 3) sides = 1 no moves = loss
    pieces { man 'M' 'm' king 'K' 'k' rock '#' } properties { turns : board : [0 .. 99] }";

/// Runs a rule on random positions.
fn check(stacks: &str, main: &str) {
    let text = format!("{DECLARATIONS} stacks = {stacks}\nmain = {main}.");
    let compiled = compile(&text, &Options::default());
    let program = compiled.program.unwrap_or_else(|| panic!("{text}: {:?}", compiled.diagnostics));
    match compare(program, &multigame_mir::Options::checked()) {
        Verdict::Agrees => {}
        Verdict::Differs(message) => panic!("{text}: {message}"),
        Verdict::Invalid | Verdict::Refused => panic!("{text}: not compiled"),
    }
}

/// Heights whose digits fit into one property, into two, and the greatest one.
const HEIGHTS: [&str; 4] = ["4", "9 (man)", "12", "20"];

#[test]
fn pieces_are_carried_and_dropped() {
    for stacks in HEIGHTS {
        let room = format!("assert (height + carried <= {})", stacks.split(' ').next().unwrap());
        check(stacks, &format!("find own piece, pick up, orthogonal, step, {room}, put down"));
        check(stacks, &format!("find own piece, pick up (height), diagonal, step, {room}, put down"));
        check(stacks, &format!("find any piece, pick up (2), north, step, {room}, put down"));
        let tak = format!(
            "find own man, pick up (height), orthogonal, step, {room}, put down (1),
             while [ assert (carried), step ] do [ {room}, put down (1) ], assert (!carried)"
        );
        check(stacks, &tak);
    }
}

#[test]
fn prisoners_go_below_the_hand() {
    for stacks in HEIGHTS {
        let jump = "find own piece, pick up (height), orthogonal, step, points at opponent's piece,
            assert (height + carried < 4), pick up, step, points at empty field";
        check(stacks, &format!("{jump}, put down"));
        check(stacks, &format!("{jump}, put down (2), assert (!carried)"));
        check(stacks, &format!("{jump}, holds [king or opponent's man], put down"));
    }
}

#[test]
fn tops_change_and_come_off() {
    for stacks in HEIGHTS {
        check(stacks, "find own man, replace by [king or empty field]");
        check(stacks, "find any field, assert (height < 4), add [man or opponent's king]");
        check(stacks, "find rock, for each opponent's piece do replace by empty field, replace by man");
        check(
            stacks,
            "find own piece, replace by empty field, not board unchanged, assign (turns += height)",
        );
        check(
            stacks,
            "find any piece, as opponent test [ pick up (2), holds own piece, points at own piece ],
            replace by rock, assign (turns = count [ find own piece, assert (height > 1) ])",
        );
    }
}

#[test]
fn what_has_no_meaning_is_an_error_everywhere() {
    check("2", "find own piece, pick up (height), orthogonal, step, put down");
    check("4", "find own piece, pick up (height), orthogonal, step, optionally put down");
    check("4", "find own piece, try pick up (height - 1), orthogonal, step, try put down");
    check("4 (man)", "find any piece, pick up, orthogonal, step, pick up, step, put down");
}
