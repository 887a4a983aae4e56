//! Workers that solve puzzles: iterative deepening A* without anybody waiting for anybody.
//!
//! A worker has a stack of positions to be searched with a number of moves that are left. Nothing is ever reported back
//! about them: a search of a limit is over when all stacks are empty and no position is on its way, and either somebody
//! has found a solution or the least number of moves that was missing is the next limit.
//!
//! - *Work stealing*: children go on the worker's own stack. An idle worker asks another one, which gives the position
//!   nearest the root.
//! - *Transposition-driven scheduling* (TDS): every position has a home, and children are sent there, many in one
//!   message. The home looks them up in its own part of the table, where all that is known about them is, and searches them
//!   if they are new. Work goes to where the knowledge is; nobody asks, and nobody waits.
//! - *Windows*: every worker searches the whole puzzle under a limit of its own.

mod dive;
mod protocol;
mod waves;
mod windows;

use std::sync::atomic::{AtomicBool, Ordering};

use multigame_game::{Game, Random, RulesError, Signature};
use multigame_search::{
    Bound, Entry, Evaluator, Interrupt, NEVER, Pursuit, Statistics, TranspositionTable, Value,
};

use crate::memory::home;
use crate::worker::{Mail, Progress, Status, Worker, WorkerId};

pub use protocol::{PuzzleMessage, PuzzlePolicy, PuzzleResult, PuzzleSetup, State};
use waves::Waves;
use windows::Windows;

/// A worker for puzzles; see the module.
#[derive(Debug)]
pub struct PuzzleWorker<'a, G: Game, E> {
    me: WorkerId,
    workers: u32,
    game: &'a G,
    evaluator: &'a E,
    table: Option<&'a TranspositionTable>,
    abort: Option<&'a AtomicBool>,
    setup: PuzzleSetup,
    root: G::Position,
    longest: u32,
    random: Random,
    limit: u32,
    stack: Vec<State<G::Position>>,
    /// Positions on their way to each home.
    letters: Vec<Vec<State<G::Position>>>,
    /// Positions sent and received, in messages.
    sent: u64,
    received: u64,
    least: u32,
    asking: bool,
    disappointed: bool,
    failures: u32,
    /// A wave to be answered when there is nothing to do.
    wave: Option<u64>,
    waves: Waves,
    /// The limit of its own that it searches, where everybody has one.
    window: Option<u32>,
    /// Another one, or none, to be taken at once.
    switch: Option<Option<u32>>,
    windows: Windows,
    statistics: Statistics,
    pursuit: Pursuit,
    result: Option<PuzzleResult>,
    iterations: Vec<u32>,
    failed: Option<Box<RulesError>>,
    finished: bool,
}

impl<'a, G: Game, E: Evaluator<G>> PuzzleWorker<'a, G, E> {
    /// A worker of a search for a solution of at most `longest` moves. The table is the worker's own for TDS; for work
    /// stealing it may be everybody's.
    pub fn new(
        (me, workers): (WorkerId, u32),
        (game, evaluator): (&'a G, &'a E),
        table: Option<&'a TranspositionTable>,
        root: &G::Position,
        longest: u32,
        setup: PuzzleSetup,
    ) -> Self {
        let mut worker = PuzzleWorker {
            me,
            workers,
            game,
            evaluator,
            table,
            abort: None,
            setup,
            root: root.clone(),
            longest: longest.min(NEVER - 1),
            random: Random::new(setup.seed.wrapping_mul(77).wrapping_add(u64::from(me))),
            limit: 0,
            stack: Vec::new(),
            letters: vec![Vec::new(); if setup.policy == PuzzlePolicy::Tds { workers as usize } else { 0 }],
            sent: 0,
            received: 0,
            least: NEVER,
            asking: false,
            disappointed: false,
            failures: 0,
            wave: None,
            waves: Waves { least: NEVER, ..Waves::default() },
            window: None,
            switch: None,
            windows: Windows::default(),
            statistics: Statistics::default(),
            pursuit: Pursuit::new(evaluator),
            result: None,
            iterations: Vec::new(),
            failed: None,
            finished: false,
        };
        let first = evaluator.lower_bound(game, root);
        if me == 0 {
            if first > worker.longest {
                worker.result = Some(PuzzleResult::Unknown(first));
            }
            if setup.policy == PuzzlePolicy::Windows {
                worker.window = Some(first);
                worker.windows = Windows::new(workers, first);
            }
            worker.begin(first);
        } else {
            worker.limit = first;
        }
        worker
    }

    /// Stops when somebody sets a flag.
    pub fn with_abort(mut self, abort: &'a AtomicBool) -> Self {
        self.abort = Some(abort);
        self
    }

    fn is_told_to_stop(&self) -> bool {
        self.abort.is_some_and(|abort| abort.load(Ordering::Relaxed))
    }

    /// What was counted: `nodes` are positions expanded or found solved, `leaves` those cut off at once.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// What has come of it; only worker 0 knows.
    pub fn result(&self) -> Option<&PuzzleResult> {
        self.result.as_ref()
    }

    /// The limits searched completely without a solution.
    pub fn iterations(&self) -> &[u32] {
        &self.iterations
    }

    /// The limit being searched.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Why the search failed.
    pub fn failure(&self) -> Option<&RulesError> {
        self.failed.as_deref()
    }

    /// How many positions it holds.
    pub fn stack_height(&self) -> usize {
        self.stack.len()
    }

    fn begin(&mut self, limit: u32) {
        self.limit = limit;
        self.least = NEVER;
        let (position, path) = (self.root.clone(), Vec::new());
        self.stack.push(State { position, back: None, left: limit, path });
    }

    /// Goes on to a limit. Positions may arrive before the word that it has begun.
    fn start(&mut self, limit: u32) {
        if limit > self.limit {
            self.limit = limit;
            self.least = NEVER;
        }
    }

    /// Whether a position has been searched with as many moves left under this limit; if not, it will have been.
    fn seen(&mut self, signature: Signature, left: u32) -> bool {
        let Some(table) = self.table else { return false };
        self.statistics.table_probes += 1;
        // What was searched under another limit, or in another search, says nothing.
        let mark = Random::new(self.setup.salt ^ u64::from(self.limit).rotate_left(40)).next_u64();
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

    /// Whether a position with so many moves left is searched in one go.
    fn dives(&self, left: u32) -> bool {
        left <= self.setup.grain || self.limit - left >= self.setup.reach
    }

    /// Searches one position of the stack: in one go, or one move deep.
    fn step(&mut self, state: State<G::Position>, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        let signature = self.game.signature(&state.position);
        let dives = self.dives(state.left);
        if (self.setup.policy == PuzzlePolicy::Tds || !dives) && self.seen(signature, state.left) {
            return;
        }
        if !dives {
            self.expand(state, signature, mail);
            return;
        }
        match self.dive(&state, signature, mail) {
            Ok(needed) if needed <= state.left => match self.way(state) {
                Ok(path) => self.solved(path, mail),
                Err(error) => self.fail(error, mail),
            },
            Ok(needed) => self.least = self.least.min((self.limit - state.left).saturating_add(needed)),
            Err(Interrupt::Rules(error)) => self.fail(*error, mail),
            Err(Interrupt::Stopped | Interrupt::Unwind(_)) => self.stack.clear(),
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
                if outcome.winner() == Some(multigame_game::Side::White) {
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
            self.place(child, state, mail);
        }
    }

    /// Puts a position where it will be searched.
    fn place(
        &mut self,
        signature: Signature,
        state: State<G::Position>,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) {
        let home = match self.setup.policy {
            PuzzlePolicy::Tds => home(signature, self.workers),
            PuzzlePolicy::Stealing | PuzzlePolicy::Windows => self.me,
        };
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

    fn solved(&mut self, path: Vec<u16>, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        self.stack.clear();
        self.window = None;
        if self.me == 0 && self.setup.policy == PuzzlePolicy::Windows {
            self.solved_within(0, path, mail);
        } else if self.me == 0 {
            self.result.get_or_insert(PuzzleResult::Solved(path));
        } else {
            mail.send(0, PuzzleMessage::Solved(path));
        }
    }

    fn fail(&mut self, error: RulesError, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        self.stack.clear();
        if self.me == 0 {
            self.failed = Some(Box::new(error));
        } else {
            mail.send(0, PuzzleMessage::Failed(Box::new(error)));
        }
    }

    /// Sends what waits for company.
    fn flush(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        for (home, letter) in self.letters.iter_mut().enumerate() {
            if !letter.is_empty() {
                self.sent += 1;
                let states = std::mem::take(letter);
                mail.send(home as WorkerId, PuzzleMessage::States { limit: self.limit, states });
            }
        }
    }

    /// What a worker does that has nothing to search.
    fn rest(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) -> Status {
        if self.setup.policy == PuzzlePolicy::Windows {
            return self.rest_of_window(mail);
        }
        self.flush(mail);
        if let Some(wave) = self.wave.take() {
            let (sent, received, least) = (self.sent, self.received, self.least);
            mail.send(0, PuzzleMessage::Quiet { wave, sent, received, least });
        }
        if self.me == 0 && self.waves.answers == 0 {
            self.send_wave(mail);
            // Alone, everybody has answered at once.
            if self.waves.answers == 0 {
                return Status::Busy;
            }
        }
        if self.setup.policy == PuzzlePolicy::Tds || self.workers < 2 || self.asking {
            return Status::Idle(None);
        }
        if std::mem::take(&mut self.disappointed) {
            let pause = 1 << self.failures.min(6);
            return Status::Idle(Some(pause * self.setup.prices.node.max(1)));
        }
        let mut other = self.random.below(self.workers as usize - 1) as WorkerId;
        other += u32::from(other >= self.me);
        self.asking = true;
        mail.send(other, PuzzleMessage::Request);
        Status::Idle(None)
    }

    fn give(&mut self, thief: WorkerId, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        // The one on top is about to be searched; of the others the oldest is nearest the root.
        if self.stack.len() > 1 || self.stack.first().is_some_and(|state| !self.dives(state.left)) {
            let state = self.stack.remove(0);
            self.sent += 1;
            mail.send(thief, PuzzleMessage::States { limit: self.limit, states: vec![state] });
        } else {
            mail.send(thief, PuzzleMessage::NoWork);
        }
    }

    fn finish(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) -> Status {
        if self.me == 0 && !self.finished {
            let limit = self.limit;
            self.result.get_or_insert(PuzzleResult::Unknown(limit));
            for other in 1..self.workers {
                mail.send(other, PuzzleMessage::Finished);
            }
        }
        self.finished = true;
        self.stack.clear();
        Status::Finished
    }
}

impl<G: Game, E: Evaluator<G>> Worker for PuzzleWorker<'_, G, E> {
    type Message = PuzzleMessage<G>;

    fn handle(&mut self, from: WorkerId, message: PuzzleMessage<G>, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        match message {
            PuzzleMessage::Start { limit } => self.start(limit),
            PuzzleMessage::States { limit, states } => {
                self.start(limit);
                (self.asking, self.failures, self.disappointed) = (false, 0, false);
                self.received += 1;
                if !self.finished {
                    self.stack.extend(states);
                }
            }
            PuzzleMessage::Request => self.give(from, mail),
            PuzzleMessage::NoWork => {
                (self.asking, self.disappointed) = (false, true);
                self.failures += 1;
            }
            PuzzleMessage::Wave(wave) => self.wave = Some(wave),
            PuzzleMessage::Quiet { wave, sent, received, least } => {
                if wave == self.waves.number && self.waves.answers > 0 {
                    self.waves.answers += 1;
                    self.waves.sent += sent;
                    self.waves.received += received;
                    self.waves.least = self.waves.least.min(least);
                    self.count_wave(mail);
                }
            }
            PuzzleMessage::Window { limit } => self.switch = Some(limit),
            PuzzleMessage::Searched { limit, least } => self.searched(from, limit, least, mail),
            PuzzleMessage::Solved(path) if self.setup.policy == PuzzlePolicy::Windows => {
                self.solved_within(from, path, mail);
            }
            PuzzleMessage::Solved(path) => {
                self.stack.clear();
                self.result.get_or_insert(PuzzleResult::Solved(path));
            }
            PuzzleMessage::Failed(error) => self.failed = Some(error),
            PuzzleMessage::Finished => self.finished = true,
        }
    }

    fn work(&mut self, budget: u64, mail: &mut dyn Mail<PuzzleMessage<G>>) -> Progress {
        let before = self.statistics;
        loop {
            let cost = self.setup.prices.between(&before, &self.statistics);
            if self.finished || self.result.is_some() || self.failed.is_some() {
                return Progress { cost, status: self.finish(mail) };
            }
            if self.is_told_to_stop() {
                self.stack.clear();
                let status = if self.me == 0 { self.finish(mail) } else { Status::Waiting };
                return Progress { cost, status };
            }
            if cost > budget {
                return Progress { cost, status: Status::Busy };
            }
            self.switch_window();
            let Some(state) = self.stack.pop() else {
                let status = self.rest(mail);
                if status != Status::Busy {
                    return Progress { cost, status };
                }
                continue;
            };
            self.step(state, mail);
        }
    }
}
