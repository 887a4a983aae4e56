//! Changing the board: one field, whole rows, and what that does to the signature and to what is known.

use std::rc::Rc;

use multigame_game::{Piece, PieceSet};

use crate::lowering::Lowering;
use crate::lowering::attempt::AfterAttempt;
use crate::lowering::state::{Finger, Fingers, Hand, Set, State, Write};
use crate::refusal::{self, R, Refusal};
use crate::sets::code::Code;
use crate::{Binary, Value};

impl Code {
    pub(crate) fn pick_up(&mut self, mut state: State) -> R<(Value, State)> {
        if state.hand != Hand::Empty {
            return Err(Refusal::new(refusal::FULL_HAND));
        }
        let index = state.finger_index()?;
        let mut pieces: Vec<Piece> = state.content.iter().filter(|&piece| piece != Piece::NONE).collect();
        let condition = if state.content.contains(Piece::NONE) {
            let occupied = self.layout.all_pieces().collect();
            let occupied = self.fields_of(occupied, &mut state);
            self.contains(&occupied, index)
        } else {
            self.constant(1)
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
                _ => self.layout.all_pieces().collect(),
            };
            return self.note_write(index, &bit, old, arriving, state);
        }
        if self.signs {
            self.sign_leaving(index, old, state);
            self.sign_arriving(index, new, state);
        }
        for piece in old.iter().filter(|&piece| piece != Piece::NONE && *new != Hand::Piece(piece)) {
            self.change_board(piece, Binary::AndNot, &bit, state);
        }
        let arriving = self.put_on_boards(new, &bit, state);
        self.note_write(index, &bit, old, arriving, state);
    }

    /// The signature without what may stand on a field.
    fn sign_leaving(&mut self, index: Value, old: PieceSet, state: &mut State) {
        for piece in old.iter().filter(|&piece| piece != Piece::NONE) {
            let mut part = self.piece_signature(piece, index);
            if old.len() > 1 {
                let board = state.boards[piece.index() - 1].clone();
                let there = self.contains(&board, index);
                let zero = self.constant(0);
                part = self.select(there, part, zero);
            }
            state.signature = self.xor(state.signature, part);
        }
    }

    /// The signature with what comes to a field.
    fn sign_arriving(&mut self, index: Value, new: &Hand, state: &mut State) {
        match new {
            Hand::Empty | Hand::Coded(_) | Hand::Piece(Piece::NONE) => {}
            Hand::Piece(piece) => {
                let part = self.piece_signature(*piece, index);
                state.signature = self.xor(state.signature, part);
            }
            Hand::OneOf(pieces) => {
                for (piece, held) in pieces {
                    let part = self.piece_signature(*piece, index);
                    let zero = self.constant(0);
                    let part = self.select(*held, part, zero);
                    state.signature = self.xor(state.signature, part);
                }
            }
        }
    }

    /// Adds fields to the board of a piece, or takes them away.
    fn change_board(&mut self, piece: Piece, how: Binary, fields: &Set, state: &mut State) {
        let board = &mut Rc::make_mut(&mut state.boards)[piece.index() - 1];
        *board = self.wordwise(how, board, fields);
        state.changed_boards[piece.index() - 1] = true;
    }

    /// The boards with what comes to a field; the pieces that may be there now.
    fn put_on_boards(&mut self, new: &Hand, bit: &Set, state: &mut State) -> PieceSet {
        match new {
            Hand::Empty | Hand::Coded(_) | Hand::Piece(Piece::NONE) => PieceSet::of(Piece::NONE),
            Hand::Piece(piece) => {
                self.change_board(*piece, Binary::Or, bit, state);
                PieceSet::of(*piece)
            }
            Hand::OneOf(pieces) => {
                for (piece, held) in pieces {
                    let there = self.only_if(*held, bit);
                    self.change_board(*piece, Binary::Or, &there, state);
                }
                pieces.iter().map(|(piece, _)| *piece).collect()
            }
        }
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
        // Other numbers may mean the same field, so nothing is known any more about any of them.
        state.known_contents = vec![(index, arriving)];
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
        if self.signs {
            self.sign_sweep(fields, old, piece, state);
        }
        for gone in old.iter().filter(|&gone| gone != Piece::NONE) {
            self.change_board(gone, Binary::AndNot, fields, state);
        }
        if piece != Piece::NONE {
            self.change_board(piece, Binary::Or, fields, state);
        }
        self.update_unions(fields, old, PieceSet::of(piece), state);
        state.writes.push(Write { field: None, old, new: PieceSet::of(piece) });
        state.known_contents.clear();
        state.behind = None;
        Ok(())
    }
}

impl<'p> Lowering<'p> {
    /// Along a direction all fields that hold one of `swept` become `piece`, up to one that does not; the
    /// field under the finger is the first, or, after a step, the last before them.
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
        let direction = state.faced()?;
        let index = state.finger_index()?;
        let over = self.code.fields_of(swept, &mut state);
        let start = Fingers::From(index, Rc::clone(&self.facts.geometry.identity));
        let (mut run, reached) = self.code.slide(&start, direction, &over);
        // It ends on a field that is not swept; running off the board is failure.
        let beyond = self.code.without(&reached, &over);
        let mut condition = self.code.is_inhabited(&beyond);
        if !after_step {
            let start = self.code.contains(&over, index);
            let single = self.code.single(index);
            let both = self.code.union_of(&run, &single);
            run = self.code.only_if(start, &both);
            let stays = self.code.is_zero(start);
            condition = self.code.or(condition, stays);
        }
        self.code.write_set(&run, swept, piece, &mut state)?;
        state.finger = Finger::Nowhere;
        state.content = self.facts.layout.anything();
        Ok((condition, state))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn a_row_that_is_swept_is_one_mask() {
        let rules = "find empty field, replace by man, north, step,
            while points at opponent's man do [ replace by man, step ]";
        check(
            rules,
            "main_white_generate",
            expect![[r#"
                main_white_generate() -> x0, x1 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  v5 = v2 | v3
                  v6 = v4 | v5
                  v8 = 0xffff &~ v6
                  for v9 in v8 {
                    v10 = 1 << v9
                    v11 = t0[v9]
                    v12 = v2 | v10
                    v13 = v8 &~ v10
                    v14 = t1[v9]
                    if v14 {
                      v15 = t2[v9]
                      v16 = t3[v15]
                      v17 = v16 &~ v3
                      v18 = v17 - 1
                      v19 = v17 ^ v18
                      v20 = v16 & v19
                      v21 = v3 & v20
                      v22 = v20 &~ v3
                      v23 = 0 != v22
                      v24 = v3 >> v15
                      v25 = 1 & v24
                      v26 = 1 << v15
                      v27 = v21 | v26
                      v28 = v25 ? v27 : 0
                      v29 = 0 == v25
                      v30 = v23 | v29
                      v31 = v3 &~ v28
                      v32 = v12 | v28
                      if v30 {
                        v34 = v28 & 0xff
                        v35 = t4[v34]
                        v37 = v28 >> 8
                        v38 = 0xff & v37
                        v39 = t5[v38]
                        v40 = v35 ^ v39
                        v41 = v11 ^ v40
                        v42 = word 0
                        v43 = v41 ^ v42
                        v45 = v43 ^ 0x9d39247e33776d41
                        emit word 2 = v32, word 3 = v31, word 1 = 1, word 0 = v45
                      }
                    }
                  }
                }
            "#]],
        );
    }

    #[test]
    fn all_pieces_of_a_kind_are_replaced_at_once() {
        check(
            "for each opponent's man do replace by rock",
            "main_white_generate",
            expect![[r#"
                main_white_generate() -> x0, x1 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  v5 = v3 | v4
                  v7 = v3 & 0xff
                  v8 = t0[v7]
                  v10 = v3 >> 8
                  v11 = 0xff & v10
                  v12 = t1[v11]
                  v13 = v8 ^ v12
                  v14 = word 0
                  v15 = v13 ^ v14
                  v17 = v15 ^ 0x9d39247e33776d41
                  emit word 3 = 0, word 4 = v5, word 1 = 1, word 0 = v17
                }
            "#]],
        );
    }
}
