//! What rules call their moves: names change nothing but names.

use multigame_compiler::{Options, compile};
use multigame_game::{Game, notation};
use multigame_ir::RulesGame;

fn game(rules: &str) -> RulesGame {
    let head =
        "dimensions (3, 1) no moves = draw pieces { man 'M' 'm' } properties { n : board : [0 .. 9] } ";
    let compilation = compile(&format!("{head}{rules}"), &Options::default());
    RulesGame::new(compilation.program.expect("rules without errors give a program"))
}

/// The names of all first moves; each of them finds its move again.
fn names(rules: &str) -> Vec<String> {
    let game = game(rules);
    let start = game.initial();
    let mut names = Vec::new();
    for named in notation::names(&game, &start).unwrap() {
        let found = notation::find(&game, &start, &named.name).unwrap();
        assert_eq!(game.move_key(&found), game.move_key(&named.mv), "{}", named.name);
        names.push(named.name);
    }
    names.sort();
    names
}

#[test]
fn parts_are_joined_in_the_order_they_are_met() {
    let rules = r#"main = find empty field, called "M@" field, replace by man, called "/" (column * 2)."#;
    assert_eq!(names(rules), ["M@a1/2", "M@b1/4", "M@c1/6"]);
}

#[test]
fn the_shortest_of_several_names_is_shown_and_all_are_understood() {
    let rules = r#"main = move to (1, 1), either called "right" or called "r" or nothing, replace by man."#;
    assert_eq!(names(rules), ["r"]);
    let game = game(rules);
    for name in ["r", "right", "R", "white man -> a1"] {
        assert!(notation::find(&game, &game.initial(), name).is_ok(), "{name}");
    }
}

#[test]
fn names_that_are_alike_give_way_to_the_notation() {
    let rules = r#"
        notation { coordinates }
        main = find empty field, replace by man, try [ assert (column == 3), called "last" ] else called "x"."#;
    assert_eq!(names(rules), ["a1", "b1", "last"]);
}

#[test]
fn names_do_not_count_and_do_not_keep_loops_alive() {
    let counted = r#"
        main = assign (n = count [ find any field, either called field or called "x" ]), called (n)."#;
    assert_eq!(names(counted), ["3"]);
    let endless = r#"main = repeat 1 .. infinity times called "ab", move to (1, 1), replace by man."#;
    assert_eq!(names(endless), ["ab"]);
    let recursive = r#"
        main = move to (1, 1), round, replace by man.
        round = optionally [ called "o", east, try step, round ]."#;
    assert_eq!(names(recursive), ["o", "oo", "white man -> a1"]);
}

#[test]
fn code_generators_see_no_names() {
    let rules = r#"main = find empty field, called field, replace by man, [ called "x", called "y" ]."#;
    let program = game(rules).program().clone();
    assert!(program.names_moves());
    let without = program.without_names();
    assert!(!without.names_moves());
    assert!(!multigame_ir::print(&without).contains("called"));
    assert_eq!(RulesGame::new(without).count(&game(rules).initial()), Ok(3));
}
