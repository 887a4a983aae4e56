//! Which words are reserved, and which word somebody may have meant.

/// Words that begin a statement of the core language.
const STATEMENT_WORDS: [&str; 38] = [
    "either",
    "try",
    "optionally",
    "test",
    "not",
    "repeat",
    "while",
    "do",
    "find",
    "points",
    "replace",
    "move",
    "match",
    "pick",
    "pickup",
    "put",
    "putdown",
    "step",
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
    "orthogonal",
    "diagonal",
    "any",
    "alldir",
    "turn",
    "rotate",
    "assert",
    "assign",
    "white",
    "black",
    "nothing",
    "irreversible",
];

/// Words that begin a statement and are outcomes.
const OUTCOME_WORDS: [&str; 3] = ["win", "lose", "draw"];

/// Words that begin a declaration of the core language.
const DECLARATION_WORDS: [&str; 6] = ["players", "sides", "dimensions", "no", "pieces", "properties"];

/// Other words of the core grammar that would be ambiguous as names.
///
/// Words that only follow another one (`at`, `by`, `to`, `up`, `down`, `backward`, `direction`, `moves`) and
/// the values of declarations (`loss`, `pass`, `error`, `board`, `player`) are not here: a seed has a rule
/// `pass`, and `up` and `down` are natural names of directions.
const JOINING_WORDS: [&str; 10] =
    ["or", "else", "times", "infinity", "own", "empty", "piece", "field", "row", "column"];

/// Whether a word begins a statement of the core language.
pub(crate) fn begins_statement(word: &str) -> bool {
    STATEMENT_WORDS.contains(&word) || OUTCOME_WORDS.contains(&word)
}

/// Whether a word begins a declaration of the core language.
pub(crate) fn begins_declaration(word: &str) -> bool {
    DECLARATION_WORDS.contains(&word)
}

/// Whether a word cannot name a rule, a piece or a property.
pub fn is_reserved(word: &str) -> bool {
    begins_statement(word) || begins_declaration(word) || JOINING_WORDS.contains(&word)
}

/// Whether a word is one of the eight compass directions.
pub(crate) fn is_compass(word: &str) -> bool {
    matches!(
        word,
        "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest"
    )
}

/// The candidate that differs least from a word, if it is near enough to be meant.
pub fn closest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // Long words are not misspelled keywords, and the table below is quadratic.
    if word.chars().count() > 40 {
        return None;
    }
    let allowed = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Number of characters that must be inserted, removed, changed or swapped with their neighbour.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let width = right.len() + 1;
    let mut table = vec![0; (left.len() + 1) * width];
    for row in 0..=left.len() {
        for column in 0..=right.len() {
            table[row * width + column] = if row == 0 || column == 0 {
                row + column
            } else {
                let changed = usize::from(left[row - 1] != right[column - 1]);
                let mut best = (table[(row - 1) * width + column - 1] + changed)
                    .min(table[(row - 1) * width + column] + 1)
                    .min(table[row * width + column - 1] + 1);
                let swapped = row > 1
                    && column > 1
                    && left[row - 1] == right[column - 2]
                    && left[row - 2] == right[column - 1];
                if swapped {
                    best = best.min(table[(row - 2) * width + column - 2] + 1);
                }
                best
            };
        }
    }
    table[left.len() * width + right.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn finds_the_word_that_was_meant() {
        assert_eq!(closest("backwards", ["backward"]), Some("backward"));
        assert_eq!(closest("fidn", ["find", "field"]), Some("find"));
        assert_eq!(closest("xyz", ["find", "field"]), None);
    }
}
