//! What can be written at a place.
//!
//! A word that is surely new is put at the place and the text is read with it: where that word lands in the
//! tree is what can be written there.

mod context;
mod snippets;

use multigame_syntax::ast::Scope;
use multigame_syntax::{Span, is_reserved};

use crate::names::NameKind;
use crate::rules::Rules;
use crate::symbols::Symbol;
use crate::words::about;

pub use context::Part;
use context::{Context, context};
pub use snippets::{ALL as SNIPPETS, Snippet};

/// What is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is replaced: the word that has been begun.
    pub span: Span,
    /// What can replace it, the most likely first.
    pub items: Vec<Item>,
}

/// Something that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What is shown.
    pub label: String,
    /// What it is: `rule`, `statement`.
    pub kind: ItemKind,
    /// One line about it.
    pub detail: String,
    /// What is written, with places to fill in: `${1:usual}`, as every editor knows them.
    pub snippet: String,
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A word of the language.
    Word,
    /// A name.
    Name(NameKind),
}

/// What can be written at a place of the own text.
pub fn complete(rules: &Rules, offset: u32) -> Completion {
    let own = rules.own();
    let offset = rules.inside(offset);
    let before = &own.text[..offset as usize];
    let is_letter = |c: char| c == '_' || c.is_alphanumeric();
    let start = before.trim_end_matches(is_letter).len() as u32;
    let rest = &own.text[offset as usize..];
    let end = offset + (rest.len() - rest.trim_start_matches(is_letter).len()) as u32;
    let span = Span::new(start, end);
    let mut items = Items { rules, place: start, items: Vec::new() };
    if let Some((kind, begun)) = quoted_name(before) {
        match kind {
            NameKind::Library => items.libraries(false),
            _ => items.games(false),
        }
        let end = offset + rest.find(['"', '\n']).unwrap_or(rest.len()) as u32;
        return Completion { span: Span::new(offset - begun.len() as u32, end), items: items.items };
    }
    if !before[start as usize..].starts_with(|c: char| c.is_ascii_digit()) {
        items.at(&context(&own.text, span));
    }
    Completion { span, items: items.items }
}

/// The beginning of a quoted name of a base or library, if the text ends inside it.
fn quoted_name(before: &str) -> Option<(NameKind, &str)> {
    let line = before.rsplit('\n').next()?;
    let (words, begun) = line.rsplit_once('"')?;
    match words.split_whitespace().collect::<Vec<_>>()[..] {
        ["based", "on"] => Some((NameKind::Game, begun)),
        ["uses"] => Some((NameKind::Library, begun)),
        _ => None,
    }
}

/// What a snippet writes where nobody fills it in: the usual text of each place.
pub fn without_places(snippet: &str) -> String {
    let (mut plain, mut rest) = (String::new(), snippet);
    while let Some((before, behind)) = rest.split_once('$') {
        plain.push_str(before);
        let inside = behind.strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let Some((place, behind)) = inside else {
            rest = behind.trim_start_matches(|c: char| c.is_ascii_digit());
            continue;
        };
        let usual = place.trim_start_matches(|c: char| c.is_ascii_digit());
        let choice = usual.strip_prefix('|').map(|it| it.split([',', '|']).next().unwrap_or_default());
        plain.push_str(choice.unwrap_or(usual.trim_start_matches(':')));
        rest = behind;
    }
    plain + rest
}

/// Collects what is offered.
struct Items<'r> {
    rules: &'r Rules,
    place: u32,
    items: Vec<Item>,
}

impl Items<'_> {
    fn at(&mut self, context: &Context) {
        match context {
            Context::Nothing => {}
            Context::Words(words) => words.iter().for_each(|word| self.word(word)),
            Context::Item => self.item(),
            Context::Statement { connectors } => self.statement(connectors),
            Context::Connector(connectors) => connectors.iter().for_each(|word| self.word(word)),
            Context::Pattern => {
                self.names(NameKind::Argument);
                self.names(NameKind::Piece);
                self.names(NameKind::Pattern);
                self.snippets(Part::Pattern);
            }
            Context::OwnedPattern => {
                self.names(NameKind::Argument);
                self.names(NameKind::Piece);
                self.names(NameKind::Pattern);
                self.word("piece");
            }
            Context::Expression => {
                self.names(NameKind::Argument);
                self.names(NameKind::Property);
                self.names(NameKind::Parameter);
                self.snippets(Part::Expression);
            }
            Context::OwnedVariable => {
                self.names(NameKind::Argument);
                self.properties(|scope| scope == Scope::Player);
            }
            Context::Constant => {
                self.names(NameKind::Argument);
                self.names(NameKind::Parameter);
            }
            Context::Names(kinds) => kinds.iter().for_each(|kind| self.names(*kind)),
            Context::Entry(part) => self.entry(*part),
            Context::Game => self.games(true),
            Context::Library => self.libraries(true),
        }
    }

    /// The bundled games, in quotes where their names need them.
    fn games(&mut self, quotes: bool) {
        self.texts(NameKind::Game, multigame_library::names(), quotes);
    }

    fn libraries(&mut self, quotes: bool) {
        self.texts(NameKind::Library, multigame_library::libraries(), quotes);
    }

    fn texts(&mut self, kind: NameKind, names: Vec<String>, quotes: bool) {
        for name in names {
            let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let snippet = if is_word || !quotes { name.clone() } else { format!("\"{name}\"") };
            let detail = format!("bundled {}", kind.word());
            self.items.push(Item { label: name, kind: ItemKind::Name(kind), detail, snippet });
        }
    }

    /// At the beginning of a rule or a declaration: what is called and not there comes first.
    fn item(&mut self) {
        let mut missing: Vec<&str> = Vec::new();
        for name in &self.rules.own().occurrences {
            let known = is_reserved(&name.name) || self.rules.symbol(name.kind, &name.name).is_some();
            if name.kind == NameKind::Rule && !known && !missing.contains(&name.name.as_str()) {
                missing.push(&name.name);
            }
        }
        for name in missing {
            self.items.push(Item {
                label: name.to_string(),
                kind: ItemKind::Name(NameKind::Rule),
                detail: "a rule that is called and not there yet".to_string(),
                snippet: format!("{name} = $0."),
            });
        }
        self.snippets(Part::Item);
    }

    fn statement(&mut self, connectors: &[&'static str]) {
        self.names(NameKind::Argument);
        self.names(NameKind::Rule);
        self.names(NameKind::Direction);
        self.snippets(Part::Statement);
        connectors.iter().for_each(|word| self.word(word));
    }

    fn entry(&mut self, part: Part) {
        match part {
            Part::Looks | Part::Material => self.names(NameKind::Piece),
            Part::Setup => self.properties(|scope| scope != Scope::Move),
            _ => {}
        }
        self.snippets(part);
    }

    fn names(&mut self, kind: NameKind) {
        match kind {
            NameKind::Argument => self.arguments(),
            _ => self.symbols(|symbol| symbol.kind == kind),
        }
    }

    /// The parameters of the rule at the place.
    fn arguments(&mut self) {
        let rules = &self.rules.own().parse.program.rules;
        let around = rules.iter().find(|rule| rule.span.start <= self.place && self.place <= rule.span.end);
        for parameter in around.iter().flat_map(|rule| &rule.parameters) {
            self.items.push(Item {
                label: parameter.text.clone(),
                kind: ItemKind::Name(NameKind::Argument),
                detail: NameKind::Argument.word().to_string(),
                snippet: parameter.text.clone(),
            });
        }
    }

    fn properties(&mut self, wanted: impl Fn(Scope) -> bool) {
        self.symbols(|symbol| symbol.scope.is_some_and(&wanted));
    }

    fn symbols(&mut self, wanted: impl Fn(&Symbol) -> bool) {
        for (_, symbol) in self.rules.symbols().filter(|(_, symbol)| wanted(symbol)) {
            self.items.push(Item {
                label: symbol.name.clone(),
                kind: ItemKind::Name(symbol.kind),
                detail: symbol.detail.clone(),
                snippet: symbol.name.clone(),
            });
        }
    }

    fn snippets(&mut self, part: Part) {
        for snippet in SNIPPETS.iter().filter(|snippet| snippet.part == part) {
            self.items.push(Item {
                label: snippet.label.to_string(),
                kind: ItemKind::Word,
                detail: detail(snippet.label),
                snippet: snippet.text.to_string(),
            });
        }
    }

    fn word(&mut self, word: &str) {
        self.items.push(Item {
            label: word.to_string(),
            kind: ItemKind::Word,
            detail: detail(word),
            snippet: word.to_string(),
        });
    }
}

fn detail(word: &str) -> String {
    about(word).next().map_or(String::new(), |entry| entry.about.to_string())
}
