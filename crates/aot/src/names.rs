//! What things are called in generated source.

use std::collections::BTreeSet;

use multigame_game::{Description, Piece, Scope, Side};
use multigame_mir::{FunctionId, HEADER, Layout, Module, SIGNATURE};

/// Names of the parts of positions and of functions.
pub(crate) struct Names {
    /// The constant of each word of a position.
    pub words: Vec<String>,
    /// The constant of each value of a property that does not belong to fields.
    pub values: Vec<String>,
    /// Each function.
    pub functions: Vec<String>,
}

impl Names {
    pub fn new(module: &Module, description: &Description) -> Names {
        let mut used = BTreeSet::new();
        Names {
            words: words(&module.layout, description),
            values: values(description),
            functions: module.functions.iter().map(|f| unique(snake(&f.name), &mut used)).collect(),
        }
    }

    pub fn function(&self, id: FunctionId) -> &str {
        &self.functions[id.0 as usize]
    }
}

fn words(layout: &Layout, description: &Description) -> Vec<String> {
    let mut names = vec![String::new(); layout.words()];
    names[SIGNATURE] = "SIGNATURE".to_string();
    names[HEADER] = "HEADER".to_string();
    let mut used = BTreeSet::from(["SIGNATURE".to_string(), "HEADER".to_string()]);
    for board in 0..layout.boards() {
        let name = match layout.coded {
            true => format!("PIECE_BIT_{board}"),
            false => snake(&description.piece_name(Piece(board as u8 + 1))).to_uppercase(),
        };
        for word in 0..layout.set_words {
            let name = if layout.set_words == 1 { name.clone() } else { format!("{name}_{word}") };
            names[layout.board_word(board) + word] = unique(name, &mut used);
        }
    }
    for planes in &layout.planes {
        let property = description.properties.iter().find(|property| property.offset == planes.slot);
        let name = snake(property.map_or("fields", |property| &property.name)).to_uppercase();
        for (number, word) in (planes.word..planes.word + planes.bits * layout.set_words).enumerate() {
            let (bit, part) = (number / layout.set_words, number % layout.set_words);
            let part = if layout.set_words == 1 { String::new() } else { format!("_{part}") };
            names[word] = unique(format!("{name}_BIT_{bit}{part}"), &mut used);
        }
    }
    for (number, name) in names[layout.first_value_word()..].iter_mut().enumerate() {
        *name = unique(format!("VALUES_{number}"), &mut used);
    }
    names
}

fn values(description: &Description) -> Vec<String> {
    let mut used = BTreeSet::new();
    let mut names = Vec::with_capacity(description.value_count());
    for property in &description.properties {
        let name = snake(&property.name).to_uppercase();
        for index in 0..property.length(&description.board) {
            let name = match property.scope {
                Scope::Board => name.clone(),
                Scope::Player => format!("{}_{name}", Side::BOTH[index].to_string().to_uppercase()),
                Scope::Field => continue,
            };
            names.push(unique(format!("VALUE_{name}"), &mut used));
        }
    }
    names
}

/// A name that is not taken yet.
fn unique(name: String, used: &mut BTreeSet<String>) -> String {
    let mut candidate = name.clone();
    let mut number = 2;
    while !used.insert(candidate.clone()) {
        candidate = format!("{name}_{number}");
        number += 1;
    }
    candidate
}

/// A name as Rust wants it: lower case letters, digits and underscores.
pub(crate) fn snake(name: &str) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let text: String = name.chars().map(word).collect();
    let parts: Vec<&str> = text.split('_').filter(|part| !part.is_empty()).collect();
    match parts.join("_") {
        text if text.is_empty() => "unnamed".to_string(),
        text if text.starts_with(|c: char| c.is_ascii_digit()) || is_keyword(&text) => format!("the_{text}"),
        text => text,
    }
}

fn is_keyword(word: &str) -> bool {
    // Those of today, and those kept for later.
    const KEYWORDS: [&str; 51] = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
        "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
        "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self",
        "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
        "virtual", "where", "while", "yield",
    ];
    // Names that generated functions use for themselves.
    const OURS: [&str; 7] = ["position", "children", "child", "bits", "value", "main", "budget"];
    KEYWORDS.contains(&word) || OURS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::snake;

    #[test]
    fn names_become_rust() {
        assert_eq!(snake("white queen"), "white_queen");
        assert_eq!(snake("man_jump (white)"), "man_jump_white");
        assert_eq!(snake("3-fold"), "the_3_fold");
        assert_eq!(snake("move"), "the_move");
        assert_eq!(snake("Box"), "the_box");
        assert_eq!(snake("'"), "unnamed");
    }
}
