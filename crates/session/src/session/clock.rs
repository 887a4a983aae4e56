//! The clocks of a game between people, or against the computer.

use std::time::{Duration, Instant};

use multigame_game::Side;
use serde_json::{Value, json};

use crate::describe::side_name;
use crate::protocol::ClockSetting;

/// Two clocks, one of which may be running. The first one starts when the first move has been made.
#[derive(Clone, Debug)]
pub struct Clocks {
    left: [Duration; 2],
    increment: Duration,
    /// Whose clock is running, and since when.
    running: Option<(Side, Instant)>,
}

impl Clocks {
    /// Both players have the same time, and nobody's is running.
    pub fn new(setting: ClockSetting) -> Clocks {
        Clocks {
            left: [Duration::from_millis(setting.time); 2],
            increment: Duration::from_millis(setting.increment),
            running: None,
        }
    }

    /// What a player has left.
    pub fn left(&self, side: Side) -> Duration {
        match self.running {
            Some((running, since)) if running == side => {
                self.left[side.index()].saturating_sub(since.elapsed())
            }
            _ => self.left[side.index()],
        }
    }

    /// As the search wants to know it.
    pub fn for_search(&self) -> multigame_player::Clock {
        multigame_player::Clock {
            left: [self.left(Side::White), self.left(Side::Black)],
            increment: self.increment,
            moves_to_go: None,
        }
    }

    /// Who has no time left.
    pub fn fallen(&self) -> Option<Side> {
        let (side, _) = self.running?;
        (self.left(side) == Duration::ZERO).then_some(side)
    }

    /// A player has moved and another one is to move; nobody if the game is over.
    pub fn moved(&mut self, mover: Side, next: Option<Side>) {
        self.stop();
        self.left[mover.index()] += self.increment;
        self.running = next.map(|next| (next, Instant::now()));
    }

    /// Sets what the players have left; nobody's clock is running then.
    pub fn set_left(&mut self, left: [u64; 2]) {
        (self.left, self.running) = (left.map(Duration::from_millis), None);
    }

    /// Nobody's clock is running any more.
    pub fn stop(&mut self) {
        if let Some((side, _)) = self.running {
            self.left[side.index()] = self.left(side);
        }
        self.running = None;
    }

    /// As clients see it.
    pub fn to_json(&self) -> Value {
        let left = Side::BOTH.map(|side| self.left(side).as_millis() as u64);
        json!({
            "left": left,
            "increment": self.increment.as_millis() as u64,
            "running": self.running.map(|(side, _)| side_name(side)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_for_the_player_to_move_only() {
        let mut clocks = Clocks::new(ClockSetting { time: 40, increment: 1000, left: None });
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(clocks.left(Side::White), Duration::from_millis(40));
        clocks.moved(Side::White, Some(Side::Black));
        assert_eq!(clocks.left(Side::White), Duration::from_millis(1040));
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(clocks.fallen(), Some(Side::Black));
        clocks.stop();
        assert_eq!((clocks.fallen(), clocks.left(Side::Black)), (None, Duration::ZERO));
    }
}
