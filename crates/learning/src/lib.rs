//! Weights of evaluations, learned from games of the computer against itself.
//!
//! [`SelfPlay`] plays games and writes down what the search thought of every position ([`GameRecord`]).
//! [`samples`] turns them into features and targets: the result of the game, or what the search thought a
//! little later (TD(lambda)). [`fit`] moves the weights so that the evaluation predicts the targets, which is
//! a logistic regression because evaluations are linear in their weights. Whether the new weights are better
//! is for a match to say.
//!
//! **Invariant:** only `state.rs` reads and writes, and the same seeds give the same weights.

#![forbid(unsafe_code)]

mod fit;
mod judged;
mod network;
mod patterns;
mod samples;
mod selfplay;
mod state;

pub use fit::{Fit, fit, loss, scale_of};
pub use judged::{judged, judged_positions};
pub use network::{Epoch, Lessons, Training, eyes, reflected, train};
pub use patterns::learn_patterns;
pub use samples::{Sample, chance, samples, targets};
pub use selfplay::{GameRecord, SelfPlay, SelfPlayTask};
pub use state::{Kept, State};
