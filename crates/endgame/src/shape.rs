//! A perfect index of the ways to put given pieces on fields.
//!
//! Pieces that are alike are a combination of fields, numbered in colexicographic order; the index is a
//! number with one digit for each kind of piece, and the player to move above all. Arrangements with two
//! pieces on one field have numbers too, which is cheaper than to leave them out: they are never met, and
//! compress to nothing.
//!
//! Where the rules take no notice of turning and reflecting the board, an arrangement is turned first, so
//! that a piece of which there is only one, the *anchor*, stands on one of a few fields: ten of 64 if a board
//! can be turned in all eight ways. Where the anchor stands on an axis, an arrangement and its image both
//! have numbers, which is again cheaper than to leave one of them out.

use multigame_game::{Field, Piece, Side};
use smallvec::SmallVec;

use crate::material::Material;
use crate::survey::Survey;

/// No place, or no group.
const NOWHERE: u16 = u16::MAX;
/// Most kinds of pieces of a slice.
const MOST_GROUPS: usize = 64;

/// Where pieces may stand, and how that is numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    groups: Vec<Group>,
    /// Number of arrangements with one player to move.
    half: u64,
    total: usize,
    /// For each piece number its group.
    group_of: Vec<u16>,
    /// Ways to turn the board, that which changes nothing first: where each field goes.
    turns: Vec<Vec<Field>>,
    /// The group whose piece is brought to one of a few fields; nothing without further turns.
    anchor: Option<usize>,
    /// For each field of the anchor the turn that does so.
    turn_of: Vec<u16>,
    /// For each place of the anchor the number of fields that it is the image of.
    images: Vec<u64>,
}

/// The pieces of one kind and owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub piece: Piece,
    pub count: u8,
    /// The fields on which they may stand, in order.
    pub fields: Vec<u16>,
    /// The same, but for the anchor those to which it is brought.
    stands: Vec<u16>,
    /// For each turn and field before it the place in that list.
    places: Vec<Vec<u16>>,
    /// For each number of pieces from 1, and each place, how many combinations come before.
    before: Vec<Vec<u64>>,
    /// Number of ways to put them there.
    ways: u64,
    /// What the next arrangement of them adds to the index.
    radix: u64,
}

/// A kind of piece with its count, and its fields in order.
pub(crate) type Fields = (Piece, u8, Vec<u16>);

impl Shape {
    /// The arrangements of a slice, none of them being the image of another; nothing if their number has no
    /// room in 64 bits.
    pub fn new(material: &Material, survey: &Survey) -> Option<Shape> {
        Shape::turned(material, survey, &[])
    }

    /// The same where the rules take no notice of these ways to turn the board.
    pub fn turned(material: &Material, survey: &Survey, symmetries: &[Vec<Field>]) -> Option<Shape> {
        let groups = material.pieces().map(|(piece, count)| (piece, count, survey.fields(piece).to_vec()));
        Shape::of_groups(groups, symmetries)
    }

    /// From each kind of piece.
    pub(crate) fn of_groups(
        groups: impl IntoIterator<Item = Fields>,
        symmetries: &[Vec<Field>],
    ) -> Option<Shape> {
        let mut groups: Vec<Fields> = groups.into_iter().collect();
        let fits = |turn: &&Vec<Field>| groups.iter().all(|(_, _, fields)| stays(fields, turn));
        let turns = closed(&symmetries.iter().filter(fits).cloned().collect::<Vec<_>>());
        groups.iter_mut().for_each(|(_, _, fields)| *fields = images(fields, &turns));
        let anchor = anchor(&groups, &turns);
        let turns = if anchor.is_some() { turns } else { Vec::new() };
        let mut shape = Shape {
            groups: Vec::new(),
            half: 1,
            total: groups.iter().map(|(_, count, _)| usize::from(*count)).sum(),
            group_of: Vec::new(),
            turns,
            anchor,
            turn_of: Vec::new(),
            images: Vec::new(),
        };
        for (number, (piece, count, fields)) in groups.into_iter().enumerate() {
            let stands = if anchor == Some(number) { shape.bring(&fields) } else { fields.clone() };
            let group = Group::new(piece, count, fields, stands, &shape.turns, shape.half)?;
            shape.half = shape.half.checked_mul(group.ways)?;
            let known = shape.group_of.len().max(piece.index() + 1);
            shape.group_of.resize(known, NOWHERE);
            shape.group_of[piece.index()] = number as u16;
            shape.groups.push(group);
        }
        shape.half.checked_mul(2)?;
        (shape.groups.len() <= MOST_GROUPS).then_some(shape)
    }

    /// The few fields to which the anchor is brought from these.
    fn bring(&mut self, fields: &[u16]) -> Vec<u16> {
        let size = fields.last().map_or(0, |&last| usize::from(last) + 1);
        self.turn_of = vec![NOWHERE; size];
        let mut stands: Vec<u16> = Vec::new();
        for &field in fields {
            let image = |turn: usize| self.turns[turn][usize::from(field)].0;
            let turn = (0..self.turns.len()).min_by_key(|&turn| image(turn)).unwrap_or(0);
            self.turn_of[usize::from(field)] = turn as u16;
            if let Err(place) = stands.binary_search(&image(turn)) {
                stands.insert(place, image(turn));
                self.images.insert(place, 0);
            }
            if let Ok(place) = stands.binary_search(&image(turn)) {
                self.images[place] += 1;
            }
        }
        stands
    }

    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The ways to turn the board which arrangements are not told apart by.
    pub(crate) fn symmetries(&self) -> &[Vec<Field>] {
        self.turns.get(1..).unwrap_or(&[])
    }

    /// Number of indices.
    pub fn size(&self) -> u64 {
        2 * self.half
    }

    /// Whose turn it is at an index.
    pub fn side(&self, index: u64) -> Side {
        if index < self.half { Side::White } else { Side::Black }
    }

    /// For how many arrangements an index stands, itself included.
    pub fn images(&self, index: u64) -> u64 {
        let Some(anchor) = self.anchor.map(|anchor| &self.groups[anchor]) else { return 1 };
        self.images[(index / anchor.radix % anchor.ways) as usize]
    }

    /// Writes the pieces at an index; false where two of them are on the same field.
    pub fn arrangement(&self, index: u64, pieces: &mut Vec<(Piece, u16)>) -> bool {
        let mut rest = index % self.half;
        pieces.clear();
        for group in &self.groups {
            let (mut rank, begin) = (rest % group.ways, pieces.len());
            rest /= group.ways;
            let mut above = group.stands.len();
            for left in (0..usize::from(group.count)).rev() {
                let before = &group.before[left];
                // One piece has as many combinations before it as places.
                let place = match left {
                    0 => rank as usize,
                    _ => before[..above].partition_point(|&first| first <= rank).saturating_sub(1),
                };
                rank -= before[place];
                above = place;
                let field = group.stands[place];
                if pieces[..begin].iter().any(|&(_, other)| other == field) {
                    return false;
                }
                pieces.push((group.piece, field));
            }
        }
        true
    }

    /// The index of pieces, in any order; nothing if they are other pieces, or on other fields.
    #[inline]
    pub fn index(&self, pieces: &[(Piece, u16)], side: Side) -> Option<u64> {
        if pieces.len() != self.total {
            return None;
        }
        let turn = match self.anchor {
            None => 0,
            Some(anchor) => {
                let piece = self.groups[anchor].piece;
                let &(_, field) = pieces.iter().find(|(other, _)| *other == piece)?;
                usize::from(*self.turn_of.get(usize::from(field)).filter(|turn| **turn != NOWHERE)?)
            }
        };
        let mut index = if side == Side::White { 0 } else { self.half };
        let mut several: SmallVec<[(u16, u16); 8]> = SmallVec::new();
        // As there are as many as there should be, none is missing if none is one too many.
        let mut met = 0u64;
        for &(piece, field) in pieces {
            let number = *self.group_of.get(piece.index())?;
            let group = self.groups.get(usize::from(number))?;
            let place = *group.places[turn].get(usize::from(field)).filter(|place| **place != NOWHERE)?;
            if group.count > 1 {
                several.push((number, place));
                continue;
            }
            if met >> number & 1 != 0 {
                return None;
            }
            met |= 1 << number;
            index += group.radix * u64::from(place);
        }
        if !several.is_empty() {
            several.sort_unstable();
            let mut nth = 0;
            for (at, &(number, place)) in several.iter().enumerate() {
                nth = if at > 0 && several[at - 1].0 == number { nth + 1 } else { 0 };
                let group = &self.groups[usize::from(number)];
                index += group.radix * group.before.get(nth)?[usize::from(place)];
            }
        }
        Some(index)
    }
}

impl Group {
    fn new(
        piece: Piece,
        count: u8,
        fields: Vec<u16>,
        stands: Vec<u16>,
        turns: &[Vec<Field>],
        radix: u64,
    ) -> Option<Group> {
        let size = fields.last().map_or(0, |&last| usize::from(last) + 1);
        let place = |field: u16| stands.binary_search(&field).map_or(NOWHERE, |place| place as u16);
        let unturned = (0..size as u16).map(place).collect();
        let turned = |turn: &Vec<Field>| (0..size).map(|field| place(turn[field].0)).collect();
        let places = if turns.is_empty() { vec![unturned] } else { turns.iter().map(turned).collect() };
        let all = stands.len() as u64;
        let combinations =
            |left: u64| (0..all).map(|place| binomial(place, left)).collect::<Option<Vec<u64>>>();
        let before = (1..=count.into()).map(combinations).collect::<Option<Vec<_>>>()?;
        let ways = binomial(all, count.into())?;
        Some(Group { piece, count, fields, stands, places, before, ways, radix })
    }
}

/// All that come of turning one after the other, that which changes nothing first.
pub(crate) fn closed(symmetries: &[Vec<Field>]) -> Vec<Vec<Field>> {
    let Some(first) = symmetries.first() else { return Vec::new() };
    let mut all = vec![(0..first.len() as u16).map(Field).collect::<Vec<Field>>()];
    let mut next = 0;
    while next < all.len() {
        for symmetry in symmetries {
            let both: Vec<Field> = all[next].iter().map(|field| symmetry[field.index()]).collect();
            if !all.contains(&both) {
                all.push(both);
            }
        }
        next += 1;
    }
    all
}

/// Whether turning the board leads from the fields of a piece to hardly any others: random games may have
/// missed a few, but the light fields of a board on which pieces stand on dark ones would be a waste.
fn stays(fields: &[u16], turn: &[Field]) -> bool {
    let others = fields.iter().filter(|&&field| fields.binary_search(&turn[usize::from(field)].0).is_err());
    others.count() <= fields.len() / 8
}

/// The images of fields, in order.
fn images(fields: &[u16], turns: &[Vec<Field>]) -> Vec<u16> {
    let turned = turns.iter().flat_map(|turn| fields.iter().map(|&field| turn[usize::from(field)].0));
    let mut all: Vec<u16> = fields.iter().copied().chain(turned).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The piece that leaves the fewest arrangements when it is brought to a few fields.
fn anchor(groups: &[Fields], turns: &[Vec<Field>]) -> Option<usize> {
    let share = |fields: &[u16]| {
        let least = |field: u16| turns.iter().map(|turn| turn[usize::from(field)].0).min();
        let stands = fields.iter().filter(|field| least(**field) == Some(**field)).count();
        stands as f64 / fields.len().max(1) as f64
    };
    let single = groups.iter().enumerate().filter(|(_, (_, count, _))| *count == 1 && !turns.is_empty());
    let shares = single.map(|(number, (_, _, fields))| (number, share(fields)));
    shares.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(number, _)| number)
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
        let shape = Shape::of_groups(groups, &[]).unwrap();
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
    fn images_share_a_number_and_are_counted() {
        // Five fields in a row, which can be reflected.
        let reflected: Vec<Field> = (0..5).rev().map(Field).collect();
        let fields = vec![0, 1, 2, 3, 4];
        let groups = [(Piece(1), 2, fields.clone()), (Piece(2), 1, vec![1, 2, 3]), (Piece(3), 1, fields)];
        let shape = Shape::of_groups(groups, &[reflected]).unwrap();
        assert_eq!(shape.size(), 2 * 10 * 3 * 3);
        let (mut pieces, mut met) = (Vec::new(), 0);
        for index in 0..shape.size() {
            if shape.arrangement(index, &mut pieces) {
                met += shape.images(index);
                assert_eq!(shape.index(&pieces, shape.side(index)), Some(index));
                let turned: Vec<_> = pieces.iter().map(|&(piece, field)| (piece, 4 - field)).collect();
                let image = shape.index(&turned, shape.side(index)).unwrap();
                let mut back = Vec::new();
                shape.arrangement(image, &mut back);
                back.sort_unstable();
                let mut both = [pieces.clone(), turned];
                both.iter_mut().for_each(|pieces| pieces.sort_unstable());
                assert!(both.contains(&back));
            }
        }
        // The second piece first, then two of four fields, then one of two.
        assert_eq!(met, 2 * 3 * 6 * 2);
        assert_eq!(
            shape.index(&[(Piece(1), 0), (Piece(1), 1), (Piece(1), 2), (Piece(3), 3)], Side::White),
            None
        );
    }

    #[test]
    fn combinations_are_counted_as_far_as_there_is_room() {
        assert_eq!(binomial(64, 2), Some(2016));
        assert_eq!(binomial(3, 5), Some(0));
        assert_eq!(binomial(200, 100), None);
    }
}
