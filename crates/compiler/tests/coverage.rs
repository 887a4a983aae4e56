//! Which parts of rules are found unused.

use multigame_compiler::{Options, compile};
use multigame_game::{Game, Line, Random, playout};
use multigame_ir::{Coverage, RulesGame};

fn coverage(text: &str) -> Coverage {
    let program = compile(text, &Options::default()).program.expect("rules without errors");
    let game = RulesGame::counting(program);
    for seed in 0..5 {
        playout(&mut Line::new(&game, game.initial()), 50, &mut Random::new(seed)).unwrap();
    }
    game.coverage().expect("a counting game")
}

const RULES: &str = r#"
dimensions (3, 1)
no moves = draw
pieces { man 'M' 'm' king 'K' 'k' }
main = find empty field, either [ replace by man, try promote ] or crown.
promote = assert (column == 9), replace by king.
crown = find own king, replace by empty field.
"#;

#[test]
fn what_never_has_a_result_is_named_once() {
    let coverage = coverage(RULES);
    let unused: Vec<(&str, &str, bool)> = coverage
        .unused
        .iter()
        .map(|part| {
            let text = &RULES[part.span.0 as usize..part.span.1 as usize];
            (part.rule.as_str(), text, part.tried > 0)
        })
        .collect();
    assert_eq!(unused, [("promote", "assert (column == 9)", true), ("crown", "find own king", true)]);
    let rules: Vec<(&str, bool)> =
        coverage.rules.iter().map(|rule| (rule.rule.as_str(), rule.results > 0)).collect();
    assert_eq!(rules, [("main", true), ("promote", false), ("crown", false)]);
}

#[test]
fn what_only_setup_and_evaluation_call_is_left_out() {
    let text = r#"
dimensions (3, 1)
no moves = draw
pieces { man 'M' 'm' }
setup { apply first }
first = for each any field do [ assert (column == 1), replace by man ].
evaluation { cornered 5 : count [ find own man, corner ] }
corner = assert (column == 3).
main = try [ white to move, find empty field ] else find empty field, replace by man.
"#;
    let coverage = coverage(text);
    assert_eq!(coverage.unused, []);
    assert_eq!(coverage.rules.len(), 1, "{:?}", coverage.rules);
}

#[test]
fn what_was_never_reached_is_told_from_what_never_held() {
    let text = r#"
dimensions (3, 1)
no moves = draw
pieces { man 'M' 'm' }
main = find empty field, try replace by man else assert (column == 2).
"#;
    let coverage = coverage(text);
    assert_eq!(coverage.unused.len(), 1);
    assert_eq!((coverage.unused[0].line, coverage.unused[0].tried), (5, 0));
}
