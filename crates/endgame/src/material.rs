//! What is on the board, without where: the name of a slice.

use std::borrow::Borrow;

use anyhow::{Context, bail};
use multigame_game::{Description, Piece, Side};

/// How many pieces of each kind and owner are on the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material(Vec<u8>);

/// A slice can be looked up by its counts: they hash and compare as it does.
impl Borrow<[u8]> for Material {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl Material {
    /// The material of these pieces.
    pub fn of(description: &Description, pieces: impl IntoIterator<Item = Piece>) -> Material {
        let mut counts = vec![0; description.pieces.len()];
        pieces.into_iter().for_each(|piece| counts[piece.index()] += 1);
        counts[0] = 0;
        Material(counts)
    }

    /// From a count for each piece number, the empty field included; nothing if it does not fit the game.
    pub(crate) fn of_counts(description: &Description, counts: Vec<u8>) -> Option<Material> {
        let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
        let fits = counts.len() == description.pieces.len() && counts.first() == Some(&0);
        (fits && total <= description.board.size()).then_some(Material(counts))
    }

    /// From a count for each piece number, of which the first is 0.
    pub(crate) fn from_counts(counts: Vec<u8>) -> Material {
        Material(counts)
    }

    /// How many of that piece there are.
    pub fn count(&self, piece: Piece) -> u8 {
        self.0[piece.index()]
    }

    /// The counts by the numbers of pieces.
    pub(crate) fn counts(&self) -> &[u8] {
        &self.0
    }

    /// Number of pieces.
    pub fn total(&self) -> usize {
        self.0.iter().map(|&count| usize::from(count)).sum()
    }

    /// The pieces that there are, each once, with their counts.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, u8)> + '_ {
        let all = self.0.iter().enumerate().filter(|(_, count)| **count > 0);
        all.map(|(piece, &count)| (Piece(piece as u8), count))
    }

    /// `KQ-kr`: the signs of White's pieces and of Black's, those declared last first.
    pub fn name(&self, description: &Description) -> String {
        self.parts(description, &|piece, count| {
            std::iter::repeat_n(description.piece(piece).symbol, count.into()).collect()
        })
        .join("-")
    }

    /// `king+queen-king+rook`: a name that means the same where file systems do not tell capitals apart.
    pub fn file_name(&self, description: &Description) -> String {
        let kind = |piece: Piece, count: u8| match count {
            1 => format!("{}+", description.piece(piece).name),
            more => format!("{more}{}+", description.piece(piece).name),
        };
        let parts = self.parts(description, &kind);
        parts.iter().map(|part| part.trim_end_matches('+')).collect::<Vec<_>>().join("-")
    }

    fn parts(&self, description: &Description, show: &dyn Fn(Piece, u8) -> String) -> Vec<String> {
        let part = |side: Option<Side>| {
            let pieces = (1..self.0.len()).rev().map(|piece| Piece(piece as u8));
            let own = pieces.filter(|&piece| self.count(piece) > 0 && description.piece(piece).side == side);
            own.map(|piece| show(piece, self.count(piece))).collect::<String>()
        };
        let mut parts = vec![part(Some(Side::White)), part(Some(Side::Black))];
        parts.extend(Some(part(None)).filter(|neutral| !neutral.is_empty()));
        parts
    }

    /// Reads `KQ-kr`, or `KQKR` where a repeated first sign begins Black's pieces.
    pub fn parse(description: &Description, text: &str) -> anyhow::Result<Material> {
        let known = || {
            let signs: String = description.pieces[1..].iter().map(|piece| piece.symbol).collect();
            format!("`{text}` is not a slice: write the signs of its pieces ({signs}), such as `KQ-kr`")
        };
        let signs: Vec<char> = text.chars().filter(|&sign| sign != '-').collect();
        let pieces = signs.iter().map(|&sign| description.piece_of_symbol(sign)).collect::<Option<Vec<_>>>();
        let mut pieces = pieces.with_context(known)?;
        let first = *pieces.first().with_context(known)?;
        let white = |piece: Piece| description.piece(piece).side == Some(Side::White);
        if !text.contains('-') && pieces.iter().all(|&piece| white(piece)) {
            let Some(second) = pieces.iter().skip(1).position(|&piece| piece == first) else {
                bail!("`{text}` has no pieces of Black; write them too, as in `KQ-kr` or `KQKR`");
            };
            pieces[second + 1..].iter_mut().for_each(|piece| *piece = description.counterpart(*piece));
        }
        if pieces.len() > description.board.size() {
            bail!("`{text}` has more pieces than the board has fields; leave some out");
        }
        Ok(Material::of(description, pieces))
    }
}
