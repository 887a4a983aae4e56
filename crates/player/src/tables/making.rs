//! Makes the databases of a puzzle, several at a time, on the other ranks of a job too.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use multigame_game::{Game, Portable, Puzzle};
use multigame_search::patterns::{Arrangement, Costs, PatternDatabase, PatternError, build};
use multigame_threads::{InOrder, Tasks};
use serde::{Deserialize, Serialize};

use crate::ranks::{Farm, Farmhand, work_off};

/// Makes the databases that the rules of a puzzle declare.
pub struct TableMaker<'m> {
    /// Databases made at the same time.
    pub threads: usize,
    /// Other ranks that make some, told of them by [`TablesTask`].
    pub farm: Option<&'m Farm<'m>>,
    /// Ends everything.
    pub stop: &'m AtomicBool,
    /// Hears now and then, from any thread, how many more positions were met here.
    pub met: &'m (dyn Fn(u64) + Sync),
}

/// Everything that another rank needs to make databases: it has the rules.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct TablesTask;

impl TablesTask {
    /// Makes the databases that this rank is given.
    pub fn work<G: Portable>(self, game: &G, hand: &Farmhand<'_>) -> anyhow::Result<()> {
        let puzzle = game.puzzle().context("tables of a game that has none were asked for")?;
        hand.work_off(&|| Ok(()), &|(): &mut (), number| one(game, &puzzle, number, hand.stop(), &|_| ()))
    }
}

/// A database in a form that travels.
#[derive(Serialize, Deserialize)]
struct Made {
    own: bool,
    width: u32,
    numbers: Vec<u8>,
    time: Duration,
}

impl TableMaker<'_> {
    /// Makes them all; `report` gets them in the order of the rules, with the time each of them took.
    /// Nothing if it was stopped.
    pub fn make<G: Game>(
        &self,
        game: &G,
        puzzle: &Puzzle,
        report: &mut dyn FnMut(&PatternDatabase, Duration) -> anyhow::Result<()>,
    ) -> anyhow::Result<Option<Vec<PatternDatabase>>> {
        let count = puzzle.abstractions.len();
        let mut databases = Vec::new();
        let mut in_order = InOrder::new(0..count);
        let mut take = |number, mut made: Made| {
            let database = made.database(game, puzzle, number)?;
            report(&database, made.time)?;
            databases.push(database);
            Ok(())
        };
        let work = |(): &mut (), number| one(game, puzzle, number, self.stop, self.met);
        let tasks = Tasks { threads: self.threads, stop: self.stop, worker: &|| Ok(()), work: &work };
        work_off(&tasks, 0..count, self.farm, &mut |number, made| in_order.take(number, made, &mut take))?;
        in_order.finish(&mut take)?;
        Ok((databases.len() == count).then_some(databases))
    }
}

/// Makes a database; nothing if it was stopped.
fn one<G: Game>(
    game: &G,
    puzzle: &Puzzle,
    number: usize,
    stop: &AtomicBool,
    met: &(dyn Fn(u64) + Sync),
) -> anyhow::Result<Option<Made>> {
    let start = Instant::now();
    let abstraction = puzzle.abstractions.get(number).context("a table that there is not was asked for")?;
    let mut before = 0;
    let mut report = |positions| {
        met(positions - std::mem::replace(&mut before, positions));
        !stop.load(Ordering::Relaxed)
    };
    let built = match build(game, puzzle, abstraction, &mut report) {
        Err(PatternError::Stopped) => return Ok(None),
        built => built.with_context(|| format!("no table for the abstraction `{}`", abstraction.name))?,
    };
    Ok(Some(Made {
        own: built.costs() == Costs::Own,
        width: built.width(),
        numbers: built.bytes().to_vec(),
        time: start.elapsed(),
    }))
}

impl Made {
    fn database<G: Game>(
        &mut self,
        game: &G,
        puzzle: &Puzzle,
        number: usize,
    ) -> anyhow::Result<PatternDatabase> {
        let abstraction = puzzle.abstractions[number].clone();
        let arrangement = Arrangement::new(game.description(), puzzle, &abstraction)?;
        let costs = if self.own { Costs::Own } else { Costs::All };
        let numbers = Arc::new(std::mem::take(&mut self.numbers));
        let database = PatternDatabase::new(abstraction, arrangement, costs, self.width, numbers);
        database.context("a table that is too short came back")
    }
}
