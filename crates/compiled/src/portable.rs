//! Words as bytes, and which words are a position.
//!
//! Machine code trusts its positions: it uses pieces, values and sets of fields as indices without looking.
//! So words that come from another process are inspected before they become a position.

use multigame_game::portable::take_u64;
use multigame_game::{Description, Field, Piece, Portable, Unreadable};
use multigame_mir::{HEADER, Header, Layout};

use crate::{Code, CompiledGame, Kept, Move, Position};

/// What the words of a position of one game must be like.
#[derive(Debug)]
pub struct Inspection {
    layout: Layout,
    /// How many words a position has, and how many bitboards.
    words: usize,
    boards: usize,
    /// The fields of the board, word by word.
    fields: Vec<u64>,
    /// Least and greatest value of each property that does not belong to fields.
    ranges: Vec<(i32, i32)>,
    /// For each property of fields the greatest number that encodes a value.
    greatest: Vec<u64>,
}

impl Inspection {
    /// For positions of a game with that layout.
    pub fn new(description: &Description, layout: &Layout) -> Inspection {
        let board = &description.board;
        let mut fields = vec![0; layout.set_words];
        for field in (0..layout.fields).filter(|&field| board.is_field(Field(field as u16))) {
            fields[field / 64] |= 1 << (field % 64);
        }
        let range_of = |slot: usize| {
            let mut properties = description.properties.iter();
            let property = properties.find(|it| (it.offset..it.offset + it.length(board)).contains(&slot));
            property.map_or((0, 0), |property| (property.low, property.high))
        };
        let ranges = layout.slots.iter().map(|&slot| range_of(slot)).collect();
        let greatest = layout.planes.iter().map(|planes| range_of(planes.slot));
        let greatest = greatest.map(|(low, high)| u64::from(high.abs_diff(low))).collect();
        let (words, boards) = (layout.words(), layout.boards());
        Inspection { layout: layout.clone(), words, boards, fields, ranges, greatest }
    }

    /// Appends words.
    pub fn pack(words: &[u64], bytes: &mut Vec<u8>) {
        bytes.reserve(size_of_val(words));
        words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    }

    /// Takes the words of a position off the front of bytes.
    pub fn unpack(&self, words: &mut [u64], bytes: &mut &[u8]) -> Result<(), Unreadable> {
        for word in words.iter_mut() {
            *word = take_u64(bytes)?;
        }
        if self.is_position(words) { Ok(()) } else { Err(Unreadable("a position of this game")) }
    }

    /// Whether words are a position: what is left is whether it can arise.
    pub fn is_position(&self, words: &[u64]) -> bool {
        words.len() == self.words
            && Header::of(words[HEADER]).word() == words[HEADER]
            && self.pieces_fit(words)
            && self.planes_fit(words)
            && self.values_fit(words)
    }

    fn pieces_fit(&self, words: &[u64]) -> bool {
        let layout = &self.layout;
        (0..layout.set_words).all(|word| {
            let boards = (0..self.boards).map(|number| words[layout.board_word(number) + word]);
            let inside = boards.clone().all(|board| board & !self.fields[word] == 0);
            let fits = match layout.coded {
                true => (layout.pieces + 1..1 << self.boards)
                    .all(|code| layout.fields_of(words, Piece(code as u8), word) == 0),
                false => are_disjoint(boards),
            };
            inside && fits
        })
    }

    /// Properties of fields have values in their range on the board, and mean the least value beyond it:
    /// `write` puts what a diagram says there.
    fn planes_fit(&self, words: &[u64]) -> bool {
        let set_words = self.layout.set_words;
        self.layout.planes.iter().zip(&self.greatest).all(|(planes, &greatest)| {
            (0..set_words).all(|word| {
                let size = self.layout.fields - word * 64;
                let all = if size >= 64 { u64::MAX } else { (1 << size) - 1 };
                let bits = (0..planes.bits).map(|bit| words[planes.word + bit * set_words + word]);
                let (mut above, mut equal, mut used) = (0, u64::MAX, 0);
                for (bit, plane) in bits.enumerate().rev() {
                    let limit = if greatest >> bit & 1 != 0 { u64::MAX } else { 0 };
                    above |= equal & plane & !limit;
                    equal &= !(plane ^ limit);
                    used |= plane;
                }
                above & all == 0 && used & !all == 0
            })
        })
    }

    fn values_fit(&self, words: &[u64]) -> bool {
        let first = self.layout.first_value_word();
        let value = |index: usize| (words[first + index / 2] >> (index % 2 * 32)) as u32 as i32;
        let in_range = |(index, &(low, high)): (usize, &(i32, i32))| (low..=high).contains(&value(index));
        let unused = if self.ranges.len() % 2 == 1 { words[words.len() - 1] >> 32 } else { 0 };
        unused == 0 && self.ranges.iter().enumerate().all(in_range)
    }
}

impl<C: Code> Portable for CompiledGame<C> {
    fn pack_position(&self, position: &Self::Position, bytes: &mut Vec<u8>) {
        Inspection::pack(position.words(), bytes);
    }

    fn unpack_position(&self, bytes: &mut &[u8]) -> Result<Self::Position, Unreadable> {
        let inspection = self.words.inspection();
        let mut kept = C::Kept::zeroed(inspection.words);
        inspection.unpack(kept.room(inspection.words).as_mut(), bytes)?;
        Ok(Position { kept })
    }

    fn pack_move(&self, mv: &Self::Move, bytes: &mut Vec<u8>) {
        self.pack_position(&mv.child, bytes);
        bytes.extend(mv.key.to_le_bytes());
    }

    fn unpack_move(&self, bytes: &mut &[u8]) -> Result<Self::Move, Unreadable> {
        Ok(Move { child: self.unpack_position(bytes)?, key: take_u64(bytes)? })
    }
}

fn are_disjoint(mut sets: impl Iterator<Item = u64>) -> bool {
    let mut seen = 0;
    sets.all(|set| {
        let apart = seen & set == 0;
        seen |= set;
        apart
    })
}
