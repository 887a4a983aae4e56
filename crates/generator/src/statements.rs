//! Statements, with an eye on what they need: a finger, a direction, a piece in the hand.
//!
//! Each statement is preceded by the statements that it needs, so that nearly all rules are valid. Inside a
//! nested statement less may be known afterwards than was said; the writer keeps only what every way has
//! given.

use crate::board::Board;
use crate::choices::Choices;
use crate::patterns;

/// The certain facts at some point of a move.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known {
    pub finger: bool,
    pub direction: bool,
    /// Whether the hand holds a piece: it does everywhere or nowhere in a statement and after it.
    pub hand: bool,
}

impl Known {
    fn and(self, other: Known) -> Known {
        Known { finger: self.finger && other.finger, direction: self.direction && other.direction, ..self }
    }
}

/// The longest board whose fields are all named in a `match`.
const LARGEST_MATCH: usize = 12;

/// Writes statements.
pub(crate) struct Writer<'b> {
    pub choices: Choices<'b>,
    pub board: Board,
    /// Rules that may be called at this point; each needs a finger and a direction.
    pub callable: Vec<&'static str>,
    /// Whether fields hold several pieces.
    pub stacks: bool,
}

impl Writer<'_> {
    pub(crate) fn pattern(&mut self) -> String {
        patterns::pattern(&mut self.choices)
    }

    pub(crate) fn sequence(&mut self, known: &mut Known, depth: u32) -> String {
        let parts: Vec<String> = (0..1 + self.choices.of_numbers(&[0, 0, 1, 1, 2, 3]))
            .map(|_| self.statement(known, depth))
            .collect();
        parts.join(", ")
    }

    fn statement(&mut self, known: &mut Known, depth: u32) -> String {
        // Without bytes statements are simple, so that rules come to an end.
        if depth > 0 && self.choices.below(5) >= 2 {
            return self.nested(known, depth - 1);
        }
        match self.choices.below(13) {
            0 => "nothing".to_string(),
            1..3 => self.look(known),
            3..8 => self.walk(known),
            8..11 => self.change(known, depth),
            11 => self.judge(known, depth),
            _ => self.compute(known, depth),
        }
    }

    /// Statements that set a finger and a direction where they are needed and missing.
    fn given(&mut self, known: &mut Known, finger: bool, direction: bool) -> String {
        let mut text = String::new();
        if finger && !known.finger {
            text += &format!("find {}, ", self.pattern());
            known.finger = true;
        }
        if direction && !known.direction {
            text += &format!("{}, ", self.board.face(&mut self.choices));
            known.direction = true;
        }
        text
    }

    fn look(&mut self, known: &mut Known) -> String {
        match self.choices.below(8) {
            0..4 => format!("{}points at {}", self.given(known, true, false), self.pattern()),
            4 => self.match_all(),
            6 if known.hand => format!("{}holds {}", self.given(known, true, false), self.pattern()),
            6 if known.direction => format!("facing {}", self.board.face(&mut self.choices)),
            6 => self.choices.of(&["board unchanged", "not board unchanged"]).to_string(),
            _ => {
                known.finger = true;
                format!("find {}", self.pattern())
            }
        }
    }

    fn match_all(&mut self) -> String {
        if self.board.fields() > LARGEST_MATCH {
            return "nothing".to_string();
        }
        let patterns: Vec<String> = (0..self.board.fields())
            .map(|_| match self.choices.below(4) {
                3 => self.pattern(),
                _ => "any field".to_string(),
            })
            .collect();
        format!("match ({})", patterns.join(", "))
    }

    fn walk(&mut self, known: &mut Known) -> String {
        match self.choices.below(10) {
            0..3 => format!("{}step", self.given(known, true, true)),
            3..6 if self.board.returns => format!("{}step backward", self.given(known, true, true)),
            6 => format!("{}{}", self.given(known, false, true), self.board.turn(&mut self.choices)),
            7 => {
                let (column, row) = (self.expression(*known, 1), self.expression(*known, 1));
                known.finger = true;
                format!("move to ({column}, {row})")
            }
            _ => {
                known.direction = true;
                self.board.face(&mut self.choices).to_string()
            }
        }
    }

    pub(crate) fn change(&mut self, known: &mut Known, depth: u32) -> String {
        let given = self.given(known, true, false);
        if !known.hand && self.choices.below(3) == 0 {
            let mut pick = self.choices.of(&["pick up", "pickup"]).to_string();
            if self.stacks {
                let several = [" (2)", "", " (height)", ", optionally pick up", " (3)", " (row)"];
                pick += self.choices.of(&several);
            }
            known.hand = true;
            let carried = self.sequence(known, depth.saturating_sub(1));
            let there = self.given(known, true, false);
            known.hand = false;
            let put = self.choices.of(&["put down", "putdown"]);
            let fits = match self.stacks {
                true => self.choices.of(&[
                    "assert (height + carried <= 3), ",
                    "assert (height + carried <= 3), try [ assert (carried > 1), put down (1) ], ",
                    "try [ assert (carried == 3), put down (carried - 1) ], ",
                    "",
                ]),
                false => "",
            };
            return format!("{given}{pick}, {carried}, {there}{fits}{put}");
        }
        if self.stacks && self.choices.below(2) == 0 {
            let added = self.choices.of(&["man", "own man", "opponent's man", "[king or rock]"]);
            return format!("{given}assert (height < 3), add {added}");
        }
        format!("{given}replace by {}", patterns::replacement(&mut self.choices))
    }

    /// Statements about the further course of the game.
    fn judge(&mut self, known: &mut Known, depth: u32) -> String {
        match self.choices.below(11) {
            0 => "nothing".to_string(),
            1 => "irreversible".to_string(),
            2 => "keep turn".to_string(),
            3 => self.choices.of(&["win", "lose", "draw"]).to_string(),
            4 => format!("score ({})", self.expression(*known, depth.min(1))),
            5 => self.choices.of(&["white to move", "black to move"]).to_string(),
            6 if known.finger => self.choices.of(&["called field", "called \"x\" field (row)"]).to_string(),
            6 => self.choices.of(&["called \"x\"", "called (turns)"]).to_string(),
            _ => self.call(known),
        }
    }

    fn call(&mut self, known: &mut Known) -> String {
        if self.callable.is_empty() || known.hand {
            return "nothing".to_string();
        }
        let given = self.given(known, true, true);
        let callable = std::mem::take(&mut self.callable);
        let name = self.choices.of(&callable);
        self.callable = callable;
        match name {
            "leap" => {
                let (over, target) = (self.pattern(), patterns::replacement(&mut self.choices));
                let way = self.board.face(&mut self.choices);
                let times = self.choices.of(&["1", "2", "turns", "own score + 1"]);
                format!("{given}leap ({over}, {target}, {way}, {times})")
            }
            name => format!("{given}{name}"),
        }
    }

    fn compute(&mut self, known: &mut Known, depth: u32) -> String {
        match self.choices.below(4) {
            0 => format!("assign ({})", self.assignment(*known, depth.min(2))),
            1 if self.choices.rarely(4) => format!("assert ({})", self.assignment(*known, depth.min(1))),
            _ => format!("assert ({})", self.condition(*known, depth.min(2))),
        }
    }

    /// A statement in brackets; what it gives is known afterwards.
    fn block(&mut self, known: &mut Known, depth: u32) -> String {
        format!("[ {} ]", self.sequence(known, depth))
    }

    /// A statement in brackets whose finger and direction are forgotten.
    fn apart(&mut self, known: Known, depth: u32) -> String {
        self.block(&mut known.clone(), depth)
    }

    fn nested(&mut self, known: &mut Known, depth: u32) -> String {
        match self.choices.below(24) {
            0..5 => self.repeat(known, depth),
            5..8 => format!("test {}", self.apart(*known, depth)),
            8..11 => format!("not {}", self.apart(*known, depth)),
            11..13 => self.either(known, depth),
            13..15 => self.try_else(known, depth),
            15 => format!("optionally {}", self.apart(*known, depth)),
            16..18 => self.while_do(known, depth),
            18 => {
                let inside = Known { finger: true, ..*known };
                format!("for each {} do {}", self.pattern(), self.apart(inside, depth))
            }
            19 => {
                let inside = Known { direction: true, ..*known };
                let ways = match self.choices.below(3) {
                    0 => "direction",
                    1 => self.board.face(&mut self.choices),
                    _ => "ahead",
                };
                format!("for each {ways} do {}", self.apart(inside, depth))
            }
            20 => format!("as opponent {}", self.block(known, depth)),
            21 => {
                let body = self.block(known, depth);
                format!("greatest ({}) {body}", self.expression(*known, depth.min(1)))
            }
            22 => self.block(known, depth),
            _ => self.slide(known),
        }
    }

    fn either(&mut self, known: &mut Known, depth: u32) -> String {
        let (mut a, mut b) = (*known, *known);
        let text = format!("either {} or {}", self.block(&mut a, depth), self.block(&mut b, depth));
        *known = a.and(b);
        match self.choices.rarely(4) {
            true => format!("{text} or {}", self.apart(*known, 0)),
            false => text,
        }
    }

    fn try_else(&mut self, known: &mut Known, depth: u32) -> String {
        let (mut a, mut b) = (*known, *known);
        let first = self.block(&mut a, depth);
        if self.choices.below(3) == 0 {
            return format!("try {first}");
        }
        let second = self.block(&mut b, depth);
        *known = a.and(b);
        format!("try {first} else {second}")
    }

    /// The body must begin with no more than the loop does.
    fn repeat(&mut self, known: &mut Known, depth: u32) -> String {
        let low = self.choices.below(3);
        let times = match self.choices.below(4) {
            0 => format!("{low} .. infinity"),
            1 => format!("{low} .. {}", low + self.choices.below(3)),
            _ => format!("{}", 1 + low),
        };
        let given = self.given(known, true, true);
        format!("{given}repeat {times} times {}", self.apart(*known, depth))
    }

    fn while_do(&mut self, known: &mut Known, depth: u32) -> String {
        let given = self.given(known, true, true);
        match self.choices.below(3) {
            0 => {
                let condition = format!("[ step, points at {} ]", self.pattern());
                let body =
                    self.choices.of(&["nothing", "replace by man", "replace by empty field", "turn_back"]);
                let body = if body == "turn_back" { self.board.turn(&mut self.choices) } else { body };
                format!("{given}while {condition} do {body}")
            }
            1 => {
                let condition = self.apart(*known, depth.min(1));
                format!("{given}while {condition} do {}", self.apart(*known, depth))
            }
            _ => {
                let body = self.apart(*known, depth);
                format!("{given}do {body} while {}", self.apart(*known, depth.min(1)))
            }
        }
    }

    /// Along a direction over any number of fields, as pieces that ride do.
    fn slide(&mut self, known: &mut Known) -> String {
        known.direction = true;
        let given = self.given(known, true, false);
        let (facing, over) = (self.board.face(&mut self.choices), self.pattern());
        let least = self.choices.below(2);
        format!("{given}{facing}, repeat {least} .. infinity times [ step, points at {over} ]")
    }
}
