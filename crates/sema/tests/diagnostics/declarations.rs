//! Declarations: numbers, pieces, properties, parameters, conventions.

use expect_test::expect;

use crate::{check, check_rules, check_with};

#[test]
fn players_are_one_or_two() {
    check(
        r##"players = 3 dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        expect![[r#"
            error[bad-players] <3> 3 players are not possible
                ^ 1 or 2 is expected
        "#]],
    );
}

#[test]
fn sides_are_one_or_two() {
    check(
        r##"sides = 3 dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        expect![[r#"
            error[bad-sides] <3> 3 sides are not possible
                ^ 1 or 2 is expected
        "#]],
    );
}

#[test]
fn one_player_has_one_side() {
    check(
        r##"players = 1 sides = 2 dimensions (3, 3) no moves = loss main = draw."##,
        expect![[r#"
        error[bad-sides] <2> one player sees the board from one side
            ^ 1 is expected
            fix: write `1`: <2> -> <1>
    "#]],
    );
}

#[test]
fn single_declarations_are_single() {
    check(
        r##"players = 2 players = 2 dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        expect![[r#"
            error[double-declaration] <players = 2> `players` is declared twice
                ^ remove one of the two
                at <players = 2>: first declared here
        "#]],
    );
}

#[test]
fn no_moves_once() {
    check(
        r##"no moves = draw dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        expect![[r#"
            error[double-declaration] <no moves = loss> `no moves` is declared twice
                ^ remove one of the two
                at <no moves = draw>: first declared here
        "#]],
    );
}

#[test]
fn rules_are_single() {
    check_rules(
        r##"main = draw. main = win."##,
        expect![[r#"
            error[double-declaration] <main> rule `main` is declared twice
                ^ remove one of the two
                at <main>: first declared here
        "#]],
    );
}

#[test]
fn pieces_are_single() {
    check(
        r##"dimensions (3, 3) no moves = loss pieces { man 'A' 'a' man 'B' 'b' } main = draw."##,
        expect![[r#"
            error[double-declaration] <man> piece `man` is declared twice
                ^ remove one of the two
                at <man>: first declared here
        "#]],
    );
}

#[test]
fn properties_are_single() {
    check_rules(
        r##"properties { a : board : [0 .. 1] a : player : [0 .. 1] } main = assign (a = 1)."##,
        expect![[r#"
            error[double-declaration] <a> property `a` is declared twice
                ^ remove one of the two
                at <a>: first declared here
        "#]],
    );
}

#[test]
fn parameters_and_properties_share_names() {
    check_rules(
        r##"parameter a = 1 [0 .. 1] properties { a : board : [0 .. 1] } main = assign (a = 1)."##,
        expect![[r#"
            error[double-declaration] <a> property `a` (also a parameter) is declared twice
                ^ remove one of the two
                at <a>: first declared here
        "#]],
    );
}

#[test]
fn parameters_are_single() {
    check_rules(
        r##"parameter a = 1 [0 .. 1] parameter a = 1 [0 .. 1] main = assert (a)."##,
        expect![[r#"
        error[double-declaration] <a> parameter `a` is declared twice
            ^ remove one of the two
            at <a>: first declared here
    "#]],
    );
}

#[test]
fn two_symbols_need_two_players() {
    check(
        r##"players = 1 dimensions (3, 3) no moves = loss pieces { man 'A' 'a' } main = draw."##,
        expect![[r#"
            error[bad-symbol] <'a'> piece `man` has a symbol for a second player
                ^ one symbol is expected: there is one player
                fix: remove it: <'a'> -> <>
        "#]],
    );
}

#[test]
fn reserved_symbols() {
    check(
        r##"dimensions (3, 3) no moves = loss pieces { man '.' ' ' } main = draw."##,
        expect![[r#"
        error[bad-symbol] <'.'> '.' cannot be the symbol of a piece
            ^ position texts need it for other things
            help: any letter, digit or sign besides `.`, `_`, `/`, quotes and blanks is possible
        error[bad-symbol] <' '> ' ' cannot be the symbol of a piece
            ^ position texts need it for other things
            help: any letter, digit or sign besides `.`, `_`, `/`, quotes and blanks is possible
    "#]],
    );
}

#[test]
fn symbols_are_distinct() {
    check(
        r##"dimensions (3, 3) no moves = loss pieces { man 'A' 'A' } main = draw."##,
        expect![[r#"
        error[double-symbol] <'A'> two pieces have the symbol `A`
            ^ choose another one
            at <'A'>: first used here
    "#]],
    );
}

#[test]
fn ranges_are_not_empty() {
    check_rules(
        r##"properties { a : board : [1 .. 0] } main = assign (a = 1)."##,
        expect![[r#"
            error[bad-range] <1 .. 0> the range 1 .. 0 is empty
                ^ the lower end comes first
        "#]],
    );
}

#[test]
fn ranges_fit_into_32_bits() {
    check_rules(
        r##"properties { a : board : [0 .. 3000000000] } main = assign (a = 1)."##,
        expect![[r#"
        error[bad-range] <3000000000> 3000000000 does not fit into 32 bits
            ^ -2147483648 to 2147483647 is possible
    "#]],
    );
}

#[test]
fn unhashed_move_property() {
    check_rules(
        r##"properties { a : move : [0 .. 1] unhashed } main = assign (a = 1)."##,
        expect![[r#"
        warning[useless-unhashed] <unhashed> `unhashed` says nothing here
            ^ a move property is never part of a position
            fix: remove it: <unhashed> -> <>
    "#]],
    );
}

#[test]
fn constants_are_constant() {
    check_rules(
        r##"properties { a : board : [0 .. 1] } main = repeat a times nothing, assign (a = 1)."##,
        expect![[r#"
            error[not-constant] <a> `a` changes during the game
                ^ a number that is fixed before the game starts is expected here
        "#]],
    );
}

#[test]
fn constants_know_parameters_only() {
    check_rules(
        r##"parameter count_of_men = 2 [0 .. 5] main = repeat count_of_man times nothing."##,
        expect![[r#"
            error[not-constant] <count_of_man> there is no parameter `count_of_man`
                ^ did you mean `count_of_men`?
                help: a number that is fixed before the game starts is expected here
                fix: write `count_of_men`: <count_of_man> -> <count_of_men>
        "#]],
    );
}

#[test]
fn constant_division_by_zero() {
    check_rules(
        r##"main = repeat 1 / 0 times nothing."##,
        expect![[r#"
        error[division-by-zero] <1 / 0> division by zero
    "#]],
    );
}

#[test]
fn constant_overflow() {
    check_rules(
        r##"main = repeat 9223372036854775807 + 1 times nothing."##,
        expect![[r#"
        error[overflow] <9223372036854775807 + 1> the result does not fit into 64 bits
    "#]],
    );
}

#[test]
fn parameter_default_outside() {
    check_rules(
        r##"parameter a = 9 [0 .. 5] main = assert (a)."##,
        expect![[r#"
        error[parameter-range] <9> the value 9 is outside 0 .. 5
            ^ choose one inside
    "#]],
    );
}

#[test]
fn given_parameter() {
    check_with(
        r##"parameter columns = 3 [3 .. 5] dimensions (columns, 3) no moves = loss main = draw."##,
        &[("columns", 4)],
        expect![[""]],
    );
}

#[test]
fn given_parameter_outside() {
    check_with(
        r##"parameter columns = 3 [3 .. 5] dimensions (columns, 3) no moves = loss main = draw."##,
        &[("columns", 9)],
        expect![[r#"
            error[parameter-range] <columns> the value 9 given for parameter `columns` is outside 3 .. 5
        "#]],
    );
}

#[test]
fn given_parameter_unknown() {
    check_with(
        r##"parameter columns = 3 [3 .. 5] dimensions (columns, 3) no moves = loss main = draw."##,
        &[("column", 4)],
        expect![[r#"
            error[unknown-parameter] <> there is no parameter `column`
                help: parameters: `columns [3 .. 5]`
        "#]],
    );
}

#[test]
fn given_parameter_without_any() {
    check_with(
        r##"dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        &[("column", 4)],
        expect![[r#"
            error[unknown-parameter] <> there is no parameter `column`
                help: this game has no parameters
        "#]],
    );
}

#[test]
fn repetition_is_at_least_two() {
    check(
        r##"repetition = draw 1 dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        expect![[r#"
            error[bad-repetition] <1> occurrence 1 of a position cannot be a repetition
                ^ 2 or more is expected
        "#]],
    );
}

#[test]
fn notation_is_known() {
    check(
        r##"notation { uci algebriac } dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        expect![[r#"
            error[unknown-notation] <algebriac> there is no notation `algebriac`
                ^ did you mean `algebraic`?
                help: `uci`, `algebraic`, `usi`, `iccs`, `pdn`, `coordinates`, `column`, `shift`, `lurd` and `fen` are known
                fix: write `algebraic`: <algebriac> -> <algebraic>
        "#]],
    );
}

#[test]
fn notation_without_names() {
    check(
        r##"notation { uci (a) } dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        expect![[r#"
            error[notation-arguments] <uci> notation `uci` takes no names
        "#]],
    );
}

#[test]
fn fen_takes_four() {
    check(
        r##"notation { fen (a) } dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        expect![[r#"
            error[notation-arguments] <fen> `fen` takes 4 property names, not 1
                help: write `fen (king_side, queen_side, en_passant, half_moves)`: two player and two board properties
        "#]],
    );
}

#[test]
fn fen_takes_two_of_each() {
    check_rules(
        r##"properties { k, q : player : [0 .. 1] e : board : [0 .. 8] h : player : [0 .. 99] }
notation { fen (k, q, e, h) } main = draw."##,
        expect![[r#"
            error[notation-arguments] <h> `h` is not a board property
                ^ a board property is expected
                at <h>: declared here
        "#]],
    );
}

#[test]
fn fen_properties_exist() {
    check_rules(
        r##"properties { k, q : player : [0 .. 1] e : board : [0 .. 8] }
notation { fen (k, q, e, half) } main = draw."##,
        expect![[r#"
            error[undefined-property] <half> there is no property `half`
                ^ not declared
                help: write `fen (king_side, queen_side, en_passant, half_moves)`: two player and two board properties
        "#]],
    );
}

#[test]
fn looks_of_unknown_pieces() {
    check_rules(
        r##"looks { men "x" } main = draw."##,
        expect![[r#"
        error[undefined-piece] <men> there is no piece `men`
            ^ did you mean `man`?
            fix: write `man`: <men> -> <man>
    "#]],
    );
}

#[test]
fn looks_of_fields() {
    check_rules(
        r##"looks { fields "striped" } main = draw."##,
        expect![[r#"
        error[bad-look] <"striped"> fields cannot look like `striped`
            ^ one of `chequered`, `plain`, `lines` and `holes` is expected
    "#]],
    );
}

#[test]
fn looks_of_neutral_pieces() {
    check_rules(
        r##"looks { rock "x" "y" man "a" "b" man colour "red" } main = draw."##,
        expect![[r#"
        error[bad-look] <"y"> `rock` has 1 form, so one string is expected
    "#]],
    );
}

#[test]
fn looks_are_short() {
    check_rules(
        r##"looks { rock "" } main = draw."##,
        expect![[r#"
        error[bad-look] <""> 1 to 32 signs are expected
    "#]],
    );
}

#[test]
fn abstractions_keep_pieces_of_a_puzzle() {
    check_rules(
        "abstractions { a : man } main = find own man, replace by rock.",
        expect![[r#"
            error[bad-abstraction] <abstractions { a : man }> abstractions are for puzzles: they need `players = 1`
        "#]],
    );
    check(
        "players = 1 dimensions (3, 3) no moves = loss pieces { man 'M' rock '#' }
abstractions { a : man, man  b : rick  a : rock } main = find man, replace by rock.",
        expect![[r#"
            error[bad-abstraction] <man> `man` is kept already
            error[undefined-piece] <rick> there is no piece `rick`
                ^ did you mean `rock`?
                fix: write `rock`: <rick> -> <rock>
            error[double-declaration] <a> the abstraction `a` is declared twice
                ^ remove one of the two
                at <a>: first declared here
        "#]],
    );
}

#[test]
fn chance_has_a_property_and_a_rule() {
    check_rules(
        r##"properties { die : board : [0 .. 6] chance } main = assign (die = 0)."##,
        expect![[r#"
            error[missing-chance] <chance> where `die` has its least value, nature has no rule
                ^ nature moves here
                help: write a rule `chance` whose results are all that may happen: `chance = either [ assign (die = 1) ] or ... .`
        "#]],
    );
    check_rules(
        r##"properties { die : board : [0 .. 6] } main = assign (die = 0). chance = assign (die = 1)."##,
        expect![[r#"
            warning[unused-rule] <chance> rule `chance` is never used
                help: `chance` has a meaning of its own where a property is marked `chance` only
        "#]],
    );
    check_rules(
        r##"properties { w : board : [1 .. 6] weight } main = assign (w = 2)."##,
        expect![[r#"
        error[missing-chance] <weight> there is no chance whose outcomes could weigh
            ^ this says how likely they are
            help: mark the property that waits for a throw: `die : board : [0 .. 6] chance`
    "#]],
    );
}

#[test]
fn marks_of_chance_are_where_they_mean_something() {
    check_rules(
        r##"properties { a : player : [0 .. 6] chance  b : board : [0 .. 3] weight  c : board : [2 .. 2] chance }
main = assign (a = 0, b = 1, c = 2). chance = assign (a = 1)."##,
        expect![[r#"
            error[bad-chance] <chance> `chance` marks one board property
                ^ this line declares something else
                help: write a line of its own, such as `die : board : [0 .. 6] chance`
            error[bad-chance] <0 .. 3> weights are from 1 to 1000000
                ^ this range is larger
                help: an outcome that cannot happen has no weight: let the rule `chance` fail for it
            error[bad-chance] <2 .. 2> nature would move for ever
                ^ there is no value besides the one that waits
        "#]],
    );
    check_rules(
        r##"properties { a : board : [0 .. 6] chance  b : board : [0 .. 3] chance  c : board : [0 .. 1] unhashed chance }
main = assign (a = 0, b = 1, c = 1). chance = assign (a = 1)."##,
        expect![[r#"
            error[bad-chance] <chance> two properties are marked `chance`
                ^ remove one of the two
                at <chance>: the first one
            error[bad-chance] <chance> whether nature moves cannot be `unhashed`
                ^ positions before and after a throw would be the same
        "#]],
    );
}
