//! Transposition-driven scheduling: positions go to their homes and are searched there, if they are new.
//!
//! Positions for the same home travel together. They leave when they are many, when they have waited for a
//! while, and when their sender has nothing else to do.

use multigame_game::{Game, Side, Signature};
use multigame_search::{Bound, Entry, Evaluator, Interrupt, Value};

use super::PuzzleWorker;
use super::protocol::{PuzzleMessage, State};
use crate::memory::home;
use crate::worker::{Mail, WorkerId};

impl<G: Game, E: Evaluator<G>> PuzzleWorker<'_, G, E> {
    /// Whether a position has been searched with as many moves left under this limit; if not, it will have
    /// been.
    fn seen(&mut self, signature: Signature, left: u32) -> bool {
        let Some(table) = self.table else { return false };
        self.statistics.table_probes += 1;
        let (key, value) = (self.marks.key(signature), Value::new(left as i32));
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
        if self.keeps_all && self.statistics.nodes >= self.alone_until {
            self.stack.push(state);
            self.send_all_home(mail);
            return;
        }
        let Some(state) = self.judged(state) else { return };
        if !self.seen(signature, state.left) {
            self.search_at_home(state, signature, mail);
        }
        if self.statistics.nodes - self.flushed >= self.setup.linger {
            self.flush(mail);
        }
    }

    /// A position that was not judged when it was made is, here: it may need more moves than are left.
    fn judged(&mut self, state: State<G::Position>) -> Option<State<G::Position>> {
        if !self.setup.judged_at_home {
            return Some(state);
        }
        let bound = self.evaluator.lower_bound(self.game, &state.position);
        if bound > state.left {
            self.cut_off(state.left, bound);
            return None;
        }
        Some(State { bound, ..state })
    }

    /// A position needs more moves than are left.
    fn cut_off(&mut self, left: u32, bound: u32) {
        self.statistics.leaves += 1;
        self.least = self.least.min((self.limit - left).saturating_add(bound));
    }

    fn search_at_home(
        &mut self,
        state: State<G::Position>,
        signature: Signature,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) {
        let spare = state.left.saturating_sub(state.bound);
        // The more moves the root has to spare, the deeper the tree: most of it is left to share out.
        let most = self.spare.at(self.limit.saturating_sub(self.first));
        if !self.dives(state.left) && (self.setup.dive_nodes == 0 || spare > most) {
            self.expand(state, signature, mail);
            return;
        }
        let back = state.back.map_or(0, |father| father ^ signature);
        match self.dive((&state.position, back), state.left, mail) {
            Ok(needed) if needed <= state.left => {
                self.solved_below(state.position, state.path.moves(), mail);
            }
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
        let mut moves = std::mem::take(&mut self.moves);
        match self.game.moves(&state.position, &mut moves) {
            Err(error) => self.fail(error, mail),
            Ok(Some(outcome)) if outcome.winner() == Some(Side::White) => {
                self.solved(state.path.moves(), mail);
            }
            Ok(Some(_)) => {}
            // The last child is searched first: a stack gives back what was put on it last.
            Ok(None) => {
                for (index, mv) in moves.iter().enumerate().rev() {
                    self.make(&state, signature, (index, mv), mail);
                }
            }
        }
        self.moves = moves;
    }

    /// Makes a child of a position and sends it home.
    fn make(
        &mut self,
        state: &State<G::Position>,
        signature: Signature,
        (index, mv): (usize, &G::Move),
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) {
        let mut position = state.position.clone();
        self.game.apply(&state.position, mv, &mut position);
        let child = self.game.signature(&position);
        if Some(child) == state.back {
            // As in the sequential search: if the parent cannot be solved in time, going back to it needs
            // even more.
            self.least = self.least.min(self.limit + 3);
            return;
        }
        let is_judged = !self.setup.judged_at_home || state.left == 0;
        let bound = if is_judged { self.evaluator.lower_bound(self.game, &position) } else { 0 };
        if 1 + bound > state.left {
            self.cut_off(state.left, 1 + bound);
            return;
        }
        let left = state.left - 1;
        let mut path = state.path.clone();
        path.push(index as u16);
        let state = State { position, back: Some(signature), left, bound, path };
        if self.keeps_all || !self.homes.travels(left) {
            self.stack.push(state);
        } else {
            self.send_home(child, state, mail);
        }
    }

    /// Takes positions that have arrived: some may only be on their way.
    pub(super) fn take_in(&mut self, states: Vec<State<G::Position>>, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        if !self.homes.relay {
            self.stack.extend(states);
            return;
        }
        for state in states {
            self.send_home(self.game.signature(&state.position), state, mail);
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
        let next = self.homes.next(self.me, home, self.workers);
        let letter = &mut self.letters[next as usize];
        letter.push(state);
        if letter.len() >= self.setup.combine {
            self.sent += 1;
            let states = std::mem::replace(letter, Vec::with_capacity(self.setup.combine));
            mail.send(next, PuzzleMessage::States { limit: self.limit, states });
        }
    }

    /// The others may have what is left of the limit, of which they hear now.
    fn send_all_home(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        self.keeps_all = false;
        self.tell_of_limit(mail);
        for state in std::mem::take(&mut self.stack) {
            self.send_home(self.game.signature(&state.position), state, mail);
        }
        self.flush(mail);
    }

    /// Sends the fullest letter that waits for company; false if there is none.
    ///
    /// PERF: a worker without work that sent all letters at once could take nothing in meanwhile, and most
    /// letters had few positions: 20 % of the time of 128 processors with Myrinet went into messages.
    pub(super) fn send_fullest(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) -> bool {
        let letters = self.letters.iter_mut().enumerate().filter(|(_, letter)| !letter.is_empty());
        let Some((home, letter)) = letters.max_by_key(|(_, letter)| letter.len()) else { return false };
        self.sent += 1;
        let states = std::mem::take(letter);
        mail.send(home as WorkerId, PuzzleMessage::States { limit: self.limit, states });
        true
    }

    /// Sends what waits for company.
    pub(super) fn flush(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        self.flushed = self.statistics.nodes;
        for (home, letter) in self.letters.iter_mut().enumerate().filter(|(_, letter)| !letter.is_empty()) {
            self.sent += 1;
            let states = std::mem::take(letter);
            mail.send(home as WorkerId, PuzzleMessage::States { limit: self.limit, states });
        }
    }
}
