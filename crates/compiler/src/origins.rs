//! Where statements come from: each place in the text once.

use std::collections::HashMap;

use multigame_ir::{Origin, OriginId};
use multigame_sema::model::{Rule, RuleId};
use multigame_syntax::Span;

/// Collects the places that run-time errors may name.
pub(crate) struct Origins {
    /// Where each line begins.
    lines: Vec<u32>,
    origins: Vec<Origin>,
    known: HashMap<(RuleId, Span), OriginId>,
}

impl Origins {
    pub fn new(text: &str) -> Origins {
        let after_breaks =
            text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(after_breaks).collect();
        Origins { lines, origins: vec![Origin::default()], known: HashMap::new() }
    }

    /// The number of a place; both views of a rule share it.
    pub fn of(&mut self, id: RuleId, rule: &Rule, span: Span) -> OriginId {
        *self.known.entry((id, span)).or_insert_with(|| {
            let line = self.lines.partition_point(|&start| start <= span.start) as u32;
            self.origins.push(Origin { rule: rule.name.clone(), line, span: (span.start, span.end) });
            OriginId(self.origins.len() as u32 - 1)
        })
    }

    /// All places by their numbers.
    pub fn into_vec(self) -> Vec<Origin> {
        self.origins
    }
}
