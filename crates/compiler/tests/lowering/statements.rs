//! Statements for each view.

use expect_test::expect;

use crate::check_main;

#[test]
fn patterns() {
    check_main(
        r##"find own man, points at opponent's piece, points at [king or empty field], points at rock, points at any field"##,
        expect![[r##"
            function main white { @6
              find "M" @1
              points at "mk" @2
              points at ".K" @3
              points at "#" @4
              points at ".MmKk#" @5
            }
            function main black { @6
              find "m" @1
              points at "MK" @2
              points at ".k" @3
              points at "#" @4
              points at ".MmKk#" @5
            }
        "##]],
    );
}

#[test]
fn directions() {
    check_main(
        r##"find own man, north, orthogonal, diagonal, any direction, step, step backward"##,
        expect![[r#"
            function main white { @8
              find "M" @1
              face north @2
              face north east south west @3
              face northeast southeast southwest northwest @4
              face north northeast east southeast south southwest west northwest @5
              step @6
              step backward @7
            }
            function main black { @8
              find "m" @1
              face south @2
              face south west north east @3
              face southwest northwest northeast southeast @4
              face south southwest west northwest north northeast east southeast @5
              step @6
              step backward @7
            }
        "#]],
    );
}

#[test]
fn turns() {
    check_main(
        r##"north, turn 45, turn -90, rotate 360"##,
        expect![[r#"
            function main white { @5
              face north @1
              turn 1 @2
              turn -2 @3
              turn 0 @4
            }
            function main black { @5
              face south @1
              turn 1 @2
              turn -2 @3
              turn 0 @4
            }
        "#]],
    );
}

#[test]
fn places() {
    check_main(
        r##"move to (1, 1), move to (3, 2), move to (1 + 1, 1), move to (b, 1)"##,
        expect![[r#"
            function main white { @6
              place a1 @1
              place c2 @2
              place b1 @3
              move to (b@4, 1) as white @5
            }
            function main black { @6
              place c2 @1
              place a1 @2
              place b2 @3
              move to (b@4, 1) as black @5
            }
        "#]],
    );
}

#[test]
fn places_off_the_board_fail() {
    check_main(
        r##"either move to (b + 9, 9) or nothing"##,
        expect![[r#"
            function main white {
              either @5 {
                move to ((b@1 + 9)@2, 9) as white @3
              } or {
                nothing @4
              }
            }
            function main black {
              either @5 {
                move to ((b@1 + 9)@2, 9) as black @3
              } or {
                nothing @4
              }
            }
        "#]],
    );
}

#[test]
fn replace() {
    check_main(
        r##"find any field, replace by man, replace by opponent's man, replace by rock, replace by empty field"##,
        expect![[r#"
            function main white { @6
              find ".MmKk#" @1
              replace 'M' @2
              replace 'm' @3
              replace '#' @4
              replace '.' @5
            }
            function main black { @6
              find ".MmKk#" @1
              replace 'm' @2
              replace 'M' @3
              replace '#' @4
              replace '.' @5
            }
        "#]],
    );
}

#[test]
fn replace_by_choice() {
    check_main(
        r##"find any field, replace by [king or man or king]"##,
        expect![[r#"
            function main white { @3
              find ".MmKk#" @1
              either @2 {
                replace 'M' @2
              } or {
                replace 'K' @2
              }
            }
            function main black { @3
              find ".MmKk#" @1
              either @2 {
                replace 'm' @2
              } or {
                replace 'k' @2
              }
            }
        "#]],
    );
}

#[test]
fn hand() {
    check_main(
        r##"find own man, pick up, put down, irreversible, keep turn"##,
        expect![[r#"
            function main white { @6
              find "M" @1
              pick up @2
              put down @3
              irreversible @4
              keep turn @5
            }
            function main black { @6
              find "m" @1
              pick up @2
              put down @3
              irreversible @4
              keep turn @5
            }
        "#]],
    );
}

#[test]
fn choices() {
    check_main(
        r##"either find own man or find rock, optionally find own king, try find rock else draw, try find rock"##,
        expect![[r##"
            function main white { @11
              either @3 {
                find "M" @1
              } or {
                find "#" @2
              }
              either @5 {
                nothing
              } or {
                find "K" @4
              }
              try @8 {
                find "#" @6
              } else {
                outcome draw @7
              }
              try @10 {
                find "#" @9
              }
            }
            function main black { @11
              either @3 {
                find "m" @1
              } or {
                find "#" @2
              }
              either @5 {
                nothing
              } or {
                find "k" @4
              }
              try @8 {
                find "#" @6
              } else {
                outcome draw @7
              }
              try @10 {
                find "#" @9
              }
            }
        "##]],
    );
}

#[test]
fn tests() {
    check_main(
        r##"test find own man, not find own king, test [nothing]"##,
        expect![[r#"
            function main white { @8
              test @2 {
                find "M" @1
              }
              not @4 {
                find "K" @3
              }
              test @7 {
                nothing @6
              }
            }
            function main black { @8
              test @2 {
                find "m" @1
              }
              not @4 {
                find "k" @3
              }
              test @7 {
                nothing @6
              }
            }
        "#]],
    );
}

#[test]
fn repeats() {
    check_main(
        r##"find rock, north, repeat 2 times step, repeat 0 .. 3 times step, repeat 1 .. infinity times step"##,
        expect![[r##"
            function main white { @9
              find "#" @1
              face north @2
              repeat 2 @4 {
                step @3
              }
              repeat 0 .. 3 @6 {
                step @5
              }
              repeat 1 .. infinity @8 {
                step @7
              }
            }
            function main black { @9
              find "#" @1
              face south @2
              repeat 2 @4 {
                step @3
              }
              repeat 0 .. 3 @6 {
                step @5
              }
              repeat 1 .. infinity @8 {
                step @7
              }
            }
        "##]],
    );
}

#[test]
fn loops() {
    check_main(
        r##"find rock, north, while step do nothing, do step while points at empty field"##,
        expect![[r##"
            function main white { @9
              find "#" @1
              face north @2
              while @5 {
                step @3
              } do {
                nothing @4
              }
              sequence @8 {
                step @6
                while @8 {
                  points at "." @7
                } do {
                  step @6
                }
              }
            }
            function main black { @9
              find "#" @1
              face south @2
              while @5 {
                step @3
              } do {
                nothing @4
              }
              sequence @8 {
                step @6
                while @8 {
                  points at "." @7
                } do {
                  step @6
                }
              }
            }
        "##]],
    );
}

#[test]
fn nested_do_loops_become_functions() {
    check_main(
        r##"find rock, north, do [do step while points at rock, south] while points at empty field"##,
        expect![[r##"
            function main white { @6
              find "#" @1
              face north @2
              sequence @5 {
                call @main.white~2 @3
                while @5 {
                  points at "." @4
                } do {
                  call @main.white~2 @3
                }
              }
            }
            function main black { @6
              find "#" @1
              face south @2
              sequence @5 {
                call @main.black~2 @3
                while @5 {
                  points at "." @4
                } do {
                  call @main.black~2 @3
                }
              }
            }
            function main white { @3 # main.white~2
              sequence @9 {
                step @7
                while @9 {
                  points at "#" @8
                } do {
                  step @7
                }
              }
              face south @10
            }
            function main black { @3 # main.black~2
              sequence @9 {
                step @7
                while @9 {
                  points at "#" @8
                } do {
                  step @7
                }
              }
              face north @10
            }
        "##]],
    );
}

#[test]
fn match_from_the_movers_top_left() {
    check_main(
        r##"match (man, king, rock, empty field, any piece, opponent's man)"##,
        expect![[r##"
        function main white {
          match "M" a2, "K" b2, "#" c2, "." a1, "MmKk#" b1, "m" c1 @1
        }
        function main black {
          match "m" c1, "k" b1, "#" a1, "." c2, "MmKk#" b2, "M" a2 @1
        }
    "##]],
    );
}

#[test]
fn to_move() {
    check_main(
        r##"either [white to move, find own man] or [black to move, find own king]"##,
        expect![[r#"
            function main white {
              find "M" @2
            }
            function main black {
              find "k" @4
            }
        "#]],
    );
}

#[test]
fn outcomes() {
    check_main(
        r##"either win or lose or draw or score (b)"##,
        expect![[r#"
            function main white {
              either @6 {
                outcome white @1
              } or {
                outcome black @2
              } or {
                outcome draw @3
              } or {
                score (b@4) as white @5
              }
            }
            function main black {
              either @6 {
                outcome black @1
              } or {
                outcome white @2
              } or {
                outcome draw @3
              } or {
                score (b@4) as black @5
              }
            }
        "#]],
    );
}

#[test]
fn as_opponent() {
    check_main(
        r##"as opponent [find own man, north, assert (row + p), either win or white to move, as opponent find own king]"##,
        expect![[r#"
            function main white { @10
              find "m" @1
              face south @2
              assert ((row.black@3 + p.black@4)@5) @6
              outcome black @7
              find "K" @9
            }
            function main black { @10
              find "M" @1
              face north @2
              assert ((row.white@3 + p.white@4)@5) @6
              either @11 {
                outcome white @7
              } or {
                nothing @8
              }
              find "k" @9
            }
        "#]],
    );
}

#[test]
fn as_opponent_of_a_rule() {
    check_main(
        r##"find own man, as opponent threat. threat = find own king, optionally threat"##,
        expect![[r#"
            function main white { @3
              find "M" @1
              call @threat.black @2
            }
            function main black { @3
              find "m" @1
              call @threat.white @2
            }
            function threat black { @7
              find "k" @4
              either @6 {
                nothing
              } or {
                call @threat.black @5
              }
            }
            function threat white { @7
              find "K" @4
              either @6 {
                nothing
              } or {
                call @threat.white @5
              }
            }
        "#]],
    );
}

#[test]
fn greatest() {
    check_main(
        r##"greatest (row) find own man"##,
        expect![[r#"
            function main white {
              greatest (row.white@1) @3 {
                find "M" @2
              }
            }
            function main black {
              greatest (row.black@1) @3 {
                find "m" @2
              }
            }
        "#]],
    );
}

#[test]
fn for_each() {
    check_main(
        r##"for each own man do for each direction do [step, replace by man]"##,
        expect![[r#"
            function main white {
              for each "M" @5 {
                for each direction north northeast east southeast south southwest west northwest @4 { @3
                  step @1
                  replace 'M' @2
                }
              }
            }
            function main black {
              for each "m" @5 {
                for each direction south southwest west northwest north northeast east southeast @4 { @3
                  step @1
                  replace 'm' @2
                }
              }
            }
        "#]],
    );
}

#[test]
fn constant_assertions() {
    check_main(
        r##"either assert (1 < 2) or assert (1 > 2) or assign (1)"##,
        expect![[r#"
            function main white {
              either @4 {
                nothing @1
              } or {
                nothing @3
              }
            }
            function main black {
              either @4 {
                nothing @1
              } or {
                nothing @3
              }
            }
        "#]],
    );
}
