//! The board and the initial position.

use expect_test::expect;

use crate::{check, check_rules};

#[test]
fn no_dimensions() {
    check(
        r##"no moves = loss main = draw."##,
        expect![[r#"
        error[missing-dimensions] <> the size of the board is not declared
            help: write `dimensions (columns, rows)` or draw the board in `setup`
            fix: declare a board of 8 x 8 fields: <> -> <dimensions (8, 8)
        >
    "#]],
    );
}

#[test]
fn too_large() {
    check(
        r##"dimensions (100, 100) no moves = loss main = draw."##,
        expect![[r#"
        error[board-size] <dimensions (100, 100)> a board of 100 x 100 fields is not possible
            ^ 1 to 1024 fields are expected
    "#]],
    );
}

#[test]
fn negative_size() {
    check(
        r##"dimensions (3, -1) no moves = loss main = draw."##,
        expect![[r#"
        error[board-size] <dimensions (3, -1)> a board of 3 x -1 fields is not possible
            ^ 1 to 1024 fields are expected
    "#]],
    );
}

#[test]
fn size_from_the_picture() {
    check(
        r##"no moves = loss pieces { man 'M' 'm' } setup { "m_m" "..." "M_M" black to move } main = draw."##,
        expect![[""]],
    );
}

#[test]
fn picture_with_other_rows() {
    check_rules(
        r##"setup { "..." "..." } main = draw."##,
        expect![[r#"
        error[setup-size] <"..." "..."> the picture has 2 rows, the board 3 rows
            ^ one string for each row is expected
    "#]],
    );
}

#[test]
fn picture_with_other_columns() {
    check_rules(
        r##"setup { "..." "...." "..." } main = draw."##,
        expect![[r#"
        error[setup-size] <"...."> this row has 4 fields, the board 3 columns
            ^ 3 signs are expected
    "#]],
    );
}

#[test]
fn holes_only() {
    check(
        r##"no moves = loss setup { "__" "__" } main = draw."##,
        expect![[r#"
        error[board-size] <"__" "__"> the board has holes only
            ^ no field is left
    "#]],
    );
}

#[test]
fn unknown_symbol() {
    check_rules(
        r##"setup { "..." "Mx." "..." } main = draw."##,
        expect![[r#"
        error[unknown-symbol] <x> no piece has the symbol `x`
            ^ `.` is an empty field, `_` a hole
    "#]],
    );
}

#[test]
fn not_symmetric() {
    check(
        r##"no moves = loss setup { "_.." "..." "..." } main = draw."##,
        expect![[r#"
        error[not-symmetric] <"_.." "..." "..."> with `sides = 2` the board must look the same when turned by 180 degrees, but `c1` is a field and `a3` is a hole
            help: with `sides = 1` both players see the board from White's side
    "#]],
    );
}

#[test]
fn not_symmetric_on_purpose() {
    check(r##"sides = 1 no moves = loss setup { "_.." "..." "..." } main = draw."##, expect![[""]]);
}

#[test]
fn values() {
    check_rules(
        r##"properties { b : board : [0 .. 3] p, q : player : [0 .. 3] f, g : field : [0 .. 9] }
setup { b = 2 p = 1, 2 q = 3 f = 4 g = "1 2 3" "4 5 6" "7 8 9" }
main = find any field, assert (b + p + q + f + g)."##,
        expect![[""]],
    );
}

#[test]
fn values_out_of_range() {
    check_rules(
        r##"properties { b : board : [0 .. 3] g : field : [0 .. 9] }
setup { b = 4 g = "1 2 3" "4 5 16" "7 8 9" } main = find any field, assert (b + g)."##,
        expect![[r#"
            error[out-of-range] <4> 4 is outside the range of `b`
                ^ 0 .. 3 is expected
            error[out-of-range] <"4 5 16"> `16` is not a value of `g`
                ^ 0 .. 9 is expected
        "#]],
    );
}

#[test]
fn values_of_the_wrong_form() {
    check_rules(
        r##"properties { b : board : [0 .. 3] m : move : [0 .. 1] g, h : field : [0 .. 9] }
setup { m = 1 b = 1, 2 g = "1 2" "4 5 6" "7 8 9" h = "1 2 3" } main = find any field, assert (b + g + h + m)."##,
        expect![[r#"
            error[setup-value] <m> `m` lives only while a move is built
                ^ it begins every move with its least value
            error[setup-value] <b> `b` takes 1 value, not 2
            error[setup-value] <"1 2"> 2 numbers for 3 columns
                ^ one number for each field is expected, `_` for a hole
            error[setup-value] <h> 1 row for 3 rows of fields
                ^ one string for each row is expected
        "#]],
    );
}

#[test]
fn values_of_holes() {
    check(
        r##"no moves = loss properties { g : field : [0 .. 9] }
setup { "_." "._" g = "1 1" "1 _" } main = find any field, assert (g)."##,
        expect![[r#"
            error[setup-value] <"1 1"> `a2` is a hole and has no value
                ^ `_` is expected
        "#]],
    );
}

#[test]
fn values_of_unknown_properties() {
    check_rules(
        r##"properties { castle : player : [0 .. 1] } setup { castel = 1 } main = assert (castle)."##,
        expect![[r#"
            error[undefined-property] <castel> there is no property `castel`
                ^ did you mean `castle`?
                fix: write `castle`: <castel> -> <castle>
        "#]],
    );
}

#[test]
fn values_twice() {
    check_rules(
        r##"properties { b : board : [0 .. 1] } setup { b = 1 b = 0 } main = assert (b)."##,
        expect![[r#"
            error[double-declaration] <b> the value of `b` is declared twice
                ^ remove one of the two
                at <b>: first declared here
        "#]],
    );
}

#[test]
fn two_setups() {
    check_rules(
        r##"setup { "..." "..." "..." } setup { "..." "..." "..." } main = draw."##,
        expect![[r#"
        error[double-declaration] <setup { "..." "..." "..." }> `setup` is declared twice
            ^ remove one of the two
            at <setup { "..." "..." "..." }>: first declared here
    "#]],
    );
}

#[test]
fn black_needs_two_players() {
    check(
        r##"players = 1 dimensions (3, 3) no moves = loss setup { black to move } main = draw."##,
        expect![[r#"
            error[no-opponent] <black to move> there is one player, who counts as White
        "#]],
    );
}

#[test]
fn apply() {
    check_rules(r##"setup { apply start } main = draw. start = find empty field."##, expect![[""]]);
}

#[test]
fn apply_unknown() {
    check_rules(
        r##"setup { apply starting } main = draw."##,
        expect![[r#"
        error[undefined-rule] <starting> there is no rule `starting`
            ^ not declared
    "#]],
    );
}

#[test]
fn apply_two() {
    check_rules(
        r##"setup { apply main apply main } main = draw."##,
        expect![[r#"
        error[double-declaration] <main> a setup can apply one rule
            help: write a rule that calls the others
    "#]],
    );
}

#[test]
fn unknown_topology() {
    check(
        r##"topology hexx dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        expect![[r#"
            error[unknown-topology] <hexx> there is no topology `hexx`
                ^ did you mean `hex`?
                help: `square`, `hex` and `graph` are known
                fix: write `hex`: <hexx> -> <hex>
        "#]],
    );
}

#[test]
fn directions_need_a_graph() {
    check(
        r##"directions { up : a1 a2 } dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        expect![[r#"
            error[directions-without-graph] <directions { up : a1 a2 }> only a free graph can have its own directions
                help: write `topology graph`, or leave the directions to the grid
        "#]],
    );
}

#[test]
fn graph_needs_directions() {
    check(
        r##"topology graph dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } main = draw."##,
        expect![[r#"
            error[missing-directions] <graph> a free graph needs its directions
                help: write `directions { along / back : a1 b1 c1, a2 b2 c2 }`
        "#]],
    );
}

#[test]
fn graph() {
    check(
        r##"topology graph dimensions (2, 2) no moves = loss
directions { along / back : a1 b1 b2 a2 a1 north / south : a1 a2, b1 b2 }
main = find any field, either along or north, step, step backward."##,
        expect![[""]],
    );
}

#[test]
fn graph_coordinates() {
    check(
        r##"topology graph dimensions (2, 2) no moves = loss directions { along : a1 c1 } main = along."##,
        expect![[r#"
            error[no-such-field] <c1> there is no field `c1` on this board
                ^ a column and a row are expected, `a1` to `b2`, and no hole
        "#]],
    );
}

#[test]
fn graph_names() {
    check(
        r##"topology graph dimensions (2, 2) no moves = loss
directions { along / along : a1 a2 main : a1 b1 } main = along."##,
        expect![[r#"
            error[double-declaration] <along> direction `along` is declared twice
                ^ remove one of the two
                at <along>: first declared here
            error[direction-clash] <main> direction `main` has the name of a rule
                ^ rename one of the two
                at <main>: the rule
        "#]],
    );
}

#[test]
fn graph_double_link() {
    check(
        r##"topology graph dimensions (2, 2) no moves = loss directions { along : a1 a2, a1 b2 } main = along."##,
        expect![[r#"
            error[double-link] <a1> direction `along` already leads from `a1` to another field
        "#]],
    );
}

#[test]
fn graph_not_symmetric() {
    check(
        r##"topology graph sides = 2 dimensions (2, 2) no moves = loss directions { along : a1 a2 } main = along."##,
        expect![[r#"
            error[not-symmetric] <sides = 2> with `sides = 2` the board must look the same when turned by 180 degrees, but a direction has no partner that does the same
                help: with `sides = 1` both players see the board from White's side
        "#]],
    );
}

#[test]
fn graph_words() {
    check(
        r##"topology graph dimensions (2, 2) no moves = loss directions { along : a1 a2 } main =
find any field, either allong or north or orthogonal or turn 90 or step backward."##,
        expect![[r#"
            error[undefined-rule] <allong> there is no rule `allong`
                ^ did you mean `along`?
                help: directions: `along`
                fix: write `along`: <allong> -> <along>
            error[no-such-direction] <north> there is no `north` on this board
                help: on a free graph every direction must be declared in `directions`
            error[no-such-direction] <orthogonal> `orthogonal` has no meaning on this board
                ^ only a square grid has orthogonal and diagonal directions
                fix: write `any direction`: <orthogonal> -> <any direction>
            error[bad-turn] <turn 90> directions of a free graph cannot be turned
                ^ name the direction instead
            error[no-way-back] <step backward> there is no way back: direction `along` has no opposite
                help: declare one: `along / back_from_along : ...`
            error[undefined-direction] <step backward> there is no direction yet
                ^ this needs a direction
                help: set one first, such as `north` or `any direction`
        "#]],
    );
}

#[test]
fn hex_words() {
    check(
        r##"topology hex dimensions (3, 3) no moves = loss
main = find any field, either northeast or diagonal or turn 45 or turn 60, step."##,
        expect![[r#"
            error[no-such-direction] <northeast> there is no `northeast` on this board
                help: a hexagonal board has north, east, southeast, south, west and northwest
            error[no-such-direction] <diagonal> `diagonal` has no meaning on this board
                ^ only a square grid has orthogonal and diagonal directions
                fix: write `any direction`: <diagonal> -> <any direction>
            error[bad-turn] <turn 45> directions cannot be turned by 45 degrees
                ^ a multiple of 60 is expected
            error[undefined-direction] <turn 60> there is no direction yet
                ^ this needs a direction
                help: set one first, such as `north` or `any direction`
        "#]],
    );
}
