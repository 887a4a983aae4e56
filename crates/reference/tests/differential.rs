//! Hand-written games against the bundled rules of the same name: the same moves, endings and counts.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use multigame_compiler::{Options, compile};
use multigame_game::{Diagram, Game, Outcome, Random, parse_position, perft, position_text};
use multigame_ir::RulesGame;
use multigame_reference::{Breakthrough, Checkers, Chess, ConnectFour, Fifteen, Othello};

/// Random games from each position.
const GAMES: u64 = 4;

/// Moves of a random game: long enough for every game here but the puzzle to end by itself most of the time.
const MAX_PLIES: u32 = 150;

fn rules(name: &str) -> RulesGame {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(name).join("rules.mg");
    let options = Options { name: name.to_string(), ..Options::default() };
    let text = std::fs::read_to_string(file).unwrap();
    RulesGame::new(compile(&text, &options).program.expect("bundled rules are right"))
}

/// Facts about a child that do not depend on the engine.
#[derive(Debug, PartialEq)]
struct Child<P> {
    position: P,
    irreversible: bool,
}

fn children<G: Game>(
    game: &G,
    position: &G::Position,
) -> (BTreeMap<String, Child<G::Position>>, Option<Outcome>) {
    let mut children = BTreeMap::new();
    let mut keys = Vec::new();
    let mut applied = position.clone();
    let outcome = game.visit(position, &mut |mv, child| {
        let text = position_text(game.description(), &game.diagram(child));
        let irreversible = game.is_irreversible(child);
        assert!(
            children.insert(text, Child { position: child.clone(), irreversible }).is_none(),
            "a move twice"
        );
        keys.push(game.move_key(mv));
        game.apply(position, mv, &mut applied);
        assert_eq!(applied, *child);
        ControlFlow::Continue(())
    });
    let outcome = outcome.unwrap();
    assert_eq!(game.count(position), Ok(children.len() as u64));
    assert_eq!(game.outcome(position), Ok(outcome));
    let mut moves = Vec::new();
    assert_eq!(game.moves(position, &mut moves), Ok(outcome));
    assert_eq!(moves.iter().map(|mv| game.move_key(mv)).collect::<Vec<_>>(), keys);
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), children.len(), "two moves with one key");
    (children, outcome)
}

/// Plays one random game with both.
fn follow<G: Game>(game: &G, rules: &RulesGame, start: &Diagram, seed: u64) {
    let mut random = Random::new(seed);
    let (mut position, mut reference) = (game.position(start), rules.position(start));
    let mut signatures = BTreeMap::new();
    for ply in 0..MAX_PLIES {
        let diagram = rules.diagram(&reference);
        assert_eq!(game.diagram(&position), diagram, "seed {seed}, ply {ply}");
        assert_eq!(game.side_to_move(&position), diagram.side);
        let same = signatures.insert(game.signature(&position), rules.signature(&reference));
        assert!(same.is_none_or(|signature| signature == rules.signature(&reference)), "equal signatures");
        let text = position_text(rules.description(), &diagram);
        let (found, outcome) = children(game, &position);
        let (expected, ending) = children(rules, &reference);
        assert_eq!(outcome, ending, "seed {seed}, ply {ply}, {text}");
        assert!(found.keys().eq(expected.keys()), "seed {seed}, ply {ply}, {text}: {found:?}\n{expected:?}");
        let kinds = |a: &Child<G::Position>, b: bool| a.irreversible == b;
        assert!(found.values().zip(expected.values()).all(|(a, b)| kinds(a, b.irreversible)), "{text}");
        if found.is_empty() {
            break;
        }
        let choice = random.below(found.len());
        position = found.into_values().nth(choice).unwrap().position;
        reference = expected.into_values().nth(choice).unwrap().position;
    }
}

/// Compares descriptions, random games from each position, and counts that others have published.
fn check<G: Game>(game: &G, name: &str, positions: &[&str], counts: &[(u32, u64)]) {
    let rules = rules(name);
    assert_eq!(game.description(), rules.description());
    let mut starts = vec![rules.description().initial.clone()];
    starts.extend(positions.iter().map(|text| parse_position(game.description(), text).unwrap()));
    for start in &starts {
        (0..GAMES).for_each(|seed| follow(game, &rules, start, seed));
    }
    for &(depth, count) in counts {
        assert_eq!(perft(game, &game.initial(), depth), Ok(count), "depth {depth}");
    }
}

#[test]
fn connect_four() {
    check(&ConnectFour::new(), "connect-4", &[], &[(7, 823_536), (8, 5_673_234)]);
}

#[test]
fn othello() {
    let positions = ["OX6/8/8/8/8/8/8/8 b", "OOOOOOOO/8/8/8/8/8/8/8 w", "OOOOOOO1/XXXXXXXX/8/8/8/8/8/8 w"];
    check(&Othello::new(), "othello", &positions, &[(8, 390_216), (9, 3_005_288)]);
}

#[test]
fn breakthrough() {
    let positions = ["8/w7/8/8/8/8/8/7b w", "8/8/8/3b4/4w3/8/8/8 w"];
    check(&Breakthrough::new(), "breakthrough", &positions, &[(5, 6_182_818)]);
}

#[test]
fn checkers() {
    let positions = [
        "8/8/8/4b3/8/2b5/1w6/8 w",
        "8/2w5/8/8/8/8/8/b7 w",
        // A king goes round either way, and comes back to where it was.
        "8/8/8/2b1b3/8/2b1b3/3W4/8 w",
        "8/8/2b1b3/1b1b1b2/2b1b3/8/2b1b3/3W4 w",
        "1W6/8/8/8/8/8/8/B7 w quiet=70",
    ];
    check(&Checkers::new(), "checkers", &positions, &[(8, 845_931), (9, 3_963_680)]);
}

#[test]
fn fifteen() {
    let positions = [".123/4567/89AB/CDEF", "1.23/4567/89AB/CDEF"];
    check(&Fifteen::new(), "15-puzzle", &positions, &[]);
    let rules = rules("15-puzzle");
    let game = Fifteen::new();
    assert_eq!(perft(&game, &game.initial(), 9), perft(&rules, &rules.initial(), 9));
}

#[test]
fn chess() {
    let positions = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 90 1",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    ];
    check(&Chess::new(), "chess", &positions, &[(4, 197_281), (5, 4_865_609)]);
}
