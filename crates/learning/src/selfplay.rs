//! Games of the computer against itself, written down with what the search thought.

use std::sync::atomic::{AtomicBool, Ordering};

use multigame_game::{Game, Line, Outcome, Portable, Random, Side, Status, chance};
use multigame_player::ranks::{EvaluatorSpec, Farm, Farmhand, FileNames, work_off};
use multigame_player::{Limits, Player};
use multigame_search::{Evaluator, Options, RulesEvaluator, Value};
use multigame_threads::Tasks;
use serde::{Deserialize, Serialize};

/// Values beyond this are decided: the evaluation need not know them.
const DECIDED: u32 = 2_000;
/// Values are cut here: what is won outright.
const WON: i32 = 1_000_000;
/// The table of a player, in MiB.
const TABLE: usize = 8;

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which one.
    pub number: u32,
    /// The moves, as numbers among the legal moves in the order of their keys.
    pub moves: Vec<u16>,
    /// Number of random ones among them.
    pub opening: usize,
    /// From the end of the opening on: what the search thought the position was worth to White.
    pub values: Vec<i32>,
    /// From the end of the opening on: whether the best move was quiet, so that the evaluation should agree.
    pub quiet: Vec<bool>,
    /// White's points: 1, 1/2 or 0.
    pub result: f64,
}

impl GameRecord {
    /// Whether the numbers belong together, as they do in every game that was played.
    pub fn is_possible(&self) -> bool {
        let thought = self.values.len();
        let moves = match thought {
            0 => self.moves.len() <= self.opening,
            // The other way round, damaged numbers could overflow.
            _ => self.moves.len().checked_sub(thought) == Some(self.opening),
        };
        moves && self.quiet.len() == thought && [0.0, 0.5, 1.0].contains(&self.result)
    }

    /// Whether something can be learned from a position, counted from the end of the opening: it was quiet,
    /// and its result still open.
    pub fn teaches(&self, number: usize) -> bool {
        self.quiet[number] && self.values[number].unsigned_abs() <= DECIDED
    }

    /// Plays the moves again.
    pub fn replay<'g, G: Game>(&self, game: &'g G) -> anyhow::Result<Line<'g, G>> {
        let mut line = Line::new(game, game.initial());
        let mut moves = Vec::new();
        for &number in &self.moves {
            sorted_moves(&line, &mut moves)?;
            let Some(mv) = moves.get(usize::from(number)) else {
                anyhow::bail!(
                    "game {} was played by other rules; start again with another file",
                    self.number
                );
            };
            line.play(mv);
        }
        Ok(line)
    }
}

/// The legal moves, in an order that does not depend on how the rules are run.
fn sorted_moves<G: Game>(line: &Line<'_, G>, moves: &mut Vec<G::Move>) -> anyhow::Result<Option<Outcome>> {
    let outcome = line.legal_moves(moves)?;
    moves.sort_unstable_by_key(|mv| line.game().move_key(mv));
    Ok(outcome)
}

/// Settings of the games.
pub struct SelfPlay<'s, G: Game> {
    /// The game.
    pub game: &'s G,
    /// The evaluation.
    pub evaluator: &'s RulesEvaluator,
    /// Limits of the computer's searches.
    pub limits: Limits,
    /// Random moves at the beginning.
    pub plies: u32,
    /// Longer games are drawn.
    pub max_plies: usize,
    /// The same seed gives the same openings.
    pub seed: u64,
    /// Number of games at the same time.
    pub concurrency: usize,
    /// Other ranks that play some of the games, told of them by [`SelfPlayTask`].
    pub farm: Option<&'s Farm<'s>>,
    /// Ends everything.
    pub stop: &'s AtomicBool,
}

/// Everything that another rank needs to play some of the games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SelfPlayTask {
    evaluator: EvaluatorSpec,
    limits: Limits,
    plies: u32,
    max_plies: usize,
    seed: u64,
}

impl SelfPlayTask {
    /// Plays the games that this rank is given.
    pub fn work<G: Portable>(&self, game: &G, hand: &Farmhand<'_>) -> anyhow::Result<()> {
        let evaluator = self.evaluator.evaluator(game, &FileNames::default())?;
        let selfplay = SelfPlay {
            game,
            evaluator: &evaluator,
            limits: self.limits,
            plies: self.plies,
            max_plies: self.max_plies,
            seed: self.seed,
            concurrency: 1,
            farm: None,
            stop: hand.stop(),
        };
        hand.work_off(&|| selfplay.player(), &|player, number| selfplay.one_game(number as u32, player))
    }
}

impl<G: Game> SelfPlay<'_, G> {
    /// Plays these games; each is handed over when it is finished.
    pub fn play(
        &self,
        numbers: &[u32],
        report: &mut dyn FnMut(GameRecord) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let worker = || self.player();
        let work = |player: &mut Player<'_, G>, number| self.one_game(number as u32, player);
        let tasks = Tasks { threads: self.concurrency, stop: self.stop, worker: &worker, work: &work };
        let numbers = numbers.iter().map(|&number| number as usize);
        work_off(&tasks, numbers, self.farm, &mut |_, record| report(record))
    }

    /// What other ranks are told.
    pub fn task(&self) -> SelfPlayTask {
        SelfPlayTask {
            evaluator: EvaluatorSpec::of(self.game.description(), self.evaluator),
            limits: self.limits,
            plies: self.plies,
            max_plies: self.max_plies,
            seed: self.seed,
        }
    }

    fn player(&self) -> anyhow::Result<Player<'_, G>> {
        let options = Options { table_mib: TABLE, ..Options::default() };
        let player = Player::new(self.game, options.into(), self.limits, self.stop)?;
        Ok(player.with_evaluator(self.evaluator.clone()))
    }

    /// Plays a game; nothing if it was stopped.
    fn one_game(&self, number: u32, player: &mut Player<'_, G>) -> anyhow::Result<Option<GameRecord>> {
        let game = self.game;
        let seed = self.seed.wrapping_mul(1 << 24) + u64::from(number);
        let opening = multigame_arena::random(game, self.plies, seed)?;
        let mut line = Line::new(game, game.initial());
        let mut record = GameRecord {
            number,
            moves: Vec::new(),
            opening: opening.moves.len(),
            values: Vec::new(),
            quiet: Vec::new(),
            result: 0.5,
        };
        let mut moves = Vec::new();
        let mut planned = opening.moves.iter();
        player.forget();
        let mut dice = Random::new(!seed);
        loop {
            let outcome = sorted_moves(&line, &mut moves)?;
            let repeated = match line.repetition()? {
                Status::Repeated(outcome) => Some(outcome),
                _ => None,
            };
            if let Some(outcome) = outcome.or(repeated) {
                record.result = result(outcome);
                return Ok(Some(record));
            }
            if line.moves().len() >= self.max_plies {
                return Ok(Some(record));
            }
            let mv = match planned.next() {
                Some(mv) => mv.clone(),
                None if game.is_chance(line.position()) => {
                    // Nobody has thought about it, and nothing is to be learned from it.
                    record.values.push(record.values.last().copied().unwrap_or(0));
                    record.quiet.push(false);
                    moves[chance::throw(game, line.position(), &moves, &mut dice)].clone()
                }
                None => {
                    let thought = player.search(&line, &mut |_| {})?;
                    if self.stop.load(Ordering::Relaxed) {
                        return Ok(None);
                    }
                    let best = thought.best.filter(|mv| moves.contains(mv));
                    let best = best.unwrap_or_else(|| moves[0].clone());
                    let own = game.side_to_move(line.position()) == Side::White;
                    let value = if own { thought.value } else { -thought.value };
                    let mut child = line.position().clone();
                    game.apply(line.position(), &best, &mut child);
                    record.values.push(number_of(value));
                    record.quiet.push(self.evaluator.is_quiet(game, line.position(), &best, &child));
                    best
                }
            };
            let index = moves.iter().position(|known| *known == mv);
            record.moves.push(index.unwrap_or(0) as u16);
            line.play(&mv);
        }
    }
}

/// A value as a number: scores and wins are all the same.
fn number_of(value: Value) -> i32 {
    if value >= Value::LEAST_SCORE {
        WON
    } else if value <= -Value::LEAST_SCORE {
        -WON
    } else {
        value.number().clamp(-WON, WON)
    }
}

fn result(outcome: Outcome) -> f64 {
    match outcome.winner() {
        Some(Side::White) => 1.0,
        Some(Side::Black) => 0.0,
        None => 0.5,
    }
}
