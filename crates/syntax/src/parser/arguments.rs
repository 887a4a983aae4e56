//! Parameters of rules and arguments of calls.
//!
//! What an argument is depends on where its parameter occurs, so a name stays a name, and only what is more
//! than a name is told apart here: a pattern, an expression or a statement.

use super::Parser;
use crate::Diagnostic;
use crate::ast::{Argument, Name, Owner};
use crate::syntax_kind::SyntaxKind::*;
use crate::words::begins_statement;

/// A rule with more parameters is not recognised as one.
const MOST_PARAMETERS: usize = 16;

impl Parser<'_> {
    /// The number of parameters of the rule that begins there, `name (a, b) =`; 0 if none begins.
    pub(super) fn parameter_count(&self, ahead: usize) -> usize {
        if self.kind_at(ahead) != Ident || self.kind_at(ahead + 1) != OpenParen {
            return 0;
        }
        for parameter in 0..MOST_PARAMETERS {
            let place = ahead + 2 + 2 * parameter;
            match (self.kind_at(place), self.kind_at(place + 1)) {
                (Ident, Comma) => {}
                (Ident, CloseParen) if self.kind_at(place + 2) == Equal => return parameter + 1,
                _ => return 0,
            }
        }
        0
    }

    /// `(a, b)` behind a rule's name.
    pub(super) fn rule_parameters(&mut self) -> Vec<Name> {
        self.start(RuleParameters);
        let open = self.bump();
        let mut names = Vec::new();
        loop {
            names.extend(self.expect_name("a parameter's name"));
            if !self.eat(Comma) {
                break;
            }
        }
        self.close_paren(open);
        self.finish();
        names
    }

    /// `(a, b)` behind the name of a rule that is called.
    pub(super) fn arguments(&mut self, name: &Name) -> Vec<Argument> {
        self.met_arguments = true;
        let open = self.bump();
        let mut arguments = Vec::new();
        if self.at(CloseParen) {
            let span = open.cover(self.here());
            let message = format!("`{}` is called by its name alone", name.text);
            let diagnostic = Diagnostic::error("call-arguments", span, message)
                .label("there is nothing between the parentheses")
                .fix("remove them", span, "");
            self.error(diagnostic);
        } else {
            arguments.push(self.argument());
            while self.eat(Comma) {
                arguments.push(self.argument());
            }
        }
        self.close_paren(open);
        arguments
    }

    fn argument(&mut self) -> Argument {
        let ends = |ahead: usize| matches!(self.kind_at(ahead), Comma | CloseParen);
        let word = self.word();
        match self.kind() {
            OpenBracket if self.bracket_is_pattern() => Argument::Pattern(self.pattern()),
            OpenBracket => Argument::Statement(self.statement()),
            Opponents if self.is_name(1) && ends(2) => self.owned_name(Owner::Opponents),
            Opponents if self.word_at(1) == "piece" => Argument::Pattern(self.pattern()),
            Ident if word == "own" && self.is_name(1) && ends(2) => self.owned_name(Owner::Own),
            Ident if word == "own" && self.word_at(1) == "piece" => Argument::Pattern(self.pattern()),
            Ident if matches!(word, "empty" | "piece" | "field") => Argument::Pattern(self.pattern()),
            Ident if word == "any" && matches!(self.word_at(1), "field" | "piece") => {
                Argument::Pattern(self.pattern())
            }
            Ident if begins_statement(word) || self.at_extension() => Argument::Statement(self.statement()),
            Ident if self.at_name() && ends(1) => Argument::Name(Owner::Plain, self.bump_argument_name()),
            _ => Argument::Number(self.assignment_expression()),
        }
    }

    /// Whether a statement follows that begins with a word that is not reserved.
    fn at_extension(&self) -> bool {
        match self.word() {
            "greatest" | "score" => self.kind_at(1) == OpenParen,
            "for" => self.word_at(1) == "each",
            "as" => self.word_at(1) == "opponent",
            "keep" => self.word_at(1) == "turn",
            "called" => matches!(self.kind_at(1), Text | OpenParen) || self.word_at(1) == "field",
            "count" | "sum" => false,
            _ => self.at_name() && self.kind_at(1) == OpenParen,
        }
    }

    /// `[own king or prince]` and not `[step, jump]`.
    fn bracket_is_pattern(&self) -> bool {
        let mut ahead = 1;
        while self.kind_at(ahead) == OpenBracket && ahead < MOST_PARAMETERS {
            ahead += 1;
        }
        match self.word_at(ahead) {
            "own" | "empty" | "piece" | "field" => true,
            "any" => matches!(self.word_at(ahead + 1), "field" | "piece"),
            "" => self.kind_at(ahead) == Opponents,
            _ => self.is_name(ahead) && self.word_at(ahead + 1) == "or",
        }
    }

    fn owned_name(&mut self, owner: Owner) -> Argument {
        self.start(PiecePattern);
        self.bump();
        let name = self.bump_name();
        self.finish();
        Argument::Name(owner, name)
    }

    fn bump_argument_name(&mut self) -> Name {
        self.start(PiecePattern);
        let name = self.bump_name();
        self.finish();
        name
    }
}
