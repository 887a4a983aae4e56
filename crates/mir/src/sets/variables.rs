//! Sets in variables, for loops of the machine.

use crate::lowering::state::Set;
use crate::sets::code::Code;
use crate::{Binary, Stmt, Unary, Value, Variable};

impl Code {
    /// Variables that hold a set.
    pub(crate) fn kept_set(&mut self, set: &Set) -> Vec<Variable> {
        set.iter().map(|&word| self.kept(word)).collect()
    }

    /// The set that variables hold now.
    pub(crate) fn get_set(&mut self, variables: &[Variable]) -> Set {
        variables.iter().map(|&variable| self.get(variable)).collect()
    }

    pub(crate) fn get_sets(&mut self, variables: &[Vec<Variable>]) -> Vec<Set> {
        variables.iter().map(|set| self.get_set(set)).collect()
    }

    /// The variables hold this from now on.
    pub(crate) fn assign_set(&mut self, variables: &[Variable], set: &Set) {
        for (&variable, &word) in variables.iter().zip(set) {
            self.set(variable, word);
        }
    }

    /// Adds fields to what variables hold.
    pub(crate) fn add_to_set(&mut self, variables: &[Variable], set: &Set) {
        for (&variable, &word) in variables.iter().zip(set) {
            self.set_bits(variable, word);
        }
    }

    /// Takes the lowest field out of the set that variables hold; if there is none, the loop around it ends.
    pub(crate) fn next_or_break(&mut self, left: &[Variable]) -> Value {
        let fields = self.get_set(left);
        let more = self.is_inhabited(&fields);
        let ends = self.is_zero(more);
        self.push(Stmt::BreakIf(ends));
        let (index, fields) = self.take_lowest(&fields);
        self.assign_set(left, &fields);
        index
    }

    /// The lowest field of a set, and the others. Of an empty set it is any field.
    pub(crate) fn take_lowest(&mut self, set: &Set) -> (Value, Set) {
        let zero = self.constant(0);
        let mut index = zero;
        let mut left = set.clone();
        let mut before = self.constant(1);
        for (number, &word) in set.iter().enumerate() {
            let here = self.is_nonzero(word);
            let first = self.and(before, here);
            let lowest = self.unary(Unary::TrailingZeros, word);
            let start = self.constant(64 * number as u64);
            let field = self.binary(Binary::Add, start, lowest);
            index = self.select(first, field, index);
            let one = self.constant(1);
            let less = self.binary(Binary::Subtract, word, one);
            let without = self.and(word, less);
            left[number] = self.select(first, without, word);
            let gone = self.is_zero(here);
            before = self.and(before, gone);
        }
        (index, left)
    }
}
