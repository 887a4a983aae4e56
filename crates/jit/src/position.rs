//! Positions and moves as words.

use multigame_game::{Description, Outcome, Side, Zobrist};
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
        assign(&mut self.words, words);
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

/// A move of a [`crate::JitGame`]: the position it leads to.
///
/// PERF: generated code writes whole children. Keeping them costs a copy; a list of the words that change was a third
/// smaller for chess, and finding them took a quarter of the time of a search.
#[derive(Debug, Default)]
pub struct JitMove {
    words: SmallVec<[u64; 20]>,
    pub(crate) key: u64,
}

impl JitMove {
    /// The words of the position after the move.
    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// How the game ended by the move.
    #[inline]
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let header = self.words[HEADER];
        if header & Header::OUTCOME_MASK == 0 { None } else { Header::of(header).outcome }
    }
}

impl Clone for JitMove {
    fn clone(&self) -> Self {
        JitMove { words: SmallVec::from_slice(&self.words), key: self.key }
    }

    fn clone_from(&mut self, source: &Self) {
        assign(&mut self.words, &source.words);
        self.key = source.key;
    }
}

/// Moves of one position are compared, so it is enough to look at where they lead.
impl PartialEq for JitMove {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.words == other.words
    }
}

/// Describes moves of one game.
#[derive(Debug)]
pub(crate) struct Describer {
    layout: Layout,
    /// Words with the bits that the signature leaves out, where there are any.
    unhashed: Vec<(usize, u64)>,
}

impl Describer {
    pub fn new(description: &Description, layout: &Layout) -> Describer {
        let mut unhashed = vec![0; layout.words() - layout.first_plane_word()];
        let values = layout.first_value_word() - layout.first_plane_word();
        for property in description.properties.iter().filter(|property| !property.hashed) {
            for slot in property.offset..property.offset + property.length(&description.board) {
                if let Some(value) = layout.scalar(slot) {
                    unhashed[values + value / 2] |= 0xffff_ffff << (value % 2 * 32);
                }
            }
            for planes in layout.planes.iter().filter(|planes| planes.slot == property.offset) {
                let first = planes.word - layout.first_plane_word();
                unhashed[first..first + planes.bits * layout.set_words].fill(u64::MAX);
            }
        }
        let first = layout.first_plane_word();
        let words = unhashed.into_iter().enumerate().map(|(word, mask)| (first + word, mask));
        Describer { layout: layout.clone(), unhashed: words.filter(|&(_, mask)| mask != 0).collect() }
    }

    /// Describes the move between two positions.
    #[inline]
    pub fn describe(&self, before: &[u64], after: &[u64], mv: &mut JitMove) {
        assign(&mut mv.words, after);
        mv.key = before[SIGNATURE] ^ after[SIGNATURE] ^ outcome_key(after[HEADER]);
        for &(word, mask) in &self.unhashed {
            let difference = (before[word] ^ after[word]) & mask;
            if difference != 0 {
                mv.key ^= self.unhashed_key(word, difference, before, after);
            }
        }
    }

    /// What tells moves apart that differ only in what the signature leaves out.
    fn unhashed_key(&self, word: usize, difference: u64, before: &[u64], after: &[u64]) -> u64 {
        let layout = &self.layout;
        let key = |slot: usize, value: i32| Zobrist::any_value(slot, value).rotate_left(17);
        if let Some(value) = word.checked_sub(layout.first_value_word()) {
            let halves = (0..2).filter(|half| (difference >> (half * 32)) as u32 != 0);
            return halves.fold(0, |sum, half| {
                let new = (after[word] >> (half * 32)) as u32 as i32;
                sum ^ key(layout.slot(value * 2 + half), new)
            });
        }
        let Some(planes) = layout.planes.iter().rfind(|planes| planes.word <= word) else { return 0 };
        // Several words may tell of the same change: the first of them counts it.
        let (first, part) =
            ((word - planes.word) / layout.set_words, (word - planes.word) % layout.set_words);
        let earlier = (0..first).map(|bit| planes.word + bit * layout.set_words + part);
        let counted = earlier.fold(0, |counted, word| counted | (before[word] ^ after[word]));
        let fields = (0..64).filter(|field| (difference & !counted) >> field & 1 != 0);
        fields.fold(0, |sum, field| {
            let field = part * 64 + field;
            sum ^ key(planes.slot + field, layout.plane_value(planes, field, after))
        })
    }
}

/// Takes over words; no memory is taken if there were as many before.
#[inline]
fn assign<A: smallvec::Array<Item = u64>>(target: &mut SmallVec<A>, words: &[u64]) {
    if target.len() == words.len() {
        target.copy_from_slice(words);
    } else {
        target.clear();
        target.extend_from_slice(words);
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
