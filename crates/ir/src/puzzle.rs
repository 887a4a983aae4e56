//! Which puzzles have one goal position, and which pieces their moves tell apart.

use multigame_game::{PieceSet, Puzzle};

use crate::program::{Expr, FunctionId, Op, Program, Stmt};

/// What can be told about a puzzle; nothing for other games and for goals that are more than one `match` of
/// the whole board.
pub fn puzzle(program: &Program) -> Option<Puzzle> {
    let description = &program.description;
    if description.players != 1 {
        return None;
    }
    let mut goal = vec![multigame_game::Piece::NONE; description.board.size()];
    let fields = whole_match(&program.function(program.goal?).body)?;
    if fields.len() != description.board.fields().count() {
        return None;
    }
    for (field, pieces) in fields {
        let mut among = pieces.iter();
        goal[field.index()] = among.next()?;
        if among.next().is_some() {
            return None;
        }
    }
    let mut asked = Asked { program, sets: Vec::new(), functions: Vec::new() };
    asked.function(program.main[0]);
    // Whether the goal is turned as well, is seen from its pieces.
    let endless = Program { goal: None, ..program.clone() };
    let turns = crate::symmetry::symmetries(&endless, goal.iter().copied().collect());
    Some(Puzzle { goal, asked: asked.sets, abstractions: program.abstractions.clone(), turns })
}

fn whole_match(body: &Stmt) -> Option<&[(multigame_game::Field, PieceSet)]> {
    match &body.op {
        Op::Match(fields) => Some(fields),
        Op::Sequence(parts) if parts.len() == 1 => whole_match(&parts[0]),
        _ => None,
    }
}

/// Collects the sets of pieces that functions ask for or put down.
struct Asked<'p> {
    program: &'p Program,
    sets: Vec<PieceSet>,
    functions: Vec<FunctionId>,
}

impl<'p> Asked<'p> {
    fn function(&mut self, id: FunctionId) {
        if !self.functions.contains(&id) {
            self.functions.push(id);
            self.statement(&self.program.function(id).body);
        }
    }

    fn statement(&mut self, statement: &'p Stmt) {
        match &statement.op {
            Op::ForEachField(pieces, _) | Op::Find(pieces) | Op::PointsAt(pieces) => self.add(*pieces),
            Op::Replace(piece) => self.add(PieceSet::of(*piece)),
            Op::Match(fields) => fields.iter().for_each(|(_, pieces)| self.add(*pieces)),
            Op::Call(function) => self.function(*function),
            _ => {}
        }
        let mut expressions: Vec<&'p Expr> = Vec::new();
        statement.for_each_expression(&mut |expression| expressions.push(expression));
        let mut inside: Vec<&'p Stmt> = statement.children();
        for expression in expressions {
            expression.for_each_statement(&mut |statement| inside.push(statement));
        }
        for statement in inside {
            self.statement(statement);
        }
    }

    fn add(&mut self, set: PieceSet) {
        if !self.sets.contains(&set) {
            self.sets.push(set);
        }
    }
}
