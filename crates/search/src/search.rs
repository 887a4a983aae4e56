//! One way to call all engines.

use std::sync::atomic::AtomicBool;

use multigame_game::{Game, RulesError};

use crate::busy::BusyMoves;
use crate::dfpn::Company;
use crate::hooks::Interrupt;
use crate::kernel::KernelInput;
use crate::options::OptionsError;
use crate::{
    Engine, Evaluator, Monitor, Options, Paths, Proofs, Root, SearchResult, TranspositionTable, Tree, Value,
    Workspace,
};

/// The reason why a search has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// The options do not fit together.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The rules failed.
    #[error(transparent)]
    Rules(Box<RulesError>),
    /// The engine is not made for such a game.
    #[error("{0}")]
    Unsuitable(String),
}

/// Whether a game can be searched with these options.
pub fn check<G: Game>(game: &G, options: &Options) -> Result<(), SearchError> {
    options.check()?;
    let (engine, players) = (options.engine, game.description().players);
    if engine.is_for_puzzles() && players != 1 {
        let message = format!("`engine={engine}` solves puzzles, but {players} players play this game");
        return Err(SearchError::Unsuitable(message));
    }
    if game.description().chance.is_some() && !engine.knows_chance() {
        let message = format!(
            "`engine={engine}` knows nothing of chance, and nature moves in this game; use `expectimax` or `mcts`"
        );
        return Err(SearchError::Unsuitable(message));
    }
    match engine {
        Engine::ProofNumber | Engine::DfPn => crate::proof::check(game),
        Engine::Verdict => crate::verdict::check(game),
        _ => Ok(()),
    }
}

/// A game ready to be searched. Each search helps the next by its tables.
#[derive(Debug)]
pub struct Search<'a, G: Game, E> {
    game: &'a G,
    evaluator: &'a E,
    options: Options,
    table: Option<&'a TranspositionTable>,
    abort: Option<&'a AtomicBool>,
    busy: Option<&'a BusyMoves>,
    proofs: Option<&'a Proofs>,
    company: Option<Company<'a>>,
    tree: Option<(&'a Tree<G>, usize)>,
    workspace: Workspace<G>,
}

impl<'a, G: Game, E: Evaluator<G>> Search<'a, G, E> {
    /// Prepares searches with these options.
    pub fn new(game: &'a G, evaluator: &'a E, options: Options) -> Result<Self, SearchError> {
        check(game, &options)?;
        let workspace = Workspace::default();
        let (table, abort, busy, proofs, company, tree) = (None, None, None, None, None, None);
        Ok(Search { game, evaluator, options, table, abort, busy, proofs, company, tree, workspace })
    }

    /// Uses a transposition table, unless the options say `tt=off`. Without, `tt=on` means nothing.
    pub fn with_table(mut self, table: &'a TranspositionTable) -> Self {
        self.table = Some(table);
        self
    }

    /// Stops when somebody sets a flag.
    pub fn with_abort(mut self, abort: &'a AtomicBool) -> Self {
        self.abort = Some(abort);
        self
    }

    /// Searches beside others who search the same root with the same table, and leaves for later what they
    /// are at.
    pub fn with_busy(mut self, busy: &'a BusyMoves) -> Self {
        self.busy = Some(busy);
        self
    }

    /// Lets df-pn go on from what it knew about the same root, and keep what it finds out.
    pub fn with_proofs(mut self, proofs: &'a Proofs) -> Self {
        self.proofs = Some(proofs);
        self
    }

    /// Lets df-pn search beside other threads that use the same proofs, as the one of that number.
    pub fn with_company(mut self, paths: &'a Paths, thread: usize) -> Self {
        self.company = Some((paths, thread));
        self
    }

    /// Lets Monte-Carlo search grow a tree beside other threads, as the one of that number.
    pub fn with_tree(mut self, tree: &'a Tree<G>, thread: usize) -> Self {
        self.tree = Some((tree, thread));
        self
    }

    /// Goes on with what was learned in other searches of the same game, judged in the same way.
    pub fn with_workspace(mut self, workspace: Workspace<G>) -> Self {
        self.workspace = workspace;
        self
    }

    /// The learned tables, for the next search.
    pub fn into_workspace(self) -> Workspace<G> {
        self.workspace
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Searches a root. `depth` limits plies; for puzzles the length of solutions; proof-number and
    /// Monte-Carlo search pay no heed to it.
    pub fn run(
        &mut self,
        root: &Root<G>,
        depth: u32,
        monitor: &mut dyn Monitor<G>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        if root.is_limited() {
            self.check_limit(root)?;
        }
        if let Some(table) = self.table {
            table.new_search();
        }
        self.join(root, depth, monitor)
    }

    /// The same beside other searches that use the same table: nothing in it is older for it.
    pub fn join(
        &mut self,
        root: &Root<G>,
        depth: u32,
        mut monitor: &mut dyn Monitor<G>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        let monitor = &mut monitor;
        let task = KernelInput {
            game: self.game,
            evaluator: self.evaluator,
            options: &self.options,
            table: self.table,
            abort: self.abort,
            busy: self.busy,
        };
        let result = match self.options.engine {
            Engine::NegaMax => crate::negamax::negamax(task, root, depth, monitor),
            Engine::AlphaBeta | Engine::NegaScout | Engine::Mtdf => {
                crate::deepening::deepen(task, root, depth, &mut self.workspace, monitor)
            }
            Engine::ProofNumber => crate::pns::solve(task, root, monitor),
            Engine::DfPn => match self.proofs {
                Some(proofs) => crate::dfpn::solve(task, root, proofs, self.company, monitor),
                None => {
                    let proofs = Proofs::new(self.options.tree_nodes);
                    crate::dfpn::solve(task, root, &proofs, self.company, monitor)
                }
            },
            Engine::Verdict => crate::verdict::solve(task, root, monitor),
            Engine::IdaStar => crate::idastar::solve(task, root, depth, monitor),
            Engine::AStar => crate::astar::solve(task, root, depth, monitor),
            Engine::Bfs => crate::bfs::solve(task, root, depth, monitor),
            Engine::Mcts => match self.tree {
                Some(shared) => crate::mcts::search(task, root, shared, monitor),
                None => {
                    let tree = Tree::new(self.game, root, &self.options);
                    crate::mcts::search(task, root, (&tree, 0), monitor)
                }
            },
            Engine::Expectimax => crate::expectimax::search(task, root, depth, monitor),
        };
        match result {
            Ok(result) => self.with_any_move(root, result),
            Err(Interrupt::Rules(error)) => Err(SearchError::Rules(error)),
            Err(Interrupt::Stopped | Interrupt::Unwind(_)) => {
                unreachable!("engines keep what they have found")
            }
        }
    }

    /// Engines that prove things about a position cannot leave moves out, and one move must be left. For
    /// those who run the kernel themselves; [`run`](Self::run) looks by itself.
    pub fn check_limit(&self, root: &Root<G>) -> Result<(), SearchError> {
        let engine = self.options.engine;
        if engine.proves() || engine.is_for_puzzles() {
            let message =
                format!("`engine={engine}` looks at all moves; to search only some use `negascout`");
            return Err(SearchError::Unsuitable(message));
        }
        let mut moves = Vec::new();
        let outcome = self.game.moves(&root.position, &mut moves);
        outcome.map_err(|error| SearchError::Rules(Box::new(error)))?;
        let any = !moves.is_empty();
        root.limit(self.game, &mut moves);
        if any && moves.is_empty() {
            return Err(SearchError::Unsuitable("none of the moves to search is legal".to_string()));
        }
        Ok(())
    }

    /// A search stopped at once still has a move to play. For those who run the kernel themselves.
    pub fn with_any_move(
        &self,
        root: &Root<G>,
        mut result: SearchResult<G::Move>,
    ) -> Result<SearchResult<G::Move>, SearchError> {
        // Nobody chooses what nature does.
        let nobody = self.game.is_chance(&root.position);
        if nobody {
            result.pv.clear();
        }
        if result.pv.is_empty() && !nobody && self.game.description().players == 2 {
            let mut moves = Vec::new();
            let outcome = self.game.moves(&root.position, &mut moves);
            let outcome = outcome.map_err(|error| SearchError::Rules(Box::new(error)))?;
            if let Some(outcome) = outcome {
                let value = Value::of_outcome(outcome, self.game.side_to_move(&root.position), 0);
                result.bounds = crate::Bounds::exact(value);
                result.proved = crate::Proved::within(result.bounds);
                result.value = value;
            }
            root.limit(self.game, &mut moves);
            result.pv.extend(moves.into_iter().next());
        }
        Ok(result)
    }
}
