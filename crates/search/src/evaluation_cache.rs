//! Evaluations of positions met before, by signature.

use multigame_game::Signature;

use crate::Value;

/// A direct-mapped cache that belongs to one worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvaluationCache {
    entries: Vec<(Signature, Option<Value>)>,
}

impl EvaluationCache {
    /// Room for `2^bits` evaluations, or none for 0. What was known stays if the size does.
    pub fn resize(&mut self, bits: u32) {
        let size = if bits == 0 { 0 } else { 1 << bits };
        if self.entries.len() != size {
            self.entries = vec![(0, None); size];
        }
    }

    /// The evaluation of a position, computed if it is not known; and whether it was known.
    #[inline]
    pub fn get(&mut self, signature: Signature, evaluate: impl FnOnce() -> Value) -> (Value, bool) {
        if self.entries.is_empty() {
            return (evaluate(), false);
        }
        let slot =
            signature.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.entries.len().trailing_zeros());
        let entry = &mut self.entries[slot as usize];
        if let (known, Some(value)) = *entry
            && known == signature
        {
            return (value, true);
        }
        let value = evaluate();
        *entry = (signature, Some(value));
        (value, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluates_each_position_once() {
        let mut cache = EvaluationCache::default();
        assert_eq!(cache.get(5, || Value::new(1)), (Value::new(1), false));
        cache.resize(4);
        assert_eq!(cache.get(5, || Value::new(2)), (Value::new(2), false));
        assert_eq!(cache.get(5, || panic!()), (Value::new(2), true));
    }
}
