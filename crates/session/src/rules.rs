//! What is said about rules without playing them: diagnostics, declared names, a preview, the usual form.

use std::collections::BTreeMap;

use multigame_game::{Game, RulesError};
use multigame_ide::completion::{ItemKind, complete};
use multigame_ir::{Program, RulesGame};
use multigame_loader::{Beside, NETWORK, PATTERNS, Source, WEIGHTS, advice, bundled, compile};
use multigame_syntax::ast::DeclarationKind;
use multigame_syntax::{Diagnostic, Severity, Span, parse, to_json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::describe;
use crate::failure::Failure;
use crate::known::Known;
use crate::protocol::{Reply, Rules};
use crate::session::{
    gestures::{self, Candidate},
    state,
};

/// What diagnostics call the text of a request.
const FILE: &str = "rules.mg";
/// What a game is called whose name is not known.
const GAME: &str = "game";
/// Moves shown in a preview.
const MOST_MOVES: usize = 500;

/// A question about rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// What is wrong with them, what they declare, what they look like.
    Check(Rules),
    /// Their usual form.
    Format(String),
    /// Help about the word at a byte.
    Hover(String, u32),
    /// What can be written at a byte.
    Complete(String, u32),
}

/// Rules that compiled.
pub struct Compiled {
    /// The move program.
    pub program: Program,
    /// The description as clients see it.
    pub game: Value,
    /// The setup as clients see it.
    pub start: Value,
    /// The warnings.
    pub warnings: Value,
}

impl Compiled {
    /// What clients are told about a session besides its state.
    pub fn describe(&self, backend: &str, known: &Known) -> Value {
        json!({
            "game": self.game, "start": self.start, "diagnostics": self.warnings, "backend": backend,
            "endgames": known.about,
        })
    }
}

/// Answers a question.
pub fn answer(question: &Question) -> Reply {
    match question {
        Question::Check(rules) => Ok(check(rules).to_string()),
        Question::Format(text) => match multigame_syntax::format(text) {
            Ok(formatted) => Ok(json!({ "rules": formatted }).to_string()),
            Err(diagnostics) => Err(Failure::rules(to_json(&diagnostics, FILE, text))),
        },
        Question::Hover(text, at) => Ok(help(text, *at).to_string()),
        Question::Complete(text, at) => Ok(completions(text, *at).to_string()),
    }
}

/// The bundled rules that rules are based on and the libraries they use, and those that these need, by their
/// paths as `multigame_library` knows them.
pub fn shelf(text: &str) -> BTreeMap<String, String> {
    let mut shelf = BTreeMap::new();
    let mut wanted = vec![text.to_string()];
    while let Some(text) = wanted.pop() {
        for declaration in parse(&text).program.declarations {
            let (path, found) = match declaration.kind {
                DeclarationKind::BasedOn(name) => {
                    (format!("{}/rules.mg", name.text), bundled::rules(&name.text))
                }
                DeclarationKind::Uses(name) => {
                    (format!("libraries/{}.mg", name.text), bundled::library(&name.text))
                }
                _ => continue,
            };
            if !shelf.contains_key(&path)
                && let Some(rules) = found
            {
                wanted.push(rules.clone());
                shelf.insert(path, rules);
            }
        }
    }
    shelf
}

/// Compiles rules; errors become a failure.
pub fn compiled(rules: &Rules) -> Result<Compiled, Failure> {
    let source = source(rules);
    let parameters = given(rules);
    let compilation = compile(&source, &parameters);
    let diagnostics = to_json(&compilation.diagnostics, FILE, &rules.text);
    let Some(program) = compilation.program else { return Err(Failure::rules(diagnostics)) };
    let declared = describe::parameters(&parse(&rules.text).program, &rules.text, &parameters);
    let game = describe::game(&program.description, &describe::about(&rules.text), &declared);
    let start = json!(state::picture(&program.description, &program.description.initial));
    Ok(Compiled { program, game, start, warnings: diagnostics })
}

fn source(rules: &Rules) -> Source {
    let beside = |file: &str, text: &Option<String>| {
        text.as_ref().map(|text| Beside { file: file.to_string(), text: text.clone() })
    };
    Source {
        file: FILE.to_string(),
        name: rules.name.clone(),
        folder: None,
        text: rules.text.clone(),
        weights: beside(WEIGHTS, &rules.weights),
        patterns: beside(PATTERNS, &rules.patterns),
        network: beside(NETWORK, &rules.network),
    }
}

fn given(rules: &Rules) -> Vec<(String, i64)> {
    rules.parameters.iter().map(|(name, value)| (name.clone(), *value)).collect()
}

fn check(rules: &Rules) -> Value {
    let mut compilation = compile(&source(rules), &given(rules));
    let parsed = parse(&rules.text).program;
    let mut preview = Value::Null;
    if let Some(program) = compilation.program {
        compilation.diagnostics.extend(advice(&program));
        let declared = describe::parameters(&parsed, &rules.text, &given(rules));
        let game = describe::game(&program.description, &describe::about(&rules.text), &declared);
        match setup(program) {
            Ok(state) => preview = json!({"game": game, "state": state}),
            Err(error) => compilation.diagnostics.push(run_time(&error)),
        }
    }
    let errors = compilation.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    json!({
        "ok": !errors,
        "diagnostics": to_json(&compilation.diagnostics, FILE, &rules.text),
        "symbols": symbols(&multigame_ide::Rules::new(&rules.name, &rules.text)),
        "preview": preview,
    })
}

/// The setup with the legal moves.
fn setup(program: Program) -> Result<Value, RulesError> {
    let game = RulesGame::new(program);
    let (description, position) = (game.description(), game.initial());
    let outcome = game.outcome(&position)?;
    let mut named = match outcome {
        Some(_) => Vec::new(),
        None => multigame_game::notation::names(&game, &position)?,
    };
    named.truncate(MOST_MOVES);
    let mut child = position.clone();
    let mut candidates = Vec::new();
    for mv in named {
        game.apply(&position, &mv.mv, &mut child);
        candidates.push(Candidate { name: mv.name, after: game.diagram(&child) });
    }
    let initial = &description.initial;
    let moves = gestures::moves(description, initial, &candidates, &game.trails(initial)?);
    let mut value = json!(state::picture(description, initial));
    value["moves"] = json!(moves);
    value["outcome"] = json!(outcome.map(|outcome| state::outcome(description, outcome, "rules")));
    Ok(value)
}

/// A failure of running rules, as a diagnostic.
fn run_time(error: &RulesError) -> Diagnostic {
    let span = Span::new(error.span.0, error.span.1);
    let message = format!("{} (in rule `{}`)", error.message, error.rule);
    Diagnostic::error("run-time", span, message).label("while this was running")
}

/// The names that rules declare, in the order of the text.
fn symbols(rules: &multigame_ide::Rules) -> Value {
    let symbols = rules.own().symbols.iter().map(|symbol| {
        json!({
            "name": symbol.name,
            "kind": symbol.kind.word(),
            "detail": symbol.detail,
            "span": [symbol.span.start, symbol.span.end],
        })
    });
    symbols.collect()
}

/// The words of the language in one sentence each.
pub fn words() -> Value {
    let words = multigame_ide::words::WORDS.iter().map(|entry| {
        json!({"word": entry.word, "kind": entry.kind.word(), "about": entry.about, "more": entry.chapter})
    });
    json!({ "words": words.collect::<Vec<_>>() })
}

/// Help about the word at a byte, or `null`.
fn help(text: &str, at: u32) -> Value {
    let rules = multigame_ide::Rules::new(GAME, text);
    let effects = multigame_ide::hints::effects(&rules);
    let Some(hover) = multigame_ide::hover::hover(&rules, at, effects.as_ref()) else {
        return json!({ "help": null });
    };
    let entries = hover
        .entries
        .iter()
        .map(|entry| json!({"kind": entry.kind, "about": entry.about, "more": entry.more}));
    json!({"help": {
        "word": hover.word,
        "span": [hover.span.start, hover.span.end],
        "entries": entries.collect::<Vec<_>>(),
    }})
}

/// What can be written at a byte.
fn completions(text: &str, at: u32) -> Value {
    let completion = complete(&multigame_ide::Rules::new(GAME, text), at);
    let items = completion.items.iter().map(|item| {
        let kind = match item.kind {
            ItemKind::Word => "word",
            ItemKind::Name(kind) => kind.word(),
        };
        json!({"label": item.label, "kind": kind, "detail": item.detail, "snippet": item.snippet})
    });
    json!({
        "span": [completion.span.start, completion.span.end],
        "items": items.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Rules {
        Rules {
            name: "game".to_string(),
            text: text.to_string(),
            parameters: Default::default(),
            weights: None,
            patterns: None,
            network: None,
        }
    }

    #[test]
    fn a_check_tells_errors_names_and_setup() {
        let good = "dimensions (3, 3)\nno moves = draw\npieces { mark 'X' 'O' }\n\n# Anywhere.\nmain = find empty field, replace by mark.\n";
        let answer = check(&rules(good));
        assert_eq!(answer["ok"], true, "{answer}");
        assert_eq!(answer["symbols"][1]["detail"], "Anywhere.");
        assert_eq!(answer["preview"]["state"]["moves"].as_array().unwrap().len(), 9);
        let answer = check(&rules(&good.replace("by mark", "by mrak")));
        assert_eq!(answer["ok"], false);
        assert_eq!(answer["diagnostics"][0]["fix"]["replacement"], "mark");
        assert_eq!(answer["preview"], Value::Null);
    }

    #[test]
    fn the_editor_is_helped_where_it_asks() {
        let text = "dimensions (3, 3)\npieces { mark 'X' 'O' }\nmain = find empty field, replace by ma.\n";
        let at = |word: &str| text.find(word).unwrap() as u32 + 2;
        assert_eq!(help(text, at("find"))["help"]["entries"][0]["kind"], "statement");
        assert_eq!(help(text, at("mark"))["help"]["entries"][0]["kind"], "piece");
        assert_eq!(help(text, at("'X'"))["help"], Value::Null);
        let answer = completions(text, at("ma."));
        assert_eq!(answer["items"][0]["label"], "mark", "{answer}");
        assert_eq!(answer["span"], json!([at("ma.") - 2, at("ma.")]));
    }

    #[test]
    fn rules_that_fail_when_they_run_are_told_where() {
        let answer = check(&rules(
            "dimensions (3, 3)\nno moves = error\npieces { mark 'X' 'O' }\nmain = find own mark, replace by \
             mark.\n",
        ));
        assert_eq!(answer["ok"], false);
        assert_eq!(answer["diagnostics"][0]["code"], "run-time");
    }
}
