//! The known bounds of a position, and their form in the table.

use crate::transposition::Entry;
use crate::{Bound, Value};

/// The worth of a position for the player to move: -1, 0 or 1, or something between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub lower: i8,
    pub upper: i8,
}

impl Known {
    pub const NOTHING: Known = Known { lower: -1, upper: 1 };

    pub fn exactly(worth: i8) -> Known {
        Known { lower: worth, upper: worth }
    }

    /// Whether this decides if the position has at least this worth.
    pub fn answers(self, question: i8) -> bool {
        self.lower >= question || self.upper < question
    }

    pub fn turned(self) -> Known {
        Known { lower: -self.upper, upper: -self.lower }
    }

    /// The content of a table entry.
    pub fn of_entry(entry: Entry) -> Known {
        let worth = entry.value.number().clamp(-1, 1) as i8;
        match entry.bound {
            Bound::Exact => Known::exactly(worth),
            Bound::Lower => Known { lower: worth, upper: 1 },
            Bound::Upper => Known { lower: -1, upper: worth },
        }
    }

    /// The entry for a result that took the work of this many nodes, as a power of two.
    pub fn entry(self, work: u32) -> Entry {
        let bound = match self {
            Known { lower, upper } if lower == upper => Bound::Exact,
            Known { upper: 1, .. } => Bound::Lower,
            _ => Bound::Upper,
        };
        let worth = if bound == Bound::Upper { self.upper } else { self.lower };
        Entry { value: Value::new(i32::from(worth)), bound, depth: work, complete: true, mark: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_gives_back_what_it_was_told() {
        for (lower, upper) in [(-1, -1), (0, 0), (1, 1), (0, 1), (-1, 0)] {
            let known = Known { lower, upper };
            assert_eq!(Known::of_entry(known.entry(3)), known);
            assert_eq!(known.turned().turned(), known);
        }
    }
}
