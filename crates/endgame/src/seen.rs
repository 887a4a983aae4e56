//! A position as databases see it: pieces on fields, the properties that belong to its identity, the turn.
//!
//! Unhashed properties (counters of moves without progress) are left out, as everywhere in this project where
//! positions are told apart: what is stored is true for games in which such counters have just begun.

use multigame_game::{Description, Diagram, Game, Piece, Side};
use smallvec::SmallVec;

/// The properties that tell positions apart: number of the value, least and greatest value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots(Vec<(usize, i32, i32)>);

impl Slots {
    /// Those of a game.
    pub fn of(description: &Description) -> Slots {
        let hashed = description.properties.iter().filter(|property| property.hashed);
        let each = hashed.flat_map(|property| {
            let slots = property.offset..property.offset + property.length(&description.board);
            slots.map(|slot| (slot, property.low, property.high))
        });
        Slots(each.collect())
    }
}

/// A position, looked at once.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The pieces and their fields, in no particular order.
    pub pieces: SmallVec<[(Piece, u16); 8]>,
    /// Whose turn it is.
    pub side: Side,
    /// The values of [`Slots`], minus the least value of each; none where all of them are 0.
    values: SmallVec<[u32; 8]>,
    /// Whether all of them are 0.
    pub plain: bool,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen { pieces: SmallVec::new(), side: Side::White, values: SmallVec::new(), plain: true }
    }
}

impl Seen {
    /// Looks at a position.
    pub fn look<G: Game>(&mut self, game: &G, slots: &Slots, position: &G::Position) {
        self.look_at(game.side_to_move(position), slots, |slot| game.value(position, slot));
        game.for_each_piece(position, |piece, field| self.pieces.push((piece, field as u16)));
    }

    /// Takes the parts of a position.
    pub(crate) fn take(
        &mut self,
        side: Side,
        slots: &Slots,
        pieces: &[(Piece, u16)],
        value: &mut dyn FnMut(usize) -> i32,
    ) {
        self.look_at(side, slots, value);
        self.pieces.extend_from_slice(pieces);
    }

    /// Takes turn and properties; the pieces are to follow.
    fn look_at(&mut self, side: Side, slots: &Slots, mut value: impl FnMut(usize) -> i32) {
        self.side = side;
        self.pieces.clear();
        self.values.clear();
        self.plain = slots.0.iter().all(|&(slot, low, _)| value(slot) == low);
        if !self.plain {
            self.values.extend(slots.0.iter().map(|&(slot, low, _)| value(slot).wrapping_sub(low) as u32));
        }
    }
}

/// A position, and how the last move ended the game, as a number.
pub type Key = [u64; 4];

/// How positions become numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    pieces: u64,
    size: usize,
    ranges: Vec<u64>,
    slots: Slots,
    /// Words that are ever used.
    words: usize,
}

impl Packing {
    /// For the positions of a game; nothing if they have no room in 256 bits.
    pub fn of(description: &Description) -> Option<Packing> {
        let (pieces, size) = (description.pieces.len() as u64, description.board.size());
        let slots = Slots::of(description);
        let ranges: Vec<u64> =
            slots.0.iter().map(|&(_, low, high)| (i64::from(high) - i64::from(low)) as u64 + 1).collect();
        let logs = ranges.iter().map(|&range| (range as f64).log2());
        let bits = size as f64 * (pieces as f64).log2() + logs.sum::<f64>() + 1.0;
        // Rounding must not matter.
        let words = ((bits + 0.01) / 64.0).ceil() as usize;
        (words <= 4).then_some(Packing { pieces, size, ranges, slots, words })
    }

    /// What tells positions apart.
    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// Words of a [`Key`] that are ever used.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The number of a position.
    pub fn pack(&self, seen: &Seen) -> Key {
        let mut cells = vec![0; self.size];
        seen.pieces.iter().for_each(|&(piece, field)| cells[usize::from(field)] = u64::from(piece.0));
        let mut key = [0; 4];
        cells.iter().for_each(|&cell| push(&mut key, self.pieces, cell));
        for (slot, &range) in self.ranges.iter().enumerate() {
            push(&mut key, range, seen.values.get(slot).copied().unwrap_or(0).into());
        }
        push(&mut key, 2, seen.side.index() as u64);
        key
    }

    /// The position of a number, its other properties at their least values; nothing if there is none.
    pub fn unpack(&self, mut key: Key, diagram: &mut Diagram) -> bool {
        diagram.side = if pop(&mut key, 2) == 0 { Side::White } else { Side::Black };
        for (&range, &(slot, low, _)) in self.ranges.iter().zip(&self.slots.0).rev() {
            diagram.values[slot] = low.wrapping_add(pop(&mut key, range) as i32);
        }
        for cell in diagram.cells.iter_mut().rev() {
            *cell = Piece(pop(&mut key, self.pieces) as u8);
        }
        key == [0; 4]
    }
}

/// `key * radix + digit`.
fn push(key: &mut Key, radix: u64, digit: u64) {
    let mut carry = u128::from(digit);
    for word in key {
        let product = u128::from(*word) * u128::from(radix) + carry;
        (*word, carry) = (product as u64, product >> 64);
    }
}

/// Divides by the radix, and gives the remainder.
fn pop(key: &mut Key, radix: u64) -> u64 {
    let mut rest = 0;
    for word in key.iter_mut().rev() {
        let number = rest << 64 | u128::from(*word);
        (*word, rest) = ((number / u128::from(radix)) as u64, number % u128::from(radix));
    }
    rest as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_in_and_come_out() {
        let digits = [(13, 12), (3, 1), (2, 1), (70_000, 69_999), (13, 0), (1 << 40, 77), (13, 5)];
        let mut key = [0; 4];
        digits.iter().cycle().take(24).for_each(|&(radix, digit)| push(&mut key, radix, digit));
        assert!(key[3] > 0);
        let backward: Vec<_> = digits.iter().cycle().take(24).collect();
        assert!(backward.iter().rev().all(|&&(radix, digit)| pop(&mut key, radix) == digit));
        assert_eq!(key, [0; 4]);
    }
}
