//! Where names are declared and used, in the own text and in those it is based on.

use crate::names::{NameKind, Occurrence};
use crate::rules::{Place, Rules, library_path};
use multigame_syntax::Span;

/// Where the name at a place is declared, the text that counts first. From a declaration that replaces one of
/// a base the way leads to the one it replaces.
pub fn definition(rules: &Rules, offset: u32) -> Vec<Place> {
    let Some(name) = rules.name_at(rules.inside(offset)) else { return Vec::new() };
    if matches!(name.kind, NameKind::Game | NameKind::Library) {
        let wanted = match name.kind {
            NameKind::Game => name.name.clone(),
            _ => library_path(&name.name),
        };
        let base = rules.sources.iter().skip(1).position(|source| source.name == wanted);
        return base.map(|base| Place { source: base + 1, span: Span::default() }).into_iter().collect();
    }
    let all = places(rules, name, |other| other.declares);
    let others: Vec<Place> = all.iter().copied().filter(|place| place.source > 0).collect();
    if name.declares && !others.is_empty() { others } else { all }
}

/// Every place of the name at a place.
pub fn references(rules: &Rules, offset: u32, declarations: bool) -> Vec<Place> {
    let Some(name) = rules.name_at(rules.inside(offset)) else { return Vec::new() };
    places(rules, name, |other| declarations || !other.declares)
}

/// The places of the name at a place in the own text, and whether each declares it.
pub fn highlights(rules: &Rules, offset: u32) -> Vec<(Span, bool)> {
    let Some(name) = rules.name_at(rules.inside(offset)) else { return Vec::new() };
    let own = rules.own().occurrences.iter();
    own.filter(|other| name.names_the_same(other)).map(|other| (other.span, other.declares)).collect()
}

/// The places in all texts that name what a name of the own text names.
fn places(rules: &Rules, name: &Occurrence, wanted: impl Fn(&Occurrence) -> bool) -> Vec<Place> {
    let all = rules.sources.iter().enumerate();
    all.flat_map(|(source, text)| text.occurrences.iter().map(move |other| (source, other)))
        .filter(|(source, other)| match source {
            0 => name.names_the_same(other),
            _ => name.names_the_same_elsewhere(other),
        })
        .filter(|(_, other)| wanted(other))
        .map(|(source, other)| Place { source, span: other.span })
        .collect()
}
