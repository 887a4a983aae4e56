//! Random rules and random positions: the one generator that tests and fuzz targets share.
//!
//! A row of bytes makes every choice. The same bytes give the same rules, and fewer or smaller bytes give
//! smaller rules, so shrinking the bytes shrinks the program. `tests/grammar.rs` lists the whole grammar and
//! fails if some statement, pattern or expression never occurs. [`mutant`] changes bundled rules instead.
#![forbid(unsafe_code)]

mod board;
mod choices;
mod expressions;
mod extensions;
mod mutants;
mod patterns;
mod positions;
mod program;
mod shrink;
mod statements;

pub use extensions::extended_rules;
pub use mutants::mutant;
pub use positions::position;
pub use program::rules;
pub use shrink::shrink;

use multigame_game::Random;

/// The bytes of the random program with this number.
pub fn bytes(number: u64) -> Vec<u8> {
    let mut random = Random::new(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let length = 40 + random.below(260);
    (0..length).map(|_| random.below(256) as u8).collect()
}
