//! Declarations with one value: parameters, players, no moves, repetition.

use multigame_game::{NoMoves, Repetition};
use multigame_syntax::ast::{self, Declaration, DeclarationKind, Expr, OutcomeWord};
use multigame_syntax::{Diagnostic, Span};

use crate::checker::Checker;
use crate::suggest::{list, shown};

impl<'a> Checker<'a> {
    /// The only declaration of a kind; reports others. `pick` gives what is of interest in a declaration of
    /// that kind.
    pub fn only<T>(
        &mut self,
        what: &str,
        pick: impl Fn(&'a DeclarationKind) -> Option<T>,
    ) -> Option<(T, Span)> {
        let mut found: Option<(T, Span)> = None;
        let mut doubles = Vec::new();
        for Declaration { kind, span } in &self.program.declarations {
            let Some(value) = pick(kind) else { continue };
            match &found {
                Some((_, first)) => doubles.push((*span, *first)),
                None => found = Some((value, *span)),
            }
        }
        for (second, first) in doubles {
            self.declared_twice(what, second, first);
        }
        found
    }

    /// Parameters with their values for this game: the given ones, else those declared.
    pub fn declare_parameters(&mut self, given: &[(String, i64)]) {
        self.chosen = !given.is_empty();
        let mut ranges = Vec::new();
        for declaration in &self.program.declarations {
            let DeclarationKind::Parameter { name, default, low, high } = &declaration.kind else { continue };
            self.check_length(name);
            if let Some(&(_, first)) = self.parameters.get(name.text.as_str()) {
                self.declared_twice(&format!("parameter `{}`", shown(&name.text)), name.span, first);
                continue;
            }
            let (default_value, low_value, high_value) =
                (self.constant(default), self.constant(low), self.constant(high));
            let mut value = default_value.unwrap_or(1);
            if let (Some(low_value), Some(high_value)) = (low_value, high_value) {
                ranges.push(format!("{} [{low_value} .. {high_value}]", shown(&name.text)));
                self.check_order(low, low_value, high, high_value);
                if default_value.is_some() && !(low_value..=high_value).contains(&value) {
                    let message = format!("the value {value} is outside {low_value} .. {high_value}");
                    self.report(
                        Diagnostic::error("parameter-range", default.span, message)
                            .label("choose one inside"),
                    );
                }
                if let Some((_, chosen)) = given.iter().rev().find(|(given, _)| *given == name.text) {
                    value = *chosen;
                    if !(low_value..=high_value).contains(&value) {
                        let message = format!(
                            "the value {value} given for parameter `{}` is outside {low_value} .. \
                             {high_value}",
                            shown(&name.text)
                        );
                        self.report(Diagnostic::error("parameter-range", name.span, message));
                    }
                }
            }
            self.parameters.insert(&name.text, (value, name.span));
        }
        self.check_given(given, &ranges);
    }

    fn check_given(&mut self, given: &[(String, i64)], ranges: &[String]) {
        for (name, _) in given {
            if self.parameters.contains_key(name.as_str()) {
                continue;
            }
            let message = format!("there is no parameter `{}`", shown(name));
            let diagnostic = Diagnostic::error("unknown-parameter", Span::default(), message);
            self.report(match ranges {
                [] => diagnostic.help("this game has no parameters"),
                _ => diagnostic.help(format!("parameters: {}", list(ranges.iter().map(String::as_str)))),
            });
        }
    }

    /// Reports a range whose ends are swapped.
    pub fn check_order(&mut self, low: &Expr, low_value: i64, high: &Expr, high_value: i64) -> bool {
        if low_value <= high_value {
            return true;
        }
        let span = low.span.cover(high.span);
        let message = format!("the range {low_value} .. {high_value} is empty");
        self.report(Diagnostic::error("bad-range", span, message).label("the lower end comes first"));
        false
    }

    /// `players`, `no moves`, `repetition`.
    pub fn declare_basics(&mut self) {
        let players = self.only("`players`", |kind| match kind {
            DeclarationKind::Players(count) => Some(count),
            _ => None,
        });
        if let Some((count, _)) = players {
            match self.constant(count) {
                Some(1) => self.players = 1,
                Some(2) | None => {}
                Some(other) => {
                    let message = format!("{other} players are not possible");
                    self.report(
                        Diagnostic::error("bad-players", count.span, message).label("1 or 2 is expected"),
                    );
                }
            }
        }
        let no_moves = self.only("`no moves`", |kind| match kind {
            DeclarationKind::NoMoves(what) => Some(*what),
            _ => None,
        });
        self.no_moves = no_moves.map(|(what, _)| match what {
            ast::NoMoves::Loss => NoMoves::Loss,
            ast::NoMoves::Draw => NoMoves::Draw,
            ast::NoMoves::Pass => NoMoves::Pass,
            ast::NoMoves::Error => NoMoves::Error,
        });
        let repetition = self.only("`repetition`", |kind| match kind {
            DeclarationKind::Repetition(what) => Some(what),
            _ => None,
        });
        if let Some((what, _)) = repetition {
            self.repetition = self.repetition_of(what);
        }
    }

    fn repetition_of(&mut self, what: &'a ast::Repetition) -> Repetition {
        let (outcome, count) = match what {
            ast::Repetition::Forbidden => return Repetition::Forbidden,
            ast::Repetition::Ends { outcome, count } => (Some(*outcome), count),
            ast::Repetition::Judged { count, .. } => (None, count),
        };
        let Some(value) = self.constant(count) else { return Repetition::Ignored };
        let Some(times) = u32::try_from(value).ok().filter(|&times| times >= 2) else {
            let message = format!("occurrence {value} of a position cannot be a repetition");
            self.report(
                Diagnostic::error("bad-repetition", count.span, message).label("2 or more is expected"),
            );
            return Repetition::Ignored;
        };
        match outcome {
            Some(OutcomeWord::Win) => Repetition::Win(times),
            Some(OutcomeWord::Lose) => Repetition::Loss(times),
            Some(OutcomeWord::Draw) => Repetition::Draw(times),
            None => Repetition::Judge(times),
        }
    }

    /// Whether a rule says how repetitions end.
    pub fn is_judged(&self) -> bool {
        matches!(self.repetition, Repetition::Judge(_))
    }

    /// Checks what `repetition = judge` needs: the rule `repeated`, and a move property if one is named.
    pub fn check_judge(&mut self) {
        let judged = self.program.declarations.iter().find_map(|declaration| match &declaration.kind {
            DeclarationKind::Repetition(ast::Repetition::Judged { cycle, .. }) => {
                Some((cycle, declaration.span))
            }
            _ => None,
        });
        let Some((cycle, span)) = judged else { return };
        if !self.rule_names.contains_key("repeated") {
            let message = "there is no rule `repeated`, which says how a repetition ends";
            self.report(Diagnostic::error("missing-repeated", span, message).help(
                "write one: `repeated = try [ assert (checks > 3), win ].`; without an outcome it is a draw",
            ));
        }
        let Some(name) = cycle else { return };
        self.used_properties.insert(&name.text);
        self.cycle = self.move_properties.iter().position(|property| property.name == name.text);
        if self.cycle.is_none() {
            let message = format!("`{}` is not a move property", shown(&name.text));
            self.report(
                Diagnostic::error("not-a-move-property", name.span, message).help(format!(
                    "declare it: `properties {{ {} : move : [0 .. 1000] }}`",
                    shown(&name.text)
                )),
            );
        }
    }
}
