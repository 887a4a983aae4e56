//! Games with chance: what can be expected with best play, as an interval.

use std::io::Write;
use std::time::Instant;

use anyhow::bail;
use multigame_game::{Game, Line, notation};
use multigame_player::{Expected, Wanted, expected};

use super::Arguments;
use crate::{interrupt, output};

/// A position and what it may lead to, in the tables of the computation.
const BYTES_PER_POSITION: usize = 400;
/// The interval is this narrow, and chances are shown with as many digits.
const PRECISION: f64 = 1e-9;

impl Arguments {
    /// Refuses what has no meaning where all positions are computed together.
    fn check_for_chance(&self) -> anyhow::Result<()> {
        let given = [
            (self.engine.flatten().is_some(), "--engine"),
            (self.policy.is_some(), "--policy"),
            (self.memory.is_some(), "--memory"),
            (self.threads.is_some(), "--threads"),
            (self.depth.is_some(), "--depth"),
            (self.time.is_some(), "--time"),
            (self.nodes.is_some(), "--nodes"),
            (self.checkpoint.is_some(), "--checkpoint"),
            (self.verdict, "--verdict"),
            (!self.options.to_string().is_empty(), "--options"),
            (self.tables.is_some(), "--tables"),
            (self.endgames.is_some(), "--endgames"),
            (self.perimeter.is_some(), "--perimeter"),
        ];
        match given.iter().find(|(given, _)| *given) {
            Some((_, name)) => bail!(
                "nature moves in this game, and `solve` computes the expectation of all positions together; \
                 leave `{name}` out, or think about a position with `multigame search`"
            ),
            None => Ok(()),
        }
    }

    /// Solves a position of a game with chance and prints what is expected.
    pub(super) fn expect<G: Game>(&self, line: &Line<'_, G>) -> anyhow::Result<()> {
        self.check_for_chance()?;
        let game = line.game();
        let start = Instant::now();
        let positions = self.table as usize * (1 << 20) / BYTES_PER_POSITION;
        let wanted = Wanted { precision: PRECISION, positions, ..Wanted::default() };
        let found = expected(game, line.position(), wanted, interrupt::flag())?;
        self.print_expected(line, &found, start.elapsed().as_secs_f64())
    }

    fn print_expected<G: Game>(
        &self,
        line: &Line<'_, G>,
        found: &Expected<G::Move>,
        seconds: f64,
    ) -> anyhow::Result<()> {
        let (game, position) = (line.game(), line.position());
        let side = game.side_to_move(position);
        let best = found.best.as_ref().map(|mv| notation::name_of(game, position, mv)).transpose()?;
        let player = side.to_string();
        if self.json {
            output::json(&serde_json::json!({
                "game": game.description().name,
                "player": player,
                "expected": [found.low, found.high],
                "best": best,
                "positions": found.positions,
                "rounds": found.rounds,
                "seconds": seconds,
            }))?;
        } else {
            let mut out = std::io::stdout().lock();
            let (low, high) = found.chances();
            writeln!(out, "{player} may expect {:+.9} .. {:+.9}", found.low, found.high)?;
            writeln!(out, "as a chance of winning {low:.9} .. {high:.9}, if a draw is half a win")?;
            if let Some(best) = best {
                writeln!(out, "best move {best}")?;
            }
            writeln!(out, "positions {}  rounds {}  time {seconds:.2}", found.positions, found.rounds)?;
        }
        if found.high - found.low > PRECISION {
            bail!(
                "not solved: the interval is {:.1e} wide, and computing on does not narrow it; endless play \
                 may be possible",
                found.high - found.low
            );
        }
        Ok(())
    }
}
