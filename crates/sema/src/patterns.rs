//! Patterns: the content of a field, and the pieces put there.

use multigame_game::{Piece, PieceSet, Side};
use multigame_syntax::ast::{self, Owner, PatternKind};
use multigame_syntax::{Diagnostic, Span};

use crate::checker::Checker;
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
            let known: Vec<&str> =
                if self.is_flooded() { Vec::new() } else { self.piece_names.keys().copied().collect() };
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
            PatternKind::Piece(owner, name) => Some(vec![self.piece(*owner, name, pattern.span)?]),
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
            _ => {
                self.report(
                    Diagnostic::error(
                        "bad-replacement",
                        pattern.span,
                        "this does not say which piece to put there",
                    )
                    .label("a piece's name or `empty field` is expected"),
                );
                None
            }
        }
    }
}
