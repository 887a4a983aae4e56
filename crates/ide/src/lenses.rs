//! What can be done with rules, above the rules it is done with: arguments of the program `multigame`.

use multigame_syntax::Span;

use crate::names::NameKind;
use crate::rules::Rules;

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name of the rule above which it is shown.
    pub span: Span,
    /// What it is called.
    pub title: String,
    /// What is done.
    pub action: Action,
}

/// What is done with a file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Play in a terminal.
    Play,
    /// Count the leaves of the game tree.
    Perft,
    /// Measure what the game is like.
    Analyze,
    /// Find out how often a rule is used in random games.
    Coverage(String),
}

impl Action {
    /// All kinds, by the names of their commands.
    pub const COMMANDS: [&str; 4] =
        ["multigame.play", "multigame.perft", "multigame.analyze", "multigame.coverage"];

    /// The name of the command.
    pub fn command(&self) -> &'static str {
        match self {
            Action::Play => Self::COMMANDS[0],
            Action::Perft => Self::COMMANDS[1],
            Action::Analyze => Self::COMMANDS[2],
            Action::Coverage(_) => Self::COMMANDS[3],
        }
    }

    /// The arguments of `multigame` for a file.
    pub fn arguments(&self, file: &str) -> Vec<String> {
        let arguments: Vec<&str> = match self {
            Action::Play => vec!["play", file],
            Action::Perft => vec!["perft", file, "4"],
            Action::Analyze => vec!["analyze", file],
            Action::Coverage(rule) => vec!["playout", file, "--coverage", "--rule", rule],
        };
        arguments.into_iter().map(str::to_string).collect()
    }
}

/// What can be done with these rules.
pub fn lenses(rules: &Rules) -> Vec<Lens> {
    let mut lenses = Vec::new();
    for symbol in rules.own().symbols.iter().filter(|symbol| symbol.kind == NameKind::Rule) {
        let mut add = |title: &str, action: Action| {
            lenses.push(Lens { span: symbol.span, title: title.to_string(), action });
        };
        if symbol.name == "main" {
            add("play", Action::Play);
            add("perft 4", Action::Perft);
            add("analyze", Action::Analyze);
        }
        add("coverage", Action::Coverage(symbol.name.clone()));
    }
    lenses
}
