//! Searches of games with chance: pruning changes no value, and values are those of a plain recursion.

use std::ops::ControlFlow;

use multigame_game::*;
use multigame_search::{Engine, Evaluator, Options, Search, SearchError, Value};

use crate::games::{describe, mix};
use crate::{search, seeds};

/// A random tree in which some nodes are nature's. Positions are shared by several ways if there are few.
#[derive(Debug)]
struct Dice {
    description: Description,
    seed: u64,
    positions: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    state: u64,
    side: Side,
    weight: u64,
}

impl Dice {
    fn new(seed: u64) -> Dice {
        let mut description = describe("dice", 2, 3, 1, &[]);
        description.chance = Some(Chance { slot: 0, waiting: 0, weight: None });
        Dice { description, seed, positions: [1 << 40, 300, 40][seed as usize % 3] }
    }

    fn number(&self, state: &State, purpose: u64, below: u64) -> u64 {
        let side = state.side.index() as u64;
        mix(mix(self.seed << 8 | purpose) ^ state.state << 1 ^ side) % below
    }

    fn end(&self, state: &State) -> Option<Outcome> {
        let ends = [Outcome::Wins(Side::White), Outcome::Wins(Side::Black), Outcome::Draw, Outcome::Score(2)];
        ends.get(self.number(state, 1, 24) as usize).copied()
    }
}

impl Game for Dice {
    type Position = State;
    type Move = u64;

    fn description(&self) -> &Description {
        &self.description
    }
    fn initial(&self) -> State {
        State { state: 0, side: Side::White, weight: 1 }
    }
    fn position(&self, diagram: &Diagram) -> State {
        State { side: diagram.side, ..self.initial() }
    }
    fn diagram(&self, state: &State) -> Diagram {
        Diagram { cells: vec![Piece::NONE; 3], values: Vec::new(), side: state.side }
    }
    fn side_to_move(&self, state: &State) -> Side {
        state.side
    }
    fn is_chance(&self, state: &State) -> bool {
        self.number(state, 2, 3) == 0
    }
    fn weight(&self, state: &State) -> u64 {
        state.weight
    }
    fn signature(&self, state: &State) -> Signature {
        mix(state.state << 1 | state.side.index() as u64)
    }
    fn is_irreversible(&self, _: &State) -> bool {
        true
    }
    fn visit(&self, state: &State, visitor: &mut Visitor<'_, Self>) -> Result<Option<Outcome>, RulesError> {
        if state.state != 0
            && let Some(outcome) = self.end(state)
        {
            return Ok(Some(outcome));
        }
        for mv in 0..1 + self.number(state, 3, 4) {
            let mut child = *state;
            self.apply(state, &mv, &mut child);
            if let ControlFlow::Break(()) = visitor(&mv, &child) {
                break;
            }
        }
        Ok(None)
    }
    fn ended(&self, _: &State) -> Option<Outcome> {
        None
    }
    fn ending(&self, _: &u64) -> Option<Outcome> {
        None
    }
    multigame_game::moves_alone!();
    fn apply(&self, state: &State, mv: &u64, child: &mut State) {
        let next = 1 + self.number(state, 10 + mv, self.positions);
        let side = if self.number(state, 20 + mv, 4) == 0 { state.side } else { state.side.opponent() };
        *child = State { state: next, side, weight: 1 + self.number(state, 30 + mv, 7) };
    }
    fn move_key(&self, mv: &u64) -> u64 {
        mix(*mv)
    }
}

struct Guess;

impl Evaluator<Dice> for Guess {
    fn evaluate(&self, game: &Dice, state: &State) -> Value {
        Value::new(game.number(state, 4, 2001) as i32 - 1000)
    }
}

const WON: i64 = 1_000_000;

/// The reference: a plain recursion without any pruning.
fn expectation(game: &Dice, state: &State, depth: u32, points: i64) -> i64 {
    let own = |white: i64| if state.side == Side::White { white } else { -white };
    if depth == 0 {
        let guess = i64::from(Guess.evaluate(game, state).number());
        return guess * (WON - 1) / (guess.abs() + 600);
    }
    let (mut sum, mut total, mut best) = (0, 0, i64::MIN);
    let outcome = game
        .visit(state, &mut |_, child| {
            let value = expectation(game, child, depth - 1, points);
            let value = if child.side == state.side { value } else { -value };
            (sum, total) = (sum + value * child.weight as i64, total + child.weight as i64);
            best = best.max(value);
            ControlFlow::Continue(())
        })
        .unwrap();
    match outcome {
        Some(Outcome::Wins(side)) => own(if side == Side::White { WON } else { -WON }),
        Some(Outcome::Draw) => 0,
        Some(Outcome::Score(margin)) => own((i64::from(margin) * WON).clamp(-points * WON, points * WON)),
        None if game.is_chance(state) => i64::div_euclid(sum, total),
        None => best,
    }
}

#[test]
fn pruning_changes_no_expectation() {
    let plain = Options { star1: false, star2: false, table: false, ..Options::plain(Engine::Expectimax) };
    let (mut nodes, mut searches) = ([0; 4], 0);
    for seed in seeds(150) {
        let game = Dice::new(seed);
        let root = game.initial();
        let points = 1 + seed as u32 % 2;
        for depth in 1..=5 {
            let expected = expectation(&game, &root, depth, i64::from(points));
            let ways = [(false, false, false), (true, false, false), (true, true, false), (true, true, true)];
            for (way, (star1, star2, table)) in ways.into_iter().enumerate() {
                let options = Options { star1, star2, table, table_mib: 1, points, ..plain.clone() };
                let result = search(&game, &Guess, &root, depth, options);
                let place = format!("seed {seed}, depth {depth}, way {way}");
                assert_eq!(result.value, Value::new((expected / 1000) as i32), "{place}");
                assert_eq!(result.bounds.lower, result.value, "{place}");
                nodes[way] += result.statistics.nodes;
            }
            searches += 1;
        }
    }
    let [all, star1, star2, table] = nodes;
    assert!(star1 < all && star2 < all && table < star2, "{nodes:?} nodes in {searches} searches");
}

/// The points that White may expect at the beginning, by going through all positions until nothing changes.
fn expected_points(game: &Dice) -> f64 {
    let place = |state: &State| 2 * state.state as usize + state.side.index();
    let mut known = vec![0.5; 2 * (game.positions as usize + 1)];
    for _ in 0..300 {
        let mut next = known.clone();
        for (number, value) in next.iter_mut().enumerate() {
            let side = [Side::White, Side::Black][number % 2];
            let state = State { state: number as u64 / 2, side, weight: 1 };
            let mut children = Vec::new();
            let visitor = &mut |_: &u64, child: &State| {
                children.push((child.weight as f64, known[place(child)]));
                ControlFlow::Continue(())
            };
            let outcome = game.visit(&state, visitor).unwrap();
            let total: f64 = children.iter().map(|child| child.0).sum();
            let values = children.iter().map(|child| child.1);
            *value = match outcome.map(|outcome| outcome.winner()) {
                Some(winner) => winner.map_or(0.5, |winner| f64::from(u8::from(winner == Side::White))),
                None if game.is_chance(&state) => {
                    children.iter().map(|child| child.0 * child.1 / total).sum()
                }
                None if side == Side::White => values.fold(0.0, f64::max),
                None => values.fold(1.0, f64::min),
            };
        }
        known = next;
    }
    known[place(&game.initial())]
}

#[test]
fn monte_carlo_comes_near_the_expectation() {
    for seed in seeds(10) {
        let game = Dice { positions: 25, ..Dice::new(seed) };
        let root = game.initial();
        let wanted = expected_points(&game);
        let options = Options { engine: Engine::Mcts, tree_nodes: 20_000, seed, ..Options::default() };
        let guessed = search(&game, &Guess, &root, 8, options);
        let guess = 1.0 / (1.0 + (-f64::from(guessed.value.number()) / 300.0).exp());
        assert!((guess - wanted).abs() < 0.2, "seed {seed}: {guess} is not near {wanted}");
    }
}

#[test]
fn engines_that_know_no_chance_say_so() {
    let game = Dice::new(1);
    for (name, engine) in Engine::ALL {
        let options = Options { engine, ..Options::default() };
        match Search::new(&game, &Guess, options) {
            Ok(_) => assert!(engine.knows_chance(), "{name}"),
            Err(SearchError::Unsuitable(message)) => {
                let remedy = message.contains("use `expectimax` or `mcts`");
                assert!(!engine.knows_chance() && (remedy || engine.is_for_puzzles()), "{name}: {message}");
            }
            Err(other) => panic!("{name}: {other}"),
        }
    }
}
