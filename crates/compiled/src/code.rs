//! What a back end has to provide.

use std::fmt::Debug;
use std::thread::LocalKey;

use multigame_game::{MAX_TERMS, Side};
use multigame_ir::Program;
use multigame_mir::Layout;
use smallvec::SmallVec;

use crate::{Frames, Kept, Positions};

/// Code has no answer, because the rules made an error or because there is no code for the question: the
/// interpreter answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// What an evaluation counts.
pub type Numbers = SmallVec<[u64; 2 * MAX_TERMS + 1]>;

/// The words of a position as code sees them.
pub(crate) type Words<C> = <<C as Code>::Kept as Kept>::Words;

/// The functions that a back end makes of a machine program. How the words of a position are laid out is said
/// by [`multigame_mir::Layout`].
///
/// **Invariant:** no method has a default, so a back end cannot forget a question: it says [`Failed`] where
/// it leaves the answer to the interpreter.
pub trait Code: Debug + Send + Sync + Sized + 'static {
    /// The words of one position.
    type Kept: Kept;

    /// Where positions are generated.
    type Children: Positions<Kept = Self::Kept>;

    /// Memory of functions that emit nothing: made once, it serves for many positions.
    type Scratch;

    /// Why there is no code for a program.
    type Error;

    /// The code of a program.
    fn new(program: &Program) -> Result<Self, Self::Error>;

    /// The memory that a thread keeps from one expansion to the next. A static cannot depend on a type, so
    /// each back end has its own.
    fn frames() -> &'static LocalKey<Frames<Self>>;

    /// Whether equal results can occur, so that they must be merged.
    fn may_repeat(&self) -> bool;

    /// Adds every result of `main` to the children, of which there are none yet.
    fn generate(
        &self,
        side: Side,
        position: &Words<Self>,
        children: &mut Self::Children,
    ) -> Result<(), Failed>;

    /// Adds the results of `main` after which the opponent's pieces stand elsewhere, and perhaps some others;
    /// does not notice how a game without moves ends.
    fn take(&self, side: Side, position: &Words<Self>, children: &mut Self::Children) -> Result<(), Failed>;

    /// Adds every result of `final`, which says how a game ends in which the player to move cannot move.
    fn last(&self, side: Side, position: &Words<Self>, children: &mut Self::Children) -> Result<(), Failed>;

    /// Whether a puzzle is solved; false where there is no goal.
    fn goal(&self, position: &Words<Self>) -> Result<bool, Failed>;

    /// Memory to count in.
    fn scratch(&self) -> Self::Scratch;

    /// Counts the results of `main`: moves, and results that leave the position as it is and end the game.
    /// Fails where equal results cannot be excluded.
    fn count(
        &self,
        scratch: &mut Self::Scratch,
        side: Side,
        position: &Words<Self>,
    ) -> Result<[u64; 2], Failed>;

    /// The same for a single position: fails also where the code would have to be made first.
    fn count_at_hand(&self, side: Side, position: &Words<Self>) -> Result<[u64; 2], Failed>;

    /// The plies that are counted at once at most; less than 2 where they are not.
    fn plies(&self) -> usize;

    /// Counts sequences of moves, 2 or more as [`Code::plies`] says. Fails where one of them comes to a
    /// position without moves too early, and counts nothing where there is no move at all.
    fn leaves(
        &self,
        scratch: &mut Self::Scratch,
        plies: usize,
        side: Side,
        position: &Words<Self>,
    ) -> Result<u64, Failed>;

    /// The same as [`Code::count`] where a single move can be made without making all; else fails.
    fn choices(
        &self,
        scratch: &mut Self::Scratch,
        side: Side,
        position: &Words<Self>,
    ) -> Result<[u64; 2], Failed>;

    /// Makes the result of `main` of that number, in the order in which they are counted: whether there is
    /// one.
    fn pick(
        &self,
        scratch: &mut Self::Scratch,
        side: Side,
        position: &Words<Self>,
        number: u64,
        child: &mut Words<Self>,
    ) -> Result<bool, Failed>;

    /// Adds the numbers that an evaluation counts, see [`multigame_mir::Features`].
    fn features(
        &self,
        evaluation: usize,
        position: &Words<Self>,
        numbers: &mut Numbers,
    ) -> Result<(), Failed>;

    /// Whether an evaluation calls a position calm, for White and for Black to move.
    fn calm(&self, evaluation: usize, position: &Words<Self>) -> Result<[u64; 2], Failed>;
}

/// Code was generated from other rules than those of the program: their positions differ in size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "positions of these rules have {program} words, but those of the code {code}: generate the code again"
)]
pub struct Mismatch {
    /// Words of a position of the program.
    program: usize,
    /// Words of a position of the code.
    code: usize,
}

impl Mismatch {
    /// Refuses code for positions of this many words unless those of the program have as many.
    pub fn check(program: &Program, code: usize) -> Result<(), Mismatch> {
        let program = Layout::new(program).words();
        if program == code { Ok(()) } else { Err(Mismatch { program, code }) }
    }
}
