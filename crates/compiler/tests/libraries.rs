//! Games that use libraries: what is taken over, what is replaced, and where mistakes are shown.

use expect_test::{Expect, expect};
use multigame_compiler::{Compilation, Libraries, Options, compile_with};
use multigame_game::{Game, perft};
use multigame_ir::RulesGame;

const BOARD: &str = "dimensions (4, 4) sides = 1 no moves = draw pieces { stone 'O' 'X' }";

fn compiled(text: &str, own: &[(&str, &str)]) -> Compilation {
    let own: Libraries = own.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
    let options = Options { name: "mine".to_string(), ..Options::default() };
    compile_with(&format!("{text} {BOARD}"), &options, &own)
}

fn moves(text: &str, own: &[(&str, &str)]) -> u64 {
    let compilation = compiled(text, own);
    assert_eq!(compilation.diagnostics, vec![], "{text}");
    let game = RulesGame::new(compilation.program.unwrap());
    game.count(&game.initial()).unwrap()
}

/// Codes, places, messages and labels.
fn check(text: &str, own: &[(&str, &str)], expected: Expect) {
    let whole = format!("{text} {BOARD}");
    let mut shown = String::new();
    for found in compiled(text, own).diagnostics {
        let place = &whole[found.span.start as usize..found.span.end as usize];
        shown += &format!("{} <{place}> {} ^ {}\n", found.code, found.message, found.label);
        for help in &found.help {
            shown += &format!("    {help}\n");
        }
    }
    expected.assert_eq(&shown);
}

const MAIN: &str = "main = find empty field, ways, replace by stone.";

#[test]
fn rules_of_a_library_are_called() {
    let text = "uses rows main = find empty field, replace by stone, try [ in_a_row (own stone, 3), win ].";
    let compilation = compiled(text, &[]);
    let game = RulesGame::new(compilation.program.unwrap());
    assert_eq!(perft(&game, &game.initial(), 2), Ok(16 * 15));
}

#[test]
fn own_libraries_come_before_bundled_ones_and_use_others() {
    let own = [("rows", "uses more ways = edge."), ("more", "edge = assert (row == 1).")];
    assert_eq!(moves(&format!("uses \"rows\" {MAIN}"), &own), 4);
}

#[test]
fn what_the_game_says_takes_the_place_of_what_the_library_says() {
    let own = [("mine", "ways = edge. edge = assert (row == 1). pattern kind = stone")];
    assert_eq!(moves(&format!("uses mine edge = assert (row > 1). {MAIN}"), &own), 12);
    let text = "uses mine pattern kind = empty field main = find kind, replace by stone.";
    assert_eq!(moves(text, &own), 16);
}

#[test]
fn patterns_properties_and_parameters_come_along_where_they_are_named() {
    let own = [(
        "mine",
        "parameter least = 2 [1 .. 4] pattern free = empty field
         properties { made, unasked : board : [0 .. 9] }
         ways = points at free, assert (row >= least), assign (made++).
         other = step, points at a_piece_that_is_not_there.",
    )];
    let compilation = compiled(&format!("uses mine {MAIN}"), &own);
    assert_eq!(compilation.diagnostics, vec![]);
    let program = compilation.program.unwrap();
    assert_eq!(program.description.properties.len(), 1);
    let game = RulesGame::new(program);
    assert_eq!(game.count(&game.initial()), Ok(12));
}

#[test]
fn words_of_comments_name_nothing() {
    let own = [("mine", "ways = nothing. # other\nother = find a_piece_that_is_not_there.")];
    assert_eq!(moves(&format!("uses mine # other\n{MAIN}"), &own), 16);
}

#[test]
fn bases_bring_their_libraries() {
    let options = Options { name: "mine".to_string(), ..Options::default() };
    let compilation = compile_with("based on \"go-moku\"", &options, &Libraries::new());
    assert_eq!(compilation.diagnostics, vec![]);
}

#[test]
fn libraries_that_are_not_there() {
    check(
        "uses rowss uses \"no.mg\" uses shogii main = find empty field, replace by stone.",
        &[],
        expect![[r#"
            unknown-library <rowss> there is no library `rowss` ^ did you mean `rows`?
            unknown-library <"no.mg"> there is no library `no.mg` ^ 
                a library is called by its name: letters, digits, `-` and `_`, without `.mg`
            unknown-library <shogii> there is no library `shogii` ^ did you mean `shogi`?
        "#]],
    );
}

#[test]
fn mistakes_are_shown_with_library_and_line() {
    check(
        "uses mine main = find empty field, ways, replace by stone.",
        &[("mine", "# Ways.\n\nways =\n    find ston,\n    step.\n")],
        expect![[r#"
            undefined-piece <mine> in library `mine`, line 4: there is no piece `ston` ^ the line is: find ston,
                did you mean `stone`?
        "#]],
    );
    check(
        "uses mine main = find empty field, ways, replace by stone.",
        &[("mine", "ways = step step.")],
        expect![[r#"
            missing-comma <mine> in library `mine`, line 1: expected `,` between statements, found `step` ^ the line is: ways = step step.
                expected `,`
            undefined-direction <mine> in library `mine`, line 1: there is no direction yet ^ the line is: ways = step step.
                set one first, such as `north` or `any direction`
                this needs a direction
        "#]],
    );
    check(
        "uses mine main = find empty field, ways (3), replace by stone.",
        &[("mine", "ways (what) = points at what.")],
        expect![[r#"
            argument-kind <3> a pattern is expected in place of the parameter, and this is an expression ^ 
        "#]],
    );
}

#[test]
fn a_library_leaves_the_game_to_the_game() {
    check(
        "uses mine main = find empty field, ways, replace by stone.",
        &[("mine", "ways = nothing. main = ways. setup { black to move }")],
        expect![[r#"
            not-in-a-library <mine> in library `mine`, line 1: a library has no rule `main`: that is the game's ^ the line is: ways = nothing. main = ways. setup { black to move }
            not-in-a-library <mine> in library `mine`, line 1: a library has rules, patterns, properties and parameters only ^ the line is: ways = nothing. main = ways. setup { black to move }
        "#]],
    );
}

#[test]
fn two_libraries_may_not_have_one_rule_both() {
    check(
        "uses a uses b main = find empty field, ways, replace by stone.",
        &[("a", "ways = nothing."), ("b", "ways = nothing.")],
        expect![[r#"
            double-declaration <b> in library `b`, line 1: rule `ways` is declared twice ^ the line is: ways = nothing.
                remove one of the two
        "#]],
    );
}

#[test]
fn run_time_errors_name_the_library() {
    let text = "uses mine main = find empty field, ways, replace by stone.";
    let compilation = compiled(text, &[("mine", "ways =\n    assert (1 / (row - 1)).")]);
    let game = RulesGame::new(compilation.program.unwrap());
    let error = game.count(&game.initial()).unwrap_err();
    assert_eq!((error.rule.as_str(), error.line), ("mine: ways", 2));
    assert_eq!(&text[error.span.0 as usize..error.span.1 as usize], "mine");
}
