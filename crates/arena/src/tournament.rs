//! Many games: pairs with colours swapped, played by several threads until there are enough or a test is decided.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use multigame_game::{Game, Line, RulesError, notation, position_text};
use multigame_threads::Tasks;

use crate::log::Entry;
use crate::referee::{Control, Played, Terms, play_game};
use crate::{Contestant, Opening, Sprt, Tally, Verdict};

/// Makes a player; every thread has its own.
pub type Factory<'f, G> = dyn Fn() -> anyhow::Result<Box<dyn Contestant<G> + 'f>> + Sync + 'f;

/// Called with each finished game, and the tally after it.
pub type Report<'r, G> = dyn FnMut(&Entry, &Line<'_, G>, &Tally) -> anyhow::Result<()> + 'r;

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
        let played: HashSet<usize> = done.iter().map(|entry| entry.number).collect();
        let open = (0..2 * self.pairs).filter(|number| !played.contains(number));
        let players = || anyhow::Ok([(self.players[0])()?, (self.players[1])()?]);
        let work = |players: &mut _, number| self.play(players, number);
        let tasks = Tasks { threads: self.concurrency, stop: self.stop, worker: &players, work: &work };
        tasks.run(open, &mut |number, played| {
            let (entry, line) = self.entry(number, &played)?;
            score.add(&entry);
            report(&entry, &line, &score.tally)?;
            if self.verdict(&score.tally) != Verdict::Undecided {
                self.stop.store(true, Ordering::Relaxed);
            }
            Ok(())
        })?;
        Ok((score.tally.clone(), self.verdict(&score.tally)))
    }

    fn verdict(&self, tally: &Tally) -> Verdict {
        self.sprt.map_or(Verdict::Undecided, |sprt| sprt.verdict(tally))
    }

    /// Plays a game; nothing comes of one that was stopped.
    fn play(
        &self,
        [first, second]: &mut [Box<dyn Contestant<G> + '_>; 2],
        number: usize,
    ) -> anyhow::Result<Option<Played<G::Move>>> {
        let opening = (self.opening)(number / 2)?;
        let (sides, controls): ([&mut dyn Contestant<G>; 2], _) = if number.is_multiple_of(2) {
            ([&mut **first, &mut **second], self.controls)
        } else {
            ([&mut **second, &mut **first], [self.controls[1], self.controls[0]])
        };
        let played = play_game(self.game, &opening, sides, controls, &self.terms, self.stop)?;
        Ok(played.winner.is_some().then_some(played))
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
