//! What results prove: Elo with error bars, and the sequential probability ratio test (SPRT).
//!
//! Games come in pairs with the same opening and colours swapped, so their results are not independent: the
//! variance is taken from the five results a pair can have (*pentanomial*), which makes matches from uneven
//! openings shorter.

/// Results as the first player sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Losses, draws, wins.
    pub games: [u64; 3],
    /// Pairs that gave 0, 1/2, 1, 3/2, 2 points.
    pub pairs: [u64; 5],
}

/// A test whether the first player is stronger by `elo1` rather than by `elo0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The hypothesis to be rejected.
    pub elo0: f64,
    /// The hypothesis to be accepted.
    pub elo1: f64,
    /// How often `elo1` may be accepted wrongly.
    pub alpha: f64,
    /// How often `elo0` may be accepted wrongly.
    pub beta: f64,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Go on.
    Undecided,
    /// The first player is stronger by `elo1`.
    Accepted,
    /// The player is not.
    Rejected,
}

impl Tally {
    /// Counts a game: 0, 1 or 2 half points.
    pub fn add_game(&mut self, half_points: usize) {
        self.games[half_points.min(2)] += 1;
    }

    /// Counts a finished pair: its half points together.
    pub fn add_pair(&mut self, half_points: usize) {
        self.pairs[half_points.min(4)] += 1;
    }

    /// Number of games.
    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Points out of 1 for each game; one half without games.
    pub fn score(&self) -> f64 {
        let [_, draws, wins] = self.games.map(|count| count as f64);
        if self.count() == 0 { 0.5 } else { (wins + draws / 2.0) / self.count() as f64 }
    }

    /// Mean and variance of the score of a game, where it comes from pairs half the variance of two games;
    /// and the number of observations.
    ///
    /// One observation that was won and one that was lost are added, as Agresti and Coull do: few results say
    /// little about their variance, and those that are all equal say nothing. So a better result never has a
    /// lower end of its interval.
    fn moments(&self) -> (f64, f64, f64) {
        let pairs: u64 = self.pairs.iter().sum();
        let (values, counts): (Vec<f64>, Vec<f64>) = if pairs > 0 {
            self.pairs.iter().enumerate().map(|(index, &n)| (index as f64 / 4.0, n as f64)).unzip()
        } else {
            self.games.iter().enumerate().map(|(index, &n)| (index as f64 / 2.0, n as f64)).unzip()
        };
        let n: f64 = counts.iter().sum::<f64>() + 2.0;
        let sum = |of: &dyn Fn(f64) -> f64| {
            values.iter().zip(&counts).map(|(&x, n)| of(x) * n).sum::<f64>() + of(0.0) + of(1.0)
        };
        let mean = sum(&|x| x) / n;
        (mean, sum(&|x| (x - mean).powi(2)) / n, n)
    }

    /// The Elo difference with the ends of its 95 % interval; infinite where all games were won or lost.
    pub fn elo(&self) -> (f64, f64, f64) {
        if self.count() == 0 {
            return (0.0, f64::NEG_INFINITY, f64::INFINITY);
        }
        let (mean, variance, n) = self.moments();
        let error = 1.96 * (variance / n).sqrt();
        let score = self.score();
        // The interval contains what was seen, also where everything was won or lost.
        (elo(score), elo((mean - error).min(score)), elo((mean + error).max(score)))
    }

    /// The probability that the first player is stronger.
    pub fn superiority(&self) -> f64 {
        if self.count() == 0 {
            return 0.5;
        }
        let (mean, variance, n) = self.moments();
        normal((mean - 0.5) / (variance / n).sqrt())
    }

    /// The logarithm of how much more likely the results are under `elo1` than under `elo0` (generalised SPRT
    /// with the normal approximation).
    pub fn log_likelihood_ratio(&self, test: &Sprt) -> f64 {
        let regular = Tally { games: [0; 3], pairs: self.pairs };
        let n: f64 = regular.pairs.iter().sum::<u64>() as f64;
        if n == 0.0 {
            return 0.0;
        }
        // A little of everything, so that a variance of 0 does not prove anything at once.
        let counts = regular.pairs.map(|count| count as f64 + 0.1);
        let total: f64 = counts.iter().sum();
        let mean = counts.iter().enumerate().map(|(i, n)| i as f64 / 4.0 * n).sum::<f64>() / total;
        let variance =
            counts.iter().enumerate().map(|(i, n)| n * (i as f64 / 4.0 - mean).powi(2)).sum::<f64>() / total;
        let (s0, s1) = (expected(test.elo0), expected(test.elo1));
        n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }
}

impl Sprt {
    /// Below the first number `elo0` is accepted, above the second `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What results say.
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let (low, high) = self.bounds();
        let ratio = tally.log_likelihood_ratio(self);
        if ratio >= high {
            Verdict::Accepted
        } else if ratio <= low {
            Verdict::Rejected
        } else {
            Verdict::Undecided
        }
    }
}

/// The Elo difference that gives a score.
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The score that an Elo difference gives.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The normal distribution, by Abramowitz and Stegun's 26.2.17.
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = t
        * (0.319_381_53
            + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * series;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigame_game::Random;

    fn tally(pairs: [u64; 5]) -> Tally {
        let mut tally = Tally { pairs, ..Tally::default() };
        // Any games that add up to these pairs.
        tally.games = [2 * pairs[0] + pairs[1], pairs[1] + 2 * pairs[2] + pairs[3], pairs[3] + 2 * pairs[4]];
        tally
    }

    #[test]
    fn elo_is_that_of_the_formula() {
        assert!((elo(0.75) - 190.85).abs() < 0.01);
        assert!((elo(expected(123.0)) - 123.0).abs() < 1e-9);
        assert_eq!(elo(1.0), f64::INFINITY);
        let (value, low, high) = tally([10, 20, 40, 20, 10]).elo();
        assert!(value.abs() < 1e-9 && (low + high).abs() < 1e-9 && (30.0..45.0).contains(&high), "{high}");
        assert!((tally([10, 20, 40, 20, 10]).superiority() - 0.5).abs() < 1e-6);
        assert!(tally([5, 10, 40, 30, 15]).superiority() > 0.98);
        let (value, low, high) = tally([0, 0, 0, 0, 10]).elo();
        assert!(value == f64::INFINITY && high == f64::INFINITY && (100.0..220.0).contains(&low), "{low}");
        assert_eq!(Tally::default().elo().0, 0.0);
        assert_eq!(format!("{:+.0}", elo(0.5)), "+0");
    }

    #[test]
    fn a_better_result_proves_more() {
        // Ten games in five pairs: the more are won, the higher all ends of the interval.
        let results = [[0, 0, 1, 2, 2], [0, 0, 0, 2, 3], [0, 0, 0, 1, 4], [0, 0, 0, 0, 5]].map(tally);
        for two in results.windows(2) {
            let [(worse, low, high), (better, higher_low, higher_high)] = [two[0].elo(), two[1].elo()];
            assert!(worse < better && low < higher_low && high <= higher_high, "{two:?}");
            assert!(two[0].superiority() < two[1].superiority());
        }
        let (_, low, _) = results[3].elo();
        assert!(low > 0.0 && results[3].superiority() > 0.99, "ten wins of ten are no accident: {low}");
    }

    /// Plays pairs between players whose difference is known until the test ends.
    fn simulate(sprt: &Sprt, difference: f64, seed: u64) -> (Verdict, u64) {
        let mut random = Random::new(seed);
        let mut tally = Tally::default();
        let win = expected(difference) - 0.2;
        let mut game = || match random.below(1_000_000) as f64 / 1e6 {
            x if x < win => 2,
            x if x < win + 0.4 => 1,
            _ => 0,
        };
        loop {
            tally.add_pair(game() + game());
            match sprt.verdict(&tally) {
                Verdict::Undecided => {}
                verdict => return (verdict, tally.pairs.iter().sum()),
            }
        }
    }

    #[test]
    fn the_test_errs_as_rarely_as_it_promises() {
        let sprt = Sprt { elo0: 0.0, elo1: 30.0, alpha: 0.05, beta: 0.05 };
        let count = |difference: f64, wrong: Verdict| {
            (0..400).filter(|&seed| simulate(&sprt, difference, seed * 7919).0 == wrong).count()
        };
        // 5 % of 400 are 20; three standard deviations are 13.
        assert!(count(0.0, Verdict::Accepted) <= 33);
        assert!(count(30.0, Verdict::Rejected) <= 33);
        assert!(count(80.0, Verdict::Rejected) == 0);
    }

    #[test]
    fn a_test_needs_more_than_one_lucky_pair() {
        let sprt = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
        assert_eq!(sprt.verdict(&Tally::default()), Verdict::Undecided);
        assert_eq!(sprt.verdict(&tally([0, 0, 0, 0, 2])), Verdict::Undecided);
        assert_eq!(sprt.verdict(&tally([0, 0, 0, 0, 60])), Verdict::Accepted);
        assert_eq!(sprt.verdict(&tally([0, 0, 300, 0, 0])), Verdict::Rejected);
    }
}
