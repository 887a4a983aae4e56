//! Pattern databases: how far the pieces of a puzzle are from their goal when only some of them are told
//! apart.
//!
//! An abstraction keeps a few pieces and lets all others look the same. The rules themselves, run on such
//! positions backwards from the goal, give the number of moves that the kept pieces need at least: a lower
//! bound for the puzzle. Where every move moves either kept pieces or others, only moves of kept pieces are
//! counted; then the numbers of abstractions that share no piece may be added ([`Costs::Own`]).
//!
//! Without any declaration, each piece by itself is such an abstraction: for sliding tiles that is the
//! Manhattan distance, derived from the rules.
//!
//! Where pieces cannot be told apart, a [`Perimeter`] of whole positions around the goal is a bound as well.

mod arrangement;
mod bound;
mod build;
mod perimeter;
mod table;

pub use arrangement::Arrangement;
pub use bound::LowerBound;
pub use build::{PatternError, build};
pub use perimeter::{Perimeter, WIDEST};
pub use table::{Costs, PatternDatabase};

use multigame_game::{Abstraction, PieceSet, Puzzle};

/// Abstractions with more positions than this are not made without being asked for.
const SMALL: u64 = 100_000;

/// The lower bound that follows from the rules alone, each piece by itself; nothing where there is none.
pub fn derived<G: multigame_game::Game>(game: &G) -> Option<LowerBound> {
    let puzzle = game.puzzle()?;
    let patterns = singles(&puzzle).into_iter().filter_map(|abstraction| {
        let arrangement = Arrangement::new(game.description(), &puzzle, &abstraction).ok()?;
        (arrangement.positions() <= SMALL).then_some(())?;
        build(game, &puzzle, &abstraction, &mut |_| true).ok()
    });
    // Tables that are not additive say too little to be worth asking.
    let patterns: Vec<PatternDatabase> = patterns.filter(|pattern| pattern.costs() == Costs::Own).collect();
    (!patterns.is_empty()).then(|| LowerBound::new(patterns))
}

fn singles(puzzle: &Puzzle) -> Vec<Abstraction> {
    let pieces: PieceSet = puzzle.goal.iter().copied().filter(|piece| piece.index() != 0).collect();
    let single = |piece| puzzle.goal.iter().filter(|&&other| other == piece).count() == 1;
    let kept = pieces.iter().filter(|&piece| single(piece));
    kept.map(|piece| Abstraction { name: format!("piece {}", piece.0), kept: PieceSet::of(piece) }).collect()
}
