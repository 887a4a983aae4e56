//! Positions that are not worth more trouble are searched in one go, by the sequential IDA*.

use multigame_game::{Game, RulesError, Signature};
use multigame_search::{Control, Evaluator, Interrupt, Monitor, Statistics};

use super::PuzzleWorker;
use super::protocol::{PuzzleMessage, State};
use crate::worker::{Mail, Worker};

impl<G: Game, E: Evaluator<G>> PuzzleWorker<'_, G, E> {
    /// Searches a position in one go: the number of moves needed if that is at most what is left, otherwise a lower bound.
    pub(super) fn dive(
        &mut self,
        state: &State<G::Position>,
        signature: Signature,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) -> Result<u32, Interrupt> {
        let (known, table, abort) = ((self.game, self.evaluator), self.table, self.abort);
        let back = state.back.map_or(0, |father| father ^ signature);
        let mut pursuit = std::mem::take(&mut self.pursuit);
        let mut inbox = Inbox { worker: self, mail };
        let from = (&state.position, back);
        let (needed, counted) = pursuit.search(known, table, abort, from, state.left, &mut inbox);
        self.pursuit = pursuit;
        self.statistics += counted;
        needed
    }

    /// The way of a solution that was found below a position, each move as its place in the list of moves.
    pub(super) fn way(&self, state: State<G::Position>) -> Result<Vec<u16>, RulesError> {
        let State { mut position, mut path, .. } = state;
        let (mut moves, mut child) = (Vec::new(), position.clone());
        for signature in self.pursuit.solution() {
            self.game.moves(&position, &mut moves)?;
            for (index, mv) in moves.iter().enumerate() {
                self.game.apply(&position, mv, &mut child);
                if self.game.signature(&child) == signature {
                    path.push(index as u16);
                    break;
                }
            }
            position.clone_from(&child);
        }
        Ok(path)
    }
}

/// Lets a worker take messages while it searches in one go.
struct Inbox<'w, 'a, 'm, G: Game, E> {
    worker: &'w mut PuzzleWorker<'a, G, E>,
    mail: &'w mut (dyn Mail<PuzzleMessage<G>> + 'm),
}

impl<G: Game, E: Evaluator<G>> Monitor<G> for Inbox<'_, '_, '_, G, E> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        self.mail.visited(self.worker.statistics.nodes + statistics.nodes);
        while let Some((from, message)) = self.mail.receive() {
            self.worker.handle(from, message, self.mail);
        }
        let worker = &self.worker;
        let called = worker.finished || worker.failed.is_some() || worker.switch.is_some();
        if called { Control::Stop } else { Control::Continue }
    }
}
