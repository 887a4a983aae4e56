//! Where the kernel meets the tables: scoring the moves of a node before they are tried, remembering the good ones.

use multigame_game::Game;

use super::{Choice, stage};
use crate::kernel::Kernel;
use crate::transposition::move_mark;
use crate::workspace::{Frame, Workspace};
use crate::{Evaluator, Monitor};

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'_, G, E, M> {
    /// Gives each move its score.
    pub(crate) fn order(&mut self, ply: usize, hint: u32) {
        let (game, evaluator, options) = (self.game, self.evaluator, self.options);
        let Workspace { frames, killers, history, line, .. } = &mut *self.work;
        let Frame { position, moves, order, follows, .. } = &mut frames[ply];
        let line = if *follows { line.get(ply).copied() } else { None };
        order.clear();
        for (index, mv) in moves.iter().enumerate() {
            let key = game.move_key(mv);
            let priority = evaluator.priority(game, position, mv);
            let score = if line == Some(key) {
                stage::LINE
            } else if hint != 0 && move_mark(key) == hint {
                stage::TABLE
            } else if priority > 0 {
                stage::PROMISING + i64::from(priority)
            } else if priority < 0 {
                i64::from(priority)
            } else {
                let killer = if options.killers { killers.rank(ply, key) } else { 0 };
                let count = if options.history { history.get(evaluator.history_key(game, mv)) } else { 0 };
                killer * stage::KILLER + stage::HISTORY + i64::from(count)
            };
            order.push(Choice { score, key, index: index as u32 });
        }
    }

    /// Whether the child of a move is on the refutation line; at the root, chooses that line.
    pub(crate) fn follow(&mut self, ply: usize, choice: Choice) -> bool {
        if !self.options.refutation {
            return false;
        }
        if ply == 0 {
            self.work.refutations.load(choice.key, &mut self.work.line);
            return !self.work.line.is_empty();
        }
        self.work.frames[ply].follows && self.work.line.get(ply) == Some(&choice.key)
    }

    /// Remembers a good move.
    pub(crate) fn learn(&mut self, ply: usize, depth: u32, choice: Choice, cutoff: bool) {
        let frame = &self.work.frames[ply];
        let mv = &frame.moves[choice.index as usize];
        if self.options.killers && cutoff && self.evaluator.priority(self.game, &frame.position, mv) == 0 {
            self.work.killers.add(ply, choice.key);
        }
        if self.options.history {
            self.work.history.add(self.evaluator.history_key(self.game, mv), depth);
        }
    }
}
