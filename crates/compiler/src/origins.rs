//! Where statements come from: each place in the text once.

use std::collections::HashMap;

use multigame_ir::{Origin, OriginId};
use multigame_sema::model::{Rule, RuleId};
use multigame_syntax::Span;

use crate::bases::Texts;

/// Collects the places that run-time errors may name.
pub(crate) struct Origins<'t> {
    texts: &'t Texts,
    origins: Vec<Origin>,
    known: HashMap<(RuleId, Span), OriginId>,
}

impl<'t> Origins<'t> {
    pub fn new(texts: &'t Texts) -> Origins<'t> {
        Origins { texts, origins: vec![Origin::default()], known: HashMap::new() }
    }

    /// The number of a place; both views of a rule share it. A rule of a base is shown with the base's name.
    pub fn of(&mut self, id: RuleId, rule: &Rule, span: Span) -> OriginId {
        *self.known.entry((id, span)).or_insert_with(|| {
            let place = self.texts.place(span);
            let rule = match place.base {
                Some(base) => format!("{base}: {}", rule.name),
                None => rule.name.clone(),
            };
            self.origins.push(Origin { rule, line: place.line, span: (place.span.start, place.span.end) });
            OriginId(self.origins.len() as u32 - 1)
        })
    }

    /// All places by their numbers.
    pub fn into_vec(self) -> Vec<Origin> {
        self.origins
    }
}
