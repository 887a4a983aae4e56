//! Compares one game after the other with the interpreter; `differential.rs` adds the games and `main`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use multigame_native::multigame_game::{
    Game, Outcome, Piece, Random, RulesError, Weights, perft, position_text,
};
use multigame_native::multigame_ir::{self as ir, RulesGame};
use multigame_native::{Code, NativeGame};

/// Leaves of the largest tree that is counted.
const MAX_LEAVES: u64 = 20_000;

/// Positions of random games that are compared unless `POSITIONS` says otherwise, and moves of each game.
const POSITIONS: u64 = 160;
const MAX_PLIES: u32 = 80;

fn check<C: Code<WORDS>, const WORDS: usize>(name: &str, program: &str) {
    let program = ir::parse(program).unwrap();
    let rules = RulesGame::new(program.clone());
    let game = NativeGame::<C, WORDS>::new(program).expect("the size of positions is that of the rules");
    let mut size = 1;
    for depth in 1..=12 {
        let expected = perft(&rules, &rules.initial(), depth).unwrap();
        assert_eq!(perft(&game, &game.initial(), depth), Ok(expected), "{name}: depth {depth}");
        if expected == 0 || expected * (expected / size) > MAX_LEAVES {
            break;
        }
        size = expected;
    }
    let wanted = std::env::var("POSITIONS").map_or(POSITIONS, |count| count.parse().expect("a number"));
    let (mut positions, mut seed) = (0, 0);
    while positions < wanted && seed < wanted {
        positions += follow(&game, &rules, seed);
        seed += 1;
    }
    println!("{name}: {size} leaves and {positions} positions agree");
}

/// Plays one random game with both and compares everything on the way.
fn follow<G: Game>(game: &G, rules: &RulesGame, seed: u64) -> u64 {
    let mut random = Random::new(seed);
    let (mut position, mut reference) = (game.initial(), rules.initial());
    let mut positions = 0;
    for ply in 0..MAX_PLIES {
        let place = || {
            let text = position_text(rules.description(), &rules.diagram(&reference));
            format!("{}: seed {seed}, ply {ply}, {text}", rules.description().name)
        };
        assert_eq!(game.diagram(&position), rules.diagram(&reference), "{}", place());
        let (found, expected) = match (children(game, &position), children(rules, &reference)) {
            (Err(found), Err(expected)) => {
                assert_eq!(found, expected, "{}", place());
                break;
            }
            (found, expected) => (found.unwrap(), expected.unwrap()),
        };
        assert_eq!(found.1, expected.1, "{}", place());
        assert!(found.0.keys().eq(expected.0.keys()), "{}: keys of moves differ", place());
        for (child, other) in found.0.values().zip(expected.0.values()) {
            assert_eq!(game.diagram(child), rules.diagram(other), "{}", place());
            assert_eq!(game.signature(child), rules.signature(other), "{}", place());
            assert_eq!(game.is_irreversible(child), rules.is_irreversible(other), "{}", place());
        }
        for (number, evaluation) in rules.evaluations().iter().enumerate() {
            let mut counts = [vec![0; evaluation.counted()], vec![0; evaluation.counted()]];
            let phase = game.features(&position, number, &mut counts[0]);
            assert_eq!(phase, rules.features(&reference, number, &mut counts[1]), "{}", place());
            assert_eq!(counts[0], counts[1], "{}: evaluation {number}", place());
            assert_eq!(game.is_calm(&position, number), rules.is_calm(&reference, number), "{}", place());
        }
        assert_eq!(game.outcome(&position), Ok(expected.1), "{}", place());
        assert_eq!(game.count(&position), Ok(expected.0.len() as u64), "{}", place());
        positions += 1;
        if expected.0.is_empty() {
            break;
        }
        let choice = random.below(expected.0.len());
        position = found.0.into_values().nth(choice).unwrap();
        reference = expected.0.into_values().nth(choice).unwrap();
    }
    positions
}

type Expansion<P> = Result<(BTreeMap<u64, P>, Option<Outcome>), RulesError>;

/// The children by the keys of their moves, in all the ways there are to get them.
fn children<G: Game>(game: &G, position: &G::Position) -> Expansion<G::Position> {
    let mut children = BTreeMap::new();
    let mut order = Vec::new();
    let outcome = game.visit(position, &mut |mv, child| {
        order.push(child.clone());
        assert!(children.insert(game.move_key(mv), child.clone()).is_none(), "two moves with one key");
        ControlFlow::Continue(())
    })?;
    let mut moves = Vec::new();
    assert_eq!(game.moves(position, &mut moves)?, outcome);
    let mut applied = game.initial();
    for (mv, child) in moves.iter().zip(&order) {
        game.apply(position, mv, &mut applied);
        assert_eq!(applied, *child);
    }
    let opponent = game.description().pieces_of(game.side_to_move(position).opponent());
    let pieces = 0..game.description().pieces.len();
    let prey = pieces.map(|piece| i32::from(opponent.contains(Piece(piece as u8)))).collect();
    let prey = Weights { pieces: prey, values: Vec::new() };
    let mut taking = Vec::new();
    if outcome.is_none() {
        assert_eq!(game.takes(position, &prey, false, &mut taking)?, None);
        let keys = |moves: &mut dyn Iterator<Item = &G::Move>| -> BTreeSet<u64> {
            moves.map(|mv| game.move_key(mv)).collect()
        };
        let all = keys(&mut moves.iter().filter(|mv| game.weigh_move(position, mv, &prey) < 0));
        assert_eq!((taking.len(), keys(&mut taking.iter())), (all.len(), all), "captures alone");
    }
    let below: Result<u64, RulesError> = order.iter().map(|child| game.count(child)).sum();
    if let Some(leaves) = game.leaves(position, 2)? {
        assert_eq!(Ok(leaves), below, "moves after each move");
    }
    let mut number = 0;
    game.children(position, &mut |child| {
        assert_eq!(*child, order[number]);
        number += 1;
        ControlFlow::Continue(())
    })?;
    assert_eq!((number, moves.len()), (order.len(), order.len()));
    Ok((children, outcome))
}

