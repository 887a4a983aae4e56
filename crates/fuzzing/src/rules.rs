//! Any text as rules: it is parsed, checked, formatted, and if it is a program, played one move.

use multigame_game::Game;
use multigame_ir::RulesGame;

use crate::games::MOST_STEPS;

pub fn check(input: &[u8]) {
    let text = &*String::from_utf8_lossy(input);
    let parse = multigame_syntax::parse(text);
    assert_eq!(parse.syntax().text().to_string(), text, "the tree is lossless");
    if let Ok(formatted) = multigame_syntax::format(text) {
        assert_eq!(
            multigame_syntax::format(&formatted).as_deref(),
            Ok(&*formatted),
            "formatting is idempotent"
        );
    }
    let Some(program) = multigame_compiler::compile(text, &Default::default()).program else { return };
    let printed = multigame_ir::print(&program);
    assert_eq!(multigame_ir::parse(&printed).as_ref(), Ok(&program), "programs round-trip");
    let game = RulesGame::new(program).with_most_steps(MOST_STEPS);
    let _ = game.count(&game.initial());
}

/// The bundled games.
pub fn seeds() -> Vec<Vec<u8>> {
    let names = multigame_library::names();
    names.iter().filter_map(|name| multigame_library::rules(name)).map(String::into_bytes).collect()
}
