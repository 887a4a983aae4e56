//! Machine programs as Rust: readable source without `unsafe`, and programs built from it for one game alone.
//!
//! [`emit`] writes the source of a [`Module`](multigame_mir::Module) as an implementation of
//! `multigame_compiled::Code`. [`Builder`] puts it into a small cargo project together with the sources of
//! the crates it needs, which are part of this program, and lets cargo compile it.

#[expect(clippy::disallowed_methods, reason = "writes projects and starts cargo")]
mod build;
mod entries;
mod expression;
mod function;
mod names;
mod project;
mod source;

pub use build::{BuildError, Builder, Request, copy};
pub use source::emit;
