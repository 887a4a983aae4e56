//! Games that are based on others: what is taken over, what is replaced, and where mistakes are shown.

use multigame_compiler::{Compilation, Options, compile};
use multigame_game::{Game, Line, Random, perft, playout};
use multigame_ir::RulesGame;
use multigame_syntax::Severity;

fn compiled(text: &str) -> Compilation {
    compile(text, &Options { name: "mine".to_string(), parameters: Vec::new() })
}

fn game(text: &str) -> RulesGame {
    let compilation = compiled(text);
    assert_eq!(compilation.diagnostics, vec![], "{text}");
    RulesGame::new(compilation.program.unwrap())
}

/// Codes, places and messages.
fn diagnostics(text: &str) -> Vec<(&'static str, String, String)> {
    let show = |found: &multigame_syntax::Diagnostic| {
        let place = &text[found.span.start as usize..found.span.end as usize];
        (found.code, place.to_string(), found.message.clone())
    };
    compiled(text).diagnostics.iter().map(show).collect()
}

#[test]
fn everything_is_taken_over() {
    let game = game("based on chess");
    assert_eq!(game.description().name, "mine");
    assert_eq!(perft(&game, &game.initial(), 2), Ok(400));
}

#[test]
fn a_rule_replaces_the_one_of_its_name_for_the_base_too() {
    // Without bishops, queens and rooks; knights leap two fields straight.
    let game = game("based on chess leap = orthogonal, repeat 2 times step. glide = assert (row == 9).");
    assert_eq!(game.count(&game.initial()), Ok(16 + 2));
}

#[test]
fn entries_are_joined_and_other_declarations_replaced() {
    let text = r##"
        based on "tic-tac-toe"
        pieces { mark 'A' 'B' stone '#' }
        setup { "#.." "..." "..#" }
        notation { column }
    "##;
    let game = game(text);
    let symbols: Vec<char> = game.description().pieces[1..].iter().map(|piece| piece.symbol).collect();
    assert_eq!(symbols, ['A', 'B', '#']);
    assert_eq!(game.count(&game.initial()), Ok(7));
}

#[test]
fn a_chain_of_bases() {
    let game = game("based on crazyhouse notation { uci }");
    assert!(game.description().property("knights").is_some());
    assert!(game.description().property("en_passant").is_some());
}

#[test]
fn mistakes_are_shown_in_the_games_own_text() {
    let found = diagnostics("based on chess\nglide = flide.");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0, found[0].1.as_str()), ("undefined-rule", "flide"));
    let found = diagnostics("based on chess\npieces { queen 'Q' }");
    assert!(!found.is_empty());
    for (_, place, message) in found {
        assert_eq!(place, "based on chess");
        assert!(message.starts_with("in `chess`, line "), "{message}");
    }
}

#[test]
fn unknown_circular_and_double_bases() {
    let codes = |text| diagnostics(text).into_iter().map(|found| found.0).collect::<Vec<_>>();
    assert_eq!(codes("based on ches main = draw."), ["unknown-base"]);
    assert_eq!(codes("based on mine main = draw."), ["circular-base"]);
    assert_eq!(codes("based on chess based on chess"), ["double-declaration"]);
    let compilation =
        compile("based on chess", &Options { name: "chess".to_string(), parameters: Vec::new() });
    assert!(compilation.diagnostics.iter().any(|found| found.severity == Severity::Error));
}

#[test]
fn run_time_errors_name_the_base() {
    let game = game("based on chess properties { quiet : board : [0 .. 3] unhashed }");
    let mut random = Random::new(1);
    let error = (0..20).find_map(|_| playout(&mut Line::new(&game, game.initial()), 300, &mut random).err());
    let error = error.expect("a counter that is too small overflows");
    assert_eq!((error.rule.as_str(), error.span), ("chess: no_progress", (0, 14)));
    assert!(error.line > 10);
}
