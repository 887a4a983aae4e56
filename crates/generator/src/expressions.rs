//! Expressions, with and without effects.

use crate::statements::{Known, Writer};

const BINARY: &[&str] =
    &["+", "-", "*", "==", "<", ">=", "!=", ">", "<=", "&", "|", "^", "/", "%", "<<", ">>"];

/// The variables that can be assigned, with the mask and the least value that keep it in its range.
const VARIABLES: &[(&str, u32, i32)] =
    &[("turns", 7, 0), ("own score", 3, -2), ("opponent's score", 3, -2), ("trips", 7, 0), ("mark", 3, 0)];

impl Writer<'_> {
    /// An expression that assigns nothing.
    pub(crate) fn expression(&mut self, known: Known, depth: u32) -> String {
        if depth == 0 || self.choices.below(3) == 0 {
            return self.simple_expression(known);
        }
        let inner = depth - 1;
        match self.choices.below(12) {
            0..3 => format!("count [ {} ]", self.counted(known, inner)),
            3 => self.sum(known, inner),
            4 => format!("!({})", self.expression(known, inner)),
            5 => format!("{}({})", self.choices.of(&["-", "~", "+"]), self.expression(known, inner)),
            6 => format!("({} && {})", self.expression(known, inner), self.expression(known, inner)),
            7 => format!("({} || {})", self.expression(known, inner), self.expression(known, inner)),
            8 => {
                let [c, a, b] = std::array::from_fn(|_| self.expression(known, inner));
                format!("({c} ? {a} : {b})")
            }
            _ => self.binary(known, inner),
        }
    }

    /// A test that often holds and often does not.
    pub(crate) fn condition(&mut self, known: Known, depth: u32) -> String {
        let left = self.expression(known, depth);
        match self.choices.below(4) {
            0 => left,
            _ => {
                let compared = ["!= 2", ">= 1", "< 3", "== 1", ">= 0", "!= turns", "== 2", "< turns"];
                format!("{left} {}", self.choices.of(&compared))
            }
        }
    }

    fn simple_expression(&mut self, known: Known) -> String {
        let everywhere = ["1", "2", "turns", "own score", "opponent's score", "trips", "0", "3"];
        let with_finger = ["row", "column", "mark", "rank"];
        if self.stacks && self.choices.below(4) == 3 {
            return if known.finger { "height" } else { "carried" }.to_string();
        }
        match known.finger && self.choices.below(2) == 1 {
            true => self.choices.of(&with_finger).to_string(),
            false => self.choices.of(&everywhere).to_string(),
        }
    }

    fn binary(&mut self, known: Known, depth: u32) -> String {
        let operator = self.choices.of(BINARY);
        let left = self.expression(known, depth);
        // Divisors and shifts are small numbers, so that they have a meaning.
        let right = match operator {
            "/" | "%" => self.choices.of(&["2", "1", "3", "(trips + 1)", "turns"]).to_string(),
            "<<" | ">>" => self.choices.of(&["2", "1", "3", "trips", "(own score + 3)"]).to_string(),
            _ => self.expression(known, depth),
        };
        format!("({left} {operator} {right})")
    }

    /// The bodies of `count` and `sum`: anything, and often from somewhere else.
    fn counted(&mut self, known: Known, depth: u32) -> String {
        let mut inside = known;
        match self.choices.below(3) {
            0 => format!("find {}", self.pattern()),
            _ => self.sequence(&mut inside, depth),
        }
    }

    fn sum(&mut self, known: Known, depth: u32) -> String {
        let mut inside = known;
        let body = match self.choices.below(2) {
            0 => {
                inside.finger = true;
                format!("find {}", self.pattern())
            }
            _ => self.sequence(&mut inside, depth),
        };
        format!("sum ({}) [ {body} ]", self.expression(inside, depth.min(1)))
    }

    /// An expression that assigns something.
    pub(crate) fn assignment(&mut self, known: Known, depth: u32) -> String {
        let count = if known.finger { VARIABLES.len() } else { VARIABLES.len() - 1 };
        let (name, mask, low) = VARIABLES[self.choices.below(count)];
        match self.choices.below(10) {
            0..5 => format!("{name} = (({}) & {mask}) + {low}", self.expression(known, depth)),
            5 => format!("{name}{}", self.choices.of(&["++", "--"])),
            6 => format!("{}{name}", self.choices.of(&["++", "--"])),
            7 => {
                let operator =
                    self.choices.of(&["+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="]);
                format!("{name} {operator} {}", self.choices.of(&["1", "2"]))
            }
            8 => format!("{}, {}", self.assignment(known, 0), self.assignment(known, 0)),
            _ => {
                let chosen = self.condition(known, depth);
                format!("({chosen}) && ({name} = {})", 0.max(low))
            }
        }
    }
}
