//! The names that rules give to moves: asking for them, and programs without them, which code generators want
//! to see.

use multigame_game::{Called, Game, RulesError};

use crate::{Op, Program, RulesGame, RulesPosition, Stmt};

impl RulesGame {
    /// What the rules call the moves of a position. Where several names lead to the same position, the
    /// shortest is taken, and of those the first of the alphabet.
    pub(crate) fn called_moves(&self, position: &RulesPosition) -> Result<Vec<Called>, RulesError> {
        if !self.names_moves {
            return Ok(Vec::new());
        }
        let mut called: Vec<Called> = Vec::new();
        for (child, name) in self.named_children(position).map_err(|error| *error)? {
            if !name.is_empty() {
                called.push(Called { after: self.diagram(&child), name: name.to_string() });
            }
        }
        called.sort_by(|a, b| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
        Ok(called)
    }
}

impl Program {
    /// Whether the rules name moves.
    pub fn names_moves(&self) -> bool {
        fn names(stmt: &Stmt) -> bool {
            matches!(stmt.op, Op::Called(_)) || stmt.children().into_iter().any(names)
        }
        self.functions.iter().any(|function| names(&function.body))
    }

    /// The same program without the names of moves, which mean nothing to whatever only makes them.
    pub fn without_names(&self) -> Program {
        let mut program = self.clone();
        program.rewrite(&mut |stmt| match &mut stmt.op {
            Op::Called(_) => stmt.op = Op::Sequence(Vec::new()),
            Op::Sequence(parts) => {
                let before = parts.len();
                parts.retain(|part| !matches!(&part.op, Op::Sequence(inside) if inside.is_empty()));
                if parts.len() == 1 && before > 1 {
                    *stmt = parts.remove(0);
                }
            }
            _ => {}
        });
        program
    }
}
