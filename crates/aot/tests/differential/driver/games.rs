//! Compares one game after the other with the interpreter; `../games.rs` adds the games and `main`.

mod agree;

use multigame_game::{Diagram, Game, parse_position, perft};
use multigame_ir::RulesGame;
use multigame_compiled::{Code, CompiledGame};

/// Leaves of the largest tree that is counted.
const MAX_LEAVES: u64 = 20_000;

/// Random games from the initial position unless `PLAYED` says otherwise, from each position of the suite,
/// and moves of each.
const PLAYED: u64 = 2;
const PLAYED_FROM_SUITE: u64 = 1;
const MAX_PLIES: u32 = 40;

/// A game and what is known about it.
struct Known {
    name: &'static str,
    /// The move program as text.
    program: &'static str,
    /// The positions of the suite.
    suite: &'static [&'static str],
    /// How games end, repetition included.
    over: &'static [Over],
}

/// How a game ends after some moves.
struct Over {
    position: Option<&'static str>,
    moves: &'static [&'static str],
    outcome: &'static str,
}

fn check<C: Code<Error: std::fmt::Debug>>(known: &Known) {
    let program = multigame_ir::parse(known.program).unwrap();
    let rules = RulesGame::new(program.clone());
    let game = CompiledGame::<C>::new(program).expect("the code is that of the rules");
    if let Err(message) = agree_on(&game, &rules, known) {
        panic!("{}: {message}", known.name);
    }
    println!("{}: {} positions of the suite and {} endings agree", known.name, known.suite.len(), known.over.len());
}

fn agree_on<G: Game>(game: &G, rules: &RulesGame, known: &Known) -> Result<(), String> {
    same_trees(game, rules)?;
    agree::same_knowledge(game, rules)?;
    known.over.iter().try_for_each(|over| agree::ends(game, over.position, over.moves, over.outcome))?;
    let played = std::env::var("PLAYED").map_or(PLAYED, |played| played.parse().expect("a number"));
    follow(game, rules, &rules.description().initial, played)?;
    for text in known.suite {
        let diagram = parse_position(rules.description(), text).map_err(|error| format!("{text}: {error}"))?;
        follow(game, rules, &diagram, PLAYED_FROM_SUITE)?;
    }
    Ok(())
}

fn follow<G: Game>(game: &G, rules: &RulesGame, start: &Diagram, played: u64) -> Result<(), String> {
    (0..played).try_for_each(|seed| agree::follow(game, rules, start, seed, MAX_PLIES))
}

/// Compares the sizes of trees that the interpreter can still count.
fn same_trees<G: Game>(game: &G, rules: &RulesGame) -> Result<(), String> {
    let mut size = 1;
    for depth in 1..=12 {
        let expected = perft(rules, &rules.initial(), depth).map_err(|error| error.to_string())?;
        let found = perft(game, &game.initial(), depth).map_err(|error| error.to_string())?;
        if found != expected {
            return Err(format!("depth {depth}: {found} instead of {expected}"));
        }
        if expected == 0 || expected * (expected / size) > MAX_LEAVES {
            break;
        }
        size = expected;
    }
    Ok(())
}
