//! One test program for all engines.

mod chance;
mod declared;
mod equivalence;
mod fewest;
mod games;
mod gifts;
mod lines;
mod proof;
mod puzzles;
mod selective;
mod solved;
mod trace;
mod verdict;

use multigame_game::{Game, RulesError};
use multigame_search::{Evaluator, Options, Root, Search, SearchResult, TranspositionTable};

/// Seeds of random tests; `SEARCH_SEEDS=50` makes it 50 times as many.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let factor = std::env::var("SEARCH_SEEDS").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    0..count * factor
}

/// Searches a position with options given as text on top of others.
fn search<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    depth: u32,
    options: Options,
) -> SearchResult<G::Move> {
    let table =
        options.table.then(|| TranspositionTable::new(options.table_mib, options.table_layout).unwrap());
    let mut search = Search::new(game, evaluator, options).unwrap();
    if let Some(table) = &table {
        search = search.with_table(table);
    }
    search.run(&Root::new(game, position.clone()), depth, &mut ()).unwrap()
}

/// Checks that a line can be played, and gives the position at its end.
fn play<G: Game>(game: &G, start: &G::Position, line: &[G::Move]) -> Result<G::Position, RulesError> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for mv in line {
        game.moves(&position, &mut moves)?;
        assert!(moves.contains(mv), "{mv:?} is not a move of {position:?}");
        let before = position.clone();
        game.apply(&before, mv, &mut position);
    }
    Ok(position)
}
