//! The words of the language: what each does in a sentence.

use WordKind::{Declaration, Direction, Expression, Pattern, Statement};

/// What a word is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// A declaration, or something in its braces.
    Declaration,
    /// A statement.
    Statement,
    /// A direction.
    Direction,
    /// A pattern.
    Pattern,
    /// An expression.
    Expression,
}

impl WordKind {
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            WordKind::Declaration => "declaration",
            WordKind::Statement => "statement",
            WordKind::Direction => "direction",
            WordKind::Pattern => "pattern",
            WordKind::Expression => "expression",
        }
    }
}

/// A word, or several that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The words, with one blank in between.
    pub word: &'static str,
    /// What they are part of.
    pub kind: WordKind,
    /// What they do, in a sentence.
    pub about: &'static str,
    /// The chapter of docs/language.md about them.
    pub chapter: &'static str,
}

const fn word(word: &'static str, kind: WordKind, about: &'static str, chapter: &'static str) -> Word {
    Word { word, kind, about, chapter }
}

/// All words of the language.
#[rustfmt::skip]
pub const WORDS: &[Word] = &[
    word("players", Declaration, "How many play: 2, or 1 for a puzzle.", "4. Declarations"),
    word("sides", Declaration, "1 if both players see the board from the same side, 2 if Black sees it turned by 180 degrees.", "9. Boards"),
    word("topology", Declaration, "How fields hang together: `square`, `hex` or `graph`.", "9. Boards"),
    word("dimensions", Declaration, "Columns and rows of the board.", "9. Boards"),
    word("directions", Declaration, "The directions of a free graph, each with its chains of fields.", "9. Boards"),
    word("no moves", Declaration, "What happens to a player without a move: `loss`, `draw`, `pass` or `error`.", "8. What a result means"),
    word("repetition", Declaration, "What happens when a position comes back: `draw 3`, `win 2`, `loss 3` or `forbidden`.", "13. Repetition"),
    word("stacks", Declaration, "Fields hold several pieces, at most so many: `stacks = 5`.", "9. Boards"),
    word("parameter", Declaration, "A number that can be chosen before the game, with its usual value and range.", "11. Parameters"),
    word("pattern", Declaration, "A name for a pattern, used like a piece's.", "5. Patterns"),
    word("pieces", Declaration, "The kinds of pieces with their signs: White's and Black's, or one for a neutral piece.", "4. Declarations"),
    word("properties", Declaration, "Named numbers of the board, the players, the fields or the move being made.", "12. Properties and identity"),
    word("setup", Declaration, "Where a game starts: rows of signs from the top, values, who is to move.", "10. Setup"),
    word("notation", Declaration, "How moves are written: `uci`, `algebraic`, `pdn`, `coordinates`, `column`, `shift`, `fen`.", "14. Notation"),
    word("looks", Declaration, "Hints for drawing: glyphs and colours of pieces, the kind of board.", "15. Looks"),
    word("main", Declaration, "The rule that makes one move; every result is a legal move.", "8. What a result means"),
    word("goal", Declaration, "The rule that recognises a solved puzzle.", "8. What a result means"),
    word("final", Declaration, "The rule that gives the outcome where nobody can move.", "8. What a result means"),
    word("unhashed", Declaration, "This property is not part of a position's identity.", "12. Properties and identity"),
    word("chance", Declaration, "Nature moves where this property has its least value; and the rule that says what may happen there.", "18. Chance"),
    word("weight", Declaration, "This property says how often an outcome of chance occurs among all that may happen.", "18. Chance"),
    word("apply", Declaration, "In a setup: a rule that finishes the picture.", "10. Setup"),
    word("find", Statement, "Puts the finger on each field that matches, one result for each.", "6. Statements"),
    word("points at", Statement, "Goes on only if the field under the finger matches.", "6. Statements"),
    word("replace by", Statement, "Puts a piece on the field under the finger.", "6. Statements"),
    word("pick up", Statement, "Takes the piece under the finger into the hand.", "6. Statements"),
    word("put down", Statement, "Puts the piece in the hand on the field under the finger.", "6. Statements"),
    word("step", Statement, "Moves the finger by one field in the direction; fails at the edge.", "6. Statements"),
    word("step backward", Statement, "Moves the finger by one field against the direction.", "6. Statements"),
    word("move to", Statement, "Puts the finger on the field with that column and row.", "6. Statements"),
    word("match", Statement, "Goes on only if the whole board looks like this, from the top left.", "6. Statements"),
    word("either", Statement, "All results of each alternative.", "6. Statements"),
    word("or", Statement, "Separates the alternatives of `either`, or the patterns in brackets.", "6. Statements"),
    word("try", Statement, "The results of the first statement, or if it has none those of the one after `else`.", "6. Statements"),
    word("else", Statement, "What happens where `try` fails.", "6. Statements"),
    word("optionally", Statement, "Both with and without the statement.", "6. Statements"),
    word("test", Statement, "Goes on unchanged if the statement has a result.", "6. Statements"),
    word("not", Statement, "Goes on unchanged if the statement has no result.", "6. Statements"),
    word("repeat", Statement, "Does a statement a number of times: `repeat 2 times`, `repeat 1 .. infinity times`.", "6. Statements"),
    word("times", Statement, "Ends the count of `repeat`.", "6. Statements"),
    word("infinity", Statement, "As often as there is something new, after `repeat`.", "6. Statements"),
    word("while", Statement, "Does a statement for as long as the condition has a result.", "6. Statements"),
    word("do", Statement, "What a loop does.", "6. Statements"),
    word("for each", Statement, "Does a statement for every matching field or direction (`for each orthogonal do`), one after the other, in the same move.", "6. Statements"),
    word("greatest", Statement, "Keeps only the results with the greatest value.", "6. Statements"),
    word("as opponent", Statement, "Looks at the board with the opponent's eyes.", "6. Statements"),
    word("assert", Statement, "Goes on only if the expression is not 0.", "6. Statements"),
    word("assign", Statement, "Computes an expression that changes properties.", "6. Statements"),
    word("nothing", Statement, "Does nothing and succeeds.", "6. Statements"),
    word("irreversible", Statement, "This move can never be undone, so no earlier position comes back.", "13. Repetition"),
    word("keep turn", Statement, "The same player moves again.", "6. Statements"),
    word("facing", Statement, "Goes on only if the direction is one of these: `facing north`, `facing orthogonal`.", "6. Statements"),
    word("holds", Statement, "Goes on only if the piece in the hand matches.", "6. Statements"),
    word("add", Statement, "Puts a new piece on top of the stack under the finger.", "9. Boards"),
    word("board unchanged", Statement, "Goes on only if all pieces are where they were when the move began.", "6. Statements"),
    word("win", Statement, "The game ends: the player who moves has won.", "6. Statements"),
    word("lose", Statement, "The game ends: the player who moves has lost.", "6. Statements"),
    word("draw", Statement, "The game ends: nobody has won.", "6. Statements"),
    word("score", Statement, "The game ends with this margin for the player who moves.", "6. Statements"),
    word("turn", Statement, "Turns the direction by a number of degrees to the right.", "6. Statements"),
    word("rotate", Statement, "Turns the direction by a number of degrees to the right.", "6. Statements"),
    word("any direction", Direction, "Each direction of the board, one result for each.", "6. Statements"),
    word("alldir", Direction, "Each direction of the board, one result for each.", "6. Statements"),
    word("orthogonal", Direction, "North, east, south and west, one result for each.", "6. Statements"),
    word("diagonal", Direction, "The four diagonal directions, one result for each.", "6. Statements"),
    word("north", Direction, "Away from the player who moves.", "6. Statements"),
    word("northeast", Direction, "Away from the player and to the right.", "6. Statements"),
    word("east", Direction, "To the right of the player who moves.", "6. Statements"),
    word("southeast", Direction, "Towards the player and to the right.", "6. Statements"),
    word("south", Direction, "Towards the player who moves.", "6. Statements"),
    word("southwest", Direction, "Towards the player and to the left.", "6. Statements"),
    word("west", Direction, "To the left of the player who moves.", "6. Statements"),
    word("northwest", Direction, "Away from the player and to the left.", "6. Statements"),
    word("empty field", Pattern, "A field without a piece.", "5. Patterns"),
    word("any field", Pattern, "Every field, empty or not.", "5. Patterns"),
    word("any piece", Pattern, "Every field with a piece.", "5. Patterns"),
    word("own", Pattern, "Of the player who moves: `own pawn`, `own piece`, `own store`.", "5. Patterns"),
    word("opponent's", Pattern, "Of the other player: `opponent's pawn`, `opponent's store`.", "5. Patterns"),
    word("row", Expression, "The row of the finger as the player who moves counts, from 1.", "7. Expressions"),
    word("column", Expression, "The column of the finger as the player who moves counts, from 1.", "7. Expressions"),
    word("rank", Expression, "The number of the piece under the finger in the order of `pieces`, from 1; 0 for an empty field.", "7. Expressions"),
    word("height", Expression, "The number of pieces on the field under the finger, in games with `stacks`.", "9. Boards"),
    word("carried", Expression, "The number of pieces in the hand, in games with `stacks`.", "9. Boards"),
    word("count", Expression, "How many results statements have: `count [ find own man ]`.", "7. Expressions"),
    word("sum", Expression, "The sum of an expression over all results: `sum (seeds) [ own_house ]`.", "7. Expressions"),
    word("based on", Declaration, "Takes everything from another game that these rules do not replace.", "4. Declarations"),
    word("uses", Declaration, "Takes the rules and patterns that are called from a library, such as `uses rows`.", "4. Declarations"),
    word("evaluation", Declaration, "What positions are worth: material, tables, and terms with their weights.", "16. Evaluation"),
    word("abstractions", Declaration, "Views of a puzzle that tell only some pieces apart, for pattern databases.", "4. Declarations"),
    word("material", Declaration, "In an evaluation: what each piece is worth.", "16. Evaluation"),
    word("table", Declaration, "In an evaluation: what a piece is worth on each field, the farthest row first.", "16. Evaluation"),
    word("phase", Declaration, "In an evaluation: how far the game has come, for weights that change.", "16. Evaluation"),
    word("calm", Declaration, "In an evaluation: where the value can be relied on.", "16. Evaluation"),
    word("mover", Declaration, "This term counts for the player to move only.", "16. Evaluation"),
    word("called", Statement, "Adds to the name of the move: text, the field, or a number.", "14. Notation"),
    word("white to move", Statement, "In a rule: goes on only if White is to move. In a setup: White begins.", "6. Statements"),
    word("black to move", Statement, "In a rule: goes on only if Black is to move. In a setup: Black begins.", "6. Statements"),
    word("own piece", Pattern, "Every field with a piece of the player who moves.", "5. Patterns"),
    word("opponent's piece", Pattern, "Every field with a piece of the other player.", "5. Patterns"),
];

/// Everything said about a word; several entries if it has several meanings.
pub fn about(word: &str) -> impl Iterator<Item = &'static Word> {
    WORDS.iter().filter(move |entry| entry.word == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_is_in_the_description_of_the_language() {
        let language = include_str!("../../../docs/language.md");
        for entry in WORDS {
            assert!(language.contains(&format!("\n## {}\n", entry.chapter)), "{entry:?}");
            let first = entry.word.split(' ').next().unwrap_or("");
            assert!(language.contains(first), "{entry:?}");
        }
    }
}
