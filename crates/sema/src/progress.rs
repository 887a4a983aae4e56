//! Recursion that cannot progress: a rule that calls itself on every path before it does anything.

use multigame_syntax::Diagnostic;

use crate::calls::{Calls, circles, first_call};
use crate::checker::Checker;
use crate::model::{Rule, RuleId, Stmt, StmtKind};
use crate::suggest::list;

/// The first action of a statement. `Stuck` is least: it only calls, again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum First {
    Stuck,
    /// It can end without having done anything, so what follows comes first.
    Nothing,
    /// It asks or changes something.
    Acts,
}

/// For each rule whether it only calls; nothing is marked if it takes too long to find out.
pub(crate) fn stuck_rules(rules: &[Rule], calls: &Calls) -> Vec<bool> {
    match calls.fixed_point(rules, First::Stuck, first) {
        Some(values) => values.into_iter().map(|value| value == First::Stuck).collect(),
        None => vec![false; rules.len()],
    }
}

fn first(stmt: &Stmt, rules: &[First]) -> First {
    match &stmt.kind {
        StmtKind::Sequence(parts) => {
            let decisive = parts.iter().map(|part| first(part, rules)).find(|part| *part != First::Nothing);
            decisive.unwrap_or(First::Nothing)
        }
        StmtKind::Either(parts) => {
            parts.iter().map(|part| first(part, rules)).max().unwrap_or(First::Nothing)
        }
        StmtKind::Call(rule) => rules[rule.index()],
        StmtKind::Try(a, _) | StmtKind::AsOpponent(a) | StmtKind::Greatest(_, a) => first(a, rules),
        StmtKind::Optionally(a) => first(a, rules).max(First::Nothing),
        StmtKind::Repeat { low, body, .. } if *low > 0 => first(body, rules),
        StmtKind::Repeat { body, .. } => first(body, rules).max(First::Nothing),
        StmtKind::Test(a) | StmtKind::Not(a) | StmtKind::While { condition: a, .. } => {
            match first(a, rules) {
                First::Stuck => First::Stuck,
                _ => First::Acts,
            }
        }
        StmtKind::DoWhile { body, condition } => match first(body, rules) {
            First::Nothing => first(condition, rules),
            other => other,
        },
        _ => First::Acts,
    }
}

impl<'a> Checker<'a> {
    /// Reports each circle of rules that only call each other.
    pub fn check_progress(&mut self, rules: &[Rule], stuck: &[bool]) {
        let next: Vec<Option<RuleId>> = rules
            .iter()
            .enumerate()
            .map(|(number, rule)| first_call(&rule.body, stuck).filter(|_| stuck[number]))
            .collect();
        for circle in circles(&next) {
            let rule = &rules[circle[0].index()];
            let names = list(circle.iter().map(|rule| rules[rule.index()].name.as_str()));
            let message = match circle.len() {
                1 => format!("rule {names} calls itself before it does anything"),
                _ => format!("rules {names} call each other before they do anything"),
            };
            let mut diagnostic = Diagnostic::error("no-progress", rule.name_span, message)
                .label("this never comes to an end")
                .help("let a path without the call come first, or change the state before it");
            for other in circle.iter().skip(1).take(5) {
                diagnostic = diagnostic.related(rules[other.index()].name_span, "called by the one before");
            }
            self.report(diagnostic);
        }
    }
}
