//! Things that go wrong on purpose: every order of events that a network may produce is to be met in tests.

use std::str::FromStr;

use multigame_game::Random;
use multigame_parallel::WorkerId;
use serde::{Deserialize, Serialize};

/// What goes wrong; times in nanoseconds. Messages between two processors still arrive in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Messages are delayed by up to this much more, each by its own chance.
    pub delay: u64,
    /// One in this many messages is delayed a hundred times as much; 0 for none.
    pub straggler_every: u64,
    /// One in this many processors works four times as slowly; 0 for none.
    pub slow_every: u32,
    /// Processors pause for this long now and then.
    pub pause: u64,
    /// After this many steps on average; 0 for never.
    pub pause_every: u64,
    /// Processors that stop for ever.
    pub losses: Losses,
}

/// Processors that are lost: each one finishes the step it is at, and then neither does nor hears anything.
/// Processor 0 knows the root, and stays. Messages still find their way past a lost processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Losses {
    /// How many.
    pub count: u32,
    /// Each at a random time up to this one, in nanoseconds.
    pub within: u64,
}

/// This does not say which processors are lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a number of processors and a time in seconds; use, for example, `4:0.5`")]
pub struct LossesError(String);

impl FromStr for Losses {
    type Err = LossesError;

    fn from_str(text: &str) -> Result<Losses, LossesError> {
        let read = || {
            let (count, seconds) = text.split_once(':')?;
            let seconds: f64 = seconds.parse().ok()?;
            let count = count.parse().ok()?;
            (0.0..1e9).contains(&seconds).then_some(Losses { count, within: (seconds * 1e9) as u64 })
        };
        read().ok_or_else(|| LossesError(text.to_string()))
    }
}

impl Losses {
    /// Whether that many processors can be lost.
    pub fn check(self, processors: u32) -> Result<(), String> {
        if processors == 1 || self.count < processors {
            return Ok(());
        }
        Err(format!("{processors} processors cannot lose {}: one conducts the search and stays", self.count))
    }

    /// Who is lost, and when.
    pub(crate) fn drawn(self, processors: u32, seed: u64) -> Vec<(WorkerId, u64)> {
        let mut random = Random::new(seed ^ 0x0001_0551_0551);
        let mut left: Vec<WorkerId> = (1..processors).collect();
        let count = (self.count as usize).min(left.len());
        let one = |_| {
            let lost = left.swap_remove(random.below(left.len()));
            (lost, random.next_u64() % (self.within + 1))
        };
        (0..count).map(one).collect()
    }
}

impl Faults {
    /// Everything at once, for a machine on which a node takes `node`: delays of up to hundreds of nodes.
    pub fn storm(node: u64) -> Faults {
        Faults {
            delay: 20 * node,
            straggler_every: 50,
            slow_every: 5,
            pause: 300 * node,
            pause_every: 1000,
            losses: Losses::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_seed_loses_others_and_never_the_first() {
        let losses: Losses = "3:0.5".parse().unwrap();
        assert_eq!(losses, Losses { count: 3, within: 500_000_000 });
        for seed in 0..50 {
            let drawn = losses.drawn(5, seed);
            assert!(drawn.len() == 3 && drawn.iter().all(|&(lost, at)| lost > 0 && at <= losses.within));
            assert!(drawn[0].0 != drawn[1].0 && drawn[1].0 != drawn[2].0 && drawn[0].0 != drawn[2].0);
        }
        assert_ne!(losses.drawn(5, 1), losses.drawn(5, 2));
        assert_eq!(losses.drawn(1, 1), []);
        assert!(losses.check(4).is_ok() && losses.check(3).unwrap_err().contains("cannot lose 3"));
        for wrong in ["3", "x:1", "2:-1", "2:", "1:nan"] {
            assert!(wrong.parse::<Losses>().unwrap_err().to_string().contains("4:0.5"));
        }
    }
}
