//! Chance: the properties marked `chance` and `weight`, and the rule that says what nature does.
//!
//! From here on nature's rule is a part of `main`: where the marked property has its least value, the rule
//! `chance` runs, elsewhere `main`. So everything behind this crate makes nature's moves as it makes those of
//! players.

use multigame_game::{Chance, Scope};
use multigame_syntax::ast::{self, BinaryOp, PropertyDecl};
use multigame_syntax::{Diagnostic, Span};

use crate::Entries;
use crate::checker::Checker;
use crate::model::{Expr, ExprKind, Rule, RuleId, Stmt, StmtKind, Variable};

/// The greatest weight of one outcome: sums of many still fit.
const MOST_WEIGHT: i32 = 1_000_000;

impl Checker<'_> {
    /// Reads the marks of a line of properties.
    pub fn declare_chance(&mut self, line: &PropertyDecl, (low, high): (i32, i32)) {
        for (word, mark) in [("chance", line.chance), ("weight", line.weight)] {
            let Some(span) = mark else { continue };
            if let Some(problem) = self.misplaced(word, line, (low, high)) {
                self.report(problem);
                continue;
            }
            let place = if word == "chance" { &mut self.chance } else { &mut self.weight };
            let number = self.properties.iter().rposition(|property| property.name == line.names[0].text);
            match (*place, number) {
                (Some((_, first)), _) => {
                    let message = format!("two properties are marked `{word}`");
                    let diagnostic = Diagnostic::error("bad-chance", span, message);
                    self.report(diagnostic.label("remove one of the two").related(first, "the first one"));
                }
                (None, Some(number)) => *place = Some((number, span)),
                (None, None) => {}
            }
        }
    }

    fn misplaced(&self, word: &str, line: &PropertyDecl, (low, high): (i32, i32)) -> Option<Diagnostic> {
        let span = if word == "chance" { line.chance } else { line.weight }?;
        let error = |span, message: &str| Diagnostic::error("bad-chance", span, message);
        if line.scope != ast::Scope::Board || line.names.len() != 1 {
            let message = format!("`{word}` marks one board property");
            return Some(error(span, &message).label("this line declares something else").help(format!(
                "write a line of its own, such as `die : board : [{}] {word}`",
                if word == "chance" { "0 .. 6" } else { "1 .. 2" }
            )));
        }
        if word == "chance" && line.unhashed.is_some() {
            let message = "whether nature moves cannot be `unhashed`";
            return Some(error(span, message).label("positions before and after a throw would be the same"));
        }
        if word == "weight" && (low < 1 || high > MOST_WEIGHT) {
            let message = format!("weights are from 1 to {MOST_WEIGHT}");
            let range = Span { start: line.low.span.start, end: line.high.span.end };
            return Some(error(range, &message).label("this range is larger").help(
                "an outcome that cannot happen has no weight: let the rule `chance` fail for it".to_string(),
            ));
        }
        if word == "chance" && low == high {
            let range = Span { start: line.low.span.start, end: line.high.span.end };
            let message = "nature would move for ever";
            return Some(error(range, message).label("there is no value besides the one that waits"));
        }
        None
    }

    /// Marks and rule belong together.
    pub fn check_chance(&mut self, has_rule: bool) {
        let rule = self.rule_names.get("chance").map(|rule| self.program.rules[rule.index()].name.span);
        let diagnostic = match (self.chance, self.weight, rule) {
            (Some((number, span)), _, _) if !has_rule => {
                let name = self.properties[number].name.clone();
                let message = format!("where `{name}` has its least value, nature has no rule");
                Diagnostic::error("missing-chance", span, message).label("nature moves here").help(
                    "write a rule `chance` whose results are all that may happen: \
                     `chance = either [ assign (die = 1) ] or ... .`",
                )
            }
            (None, Some((_, span)), _) => {
                Diagnostic::error("missing-chance", span, "there is no chance whose outcomes could weigh")
                    .label("this says how likely they are")
                    .help("mark the property that waits for a throw: `die : board : [0 .. 6] chance`")
            }
            _ => return,
        };
        self.report(diagnostic);
    }

    /// The rule that makes one move, of nature or of a player. Without chance that is `main`.
    pub fn main_with_chance(&mut self, rules: &mut Vec<Rule>, entries: &Entries) -> Option<RuleId> {
        let (Some((number, _)), Some(chance)) = (self.chance, entries.chance) else { return entries.main };
        let main = entries.main?;
        let waiting = i64::from(self.properties[number].low);
        let span = rules[main.index()].name_span;
        let asks = |op, span| {
            let value = |kind| Box::new(Expr { kind, span });
            let held = value(ExprKind::Load(Variable::Board(number)));
            let waiting = value(ExprKind::Const { value: waiting, adjustable: false });
            let asked = Expr { kind: ExprKind::Binary(op, held, waiting), span };
            Stmt { kind: StmtKind::Assert(asked), span }
        };
        let mut nature = vec![asks(BinaryOp::Equal, rules[chance.index()].name_span)];
        nature.extend(self.least_weight(rules[chance.index()].name_span));
        nature.push(Stmt { kind: StmtKind::Call(chance), span: rules[chance.index()].name_span });
        let player = vec![asks(BinaryOp::NotEqual, span), Stmt { kind: StmtKind::Call(main), span }];
        let sequence = |parts| Stmt { kind: StmtKind::Sequence(parts), span };
        let body = Stmt { kind: StmtKind::Either(vec![sequence(nature), sequence(player)]), span };
        rules.push(Rule { name: "throw or move".to_string(), name_span: span, body });
        Some(RuleId(rules.len() as u32 - 1))
    }

    /// An outcome weighs least unless the rule says otherwise.
    fn least_weight(&self, span: Span) -> Option<Stmt> {
        let (number, _) = self.weight?;
        let value = i64::from(self.properties[number].low);
        let least = Box::new(Expr { kind: ExprKind::Const { value, adjustable: false }, span });
        let store = Expr { kind: ExprKind::Store(Variable::Board(number), None, least), span };
        Some(Stmt { kind: StmtKind::Assign(store), span })
    }

    /// Where positions keep all this.
    pub fn chance_of_positions(&self) -> Option<Chance> {
        let (number, _) = self.chance?;
        let waits = &self.properties[number];
        debug_assert_eq!(waits.scope, Scope::Board);
        let weight = self.weight.map(|(number, _)| self.properties[number].offset);
        Some(Chance { slot: waits.offset, waiting: waits.low, weight })
    }
}
