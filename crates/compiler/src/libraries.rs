//! `uses`: rules, patterns, properties and parameters that libraries add to a game.
//!
//! A game gets what it names, and what that names; the rest of a library is not looked at. So a library may
//! have rules for boards and pieces that this game does not have.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use multigame_syntax::ast::{Declaration, DeclarationKind, Name, Program, PropertyDecl, Rule};
use multigame_syntax::{Diagnostic, Span, closest};

use crate::bases::Texts;

/// Rules that a library cannot have, because they are the game's.
const ENTRIES: [&str; 5] = ["main", "goal", "final", "repeated", "chance"];

/// The libraries beside the rules: texts by name.
pub type Libraries = BTreeMap<String, String>;

/// The names of the libraries that a text uses itself.
pub fn libraries_used(text: &str) -> Vec<String> {
    let names = |declaration: Declaration| match declaration.kind {
        DeclarationKind::Uses(name) => Some(name.text),
        _ => None,
    };
    multigame_syntax::parse(text).program.declarations.into_iter().filter_map(names).collect()
}

/// Whether this can be the name of a library, which is that of its file.
pub fn is_library_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// What libraries offer and nobody has asked for yet.
#[derive(Default)]
struct Offer {
    rules: Vec<(Rule, BTreeSet<String>)>,
    declarations: Vec<(Declaration, BTreeSet<String>)>,
}

/// Adds what a game needs of the libraries it uses; `named` are the words of its texts.
pub(crate) fn add(
    texts: &mut Texts,
    own: &Libraries,
    program: &mut Program,
    named: BTreeSet<String>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut wanted: VecDeque<(Name, Span)> = uses(&program.declarations, texts);
    let mut met = BTreeSet::new();
    let mut offer = Offer::default();
    while let Some((name, declared)) = wanted.pop_front() {
        if !met.insert(name.text.clone()) {
            continue;
        }
        let found = own.get(&name.text).cloned().or_else(|| multigame_library::library(&name.text));
        let Some(text) = found else {
            diagnostics.push(unknown(&name, own));
            continue;
        };
        let parse = texts.read(name.text, &text, declared, true);
        diagnostics.extend(parse.diagnostics);
        program.has_arguments |= parse.program.has_arguments;
        wanted.extend(uses(&parse.program.declarations, texts));
        let start = texts.last_start();
        let words = |span: Span| {
            let place = |offset: u32| offset.saturating_sub(start) as usize;
            words(text.get(place(span.start)..place(span.end)).unwrap_or_default())
        };
        for rule in parse.program.rules {
            if ENTRIES.contains(&rule.name.text.as_str()) {
                let message = format!("a library has no rule `{}`: that is the game's", rule.name.text);
                diagnostics.push(Diagnostic::error("not-in-a-library", rule.name.span, message));
                continue;
            }
            let words = words(rule.span);
            offer.rules.push((rule, words));
        }
        for declaration in parse.program.declarations {
            let named_here = words(declaration.span);
            match &declaration.kind {
                DeclarationKind::Uses(_) => {}
                DeclarationKind::Pattern { .. } | DeclarationKind::Parameter { .. } => {
                    offer.declarations.push((declaration, named_here));
                }
                // Each can be asked for without the others.
                DeclarationKind::Properties(entries) => {
                    for (entry, name) in
                        entries.iter().flat_map(|entry| entry.names.iter().map(move |name| (entry, name)))
                    {
                        let one = PropertyDecl { names: vec![name.clone()], ..entry.clone() };
                        let kind = DeclarationKind::Properties(vec![one]);
                        let words =
                            [&entry.low, &entry.high].into_iter().flat_map(|e| words(e.span)).collect();
                        offer.declarations.push((Declaration { kind, span: declaration.span }, words));
                    }
                }
                _ => {
                    let message = "a library has rules, patterns, properties and parameters only";
                    diagnostics.push(Diagnostic::error("not-in-a-library", declaration.span, message));
                }
            }
        }
    }
    offer.add_named(program, named);
}

impl Offer {
    /// Adds what is named to a program, and what that names, and so on.
    fn add_named(mut self, program: &mut Program, mut named: BTreeSet<String>) {
        // A declaration of the game takes the place of that of a library.
        let rules: BTreeSet<String> = program.rules.iter().map(|rule| rule.name.text.clone()).collect();
        self.rules.retain(|(rule, _)| !rules.contains(&rule.name.text));
        let declared: BTreeSet<String> = program.declarations.iter().flat_map(names).collect();
        self.declarations
            .retain(|(declaration, _)| names(declaration).iter().any(|name| !declared.contains(name)));
        loop {
            let before = named.len();
            let wanted = |rule: &Rule| named.contains(&rule.name.text);
            let (rules, rest) = self.rules.into_iter().partition(|(rule, _)| wanted(rule));
            self.rules = rest;
            let taken: Vec<(Rule, BTreeSet<String>)> = rules;
            let wanted =
                |declaration: &Declaration| names(declaration).iter().any(|name| named.contains(name));
            let (declarations, rest) = self.declarations.into_iter().partition(|(one, _)| wanted(one));
            self.declarations = rest;
            let more: Vec<(Declaration, BTreeSet<String>)> = declarations;
            let done = taken.is_empty() && more.is_empty();
            for (rule, words) in taken {
                program.rules.push(rule);
                named.extend(words);
            }
            for (declaration, words) in more {
                program.declarations.push(declaration);
                named.extend(words);
            }
            if done || named.len() == before {
                return;
            }
        }
    }
}

/// The libraries that declarations use, each with the place in the game's own text that stands for it.
fn uses(declarations: &[Declaration], texts: &Texts) -> VecDeque<(Name, Span)> {
    let names = declarations.iter().filter_map(|declaration| match &declaration.kind {
        DeclarationKind::Uses(name) => Some(name.clone()),
        _ => None,
    });
    names
        .map(|name| {
            let span = texts.place(name.span).span;
            (name, span)
        })
        .collect()
}

/// The names that a declaration of a library may declare.
fn names(declaration: &Declaration) -> Vec<String> {
    match &declaration.kind {
        DeclarationKind::Pattern { name, .. } | DeclarationKind::Parameter { name, .. } => {
            vec![name.text.clone()]
        }
        DeclarationKind::Properties(entries) => {
            entries.iter().flat_map(|entry| &entry.names).map(|name| name.text.clone()).collect()
        }
        DeclarationKind::Pieces(entries) => entries.iter().map(|entry| entry.name.text.clone()).collect(),
        _ => Vec::new(),
    }
}

/// The words of a text, those of comments left out.
pub(crate) fn words(text: &str) -> BTreeSet<String> {
    let code = text.lines().map(|line| {
        // A `#` between quotes is a symbol and begins no comment.
        let mut quote = None;
        let comment = line.char_indices().find(|&(_, c)| {
            match quote {
                None if matches!(c, '"' | '\'') => quote = Some(c),
                Some(open) if open == c => quote = None,
                _ => {}
            }
            c == '#' && quote.is_none()
        });
        comment.map_or(line, |(at, _)| &line[..at])
    });
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code.flat_map(|line| line.split(move |c| !is_part(c))).map(str::to_string).collect()
}

fn unknown(name: &Name, own: &Libraries) -> Diagnostic {
    let message = format!("there is no library `{}`", name.text);
    let diagnostic = Diagnostic::error("unknown-library", name.span, message);
    if !is_library_name(&name.text) {
        return diagnostic
            .help("a library is called by its name: letters, digits, `-` and `_`, without `.mg`");
    }
    let bundled = multigame_library::libraries();
    let known = own.keys().chain(&bundled).map(String::as_str);
    match closest(&name.text, known) {
        Some(near) => diagnostic.label(format!("did you mean `{near}`?")),
        None => diagnostic.help(format!(
            "bundled are {}; your own is a file `{}.mg` beside the rules",
            bundled.join(", "),
            name.text
        )),
    }
}
