//! Many games: pairs with colours swapped, played by several threads until there are enough or a test is decided.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

use anyhow::Context;
use multigame_game::{Game, Line, RulesError, notation, position_text};

use crate::log::Entry;
use crate::referee::{Control, Played, Terms, play_game};
use crate::{Contestant, Opening, Sprt, Tally, Verdict};

/// Makes a player; every thread has its own.
pub type Factory<'f, G> = dyn Fn() -> anyhow::Result<Box<dyn Contestant<G> + 'f>> + Sync + 'f;

/// Called with each finished game, and the tally after it.
pub type Report<'r, G> = dyn FnMut(&Entry, &Line<'_, G>, &Tally) -> anyhow::Result<()> + 'r;

/// Deep searches need more than threads usually have.
const STACK: usize = 64 << 20;

/// A match to be played.
pub struct Tournament<'t, G: Game> {
    /// The game.
    pub game: &'t G,
    /// The players.
    pub players: [&'t Factory<'t, G>; 2],
    /// Their limits.
    pub controls: [Control; 2],
    /// What holds for both.
    pub terms: Terms,
    /// How many pairs of games.
    pub pairs: usize,
    /// The opening of a pair.
    pub opening: &'t (dyn Fn(usize) -> anyhow::Result<Opening<G>> + Sync),
    /// How many games at the same time.
    pub concurrency: usize,
    /// A test that ends the match when it is decided.
    pub sprt: Option<Sprt>,
    /// Ends the match; our own players must have been made with the same flag.
    pub stop: &'t AtomicBool,
}

/// What came of one game, as the threads tell it.
type Finished<M> = (usize, anyhow::Result<Played<M>>);

impl<G: Game> Tournament<'_, G> {
    /// Plays what is missing of the match; `done` are games played before. Each finished game is reported with the
    /// tally after it, in the order in which games end. Gives the tally and what the test says.
    ///
    /// When the test is decided, `stop` is set: games that are being played are given up.
    pub fn run(&self, done: &[Entry], report: &mut Report<'_, G>) -> anyhow::Result<(Tally, Verdict)> {
        let mut score = Score::default();
        for entry in done {
            score.add(entry);
        }
        if self.verdict(&score.tally) != Verdict::Undecided {
            return Ok((score.tally.clone(), self.verdict(&score.tally)));
        }
        let played: Vec<usize> = done.iter().map(|entry| entry.number).collect();
        let open = (0..2 * self.pairs).filter(|number| !played.contains(number));
        let queue: Mutex<VecDeque<usize>> = Mutex::new(open.collect());
        let (send, receive) = channel::<Finished<G::Move>>();
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let (queue, send) = (&queue, send.clone());
                let worker = move || {
                    if let Err(error) = self.work(queue, &send) {
                        let _ = send.send((usize::MAX, Err(error)));
                    }
                };
                let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
                // Those that were started are not to play the whole match first.
                let started = started.inspect_err(|_| self.stop.store(true, Ordering::Relaxed));
                started.context("a thread cannot be started; choose a smaller `--concurrency`")?;
            }
            drop(send);
            let mut failure = None;
            for (number, played) in receive {
                let result = played.and_then(|played| {
                    if played.winner.is_none() || failure.is_some() {
                        return Ok(());
                    }
                    let (entry, line) = self.entry(number, &played)?;
                    score.add(&entry);
                    report(&entry, &line, &score.tally)
                });
                if let Err(error) = result {
                    failure.get_or_insert(error);
                }
                if failure.is_some() || self.verdict(&score.tally) != Verdict::Undecided {
                    self.stop.store(true, Ordering::Relaxed);
                }
            }
            failure.map_or(Ok(()), Err)
        })?;
        Ok((score.tally.clone(), self.verdict(&score.tally)))
    }

    fn verdict(&self, tally: &Tally) -> Verdict {
        self.sprt.map_or(Verdict::Undecided, |sprt| sprt.verdict(tally))
    }

    /// One thread: plays games until there are none left.
    fn work(
        &self,
        queue: &Mutex<VecDeque<usize>>,
        send: &std::sync::mpsc::Sender<Finished<G::Move>>,
    ) -> anyhow::Result<()> {
        let mut players = [(self.players[0])()?, (self.players[1])()?];
        while !self.stop.load(Ordering::Relaxed) {
            let next = queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop_front();
            let Some(number) = next else { break };
            let opening = (self.opening)(number / 2)?;
            let [first, second] = &mut players;
            let (sides, controls): ([&mut dyn Contestant<G>; 2], _) = if number % 2 == 0 {
                ([&mut **first, &mut **second], self.controls)
            } else {
                ([&mut **second, &mut **first], [self.controls[1], self.controls[0]])
            };
            let played = play_game(self.game, &opening, sides, controls, &self.terms, self.stop);
            if send.send((number, played.map_err(anyhow::Error::from))).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// A finished game in words.
    fn entry(&self, number: usize, played: &Played<G::Move>) -> anyhow::Result<(Entry, Line<'_, G>)> {
        let game = self.game;
        let opening = (self.opening)(number / 2)?;
        let start = opening.start.clone().unwrap_or_else(|| game.initial());
        let mut line = Line::new(game, start);
        for mv in &played.moves {
            line.play(mv);
        }
        let names: Result<Vec<String>, RulesError> = line
            .positions()
            .iter()
            .zip(line.moves())
            .map(|(at, mv)| notation::name_of(game, at, mv))
            .collect();
        let white = number % 2;
        let entry = Entry {
            number,
            white,
            result: Entry::result_text(played.winner.flatten()).to_string(),
            reason: played.reason.clone(),
            failed: played.failed.map(|side| side.index() ^ white),
            start: opening.start.map(|start| position_text(game.description(), &game.diagram(&start))),
            moves: names?,
            seconds: played.time.map(|time| time.as_secs_f64()),
        };
        Ok((entry, line))
    }
}

/// Results so far, with those of unfinished pairs.
#[derive(Default)]
struct Score {
    tally: Tally,
    half: HashMap<usize, usize>,
}

impl Score {
    fn add(&mut self, entry: &Entry) {
        let points = entry.half_points();
        self.tally.add_game(points);
        match self.half.remove(&(entry.number / 2)) {
            Some(other) => self.tally.add_pair(points + other),
            None => {
                self.half.insert(entry.number / 2, points);
            }
        }
    }
}
