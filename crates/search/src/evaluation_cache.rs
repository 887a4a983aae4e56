//! Evaluations of positions met before, by signature.

use multigame_game::Signature;

use crate::Value;

/// A direct-mapped cache that belongs to one worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvaluationCache {
    entries: Vec<(Signature, Option<Value>)>,
    /// Brings the leading bits of a signature to the size of the cache.
    shift: u32,
}

impl EvaluationCache {
    /// Room for `2^bits` evaluations, or none for 0. What was known stays if the size does.
    pub fn resize(&mut self, bits: u32) {
        let size = if bits == 0 { 0 } else { 1 << bits };
        if self.entries.len() != size {
            self.entries = vec![(0, None); size];
            self.shift = 64 - bits.max(1);
        }
    }

    /// The evaluation of a position, if it is known.
    #[inline]
    pub fn get(&self, signature: Signature) -> Option<Value> {
        let (known, value) = *self.entries.get(self.slot(signature))?;
        value.filter(|_| known == signature)
    }

    /// Remembers an evaluation.
    #[inline]
    pub fn set(&mut self, signature: Signature, value: Value) {
        let slot = self.slot(signature);
        if let Some(entry) = self.entries.get_mut(slot) {
            *entry = (signature, Some(value));
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
        cache.set(5, Value::new(1));
        assert_eq!(cache.get(5), None);
        cache.resize(4);
        assert_eq!(cache.get(5), None);
        cache.set(5, Value::new(2));
        assert_eq!(cache.get(5), Some(Value::new(2)));
        assert_eq!(cache.get(6), None);
    }
}
