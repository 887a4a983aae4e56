//! `evaluation { ... }`: what positions are worth.

use super::Parser;
use crate::Span;
use crate::ast::*;
use crate::syntax_kind::SyntaxKind::*;

impl Parser<'_> {
    /// `evaluation NAME { ... }`
    pub(super) fn evaluation(&mut self) -> DeclarationKind {
        self.start(EvaluationDecl);
        self.bump();
        let name =
            if self.at(OpenBrace) { None } else { self.expect_name("the name of an evaluation or `{`") };
        let items = self.block(
            |parser| {
                parser.at_phase() || parser.at_calm() || parser.at_table() || parser.kind_at(1) == OpenBrace
            },
            Self::evaluation_item,
        );
        self.finish();
        DeclarationKind::Evaluation(Evaluation { name, items })
    }

    fn at_phase(&self) -> bool {
        self.at_word("phase") && self.kind_at(1) == Equal
    }

    fn at_calm(&self) -> bool {
        self.at_word("calm") && self.kind_at(1) == Equal
    }

    fn at_table(&self) -> bool {
        self.at_word("table") && self.kind_at(1) == Ident && self.kind_at(2) == Equal
    }

    fn evaluation_item(&mut self) -> Option<EvaluationItem> {
        let braces = self.kind_at(1) == OpenBrace;
        match self.word() {
            "phase" if self.at_phase() => {
                self.start(PhaseEntry);
                let item = self.phase();
                self.finish();
                item
            }
            "calm" if self.at_calm() => {
                let start = self.here_start();
                self.start(CalmEntry);
                self.bump();
                self.bump();
                let value = self.conditional();
                self.finish();
                Some(EvaluationItem::Calm { value, span: self.span_from(start) })
            }
            "table" if self.at_table() => {
                self.start(TableEntry);
                let item = self.table();
                self.finish();
                item
            }
            "material" if braces => {
                self.start(MaterialDecl);
                self.bump();
                let entries = self.block(|_| false, Self::material_item);
                self.finish();
                Some(EvaluationItem::Material(entries))
            }
            "greatest" if braces => {
                let start = self.here_start();
                self.start(GreatestDecl);
                self.bump();
                let entries = self.block(|_| false, Self::term);
                self.finish();
                Some(EvaluationItem::Greatest(entries, self.span_from(start)))
            }
            _ => self.term().map(EvaluationItem::Term),
        }
    }

    /// `phase = e [0 .. 24]`
    fn phase(&mut self) -> Option<EvaluationItem> {
        let start = self.here_start();
        self.bump();
        self.bump();
        let value = self.conditional();
        let (low, high) = self.bounds()?;
        Some(EvaluationItem::Phase { value, low, high, span: self.span_from(start) })
    }

    /// `table pawn = "0 0" "1 1" .. "2 2" "3 3"`
    fn table(&mut self) -> Option<EvaluationItem> {
        self.bump();
        let piece = self.expect_name("a piece's name")?;
        self.bump();
        let opening = self.table_rows()?;
        let end = if self.eat(DotDot) { self.table_rows()? } else { Vec::new() };
        Some(EvaluationItem::Table { piece, opening, end })
    }

    fn table_rows(&mut self) -> Option<Vec<(String, Span)>> {
        let mut rows = Vec::new();
        while self.at(Text) {
            rows.push(self.bump_string());
        }
        if rows.is_empty() {
            self.report_expected("rows of numbers in double quotes, the farthest row first");
            return None;
        }
        Some(rows)
    }

    /// `pawn 100 .. 120`
    fn material_item(&mut self) -> Option<MaterialItem> {
        self.start(MaterialEntry);
        let piece = self.expect_name("a piece's name");
        let weight = if piece.is_some() { self.weight() } else { None };
        self.finish();
        Some(MaterialItem { piece: piece?, weight: weight? })
    }

    /// `100`, `100 .. 120`
    fn weight(&mut self) -> Option<WeightDecl> {
        if !self.at_weight() {
            self.report_expected("a weight, such as `100` or `100 .. 120`");
            return None;
        }
        self.start(Weight);
        let opening = self.constant();
        let end = self.eat(DotDot).then(|| self.constant());
        self.finish();
        Some(WeightDecl { opening, end })
    }

    fn at_weight(&self) -> bool {
        matches!(self.kind(), Int | Minus | Plus | OpenParen) || self.at_name() && !self.at_word("mover")
    }

    /// `mobility 4 : count [ ... ]`, `tempo 10 mover : 1`, `distance : sum (row) [ ... ]`
    fn term(&mut self) -> Option<TermItem> {
        self.start(TermEntry);
        let item = self.term_parts();
        self.finish();
        item
    }

    fn term_parts(&mut self) -> Option<TermItem> {
        let name = self.expect_name("a term's name, `phase =`, `material {` or `table`")?;
        let weight = if self.at_weight() { Some(self.weight()?) } else { None };
        let mover = self.at_word("mover").then(|| self.bump());
        if !self.expect(Colon, ":") {
            return None;
        }
        let value = self.conditional();
        Some(TermItem { name, weight, mover, value })
    }
}
