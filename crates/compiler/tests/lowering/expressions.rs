//! Expressions for each view.

use expect_test::expect;

use crate::check_main;

#[test]
fn slots() {
    check_main(
        r##"find any field, assert (b + p + own p + opponent's p + f + m)"##,
        expect![[r#"
            function main white { @14
              find ".MmKk#" @1
              assert ((((((b@2 + p.white@3)@4 + p.white@5)@6 + p.black@7)@8 + f[finger]@9)@10 + move.m@11)@12) @13
            }
            function main black { @14
              find ".MmKk#" @1
              assert ((((((b@2 + p.black@3)@4 + p.black@5)@6 + p.white@7)@8 + f[finger]@9)@10 + move.m@11)@12) @13
            }
        "#]],
    );
}

#[test]
fn rows_and_columns() {
    check_main(
        r##"find any field, assert (row == 1 && column == 2)"##,
        expect![[r#"
            function main white { @8
              find ".MmKk#" @1
              assert (((row.white@2 == 1)@3 && (column.white@4 == 2)@5)@6) @7
            }
            function main black { @8
              find ".MmKk#" @1
              assert (((row.black@2 == 1)@3 && (column.black@4 == 2)@5)@6) @7
            }
        "#]],
    );
}

#[test]
fn folding() {
    check_main(
        r##"assert (b == 2 * 3 + 1), assert (b == (1 ? 4 : b)), assert (!b || -(3) < ~b), assert (0 && b || b)"##,
        expect![[r#"
            function main white { @17
              assert ((b@1 == 7)@2) @3
              assert ((b@4 == 4)@5) @6
              assert (((!b@7)@8 || (-3 < (~b@9)@10)@11)@12) @13
              assert ((0 || b@14)@15) @16
            }
            function main black { @17
              assert ((b@1 == 7)@2) @3
              assert ((b@4 == 4)@5) @6
              assert (((!b@7)@8 || (-3 < (~b@9)@10)@11)@12) @13
              assert ((0 || b@14)@15) @16
            }
        "#]],
    );
}

#[test]
fn assignments() {
    check_main(
        r##"assign (b = 3), assign (b += 2), assign (b = m = 1), assign (p = 1, opponent's p = 2)"##,
        expect![[r#"
            function main white { @12
              assign ((b = 3)@1) @2
              assign ((b = (b@3 + 2)@3)@3) @4
              assign ((b = (move.m = 1)@5)@6) @7
              assign (((p.white = 1)@8, (p.black = 2)@9)@10) @11
            }
            function main black { @12
              assign ((b = 3)@1) @2
              assign ((b = (b@3 + 2)@3)@3) @4
              assign ((b = (move.m = 1)@5)@6) @7
              assign (((p.black = 1)@8, (p.white = 2)@9)@10) @11
            }
        "#]],
    );
}

#[test]
fn steps() {
    check_main(
        r##"assign (++b), assign (b--), assign (b = b++ + --b)"##,
        expect![[r#"
        function main white { @10
          assign ((b = (b@1 + 1)@1)@1) @2
          assign (b--@3) @4
          assign ((b = (b++@5 + (b = (b@6 + -1)@6)@6)@7)@8) @9
        }
        function main black { @10
          assign ((b = (b@1 + 1)@1)@1) @2
          assign (b--@3) @4
          assign ((b = (b++@5 + (b = (b@6 + -1)@6)@6)@7)@8) @9
        }
    "#]],
    );
}

#[test]
fn conditional() {
    check_main(
        r##"assert (b ? p : m)"##,
        expect![[r#"
        function main white {
          assert ((b@1 ? p.white@2 : move.m@3)@4) @5
        }
        function main black {
          assert ((b@1 ? p.black@2 : move.m@3)@4) @5
        }
    "#]],
    );
}

#[test]
fn operators() {
    check_main(
        r##"assert (b * 2 / 3 % 4 - 5 << 1 >> 2 <= 3 != 4 & 5 ^ 6 | 7)"##,
        expect![[r#"
        function main white {
          assert ((((((((((((b@1 * 2)@2 / 3)@3 % 4)@4 - 5)@5 << 1)@6 >> 2)@7 <= 3)@8 != 4)@9 & 5)@10 ^ 6)@11 | 7)@12) @13
        }
        function main black {
          assert ((((((((((((b@1 * 2)@2 / 3)@3 % 4)@4 - 5)@5 << 1)@6 >> 2)@7 <= 3)@8 != 4)@9 & 5)@10 ^ 6)@11 | 7)@12) @13
        }
    "#]],
    );
}

#[test]
fn counting() {
    check_main(
        r##"assert (count [find own man] > sum (row) [find opponent's man])"##,
        expect![[r#"
            function main white {
              assert ((count { find "M" @1 }@2 > sum (row.white@3) { find "m" @4 }@5)@6) @7
            }
            function main black {
              assert ((count { find "m" @1 }@2 > sum (row.black@3) { find "M" @4 }@5)@6) @7
            }
        "#]],
    );
}
