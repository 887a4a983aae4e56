//! Positions as words: what the code of all back ends has in common.

use multigame_game::{
    Description, FieldWeights, Outcome, Piece, PieceSet, Side, Signature, Weights, Zobrist,
};
use multigame_ir::Program;
use multigame_mir::{HEADER, Header, Layout, SIGNATURE};

use crate::portable::Inspection;

/// What has to be known about a game's words to tell moves apart and to weigh positions.
#[derive(Debug)]
pub struct Words {
    layout: Layout,
    /// Words with the bits that the signature leaves out, where there are any.
    unhashed: Vec<(usize, u64)>,
    /// For each value of a position its word and how far it is shifted, unless it belongs to a field.
    scalars: Vec<Option<(usize, u32)>>,
    /// For each value what the most usual changes add to keys: by one, and to nothing.
    usual_changes: Vec<[Signature; 2]>,
    /// The words of each player's pieces.
    own: [Vec<usize>; 2],
    /// Each player's pieces.
    pieces: [PieceSet; 2],
    /// Which words are a position.
    inspection: Inspection,
}

impl Words {
    /// Of a game with that layout.
    pub fn new(description: &Description, layout: &Layout) -> Words {
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
        let own = Side::BOTH.map(|side| {
            let boards = description.pieces_of(side).iter().filter(|_| !layout.coded);
            let boards = boards.map(|piece| layout.board(piece));
            boards.flat_map(|board| board..board + layout.set_words).collect()
        });
        let slots = 0..description.value_count();
        let place = |value| (layout.first_value_word() + value / 2, (value % 2 * 32) as u32);
        Words {
            layout: layout.clone(),
            own,
            scalars: slots.clone().map(|slot| layout.scalar(slot).map(place)).collect(),
            usual_changes: slots
                .map(|slot| [Zobrist::change(slot, 0, 1), Zobrist::change(slot, 1, 0)])
                .collect(),
            unhashed: words.filter(|&(_, mask)| mask != 0).collect(),
            pieces: Side::BOTH.map(|side| description.pieces_of(side)),
            inspection: Inspection::new(description, layout),
        }
    }

    /// Which words are a position.
    pub fn inspection(&self) -> &Inspection {
        &self.inspection
    }

    /// The layout of positions.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The key of the move between two positions.
    #[inline]
    pub fn key(&self, before: &[u64], after: &[u64]) -> u64 {
        let mut key = before[SIGNATURE] ^ after[SIGNATURE] ^ outcome_key(after[HEADER]);
        for &(word, mask) in &self.unhashed {
            let difference = (before[word] ^ after[word]) & mask;
            if difference != 0 {
                key ^= self.unhashed_key(word, difference, before, after);
            }
        }
        key
    }

    /// Which way a player's piece went; see [`multigame_game::Game::ends`].
    pub fn ends(&self, before: &[u64], after: &[u64], side: Side) -> (usize, usize) {
        let (mut from, mut to) = (0, 0);
        let mut compare = |before: u64, after: u64, first: usize| {
            let last = |set: u64| if set == 0 { 0 } else { first + 64 - set.leading_zeros() as usize };
            from = from.max(last(before & !after));
            to = to.max(last(after & !before));
        };
        for &word in &self.own[side.index()] {
            compare(before[word], after[word], (word - (HEADER + 1)) % self.layout.set_words * 64);
        }
        if self.layout.coded {
            for word in 0..self.layout.set_words {
                let occupied = |words: &[u64]| self.layout.occupied(words, word);
                compare(occupied(before), occupied(after), word * 64);
            }
        }
        (from, to)
    }

    /// Whether a player's piece went to a field, counted from 1, as [`Words::ends`] has it.
    #[inline]
    pub fn goes_to(&self, before: &[u64], after: &[u64], side: Side, field: usize) -> bool {
        let bit = 1 << (field.wrapping_sub(1) % 64);
        let changes = |&word: &usize| after[word] & !before[word] & bit != 0;
        // PERF: mostly nothing does, so there is no need to ask what.
        let may = field == 0 || self.layout.coded || self.own[side.index()].iter().any(changes);
        may && self.ends(before, after, side).1 == field
    }

    /// Whether weights count a player's pieces alone.
    #[inline]
    pub fn weighs_only(&self, weights: &Weights, side: Side) -> bool {
        let others = |(piece, _): &(usize, &i32)| !self.pieces[side.index()].contains(Piece(*piece as u8));
        weights.values.is_empty()
            && weights.pieces.iter().enumerate().filter(others).all(|(_, &weight)| weight == 0)
    }

    /// Which kind of a player's pieces leaves its field; see [`multigame_game::Game::mover`].
    pub fn mover(&self, before: &[u64], after: &[u64], side: Side) -> Option<Piece> {
        let left = |&&word: &&usize| before[word] & !after[word] != 0;
        let word = self.own[side.index()].iter().find(left)?;
        Some(Piece(((word - (HEADER + 1)) / self.layout.set_words + 1) as u8))
    }

    /// What a position weighs.
    #[inline]
    pub fn weigh(&self, words: &[u64], weights: &Weights) -> i32 {
        let layout = &self.layout;
        if layout.coded {
            let weighed = (1..=layout.pieces).filter(|&piece| weights.pieces[piece] != 0);
            let pieces = weighed.map(|piece| {
                let fields = |word| layout.fields_of(words, Piece(piece as u8), word).count_ones();
                weights.pieces[piece] * (0..layout.set_words).map(fields).sum::<u32>() as i32
            });
            return pieces.sum::<i32>() + weigh_values(layout, words, weights);
        }
        let boards = &words[HEADER + 1..layout.first_plane_word()];
        let boards = boards.chunks_exact(layout.set_words).zip(&weights.pieces[1..]);
        let pieces = boards
            .filter(|(_, weight)| **weight != 0)
            .map(|(board, weight)| weight * board.iter().map(|word| word.count_ones() as i32).sum::<i32>());
        pieces.sum::<i32>() + weigh_values(layout, words, weights)
    }

    /// By how much what a position weighs changes from one to the next.
    #[inline]
    pub fn weigh_move(&self, position: &[u64], child: &[u64], weights: &Weights) -> i32 {
        if self.layout.coded {
            return self.weigh(child, weights) - self.weigh(position, weights);
        }
        let boards = HEADER + 1..HEADER + 1 + self.layout.pieces * self.layout.set_words;
        let (before, after) = (&position[boards.clone()], &child[boards]);
        let mut sum = 0;
        // PERF: a move changes few of the words; to divide by the number of words takes longer than to look
        // at them.
        for (number, &weight) in weights.pieces[1..].iter().enumerate().filter(|(_, weight)| **weight != 0) {
            for word in number * self.layout.set_words..(number + 1) * self.layout.set_words {
                if before[word] != after[word] {
                    sum += weight * (after[word].count_ones() as i32 - before[word].count_ones() as i32);
                }
            }
        }
        if weights.values.is_empty() {
            return sum;
        }
        let values = |words: &[u64]| weigh_values(&self.layout, words, weights);
        sum + values(child) - values(position)
    }

    /// What the pieces of a position weigh where they stand, in the opening and at the end.
    #[inline]
    pub fn weigh_fields(&self, words: &[u64], weights: &FieldWeights) -> [i32; 2] {
        let layout = &self.layout;
        let mut sum = [0, 0];
        if layout.coded {
            for word in 0..layout.set_words {
                let mut occupied = layout.occupied(words, word);
                while occupied != 0 {
                    let bit = occupied.trailing_zeros();
                    let piece = layout.piece_at(words, word, bit);
                    let [opening, end] = weights.of_piece(piece)[word * 64 + bit as usize];
                    sum = [sum[0] + opening, sum[1] + end];
                    occupied &= occupied - 1;
                }
            }
            return sum;
        }
        let boards = &words[HEADER + 1..layout.first_plane_word()];
        for (number, &board) in boards.iter().enumerate() {
            let piece = Piece((number / layout.set_words + 1) as u8);
            let of_piece = weights.of_piece(piece);
            let first = number % layout.set_words * 64;
            let mut board = board;
            while board != 0 {
                let [opening, end] = of_piece[first + board.trailing_zeros() as usize];
                sum = [sum[0] + opening, sum[1] + end];
                board &= board - 1;
            }
        }
        sum
    }

    /// Visits the pieces on fields that are not empty.
    #[inline]
    pub fn for_each_piece(&self, words: &[u64], mut visit: impl FnMut(Piece, usize)) {
        let layout = &self.layout;
        if !layout.coded {
            // PERF: endgame databases look at little else, and most boards are empty.
            let boards =
                words[layout.board_word(0)..layout.first_plane_word()].chunks_exact(layout.set_words);
            for (number, boards) in boards.enumerate() {
                let piece = Piece(number as u8 + 1);
                for (word, &board) in boards.iter().enumerate() {
                    let mut board = board;
                    while board != 0 {
                        visit(piece, word * 64 + board.trailing_zeros() as usize);
                        board &= board - 1;
                    }
                }
            }
            return;
        }
        for piece in (1..=layout.pieces).map(|piece| Piece(piece as u8)) {
            for word in 0..layout.set_words {
                let mut board = layout.fields_of(words, piece, word);
                while board != 0 {
                    visit(piece, word * 64 + board.trailing_zeros() as usize);
                    board &= board - 1;
                }
            }
        }
    }

    /// One of the values of a position.
    #[inline]
    pub fn value(&self, words: &[u64], slot: usize) -> i32 {
        if let Some((word, shift)) = self.scalars[slot] {
            return (words[word] >> shift) as u32 as i32;
        }
        let layout = &self.layout;
        let (planes, field) = layout.planes_at(slot).expect("every value has its place");
        layout.plane_value(&layout.planes[planes], field, words)
    }

    /// What tells moves apart that differ only in what the signature leaves out.
    fn unhashed_key(&self, word: usize, difference: u64, before: &[u64], after: &[u64]) -> u64 {
        let layout = &self.layout;
        if let Some(value) = word.checked_sub(layout.first_value_word()) {
            let halves = (0..2).filter(|half| (difference >> (half * 32)) as u32 != 0);
            return halves.fold(0, |sum, half| {
                let [old, new] = [before, after].map(|words| (words[word] >> (half * 32)) as u32 as i32);
                let slot = layout.slot(value * 2 + half);
                sum ^ match new.wrapping_sub(old) {
                    _ if new == 0 => self.usual_changes[slot][1],
                    1 => self.usual_changes[slot][0],
                    _ => Zobrist::change(slot, old, new),
                }
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
            let [old, new] = [before, after].map(|words| layout.plane_value(planes, field, words));
            sum ^ Zobrist::change(planes.slot + field, old, new)
        })
    }
}

/// Makes it the opponent's turn.
#[inline]
pub fn hand_over(words: &mut [u64]) {
    let side = Header::of(words[HEADER]).side.opponent();
    words[HEADER] = Header { side, irreversible: false, outcome: None }.word();
    words[SIGNATURE] ^= Zobrist::BLACK_TO_MOVE;
}

/// How the game was ended by the move that led to a position.
#[inline]
pub fn outcome(words: &[u64]) -> Option<Outcome> {
    let header = words[HEADER];
    if header & Header::OUTCOME_MASK == 0 { None } else { Header::of(header).outcome }
}

/// Whether two positions are equal: signatures follow from the rest, and how a position was reached does not
/// matter.
#[inline]
pub fn same(a: &[u64], b: &[u64]) -> bool {
    (a[HEADER] ^ b[HEADER]) & !Header::IRREVERSIBLE == 0 && a[HEADER + 1..] == b[HEADER + 1..]
}

/// Whether pieces and properties are the same.
#[inline]
pub fn same_matter(a: &[u64], b: &[u64]) -> bool {
    a[HEADER + 1..] == b[HEADER + 1..]
}

/// What an evaluation counts, as the player to move sees it, from the numbers that its functions report one
/// after the other (see [`multigame_mir::Features`]). The answer is the phase; nothing if there are too few
/// numbers.
pub fn counts(
    program: &Program,
    evaluation: usize,
    header: u64,
    numbers: &[u64],
    counts: &mut [i32],
) -> Option<i32> {
    let judgement = &program.evaluations[evaluation];
    let fit = |value: u64| (value as i64).clamp(-i64::from(i32::MAX), i32::MAX.into()) as i32;
    let mut numbers = numbers.iter().map(|&number| fit(number));
    let phase = match judgement.evaluation.phase {
        Some((low, high)) => numbers.next()?.clamp(low, high),
        None => 0,
    };
    let two_players = program.description.players == 2;
    let black = two_players && header & Header::BLACK != 0;
    let sign = if black { -1 } else { 1 };
    for (count, counted) in counts.iter_mut().zip(&judgement.counted) {
        let number = numbers.next()?;
        *count = match counted.mover && two_players {
            false => sign * number,
            true => [number, numbers.next()?][usize::from(black)],
        };
    }
    Some(phase)
}

/// What an outcome adds to the key of the move that leads to it.
#[inline]
fn outcome_key(header: u64) -> u64 {
    if header & Header::OUTCOME_MASK == 0 {
        return 0;
    }
    Header::of(header).outcome.map_or(0, Outcome::key)
}

/// What the properties of a position weigh.
#[inline]
fn weigh_values(layout: &Layout, words: &[u64], weights: &Weights) -> i32 {
    if weights.values.is_empty() {
        return 0;
    }
    let scalars = &words[layout.first_value_word()..];
    let value = |index: usize| (scalars[index / 2] >> (index % 2 * 32)) as u32 as i32;
    let scalars = layout.slots.iter().enumerate().map(|(index, &slot)| weights.values[slot] * value(index));
    let fields = layout.planes.iter().flat_map(|planes| (0..layout.fields).map(move |field| (planes, field)));
    let fields = fields.filter(|(planes, field)| weights.values[planes.slot + field] != 0);
    let fields = fields.map(|(planes, field)| {
        weights.values[planes.slot + field] * layout.plane_value(planes, field, words)
    });
    scalars.sum::<i32>() + fields.sum::<i32>()
}
