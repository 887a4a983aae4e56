//! From games to what is learned from: features of positions, and what they should have told.

use multigame_game::{Appraiser, Game, RulesError, Side};

use crate::GameRecord;

/// A position to learn from, as one of the players sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The growth of the value with each weight; the others do not matter.
    pub features: Vec<(u32, f32)>,
    /// The constant beside the sum of weights times features.
    pub offset: f64,
    /// The chances of the player to move in the end, from 0 to 1.
    pub target: f64,
}

/// The chance of winning that a value means, where `scale` means about 73 %.
pub fn chance(value: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-value / scale).exp())
}

/// The target values of the positions of a game. With `lambda` 1 this is the result of the game; with less
/// it is mixed with what the search thought after the next moves, the nearer the more: TD(lambda).
pub fn targets(values: &[i32], result: f64, lambda: f64, scale: f64) -> Vec<f64> {
    let mut targets = vec![result; values.len()];
    for ply in (0..values.len().saturating_sub(1)).rev() {
        let next = chance(f64::from(values[ply + 1]), scale);
        targets[ply] = (1.0 - lambda) * next + lambda * targets[ply + 1];
    }
    targets
}

/// The quiet positions of a game whose result was still open.
pub fn samples<G: Game>(
    game: &G,
    appraiser: &Appraiser,
    record: &GameRecord,
    lambda: f64,
    scale: f64,
) -> anyhow::Result<Vec<Sample>> {
    let line = record.replay(game)?;
    let targets = targets(&record.values, record.result, lambda, scale);
    let mut samples = Vec::new();
    for (number, target) in targets.into_iter().enumerate().filter(|(number, _)| record.teaches(*number)) {
        let Some(position) = line.positions().get(record.opening + number) else { break };
        samples.push(sample(game, appraiser, position, target)?);
    }
    Ok(samples)
}

/// A position as White sees it, with what it should have told.
pub(crate) fn sample<G: Game>(
    game: &G,
    appraiser: &Appraiser,
    position: &G::Position,
    target: f64,
) -> Result<Sample, RulesError> {
    let sign = if game.side_to_move(position) == Side::White { 1.0 } else { -1.0 };
    let slopes = appraiser.gradient(game, position)?;
    let features = slopes.into_iter().map(|(weight, slope)| (weight as u32, (sign * slope) as f32));
    Ok(Sample { features: features.collect(), offset: 0.0, target })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_results_or_later_thoughts() {
        let values = [0, 0, 300];
        assert_eq!(targets(&values, 1.0, 1.0, 300.0), [1.0, 1.0, 1.0]);
        let near = targets(&values, 1.0, 0.0, 300.0);
        assert!((near[0] - 0.5).abs() < 1e-9 && (near[1] - 0.731).abs() < 1e-3 && near[2] == 1.0, "{near:?}");
        let mixed = targets(&values, 1.0, 0.5, 300.0);
        assert!(near[1] < mixed[1] && mixed[1] < 1.0);
        assert!(targets(&[], 1.0, 0.5, 300.0).is_empty());
    }
}
