//! Reading functions: statements and their bodies.

use multigame_game::{Direction, Field, Outcome, Piece, PieceSet};

use super::{Cursor, Labels, Parsed};
use crate::text::ParseError;
use crate::text::lexer::Token;
use crate::{NamePart, Op, OriginId, Program, Stmt};

/// More turns than this are refused, so that counting them cannot overflow.
const MAX_TURN: i64 = 1_000_000;

/// Reads the bodies of functions.
pub(super) struct Body<'c, 't, 'p> {
    pub cursor: &'c mut Cursor<'t>,
    /// The program without its functions.
    pub program: &'p Program,
    pub labels: &'p Labels,
}

impl Body<'_, '_, '_> {
    /// A body in braces: its only statement, or the sequence of its statements.
    pub fn block(&mut self) -> Parsed<Stmt> {
        self.cursor.expect_sign("{")?;
        let is_sequence = *self.cursor.peek() == Token::Sign("@");
        let origin = self.cursor.origin()?;
        let mut statements = self.statements()?;
        match statements.pop() {
            Some(only) if statements.is_empty() && !is_sequence => Ok(only),
            last => {
                statements.extend(last);
                Ok(Stmt::new(Op::Sequence(statements), origin))
            }
        }
    }

    fn boxed_block(&mut self) -> Parsed<Box<Stmt>> {
        self.block().map(Box::new)
    }

    /// The statements after `{`, and `}`.
    fn statements(&mut self) -> Parsed<Vec<Stmt>> {
        let mut statements = Vec::new();
        self.cursor.skip_line_ends();
        while !self.cursor.accept_sign("}") {
            self.cursor.enter()?;
            statements.push(stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.statement())?);
            self.cursor.leave();
            if *self.cursor.peek() != Token::Sign("}") {
                self.cursor.end_of_line()?;
            }
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let line = self.cursor.line();
        let word = self.cursor.word("a statement or `}`")?;
        match word {
            "function" => {
                Err(ParseError { line, message: "`}` is missing before the next function".to_string() })
            }
            "sequence" | "either" | "try" | "test" | "not" | "repeat" | "while" | "greatest" | "for" => {
                self.with_bodies(word)
            }
            _ => {
                let Some(op) = self.simple(word)? else {
                    return Err(ParseError { line, message: format!("`{word}` is not a statement") });
                };
                Ok(Stmt::new(op, self.cursor.origin()?))
            }
        }
    }

    /// Statements whose origin stands before their bodies.
    fn with_bodies(&mut self, word: &str) -> Parsed<Stmt> {
        let (op, origin) = match word {
            "sequence" => {
                let origin = self.cursor.origin()?;
                self.cursor.expect_sign("{")?;
                (Op::Sequence(self.statements()?), origin)
            }
            "either" => {
                let origin = self.cursor.origin()?;
                let mut parts = vec![self.block()?];
                while self.cursor.accept_word("or") {
                    parts.push(self.block()?);
                }
                (Op::Either(parts), origin)
            }
            "try" => {
                let origin = self.cursor.origin()?;
                let first = self.boxed_block()?;
                let has_else = self.cursor.accept_word("else");
                let second = if has_else { self.boxed_block()? } else { Box::new(Stmt::nothing()) };
                (Op::Try(first, second), origin)
            }
            "test" => self.with_body(Op::Test)?,
            "not" => self.with_body(Op::Not)?,
            "repeat" => {
                let low = self.cursor.count()?;
                let high = match self.cursor.accept_sign("..") {
                    true if self.cursor.accept_word("infinity") => None,
                    true => Some(self.cursor.count()?),
                    false => Some(low),
                };
                self.with_body(|body| Op::Repeat { low, high, body })?
            }
            "while" => {
                let origin = self.cursor.origin()?;
                let condition = self.boxed_block()?;
                self.cursor.expect_word("do")?;
                (Op::While { condition, body: self.boxed_block()? }, origin)
            }
            "greatest" => {
                let value = self.bracketed()?;
                self.with_body(|body| Op::Greatest(value, body))?
            }
            _ => {
                self.cursor.expect_word("each")?;
                if self.cursor.accept_word("direction") {
                    let directions = self.directions()?;
                    self.with_body(|body| Op::ForEachDirection(directions, body))?
                } else {
                    let set = self.pieces()?;
                    self.with_body(|body| Op::ForEachField(set, body))?
                }
            }
        };
        Ok(Stmt::new(op, origin))
    }

    fn with_body(&mut self, op: impl FnOnce(Box<Stmt>) -> Op) -> Parsed<(Op, OriginId)> {
        let origin = self.cursor.origin()?;
        Ok((op(self.boxed_block()?), origin))
    }

    /// Statements without a body; nothing if there is none that begins with this word.
    fn simple(&mut self, word: &str) -> Parsed<Option<Op>> {
        Ok(Some(match word {
            "nothing" => Op::Sequence(Vec::new()),
            "fail" => Op::Either(Vec::new()),
            "call" => Op::Call(self.cursor.function(self.labels)?),
            "find" => Op::Find(self.pieces()?),
            "points" => {
                self.cursor.expect_word("at")?;
                Op::PointsAt(self.pieces()?)
            }
            "replace" => Op::Replace(self.piece()?),
            "pick" => self.second_word("up", Op::PickUp)?,
            "put" => self.second_word("down", Op::PutDown)?,
            "face" => Op::Face(self.directions()?),
            "turn" => Op::Turn(self.cursor.number(-MAX_TURN, MAX_TURN)? as i32),
            "step" if self.cursor.accept_word("backward") => Op::StepBackward,
            "step" => Op::Step,
            "place" => Op::Place(self.field()?),
            "move" => self.move_to()?,
            "match" => Op::Match(self.match_fields()?),
            "assert" => Op::Assert(self.bracketed()?),
            "assign" => Op::Assign(self.bracketed()?),
            "irreversible" => Op::Irreversible,
            "outcome" => Op::Outcome(self.outcome()?),
            "score" => {
                let value = self.bracketed()?;
                self.cursor.expect_word("as")?;
                Op::Score(value, self.cursor.side()?)
            }
            "keep" => self.second_word("turn", Op::KeepTurn)?,
            "board" => self.second_word("unchanged", Op::Unchanged)?,
            "called" => Op::Called(self.name_parts()?),
            _ => return Ok(None),
        }))
    }

    /// `"P@" field (1)`
    fn name_parts(&mut self) -> Parsed<Vec<NamePart>> {
        let mut parts = Vec::new();
        loop {
            parts.push(match self.cursor.peek() {
                Token::Text(_) => NamePart::Text(self.cursor.text("a part of a name")?),
                Token::Sign("(") => NamePart::Number(self.bracketed()?),
                Token::Word("field") => {
                    self.cursor.expect_word("field")?;
                    NamePart::Field
                }
                _ => return Ok(parts),
            });
        }
    }

    fn second_word(&mut self, word: &str, op: Op) -> Parsed<Op> {
        self.cursor.expect_word(word)?;
        Ok(op)
    }

    /// `to (1, (row.white + 1)) as white`
    fn move_to(&mut self) -> Parsed<Op> {
        self.cursor.expect_word("to")?;
        self.cursor.expect_sign("(")?;
        let column = self.expression()?;
        self.cursor.expect_sign(",")?;
        let row = self.expression()?;
        self.cursor.expect_sign(")")?;
        self.cursor.expect_word("as")?;
        Ok(Op::MoveTo { column, row, view: self.cursor.side()? })
    }

    /// `"P." a1 b1, "." c1`
    fn match_fields(&mut self) -> Parsed<Vec<(Field, PieceSet)>> {
        let mut fields = Vec::new();
        if !matches!(self.cursor.peek(), Token::Text(_)) {
            return Ok(fields);
        }
        loop {
            let set = self.pieces()?;
            while matches!(self.cursor.peek(), Token::Word(_)) {
                fields.push((self.field()?, set));
            }
            if !self.cursor.accept_sign(",") {
                return Ok(fields);
            }
        }
    }

    fn outcome(&mut self) -> Parsed<Outcome> {
        if self.cursor.accept_word("draw") {
            return Ok(Outcome::Draw);
        }
        if self.cursor.accept_word("score") {
            return Ok(Outcome::Score(self.cursor.number(i32::MIN.into(), i32::MAX.into())? as i32));
        }
        self.cursor.side().map(Outcome::Wins)
    }

    pub(super) fn field(&mut self) -> Parsed<Field> {
        let line = self.cursor.line();
        let name = self.cursor.word("a field such as `a1`")?;
        let message = || format!("there is no field `{name}` on this board");
        let field = self.program.description.board.parse_field(name);
        field.ok_or_else(|| ParseError { line, message: message() })
    }

    fn directions(&mut self) -> Parsed<Vec<Direction>> {
        let mut directions = Vec::new();
        loop {
            let line = self.cursor.line();
            let Some(name) = self.cursor.accept_name() else { return Ok(directions) };
            let Some(direction) = self.program.description.board.direction_named(&name) else {
                return Err(ParseError { line, message: format!("there is no direction {name:?}") });
            };
            directions.push(direction);
        }
    }

    fn piece(&mut self) -> Parsed<Piece> {
        let line = self.cursor.line();
        let symbol = self.cursor.symbol()?;
        self.piece_of(symbol, line)
    }

    fn pieces(&mut self) -> Parsed<PieceSet> {
        let line = self.cursor.line();
        let symbols = self.cursor.text("the signs of pieces")?;
        symbols.chars().map(|symbol| self.piece_of(symbol, line)).collect()
    }

    fn piece_of(&self, symbol: char, line: u32) -> Parsed<Piece> {
        if symbol == '.' {
            return Ok(Piece::NONE);
        }
        let piece = self.program.description.piece_of_symbol(symbol);
        piece.ok_or_else(|| ParseError { line, message: format!("there is no piece {symbol:?}") })
    }
}
