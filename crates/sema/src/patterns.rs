//! Patterns: the content of a field, and the pieces put there.

use std::collections::BTreeMap;

use multigame_game::{Piece, PieceSet, Side};
use multigame_syntax::ast::{self, DeclarationKind, Owner, PatternKind};
use multigame_syntax::{Diagnostic, Span};

use crate::checker::{Checker, NamedPattern, PatternEntry, PatternState};
use crate::model::Pattern;
use crate::suggest::shown;

impl<'a> Checker<'a> {
    /// Resolves a pattern; a part that cannot be resolved is reported and makes the whole unknown.
    pub fn pattern(&mut self, pattern: &'a ast::Pattern) -> Option<Pattern> {
        let resolved = self.pattern_sets(pattern)?;
        if resolved.0 == [PieceSet::EMPTY; 2] {
            self.report(
                Diagnostic::warning("never-matches", pattern.span, "this pattern never matches")
                    .label("there are no such pieces"),
            );
        }
        Some(resolved)
    }

    fn pattern_sets(&mut self, pattern: &'a ast::Pattern) -> Option<Pattern> {
        let all = |pieces: std::ops::Range<usize>| pieces.map(|piece| Piece(piece as u8)).collect();
        let count = self.pieces.len();
        match &pattern.kind {
            PatternKind::Missing => {
                self.incomplete = true;
                None
            }
            PatternKind::Any(parts) => {
                if !self.enter(pattern.span) {
                    return None;
                }
                let resolved: Vec<_> = parts.iter().map(|part| self.pattern_sets(part)).collect();
                self.leave();
                resolved.into_iter().try_fold(Pattern([PieceSet::EMPTY; 2]), |union, part| {
                    let part = part?;
                    Some(Pattern([union.0[0].union(part.0[0]), union.0[1].union(part.0[1])]))
                })
            }
            PatternKind::EmptyField => Some(Pattern([PieceSet::of(Piece::NONE); 2])),
            PatternKind::AnyField => Some(Pattern([all(0..count); 2])),
            PatternKind::AnyPiece => Some(Pattern([all(1..count); 2])),
            PatternKind::OwnPiece => Some(Pattern(Side::BOTH.map(|side| self.pieces_of(side)))),
            PatternKind::OpponentsPiece => {
                if self.players == 1 {
                    self.no_opponent(pattern.span);
                    return None;
                }
                Some(Pattern(Side::BOTH.map(|side| self.pieces_of(side.opponent()))))
            }
            PatternKind::Piece(owner, name) => {
                if let Some(named) = self.named_pattern(*owner, name, pattern.span) {
                    return named.map(|named| named.matches);
                }
                let own = self.piece(*owner, name, pattern.span)?;
                Some(Pattern(own.map(PieceSet::of)))
            }
        }
    }

    fn pieces_of(&self, side: Side) -> PieceSet {
        // In a puzzle all pieces belong to the one player.
        let side = if self.players == 1 { Side::White } else { side };
        (1..self.pieces.len())
            .filter(|&piece| self.pieces[piece].side == Some(side))
            .map(|piece| Piece(piece as u8))
            .collect()
    }

    /// The meaning of a piece's name for White and for Black.
    fn piece(&mut self, owner: Owner, name: &'a ast::Name, span: Span) -> Option<[Piece; 2]> {
        let Some(entry) = self.piece_names.get(name.text.as_str()).copied() else {
            let mut known: Vec<&str> = Vec::new();
            if !self.is_flooded() {
                known.extend(self.piece_names.keys().chain(self.pattern_names.keys()));
            }
            let diagnostic = self.undefined("undefined-piece", "piece", &name.text, name.span, known);
            self.report(diagnostic);
            return None;
        };
        if owner == Owner::Opponents && self.players == 1 {
            self.no_opponent(span);
            return None;
        }
        if owner != Owner::Plain && !entry.owned {
            let message = format!("`{}` is neutral: it has no owner", shown(&name.text));
            self.report(
                Diagnostic::error("neutral-piece", span, message)
                    .label("the plain name is expected")
                    .related(entry.span, "declared with one symbol here")
                    .fix(format!("write `{}`", shown(&name.text)), span, name.text.as_str()),
            );
            return None;
        }
        let [white, black] = entry.own;
        Some(if owner == Owner::Opponents { [black, white] } else { [white, black] })
    }

    /// The piece that `replace by` puts on the field: each possibility for White and for Black.
    pub fn replacement(&mut self, pattern: &'a ast::Pattern) -> Option<Vec<[Piece; 2]>> {
        match &pattern.kind {
            PatternKind::Missing => {
                self.incomplete = true;
                None
            }
            PatternKind::EmptyField => Some(vec![[Piece::NONE; 2]]),
            PatternKind::Piece(owner, name) => match self.named_pattern(*owner, name, pattern.span) {
                Some(named) => match named?.replacement {
                    Some(pieces) => Some(pieces),
                    None => self.bad_replacement(pattern.span),
                },
                None => Some(vec![self.piece(*owner, name, pattern.span)?]),
            },
            PatternKind::Any(parts) => {
                if !self.enter(pattern.span) {
                    return None;
                }
                let resolved: Vec<_> = parts.iter().map(|part| self.replacement(part)).collect();
                self.leave();
                let mut pieces = Vec::new();
                for part in resolved {
                    pieces.extend(part?);
                }
                Some(pieces)
            }
            _ => self.bad_replacement(pattern.span),
        }
    }

    fn bad_replacement(&mut self, span: Span) -> Option<Vec<[Piece; 2]>> {
        self.report(
            Diagnostic::error("bad-replacement", span, "this does not say which piece to put there")
                .label("a piece's name or `empty field` is expected"),
        );
        None
    }

    /// Reads all `pattern` declarations.
    pub fn declare_patterns(&mut self) {
        let program = self.program;
        for declaration in &program.declarations {
            let DeclarationKind::Pattern { name, pattern } = &declaration.kind else { continue };
            self.check_length(name);
            let text = name.text.as_str();
            let piece = self.piece_names.get(text).map(|piece| (piece.span, "piece"));
            let first = piece.or(self.pattern_names.get(text).map(|entry| (entry.span, "pattern")));
            if let Some((first, what)) = first {
                self.declared_twice(&format!("{what} `{}`", shown(text)), name.span, first);
                continue;
            }
            let entry = PatternEntry { pattern, span: name.span, state: PatternState::Unknown };
            self.pattern_names.insert(text, entry);
        }
        let names: Vec<&'a str> = self.pattern_names.keys().copied().collect();
        for name in names {
            let span = self.pattern_names[name].span;
            self.look_up(name, span);
        }
    }

    /// The meaning of a name declared by `pattern`; the inner nothing if it has none because of an error.
    fn named_pattern(
        &mut self,
        owner: Owner,
        name: &'a ast::Name,
        span: Span,
    ) -> Option<Option<NamedPattern>> {
        if !self.pattern_names.contains_key(name.text.as_str()) {
            return None;
        }
        if owner == Owner::Opponents && self.players == 1 {
            self.no_opponent(span);
            return Some(None);
        }
        let mut named = self.look_up(&name.text, span);
        if let (Owner::Opponents, Some(named)) = (owner, &mut named) {
            named.matches.0.swap(0, 1);
            named.replacement.iter_mut().flatten().for_each(|pieces| pieces.swap(0, 1));
        }
        Some(named)
    }

    fn look_up(&mut self, name: &'a str, span: Span) -> Option<NamedPattern> {
        let entry = self.pattern_names.get_mut(name)?;
        let pattern = entry.pattern;
        match std::mem::replace(&mut entry.state, PatternState::Begun) {
            PatternState::Known(known) => {
                entry.state = PatternState::Known(known.clone());
                known
            }
            PatternState::Begun => {
                let message = format!("pattern `{}` consists of itself", shown(name));
                self.report(Diagnostic::error("circular-pattern", span, message));
                None
            }
            PatternState::Unknown => {
                let known = self.pattern(pattern).map(|matches| {
                    let says_which = says_which(pattern, &self.pattern_names);
                    NamedPattern {
                        matches,
                        replacement: says_which.then(|| self.replacement(pattern)).flatten(),
                    }
                });
                if let Some(entry) = self.pattern_names.get_mut(name) {
                    entry.state = PatternState::Known(known.clone());
                }
                known
            }
        }
    }
}

/// Whether a pattern says which piece to put on a field.
fn says_which(pattern: &ast::Pattern, names: &BTreeMap<&str, PatternEntry<'_>>) -> bool {
    match &pattern.kind {
        PatternKind::EmptyField => true,
        PatternKind::Any(parts) => parts.iter().all(|part| says_which(part, names)),
        PatternKind::Piece(_, name) => match names.get(name.text.as_str()).map(|entry| &entry.state) {
            Some(PatternState::Known(known)) => {
                known.as_ref().is_some_and(|known| known.replacement.is_some())
            }
            Some(_) => false,
            None => true,
        },
        _ => false,
    }
}
