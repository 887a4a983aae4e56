//! Random rules that are valid most of the time.
//!
//! Everything is chosen by a row of bytes: the same bytes give the same rules, and fewer or smaller bytes give smaller
//! rules, so whoever shrinks the bytes shrinks the program. The fuzz target `programs` uses this file as well.

use std::fmt::Write;

/// Nesting of statements.
const DEEPEST: u32 = 4;

const DIRECTIONS: &[&str] = &[
    "north",
    "east",
    "orthogonal",
    "diagonal",
    "any direction",
    "northeast",
    "south",
    "turn 90",
    "turn -45",
];

const PATTERNS: &[&str] = &[
    "empty field",
    "own man",
    "opponent's man",
    "own piece",
    "any piece",
    "own king",
    "opponent's piece",
    "any field",
    "[own king or empty field]",
];

const EXPRESSIONS: &[&str] = &[
    "1",
    "row",
    "column",
    "turns",
    "mark",
    "step_count",
    "own_score",
    "row - column",
    "count [ find own man ]",
    "count [ any direction, step, points at own piece ]",
    "sum (mark) [ find own piece ]",
    "(turns + 1) * 2",
];

const RELATIONS: &[&str] = &["==", "<", ">=", "!="];

/// Decides by one byte after the other.
struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
}

impl Choices<'_> {
    /// A number below another; 0 when all bytes have been used.
    fn below(&mut self, number: usize) -> usize {
        self.bytes.next().map_or(0, |&byte| usize::from(byte) % number)
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// Rules made of bytes.
pub fn rules(bytes: &[u8]) -> String {
    let mut choices = Choices { bytes: bytes.iter() };
    let (columns, rows) = (2 + choices.below(4), 2 + choices.below(3));
    let mut text = format!("dimensions ({columns}, {rows})\n");
    let _ = writeln!(text, "no moves = {}", choices.of(&["loss", "draw"]));
    text.push_str("pieces { man 'M' 'm'  king 'K' 'k' }\n");
    text.push_str("properties {\n    turns : board : [0 .. 9]\n    own_score : player : [-3 .. 3]\n");
    text.push_str("    mark : field : [0 .. 5]\n    step_count : move : [0 .. 7]\n}\n");
    text.push_str("setup {\n");
    for _ in 0..rows {
        let row: String = (0..columns).map(|_| choices.of(&[".", "M", "m", ".", "K", "k"])).collect();
        let _ = writeln!(text, "    \"{row}\"");
    }
    text.push_str("}\n");
    let main = sequence(&mut choices, DEEPEST);
    let helper = sequence(&mut choices, 2);
    let test = sequence(&mut choices, 2);
    let _ = writeln!(
        text,
        "main = find {}, {main}, try look, assign (turns = (turns + 1) % 10).",
        choices.of(PATTERNS)
    );
    let _ = writeln!(text, "helper = {helper}.\nlook = test [ {test} ].");
    text
}

fn sequence(choices: &mut Choices<'_>, depth: u32) -> String {
    let parts: Vec<String> = (0..1 + choices.below(4)).map(|_| statement(choices, depth)).collect();
    parts.join(", ")
}

fn statement(choices: &mut Choices<'_>, depth: u32) -> String {
    let simple = 12;
    let kinds = if depth == 0 { simple } else { simple + 10 };
    match choices.below(kinds) {
        0 => format!("points at {}", choices.of(PATTERNS)),
        1 => format!("{}, step", choices.of(&DIRECTIONS[..7])),
        2 => format!("find {}", choices.of(PATTERNS)),
        3 => format!("replace by {}", choices.of(&["man", "king", "empty field", "opponent's man"])),
        4 => format!("{}, pick up, {}, step, put down", "points at own piece", choices.of(&DIRECTIONS[..7])),
        5 => format!(
            "assert ({} {} {})",
            choices.of(EXPRESSIONS),
            choices.of(RELATIONS),
            choices.of(EXPRESSIONS)
        ),
        6 => format!(
            "assign (mark = {} % 6)",
            choices.of(&["row", "column", "mark + 1", "turns", "mark * mark"])
        ),
        7 => format!("assign (step_count = (step_count + {}) % 8)", choices.of(&["1", "row", "mark"])),
        8 => format!("assign (own_score = {} % 4)", choices.of(&["row", "column", "own_score + 1"])),
        9 => choices.of(&["win", "draw", "keep turn", "lose"]).to_string(),
        10 => format!(
            "{}, {}",
            choices.of(&DIRECTIONS[..7]),
            choices.of(&["turn 90", "turn 180", "step backward"])
        ),
        11 => "nothing".to_string(),
        12 => format!("either [ {} ] or [ {} ]", sequence(choices, depth - 1), sequence(choices, depth - 1)),
        13 => format!("try [ {} ] else [ {} ]", sequence(choices, depth - 1), sequence(choices, depth - 1)),
        14 => format!("test [ {} ]", sequence(choices, depth - 1)),
        15 => format!("not [ {} ]", sequence(choices, depth - 1)),
        16 => {
            let low = choices.below(3);
            let high = low + choices.below(3);
            format!("repeat {low} .. {high} times [ {} ]", sequence(choices, depth - 1))
        }
        17 => format!(
            "{}, repeat 0 .. infinity times [ step, points at {} ]",
            choices.of(&DIRECTIONS[..7]),
            choices.of(PATTERNS)
        ),
        18 => format!("for each {} do [ {} ]", choices.of(PATTERNS), sequence(choices, depth - 1)),
        19 => format!(
            "{}, while [ step, points at {} ] do [ {} ]",
            choices.of(&DIRECTIONS[..7]),
            choices.of(PATTERNS),
            choices.of(&["nothing", "replace by man", "replace by empty field", "assign (mark = 1)"])
        ),
        20 => format!("as opponent [ {} ]", sequence(choices, depth - 1)),
        _ => "helper".to_string(),
    }
}
