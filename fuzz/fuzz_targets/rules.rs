//! Any text is parsed, checked, formatted, and if it is a program, played one move: nothing panics or hangs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use multigame_game::Game;

fuzz_target!(|text: &str| {
    let parse = multigame_syntax::parse(text);
    assert_eq!(parse.syntax().text().to_string(), text, "the tree is lossless");
    if let Ok(formatted) = multigame_syntax::format(text) {
        assert_eq!(multigame_syntax::format(&formatted).as_deref(), Ok(&*formatted), "formatting is idempotent");
    }
    let compilation = multigame_compiler::compile(text, &Default::default());
    if let Some(program) = compilation.program {
        let printed = multigame_ir::print(&program);
        assert_eq!(multigame_ir::parse(&printed).as_ref(), Ok(&program), "programs round-trip");
        let game = multigame_ir::RulesGame::new(program);
        let _ = game.count(&game.initial());
    }
});
