//! Any text as a file beside rules: weights, patterns and networks are refused with a reason, or they can be
//! used.

use multigame_game::{Game, NetworkFile, PatternsFile};
use multigame_library::{beside, names};
use multigame_loader::{NETWORK, PATTERNS, WEIGHTS, WeightsFile};
use multigame_search::{Evaluator, Learned, Net, Patterns};

use crate::games::{Both, chosen};

/// Larger files take too long to be damaged often.
const LARGEST: usize = 100_000;

pub fn check(input: &[u8]) {
    let Some((game, text)) = chosen(input) else { return };
    let text = String::from_utf8_lossy(text);
    check_weights(game, &text);
    let description = game.rules.description();
    let patterns = serde_json::from_str(&text).map_err(|error| error.to_string());
    let patterns = patterns.and_then(|file: PatternsFile| file.tuples(&description.board));
    let patterns = patterns.and_then(|tuples| Patterns::new(description, tuples));
    let network = serde_json::from_str(&text).map_err(|error| error.to_string());
    let network = network.and_then(|file: NetworkFile| file.network(description));
    let network = network.and_then(|network| Net::new(description, network));
    let learned = [patterns.map(Learned::from), network.map(Learned::from)];
    for learned in learned.into_iter().flatten() {
        let evaluator =
            multigame_search::RulesEvaluator::new(&game.rules, Some("random")).expect("every game has it");
        let _ = evaluator.with_learned(learned).evaluate(&game.rules, &game.rules.initial());
    }
}

fn check_weights(game: &Both, text: &str) {
    let Ok(file) = WeightsFile::parse(text) else { return };
    assert_eq!(WeightsFile::parse(&file.to_text()), Ok(file.clone()), "files of weights round-trip");
    let mut program = game.program.clone();
    if file.apply(&mut program).is_err() {
        assert_eq!(program.evaluations, game.program.evaluations, "what does not fit changes nothing");
    }
}

/// What was learned about the bundled games.
pub fn seeds() -> Vec<Vec<u8>> {
    let games = names().into_iter().enumerate();
    let files = games.flat_map(|(number, name)| {
        [WEIGHTS, PATTERNS, NETWORK]
            .into_iter()
            .filter_map(move |file| Some((number as u8, beside(&name, file)?)))
    });
    let small = files.filter(|(_, text)| text.len() <= LARGEST);
    small.map(|(number, text)| [&[number], text.as_bytes()].concat()).collect()
}
