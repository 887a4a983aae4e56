//! The positions of a slice or of a game as numbers, and where the moves from them lead.
//!
//! A slice has its arrangements with all properties at their least values. Whatever else its moves lead to,
//! without leaving to slices that are finished, has numbers behind those: positions with properties (a pawn
//! that may be taken en passant), and pieces on fields where random games have not met them. A game that is
//! solved as a whole has only such numbers.

use std::sync::Arc;

use anyhow::bail;
use multigame_game::{Diagram, Game, Piece, RulesError, Side, position_text};
use rustc_hash::FxHashMap;

use crate::material::Material;
use crate::seen::{Key, Packing, Seen, worth};
use crate::shape::Shape;
use crate::standing::Standing;
use crate::survey::Survey;
use crate::table::Table;

/// Finished slices.
pub type Tables = FxHashMap<Material, Arc<Table>>;

/// What a slice is made of.
pub(crate) struct Space<'a, G: Game> {
    pub game: &'a G,
    pub packing: &'a Packing,
    /// The slice with its arrangements; nothing where a game is solved as a whole.
    pub slice: Option<Slice<'a>>,
    /// The other positions, in the order in which they were met.
    pub extras: Vec<Key>,
    /// Their places in the list.
    pub places: FxHashMap<Key, u32>,
}

pub(crate) struct Slice<'a> {
    pub material: &'a Material,
    pub shape: &'a Shape,
    pub survey: &'a Survey,
    pub tables: &'a Tables,
}

/// Where a move leads.
pub(crate) enum Place {
    /// To a finished game or a finished slice: what that is worth to the player who moves.
    Valued(Standing),
    /// To a number.
    Node(u32),
    /// To a position without a number, so far.
    New(Key),
    /// To a position without pieces that games keep: the position before it does not occur.
    Impossible,
    /// To a slice that is not finished.
    Missing(Material),
}

/// What a thread needs to look at positions.
pub(crate) struct Eye<P> {
    diagram: Diagram,
    pieces: Vec<(Piece, u16)>,
    child: Seen,
    position: P,
}

impl<'a, G: Game> Space<'a, G> {
    pub fn new(game: &'a G, packing: &'a Packing, slice: Option<Slice<'a>>) -> Space<'a, G> {
        Space { game, packing, slice, extras: Vec::new(), places: FxHashMap::default() }
    }

    /// Number of arrangements.
    pub fn dense(&self) -> usize {
        self.slice.as_ref().map_or(0, |slice| slice.shape.size() as usize)
    }

    /// Number of positions with numbers.
    pub fn size(&self) -> usize {
        self.dense() + self.extras.len()
    }

    pub fn eye(&self) -> Eye<G::Position> {
        let diagram = Diagram::empty(self.game.description());
        let (pieces, child) = (Vec::new(), Seen::default());
        Eye { diagram, pieces, child, position: self.game.initial() }
    }

    /// Looks at the position of a number; nothing if two pieces are on one field.
    pub fn position<'e>(&self, node: usize, eye: &'e mut Eye<G::Position>) -> Option<&'e G::Position> {
        match &self.slice {
            Some(slice) if node < self.dense() => {
                // What an extra position has left behind.
                eye.diagram.cells.fill(Piece::NONE);
                if !slice.shape.arrangement(node as u64, &mut eye.pieces) {
                    return None;
                }
                let properties = &self.game.description().properties;
                for property in properties {
                    let values = property.length(&self.game.description().board);
                    eye.diagram.values[property.offset..][..values].fill(property.low);
                }
                eye.pieces.iter().for_each(|&(piece, field)| eye.diagram.cells[usize::from(field)] = piece);
                eye.diagram.side = slice.shape.side(node as u64);
            }
            _ => {
                self.packing.unpack(self.extras[node - self.dense()], &mut eye.diagram);
            }
        }
        eye.position = self.game.position(&eye.diagram);
        Some(&eye.position)
    }

    /// Whose turn it is.
    pub fn side(&self, node: usize) -> Side {
        crate::table::side(self.slice.as_ref().map(|slice| slice.shape), &self.extras, node)
    }

    /// Where a move of `side` leads.
    pub fn place(&self, side: Side, child: &G::Position, seen: &mut Seen) -> Result<Place, RulesError> {
        if let Some(outcome) = self.game.ended(child) {
            return Ok(Place::Valued(Standing::finished(worth(outcome, side)).before(true)));
        }
        seen.look(self.game, self.packing.slots(), child);
        let Some(slice) = &self.slice else { return Ok(self.numbered(self.packing.pack(seen))) };
        if seen.plain
            && let Some(index) = slice.shape.index(&seen.pieces, seen.side)
        {
            return Ok(Place::Node(index as u32));
        }
        let description = self.game.description();
        let material = Material::of(description, seen.pieces.iter().map(|&(piece, _)| piece));
        if material == *slice.material {
            return Ok(self.numbered(self.packing.pack(seen)));
        }
        let pieces = (1..description.pieces.len()).map(|piece| Piece(piece as u8));
        let lost = |piece: Piece| slice.survey.kept(piece).is_some_and(|kept| material.count(piece) != kept);
        if pieces.into_iter().any(lost) {
            return Ok(Place::Impossible);
        }
        if let Some(table) = slice.tables.get(&material) {
            return Ok(match table.probe(seen) {
                Some(standing) => Place::Valued(standing.before(seen.side == side)),
                // Such as one with a property that nothing in that slice leads to.
                None => self.numbered(self.packing.pack(seen)),
            });
        }
        Ok(match self.game.outcome(child)? {
            Some(outcome) => Place::Valued(Standing::finished(worth(outcome, side)).before(true)),
            None => Place::Missing(material),
        })
    }

    fn numbered(&self, key: Key) -> Place {
        match self.places.get(&key) {
            Some(&place) => Place::Node((self.dense() + place as usize) as u32),
            None => Place::New(key),
        }
    }

    /// The position of a number and where each of its moves leads; the outcome if it is final, nothing if
    /// there is no position.
    pub fn expand(
        &self,
        node: usize,
        eye: &mut Eye<G::Position>,
        places: &mut Vec<Place>,
    ) -> Result<Option<Expanded>, RulesError> {
        places.clear();
        if self.position(node, eye).is_none() {
            return Ok(None);
        }
        let (side, seen) = (self.side(node), &mut eye.child);
        let mut failure = None;
        let outcome =
            self.game.children(&eye.position, &mut |child| match self.place(side, child, seen) {
                Ok(place) => {
                    places.push(place);
                    std::ops::ControlFlow::Continue(())
                }
                Err(error) => {
                    failure = Some(error);
                    std::ops::ControlFlow::Break(())
                }
            })?;
        if let Some(error) = failure {
            return Err(error);
        }
        Ok(Some(match outcome {
            Some(outcome) => Expanded::Final(Standing::finished(worth(outcome, side))),
            None => Expanded::Open,
        }))
    }

    /// The text of a position.
    pub fn text(&self, node: usize) -> String {
        let mut eye = self.eye();
        match self.position(node, &mut eye) {
            Some(position) => position_text(self.game.description(), &self.game.diagram(position)),
            None => "no position".to_string(),
        }
    }

    /// The error of a move from a position that can occur to one that cannot.
    pub fn contradiction(&self, parent: usize, child: usize) -> anyhow::Error {
        let (parent, child) = (self.text(parent), self.text(child));
        let wrong = || -> anyhow::Result<()> {
            bail!(
                "a move from `{parent}` leads to `{child}`, from where a piece can be taken that random games \
                 never lose; this game has no endgame databases, `multigame solve --strong` may do"
            )
        };
        wrong().unwrap_err()
    }
}

/// What running the rules has shown.
pub(crate) enum Expanded {
    /// The game is over.
    Final(Standing),
    /// There are moves.
    Open,
}
