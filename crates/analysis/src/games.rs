//! Games side by side: several threads play them, and what came of them is taken in the order of their
//! numbers. So a report is the same however many are played at the same time.

use std::sync::atomic::AtomicBool;

use multigame_game::{Game, Line, Outcome, RulesError, Side, Status};
use multigame_player::ranks::{Farm, work_off};
use multigame_threads::{InOrder, Tasks};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::report::Summary;

/// A game that was played.
#[derive(Clone, Debug)]
pub(crate) struct Played<P> {
    /// All positions from where it was listened to.
    pub positions: Vec<P>,
    /// Nothing if it was given up.
    pub outcome: Option<Outcome>,
    /// Whether it ended by repetition.
    pub repeated: bool,
    /// Moves there were to choose from, each time one was chosen.
    pub choices: Vec<u32>,
    /// Its length in moves.
    pub length: u32,
}

impl<P> Played<P> {
    /// Adds the game to others.
    pub fn count(&self, first: Side, summary: &mut Summary) {
        summary.repeated += u32::from(self.repeated);
        summary.choices += self.choices.iter().copied().map(u64::from).sum::<u64>();
        summary.turns += self.choices.len() as u64;
        summary.add(self.outcome, first, self.length);
    }
}

/// The end of a game.
pub(crate) struct Ended {
    /// Nothing if it is given up.
    pub outcome: Option<Outcome>,
    /// Whether it ended by repetition.
    pub repeated: bool,
}

/// Whether a game is over or too long; if not, the moves there are to choose from are in the buffer.
pub(crate) fn ended<G: Game>(
    line: &Line<'_, G>,
    max_plies: u32,
    moves: &mut Vec<G::Move>,
) -> Result<Option<Ended>, RulesError> {
    if let Some(outcome) = line.legal_moves(moves)? {
        return Ok(Some(Ended { outcome: Some(outcome), repeated: false }));
    }
    if let Status::Repeated(outcome) = line.repetition()? {
        return Ok(Some(Ended { outcome: Some(outcome), repeated: true }));
    }
    let too_long = line.moves().len() >= max_plies as usize;
    Ok(too_long.then_some(Ended { outcome: None, repeated: false }))
}

/// Plays a number of games on a number of threads. Each thread makes its own player, and `play` plays the
/// game with a number; it gives nothing if it was stopped. `take` gets the games in order.
pub(crate) fn side_by_side<P, T: Send>(
    games: u32,
    concurrency: usize,
    stop: &AtomicBool,
    player: &(impl Fn() -> anyhow::Result<P> + Sync),
    play: &(impl Fn(&mut P, u32) -> anyhow::Result<Option<T>> + Sync),
    take: &mut dyn FnMut(T),
) -> anyhow::Result<()> {
    let mut in_order = InOrder::new(0..games as usize);
    let mut report = |_, played| {
        take(played);
        Ok(())
    };
    let work = |player: &mut P, number| play(player, number as u32);
    let tasks = Tasks { threads: concurrency, stop, worker: player, work: &work };
    tasks.run(0..games as usize, &mut |number, played| in_order.take(number, played, &mut report))?;
    in_order.finish(&mut report)
}

/// Does tasks here and, if there is a farm, on the other ranks. `take` gets what comes of them in order.
pub(crate) fn taken_in_order<P, T: Send + Serialize + DeserializeOwned>(
    tasks: &Tasks<'_, P, T>,
    games: u32,
    farm: Option<&Farm<'_>>,
    take: &mut dyn FnMut(usize, T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let numbers = 0..games as usize;
    let mut in_order = InOrder::new(numbers.clone());
    work_off(tasks, numbers, farm, &mut |number, played| in_order.take(number, played, take))?;
    in_order.finish(take)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn games_come_in_order_and_errors_come_at_all() {
        let stop = AtomicBool::new(false);
        for concurrency in [1, 4] {
            let mut taken = Vec::new();
            let play = |_: &mut (), number: u32| {
                // Early games take longest.
                std::thread::sleep(std::time::Duration::from_micros(u64::from(50 - number) * 20));
                Ok(Some(number))
            };
            side_by_side(50, concurrency, &stop, &|| Ok(()), &play, &mut |number| taken.push(number))
                .unwrap();
            assert_eq!(taken, (0..50).collect::<Vec<_>>());
            let fail = |_: &mut (), number: u32| match number {
                7 => Err(anyhow::anyhow!("game 7 is broken")),
                number => Ok(Some(number)),
            };
            let error = side_by_side(50, concurrency, &stop, &|| Ok(()), &fail, &mut |_| ()).unwrap_err();
            assert_eq!(error.to_string(), "game 7 is broken");
            assert!(stop.swap(false, Ordering::Relaxed), "an error ends the other games");
        }
        stop.store(true, Ordering::Relaxed);
        let mut taken = 0;
        side_by_side(5, 2, &stop, &|| Ok(()), &|_, _| Ok(Some(())), &mut |()| taken += 1).unwrap();
        assert_eq!(taken, 0);
    }
}
