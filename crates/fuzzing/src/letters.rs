//! Any bytes as a letter between search workers, one game of which is a puzzle: an error, or a message that
//! comes back.

use multigame_parallel::read_anything;

use crate::games::chosen;

/// How many there are to begin with.
const NUMBERS: u64 = 256;

pub fn check(input: &[u8]) {
    let Some((game, bytes)) = chosen(input) else { return };
    read_anything(&game.native, bytes);
}

/// Nothing but noise: a letter is short, and its first bytes say what it is.
pub fn seeds() -> Vec<Vec<u8>> {
    (0..NUMBERS).map(multigame_generator::bytes).collect()
}
