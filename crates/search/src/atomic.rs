//! The atomics of what threads share. Files that name them through here are checked by loom as they are: its
//! test includes them and brings other atomics under the same name.

pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
