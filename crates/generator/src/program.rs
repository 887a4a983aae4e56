//! Whole programs: declarations, a position to begin with, and rules in the shapes that games have.

use std::fmt::Write;

use crate::board::Board;
use crate::choices::Choices;
use crate::statements::{Known, Writer};

/// Nesting of statements.
const DEEPEST: usize = 3;

/// The content of fields in the beginning.
const GAME: &[&str] = &[".", "M", "m", ".", "K", "k", "#", "M"];
const PUZZLE: &[&str] = &[".", "M", ".", "K", "#"];

/// Rules made of bytes.
pub fn rules(bytes: &[u8]) -> String {
    let mut choices = Choices::new(bytes);
    let board = Board::choose(&mut choices);
    let mut text = board.declarations();
    let puzzle = choices.rarely(16);
    let ending = choices.of(&["loss", "draw", "loss", "pass", "loss", "draw", "loss", "error"]);
    if puzzle {
        text.push_str("players = 1\n");
    } else if choices.rarely(6) {
        text.push_str("sides = 1\n");
    }
    let _ = writeln!(text, "no moves = {ending}");
    text.push_str("pieces { man 'M' 'm'  king 'K' 'k'  rock '#' }\n");
    text.push_str("pattern royal = [king or own man]\npattern solid = [any piece or royal]\n");
    // Signatures of many values are computed and not looked up.
    let (turns, marks) = if choices.rarely(6) { (99_999, 9_999) } else { (9, 5) };
    let _ =
        writeln!(text, "properties {{\n    turns : board : [0 .. {turns}]\n    score : player : [-3 .. 3]");
    let unhashed = if choices.rarely(6) { " unhashed" } else { "" };
    let _ = writeln!(text, "    mark : field : [0 .. {marks}]{unhashed}\n    trips : move : [0 .. 7]\n}}");
    let chance = choices.rarely(6);
    if chance {
        text.push_str("properties { thrown : board : [0 .. 2] chance ways : board : [1 .. 3] weight }\n");
    }
    let stacks = choices.rarely(6);
    if stacks {
        let _ = writeln!(text, "stacks = 3 {}", choices.of(&["", "(man)", "(man, rock)"]));
    }
    text.push_str(&setup(&mut choices, &board, puzzle));
    let mut writer = Writer { choices, board, callable: Vec::new(), stacks };
    text.push_str(&writer.rules(puzzle, ending == "pass" && !puzzle, chance));
    if puzzle { for_one_player(&text) } else { text }
}

/// The same rules without anything that belongs to one of two players.
fn for_one_player(text: &str) -> String {
    let changes = [
        (" 'm'", ""),
        (" 'k'", ""),
        ("score : player", "score : board"),
        ("    black to move\n", ""),
        ("black to move", "white to move"),
        ("as opponent ", ""),
        ("opponent's piece", "any piece"),
        ("own piece", "any piece"),
        ("opponent's ", ""),
        (" own ", " "),
        ("(own ", "("),
        ("[own ", "["),
    ];
    changes.iter().fold(text.to_string(), |text, (from, to)| text.replace(from, to))
}

fn setup(choices: &mut Choices<'_>, board: &Board, puzzle: bool) -> String {
    let mut text = String::from("setup {\n");
    for row in 0..board.rows {
        let contents = (0..board.columns).map(|column| match board.is_hole(column, row) {
            true => "_",
            false => choices.of(if puzzle { PUZZLE } else { GAME }),
        });
        let row: String = contents.collect();
        let _ = writeln!(text, "    \"{row}\"");
    }
    if choices.rarely(4) {
        text.push_str("    black to move\n");
    }
    text + "}\n"
}

impl Writer<'_> {
    /// All rules. `main` comes first, because it must not be the one for which no bytes are left.
    fn rules(&mut self, puzzle: bool, passes: bool, chance: bool) -> String {
        let both = Known { finger: true, direction: true, hand: false };
        self.callable = vec!["helper", "look", "again", "leap"];
        let mut main = self.main();
        if chance {
            main = format!("[ {main} ], optionally assign (thrown = 0)");
        }
        self.callable = vec!["again"];
        let helper = self.sequence(&mut both.clone(), 2);
        let look = self.sequence(&mut Known::default(), 2);
        let again = format!("{}, optionally again", self.sequence(&mut both.clone(), 1));
        let mut text =
            format!("main = {main}.\nhelper = {helper}.\nlook = test [ {look} ].\nagain = {again}.\n");
        let (one, other) = (self.board.face(&mut self.choices), self.board.face(&mut self.choices));
        let _ = writeln!(text, "ahead = either {one} or {other}.");
        text.push_str(
            "leap (over, target, way, number) =\n    way, step, points at over, optionally replace by target,\n    \
             assert (count [ find over ] >= number).\n",
        );
        if chance {
            let happens = self.choice();
            let _ = writeln!(
                text,
                "chance = assign (thrown = 1), optionally assign (thrown = 2), optionally [ {happens} ],\n    \
                 assign (ways = thrown == 1 ? 3 : 1), optionally keep turn."
            );
        }
        if puzzle {
            let goal = self.sequence(&mut Known::default(), 1);
            let _ = writeln!(text, "goal = {goal}.");
        }
        if passes {
            let _ = writeln!(text, "final = {}.", self.sequence(&mut Known::default(), 1));
        }
        if !puzzle && self.choices.rarely(4) {
            let (count, term) = (self.expression(Known::default(), 2), self.expression(Known::default(), 2));
            let _ = writeln!(
                text,
                "evaluation {{ material {{ man 100 king 300 }} a 3 : {count} b 2 mover : {term} }}"
            );
        }
        if self.board.is_square() && self.choices.rarely(6) {
            text = text
                .replace("helper = ", "helper = try [ test [ in_a_row (own man, 2) ], replace by rock ], ");
            text.insert_str(0, "uses rows\n");
        }
        text
    }

    /// The shapes that moves have in games, with anything inside.
    fn main(&mut self) -> String {
        match self.choices.below(8) {
            0..3 => self.choice(),
            3 => {
                let [a, b, c] = std::array::from_fn(|_| self.choice());
                format!("either [ {a} ] or [ {b} ] or [ {c} ]")
            }
            4 => format!("try [ {} ] else [ {} ]", self.choice(), self.choice()),
            5 => {
                let mut known = Known { finger: true, direction: true, hand: false };
                let moved = self.carried();
                format!("{moved}, {}", self.sequence(&mut known, 2))
            }
            6 => format!("{}, {}", self.carried(), self.threat()),
            _ => format!("either [ {}, {} ] or [ {} ]", self.carried(), self.threat(), self.choice()),
        }
    }

    fn choice(&mut self) -> String {
        let mut known = Known { finger: true, ..Known::default() };
        let depth = 1 + self.choices.below(DEEPEST) as u32;
        let way = format!("find {}, {}", self.pattern(), self.sequence(&mut known, depth));
        // Results that change nothing are all the same: most ways leave a trace.
        match self.choices.below(4) {
            3 => way,
            _ => format!("{way}, {}", self.change(&mut known, 1)),
        }
    }

    /// A piece is carried somewhere.
    fn carried(&mut self) -> String {
        let piece = self.choices.of(&["own man", "own piece", "own king"]);
        let facing = self.board.face(&mut self.choices);
        let way = match self.choices.below(4) {
            0 => "step".to_string(),
            1 => format!("repeat 1 .. 2 times [ step, points at {} ]", self.pattern()),
            2 => format!("repeat 0 .. infinity times [ step, points at {} ], step", self.pattern()),
            _ => {
                let mut known = Known { finger: true, direction: true, hand: true };
                self.sequence(&mut known, 2)
            }
        };
        let target = self.choices.of(&["empty field", "[empty field or opponent's piece]", "any field"]);
        // The way may have lost the finger, as far as anybody can tell.
        format!("find {piece}, pick up, {facing}, {way}, points at {target}, put down")
    }

    /// A condition that must not hold after a move, such as an attack on the own king.
    fn threat(&mut self) -> String {
        let (facing, over, wanted) = (self.board.face(&mut self.choices), self.pattern(), self.pattern());
        match self.choices.below(3) {
            0 => format!("not [ find own king, {facing}, step, points at {wanted} ]"),
            1 => format!(
                "not [ find own king, {facing}, repeat 0 .. infinity times [ step, points at {over} ], step, points at {wanted} ]"
            ),
            _ => format!(
                "not [ find own king, {} ]",
                self.sequence(&mut Known { finger: true, ..Known::default() }, 2)
            ),
        }
    }
}
