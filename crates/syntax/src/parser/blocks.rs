//! Declarations with braces: lists of pieces, properties, directions, and so on.

use super::Parser;
use crate::Diagnostic;
use crate::Span;
use crate::ast::*;
use crate::syntax_kind::SyntaxKind::*;
use crate::words::{begins_declaration, is_compass};

impl Parser<'_> {
    /// `{ entry entry ... }`. An entry that cannot be read (`None`) is skipped up to the next line.
    /// `is_entry` tells an entry that looks like a rule from a rule behind a forgotten brace.
    pub(super) fn block<T>(
        &mut self,
        is_entry: fn(&Self) -> bool,
        entry: fn(&mut Self) -> Option<T>,
    ) -> Vec<T> {
        let mut entries = Vec::new();
        let open = self.here();
        if !self.expect(OpenBrace, "{") {
            return entries;
        }
        loop {
            if self.eat(CloseBrace) {
                return entries;
            }
            let outside = begins_declaration(self.word()) || self.at_item_start() && !is_entry(self);
            if self.at(EndOfFile) || self.begins_line(0) && outside {
                let diagnostic = self
                    .expected_next("unclosed-brace", "`}`")
                    .related(open, "this `{` is not closed")
                    .fix("insert `}`", self.after_previous(), "\n}");
                self.error(diagnostic);
                return entries;
            }
            if matches!(self.kind(), Comma | Semicolon | Dot) {
                let diagnostic = Diagnostic::error(
                    "separator-in-block",
                    self.here(),
                    format!("entries are not separated by {}", self.found()),
                )
                .fix("remove it", self.here(), "");
                self.error(diagnostic);
                self.bump_as_error();
                continue;
            }
            let before = self.position;
            match entry(self) {
                Some(entry) => entries.push(entry),
                None => self.skip_entry(before),
            }
        }
    }

    /// Skips a broken entry up to the next line, and at least one token.
    fn skip_entry(&mut self, before: usize) {
        self.start(Error);
        while !matches!(self.kind(), EndOfFile | CloseBrace)
            && (self.position == before || !self.begins_line(0))
        {
            self.bump();
        }
        self.finish();
    }

    pub(super) fn report_expected(&mut self, what: &str) {
        let diagnostic = self.expected("expected-entry", what);
        self.error(diagnostic);
    }

    /// A name at the beginning of an entry.
    fn entry_name(&mut self, what: &str) -> Option<Name> {
        self.expect_name(what)
    }

    /// `pieces { pawn 'P' 'p' }`
    pub(super) fn pieces(&mut self) -> DeclarationKind {
        self.start(PiecesDecl);
        self.bump();
        let entries = self.block(
            |_| false,
            |parser| {
                parser.start(PieceEntry);
                let entry = parser.piece();
                parser.finish();
                entry
            },
        );
        self.finish();
        DeclarationKind::Pieces(entries)
    }

    fn piece(&mut self) -> Option<PieceDecl> {
        let name = self.entry_name("a piece's name")?;
        let mut symbols = self.quoted_symbols(&name);
        while self.at(Symbol) {
            if symbols.len() == 2 {
                let diagnostic = Diagnostic::error(
                    "too-many-symbols",
                    self.here(),
                    format!("the piece `{}` has more than two symbols", name.text),
                )
                .help("one symbol for White's piece and one for Black's");
                self.error(diagnostic);
            }
            let character = self.token_text(0).chars().nth(1).unwrap_or(' ');
            let span = self.bump();
            if symbols.len() < 2 {
                symbols.push((character, span));
            }
        }
        if symbols.is_empty() {
            let diagnostic = self
                .expected_next("expected-symbol", &format!("a symbol for the piece `{}`", name.text))
                .help("a symbol is one character between single quotes, as in `'P'`");
            self.error(diagnostic);
            return None;
        }
        Some(PieceDecl { name, symbols })
    }

    /// `properties { a, b : board : [0 .. 1] }`
    pub(super) fn properties(&mut self) -> DeclarationKind {
        self.start(PropertiesDecl);
        self.bump();
        let entries = self.block(
            |_| false,
            |parser| {
                parser.start(PropertyEntry);
                let entry = parser.property();
                parser.finish();
                entry
            },
        );
        self.finish();
        DeclarationKind::Properties(entries)
    }

    fn property(&mut self) -> Option<PropertyDecl> {
        let start = self.here_start();
        let mut names = vec![self.entry_name("a property's name")?];
        while self.eat(Comma) {
            names.push(self.entry_name("a property's name")?);
        }
        if !self.expect(Colon, ":") {
            return None;
        }
        let scope = match self.choice(":", &["board", "player", "move", "field"])? {
            "board" => Scope::Board,
            "player" => Scope::Player,
            "move" => Scope::Move,
            _ => Scope::Field,
        };
        if !self.expect(Colon, ":") {
            return None;
        }
        let (low, high) = self.bounds()?;
        let [unhashed, chance, weight] = self.marks(["unhashed", "chance", "weight"]);
        Some(PropertyDecl { names, scope, low, high, unhashed, chance, weight, span: self.span_from(start) })
    }

    /// Marks behind a property's range, in any order; a word before `:` or `,` is the next property's name.
    fn marks<const N: usize>(&mut self, words: [&str; N]) -> [Option<Span>; N] {
        let mut found = [None; N];
        let next = |parser: &Self, found: &[Option<Span>; N]| {
            (0..N).find(|&i| found[i].is_none() && parser.at_word(words[i]))
        };
        while let Some(mark) = next(self, &found)
            && !matches!(self.kind_at(1), Colon | Comma)
        {
            found[mark] = Some(self.bump());
        }
        found
    }

    /// `directions { up / down : a1 a2 a3, b1 b2 }`
    pub(super) fn directions(&mut self) -> DeclarationKind {
        self.start(DirectionsDecl);
        self.bump();
        let entries = self.block(
            |_| false,
            |parser| {
                parser.start(DirectionEntry);
                let entry = parser.direction();
                parser.finish();
                entry
            },
        );
        self.finish();
        DeclarationKind::Directions(entries)
    }

    fn direction(&mut self) -> Option<DirectionDecl> {
        let name = self.direction_name()?;
        let opposite = if self.eat(Slash) { Some(self.direction_name()?) } else { None };
        if !self.expect(Colon, ":") {
            return None;
        }
        let mut chains = vec![self.chain()?];
        while self.eat(Comma) {
            chains.push(self.chain()?);
        }
        Some(DirectionDecl { name, opposite, chains })
    }

    fn direction_name(&mut self) -> Option<Name> {
        if is_compass(self.word()) {
            return Some(self.bump_name());
        }
        self.entry_name("a direction's name")
    }

    /// Coordinates up to a comma, the next direction, or the end.
    fn chain(&mut self) -> Option<Vec<Name>> {
        self.start(Chain);
        let mut coordinates = Vec::new();
        while self.at_name() && !self.at_direction() {
            coordinates.push(self.bump_name());
        }
        self.finish();
        if coordinates.is_empty() {
            self.report_expected("a coordinate such as `a1`");
            return None;
        }
        Some(coordinates)
    }

    fn at_direction(&self) -> bool {
        self.kind_at(1) == Colon || self.kind_at(1) == Slash && self.kind_at(3) == Colon
    }

    /// `setup { "..X" white to move castle = 1, 1 }`
    pub(super) fn setup(&mut self) -> DeclarationKind {
        self.start(SetupDecl);
        self.bump();
        let entries = self.block(|parser| parser.kind_at(1) == Equal, Self::setup_item);
        self.finish();
        DeclarationKind::Setup(entries)
    }

    fn setup_item(&mut self) -> Option<SetupItem> {
        if self.at(Text) {
            self.start(SetupRow);
            let (text, span) = self.bump_string();
            self.finish();
            return Some(SetupItem::Row(text, span));
        }
        match self.word() {
            "white" | "black" => {
                let white = self.at_word("white");
                let start = self.here_start();
                self.start(SetupToMove);
                self.bump();
                self.words_to_move();
                self.finish();
                Some(SetupItem::ToMove { white, span: self.span_from(start) })
            }
            "apply" if self.kind_at(1) != Equal => {
                self.start(SetupApply);
                self.bump();
                let name = self.expect_name("a rule's name");
                self.finish();
                name.map(SetupItem::Apply)
            }
            _ if self.at(Ident) => self.setup_value(),
            _ => {
                self.report_expected("a row in quotes, `name = value`, `white to move` or `apply`");
                None
            }
        }
    }

    /// `castle = 1, 1`, `seeds = "4 4" "4 4"`. All strings that follow directly belong to the value, so the
    /// rows of the picture come before the values.
    fn setup_value(&mut self) -> Option<SetupItem> {
        self.start(SetupValueItem);
        let name = self.entry_name("a property's name");
        let value = self.setup_value_rest();
        self.finish();
        Some(SetupItem::Value { name: name?, value: value? })
    }

    fn setup_value_rest(&mut self) -> Option<SetupValue> {
        if !self.expect(Equal, "=") {
            return None;
        }
        if self.at(Text) {
            let mut rows = Vec::new();
            while self.at(Text) {
                rows.push(self.bump_string());
            }
            return Some(SetupValue::Rows(rows));
        }
        let mut numbers = vec![self.conditional()];
        while self.eat(Comma) {
            numbers.push(self.conditional());
        }
        Some(SetupValue::Numbers(numbers))
    }

    /// `notation { fen (castling, en_passant) }`
    pub(super) fn notation(&mut self) -> DeclarationKind {
        self.start(NotationDecl);
        self.bump();
        let entries = self.block(
            |_| false,
            |parser| {
                parser.start(NotationEntry);
                let entry = parser.notation_item();
                parser.finish();
                entry
            },
        );
        self.finish();
        DeclarationKind::Notation(entries)
    }

    fn notation_item(&mut self) -> Option<NotationItem> {
        // Notations are not names of the program, so any word can be one: `column` is.
        let name = if self.at(Ident) { self.bump_name() } else { self.entry_name("a notation's name")? };
        let mut arguments = Vec::new();
        if self.at(OpenParen) {
            let open = self.bump();
            arguments.push(self.expect_name("a name")?);
            while self.eat(Comma) {
                arguments.push(self.expect_name("a name")?);
            }
            self.close_paren(open);
        }
        Some(NotationItem { name, arguments })
    }

    /// `looks { pawn "♙" "♟"  pawn colour "white" "black" }`
    pub(super) fn looks(&mut self) -> DeclarationKind {
        self.start(LooksDecl);
        self.bump();
        let entries = self.block(
            |_| false,
            |parser| {
                parser.start(LooksEntry);
                let entry = parser.looks_item();
                parser.finish();
                entry
            },
        );
        self.finish();
        DeclarationKind::Looks(entries)
    }

    fn looks_item(&mut self) -> Option<LooksItem> {
        let name = self.entry_name("a piece's name or `fields`")?;
        let colour = matches!(self.word(), "colour" | "color");
        if colour {
            self.bump();
        }
        let mut values = Vec::new();
        while self.at(Text) {
            if values.len() == 2 {
                let diagnostic = Diagnostic::error(
                    "too-many-strings",
                    self.here(),
                    format!("`{}` has more than two strings", name.text),
                )
                .help("one for White's piece and one for Black's");
                self.error(diagnostic);
            }
            let value = self.bump_string();
            if values.len() < 2 {
                values.push(value);
            }
        }
        if values.is_empty() {
            self.report_expected("a string in double quotes");
            return None;
        }
        Some(LooksItem { name, colour, values })
    }

    /// `abstractions { corner : tile_1, tile_2 }`
    pub(super) fn abstractions(&mut self) -> DeclarationKind {
        self.start(AbstractionsDecl);
        self.bump();
        let entries = self.block(
            |_| false,
            |parser| {
                parser.start(AbstractionEntry);
                let entry = parser.abstraction();
                parser.finish();
                entry
            },
        );
        self.finish();
        DeclarationKind::Abstractions(entries)
    }

    fn abstraction(&mut self) -> Option<AbstractionDecl> {
        let name = self.entry_name("an abstraction's name")?;
        if !self.expect(Colon, ":") {
            return None;
        }
        let mut kept = vec![self.entry_name("a piece's name")?];
        while self.eat(Comma) {
            kept.push(self.entry_name("a piece's name")?);
        }
        Some(AbstractionDecl { name, kept })
    }

    /// A string without its quotes; the span includes them.
    pub(super) fn bump_string(&mut self) -> (String, Span) {
        let text = self.token_text(0);
        let is_quote = |c: char| matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}');
        let inside = text.strip_prefix(is_quote).unwrap_or(text);
        let inside = inside.strip_suffix(is_quote).unwrap_or(inside);
        (inside.to_owned(), self.bump())
    }
}
