//! `notation` and `looks`: what players know and like to see; `abstractions`: what solvers of puzzles may
//! overlook.

use std::collections::BTreeSet;

use multigame_game::{Abstraction, FenProperties, Looks, NotationStyle, PieceSet};
use multigame_syntax::Diagnostic;
use multigame_syntax::ast::{DeclarationKind, LooksItem, Name, NotationItem, Scope};

use crate::board::count;
use crate::checker::Checker;
use crate::suggest::{list, shown};

const STYLES: [&str; 10] =
    ["uci", "algebraic", "usi", "iccs", "pdn", "coordinates", "column", "shift", "lurd", "fen"];
const FIELDS: [&str; 4] = ["chequered", "plain", "lines", "holes"];

/// Longer glyphs and colours are mistakes.
const LONGEST_LOOK: usize = 32;

impl<'a> Checker<'a> {
    /// Reads all `notation` blocks.
    pub fn notation(&mut self) -> Vec<NotationStyle> {
        let mut styles = Vec::new();
        for declaration in &self.program.declarations {
            let DeclarationKind::Notation(items) = &declaration.kind else { continue };
            for item in items {
                if let Some(style) = self.notation_style(item) {
                    if styles.contains(&style) {
                        self.declared_twice(
                            &format!("notation `{}`", item.name.text),
                            item.name.span,
                            declaration.span,
                        );
                    }
                    styles.push(style);
                }
            }
        }
        styles
    }

    fn notation_style(&mut self, item: &'a NotationItem) -> Option<NotationStyle> {
        let name = item.name.text.as_str();
        if name == "fen" {
            return self.fen(item);
        }
        let Some(style) = NotationStyle::plain(name) else {
            let diagnostic = self.undefined("unknown-notation", "notation", name, item.name.span, STYLES);
            self.report(diagnostic.help(format!("{} are known", list(STYLES))));
            return None;
        };
        if !item.arguments.is_empty() {
            let message = format!("notation `{}` takes no names", item.name.text);
            self.report(Diagnostic::error("notation-arguments", item.name.span, message));
        }
        Some(style)
    }

    fn fen(&mut self, item: &'a NotationItem) -> Option<NotationStyle> {
        let help = "write `fen (king_side, queen_side, en_passant, half_moves)`: two player and two board properties";
        let [king_side, queen_side, en_passant, half_moves] = item.arguments.as_slice() else {
            let message = format!("`fen` takes 4 property names, not {}", item.arguments.len());
            self.report(Diagnostic::error("notation-arguments", item.name.span, message).help(help));
            return None;
        };
        let expected = [
            (king_side, Scope::Player),
            (queen_side, Scope::Player),
            (en_passant, Scope::Board),
            (half_moves, Scope::Board),
        ];
        let fitting = expected.map(|(name, scope)| self.check_fen_property(name, scope, help));
        fitting.iter().all(|fits| *fits).then(|| {
            NotationStyle::Fen(FenProperties {
                king_side: king_side.text.clone(),
                queen_side: queen_side.text.clone(),
                en_passant: en_passant.text.clone(),
                half_moves: half_moves.text.clone(),
            })
        })
    }

    fn check_fen_property(&mut self, name: &'a Name, scope: Scope, help: &str) -> bool {
        self.used_properties.insert(&name.text);
        let Some(entry) = self.property_names.get(name.text.as_str()).copied() else {
            let known: Vec<&str> = self.property_names.keys().copied().collect();
            let diagnostic = self.undefined("undefined-property", "property", &name.text, name.span, known);
            self.report(diagnostic.help(help));
            return false;
        };
        if entry.scope != scope {
            let word = if scope == Scope::Player { "player" } else { "board" };
            let message = format!("`{}` is not a {word} property", shown(&name.text));
            self.report(
                Diagnostic::error("notation-arguments", name.span, message)
                    .label(format!("a {word} property is expected"))
                    .related(entry.span, "declared here"),
            );
        }
        entry.scope == scope
    }

    /// Reads all `looks` blocks; glyphs and colours go to the pieces.
    pub fn looks(&mut self) -> Looks {
        let mut looks = Looks::default();
        let mut seen = BTreeSet::new();
        for declaration in &self.program.declarations {
            let DeclarationKind::Looks(items) = &declaration.kind else { continue };
            for item in items {
                if !seen.insert((item.name.text.as_str(), item.colour)) {
                    let what = format!("the look of `{}`", shown(&item.name.text));
                    self.declared_twice(&what, item.name.span, declaration.span);
                }
                if self.looks_make_sense(item) {
                    self.look(item, &mut looks);
                }
            }
        }
        looks
    }

    /// Reads all `abstractions` blocks: views of a puzzle that tell only some pieces apart.
    pub fn abstractions(&mut self) -> Vec<Abstraction> {
        let mut abstractions: Vec<Abstraction> = Vec::new();
        let mut spans = Vec::new();
        for declaration in &self.program.declarations {
            let DeclarationKind::Abstractions(entries) = &declaration.kind else { continue };
            if self.players != 1 {
                let message = "abstractions are for puzzles: they need `players = 1`";
                self.report(Diagnostic::error("bad-abstraction", declaration.span, message));
                continue;
            }
            for entry in entries {
                let name = &entry.name;
                if let Some(first) = abstractions.iter().position(|other| other.name == name.text) {
                    let what = format!("the abstraction `{}`", shown(&name.text));
                    self.declared_twice(&what, name.span, spans[first]);
                }
                let kept = self.kept_pieces(&entry.kept);
                abstractions.push(Abstraction { name: name.text.clone(), kept });
                spans.push(name.span);
            }
        }
        abstractions
    }

    fn kept_pieces(&mut self, names: &[Name]) -> PieceSet {
        let mut kept = PieceSet::EMPTY;
        for name in names {
            let Some(entry) = self.piece_names.get(name.text.as_str()).copied() else {
                let known: Vec<&str> = self.piece_names.keys().copied().collect();
                let diagnostic = self.undefined("undefined-piece", "piece", &name.text, name.span, known);
                self.report(diagnostic);
                continue;
            };
            if kept.contains(entry.own[0]) {
                let message = format!("`{}` is kept already", shown(&name.text));
                self.report(Diagnostic::error("bad-abstraction", name.span, message));
            }
            kept.insert(entry.own[0]);
        }
        kept
    }

    fn looks_make_sense(&mut self, item: &LooksItem) -> bool {
        if item.values.is_empty() {
            self.incomplete = true;
            return false;
        }
        for (text, span) in &item.values {
            if text.is_empty() || text.chars().count() > LONGEST_LOOK || text.chars().any(char::is_control) {
                let message = format!("1 to {LONGEST_LOOK} signs are expected");
                self.report(Diagnostic::error("bad-look", *span, message));
                return false;
            }
        }
        true
    }

    fn look(&mut self, item: &LooksItem, looks: &mut Looks) {
        let Some(entry) = self.piece_names.get(item.name.text.as_str()).copied() else {
            return self.look_of_fields(item, looks);
        };
        let [first, last] = entry.own.map(|piece| piece.index());
        let most = if first == last { 1 } else { 2 };
        if item.values.len() > most {
            let message = format!(
                "`{}` has {}, so {} expected",
                shown(&item.name.text),
                count(most, "form"),
                if most == 1 { "one string is" } else { "one or two strings are" }
            );
            return self.report(Diagnostic::error("bad-look", item.values[most].1, message));
        }
        for (piece, text) in [(first, &item.values[0].0), (last, &item.values[item.values.len() - 1].0)] {
            let info = &mut self.pieces[piece];
            *(if item.colour { &mut info.colour } else { &mut info.glyph }) = Some(text.clone());
        }
    }

    fn look_of_fields(&mut self, item: &LooksItem, looks: &mut Looks) {
        if item.name.text != "fields" {
            let known: Vec<&str> = self.piece_names.keys().copied().chain(["fields"]).collect();
            let diagnostic =
                self.undefined("undefined-piece", "piece", &item.name.text, item.name.span, known);
            return self.report(diagnostic);
        }
        let (text, span) = &item.values[0];
        if item.values.len() > 1 || item.colour || !FIELDS.contains(&text.as_str()) {
            let message = format!("fields cannot look like `{}`", shown(text));
            let label = format!("one of {} is expected", list(FIELDS));
            return self.report(Diagnostic::error("bad-look", *span, message).label(label));
        }
        looks.fields = Some(text.clone());
    }
}
