//! What random games tell about a game: on which fields a piece is met, and which pieces games keep.
//!
//! **Invariant:** a survey only makes databases smaller. A position that the survey did not expect is stored
//! one by one (see `space.rs`), and a move that takes a piece which games keep, from a position that can
//! occur, is an error.

use multigame_game::{Description, Ending, Game, Line, Outcome, Piece, Random, RulesError, playout};

/// Games of a batch; a batch that shows nothing new is the last one.
const BATCH: usize = 100;
/// Most batches.
const BATCHES: usize = 20;
/// Longest game.
const LONGEST: u32 = 600;

/// What random games have shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// For each piece number the fields on which it was met, in order.
    fields: Vec<Vec<u16>>,
    /// For each piece number the count that all positions had, if it was the same and not 0.
    kept: Vec<Option<u8>>,
    /// Whether games end with scores or drawn, and not otherwise.
    scored: bool,
}

impl Survey {
    /// Plays random games, always the same ones.
    pub fn of<G: Game>(game: &G) -> Result<Survey, RulesError> {
        let description = game.description();
        let (pieces, size) = (description.pieces.len(), description.board.size());
        let mut met = vec![vec![false; size]; pieces];
        let mut counts = vec![(u8::MAX, 0); pieces];
        let (mut random, mut scores, mut wins) = (Random::new(1), false, false);
        for _ in 0..BATCHES {
            let mut news = false;
            for _ in 0..BATCH {
                let mut line = Line::new(game, game.initial());
                let ending = playout(&mut line, LONGEST, &mut random)?.ending;
                scores |= matches!(ending, Ending::Over(Outcome::Score(_)));
                wins |= matches!(ending, Ending::Over(Outcome::Wins(_)));
                line.positions().iter().for_each(|position| {
                    news |= note(game, position, &mut met, &mut counts);
                });
            }
            if !news {
                break;
            }
        }
        let listed = |fields: &Vec<bool>| (0..size as u16).filter(|&field| fields[field as usize]).collect();
        let kept = |&(least, most): &(u8, u8)| (least == most && most > 0).then_some(most);
        let (fields, kept) = (met.iter().map(listed).collect(), counts.iter().map(kept).collect());
        Ok(Survey { fields, kept, scored: scores && !wins })
    }

    /// Of games that were not looked at.
    pub(crate) fn none(description: &Description) -> Survey {
        let pieces = description.pieces.len();
        Survey { fields: vec![Vec::new(); pieces], kept: vec![None; pieces], scored: false }
    }

    /// The fields on which a piece was met.
    pub fn fields(&self, piece: Piece) -> &[u16] {
        &self.fields[piece.index()]
    }

    /// Whether games end with scores or drawn, and not otherwise.
    pub fn scored(&self) -> bool {
        self.scored
    }

    /// How many of a piece every position of a game has, if that never changes.
    pub fn kept(&self, piece: Piece) -> Option<u8> {
        self.kept[piece.index()]
    }
}

/// Takes a position into account; whether it shows something new.
fn note<G: Game>(game: &G, position: &G::Position, met: &mut [Vec<bool>], counts: &mut [(u8, u8)]) -> bool {
    let mut news = false;
    let mut here = vec![0; counts.len()];
    game.for_each_piece(position, |piece, field| {
        news |= !std::mem::replace(&mut met[piece.index()][field], true);
        here[piece.index()] += 1;
    });
    for ((least, most), count) in counts.iter_mut().zip(here) {
        let steady = least == most;
        (*least, *most) = (count.min(*least), count.max(*most));
        // Once the number of a piece has changed, its occurrences do not matter.
        news |= steady && least != most;
    }
    news
}
