//! How far generated code may call itself.

use multigame_mir::{DEEPEST_CALLS, MOST_CALLS};

use crate::Failed;

/// What is left of the calls of functions that can come back to themselves.
#[derive(Debug)]
pub struct Budget {
    calls: u64,
    depth: u64,
}

impl Budget {
    /// For one position.
    pub fn new() -> Budget {
        Budget { calls: MOST_CALLS, depth: DEEPEST_CALLS }
    }

    /// Before a call.
    #[inline]
    pub fn enter(&mut self) -> Result<(), Failed> {
        if self.calls == 0 || self.depth == 0 {
            return Err(Failed);
        }
        self.calls -= 1;
        self.depth -= 1;
        Ok(())
    }

    /// After a call.
    #[inline]
    pub fn leave(&mut self) {
        self.depth += 1;
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_limited_in_depth_and_in_number() {
        let mut budget = Budget::new();
        let nested = (0..2 * DEEPEST_CALLS).take_while(|_| budget.enter().is_ok()).count();
        assert_eq!(nested as u64, DEEPEST_CALLS);

        let mut budget = Budget::new();
        let one_after_another = (0..2 * MOST_CALLS).take_while(|_| {
            let entered = budget.enter().is_ok();
            budget.leave();
            entered
        });
        assert_eq!(one_after_another.count() as u64, MOST_CALLS);
    }
}
