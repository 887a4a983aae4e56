//! The interpreter behind the words of compiled rules, as it plays where there is no code, against the
//! interpreter alone.

use multigame_game::Game;
use multigame_ir::RulesGame;
use multigame_jit::JitGame;

use crate::differential::{agree, bundled};

/// Moves of a random game: each is interpreted dozens of times.
const PLIES: u32 = 5;

#[test]
fn without_code_the_interpreter_plays_every_game() {
    let mut failures = Vec::new();
    for game in bundled() {
        let rules = RulesGame::new(game.program.clone());
        let interpreting = JitGame::interpreting(game.program);
        assert!(!interpreting.has_code());
        let initial = &rules.description().initial;
        let agreed = agree::same_knowledge(&interpreting, &rules)
            .and_then(|()| agree::follow(&interpreting, &rules, initial, 1, PLIES));
        failures.extend(agreed.err().map(|message| format!("{}: {message}", game.name)));
        assert!(interpreting.interpreted() > 0, "{}", game.name);
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
