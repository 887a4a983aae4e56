//! Positions and moves as words.

use multigame_game::{Description, Side, Zobrist};
use multigame_mir::{HEADER, Header, Layout, SIGNATURE};
use smallvec::SmallVec;

/// A position of a [`crate::JitGame`].
#[derive(Debug)]
pub struct JitPosition {
    pub(crate) words: SmallVec<[u64; 32]>,
}

impl JitPosition {
    /// Takes over the words of another position; no memory is taken if there was one of the same game before.
    #[inline]
    pub(crate) fn assign(&mut self, words: &[u64]) {
        if self.words.len() == words.len() {
            self.words.copy_from_slice(words);
        } else {
            self.words.clear();
            self.words.extend_from_slice(words);
        }
    }

    pub(crate) fn header(&self) -> Header {
        Header::of(self.words[HEADER])
    }
}

impl Clone for JitPosition {
    fn clone(&self) -> Self {
        JitPosition { words: SmallVec::from_slice(&self.words) }
    }

    fn clone_from(&mut self, source: &Self) {
        self.assign(&source.words);
    }
}

/// Positions are equal if the game goes on from them in the same way.
impl PartialEq for JitPosition {
    fn eq(&self, other: &Self) -> bool {
        same(&self.words, &other.words)
    }
}

/// Whether two positions are equal: signatures follow from the rest, and how a position was reached does not matter.
pub(crate) fn same(a: &[u64], b: &[u64]) -> bool {
    (a[HEADER] ^ b[HEADER]) & !Header::IRREVERSIBLE == 0 && a[HEADER + 1..] == b[HEADER + 1..]
}

/// Whether pieces and properties are the same.
pub(crate) fn same_matter(a: &[u64], b: &[u64]) -> bool {
    a[HEADER + 1..] == b[HEADER + 1..]
}

/// A move of a [`crate::JitGame`]: the difference between two positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JitMove {
    /// Words after the header that change, xor of before and after.
    changes: SmallVec<[(u16, u64); 6]>,
    /// Signature before xor signature after.
    signature: u64,
    /// The header after the move, but for the side: xor of before and after.
    header: u64,
    pub(crate) key: u64,
}

impl JitMove {
    /// The words after the header that change, xor of before and after.
    #[inline]
    pub(crate) fn changes(&self) -> &[(u16, u64)] {
        &self.changes
    }

    /// Writes the position after the move.
    #[inline]
    pub(crate) fn apply(&self, position: &JitPosition, child: &mut JitPosition) {
        child.assign(&position.words);
        child.words[SIGNATURE] ^= self.signature;
        child.words[HEADER] = (child.words[HEADER] & Header::BLACK) ^ self.header;
        for &(word, difference) in &self.changes {
            child.words[usize::from(word)] ^= difference;
        }
    }
}

/// Describes moves of one game.
#[derive(Debug)]
pub(crate) struct Describer {
    first_value: usize,
    /// For each word of values the bits that the signature leaves out.
    unhashed: Vec<u64>,
}

impl Describer {
    pub fn new(description: &Description, layout: &Layout) -> Describer {
        let mut unhashed = vec![0; layout.words() - layout.first_value_word()];
        for property in description.properties.iter().filter(|property| !property.hashed) {
            for value in property.offset..property.offset + property.length(&description.board) {
                unhashed[value / 2] |= 0xffff_ffff << (value % 2 * 32);
            }
        }
        Describer { first_value: layout.first_value_word(), unhashed }
    }

    /// Describes the move between two positions.
    #[inline]
    pub fn describe(&self, before: &[u64], after: &[u64], mv: &mut JitMove) {
        mv.signature = before[SIGNATURE] ^ after[SIGNATURE];
        mv.header = (before[HEADER] & Header::BLACK) ^ after[HEADER];
        mv.key = mv.signature ^ outcome_key(after[HEADER]);
        mv.changes.clear();
        for (word, (old, new)) in before.iter().zip(after).enumerate().skip(HEADER + 1) {
            let difference = old ^ new;
            if difference != 0 {
                mv.changes.push((word as u16, difference));
                if word >= self.first_value && difference & self.unhashed[word - self.first_value] != 0 {
                    mv.key ^= self.unhashed_key(word - self.first_value, difference, *new);
                }
            }
        }
    }

    /// What tells moves apart that differ only in what the signature leaves out.
    fn unhashed_key(&self, word: usize, difference: u64, new: u64) -> u64 {
        let difference = difference & self.unhashed[word];
        let halves = (0..2).filter(|half| (difference >> (half * 32)) as u32 != 0);
        halves.fold(0, |key, half| {
            let value = (new >> (half * 32)) as u32 as i32;
            key ^ Zobrist::any_value(word * 2 + half, value).rotate_left(17)
        })
    }
}

/// What an outcome adds to the key of the move that leads to it.
#[inline]
fn outcome_key(header: u64) -> u64 {
    if header & Header::OUTCOME_MASK == 0 {
        return 0;
    }
    Header::of(header)
        .outcome
        .map_or(0, |outcome| (outcome.worth_to(Side::White) as u64).wrapping_mul(0x2545_f491_4f6c_dd1d) | 1)
}
