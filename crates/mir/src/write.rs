//! Changing the board: one field, whole rows, and what that does to the signature and to what is known.

use std::rc::Rc;

use multigame_game::{Piece, PieceSet};

use crate::lower::{Lowering, R, Refusal};
use crate::state::{Finger, Fingers, Hand, Set, State, Unsigned, Write};
use crate::statement::AfterAttempt;
use crate::{Binary, Value};

impl<'p> Lowering<'p> {
    pub(crate) fn pick_up(&mut self, mut state: State) -> R<(Value, State)> {
        if state.hand != Hand::Empty {
            return Err(Refusal::new("`pick up` with a hand that may be full"));
        }
        let index = self.finger_index(&state)?;
        let mut pieces: Vec<Piece> = state.content.iter().filter(|&piece| piece != Piece::NONE).collect();
        let condition = if state.content.contains(Piece::NONE) {
            let occupied = (1..=self.layout.pieces).map(|piece| Piece(piece as u8)).collect();
            let occupied = self.fields_of(occupied, &mut state);
            self.contains(&occupied, index)
        } else {
            self.builder.constant(1)
        };
        state.content = pieces.iter().copied().collect();
        state.hand = match &pieces[..] {
            [only] => Hand::Piece(*only),
            _ if self.layout.coded => Hand::Coded(self.code_at(index, &state)),
            _ => {
                let mut holding = Vec::new();
                for piece in pieces.drain(..) {
                    let board = state.boards[piece.index() - 1].clone();
                    holding.push((piece, self.contains(&board, index)));
                }
                Hand::OneOf(holding)
            }
        };
        self.write(index, &Hand::Piece(Piece::NONE), &mut state);
        Ok((condition, state))
    }

    /// Puts something on a field.
    pub(crate) fn write(&mut self, index: Value, new: &Hand, state: &mut State) {
        let bit = self.single(index);
        let old = state.content;
        if self.layout.coded {
            self.write_code(index, old, new, state);
            let arriving = match new {
                Hand::Piece(piece) => PieceSet::of(*piece),
                _ => (1..=self.layout.pieces).map(|piece| Piece(piece as u8)).collect(),
            };
            return self.note_write(index, &bit, old, arriving, state);
        }
        if self.signs() {
            for piece in old.iter().filter(|&piece| piece != Piece::NONE) {
                let mut part = self.piece_signature(piece, index);
                if old.len() > 1 {
                    let board = state.boards[piece.index() - 1].clone();
                    let there = self.contains(&board, index);
                    let zero = self.builder.constant(0);
                    part = self.builder.select(there, part, zero);
                }
                state.signature = self.builder.xor(state.signature, part);
            }
            match new {
                Hand::Empty | Hand::Piece(Piece::NONE) => {}
                Hand::Piece(piece) => {
                    let part = self.piece_signature(*piece, index);
                    state.signature = self.builder.xor(state.signature, part);
                }
                Hand::Coded(_) => {}
                Hand::OneOf(pieces) => {
                    for (piece, held) in pieces {
                        let part = self.piece_signature(*piece, index);
                        let zero = self.builder.constant(0);
                        let part = self.builder.select(*held, part, zero);
                        state.signature = self.builder.xor(state.signature, part);
                    }
                }
            }
        }
        let mut boards = Vec::clone(&state.boards);
        for piece in old.iter().filter(|&piece| piece != Piece::NONE && *new != Hand::Piece(piece)) {
            boards[piece.index() - 1] = self.without(&boards[piece.index() - 1].clone(), &bit);
            state.changed_boards[piece.index() - 1] = true;
        }
        let mut arriving = PieceSet::EMPTY;
        match new {
            Hand::Empty | Hand::Coded(_) => arriving.insert(Piece::NONE),
            Hand::Piece(piece) => {
                arriving.insert(*piece);
                if *piece != Piece::NONE {
                    boards[piece.index() - 1] = self.union_of(&boards[piece.index() - 1].clone(), &bit);
                    state.changed_boards[piece.index() - 1] = true;
                }
            }
            Hand::OneOf(pieces) => {
                for (piece, held) in pieces {
                    arriving.insert(*piece);
                    let there = self.only_if(*held, &bit);
                    boards[piece.index() - 1] = self.union_of(&boards[piece.index() - 1].clone(), &there);
                    state.changed_boards[piece.index() - 1] = true;
                }
            }
        }
        state.boards = Rc::new(boards);
        self.note_write(index, &bit, old, arriving, state);
    }

    /// What is known after a field has been written.
    pub(crate) fn note_write(
        &mut self,
        index: Value,
        bit: &Set,
        old: PieceSet,
        arriving: PieceSet,
        state: &mut State,
    ) {
        self.update_unions(bit, old, arriving, state);
        let earlier = state.writes.iter_mut().find(|write| write.field == Some(index));
        match earlier {
            Some(write) => write.new = arriving,
            None => state.writes.push(Write { field: Some(index), old, new: arriving }),
        }
        state.known_contents.retain(|(field, _)| *field == index);
        state.behind = state.behind.filter(|(field, _)| *field == index);
        state.content = arriving;
    }

    /// Unions that can be kept are brought up to date, the others forgotten.
    pub(crate) fn update_unions(&mut self, fields: &Set, old: PieceSet, new: PieceSet, state: &mut State) {
        let unions = std::mem::take(&mut state.unions);
        let mut kept = Vec::with_capacity(unions.len());
        for (pieces, set) in unions.iter().cloned() {
            let all_arrive = new.iter().all(|piece| pieces.contains(piece));
            let none_arrives = !new.iter().any(|piece| pieces.contains(piece));
            let none_left = !old.iter().any(|piece| pieces.contains(piece));
            let all_left = old.iter().all(|piece| pieces.contains(piece));
            let set = match () {
                () if all_arrive && all_left => set,
                () if all_arrive => self.union_of(&set, fields),
                () if none_arrives && none_left => set,
                () if none_arrives => self.without(&set, fields),
                () => continue,
            };
            kept.push((pieces, set));
        }
        state.unions = Rc::new(kept);
    }

    /// Along a direction all fields that hold one of `swept` become `piece`, up to one that does not; the field under
    /// the finger is the first, or, after a step, the last before them.
    pub(crate) fn sweep(
        &mut self,
        swept: PieceSet,
        piece: Piece,
        after_step: bool,
        after: &AfterAttempt<'_, 'p>,
        mut state: State,
    ) -> R<(Value, State)> {
        let live = self.live_after(after);
        if live.finger || live.direction {
            return Err(Refusal::new("a sweep whose end matters"));
        }
        let direction = self.faced(state.direction)?;
        let index = self.finger_index(&state)?;
        let over = self.fields_of(swept, &mut state);
        let start = Fingers::From(index, Rc::clone(&self.identity));
        let (mut run, reached) = self.slide(&start, direction, &over);
        // It ends on a field that is not swept; running off the board is failure.
        let beyond = self.without(&reached, &over);
        let mut condition = self.is_inhabited(&beyond);
        if !after_step {
            let start = self.contains(&over, index);
            let single = self.single(index);
            let both = self.union_of(&run, &single);
            run = self.only_if(start, &both);
            let stays = self.builder.is_zero(start);
            condition = self.builder.or(condition, stays);
        }
        self.write_set(&run, swept, piece, &mut state)?;
        state.finger = Finger::Nowhere;
        state.content = crate::vector::anything(self.layout.pieces);
        Ok((condition, state))
    }

    /// `for each P do replace by X`
    pub(crate) fn replace_all(&mut self, pieces: PieceSet, piece: Piece, state: &mut State) -> R<()> {
        let fields = self.fields_of(pieces, state);
        self.write_set(&fields, pieces, piece, state)?;
        // The finger may have pointed at one of them.
        state.content = state.content.union(PieceSet::of(piece));
        Ok(())
    }

    /// Fields that all hold one of `old` now hold `piece`.
    pub(crate) fn write_set(
        &mut self,
        fields: &Set,
        old: PieceSet,
        piece: Piece,
        state: &mut State,
    ) -> R<()> {
        if self.layout.coded {
            return Err(Refusal::new("many pieces changed at once where their numbers are kept"));
        }
        if self.signs() {
            self.sign_sweep(fields, old, piece, state);
        }
        let mut boards = Vec::clone(&state.boards);
        for gone in old.iter().filter(|&gone| gone != Piece::NONE) {
            boards[gone.index() - 1] = self.without(&boards[gone.index() - 1].clone(), fields);
            state.changed_boards[gone.index() - 1] = true;
        }
        if piece != Piece::NONE {
            boards[piece.index() - 1] = self.union_of(&boards[piece.index() - 1].clone(), fields);
            state.changed_boards[piece.index() - 1] = true;
        }
        state.boards = Rc::new(boards);
        self.update_unions(fields, old, PieceSet::of(piece), state);
        state.writes.push(Write { field: None, old, new: PieceSet::of(piece) });
        state.known_contents.clear();
        state.behind = None;
        Ok(())
    }

    /// What a whole set adds to the signature is not computed before it is needed: sets with the same change are
    /// put together until then.
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
                    let both = both.map(|(&a, &b)| self.builder.xor(a, b)).collect();
                    state.unsigned[known].fields = both;
                }
                None => state.unsigned.push(Unsigned { old, new: piece, fields: set }),
            }
        }
    }

    /// The sum over the fields of a set, eight fields at a time.
    ///
    /// PERF: how many fields there are is different every time, so a loop over them would be guessed wrong.
    pub(crate) fn sum_by_bytes(&mut self, changes: &[u64], fields: Value) -> Value {
        let mut sum = self.builder.constant(0);
        for (number, eight) in changes.chunks(8).enumerate() {
            let entry = |byte: usize| {
                let chosen = eight.iter().enumerate().filter(|(bit, _)| byte >> bit & 1 != 0);
                chosen.fold(0, |sum, (_, change)| sum ^ change)
            };
            let table = self.tables.add((0..256).map(entry).collect());
            let shift = self.builder.constant(8 * number as u64);
            let byte = self.builder.binary(Binary::ShiftRight, fields, shift);
            let mask = self.builder.constant(255);
            let byte = self.builder.and(byte, mask);
            let part = self.builder.table(&self.tables, table, byte);
            sum = self.builder.xor(sum, part);
        }
        sum
    }

    /// Adds to the signature what has been put off.
    pub(crate) fn sign(&mut self, state: &mut State) -> R<()> {
        for Unsigned { old, new, fields } in std::mem::take(&mut state.unsigned) {
            let board = (0..self.geometry.fields as u16).map(multigame_game::Field);
            let part = |piece: Piece, field| match piece {
                Piece::NONE => 0,
                _ => self.zobrist.piece(piece, field),
            };
            let changes: Vec<u64> = board.map(|field| part(old, field) ^ part(new, field)).collect();
            if let [fields] = fields[..] {
                let sum = self.sum_by_bytes(&changes, fields);
                state.signature = self.builder.xor(state.signature, sum);
                continue;
            }
            let changes = self.tables.add(changes);
            let sum = self.builder.variable();
            self.builder.set(sum, state.signature);
            self.for_each_field(&fields, &mut |lowering, index| {
                let change = lowering.builder.table(&lowering.tables, changes, index);
                let before = lowering.builder.get(sum);
                let signature = lowering.builder.xor(before, change);
                lowering.builder.set(sum, signature);
                Ok(())
            })?;
            state.signature = self.builder.get(sum);
        }
        Ok(())
    }
}
