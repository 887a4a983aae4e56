//! `based on` and `uses`: the rules of a game, of those it changes and of libraries, put together.
//!
//! A game's own declarations and rules come first; from the game it is based on comes what it does not
//! replace. Places in the text of a base lie behind the text of the game, as if all texts stood one after the
//! other, and are translated back when something is said about them.

use std::collections::BTreeSet;
use std::mem::discriminant;

use multigame_syntax::ast::{Declaration, DeclarationKind, Name, Program};
use multigame_syntax::{Diagnostic, Parse, Severity, Span, closest};

use crate::libraries::{self, Libraries};

/// The texts a game consists of.
pub(crate) struct Texts {
    /// Where each line of the game's own text begins.
    own: Vec<u32>,
    /// Length of the game's own text.
    length: u32,
    bases: Vec<Base>,
    /// Where the last text ends.
    end: u32,
}

/// The text of a game that another one is based on, or of a library.
struct Base {
    name: String,
    is_library: bool,
    text: String,
    /// Where it begins behind the texts before it.
    start: u32,
    /// Where each of its lines begins.
    lines: Vec<u32>,
    /// Where the game's own text says that it is based on something, or uses it.
    declared: Span,
}

/// What there is to say about a place.
pub(crate) struct Place {
    /// The base it is in, if it is in one.
    pub base: Option<String>,
    /// The line in the text it is in, from 1.
    pub line: u32,
    /// The place in the game's own text that represents it.
    pub span: Span,
}

impl Texts {
    /// Puts a game, its bases and its libraries together; `program` is what its own text says and becomes
    /// what they say together.
    pub fn compose(
        name: &str,
        text: &str,
        own: &Libraries,
        program: &mut Program,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Texts {
        let length = text.len() as u32;
        let mut texts = Texts { own: line_starts(text), length, bases: Vec::new(), end: length };
        let mut met = vec![name.to_string()];
        let mut next = base_of(&program.declarations, diagnostics);
        while let Some(base) = next.take() {
            let declared = texts.bases.first().map_or(base.span, |first| first.declared);
            if met.contains(&base.text) {
                let message = format!("`{}` cannot be based on itself", base.text);
                diagnostics.push(Diagnostic::error("circular-base", declared, message));
                break;
            }
            let Some(rules) = multigame_library::rules(&base.text) else {
                diagnostics.push(unknown_base(&base, declared));
                break;
            };
            met.push(base.text.clone());
            let parse = texts.read(base.text, &rules, declared, false);
            diagnostics.extend(parse.diagnostics);
            next = base_of(&parse.program.declarations, diagnostics);
            add(program, parse.program);
        }
        if program.declarations.iter().any(|one| matches!(one.kind, DeclarationKind::Uses(_))) {
            let all = std::iter::once(text).chain(texts.bases.iter().map(|base| base.text.as_str()));
            let named = all.flat_map(libraries::words).collect();
            libraries::add(&mut texts, own, program, named, diagnostics);
        }
        texts
    }

    /// Reads another text as if it stood behind those so far; `declared` is the place in the game's own text
    /// that stands for it.
    pub fn read(&mut self, name: String, text: &str, declared: Span, is_library: bool) -> Parse {
        // Blanks before it move every place in the text behind the texts so far.
        let start = self.end + 1;
        let parse = multigame_syntax::parse(&format!("{:1$}{text}", "", start as usize));
        self.end = start + text.len() as u32;
        let (text, lines) = (text.to_string(), line_starts(text));
        self.bases.push(Base { name, is_library, text, start, lines, declared });
        parse
    }

    /// Where the text begins that was read last.
    pub fn last_start(&self) -> u32 {
        self.bases.last().map_or(0, |base| base.start)
    }

    /// Translates a place.
    pub fn place(&self, span: Span) -> Place {
        match self.base_at(span) {
            None => Place { base: None, line: line_of(&self.own, span.start), span },
            Some(base) => Place {
                base: Some(base.name.clone()),
                line: line_of(&base.lines, span.start - base.start),
                span: base.declared,
            },
        }
    }

    fn base_at(&self, span: Span) -> Option<&Base> {
        self.bases.iter().rev().find(|base| span.start >= base.start)
    }

    /// A diagnostic with all places in the game's own text; nothing if it is a warning about a base, which
    /// has its own readers.
    pub fn translate(&self, mut diagnostic: Diagnostic) -> Option<Diagnostic> {
        let place = self.place(diagnostic.span);
        if let Some(base) = self.base_at(diagnostic.span) {
            if diagnostic.severity != Severity::Error {
                return None;
            }
            let written = base.text.lines().nth(place.line as usize - 1).unwrap_or_default().trim();
            let label = std::mem::take(&mut diagnostic.label);
            diagnostic.message = format!("in {}, line {}: {}", base.called(), place.line, diagnostic.message);
            diagnostic.label = format!("the line is: {written}");
            diagnostic.span = place.span;
            diagnostic.related.clear();
            diagnostic.help.extend(Some(label).filter(|label| !label.is_empty()));
        }
        for label in &mut diagnostic.related {
            let place = self.place(label.span);
            if let Some(base) = self.base_at(label.span) {
                label.message = format!("{} (in {}, line {})", label.message, base.called(), place.line);
                label.span = place.span;
            }
        }
        if diagnostic.fix.as_ref().is_some_and(|fix| fix.span.start > self.length) {
            diagnostic.fix = None;
        }
        Some(diagnostic)
    }
}

impl Base {
    /// What messages call it.
    fn called(&self) -> String {
        if self.is_library { format!("library `{}`", self.name) } else { format!("`{}`", self.name) }
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
    std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect()
}

/// The line of a byte, from 1.
fn line_of(starts: &[u32], offset: u32) -> u32 {
    starts.partition_point(|&start| start <= offset) as u32
}

/// The game that declarations are based on.
fn base_of(declarations: &[Declaration], diagnostics: &mut Vec<Diagnostic>) -> Option<Name> {
    let mut bases = declarations.iter().filter_map(|declaration| match &declaration.kind {
        DeclarationKind::BasedOn(name) => Some((name, declaration.span)),
        _ => None,
    });
    let first = bases.next();
    for (_, span) in bases {
        let message = "a game can be based on one other game only";
        diagnostics.push(Diagnostic::error("double-declaration", span, message));
    }
    first.map(|(name, span)| Name { text: name.text.clone(), span })
}

fn unknown_base(base: &Name, declared: Span) -> Diagnostic {
    let names = multigame_library::names();
    let message = format!("there is no bundled game `{}`", base.text);
    let diagnostic = Diagnostic::error("unknown-base", declared, message);
    match closest(&base.text, names.iter().map(String::as_str)) {
        Some(near) => diagnostic.label(format!("did you mean `{near}`?")),
        None => diagnostic.help("`multigame games` lists the games that rules can be based on"),
    }
}

/// Adds what a base says and the program does not say itself.
fn add(program: &mut Program, base: Program) {
    program.has_arguments |= base.has_arguments;
    let rules: BTreeSet<String> = program.rules.iter().map(|rule| rule.name.text.clone()).collect();
    program.rules.extend(base.rules.into_iter().filter(|rule| !rules.contains(&rule.name.text)));
    let own = Own::new(&program.declarations);
    let added =
        base.declarations.into_iter().filter_map(|declaration| own.rest(declaration)).collect::<Vec<_>>();
    program.declarations.extend(added);
}

/// What a game declares itself.
#[derive(Default)]
struct Own {
    pieces: BTreeSet<String>,
    properties: BTreeSet<String>,
    parameters: BTreeSet<String>,
    patterns: BTreeSet<String>,
    looks: BTreeSet<(String, bool)>,
    /// Declarations that are replaced as a whole.
    whole: Vec<std::mem::Discriminant<DeclarationKind>>,
}

impl Own {
    fn new(declarations: &[Declaration]) -> Own {
        let mut own = Own::default();
        for declaration in declarations {
            match &declaration.kind {
                DeclarationKind::Pieces(entries) => {
                    own.pieces.extend(entries.iter().map(|entry| entry.name.text.clone()));
                }
                DeclarationKind::Properties(entries) => {
                    let names = entries.iter().flat_map(|entry| &entry.names);
                    own.properties.extend(names.map(|name| name.text.clone()));
                }
                DeclarationKind::Parameter { name, .. } => {
                    own.parameters.insert(name.text.clone());
                }
                DeclarationKind::Pattern { name, .. } => {
                    own.patterns.insert(name.text.clone());
                }
                DeclarationKind::Looks(entries) => {
                    own.looks.extend(entries.iter().map(|entry| (entry.name.text.clone(), entry.colour)));
                }
                DeclarationKind::Uses(_) => {}
                kind => own.whole.push(discriminant(kind)),
            }
        }
        own
    }

    /// What is left of a base's declaration.
    fn rest(&self, mut declaration: Declaration) -> Option<Declaration> {
        let stays = match &mut declaration.kind {
            DeclarationKind::BasedOn(_) => false,
            // What the base uses is used.
            DeclarationKind::Uses(_) => true,
            DeclarationKind::Pieces(entries) => {
                entries.retain(|entry| !self.pieces.contains(&entry.name.text));
                !entries.is_empty()
            }
            DeclarationKind::Properties(entries) => {
                let names = |name: &Name| {
                    !self.properties.contains(&name.text) && !self.parameters.contains(&name.text)
                };
                entries.iter_mut().for_each(|entry| entry.names.retain(names));
                entries.retain(|entry| !entry.names.is_empty());
                !entries.is_empty()
            }
            DeclarationKind::Parameter { name, .. } => {
                !self.parameters.contains(&name.text) && !self.properties.contains(&name.text)
            }
            // A piece may take the place of a pattern.
            DeclarationKind::Pattern { name, .. } => {
                !self.patterns.contains(&name.text) && !self.pieces.contains(&name.text)
            }
            DeclarationKind::Looks(entries) => {
                entries.retain(|entry| !self.looks.contains(&(entry.name.text.clone(), entry.colour)));
                !entries.is_empty()
            }
            kind => !self.whole.contains(&discriminant(kind)),
        };
        stays.then_some(declaration)
    }
}
