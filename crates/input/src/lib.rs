//! What users and other programs write: lines of a conversation, and files that somebody named.
//!
//! Nothing here trusts the other side. A line or a file has a limit on its size, so that `/dev/zero` costs no
//! memory, and a byte that is not UTF-8 spoils the line that it is in, not the conversation.

#![forbid(unsafe_code)]

#[expect(clippy::disallowed_methods, reason = "it reads files for those who may")]
mod files;
mod lines;

pub use files::{MOST_POSITIONS, MOST_RULES, MOST_TEXT, read_all, read_text};
pub use lines::{Heard, LONGEST_LINE, hear};
