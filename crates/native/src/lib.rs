//! Generated Rust as a game: the part of a compiled game that is the same for all.
//!
//! `multigame-aot` turns a machine program into an implementation of [`Code`]; [`NativeGame`] makes a
//! [`Game`](multigame_game::Game) of it that is compiled for these rules alone: positions are arrays of known size, and
//! a search that is generic over games is made anew for this one.
//!
//! **Invariant:** a [`NativeGame`] behaves exactly like the [`RulesGame`](multigame_ir::RulesGame) of the same program.
//! What generated code cannot answer, the interpreter answers.

mod budget;
mod expand;
mod frame;
mod game;
mod merge;
mod patience;
mod position;
pub mod words;

/// What generated code and those who run it name besides: one library is enough to compile it with.
pub use multigame_game;
pub use multigame_game::Side;
pub use multigame_ir;

pub use budget::Budget;
pub use game::NativeGame;
pub use merge::{Positions, merge};
pub use patience::Patience;
pub use position::{NativeMove, NativePosition};

/// The rules made an error: the interpreter knows which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// The functions that are generated for a game whose positions take `WORDS` words. How the words are laid out is said by
/// [`multigame_mir::Layout`].
pub trait Code<const WORDS: usize>: Send + Sync + 'static {
    /// Whether equal results can occur, so that they must be merged.
    const MAY_REPEAT: bool;

    /// Whether a single move can be made without making all.
    const PICKS: bool;

    /// The plies that are counted at once at most; less than 2 where they are not.
    const PLIES: usize;

    /// Adds every result of `main` to the children.
    fn generate(side: Side, position: &[u64; WORDS], children: &mut Children<WORDS>) -> Result<(), Failed>;

    /// Counts the results of `main`: moves, and results that leave the position as it is and end the game. Nothing where
    /// equal results cannot be excluded.
    fn count(side: Side, position: &[u64; WORDS]) -> Option<Result<[u64; 2], Failed>>;

    /// Counts sequences of moves, 2 or more as [`Code::PLIES`] says. Fails where one of them comes to a position without
    /// moves too early, and counts nothing where there is no move at all.
    fn leaves(plies: usize, side: Side, position: &[u64; WORDS]) -> Result<u64, Failed>;

    /// Makes the result of `main` of that number, in the order in which they are counted. Nothing unless [`Code::PICKS`].
    fn pick(
        side: Side,
        position: &[u64; WORDS],
        number: u64,
        child: &mut Single<'_, WORDS>,
    ) -> Option<Result<(), Failed>>;

    /// Adds the results of `main` after which the opponent's pieces stand elsewhere, and perhaps some others; does not notice
    /// how a game without moves ends. Nothing where there is no code for these alone.
    fn take(
        side: Side,
        position: &[u64; WORDS],
        children: &mut Children<WORDS>,
    ) -> Option<Result<(), Failed>>;

    /// Adds every result of `final`, which says how a game ends in which nobody can move. Nothing where there is none, or
    /// none that could be compiled.
    fn last(
        side: Side,
        position: &[u64; WORDS],
        children: &mut Children<WORDS>,
    ) -> Option<Result<(), Failed>>;

    /// Whether a puzzle is solved. Nothing where there is no goal.
    fn goal(position: &[u64; WORDS]) -> Option<Result<bool, Failed>>;

    /// Writes the numbers that an evaluation counts, see [`multigame_mir::Features`]; fails where the interpreter has to
    /// count. There is room for all of them.
    fn features(evaluation: usize, position: &[u64; WORDS], numbers: &mut [u64]) -> Result<(), Failed>;

    /// Whether an evaluation calls a position calm, for White and for Black to move; fails where the interpreter has to
    /// say it.
    fn calm(evaluation: usize, position: &[u64; WORDS]) -> Result<[u64; 2], Failed>;
}

/// Positions that were generated.
#[derive(Clone, Debug)]
pub struct Children<const WORDS: usize>(Vec<NativePosition<WORDS>>);

impl<const WORDS: usize> Children<WORDS> {
    /// None yet.
    pub const fn new() -> Self {
        Children(Vec::new())
    }

    /// A copy of the position, to be changed into a child.
    #[inline]
    pub fn add(&mut self, position: &[u64; WORDS]) -> &mut [u64; WORDS] {
        let place = self.0.len();
        self.0.push(NativePosition { words: *position });
        &mut self.0[place].words
    }
}

/// Room for one position that is generated: whoever wants a single move needs no memory of a thread for it.
#[derive(Debug)]
pub struct Single<'a, const WORDS: usize> {
    place: &'a mut [u64; WORDS],
    made: bool,
}

impl<'a, const WORDS: usize> Single<'a, WORDS> {
    /// What is generated is written there.
    #[inline]
    pub fn at(place: &'a mut [u64; WORDS]) -> Self {
        Single { place, made: false }
    }

    /// Whether something was generated.
    #[inline]
    pub fn is_made(&self) -> bool {
        self.made
    }

    /// A copy of the position, to be changed into a child.
    #[inline]
    pub fn add(&mut self, position: &[u64; WORDS]) -> &mut [u64; WORDS] {
        self.made = true;
        *self.place = *position;
        self.place
    }
}

impl<const WORDS: usize> Default for Children<WORDS> {
    fn default() -> Self {
        Self::new()
    }
}
