//! A perfect index of the ways to put given pieces on fields.
//!
//! Pieces that are alike are a combination of fields, numbered in colexicographic order; the index is a number
//! with one digit for each kind of piece, and the player to move above all. Arrangements with two pieces on
//! one field have numbers too, which is cheaper than to leave them out: they are never met, and compress to
//! nothing.

use multigame_game::{Piece, Side};

use crate::material::Material;
use crate::survey::Survey;

/// Where pieces may stand, and how that is numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    groups: Vec<Group>,
    /// Number of arrangements with one player to move.
    half: u64,
    total: usize,
}

/// The pieces of one kind and owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub piece: Piece,
    pub count: u8,
    /// The fields on which they may stand, in order.
    pub fields: Vec<u16>,
    /// For each field its place in the list, or `u16::MAX`.
    places: Vec<u16>,
    /// Number of ways to put them there.
    ways: u64,
}

impl Shape {
    /// The arrangements of a slice; nothing if their number has no room in 64 bits.
    pub fn new(material: &Material, survey: &Survey) -> Option<Shape> {
        Shape::of_groups(
            material.pieces().map(|(piece, count)| (piece, count, survey.fields(piece).to_vec())),
        )
    }

    /// From each kind of piece with its count and its fields in order.
    pub(crate) fn of_groups(groups: impl IntoIterator<Item = (Piece, u8, Vec<u16>)>) -> Option<Shape> {
        let groups: Option<Vec<Group>> = groups.into_iter().map(Group::new).collect();
        let groups = groups?;
        let half = groups.iter().try_fold(1u64, |product, group| product.checked_mul(group.ways))?;
        half.checked_mul(2)?;
        let total = groups.iter().map(|group| usize::from(group.count)).sum();
        Some(Shape { groups, half, total })
    }

    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Number of indices.
    pub fn size(&self) -> u64 {
        2 * self.half
    }

    /// Whose turn it is at an index.
    pub fn side(&self, index: u64) -> Side {
        if index < self.half { Side::White } else { Side::Black }
    }

    /// Writes the pieces at an index; false where two of them are on the same field.
    pub fn arrangement(&self, index: u64, pieces: &mut Vec<(Piece, u16)>) -> bool {
        let mut rest = index % self.half;
        pieces.clear();
        for group in &self.groups {
            let (mut rank, begin) = (rest % group.ways, pieces.len());
            rest /= group.ways;
            let mut above = group.fields.len();
            for left in (1..=u64::from(group.count)).rev() {
                let place = group.greatest(rank, left, above);
                rank -= binomial(place as u64, left).unwrap_or(0);
                above = place;
                let field = group.fields[place];
                if pieces[..begin].iter().any(|&(_, other)| other == field) {
                    return false;
                }
                pieces.push((group.piece, field));
            }
        }
        true
    }

    /// The index of pieces, in any order; nothing if they are other pieces, or on other fields.
    pub fn index(&self, pieces: &[(Piece, u16)], side: Side) -> Option<u64> {
        if pieces.len() != self.total {
            return None;
        }
        let (mut index, mut radix) = (0, 1);
        for group in &self.groups {
            index += radix * group.rank(pieces)?;
            radix *= group.ways;
        }
        Some(index + if side == Side::White { 0 } else { self.half })
    }
}

impl Group {
    fn new((piece, count, fields): (Piece, u8, Vec<u16>)) -> Option<Group> {
        let mut places = vec![u16::MAX; fields.last().map_or(0, |&last| usize::from(last) + 1)];
        fields.iter().enumerate().for_each(|(place, &field)| places[usize::from(field)] = place as u16);
        let ways = binomial(fields.len() as u64, count.into())?;
        Some(Group { piece, count, fields, places, ways })
    }

    /// The greatest place below `above` of which the combinations of `left` places begin at or below a rank.
    fn greatest(&self, rank: u64, left: u64, above: usize) -> usize {
        if left == 1 {
            return rank as usize;
        }
        let fits = |place: &usize| binomial(*place as u64, left).is_some_and(|first| first <= rank);
        (0..above).rev().find(fits).unwrap_or(0)
    }

    fn place(&self, field: u16) -> Option<u64> {
        self.places.get(usize::from(field)).filter(|&&place| place != u16::MAX).map(|&place| place.into())
    }

    fn rank(&self, pieces: &[(Piece, u16)]) -> Option<u64> {
        let mut own = pieces.iter().filter(|(piece, _)| *piece == self.piece).map(|&(_, field)| field);
        if self.count == 1 {
            let field = own.next()?;
            return if own.next().is_none() { self.place(field) } else { None };
        }
        let mut places = own.map(|field| self.place(field)).collect::<Option<Vec<u64>>>()?;
        if places.len() != usize::from(self.count) {
            return None;
        }
        places.sort_unstable();
        Some(places.iter().zip(1..).map(|(&place, left)| binomial(place, left).unwrap_or(0)).sum())
    }
}

/// `n` over `k`; nothing if it has no room in 64 bits.
pub(crate) fn binomial(n: u64, k: u64) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    let k = k.min(n - k);
    (0..k).try_fold(1u64, |product, i| {
        let next = u128::from(product) * u128::from(n - i) / u128::from(i + 1);
        u64::try_from(next).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_arrangement_has_one_number() {
        let groups =
            [(Piece(1), 2, vec![0, 1, 3, 4, 7]), (Piece(2), 1, vec![1, 2]), (Piece(3), 3, vec![2, 3, 4, 5])];
        let shape = Shape::of_groups(groups).unwrap();
        assert_eq!(shape.size(), 2 * 10 * 2 * 4);
        let (mut pieces, mut met) = (Vec::new(), 0);
        for index in 0..shape.size() {
            if shape.arrangement(index, &mut pieces) {
                met += 1;
                pieces.rotate_left(2);
                assert_eq!(shape.index(&pieces, shape.side(index)), Some(index));
            }
        }
        assert!((1..shape.size()).contains(&met));
        assert_eq!(shape.index(&[(Piece(1), 0)], Side::White), None);
    }

    #[test]
    fn combinations_are_counted_as_far_as_there_is_room() {
        assert_eq!(binomial(64, 2), Some(2016));
        assert_eq!(binomial(3, 5), Some(0));
        assert_eq!(binomial(200, 100), None);
    }
}
