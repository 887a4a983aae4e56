//! The state that a move begins with.

use multigame_game::PieceSet;
use multigame_ir::{Op, Stmt};

use crate::lowering::Lowering;
use crate::lowering::state::{Set, State};

impl Lowering<'_> {
    /// The state a move begins with.
    pub(crate) fn beginning(&mut self) -> State {
        let zero = self.code.constant(0);
        let boards = (0..self.facts.layout.boards())
            .map(|board| {
                let first = self.facts.layout.board_word(board);
                (0..self.facts.layout.set_words).map(|word| self.code.word(first + word)).collect()
            })
            .collect();
        let planes = self.planes_of_position();
        let values = vec![None; self.facts.slots().len()];
        let mut state = State::new(&self.facts.layout, boards, planes, values, [zero; 4]);
        self.prepare_unions(&mut state);
        state
    }

    fn planes_of_position(&mut self) -> Vec<Set> {
        let words = self.facts.layout.set_words;
        let boards =
            (self.facts.layout.first_plane_word()..self.facts.layout.first_value_word()).step_by(words);
        boards.map(|first| (first..first + words).map(|word| self.code.word(word)).collect()).collect()
    }

    /// Computed once at the top, these unions are at hand everywhere inside.
    pub(crate) fn prepare_unions(&mut self, state: &mut State) {
        let mut patterns: Vec<PieceSet> = Vec::new();
        for function in self.facts.program.functions.iter().filter(|function| function.view == self.aim.side)
        {
            collect_patterns(&function.body, &mut patterns);
        }
        for pattern in patterns {
            self.code.fields_of(pattern, state);
        }
    }
}

fn collect_patterns(stmt: &Stmt, patterns: &mut Vec<PieceSet>) {
    if let Op::Find(pieces) | Op::PointsAt(pieces) = &stmt.op
        && !patterns.contains(pieces)
    {
        patterns.push(*pieces);
    }
    stmt.for_each_expression(&mut |expr| {
        expr.for_each_statement(&mut |inner| collect_patterns(inner, patterns))
    });
    stmt.children().into_iter().for_each(|child| collect_patterns(child, patterns));
}
