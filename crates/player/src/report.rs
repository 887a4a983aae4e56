//! Searches in words: lines of moves, iterations, speed.

use std::time::Duration;

use multigame_game::{Description, Game, Outcome, RulesError, Side, notation};
use multigame_search::{Bounds, Proved, Value};
use multigame_threads::{CrewReport, HandReport, Traffic};

use crate::Progress;

/// The names of a line of moves, at most this many.
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
        value_text(progress.bounds, progress.proved),
        nodes,
        time.as_secs_f64(),
        speed(nodes, time),
        notation::listed(names)
    )
    .trim_end()
    .to_string()
}

/// `+35`, `won in 5`; a bound has its sign. A win that is not proved says so: `won in 5, not proved`.
pub fn value_text(bounds: Bounds, proved: Proved) -> String {
    let text = bounds.to_string();
    let text = text.strip_prefix("= ").map(str::to_string).unwrap_or(text);
    if claims_too_much(bounds, proved) { text + ", not proved" } else { text }
}

/// Whether bounds say who wins and nobody has proved it.
pub fn claims_too_much(bounds: Bounds, proved: Proved) -> bool {
    let wins = bounds.lower >= Value::LEAST_SCORE && bounds.lower < Value::INFINITE;
    let loses = bounds.upper <= -Value::LEAST_SCORE && bounds.upper > -Value::INFINITE;
    (wins && !proved.is_win()) || (loses && !proved.is_loss())
}

/// The result with best play, if it is proved: `white wins in 5 plies`, `draw`, `solved in 6 moves`. `side`
/// is to move.
pub fn result_text(description: &Description, side: Side, proved: Proved) -> Option<String> {
    if description.players == 1 {
        return puzzle_text(proved);
    }
    if proved.is_draw() {
        return Some("draw".to_string());
    }
    let winner = proved.winner(side)?;
    let bounds = proved.bounds();
    let sure = if proved.is_win() { bounds.lower } else { bounds.upper };
    let most = if proved.value().is_some() { "" } else { "at most " };
    Some(match (sure.plies(), sure.margin()) {
        // So long a win is one of which nobody knows how long it is.
        (Some(Value::MAX_PLIES), _) => format!("{winner} wins"),
        (Some(1), _) => format!("{winner} wins in 1 ply"),
        (Some(plies), _) => format!("{winner} wins in {most}{plies} plies"),
        (None, Some(margin)) if proved.value().is_some() => format!("{winner} wins by {}", margin.abs()),
        _ => format!("{winner} wins"),
    })
}

fn puzzle_text(proved: Proved) -> Option<String> {
    if proved.is_loss() {
        return Some("no solution".to_string());
    }
    let moves = proved.bounds().lower.plies().filter(|_| proved.is_win())?;
    let doubt = if proved.value().is_some() { "" } else { ", perhaps not the fewest" };
    Some(format!("solved in {moves} moves{doubt}"))
}

/// What is proved where the result is not: `it takes at least 12 moves`, `white does not win`.
pub fn partial_text(description: &Description, side: Side, proved: Proved) -> Option<String> {
    let Bounds { lower, upper } = proved.bounds();
    if description.players == 1 {
        let moves = upper.plies().filter(|&moves| upper.is_win() && moves > 0)?;
        return Some(format!("it takes at least {moves} moves"));
    }
    if upper <= Value::DRAW {
        return Some(format!("{side} does not win"));
    }
    (lower >= Value::DRAW).then(|| format!("{side} does not lose"))
}

/// The last line of a terminal while the computer thinks.
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

/// What the threads of a search did: one line for each, below the rank it belongs to if there are several,
/// and what they did together.
pub fn crew_text(crew: &CrewReport) -> String {
    let mut text = String::new();
    if crew.processes.is_empty() {
        text += &hands_text(&crew.hands, 0, crew.time);
    }
    let each = crew.hands.len() / crew.processes.len().max(1);
    for ((name, traffic), (number, hands)) in
        crew.processes.iter().zip(crew.hands.chunks(each.max(1)).enumerate())
    {
        let nodes: u64 = hands.iter().map(|hand| hand.statistics.nodes).sum();
        let idle: Duration = hands.iter().map(|hand| hand.idle).sum();
        let idle = share(idle, crew.time * hands.len() as u32);
        text += &format!("{name}: {nodes} nodes, {idle:.1} % idle, {}\n", traffic_text(traffic));
        text += &indented(&hands_text(hands, number * each, crew.time));
    }
    let counters = crew.counters();
    if counters.lookups + counters.told > 0 {
        text += &format!(
            "tables: {} lookups of others, {} of them ahead, {} hits, {} waits, {} entries told\n",
            counters.lookups, counters.asked_ahead, counters.hits, counters.waits, counters.told
        );
    }
    let policy = crew.policy.map_or_else(String::new, |policy| format!("policy {policy}, "));
    text += &format!("{policy}load {:.1} %", crew.load() * 100.0);
    if let (Some(critical), Some(parallelism)) = (crew.critical, crew.parallelism()) {
        let work = crew.work;
        text += &format!(", work {work} nodes, critical path {critical}, parallelism {parallelism:.1}");
    }
    text + "\n"
}

/// One line for each of some threads, which are numbered from `first`.
fn hands_text(hands: &[HandReport], first: usize, time: Duration) -> String {
    let mut text = String::new();
    for (number, hand) in (first..).zip(hands) {
        let (nodes, counters, idle) = (hand.statistics.nodes, hand.counters, share(hand.idle, time));
        text += &format!(
            "thread {number:<3} {nodes:>12} nodes, {idle:>4.1} % idle, {} jobs given, {} taken, {} killed\n",
            counters.given, counters.taken, counters.killed
        );
    }
    text
}

/// What a rank sent.
fn traffic_text(traffic: &Traffic) -> String {
    let letters: u64 = traffic.letters.iter().map(|(_, count)| count).sum();
    let kinds: Vec<String> = traffic.letters.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    format!("{} messages, {} bytes, {letters} letters{kinds}", traffic.messages, traffic.bytes)
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// In percent.
fn share(part: Duration, whole: Duration) -> f64 {
    part.as_secs_f64() / whole.as_secs_f64().max(1e-9) * 100.0
}
