//! Move programs before and after what is done to them before they become code.

use expect_test::{Expect, expect};
use multigame_ir::Program;

use crate::compiled;

fn check(pass: fn(&Program) -> Program, body: &str, before: Expect, after: Expect) {
    let declarations = "dimensions (3, 2) no moves = loss pieces { man 'M' 'm' king 'K' 'k' rock '#' }";
    let program = compiled(&format!("{declarations}\nmain = {body}.")).program.unwrap();
    let white = |program: &Program| {
        let printed = multigame_ir::print(program);
        let main = printed.split("\n\n").find(|part| part.starts_with("function main"));
        format!("{}\n", main.unwrap().trim_end())
    };
    before.assert_eq(&white(&program));
    after.assert_eq(&white(&pass(&program)));
}

#[test]
fn two_ways_of_one_piece() {
    check(
        Program::with_shared_prefixes,
        "either [ find own man, pick up, north, step, put down ] or [ find own man, pick up, west, step, put \
         down ]",
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
        Program::with_shared_prefixes,
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
        Program::with_shared_prefixes,
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
        Program::with_shared_prefixes,
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

#[test]
fn what_follows_a_choice_belongs_to_each_way() {
    check(
        Program::with_distributed_choices,
        "try [ find own king, replace by rock ] else [ find own man, replace by rock ], \
         try [ not find own man, win ]",
        expect![[r#"
            function main white { @13
              try @7 { @3
                find "K" @1
                replace '#' @2
              } else { @6
                find "M" @4
                replace '#' @5
              }
              try @12 { @11
                not @9 {
                  find "M" @8
                }
                outcome white @10
              }
            }
        "#]],
        expect![[r#"
            function main white {
              try @7 { @3
                sequence @3 {
                  find "K" @1
                  replace '#' @2
                }
                try @12 { @11
                  not @9 {
                    find "M" @8
                  }
                  outcome white @10
                }
              } else { @6
                sequence @6 {
                  find "M" @4
                  replace '#' @5
                }
                try @12 { @11
                  not @9 {
                    find "M" @8
                  }
                  outcome white @10
                }
              }
            }
        "#]],
    );
}

#[test]
fn what_may_fail_decides_for_all_ways_together() {
    let program = |body: &str| {
        let declarations = "dimensions (3, 2) no moves = loss pieces { man 'M' 'm' }";
        compiled(&format!("{declarations}\nmain = {body}.")).program.unwrap()
    };
    for follows in ["step", "not find own man", "try [ step, win ] else step", "either step or step"] {
        let program =
            program(&format!("try [ find own man, north ] else [ find own man, south ], {follows}"));
        assert_eq!(program.with_distributed_choices(), program, "{follows}");
    }
}
