//! The games that come with the program.

pub use multigame_library::{beside, names, rules};
