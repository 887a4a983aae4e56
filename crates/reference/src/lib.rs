//! Board games written by hand in Rust: the yardstick for what rules compile to.
//!
//! Each game is what an expert writes for it: bitboards, no memory taken, the last ply of a count by
//! population counts. They implement the same [`Game`](multigame_game::Game) trait as compiled rules, so
//! everything that plays, searches or measures games takes them too. `tests/differential.rs` compares each
//! with the bundled rules of its name.
//!
//! **Invariant:** nothing here is used to play; generated code never calls it.

mod breakthrough;
mod by_hand;
mod checkers;
mod chess;
mod connect_four;
mod describe;
mod fifteen;
mod othello;

pub use breakthrough::Breakthrough;
pub use by_hand::{ByHand, HandWritten};
pub use checkers::Checkers;
pub use chess::Chess;
pub use connect_four::ConnectFour;
pub use fifteen::Fifteen;
pub use othello::Othello;
