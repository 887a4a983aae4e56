//! Errors of running rules.

use serde::{Deserialize, Serialize};

/// The rules did something that has no meaning: the message names rule and line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message} (in rule `{rule}`, line {line})")]
pub struct RulesError {
    /// The error and its remedy.
    pub message: String,
    /// The rule in which it happened.
    pub rule: String,
    /// The line in the rules file, from 1.
    pub line: u32,
    /// The bytes of the rules file that did it.
    pub span: (u32, u32),
}
