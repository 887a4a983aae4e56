//! Telling people what the compiler made of their rules: which statements run on sets of fields, which field
//! by field, and what keeps a program from being compiled.

use std::fmt::Write;

use multigame_game::Side;
use multigame_ir::{Op, Program, Stmt};

use crate::analysis::facts::{Depends, Facts};
use crate::{Kind, Module, lower};

/// A report for people: a summary, then every function as White sees it with a mark in front of each
/// statement.
///
/// `set` statements run for many fields at once, `one` statements for one field at a time.
pub fn explain(program: &Program) -> String {
    let program = &program.without_names();
    let facts = Facts::new(program);
    let mut text = match lower(program) {
        Err(refusal) => format!("# {refusal}\n# The interpreter plays this game.\n"),
        Ok(module) => summary(program, &module),
    };
    for function in program.functions.iter().filter(|function| function.view == Side::White) {
        let _ = writeln!(text, "\n{} =", function.name);
        statement(&facts, &function.body, 1, &mut text);
    }
    text
}

/// What has become of a program that is compiled.
fn summary(program: &Program, module: &Module) -> String {
    let (words, tables) = (module.layout.words(), module.tables.len());
    let counting = match (module.may_repeat, module.count[0].is_some()) {
        (true, false) => "Equal results are possible: they are compared, and the last ply is generated.",
        (true, true) => {
            "Some alternatives may have equal results: where they have any, the last ply is generated."
        }
        (false, _) => "No two results can be equal: the last ply is counted without being generated.",
    };
    let mut text = format!("# Compiled: {words} words a position, {tables} tables.\n# {counting}\n");
    for (judgement, features) in program.evaluations.iter().zip(&module.features) {
        let name = &judgement.evaluation.name;
        let _ = match features {
            Ok(features) => {
                writeln!(text, "# Evaluation {name}: {} numbers by machine code.", features.numbers)
            }
            Err(refusal) => writeln!(text, "# Evaluation {name}: {refusal}; the interpreter counts."),
        };
    }
    for function in &module.functions {
        let kind = match function.kind {
            Kind::Generate => "generates",
            Kind::Count => "counts",
            Kind::Test => "tests",
            Kind::Features => "evaluates",
        };
        let _ = writeln!(text, "# {} {kind} with {} values.", function.name, function.values);
    }
    text
}

fn statement(facts: &Facts<'_>, stmt: &Stmt, depth: usize, text: &mut String) {
    if let Op::Sequence(parts) = &stmt.op {
        parts.iter().for_each(|part| statement(facts, part, depth, text));
        return;
    }
    let on_sets = facts.runs_on_sets(stmt);
    let mark = if on_sets { "set" } else { "one" };
    let reason = if on_sets { None } else { reason(facts, stmt) };
    let reason = reason.map_or(String::new(), |reason| format!("    # {reason}"));
    let _ = writeln!(text, "{mark} {:indent$}{}{reason}", "", name(&stmt.op), indent = depth * 4);
    for child in stmt.children() {
        statement(facts, child, depth + 1, text);
    }
}

/// Why a statement does not run on sets, if it is this statement itself that does not.
fn reason(facts: &Facts<'_>, stmt: &Stmt) -> Option<&'static str> {
    Some(match &stmt.op {
        Op::Replace(_) | Op::PickUp | Op::PutDown => "changes the board",
        Op::Assign(_) => "changes a property",
        Op::Assert(value) if facts.depends(value) == Depends::Mixed => {
            "depends on finger and position together"
        }
        Op::Outcome(_) | Op::Score(..) => "sets the outcome",
        Op::Irreversible | Op::KeepTurn => "marks the move",
        Op::Greatest(..) => "compares results",
        Op::ForEachField(..) | Op::ForEachDirection(..) => "one after the other",
        Op::MoveTo { .. } => "goes to a field that is computed",
        Op::Call(function) if facts.recursive(*function) => "a recursive rule",
        _ => return None,
    })
}

fn name(op: &Op) -> &'static str {
    match op {
        Op::Sequence(_) => "sequence",
        Op::Either(_) => "either",
        Op::Try(..) => "try",
        Op::Test(_) => "test",
        Op::Not(_) => "not",
        Op::Repeat { .. } => "repeat",
        Op::While { .. } => "while",
        Op::Greatest(..) => "greatest",
        Op::ForEachField(..) => "for each field",
        Op::ForEachDirection(..) => "for each direction",
        Op::Call(_) => "a rule",
        Op::Find(_) => "find",
        Op::PointsAt(_) => "points at",
        Op::Replace(_) => "replace by",
        Op::PickUp => "pick up",
        Op::PutDown => "put down",
        Op::Face(_) => "direction",
        Op::Turn(_) => "turn",
        Op::Step => "step",
        Op::StepBackward => "step backward",
        Op::Place(_) | Op::MoveTo { .. } => "move to",
        Op::Match(_) => "match",
        Op::Unchanged => "board unchanged",
        Op::Assert(_) => "assert",
        Op::Assign(_) => "assign",
        Op::Irreversible => "irreversible",
        Op::Outcome(_) => "outcome",
        Op::Score(..) => "score",
        Op::KeepTurn => "keep turn",
        Op::Called(_) => "called",
    }
}
