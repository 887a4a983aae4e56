//! Bundled rules with a few random changes: statements as games have them, which random rules hardly ever
//! write, in combinations that no game has.
//!
//! The changes know little of the language, so a third of the mutants or more are not valid.

use std::ops::Range;

use crate::choices::Choices;

/// The most changes of one mutant.
const MOST_CHANGES: usize = 4;

/// Words that can stand for each other.
const ALIKE: &[&[&str]] = &[
    &["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"],
    &["orthogonal", "diagonal", "north", "nothing"],
    &["own", "opponent's"],
    &["test", "not", "optionally", "try"],
    &["win", "lose", "draw", "irreversible", "nothing"],
    &["==", "!=", "<", ">=", ">", "<="],
    &["&&", "||"],
    &["+", "-", "*"],
    &["empty", "any"],
    &["row", "column"],
    &["infinity", "1", "2", "3"],
    &["0", "1", "2", "3", "4", "5"],
];

/// Signs of several characters, longer ones before those that they begin with.
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=",
    "&=", "^=", "|=", "..",
];

/// Statements that are valid in nearly all rules.
const STATEMENTS: &[&str] = &[
    "step",
    "any direction",
    "find any piece",
    "find own piece",
    "find empty field",
    "points at any piece",
    "points at empty field",
    "step backward",
    "replace by empty field",
    "assert (row >= 2)",
    "irreversible",
    "either step or nothing",
    "try win",
    "pick up",
    "put down",
    "keep turn",
];

/// What a statement can be put into.
const AROUND: &[(&str, &str)] = &[
    ("test [", "]"),
    ("not [", "]"),
    ("optionally [", "]"),
    ("repeat 2 times [", "]"),
    ("repeat 0 .. infinity times [", "]"),
    ("repeat 1 .. 2 times [", "]"),
    ("for each direction do [", "]"),
    ("try [", "] else [ step ]"),
    ("either [", "] or [ any direction, step ]"),
    ("assert (count [", "] >= 1)"),
    ("as opponent [", "]"),
];

/// Rules of a bundled game, changed as the bytes choose.
pub fn mutant(bytes: &[u8]) -> String {
    let mut choices = Choices::new(bytes);
    let names = multigame_library::names();
    let name = &names[(choices.below(256) * 256 + choices.below(256)) % names.len()];
    let text = multigame_library::rules(name).expect("a bundled game has rules");
    let mut words = words(&text);
    // Declarations stay as they are; rules that stand before `main` as well.
    let main = words.windows(2).position(|pair| pair[0] == "main" && pair[1] == "=");
    let main = main.map_or(0, |main| main + 2);
    for _ in 0..1 + choices.below(MOST_CHANGES) {
        change(&mut words, main, &mut choices);
    }
    words.join(" ")
}

/// A place from the first on, whatever the number of words.
fn place(choices: &mut Choices<'_>, count: usize) -> usize {
    (choices.below(256) * 256 + choices.below(256)) % count.max(1)
}

fn change(words: &mut Vec<String>, main: usize, choices: &mut Choices<'_>) {
    let kind = choices.below(8);
    if kind < 3 {
        return exchange(words, main, choices);
    }
    let parts = parts(words, main);
    if parts.is_empty() {
        return;
    }
    let part = parts[place(choices, parts.len())].clone();
    let inside = words[part.clone()].join(" ");
    let new = match kind {
        3 => "nothing".to_string(),
        4 => {
            let (before, after) = AROUND[choices.below(AROUND.len())];
            format!("{before} {inside} {after}")
        }
        5 => words[parts[place(choices, parts.len())].clone()].join(" "),
        6 => format!("[ {}, {inside} ]", choices.of(STATEMENTS)),
        _ => format!("[ {inside}, {} ]", choices.of(STATEMENTS)),
    };
    words.splice(part, [new]);
}

/// One word for another.
fn exchange(words: &mut [String], main: usize, choices: &mut Choices<'_>) {
    let alike = |word: &String| ALIKE.iter().filter(|class| class.contains(&word.as_str())).count();
    let places: Vec<usize> = (main..words.len()).filter(|&place| alike(&words[place]) > 0).collect();
    if places.is_empty() {
        return;
    }
    let word = &mut words[places[place(choices, places.len())]];
    let classes: Vec<_> = ALIKE.iter().filter(|class| class.contains(&word.as_str())).collect();
    let class = classes[choices.below(classes.len())];
    *word = choices.of(class).to_string();
}

/// Where statements stand: from a comma, a bracket or a word that a statement follows to the next of them.
fn parts(words: &[String], from: usize) -> Vec<Range<usize>> {
    let opens =
        |word: &str| matches!(word, "," | "[" | "=" | "or" | "do" | "else" | "test" | "not" | "either");
    let begins = (from..words.len()).filter(|&at| opens(&words[at]));
    begins.filter_map(|at| Some(at + 1..end(words, at + 1)?)).filter(|part| !part.is_empty()).collect()
}

/// The end of the statement that begins there.
fn end(words: &[String], begin: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate().skip(begin) {
        match word.as_str() {
            "," | "]" | "." | "or" | "else" | "while" | ")" if depth == 0 => return Some(at),
            "[" | "(" => depth += 1,
            "]" | ")" => depth -= 1,
            "{" | "}" | "=" => return None,
            _ => {}
        }
    }
    None
}

/// The words of a text without its comments.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            _ if first.is_alphanumeric() || first == '_' => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
                let end = end.unwrap_or(rest.len());
                if rest[end..].starts_with("'s") { end + 2 } else { end }
            }
            _ if first.is_whitespace() => first.len_utf8(),
            _ => OPERATORS
                .iter()
                .find(|sign| rest.starts_with(**sign))
                .map_or(first.len_utf8(), |sign| sign.len()),
        };
        let (word, after) = rest.split_at(length);
        if !word.trim().is_empty() && first != '#' {
            words.push(word.to_string());
        }
        rest = after;
    }
    words
}

#[cfg(test)]
mod tests {
    use multigame_compiler::{Options, compile};

    use super::*;

    /// Nothing is changed but spaces.
    #[test]
    fn words_of_bundled_rules_are_these_rules() {
        for name in multigame_library::names() {
            let text = multigame_library::rules(&name).unwrap();
            let options = Options { name: name.clone(), ..Options::default() };
            let program = |text: &str| compile(text, &options).program.map(|program| program.functions);
            assert_eq!(program(&words(&text).join(" ")), program(&text), "{name}");
        }
    }

    #[test]
    fn many_mutants_are_valid_and_few_are_the_game_itself() {
        let mutants = (0..200).map(|number| mutant(&crate::bytes(number)));
        let valid = mutants.filter(|text| compile(text, &Options::default()).program.is_some()).count();
        assert!(valid > 60, "{valid} of 200 are valid");
    }
}
