//! What a text declares: each name with one line about it.

use multigame_syntax::Span;
use multigame_syntax::ast::{self, DeclarationKind, EvaluationItem, Scope};

use crate::names::NameKind;
use crate::tree::slice;

/// A name that rules declare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// What it names.
    pub kind: NameKind,
    /// One line: the comment before a rule, the range of a property.
    pub detail: String,
    /// Where the name is.
    pub span: Span,
    /// Where the whole of it is.
    pub whole: Span,
    /// The scope of a property.
    pub scope: Option<Scope>,
}

/// Collects symbols.
struct Symbols<'t> {
    text: &'t str,
    found: Vec<Symbol>,
}

/// The names that a program declares, in the order of its text.
pub(crate) fn symbols(program: &ast::Program, text: &str) -> Vec<Symbol> {
    let mut symbols = Symbols { text, found: Vec::new() };
    for declaration in &program.declarations {
        symbols.declaration(declaration);
    }
    for rule in &program.rules {
        let detail = comment_before(text, rule.span.start as usize);
        symbols.add(&rule.name, NameKind::Rule, detail, rule.span);
    }
    symbols.found.sort_by_key(|symbol| symbol.span);
    symbols.found
}

impl Symbols<'_> {
    fn add(&mut self, name: &ast::Name, kind: NameKind, detail: String, whole: Span) {
        let symbol = Symbol { name: name.text.clone(), kind, detail, span: name.span, whole, scope: None };
        self.found.push(symbol);
    }

    fn declaration(&mut self, declaration: &ast::Declaration) {
        match &declaration.kind {
            DeclarationKind::Pieces(pieces) => pieces.iter().for_each(|piece| self.piece(piece)),
            DeclarationKind::Properties(properties) => {
                properties.iter().for_each(|property| self.property(property));
            }
            DeclarationKind::Parameter { name, default, low, high } => {
                let [value, low, high] = [default, low, high].map(|e| slice(self.text, e.span));
                let detail = format!("{value} unless something else is asked for, {low} to {high}");
                self.add(name, NameKind::Parameter, detail, declaration.span);
            }
            DeclarationKind::Pattern { name, pattern } => {
                let detail = format!("short for `{}`", shortened(slice(self.text, pattern.span)));
                self.add(name, NameKind::Pattern, detail, declaration.span);
            }
            DeclarationKind::Directions(directions) => {
                directions.iter().for_each(|direction| self.direction(direction));
            }
            DeclarationKind::Abstractions(entries) => {
                for entry in entries {
                    let kept: Vec<&str> = entry.kept.iter().map(|name| name.text.as_str()).collect();
                    let detail = format!("tells {} apart", kept.join(", "));
                    self.add(&entry.name, NameKind::Abstraction, detail, entry.name.span);
                }
            }
            DeclarationKind::Evaluation(evaluation) => self.evaluation(evaluation, declaration.span),
            _ => {}
        }
    }

    fn piece(&mut self, piece: &ast::PieceDecl) {
        let signs: Vec<String> = piece.symbols.iter().map(|(sign, _)| format!("`{sign}`")).collect();
        let owner = if signs.len() == 1 { "nobody's piece" } else { "piece of both players" };
        let whole = piece.symbols.iter().fold(piece.name.span, |all, (_, span)| all.cover(*span));
        let detail = format!("{owner}, written {}", signs.join(" and "));
        self.add(&piece.name, NameKind::Piece, detail, whole);
    }

    fn property(&mut self, property: &ast::PropertyDecl) {
        let owner = match property.scope {
            Scope::Board => "of the board",
            Scope::Player => "of each player",
            Scope::Move => "while a move is made",
            Scope::Field => "of each field",
        };
        let [low, high] = [&property.low, &property.high].map(|e| slice(self.text, e.span));
        for name in &property.names {
            let detail = format!("number {owner}, {low} to {high}");
            self.add(name, NameKind::Property, detail, property.span);
            if let Some(symbol) = self.found.last_mut() {
                symbol.scope = Some(property.scope);
            }
        }
    }

    fn direction(&mut self, direction: &ast::DirectionDecl) {
        let mut add = |name: &ast::Name, back: Option<&ast::Name>| {
            let back = back.map_or(String::new(), |back| format!(", back is `{}`", back.text));
            self.add(name, NameKind::Direction, format!("direction of the board{back}"), name.span);
        };
        add(&direction.name, direction.opposite.as_ref());
        if let Some(back) = &direction.opposite {
            add(back, Some(&direction.name));
        }
    }

    fn evaluation(&mut self, evaluation: &ast::Evaluation, whole: Span) {
        if let Some(name) = &evaluation.name {
            self.add(name, NameKind::Evaluation, "what positions are worth".to_string(), whole);
        }
        for item in &evaluation.items {
            let terms = match item {
                EvaluationItem::Term(term) => std::slice::from_ref(term),
                EvaluationItem::Greatest(terms, _) => terms,
                _ => &[],
            };
            for term in terms {
                let value = slice(self.text, term.value.span).split_whitespace().collect::<Vec<_>>();
                let whole = term.name.span.cover(term.value.span);
                self.add(&term.name, NameKind::Term, shortened(&value.join(" ")), whole);
            }
        }
    }
}

/// One line that is not too long.
fn shortened(line: &str) -> String {
    match line.char_indices().nth(80) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line.to_string(),
    }
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
