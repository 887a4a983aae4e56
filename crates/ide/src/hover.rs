//! What there is to say about the word at a place.

use multigame_syntax::{Span, SyntaxKind, SyntaxToken};

use crate::effects::Effects;
use crate::names::NameKind;
use crate::rules::Rules;
use crate::tree::{before, behind, token_at, token_span};
use crate::words::{WORDS, about};

/// Help about a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The word, or the words that belong together.
    pub word: String,
    /// Where they are.
    pub span: Span,
    /// What there is to say.
    pub entries: Vec<Entry>,
}

/// One meaning of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is: `rule`, `statement`.
    pub kind: &'static str,
    /// What it does.
    pub about: String,
    /// Where there is more, such as a chapter of the description of the language; may be empty.
    pub more: String,
}

/// Help about the word at a place of the own text. `effects` are those of the rules, if they are known.
pub fn hover(rules: &Rules, offset: u32, effects: Option<&Effects>) -> Option<Hover> {
    let offset = rules.inside(offset);
    if let Some(name) = rules.name_at(offset) {
        let entries = vec![entry_of_name(rules, name.kind, &name.name, effects)?];
        return Some(Hover { word: name.name.clone(), span: name.span, entries });
    }
    let token = token_at(&rules.own().parse, offset)?;
    let (word, span) = phrase(&token)?;
    let entries: Vec<Entry> = about(&word)
        .map(|entry| Entry {
            kind: entry.kind.word(),
            about: entry.about.to_string(),
            more: entry.chapter.to_string(),
        })
        .collect();
    (!entries.is_empty()).then_some(Hover { word, span, entries })
}

fn entry_of_name(rules: &Rules, kind: NameKind, name: &str, effects: Option<&Effects>) -> Option<Entry> {
    if matches!(kind, NameKind::Game | NameKind::Library) {
        let text = match kind {
            NameKind::Game => multigame_library::rules(name)?,
            _ => multigame_library::library(name)?,
        };
        let about = text.lines().next().unwrap_or_default().trim_start_matches('#').trim().to_string();
        return Some(Entry { kind: kind.word(), about, more: String::new() });
    }
    if kind == NameKind::Argument {
        let about = "Each call says what comes in its place.".to_string();
        return Some(Entry { kind: kind.word(), about, more: String::new() });
    }
    let (source, symbol) = rules.symbol(kind, name)?;
    let may = effects.filter(|_| kind == NameKind::Rule).and_then(|effects| effects.of(name));
    let mut parts: Vec<String> = Vec::new();
    if !symbol.detail.is_empty() {
        parts.push(symbol.detail.clone());
    }
    parts.extend(may.map(|effect| format!("This rule {}.", effect.sentence())));
    let more =
        if source == 0 { String::new() } else { format!("declared in {}", rules.sources[source].name) };
    Some(Entry { kind: kind.word(), about: parts.join(" "), more })
}

/// The longest phrase of the language around a word, or the word.
fn phrase(token: &SyntaxToken) -> Option<(String, Span)> {
    if !matches!(token.kind(), SyntaxKind::Ident | SyntaxKind::Opponents) {
        return None;
    }
    let longest = WORDS
        .iter()
        .filter(|entry| entry.word.contains(' '))
        .filter_map(|entry| Some((entry.word, spread(token, entry.word)?)))
        .max_by_key(|(word, _)| word.len());
    let (word, span) = longest.unwrap_or_else(|| (token.text(), token_span(token)));
    Some((word.to_string(), span))
}

/// Where the words of a phrase are, if this token is one of them.
fn spread(token: &SyntaxToken, phrase: &str) -> Option<Span> {
    let words: Vec<&str> = phrase.split(' ').collect();
    words.iter().enumerate().filter(|(_, word)| **word == token.text()).find_map(|(place, _)| {
        let first = (0..place).try_fold(token.clone(), |token, _| before(&token))?;
        let mut last = first.clone();
        for (number, word) in words.iter().enumerate() {
            if number > 0 {
                last = behind(&last)?;
            }
            if last.text() != *word {
                return None;
            }
        }
        Some(token_span(&first).cover(token_span(&last)))
    })
}
