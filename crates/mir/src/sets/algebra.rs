//! Sets of fields at run time: shifts and masks, for boards of any size and shape.

use std::rc::Rc;

use multigame_game::{Direction, Piece, PieceSet};

use smallvec::{SmallVec, smallvec};

use crate::analysis::geometry::{Mask, Shift};
use crate::lowering::state::{Fingers, Set, State};
use crate::sets::code::Code;
use crate::{Binary, Value};

impl Code {
    pub(crate) fn constant_set(&mut self, mask: &Mask) -> Set {
        mask.iter().map(|&word| self.constant(word)).collect()
    }

    pub(crate) fn all(&mut self) -> Set {
        let all = self.geometry.all.clone();
        self.constant_set(&all)
    }

    pub(crate) fn empty(&mut self) -> Set {
        let zero = self.constant(0);
        SmallVec::from_elem(zero, self.geometry.words)
    }

    /// An operator on each word of two sets.
    pub(crate) fn wordwise(&mut self, op: Binary, a: &Set, b: &Set) -> Set {
        a.iter().zip(b).map(|(&a, &b)| self.binary(op, a, b)).collect()
    }

    pub(crate) fn intersection(&mut self, a: &Set, b: &Set) -> Set {
        self.wordwise(Binary::And, a, b)
    }

    pub(crate) fn union_of(&mut self, a: &Set, b: &Set) -> Set {
        self.wordwise(Binary::Or, a, b)
    }

    pub(crate) fn without(&mut self, a: &Set, b: &Set) -> Set {
        self.wordwise(Binary::AndNot, a, b)
    }

    /// The set if the condition is 1, else nothing.
    pub(crate) fn only_if(&mut self, condition: Value, set: &Set) -> Set {
        let zero = self.constant(0);
        set.iter().map(|&word| self.select(condition, word, zero)).collect()
    }

    /// 1 if there is a field in the set.
    pub(crate) fn is_inhabited(&mut self, set: &Set) -> Value {
        let zero = self.constant(0);
        let any = set.iter().fold(zero, |any, &word| self.or(any, word));
        self.is_nonzero(any)
    }

    /// Whether the set is known to be empty.
    pub(crate) fn surely_empty(&self, set: &Set) -> bool {
        set.iter().all(|&word| self.known(word) == Some(0))
    }

    /// The set of one field.
    pub(crate) fn single(&mut self, index: Value) -> Set {
        if self.geometry.words == 1 {
            let one = self.constant(1);
            return smallvec![self.binary(Binary::ShiftLeft, one, index)];
        }
        let fields = self.geometry.fields;
        (0..self.geometry.words)
            .map(|word| {
                let bit = |field: usize| if field / 64 == word { 1 << (field % 64) } else { 0 };
                let table = self.tables.add((0..fields).map(bit).collect());
                self.table(table, index)
            })
            .collect()
    }

    /// 1 if the field is in the set.
    pub(crate) fn contains(&mut self, set: &Set, index: Value) -> Value {
        if self.geometry.words == 1 {
            let shifted = self.binary(Binary::ShiftRight, set[0], index);
            let one = self.constant(1);
            return self.and(shifted, one);
        }
        let single = self.single(index);
        let both = self.intersection(&single, set);
        self.is_inhabited(&both)
    }

    /// The set moved by this many bits.
    pub(crate) fn shifted(&mut self, set: &Set, by: i32) -> Set {
        let words = set.len() as i32;
        let (whole, part) = (by.div_euclid(64), by.rem_euclid(64) as u64);
        let zero = self.constant(0);
        let at = |word: i32| if (0..words).contains(&word) { set[word as usize] } else { zero };
        (0..words)
            .map(|word| {
                let (low, high) = (at(word - whole), at(word - whole - 1));
                let left = self.constant(part);
                let main = self.binary(Binary::ShiftLeft, low, left);
                if part == 0 {
                    return main;
                }
                let right = self.constant(64 - part);
                let carried = self.binary(Binary::ShiftRight, high, right);
                self.or(main, carried)
            })
            .collect()
    }

    /// One step of every field.
    pub(crate) fn step_set(&mut self, set: &Set, direction: Direction) -> Set {
        let shifts = self.geometry.shifts[direction.index()].clone();
        self.shift_set(set, &shifts)
    }

    /// Where links lead from the fields of a set.
    pub(crate) fn shift_set(&mut self, set: &Set, shifts: &[Shift]) -> Set {
        let mut result = self.empty();
        for shift in shifts {
            let leaving = if shift.masked {
                let from = self.constant_set(&shift.from);
                self.intersection(set, &from)
            } else {
                set.clone()
            };
            let arrived = self.shifted(&leaving, shift.by);
            result = self.union_of(&result, &arrived);
        }
        result
    }

    /// The fields from which one step leads into the set.
    pub(crate) fn step_back_set(&mut self, set: &Set, direction: Direction) -> Set {
        let shifts = self.geometry.shifts[direction.index()].clone();
        self.shift_back_set(set, &shifts)
    }

    /// The fields from which links lead into a set.
    pub(crate) fn shift_back_set(&mut self, set: &Set, shifts: &[Shift]) -> Set {
        let mut result = self.empty();
        for shift in shifts {
            let mut origins = self.shifted(set, -shift.by);
            if shift.masked_back {
                let from = self.constant_set(&shift.from);
                origins = self.intersection(&origins, &from);
            }
            result = self.union_of(&result, &origins);
        }
        result
    }

    /// The fields that hold one of these pieces.
    pub(crate) fn fields_of(&mut self, pieces: PieceSet, state: &mut State) -> Set {
        if let Some((_, set)) = state.unions.iter().find(|(known, _)| *known == pieces) {
            return set.clone();
        }
        let with_empty = pieces.contains(Piece::NONE);
        let mut union = self.empty();
        let united = (1..=self.layout.pieces).map(|number| Piece(number as u8));
        let united: Vec<Piece> = united.filter(|&piece| pieces.contains(piece) != with_empty).collect();
        // Any piece is any bit of a number.
        let boards: Vec<Set> = match united.len() == self.layout.pieces {
            true => state.boards.to_vec(),
            false => united.into_iter().map(|piece| self.board_of(piece, state)).collect(),
        };
        for board in &boards {
            union = self.union_of(&union, board);
        }
        if with_empty {
            let all = self.all();
            union = self.without(&all, &union);
        }
        Rc::make_mut(&mut state.unions).push((pieces, union.clone()));
        union
    }

    /// What a table has for a field.
    pub(crate) fn set_from(&mut self, index: Value, table: &[Mask]) -> Set {
        let words = 0..self.geometry.words;
        words.map(|word| self.entry(table.iter().map(|mask| mask[word]).collect(), index)).collect()
    }

    /// The fingers as a set.
    pub(crate) fn as_set(&mut self, fingers: &Fingers) -> Set {
        match fingers {
            Fingers::Set(set) => set.clone(),
            Fingers::Run { start, with_start: true, run, .. } => {
                let start = self.as_set(start);
                self.union_of(&start, run)
            }
            Fingers::Run { run, .. } => run.clone(),
            Fingers::From(index, table) => {
                if self.is_identity(table) {
                    return self.single(*index);
                }
                self.set_from(*index, table)
            }
        }
    }
}
