//! The meaning of a program: names, kinds, constants, and whether it can mean anything at all.
//!
//! [`analyze`] takes the tree of a rules file and gives a [`Model`], in which every name is a number and
//! every constant is computed, and a list of diagnostics. [`CODES`] explains each of them.
//!
//! **Invariant:** this crate knows what rules say, not how they run; it reads no files and prints nothing.
//! **Invariant:** any tree is analysed in bounded time and never panics. Checks that need too much work on a
//! hostile text give up silently: whatever they would have found is found again at run time.

mod basics;
mod board;
mod calls;
mod chance;
mod checker;
mod checks;
mod codes;
mod constant;
mod conventions;
mod directions;
mod evaluation;
mod expressions;
mod flow;
mod fold;
mod graph;
mod instances;
mod lints;
mod misreadings;
pub mod model;
mod patterns;
mod progress;
mod resolve;
mod setup;
mod stacks;
mod success;
mod suggest;
mod things;

use std::collections::BTreeSet;

use multigame_game::{Description, NoMoves, Stacks};
use multigame_syntax::ast::{self, DeclarationKind, SetupItem};
use multigame_syntax::{Diagnostic, Severity, Span};

pub use codes::CODES;
pub use model::Model;

use checker::Checker;
use model::{Rule, RuleId};
use suggest::shown;

/// Everything known about a program.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The resolved program; absent if there is any error.
    pub model: Option<Model>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves and checks a program. `parameters` are the values chosen for this game; the others are as
/// declared.
pub fn analyze(program: &ast::Program, parameters: &[(String, i64)]) -> Analysis {
    match instances::written_out(program) {
        None => analyze_plain(program, parameters, Vec::new()),
        Some((program, found)) => analyze_plain(&program, parameters, found),
    }
}

/// The same for a program without parameters of rules; `found` is what is known to be wrong.
fn analyze_plain(program: &ast::Program, parameters: &[(String, i64)], found: Vec<Diagnostic>) -> Analysis {
    let mut checker = Checker::new(program);
    found.into_iter().for_each(|diagnostic| checker.report(diagnostic));
    checker.declare_parameters(parameters);
    checker.declare_basics();
    checker.declare_pieces();
    checker.declare_patterns();
    checker.declare_properties();
    checker.declare_stacks();
    checker.declare_rules();
    checker.declare_board();
    checker.place_properties();
    let initial = checker.initial();
    let notation = checker.notation();
    checker.check_judge();
    let looks = checker.looks();
    let abstractions = checker.abstractions();
    let mut rules = checker.resolve_rules();
    let evaluations = checker.evaluations(&mut rules);
    let mut entries = checker.entries();
    entries.evaluations = (checker.program.rules.len() as u32..rules.len() as u32).map(RuleId).collect();
    checker.check_rules(&rules, &entries);
    let main = checker.main_with_chance(&mut rules, &entries);

    let chance = checker.chance_of_positions();
    let complete = !checker.has_errors() && !checker.incomplete;
    let mut diagnostics = checker.diagnostics;
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.severity));
    let model = match (main, checker.board) {
        (Some(main), Some(board)) if complete => Some(Model {
            description: Description {
                name: String::new(),
                players: checker.players,
                board,
                pieces: checker.pieces,
                properties: checker.properties,
                chance,
                no_moves: checker.no_moves.unwrap_or(NoMoves::Loss),
                repetition: checker.repetition,
                notation,
                stacks: checker.stacks.as_ref().map(|stacks| Stacks { covered: stacks.covered.clone() }),
                looks,
                initial,
            },
            stacks: checker.stacks,
            move_properties: checker.move_properties,
            rules,
            main,
            goal: entries.goal,
            last: entries.last,
            judge: entries.judge.map(|rule| (rule, checker.cycle)),
            setup_rule: entries.setup,
            abstractions,
            evaluations,
        }),
        _ => None,
    };
    debug_assert!(model.is_some() || !complete || diagnostics.iter().any(|d| d.severity == Severity::Error));
    Analysis { model, diagnostics }
}

/// The rules that are run from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    pub main: Option<RuleId>,
    pub goal: Option<RuleId>,
    pub last: Option<RuleId>,
    pub judge: Option<RuleId>,
    pub setup: Option<RuleId>,
    pub chance: Option<RuleId>,
    pub evaluations: Vec<RuleId>,
}

impl Entries {
    /// Those that there are, `main` first.
    pub fn all(&self) -> impl Iterator<Item = RuleId> {
        let named = [self.main, self.goal, self.last, self.judge, self.setup, self.chance];
        let named = named.into_iter().flatten();
        named.chain(self.evaluations.iter().copied())
    }
}

impl<'a> Checker<'a> {
    fn declare_rules(&mut self) {
        for (number, rule) in self.program.rules.iter().enumerate() {
            self.check_length(&rule.name);
            if let Some(first) = self.rule_names.get(rule.name.text.as_str()) {
                let first = self.program.rules[first.index()].name.span;
                self.declared_twice(&format!("rule `{}`", shown(&rule.name.text)), rule.name.span, first);
            } else {
                self.rule_names.insert(&rule.name.text, RuleId(number as u32));
            }
        }
    }

    fn resolve_rules(&mut self) -> Vec<Rule> {
        let rules = self.program.rules.iter();
        rules
            .map(|rule| Rule {
                name: rule.name.text.clone(),
                name_span: rule.name.span,
                body: self.statement(&rule.body),
            })
            .collect()
    }

    /// Finds the rules that are run from outside; `main` must exist.
    fn entries(&mut self) -> Entries {
        let rule = |name: &str| self.rule_names.get(name).copied();
        let mut entries = Entries {
            main: rule("main"),
            goal: rule("goal").filter(|_| self.players == 1),
            last: rule("final").filter(|_| self.no_moves == Some(NoMoves::Pass)),
            judge: rule("repeated").filter(|_| self.is_judged()),
            setup: None,
            chance: rule("chance").filter(|_| self.chance.is_some()),
            evaluations: Vec::new(),
        };
        let program = self.program;
        let mut applied: BTreeSet<&str> = BTreeSet::new();
        for declaration in &program.declarations {
            let DeclarationKind::Setup(items) = &declaration.kind else { continue };
            for item in items {
                let SetupItem::Apply(name) = item else { continue };
                if !applied.is_empty() {
                    let diagnostic =
                        Diagnostic::error("double-declaration", name.span, "a setup can apply one rule");
                    self.report(diagnostic.help("write a rule that calls the others"));
                }
                applied.insert(&name.text);
                entries.setup = self.rule_names.get(name.text.as_str()).copied();
                if entries.setup.is_none() {
                    let known: Vec<&str> = self.rule_names.keys().copied().collect();
                    let diagnostic = self.undefined("undefined-rule", "rule", &name.text, name.span, known);
                    self.report(diagnostic);
                }
            }
        }
        if entries.main.is_none() {
            self.no_main();
        }
        self.check_chance(entries.chance.is_some());
        entries
    }

    fn no_main(&mut self) {
        let known: Vec<&str> = self.rule_names.keys().copied().collect();
        let near = suggest::closest("main", known);
        let mut diagnostic = Diagnostic::error("no-main", Span::default(), "there is no rule `main`")
            .help("`main` says what one move is: `main = find own pawn, ... .`");
        if let Some(near) = near {
            let span = self.program.rules[self.rule_names[near].index()].name.span;
            diagnostic.span = span;
            diagnostic = diagnostic.label("did you mean this one?").fix("call it `main`", span, "main");
        }
        self.report(diagnostic);
    }
}
