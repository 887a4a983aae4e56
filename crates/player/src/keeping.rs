//! Writes checkpoints from time to time while a search runs, so that not only its orderly end keeps
//! something.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use multigame_game::Game;
use multigame_search::{Computed, Control, Iteration, Monitor, Part, Proofs, Statistics, TranspositionTable};

use crate::{Checkpoint, Knowledge};

/// Writing takes at most one of this many parts of the time.
const PARTS: u32 = 20;

/// A monitor that writes checkpoints besides.
pub(crate) struct Keeping<'k, M> {
    monitor: M,
    /// Nothing is kept without.
    checkpoint: Option<&'k Checkpoint>,
    /// What is kept where threads share it; df-pn shows what it knows when it is asked.
    table: Option<&'k TranspositionTable>,
    every: Duration,
    due: Instant,
    /// Reports a write that failed; it is tried again later.
    tell: &'k mut dyn FnMut(anyhow::Error),
}

impl<'k, M> Keeping<'k, M> {
    pub fn new(
        monitor: M,
        (checkpoint, every): (Option<&'k Checkpoint>, Duration),
        table: Option<&'k TranspositionTable>,
        tell: &'k mut dyn FnMut(anyhow::Error),
    ) -> Self {
        Keeping { monitor, checkpoint, table, every, due: Instant::now() + every, tell }
    }

    fn keep(&mut self, knowledge: &Knowledge<'_>) {
        let Some(checkpoint) = self.checkpoint else { return };
        let start = Instant::now();
        if let Err(error) = checkpoint.save(knowledge) {
            (self.tell)(error.into());
        }
        let end = Instant::now();
        self.due = end + self.every.max((end - start) * PARTS);
    }
}

impl<G: Game, M: Monitor<G>> Monitor<G> for Keeping<'_, M> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        let control = self.monitor.poll(statistics);
        if control != Control::Continue || self.checkpoint.is_none() || Instant::now() < self.due {
            return control;
        }
        let Some(table) = self.table else { return Control::Show };
        self.keep(&Knowledge::Table(table));
        control
    }

    fn known(&mut self, proofs: &Proofs) {
        self.keep(&Knowledge::Proofs(proofs));
    }

    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        self.monitor.iteration(iteration)
    }

    fn witnesses(&self) -> bool {
        self.monitor.witnesses()
    }

    fn computed(&mut self, computed: &Computed<'_, G>) {
        self.monitor.computed(computed);
    }

    fn share(&mut self, part: Part<'_, G>) {
        self.monitor.share(part);
    }
}
