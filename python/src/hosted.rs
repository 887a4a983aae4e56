//! Games without their type: Python knows a game, its positions and batches behind traits, each of which is
//! implemented once for every type of game.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use multigame_game::{
    Description, DrawStyle, Game, Portable, RulesError, Side, Status, WithGame, draw, notation,
    parse_position, position_text,
};
use multigame_ir::Program;
use multigame_loader::Backend;
use serde_json::{Value, json};

use crate::actions::Actions;
use crate::batch::{AnyBatch, Batch};
use crate::node::Node;
use crate::simulation::{self, SimulationPlan};
use crate::{matches, picture, planes, random_games, solve, think};

/// A table without an order.
pub type Table<K, V> = HashMap<K, V>;
/// What somebody wishes, by name, in the order in which it was written.
pub type Wishes = [(String, String)];
/// Is told how work is getting on; `false` ends it.
pub type Report<'r> = dyn FnMut(Value) -> bool + Send + 'r;

/// What is known of a game besides how to play it.
pub struct Loaded {
    pub text: String,
    pub parameters: Vec<(String, i64)>,
    pub program: Program,
    pub backend: Backend,
}

/// A game.
pub struct Core<G> {
    pub game: G,
    pub loaded: Loaded,
    actions: OnceLock<Actions>,
}

impl<G: Game> Core<G> {
    /// The numbers of the moves; they are learned when somebody first asks for them.
    pub fn actions(&self) -> Result<&Actions, RulesError> {
        if let Some(actions) = self.actions.get() {
            return Ok(actions);
        }
        let actions = Actions::new(&self.game)?;
        Ok(self.actions.get_or_init(|| actions))
    }
}

/// A game of whatever type.
pub trait AnyGame: Send + Sync {
    fn description(&self) -> &Description;
    fn initial(&self) -> Arc<dyn AnyPosition>;
    fn position(&self, text: &str) -> anyhow::Result<Arc<dyn AnyPosition>>;
    fn evaluations(&self) -> Value;
    fn actions(&self) -> anyhow::Result<&Actions>;
    fn play_match(
        &self,
        plan: &matches::MatchPlan,
        stop: &AtomicBool,
        report: &mut Report<'_>,
    ) -> anyhow::Result<Value>;
    fn analyze(&self, plan: &multigame_analysis::Plan, stop: &AtomicBool) -> anyhow::Result<Value>;
    fn batch(&self, count: usize, start: Option<&str>) -> anyhow::Result<Box<dyn AnyBatch>>;
}

/// A position of a game of whatever type.
pub trait AnyPosition: Send + Sync {
    fn side(&self) -> Side;
    fn ply(&self) -> u32;
    fn signature(&self) -> u64;
    fn text(&self) -> String;
    fn drawing(&self) -> String;
    fn svg(&self, size: u32) -> String;
    fn cells(&self) -> Vec<u8>;
    fn values(&self) -> Vec<i32>;
    fn planes(&self) -> Vec<u8>;
    fn status(&self) -> anyhow::Result<Status>;
    fn keys(&self) -> anyhow::Result<Vec<u64>>;
    fn ends(&self) -> anyhow::Result<Vec<(usize, usize)>>;
    fn names(&self) -> anyhow::Result<Vec<String>>;
    fn numbers(&self) -> anyhow::Result<Vec<u32>>;
    fn find(&self, text: &str) -> anyhow::Result<usize>;
    fn apply(&self, place: usize) -> anyhow::Result<Arc<dyn AnyPosition>>;
    fn before(&self) -> Option<Arc<dyn AnyPosition>>;
    fn played(&self) -> anyhow::Result<Vec<String>>;
    fn search(&self, wishes: &Wishes, stop: &AtomicBool, report: &mut Report<'_>) -> anyhow::Result<Value>;
    fn solve(&self, wishes: &Wishes, stop: &AtomicBool, report: &mut Report<'_>) -> anyhow::Result<Value>;
    fn explain(&self, evaluation: Option<&str>) -> anyhow::Result<Value>;
    fn divide(&self, depth: u32, threads: usize, stop: &AtomicBool) -> anyhow::Result<Vec<(String, u64)>>;
    fn perft(&self, depth: u32, threads: usize, stop: &AtomicBool) -> anyhow::Result<u64>;
    fn random_games(
        &self,
        plan: &random_games::Plan,
        stop: &AtomicBool,
    ) -> anyhow::Result<random_games::Results>;
    fn simulate(&self, plan: &SimulationPlan, stop: &AtomicBool) -> anyhow::Result<Value>;
}

/// Hides the type of a game.
pub struct Hide(pub Loaded);

impl WithGame for Hide {
    type Output = Arc<dyn AnyGame>;

    fn run<G: Portable + 'static>(self, game: G) -> Arc<dyn AnyGame> {
        Arc::new(Hosted(Arc::new(Core { game, loaded: self.0, actions: OnceLock::new() })))
    }
}

struct Hosted<G>(Arc<Core<G>>);

impl<G: Portable + 'static> Hosted<G> {
    fn game(&self) -> &G {
        &self.0.game
    }

    fn start(&self, position: G::Position) -> Arc<dyn AnyPosition> {
        Arc::new(Held { core: self.0.clone(), node: Arc::new(Node::start(position)) })
    }
}

impl<G: Portable + 'static> AnyGame for Hosted<G> {
    fn description(&self) -> &Description {
        self.game().description()
    }

    fn initial(&self) -> Arc<dyn AnyPosition> {
        self.start(self.game().initial())
    }

    fn position(&self, text: &str) -> anyhow::Result<Arc<dyn AnyPosition>> {
        Ok(self.start(position(self.game(), text)?))
    }

    fn evaluations(&self) -> Value {
        let evaluations = self.game().evaluations().iter();
        let value = |evaluation: &multigame_game::Evaluation| {
            let weights = evaluation.weights.iter().map(|weight| {
                json!({"name": weight.name, "value": weight.value, "low": weight.low, "high": weight.high})
            });
            json!({"name": evaluation.name, "weights": weights.collect::<Vec<_>>()})
        };
        evaluations.map(value).collect()
    }

    fn actions(&self) -> anyhow::Result<&Actions> {
        Ok(self.0.actions()?)
    }

    fn play_match(
        &self,
        plan: &matches::MatchPlan,
        stop: &AtomicBool,
        report: &mut Report<'_>,
    ) -> anyhow::Result<Value> {
        matches::play(self.game(), plan, stop, report)
    }

    fn analyze(&self, plan: &multigame_analysis::Plan, stop: &AtomicBool) -> anyhow::Result<Value> {
        let report = multigame_analysis::analyze(self.game(), plan, &|_| None, stop, &mut ())?;
        Ok(serde_json::to_value(&report)?)
    }

    fn batch(&self, count: usize, start: Option<&str>) -> anyhow::Result<Box<dyn AnyBatch>> {
        let start = start.map_or_else(|| Ok(self.game().initial()), |text| position(self.game(), text))?;
        Ok(Box::new(Batch::new(self.0.clone(), count, start)?))
    }
}

fn position<G: Game>(game: &G, text: &str) -> anyhow::Result<G::Position> {
    let diagram = parse_position(game.description(), text)
        .map_err(|error| anyhow::anyhow!("the position is wrong: {error}"))?;
    Ok(game.position(&diagram))
}

/// A position with its game.
pub struct Held<G: Game> {
    pub core: Arc<Core<G>>,
    pub node: Arc<Node<G>>,
}

impl<G: Portable + 'static> Held<G> {
    pub fn game(&self) -> &G {
        &self.core.game
    }

    pub fn diagram(&self) -> multigame_game::Diagram {
        self.game().diagram(&self.node.position)
    }
}

impl<G: Portable + 'static> AnyPosition for Held<G> {
    fn side(&self) -> Side {
        self.game().side_to_move(&self.node.position)
    }

    fn ply(&self) -> u32 {
        self.node.ply
    }

    fn signature(&self) -> u64 {
        self.game().signature(&self.node.position)
    }

    fn text(&self) -> String {
        position_text(self.game().description(), &self.diagram())
    }

    fn drawing(&self) -> String {
        draw(self.game().description(), &self.diagram(), DrawStyle::Plain)
    }

    fn svg(&self, size: u32) -> String {
        let changed = self.node.changed(self.game());
        picture::svg(self.game().description(), &self.diagram(), &changed, size)
    }

    fn cells(&self) -> Vec<u8> {
        self.diagram().cells.iter().map(|piece| piece.0).collect()
    }

    fn values(&self) -> Vec<i32> {
        self.diagram().values
    }

    fn planes(&self) -> Vec<u8> {
        let description = self.game().description();
        let mut planes = vec![0; planes::names(description).len() * description.board.size()];
        planes::write(self.game(), &self.node.position, &mut planes);
        planes
    }

    fn status(&self) -> anyhow::Result<Status> {
        Ok(self.node.legal(self.game())?.status)
    }

    fn keys(&self) -> anyhow::Result<Vec<u64>> {
        let moves = &self.node.legal(self.game())?.moves;
        Ok(moves.iter().map(|mv| self.game().move_key(mv)).collect())
    }

    fn ends(&self) -> anyhow::Result<Vec<(usize, usize)>> {
        let moves = &self.node.legal(self.game())?.moves;
        Ok(moves.iter().map(|mv| self.game().ends(&self.node.position, mv)).collect())
    }

    fn names(&self) -> anyhow::Result<Vec<String>> {
        Ok(self.node.names(self.game())?.to_vec())
    }

    fn numbers(&self) -> anyhow::Result<Vec<u32>> {
        let moves = &self.node.legal(self.game())?.moves;
        let mut numbers = Vec::new();
        self.core.actions()?.of(self.game(), &self.node.position, moves, &mut numbers)?;
        Ok(numbers)
    }

    fn find(&self, text: &str) -> anyhow::Result<usize> {
        self.node.find(self.game(), text)
    }

    fn apply(&self, place: usize) -> anyhow::Result<Arc<dyn AnyPosition>> {
        let moves = &self.node.legal(self.game())?.moves;
        let Some(mv) = moves.get(place) else {
            anyhow::bail!("there is no move {place} here; there are {}, counted from 0", moves.len());
        };
        let node = Arc::new(Node::after(&self.node, self.game(), mv.clone()));
        Ok(Arc::new(Held { core: self.core.clone(), node }))
    }

    fn before(&self) -> Option<Arc<dyn AnyPosition>> {
        let (node, _) = self.node.before()?;
        Some(Arc::new(Held { core: self.core.clone(), node: node.clone() }))
    }

    fn played(&self) -> anyhow::Result<Vec<String>> {
        let (mut names, mut node) = (Vec::new(), &self.node);
        while let Some((before, mv)) = node.before() {
            names.push(notation::name_of(self.game(), &before.position, mv)?);
            node = before;
        }
        names.reverse();
        Ok(names)
    }

    fn search(&self, wishes: &Wishes, stop: &AtomicBool, report: &mut Report<'_>) -> anyhow::Result<Value> {
        think::search(self, wishes, stop, report)
    }

    fn solve(&self, wishes: &Wishes, stop: &AtomicBool, report: &mut Report<'_>) -> anyhow::Result<Value> {
        solve::solve(self, wishes, stop, report)
    }

    fn explain(&self, evaluation: Option<&str>) -> anyhow::Result<Value> {
        think::explain(self, evaluation)
    }

    fn divide(&self, depth: u32, threads: usize, stop: &AtomicBool) -> anyhow::Result<Vec<(String, u64)>> {
        random_games::divide(self, depth, threads, stop)
    }

    fn perft(&self, depth: u32, threads: usize, stop: &AtomicBool) -> anyhow::Result<u64> {
        random_games::perft(self, depth, threads, stop)
    }

    fn random_games(
        &self,
        plan: &random_games::Plan,
        stop: &AtomicBool,
    ) -> anyhow::Result<random_games::Results> {
        random_games::play(self, plan, stop)
    }

    fn simulate(&self, plan: &SimulationPlan, stop: &AtomicBool) -> anyhow::Result<Value> {
        simulation::run(self.game(), &self.node.position, plan, stop)
    }
}
