//! Rules with parameters: each call with other arguments becomes a rule of its own, before anything else is
//! checked. So nothing behind this file knows parameters, and machine code costs what the rules written out
//! would cost.
//!
//! Arguments take the place of parameters as they are: a pattern where a pattern is wanted, a number where a
//! number is. A name is whatever is wanted there.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use multigame_syntax::ast::{
    Argument, DeclarationKind, EvaluationItem, Expr, ExprKind, Name, NamePart, Owner, Pattern, PatternKind,
    Program, RepeatHigh, Rule, Stmt, StmtKind, TermItem,
};
use multigame_syntax::{Diagnostic, Span};

use crate::suggest::{closest, shown};

/// More rules are not made: a rule that calls itself with ever longer arguments would need infinitely many.
const MOST_INSTANCES: usize = 1_000;

/// Statements, patterns and expressions of all rules that are made.
const MOST_WORK: usize = 1_000_000;

/// The program with its rules written out, and what is wrong with parameters and arguments; nothing if it has
/// neither.
pub(crate) fn written_out(program: &Program) -> Option<(Program, Vec<Diagnostic>)> {
    let has_parameters = program.rules.iter().any(|rule| !rule.parameters.is_empty());
    if !has_parameters && !program.has_arguments {
        return None;
    }
    let mut writer = Writer {
        templates: BTreeMap::new(),
        plain: BTreeSet::new(),
        made: HashMap::new(),
        waiting: VecDeque::new(),
        bound: BTreeMap::new(),
        work: 0,
        found: Vec::new(),
    };
    let mut program = program.clone();
    let (templates, plain): (Vec<Rule>, Vec<Rule>) =
        program.rules.drain(..).partition(|rule| !rule.parameters.is_empty());
    writer.plain = plain.iter().map(|rule| rule.name.text.clone()).collect();
    for rule in templates {
        writer.declare(rule);
    }
    program.rules = plain;
    for rule in &mut program.rules {
        writer.statement(&mut rule.body);
    }
    for declaration in &mut program.declarations {
        if let DeclarationKind::Evaluation(evaluation) = &mut declaration.kind {
            evaluation.items.iter_mut().for_each(|item| writer.evaluation(item));
        }
    }
    while let Some((mut rule, bound)) = writer.waiting.pop_front() {
        writer.bound = bound;
        writer.statement(&mut rule.body);
        program.rules.push(rule);
    }
    writer.report_unused();
    Some((program, writer.found))
}

/// What the parameters of a rule stand for.
type Bound = BTreeMap<String, Argument>;

struct Writer {
    templates: BTreeMap<String, Rule>,
    /// The names of rules without parameters.
    plain: BTreeSet<String>,
    /// The names of the rules made: by the rule's name and the arguments.
    made: HashMap<(String, String), String>,
    waiting: VecDeque<(Rule, Bound)>,
    /// The parameters of the rule at hand.
    bound: Bound,
    work: usize,
    found: Vec<Diagnostic>,
}

impl Writer {
    fn declare(&mut self, rule: Rule) {
        let mut names = BTreeSet::new();
        for parameter in &rule.parameters {
            if !names.insert(&parameter.text) {
                let message = format!("parameter `{}` is declared twice", shown(&parameter.text));
                self.found.push(Diagnostic::error("double-declaration", parameter.span, message));
            }
        }
        let name = rule.name.clone();
        let twice = self.plain.contains(&name.text) || self.templates.contains_key(&name.text);
        if twice {
            let message = format!("rule `{}` is declared twice", shown(&name.text));
            self.found.push(Diagnostic::error("double-declaration", name.span, message));
        }
        self.templates.entry(name.text).or_insert(rule);
    }

    fn report_unused(&mut self) {
        let used: BTreeSet<&str> = self.made.keys().map(|(name, _)| name.as_str()).collect();
        for (name, rule) in &self.templates {
            if !used.contains(name.as_str()) {
                let message = format!("rule `{}` is never used", shown(name));
                let diagnostic = Diagnostic::warning("unused-rule", rule.name.span, message);
                self.found.push(match name.as_str() {
                    "main" => Diagnostic::error("call-arguments", rule.name.span, "`main` has no parameters"),
                    _ => diagnostic.label("so nothing is known about its parameters, and it is not checked"),
                });
            }
        }
    }

    fn statement(&mut self, stmt: &mut Stmt) {
        self.work += 1;
        match &mut stmt.kind {
            StmtKind::Sequence(parts) | StmtKind::Either(parts) => {
                parts.iter_mut().for_each(|part| self.statement(part));
            }
            StmtKind::Try(a, b) => {
                self.statement(a);
                if let Some(b) = b {
                    self.statement(b);
                }
            }
            StmtKind::Optionally(a)
            | StmtKind::Test(a)
            | StmtKind::Not(a)
            | StmtKind::AsOpponent(a)
            | StmtKind::Facing(a) => self.statement(a),
            StmtKind::ForEachDirection(directions, a) => {
                self.statement(directions);
                self.statement(a);
            }
            StmtKind::Repeat { low, high, body } => {
                self.expression(low);
                if let RepeatHigh::To(high) = high {
                    self.expression(high);
                }
                self.statement(body);
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                self.statement(condition);
                self.statement(body);
            }
            StmtKind::Find(pattern)
            | StmtKind::PointsAt(pattern)
            | StmtKind::ReplaceBy(pattern)
            | StmtKind::Add(pattern)
            | StmtKind::Holds(pattern) => self.pattern(pattern),
            StmtKind::ForEachField(pattern, body) => {
                self.statement(body);
                if let Some(directions) = self.direction_argument(pattern) {
                    let body = std::mem::replace(&mut **body, missing(stmt.span));
                    stmt.kind = StmtKind::ForEachDirection(Box::new(directions), Box::new(body));
                } else {
                    self.pattern(pattern);
                }
            }
            StmtKind::Match(patterns) => patterns.iter_mut().for_each(|pattern| self.pattern(pattern)),
            StmtKind::MoveTo(column, row) => {
                self.expression(column);
                self.expression(row);
            }
            StmtKind::Assert(e)
            | StmtKind::Assign(e)
            | StmtKind::Score(e)
            | StmtKind::PickUpSome(e)
            | StmtKind::PutDownSome(e) => self.expression(e),
            StmtKind::Greatest(e, body) => {
                self.expression(e);
                self.statement(body);
            }
            StmtKind::Called(parts) => {
                for part in parts {
                    if let NamePart::Number(e) = part {
                        self.expression(e);
                    }
                }
            }
            StmtKind::Call(name) => {
                let name = name.clone();
                self.call(&name, stmt);
            }
            StmtKind::CallWith(name, arguments) => {
                let (name, arguments) = (name.clone(), std::mem::take(arguments));
                stmt.kind = self.call_with(&name, arguments, stmt.span);
            }
            StmtKind::Missing
            | StmtKind::PickUp
            | StmtKind::PutDown
            | StmtKind::Step
            | StmtKind::StepBackward
            | StmtKind::Compass(_)
            | StmtKind::Orthogonal
            | StmtKind::Diagonal
            | StmtKind::AnyDirection
            | StmtKind::Turn(_)
            | StmtKind::WhiteToMove
            | StmtKind::BlackToMove
            | StmtKind::Nothing
            | StmtKind::Irreversible
            | StmtKind::Outcome(_)
            | StmtKind::BoardUnchanged
            | StmtKind::KeepTurn => {}
        }
    }

    /// The statement that a parameter after `for each` is, where directions are given for it.
    fn direction_argument(&self, pattern: &Pattern) -> Option<Stmt> {
        let PatternKind::Piece(Owner::Plain, name) = &pattern.kind else { return None };
        match self.bound.get(&name.text)? {
            Argument::Statement(given) => Some(given.clone()),
            _ => None,
        }
    }

    /// A name as a statement: a parameter, or a rule.
    fn call(&mut self, name: &str, stmt: &mut Stmt) {
        match self.bound.get(name).cloned() {
            None => {
                if let Some(rule) = self.templates.get(name) {
                    let wanted = list(&rule.parameters);
                    let message = format!("rule `{}` needs {wanted}", shown(name));
                    let diagnostic = Diagnostic::error("call-arguments", stmt.span, message)
                        .related(rule.name.span, "declared here");
                    self.found.push(diagnostic);
                    stmt.kind = StmtKind::Missing;
                }
            }
            Some(Argument::Statement(given)) => *stmt = given,
            Some(Argument::Name(Owner::Plain, given)) if !self.templates.contains_key(&given.text) => {
                *stmt = Stmt { kind: StmtKind::Call(given.text), span: given.span };
            }
            Some(other) => {
                self.misplaced(&other, stmt.span, "a statement");
                stmt.kind = StmtKind::Missing;
            }
        }
    }

    fn call_with(&mut self, name: &Name, mut arguments: Vec<Argument>, span: Span) -> StmtKind {
        arguments.iter_mut().for_each(|argument| self.argument(argument));
        let name = match self.bound.get(&name.text).cloned() {
            None => name.clone(),
            Some(Argument::Name(Owner::Plain, given)) => given,
            Some(other) => {
                self.misplaced(&other, name.span, "the name of a rule");
                return StmtKind::Missing;
            }
        };
        let Some(rule) = self.templates.get(&name.text) else {
            self.found.push(self.unknown(&name, span));
            return StmtKind::Missing;
        };
        if rule.parameters.len() != arguments.len() {
            let message = format!(
                "rule `{}` needs {}, not {}",
                shown(&name.text),
                list(&rule.parameters),
                arguments.len()
            );
            let diagnostic = Diagnostic::error("call-arguments", span, message);
            self.found.push(diagnostic.related(rule.name.span, "declared here"));
            return StmtKind::Missing;
        }
        match self.instance(&name.text, arguments) {
            Some(made) => StmtKind::Call(made),
            None => {
                let message =
                    format!("rule `{}` is called with too many different arguments", shown(&name.text));
                self.found.push(Diagnostic::error("too-many-instances", span, message).label(
                    "a rule that calls itself with longer and longer arguments would need infinitely many rules",
                ));
                StmtKind::Missing
            }
        }
    }

    fn unknown(&self, name: &Name, span: Span) -> Diagnostic {
        if self.plain.contains(&name.text) {
            let message = format!("rule `{}` has no parameters", shown(&name.text));
            return Diagnostic::error("call-arguments", span, message)
                .label("it is called by its name alone");
        }
        let diagnostic = Diagnostic::error(
            "undefined-rule",
            name.span,
            format!("there is no rule `{}`", shown(&name.text)),
        );
        match closest(&name.text, self.templates.keys().map(String::as_str)) {
            Some(near) => diagnostic.label(format!("did you mean `{near}`?")).fix(
                format!("write `{near}`"),
                name.span,
                near,
            ),
            None => diagnostic.label("not declared"),
        }
    }

    /// The name of the rule with these arguments, which is made if there is none; nothing if there are too
    /// many.
    fn instance(&mut self, name: &str, arguments: Vec<Argument>) -> Option<String> {
        let key = (name.to_string(), without_places(&format!("{arguments:?}")));
        self.work += key.1.len() / 16;
        if let Some(made) = self.made.get(&key) {
            return Some(made.clone());
        }
        if self.made.len() >= MOST_INSTANCES || self.work > MOST_WORK {
            return None;
        }
        let is_free = |made: &String| {
            !self.plain.contains(made)
                && !self.templates.contains_key(made)
                && !self.made.values().any(|m| m == made)
        };
        let made = (1..).map(|number| format!("{name}_{number}")).find(is_free)?;
        self.made.insert(key, made.clone());
        let mut rule = self.templates[name].clone();
        let parameters = std::mem::take(&mut rule.parameters);
        rule.name.text = made.clone();
        let bound = parameters.into_iter().map(|parameter| parameter.text).zip(arguments).collect();
        self.waiting.push_back((rule, bound));
        Some(made)
    }

    /// An argument of a call inside a rule that has parameters itself.
    fn argument(&mut self, argument: &mut Argument) {
        match argument {
            Argument::Name(owner, name) => {
                let Some(given) = self.bound.get(&name.text).cloned() else { return };
                let (owner, span) = (*owner, name.span);
                *argument = match (owner, given) {
                    (Owner::Plain, given) => given,
                    (_, Argument::Name(whose, given)) => Argument::Name(seen(owner, whose), given),
                    (_, Argument::Pattern(pattern)) => Argument::Pattern(owned(owner, pattern)),
                    (_, other) => return self.misplaced(&other, span, "a pattern or a property"),
                };
            }
            Argument::Pattern(pattern) => self.pattern(pattern),
            Argument::Number(expr) => self.expression(expr),
            Argument::Statement(stmt) => self.statement(stmt),
        }
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        self.work += 1;
        match &mut pattern.kind {
            PatternKind::Any(parts) => parts.iter_mut().for_each(|part| self.pattern(part)),
            PatternKind::Piece(owner, name) => {
                let Some(given) = self.bound.get(&name.text).cloned() else { return };
                let owner = *owner;
                match given {
                    Argument::Name(whose, given) => {
                        pattern.span = given.span;
                        pattern.kind = PatternKind::Piece(seen(owner, whose), given);
                    }
                    Argument::Pattern(given) => *pattern = owned(owner, given),
                    other => {
                        self.misplaced(&other, name.span, "a pattern");
                        pattern.kind = PatternKind::Missing;
                    }
                }
            }
            _ => {}
        }
    }

    fn expression(&mut self, expr: &mut Expr) {
        self.work += 1;
        match &mut expr.kind {
            ExprKind::Missing | ExprKind::Int(_) => {}
            ExprKind::Variable(owner, name) => {
                let Some(given) = self.bound.get(&name.text).cloned() else { return };
                let (owner, span) = (*owner, name.span);
                match given {
                    Argument::Name(whose, given) => {
                        expr.span = given.span;
                        expr.kind = ExprKind::Variable(seen(owner, whose), given);
                    }
                    Argument::Number(given) if owner == Owner::Plain => *expr = given,
                    other => {
                        let is_plain = owner == Owner::Plain;
                        self.misplaced(&other, span, if is_plain { "an expression" } else { "a property" });
                        expr.kind = ExprKind::Missing;
                    }
                }
            }
            ExprKind::Unary(_, a) => self.expression(a),
            ExprKind::Step { variable, .. } => self.target(variable),
            ExprKind::Assign(target, _, value) => {
                self.target(target);
                self.expression(value);
            }
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Comma(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            ExprKind::Conditional(c, a, b) => {
                self.expression(c);
                self.expression(a);
                self.expression(b);
            }
            ExprKind::Count(body) => self.statement(body),
            ExprKind::Sum(e, body) => {
                self.expression(e);
                self.statement(body);
            }
        }
    }

    /// The target of an assignment has to stay a name.
    fn target(&mut self, target: &mut Expr) {
        let place = target.span;
        self.expression(target);
        if !matches!(target.kind, ExprKind::Variable(..) | ExprKind::Missing) {
            let message = "this is not a property, and it is assigned to";
            self.found.push(
                Diagnostic::error("argument-kind", target.span, message).related(place, "assigned here"),
            );
            target.kind = ExprKind::Missing;
        }
    }

    fn evaluation(&mut self, item: &mut EvaluationItem) {
        match item {
            EvaluationItem::Phase { value, .. } | EvaluationItem::Calm { value, .. } => {
                self.expression(value)
            }
            EvaluationItem::Term(TermItem { value, .. }) => self.expression(value),
            EvaluationItem::Greatest(terms, _) => {
                terms.iter_mut().for_each(|term| self.expression(&mut term.value));
            }
            EvaluationItem::Material(_) | EvaluationItem::Table { .. } => {}
        }
    }

    /// Reports an argument that is of another kind than what is wanted where its parameter occurs.
    fn misplaced(&mut self, argument: &Argument, place: Span, wanted: &str) {
        let is = match argument {
            Argument::Name(..) => "a name that cannot be one",
            Argument::Pattern(_) => "a pattern",
            Argument::Number(_) => "an expression",
            Argument::Statement(_) => "a statement",
        };
        let message = format!("{wanted} is expected in place of the parameter, and this is {is}");
        let diagnostic = Diagnostic::error("argument-kind", argument.span(), message);
        self.found.push(diagnostic.related(place, format!("{wanted} is expected here")));
    }
}

fn missing(span: Span) -> Stmt {
    Stmt { kind: StmtKind::Missing, span }
}

/// `2 arguments (over, target)`
fn list(parameters: &[Name]) -> String {
    let names: Vec<&str> = parameters.iter().map(|name| name.text.as_str()).collect();
    let word = if names.len() == 1 { "argument" } else { "arguments" };
    format!("{} {word} ({})", names.len(), names.join(", "))
}

/// Whose something is that one player calls somebody's, seen by somebody.
fn seen(by: Owner, whose: Owner) -> Owner {
    match (by, whose) {
        (Owner::Plain, whose) => whose,
        (Owner::Own, Owner::Opponents) | (Owner::Opponents, Owner::Plain | Owner::Own) => Owner::Opponents,
        (Owner::Own, _) | (Owner::Opponents, Owner::Opponents) => Owner::Own,
    }
}

/// A pattern as it is, or as the other player means it.
fn owned(owner: Owner, mut pattern: Pattern) -> Pattern {
    if owner == Owner::Opponents {
        turn(&mut pattern);
    }
    pattern
}

fn turn(pattern: &mut Pattern) {
    match &mut pattern.kind {
        PatternKind::Any(parts) => parts.iter_mut().for_each(turn),
        PatternKind::OwnPiece => pattern.kind = PatternKind::OpponentsPiece,
        PatternKind::OpponentsPiece => pattern.kind = PatternKind::OwnPiece,
        PatternKind::Piece(owner, _) => *owner = seen(Owner::Opponents, *owner),
        PatternKind::Missing | PatternKind::EmptyField | PatternKind::AnyField | PatternKind::AnyPiece => {}
    }
}

/// The form for debugging without places in the text, so that equal arguments are equal.
fn without_places(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("Span {") {
        short.push_str(before);
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    short + rest
}
