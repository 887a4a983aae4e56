//! Helpers of several test files: short forms of trees and diagnostics.

#![allow(dead_code)]

use multigame_syntax::ast::*;
use multigame_syntax::{Diagnostic, LineIndex, parse};

/// Diagnostics, one line each: place, code, message, and the fix as `{replaced -> replacement}`.
pub fn errors(text: &str) -> String {
    let index = LineIndex::new(text);
    let show = |diagnostic: &Diagnostic| {
        let place = index.line_column(diagnostic.span.start);
        let fix = diagnostic.fix.as_ref().map_or(String::new(), |fix| {
            let replaced = &text[fix.span.start as usize..fix.span.end as usize];
            format!(" {{{replaced} -> {}}}", fix.replacement.replace('\n', "\\n"))
        });
        format!("{}:{} {}: {}{fix}\n", place.line, place.column, diagnostic.code, diagnostic.message)
    };
    parse(text).diagnostics.iter().map(show).collect()
}

/// A program without the places, for comparing two of them.
pub fn meaning(text: &str) -> String {
    let mut dump = format!("{:?}", parse(text).program);
    while let Some(start) = dump.find("Span {") {
        let end = start + dump[start..].find('}').expect("a span is closed");
        dump.replace_range(start..=end, "@");
    }
    dump
}

/// All rules with every bracket written out.
pub fn rules(text: &str) -> String {
    let parse = parse(text);
    parse
        .program
        .rules
        .iter()
        .map(|rule| format!("{} = {}\n", rule.name.text, statement(&rule.body)))
        .collect()
}

fn list<T>(items: &[T], separator: &str, show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(separator)
}

pub fn statement(stmt: &Stmt) -> String {
    match &stmt.kind {
        StmtKind::Sequence(statements) => format!("[{}]", list(statements, ", ", statement)),
        StmtKind::Either(alternatives) => format!("<{}>", list(alternatives, " or ", statement)),
        StmtKind::Try(body, None) => format!("try({})", statement(body)),
        StmtKind::Try(body, Some(other)) => format!("try({} else {})", statement(body), statement(other)),
        StmtKind::Optionally(body) => format!("optionally({})", statement(body)),
        StmtKind::Test(body) => format!("test({})", statement(body)),
        StmtKind::Not(body) => format!("not({})", statement(body)),
        StmtKind::AsOpponent(body) => format!("as-opponent({})", statement(body)),
        StmtKind::ForEachDirection(directions, body) => {
            format!("for-each-direction({} do {})", statement(directions), statement(body))
        }
        StmtKind::Facing(directions) => format!("facing({})", statement(directions)),
        StmtKind::Holds(what) => format!("holds {}", pattern(what)),
        StmtKind::BoardUnchanged => "board-unchanged".to_owned(),
        StmtKind::ForEachField(what, body) => format!("for-each({} do {})", pattern(what), statement(body)),
        StmtKind::Repeat { low, high, body } => {
            let high = match high {
                RepeatHigh::Same => String::new(),
                RepeatHigh::To(high) => format!("..{}", expression(high)),
                RepeatHigh::Infinity => "..infinity".to_owned(),
            };
            format!("repeat({}{high} times {})", expression(low), statement(body))
        }
        StmtKind::While { condition, body } => {
            format!("while({} do {})", statement(condition), statement(body))
        }
        StmtKind::DoWhile { body, condition } => {
            format!("do({} while {})", statement(body), statement(condition))
        }
        StmtKind::Find(what) => format!("find {}", pattern(what)),
        StmtKind::PointsAt(what) => format!("points-at {}", pattern(what)),
        StmtKind::ReplaceBy(what) => format!("replace-by {}", pattern(what)),
        StmtKind::Match(patterns) => format!("match({})", list(patterns, ", ", pattern)),
        StmtKind::MoveTo(column, row) => format!("move-to({}, {})", expression(column), expression(row)),
        StmtKind::Assert(expr) => format!("assert {}", expression(expr)),
        StmtKind::Assign(expr) => format!("assign {}", expression(expr)),
        StmtKind::Score(expr) => format!("score {}", expression(expr)),
        StmtKind::Called(parts) => format!(
            "called({})",
            list(parts, " ", |part| match part {
                NamePart::Text(text) => format!("{text:?}"),
                NamePart::Field(_) => "field".to_owned(),
                NamePart::Number(expr) => expression(expr),
            })
        ),
        StmtKind::Greatest(expr, body) => format!("greatest({} {})", expression(expr), statement(body)),
        StmtKind::Call(name) => name.clone(),
        StmtKind::CallWith(name, arguments) => {
            let argument = |argument: &Argument| match argument {
                Argument::Name(owner, name) => format!("name {owner:?}:{}", name.text),
                Argument::Pattern(wanted) => format!("pattern {}", pattern(wanted)),
                Argument::Number(value) => format!("number {}", expression(value)),
                Argument::Statement(inner) => format!("statement {}", statement(inner)),
            };
            format!("{}({})", name.text, list(arguments, "; ", argument))
        }
        other => format!("{other:?}"),
    }
}

pub fn pattern(pattern_: &Pattern) -> String {
    match &pattern_.kind {
        PatternKind::Any(patterns) => format!("[{}]", list(patterns, " or ", pattern)),
        PatternKind::Piece(Owner::Plain, name) => name.text.clone(),
        PatternKind::Piece(owner, name) => format!("{owner:?}:{}", name.text),
        other => format!("{other:?}"),
    }
}

pub fn expression(expr: &Expr) -> String {
    let pair =
        |operator: &str, left, right| format!("({} {operator} {})", expression(left), expression(right));
    match &expr.kind {
        ExprKind::Missing => "?".to_owned(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Variable(Owner::Plain, name) => name.text.clone(),
        ExprKind::Variable(owner, name) => format!("{owner:?}:{}", name.text),
        ExprKind::Unary(operator, operand) => format!("{operator:?}({})", expression(operand)),
        ExprKind::Step { variable, by, postfix } => {
            format!("{}({}{by:+})", if *postfix { "after" } else { "before" }, expression(variable))
        }
        ExprKind::Binary(operator, left, right) => pair(&format!("{operator:?}"), left, right),
        ExprKind::And(left, right) => pair("And", left, right),
        ExprKind::Or(left, right) => pair("Or", left, right),
        ExprKind::Conditional(condition, yes, no) => {
            format!("({} ? {} : {})", expression(condition), expression(yes), expression(no))
        }
        ExprKind::Assign(target, None, value) => pair(":=", target, value),
        ExprKind::Assign(target, Some(operator), value) => pair(&format!("{operator:?}:="), target, value),
        ExprKind::Comma(left, right) => pair(",", left, right),
        ExprKind::Count(body) => format!("count {}", statement(body)),
        ExprKind::Sum(term, body) => format!("sum {} {}", expression(term), statement(body)),
    }
}

/// All declarations, one line each.
pub fn declarations(text: &str) -> String {
    let parse = parse(text);
    parse
        .program
        .declarations
        .iter()
        .map(|declaration| format!("{}\n", declared(&declaration.kind)))
        .collect()
}

fn declared(kind: &DeclarationKind) -> String {
    let name = |name: &Name| name.text.clone();
    let string = |(text, _): &(String, multigame_syntax::Span)| format!("\"{text}\"");
    match kind {
        DeclarationKind::Uses(library) => format!("uses {}", library.text),
        DeclarationKind::BasedOn(base) => format!("based on {}", base.text),
        DeclarationKind::Players(value) => format!("players {}", expression(value)),
        DeclarationKind::Sides(value) => format!("sides {}", expression(value)),
        DeclarationKind::Dimensions { columns, rows } => {
            format!("dimensions {} {}", expression(columns), expression(rows))
        }
        DeclarationKind::NoMoves(value) => format!("no moves {value:?}"),
        DeclarationKind::Pieces(pieces) => list(pieces, "; ", |piece| {
            let symbols: Vec<char> = piece.symbols.iter().map(|symbol| symbol.0).collect();
            format!("piece {} {symbols:?}", piece.name.text)
        }),
        DeclarationKind::Properties(properties) => list(properties, "; ", |property| {
            let names = list(&property.names, " ", name);
            let marks =
                [("unhashed", property.unhashed), ("chance", property.chance), ("weight", property.weight)];
            let marks = marks.iter().filter(|(_, mark)| mark.is_some()).map(|(word, _)| format!(" {word}"));
            let mark: String = marks.collect();
            let (low, high) = (expression(&property.low), expression(&property.high));
            format!("property {names} {:?} {low}..{high}{mark}", property.scope)
        }),
        DeclarationKind::Parameter { name, default, low, high } => {
            let (low, high) = (expression(low), expression(high));
            format!("parameter {} {} {low}..{high}", name.text, expression(default))
        }
        DeclarationKind::Pattern { name, pattern: meant } => {
            format!("pattern {} {}", name.text, pattern(meant))
        }
        DeclarationKind::Stacks(stacks) => {
            format!("stacks {} {}", expression(&stacks.highest), list(&stacks.covered, " ", name))
        }
        DeclarationKind::Topology(name) => format!("topology {}", name.text),
        DeclarationKind::Directions(directions) => list(directions, "; ", |direction| {
            let opposite = direction.opposite.as_ref().map_or("-", |opposite| opposite.text.as_str());
            let chains = list(&direction.chains, ", ", |chain| list(chain, " ", name));
            format!("direction {} {opposite} {chains}", direction.name.text)
        }),
        DeclarationKind::Setup(items) => list(items, "; ", |item| match item {
            SetupItem::Row(row, _) => format!("row {row}"),
            SetupItem::ToMove { white, .. } => format!("white {white}"),
            SetupItem::Apply(rule) => format!("apply {}", rule.text),
            SetupItem::Value { name, value: SetupValue::Numbers(numbers) } => {
                format!("{} = {}", name.text, list(numbers, ", ", expression))
            }
            SetupItem::Value { name, value: SetupValue::Rows(rows) } => {
                format!("{} = {}", name.text, list(rows, " ", string))
            }
        }),
        DeclarationKind::Repetition(Repetition::Forbidden) => "repetition forbidden".to_owned(),
        DeclarationKind::Repetition(Repetition::Judged { count, cycle }) => {
            let cycle = cycle.as_ref().map_or("-", |cycle| cycle.text.as_str());
            format!("repetition judged {} {cycle}", expression(count))
        }
        DeclarationKind::Repetition(Repetition::Ends { outcome, count }) => {
            format!("repetition {outcome:?} {}", expression(count))
        }
        DeclarationKind::Stacks(stacks) => {
            let covered = list(&stacks.covered, ", ", |name| name.text.clone());
            format!("stacks {} ({covered})", expression(&stacks.highest))
        }
        DeclarationKind::Notation(items) => list(items, "; ", |item| {
            format!("notation {}({})", item.name.text, list(&item.arguments, ", ", name))
        }),
        DeclarationKind::Abstractions(abstractions) => list(abstractions, "; ", |abstraction| {
            format!("abstraction {} {}", abstraction.name.text, list(&abstraction.kept, " ", name))
        }),
        DeclarationKind::Evaluation(evaluation) => {
            let name = evaluation.name.as_ref().map_or("-", |name| name.text.as_str());
            format!("evaluation {name}: {}", list(&evaluation.items, "; ", judgement))
        }
        DeclarationKind::Looks(items) => list(items, "; ", |item| {
            let colour = if item.colour { " colour" } else { "" };
            format!("looks {}{colour} {}", item.name.text, list(&item.values, " ", string))
        }),
    }
}

fn judgement(item: &EvaluationItem) -> String {
    let rows = |rows: &Vec<(String, multigame_syntax::Span)>| list(rows, "/", |(row, _)| row.clone());
    match item {
        EvaluationItem::Phase { value, low, high, .. } => {
            format!("phase {} {}..{}", expression(value), expression(low), expression(high))
        }
        EvaluationItem::Calm { value, .. } => format!("calm {}", expression(value)),
        EvaluationItem::Material(items) => {
            list(items, ", ", |item| format!("{} {}", item.piece.text, weight(&item.weight)))
        }
        EvaluationItem::Table { piece, opening, end } => {
            format!("table {} {} | {}", piece.text, rows(opening), rows(end))
        }
        EvaluationItem::Term(item) => term(item),
        EvaluationItem::Greatest(items, _) => format!("greatest({})", list(items, ", ", term)),
    }
}

fn term(item: &TermItem) -> String {
    let weight = item.weight.as_ref().map_or(String::new(), |found| format!(" {}", weight(found)));
    let mover = if item.mover.is_some() { " mover" } else { "" };
    format!("{}{weight}{mover}: {}", item.name.text, expression(&item.value))
}

fn weight(weight: &WeightDecl) -> String {
    let end = weight.end.as_ref().map_or(String::new(), |end| format!("..{}", expression(end)));
    format!("{}{end}", expression(&weight.opening))
}
