//! Every statement, pattern and expression of the grammar occurs in random rules, and most of those are
//! valid.
//!
//! Each `match` here lists the whole grammar: a new kind does not compile before it has a name here, and
//! fails the test before the generator writes it.

use std::collections::BTreeSet;

use multigame_compiler::{Options, compile};
use multigame_generator::{bytes, rules};
use multigame_syntax::ast::{
    Argument, BinaryOp, Compass, Declaration, DeclarationKind, EvaluationItem, Expr, ExprKind, NamePart,
    OutcomeWord, Owner, Pattern, PatternKind, RepeatHigh, Stmt, StmtKind, UnaryOp,
};

/// Programs in which everything has to occur.
const PROGRAMS: u64 = 3_000;

type Seen = BTreeSet<&'static str>;

/// All that has to occur: what the functions below may answer.
const WANTED: &[&str] = &[
    "[ ]",
    "either",
    "try",
    "try else",
    "optionally",
    "test",
    "not",
    "repeat n",
    "repeat n .. m",
    "repeat n .. infinity",
    "while",
    "do while",
    "find",
    "points at",
    "replace by",
    "move to",
    "match",
    "add",
    "pick up",
    "pick up (e)",
    "put down",
    "put down (e)",
    "stacks",
    "step",
    "step backward",
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
    "orthogonal",
    "diagonal",
    "any direction",
    "turn",
    "assert",
    "assign",
    "white to move",
    "black to move",
    "nothing",
    "irreversible",
    "win",
    "lose",
    "draw",
    "a rule",
    "a rule with arguments",
    "a named pattern",
    "a library",
    "an evaluation",
    "a topology",
    "directions",
    "pieces",
    "properties",
    "a position to begin with",
    "players",
    "sides",
    "dimensions",
    "no moves",
    "rank",
    "row",
    "column",
    "greatest",
    "keep turn",
    "score",
    "called text",
    "called field",
    "called number",
    "as opponent",
    "for each field",
    "for each direction",
    "facing",
    "holds",
    "board unchanged",
    "[P or Q]",
    "empty field",
    "any field",
    "any piece",
    "own piece",
    "opponent's piece",
    "P",
    "own P",
    "opponent's P",
    "number",
    "variable",
    "own variable",
    "opponent's variable",
    "+e",
    "-e",
    "!e",
    "~e",
    "v++",
    "v--",
    "++v",
    "--v",
    "*",
    "/",
    "%",
    "+",
    "-",
    "<<",
    ">>",
    "<",
    "<=",
    ">",
    ">=",
    "==",
    "!=",
    "&",
    "^",
    "|",
    "&&",
    "||",
    "? :",
    "=",
    "op=",
    ",",
    "count",
    "sum",
];

#[test]
fn everything_in_the_grammar_occurs() {
    let mut seen = Seen::new();
    for program in 0..PROGRAMS {
        let text = rules(&bytes(program));
        let tree = multigame_syntax::parse(&text).program;
        tree.rules.iter().for_each(|rule| statement(&rule.body, &mut seen));
        tree.declarations.iter().for_each(|item| declaration(item, &mut seen));
    }
    let missing: Vec<&&str> = WANTED.iter().filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "never written: {missing:?}");
    let unknown: Vec<&&str> = seen.iter().filter(|name| !WANTED.contains(name)).collect();
    assert!(unknown.is_empty(), "not in the list: {unknown:?}");
}

#[test]
fn most_rules_are_valid() {
    let valid = |&program: &u64| compile(&rules(&bytes(program)), &Options::default()).program.is_some();
    let valid = (0..300).filter(valid).count();
    assert!(valid > 200, "{valid} of 300 are valid");
}

fn statement(stmt: &Stmt, seen: &mut Seen) {
    let kind = match &stmt.kind {
        StmtKind::Missing => panic!("a statement that cannot be read"),
        StmtKind::Sequence(parts) => {
            parts.iter().for_each(|part| statement(part, seen));
            "[ ]"
        }
        StmtKind::Either(parts) => {
            parts.iter().for_each(|part| statement(part, seen));
            "either"
        }
        StmtKind::Try(a, None) => {
            statement(a, seen);
            "try"
        }
        StmtKind::Try(a, Some(b)) => {
            statement(a, seen);
            statement(b, seen);
            "try else"
        }
        StmtKind::Optionally(a) => {
            statement(a, seen);
            "optionally"
        }
        StmtKind::Test(a) => {
            statement(a, seen);
            "test"
        }
        StmtKind::Not(a) => {
            statement(a, seen);
            "not"
        }
        StmtKind::Repeat { high, body, .. } => {
            statement(body, seen);
            match high {
                RepeatHigh::Same => "repeat n",
                RepeatHigh::To(_) => "repeat n .. m",
                RepeatHigh::Infinity => "repeat n .. infinity",
            }
        }
        StmtKind::While { condition, body } => {
            statement(condition, seen);
            statement(body, seen);
            "while"
        }
        StmtKind::DoWhile { body, condition } => {
            statement(body, seen);
            statement(condition, seen);
            "do while"
        }
        StmtKind::Find(found) => {
            pattern(found, seen);
            "find"
        }
        StmtKind::PointsAt(wanted) => {
            pattern(wanted, seen);
            "points at"
        }
        StmtKind::ReplaceBy(by) => {
            pattern(by, seen);
            "replace by"
        }
        StmtKind::MoveTo(column, row) => {
            expression(column, seen);
            expression(row, seen);
            "move to"
        }
        StmtKind::Match(patterns) => {
            patterns.iter().for_each(|wanted| pattern(wanted, seen));
            "match"
        }
        StmtKind::Add(by) => {
            pattern(by, seen);
            "add"
        }
        StmtKind::PickUp => "pick up",
        StmtKind::PickUpSome(count) => {
            expression(count, seen);
            "pick up (e)"
        }
        StmtKind::PutDown => "put down",
        StmtKind::PutDownSome(count) => {
            expression(count, seen);
            "put down (e)"
        }
        StmtKind::Step => "step",
        StmtKind::StepBackward => "step backward",
        StmtKind::Compass(compass) => match compass {
            Compass::North => "north",
            Compass::Northeast => "northeast",
            Compass::East => "east",
            Compass::Southeast => "southeast",
            Compass::South => "south",
            Compass::Southwest => "southwest",
            Compass::West => "west",
            Compass::Northwest => "northwest",
        },
        StmtKind::Orthogonal => "orthogonal",
        StmtKind::Diagonal => "diagonal",
        StmtKind::AnyDirection => "any direction",
        StmtKind::Turn(_) => "turn",
        StmtKind::Assert(value) => {
            expression(value, seen);
            "assert"
        }
        StmtKind::Assign(value) => {
            expression(value, seen);
            "assign"
        }
        StmtKind::WhiteToMove => "white to move",
        StmtKind::BlackToMove => "black to move",
        StmtKind::Nothing => "nothing",
        StmtKind::Irreversible => "irreversible",
        StmtKind::Outcome(outcome) => match outcome {
            OutcomeWord::Win => "win",
            OutcomeWord::Lose => "lose",
            OutcomeWord::Draw => "draw",
        },
        StmtKind::Call(_) => "a rule",
        StmtKind::CallWith(_, arguments) => {
            for argument in arguments {
                match argument {
                    Argument::Name(..) => {}
                    Argument::Pattern(wanted) => pattern(wanted, seen),
                    Argument::Number(value) => expression(value, seen),
                    Argument::Statement(inner) => statement(inner, seen),
                }
            }
            "a rule with arguments"
        }
        StmtKind::Greatest(value, a) => {
            expression(value, seen);
            statement(a, seen);
            "greatest"
        }
        StmtKind::KeepTurn => "keep turn",
        StmtKind::Score(value) => {
            expression(value, seen);
            "score"
        }
        StmtKind::Called(parts) => return parts.iter().for_each(|part| name(part, seen)),
        StmtKind::AsOpponent(a) => {
            statement(a, seen);
            "as opponent"
        }
        StmtKind::ForEachField(fields, a) => {
            pattern(fields, seen);
            statement(a, seen);
            "for each field"
        }
        StmtKind::ForEachDirection(directions, a) => {
            statement(directions, seen);
            statement(a, seen);
            "for each direction"
        }
        StmtKind::Facing(directions) => {
            statement(directions, seen);
            "facing"
        }
        StmtKind::Holds(wanted) => {
            pattern(wanted, seen);
            "holds"
        }
        StmtKind::BoardUnchanged => "board unchanged",
    };
    seen.insert(kind);
}

fn name(part: &NamePart, seen: &mut Seen) {
    let kind = match part {
        NamePart::Text(_) => "called text",
        NamePart::Field(_) => "called field",
        NamePart::Number(value) => {
            expression(value, seen);
            "called number"
        }
    };
    seen.insert(kind);
}

fn pattern(wanted: &Pattern, seen: &mut Seen) {
    let kind = match &wanted.kind {
        PatternKind::Missing => panic!("a pattern that cannot be read"),
        PatternKind::Any(patterns) => {
            patterns.iter().for_each(|wanted| pattern(wanted, seen));
            "[P or Q]"
        }
        PatternKind::EmptyField => "empty field",
        PatternKind::AnyField => "any field",
        PatternKind::AnyPiece => "any piece",
        PatternKind::OwnPiece => "own piece",
        PatternKind::OpponentsPiece => "opponent's piece",
        PatternKind::Piece(Owner::Plain, _) => "P",
        PatternKind::Piece(Owner::Own, _) => "own P",
        PatternKind::Piece(Owner::Opponents, _) => "opponent's P",
    };
    seen.insert(kind);
}

fn expression(expr: &Expr, seen: &mut Seen) {
    let mut inside = |parts: &[&Expr]| parts.iter().for_each(|part| expression(part, seen));
    let kind = match &expr.kind {
        ExprKind::Missing => panic!("an expression that cannot be read"),
        ExprKind::Int(_) => "number",
        ExprKind::Variable(Owner::Plain, name) => match name.text.as_str() {
            "rank" => "rank",
            "row" => "row",
            "column" => "column",
            _ => "variable",
        },
        ExprKind::Variable(Owner::Own, _) => "own variable",
        ExprKind::Variable(Owner::Opponents, _) => "opponent's variable",
        ExprKind::Unary(operator, a) => {
            inside(&[a]);
            match operator {
                UnaryOp::Plus => "+e",
                UnaryOp::Minus => "-e",
                UnaryOp::Not => "!e",
                UnaryOp::Complement => "~e",
            }
        }
        ExprKind::Step { by, postfix, .. } => match (by, postfix) {
            (1, true) => "v++",
            (_, true) => "v--",
            (1, false) => "++v",
            (_, false) => "--v",
        },
        ExprKind::Binary(operator, a, b) => {
            inside(&[a, b]);
            binary(*operator)
        }
        ExprKind::And(a, b) => {
            inside(&[a, b]);
            "&&"
        }
        ExprKind::Or(a, b) => {
            inside(&[a, b]);
            "||"
        }
        ExprKind::Conditional(c, a, b) => {
            inside(&[c, a, b]);
            "? :"
        }
        ExprKind::Assign(_, None, value) => {
            inside(&[value]);
            "="
        }
        ExprKind::Assign(_, Some(_), value) => {
            inside(&[value]);
            "op="
        }
        ExprKind::Comma(a, b) => {
            inside(&[a, b]);
            ","
        }
        ExprKind::Count(body) => {
            statement(body, seen);
            "count"
        }
        ExprKind::Sum(value, body) => {
            inside(&[value]);
            statement(body, seen);
            "sum"
        }
    };
    seen.insert(kind);
}

fn binary(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
    }
}

/// The terms of evaluations are expressions as well. What is said about repetition, notation and other games
/// is for `extended_rules`; how a game looks makes no difference to its moves.
fn declaration(item: &Declaration, seen: &mut Seen) {
    let kind = match &item.kind {
        DeclarationKind::Pattern { pattern: meant, .. } => {
            pattern(meant, seen);
            "a named pattern"
        }
        DeclarationKind::Evaluation(evaluation) => {
            for item in &evaluation.items {
                if let EvaluationItem::Term(term) = item {
                    expression(&term.value, seen);
                }
            }
            "an evaluation"
        }
        DeclarationKind::Uses(_) => "a library",
        DeclarationKind::Stacks(_) => "stacks",
        DeclarationKind::Players(_) => "players",
        DeclarationKind::Sides(_) => "sides",
        DeclarationKind::Dimensions { .. } => "dimensions",
        DeclarationKind::NoMoves(_) => "no moves",
        DeclarationKind::Pieces(_) => "pieces",
        DeclarationKind::Properties(_) => "properties",
        DeclarationKind::Topology(_) => "a topology",
        DeclarationKind::Setup(_) => "a position to begin with",
        DeclarationKind::Directions(_) => "directions",
        DeclarationKind::BasedOn(_)
        | DeclarationKind::Parameter { .. }
        | DeclarationKind::Repetition(_)
        | DeclarationKind::Notation(_)
        | DeclarationKind::Looks(_)
        | DeclarationKind::Abstractions(_) => return,
    };
    seen.insert(kind);
}
