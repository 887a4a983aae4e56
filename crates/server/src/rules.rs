//! What is said about rules without playing them: diagnostics, declared names, a preview, the usual form.

use multigame_game::{Game, RulesError};
use multigame_ir::{Program, RulesGame};
use multigame_loader::{Beside, NETWORK, PATTERNS, Source, WEIGHTS, advice, compile};
use multigame_syntax::ast::{self, DeclarationKind, Scope};
use multigame_syntax::{Diagnostic, Severity, Span, parse, to_json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::describe;
use crate::failure::Failure;
use crate::protocol::{Reply, Rules};
use crate::session::gestures::{self, Candidate};
use crate::session::state;

/// What diagnostics call the text of a request.
const FILE: &str = "rules.mg";
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
}

/// A name that rules declare.
#[derive(Debug, Serialize)]
struct Symbol {
    name: String,
    kind: &'static str,
    detail: String,
    span: [u32; 2],
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
    pub fn describe(&self, backend: &str) -> Value {
        json!({"game": self.game, "start": self.start, "diagnostics": self.warnings, "backend": backend})
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
    }
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
        "symbols": symbols(&parsed, &rules.text),
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
fn symbols(program: &ast::Program, text: &str) -> Vec<Symbol> {
    let slice = |span: Span| text.get(span.start as usize..span.end as usize).unwrap_or("");
    let mut symbols = Vec::new();
    let mut add = |name: &ast::Name, kind, detail: String| {
        symbols.push(Symbol {
            name: name.text.clone(),
            kind,
            detail,
            span: [name.span.start, name.span.end],
        });
    };
    for declaration in &program.declarations {
        match &declaration.kind {
            DeclarationKind::Pieces(pieces) => {
                for piece in pieces {
                    let signs: Vec<String> =
                        piece.symbols.iter().map(|(sign, _)| format!("`{sign}`")).collect();
                    let owner = if signs.len() == 1 { "nobody's piece" } else { "piece of both players" };
                    add(&piece.name, "piece", format!("{owner}, written {}", signs.join(" and ")));
                }
            }
            DeclarationKind::Properties(properties) => {
                for property in properties {
                    let owner = match property.scope {
                        Scope::Board => "of the board",
                        Scope::Player => "of each player",
                        Scope::Move => "while a move is made",
                        Scope::Field => "of each field",
                    };
                    let (low, high) = (slice(property.low.span), slice(property.high.span));
                    for name in &property.names {
                        add(name, "property", format!("number {owner}, {low} to {high}"));
                    }
                }
            }
            DeclarationKind::Parameter { name, default, low, high } => {
                let (value, low, high) = (slice(default.span), slice(low.span), slice(high.span));
                add(
                    name,
                    "parameter",
                    format!("{value} unless something else is asked for, {low} to {high}"),
                );
            }
            DeclarationKind::Directions(directions) => {
                for direction in directions {
                    let back = direction
                        .opposite
                        .as_ref()
                        .map_or(String::new(), |back| format!(", back is `{}`", back.text));
                    add(&direction.name, "direction", format!("direction of the board{back}"));
                    if let Some(back) = &direction.opposite {
                        add(
                            back,
                            "direction",
                            format!("direction of the board, back is `{}`", direction.name.text),
                        );
                    }
                }
            }
            _ => {}
        }
    }
    for rule in &program.rules {
        add(&rule.name, "rule", comment_before(text, rule.span.start as usize));
    }
    symbols.sort_by_key(|symbol| symbol.span);
    symbols
}

/// The comment lines right before a place.
fn comment_before(text: &str, place: usize) -> String {
    let before = text.get(..place).unwrap_or("");
    let mut lines: Vec<&str> = Vec::new();
    for line in before.trim_end_matches([' ', '\t']).lines().rev() {
        let Some(comment) = line.trim().strip_prefix('#') else { break };
        lines.push(comment.trim());
    }
    lines.reverse();
    lines.join(" ")
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
    fn rules_that_fail_when_they_run_are_told_where() {
        let answer = check(&rules(
            "dimensions (3, 3)\nno moves = error\npieces { mark 'X' 'O' }\nmain = find own mark, replace by mark.\n",
        ));
        assert_eq!(answer["ok"], false);
        assert_eq!(answer["diagnostics"][0]["code"], "run-time");
    }
}
