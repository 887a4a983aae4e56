//! When a search has to end: depth, nodes, time for a move, or a clock for the game.

use std::time::Duration;

use anyhow::{Context, bail};
use multigame_game::Side;
use multigame_search::Engine;
use serde::{Deserialize, Serialize};

/// Where nothing else ends a search.
pub const USUAL_TIME: Duration = Duration::from_secs(1);
/// Kept back of a clock: the move has to be shown, too.
const RESERVE: Duration = Duration::from_millis(50);
/// With less than that beside the reserve, not all of the increment is spent: a busy machine takes its share
/// of the clock.
const CUSHION: Duration = Duration::from_millis(200);
/// A game is expected to last this many moves more.
const MOVES_TO_GO: u32 = 30;

/// The limits; the first one reached counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Plies; for puzzles the length of the solution.
    pub depth: Option<u32>,
    /// Nodes; random games in Monte-Carlo search.
    pub nodes: Option<u64>,
    /// For each move.
    pub time: Option<Duration>,
    /// For the whole game.
    pub clock: Option<Clock>,
}

/// The time each player has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// White's and Black's.
    pub left: [Duration; 2],
    /// Added after each move.
    pub increment: Duration,
    /// After this many moves there is new time; if not given, the time left is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// What limits are called in texts.
    pub const NAMES: [&'static str; 4] = ["time", "clock", "depth", "nodes"];

    /// Sets a limit from text: `time=0.1`, `clock=10+0.1`, `depth=6` or `nodes=10000`.
    pub fn set_one(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        let number = value.parse::<u64>().ok().filter(|&number| number > 0);
        match name {
            "time" => self.time = Some(parse_time(value).map_err(anyhow::Error::msg)?),
            "clock" => self.clock = Some(parse_clock(value).map_err(anyhow::Error::msg)?),
            "depth" => {
                let depth = number.and_then(|depth| u32::try_from(depth).ok());
                self.depth = Some(depth.context("`depth` needs a number of plies")?);
            }
            "nodes" => self.nodes = Some(number.context("`nodes` needs a number of positions")?),
            _ => bail!("there is no limit `{name}`; there are {}", Limits::NAMES.join(", ")),
        }
        Ok(())
    }

    /// One second a move.
    pub fn usual() -> Limits {
        Limits { time: Some(USUAL_TIME), ..Limits::default() }
    }

    /// These limits, or the usual ones if there are none.
    pub fn or_usual(self) -> Limits {
        if self == Limits::default() { Limits::usual() } else { self }
    }

    /// Whether depth is all there is.
    pub fn only_depth(&self) -> bool {
        self.nodes.is_none() && !self.has_time()
    }

    /// Whether somebody has to look at a clock.
    pub fn has_time(&self) -> bool {
        self.time.is_some() || self.clock.is_some()
    }

    /// Refuses a depth where the engine does not search by depth.
    pub fn check(&self, engine: Engine) -> anyhow::Result<()> {
        if self.depth.is_some() && (engine == Engine::Mcts || engine.proves()) {
            bail!(
                "`engine={engine}` does not search by depth; limit it by `nodes` or `time`, or use \
                 `engine=negascout`"
            );
        }
        Ok(())
    }

    /// How long a player may think about a move, and after which time it does not pay to begin another
    /// iteration.
    pub fn budget(&self, side: Side) -> Option<(Duration, Duration)> {
        let by_clock = self.clock.map(|clock| clock.budget(side));
        match (self.time, by_clock) {
            (Some(time), Some((hard, soft))) => Some((hard.min(time), soft.min(time))),
            (Some(time), None) => Some((time, time)),
            (None, budget) => budget,
        }
    }
}

impl Clock {
    /// Both players have the same time.
    pub fn new(time: Duration, increment: Duration) -> Clock {
        Clock { left: [time; 2], increment, moves_to_go: None }
    }

    fn budget(&self, side: Side) -> (Duration, Duration) {
        let left = self.left[side.index()].saturating_sub(RESERVE);
        let moves = self.moves_to_go.map_or(MOVES_TO_GO, |moves| moves.clamp(1, MOVES_TO_GO));
        let share = 0.8 * left.div_duration_f64(CUSHION).min(1.0);
        let fair = left / moves + self.increment.mul_f64(share);
        // With few moves to go more than a third may be spent, for there is new time soon.
        let most = left.mul_f64((0.9 / f64::from(moves)).max(1.0 / 3.0));
        let hard = (fair * 2).min(most).max(Duration::from_millis(1));
        (hard, fair.mul_f64(0.6).min(hard))
    }

    /// A player has thought so long and moved.
    pub fn moved(&mut self, side: Side, time: Duration) {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(time) + self.increment;
    }
}

/// `2`, `0.5`, `500ms`, `1m`: a time, in seconds if nothing else is said.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let (number, factor) = if let Some(number) = text.strip_suffix("ms") {
        (number, 0.001)
    } else if let Some(number) = text.strip_suffix('m') {
        (number, 60.0)
    } else {
        (text.strip_suffix('s').unwrap_or(text), 1.0)
    };
    let seconds = number.trim().parse::<f64>().ok().map(|number| number * factor);
    match seconds.filter(|seconds| (0.001..=1e7).contains(seconds)) {
        Some(seconds) => Ok(Duration::from_secs_f64(seconds)),
        None => {
            Err(format!("`{text}` is not a time; write seconds such as `2` or `0.5`, or `500ms`, or `1m`"))
        }
    }
}

/// `300+2`: a time for the game and one added after each move.
pub fn parse_clock(text: &str) -> Result<Clock, String> {
    let (time, increment) = match text.split_once('+') {
        Some((time, "0")) => (time, Duration::ZERO),
        Some((time, increment)) => (time, parse_time(increment)?),
        None => (text, Duration::ZERO),
    };
    Ok(Clock::new(parse_time(time)?, increment))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(parse_time("2"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("1.5m"), Ok(Duration::from_secs(90)));
        for wrong in ["", "-1", "0", "x", "nan", "inf", "1e99"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_clock("60+1"), Ok(Clock::new(Duration::from_secs(60), Duration::from_secs(1))));
        assert!(parse_clock("60+x").is_err());
    }

    #[test]
    fn depth_is_refused_where_it_means_nothing() {
        let deep = Limits { depth: Some(5), time: Some(USUAL_TIME), ..Limits::default() };
        for engine in [Engine::Mcts, Engine::ProofNumber, Engine::DfPn, Engine::Verdict] {
            let refused = deep.check(engine).unwrap_err().to_string();
            assert!(
                refused.contains(&format!("`engine={engine}`")) && refused.contains("`nodes`"),
                "{refused}"
            );
            assert!(Limits::usual().check(engine).is_ok());
        }
        for engine in [Engine::NegaScout, Engine::NegaMax, Engine::IdaStar, Engine::AStar, Engine::Bfs] {
            assert!(deep.check(engine).is_ok(), "{engine}");
        }
    }

    #[test]
    fn a_clock_never_runs_out() {
        let mut clock = Clock::new(Duration::from_secs(10), Duration::from_millis(100));
        for _ in 0..1000 {
            let (hard, soft) = clock.budget(Side::White);
            assert!(soft <= hard);
            let used = hard + Duration::from_millis(10);
            assert!(used < clock.left[0], "{clock:?}");
            clock.moved(Side::White, used);
        }
    }
}
