//! Any text as a position: an error, or a position that round-trips and in which machine code and the
//! interpreter find the same moves.

use multigame_game::{Game, parse_position, position_text};

use crate::games::{Both, all, chosen, positions};

pub fn check(input: &[u8]) {
    let Some((game, text)) = chosen(input) else { return };
    let Both { rules, native, .. } = game;
    let description = rules.description();
    let text = String::from_utf8_lossy(text);
    let Ok(diagram) = parse_position(description, &text) else { return };
    let written = position_text(description, &diagram);
    assert_eq!(parse_position(description, &written).as_ref(), Ok(&diagram), "{written}");
    // Where the interpreter gives up, machine code may have done it with less steps.
    if let Ok(expected) = rules.count(&rules.position(&diagram)) {
        assert_eq!(native.count(&native.position(&diagram)), Ok(expected), "{}: {written}", description.name);
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (number, game) in all().iter().enumerate() {
        for position in positions(&game.rules, number as u64) {
            let text = position_text(game.rules.description(), &game.rules.diagram(&position));
            seeds.push([&[number as u8], text.as_bytes()].concat());
        }
    }
    seeds
}
