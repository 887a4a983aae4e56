//! Workers that solve puzzles: iterative deepening A* without anybody waiting for anybody.
//!
//! A worker has positions to be searched with a number of moves that are left. Nothing is ever reported back
//! to others about them: a search of a limit is over when nobody has any and none is on its way, and either
//! somebody has found a solution or the least number of moves that was missing is the next limit.
//!
//! - *Work stealing*: a worker searches like the sequential IDA*, with the upper part of its tree [in its
//!   hands](hands) or all of it in one go. An idle worker asks another one, which gives the position nearest
//!   the root.
//! - *Transposition-driven scheduling* (TDS): every position has a [home](homes), and children are sent
//!   there, many in one message. The home looks them up in its own part of the table, where all that is known
//!   about them is, and searches them if they are new. Work goes to where the knowledge is; nobody asks, and
//!   nobody waits. A limit begins with worker 0 alone, because most limits take less time than a message on
//!   its way.
//! - *Windows*: every worker searches the whole puzzle under a limit of its own.
//!
//! What is not in anybody's hands is searched [in one go](dive) by the sequential kernel, which looks for
//! messages now and then.

mod dive;
mod hands;
mod homes;
mod lookups;
mod path;
mod protocol;
mod routes;
mod waves;
mod windows;
mod wire;

use std::sync::atomic::{AtomicBool, Ordering};

use multigame_game::{Game, Random, RulesError};
use multigame_search::{Evaluator, NEVER, Pursuit, Salt, Statistics, TranspositionTable};

use crate::grain::Grain;
use crate::memory::{Depths, Spread};
use crate::statistics::Counters;
use crate::worker::{Mail, Progress, Status, Worker, WorkerId};

use hands::{Level, Sought};
use path::Path;
pub use protocol::{PuzzleMessage, PuzzlePolicy, PuzzleResult, PuzzleSetup, State};
pub use routes::Homes;
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
    /// Moves that the root certainly needs.
    first: u32,
    /// Positions that wait to be searched.
    stack: Vec<State<G::Position>>,
    /// The way down from the position taken from the stack last, and the path that leads to its end.
    levels: Vec<Level<G>>,
    path: Vec<u16>,
    /// The position at the end of the path, while its home is asked about it.
    sought: Option<Sought<G>>,
    /// The tables of others.
    spread: Spread,
    /// Who waits for a part of what is searched in one go, if something is.
    asked: Option<Vec<WorkerId>>,
    /// Which positions travel, and on which way.
    homes: Homes,
    /// Positions on their way, by the worker they are sent to next.
    letters: Vec<Vec<State<G::Position>>>,
    /// Nodes visited when the last of them left without company, and when the others may have the limit
    /// that begins.
    flushed: u64,
    alone_until: u64,
    /// The moves of the position in hand.
    moves: Vec<G::Move>,
    /// Whether it has the limit for itself: the stack may hold positions that are at home elsewhere.
    keeps_all: bool,
    /// Tells the marks of positions that were seen under the present limit.
    marks: Salt,
    /// Moves to spare with which positions are searched in one go.
    spare: Grain,
    /// Positions sent and received, in messages.
    sent: u64,
    received: u64,
    least: u32,
    asking: bool,
    counters: Counters,
    disappointed: bool,
    failures: u32,
    /// The last wave, and what those below have answered.
    waves: Waves,
    /// The limit of its own that it searches, where everybody has one.
    window: Option<u32>,
    /// Another one, or none, to be taken at once.
    switch: Option<Option<u32>>,
    /// Limits of its own that it did not search to the end in vain, and whose entries in the table it reads
    /// no more.
    distrusted: u64,
    windows: Windows,
    statistics: Statistics,
    /// Tells the table's entries of this search from those of others.
    salt: Salt,
    pursuit: Pursuit,
    result: Option<PuzzleResult>,
    iterations: Vec<u32>,
    /// How many of them the driver could see.
    seen: usize,
    failed: Option<Box<RulesError>>,
    finished: bool,
}

impl<'a, G: Game, E: Evaluator<G>> PuzzleWorker<'a, G, E> {
    /// A worker of a search for a solution of at most `longest` moves. The table is the worker's own for TDS;
    /// otherwise it may be everybody's. A table that was used before has to know that a [new
    /// search](TranspositionTable::new_search) has begun.
    pub fn new(
        (me, workers): (WorkerId, u32),
        (game, evaluator): (&'a G, &'a E),
        table: Option<&'a TranspositionTable>,
        root: &G::Position,
        longest: u32,
        setup: PuzzleSetup,
    ) -> Self {
        let salt = Salt::new(table, game.signature(root));
        let depth = protocol::USUAL_DEPTH;
        let usual = Depths { asked: depth, told: depth };
        let first = evaluator.lower_bound(game, root);
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
            first,
            stack: Vec::new(),
            levels: Vec::new(),
            path: Vec::new(),
            sought: None,
            spread: Spread::new(setup.memory, (me, workers), setup.sharing, usual),
            asked: None,
            letters: vec![Vec::new(); if setup.policy.homes().is_some() { workers as usize } else { 0 }],
            homes: setup.policy.homes().unwrap_or_default(),
            flushed: 0,
            alone_until: 0,
            moves: Vec::new(),
            keeps_all: false,
            marks: salt,
            spare: Grain::new(0, setup.dive_nodes),
            sent: 0,
            received: 0,
            least: NEVER,
            asking: false,
            counters: Counters::default(),
            disappointed: false,
            failures: 0,
            waves: Waves::default(),
            window: None,
            switch: None,
            distrusted: 0,
            windows: Windows::default(),
            statistics: Statistics::default(),
            salt,
            pursuit: Pursuit::new(evaluator, salt),
            result: None,
            iterations: Vec::new(),
            seen: 0,
            failed: None,
            finished: false,
        };
        if setup.policy == PuzzlePolicy::Windows {
            worker.distrust_window();
        }
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
            worker.enter_limit(first);
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

    /// What was counted besides; positions that travel together count once.
    pub fn counters(&self) -> Counters {
        let (work, given, taken) = (self.statistics.nodes, self.sent, self.received);
        Counters { work, given, taken, ..self.counters }
    }

    /// What has come of it; only worker 0 knows.
    pub fn result(&self) -> Option<&PuzzleResult> {
        self.result.as_ref()
    }

    /// The limits searched completely without a solution.
    pub fn iterations(&self) -> &[u32] {
        &self.iterations
    }

    /// No solution has fewer moves, as far as worker 0 knows.
    pub fn proved(&self) -> u32 {
        // Where everybody has a limit of its own, smaller ones may be unsearched.
        if self.setup.policy == PuzzlePolicy::Windows { self.windows.proved } else { self.limit }
    }

    /// Why the search failed.
    pub fn failure(&self) -> Option<&RulesError> {
        self.failed.as_deref()
    }

    /// How many positions it holds.
    pub fn stack_height(&self) -> usize {
        self.stack.len() + self.levels.len() + usize::from(self.sought.is_some())
    }

    fn begin(&mut self, limit: u32) {
        self.enter_limit(limit);
        self.alone_until = self.statistics.nodes + self.setup.alone;
        self.keeps_all = self.setup.policy.homes().is_some() && self.workers > 1;
        let (position, path) = (self.root.clone(), Path::default());
        let bound = self.evaluator.lower_bound(self.game, &position);
        self.stack.push(State { position, back: None, left: limit, bound, path });
    }

    /// Goes on to a limit. Positions may arrive before the word that it has begun.
    fn start(&mut self, limit: u32) {
        if limit > self.limit {
            self.enter_limit(limit);
        }
    }

    fn enter_limit(&mut self, limit: u32) {
        (self.limit, self.least) = (limit, NEVER);
        // Searches under another limit say nothing.
        self.marks = self.salt.with(1 << 63 | u64::from(limit));
    }

    /// Whether a position with this many moves left is searched in one go.
    fn dives(&self, left: u32) -> bool {
        left <= self.setup.grain || self.limit - left >= self.setup.reach
    }

    /// Forgets everything in hand.
    fn drop_all(&mut self) {
        self.stack.clear();
        self.levels.clear();
        self.sought = None;
    }

    fn solved(&mut self, path: Vec<u16>, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        self.drop_all();
        if self.window.take().is_some() {
            self.distrust_window();
        }
        if self.me == 0 && self.setup.policy == PuzzlePolicy::Windows {
            self.solved_within(0, path, mail);
        } else if self.me == 0 {
            self.result.get_or_insert(PuzzleResult::Solved(path));
        } else {
            mail.send(0, PuzzleMessage::Solved(path));
        }
    }

    fn fail(&mut self, error: RulesError, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        self.drop_all();
        if self.me == 0 {
            self.failed = Some(Box::new(error));
        } else {
            mail.send(0, PuzzleMessage::Failed(Box::new(error)));
        }
    }

    /// What a worker does that has nothing to search.
    fn rest(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) -> Status {
        if self.setup.policy == PuzzlePolicy::Windows {
            return self.rest_of_window(mail);
        }
        if self.end_alone(mail) {
            return Status::Busy;
        }
        if self.send_fullest(mail) {
            return Status::Busy;
        }
        self.spread.flush(mail);
        if self.me == 0 && !self.waves.running {
            self.send_wave(mail);
            // Alone, everybody has answered at once.
            if !self.waves.running {
                return Status::Busy;
            }
        }
        self.answer_wave(mail);
        if self.setup.policy.homes().is_some() || self.workers < 2 || self.asking {
            return Status::Idle(None);
        }
        if std::mem::take(&mut self.disappointed) {
            let pause = 1 << self.failures.min(6);
            return Status::Idle(Some(pause * self.setup.prices.node.max(1)));
        }
        let mut other = self.random.below(self.workers as usize - 1) as WorkerId;
        other += u32::from(other >= self.me);
        self.asking = true;
        self.counters.requests += 1;
        mail.send(other, PuzzleMessage::Request);
        Status::Idle(None)
    }

    fn finish(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) -> Status {
        if self.me == 0 && !self.finished {
            let proved = self.proved();
            self.result.get_or_insert(PuzzleResult::Unknown(proved));
            for other in 1..self.workers {
                mail.send(other, PuzzleMessage::Finished);
            }
        }
        self.finished = true;
        self.drop_all();
        Status::Finished
    }
}

impl<G: Game, E: Evaluator<G>> Worker for PuzzleWorker<'_, G, E> {
    type Message = PuzzleMessage<G>;

    fn handle(&mut self, from: WorkerId, message: PuzzleMessage<G>, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        match message {
            PuzzleMessage::Start { limit, spare } => {
                self.start(limit);
                self.spare.adopt(spare);
                self.send_down(mail, || PuzzleMessage::Start { limit, spare });
            }
            PuzzleMessage::States { limit, states } => {
                self.start(limit);
                (self.asking, self.failures, self.disappointed) = (false, 0, false);
                self.received += 1;
                if !self.finished {
                    self.take_in(states, mail);
                }
            }
            PuzzleMessage::Request => self.give(from, mail),
            PuzzleMessage::NoWork => {
                (self.asking, self.disappointed) = (false, true);
                self.failures += 1;
            }
            PuzzleMessage::Wave(wave) => self.take_wave(wave, mail),
            PuzzleMessage::Quiet { wave, sent, received, least } => {
                self.waves.hear(wave, (sent, received), least);
                self.count_wave(mail);
            }
            PuzzleMessage::Lookup { signature } => {
                let entry = self.table.and_then(|table| self.pursuit.entry(table, signature));
                mail.send(from, PuzzleMessage::Answer { signature, entry });
            }
            PuzzleMessage::Answer { signature, entry } => self.answered(signature, entry),
            PuzzleMessage::Store(entries) => self.store(&entries),
            PuzzleMessage::Window { limit } => self.switch = Some(limit),
            PuzzleMessage::Searched { limit, least } => self.searched(from, limit, least, mail),
            PuzzleMessage::Solved(path) if self.setup.policy == PuzzlePolicy::Windows => {
                self.solved_within(from, path, mail);
            }
            PuzzleMessage::Solved(path) => {
                self.drop_all();
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
                self.drop_all();
                let status = if self.me == 0 { self.finish(mail) } else { Status::Waiting };
                return Progress { cost, status };
            }
            // The monitor may want no other limit, and the next one may take long.
            let news = std::mem::replace(&mut self.seen, self.iterations.len()) < self.iterations.len();
            if cost > budget || news {
                return Progress { cost, status: Status::Busy };
            }
            self.switch_window();
            if let Some(sought) = self.sought.take_if(|sought| !sought.waits) {
                self.enter(sought, mail);
                continue;
            }
            if self.sought.is_some() {
                return Progress { cost, status: Status::Waiting };
            }
            if !self.levels.is_empty() {
                self.advance(mail);
                continue;
            }
            match self.stack.pop() {
                Some(state) if self.setup.policy.homes().is_some() => self.receive(state, mail),
                Some(state) => self.take_up(state, mail),
                None => {
                    let sent = self.sent;
                    let status = self.rest(mail);
                    // Something may have arrived while a letter was on its way out.
                    if status != Status::Busy || self.sent > sent {
                        return Progress { cost, status };
                    }
                }
            }
        }
    }
}
