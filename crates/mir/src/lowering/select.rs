//! Two states become one: whatever differs is selected by a condition.

use std::rc::Rc;

use multigame_game::Piece;

use crate::Value;
use crate::analysis::live::Live;
use crate::lowering::Lowering;
use crate::lowering::state::{Finger, Set, State, Unsigned, Write};
use crate::sets::code::Code;

impl Lowering<'_> {
    /// The first state if the condition is 1, else the second, as far as what follows can tell them apart;
    /// nothing if they differ in something that is known while compiling.
    pub(crate) fn select_state(&mut self, condition: Value, a: State, b: State, live: Live) -> Option<State> {
        let finger = match (&a.finger, &b.finger) {
            _ if !live.finger => Finger::Nowhere,
            (Finger::One(x), Finger::One(y)) => Finger::One(self.code.select(condition, *x, *y)),
            (Finger::Nowhere, Finger::Nowhere) => Finger::Nowhere,
            _ => return None,
        };
        let direction = match (a.direction, b.direction) {
            _ if !live.direction => None,
            (x, y) if x == y => x,
            _ => return None,
        };
        if a.hand != b.hand {
            return None;
        }
        let mut merged = State { finger, direction, content: a.content.union(b.content), ..b.clone() };
        Rc::make_mut(&mut merged.unions).retain(|union| a.unions.contains(union));
        merged.boards = self.code.select_sets(condition, &a.boards, &b.boards);
        merged.planes = self.code.select_sets(condition, &a.planes, &b.planes);
        self.select_values(condition, &a, &b, &mut merged);
        any_changed(&mut merged.changed_planes, &a.changed_planes);
        any_changed(&mut merged.changed_boards, &a.changed_boards);
        merged.writes = either_written(&a.writes, &b.writes);
        merged.behind = None;
        merged.known_contents.retain(|known| a.known_contents.contains(known));
        merged.signature = self.code.select(condition, a.signature, b.signature);
        merged.unsigned = self.code.select_unsigned(condition, &a, &b);
        merged.outcome = self.code.select(condition, a.outcome, b.outcome);
        merged.irreversible = self.code.select(condition, a.irreversible, b.irreversible);
        merged.keep_turn = self.code.select(condition, a.keep_turn, b.keep_turn);
        Some(merged)
    }

    fn select_values(&mut self, condition: Value, a: &State, b: &State, merged: &mut State) {
        any_changed(&mut merged.changed_values, &a.changed_values);
        for number in 0..merged.values.len() {
            if a.values[number] != b.values[number] {
                let x = self.value(number, &mut a.clone());
                let y = self.value(number, &mut b.clone());
                merged.values[number] = Some(self.code.select(condition, x, y));
            }
        }
    }
}

impl Code {
    fn select_sets(&mut self, condition: Value, a: &[Set], b: &[Set]) -> Rc<Vec<Set>> {
        Rc::new(a.iter().zip(b).map(|(a, b)| self.select_set(condition, a, b)).collect())
    }

    fn select_set(&mut self, condition: Value, a: &Set, b: &Set) -> Set {
        a.iter().zip(b).map(|(&a, &b)| self.select(condition, a, b)).collect()
    }

    fn select_unsigned(&mut self, condition: Value, a: &State, b: &State) -> Vec<Unsigned> {
        let mut changes: Vec<(Piece, Piece)> = Vec::new();
        for Unsigned { old, new, .. } in a.unsigned.iter().chain(&b.unsigned) {
            if !changes.contains(&(*old, *new)) {
                changes.push((*old, *new));
            }
        }
        let selected = changes.into_iter().map(|(old, new)| {
            let of = |state: &State| {
                let same = state.unsigned.iter().find(|unsigned| (unsigned.old, unsigned.new) == (old, new));
                same.map(|unsigned| unsigned.fields.clone())
            };
            let [x, y] = [of(a), of(b)].map(|fields| fields.unwrap_or_else(|| self.empty()));
            Unsigned { old, new, fields: self.select_set(condition, &x, &y) }
        });
        selected.collect()
    }
}

fn any_changed(changed: &mut [bool], others: &[bool]) {
    changed.iter_mut().zip(others).for_each(|(changed, other)| *changed |= other);
}

/// What may have been written, on whichever of two ways.
fn either_written(a: &[Write], b: &[Write]) -> Vec<Write> {
    let same_field = |(x, y): &(&Write, &Write)| x == y || (x.field.is_some() && x.field == y.field);
    let common = a.iter().zip(b).take_while(same_field).count();
    // A field that was written on both ways holds the one or the other.
    let both = a[..common].iter().zip(&b[..common]).map(|(a, b)| Write {
        field: b.field,
        old: b.old.union(a.old),
        new: b.new.union(a.new),
    });
    // Something that was written on one way only may or may not be there.
    let maybe = |write: &Write| Write { field: None, old: write.old, new: write.new };
    both.chain(a[common..].iter().map(maybe)).chain(b[common..].iter().map(maybe)).collect()
}
