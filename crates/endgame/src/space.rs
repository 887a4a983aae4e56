//! The positions of a slice or of a game as numbers, and where the moves from them lead.
//!
//! A slice has its arrangements with all properties at their least values. Whatever else its moves lead to,
//! without leaving to slices that are finished, has numbers behind those: positions with properties (a pawn
//! that may be taken en passant), and pieces on fields where random games have not met them. A game that is
//! solved as a whole has only such numbers.

use std::sync::Arc;

use anyhow::bail;
use multigame_game::{Diagram, Field, Game, Outcome, Piece, RulesError, Side, position_text};
use rustc_hash::FxHashMap;

use crate::material::Material;
use crate::seen::{Key, Packing, Seen};
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
    /// Whether values are margins.
    pub scored: bool,
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
    /// To an end without a score, though values are to be margins.
    Unscored,
}

/// What a thread needs to look at positions.
pub(crate) struct Eye<P> {
    diagram: Diagram,
    pieces: Vec<(Piece, u16)>,
    position: P,
    /// The empty board with either player to move.
    empty: [P; 2],
    view: View,
}

/// What a thread needs to say where moves lead.
#[derive(Default)]
pub(crate) struct View {
    child: Seen,
    counts: Vec<u8>,
    /// The slices that moves led to.
    met: Vec<(Material, Target)>,
}

/// What another slice is.
#[derive(Clone)]
enum Target {
    /// It lacks pieces that games keep.
    Impossible,
    Finished(Arc<Table>),
    Missing,
}

impl<'a, G: Game> Space<'a, G> {
    pub fn new(game: &'a G, packing: &'a Packing, slice: Option<Slice<'a>>, scored: bool) -> Space<'a, G> {
        Space { game, packing, slice, scored, extras: Vec::new(), places: FxHashMap::default() }
    }

    /// The place of a finished game.
    fn over(&self, outcome: Outcome, side: Side) -> Place {
        match Standing::finished(outcome, side, self.scored) {
            Some(standing) => Place::Valued(standing.before(true)),
            None => Place::Unscored,
        }
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
        let description = self.game.description();
        let mut diagram = Diagram::empty(description);
        let empty = Side::BOTH.map(|side| {
            diagram.side = side;
            self.game.position(&diagram)
        });
        let position = empty[0].clone();
        Eye { diagram, pieces: Vec::new(), position, empty, view: View::default() }
    }

    /// Looks at the position of a number; nothing if two pieces are on one field.
    pub fn position<'e>(&self, node: usize, eye: &'e mut Eye<G::Position>) -> Option<&'e G::Position> {
        match &self.slice {
            Some(slice) if node < self.dense() => {
                if !slice.shape.arrangement(node as u64, &mut eye.pieces) {
                    return None;
                }
                eye.position.clone_from(&eye.empty[slice.shape.side(node as u64).index()]);
                for &(piece, field) in &eye.pieces {
                    self.game.replace(&mut eye.position, Field(field), Piece::NONE, piece);
                }
            }
            _ => {
                self.packing.unpack(self.extras[node - self.dense()], &mut eye.diagram);
                eye.position = self.game.position(&eye.diagram);
            }
        }
        Some(&eye.position)
    }

    /// Whose turn it is.
    pub fn side(&self, node: usize) -> Side {
        crate::table::side(self.slice.as_ref().map(|slice| slice.shape), &self.extras, node)
    }

    /// Where a move of `side` leads.
    pub fn place(&self, side: Side, child: &G::Position, view: &mut View) -> Result<Place, RulesError> {
        if let Some(outcome) = self.game.ended(child) {
            return Ok(self.over(outcome, side));
        }
        let seen = &mut view.child;
        seen.look(self.game, self.packing.slots(), child);
        let Some(slice) = &self.slice else { return Ok(self.numbered(self.packing.pack(seen))) };
        if seen.plain
            && let Some(index) = slice.shape.index(&seen.pieces, seen.side)
        {
            return Ok(Place::Node(index as u32));
        }
        view.counts.clear();
        view.counts.resize(slice.material.counts().len(), 0);
        view.child.pieces.iter().for_each(|&(piece, _)| view.counts[piece.index()] += 1);
        if view.counts == slice.material.counts() {
            return Ok(self.numbered(self.packing.pack(&view.child)));
        }
        Ok(match self.target(slice, view) {
            Target::Impossible => Place::Impossible,
            Target::Finished(table) => match table.probe(&view.child) {
                Some(standing) => Place::Valued(standing.before(view.child.side == side)),
                // Such as one with a property that nothing in that slice leads to.
                None => self.numbered(self.packing.pack(&view.child)),
            },
            Target::Missing => match self.game.outcome(child)? {
                Some(outcome) => self.over(outcome, side),
                None => Place::Missing(Material::from_counts(view.counts.clone())),
            },
        })
    }

    /// The slice with the counts of a view.
    fn target(&self, slice: &Slice<'_>, view: &mut View) -> Target {
        let known = view.met.iter().find(|(material, _)| material.counts() == view.counts);
        if let Some((_, target)) = known {
            return target.clone();
        }
        let material = Material::from_counts(view.counts.clone());
        let mut pieces = (1..self.game.description().pieces.len()).map(|piece| Piece(piece as u8));
        let lost = |piece: Piece| slice.survey.kept(piece).is_some_and(|kept| material.count(piece) != kept);
        let target = match slice.tables.get(&material) {
            _ if pieces.any(lost) => Target::Impossible,
            Some(table) => Target::Finished(Arc::clone(table)),
            None => Target::Missing,
        };
        view.met.push((material, target.clone()));
        target
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
        let (side, view) = (self.side(node), &mut eye.view);
        let mut failure = None;
        let outcome =
            self.game.children(&eye.position, &mut |child| match self.place(side, child, view) {
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
            Some(outcome) => match Standing::finished(outcome, side, self.scored) {
                Some(standing) => Expanded::Final(standing),
                None => Expanded::Unscored,
            },
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
                "a move from `{parent}` leads to `{child}`, from where a piece can be taken that random \
                 games \
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
    /// The game is over without a score, though values are to be margins.
    Unscored,
}
