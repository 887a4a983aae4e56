//! Numbers for abstract positions: where the kept pieces stand, then where the empty fields are.

use multigame_game::{Abstraction, Description, Diagram, Field, Game, Image, Piece, PieceSet, Puzzle};

use super::PatternError;

/// The positions of an abstraction, numbered without gaps.
///
/// The number of a position is `kept * empties() + empty`, where `kept` says where the kept pieces stand and
/// `empty` which of the other fields are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// The kept pieces; each is on one field.
    pieces: Vec<Piece>,
    /// The piece that represents all others.
    hidden: Piece,
    all_hidden: PieceSet,
    /// The board's fields without holes.
    fields: Vec<Field>,
    /// The number of each field of the board among `fields`.
    numbers: Vec<u8>,
    /// Number of empty fields.
    empty: usize,
    /// Ways to place the kept pieces, and the empty fields among those left.
    kept_count: u64,
    empty_count: u64,
}

impl Arrangement {
    /// The arrangement of an abstraction, or why there is none.
    pub fn new(
        description: &Description,
        puzzle: &Puzzle,
        abstraction: &Abstraction,
    ) -> Result<Arrangement, PatternError> {
        let fields: Vec<Field> = description.board.fields().collect();
        if description.board.size() > 64 {
            return Err(PatternError::new("boards of more than 64 fields have no tables"));
        }
        if description.value_count() > 0 {
            return Err(PatternError::new("puzzles with properties have no tables"));
        }
        let mut numbers = vec![0; description.board.size()];
        for (number, field) in fields.iter().enumerate() {
            numbers[field.index()] = number as u8;
        }
        let count = |piece: Piece| fields.iter().filter(|f| puzzle.goal[f.index()] == piece).count();
        let pieces: Vec<Piece> = abstraction.kept.iter().collect();
        if let Some(&piece) = pieces.iter().find(|&&piece| count(piece) != 1) {
            let name = &description.piece(piece).name;
            let times = count(piece);
            return Err(PatternError::new(format!(
                "`{name}` occurs {times} times in the goal; keep pieces that occur there once"
            )));
        }
        let others = fields.iter().map(|field| puzzle.goal[field.index()]);
        let all_hidden: PieceSet =
            others.filter(|&piece| piece != Piece::NONE && !abstraction.kept.contains(piece)).collect();
        if !puzzle.move_alike(all_hidden) {
            return Err(PatternError::new(
                "the rules for moves tell hidden pieces apart; keep those that move in their own way",
            ));
        }
        if all_hidden.len() < 2 {
            return Err(PatternError::new(
                "it hides nothing; keep fewer pieces, so that two at least look the same",
            ));
        }
        let empty = count(Piece::NONE);
        let left = fields.len() - pieces.len();
        let kept_count =
            (0..pieces.len() as u64).try_fold(1u64, |ways, n| ways.checked_mul(fields.len() as u64 - n));
        let empty_count = choose(left, empty);
        let (Some(kept_count), Some(empty_count)) = (kept_count, empty_count) else {
            return Err(PatternError::too_large());
        };
        kept_count
            .checked_mul(empty_count)
            .filter(|&all| all < 1 << 40)
            .ok_or_else(PatternError::too_large)?;
        let hidden = all_hidden.iter().next().unwrap_or(Piece::NONE);
        Ok(Arrangement { pieces, hidden, all_hidden, fields, numbers, empty, kept_count, empty_count })
    }

    /// The arrangement that gives a position the number that this one gives its image.
    pub(super) fn seen_in(&self, image: &Image) -> Arrangement {
        let before = |piece: Piece| preimage(image, piece);
        let mut numbers = self.numbers.clone();
        for (field, turned) in image.fields.iter().enumerate() {
            numbers[field] = self.numbers[turned.index()];
        }
        let mut fields = self.fields.clone();
        for (field, turned) in image.fields.iter().enumerate() {
            if let Some(place) = self.fields.iter().position(|other| other == turned) {
                fields[place] = Field(field as u16);
            }
        }
        Arrangement {
            pieces: self.pieces.iter().copied().map(before).collect(),
            hidden: before(self.hidden),
            all_hidden: self.all_hidden.iter().map(before).collect(),
            fields,
            numbers,
            ..*self
        }
    }

    /// Number of all positions.
    pub fn positions(&self) -> u64 {
        self.kept_count * self.empty_count
    }

    /// Number of ways in which the kept pieces can stand.
    pub fn kept_count(&self) -> u64 {
        self.kept_count
    }

    /// Number of ways in which fields can be empty once the kept pieces are placed.
    pub fn empties(&self) -> u64 {
        self.empty_count
    }

    /// The kept pieces.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The fields of the board in the order of their numbers.
    pub(super) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Where the kept pieces stand, as a number; nothing where one is missing or doubled.
    #[inline]
    pub fn kept<G: Game>(&self, game: &G, position: &G::Position) -> Option<u64> {
        let (mut number, mut used) = (0, 0u64);
        for (placed, &piece) in self.pieces.iter().enumerate() {
            let set = game.fields_of(position, piece);
            if set == 0 || set & (set - 1) != 0 {
                return None;
            }
            let field = u64::from(self.numbers[set.trailing_zeros() as usize]);
            let below = (used & ((1 << field) - 1)).count_ones();
            number = number * (self.fields.len() - placed) as u64 + field - u64::from(below);
            used |= 1 << field;
        }
        Some(number)
    }

    /// The number of a position.
    pub fn whole<G: Game>(&self, game: &G, position: &G::Position) -> Option<u64> {
        self.number(&game.diagram(position))
    }

    /// The number of a whole diagram, whose other pieces are taken for hidden ones; nothing if pieces are
    /// missing.
    pub(super) fn number(&self, diagram: &Diagram) -> Option<u64> {
        let (mut number, mut used) = (0, 0u64);
        for (placed, &piece) in self.pieces.iter().enumerate() {
            let field = self.fields.iter().position(|f| diagram.cells[f.index()] == piece)? as u64;
            let below = (used & ((1 << field) - 1)).count_ones();
            number = number * (self.fields.len() - placed) as u64 + field - u64::from(below);
            used |= 1 << field;
        }
        let (mut rank, mut seen, mut place) = (0, 0, 0);
        for (field, _) in self.fields.iter().enumerate().filter(|(field, _)| used >> field & 1 == 0) {
            if diagram.cells[self.fields[field].index()] == Piece::NONE {
                seen += 1;
                rank += choose(place, seen)?;
            }
            place += 1;
        }
        (seen == self.empty).then_some(number * self.empty_count + rank)
    }

    /// The diagram of a number.
    pub(super) fn diagram(&self, number: u64, diagram: &mut Diagram) {
        let (mut kept, mut rank) = (number / self.empty_count, number % self.empty_count);
        let mut order = [0u64; 64];
        for placed in (0..self.pieces.len()).rev() {
            let radix = (self.fields.len() - placed) as u64;
            order[placed] = kept % radix;
            kept /= radix;
        }
        let mut free: Vec<Field> = self.fields.clone();
        for (placed, &piece) in self.pieces.iter().enumerate() {
            diagram.cells[free.remove(order[placed] as usize).index()] = piece;
        }
        for field in &free {
            diagram.cells[field.index()] = self.hidden;
        }
        for seen in (1..=self.empty).rev() {
            let place =
                (0..free.len()).rev().find(|&place| choose(place, seen).is_some_and(|ways| ways <= rank));
            let place = place.unwrap_or(0);
            rank -= choose(place, seen).unwrap_or(0);
            diagram.cells[free[place].index()] = Piece::NONE;
        }
    }

    /// A diagram with all hidden pieces looking the same.
    pub(super) fn hide(&self, diagram: &mut Diagram) {
        for piece in &mut diagram.cells {
            if self.all_hidden.contains(*piece) {
                *piece = self.hidden;
            }
        }
    }
}

/// The piece whose image is that one.
pub(super) fn preimage(image: &Image, piece: Piece) -> Piece {
    image.pieces.iter().find(|(_, becomes)| *becomes == piece).map_or(piece, |(before, _)| *before)
}

/// Ways to choose `k` of `n`; nothing where that is too many to be counted.
fn choose(n: usize, k: usize) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    (0..k as u64).try_fold(1u64, |ways, i| Some(ways.checked_mul(n as u64 - i)? / (i + 1)))
}
