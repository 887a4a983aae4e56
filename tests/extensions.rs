//! Rules that name their moves, judge repetition and build on other games: any of them compiles or is
//! refused, plays without a panic, has unique names that read back, and is the same to native code. The fuzz
//! target `extensions` does the same with coverage guidance.

use multigame_fuzzing::extensions as check;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rules_with_names_judges_and_bases_keep_their_promises(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        check::check(&multigame_generator::extended_rules(&bytes));
    }

    #[test]
    fn damaged_games_with_a_base(
        name in prop::sample::select(vec!["three-check", "atomic", "six-mens-morris", "frisian-draughts"]),
        cut in 0usize..1500,
        length in 0usize..30,
        insert in ".{0,10}",
    ) {
        let path = format!("{}/games/{name}/rules.mg", env!("CARGO_MANIFEST_DIR"));
        let mut text: Vec<char> = std::fs::read_to_string(path).unwrap().chars().collect();
        let start = cut.min(text.len());
        let end = (start + length).min(text.len());
        text.splice(start..end, insert.chars());
        // Most of the damage makes an error; what still compiles is played for one move only.
        let text: String = text.into_iter().collect();
        if let Some(program) = check::program(&text) {
            let game = multigame_ir::RulesGame::new(program);
            let _ = multigame_game::Game::count(&game, &multigame_game::Game::initial(&game));
        }
    }
}

/// Of what the generator writes, a good part has to be rules.
#[test]
fn many_of_them_compile() {
    let texts = (0..400u32).map(|number| {
        let bytes: Vec<u8> =
            (0..40u32).map(|at| (number.wrapping_mul(2_654_435_761).rotate_left(at) >> 7) as u8).collect();
        multigame_generator::extended_rules(&bytes)
    });
    let compiled = texts.filter(|text| check::program(text).is_some()).count();
    assert!(compiled > 60, "{compiled} of 400 compile");
}
