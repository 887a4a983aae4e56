//! The one way to search: on one thread, on several, or together with the other ranks of a job.
//!
//! Players, pondering and solving fill in a [`Searching`] and run it. The decision which engine runs where is made here and
//! nowhere else; commands that shall use ranks give them to it.

use std::sync::atomic::AtomicBool;

use multigame_game::Game;
use multigame_search::{
    Evaluator, Monitor, Proofs, Root, Search, SearchError, SearchResult, TranspositionTable, Workspace,
};
use multigame_threads::{Crew, CrewReport};

use crate::Configuration;
use crate::ranks::OtherRanks;

/// A search that is about to begin.
pub struct Searching<'a, G: Game, E> {
    /// The game.
    pub game: &'a G,
    /// What positions are judged by.
    pub evaluator: &'a E,
    /// Where to start.
    pub root: &'a Root<G>,
    /// How, with an engine that was chosen.
    pub configuration: &'a Configuration,
    /// Plies; for puzzles the longest solution. The monitor has the other limits.
    pub depth: u32,
    /// Ends the search when somebody sets it.
    pub stop: &'a AtomicBool,
    /// What is known about positions.
    pub table: Option<&'a TranspositionTable>,
    /// What df-pn knows.
    pub proofs: Option<&'a Proofs>,
    /// The other ranks of the job, which judge positions in the same way.
    pub ranks: Option<&'a dyn OtherRanks<G>>,
    /// Whether to keep when each thread worked.
    pub trace: bool,
}

/// What the engine found, and what the threads did if there were several.
pub type Found<M> = (SearchResult<M>, Option<CrewReport>);

impl<'a, G: Game, E: Evaluator<G>> Searching<'a, G, E> {
    /// Searches. `workspaces` is what threads learn about moves from search to search.
    pub fn run(
        self,
        workspaces: &mut Vec<Workspace<G>>,
        monitor: &mut dyn Monitor<G>,
    ) -> anyhow::Result<Found<G::Move>> {
        let shared = shared(self.game, self.ranks, self.configuration);
        let result = match shared {
            None if self.configuration.threads == 1 => self.alone(workspaces, monitor),
            shared => self.together(shared, workspaces, monitor)?,
        };
        result.map_err(plain)
    }

    /// On the thread of the caller.
    fn alone(
        self,
        workspaces: &mut Vec<Workspace<G>>,
        monitor: &mut dyn Monitor<G>,
    ) -> Result<Found<G::Move>, SearchError> {
        let options = self.configuration.search.clone();
        let mut search = Search::new(self.game, self.evaluator, options)?
            .with_abort(self.stop)
            .with_workspace(workspaces.pop().unwrap_or_default());
        if let Some(table) = self.table {
            search = search.with_table(table);
        }
        if let Some(proofs) = self.proofs {
            search = search.with_proofs(proofs);
        }
        let result = search.run(self.root, self.depth, monitor);
        workspaces.push(search.into_workspace());
        Ok((result?, None))
    }

    /// On several threads, or with other ranks, which may refuse.
    fn together(
        self,
        shared: Option<&'a dyn OtherRanks<G>>,
        workspaces: &mut Vec<Workspace<G>>,
        monitor: &mut dyn Monitor<G>,
    ) -> anyhow::Result<Result<Found<G::Move>, SearchError>> {
        // Pages have one thread, and carry no code for more.
        if cfg!(target_family = "wasm") {
            anyhow::bail!("there is one thread in this page; use `threads=1`");
        }
        let Configuration { search, threads, policy, .. } = self.configuration;
        // A refusal here comes before the others hear of the search.
        let mut crew = Crew::new(self.game, self.evaluator, search.clone(), *threads, *policy)?
            .with_abort(self.stop)
            .with_trace(self.trace)
            .with_workspaces(std::mem::take(workspaces));
        let begin =
            |ranks: &'a dyn OtherRanks<G>| ranks.begin(self.configuration, self.root, self.depth, self.trace);
        let beyond = shared.map(begin).transpose()?;
        if let Some(beyond) = &beyond {
            crew = crew.with_others(&**beyond)?;
        }
        if let Some(table) = self.table {
            crew = crew.with_table(table);
        }
        if let Some(proofs) = self.proofs {
            crew = crew.with_proofs(proofs);
        }
        let result = crew.run(self.root, self.depth, monitor);
        *workspaces = crew.into_workspaces();
        Ok(result.map(|(result, report)| (result, Some(report))))
    }
}

/// The other ranks, if there are any that can take part.
pub(crate) fn shared<'a, G: Game>(
    game: &G,
    ranks: Option<&'a dyn OtherRanks<G>>,
    configuration: &Configuration,
) -> Option<&'a dyn OtherRanks<G>> {
    ranks.filter(|_| configuration.can_be_shared(game.description().players))
}

/// Errors of the rules are shown with their place, so they travel as they are.
pub fn plain(error: SearchError) -> anyhow::Error {
    match error {
        SearchError::Rules(error) => anyhow::Error::from(*error),
        error => error.into(),
    }
}
