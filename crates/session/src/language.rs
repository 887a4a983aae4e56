//! The words of the language in one sentence each, for hover help.

use serde_json::{Value, json};

/// Word, kind, what it does, and the chapter of docs/language.md about it.
#[rustfmt::skip]
const WORDS: &[(&str, &str, &str, &str)] = &[
    ("players", "declaration", "How many play: 2, or 1 for a puzzle.", "4. Declarations"),
    ("sides", "declaration", "1 if both players see the board from the same side, 2 if Black sees it turned by 180 degrees.", "9. Boards"),
    ("topology", "declaration", "How fields hang together: `square`, `hex` or `graph`.", "9. Boards"),
    ("dimensions", "declaration", "Columns and rows of the board.", "9. Boards"),
    ("directions", "declaration", "The directions of a free graph, each with its chains of fields.", "9. Boards"),
    ("no moves", "declaration", "What happens to a player without a move: `loss`, `draw`, `pass` or `error`.", "8. What a result means"),
    ("repetition", "declaration", "What happens when a position comes back: `draw 3`, `win 2`, `loss 3` or `forbidden`.", "13. Repetition"),
    ("parameter", "declaration", "A number that can be chosen before the game, with its usual value and range.", "11. Parameters"),
    ("pieces", "declaration", "The kinds of pieces with their signs: White's and Black's, or one for a neutral piece.", "4. Declarations"),
    ("properties", "declaration", "Named numbers of the board, the players, the fields or the move being made.", "12. Properties and identity"),
    ("setup", "declaration", "Where a game starts: rows of signs from the top, values, who is to move.", "10. Setup"),
    ("notation", "declaration", "How moves are written: `uci`, `algebraic`, `pdn`, `coordinates`, `column`, `shift`, `fen`.", "14. Notation"),
    ("looks", "declaration", "Hints for drawing: glyphs and colours of pieces, the kind of board.", "15. Looks"),
    ("main", "declaration", "The rule that makes one move; every result is a legal move.", "8. What a result means"),
    ("goal", "declaration", "The rule that recognises a solved puzzle.", "8. What a result means"),
    ("final", "declaration", "The rule that gives the outcome where nobody can move.", "8. What a result means"),
    ("unhashed", "declaration", "This property is not part of a position's identity.", "12. Properties and identity"),
    ("apply", "declaration", "In a setup: a rule that finishes the picture.", "10. Setup"),
    ("find", "statement", "Puts the finger on each field that matches, one result for each.", "6. Statements"),
    ("points at", "statement", "Goes on only if the field under the finger matches.", "6. Statements"),
    ("replace by", "statement", "Puts a piece on the field under the finger.", "6. Statements"),
    ("pick up", "statement", "Takes the piece under the finger into the hand.", "6. Statements"),
    ("put down", "statement", "Puts the piece in the hand on the field under the finger.", "6. Statements"),
    ("step", "statement", "Moves the finger by one field in the direction; fails at the edge.", "6. Statements"),
    ("step backward", "statement", "Moves the finger by one field against the direction.", "6. Statements"),
    ("move to", "statement", "Puts the finger on the field with that column and row.", "6. Statements"),
    ("match", "statement", "Goes on only if the whole board looks like this, from the top left.", "6. Statements"),
    ("either", "statement", "All results of each alternative.", "6. Statements"),
    ("or", "statement", "Separates the alternatives of `either`, or the patterns in brackets.", "6. Statements"),
    ("try", "statement", "The results of the first statement, or if it has none those of the one after `else`.", "6. Statements"),
    ("else", "statement", "What happens where `try` fails.", "6. Statements"),
    ("optionally", "statement", "Both with and without the statement.", "6. Statements"),
    ("test", "statement", "Goes on unchanged if the statement has a result.", "6. Statements"),
    ("not", "statement", "Goes on unchanged if the statement has no result.", "6. Statements"),
    ("repeat", "statement", "Does a statement a number of times: `repeat 2 times`, `repeat 1 .. infinity times`.", "6. Statements"),
    ("times", "statement", "Ends the count of `repeat`.", "6. Statements"),
    ("infinity", "statement", "As often as there is something new, after `repeat`.", "6. Statements"),
    ("while", "statement", "Does a statement for as long as the condition has a result.", "6. Statements"),
    ("do", "statement", "What a loop does.", "6. Statements"),
    ("for each", "statement", "Does a statement for every matching field or direction, one after the other, in the same move.", "6. Statements"),
    ("greatest", "statement", "Keeps only the results with the greatest value.", "6. Statements"),
    ("as opponent", "statement", "Looks at the board with the opponent's eyes.", "6. Statements"),
    ("assert", "statement", "Goes on only if the expression is not 0.", "6. Statements"),
    ("assign", "statement", "Computes an expression that changes properties.", "6. Statements"),
    ("nothing", "statement", "Does nothing and succeeds.", "6. Statements"),
    ("irreversible", "statement", "This move can never be undone, so no earlier position comes back.", "13. Repetition"),
    ("keep turn", "statement", "The same player moves again.", "6. Statements"),
    ("win", "statement", "The game ends: the player who moves has won.", "6. Statements"),
    ("lose", "statement", "The game ends: the player who moves has lost.", "6. Statements"),
    ("draw", "statement", "The game ends: nobody has won.", "6. Statements"),
    ("score", "statement", "The game ends with this margin for the player who moves.", "6. Statements"),
    ("turn", "statement", "Turns the direction by a number of degrees to the right.", "6. Statements"),
    ("rotate", "statement", "Turns the direction by a number of degrees to the right.", "6. Statements"),
    ("any direction", "direction", "Each direction of the board, one result for each.", "6. Statements"),
    ("alldir", "direction", "Each direction of the board, one result for each.", "6. Statements"),
    ("orthogonal", "direction", "North, east, south and west, one result for each.", "6. Statements"),
    ("diagonal", "direction", "The four diagonal directions, one result for each.", "6. Statements"),
    ("north", "direction", "Away from the player who moves.", "6. Statements"),
    ("northeast", "direction", "Away from the player and to the right.", "6. Statements"),
    ("east", "direction", "To the right of the player who moves.", "6. Statements"),
    ("southeast", "direction", "Towards the player and to the right.", "6. Statements"),
    ("south", "direction", "Towards the player who moves.", "6. Statements"),
    ("southwest", "direction", "Towards the player and to the left.", "6. Statements"),
    ("west", "direction", "To the left of the player who moves.", "6. Statements"),
    ("northwest", "direction", "Away from the player and to the left.", "6. Statements"),
    ("empty field", "pattern", "A field without a piece.", "5. Patterns"),
    ("any field", "pattern", "Every field, empty or not.", "5. Patterns"),
    ("any piece", "pattern", "Every field with a piece.", "5. Patterns"),
    ("own", "pattern", "Of the player who moves: `own pawn`, `own piece`, `own store`.", "5. Patterns"),
    ("opponent's", "pattern", "Of the other player: `opponent's pawn`, `opponent's store`.", "5. Patterns"),
    ("row", "expression", "The row of the finger as the player who moves counts, from 1.", "7. Expressions"),
    ("column", "expression", "The column of the finger as the player who moves counts, from 1.", "7. Expressions"),
    ("count", "expression", "How many results statements have: `count [ find own man ]`.", "7. Expressions"),
    ("sum", "expression", "The sum of an expression over all results: `sum (seeds) [ own_house ]`.", "7. Expressions"),
];

/// All words as clients see them.
pub fn words() -> Value {
    let words = WORDS
        .iter()
        .map(|(word, kind, about, more)| json!({"word": word, "kind": kind, "about": about, "more": more}));
    json!({ "words": words.collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_is_in_the_description_of_the_language() {
        let language = include_str!("../../../docs/language.md");
        for (word, kind, _, more) in WORDS {
            assert!(language.contains(&format!("\n## {more}\n")), "{word}: {more}");
            let first = word.split(' ').next().unwrap_or("");
            assert!(language.contains(first), "{word}");
            assert!(
                ["statement", "declaration", "pattern", "expression", "direction"].contains(kind),
                "{word}"
            );
        }
    }
}
