//! Many games: pairs with colours swapped, played by several threads until there are enough or a test is
//! decided.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use multigame_game::{Game, Line, RulesError, notation, position_text};
use multigame_player::ranks::{Farm, work_off};
use multigame_threads::Tasks;

use crate::log::Entry;
use crate::referee::{Control, Terms, play_game};
use crate::travel::Finished;
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
    /// The other ranks of a job, if they play as well.
    pub farm: Option<&'t Farm<'t>>,
    /// Ends the match; our own players must have been made with the same flag.
    pub stop: &'t AtomicBool,
}

impl<G: Game> Tournament<'_, G> {
    /// Plays what is missing of the match; `done` are games played before. Each finished game is reported
    /// with the tally after it, in the order in which games end; if other ranks play as well, in the order of
    /// their numbers. Gives the tally and what the test says.
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
        let players = || self.contestants();
        let work = |players: &mut _, number| self.play(players, number);
        let tasks = Tasks { threads: self.concurrency, stop: self.stop, worker: &players, work: &work };
        work_off(&tasks, open, self.farm, &mut |number, played| {
            // Games that other ranks have finished meanwhile.
            if self.verdict(&score.tally) != Verdict::Undecided {
                return Ok(());
            }
            let (entry, line) = self.entry(number, played)?;
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

    /// The players of a thread.
    pub(crate) fn contestants(&self) -> anyhow::Result<[Box<dyn Contestant<G> + '_>; 2]> {
        Ok([(self.players[0])()?, (self.players[1])()?])
    }

    /// Plays a game; nothing comes of one that was stopped.
    pub(crate) fn play(
        &self,
        [first, second]: &mut [Box<dyn Contestant<G> + '_>; 2],
        number: usize,
    ) -> anyhow::Result<Option<Finished>> {
        let opening = (self.opening)(number / 2)?;
        let (sides, controls): ([&mut dyn Contestant<G>; 2], _) = if number.is_multiple_of(2) {
            ([&mut **first, &mut **second], self.controls)
        } else {
            ([&mut **second, &mut **first], [self.controls[1], self.controls[0]])
        };
        let played = play_game(self.game, &opening, sides, controls, &self.terms, self.stop)?;
        Ok(Finished::of(self.game, &opening, &played)?)
    }

    /// A finished game in words.
    fn entry(&self, number: usize, played: Finished) -> anyhow::Result<(Entry, Line<'_, G>)> {
        let game = self.game;
        let opening = (self.opening)(number / 2)?;
        let (played, line) = played.read(game, &opening)?;
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
            reason: played.reason,
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
