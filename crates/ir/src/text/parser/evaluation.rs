//! Reading evaluations: a line for each, then its weights, then its terms.

use multigame_game::{
    Evaluation, MAX_TERMS, MAX_WEIGHT, Pair, Piece, PieceInfo, Purpose, Term, TermKind, Weight,
};

use super::{Cursor, Labels, Parsed};
use crate::text::ParseError;
use crate::text::lexer::Token;
use crate::{CompiledEvaluation, Counted};

/// The evaluations read so far; lines on weights and terms belong to the last one.
#[derive(Default)]
pub(super) struct Evaluations {
    pub read: Vec<CompiledEvaluation>,
    /// The line of the last table, whose size is not known yet.
    tables: Vec<(usize, u32)>,
}

impl Evaluations {
    /// `evaluation "main" worth phase 0 .. 24 @"main.phase".white`
    pub fn begin(&mut self, cursor: &mut Cursor<'_>, labels: &Labels) -> Parsed<()> {
        let name = cursor.text("the evaluation's name")?;
        if self.read.iter().any(|other| other.evaluation.name == name) {
            return cursor.error(format!("there already is an evaluation {name:?}"));
        }
        let purpose = match cursor.word("`worth` or `bound`")? {
            "worth" => Purpose::Worth,
            "bound" => Purpose::Bound,
            other => return cursor.error(format!("`{other}` is not `worth` or `bound`")),
        };
        let (mut range, mut phase) = (None, None);
        if cursor.accept_word("phase") {
            let low = cursor.number(-1_000_000, 999_999)?;
            cursor.expect_sign("..")?;
            let high = cursor.number(low + 1, 1_000_000)?;
            range = Some((low as i32, high as i32));
            phase = Some(cursor.function(labels)?);
        }
        let calm = match cursor.accept_word("calm") {
            true => Some([cursor.function(labels)?, cursor.function(labels)?]),
            false => None,
        };
        let evaluation = Evaluation { name, purpose, phase: range, weights: Vec::new(), terms: Vec::new() };
        self.read.push(CompiledEvaluation { evaluation, phase, calm, counted: Vec::new() });
        Ok(())
    }

    fn last(&mut self, cursor: &Cursor<'_>) -> Parsed<&mut CompiledEvaluation> {
        match self.read.last_mut() {
            Some(judgement) => Ok(judgement),
            None => cursor.error("a line `evaluation ...` is expected before weights and terms"),
        }
    }

    /// `weight "material.pawn" 100 -100 .. 300`
    pub fn weight(&mut self, cursor: &mut Cursor<'_>) -> Parsed<()> {
        let most = i64::from(MAX_WEIGHT);
        let name = cursor.text("the weight's name")?;
        let value = cursor.number(-most, most)? as i32;
        let low = cursor.number(-most, most)?;
        cursor.expect_sign("..")?;
        let high = cursor.number(low, most)?;
        let weight = Weight { name, value, low: low as i32, high: high as i32 };
        self.last(cursor)?.evaluation.weights.push(weight);
        Ok(())
    }

    /// `term "mobility" counted 0/1 @"main.mobility".white @"main.mobility".black`
    pub fn term(&mut self, cursor: &mut Cursor<'_>, labels: &Labels, known: &[PieceInfo]) -> Parsed<()> {
        let line = cursor.line();
        let judgement = self.last(cursor)?;
        let weights = judgement.evaluation.weights.len();
        let name = cursor.text("the term's name")?;
        let mut size = None;
        let kind = match cursor.word("`material`, `table` or `counted`")? {
            "material" => {
                let mut entries = Vec::new();
                while matches!(cursor.peek(), Token::Symbol(_)) {
                    let pieces = [piece(cursor, known)?, piece(cursor, known)?];
                    entries.push((pieces, pair(cursor, weights)?));
                }
                TermKind::Material(entries)
            }
            "table" => {
                let pieces = [piece(cursor, known)?, piece(cursor, known)?];
                cursor.expect_sign(":")?;
                let mut pairs = Vec::new();
                loop {
                    match cursor.peek() {
                        Token::Word("_") => {
                            cursor.take();
                            pairs.push(None);
                        }
                        Token::Number(_) => pairs.push(Some(pair(cursor, weights)?)),
                        _ => break,
                    }
                }
                size = Some(pairs.len());
                TermKind::Table(pieces, pairs)
            }
            "counted" => {
                let weights = pair(cursor, weights)?;
                let mover = cursor.accept_word("mover");
                let functions = [cursor.function(labels)?, cursor.function(labels)?];
                judgement.counted.push(Counted { functions, mover });
                if judgement.counted.len() > MAX_TERMS {
                    return cursor.error(format!("there can be {MAX_TERMS} counted terms"));
                }
                TermKind::Counted(weights)
            }
            other => return cursor.error(format!("`{other}` is not `material`, `table` or `counted`")),
        };
        let group = if cursor.accept_word("group") { Some(cursor.number(0, 255)? as u32) } else { None };
        judgement.evaluation.terms.push(Term { name, kind, group });
        self.tables.extend(size.map(|size| (size, line)));
        Ok(())
    }

    /// All evaluations, if their tables fit the board.
    pub fn finish(self, fields: usize) -> Parsed<Vec<CompiledEvaluation>> {
        match self.tables.iter().find(|(size, _)| *size != fields) {
            None => Ok(self.read),
            Some(&(size, line)) => {
                let message = format!("the table has {size} entries for {fields} fields, holes included");
                Err(ParseError { line, message })
            }
        }
    }
}

fn piece(cursor: &mut Cursor<'_>, known: &[PieceInfo]) -> Parsed<Piece> {
    let line = cursor.line();
    let symbol = cursor.symbol()?;
    match known.iter().position(|piece| piece.symbol == symbol) {
        Some(number) => Ok(Piece(number as u8 + 1)),
        None => Err(ParseError { line, message: format!("there is no piece {symbol:?} above") }),
    }
}

/// `0/1`: numbers of weights.
fn pair(cursor: &mut Cursor<'_>, weights: usize) -> Parsed<Pair> {
    if weights == 0 {
        return cursor.error("a weight is expected before the terms");
    }
    let opening = cursor.number(0, weights as i64 - 1)? as u32;
    cursor.expect_sign("/")?;
    let end = cursor.number(0, weights as i64 - 1)? as u32;
    Ok(Pair { opening, end })
}
