//! Another name for something: every place at once, or a reason why not.
//!
//! Words of the language depend on what follows them, so no list of forbidden names would be complete. The
//! renamed text is read again instead: it must have the same names at the same places, all but the new one.

use multigame_syntax::ast::{DeclarationKind, ExprKind, NoMoves, Repetition};
use multigame_syntax::{Span, is_reserved};

use crate::names::{NameKind, Occurrence};
use crate::rules::Rules;
use crate::{Edit, apply};

/// Longer names are refused by the checker.
const LONGEST_NAME: usize = 100;

/// The name at a place if it can be changed: what would be edited first.
pub fn prepare(rules: &Rules, offset: u32) -> Result<&Occurrence, String> {
    let name = rules.name_at(rules.inside(offset)).ok_or("there is no name to change here")?;
    let word = name.kind.word();
    if matches!(name.kind, NameKind::Game | NameKind::Library) {
        return Err(format!("the name of a {word} is the name of its file"));
    }
    if name.kind == NameKind::Argument {
        return Ok(name);
    }
    if name.kind == NameKind::Rule && has_role(rules, &name.name) {
        return Err(format!("the rule `{}` is found by its name", name.name));
    }
    match rules.symbol(name.kind, &name.name) {
        None => Err(format!("the {word} `{}` is not declared", name.name)),
        Some((source, _)) if source > 0 => {
            let base = &rules.sources[source].name;
            let whose = match base.strip_prefix("libraries/") {
                Some(library) => format!("library `{library}`"),
                None => format!("bundled game `{base}`"),
            };
            Err(format!("the {word} `{}` is declared in the {whose}", name.name))
        }
        Some(_) => match replaced(rules, name) {
            Some(base) => Err(format!(
                "this {word} replaces `{}` of the game `{base}`; under another name it would not",
                name.name
            )),
            None => Ok(name),
        },
    }
}

/// The changes of the own text that give the name at a place another one.
pub fn rename(rules: &Rules, offset: u32, new: &str) -> Result<Vec<Edit>, String> {
    let name = prepare(rules, offset)?;
    check_name(rules, name, new)?;
    let places = rules.own().occurrences.iter().filter(|other| name.names_the_same(other));
    let edits: Vec<Edit> = places.map(|place| Edit { span: place.span, text: new.to_string() }).collect();
    if name.name != new && !means_the_same(rules, name, new, &edits) {
        return Err(format!("`{new}` would be read as something else at one of its places"));
    }
    Ok(edits)
}

fn check_name(rules: &Rules, name: &Occurrence, new: &str) -> Result<(), String> {
    let mut letters = new.bytes();
    let begins = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
    if !begins || !letters.all(|letter| letter.is_ascii_alphanumeric() || letter == b'_') {
        return Err(format!("`{new}` is not a name: use letters, digits and `_`, and begin with a letter"));
    }
    if new.len() > LONGEST_NAME {
        return Err(format!("a name may have {LONGEST_NAME} letters, this one has {}", new.len()));
    }
    if is_reserved(new) && name.kind != NameKind::Direction {
        return Err(format!("`{new}` is a word of the language"));
    }
    if name.kind == NameKind::Rule && has_role(rules, new) {
        return Err(format!("a rule called `{new}` has a meaning of its own"));
    }
    let mut own = rules.own().occurrences.iter();
    if name.rule.is_some()
        && name.name != new
        && own.any(|other| other.rule == name.rule && other.name == new)
    {
        return Err(format!("there is a {} `{new}` already", name.kind.word()));
    }
    let rivals: &[NameKind] = match name.kind {
        NameKind::Property | NameKind::Parameter => &[NameKind::Property, NameKind::Parameter],
        NameKind::Piece | NameKind::Pattern => &[NameKind::Piece, NameKind::Pattern],
        NameKind::Rule | NameKind::Direction => &[NameKind::Rule, NameKind::Direction],
        _ => std::slice::from_ref(&name.kind),
    };
    for &kind in rivals {
        let taken = name.name != new && rules.symbol(kind, new).is_some();
        if taken
            && !(kind == NameKind::Term && name.kind == NameKind::Term && distant_terms(rules, name, new))
        {
            return Err(format!("there is a {} `{new}` already", kind.word()));
        }
    }
    Ok(())
}

/// Terms of different evaluations may have the same name.
fn distant_terms(rules: &Rules, name: &Occurrence, new: &str) -> bool {
    let evaluation = |span: Span| {
        let declarations = &rules.own().parse.program.declarations;
        declarations.iter().position(|it| it.span.start <= span.start && span.end <= it.span.end)
    };
    let own = rules.own().occurrences.iter();
    let mut others = own.filter(|other| other.kind == NameKind::Term && other.name == new);
    others.all(|other| evaluation(other.span) != evaluation(name.span))
}

/// Whether a rule of that name is run from outside.
fn has_role(rules: &Rules, name: &str) -> bool {
    let programs = rules.sources.iter().map(|source| &source.parse.program);
    let mut declarations = programs.flat_map(|program| &program.declarations).map(|it| &it.kind);
    match name {
        "main" => true,
        "goal" => declarations
            .any(|kind| matches!(kind, DeclarationKind::Players(e) if matches!(e.kind, ExprKind::Int(1)))),
        "final" => declarations.any(|kind| matches!(kind, DeclarationKind::NoMoves(NoMoves::Pass))),
        "repeated" => {
            declarations.any(|kind| matches!(kind, DeclarationKind::Repetition(Repetition::Judged { .. })))
        }
        "chance" => declarations.any(|kind| {
            matches!(kind, DeclarationKind::Properties(lines) if lines.iter().any(|it| it.chance.is_some()))
        }),
        _ => false,
    }
}

/// The game whose declaration of a name the own text replaces.
fn replaced<'r>(rules: &'r Rules, name: &Occurrence) -> Option<&'r str> {
    let bases = rules.sources.iter().skip(1);
    let has = |source: &&crate::Source| {
        source.occurrences.iter().any(|other| (other.kind, &other.name) == (name.kind, &name.name))
    };
    bases.filter(has).map(|source| source.name.as_str()).next()
}

/// Whether the changed text has the same names at the same places, and no new mistakes.
fn means_the_same(rules: &Rules, name: &Occurrence, new: &str, edits: &[Edit]) -> bool {
    let own = rules.own();
    let changed = Rules::new(&own.name, &apply(&own.text, edits));
    let mut shift = 0i64;
    let expected: Vec<(NameKind, String, i64, bool)> = own
        .occurrences
        .iter()
        .map(|other| {
            let start = i64::from(other.span.start) + shift;
            let text = if name.names_the_same(other) { new } else { &other.name };
            shift += text.len() as i64 - other.name.len() as i64;
            (other.kind, text.to_string(), start, other.declares)
        })
        .collect();
    let found: Vec<(NameKind, String, i64, bool)> = changed
        .own()
        .occurrences
        .iter()
        .map(|other| (other.kind, other.name.clone(), i64::from(other.span.start), other.declares))
        .collect();
    let codes = |rules: &Rules| -> Vec<&'static str> {
        rules.own().parse.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    };
    expected == found && codes(rules) == codes(&changed)
}
