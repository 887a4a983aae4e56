//! Files that survive: a process that is killed, a disk that is full, two programs at once, a power cut.
//!
//! | what | how it is written | who uses it |
//! |---|---|---|
//! | [`Replacement`], [`write()`] | beside the file under a name of its own, to the disk, then renamed | everything that is written as a whole |
//! | [`Sealed`], [`seal`] | so, with a head that says what it is, and checksums | checkpoints, tables |
//! | [`Log`] | a line of JSON with a checksum for each entry | logs of matches, states of learning |
//! | [`stamp`], [`unstamp`] | a checksum in a text of JSON | what is learned |
//! | [`append`] | lines of text at the end | books, records of games |
//! | [`Lock`] | a file beside it that names the owner | everything that is used for longer than a moment |
//!
//! **Invariant:** a file that was complete before is complete after, old or new, whatever happens in between.
//!
//! **Invariant:** a file that was not written by this program, is damaged or was written by a newer version
//! is refused by three different messages and left as it is.

#![expect(clippy::disallowed_methods, reason = "files are what this crate is about")]

mod append;
mod checksum;
mod claim;
mod error;
mod lock;
mod log;
mod replacement;
mod sealed;
mod stamp;

pub use append::append;
pub use checksum::Checksum;
pub use error::FileError;
pub use lock::Lock;
pub use log::{Log, Opened};
pub use replacement::{Replacement, write};
pub use sealed::{Output, Sealed, seal};
pub use stamp::{StampError, stamp, unstamp, unstamp_if_stamped};

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// What messages and the file call it: `checkpoint`.
    pub name: &'static str,
    /// The version of its format that is written. Others are not read.
    pub version: u32,
    /// What to do when it is damaged, such as `delete it to start again`.
    pub remedy: &'static str,
}
