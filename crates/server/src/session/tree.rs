//! A small search with its whole tree kept, to be looked at node by node.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use multigame_game::{Game, Signature, notation};
use multigame_search::{
    Bounds, Computed, Control, Engine, Iteration, Judge, Monitor, Options, Root, Search, SearchError,
    Statistics, TranspositionTable, Window,
};
use serde_json::{Value as Json, json};

use super::{Legal, Session};
use crate::failure::Failure;
use crate::protocol::{Grow, Reply};

/// More nodes are not kept.
const MOST_NODES: usize = 20_000;
/// A search that is to be looked at goes no deeper.
const DEEPEST: u32 = 8;
/// The search ends after this time; then the tree of the depth before is kept.
const LONGEST: Duration = Duration::from_secs(2);
/// Memory for its table.
const TABLE_MIB: usize = 1;

/// A node of the search, without its position.
struct Node {
    signature: Signature,
    parent: Option<usize>,
    children: Vec<usize>,
    ply: usize,
    depth: u32,
    window: Window,
    bounds: Bounds,
    from_table: bool,
    /// Nodes below, itself included.
    size: usize,
}

/// The tree of the last finished iteration.
pub struct Tree<G: Game> {
    nodes: Vec<Node>,
    root: usize,
    position: G::Position,
    searched: u64,
    complete: bool,
}

/// Builds a tree from the bounds in the order they are computed: children come before their parent.
struct Gardener<'s, G: Game> {
    game: &'s G,
    nodes: Vec<Node>,
    /// For each ply the nodes whose parent has not come yet.
    waiting: Vec<Vec<usize>>,
    finished: Option<(Vec<Node>, usize)>,
    too_many: bool,
    start: Instant,
}

impl<G: Game> Monitor<G> for Gardener<'_, G> {
    fn poll(&mut self, _: &Statistics) -> Control {
        if self.too_many || self.start.elapsed() > LONGEST { Control::Stop } else { Control::Continue }
    }

    fn iteration(&mut self, _: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        if let Some(&root) = self.waiting.first().and_then(|roots| roots.last()) {
            self.finished = Some((std::mem::take(&mut self.nodes), root));
        }
        self.waiting.clear();
        ControlFlow::Continue(())
    }

    fn computed(&mut self, computed: &Computed<'_, G>) {
        if self.nodes.len() >= MOST_NODES {
            self.too_many = true;
            return;
        }
        if self.waiting.len() < computed.ply + 2 {
            self.waiting.resize_with(computed.ply + 2, Vec::new);
        }
        let number = self.nodes.len();
        let children = std::mem::take(&mut self.waiting[computed.ply + 1]);
        let mut size = 1;
        for &child in &children {
            self.nodes[child].parent = Some(number);
            size += self.nodes[child].size;
        }
        self.nodes.push(Node {
            signature: self.game.signature(computed.position),
            parent: None,
            children,
            ply: computed.ply,
            depth: computed.depth,
            window: computed.window,
            bounds: computed.bounds,
            from_table: computed.from_table,
            size,
        });
        self.waiting[computed.ply].push(number);
    }
}

impl<'s, G: Game> Session<'s, G> {
    /// Searches and keeps the tree; answers with its root.
    pub(super) fn grow(&mut self, grow: &Grow) -> Reply {
        self.legal()?;
        if !(1..=DEEPEST).contains(&grow.depth) {
            let depth = grow.depth;
            return Err(Failure::bad_request(format!(
                "`depth` is {depth}, but a tree has 1 to {DEEPEST} plies"
            )));
        }
        if self.game.description().players != 2 {
            return Err(Failure::bad_request(
                "a puzzle has no tree of two players; `solve` finds its solution",
            ));
        }
        let mut options = Options { engine: Engine::AlphaBeta, ..Options::default() };
        if let Some(text) = &grow.options {
            options = options.with(text).map_err(|error| Failure::bad_request(error.to_string()))?;
        }
        if !matches!(options.engine, Engine::AlphaBeta | Engine::NegaScout | Engine::Mtdf) {
            let message = "trees are kept of `alphabeta`, `negascout` and `mtdf` only";
            return Err(Failure::bad_request(message));
        }
        (options.table_mib, options.poll_interval) = (TABLE_MIB, 16);
        let judge = match &self.player {
            Some(player) => player.judge().clone(),
            None => Judge::new(self.game, None).map_err(Failure::bad_request)?,
        };
        let table = TranspositionTable::new(TABLE_MIB, options.table_layout)
            .map_err(|error| Failure::bad_request(error.to_string()))?;
        let mut gardener = Gardener {
            game: self.game,
            nodes: Vec::new(),
            waiting: Vec::new(),
            finished: None,
            too_many: false,
            start: Instant::now(),
        };
        let search = Search::new(self.game, &judge, options).map_err(search_failure)?;
        let root = Root::of_line(&self.line);
        let result =
            search.with_table(&table).run(&root, grow.depth, &mut gardener).map_err(search_failure)?;
        let Some((nodes, root)) = gardener.finished else {
            let message = "the tree of the first ply is too large to be kept; try a smaller position";
            return Err(Failure::bad_request(message));
        };
        self.tree = Some(Tree {
            nodes,
            root,
            position: self.line.position().clone(),
            searched: result.statistics.nodes,
            complete: result.finished,
        });
        self.node(root)
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
        let mut children = Vec::new();
        for &child in &tree.nodes[number].children {
            let node = &tree.nodes[child];
            seen.push(node.signature);
            let legal = self.leading_to(&moves, &position, node.signature);
            let mut json = node_json(node, child);
            json["move"] = json!(legal.map(|legal| &legal.info.name));
            json["clicks"] = json!(legal.map_or(&[][..], |legal| &legal.info.clicks[..]));
            json["path"] = json!(legal.map_or(&[][..], |legal| &legal.info.path[..]));
            json["searches"] = json!(seen.iter().filter(|&&signature| signature == node.signature).count());
            children.push(json);
        }
        seen.sort_unstable();
        seen.dedup();
        let mut node = node_json(&tree.nodes[number], number);
        node["move"] = json!(last.as_ref().map(|info| &info.name));
        node["clicks"] = json!(last.as_ref().map_or(&[][..], |info| &info.clicks[..]));
        node["path"] = json!(last.as_ref().map_or(&[][..], |info| &info.path[..]));
        let expanded = !tree.nodes[number].children.is_empty();
        let answer = json!({
            "node": node,
            "children": children,
            "line": line,
            "unsearched": if expanded { count.saturating_sub(seen.len()) } else { 0 },
            "nodes": tree.searched,
            "complete": tree.complete,
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

fn node_json(node: &Node, id: usize) -> Json {
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
        "value_text": multigame_player::value_text(node.bounds),
        "kind": kind,
        "from_table": node.from_table,
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
