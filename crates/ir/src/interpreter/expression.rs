//! Computing expressions: whole numbers of 64 bits, every surprise an error.

use std::rc::Rc;

use multigame_game::{RulesError, Side, Stacks};

use super::run::Run;
use crate::state::{Matter, Registers, State};
use crate::{BinaryOp, Expr, ExprOp, OriginId, Slot};

type Number = Result<i64, Box<RulesError>>;

impl<'p> Run<'p> {
    /// The value of an expression; what it assigns is changed in `matter`.
    pub(crate) fn evaluate(
        &mut self,
        expr: &'p Expr,
        matter: &mut Rc<Matter>,
        registers: Registers,
    ) -> Number {
        let origin = expr.origin;
        match &expr.op {
            ExprOp::Const(value) => Ok(*value),
            ExprOp::Load(slot) => Ok(i64::from(matter.values[self.slot(*slot, registers, origin)?])),
            ExprOp::Row(view) => Ok(i64::from(self.coordinates(*view, registers, origin)?.1)),
            ExprOp::Column(view) => Ok(i64::from(self.coordinates(*view, registers, origin)?.0)),
            ExprOp::Negate(a) => {
                let a = self.evaluate(a, matter, registers)?;
                self.fits(a.checked_neg(), origin)
            }
            ExprOp::Not(a) => Ok(i64::from(self.evaluate(a, matter, registers)? == 0)),
            ExprOp::Complement(a) => Ok(!self.evaluate(a, matter, registers)?),
            ExprOp::Binary(op, a, b) => {
                let a = self.evaluate(a, matter, registers)?;
                let b = self.evaluate(b, matter, registers)?;
                self.binary(*op, a, b, origin)
            }
            ExprOp::And(a, b) => Ok(i64::from(
                self.evaluate(a, matter, registers)? != 0 && self.evaluate(b, matter, registers)? != 0,
            )),
            ExprOp::Or(a, b) => Ok(i64::from(
                self.evaluate(a, matter, registers)? != 0 || self.evaluate(b, matter, registers)? != 0,
            )),
            ExprOp::Conditional(condition, a, b) => match self.evaluate(condition, matter, registers)? {
                0 => self.evaluate(b, matter, registers),
                _ => self.evaluate(a, matter, registers),
            },
            ExprOp::Store(slot, value) => {
                let value = self.evaluate(value, matter, registers)?;
                self.store(*slot, value, matter, registers, origin)?;
                Ok(value)
            }
            ExprOp::PostAdd(slot, by) => {
                let before = i64::from(matter.values[self.slot(*slot, registers, origin)?]);
                self.store(*slot, before + by, matter, registers, origin)?;
                Ok(before)
            }
            ExprOp::Comma(a, b) => {
                self.evaluate(a, matter, registers)?;
                self.evaluate(b, matter, registers)
            }
            ExprOp::Count(body) => {
                let results = self.unnamed(registers, |run, registers| {
                    run.collect(body, &State { matter: Rc::clone(matter), registers })
                })?;
                Ok(results.len() as i64)
            }
            ExprOp::Sum(value, body) => {
                let results = self.unnamed(registers, |run, registers| {
                    run.collect(body, &State { matter: Rc::clone(matter), registers })
                })?;
                let mut sum = 0i64;
                for state in results.as_slice() {
                    let value = self.evaluate(value, &mut Rc::clone(&state.matter), state.registers)?;
                    sum = self.fits(sum.checked_add(value), origin)?;
                }
                Ok(sum)
            }
        }
    }

    fn slot(&self, slot: Slot, registers: Registers, origin: OriginId) -> Result<usize, Box<RulesError>> {
        match slot {
            Slot::Value(number) => Ok(usize::from(number)),
            Slot::AtFinger(base) => Ok(usize::from(base) + self.finger(registers, origin)?.index()),
        }
    }

    fn store(
        &self,
        slot: Slot,
        value: i64,
        matter: &mut Rc<Matter>,
        registers: Registers,
        origin: OriginId,
    ) -> Result<(), Box<RulesError>> {
        let number = self.slot(slot, registers, origin)?;
        let (low, high) = self.interpreter.ranges[number];
        if value < i64::from(low) || value > i64::from(high) {
            return Err(self.error(origin, self.out_of_range(number, value, low, high)));
        }
        let matter = Rc::make_mut(matter);
        matter.values[number] = value as i32;
        if let (Slot::AtFinger(_), Some(field)) = (slot, registers.finger) {
            matter.trail.mark(field);
        }
        Ok(())
    }

    fn out_of_range(&self, number: usize, value: i64, low: i32, high: i32) -> String {
        let name = self.slot_name(number);
        let stacks = self.interpreter.program.description.stacks.is_some();
        match name {
            Stacks::HEIGHT if stacks => {
                format!("a stack of {value} pieces is too high: `stacks = {high}`; test `height` before")
            }
            "hand_height" if stacks => {
                format!("the hand would hold {value} pieces: `stacks = {high}`; test `carried` before")
            }
            "hand_taken" if stacks && value == 0 => "no piece is taken or put down".to_string(),
            "hand_taken" if stacks => {
                format!("{value} pieces cannot be taken or put down: {low} to {high} is possible")
            }
            "hand_at_end" if stacks => "the move ends with a piece in hand".to_string(),
            _ => format!("property `{name}` would become {value}, outside its range [{low} .. {high}]"),
        }
    }

    fn slot_name(&self, number: usize) -> &str {
        let program = &self.interpreter.program;
        let kept = program.description.value_count();
        if number >= kept {
            return &program.move_properties[number - kept].name;
        }
        let before = program.description.properties.iter().take_while(|property| property.offset <= number);
        before.last().map_or("", |property| &property.name)
    }

    fn coordinates(
        &self,
        view: Side,
        registers: Registers,
        origin: OriginId,
    ) -> Result<(u16, u16), Box<RulesError>> {
        let board = &self.interpreter.program.description.board;
        let field = board.seen_by(view, self.finger(registers, origin)?);
        Ok((board.column(field), board.row(field)))
    }

    fn fits(&self, value: Option<i64>, origin: OriginId) -> Number {
        value.ok_or_else(|| self.error(origin, "a number grows beyond 64 bits"))
    }

    fn binary(&self, op: BinaryOp, a: i64, b: i64, origin: OriginId) -> Number {
        let shift = || u32::try_from(b).ok().filter(|&b| b < 64);
        let no_shift = || self.error(origin, format!("cannot shift by {b}: 0 to 63 is possible"));
        match op {
            BinaryOp::Multiply => self.fits(a.checked_mul(b), origin),
            BinaryOp::Divide | BinaryOp::Remainder if b == 0 => {
                Err(self.error(origin, "division by zero; test the divisor first"))
            }
            BinaryOp::Divide => self.fits(a.checked_div(b), origin),
            BinaryOp::Remainder => self.fits(a.checked_rem(b), origin),
            BinaryOp::Add => self.fits(a.checked_add(b), origin),
            BinaryOp::Subtract => self.fits(a.checked_sub(b), origin),
            BinaryOp::ShiftLeft => {
                let by = shift().ok_or_else(no_shift)?;
                self.fits(a.checked_shl(by).filter(|&shifted| shifted >> by == a), origin)
            }
            BinaryOp::ShiftIn => Ok((a << shift().ok_or_else(no_shift)?) & ((1 << BinaryOp::ROOM) - 1)),
            BinaryOp::ShiftRight => Ok(a >> shift().ok_or_else(no_shift)?),
            BinaryOp::Less => Ok(i64::from(a < b)),
            BinaryOp::LessEqual => Ok(i64::from(a <= b)),
            BinaryOp::Greater => Ok(i64::from(a > b)),
            BinaryOp::GreaterEqual => Ok(i64::from(a >= b)),
            BinaryOp::Equal => Ok(i64::from(a == b)),
            BinaryOp::NotEqual => Ok(i64::from(a != b)),
            BinaryOp::BitAnd => Ok(a & b),
            BinaryOp::BitXor => Ok(a ^ b),
            BinaryOp::BitOr => Ok(a | b),
        }
    }
}
