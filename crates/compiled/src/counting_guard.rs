//! How long something is tried that may fail.

/// What there is to lose, and what a failure loses of it; a success brings 1 back. So one failure in five is
/// put up with: a count in vain has followed the rules nearly to the end and begins again.
const LIMIT: u32 = 32;
const LOSS: u32 = 4;

/// So often it is not tried after that.
const PAUSE: u32 = 1_000;

/// Whether it is worth counting moves without making them: where that fails too often, because equal moves
/// have to be told apart or somebody cannot move, it costs more than it brings.
#[derive(Debug)]
pub struct CountingGuard {
    left: u32,
    pause: u32,
}

impl CountingGuard {
    /// Nothing has failed yet.
    pub fn new() -> CountingGuard {
        CountingGuard { left: LIMIT, pause: 0 }
    }

    /// Tries something, unless it has failed too often.
    #[inline(always)]
    pub fn attempt<T>(&mut self, attempt: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.pause > 0 {
            self.pause -= 1;
            return None;
        }
        let answer = attempt();
        if answer.is_some() {
            self.left = LIMIT.min(self.left + 1);
        } else {
            self.left = self.left.saturating_sub(LOSS);
            if self.left == 0 {
                // The next failure is one too many again.
                (self.left, self.pause) = (1, PAUSE);
            }
        }
        answer
    }
}

impl Default for CountingGuard {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often something is tried in this many positions, if it fails in every `fails`-th.
    fn tried(times: u32, fails: u32) -> u32 {
        let (mut guard, mut tried) = (CountingGuard::new(), 0);
        for time in 0..times {
            guard.attempt(|| {
                tried += 1;
                (time % fails != 0).then_some(())
            });
        }
        tried
    }

    #[test]
    fn what_always_fails_is_hardly_tried_and_what_sometimes_fails_always() {
        assert_eq!(tried(10_000, 6), 10_000);
        assert!(tried(10_000, 3) < 100);
        assert!(tried(10_000, 1) < 30);
    }
}
