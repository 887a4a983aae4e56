//! What a search tells while it runs: `info` lines.

use multigame_player::{Progress, claims_too_much};
use multigame_search::{Bound, Bounds, Proved, Value};

/// A win that is not proved, in hundredths of a man: more than any evaluation says in earnest.
const NEARLY_WON: i64 = 30_000;

/// What is known about a position as `cp` (hundredths of a man) or `mate` (moves until the game is won or
/// lost). A mate has to be proved.
pub fn score_text(bounds: Bounds, proved: Proved) -> String {
    let (bound, value) = bounds.strongest();
    let sign = if value < Value::DRAW { "-" } else { "" };
    let score = match (value.plies(), value.margin()) {
        (Some(_), _) if claims_too_much(bounds, proved) => format!("cp {sign}{NEARLY_WON}"),
        (Some(plies), _) => format!("mate {sign}{}", plies.div_ceil(2)),
        (_, Some(margin)) => format!("cp {}", 100 * i64::from(margin)),
        _ => format!("cp {}", value.number()),
    };
    match bound {
        Bound::Exact => score,
        Bound::Lower => format!("{score} lowerbound"),
        Bound::Upper => format!("{score} upperbound"),
    }
}

/// The line for an iteration, or for a sign of life. `moves` is the best line in words; `several` says
/// whether lines are numbered.
pub fn info_text<M>(progress: &Progress<'_, M>, moves: &[String], several: bool) -> String {
    let milliseconds = progress.time.as_millis();
    let nodes = progress.statistics.nodes;
    let speed = (nodes as f64 / progress.time.as_secs_f64().max(1e-3)) as u64;
    let mut text = String::from("info");
    if progress.finished {
        text.push_str(&format!(" depth {}", progress.depth));
        if several {
            text.push_str(&format!(" multipv {}", progress.line + 1));
        }
        if progress.bounds != Bounds::UNKNOWN {
            text.push_str(&format!(" score {}", score_text(progress.bounds, progress.proved)));
        }
    }
    text.push_str(&format!(" nodes {nodes} nps {speed}"));
    if let Some(fullness) = progress.fullness {
        text.push_str(&format!(" hashfull {fullness}"));
    }
    let hits = progress.statistics.endgame_hits;
    if hits > 0 {
        text.push_str(&format!(" tbhits {hits}"));
    }
    text.push_str(&format!(" time {milliseconds}"));
    if !moves.is_empty() {
        text.push_str(&format!(" pv {}", moves.join(" ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigame_game::{Outcome, Side};
    use multigame_search::random_tree::{RandomTree, Shape};
    use multigame_search::{Found, Grounds, Options};

    /// As a search says it that has seen finished games only.
    fn proved_text(bounds: Bounds) -> String {
        let game = RandomTree::new(Shape::default());
        let grounds = Grounds::new(&game, &Options::default(), true);
        score_text(bounds, Proved::of_search(Found { bounds, complete: true }, 9, grounds))
    }

    #[test]
    fn scores_are_written() {
        assert_eq!(proved_text(Bounds::exact(Value::new(-35))), "cp -35");
        assert_eq!(proved_text(Bounds::exact(Value::win_in(1))), "mate 1");
        assert_eq!(proved_text(Bounds::exact(Value::win_in(5))), "mate 3");
        assert_eq!(proved_text(Bounds::exact(Value::loss_in(4))), "mate -2");
        assert_eq!(proved_text(Bounds::exact(Value::loss_in(0))), "mate -0");
        assert_eq!(proved_text(Bounds::at_least(Value::new(20))), "cp 20 lowerbound");
        let margin = Value::of_outcome(Outcome::Score(-12), Side::White, 3);
        assert_eq!(proved_text(Bounds::exact(margin)), "cp -1200");
    }

    #[test]
    fn a_mate_is_proved_or_it_is_not_called_one() {
        let text = |bounds| score_text(bounds, Proved::NOTHING);
        assert_eq!(text(Bounds::exact(Value::win_in(5))), "cp 30000");
        assert_eq!(text(Bounds::at_most(Value::loss_in(4))), "cp -30000 upperbound");
        assert_eq!(text(Bounds::exact(Value::new(-35))), "cp -35");
    }
}
