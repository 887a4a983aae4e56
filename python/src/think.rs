//! Searches and evaluations, as Python is told of them.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use multigame_game::{Portable, RulesError, position_text};
use multigame_player::{
    CrewReport, Limits, PlayerSpec, Progress, Thought, explain as explained, line_names, outcome_text,
    value_text,
};
use multigame_search::RulesEvaluator;
use multigame_syntax::closest;
use serde_json::{Map, Value, json};

use crate::hosted::{Held, Report, Wishes};

/// Lines of iterations are told up to this length.
const LONGEST_LINE: usize = 24;
/// What a search is told besides the options of players.
const OPTIONS: &str = "options";

/// Searches a position.
pub fn search<G: Portable + 'static>(
    held: &Held<G>,
    wishes: &Wishes,
    stop: &AtomicBool,
    report: &mut Report<'_>,
) -> anyhow::Result<Value> {
    let (game, position) = (held.game(), &held.node.position);
    if let Some(outcome) = held.node.outcome(game)? {
        let outcome = outcome_text(game.description(), outcome);
        bail!("there is nothing to search, the game is over: {outcome}");
    }
    let mut player = player_spec(wishes)?.player(game, None, stop)?;
    let line = held.node.line(game);
    let mut iterations = Vec::new();
    let thought = player.search(&line, &mut |progress: &Progress<'_, G::Move>| {
        if !progress.finished {
            return;
        }
        let names = line_names(game, position, progress.pv, LONGEST_LINE).unwrap_or_default();
        let iteration = iteration_json(progress, &names);
        if !report(iteration.clone()) {
            stop.store(true, Ordering::Relaxed);
        }
        iterations.push(iteration);
    })?;
    let mut told = thought_json(held, &thought)?;
    told["iterations"] = iterations.into();
    told["proved"] = thought.proved.decides().into();
    told["threads"] = thought.crew.as_ref().map(crew_json).into();
    Ok(told)
}

/// The player that somebody wishes for: what the command line calls options and limits, by their names.
fn player_spec(wishes: &Wishes) -> anyhow::Result<PlayerSpec> {
    let mut spec = PlayerSpec { limits: Limits::default(), ..PlayerSpec::default() };
    // An option by its name counts more than one in a text.
    for (_, text) in wishes.iter().filter(|(name, _)| name == OPTIONS) {
        spec.configuration.set(text)?;
    }
    for (name, value) in wishes.iter().filter(|(name, _)| name != OPTIONS) {
        let name = if name == "table" { "tt-size" } else { name.as_str() };
        known(name)?;
        spec.set_one(name, value)?;
    }
    spec.limits = spec.limits.or_usual();
    Ok(spec)
}

/// Refuses a name that nothing has, and says which was meant.
fn known(name: &str) -> anyhow::Result<()> {
    let more = ["evaluation", "mobility", "patterns", "network", "tables", "table", OPTIONS];
    let names = || multigame_player::Configuration::names().chain(Limits::NAMES).chain(more);
    if names().any(|known| known == name) {
        return Ok(());
    }
    let hint = closest(name, names()).map_or(String::new(), |near| format!("did you mean `{near}`? "));
    bail!("there is no option `{name}`; {hint}`multigame.options()` lists them")
}

/// The common part of what searches and solutions say.
pub fn thought_json<G: Portable + 'static>(
    held: &Held<G>,
    thought: &Thought<G::Move>,
) -> anyhow::Result<Value> {
    let (game, position) = (held.game(), &held.node.position);
    let names = line_names(game, position, &thought.pv, usize::MAX)?;
    let best = thought.best.as_ref().or(thought.pv.first());
    let best = best.map_or(Ok(None), |mv| held.node.place(game, mv))?;
    let statistics: Map<String, Value> =
        thought.statistics.entries().map(|(name, count)| (name.to_string(), count.into())).collect();
    Ok(json!({
        "game": game.description().name,
        "position": position_text(game.description(), &held.diagram()),
        "engine": thought.engine.to_string(),
        "best": best,
        "pv": names,
        "value": value_text(thought.bounds, thought.proved),
        "number": thought.value.number(),
        "depth": thought.depth,
        "finished": thought.finished,
        "nodes": thought.statistics.nodes,
        "seconds": thought.time.as_secs_f64(),
        "statistics": statistics,
    }))
}

/// One iteration.
pub fn iteration_json<M>(progress: &Progress<'_, M>, names: &[String]) -> Value {
    json!({
        "depth": progress.depth,
        "value": value_text(progress.bounds, progress.proved),
        "nodes": progress.statistics.nodes,
        "seconds": progress.time.as_secs_f64(),
        "pv": names,
    })
}

fn crew_json(crew: &CrewReport) -> Value {
    let each: Vec<Value> = crew
        .hands
        .iter()
        .map(|hand| json!({"nodes": hand.statistics.nodes, "idle": hand.idle.as_secs_f64()}))
        .collect();
    json!({"policy": crew.policy.map(|policy| policy.to_string()), "load": crew.load(), "each": each})
}

/// What a position is worth, term by term.
pub fn explain<G: Portable + 'static>(held: &Held<G>, evaluation: Option<&str>) -> anyhow::Result<Value> {
    let (game, position) = (held.game(), &held.node.position);
    if let Some(outcome) = game.outcome(position)? {
        let outcome = outcome_text(game.description(), outcome);
        bail!("there is nothing to evaluate, the game is over: {outcome}");
    }
    let evaluator = RulesEvaluator::new(game, evaluation).map_err(anyhow::Error::msg)?;
    let explained: Result<_, RulesError> = explained(game, position, &evaluator);
    Ok(explained?.json())
}
