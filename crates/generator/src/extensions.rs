//! Rules with `based on`, `called` and `repetition = judge`.

use crate::choices::Choices;

/// Bases, some of which do not exist or are the game itself.
const BASES: &[&str] = &[
    "tic-tac-toe",
    "three-mens-morris",
    "breakthrough",
    "pegged",
    "go-9x9",
    "quarto",
    "no-such-game",
    "extended",
];

/// Names that rules may have in a base, and some that none has.
const RULES: &[&str] =
    &["main", "three_in_a_row", "place", "shift", "goal", "breathes", "choose", "extra", "repeated"];

const NAMES: &[&str] = &[
    "nothing",
    "called field",
    "called \"x\"",
    "called \"\"",
    "called \" -> \"",
    "called \"pass\"",
    "called (row)",
    "called (column - 5)",
    "called \"a\" field (column)",
    "called field field",
    "called (n)",
    "either called \"a\" or called \"b\"",
    "optionally called (p)",
    "test called \"never\"",
];

const STATEMENTS: &[&str] = &[
    "nothing",
    "irreversible",
    "keep turn",
    "win",
    "lose",
    "draw",
    "score (n - 3)",
    "assign (n = (n + 1) % 10)",
    "assign (p = (p + 1) % 10)",
    "assign (opponent's p = 3)",
    "assert (p < 5)",
    "assert (cycle > 2)",
    "assert (2 * p >= cycle)",
    "find own man",
    "find empty field",
    "find any field",
    "replace by man",
    "replace by empty field",
    "as opponent find own man",
    "not find opponent's man",
    "find own mark",
    "three_in_a_row",
    "extra",
];

/// Rules made of bytes that name their moves, judge repetition or build on other games.
pub fn extended_rules(bytes: &[u8]) -> String {
    let mut choices = Choices::new(bytes);
    if choices.below(2) == 0 { small(&mut choices) } else { based(&mut choices) }
}

fn sequence(choices: &mut Choices<'_>) -> String {
    let mut parts = Vec::new();
    for _ in 0..=choices.below(4) {
        parts.push(match choices.below(6) {
            0 => format!("try [ {}, {} ]", choices.of(STATEMENTS), choices.of(STATEMENTS)),
            1 => format!("either {} or {}", choices.of(STATEMENTS), choices.of(STATEMENTS)),
            2 => choices.of(NAMES).to_string(),
            _ => choices.of(STATEMENTS).to_string(),
        });
    }
    parts.join(", ")
}

/// Men that walk to and fro, so that positions come back.
fn small(choices: &mut Choices<'_>) -> String {
    let repetition = ["judge 2 (cycle)", "judge 3 (cycle)", "judge 2", "draw 3", "forbidden", "judge 1 (n)"];
    let repetition = choices.of(&repetition);
    let notation =
        choices.of(&["", "notation { coordinates }", "notation { uci algebraic }", "notation { pdn }"]);
    let (first, last) = (choices.of(NAMES), choices.of(NAMES));
    let (more, repeated) = (sequence(choices), sequence(choices));
    format!(
        "dimensions (3, 2) no moves = loss repetition = {repetition} {notation}\n\
         pieces {{ man 'M' 'm' }}\n\
         properties {{ n : board : [0 .. 9] p : player : [0 .. 9] unhashed cycle : move : [0 .. 9] }}\n\
         setup {{ \".m.\" \".M.\" }}\n\
         main = find own man, {first}, pick up, orthogonal, step, points at empty field, put down, {last}, optionally extra.\n\
         extra = {more}.\n\
         repeated = {repeated}."
    )
}

/// A game with some of its rules and declarations replaced.
fn based(choices: &mut Choices<'_>) -> String {
    let mut text = format!("based on \"{}\"\n", choices.of(BASES));
    text += "properties { n : board : [0 .. 9] p : player : [0 .. 9] unhashed cycle : move : [0 .. 9] }\n";
    let declarations = [
        "",
        "pieces { man 'Y' 'y' }",
        "pieces { mark 'X' 'O' }",
        "no moves = draw",
        "dimensions (4, 4)",
        "repetition = judge 2 (cycle)",
        "parameter size = 3 [2 .. 9]",
        "setup { black to move }",
    ];
    for _ in 0..choices.below(3) {
        text += &format!("{}\n", choices.of(&declarations));
    }
    for _ in 0..choices.below(4) {
        text += &format!("{} = {}.\n", choices.of(RULES), sequence(choices));
    }
    text
}
