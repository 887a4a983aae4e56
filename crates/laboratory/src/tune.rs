//! Automatic tuning: the settings of a parallel search that suit a game and a machine.
//!
//! One setting after the other is given each of its values, on simulated processors and positions of random
//! games, and keeps the one whose time is least on average; that is repeated until nothing changes. Positions
//! that were not used for it tell what that is worth.

use multigame_game::{Game, Random};
use multigame_search::Root;

use crate::bench::{Bench, BenchError, Watch, search};
use crate::exchanges::Exchanges;
use crate::plan::Run;
use crate::row::Measured;
use crate::settings::Settings;

/// A setting is changed where that takes less than this share of the time: smaller gains are luck.
const WORTH_IT: f64 = 0.99;
/// Random games have this many moves at least and at most before a position is taken.
const PLIES: (usize, usize) = (4, 20);

/// What is tuned.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The game.
    pub game: String,
    /// The machine, such as `transputer`.
    pub machine: String,
    /// On how many processors.
    pub processors: u32,
    /// How deep.
    pub depth: u32,
    /// Positions to tune on, and as many others to judge by.
    pub positions: u32,
    /// How often each setting is tried at most.
    pub rounds: u32,
    /// Of everything that is left to chance.
    pub seed: u64,
}

/// A setting that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The setting and its value.
    pub text: String,
    /// Its time, relative to the best so far: the geometric mean over positions.
    pub ratio: f64,
    /// Whether it was kept.
    pub kept: bool,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The settings that differ from the usual ones.
    pub settings: Settings,
    /// Virtual nanoseconds of the usual and of the tuned settings on each position to tune on.
    pub seen: Vec<[u64; 2]>,
    /// The same on positions that were not tuned on.
    pub unseen: Vec<[u64; 2]>,
}

/// The settings that are tried, each with its values.
fn choices() -> Vec<Vec<&'static str>> {
    vec![
        vec![
            "policy = \"ybwc\"",
            "policy = \"ybwc*\"",
            "policy = \"ybwc-1-2\"",
            "policy = \"ybwc-1-2*\"",
            "policy = \"ybwc-1-2*:1/2\"",
            "policy = \"jamboree\"",
        ],
        vec![
            "memory = \"private\"",
            "memory = \"replicated\"",
            "memory = \"partitioned\"",
            "memory = \"hybrid\"",
            "memory = \"hybrid:depth=3\"",
            "memory = \"hybrid:depth=1\"",
            "memory = \"hybrid:ahead=64\"",
            "memory = \"hybrid:company=8\"",
        ],
        vec!["grain = 0", "grain = 1", "grain = 2", "grain = 3"],
        vec!["balance = \"zugzwang\"", "balance = \"have-work\"", "balance = \"random\""],
        vec!["helpful = true", "helpful = false"],
        vec!["line_last = true", "line_last = false"],
        vec!["killers = \"shared\"", "killers = \"local\""],
        vec!["history = \"local\"", "history = \"merged\"", "history = \"64\""],
        vec!["options = \"engine=negascout\"", "options = \"engine=alphabeta\"", "options = \"engine=mtdf\""],
    ]
}

impl Tuning {
    fn usual(&self) -> Settings {
        Settings { machine: Some(self.machine.clone()), grain: Some(1), ..Settings::default() }
    }

    /// Whether this can be tuned at all.
    pub fn check(&self) -> Result<(), String> {
        let machine = self.usual().machine()?;
        machine.topology.check(self.processors).map_err(|error| error.to_string())
    }

    /// Tunes. `told` hears of each setting that was tried.
    pub fn run(
        &self,
        bench: &mut Bench,
        watch: Watch<'_>,
        told: &mut dyn FnMut(&Change),
    ) -> Result<Tuned, BenchError> {
        let failed = |reason: String| BenchError::Failed {
            variant: "tune".to_string(),
            position: 0,
            processors: self.processors,
            reason,
        };
        self.check().map_err(failed)?;
        let game = bench.game(&self.game).map_err(failed)?;
        if game.description().players != 2 {
            return Err(failed(format!("`{}` is not a game of two players", self.game)));
        }
        let exchanges = Exchanges::new(game, false).map_err(failed)?;
        let roots = self.roots(game).map_err(failed)?;
        let (seen, unseen) = roots.split_at(self.positions as usize);
        let mut time = |settings: &Settings, roots: &[_]| -> Result<Vec<u64>, BenchError> {
            let one = |root| {
                let run = self.run_of(settings);
                let measured: Result<Option<Measured>, String> = search(game, &exchanges, root, &run, watch);
                measured.map_err(failed)?.map(|measured| measured.time).ok_or(BenchError::Stopped)
            };
            roots.iter().map(one).collect()
        };
        let usual = self.usual();
        let before = time(&usual, seen)?;
        let (mut best, mut least) = (usual.clone(), before.clone());
        for _ in 0..self.rounds {
            let start = best.clone();
            for text in choices().concat() {
                let value: Settings = toml::from_str(text).expect("each choice is a setting");
                let tried = value.or(&best);
                if tried == best {
                    continue;
                }
                let times = time(&tried, seen)?;
                let ratio = mean_ratio(&times, &least);
                let kept = ratio < WORTH_IT;
                told(&Change { text: text.to_string(), ratio, kept });
                if kept {
                    (best, least) = (tried, times);
                }
            }
            if best == start {
                break;
            }
        }
        let pairs =
            |usual: Vec<u64>, tuned: Vec<u64>| usual.into_iter().zip(tuned).map(|(a, b)| [a, b]).collect();
        let (plain, tuned) = (time(&usual, unseen)?, time(&best, unseen)?);
        Ok(Tuned { settings: best, seen: pairs(before, least), unseen: pairs(plain, tuned) })
    }

    fn run_of<'s>(&self, settings: &'s Settings) -> Run<'s> {
        Run {
            experiment: "tune",
            variant: settings,
            position: 0,
            depth: self.depth,
            processors: self.processors,
            seed: self.seed,
            settings: String::new(),
        }
    }

    /// Positions of random games that go on.
    fn roots<G: Game>(&self, game: &G) -> Result<Vec<Root<G>>, String> {
        let mut random = Random::new(self.seed);
        let (mut roots, mut games) = (Vec::new(), 0);
        while roots.len() < 2 * self.positions as usize {
            games += 1;
            if games > 100 * self.positions + 1000 {
                return Err(format!("random games of `{}` end too soon to tune on them", self.game));
            }
            let mut position = game.initial();
            let mut moves = Vec::new();
            let plies = PLIES.0 + random.below(PLIES.1 - PLIES.0 + 1);
            for _ in 0..plies {
                game.moves(&position, &mut moves).map_err(|error| error.to_string())?;
                if moves.is_empty() {
                    break;
                }
                let mut next = position.clone();
                game.apply(&position, &moves[random.below(moves.len())], &mut next);
                position = next;
            }
            game.moves(&position, &mut moves).map_err(|error| error.to_string())?;
            // A forced move says nothing about dividing work.
            if moves.len() > 1 {
                roots.push(Root::new(game, position));
            }
        }
        Ok(roots)
    }
}

impl Tuned {
    /// Time of the tuned settings relative to that of the usual ones, on positions tuned on and on others.
    pub fn ratios(&self) -> [f64; 2] {
        [&self.seen, &self.unseen].map(|pairs| {
            let (usual, tuned): (Vec<u64>, Vec<u64>) =
                pairs.iter().map(|&[usual, tuned]| (usual, tuned)).unzip();
            mean_ratio(&tuned, &usual)
        })
    }

    /// The settings as a variant of an experiment says them.
    pub fn text(&self) -> String {
        toml::to_string(&self.settings).expect("settings are plain data")
    }
}

/// The geometric mean of times relative to others.
fn mean_ratio(times: &[u64], others: &[u64]) -> f64 {
    let logs =
        times.iter().zip(others).map(|(&time, &other)| (time.max(1) as f64 / other.max(1) as f64).ln());
    (logs.sum::<f64>() / times.len().max(1) as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuning(game: &str) -> Tuning {
        Tuning {
            game: game.to_string(),
            machine: "transputer".to_string(),
            processors: 8,
            depth: 3,
            positions: 2,
            rounds: 1,
            seed: 3,
        }
    }

    #[test]
    fn each_choice_is_a_setting_that_can_be_used() {
        for text in choices().concat() {
            let settings: Settings = toml::from_str(text).unwrap();
            settings.setup().unwrap();
            settings.options().unwrap();
        }
    }

    #[test]
    fn what_is_kept_is_faster_on_the_positions_it_was_tuned_on() {
        let mut tried = Vec::new();
        let tuned = tuning("tic-tac-toe")
            .run(&mut Bench::default(), &mut |_, _| true, &mut |change| tried.push(change.clone()))
            .unwrap();
        assert!(tried.len() > 20 && tried.iter().all(|change| change.kept == (change.ratio < WORTH_IT)));
        let product: f64 = tried.iter().filter(|change| change.kept).map(|change| change.ratio).product();
        assert!((tuned.ratios()[0] - product).abs() < 1e-6, "{product} {:?}", tuned.ratios());
        assert!(tuned.ratios()[0] <= 1.0 && tuned.unseen.len() == 2);
        assert!(tuned.text().contains("machine = \"transputer\""));
    }

    #[test]
    fn what_cannot_be_tuned_is_refused() {
        let error = |tuning: Tuning| {
            tuning.run(&mut Bench::default(), &mut |_, _| true, &mut |_| {}).unwrap_err().to_string()
        };
        assert!(error(tuning("15-puzzle")).contains("two players"));
        assert!(error(Tuning { processors: 3, ..tuning("othello") }).contains("power of two"));
        assert!(error(Tuning { machine: "cray".to_string(), ..tuning("othello") }).contains("transputer"));
    }

    #[test]
    fn a_tuning_can_be_stopped() {
        let mut tuning = tuning("othello");
        tuning.depth = 7;
        let stopped = tuning.run(&mut Bench::default(), &mut |_, _| false, &mut |_| {});
        assert!(matches!(stopped, Err(BenchError::Stopped)));
    }
}
