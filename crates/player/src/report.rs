//! Searches in words: lines of moves, iterations, speed.

use std::time::Duration;

use multigame_game::{Description, Game, Outcome, RulesError, Side, notation};
use multigame_search::Bounds;
use multigame_threads::CrewReport;

use crate::Progress;

/// The names of a line of moves, at most so many.
pub fn line_names<G: Game>(
    game: &G,
    position: &G::Position,
    moves: &[G::Move],
    most: usize,
) -> Result<Vec<String>, RulesError> {
    let mut position = position.clone();
    let mut names = Vec::new();
    for mv in moves.iter().take(most) {
        names.push(notation::name_of(game, &position, mv)?);
        let before = position.clone();
        game.apply(&before, mv, &mut position);
    }
    Ok(names)
}

/// Nodes a second, as people read it: `1.2 M/s`.
pub fn speed(nodes: u64, time: Duration) -> String {
    let rate = nodes as f64 / time.as_secs_f64().max(1e-6);
    match rate {
        0.0..1e4 => format!("{rate:.0}/s"),
        1e4..1e6 => format!("{:.0} k/s", rate / 1e3),
        _ => format!("{:.1} M/s", rate / 1e6),
    }
}

/// One line about an iteration.
pub fn iteration_text<M>(progress: &Progress<'_, M>, names: &[String]) -> String {
    let (nodes, time) = (progress.statistics.nodes, progress.time);
    format!(
        "depth {:>2}  value {:<12}  nodes {:>10}  time {:>6.2}  {:>9}  pv {}",
        progress.depth,
        value_text(progress.bounds),
        nodes,
        time.as_secs_f64(),
        speed(nodes, time),
        names.join(" ")
    )
    .trim_end()
    .to_string()
}

/// `+35`, `won in 5`; a bound has its sign.
pub fn value_text(bounds: Bounds) -> String {
    let text = bounds.to_string();
    text.strip_prefix("= ").map(str::to_string).unwrap_or(text)
}

/// What stands in the last line of a terminal while the computer thinks.
pub fn live_text<M>(progress: &Progress<'_, M>, value: &str, line: &str) -> String {
    let (nodes, time) = (progress.statistics.nodes, progress.time);
    let text = format!(
        "{:.1} s  depth {}  value {value}  {nodes} nodes  {}  {line}",
        time.as_secs_f64(),
        progress.depth,
        speed(nodes, time)
    );
    text.chars().take(100).collect()
}

/// An outcome as people say it: a puzzle is solved or lost, not won by White.
pub fn outcome_text(description: &Description, outcome: Outcome) -> String {
    match (description.players, outcome.winner()) {
        (1, Some(Side::White)) => "solved".to_string(),
        (1, Some(Side::Black)) => "lost".to_string(),
        _ => outcome.to_string(),
    }
}

/// What the threads of a search did: one line for each, and what they did together.
pub fn crew_text(crew: &CrewReport) -> String {
    let mut text = String::new();
    let seconds = crew.time.as_secs_f64();
    for (number, hand) in crew.hands.iter().enumerate() {
        let idle = hand.idle.as_secs_f64() / seconds.max(1e-9) * 100.0;
        let (nodes, counters) = (hand.statistics.nodes, hand.counters);
        text += &format!(
            "thread {number:<3} {nodes:>12} nodes, {idle:>4.1} % idle, {} jobs given, {} taken, {} killed\n",
            counters.given, counters.taken, counters.killed
        );
    }
    text += &format!("policy {}, load {:.1} %", crew.policy, crew.load() * 100.0);
    if let (Some(critical), Some(parallelism)) = (crew.critical, crew.parallelism()) {
        let work = crew.work;
        text += &format!(", work {work} nodes, critical path {critical}, parallelism {parallelism:.1}");
    }
    text + "\n"
}
