//! The board as masks and shifts.

use multigame_game::{Board, Direction, Field};
use smallvec::{SmallVec, smallvec};

/// A set of fields known while compiling: one word for each 64 fields.
pub(crate) type Mask = SmallVec<[u64; 2]>;

/// A group of links of one direction that all lead equally far: their origins, and how far.
#[derive(Clone, Debug)]
pub(crate) struct Shift {
    pub from: Mask,
    pub by: i32,
}

/// What lowering needs to know about a board.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub words: usize,
    pub fields: usize,
    /// All fields that are no holes.
    pub all: Mask,
    /// For each direction its links, grouped by distance.
    pub shifts: Vec<Vec<Shift>>,
    /// For each direction and field: where a step leads.
    pub next: Vec<Vec<Option<Field>>>,
    /// For each direction the greatest number of steps anywhere; on rings the number of fields.
    pub longest: Vec<usize>,
    pub opposite: Vec<Option<Direction>>,
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
        Geometry {
            words,
            fields,
            all,
            shifts: next.iter().map(|next| shifts(next, words)).collect(),
            longest: next.iter().map(|next| longest(next)).collect(),
            next,
            opposite: board.directions().map(|d| board.opposite(d)).collect(),
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

    pub fn single(&self, field: usize) -> Mask {
        let mut mask = smallvec![0; self.words];
        insert(&mut mask, Field(field as u16));
        mask
    }

    /// One step of every field of a known set.
    pub fn step_mask(&self, mask: &Mask, direction: Direction) -> Mask {
        let mut result = smallvec![0; self.words];
        for field in bits(mask) {
            if let Some(next) = self.next[direction.index()][field] {
                insert(&mut result, next);
            }
        }
        result
    }
}

fn insert(mask: &mut Mask, field: Field) {
    mask[field.index() / 64] |= 1 << (field.index() % 64);
}

/// The numbers of the fields in a set.
pub(crate) fn bits(mask: &Mask) -> impl Iterator<Item = usize> + '_ {
    (0..mask.len() * 64).filter(|&field| mask[field / 64] >> (field % 64) & 1 != 0)
}

fn shifts(next: &[Option<Field>], words: usize) -> Vec<Shift> {
    let mut groups: Vec<Shift> = Vec::new();
    for (field, to) in next.iter().enumerate() {
        let Some(to) = to else { continue };
        let by = i32::from(to.0) - field as i32;
        let group = match groups.iter().position(|group| group.by == by) {
            Some(group) => group,
            None => {
                groups.push(Shift { from: smallvec![0; words], by });
                groups.len() - 1
            }
        };
        insert(&mut groups[group].from, Field(field as u16));
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
