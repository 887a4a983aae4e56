//! Reading expressions, which have all their brackets.

use multigame_game::{Property, Scope};

use super::Parsed;
use super::body::Body;
use crate::text::lexer::Token;
use crate::text::{BINARY, ParseError};
use crate::{Expr, ExprOp, OriginId, Slot};

/// What [`ExprOp::PostAdd`] adds cannot overflow.
const MAX_ADDED: i64 = 1 << 32;

impl Body<'_, '_, '_> {
    /// An expression whose outermost brackets belong to the statement.
    pub(super) fn bracketed(&mut self) -> Parsed<Expr> {
        self.cursor.expect_sign("(")?;
        self.in_brackets()
    }

    /// An operand: a number, a value, a prefix and its operand, or anything in brackets.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.cursor.enter()?;
        let expr = stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.operand())?;
        self.cursor.leave();
        Ok(expr)
    }

    fn operand(&mut self) -> Parsed<Expr> {
        if self.cursor.accept_sign("!") {
            return Ok(unplaced(ExprOp::Not(Box::new(self.expression()?))));
        }
        if self.cursor.accept_sign("~") {
            return Ok(unplaced(ExprOp::Complement(Box::new(self.expression()?))));
        }
        if *self.cursor.peek() == Token::Sign("-") && !matches!(self.cursor.peek_second(), Token::Number(_)) {
            self.cursor.expect_sign("-")?;
            return Ok(unplaced(ExprOp::Negate(Box::new(self.expression()?))));
        }
        let mut expr = self.atom()?;
        if *self.cursor.peek() == Token::Sign("@") {
            if expr.origin != OriginId::default() {
                return self.cursor.error("this expression already has an origin");
            }
            expr.origin = self.cursor.origin()?;
        }
        Ok(expr)
    }

    fn atom(&mut self) -> Parsed<Expr> {
        if self.cursor.accept_sign("(") {
            return self.in_brackets();
        }
        let op = match *self.cursor.peek() {
            Token::Number(_) | Token::Sign("-") => ExprOp::Const(self.cursor.number(i64::MIN, i64::MAX)?),
            Token::Word("row") => {
                self.dot()?;
                ExprOp::Row(self.cursor.side()?)
            }
            Token::Word("column") => {
                self.dot()?;
                ExprOp::Column(self.cursor.side()?)
            }
            Token::Word("count") => {
                self.cursor.take();
                ExprOp::Count(Box::new(self.block()?))
            }
            Token::Word("sum") => {
                self.cursor.take();
                let value = Box::new(self.bracketed()?);
                ExprOp::Sum(value, Box::new(self.block()?))
            }
            Token::Word("post") => {
                self.cursor.take();
                self.cursor.expect_sign("(")?;
                let slot = self.slot()?;
                self.cursor.expect_sign(",")?;
                let by = self.cursor.number(-MAX_ADDED, MAX_ADDED)?;
                self.cursor.expect_sign(")")?;
                ExprOp::PostAdd(slot, by)
            }
            _ => self.value()?,
        };
        Ok(unplaced(op))
    }

    fn dot(&mut self) -> Parsed<()> {
        self.cursor.take();
        self.cursor.expect_sign(".")
    }

    /// `x`, `x++`, `x--`
    fn value(&mut self) -> Parsed<ExprOp> {
        let slot = self.slot()?;
        Ok(if self.cursor.accept_sign("++") {
            ExprOp::PostAdd(slot, 1)
        } else if self.cursor.accept_sign("--") {
            ExprOp::PostAdd(slot, -1)
        } else {
            ExprOp::Load(slot)
        })
    }

    /// What stands after `(`, and `)`.
    fn in_brackets(&mut self) -> Parsed<Expr> {
        let first = self.expression()?;
        let line = self.cursor.line();
        let sign = match *self.cursor.peek() {
            Token::Sign(")") => {
                self.cursor.take();
                return Ok(first);
            }
            Token::Sign(sign) => sign,
            _ => return self.cursor.expected("an operator or `)`"),
        };
        self.cursor.take();
        let unknown =
            || ParseError { line, message: format!("`{sign}` is not an operator; `)` is expected") };
        let op = match sign {
            "=" => {
                let (ExprOp::Load(slot), OriginId(0)) = (&first.op, first.origin) else {
                    return Err(ParseError {
                        line,
                        message: "only a property can be assigned to".to_string(),
                    });
                };
                ExprOp::Store(*slot, self.operand_box()?)
            }
            "?" => {
                let second = self.operand_box()?;
                self.cursor.expect_sign(":")?;
                ExprOp::Conditional(Box::new(first), second, self.operand_box()?)
            }
            "," => ExprOp::Comma(Box::new(first), self.operand_box()?),
            "&&" => ExprOp::And(Box::new(first), self.operand_box()?),
            "||" => ExprOp::Or(Box::new(first), self.operand_box()?),
            _ => {
                let (op, _) = BINARY.iter().find(|(_, known)| *known == sign).ok_or_else(unknown)?;
                ExprOp::Binary(*op, Box::new(first), self.operand_box()?)
            }
        };
        self.cursor.expect_sign(")")?;
        Ok(unplaced(op))
    }

    fn operand_box(&mut self) -> Parsed<Box<Expr>> {
        self.expression().map(Box::new)
    }

    /// `clock`, `moved.white`, `seeds[finger]`, `seeds[a1]`, `move.taken`, `$3`, `$3[finger]`
    fn slot(&mut self) -> Parsed<Slot> {
        if self.cursor.accept_sign("$") {
            return self.numbered_slot();
        }
        let line = self.cursor.line();
        let is_move = self.cursor.is_word("move");
        let name = self.cursor.name("an expression")?;
        if is_move {
            return self.move_slot();
        }
        let Some(property) = self.program.description.property(&name) else {
            return Err(ParseError { line, message: format!("there is no property {name:?}") });
        };
        self.slot_of(property)
    }

    fn slot_of(&mut self, property: &Property) -> Parsed<Slot> {
        let offset = property.offset as u16;
        match property.scope {
            Scope::Board => Ok(Slot::Value(offset)),
            Scope::Player => {
                self.cursor.expect_sign(".")?;
                Ok(Slot::Value(offset + self.cursor.side()?.index() as u16))
            }
            Scope::Field => {
                self.cursor.expect_sign("[")?;
                let slot = match self.cursor.accept_word("finger") {
                    true => Slot::AtFinger(offset),
                    false => Slot::Value(offset + self.field()?.0),
                };
                self.cursor.expect_sign("]")?;
                Ok(slot)
            }
        }
    }

    fn move_slot(&mut self) -> Parsed<Slot> {
        self.cursor.expect_sign(".")?;
        let line = self.cursor.line();
        let name = self.cursor.name("the name of a move property")?;
        match self.program.move_properties.iter().position(|property| property.name == name) {
            Some(number) => Ok(Slot::Value((self.program.description.value_count() + number) as u16)),
            None => Err(ParseError { line, message: format!("there is no move property {name:?}") }),
        }
    }

    fn numbered_slot(&mut self) -> Parsed<Slot> {
        let line = self.cursor.line();
        let number = self.cursor.number(0, u16::MAX.into())? as u16;
        let at_finger = self.cursor.accept_sign("[");
        if at_finger {
            self.cursor.expect_word("finger")?;
            self.cursor.expect_sign("]")?;
        }
        let length = if at_finger { self.program.description.board.size() } else { 1 };
        if usize::from(number) + length > self.program.slot_count() {
            let message = format!("there are {} values, from $0", self.program.slot_count());
            return Err(ParseError { line, message });
        }
        Ok(if at_finger { Slot::AtFinger(number) } else { Slot::Value(number) })
    }
}

fn unplaced(op: ExprOp) -> Expr {
    Expr { op, origin: OriginId::default() }
}
