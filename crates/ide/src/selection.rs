//! Ever larger parts of the text around a place.

use multigame_syntax::Span;

use crate::rules::Rules;
use crate::tree::{node_span, token_at, token_span};

/// The parts around a place, the smallest first.
pub fn around(rules: &Rules, offset: u32) -> Vec<Span> {
    let Some(token) = token_at(&rules.own().parse, rules.inside(offset)) else { return Vec::new() };
    let mut spans = vec![token_span(&token)];
    spans.extend(token.parent_ancestors().map(|node| node_span(&node)));
    spans.dedup();
    spans
}
