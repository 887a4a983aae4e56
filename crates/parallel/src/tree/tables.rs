//! What a tree asks and tells others about positions, and what it answers.

use multigame_game::{Game, Signature};
use multigame_search::Entry;

use crate::form::Form;
use crate::level::Level;
use crate::memory::{Depths, Question, TableTalk};
use crate::policy::NodeKind;
use crate::protocol::Message;
use crate::setup::Setup;
use crate::tree::{Post, Tree};
use crate::worker::WorkerId;

impl<G: Game> TableTalk for Message<G> {
    fn look_up(signature: Signature) -> Self {
        Message::Lookup { signature }
    }

    fn store(entries: Vec<(Signature, Entry)>) -> Self {
        Message::Store(entries)
    }
}

/// The least depths of questions and of what is told where nothing else is said.
pub(crate) fn usual_depths(setup: &Setup) -> Depths {
    Depths { asked: 2, told: if setup.memory.form == Form::Replicated { 3 } else { 2 } }
}

/// A node as far as it is looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought {
    pub signature: Signature,
    pub depth: u32,
    pub kind: NodeKind,
}

impl<G: Game> Tree<'_, G> {
    /// Whether others may know better about a child of the node on top than this worker; `decides` says
    /// whether an entry of the own table is enough.
    fn is_worth_asking(&self, sought: Sought, decides: impl Fn(Entry) -> bool) -> bool {
        // Fathers of leaves that are expected to have no cutoff have rarely been searched before: 6 of 100 in
        // chess, where a cutoff is expected 24.
        let is_rare = sought.depth <= 1 && sought.kind == NodeKind::All;
        if is_rare || sought.depth == 0 || !self.spread.asks(sought.depth) {
            return false;
        }
        if self.spread.asks_for_families() && !self.levels.iter().rev().take(2).any(|level| level.known) {
            return false;
        }
        let own = self.table.filter(|_| self.spread.asks_itself_first());
        !own.and_then(|table| table.probe(sought.signature)).is_some_and(decides)
    }

    /// Asks the home of a node about it, where that pays; then the node has to wait. With `exact` only
    /// entries of the same depth count.
    pub fn look_up(&mut self, level: &mut Level<G>, exact: bool, mail: Post<'_, G>) {
        let Some(table) = self.table else { return };
        let (signature, depth) = (level.entry.signature, level.depth);
        let decides =
            |entry: Entry| entry.answers(depth, exact) && entry.bounds(level.ply).decides(level.window);
        let asks = self.is_worth_asking(Sought { signature, depth, kind: level.kind }, decides);
        let question = match asks {
            true => self.spread.ask(signature, &mut self.counters, mail),
            false => Question::None,
        };
        self.asked |= question == Question::Asked;
        level.looking = question != Question::None;
        // Nobody has to know where nobody asks.
        level.known = self.spread.asks_for_families() && table.probe(signature).is_some();
    }

    /// Asks the home of a child that will be searched soon.
    pub fn look_ahead(&mut self, sought: Sought, exact: bool, mail: Post<'_, G>) {
        let answers = |entry: Entry| entry.answers(sought.depth, exact);
        if self.table.is_some() && self.is_worth_asking(sought, answers) {
            self.spread.ask_ahead(sought.signature, &mut self.counters, mail);
        }
    }

    pub(super) fn answer(&mut self, from: WorkerId, signature: Signature, mail: Post<'_, G>) {
        let entry = self.table.and_then(|table| table.probe(signature));
        mail.send(from, Message::Answer { signature, entry });
    }

    pub(super) fn answered(&mut self, signature: Signature, entry: Option<Entry>, now: u64) {
        if let Some(entry) = entry {
            self.store(&[(signature, entry)]);
        }
        self.spread.answered(signature, entry.is_some(), &mut self.counters);
        for level in self.levels.iter_mut().filter(|level| level.entry.signature == signature) {
            level.looking = false;
            level.known |= entry.is_some();
        }
        if !self.levels.last().is_some_and(|level| level.looking)
            && let Some(since) = self.looking_since.take()
        {
            self.counters.waited += now.saturating_sub(since);
        }
    }

    pub(super) fn store(&mut self, entries: &[(Signature, Entry)]) {
        if let Some(table) = self.table {
            entries.iter().for_each(|&(signature, entry)| table.store(signature, entry));
        }
    }
}
