//! Pieces and properties.

use std::collections::BTreeMap;

use multigame_game::{Piece, PieceInfo, Property, Scope, Side};
use multigame_syntax::ast::{self, DeclarationKind, Name, PieceDecl, PropertyDecl};
use multigame_syntax::{Diagnostic, Span};

use crate::checker::{Checker, PieceEntry, PropertyEntry};
use crate::model::MoveProperty;
use crate::suggest::shown;

/// Numbers of pieces are bytes, and 0 is the empty field.
const MOST_PIECES: usize = 255;

/// Numbers of values have 16 bits.
const MOST_VALUES: usize = 60_000;

impl<'a> Checker<'a> {
    /// Reads all `pieces` blocks.
    pub fn declare_pieces(&mut self) {
        let mut symbols = BTreeMap::new();
        for declaration in &self.program.declarations {
            let DeclarationKind::Pieces(pieces) = &declaration.kind else { continue };
            for piece in pieces {
                self.declare_piece(piece, &mut symbols);
            }
        }
    }

    fn declare_piece(&mut self, piece: &'a PieceDecl, symbols: &mut BTreeMap<char, Span>) {
        let name = &piece.name;
        self.check_length(name);
        if let Some(first) = self.piece_names.get(name.text.as_str()) {
            let first = first.span;
            self.declared_twice(&format!("piece `{}`", shown(&name.text)), name.span, first);
            return;
        }
        if piece.symbols.is_empty() {
            self.incomplete = true;
        }
        for &(symbol, span) in &piece.symbols {
            self.check_symbol(symbol, span, symbols);
        }
        if let (1, [_, (_, second), ..]) = (self.players, piece.symbols.as_slice()) {
            let message = format!("piece `{}` has a symbol for a second player", shown(&name.text));
            self.report(
                Diagnostic::error("bad-symbol", *second, message)
                    .label("one symbol is expected: there is one player")
                    .fix("remove it", *second, ""),
            );
        }
        if self.pieces.len() + piece.symbols.len() > MOST_PIECES + 1 {
            let message = format!("there can be {MOST_PIECES} pieces, counting both players'");
            self.report(Diagnostic::error("too-many-pieces", name.span, message).label("one too many"));
            return;
        }
        let two = self.players == 2 && piece.symbols.len() == 2;
        let symbol = |i: usize| piece.symbols.get(i).map_or(' ', |&(symbol, _)| symbol);
        let owners = match (two, self.players) {
            (true, _) => vec![(Some(Side::White), symbol(0)), (Some(Side::Black), symbol(1))],
            (false, 1) => vec![(Some(Side::White), symbol(0))],
            (false, _) => vec![(None, symbol(0))],
        };
        let first = Piece(self.pieces.len() as u8);
        for (side, symbol) in owners {
            let info = PieceInfo { name: name.text.clone(), side, symbol, glyph: None, colour: None };
            self.pieces.push(info);
        }
        let last = Piece((self.pieces.len() - 1) as u8);
        let entry = PieceEntry { own: [first, last], owned: two || self.players == 1, span: name.span };
        self.piece_names.insert(&name.text, entry);
    }

    fn check_symbol(&mut self, symbol: char, span: Span, symbols: &mut BTreeMap<char, Span>) {
        if matches!(symbol, '.' | '_' | '/' | '\'' | '"') || symbol.is_whitespace() || symbol.is_control() {
            let message = format!("{symbol:?} cannot be the symbol of a piece");
            self.report(
                Diagnostic::error("bad-symbol", span, message)
                    .label("position texts need it for other things")
                    .help("any letter, digit or sign besides `.`, `_`, `/`, quotes and blanks is possible"),
            );
            return;
        }
        if let Some(&first) = symbols.get(&symbol) {
            let message = format!("two pieces have the symbol `{symbol}`");
            self.report(
                Diagnostic::error("double-symbol", span, message)
                    .label("choose another one")
                    .related(first, "first used here"),
            );
        }
        symbols.entry(symbol).or_insert(span);
    }

    /// Reads all `properties` blocks.
    pub fn declare_properties(&mut self) {
        for declaration in &self.program.declarations {
            let DeclarationKind::Properties(lines) = &declaration.kind else { continue };
            for line in lines {
                let range = self.property_range(line);
                if let (ast::Scope::Move, Some(span)) = (line.scope, line.unhashed) {
                    self.report(
                        Diagnostic::warning("useless-unhashed", span, "`unhashed` says nothing here")
                            .label("a move property is never part of a position")
                            .fix("remove it", span, ""),
                    );
                }
                for name in &line.names {
                    self.declare_property(name, line, range);
                }
                self.declare_chance(line, range);
            }
        }
    }

    fn property_range(&mut self, line: &'a PropertyDecl) -> (i32, i32) {
        let (low, high) = (self.constant(&line.low), self.constant(&line.high));
        let (Some(low), Some(high)) = (low, high) else { return (i32::MIN, i32::MAX) };
        for (value, expr) in [(low, &line.low), (high, &line.high)] {
            if i32::try_from(value).is_err() {
                let message = format!("{value} does not fit into 32 bits");
                let label = format!("{} to {} is possible", i32::MIN, i32::MAX);
                self.report(Diagnostic::error("bad-range", expr.span, message).label(label));
            }
        }
        let is_range = self.check_order(&line.low, low, &line.high, high);
        match (i32::try_from(low), i32::try_from(high)) {
            (Ok(low), Ok(high)) if is_range => (low, high),
            _ => (i32::MIN, i32::MAX),
        }
    }

    fn declare_property(&mut self, name: &'a Name, line: &PropertyDecl, (low, high): (i32, i32)) {
        self.check_length(name);
        let what = format!("property `{}`", shown(&name.text));
        if let Some(first) = self.property_names.get(name.text.as_str()).map(|first| first.span) {
            return self.declared_twice(&what, name.span, first);
        }
        if let Some(&(_, first)) = self.parameters.get(name.text.as_str()) {
            self.declared_twice(&format!("{what} (also a parameter)"), name.span, first);
        }
        let scope = match line.scope {
            ast::Scope::Board => Some(Scope::Board),
            ast::Scope::Player => Some(Scope::Player),
            ast::Scope::Field => Some(Scope::Field),
            ast::Scope::Move => None,
        };
        let index = if scope.is_some() { self.properties.len() } else { self.move_properties.len() };
        match scope {
            Some(scope) => self.properties.push(Property {
                name: name.text.clone(),
                scope,
                low,
                high,
                hashed: line.unhashed.is_none() && line.weight.is_none(),
                offset: 0,
            }),
            None => self.move_properties.push(MoveProperty { name: name.text.clone(), low, high }),
        }
        let entry = PropertyEntry { scope: line.scope, index, low, high, span: name.span };
        self.property_names.insert(&name.text, entry);
    }

    /// Gives each property its place among the values, now that the size of the board is known.
    pub fn place_properties(&mut self) {
        let Some(board) = &self.board else { return };
        let mut offset = 0;
        let mut too_many = None;
        for property in &mut self.properties {
            property.offset = offset;
            offset += property.length(board);
            if offset + self.move_properties.len() > MOST_VALUES {
                too_many = Some(property.name.clone());
                break;
            }
        }
        if let Some(name) = too_many {
            let declared = self.property_names.get(name.as_str()).map(|entry| entry.span);
            let span = declared.or_else(|| self.stacks_span()).unwrap_or_default();
            let message = format!("all properties together have more than {MOST_VALUES} values");
            self.report(
                Diagnostic::error("too-many-values", span, message)
                    .label("one too many")
                    .help("a field property has one value for each field"),
            );
        }
    }
}
