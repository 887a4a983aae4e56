//! The fit: weights whose evaluation, turned into chances, predicts the targets best.
//!
//! The loss is the cross-entropy, which is convex in the weights, plus a pull towards the values they had:
//! weights that hardly matter stay where they were. It is minimised by Adam over all samples at once, so that
//! nothing depends on chance.

use crate::{Sample, chance};

/// Settings of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// The value that means a chance of about 73 %.
    pub scale: f64,
    /// Strength of the pull of weights towards their old values.
    pub pull: f64,
    /// Number of passes over all samples.
    pub rounds: u32,
}

/// Step of a weight in the first rounds.
const STEP: f64 = 2.0;
/// Pulls are counted in these units.
const UNIT: f64 = 100.0;

/// The mean cross-entropy of weights on samples.
pub fn loss(samples: &[Sample], weights: &[f64], scale: f64) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|sample| {
            let chance = chance(value(sample, weights), scale).clamp(1e-9, 1.0 - 1e-9);
            -(sample.target * chance.ln() + (1.0 - sample.target) * (1.0 - chance).ln())
        })
        .sum();
    sum / samples.len().max(1) as f64
}

fn value(sample: &Sample, weights: &[f64]) -> f64 {
    let features = sample.features.iter();
    sample.offset + features.map(|&(weight, slope)| weights[weight as usize] * f64::from(slope)).sum::<f64>()
}

/// The scale under which weights as they are predict the targets best.
pub fn scale_of(samples: &[Sample], weights: &[f64]) -> f64 {
    // The loss has one minimum in the logarithm of the scale; 20 to 2000 is searched.
    let (mut low, mut high) = (20f64.ln(), 2000f64.ln());
    let at = |log: f64| loss(samples, weights, log.exp());
    for _ in 0..40 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(left) < at(right) {
            high = right;
        } else {
            low = left;
        }
    }
    ((low + high) / 2.0).exp()
}

/// Moves weights from where they are, within their ranges. `progress` hears the loss of each round.
pub fn fit(
    samples: &[Sample],
    start: &[f64],
    ranges: &[(f64, f64)],
    fit: &Fit,
    progress: &mut dyn FnMut(u32, f64),
) -> Vec<f64> {
    let mut weights = start.to_vec();
    let (mut first, mut second) = (vec![0.0; start.len()], vec![0.0; start.len()]);
    let count = samples.len().max(1) as f64;
    for round in 1..=fit.rounds {
        let mut slopes = vec![0.0; start.len()];
        let mut entropy = 0.0;
        for sample in samples {
            let chance = chance(value(sample, &weights), fit.scale).clamp(1e-9, 1.0 - 1e-9);
            entropy -= sample.target * chance.ln() + (1.0 - sample.target) * (1.0 - chance).ln();
            let error = (chance - sample.target) / fit.scale;
            for &(weight, slope) in &sample.features {
                slopes[weight as usize] += error * f64::from(slope);
            }
        }
        progress(round, entropy / count);
        let step = STEP / (1.0 + 4.0 * f64::from(round) / f64::from(fit.rounds));
        for index in 0..weights.len() {
            let pull = fit.pull * (weights[index] - start[index]) / (UNIT * UNIT);
            let slope = slopes[index] / count + pull;
            if slope == 0.0 {
                continue;
            }
            first[index] = 0.9 * first[index] + 0.1 * slope;
            second[index] = 0.999 * second[index] + 0.001 * slope * slope;
            let mean = first[index] / (1.0 - 0.9f64.powi(round as i32));
            let size = (second[index] / (1.0 - 0.999f64.powi(round as i32))).sqrt();
            let (low, high) = ranges[index];
            weights[index] = (weights[index] - step * mean / (size + 1e-12)).clamp(low, high);
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigame_game::Random;

    /// Positions of a made-up game whose true weights are known.
    fn made_up(truth: &[f64], count: usize, scale: f64) -> Vec<Sample> {
        let mut random = Random::new(7);
        let mut sample = || {
            let features: Vec<(u32, f32)> =
                (0..truth.len()).map(|weight| (weight as u32, random.below(7) as f32 - 3.0)).collect();
            let mut sample = Sample { features, offset: 0.0, target: 0.0 };
            let chance = chance(value(&sample, truth), scale);
            sample.target = if (random.below(1_000_000) as f64) < chance * 1e6 { 1.0 } else { 0.0 };
            sample
        };
        (0..count).map(|_| sample()).collect()
    }

    #[test]
    fn true_weights_are_found() {
        let truth = [100.0, 30.0, -20.0, 0.0];
        let samples = made_up(&truth, 20_000, 200.0);
        let start = [60.0, 0.0, 20.0, 40.0];
        let plan = Fit { scale: 200.0, pull: 1e-4, rounds: 400 };
        let before = loss(&samples, &start, 200.0);
        let found = fit(&samples, &start, &[(-200.0, 200.0); 4], &plan, &mut |_, _| {});
        for (found, truth) in found.iter().zip(truth) {
            assert!((found - truth).abs() < 6.0, "{found} instead of {truth}");
        }
        assert!(loss(&samples, &found, 200.0) < before - 0.05);
        assert!((scale_of(&samples, &truth) - 200.0).abs() < 10.0, "{}", scale_of(&samples, &truth));
    }

    #[test]
    fn ranges_are_kept_and_idle_weights_stay() {
        let mut samples = made_up(&[100.0, 50.0], 2_000, 200.0);
        for sample in &mut samples {
            sample.features.truncate(1);
        }
        let plan = Fit { scale: 200.0, pull: 0.0, rounds: 100 };
        let found = fit(&samples, &[10.0, 50.0], &[(0.0, 40.0), (0.0, 90.0)], &plan, &mut |_, _| {});
        assert_eq!(found, [40.0, 50.0]);
    }
}
