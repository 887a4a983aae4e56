//! A finished pattern database: one small number for each abstract position, packed.

use std::fmt;
use std::sync::Arc;

use multigame_game::{Abstraction, Game, Image, Piece, PieceSet};

use super::Arrangement;
use super::arrangement::preimage;

/// Which moves a database counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Costs {
    /// Those of kept pieces: numbers of databases that share no piece may be added.
    Own,
    /// All moves: of several databases the greatest number counts.
    All,
}

/// A pattern database. The numbers may lie anywhere: in memory of their own or in a file that is mapped.
#[derive(Clone)]
pub struct PatternDatabase {
    abstraction: Abstraction,
    arrangement: Arrangement,
    costs: Costs,
    /// Bits of a number; all ones mean positions that were not found.
    width: u32,
    numbers: Arc<dyn AsRef<[u8]> + Send + Sync>,
}

impl PatternDatabase {
    /// Puts a database together; nothing if there are too few numbers.
    pub fn new(
        abstraction: Abstraction,
        arrangement: Arrangement,
        costs: Costs,
        width: u32,
        numbers: Arc<dyn AsRef<[u8]> + Send + Sync>,
    ) -> Option<PatternDatabase> {
        let pattern = PatternDatabase { abstraction, arrangement, costs, width, numbers };
        let enough = (*pattern.numbers).as_ref().len() as u64 >= packed_size(pattern.entries(), width);
        (enough && (1..=8).contains(&width)).then_some(pattern)
    }

    /// The same numbers, looked up for the image of each position.
    pub(super) fn seen_in(&self, image: &Image) -> PatternDatabase {
        let Abstraction { name, kept } = &self.abstraction;
        let kept = kept.iter().map(|piece| preimage(image, piece)).collect();
        PatternDatabase {
            abstraction: Abstraction { name: format!("{name}, reflected"), kept },
            arrangement: self.arrangement.seen_in(image),
            ..self.clone()
        }
    }

    /// Packs numbers, one byte each; 255 means positions that were not found.
    pub(super) fn pack(
        abstraction: Abstraction,
        arrangement: Arrangement,
        costs: Costs,
        numbers: &[u8],
    ) -> PatternDatabase {
        let largest = numbers.iter().copied().filter(|&number| number != u8::MAX).max().unwrap_or(0);
        let width =
            u32::from(largest + 1).next_power_of_two().max(u32::from(largest) + 2).next_power_of_two();
        let width = width.trailing_zeros().clamp(1, 8);
        let unknown = ((1u16 << width) - 1) as u8;
        let mut packed = vec![0u8; packed_size(numbers.len() as u64, width) as usize];
        for (index, &number) in numbers.iter().enumerate() {
            let number = if number == u8::MAX { unknown } else { number };
            let bit = index * width as usize;
            let shifted = u16::from(number) << (bit % 8);
            packed[bit / 8] |= shifted as u8;
            packed[bit / 8 + 1] |= (shifted >> 8) as u8;
        }
        PatternDatabase { abstraction, arrangement, costs, width, numbers: Arc::new(packed) }
    }

    /// The kept pieces.
    pub fn abstraction(&self) -> &Abstraction {
        &self.abstraction
    }

    /// Which moves it counts.
    pub fn costs(&self) -> Costs {
        self.costs
    }

    /// Bits of a number.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The packed numbers.
    pub fn bytes(&self) -> &[u8] {
        (*self.numbers).as_ref()
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        match self.costs {
            Costs::Own => self.arrangement.kept_count(),
            Costs::All => self.arrangement.positions(),
        }
    }

    /// The greatest number, and the average of all that are known.
    pub fn summary(&self) -> (u32, f64) {
        let (mut greatest, mut sum, mut count) = (0, 0u64, 0u64);
        for number in (0..self.entries()).filter_map(|index| self.get(index)) {
            greatest = greatest.max(number);
            sum += u64::from(number);
            count += 1;
        }
        (greatest, sum as f64 / count.max(1) as f64)
    }

    /// Least number of moves of its kind from a position; 0 where nothing is known.
    #[inline]
    pub fn bound<G: Game>(&self, game: &G, position: &G::Position) -> u32 {
        let index = match self.costs {
            Costs::Own => self.arrangement.kept(game, position),
            Costs::All => self.arrangement.whole(game, position),
        };
        index.and_then(|index| self.get(index)).unwrap_or(0)
    }

    #[inline]
    fn get(&self, index: u64) -> Option<u32> {
        let bytes = self.bytes();
        let bit = index as usize * self.width as usize;
        let both = u16::from_le_bytes([*bytes.get(bit / 8)?, *bytes.get(bit / 8 + 1)?]);
        let unknown = (1u16 << self.width) - 1;
        let number = both >> (bit % 8) & unknown;
        (number != unknown).then_some(u32::from(number))
    }

    /// For one kept piece whose own moves count: the piece, and the number for each field it can be on.
    pub(super) fn by_field(&self) -> Option<(Piece, [u8; 64])> {
        let [piece] = *self.arrangement.pieces() else { return None };
        let mut numbers = [0; 64];
        for (index, field) in self.arrangement.fields().iter().enumerate() {
            numbers[field.index()] = self.get(index as u64).unwrap_or(0) as u8;
        }
        (self.costs == Costs::Own).then_some((piece, numbers))
    }

    /// Whether two databases keep none of the same pieces.
    pub(super) fn is_disjoint(&self, other: &PatternDatabase) -> bool {
        let kept: PieceSet = other.abstraction.kept;
        !self.abstraction.kept.iter().any(|piece| kept.contains(piece))
    }
}

/// Bytes of packed numbers; one more than needed, so that two can always be read.
fn packed_size(entries: u64, width: u32) -> u64 {
    (entries * u64::from(width)).div_ceil(8) + 1
}

impl fmt::Debug for PatternDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("PatternDatabase");
        out.field("name", &self.abstraction.name).field("costs", &self.costs).field("width", &self.width);
        out.finish_non_exhaustive()
    }
}

impl PartialEq for PatternDatabase {
    fn eq(&self, other: &Self) -> bool {
        self.abstraction == other.abstraction && self.costs == other.costs && self.bytes() == other.bytes()
    }
}
