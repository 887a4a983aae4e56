//! Checks of the program as a whole, after everything has its number.

use multigame_game::NoMoves;
use multigame_syntax::{Diagnostic, Span};

use crate::Entries;
use crate::calls::{Calls, circles, first_call};
use crate::checker::Checker;
use crate::flow::{self, Need};
use crate::lints;
use crate::misreadings;
use crate::model::{Rule, RuleId};
use crate::progress::stuck_rules;
use crate::success::Success;
use crate::suggest::{list, shown};

impl<'a> Checker<'a> {
    /// Runs all checks. Where a part could not be read, absence proves nothing and nothing is said.
    pub(crate) fn check_rules(&mut self, rules: &[Rule], entries: &Entries) {
        if self.incomplete {
            return;
        }
        let calls = Calls::new(rules, entries.all());
        let stuck = stuck_rules(rules, &calls);
        self.check_progress(rules, &stuck);

        let success = Success::new(self, rules, &calls);
        let findings = match entries.main {
            Some(_) => flow::findings(rules, &success, &entries.all().collect::<Vec<_>>()),
            None => flow::Findings::default(),
        };
        let mut found = Vec::new();
        for rule in rules {
            lints::check_rule(rule, &success, self.pieces.len(), &mut found);
        }
        let impossible: Vec<bool> = success.possible_rules().iter().map(|possible| !possible).collect();
        let main_is_total = entries.main.is_some_and(|main| success.is_total(&rules[main.index()].body));

        self.report_flow(&findings, rules, entries);
        if self.has_errors() {
            // Errors may be the only reason why something looks unused or unreachable.
            return;
        }
        self.check_endless_recursion(rules, &impossible, &stuck);
        found.extend(entries.main.and_then(|main| misreadings::only_endings(rules, main)));
        if let Some(board) = &self.board {
            rules.iter().for_each(|rule| misreadings::endless_hops(board, rules, rule, &mut found));
        }
        for diagnostic in found {
            self.report(diagnostic);
        }
        self.check_unused(rules, entries, &calls);
        if let (Some(main), None, false) = (entries.main, self.no_moves, main_is_total) {
            self.missing_no_moves(rules[main.index()].name_span);
        }
        if let (Some(main), Some(NoMoves::Pass), None) = (entries.main, self.no_moves, entries.last) {
            let message = "there is no rule `final`: neither player able to move is then a draw";
            let span = self.no_moves_span().unwrap_or(rules[main.index()].name_span);
            self.report(
                Diagnostic::warning("missing-final", span, message).help(
                    "write a rule `final` that sets the outcome: `final = score (...)` or `final = draw`",
                ),
            );
        }
    }

    fn no_moves_span(&self) -> Option<Span> {
        self.program.declarations.iter().find_map(|declaration| match declaration.kind {
            multigame_syntax::ast::DeclarationKind::NoMoves(_) => Some(declaration.span),
            _ => None,
        })
    }

    fn missing_no_moves(&mut self, main: Span) {
        let place = self.program.rules.iter().map(|rule| rule.span.start).min().unwrap_or(main.start);
        let place = Span::new(place, place);
        self.report(
            Diagnostic::warning(
                "missing-no-moves",
                main,
                "what happens to a player without a move is not declared",
            )
            .label("this may have no result; the player to move has then lost")
            .help("`loss`, `draw`, `pass` and `error` are possible")
            .fix("declare that this player has lost", place, "no moves = loss\n\n"),
        );
    }

    fn report_flow(&mut self, findings: &flow::Findings, rules: &[Rule], entries: &Entries) {
        let mut last = None;
        for &(span, need) in &findings.unmet {
            // Without finger the direction is the lesser trouble.
            if last == Some(span) {
                continue;
            }
            last = Some(span);
            let (code, message, label, help) = match need {
                Need::Finger => (
                    "undefined-finger",
                    "the finger points nowhere yet",
                    "this needs the finger on a field",
                    "point it with `find` or `move to` first",
                ),
                Need::Direction => (
                    "undefined-direction",
                    "there is no direction yet",
                    "this needs a direction",
                    "set one first, such as `north` or `any direction`",
                ),
                Need::EmptyHand => (
                    "full-hand",
                    "the hand already holds a piece",
                    "this needs an empty hand",
                    "`put down` the piece first",
                ),
                Need::FullHand => (
                    "empty-hand",
                    "the hand is empty",
                    "this needs a piece in the hand",
                    "`pick up` a piece first, or use `replace by`",
                ),
            };
            self.report(Diagnostic::error(code, span, message).label(label).help(help));
        }
        if let (Some(main), true) = (entries.main, findings.main_keeps_piece) {
            let message = "`main` always ends with a piece in the hand";
            let span = rules[main.index()].name_span;
            self.report(Diagnostic::error("piece-in-hand", span, message).help("`put down` the piece"));
        }
    }

    /// Rules that never have a result because every path calls the rule again.
    fn check_endless_recursion(&mut self, rules: &[Rule], impossible: &[bool], stuck: &[bool]) {
        let next: Vec<Option<RuleId>> = rules
            .iter()
            .enumerate()
            .map(|(number, rule)| {
                first_call(&rule.body, impossible).filter(|_| impossible[number] && !stuck[number])
            })
            .collect();
        for circle in circles(&next) {
            let names = list(circle.iter().map(|rule| rules[rule.index()].name.as_str()));
            let message = match circle.len() {
                1 => format!("rule {names} never has a result: every path calls it again"),
                _ => format!("rules {names} never have a result: every path calls them again"),
            };
            let span = rules[circle[0].index()].name_span;
            self.report(
                Diagnostic::warning("endless-recursion", span, message)
                    .help("add a path without the call, such as `optionally`"),
            );
        }
    }

    fn check_unused(&mut self, rules: &[Rule], entries: &Entries, calls: &Calls) {
        if entries.main.is_none() {
            return;
        }
        for (number, rule) in rules.iter().enumerate() {
            let id = RuleId(number as u32);
            if calls.is_reached(id) || self.direction_rules.contains(&(id, false)) {
                continue;
            }
            let message = format!("rule `{}` is never used", shown(&rule.name));
            let mut diagnostic = Diagnostic::warning("unused-rule", rule.name_span, message);
            match rule.name.as_str() {
                "goal" => {
                    diagnostic = diagnostic.help("`goal` has a meaning of its own with `players = 1` only")
                }
                "final" => {
                    diagnostic =
                        diagnostic.help("`final` has a meaning of its own with `no moves = pass` only")
                }
                "repeated" => {
                    diagnostic =
                        diagnostic.help("`repeated` has a meaning of its own with `repetition = judge` only")
                }
                "chance" => {
                    diagnostic = diagnostic
                        .help("`chance` has a meaning of its own where a property is marked `chance` only")
                }
                _ => {}
            }
            self.report(diagnostic);
        }
        let unused: Vec<(&str, Span)> = self
            .property_names
            .iter()
            .filter(|(name, _)| !self.used_properties.contains(*name))
            .map(|(name, entry)| (*name, entry.span))
            .collect();
        for (name, span) in unused {
            let message = format!("property `{}` is never used", shown(name));
            self.report(Diagnostic::warning("unused-property", span, message));
        }
    }
}
