//! Any text as a position of chess: an error or a position that round-trips.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use multigame_game::{Game, parse_position, position_text};
use multigame_ir::RulesGame;

static CHESS: LazyLock<RulesGame> = LazyLock::new(|| {
    let rules = include_str!("../../games/chess/rules.mg");
    RulesGame::new(multigame_compiler::compile(rules, &Default::default()).program.expect("chess compiles"))
});

fuzz_target!(|text: &str| {
    let description = CHESS.description();
    if let Ok(diagram) = parse_position(description, text) {
        let written = position_text(description, &diagram);
        assert_eq!(parse_position(description, &written).as_ref(), Ok(&diagram));
        let _ = CHESS.count(&CHESS.position(&diagram));
    }
});
