//! The layout of programs: `check(program, expected)`. Each result is also checked to stay as it is.

mod support;

use expect_test::{Expect, expect};
use multigame_syntax::format;

#[track_caller]
fn check(text: &str, expected: Expect) {
    assert_eq!(support::errors(text), "");
    let formatted = format(text).expect("the text has no errors");
    expected.assert_eq(&formatted);
    assert_eq!(format(&formatted).expect("the formatted text has no errors"), formatted);
    assert_eq!(support::meaning(&formatted), support::meaning(text));
}

#[test]
fn a_text_with_errors_is_refused() {
    let errors = format("a = step").expect_err("the full stop is missing");
    assert_eq!(errors[0].code, "missing-full-stop");
}

#[test]
fn a_short_rule_stays_on_its_line() {
    check(
        r##"a=find   empty field,step,[b,c] ."##,
        expect![[r#"
            a = find empty field, step, [ b, c ].
        "#]],
    );
}

#[test]
fn a_rule_on_several_lines_has_a_statement_on_each() {
    check(
        r##"a = find empty field, step,
 win."##,
        expect![[r#"
            a =
                find empty field,
                step,
                win.
        "#]],
    );
}

#[test]
fn a_long_rule_is_broken() {
    check(
        r##"a = find empty field, replace by own mark, try [three_in_a_row, win], any direction, repeat 2 times step."##,
        expect![[r#"
            a =
                find empty field,
                replace by own mark,
                try [ three_in_a_row, win ],
                any direction,
                repeat 2 times step.
        "#]],
    );
}

#[test]
fn a_broken_bracket_stays_broken() {
    check(
        r##"a = try [ step,
 win ] else [ lose ]."##,
        expect![[r#"
            a =
                try [
                    step,
                    win
                ] else [ lose ].
        "#]],
    );
}

#[test]
fn brackets_are_joined_to_their_words() {
    check(
        r##"a = either [
step, win
] or [ lose,
 draw, ] or nothing, repeat 2 times [
 step
]."##,
        expect![[r#"
            a =
                either [
                    step,
                    win
                ] or [
                    lose,
                    draw,
                ] or nothing,
                repeat 2 times [
                    step
                ].
        "#]],
    );
}

#[test]
fn an_either_on_several_lines() {
    check(
        r##"a = either b or c
  or d, step."##,
        expect![[r#"
            a =
                either b
                or c
                or d,
                step.
        "#]],
    );
}

#[test]
fn a_break_behind_or_moves_before_it() {
    check(
        r##"a = either b or
 c."##,
        expect![[r#"
            a =
                either b
                or c.
        "#]],
    );
}

#[test]
fn try_on_several_lines() {
    check(
        r##"a = try b
else try c
else d."##,
        expect![[r#"
            a =
                try b
                else try c
                else d.
        "#]],
    );
}

#[test]
fn comments_stay() {
    check(
        r##"# The game.

players = 2 # two
# about a
a = step, # forward
  # alone
  [ # inside
    win # won
    # last
  ]. # end
# end of file"##,
        expect![[r#"
            # The game.

            players = 2  # two

            # about a
            a =
                step,  # forward
                # alone
                [        # inside
                    win  # won
                    # last
                ].  # end
            # end of file
        "#]],
    );
}

#[test]
fn comments_in_odd_places() {
    check(
        r##"a # one
= # two
find # three
  # four
 own # five
 pawn # six
 ."##,
        expect![[r#"
            a         # one
                =     # two
                find  # three
                    # four
                    own   # five
                    pawn  # six
                .
        "#]],
    );
}

#[test]
fn blank_lines() {
    check(
        r##"

players = 2


sides = 1
a = step,


 win.
b = win.



"##,
        expect![[r#"
            players = 2

            sides = 1

            a =
                step,

                win.

            b = win.
        "#]],
    );
}

#[test]
fn declarations_short() {
    check(
        r##"players=2 sides=1 dimensions(8,8) no  moves=pass repetition=draw 3 topology hex parameter n=3[1..9]"##,
        expect![[r#"
            players = 2
            sides = 1
            dimensions (8, 8)
            no moves = pass
            repetition = draw 3
            topology hex
            parameter n = 3 [1 .. 9]
        "#]],
    );
}

#[test]
fn pieces_in_columns() {
    check(
        r##"pieces
{
pawn 'P' 'p'
longer_name 'x'
wall '#' # neutral
}"##,
        expect![[r#"
            pieces {
                pawn        'P' 'p'
                longer_name 'x'
                wall        '#'  # neutral
            }
        "#]],
    );
}

#[test]
fn pieces_on_one_line() {
    check(
        r##"pieces {mark 'X' 'O'}"##,
        expect![[r#"
        pieces { mark 'X' 'O' }
    "#]],
    );
}

#[test]
fn properties_in_columns() {
    check(
        r##"properties {
a,b:player:[0..1] unhashed
much_longer:field:[-1..n+1]

# counts
c:move:[0..9]
}"##,
        expect![[r#"
            properties {
                a, b        : player : [0 .. 1] unhashed
                much_longer : field  : [-1 .. n + 1]

                # counts
                c           : move   : [0 .. 9]
            }
        "#]],
    );
}

#[test]
fn setup_one_row_on_a_line() {
    check(
        r##"setup { ".." "xx" white to move a=1,2 f="4 4" "3 3" g =
"4 4"
"3 3" }"##,
        expect![[r#"
            setup {
                ".."
                "xx"
                white to move
                a = 1, 2
                f = "4 4" "3 3"
                g =
                    "4 4"
                    "3 3"
            }
        "#]],
    );
}

#[test]
fn directions_in_columns() {
    check(
        r##"directions { up/down:a1 a2 a3,b1 b2 b3
northeast:a1 b2
ring : a1 b1,
 c1 d1 }"##,
        expect![[r#"
            directions {
                up / down : a1 a2 a3, b1 b2 b3
                northeast : a1 b2
                ring      :
                    a1 b1,
                    c1 d1
            }
        "#]],
    );
}

#[test]
fn evaluations() {
    check(
        r##"evaluation   plain{
phase=count[find any piece][0..24]
calm=count[check]==0
material{pawn 82..94 queen -900}

# Where pawns stand.
table pawn="0 0"
"1 1" ..
"2 2" "3 3"
mobility 4..n+1:count[find own pawn]
tempo 10   mover:1
greatest{a:1 b:2}
}
evaluation{a 1:row}
"##,
        expect![[r#"
            evaluation plain {
                phase = count [ find any piece ] [0 .. 24]
                calm = count [ check ] == 0
                material { pawn 82 .. 94  queen -900 }

                # Where pawns stand.
                table pawn =
                    "0 0"
                    "1 1"
                    ..
                    "2 2"
                    "3 3"
                mobility 4 .. n + 1 : count [ find own pawn ]
                tempo 10 mover : 1
                greatest { a : 1  b : 2 }
            }

            evaluation { a 1 : row }
        "#]],
    );
}

#[test]
fn notation_and_looks() {
    check(
        r##"notation{uci fen(a,b)}
looks{pawn "x" "y"
fields colour "z"}"##,
        expect![[r#"
            notation { uci fen (a, b) }

            looks {
                pawn          "x" "y"
                fields colour "z"
            }
        "#]],
    );
}

#[test]
fn match_is_a_picture() {
    check(
        r##"a = match (empty field, b,
 c, dddd), win."##,
        expect![[r#"
            a =
                match (
                    empty field, b,
                    c,           dddd
                ),
                win.
        "#]],
    );
}

#[test]
fn match_on_one_line() {
    check(
        r##"a = match(b,c,  d)."##,
        expect![[r#"
        a = match (b, c, d).
    "#]],
    );
}

#[test]
fn a_long_match() {
    check(
        r##"a = match (empty field, opponent's piece, empty field, opponent's piece, empty field, opponent's piece)."##,
        expect![[r#"
            a = match (
                empty field,
                opponent's piece,
                empty field,
                opponent's piece,
                empty field,
                opponent's piece
            ).
        "#]],
    );
}

#[test]
fn expressions() {
    check(
        r##"a = assert(!a&&-b+~c- -d*(e,f)?g:h), assign(i=j+=k++ - --l), assert(count[find own pawn]>sum(x)[step])."##,
        expect![[r#"
            a =
                assert (!a && -b + ~c - -d * (e, f) ? g : h),
                assign (i = j += k++ - --l),
                assert (count [ find own pawn ] > sum (x) [ step ]).
        "#]],
    );
}

#[test]
fn a_long_expression_is_filled() {
    check(
        r##"a = assert (some_property_name == 1 && another_property_name == 2 && yet_another_property_name == 3 && the_last == 4)."##,
        expect![[r#"
            a =
                assert (some_property_name == 1 && another_property_name == 2 &&
                    yet_another_property_name == 3 && the_last == 4).
        "#]],
    );
}

#[test]
fn signs() {
    check(
        r##"a = turn - 45, assert (- - x, + + x, - --y, !!z)."##,
        expect![[r#"
        a = turn -45, assert (- -x, + +x, - --y, !!z).
    "#]],
    );
}

#[test]
fn extensions() {
    check(
        r##"a = greatest(n)[b], keep   turn, as opponent [c], for each own pawn do step, for each direction do step, score(1), for  each either north
or east do [facing  any  direction], holds  [own pawn or rook],board
unchanged."##,
        expect![[r#"
            a =
                greatest (n) [ b ],
                keep turn,
                as opponent [ c ],
                for each own pawn do step,
                for each direction do step,
                score (1),
                for each either north
                or east do [ facing any direction ],
                holds [own pawn or rook],
                board unchanged.
        "#]],
    );
}

#[test]
fn several_pieces_on_a_line() {
    check(
        "pieces {\n a '1' bcd '2' e '3'\n fgh '4' 'x' i '5'\n jkl '6' }",
        expect![[r#"
        pieces {
            a '1'        bcd '2'  e '3'
            fgh '4' 'x'  i '5'
            jkl '6'
        }
    "#]],
    );
}

#[test]
fn a_single_bracket_begins_on_the_line_of_the_rule() {
    check(
        "a = for each own pawn do [ step,\nwin ].\nb = match (c,\nd).\ne =\n [ f ].",
        expect![[r#"
        a = for each own pawn do [
            step,
            win
        ].

        b = match (
            c,
            d
        ).

        e =
            [ f ].
    "#]],
    );
}

#[test]
fn setup_without_a_picture() {
    check(
        "setup { apply tower }",
        expect![[r#"
        setup { apply tower }
    "#]],
    );
}

#[test]
fn rules_of_one_line_stay_together() {
    check(
        r##"players = 2
a = step.
b = win. # b


c = lose.
# about d
d = draw.
e =
 step, win.
f = step.
g = find empty field, replace by own mark, try [three_in_a_row, win], any direction, repeat 2 times step.
h = step.
setup { ".." } sides = 1"##,
        expect![[r#"
            players = 2

            a = step.
            b = win.  # b

            c = lose.
            # about d
            d = draw.

            e =
                step,
                win.

            f = step.

            g =
                find empty field,
                replace by own mark,
                try [ three_in_a_row, win ],
                any direction,
                repeat 2 times step.

            h = step.

            setup {
                ".."
            }

            sides = 1
        "#]],
    );
}

#[test]
fn entries_on_one_line_are_told_apart() {
    check(
        r##"pieces { man 'M' 'm' king 'K' 'k' }
properties { a : board : [0 .. 1] b, c : player : [0 .. 1] }
looks { man "a"   king "b" "c"  fields "lines" }
notation { uci   pdn }
pieces { man 'M' 'm' }"##,
        expect![[r#"
            pieces { man 'M' 'm'  king 'K' 'k' }
            properties { a : board : [0 .. 1]  b, c : player : [0 .. 1] }
            looks { man "a"  king "b" "c"  fields "lines" }
            notation { uci pdn }
            pieces { man 'M' 'm' }
        "#]],
    );
}

#[test]
fn comments_of_a_list_are_aligned() {
    check(
        r##"looks {
man "a" "b" # a man
king colour "white" "black" # a king
fields "chequered" # the board
}"##,
        expect![[r#"
            looks {
                man         "a"     "b"      # a man
                king colour "white" "black"  # a king
                fields      "chequered"      # the board
            }
        "#]],
    );
}
