//! How long rules are: all that says how a game goes, without comments and without advice on how to play
//! well.

use multigame_compiler::{Options, compile};
use multigame_syntax::ast::{Declaration, DeclarationKind};
use multigame_syntax::{Span, parse};

/// The length of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// Lines that are not blank.
    pub lines: usize,
    /// Bytes that are not white space.
    pub bytes: usize,
}

impl Length {
    /// The length of a text.
    pub fn of(text: &str) -> Length {
        let plain = without_comments(&without_evaluation(text));
        Length {
            lines: plain.lines().filter(|line| !line.trim().is_empty()).count(),
            bytes: plain.chars().filter(|c| !c.is_whitespace()).map(char::len_utf8).sum(),
        }
    }
}

/// Rules without their comments, which begin with `#` outside quotes.
pub fn without_comments(text: &str) -> String {
    let mut plain = String::new();
    for line in text.lines() {
        let signs: Vec<char> = line.chars().collect();
        let (mut end, mut in_string) = (signs.len(), false);
        for (at, sign) in signs.iter().enumerate() {
            let is_symbol = at > 0 && signs[at - 1] == '\'' && signs.get(at + 1) == Some(&'\'');
            in_string ^= *sign == '"';
            if *sign == '#' && !in_string && !is_symbol {
                end = at;
                break;
            }
        }
        plain.extend(&signs[..end]);
        plain.push('\n');
    }
    plain
}

/// Rules without evaluations, and without the rules that nothing else uses.
fn without_evaluation(text: &str) -> String {
    let mut text = text.to_string();
    let is_evaluation = |found: &&Declaration| matches!(found.kind, DeclarationKind::Evaluation(_));
    let declarations = parse(&text).program.declarations;
    let mut spans: Vec<Span> = declarations.iter().filter(is_evaluation).map(|found| found.span).collect();
    while !spans.is_empty() {
        for span in spans {
            let range = span.start as usize..span.end as usize;
            text.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        let warnings = compile(&text, &Options::default()).diagnostics;
        let unused: Vec<u32> = warnings
            .iter()
            .filter(|found| found.code == "unused-rule")
            .map(|found| found.span.start)
            .collect();
        let rules = parse(&text).program.rules;
        let unused = rules.iter().filter(|rule| unused.contains(&rule.name.span.start));
        spans = unused.map(|rule| rule.span).collect();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_told_from_symbols() {
        let text = "pieces { rock '#' }  # a rock\nsetup { \"#.\" } # two\n# three\n";
        assert_eq!(without_comments(text), "pieces { rock '#' }  \nsetup { \"#.\" } \n\n");
    }

    #[test]
    fn evaluations_and_rules_for_them_alone_do_not_count() {
        let rules = "dimensions (2, 2)\nno moves = loss\n\npieces { man 'M' 'm' }\n\n# A move.\n\
            main = find empty field, replace by man.\n";
        let judged = format!(
            "{rules}evaluation {{\n    near 3 : count [ close ]\n}}\nclose = deep.\ndeep = find own man.\n"
        );
        let plain = Length::of(rules);
        assert_eq!(plain.lines, 4);
        assert_eq!(Length::of(&judged), plain);
    }
}
