//! The board as masks and shifts.

use std::rc::Rc;

use multigame_game::{Board, Direction, Field};
use smallvec::{SmallVec, smallvec};

/// A set of fields known while compiling: one word for each 64 fields.
pub(crate) type Mask = SmallVec<[u64; 2]>;

/// For each field a set of fields known while compiling, such as where a statement leads from there.
pub(crate) type Table = Rc<Vec<Mask>>;

/// A group of links of one direction that all lead equally far: their origins, and how far.
#[derive(Clone, Debug)]
pub(crate) struct Shift {
    pub from: Mask,
    pub by: i32,
    /// Whether shifting other fields too would lead onto the board's words: then they must be taken out
    /// before.
    pub masked: bool,
    /// Whether shifting fields back may lead to others than these: then those must be taken out afterwards.
    pub masked_back: bool,
}

/// What lowering needs to know about a board.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub words: usize,
    pub fields: usize,
    /// All fields that are not holes.
    pub all: Mask,
    /// For each direction its links, grouped by distance.
    pub shifts: Vec<Vec<Shift>>,
    /// For each direction and field: where a step leads.
    pub next: Vec<Vec<Option<Field>>>,
    /// For each direction the greatest number of steps anywhere; on rings the number of fields.
    pub longest: Vec<usize>,
    pub opposite: Vec<Option<Direction>>,
    /// The table that leads every field to itself.
    pub identity: Table,
}

impl Geometry {
    pub fn new(board: &Board) -> Geometry {
        let fields = board.size();
        let words = fields.div_ceil(64);
        let mut all = smallvec![0; words];
        board.fields().for_each(|field| insert(&mut all, field));
        let next: Vec<Vec<Option<Field>>> = board
            .directions()
            .map(|d| {
                (0..fields as u16)
                    .map(|f| if board.is_field(Field(f)) { board.step(Field(f), d) } else { None })
                    .collect()
            })
            .collect();
        let identity = (0..fields).map(|field| single(words, field)).collect();
        Geometry {
            words,
            fields,
            shifts: next.iter().map(|next| shifts(next, &all)).collect(),
            longest: next.iter().map(|next| longest(next)).collect(),
            all,
            next,
            opposite: board.directions().map(|d| board.opposite(d)).collect(),
            identity: Rc::new(identity),
        }
    }

    /// The fields a ray passes, without its origin; nothing on a ring.
    pub fn ray(&self, direction: Direction, from: usize) -> Option<Mask> {
        let mut mask = smallvec![0; self.words];
        let mut field = from;
        for _ in 0..self.fields {
            let Some(next) = self.next[direction.index()][field] else { return Some(mask) };
            insert(&mut mask, next);
            field = next.index();
        }
        None
    }

    /// Whether every step leads to a higher (1) or lower (-1) number; 0 if neither.
    pub fn sense(&self, direction: Direction) -> i32 {
        let shifts = &self.shifts[direction.index()];
        match () {
            () if shifts.iter().all(|shift| shift.by > 0) => 1,
            () if shifts.iter().all(|shift| shift.by < 0) => -1,
            () => 0,
        }
    }

    /// By how much every step in a direction changes the number of the field, if all do so equally.
    pub fn distance(&self, direction: Direction) -> Option<i32> {
        match &self.shifts[direction.index()][..] {
            [shift] => Some(shift.by),
            _ => None,
        }
    }

    /// The fields that steps in a direction (or back) lead to; nothing if shifted bits cannot come anywhere
    /// else.
    pub fn entered(&self, direction: Direction, backward: bool) -> Option<Mask> {
        let [shift] = &self.shifts[direction.index()][..] else { return None };
        let (by, mut entered): (i32, Mask) = match backward {
            true => (-shift.by, shift.from.clone()),
            false => (shift.by, smallvec![0; self.words]),
        };
        if !backward {
            for field in bits(&shift.from) {
                insert(&mut entered, Field((field as i32 + shift.by) as u16));
            }
        }
        let leaves = |field: usize| {
            let to = field as i32 + by;
            let inside = (0..(self.words * 64) as i32).contains(&to);
            inside && entered[to as usize / 64] >> (to % 64) & 1 == 0
        };
        bits(&self.all).any(leaves).then_some(entered)
    }

    /// Any one field.
    pub fn somewhere(&self) -> Mask {
        self.single(bits(&self.all).next().unwrap_or(0))
    }

    /// Whether a step in a direction always leads to another field, from which a step backward leads back. On
    /// a free graph the opposite direction may have links of its own.
    pub fn returns(&self, direction: Direction) -> bool {
        let Some(opposite) = self.opposite[direction.index()] else { return false };
        self.next[direction.index()].iter().enumerate().all(|(from, to)| {
            to.is_none_or(|to| {
                let back = self.next[opposite.index()][to.index()];
                to.index() != from && back.is_some_and(|back| back.index() == from)
            })
        })
    }

    /// A direction turned clockwise.
    pub fn turned(&self, direction: Direction, steps: i32) -> Direction {
        let count = self.next.len() as i32;
        Direction((i32::from(direction.0) + steps).rem_euclid(count) as u8)
    }

    pub fn single(&self, field: usize) -> Mask {
        single(self.words, field)
    }

    /// One step of every field of a known set.
    pub fn step_mask(&self, mask: &Mask, direction: Direction) -> Mask {
        let mut result: Mask = smallvec![0; self.words];
        if let [word] = mask[..] {
            for shift in &self.shifts[direction.index()] {
                let leaving = word & shift.from[0];
                let by = shift.by.unsigned_abs();
                result[0] |= if shift.by > 0 { leaving << by } else { leaving >> by };
            }
            return result;
        }
        for field in bits(mask) {
            if let Some(next) = self.next[direction.index()][field] {
                insert(&mut result, next);
            }
        }
        result
    }
}

fn single(words: usize, field: usize) -> Mask {
    let mut mask = smallvec![0; words];
    insert(&mut mask, Field(field as u16));
    mask
}

pub(crate) fn insert(mask: &mut Mask, field: Field) {
    mask[field.index() / 64] |= 1 << (field.index() % 64);
}

/// Adds fields to a set.
pub(crate) fn unite(mask: &mut Mask, more: &Mask) {
    mask.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

/// Where a table leads from the fields of a set.
pub(crate) fn through(mask: &Mask, table: &[Mask]) -> Mask {
    let mut all = smallvec![0; mask.len()];
    bits(mask).for_each(|field| unite(&mut all, &table[field]));
    all
}

/// The numbers of the fields in a set.
pub(crate) fn bits(mask: &Mask) -> impl Iterator<Item = usize> + '_ {
    mask.iter().enumerate().flat_map(|(number, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(number * 64 + bit)
        })
    })
}

/// Links from field to field, grouped by distance.
pub(crate) fn shifts(next: &[Option<Field>], all: &Mask) -> Vec<Shift> {
    let words = all.len();
    let mut groups: Vec<Shift> = Vec::new();
    for (field, to) in next.iter().enumerate() {
        let Some(to) = to else { continue };
        let by = i32::from(to.0) - field as i32;
        let group = match groups.iter().position(|group| group.by == by) {
            Some(group) => group,
            None => {
                groups.push(Shift { from: smallvec![0; words], by, masked: true, masked_back: true });
                groups.len() - 1
            }
        };
        insert(&mut groups[group].from, Field(field as u16));
    }
    let range = 0..(words * 64) as i32;
    for group in &mut groups {
        let from = &group.from;
        let origin =
            |field: usize| range.contains(&(field as i32 - group.by)).then(|| field as i32 - group.by);
        let is_from = |field: i32| from[field as usize / 64] >> (field % 64) & 1 != 0;
        group.masked_back = bits(all).filter_map(origin).any(|field| !is_from(field));
        let others = bits(all).filter(|field| from[field / 64] >> (field % 64) & 1 == 0);
        group.masked = others.into_iter().any(|field| range.contains(&(field as i32 + group.by)));
    }
    groups
}

fn longest(next: &[Option<Field>]) -> usize {
    (0..next.len())
        .map(|start| {
            let mut field = start;
            let mut steps = 0;
            while let Some(to) = next[field]
                && steps < next.len()
            {
                field = to.index();
                steps += 1;
            }
            steps
        })
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BOARD, program};

    #[test]
    fn steps_of_a_set_never_come_round_an_edge() {
        let program = program(BOARD, "find own man, replace by rock");
        let board = &program.description.board;
        let geometry = Geometry::new(board);
        for direction in board.directions() {
            let stepped = geometry.step_mask(&geometry.all, direction);
            let expected = board.fields().filter_map(|field| board.step(field, direction));
            let mut reached: Mask = smallvec![0; geometry.words];
            expected.for_each(|field| insert(&mut reached, field));
            assert_eq!(stepped, reached);
            assert!(geometry.returns(direction));
        }
    }

    #[test]
    fn turning_goes_round() {
        let program = program(BOARD, "find own man, replace by rock");
        let geometry = Geometry::new(&program.description.board);
        let count = geometry.next.len() as i32;
        let last = Direction(count as u8 - 1);
        assert_eq!([geometry.turned(last, 1), geometry.turned(Direction(0), -1)], [Direction(0), last]);
        assert_eq!(geometry.turned(last, count), last);
    }

    #[test]
    fn masks_through_tables_are_united() {
        let table: Vec<Mask> = vec![smallvec![0b10], smallvec![0b101], smallvec![0]];
        let from: Mask = smallvec![0b111];
        assert_eq!(through(&from, &table), smallvec![0b111u64] as Mask);
    }
}
