//! The games and libraries that come with the program, as texts: what `based on`, `uses` and the names on
//! the command line refer to. A web page has no games inside; it brings those that its rules need.

#[cfg(not(target_family = "wasm"))]
mod embedded;
#[cfg(target_family = "wasm")]
mod shelf;

#[cfg(not(target_family = "wasm"))]
pub use embedded::{beside, libraries, library, names, rules};
#[cfg(target_family = "wasm")]
pub use shelf::{beside, libraries, library, names, put, rules};
