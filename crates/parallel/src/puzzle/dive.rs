//! What is searched in one go by the sequential IDA*: positions that are not worth more trouble; where
//! messages can come in meanwhile, everything. Then parts of it are given to those who ask.

use multigame_game::{Game, RulesError, Signature};
use multigame_search::{Control, Evaluator, Interrupt, Monitor, Part, Statistics};

use super::PuzzleWorker;
use super::hands::Level;
use super::path::Path;
use super::protocol::{PuzzleMessage, State};
use crate::worker::{Mail, Worker};

impl<G: Game, E: Evaluator<G>> PuzzleWorker<'_, G, E> {
    /// Searches a position in one go, which was reached by a move with that difference of signatures: the
    /// number of moves needed if that is at most what is left, otherwise a lower bound.
    pub(super) fn dive(
        &mut self,
        from: (&G::Position, Signature),
        left: u32,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) -> Result<u32, Interrupt> {
        let (known, table, abort) = ((self.game, self.evaluator), self.table, self.abort);
        let mut pursuit = std::mem::take(&mut self.pursuit);
        self.asked = Some(Vec::new());
        let mut inbox = Inbox { worker: self, mail, polls: 0 };
        let (needed, counted) = pursuit.search(known, table, abort, from, left, &mut inbox);
        self.pursuit = pursuit;
        self.statistics += counted;
        self.spare.learn(counted.nodes);
        for thief in self.asked.take().into_iter().flatten() {
            mail.send(thief, PuzzleMessage::NoWork);
        }
        needed
    }

    /// Tells of the solution that was found below a position in one go.
    pub(super) fn solved_below(
        &mut self,
        position: G::Position,
        mut path: Vec<u16>,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) {
        match self.way_below(position) {
            Ok(below) => {
                path.extend(below);
                self.solved(path, mail);
            }
            Err(error) => self.fail(error, mail),
        }
    }

    /// The moves of the solution found last, each as its place in the list of moves.
    fn way_below(&self, mut position: G::Position) -> Result<Vec<u16>, RulesError> {
        let (mut moves, mut child, mut way) = (Vec::new(), position.clone(), Vec::new());
        for signature in self.pursuit.solution() {
            self.game.moves(&position, &mut moves)?;
            for (index, mv) in moves.iter().enumerate() {
                self.game.apply(&position, mv, &mut child);
                if self.game.signature(&child) == signature {
                    way.push(index as u16);
                    break;
                }
            }
            position.clone_from(&child);
        }
        Ok(way)
    }
}

/// Every this many polls the driver hears how many nodes were visited.
const TOLD: u32 = 8;

/// Lets a worker take messages while it searches in one go.
struct Inbox<'w, 'a, 'm, G: Game, E> {
    worker: &'w mut PuzzleWorker<'a, G, E>,
    mail: &'w mut (dyn Mail<PuzzleMessage<G>> + 'm),
    polls: u32,
}

impl<G: Game, E: Evaluator<G>> Monitor<G> for Inbox<'_, '_, '_, G, E> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        // To look at a clock takes longer than to look into an empty inbox.
        self.polls += 1;
        if self.polls.is_multiple_of(TOLD) {
            self.mail.visited(self.worker.statistics.nodes + statistics.nodes);
        }
        while let Some((from, message)) = self.mail.receive() {
            self.worker.handle(from, message, self.mail);
        }
        let worker = &self.worker;
        let over = worker.finished || worker.failed.is_some() || worker.result.is_some();
        if over || worker.switch.is_some() {
            Control::Stop
        } else if worker.asked.as_ref().is_some_and(|asked| !asked.is_empty()) {
            Control::Share
        } else {
            Control::Continue
        }
    }

    fn share(&mut self, part: Part<'_, G>) {
        let worker = &mut *self.worker;
        let Some(thief) = worker.asked.as_mut().and_then(Vec::pop) else { return };
        let Part { position, back, left, way } = part;
        // A level above is not searched as a whole any more.
        worker.levels.iter_mut().for_each(Level::split);
        let path = Path::of(&[&worker.path[..], way].concat());
        // Only those who search positions in one go by what they have to spare look at the bound.
        let state = State { position: position.clone(), back: Some(back), left, bound: 0, path };
        worker.sent += 1;
        self.mail.send(thief, PuzzleMessage::States { limit: worker.limit, states: vec![state] });
    }
}
