//! What alternatives have in common is done once: before and after.

use expect_test::{Expect, expect};

use crate::compiled;

fn check(body: &str, before: Expect, after: Expect) {
    let declarations = "dimensions (3, 2) no moves = loss pieces { man 'M' 'm' king 'K' 'k' rock '#' }";
    let program = compiled(&format!("{declarations}\nmain = {body}.")).program.unwrap();
    let white = |program: &multigame_ir::Program| {
        let printed = multigame_ir::print(program);
        let main = printed.split("\n\n").find(|part| part.starts_with("function"));
        format!("{}\n", main.unwrap().trim_end())
    };
    before.assert_eq(&white(&program));
    after.assert_eq(&white(&program.with_shared_prefixes()));
}

#[test]
fn two_ways_of_one_piece() {
    check(
        "either [ find own man, pick up, north, step, put down ] or [ find own man, pick up, west, step, put down ]",
        expect![[r#"
            function main white {
              either @13 { @6
                find "M" @1
                pick up @2
                face north @3
                step @4
                put down @5
              } or { @12
                find "M" @7
                pick up @8
                face west @9
                step @10
                put down @11
              }
            }
        "#]],
        expect![[r#"
            function main white { @6
              find "M" @1
              pick up @2
              either @6 { @6
                face north @3
                step @4
                put down @5
              } or { @12
                face west @9
                step @10
                put down @11
              }
            }
        "#]],
    );
}

#[test]
fn a_third_way_joins_the_others() {
    check(
        "either [ find own man, north, step, replace by rock ] or [ find own man, north, replace by king ] \
         or [ find own man, replace by rock ]",
        expect![[r#"
            function main white {
              either @13 { @5
                find "M" @1
                face north @2
                step @3
                replace '#' @4
              } or { @9
                find "M" @6
                face north @7
                replace 'K' @8
              } or { @12
                find "M" @10
                replace '#' @11
              }
            }
        "#]],
        expect![[r#"
            function main white { @5
              find "M" @1
              either @5 { @5
                face north @2
                either @5 { @5
                  step @3
                  replace '#' @4
                } or {
                  replace 'K' @8
                }
              } or {
                replace '#' @11
              }
            }
        "#]],
    );
}

#[test]
fn one_way_that_is_the_beginning_of_another() {
    check(
        "find own man, either north or [ north, step ], replace by rock",
        expect![[r#"
            function main white { @8
              find "M" @1
              either @6 {
                face north @2
              } or { @5
                face north @3
                step @4
              }
              replace '#' @7
            }
        "#]],
        expect![[r#"
            function main white { @8
              find "M" @1
              sequence @2 {
                face north @2
                either @2 {
                  nothing @2
                } or {
                  step @4
                }
              }
              replace '#' @7
            }
        "#]],
    );
}

#[test]
fn what_only_looks_alike_stays() {
    check(
        "either [ find own man, replace by rock ] or [ find own king, replace by rock ]",
        expect![[r#"
            function main white {
              either @7 { @3
                find "M" @1
                replace '#' @2
              } or { @6
                find "K" @4
                replace '#' @5
              }
            }
        "#]],
        expect![[r#"
            function main white {
              either @7 { @3
                find "M" @1
                replace '#' @2
              } or { @6
                find "K" @4
                replace '#' @5
              }
            }
        "#]],
    );
}
