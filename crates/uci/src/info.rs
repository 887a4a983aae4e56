//! What a search tells while it runs: `info` lines.

use multigame_player::Progress;
use multigame_search::{Bound, Bounds, Value};

/// What is known about a position as `cp` (hundredths of a man) or `mate` (moves until the game is won or lost).
pub fn score_text(bounds: Bounds) -> String {
    let (bound, value) = bounds.strongest();
    let sign = if value < Value::DRAW { "-" } else { "" };
    let score = match (value.plies(), value.margin()) {
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

/// The line for an iteration, or for a sign of life. `moves` is the best line in words; `several` says whether lines
/// are numbered.
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
            text.push_str(&format!(" score {}", score_text(progress.bounds)));
        }
    }
    text.push_str(&format!(" nodes {nodes} nps {speed}"));
    if let Some(fullness) = progress.fullness {
        text.push_str(&format!(" hashfull {fullness}"));
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

    #[test]
    fn scores_are_written() {
        assert_eq!(score_text(Bounds::exact(Value::new(-35))), "cp -35");
        assert_eq!(score_text(Bounds::exact(Value::win_in(1))), "mate 1");
        assert_eq!(score_text(Bounds::exact(Value::win_in(5))), "mate 3");
        assert_eq!(score_text(Bounds::exact(Value::loss_in(4))), "mate -2");
        assert_eq!(score_text(Bounds::exact(Value::loss_in(0))), "mate -0");
        assert_eq!(score_text(Bounds::at_least(Value::new(20))), "cp 20 lowerbound");
        let margin = Value::of_outcome(Outcome::Score(-12), Side::White, 3);
        assert_eq!(score_text(Bounds::exact(margin)), "cp -1200");
    }
}
