//! The language server: `multigame lsp`, rules of board games in any editor.
//!
//! `crates/ide` answers the questions; here is the protocol. [`Server`] is a state machine: messages go in,
//! messages come out. [`serve`] connects it with a reader, a writer, and the threads that find out what takes
//! longer than a key: whether rules become machine code, and what a command prints.
//!
//! **Invariant:** a request that has begun is answered exactly once, whatever happens to it.

#![forbid(unsafe_code)]
#![allow(clippy::disallowed_methods, reason = "a front end does input and output")]

mod answers;
mod capabilities;
mod documents;
mod framing;
mod jobs;
mod positions;
mod serve;
mod server;
mod uri;
mod workspace;

pub use documents::{Document, Documents};
pub use jobs::{Done, Job, start};
pub use positions::{Encoding, Lines};
pub use serve::{Failure, serve};
pub use server::Server;
