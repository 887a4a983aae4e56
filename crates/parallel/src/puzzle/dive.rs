//! Positions that are not worth more trouble are searched in one go, depth first.

use multigame_game::{Game, RulesError, Signature};
use multigame_search::{Bound, Entry, Evaluator, Statistics, TranspositionTable, Value};

use super::protocol::{PuzzleMessage, State};
use super::{NEVER, POLL, PuzzleWorker};
use crate::worker::{Mail, Worker};

#[derive(Debug)]
pub(super) struct Frame<G: Game> {
    pub position: G::Position,
    pub signature: Signature,
    moves: Vec<G::Move>,
}

/// Why a search in one go did not come to its end.
#[derive(Debug)]
pub(super) enum Halt {
    /// There is something else to do.
    Called,
    Rules(Box<RulesError>),
}

impl<G: Game, E: Evaluator<G>> PuzzleWorker<'_, G, E> {
    /// Searches a position in one go, as the sequential IDA* does. The number of moves needed if that is at most what is
    /// left: then they stand in `solution`, the last one first. Otherwise a lower bound of it.
    pub(super) fn dive_from(
        &mut self,
        state: &State<G::Position>,
        signature: Signature,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) -> Result<u32, Halt> {
        while self.frames.len() < state.left as usize + 2 {
            let position = state.position.clone();
            self.frames.push(Frame { position, signature: 0, moves: Vec::new() });
        }
        self.frames[0].position.clone_from(&state.position);
        self.frames[0].signature = signature;
        self.solution.clear();
        self.next_poll = self.statistics.nodes + POLL;
        self.dive(0, state.left, state.back, mail)
    }

    fn dive(
        &mut self,
        ply: usize,
        left: u32,
        back: Option<Signature>,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) -> Result<u32, Halt> {
        self.statistics.nodes += 1;
        if self.statistics.nodes >= self.next_poll && self.is_called(mail) {
            return Err(Halt::Called);
        }
        let game = self.game;
        let frame = &mut self.frames[ply];
        let signature = frame.signature;
        if let Some(known) = known(self.table, signature, &mut self.statistics).filter(|&known| known > left)
        {
            self.statistics.table_cutoffs += 1;
            return Ok(known);
        }
        let outcome = game.moves(&frame.position, &mut frame.moves);
        if let Some(outcome) = outcome.map_err(|error| Halt::Rules(Box::new(error)))? {
            let solved = outcome.winner() == Some(multigame_game::Side::White);
            return Ok(if solved { 0 } else { NEVER });
        }
        let mut least = NEVER;
        for index in 0..frame.moves.len() {
            let (upper, lower) = self.frames.split_at_mut(ply + 1);
            let (frame, child) = (&upper[ply], &mut lower[0]);
            game.apply(&frame.position, &frame.moves[index], &mut child.position);
            child.signature = game.signature(&child.position);
            if Some(child.signature) == back {
                // The father is being searched with one move more; if he cannot do it, going back to him needs at
                // least three moves more than are left here.
                least = least.min(left + 3);
                continue;
            }
            let mut needed = 1 + self.evaluator.lower_bound(game, &child.position);
            if needed <= left {
                needed = (1 + self.dive(ply + 1, left - 1, Some(signature), mail)?).min(NEVER);
            } else {
                self.statistics.leaves += 1;
            }
            if needed <= left {
                self.solution.push(index as u16);
                return Ok(needed);
            }
            least = least.min(needed);
        }
        if let Some(table) = self.table {
            self.statistics.table_stores += 1;
            let (value, depth) = (Value::new(least as i32), left.min(255));
            table.store(signature, Entry { value, bound: Bound::Lower, depth, complete: false, mark: 0 });
        }
        Ok(least)
    }

    /// Looks into the inbox; whether there is something else to do by now.
    #[cold]
    fn is_called(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) -> bool {
        self.next_poll = self.statistics.nodes + POLL;
        mail.visited(self.statistics.nodes);
        while let Some((from, message)) = mail.receive() {
            self.handle(from, message, mail);
        }
        self.finished || self.failed.is_some() || self.switch.is_some() || self.is_told_to_stop()
    }
}

/// What the table says about how many moves a position needs at least. Such entries hold under every limit and in every
/// search, and stand beside the marks of positions in hand.
fn known(
    table: Option<&TranspositionTable>,
    signature: Signature,
    statistics: &mut Statistics,
) -> Option<u32> {
    statistics.table_probes += 1;
    let entry = table?.probe(signature)?;
    statistics.table_hits += 1;
    let known = entry.value.number().max(0) as u32;
    Some(if entry.value == Value::MAX_EVALUATION { NEVER } else { known })
}
