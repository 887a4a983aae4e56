//! What rank 0 tells the others, and what they answer.

use std::collections::BTreeMap;
use std::time::{Instant, SystemTime};

use anyhow::{Context, bail};
use multigame_cluster::Rank;
use multigame_game::{Appraiser, Description, Game, NetworkFile, PatternsFile, USUAL_EVALUATION};
use multigame_search::patterns::Perimeter;
use multigame_search::{Learned, Options, RulesEvaluator};
use multigame_threads::ProcessReport;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::farm::Errand;
use super::journey::Journey;
use crate::learned::{network_of_text, patterns_of_text};
use crate::tables::tables_of_bytes;

/// What rank 0 tells another rank. Different versions of the program have to understand the first two, so
/// that they can find out that they are different; they stay where they are.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Order {
    /// Who are you? Answered by [`Reply::Machine`].
    Introduce,
    /// The job is over.
    Quit,
    /// What time is it? Answered by [`Reply::Time`].
    Clock,
    /// Play the game of this move program. Answered by [`Reply::Ready`].
    Load {
        /// Its text.
        program: String,
        /// Whether the interpreter is to play it.
        interpret: bool,
    },
    /// Judge positions like this and have a table like this. Answered by [`Reply::Ready`].
    Equip {
        /// What positions are judged by.
        judge: Box<JudgeSpec>,
        /// The search that will be asked for.
        options: Box<Options>,
    },
    /// Search together with the others. Answered by [`Reply::Searched`].
    Search(Box<SearchOrder>),
    /// Take part in work that is farmed out. Answered by [`Reply::Part`] for each part that is wanted.
    Work(Errand),
    /// The part to do next; none is left where there is nothing.
    Part(Option<u32>),
    /// No part is wanted any more; what was given is to be answered.
    Stop,
    /// Send these bytes back. Answered by [`Reply::Echo`].
    Echo(Vec<u8>),
    /// Find out how long messages to another rank take. Answered by [`Reply::Journey`].
    Travel(Rank),
    /// Take so many messages of positions that are sent as if for a search with that number. Answered by
    /// [`Reply::Ready`] with how many positions they were.
    Take { number: u64, messages: u32 },
}

/// A search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SearchOrder {
    /// Its number; every search has another one.
    pub number: u64,
    /// Where to start.
    pub root: Vec<u8>,
    /// How deep.
    pub depth: u32,
    /// How.
    pub options: Options,
    /// Threads of each rank.
    pub threads: u32,
    /// How they divide the work, as text.
    pub policy: String,
    /// Where what is known about positions is kept, as text.
    pub memory: String,
    /// Whether to keep when each thread worked.
    pub trace: bool,
    /// When it began, on rank 0's clock, in nanoseconds.
    pub began: i64,
}

/// What came of a part, or why it could not be done; nothing if it was stopped.
pub(crate) type PartResult = Result<Option<Vec<u8>>, String>;

/// What another rank answers. The first answer stays as it is, whatever the version.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    /// Who it is: the text of a [`Machine`](super::Machine).
    Machine(String),
    /// What time it is there.
    Time(Time),
    /// It did as it was told; the number tells what it plays.
    Ready(u64),
    /// It cannot: why.
    Refused(String),
    /// A search is over.
    Searched(u64, Box<ProcessReport>),
    /// What came of a part, if one was done, and another one is wanted.
    Part(Option<(u32, PartResult)>),
    /// What was sent.
    Echo(Vec<u8>),
    /// How long messages to another rank take.
    Journey(Journey),
}

/// A time, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Time {
    /// By the clock that is used to measure: since it was started.
    pub own: i64,
    /// By the clock on the wall: since 1970.
    pub wall: i64,
}

impl Time {
    /// It is now, since the clock that is used to measure was started.
    pub fn now(start: Instant) -> Time {
        let wall = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Time { own: start.elapsed().as_nanos() as i64, wall: wall.as_nanos() as i64 }
    }
}

/// What judges positions in a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum JudgeSpec {
    /// What the rules, or files, say.
    Rules(EvaluatorSpec),
    /// Nothing: only endings count.
    Nothing,
}

/// What positions are judged by, with everything that takes: what was read from files is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvaluatorSpec {
    /// The evaluation by name; the usual one if there is none.
    pub evaluation: Option<String>,
    /// Weights of that evaluation, by name, instead of those in the rules.
    pub weights: Option<BTreeMap<String, i32>>,
    /// Learned patterns, as their file says.
    pub patterns: Option<String>,
    /// A learned network, as its file says.
    pub network: Option<String>,
    /// Pattern databases of a puzzle, as their file says.
    pub tables: Option<Vec<u8>>,
    /// Positions around the goal of a puzzle, as [`Perimeter::entries`] gives them.
    pub perimeter: Option<Vec<u64>>,
    /// Whether moves are not counted.
    pub without_mobility: bool,
}

impl EvaluatorSpec {
    /// The description of an evaluator that was learned, or put together, in this process.
    pub fn of(description: &Description, evaluator: &RulesEvaluator) -> EvaluatorSpec {
        let weights = evaluator.appraiser().map(|appraiser| {
            let weights = appraiser.evaluation().weights.iter().zip(appraiser.values());
            weights.map(|(weight, value)| (weight.name.clone(), *value)).collect()
        });
        let (mut patterns, mut network) = (None, None);
        match evaluator.learned() {
            None => {}
            Some(Learned::Patterns(learned)) => {
                patterns = Some(json(&PatternsFile::new(description, learned.tuples(), String::new())));
            }
            Some(Learned::Network(learned)) => {
                network = Some(json(&NetworkFile::new(description, learned.network(), String::new())));
            }
        }
        // With its name, what was learned for the game is left out.
        let evaluation = Some(evaluator.name().to_string());
        EvaluatorSpec { evaluation, weights, patterns, network, ..EvaluatorSpec::default() }
    }

    /// The judge it describes; what it says about files that were read is called by these names.
    pub fn evaluator<G: Game>(&self, game: &G, names: &FileNames) -> anyhow::Result<RulesEvaluator> {
        let mut evaluator = match &self.weights {
            None => RulesEvaluator::new(game, self.evaluation.as_deref()).map_err(anyhow::Error::msg)?,
            Some(weights) => self.weighted(game, weights, &names.weights)?,
        };
        if let Some(text) = &self.patterns {
            evaluator = evaluator.with_learned(patterns_of_text(text, &names.patterns, game.description())?);
        }
        if let Some(text) = &self.network {
            evaluator = evaluator.with_learned(network_of_text(text, &names.network, game.description())?);
        }
        if let Some(bytes) = &self.tables {
            evaluator = evaluator.with_bound(tables_of_bytes(bytes.clone(), game)?);
        }
        if let Some(entries) = &self.perimeter {
            let perimeter = Perimeter::of_entries(entries).context("the positions around the goal")?;
            evaluator = evaluator.with_perimeter(perimeter);
        }
        if !self.without_mobility {
            return Ok(evaluator);
        }
        if evaluator.appraiser().is_some() || !evaluator.standard().counts_moves() {
            bail!("evaluation `{}` does not count moves, so leave out that it must not", evaluator.name());
        }
        Ok(evaluator.without_mobility())
    }

    /// An evaluation of the rules with other weights.
    fn weighted<G: Game>(
        &self,
        game: &G,
        weights: &BTreeMap<String, i32>,
        file: &str,
    ) -> anyhow::Result<RulesEvaluator> {
        let wanted = self.evaluation.as_deref().unwrap_or(USUAL_EVALUATION);
        let found = game.evaluations().iter().position(|known| known.name == wanted);
        let number =
            found.with_context(|| format!("the rules have no evaluation `{wanted}` to use `{file}` for"))?;
        let mut appraiser = Appraiser::new(game, number);
        let values = appraiser.evaluation().with_named(weights).map_err(anyhow::Error::msg);
        appraiser.set(game.description(), values.with_context(|| format!("`{file}` cannot be used"))?);
        Ok(RulesEvaluator::with_appraiser(game, appraiser))
    }
}

/// What the files of a [`EvaluatorSpec`] are called in messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileNames {
    /// The file of weights.
    pub weights: String,
    /// The file of patterns.
    pub patterns: String,
    /// The file of the network.
    pub network: String,
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("what was learned can be written")
}

pub(crate) fn write<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("orders can be written")
}

pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> anyhow::Result<T> {
    let read = postcard::take_from_bytes(bytes).ok().filter(|(_, rest)| rest.is_empty());
    let (value, _) = read.context("what was received is not an order; do all ranks run the same program?")?;
    Ok(value)
}

/// Reads any bytes as an order and as an answer. Whether they are one does not matter to those who call it,
/// tests that make up bytes: nothing may panic.
pub fn inspect(bytes: &[u8]) -> (bool, bool) {
    (read::<Order>(bytes).is_ok(), read::<Reply>(bytes).is_ok())
}

#[cfg(test)]
mod tests {
    use multigame_game::Random;

    use super::*;

    /// One of each kind that has content.
    fn samples() -> Vec<Vec<u8>> {
        let options = Options::playing();
        let evaluator = EvaluatorSpec {
            evaluation: Some("material".into()),
            tables: Some(vec![7; 40]),
            perimeter: Some(vec![u64::MAX; 3]),
            ..EvaluatorSpec::default()
        };
        let search = SearchOrder {
            threads: 1,
            policy: String::new(),
            number: 3,
            root: vec![1; 60],
            depth: 9,
            options: options.clone(),
            memory: "hybrid".into(),
            trace: true,
            began: -5,
        };
        let leaves = super::super::farm::Task::Leaves { position: vec![2; 30], depth: 5, parts: 512 };
        let orders = [
            Order::Introduce,
            Order::Load { program: "game".into(), interpret: false },
            Order::Equip { judge: Box::new(JudgeSpec::Rules(evaluator)), options: Box::new(options) },
            Order::Search(Box::new(search)),
            Order::Work(Errand { task: leaves, threads: 2, ahead: 3 }),
            Order::Part(Some(77)),
            Order::Travel(1),
        ];
        let report =
            ProcessReport { name: "rank 1".into(), hands: vec![Default::default()], ..Default::default() };
        let replies = [
            Reply::Machine("{}".into()),
            Reply::Time(Time { own: 1, wall: -1 }),
            Reply::Ready(u64::MAX),
            Reply::Refused("no".into()),
            Reply::Searched(3, Box::new(report)),
            Reply::Part(Some((1, Ok(Some(vec![1, 2]))))),
            Reply::Part(Some((1, Err("no".into())))),
            Reply::Journey(Journey::default()),
        ];
        orders.iter().map(write).chain(replies.iter().map(write)).collect()
    }

    /// Changes, cuts and lengthens what ranks say in thousands of ways: it is refused or read, and nothing
    /// else happens.
    #[test]
    fn damaged_orders_are_refused_or_read() {
        let samples = samples();
        assert!(samples[..7].iter().all(|bytes| inspect(bytes).0));
        assert!(samples[7..].iter().all(|bytes| inspect(bytes).1));
        let (mut random, mut refused) = (Random::new(24), 0);
        for number in 0..20_000 {
            let mut bytes = samples[number % samples.len()].clone();
            for _ in 0..=random.below(3) {
                let place = random.below(bytes.len().max(1));
                match random.below(3) {
                    0 => bytes.truncate(place),
                    1 if !bytes.is_empty() => bytes[place] = random.next_u64() as u8,
                    _ => bytes.push(random.next_u64() as u8),
                }
            }
            refused += u32::from(inspect(&bytes) == (false, false));
        }
        assert!((2_000..20_000).contains(&refused), "{refused}");
    }

    #[test]
    fn what_follows_an_order_is_refused() {
        let mut bytes = write(&Order::Clock);
        assert!(read::<Order>(&bytes).is_ok());
        bytes.push(0);
        let message = read::<Order>(&bytes).unwrap_err().to_string();
        assert!(message.contains("do all ranks run the same program?"), "{message}");
    }
}
