//! What pieces and values add to the signature of a position.

use multigame_game::{Field, Piece, PieceSet, Zobrist};
use multigame_ir::Slot;

use crate::lowering::Lowering;
use crate::lowering::state::{Set, State, Unsigned};
use crate::refusal::R;
use crate::sets::code::Code;
use crate::{Binary, Value};

/// The signatures of a property with more values are computed and not looked up.
const MOST_ENTRIES: i64 = 4096;

/// The same for all fields together.
const MOST_FIELD_ENTRIES: u64 = 1 << 16;

impl Code {
    /// What a piece on a field adds to the signature.
    pub(crate) fn piece_signature(&mut self, piece: Piece, index: Value) -> Value {
        let table = match self.piece_tables[piece.index()] {
            Some(table) => table,
            None => {
                let fields = (0..self.geometry.fields as u16).map(Field);
                let table = self.tables.add(fields.map(|field| self.zobrist.piece(piece, field)).collect());
                self.piece_tables[piece.index()] = Some(table);
                table
            }
        };
        self.table(table, index)
    }

    /// What the piece of a number on a field adds to the signature.
    pub(crate) fn code_signature(&mut self, code: Value, index: Value) -> Value {
        let fields = self.geometry.fields;
        let entries = (0..1 << self.layout.boards()).flat_map(|code| {
            let piece = Some(Piece(code as u8)).filter(|_| (1..=self.layout.pieces).contains(&code));
            let zobrist = &self.zobrist;
            (0..fields as u16).map(move |field| piece.map_or(0, |piece| zobrist.piece(piece, Field(field))))
        });
        let table = self.tables.add(entries.collect());
        let row = self.constant(fields as u64);
        let row = self.binary(crate::Binary::Multiply, code, row);
        let place = self.binary(crate::Binary::Add, row, index);
        self.table(table, place)
    }

    /// What a whole set adds to the signature is not computed before it is needed: sets with the same change
    /// are put together until then.
    pub(crate) fn sign_sweep(&mut self, run: &Set, swept: PieceSet, piece: Piece, state: &mut State) {
        for old in swept.iter() {
            let board = match old {
                Piece::NONE => None,
                _ => Some(state.boards[old.index() - 1].clone()),
            };
            let set = match (swept.len(), board) {
                (1, _) => run.clone(),
                (_, Some(board)) => self.intersection(run, &board),
                (_, None) => {
                    let empty = self.fields_of(PieceSet::of(Piece::NONE), state);
                    self.intersection(run, &empty)
                }
            };
            match state.unsigned.iter().position(|unsigned| (unsigned.old, unsigned.new) == (old, piece)) {
                // A field that has changed twice has not changed.
                Some(known) => {
                    let both = state.unsigned[known].fields.iter().zip(&set);
                    let both = both.map(|(&a, &b)| self.xor(a, b)).collect();
                    state.unsigned[known].fields = both;
                }
                None => state.unsigned.push(Unsigned { old, new: piece, fields: set }),
            }
        }
    }

    /// What a value of many adds to the signature, computed because a table would be too large; nothing
    /// without a seed.
    fn computed_signature(&mut self, seed: Option<Value>, value: Value) -> Value {
        let Some(seed) = seed else { return self.constant(0) };
        let low = self.constant(u64::from(u32::MAX));
        let value = self.and(value, low);
        let mut mixed = self.xor(seed, value);
        for (factor, shift) in Zobrist::MIXING {
            if let Some(shift) = shift {
                let shift = self.constant(shift);
                let shifted = self.binary(Binary::ShiftRight, mixed, shift);
                mixed = self.xor(mixed, shifted);
            }
            if let Some(factor) = factor {
                let factor = self.constant(factor);
                mixed = self.binary(Binary::Multiply, mixed, factor);
            }
        }
        mixed
    }

    /// The sum over the fields of a set, eight fields at a time.
    ///
    /// PERF: how many fields there are is different every time, so a loop over them would be guessed wrong.
    pub(crate) fn sum_by_bytes(&mut self, changes: &[u64], fields: Value) -> Value {
        let mut sum = self.constant(0);
        for (number, eight) in changes.chunks(8).enumerate() {
            let entry = |byte: usize| {
                let chosen = eight.iter().enumerate().filter(|(bit, _)| byte >> bit & 1 != 0);
                chosen.fold(0, |sum, (_, change)| sum ^ change)
            };
            let table = self.tables.add((0..256).map(entry).collect());
            let shift = self.constant(8 * number as u64);
            let byte = self.binary(Binary::ShiftRight, fields, shift);
            let mask = self.constant(255);
            let byte = self.and(byte, mask);
            let part = self.table(table, byte);
            sum = self.xor(sum, part);
        }
        sum
    }
}

impl<'p> Lowering<'p> {
    /// What a value adds to the signature.
    pub(crate) fn value_signature(&mut self, number: usize, value: Value) -> R<Value> {
        let (low, high) = self.facts.range(Slot::Value(number as u16));
        if high - low > MOST_ENTRIES {
            let seed = self.code.zobrist.value_seed(number).map(|seed| self.code.constant(seed));
            return Ok(self.code.computed_signature(seed, value));
        }
        let entries = (low..=high).map(|v| self.code.zobrist.value(number, v as i32)).collect();
        let table = self.code.tables.add(entries);
        let lowest = self.code.constant(low as u64);
        let index = self.code.binary(Binary::Subtract, value, lowest);
        Ok(self.code.table(table, index))
    }

    /// What the value of a property of fields adds to the signature.
    pub(crate) fn field_value_signature(&mut self, planes: usize, index: Value, value: Value) -> R<Value> {
        let slot = self.facts.layout.planes[planes].slot;
        let (low, high) = self.facts.range(Slot::Value(slot as u16));
        // In 64 bits: inside of a page the product may be too large for an index.
        let range = (high - low + 1) as u64;
        if range * self.facts.geometry.fields as u64 > MOST_FIELD_ENTRIES {
            let seed = self.code.zobrist.value_seed(slot).map(|seed| {
                // The numbers of values differ in other bits than the rest of the seed.
                let before = self.code.constant(slot as u64);
                let number = self.code.binary(Binary::Add, before, index);
                let shift = self.code.constant(u64::from(Zobrist::NUMBER_SHIFT));
                let number = self.code.binary(Binary::ShiftLeft, number, shift);
                let rest = self.code.constant(seed ^ ((slot as u64) << Zobrist::NUMBER_SHIFT));
                self.code.xor(rest, number)
            });
            return Ok(self.code.computed_signature(seed, value));
        }
        let fields = 0..self.facts.geometry.fields;
        let entries = fields.flat_map(|field| (low..=high).map(move |value| (field, value)));
        let entries =
            entries.map(|(field, value)| self.code.zobrist.value(slot + field, value as i32)).collect();
        let table = self.code.tables.add(entries);
        let range = self.code.constant(range);
        let row = self.code.binary(Binary::Multiply, index, range);
        let low = self.code.constant(low as u64);
        let column = self.code.binary(Binary::Subtract, value, low);
        let place = self.code.binary(Binary::Add, row, column);
        Ok(self.code.table(table, place))
    }

    /// Adds to the signature what has been put off.
    pub(crate) fn sign(&mut self, state: &mut State) -> R<()> {
        for Unsigned { old, new, fields } in std::mem::take(&mut state.unsigned) {
            let board = (0..self.facts.geometry.fields as u16).map(Field);
            let part = |piece: Piece, field| match piece {
                Piece::NONE => 0,
                _ => self.code.zobrist.piece(piece, field),
            };
            let changes: Vec<u64> = board.map(|field| part(old, field) ^ part(new, field)).collect();
            if let [fields] = fields[..] {
                let sum = self.code.sum_by_bytes(&changes, fields);
                state.signature = self.code.xor(state.signature, sum);
                continue;
            }
            let changes = self.code.tables.add(changes);
            let sum = self.code.variable();
            self.code.set(sum, state.signature);
            self.for_each_field(&fields, &mut |lowering, index| {
                let change = lowering.code.table(changes, index);
                let before = lowering.code.get(sum);
                let signature = lowering.code.xor(before, change);
                lowering.code.set(sum, signature);
                Ok(())
            })?;
            state.signature = self.code.get(sum);
        }
        Ok(())
    }
}
