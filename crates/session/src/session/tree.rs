//! A small search with its whole tree kept, to be looked at node by node.

use std::cell::Cell;
use std::time::{Duration, Instant};

use multigame_game::{Game, Portable, Signature, notation};
use multigame_search::declared::parts;
use multigame_search::{
    Computed, Control, Engine, Found, Grounds, Monitor, Options, Proved, Root, RulesEvaluator, Search,
    SearchError, Statistics, TranspositionTable,
};
use serde_json::{Value as Json, json};

use super::garden::{Garden, Gardener, Grown, Node};
use super::simulate::{self, Team};
use super::{Legal, Session};
use crate::failure::Failure;
use crate::protocol::{Grow, Reply};

/// A search that is to be looked at goes no deeper.
const DEEPEST: u32 = 8;
/// The search ends after this time; then the tree of the depth before is kept.
const LONGEST: Duration = Duration::from_secs(2);
/// Memory for its table.
const TABLE_MIB: usize = 1;

/// The tree of the last finished iteration.
pub struct Tree<G: Game> {
    nodes: Vec<Node>,
    root: usize,
    position: G::Position,
    searched: u64,
    complete: bool,
    /// What its values prove.
    grounds: Grounds,
    /// How many workers searched it.
    workers: u32,
    abandoned: usize,
}

/// Ends a search when its tree is full, or after some time.
struct Hedge<'a, 'g, G> {
    garden: &'a Garden<'g, G>,
    gardener: Gardener<'a, 'g, G>,
    start: Instant,
}

impl<G: Game> Monitor<G> for Hedge<'_, '_, G> {
    fn poll(&mut self, _: &Statistics) -> Control {
        if self.garden.is_full() || self.start.elapsed() > LONGEST {
            Control::Stop
        } else {
            Control::Continue
        }
    }

    fn witnesses(&self) -> bool {
        true
    }

    fn computed(&mut self, computed: &Computed<'_, G>) {
        self.gardener.computed(computed);
    }
}

/// What a search that is to be looked at came to, beside its nodes.
struct Searched {
    nodes: u64,
    complete: bool,
    grounds: Grounds,
}

impl<'s, G: Portable> Session<'s, G> {
    /// Searches and keeps the tree; answers with its root.
    pub(super) fn grow(&mut self, grow: &Grow) -> Reply {
        self.legal()?;
        if !(1..=DEEPEST).contains(&grow.depth) {
            let depth = grow.depth;
            return Err(Failure::bad_request(format!(
                "`depth` is {depth}, but a tree has 1 to {DEEPEST} plies"
            )));
        }
        self.two_players("a puzzle has no tree of two players; `solve` finds its solution")?;
        let garden = Garden::new(self.game);
        let (searched, workers) = match &grow.parallel {
            None => (self.grow_alone(grow, &garden)?, 1),
            Some(wish) => {
                let team = Team::new(wish)?;
                (self.grow_together(grow, &team, &garden)?, team.processors)
            }
        };
        let Some(Grown { nodes, root, abandoned }) = garden.into_grown() else {
            let message = "the tree of the first ply is too large to be kept; try a smaller position";
            return Err(Failure::bad_request(message));
        };
        let position = self.line.position().clone();
        let Searched { nodes: searched, complete, grounds } = searched;
        self.tree = Some(Tree { nodes, root, position, searched, complete, grounds, workers, abandoned });
        self.node(root)
    }

    fn grow_alone(&self, grow: &Grow, garden: &Garden<'_, G>) -> Result<Searched, Failure> {
        let usual = Options { engine: Engine::AlphaBeta, ..Options::default() };
        let text = grow.options.as_deref().unwrap_or_default();
        let options = usual.with_used(text, false);
        let mut options = options.map_err(|error| Failure::bad_request(error.to_string()))?;
        if let Some((name, _)) = parts(text).find(|(name, _)| ["tt-size", "poll"].contains(name)) {
            let message = format!("option `{name}` is fixed for trees; leave it out");
            return Err(Failure::bad_request(message));
        }
        if !matches!(options.engine, Engine::AlphaBeta | Engine::NegaScout | Engine::Mtdf) {
            let message = "trees are kept of `alphabeta`, `negascout` and `mtdf` only";
            return Err(Failure::bad_request(message));
        }
        (options.table_mib, options.poll_interval) = (TABLE_MIB, 16);
        let evaluator = self.evaluator()?;
        let table = TranspositionTable::new(TABLE_MIB, options.table_layout)
            .map_err(|error| Failure::bad_request(error.to_string()))?;
        let grounds = Grounds::new(self.game, &options, true);
        let search = Search::new(self.game, &evaluator, options).map_err(search_failure)?;
        let mut hedge = Hedge { garden, gardener: garden.gardener(0), start: Instant::now() };
        let result = search.with_table(&table).run(&Root::of_line(&self.line), grow.depth, &mut hedge);
        let result = result.map_err(search_failure)?;
        Ok(Searched { nodes: result.statistics.nodes, complete: result.finished, grounds })
    }

    fn grow_together(&self, grow: &Grow, team: &Team, garden: &Garden<'_, G>) -> Result<Searched, Failure> {
        let options = simulate::options(Engine::AlphaBeta, grow.options.as_deref())?;
        let evaluator = self.evaluator()?;
        let root = Root::of_line(&self.line);
        let start = Instant::now();
        let number = Cell::new(0);
        let outcome = team.search(
            (self.game, &evaluator, &options),
            (&root, grow.depth),
            team.processors,
            &mut |_| !garden.is_full() && start.elapsed() < LONGEST,
            &|| garden.gardener(number.replace(number.get() + 1)),
        )?;
        let (nodes, complete) = (outcome.statistics.nodes, outcome.complete && !garden.is_full());
        Ok(Searched { nodes, complete, grounds: team.grounds(self.game, &options) })
    }

    /// What positions are judged by.
    pub(super) fn evaluator(&self) -> Result<RulesEvaluator, Failure> {
        match &self.player {
            Some(player) => Ok(player.evaluator().clone()),
            None => RulesEvaluator::new(self.game, None).map_err(Failure::bad_request),
        }
    }

    /// Refuses puzzles.
    pub(super) fn two_players(&self, otherwise: &str) -> Result<(), Failure> {
        if self.game.description().players == 2 { Ok(()) } else { Err(Failure::bad_request(otherwise)) }
    }

    /// A node with its children.
    pub(super) fn node(&mut self, number: usize) -> Reply {
        let Some(tree) = self.tree.take() else {
            return Err(Failure::new(404, "no-such-node", "there is no tree; `POST` to `tree` first"));
        };
        let answer = self.describe(&tree, number);
        self.tree = Some(tree);
        answer
    }

    fn describe(&mut self, tree: &Tree<G>, number: usize) -> Reply {
        if number >= tree.nodes.len() {
            let count = tree.nodes.len();
            return Err(Failure::new(
                404,
                "no-such-node",
                format!("the tree has the nodes 0 to {}", count - 1),
            ));
        }
        let mut way = vec![number];
        while let Some(parent) = tree.nodes[way[way.len() - 1]].parent {
            way.push(parent);
        }
        if way.pop() != Some(tree.root) {
            return Err(Failure::new(404, "no-such-node", "this node belongs to a search that was repeated"));
        }
        let mut position = tree.position.clone();
        let (mut line, mut last) = (Vec::new(), None);
        for &step in way.iter().rev() {
            let moves = self.known_moves(&position)?;
            let Some(legal) = self.leading_to(&moves, &position, tree.nodes[step].signature) else { break };
            line.push(legal.info.name.clone());
            last = Some(legal.info.clone());
            let before = position.clone();
            self.game.apply(&before, &legal.mv, &mut position);
        }
        let count = notation::names(self.game, &position)?.len();
        let moves = match tree.nodes[number].children.is_empty() {
            true => std::rc::Rc::default(),
            false => self.known_moves(&position)?,
        };
        let mut seen: Vec<Signature> = Vec::new();
        let shares = |place: usize| (tree.workers > 1).then(|| tree.shares(place));
        let mut children = Vec::new();
        for &child in &tree.nodes[number].children {
            let node = &tree.nodes[child];
            seen.push(node.signature);
            let legal = self.leading_to(&moves, &position, node.signature);
            let mut json = node_json(node, child, tree.grounds);
            json["move"] = json!(legal.map(|legal| &legal.info.name));
            json["clicks"] = json!(legal.map_or(&[][..], |legal| &legal.info.clicks[..]));
            json["path"] = json!(legal.map_or(&[][..], |legal| &legal.info.path[..]));
            json["shares"] = json!(shares(child));
            json["searches"] = json!(seen.iter().filter(|&&signature| signature == node.signature).count());
            children.push(json);
        }
        seen.sort_unstable();
        seen.dedup();
        let mut node = node_json(&tree.nodes[number], number, tree.grounds);
        node["move"] = json!(last.as_ref().map(|info| &info.name));
        node["clicks"] = json!(last.as_ref().map_or(&[][..], |info| &info.clicks[..]));
        node["path"] = json!(last.as_ref().map_or(&[][..], |info| &info.path[..]));
        node["shares"] = json!(shares(number));
        let expanded = !tree.nodes[number].children.is_empty();
        let answer = json!({
            "node": node,
            "children": children,
            "line": line,
            "unsearched": if expanded { count.saturating_sub(seen.len()) } else { 0 },
            "nodes": tree.searched,
            "complete": tree.complete,
            "workers": tree.workers,
            "abandoned": tree.abandoned,
        });
        Ok(answer.to_string())
    }

    fn leading_to<'m>(
        &self,
        moves: &'m [Legal<G::Move>],
        position: &G::Position,
        signature: Signature,
    ) -> Option<&'m Legal<G::Move>> {
        let mut child = position.clone();
        moves.iter().find(|legal| {
            self.game.apply(position, &legal.mv, &mut child);
            self.game.signature(&child) == signature
        })
    }
}

impl<G: Game> Tree<G> {
    /// How many of the nodes below one each worker looked at, itself included: pairs of a worker and a
    /// number.
    fn shares(&self, number: usize) -> Vec<(u32, usize)> {
        let mut counts = vec![0; self.workers as usize];
        let mut open = vec![number];
        while let Some(number) = open.pop() {
            let node = &self.nodes[number];
            counts[node.worker as usize] += 1;
            open.extend(&node.children);
        }
        (0..).zip(counts).filter(|&(_, count)| count > 0).collect()
    }
}

fn node_json(node: &Node, id: usize, grounds: Grounds) -> Json {
    let found = Found { bounds: node.bounds, complete: false };
    let proved = Proved::of_search(found, node.depth, grounds);
    let exact = node.bounds.is_exact();
    let kind = match exact {
        true => "exact",
        false if node.bounds.lower >= node.window.beta => "cutoff",
        false => "all",
    };
    json!({
        "id": id,
        "parent": node.parent,
        "ply": node.ply,
        "depth": node.depth,
        "window": [node.window.alpha.number(), node.window.beta.number()],
        "low": node.bounds.lower.number(),
        "high": node.bounds.upper.number(),
        "value_text": multigame_player::value_text(node.bounds, proved),
        "kind": kind,
        "from_table": node.from_table,
        "worker": node.worker,
        "nodes": node.size,
        "children": node.children.len(),
    })
}

fn search_failure(error: SearchError) -> Failure {
    match error {
        SearchError::Rules(error) => (*error).into(),
        error => Failure::bad_request(error.to_string()),
    }
}
