//! Pattern tables: which groups of fields tell something that the evaluation does not know, and what.

use multigame_game::{Field, Game, Side, Tuple};
use multigame_search::{Evaluator, Patterns, RulesEvaluator, View, candidates, contents};

use crate::samples::targets;
use crate::{Fit, GameRecord, Sample, chance, fit};

/// Tables have at most this many entries.
const LIMIT: usize = 3_000;
/// Contents met less often tell little: as if they had also been met so often with nothing to tell.
const DOUBT: f64 = 8.0;
/// Groups are chosen in this many steps; later ones look at what the earlier ones leave unexplained.
const STEPS: usize = 6;

/// A position to learn patterns from, as the player to move sees it.
struct Seen {
    view: View,
    /// The evaluation without patterns.
    value: f64,
    target: f64,
}

/// Learns `count` tables from games. `scale` is what a value means as a chance, `evaluator` what positions
/// are judged by without them. Gives the tables, and the loss without and with them.
pub fn learn_patterns<G: Game>(
    game: &G,
    evaluator: &RulesEvaluator,
    records: &[GameRecord],
    lambda: f64,
    plan: &Fit,
    count: usize,
) -> anyhow::Result<(Patterns, [f64; 2])> {
    let mut seen = Vec::new();
    for record in records {
        let line = record.replay(game)?;
        let targets = targets(&record.values, record.result, lambda, plan.scale);
        for (number, target) in targets.into_iter().enumerate().filter(|(number, _)| record.teaches(*number))
        {
            let Some(position) = line.positions().get(record.opening + number) else { break };
            let own = game.side_to_move(position) == Side::White;
            seen.push(Seen {
                view: View::of(game, position),
                value: f64::from(evaluator.evaluate(game, position).number()),
                target: if own { target } else { 1.0 - target },
            });
        }
    }
    let groups = choose(game, &seen, plan.scale, count);
    let contents = contents(game.description());
    let starts: Vec<usize> = groups
        .iter()
        .scan(0, |next, group| {
            let start = *next;
            *next += contents.pow(group.len() as u32);
            Some(start)
        })
        .collect();
    let size: usize = groups.iter().map(|group| contents.pow(group.len() as u32)).sum();
    let sample = |seen: &Seen| Sample {
        features: groups
            .iter()
            .zip(&starts)
            .map(|(group, start)| ((start + seen.view.index(group, contents)) as u32, 1.0))
            .collect(),
        offset: seen.value,
        target: seen.target,
    };
    let samples: Vec<Sample> = seen.iter().map(sample).collect();
    let zeros = vec![0.0; size];
    let found = fit(&samples, &zeros, &vec![(-500.0, 500.0); size], plan, &mut |_, _| {});
    let losses = [&zeros, &found].map(|weights| crate::loss(&samples, weights, plan.scale));
    let tuples = groups.into_iter().zip(starts).map(|(fields, start)| {
        let table = &found[start..start + contents.pow(fields.len() as u32)];
        Tuple { fields, table: table.iter().map(|value| value.round() as i32).collect() }
    });
    let patterns = Patterns::new(game.description(), tuples.collect()).map_err(anyhow::Error::msg)?;
    Ok((patterns, losses))
}

/// The groups that explain most of what the evaluation gets wrong.
fn choose<G: Game>(game: &G, seen: &[Seen], scale: f64, count: usize) -> Vec<Vec<Field>> {
    let contents = contents(game.description());
    let mut left = candidates(game.description(), LIMIT);
    let mut errors: Vec<f64> = seen.iter().map(|seen| seen.target - chance(seen.value, scale)).collect();
    let mut chosen: Vec<Vec<Field>> = Vec::new();
    for step in 0..STEPS {
        let wanted = count * (step + 1) / STEPS - chosen.len();
        let mut gains: Vec<(f64, usize)> = left
            .iter()
            .enumerate()
            .map(|(number, group)| (gain(&means(group, seen, &errors, contents)), number))
            .collect();
        gains.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut taken: Vec<usize> = gains.iter().take(wanted).map(|(_, number)| *number).collect();
        taken.sort_unstable_by_key(|number| std::cmp::Reverse(*number));
        for number in taken {
            let group = left.swap_remove(number);
            let means = means(&group, seen, &errors, contents);
            for (seen, error) in seen.iter().zip(&mut errors) {
                let (sum, times) = means[seen.view.index(&group, contents)];
                // Several groups of one step explain the same: each takes a part only.
                *error -= sum / (times + DOUBT) / wanted.max(1) as f64;
            }
            chosen.push(group);
        }
    }
    chosen.sort();
    chosen
}

/// For each content of a group: the sum of errors, and how often it was met.
fn means(group: &[Field], seen: &[Seen], errors: &[f64], contents: usize) -> Vec<(f64, f64)> {
    let mut means = vec![(0.0, 0.0); contents.pow(group.len() as u32)];
    for (seen, error) in seen.iter().zip(errors) {
        let entry = &mut means[seen.view.index(group, contents)];
        *entry = (entry.0 + error, entry.1 + 1.0);
    }
    means
}

/// The part of the squared error that would be explained.
fn gain(means: &[(f64, f64)]) -> f64 {
    means.iter().map(|(sum, times)| sum * sum / (times + DOUBT)).sum()
}
