//! Workers that find out who wins, in processes that share no table.
//!
//! Each answers all questions about the root by itself, as the threads of one process do. What took some work
//! is told to everybody, and so is what a worker is at: the others leave it for later. Worker 0 finds answers
//! of others in its table, and ends the search for everybody when it has answered its last question.

use std::ops::ControlFlow;

use multigame_game::{Game, RulesError, Signature};
use multigame_search::{
    BusyMoves, Control, Entry, Evaluator, Iteration, KernelInput, Monitor, Root, Search, SearchError,
    SearchResult, Statistics, TranspositionTable,
};

use crate::form::Memory;
use crate::memory::{Depths, Spread};
use crate::protocol::Message;
use crate::statistics::Counters;
use crate::worker::{Mail, Progress, Status, Worker, WorkerId};

/// Entries are told whose work was at least two to the power of this many nodes.
const TOLD: u32 = 6;

/// Why a form of the table is of no use to searches for verdicts.
pub fn check_verdict_memory(memory: Memory) -> Result<(), String> {
    match memory.form.asks() {
        true => Err(format!(
            "`engine=verdict` asks nobody about positions: use memory `replicated` or `private`, not `{memory}`"
        )),
        false => Ok(()),
    }
}

/// A worker that finds out who wins; see the module.
#[derive(Debug)]
pub struct VerdictWorker<'a, G: Game, E> {
    task: KernelInput<'a, G, E>,
    root: &'a Root<G>,
    talk: Talk<'a>,
    /// What it has found out, when it has ended.
    result: Option<SearchResult<G::Move>>,
}

impl<'a, G: Game, E: Evaluator<G>> VerdictWorker<'a, G, E> {
    /// A worker among this many, of which `sharing` one after the other use the same table. The task names
    /// that table and the moves that are searched just now.
    pub fn new(
        (me, workers): (WorkerId, u32),
        task: KernelInput<'a, G, E>,
        root: &'a Root<G>,
        (memory, sharing): (Memory, u32),
    ) -> Self {
        let spread = Spread::new(memory, (me, workers), sharing, Depths { asked: 0, told: TOLD });
        let (counters, statistics) = (Counters::default(), Statistics::default());
        let (table, busy, failed, finished) = (task.table, task.busy, None, false);
        let talk = Talk { me, workers, table, busy, spread, counters, statistics, failed, finished };
        VerdictWorker { task, root, talk, result: None }
    }

    /// What was counted in the tree.
    pub fn statistics(&self) -> &Statistics {
        &self.talk.statistics
    }

    /// What was counted besides.
    pub fn counters(&self) -> &Counters {
        &self.talk.counters
    }

    /// Why the search failed.
    pub fn failure(&self) -> Option<&RulesError> {
        self.talk.failed.as_deref()
    }

    /// What this worker has found out; only that of worker 0 counts.
    pub fn into_result(self) -> Option<SearchResult<G::Move>> {
        self.result
    }

    fn search(&mut self, mail: &mut dyn Mail<Message<G>>) {
        let KernelInput { game, evaluator, options, table, abort, busy } = self.task;
        let mut search = Search::new(game, evaluator, options.clone()).expect("it was checked before");
        if let Some(table) = table {
            search = search.with_table(table);
        }
        if let Some(abort) = abort {
            search = search.with_abort(abort);
        }
        if let Some(busy) = busy {
            search = search.with_busy(busy);
        }
        match search.join(self.root, 0, &mut Watch { talk: &mut self.talk, mail: &mut *mail }) {
            Ok(result) => {
                self.talk.statistics = result.statistics;
                self.result = Some(result);
            }
            Err(SearchError::Rules(error)) if self.talk.me == 0 => self.talk.failed = Some(error),
            Err(SearchError::Rules(error)) => mail.send(0, Message::Failed(error)),
            Err(error) => unreachable!("it was checked before: {error}"),
        }
        self.talk.spread.flush(mail);
    }
}

impl<G: Game, E: Evaluator<G>> Worker for VerdictWorker<'_, G, E> {
    type Message = Message<G>;

    fn handle(&mut self, _from: WorkerId, message: Message<G>, _mail: &mut dyn Mail<Message<G>>) {
        self.talk.hear(message);
    }

    fn work(&mut self, _budget: u64, mail: &mut dyn Mail<Message<G>>) -> Progress {
        let searches = self.result.is_none() && !self.talk.is_over();
        if searches {
            self.search(mail);
        }
        let talk = &mut self.talk;
        if talk.me == 0 && !talk.finished {
            talk.finished = true;
            (1..talk.workers).for_each(|other| mail.send(other, Message::Finished));
        }
        let cost = if searches { talk.statistics.nodes } else { 0 };
        // Others find its answers in their tables; it waits until worker 0 has the last one.
        Progress { cost, status: if talk.finished { Status::Finished } else { Status::Idle(None) } }
    }
}

/// What a worker hears and tells, also in the middle of its search.
#[derive(Debug)]
struct Talk<'a> {
    me: WorkerId,
    workers: u32,
    table: Option<&'a TranspositionTable>,
    busy: Option<&'a BusyMoves>,
    spread: Spread,
    counters: Counters,
    statistics: Statistics,
    failed: Option<Box<RulesError>>,
    finished: bool,
}

impl Talk<'_> {
    fn hear<G: Game>(&mut self, message: Message<G>) {
        match message {
            Message::Store(entries) => {
                if let Some(table) = self.table {
                    entries.iter().for_each(|&(signature, entry)| table.store(signature, entry));
                }
            }
            Message::Busy { signature, begins } => match self.busy {
                Some(busy) if begins => busy.enter(signature),
                Some(busy) => busy.leave(signature),
                None => {}
            },
            Message::Failed(error) => self.failed = Some(error),
            Message::Finished => self.finished = true,
            // Workers of searches by depth say more to each other.
            _ => {}
        }
    }

    fn is_over(&self) -> bool {
        self.finished || self.failed.is_some()
    }
}

/// Lets a worker hear and tell in the middle of its search.
struct Watch<'w, 'a, 'm, G: Game> {
    talk: &'w mut Talk<'a>,
    mail: &'w mut (dyn Mail<Message<G>> + 'm),
}

impl<G: Game> Monitor<G> for Watch<'_, '_, '_, G> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        self.mail.visited(statistics.nodes);
        while let Some((_, message)) = self.mail.receive() {
            self.talk.hear(message);
        }
        if self.talk.is_over() { Control::Stop } else { Control::Continue }
    }

    fn iteration(&mut self, _iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        if self.talk.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn stored_from(&self) -> u32 {
        self.talk.spread.told_to_all_from()
    }

    fn stored(&mut self, signature: Signature, entry: Entry) {
        let Talk { spread, counters, .. } = &mut *self.talk;
        spread.tell(signature, entry, counters, self.mail);
    }

    fn at(&mut self, signature: Signature, begins: bool) {
        let spread = &mut self.talk.spread;
        if !begins {
            // The result is known before others hear that it is not being searched any more.
            spread.flush(self.mail);
        }
        for other in spread.speakers() {
            self.mail.send(other, Message::Busy { signature, begins });
        }
    }
}
