//! Patterns, and what can be put on a field.

use crate::choices::Choices;

const PATTERNS: &[&str] = &[
    "empty field",
    "own man",
    "opponent's man",
    "own piece",
    "any piece",
    "own king",
    "opponent's piece",
    "any field",
    "rock",
    "man",
    "opponent's king",
    "royal",
    "opponent's royal",
    "solid",
];

/// Contents of nearly all fields, so that many statements succeed.
const BROAD: &[&str] = &[
    "any field",
    "any piece",
    "any field",
    "own piece",
    "[own piece or empty field]",
    "[empty field or any piece]",
];

const REPLACEMENTS: &[&str] = &[
    "man",
    "king",
    "empty field",
    "opponent's man",
    "rock",
    "own king",
    "opponent's king",
    "own man",
    "royal",
];

pub(crate) fn pattern(choices: &mut Choices<'_>) -> String {
    match choices.below(8) {
        0..3 => choices.of(BROAD).to_string(),
        7 => format!("[{} or {}]", pattern(choices), pattern(choices)),
        _ => choices.of(PATTERNS).to_string(),
    }
}

pub(crate) fn replacement(choices: &mut Choices<'_>) -> String {
    match choices.rarely(8) {
        true => format!("[{} or {}]", choices.of(REPLACEMENTS), choices.of(REPLACEMENTS)),
        false => choices.of(REPLACEMENTS).to_string(),
    }
}
