//! Every feature at every word of every bundled game.

use multigame_compiler::{Options, compile};
use multigame_ide::tokens::TokenKind;
use multigame_ide::{
    NameKind, Rules, apply, completion, formatting, hints, hover, navigation, rename, tokens,
};
use multigame_library::{names, rules};

/// A name of the same length that no game has: programs know the places in their text.
fn another(name: &str) -> String {
    "q".repeat(name.len())
}

fn program(text: &str) -> String {
    let compiled = compile(text, &Options { name: "own".to_string(), parameters: Vec::new() });
    let program = compiled.program.unwrap_or_else(|| panic!("{text}: {:?}", compiled.diagnostics));
    multigame_ir::print(&program)
}

/// Replaces a word.
fn replaced(text: &str, word: &str, by: &str) -> String {
    let is_letter = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let (mut result, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(word) {
        // Rules with parameters become rules with numbers.
        let behind =
            rest[at + word.len()..].trim_start_matches('_').trim_start_matches(|c: char| c.is_ascii_digit());
        let alone = !rest[..at].ends_with(is_letter) && !behind.starts_with(is_letter);
        result.push_str(&rest[..at]);
        result.push_str(if alone { by } else { word });
        rest = &rest[at + word.len()..];
    }
    result + rest
}

/// Renaming gives the same program but for the name, and renaming back the same text.
#[test]
fn renamed_rules_are_the_same_rules() {
    let mut renamed = 0;
    for name in names() {
        let text = rules(&name).unwrap();
        let game = Rules::new("own", &text);
        let original = program(&text);
        for (number, symbol) in game.own().symbols.iter().enumerate() {
            // Compiling is what takes time: of long rules some names will do.
            if game.own().symbols.len() > 40 && number % 4 != 0 {
                continue;
            }
            let new = another(&symbol.name);
            match rename::rename(&game, symbol.span.start, &new) {
                Ok(edits) => {
                    let changed = apply(&text, &edits);
                    let same = replaced(&program(&changed), &new, &symbol.name) == original;
                    assert!(same, "{name}: {}", symbol.name);
                    let place = symbol.span.start;
                    let back = rename::rename(&Rules::new("own", &changed), place, &symbol.name).unwrap();
                    assert_eq!(apply(&changed, &back), text, "{name}: {}", symbol.name);
                    renamed += 1;
                }
                Err(reason) => assert!(
                    ["found by its name", "replaces `"].iter().any(|known| reason.contains(known)),
                    "{name}: {}: {reason}",
                    symbol.name
                ),
            }
        }
    }
    assert!(renamed > 500, "{renamed}");
}

/// Parameters of rules have no meaning but their place.
#[test]
fn rules_with_other_parameters_are_the_same_rules() {
    let mut renamed = 0;
    for name in names() {
        let text = rules(&name).unwrap();
        let game = Rules::new("own", &text);
        let parameters =
            game.own().occurrences.iter().filter(|it| it.kind == NameKind::Argument && it.declares);
        for parameter in parameters {
            let edits = rename::rename(&game, parameter.span.start, &another(&parameter.name)).unwrap();
            assert!(edits.len() > 1, "{name}: {} is not used", parameter.name);
            assert_eq!(program(&apply(&text, &edits)), program(&text), "{name}: {}", parameter.name);
            renamed += 1;
        }
    }
    assert!(renamed >= 5, "{renamed}");
}

#[test]
fn every_name_is_declared_and_explained() {
    for name in names() {
        let text = rules(&name).unwrap();
        let game = Rules::new(&name, &text);
        let effects = hints::effects(&game);
        assert!(effects.is_some(), "{name}");
        for occurrence in &game.own().occurrences {
            let at = occurrence.span.start;
            assert!(!navigation::definition(&game, at).is_empty(), "{name}: {occurrence:?}");
            let all = navigation::references(&game, at, true);
            assert!(all.iter().any(|place| place.source == 0 && place.span == occurrence.span));
            let help = hover::hover(&game, at, effects.as_ref()).unwrap();
            assert_eq!((help.span, help.entries.len()), (occurrence.span, 1), "{name}: {occurrence:?}");
        }
    }
}

/// Every word of the language is explained, every name has its colour, and the tokens are in order.
#[test]
fn every_word_has_a_colour_and_a_meaning() {
    for name in names() {
        let text = rules(&name).unwrap();
        let game = Rules::new(&name, &text);
        let tokens = tokens::tokens(&game);
        assert!(tokens.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{name}");
        let coloured = tokens.iter().filter(|token| matches!(token.kind, TokenKind::Name(_))).count();
        assert_eq!(coloured, game.own().occurrences.len(), "{name}");
        for token in tokens.iter().filter(|token| token.kind == TokenKind::Keyword) {
            let word = &text[token.span.start as usize..token.span.end as usize];
            let help = hover::hover(&game, token.span.start, None);
            let known = ["loss", "pass", "error", "forbidden", "square", "hex", "graph"];
            let values = ["board", "player", "uci", "algebraic", "usi", "iccs", "pdn", "coordinates", "lurd"];
            let more = ["shift", "fen", "fields", "colour", "color", "judge", "field", "move", "direction"];
            let is_value = known.iter().chain(&values).chain(&more).any(|it| *it == word);
            assert!(help.is_some() || is_value, "{name}: `{word}`");
        }
    }
}

/// At the beginning of every name, that name is offered.
#[test]
fn what_is_written_is_what_is_offered() {
    let (mut found, mut all) = (0, 0);
    for name in names() {
        let text = rules(&name).unwrap();
        let game = Rules::new(&name, &text);
        for occurrence in game.own().occurrences.iter().filter(|it| !it.declares).step_by(7) {
            let offered = completion::complete(&game, occurrence.span.start + 1);
            all += 1;
            if offered.items.iter().any(|item| item.label == occurrence.name) {
                found += 1;
            } else {
                println!("{name}: {} at {} is not offered", occurrence.name, occurrence.span.start);
            }
        }
    }
    assert_eq!((found, all > 400), (all, true));
}

#[test]
fn bundled_games_are_formatted() {
    for name in names() {
        let text = rules(&name).unwrap();
        assert_eq!(formatting::format(&Rules::new(&name, &text)), Ok(Vec::new()), "{name}");
        let flat = text.replace("\n    ", "\n  ").replace(" = ", "  =   ");
        if let Ok(edits) = formatting::format(&Rules::new(&name, &flat)) {
            assert_eq!(apply(&flat, &edits), multigame_syntax::format(&flat).unwrap(), "{name}");
        }
    }
}
