//! Locals of a function. A value that is no longer needed leaves its local to another one: compilers of
//! WebAssembly look at all locals wherever paths meet.

use wasm_encoder::ValType;

/// A place for a value: a local of WebAssembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub local: u32,
    /// How many loops are around the definition of the value.
    pub loops: usize,
}

/// All locals.
pub(crate) struct Slots {
    /// How many locals are parameters.
    parameters: u32,
    /// The types of all others.
    types: Vec<ValType>,
    /// Those that may be used again.
    free: Vec<u32>,
    /// For each open loop what is free when it ends: values from outside of it are needed in each round.
    loops: Vec<Vec<u32>>,
}

impl Slots {
    pub fn new(parameters: u32) -> Slots {
        Slots { parameters, types: Vec::new(), free: Vec::new(), loops: Vec::new() }
    }

    /// A local that nothing else uses.
    pub fn fresh(&mut self, kind: ValType) -> u32 {
        self.types.push(kind);
        self.parameters + self.types.len() as u32 - 1
    }

    /// A local for a value that is defined here.
    pub fn take(&mut self, kind: ValType) -> Slot {
        let found = self.free.iter().rposition(|&local| self.kind(local) == kind);
        let local = match found {
            Some(place) => self.free.swap_remove(place),
            None => self.fresh(kind),
        };
        Slot { local, loops: self.loops.len() }
    }

    /// The value was used for the last time in the text of the function.
    pub fn give_back(&mut self, slot: Slot) {
        match self.loops.get_mut(slot.loops) {
            Some(outermost) => outermost.push(slot.local),
            None => self.free.push(slot.local),
        }
    }

    /// Opens one more loop around the statements that follow.
    pub fn open_loop(&mut self) {
        self.loops.push(Vec::new());
    }

    /// Its end.
    pub fn close_loop(&mut self) {
        self.free.extend(self.loops.pop().unwrap_or_default());
    }

    fn kind(&self, local: u32) -> ValType {
        self.types[(local - self.parameters) as usize]
    }

    /// The types of the locals that are not parameters.
    pub fn types(self) -> Vec<ValType> {
        self.types
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_are_used_again_after_the_last_loop_that_needs_them() {
        let mut slots = Slots::new(2);
        let [outside, other] = [ValType::I64, ValType::I32].map(|kind| slots.take(kind));
        slots.give_back(other);
        slots.open_loop();
        slots.open_loop();
        slots.give_back(outside);
        let inside = slots.take(ValType::I64);
        assert_ne!(inside.local, outside.local);
        slots.close_loop();
        assert_ne!(slots.take(ValType::I64).local, outside.local);
        slots.close_loop();
        assert_eq!(slots.take(ValType::I64), Slot { local: outside.local, loops: 0 });
        assert_eq!(slots.take(ValType::I32).local, other.local);
        assert_eq!(slots.types().len(), 4);
    }
}
