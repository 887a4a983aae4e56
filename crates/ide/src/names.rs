//! Every name in a text: where it is declared, where it is used, and what it names.

use std::collections::HashSet;

use multigame_syntax::Span;
use multigame_syntax::ast::{
    Argument, DeclarationKind, Evaluation, EvaluationItem, Expr, ExprKind, Name, NamePart, Pattern,
    PatternKind, Program, RepeatHigh, Repetition, SetupItem, SetupValue, Stmt, StmtKind, TermItem,
    WeightDecl,
};

use crate::tree::slice;

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// A rule.
    Rule,
    /// A piece.
    Piece,
    /// A pattern with a name.
    Pattern,
    /// A property.
    Property,
    /// A parameter.
    Parameter,
    /// A parameter of a rule.
    Argument,
    /// A direction of a free graph.
    Direction,
    /// An evaluation.
    Evaluation,
    /// A term of an evaluation.
    Term,
    /// An abstraction of a puzzle.
    Abstraction,
    /// A game that rules are based on.
    Game,
    /// A library that rules use.
    Library,
}

impl NameKind {
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            NameKind::Rule => "rule",
            NameKind::Piece => "piece",
            NameKind::Pattern => "pattern",
            NameKind::Property => "property",
            NameKind::Parameter => "parameter",
            NameKind::Argument => "parameter of the rule",
            NameKind::Direction => "direction",
            NameKind::Evaluation => "evaluation",
            NameKind::Term => "term",
            NameKind::Abstraction => "abstraction",
            NameKind::Game => "game",
            NameKind::Library => "library",
        }
    }
}

/// A name at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The name.
    pub name: String,
    /// What it names.
    pub kind: NameKind,
    /// The place.
    pub span: Span,
    /// Whether it is declared here.
    pub declares: bool,
    /// Where the rule begins that a parameter of a rule belongs to: it names nothing outside of it.
    pub rule: Option<u32>,
}

impl Occurrence {
    /// Whether another name of the same text names the same.
    pub fn names_the_same(&self, other: &Occurrence) -> bool {
        (self.kind, &self.name, self.rule) == (other.kind, &other.name, other.rule)
    }

    /// Whether a name of another text names the same.
    pub fn names_the_same_elsewhere(&self, other: &Occurrence) -> bool {
        self.rule.is_none() && self.names_the_same(other)
    }
}

/// What a name can name where it is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// This, and nothing else.
    Known(NameKind),
    /// A statement that is one word: a rule or a direction.
    Call,
    /// A property or a parameter.
    Variable,
    /// A compass direction, which a free graph may declare.
    Compass,
    /// A piece, or `fields`.
    Look,
    /// A piece or a pattern.
    Pattern,
    /// Whatever is wanted where a parameter of a rule is.
    Argument,
    /// A parameter of the rule that begins there.
    Bound(u32),
}

/// What the name of an argument can name.
const ARGUMENTS: [NameKind; 6] = [
    NameKind::Pattern,
    NameKind::Piece,
    NameKind::Property,
    NameKind::Parameter,
    NameKind::Rule,
    NameKind::Direction,
];

/// Names of a program before it is known what all of them name.
#[derive(Default)]
pub(crate) struct Collected {
    declared: Vec<(NameKind, Name)>,
    used: Vec<(Use, Name)>,
    /// Parameters of rules, with the beginning of their rule.
    parameters: Vec<(u32, Name)>,
    /// The parameters of the rule at hand.
    bound: HashSet<String>,
    /// Where that rule begins.
    rule: u32,
}

/// The names that some texts declare together.
#[derive(Default)]
pub(crate) struct Declared(HashSet<(NameKind, String)>);

impl Declared {
    /// Adds those of a text.
    pub fn add(&mut self, collected: &Collected) {
        self.0.extend(collected.declared.iter().map(|(kind, name)| (*kind, name.text.clone())));
    }

    /// Whether there is something of that kind and name.
    pub fn has(&self, kind: NameKind, name: &str) -> bool {
        self.0.contains(&(kind, name.to_string()))
    }

    /// What a name names, if anything.
    fn kind(&self, used: Use, name: &str) -> Option<NameKind> {
        let has = |kind| self.has(kind, name);
        match used {
            Use::Known(kind) => Some(kind),
            Use::Call if !has(NameKind::Rule) && has(NameKind::Direction) => Some(NameKind::Direction),
            Use::Call => Some(NameKind::Rule),
            Use::Variable if !has(NameKind::Property) && has(NameKind::Parameter) => {
                Some(NameKind::Parameter)
            }
            Use::Variable
                if matches!(name, "row" | "column" | "rank" | "height" | "carried")
                    && !has(NameKind::Property) =>
            {
                None
            }
            Use::Variable => Some(NameKind::Property),
            Use::Compass => has(NameKind::Direction).then_some(NameKind::Direction),
            Use::Pattern if has(NameKind::Pattern) => Some(NameKind::Pattern),
            // `for each NAME do` may go through directions.
            Use::Pattern if !has(NameKind::Piece) && has(NameKind::Direction) => Some(NameKind::Direction),
            Use::Pattern if !has(NameKind::Piece) && has(NameKind::Rule) => Some(NameKind::Rule),
            Use::Pattern => Some(NameKind::Piece),
            Use::Bound(_) => Some(NameKind::Argument),
            Use::Argument => ARGUMENTS.into_iter().find(|&kind| has(kind)),
            Use::Look => (name != "fields" || has(NameKind::Piece)).then_some(NameKind::Piece),
        }
    }
}

impl Collected {
    /// All names of a program.
    pub fn of(program: &Program) -> Collected {
        let mut names = Collected::default();
        for declaration in &program.declarations {
            names.declaration(&declaration.kind);
        }
        for rule in &program.rules {
            names.declare(NameKind::Rule, &rule.name);
            names.rule = rule.span.start;
            names.parameters.extend(rule.parameters.iter().map(|name| (names.rule, name.clone())));
            names.bound = rule.parameters.iter().map(|name| name.text.clone()).collect();
            names.statement(&rule.body);
            names.bound.clear();
        }
        names
    }

    /// The names in the order of the text. A part that was not written as it was read has none.
    pub fn occurrences(self, text: &str, declared: &Declared) -> Vec<Occurrence> {
        let found = self.declared.into_iter().map(|(kind, name)| (Some(kind), name, true, None));
        let parameters = self.parameters.into_iter();
        let parameters = parameters.map(|(rule, name)| (Some(NameKind::Argument), name, true, Some(rule)));
        let used = self.used.into_iter().map(|(used, name)| {
            let rule = if let Use::Bound(rule) = used { Some(rule) } else { None };
            (declared.kind(used, &name.text), name, false, rule)
        });
        let mut occurrences: Vec<Occurrence> = found
            .chain(parameters)
            .chain(used)
            .filter(|(kind, name, ..)| {
                slice(text, name.span).trim_matches('"') == name.text
                    || matches!(kind, Some(NameKind::Game | NameKind::Library))
                        && slice(text, name.span).contains(&name.text)
            })
            .filter_map(|(kind, name, declares, rule)| {
                Some(Occurrence { name: name.text, kind: kind?, span: name.span, declares, rule })
            })
            .collect();
        occurrences.sort_by_key(|occurrence| (occurrence.span, !occurrence.declares));
        occurrences.dedup_by_key(|occurrence| occurrence.span);
        occurrences
    }

    fn declare(&mut self, kind: NameKind, name: &Name) {
        self.declared.push((kind, name.clone()));
    }

    fn mention(&mut self, used: Use, name: &Name) {
        let used = if self.bound.contains(&name.text) { Use::Bound(self.rule) } else { used };
        self.used.push((used, name.clone()));
    }

    fn declaration(&mut self, declaration: &DeclarationKind) {
        use NameKind::{Abstraction, Direction, Game, Library, Parameter, Piece, Property, Rule};
        match declaration {
            DeclarationKind::BasedOn(name) => self.mention(Use::Known(Game), name),
            DeclarationKind::Uses(name) => self.mention(Use::Known(Library), name),
            DeclarationKind::Players(e) | DeclarationKind::Sides(e) => self.expression(e),
            DeclarationKind::Dimensions { columns, rows } => {
                self.expression(columns);
                self.expression(rows);
            }
            DeclarationKind::Pieces(pieces) => {
                pieces.iter().for_each(|piece| self.declare(Piece, &piece.name));
            }
            DeclarationKind::Properties(properties) => {
                for property in properties {
                    property.names.iter().for_each(|name| self.declare(Property, name));
                    self.expression(&property.low);
                    self.expression(&property.high);
                }
            }
            DeclarationKind::Parameter { name, default, low, high } => {
                self.declare(Parameter, name);
                [default, low, high].into_iter().for_each(|e| self.expression(e));
            }
            DeclarationKind::Pattern { name, pattern } => {
                self.declare(NameKind::Pattern, name);
                self.pattern(pattern);
            }
            DeclarationKind::Directions(directions) => {
                for direction in directions {
                    self.declare(Direction, &direction.name);
                    direction.opposite.iter().for_each(|name| self.declare(Direction, name));
                }
            }
            DeclarationKind::Setup(items) => items.iter().for_each(|item| self.setup(item, Rule)),
            DeclarationKind::Repetition(repetition) => self.repetition(repetition),
            DeclarationKind::Stacks(stacks) => {
                self.expression(&stacks.highest);
                stacks.covered.iter().for_each(|name| self.mention(Use::Known(Piece), name));
            }
            DeclarationKind::Notation(items) => {
                let arguments = items.iter().flat_map(|item| &item.arguments);
                arguments.for_each(|name| self.mention(Use::Known(Property), name));
            }
            DeclarationKind::Looks(items) => {
                items.iter().for_each(|item| self.mention(Use::Look, &item.name));
            }
            DeclarationKind::Abstractions(entries) => {
                for entry in entries {
                    self.declare(Abstraction, &entry.name);
                    entry.kept.iter().for_each(|name| self.mention(Use::Known(Piece), name));
                }
            }
            DeclarationKind::Evaluation(evaluation) => self.evaluation(evaluation),
            DeclarationKind::NoMoves(_) | DeclarationKind::Topology(_) => {}
        }
    }

    fn setup(&mut self, item: &SetupItem, rule: NameKind) {
        match item {
            SetupItem::Value { name, value } => {
                self.mention(Use::Known(NameKind::Property), name);
                if let SetupValue::Numbers(numbers) = value {
                    numbers.iter().for_each(|number| self.expression(number));
                }
            }
            SetupItem::Apply(name) => self.mention(Use::Known(rule), name),
            SetupItem::Row(..) | SetupItem::ToMove { .. } => {}
        }
    }

    fn repetition(&mut self, repetition: &Repetition) {
        match repetition {
            Repetition::Ends { count, .. } => self.expression(count),
            Repetition::Judged { count, cycle } => {
                self.expression(count);
                cycle.iter().for_each(|name| self.mention(Use::Known(NameKind::Property), name));
            }
            Repetition::Forbidden => {}
        }
    }

    fn evaluation(&mut self, evaluation: &Evaluation) {
        evaluation.name.iter().for_each(|name| self.declare(NameKind::Evaluation, name));
        let piece = Use::Known(NameKind::Piece);
        for item in &evaluation.items {
            match item {
                EvaluationItem::Phase { value, low, high, .. } => {
                    [value, low, high].into_iter().for_each(|e| self.expression(e));
                }
                EvaluationItem::Calm { value, .. } => self.expression(value),
                EvaluationItem::Material(entries) => {
                    for entry in entries {
                        self.mention(piece, &entry.piece);
                        self.weight(&entry.weight);
                    }
                }
                EvaluationItem::Table { piece: name, .. } => self.mention(piece, name),
                EvaluationItem::Term(term) => self.term(term),
                EvaluationItem::Greatest(terms, _) => terms.iter().for_each(|term| self.term(term)),
            }
        }
    }

    fn term(&mut self, term: &TermItem) {
        self.declare(NameKind::Term, &term.name);
        term.weight.iter().for_each(|weight| self.weight(weight));
        self.expression(&term.value);
    }

    fn weight(&mut self, weight: &WeightDecl) {
        self.expression(&weight.opening);
        weight.end.iter().for_each(|end| self.expression(end));
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Sequence(parts) | StmtKind::Either(parts) => {
                parts.iter().for_each(|part| self.statement(part));
            }
            StmtKind::Try(a, b) => {
                self.statement(a);
                b.iter().for_each(|b| self.statement(b));
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
            StmtKind::While { condition, body } | StmtKind::DoWhile { condition, body } => {
                self.statement(condition);
                self.statement(body);
            }
            StmtKind::Find(pattern)
            | StmtKind::PointsAt(pattern)
            | StmtKind::ReplaceBy(pattern)
            | StmtKind::Add(pattern)
            | StmtKind::Holds(pattern) => self.pattern(pattern),
            StmtKind::ForEachField(pattern, a) => {
                self.pattern(pattern);
                self.statement(a);
            }
            StmtKind::Match(patterns) => patterns.iter().for_each(|pattern| self.pattern(pattern)),
            StmtKind::MoveTo(column, row) => {
                self.expression(column);
                self.expression(row);
            }
            StmtKind::Assert(e)
            | StmtKind::Assign(e)
            | StmtKind::Score(e)
            | StmtKind::PickUpSome(e)
            | StmtKind::PutDownSome(e) => self.expression(e),
            StmtKind::Greatest(e, a) => {
                self.expression(e);
                self.statement(a);
            }
            StmtKind::Called(parts) => {
                let numbers = parts.iter().filter_map(|part| match part {
                    NamePart::Number(e) => Some(e),
                    NamePart::Text(_) | NamePart::Field(_) => None,
                });
                numbers.for_each(|e| self.expression(e));
            }
            StmtKind::Call(name) => {
                let end = stmt.span.start.saturating_add(name.len() as u32);
                let span = Span::new(stmt.span.start, end);
                self.mention(Use::Call, &Name { text: name.clone(), span });
            }
            StmtKind::CallWith(name, arguments) => {
                self.mention(Use::Known(NameKind::Rule), name);
                arguments.iter().for_each(|argument| self.argument(argument));
            }
            StmtKind::Compass(compass) => {
                let text = format!("{compass:?}").to_lowercase();
                self.mention(Use::Compass, &Name { text, span: stmt.span });
            }
            _ => {}
        }
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Name(_, name) => self.mention(Use::Argument, name),
            Argument::Pattern(pattern) => self.pattern(pattern),
            Argument::Number(e) => self.expression(e),
            Argument::Statement(stmt) => self.statement(stmt),
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Any(patterns) => patterns.iter().for_each(|pattern| self.pattern(pattern)),
            PatternKind::Piece(_, name) => self.mention(Use::Pattern, name),
            _ => {}
        }
    }

    fn expression(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Variable(_, name) => self.mention(Use::Variable, name),
            ExprKind::Unary(_, a) | ExprKind::Step { variable: a, .. } => self.expression(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Assign(a, _, b)
            | ExprKind::Comma(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expression(e)),
            ExprKind::Count(a) => self.statement(a),
            ExprKind::Sum(e, a) => {
                self.expression(e);
                self.statement(a);
            }
            ExprKind::Missing | ExprKind::Int(_) => {}
        }
    }
}
