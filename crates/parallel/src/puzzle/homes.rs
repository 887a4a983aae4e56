//! Transposition-driven scheduling: positions go to their homes and are searched there, if they are new.

use multigame_game::{Game, Random, Side, Signature};
use multigame_search::{Bound, Entry, Evaluator, Interrupt, Value};

use super::PuzzleWorker;
use super::protocol::{PuzzleMessage, State};
use crate::memory::home;
use crate::worker::{Mail, WorkerId};

impl<G: Game, E: Evaluator<G>> PuzzleWorker<'_, G, E> {
    /// Whether a position has been searched with as many moves left under this limit; if not, it will have been.
    fn seen(&mut self, signature: Signature, left: u32) -> bool {
        let Some(table) = self.table else { return false };
        self.statistics.table_probes += 1;
        // What was searched under another limit says nothing.
        let mark = Random::new(u64::from(self.limit).rotate_left(40)).next_u64();
        let (key, value) = (signature ^ mark, Value::new(left as i32));
        if let Some(entry) = table.probe(key) {
            self.statistics.table_hits += 1;
            if entry.value >= value {
                self.statistics.table_cutoffs += 1;
                return true;
            }
        }
        self.statistics.table_stores += 1;
        let depth = left.min(255);
        table.store(key, Entry { value, bound: Bound::Exact, depth, complete: false, mark: 0 });
        false
    }

    /// Searches a position that has come home: in one go, or one move deep.
    pub(super) fn receive(&mut self, state: State<G::Position>, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        let signature = self.game.signature(&state.position);
        if self.seen(signature, state.left) {
            return;
        }
        if !self.dives(state.left) {
            self.expand(state, signature, mail);
            return;
        }
        let back = state.back.map_or(0, |father| father ^ signature);
        match self.dive((&state.position, back), state.left, mail) {
            Ok(needed) if needed <= state.left => self.solved_below(state.position, state.path, mail),
            Ok(needed) => self.least = self.least.min((self.limit - state.left).saturating_add(needed)),
            Err(Interrupt::Rules(error)) => self.fail(*error, mail),
            Err(Interrupt::Stopped | Interrupt::Unwind(_)) => self.drop_all(),
        }
    }

    fn expand(
        &mut self,
        state: State<G::Position>,
        signature: Signature,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) {
        self.statistics.nodes += 1;
        let mut moves = Vec::new();
        match self.game.moves(&state.position, &mut moves) {
            Err(error) => return self.fail(error, mail),
            Ok(Some(outcome)) => {
                if outcome.winner() == Some(Side::White) {
                    self.solved(state.path, mail);
                }
                return;
            }
            Ok(None) => {}
        }
        // The last child is searched first: a stack gives back what was put on it last.
        for (index, mv) in moves.iter().enumerate().rev() {
            let mut position = state.position.clone();
            self.game.apply(&state.position, mv, &mut position);
            let child = self.game.signature(&position);
            if Some(child) == state.back {
                self.least = self.least.min(self.limit + 3);
                continue;
            }
            let needed = 1 + self.evaluator.lower_bound(self.game, &position);
            if needed > state.left {
                self.statistics.leaves += 1;
                self.least = self.least.min(self.limit - state.left + needed);
                continue;
            }
            let mut path = state.path.clone();
            path.push(index as u16);
            let state = State { position, back: Some(signature), left: state.left - 1, path };
            self.send_home(child, state, mail);
        }
    }

    /// Puts a position where it will be searched.
    fn send_home(
        &mut self,
        signature: Signature,
        state: State<G::Position>,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) {
        let home = home(signature, self.workers);
        if home == self.me {
            self.stack.push(state);
            return;
        }
        let letter = &mut self.letters[home as usize];
        letter.push(state);
        if letter.len() >= self.setup.combine {
            self.sent += 1;
            let states = std::mem::take(letter);
            mail.send(home, PuzzleMessage::States { limit: self.limit, states });
        }
    }

    /// Sends what waits for company.
    pub(super) fn flush(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        for (home, letter) in self.letters.iter_mut().enumerate() {
            if !letter.is_empty() {
                self.sent += 1;
                let states = std::mem::take(letter);
                mail.send(home as WorkerId, PuzzleMessage::States { limit: self.limit, states });
            }
        }
    }
}
