//! The worth of positions, as data: terms and the weights they are multiplied by.
//!
//! An evaluation is linear in its weights, so a learning program can treat it as a vector of numbers and a
//! vector of features (see [`crate::Appraiser::gradient`]). The game counts for the terms
//! ([`crate::Game::features`]); every game can weigh pieces on fields ([`crate::Game::weigh_fields`]).

use std::collections::BTreeMap;

use crate::{Board, Diagram, Field, Piece};

/// The most terms of one evaluation that are counted.
pub const MAX_TERMS: usize = 64;

/// Weights are between minus this and this.
pub const MAX_WEIGHT: i32 = 10_000;

/// The name of an evaluation that the rules give none.
pub const USUAL_EVALUATION: &str = "main";

/// An evaluation of the positions of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The name by which it is chosen.
    pub name: String,
    /// The meaning of the number.
    pub purpose: Purpose,
    /// The range of the phase, the end of the game first; absent where weights do not depend on it.
    pub phase: Option<(i32, i32)>,
    /// The numbers that may be tuned.
    pub weights: Vec<Weight>,
    /// The weights of the terms.
    pub terms: Vec<Term>,
}

/// The meaning of an evaluation's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The value for the player to move; 100 is about the worth of a man.
    Worth,
    /// A number of moves that are certainly needed to solve the puzzle.
    Bound,
}

/// A number of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Unique in its evaluation: `material.pawn`, `table.pawn.e4.end`, `mobility.opening`.
    pub name: String,
    /// The value in the rules.
    pub value: i32,
    /// Least sensible value.
    pub low: i32,
    /// Greatest sensible value.
    pub high: i32,
}

/// The weights of a term in the opening and at the end: numbers in [`Evaluation::weights`], equal if there is
/// one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Where the phase is greatest.
    pub opening: u32,
    /// Where the phase is least.
    pub end: u32,
}

/// A part of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// For people: `material`, `table.pawn`, or the name in the rules.
    pub name: String,
    /// The things that are weighed.
    pub kind: TermKind,
    /// Of the terms with the same number only the greatest counts; bounds only.
    pub group: Option<u32>,
}

/// The things that a term weighs: own things minus the opponent's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// Pieces anywhere: White's and Black's piece (the same one twice in a puzzle) and their weights.
    Material(Vec<([Piece; 2], Pair)>),
    /// One piece depending on where it stands; one entry for each field as White sees the board, none for
    /// holes.
    Table([Piece; 2], Vec<Option<Pair>>),
    /// Something the rules count: the next of the game's features.
    Counted(Pair),
}

impl Evaluation {
    /// The values the rules give the weights.
    pub fn values(&self) -> Vec<i32> {
        self.weights.iter().map(|weight| weight.value).collect()
    }

    /// The values with some of them replaced, by the names of the weights.
    pub fn with_named(&self, weights: &BTreeMap<String, i32>) -> Result<Vec<i32>, String> {
        let (mut values, name) = (self.values(), &self.name);
        for (weight, &value) in weights {
            let Some(number) = self.weight(weight) else {
                return Err(format!(
                    "evaluation `{name}` has no weight `{weight}`; remove it, or tune again with these rules"
                ));
            };
            if value.abs() > MAX_WEIGHT {
                return Err(format!("`{weight}` is {value}; -{MAX_WEIGHT} to {MAX_WEIGHT} is possible"));
            }
            values[number] = value;
        }
        Ok(values)
    }

    /// The number of the weight of that name.
    pub fn weight(&self, name: &str) -> Option<usize> {
        self.weights.iter().position(|weight| weight.name == name)
    }

    /// Number of features that the game counts for it.
    pub fn counted(&self) -> usize {
        self.terms.iter().filter(|term| matches!(term.kind, TermKind::Counted(_))).count()
    }
}

impl Weight {
    /// A weight with a range around its value in which it may be tuned.
    pub fn new(name: String, value: i32) -> Weight {
        let room = (2 * value.abs()).max(200);
        let (low, high) = ((value - room).max(-MAX_WEIGHT), (value + room).min(MAX_WEIGHT));
        Weight { name, value, low, high }
    }
}

impl Pair {
    /// The same weight always.
    pub fn single(weight: u32) -> Pair {
        Pair { opening: weight, end: weight }
    }
}

impl TermKind {
    /// For each piece on each field that the term weighs: its sign and its weights. Nothing for counted
    /// terms.
    pub fn for_each_field(&self, board: &Board, visit: &mut dyn FnMut(Piece, Field, i32, Pair)) {
        let both = |pieces: [Piece; 2]| [(pieces[0], 1), (pieces[1], -1)];
        let count = |pieces: [Piece; 2]| if pieces[0] == pieces[1] { 1 } else { 2 };
        match self {
            TermKind::Material(entries) => {
                for &(pieces, pair) in entries {
                    for (piece, sign) in both(pieces).into_iter().take(count(pieces)) {
                        board.fields().for_each(|field| visit(piece, field, sign, pair));
                    }
                }
            }
            TermKind::Table(pieces, pairs) => {
                for (side, (piece, sign)) in
                    crate::Side::BOTH.into_iter().zip(both(*pieces)).take(count(*pieces))
                {
                    for field in board.fields() {
                        if let Some(pair) = pairs[board.seen_by(side, field).index()] {
                            visit(piece, field, sign, pair);
                        }
                    }
                }
            }
            TermKind::Counted(_) => {}
        }
    }
}

/// The weight of each piece on each field, in the opening and at the end; White's positive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldWeights {
    fields: usize,
    weights: Vec<[i32; 2]>,
}

impl FieldWeights {
    /// Nothing weighs anything. `pieces` counts the empty field, `fields` the holes.
    pub fn new(pieces: usize, fields: usize) -> FieldWeights {
        FieldWeights { fields, weights: vec![[0; 2]; pieces * fields] }
    }

    /// Adds to what a piece weighs on a field.
    pub fn add(&mut self, piece: Piece, field: Field, weights: [i32; 2]) {
        let entry = &mut self.weights[piece.index() * self.fields + field.index()];
        *entry = [entry[0] + weights[0], entry[1] + weights[1]];
    }

    /// The weight of a piece on each field.
    #[inline]
    pub fn of_piece(&self, piece: Piece) -> &[[i32; 2]] {
        &self.weights[piece.index() * self.fields..][..self.fields]
    }

    /// Whether a piece weighs anything anywhere.
    pub fn weighs(&self, piece: Piece) -> bool {
        self.of_piece(piece).iter().any(|&weights| weights != [0, 0])
    }

    /// The sum over all fields.
    pub fn sum(&self, diagram: &Diagram) -> [i32; 2] {
        diagram.cells.iter().enumerate().fold([0, 0], |sum, (field, &piece)| {
            let [opening, end] = self.weights[piece.index() * self.fields + field];
            [sum[0] + opening, sum[1] + end]
        })
    }
}
