//! Can two results of a move generator be equal? Often the places where results are made tell.
//!
//! A result is told from the others by what it writes on the board. Two results of one place differ if every field that
//! was chosen on the way is written, each with another effect. Results of two places differ if they put different
//! pieces down, or the same ones where they cannot meet.

use multigame_game::{Piece, PieceSet};

use crate::Value;
use crate::builder::Builder;
use crate::state::{Reach, State, Write};

/// A place where results are made.
#[derive(Debug)]
pub(crate) struct Site {
    writes: Vec<SiteWrite>,
    /// Whether every choice on the way can be read off the result.
    unique: bool,
}

#[derive(Debug)]
struct SiteWrite {
    field: Value,
    constant: Option<u64>,
    old: PieceSet,
    new: Piece,
    /// Where the field can be, and from which other field that is counted.
    reach: Option<Reach>,
}

impl Site {
    pub fn of(state: &State, builder: &Builder) -> Site {
        let mut writes = Vec::new();
        let mut unique = true;
        for Write { field, old, new } in &state.writes {
            let (Some(field), Some(new)) = (*field, *new) else {
                // Written only on some ways, or with something unknown: tells nothing.
                continue;
            };
            if old.contains(new) {
                unique &= !state.choices.iter().any(|(choice, _)| *choice == field);
                continue;
            }
            let reach = state
                .choices
                .iter()
                .find(|(choice, _)| *choice == field)
                .and_then(|(_, reach)| reach.clone());
            writes.push(SiteWrite { field, constant: builder.known(field), old: *old, new, reach });
        }
        let chosen: Vec<&SiteWrite> = writes
            .iter()
            .filter(|write| state.choices.iter().any(|(choice, _)| *choice == write.field))
            .collect();
        unique &= chosen.len() == state.choices.len();
        for (number, a) in chosen.iter().enumerate() {
            unique &= chosen[..number].iter().all(|b| a.new != b.new);
        }
        Site { writes, unique }
    }

    /// Whether a result of this place surely differs from every result of the other.
    fn differs_from(&self, other: &Site) -> bool {
        let mut mine: Vec<Piece> = self.writes.iter().map(|write| write.new).collect();
        let mut theirs: Vec<Piece> = other.writes.iter().map(|write| write.new).collect();
        mine.sort();
        theirs.sort();
        if mine != theirs {
            return true;
        }
        let pairs = self.writes.iter().filter_map(|a| {
            let mut same = other.writes.iter().filter(|b| b.new == a.new);
            match (same.next(), same.next()) {
                (Some(b), None) => Some((a, b)),
                _ => None,
            }
        });
        let pairs: Vec<(&SiteWrite, &SiteWrite)> = pairs.collect();
        if pairs.len() != self.writes.len() {
            return false;
        }
        pairs.iter().any(|(a, b)| {
            let apart = !a.old.iter().any(|piece| b.old.contains(piece));
            let elsewhere = matches!((a.constant, b.constant), (Some(x), Some(y)) if x != y);
            apart || elsewhere || cannot_meet(&pairs, a, b)
        })
    }
}

/// Both fields are counted from the field of the same pair, and are never the same.
fn cannot_meet(pairs: &[(&SiteWrite, &SiteWrite)], a: &SiteWrite, b: &SiteWrite) -> bool {
    let (Some(from_a), Some(from_b)) = (&a.reach, &b.reach) else { return false };
    let same_origin = pairs.iter().any(|(x, y)| x.field == from_a.origin && y.field == from_b.origin);
    same_origin
        && from_a.table.iter().zip(from_b.table.iter()).all(|(x, y)| x.iter().zip(y).all(|(x, y)| x & y == 0))
}

/// Whether equal results cannot be excluded.
pub(crate) fn may_repeat(sites: &[Site]) -> bool {
    let pairs = (0..sites.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    sites.iter().any(|site| !site.unique) || !pairs.into_iter().all(|(a, b)| sites[a].differs_from(&sites[b]))
}
