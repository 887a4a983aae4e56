//! Two moves lead to positions with one fingerprint: after one the game is drawn, after the other it goes on
//! and is lost.

use multigame_game::*;

use super::{describe, mix};

#[derive(Debug)]
pub struct Twin {
    description: Description,
}

/// Number of the position, and how the game ended there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u8, Option<Outcome>);

impl Twin {
    pub fn new() -> Twin {
        Twin { description: describe("twin", 2, 1, 1, &[]) }
    }
}

impl Game for Twin {
    type Position = Place;
    type Move = Place;

    fn description(&self) -> &Description {
        &self.description
    }
    fn initial(&self) -> Place {
        Place(0, None)
    }
    fn position(&self, diagram: &Diagram) -> Place {
        Place(diagram.cells[0].0, None)
    }
    fn diagram(&self, place: &Place) -> Diagram {
        Diagram { cells: vec![Piece(place.0)], values: Vec::new(), side: self.side_to_move(place) }
    }
    fn side_to_move(&self, place: &Place) -> Side {
        if place.0 == 1 { Side::Black } else { Side::White }
    }
    fn signature(&self, place: &Place) -> Signature {
        mix(u64::from(place.0))
    }
    fn is_irreversible(&self, _: &Place) -> bool {
        true
    }
    fn visit(&self, place: &Place, visitor: &mut Visitor<'_, Self>) -> Result<Option<Outcome>, RulesError> {
        if place.1.is_some() {
            return Ok(place.1);
        }
        let children: &[Place] = match place.0 {
            0 => &[Place(1, None), Place(1, Some(Outcome::Draw))],
            _ => &[Place(2, Some(Outcome::Wins(Side::Black)))],
        };
        let _ = children.iter().try_for_each(|child| visitor(child, child));
        Ok(None)
    }
    fn ended(&self, place: &Place) -> Option<Outcome> {
        place.1
    }
    fn ending(&self, mv: &Place) -> Option<Outcome> {
        mv.1
    }
    multigame_game::moves_alone!();
    fn apply(&self, _: &Place, mv: &Place, child: &mut Place) {
        *child = *mv;
    }
    fn move_key(&self, mv: &Place) -> u64 {
        mix(u64::from(mv.0) << 1 | u64::from(mv.1.is_some()))
    }
}
