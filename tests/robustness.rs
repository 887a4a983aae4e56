//! Bad input: any text as rules or as a position gives diagnostics, never a panic or a hang.

use multigame_compiler::{Options, compile};
use multigame_game::{Game, parse_position, position_text};
use multigame_ir::RulesGame;
use proptest::prelude::*;

/// Words of the language in no particular order: deeper into the checker than random bytes.
fn word_soup() -> impl Strategy<Value = String> {
    let words = [
        "main",
        "=",
        ".",
        ",",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "either",
        "or",
        "try",
        "else",
        "optionally",
        "test",
        "not",
        "repeat",
        "2",
        "times",
        "..",
        "infinity",
        "while",
        "do",
        "find",
        "points at",
        "replace by",
        "own",
        "opponent's",
        "piece",
        "mark",
        "empty field",
        "any field",
        "any piece",
        "pick up",
        "put down",
        "step",
        "step backward",
        "north",
        "orthogonal",
        "any direction",
        "turn",
        "45",
        "assert",
        "assign",
        "count",
        "sum",
        "row",
        "column",
        "+",
        "==",
        "++",
        "win",
        "draw",
        "irreversible",
        "nothing",
        "keep turn",
        "called",
        "score",
        "as opponent",
        "for each",
        "direction",
        "greatest",
        "players",
        "1",
        "dimensions",
        "(3, 3)",
        "pieces",
        "mark 'X' 'O'",
        "properties",
        "p : board : [0 .. 3]",
        "setup",
        "\"X.O\"",
        "parameter",
        "n",
        "topology",
        "hex",
        "no moves = loss",
        "repetition = draw 3",
        "final",
        "goal",
        "move to",
        "match",
        "-",
        "7",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..60).prop_map(|words| words.join(" "))
}

fn survives(text: &str) {
    let compilation = compile(text, &Options::default());
    if let Some(program) = compilation.program {
        let printed = multigame_ir::print(&program);
        assert_eq!(multigame_ir::parse(&printed).as_ref(), Ok(&program));
        let game = RulesGame::new(program);
        let _ = game.count(&game.initial());
    }
}

fn game(name: &str) -> RulesGame {
    let path = format!("{}/games/{name}/rules.mg", env!("CARGO_MANIFEST_DIR"));
    let compilation = compile(&std::fs::read_to_string(path).unwrap(), &Options::default());
    RulesGame::new(compilation.program.unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_as_rules(text in ".{0,200}") {
        survives(&text);
    }

    #[test]
    fn word_soup_as_rules(text in word_soup()) {
        survives(&format!("dimensions (3, 3) pieces {{ mark 'X' 'O' }} properties {{ p : board : [0 .. 3] }}\nmain = {text}."));
        survives(&text);
    }

    #[test]
    fn damaged_chess(cut in 0usize..4000, length in 0usize..40, insert in ".{0,10}") {
        let path = format!("{}/games/chess/rules.mg", env!("CARGO_MANIFEST_DIR"));
        let mut text: Vec<char> = std::fs::read_to_string(path).unwrap().chars().collect();
        let start = cut.min(text.len());
        let end = (start + length).min(text.len());
        text.splice(start..end, insert.chars());
        survives(&text.into_iter().collect::<String>());
    }

    #[test]
    fn any_text_as_a_position(text in "[a-zA-Z0-9/. =,_-]{0,80}") {
        for name in ["chess", "nine-mens-morris", "hanoi", "15-puzzle"] {
            let game = game(name);
            if let Ok(diagram) = parse_position(game.description(), &text) {
                let written = position_text(game.description(), &diagram);
                prop_assert_eq!(parse_position(game.description(), &written), Ok(diagram));
            }
        }
    }

    #[test]
    fn any_chess_board_round_trips(
        cells in prop::collection::vec(0u8..13, 64),
        rights in prop::collection::vec(0i32..2, 4),
        black in any::<bool>(),
        clock in 0i32..101,
    ) {
        let game = game("chess");
        let mut diagram = game.description().initial.clone();
        diagram.cells = cells.into_iter().map(multigame_game::Piece).collect();
        diagram.values[..4].copy_from_slice(&rights);
        diagram.values[5] = clock;
        diagram.side = if black { multigame_game::Side::Black } else { multigame_game::Side::White };
        let text = position_text(game.description(), &diagram);
        prop_assert_eq!(parse_position(game.description(), &text), Ok(diagram));
    }
}

/// Rules that cannot end well say so at run time, with the place.
#[test]
fn run_time_errors_name_rule_and_line() {
    let cases = [
        ("main = find empty field, grow.\n\ngrow = assign (p = 3), assign (p++).", "range", "grow", 3),
        ("main = find empty field, assign (p = 1 / (row - row)).", "zero", "main", 1),
        ("main = find empty field,\n  deeper.\ndeeper = assign (q++), deeper.", "deep", "deeper", 3),
        ("main = find empty field, assign (q = row << 40).", "range", "main", 1),
    ];
    for (rules, message, rule, line) in cases {
        let text = format!(
            "{rules}\ndimensions (3, 3) no moves = loss\npieces {{ mark 'X' 'O' }}\n\
             properties {{ p : board : [0 .. 3]  q : board : [0 .. 1000000] }}"
        );
        let compilation = compile(&text, &Options::default());
        let program = compilation.program.unwrap_or_else(|| panic!("{rules}: {:?}", compilation.diagnostics));
        let game = RulesGame::new(program);
        let error = game.count(&game.initial()).unwrap_err();
        assert!(error.message.contains(message), "{rules}: {error}");
        assert_eq!((error.rule.as_str(), error.line), (rule, line), "{rules}: {error}");
    }
}

/// Loops without progress end: a state met again adds nothing.
#[test]
fn loops_without_progress_end() {
    for rules in [
        "main = find empty field, while nothing do nothing, replace by mark.",
        "main = find empty field, repeat 0 .. infinity times nothing, replace by mark.",
        "main = find empty field, again. again = either [ step_around, again ] or replace by mark. \
         step_around = any direction, step.",
    ] {
        let text = format!("dimensions (3, 3) no moves = draw pieces {{ mark 'X' 'O' }} {rules}");
        let compilation = compile(&text, &Options::default());
        let program = compilation.program.unwrap_or_else(|| panic!("{rules}: {:?}", compilation.diagnostics));
        let game = RulesGame::new(program);
        let expected = if rules.contains("while") { 0 } else { 9 };
        assert_eq!(game.count(&game.initial()), Ok(expected), "{rules}");
    }
}
