//! Named patterns, and rules with parameters.

use expect_test::expect;

use crate::{BOARD, analyze, check, check_rules};

#[test]
fn named_patterns_are_patterns() {
    check_rules(
        "pattern wall = [rock or opponent's brick] pattern brick = [man or rock] pattern any_thing = any piece
        main = find brick, points at own brick, points at opponent's wall, not points at any_thing, replace by wall.",
        expect![[r#"
            warning[never-matches] <not points at any_thing> this never holds
                ^ the statements before already decide this
        "#]],
    );
}

#[test]
fn a_pattern_that_does_not_say_which_piece() {
    check_rules(
        "pattern thing = [man or any piece] pattern other = [rock or thing] main = find thing, replace by \
         other.",
        expect![[r#"
            error[bad-replacement] <other> this does not say which piece to put there
                ^ a piece's name or `empty field` is expected
        "#]],
    );
}

#[test]
fn patterns_that_consist_of_themselves() {
    check_rules(
        "pattern a = [man or b] pattern b = a main = find a, replace by rock.",
        expect![[r#"
        error[circular-pattern] <a> pattern `a` consists of itself
    "#]],
    );
}

#[test]
fn patterns_with_unknown_pieces_are_reported_once() {
    check_rules(
        "pattern a = [man or rok] main = find a, points at opponent's a, replace by rock.",
        expect![[r#"
            error[undefined-piece] <rok> there is no piece `rok`
                ^ did you mean `rock`?
                fix: write `rock`: <rok> -> <rock>
        "#]],
    );
}

#[test]
fn patterns_share_their_names_with_pieces() {
    check_rules(
        "pattern man = rock pattern a = rock pattern a = man main = find a, replace by rock.",
        expect![[r#"
            error[double-declaration] <man> piece `man` is declared twice
                ^ remove one of the two
                at <man>: first declared here
            error[double-declaration] <a> pattern `a` is declared twice
                ^ remove one of the two
                at <a>: first declared here
        "#]],
    );
}

#[test]
fn a_pattern_of_the_opponent_in_a_puzzle() {
    check(
        "players = 1 dimensions (2, 2) no moves = loss pieces { man 'M' } pattern a = man
        main = find opponent's a, replace by man.",
        expect![[r#"
            error[no-opponent] <opponent's a> there is no opponent: this game has one player
        "#]],
    );
}

const HOP: &str = "hop (over, target, way, number) =
        way, repeat number times [ step, points at over ], step, points at opponent's target, assert (number > 1).";

#[test]
fn rules_with_parameters() {
    check_rules(
        &format!(
            "properties {{ n : board : [0 .. 9] }} main = find man, either hop (own man, rock_or_man, north, 1 + 1) or twice (rock, n) or name (step_on),
            replace by rock. pattern rock_or_man = [empty field or man] step_on = east, step. name (rule) = rule.
            twice (what, amount) = hop (what, [empty field or man], [orthogonal, turn 45], 2), assign (amount++, amount = 1 + amount). {HOP}"
        ),
        expect![[""]],
    );
}

#[test]
fn wrong_numbers_of_arguments() {
    check_rules(
        &format!("main = find man, hop (rock), hop, go (1), nowhere (2), replace by rock. go = north. {HOP}"),
        expect![[r#"
            error[call-arguments] <hop (rock)> rule `hop` needs 4 arguments (over, target, way, number), not 1
                at <hop>: declared here
            error[call-arguments] <hop> rule `hop` needs 4 arguments (over, target, way, number)
                at <hop>: declared here
            error[call-arguments] <go (1)> rule `go` has no parameters
                ^ it is called by its name alone
            error[undefined-rule] <nowhere> there is no rule `nowhere`
                ^ not declared
            warning[unused-rule] <hop> rule `hop` is never used
                ^ so nothing is known about its parameters, and it is not checked
        "#]],
    );
}

#[test]
fn arguments_of_the_wrong_kind() {
    check_rules(
        "main = find man, f (rock), f (3), f (own rock), g (3), g (step), h ([man or rock]), h (2), k (3), replace by rock.
        f (a) = a. g (a) = points at a. h (a) = assert (own a > 1). k (a) = assign (a = 3).",
        expect![[r#"
            error[undefined-rule] <rock> there is no rule `rock`
                ^ not declared
                help: `rock` is a piece: `find rock`, `points at rock`
            error[argument-kind] <3> a statement is expected in place of the parameter, and this is an expression
                at <a>: a statement is expected here
            error[argument-kind] <rock> a statement is expected in place of the parameter, and this is a name that cannot be one
                at <a>: a statement is expected here
            error[argument-kind] <3> a pattern is expected in place of the parameter, and this is an expression
                at <a>: a pattern is expected here
            error[argument-kind] <step> a pattern is expected in place of the parameter, and this is a statement
                at <a>: a pattern is expected here
            error[argument-kind] <[man or rock]> a property is expected in place of the parameter, and this is a pattern
                at <a>: a property is expected here
            error[argument-kind] <2> a property is expected in place of the parameter, and this is an expression
                at <a>: a property is expected here
            error[argument-kind] <3> this is not a property, and it is assigned to
                at <a>: assigned here
        "#]],
    );
}

#[test]
fn mistakes_in_a_rule_with_parameters_are_reported_once() {
    check_rules(
        "main = find man, f (north), f (east), replace by rock. f (a) = a, step, points at rok.",
        expect![[r#"
            error[undefined-piece] <rok> there is no piece `rok`
                ^ did you mean `rock`?
                fix: write `rock`: <rok> -> <rock>
        "#]],
    );
}

#[test]
fn rules_with_parameters_that_nothing_calls() {
    check_rules(
        "main = find man, replace by rock. f (a, a) = a. f (b) = b.",
        expect![[r#"
        warning[unused-rule] <f> rule `f` is never used
            ^ so nothing is known about its parameters, and it is not checked
        error[double-declaration] <a> parameter `a` is declared twice
        error[double-declaration] <f> rule `f` is declared twice
    "#]],
    );
}

#[test]
fn main_has_no_parameters() {
    check_rules(
        "main (a) = find a, replace by rock.",
        expect![[r#"
        error[no-main] <> there is no rule `main`
            help: `main` says what one move is: `main = find own pawn, ... .`
        error[call-arguments] <main> `main` has no parameters
    "#]],
    );
}

#[test]
fn recursion_with_the_same_arguments_ends() {
    check_rules(
        "main = find man, slide (north), replace by rock. slide (way) = way, step, optionally slide (way).",
        expect![[""]],
    );
}

#[test]
fn recursion_with_longer_arguments_is_an_error() {
    check_rules(
        "main = find man, f (rock), replace by rock. f (a) = either points at a or f ([a or man]).",
        expect![[r#"
            error[too-many-instances] <f ([a or man])> rule `f` is called with too many different arguments
                ^ a rule that calls itself with longer and longer arguments would need infinitely many rules
            error[too-deep] <[a or man]> statements and expressions can be nested 400 levels deep
                ^ give a part of it its own rule
        "#]],
    );
}

#[test]
fn recursion_with_arguments_that_double_is_an_error() {
    check_rules(
        "main = find man, f (step), replace by rock. f (a) = either a or f ([a, a]).",
        expect![[r#"
        error[too-many-instances] <f ([a, a])> rule `f` is called with too many different arguments
            ^ a rule that calls itself with longer and longer arguments would need infinitely many rules
    "#]],
    );
}

#[test]
fn a_call_means_the_rule_with_its_arguments_written_out() {
    let bodies = |rules: &str| {
        let model = analyze(&format!("{BOARD}{rules}"), &[]).model.expect("there is no error");
        model.rules.into_iter().map(|rule| rule.body).collect::<Vec<_>>()
    };
    let short = bodies(
        "main = find man, hop (man, rock, north, 2), hop (own man, empty_or_man, [east, turn 45], 1), turn 90.
        pattern empty_or_man = [empty field or man]
        hop (over, target, way, number) =
            way, repeat number times [ step, points at opponent's over ], replace by target,
            assert (count [ find over ] > number), maybe (way).
        maybe (way) = optionally way.",
    );
    let long = bodies(
        "main = find man, hop_1, hop_2, turn 90.
        hop_1 =
            north, repeat 2 times [ step, points at opponent's man ], replace by rock,
            assert (count [ find man ] > 2), maybe_1.
        hop_2 =
            [ east, turn 45 ], repeat 1 times [ step, points at opponent's man ],
            replace by [empty field or man], assert (count [ find own man ] > 1), maybe_2.
        maybe_1 = optionally north.
        maybe_2 = optionally [ east, turn 45 ].",
    );
    assert_eq!(short, long);
}
