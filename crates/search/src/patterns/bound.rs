//! Several databases as one lower bound.

use multigame_game::{Game, Piece, Puzzle};

use super::{Costs, PatternDatabase};
use crate::{Evaluator, Value};

/// For each piece its number on each field.
type Numbers = Vec<(Piece, [u8; 64])>;

/// The lower bound of several databases: those that count only their own moves and share no piece are added,
/// and the greatest sum counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LowerBound {
    /// Databases whose numbers are added.
    families: Vec<Vec<PatternDatabase>>,
    /// The same where each database is about one piece: its number for each field.
    single: Vec<Option<Numbers>>,
}

impl LowerBound {
    /// Groups databases; the first group that one fits into takes it.
    pub fn new(patterns: Vec<PatternDatabase>) -> LowerBound {
        let mut families: Vec<Vec<PatternDatabase>> = Vec::new();
        for pattern in patterns {
            let fits = |family: &&mut Vec<PatternDatabase>| {
                pattern.costs() == Costs::Own
                    && family.iter().all(|other| other.costs() == Costs::Own && other.is_disjoint(&pattern))
            };
            match families.iter_mut().find(fits) {
                Some(family) => family.push(pattern),
                None => families.push(vec![pattern]),
            }
        }
        let single =
            families.iter().map(|family| family.iter().map(PatternDatabase::by_field).collect()).collect();
        LowerBound { families, single }
    }

    /// The same databases, looked up for the images of a position as well, which need as many moves.
    pub fn reflected(self, puzzle: &Puzzle) -> LowerBound {
        let patterns: Vec<PatternDatabase> = self.families.into_iter().flatten().collect();
        let images = puzzle.images();
        let seen = images.iter().flat_map(|image| patterns.iter().map(|pattern| pattern.seen_in(image)));
        let seen: Vec<PatternDatabase> = seen.collect();
        LowerBound::new(patterns.into_iter().chain(seen).collect())
    }

    /// The databases whose numbers are added, for each group.
    pub fn families(&self) -> &[Vec<PatternDatabase>] {
        &self.families
    }

    /// Number of parts, one for each database, that the bound is the sum of; 0 where it is not such a sum.
    pub fn parts(&self) -> usize {
        match &self.families[..] {
            [family] => family.len(),
            _ => 0,
        }
    }

    /// Whether each part is about one piece and counts its moves alone.
    pub fn parts_are_single(&self) -> bool {
        matches!(&self.single[..], [Some(_)])
    }

    /// One of these parts.
    #[inline]
    pub fn part<G: Game>(&self, game: &G, position: &G::Position, part: usize) -> u32 {
        match (&self.single[..], &self.families[..]) {
            ([Some(pieces)], _) => of_piece(game, position, &pieces[part]),
            (_, [family]) => family[part].bound(game, position),
            _ => 0,
        }
    }

    /// Whether pieces of a part stand elsewhere in another position. In databases that count all moves any
    /// piece may matter.
    pub fn part_moves<G: Game>(
        &self,
        game: &G,
        before: &G::Position,
        after: &G::Position,
        part: usize,
    ) -> bool {
        self.families.first().and_then(|family| family.get(part)).is_some_and(|pattern| {
            let moves = |piece| game.fields_of(before, piece) != game.fields_of(after, piece);
            pattern.costs() == Costs::All || pattern.abstraction().kept.iter().any(moves)
        })
    }

    /// A number of moves that are certainly needed.
    #[inline]
    pub fn of<G: Game>(&self, game: &G, position: &G::Position) -> u32 {
        let families = self.families.iter().zip(&self.single).map(|(family, single)| match single {
            Some(pieces) => by_field(game, position, pieces),
            None => family.iter().map(|pattern| pattern.bound(game, position)).sum(),
        });
        families.max().unwrap_or(0)
    }
}

/// PERF: searches with the Manhattan distance spend most of their time here, and packed numbers take twice as
/// long.
#[inline]
fn by_field<G: Game>(game: &G, position: &G::Position, pieces: &[(Piece, [u8; 64])]) -> u32 {
    pieces.iter().map(|piece| of_piece(game, position, piece)).sum()
}

#[inline]
fn of_piece<G: Game>(game: &G, position: &G::Position, (piece, numbers): &(Piece, [u8; 64])) -> u32 {
    let field = game.fields_of(position, *piece).trailing_zeros();
    u32::from(numbers.get(field as usize).copied().unwrap_or(0))
}

/// For solving puzzles: it judges nothing.
impl<G: Game> Evaluator<G> for LowerBound {
    fn evaluate(&self, _game: &G, _position: &G::Position) -> Value {
        Value::DRAW
    }

    fn lower_bound(&self, game: &G, position: &G::Position) -> u32 {
        self.of(game, position)
    }

    fn bound_parts(&self) -> usize {
        self.parts()
    }

    fn bound_parts_are_single(&self) -> bool {
        self.parts_are_single()
    }

    fn bound_part(&self, game: &G, position: &G::Position, part: usize) -> u32 {
        self.part(game, position, part)
    }

    fn bound_part_moves(&self, game: &G, before: &G::Position, after: &G::Position, part: usize) -> bool {
        self.part_moves(game, before, after, part)
    }
}
