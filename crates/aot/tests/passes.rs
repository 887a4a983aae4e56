//! What passes do to small rules, in text: the rules before, the code after.

use expect_test::{Expect, expect};
use multigame_compiler::compile;
use multigame_mir::{Options, Pass, lower_with};

fn code(body: &str, options: &Options) -> String {
    let declarations = "dimensions (4, 4) no moves = loss pieces { man 'M' 'm' rock '#' }
        properties { seen : board : [0 .. 3] tried : move : [0 .. 3] }";
    let text = format!("{declarations}\nmain = {body}.");
    let program = compile(&text, &multigame_compiler::Options { name: "test".into(), ..Default::default() });
    let program = program.program.expect("these rules are right");
    multigame_aot::emit(&lower_with(&program, options).unwrap(), &program.description)
}

/// The part of the code from a line that begins so to the brace that closes it.
fn part(code: &str, begin: &str) -> String {
    let from = code.find(&format!("\n{begin}")).unwrap_or_else(|| panic!("no {begin} in:\n{code}")) + 1;
    let to = code[from..].find("\n}").unwrap() + 2;
    format!("{}\n", &code[from..from + to])
}

fn check(body: &str, begin: &str, expected: Expect) {
    expected.assert_eq(&part(&code(body, &Options::default()), begin));
}

fn check_without(pass: Pass, body: &str, begin: &str, expected: Expect) {
    expected.assert_eq(&part(&code(body, &Options::without(pass)), begin));
}

#[test]
fn each_side_has_code_of_its_own() {
    let body = "find own man, north, step, points at empty field, replace by rock, irreversible";
    check(
        body,
        "fn main_white_count",
        expect![[r#"
        fn main_white_count(position: &Position) -> [u64; 2] {
            let mut moves = 0_u64;
            let white_man: u64 = position[WHITE_MAN];
            let v1: u64 = 0xffff & !(position[ROCK] | white_man | position[BLACK_MAN]) & (white_man & 0xfff) << 4;
            moves = moves.wrapping_add(u64::from(v1.count_ones()));
            [moves, 0]
        }
    "#]],
    );
    check(
        body,
        "fn main_black_count",
        expect![[r#"
        fn main_black_count(position: &Position) -> [u64; 2] {
            let mut moves = 0_u64;
            let black_man: u64 = position[BLACK_MAN];
            let v1: u64 = 0xffff & !(position[ROCK] | position[WHITE_MAN] | black_man) & black_man >> 4;
            moves = moves.wrapping_add(u64::from(v1.count_ones()));
            [moves, 0]
        }
    "#]],
    );
}

#[test]
fn rules_are_put_where_they_are_called() {
    let options = Options::default();
    let called = code("find own man, ahead, replace by rock. ahead = north, step", &options);
    assert_eq!(called, code("find own man, north, step, replace by rock", &options));
}

#[test]
fn a_field_that_is_known_is_a_mask() {
    let body = "move to (2, 1), points at empty field, north, step, replace by rock, irreversible";
    check(
        body,
        "fn main_white_generate",
        expect![[r#"
        fn main_white_generate(position: &Position, children: &mut Children<WORDS>) {
            let white_man: u64 = position[WHITE_MAN];
            let black_man: u64 = position[BLACK_MAN];
            let rock: u64 = position[ROCK];
            for field1 in bits((0xffff & !(rock | white_man | black_man) & 2) << 4) {
                let v2: u64 = 1_u64 << field1;
                let v3: u64 = (if white_man >> field1 & 1 != 0 { 0xa903_8a92_1825_f10d_u64 } else { 0 }) ^ (if black_man >> field1 & 1 != 0 { 0x3c3c_41a3_b433_43a1_u64 } else { 0 });
                let v4: u64 = v3 ^ (if rock >> field1 & 1 != 0 { 0x3d6_8453_23ce_3c71_u64 } else { 0 });
                let child = children.add(position);
                child[WHITE_MAN] = white_man & !v2;
                child[BLACK_MAN] = black_man & !v2;
                child[ROCK] = rock | v2;
                child[HEADER] = 3;
                child[SIGNATURE] = v4 ^ 0x3d6_8453_23ce_3c71 ^ position[SIGNATURE] ^ 0x9d39_247e_3377_6d41;
            }
        }
    "#]],
    );
}

#[test]
fn a_way_to_the_first_obstacle_takes_no_steps() {
    let body =
        "find own man, pick up, north, repeat 1 .. infinity times [ step, points at empty field ], put down";
    check(
        body,
        "fn main_white_generate",
        expect![[r#"
        fn main_white_generate(position: &Position, children: &mut Children<WORDS>) {
            let white_man: u64 = position[WHITE_MAN];
            let v1: u64 = 0xffff & !(position[ROCK] | white_man | position[BLACK_MAN]);
            for field2 in bits(white_man) {
                let v3: u64 = 1_u64 << field2;
                let v4: u64 = TABLE_0[(field2 & 15) as usize];
                let v5: u64 = white_man & !v3;
                let v6: u64 = v1 | v3;
                let v7: u64 = TABLE_1[(field2 & 63) as usize];
                let v8: u64 = v7 & !v6;
                for field9 in bits(v6 & v7 & (v8 ^ v8.wrapping_sub(1))) {
                    let v10: u64 = v4 ^ TABLE_0[(field9 & 15) as usize] ^ position[SIGNATURE] ^ 0x9d39_247e_3377_6d41;
                    let child = children.add(position);
                    child[WHITE_MAN] = v5 | 1_u64 << field9;
                    child[HEADER] = 1;
                    child[SIGNATURE] = v10;
                }
            }
        }
    "#]],
    );
    check_without(
        Pass::Slides,
        body,
        "fn main_white_generate",
        expect![[r#"
        fn main_white_generate(position: &Position, children: &mut Children<WORDS>) {
            let white_man: u64 = position[WHITE_MAN];
            let v1: u64 = 0xffff & !(position[ROCK] | white_man | position[BLACK_MAN]);
            for field2 in bits(white_man) {
                let v3: u64 = 1_u64 << field2;
                let v4: u64 = TABLE_0[(field2 & 15) as usize];
                let v5: u64 = white_man & !v3;
                let v6: u64 = v1 | v3;
                let v7: u64 = (v3 & 0xfff) << 4;
                let v8: u64 = v6 & v7;
                let v9: u64 = v8 | v6 & (v8 & 0xfff) << 4;
                for field10 in bits(v6 & (v7 | ((v9 | v6 & (v9 & 0xfff) << 4) & 0xfff) << 4)) {
                    let v11: u64 = v4 ^ TABLE_0[(field10 & 15) as usize] ^ position[SIGNATURE] ^ 0x9d39_247e_3377_6d41;
                    let child = children.add(position);
                    child[WHITE_MAN] = v5 | 1_u64 << field10;
                    child[HEADER] = 1;
                    child[SIGNATURE] = v11;
                }
            }
        }
    "#]],
    );
}

#[test]
fn what_must_not_be_is_a_set() {
    let body =
        "find own man, not [ any direction, step, points at opponent's man ], replace by rock, irreversible";
    check(
        body,
        "fn main_white_count",
        expect![[r#"
        fn main_white_count(position: &Position) -> [u64; 2] {
            let mut moves = 0_u64;
            let v1: u64 = position[BLACK_MAN] & 0xffff;
            let v2: u64 = v1 >> 4 | v1 >> 5 & 0x777 | v1 >> 1 & 0x7777 | v1 << 3 & 0x7770 | v1 << 4 & 0xfff0;
            let v3: u64 = position[WHITE_MAN] & 0xffff & !(v2 | v1 << 5 & 0xeee0 | v1 << 1 & 0xeeee | v1 >> 3 & 0xeee);
            moves = moves.wrapping_add(u64::from(v3.count_ones()));
            [moves, 0]
        }
    "#]],
    );
}

#[test]
fn alternatives_pick_up_once_what_both_pick_up() {
    let body = "either [ find own man, pick up, north, step, points at empty field, put down ]
        or [ find own man, pick up, west, step, points at empty field, put down ]";
    check(
        body,
        "fn main_white_generate",
        expect![[r#"
        fn main_white_generate(position: &Position, children: &mut Children<WORDS>) {
            let white_man: u64 = position[WHITE_MAN];
            let v1: u64 = 0xffff & !(position[ROCK] | white_man | position[BLACK_MAN]);
            for field2 in bits(white_man) {
                let v3: u64 = 1_u64 << field2;
                let v4: u64 = TABLE_0[(field2 & 15) as usize];
                let v5: u64 = white_man & !v3;
                let v6: u64 = v1 | v3;
                for field7 in bits(v6 & TABLE_1[(field2 & 15) as usize]) {
                    let v8: u64 = v4 ^ TABLE_0[(field7 & 15) as usize] ^ position[SIGNATURE] ^ 0x9d39_247e_3377_6d41;
                    let child = children.add(position);
                    child[WHITE_MAN] = v5 | 1_u64 << field7;
                    child[HEADER] = 1;
                    child[SIGNATURE] = v8;
                }
                for field9 in bits(v6 & TABLE_2[(field2 & 15) as usize]) {
                    let v10: u64 = v4 ^ TABLE_0[(field9 & 15) as usize] ^ position[SIGNATURE] ^ 0x9d39_247e_3377_6d41;
                    let child = children.add(position);
                    child[WHITE_MAN] = v5 | 1_u64 << field9;
                    child[HEADER] = 1;
                    child[SIGNATURE] = v10;
                }
            }
        }
    "#]],
    );
    check_without(
        Pass::Prefixes,
        body,
        "fn main_white_generate",
        expect![[r#"
        fn main_white_generate(position: &Position, children: &mut Children<WORDS>) {
            let white_man: u64 = position[WHITE_MAN];
            let v1: u64 = 0xffff & !(position[ROCK] | white_man | position[BLACK_MAN]);
            for field2 in bits(white_man) {
                let v3: u64 = 1_u64 << field2;
                let v4: u64 = TABLE_0[(field2 & 15) as usize];
                let v5: u64 = white_man & !v3;
                for field6 in bits((v1 | v3) & TABLE_1[(field2 & 15) as usize]) {
                    let v7: u64 = v4 ^ TABLE_0[(field6 & 15) as usize] ^ position[SIGNATURE] ^ 0x9d39_247e_3377_6d41;
                    let child = children.add(position);
                    child[WHITE_MAN] = v5 | 1_u64 << field6;
                    child[HEADER] = 1;
                    child[SIGNATURE] = v7;
                }
            }
            for field8 in bits(white_man) {
                let v9: u64 = 1_u64 << field8;
                let v10: u64 = TABLE_0[(field8 & 15) as usize];
                let v11: u64 = white_man & !v9;
                for field12 in bits((v1 | v9) & TABLE_2[(field8 & 15) as usize]) {
                    let v13: u64 = v10 ^ TABLE_0[(field12 & 15) as usize] ^ position[SIGNATURE] ^ 0x9d39_247e_3377_6d41;
                    let child = children.add(position);
                    child[WHITE_MAN] = v11 | 1_u64 << field12;
                    child[HEADER] = 1;
                    child[SIGNATURE] = v13;
                }
            }
        }
    "#]],
    );
}

#[test]
fn a_property_that_nobody_asks_for_is_not_kept_while_a_move_is_made() {
    let options = Options::default();
    let plain = "find own man, north, step, replace by rock";
    let idle = "find own man, assign (tried = 2), north, step, replace by rock";
    assert_eq!(code(plain, &options), code(idle, &options));
}

#[test]
fn equal_results_are_looked_for_only_where_there_can_be_any() {
    let repeats = |body: &str| {
        let code = code(body, &Options::default());
        let answer = code.lines().skip_while(|line| !line.contains("fn may_repeat")).nth(1);
        answer.unwrap().trim().to_string()
    };
    assert_eq!(repeats("find own man, pick up, north, step, put down"), "false");
    // Either man may be the first.
    let two_ways = "find own man, replace by rock, any direction, step, points at own man, replace by rock";
    assert_eq!(repeats(two_ways), "true");
}

#[test]
fn a_test_that_follows_is_asked_for_all_fields_at_once() {
    let body = "find empty field, replace by man,
        try [ test [ north, step, points at own man ], find opponent's man, replace by rock ]";
    check(
        body,
        "fn main_white_count",
        expect![[r#"
        fn main_white_count(position: &Position) -> [u64; 2] {
            let mut moves = 0_u64;
            let mut x2 = 0_u64;
            let white_man: u64 = position[WHITE_MAN];
            let black_man: u64 = position[BLACK_MAN];
            let v1: u64 = 0xffff & !(position[ROCK] | white_man | black_man);
            let v2: u64 = (white_man & 0xffff) >> 4;
            moves = moves.wrapping_add(u64::from((v1 & !v2).count_ones()));
            for field3 in bits(v1 & v2) {
                x2 = 0;
                if (white_man | 1_u64 << field3) & TABLE_1[(field3 & 15) as usize] != 0 {
                    moves = moves.wrapping_add(u64::from(black_man.count_ones()));
                    x2 = u64::from(black_man != 0) | x2;
                }
                let v4: u64 = x2;
                if v4 == 0 {
                    moves = moves.wrapping_add(1);
                }
            }
            [moves, 0]
        }
    "#]],
    );
    check_without(
        Pass::Wholesale,
        body,
        "fn main_white_count",
        expect![[r#"
        fn main_white_count(position: &Position) -> [u64; 2] {
            let mut moves = 0_u64;
            let mut x2 = 0_u64;
            let white_man: u64 = position[WHITE_MAN];
            let black_man: u64 = position[BLACK_MAN];
            for field1 in bits(0xffff & !(position[ROCK] | white_man | black_man)) {
                x2 = 0;
                if (white_man | 1_u64 << field1) & TABLE_1[(field1 & 15) as usize] != 0 {
                    moves = moves.wrapping_add(u64::from(black_man.count_ones()));
                    x2 = u64::from(black_man != 0) | x2;
                }
                let v2: u64 = x2;
                if v2 == 0 {
                    moves = moves.wrapping_add(1);
                }
            }
            [moves, 0]
        }
    "#]],
    );
    // A look at the field itself would not yet see the new piece there.
    let itself = "find empty field, replace by man,
        try [ test [ north, step, step backward, points at own man ], find opponent's man, replace by rock ]";
    let count = part(&code(itself, &Options::default()), "fn main_white_count");
    assert_eq!(count, part(&code(itself, &Options::without(Pass::Wholesale)), "fn main_white_count"));
}

#[test]
fn a_loop_that_asks_for_the_place_takes_no_rounds() {
    let body = "find own man, north, step, while assert ((row + column) % 2 == 1) do step,
        points at empty field, replace by rock, irreversible";
    check(
        body,
        "fn main_white_count",
        expect![[r#"
        fn main_white_count(position: &Position) -> [u64; 2] {
            let mut moves = 0_u64;
            let white_man: u64 = position[WHITE_MAN];
            let v1: u64 = (white_man & 0xfff) << 4;
            let v2: u64 = 0xffff & !(position[ROCK] | white_man | position[BLACK_MAN]) & (v1 & 0xa5a5 | (v1 & 0xa5a) << 4);
            moves = moves.wrapping_add(u64::from(v2.count_ones()));
            [moves, 0]
        }
    "#]],
    );
}

#[test]
fn a_single_move_needs_no_list() {
    let code = code("find empty field, replace by man", &Options::default());
    let pick = part(&code, "fn main_white_pick");
    assert!(
        pick.starts_with("fn main_white_pick(position: &Position, children: &mut Single<'_, WORDS>"),
        "{pick}"
    );
}

const JUMPS: &str = "try either [ find own man, pick up, jump, while jump do nothing, put down ]
        or [ find rock, pick up, jump, put down ]
    else [ find own man, pick up, north, step, points at empty field, put down ].
    jump = either northwest or northeast, step, points at opponent's man, replace by empty field,
        step, points at empty field";

#[test]
fn jumps_of_different_men_are_counted() {
    // Nothing proves that jumps differ; but those that leave different fields do, and who leaves one twice
    // gives up.
    let code = code(JUMPS, &Options::default());
    let count = part(&code, "fn main_white_count");
    let one = "moves = moves.wrapping_add(1);";
    let told_apart = count.split(one).filter(|before| before.contains("return Err(Failed);")).count();
    assert!(told_apart > 0 && told_apart == count.matches(one).count(), "{count}");
    // A piece that cannot go on needs no call.
    let calls = count.lines().filter(|line| line.contains("rest_")).count();
    assert_eq!(calls, count.matches("budget.enter()?;").count());
    assert!(calls < told_apart, "{count}");
}

#[test]
fn whether_anybody_jumps_is_a_set() {
    let code = code(JUMPS, &Options::default());
    let pick = part(&code, "fn main_white_pick");
    let (before, _) = pick.split_once("return Err(Failed)").unwrap();
    assert!(!before.contains("for ") && !before.contains("rest_"), "{pick}");
}

#[test]
fn captures_have_code_of_their_own() {
    let body = "either [ find own man, pick up, north, step, points at empty field, put down ]
        or [ find own man, pick up, northeast, step, points at opponent's man, put down ]";
    check(
        body,
        "fn main_white_take",
        expect![[r#"
        fn main_white_take(position: &Position, children: &mut Children<WORDS>) {
            let white_man: u64 = position[WHITE_MAN];
            let black_man: u64 = position[BLACK_MAN];
            for field1 in bits(white_man) {
                let v2: u64 = TABLE_0[(field1 & 15) as usize];
                let v3: u64 = white_man & !(1_u64 << field1);
                for field4 in bits(black_man & black_man & TABLE_2[(field1 & 15) as usize]) {
                    let v5: u64 = 1_u64 << field4;
                    let v6: u64 = v2 ^ TABLE_3[(field4 & 15) as usize] ^ TABLE_0[(field4 & 15) as usize] ^ position[SIGNATURE];
                    let child = children.add(position);
                    child[WHITE_MAN] = v3 | v5;
                    child[BLACK_MAN] = black_man & !v5;
                    child[HEADER] = 1;
                    child[SIGNATURE] = v6 ^ 0x9d39_247e_3377_6d41;
                }
            }
        }
    "#]],
    );
}

#[test]
fn two_plies_are_counted_without_the_position_between() {
    let body = "find own man, pick up, north, step, points at empty field, put down";
    check(
        body,
        "fn main_white_leaves_2",
        expect![[r#"
        fn main_white_leaves_2(position: &Position) -> Result<u64, Failed> {
            let mut leaves = 0_u64;
            let mut x3 = 0_u64;
            let white_man: u64 = position[WHITE_MAN];
            let black_man: u64 = position[BLACK_MAN];
            let rock: u64 = position[ROCK];
            let v1: u64 = 0xffff & !(rock | white_man | black_man);
            for field2 in bits(white_man) {
                let v3: u64 = 1_u64 << field2;
                let v4: u64 = white_man & !v3;
                for field5 in bits((v1 | v3) & TABLE_1[(field2 & 15) as usize]) {
                    x3 = 0;
                    let v6: u64 = 0xffff & !(rock | black_man | v4 | 1_u64 << field5);
                    for field7 in bits(black_man) {
                        let v8: u64 = u64::from(((v6 | 1_u64 << field7) & TABLE_3[(field7 & 15) as usize]).count_ones());
                        x3 = x3.wrapping_add(v8);
                    }
                    let v9: u64 = x3;
                    if v9 == 0 {
                        return Err(Failed);
                    }
                    leaves = v9.wrapping_add(leaves);
                }
            }
            Ok(leaves)
        }
    "#]],
    );
}
