//! Evaluations of positions met before, by signature.

use multigame_game::Signature;

use crate::Value;

/// The stored facts about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remembered {
    pub value: Value,
    /// Whether the game is known to go on there.
    pub goes_on: bool,
}

/// A direct-mapped cache that belongs to one worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvaluationCache {
    entries: Vec<(Signature, Option<Remembered>)>,
    /// Brings the leading bits of a signature to the size of the cache.
    shift: u32,
}

impl EvaluationCache {
    /// Room for `2^bits` evaluations, or none for 0. The entries stay if the size does.
    pub fn resize(&mut self, bits: u32) {
        let size = if bits == 0 { 0 } else { 1 << bits };
        if self.entries.len() != size {
            self.entries = vec![(0, None); size];
            self.shift = 64 - bits.max(1);
        }
    }

    /// The evaluation of a position, if it is known.
    #[inline]
    pub fn get(&self, signature: Signature) -> Option<Remembered> {
        let (known, remembered) = *self.entries.get(self.slot(signature))?;
        remembered.filter(|_| known == signature)
    }

    /// Remembers an evaluation.
    #[inline]
    pub fn set(&mut self, signature: Signature, value: Value, goes_on: bool) {
        let slot = self.slot(signature);
        if let Some(entry) = self.entries.get_mut(slot) {
            *entry = (signature, Some(Remembered { value, goes_on }));
        }
    }

    #[inline]
    fn slot(&self, signature: Signature) -> usize {
        (signature.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_what_it_has_room_for() {
        let mut cache = EvaluationCache::default();
        cache.set(5, Value::new(1), true);
        assert_eq!(cache.get(5), None);
        cache.resize(4);
        assert_eq!(cache.get(5), None);
        cache.set(5, Value::new(2), false);
        assert_eq!(cache.get(5), Some(Remembered { value: Value::new(2), goes_on: false }));
        assert_eq!(cache.get(6), None);
    }

    #[test]
    fn four_entries_fill_a_line_of_the_processors_cache() {
        assert_eq!(size_of::<(Signature, Option<Remembered>)>(), 16);
    }
}
