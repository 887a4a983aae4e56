//! Values of positions and of their moves from finished tables.

use std::ops::ControlFlow;
use std::sync::Arc;

use multigame_game::{Description, Game, Outcome, Piece, RulesError, Side};
use multigame_search::Value;
use smallvec::SmallVec;

use crate::material::Material;
use crate::seen::{Seen, Slots};
use crate::space::Tables;
use crate::standing::Standing;
use crate::table::Table;

/// Moves with what each is worth to the player who makes it, where that is known.
pub type ValuedMoves<M> = Vec<(M, Option<Standing>)>;

/// Everything that is known about a game.
#[derive(Clone, Debug)]
pub struct Endgames {
    slices: Tables,
    whole: Option<Arc<Table>>,
    slots: Slots,
    kinds: usize,
    /// The most pieces of a slice.
    most: usize,
}

impl Endgames {
    /// Slices, and a game that was solved as a whole.
    pub fn new(description: &Description, slices: Tables, whole: Option<Arc<Table>>) -> Endgames {
        let most = slices.keys().map(Material::total).max().unwrap_or(0);
        let (slots, kinds) = (Slots::of(description), description.pieces.len());
        Endgames { slices, whole, slots, kinds, most }
    }

    /// The finished slices.
    pub fn slices(&self) -> &Tables {
        &self.slices
    }

    /// The most pieces that a stored position has; all where a game was solved as a whole.
    pub fn most_pieces(&self) -> usize {
        if self.whole.is_some() { usize::MAX } else { self.most }
    }

    /// The value of a position in which the game goes on or has ended by its rules; nothing if it is not
    /// stored.
    pub fn probe<G: Game>(&self, game: &G, position: &G::Position) -> Option<Standing> {
        if let Some(outcome) = game.ended(position) {
            return self.over(outcome, game.side_to_move(position));
        }
        let mut count = 0;
        game.for_each_piece(position, |_, _| count += 1);
        if count > self.most_pieces() {
            return None;
        }
        let mut seen = Seen::default();
        seen.look(game, &self.slots, position);
        self.find(&seen)
    }

    /// What a finished game is worth.
    fn over(&self, outcome: Outcome, side: Side) -> Option<Standing> {
        let tables = self.whole.iter().chain(self.slices.values());
        Standing::finished(outcome, side, tables.into_iter().any(|table| table.scored))
    }

    fn find(&self, seen: &Seen) -> Option<Standing> {
        if let Some(found) = self.whole.as_ref().and_then(|whole| whole.probe(seen)) {
            return Some(found);
        }
        // PERF: nothing here takes memory, or a search would spend its time on that.
        let mut counts: SmallVec<[u8; 32]> = SmallVec::from_elem(0, self.kinds);
        for &(piece, _) in &seen.pieces {
            counts[piece.index()] += 1;
        }
        self.slices.get(counts.as_slice())?.probe(seen)
    }

    /// The moves of a position with what each is worth to the player who makes it, the best ones first;
    /// nothing where that is not known.
    pub fn moves<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
    ) -> Result<ValuedMoves<G::Move>, RulesError> {
        let side = game.side_to_move(position);
        let mut all = Vec::new();
        game.visit(position, &mut |mv, child| {
            let same = game.side_to_move(child) == side || game.ended(child).is_some();
            let found = match game.ended(child) {
                Some(outcome) => self.over(outcome, side),
                None => self.probe(game, child),
            };
            all.push((mv.clone(), found.map(|standing| standing.before(same))));
            ControlFlow::Continue(())
        })?;
        // Children that are final only by their moves, and lie outside of all slices.
        for (mv, value) in all.iter_mut().filter(|(_, value)| value.is_none()) {
            let mut child = position.clone();
            game.apply(position, mv, &mut child);
            let outcome = game.outcome(&child)?;
            *value = outcome.and_then(|outcome| Some(self.over(outcome, side)?.before(true)));
        }
        all.sort_by_key(|(_, value)| value.map_or(i32::MAX, |standing| -standing.rank()));
        Ok(all)
    }
}

/// Searches have pieces and values at hand, and no game of a certain type.
impl multigame_search::Endgames for Endgames {
    fn most_pieces(&self) -> usize {
        Endgames::most_pieces(self)
    }

    fn value(
        &self,
        side: Side,
        pieces: &[(Piece, u16)],
        property: &mut dyn FnMut(usize) -> i32,
    ) -> Option<Value> {
        let mut seen = Seen::default();
        seen.take(side, &self.slots, pieces, property);
        Some(match self.find(&seen)? {
            Standing::Win(plies) => Value::win_in(plies.into()),
            Standing::Draw => Value::DRAW,
            Standing::Loss(plies) => Value::loss_in(plies.into()),
            // As White sees it, who is to move as far as this is concerned.
            Standing::Ahead(margin) => Value::of_outcome(Outcome::Score(margin.into()), Side::White, 0),
            Standing::Behind(margin) => Value::of_outcome(Outcome::Score(-i32::from(margin)), Side::White, 0),
        })
    }
}
