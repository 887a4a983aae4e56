//! How many positions of a puzzle a rank can be sent in a second, in messages as workers of
//! transposition-driven scheduling send them: full ones, of 64 positions.

use std::collections::VecDeque;
use std::time::Instant;

use anyhow::{bail, ensure};
use multigame_cluster::{Cluster, Post, Rank};
use multigame_game::Portable;
use multigame_parallel::{
    Form, Memory, Outbox, PuzzleMessage, PuzzlePolicy, PuzzleSetup, PuzzleWorker, Status, Wire, Worker,
};
use multigame_search::{Layout, RulesEvaluator, TranspositionTable};
use multigame_threads::Port;

use super::conductor::{Ranks, reply};
use super::orders::{Order, Reply, write};

/// Messages of a try. The fastest try counts, since others waited for something else.
const MESSAGES: u32 = 4000;
const TRIES: u32 = 5;
/// Turns of the two workers after which no full message is expected any more.
const MOST_TURNS: u32 = 1_000_000;

impl Ranks {
    /// Positions a second that another rank is sent, and takes. All ranks must play the puzzle.
    pub fn states_per_second<G: Portable>(
        &self,
        game: &G,
        evaluator: &RulesEvaluator,
        to: Rank,
    ) -> anyhow::Result<f64> {
        let mut bytes = Vec::new();
        full_message(game, evaluator)?.write(game, &mut bytes);
        let (mut fastest, mut positions) = (f64::INFINITY, 0);
        for _ in 0..TRIES {
            let messages = (0..MESSAGES).map(|_| PuzzleMessage::read(game, &bytes));
            let messages = messages.collect::<Result<Vec<_>, _>>()?;
            positions = messages.iter().map(count).sum();
            let number = self.next_search();
            self.cluster().send_order(to, write(&Order::Take { number, messages: MESSAGES }));
            let start = Instant::now();
            let mut post = Post::new(self.cluster(), game, number, 1);
            for message in messages {
                post.send(0, to, message);
                // A worker lets letters leave each time it looks for its own.
                post.flush();
            }
            let Reply::Ready(taken) = reply(self.cluster())?.1 else { bail!("a count was expected") };
            ensure!(taken == positions, "{taken} of {positions} positions have arrived");
            fastest = fastest.min(start.elapsed().as_secs_f64());
        }
        Ok(positions as f64 / fastest)
    }
}

/// Takes messages that rank 0 sends, and counts the positions in them.
pub(super) fn take<G: Portable>(cluster: &Cluster, game: &G, number: u64, messages: u32) -> u64 {
    let mut post = Post::new(cluster, game, number, 1);
    let (mut left, mut positions) = (messages, 0);
    while left > 0 {
        match Port::<PuzzleMessage<G>>::receive(&mut post) {
            Some((_, _, message)) => (left, positions) = (left - 1, positions + count(&message)),
            None => std::hint::spin_loop(),
        }
    }
    positions
}

fn count<G: Portable>(message: &PuzzleMessage<G>) -> u64 {
    match message {
        PuzzleMessage::States { states, .. } => states.len() as u64,
        _ => 0,
    }
}

/// A full message of a search by two workers, who send each other every position that is not their own.
fn full_message<G: Portable>(game: &G, evaluator: &RulesEvaluator) -> anyhow::Result<PuzzleMessage<G>> {
    let usual = PuzzleSetup::ranks(PuzzlePolicy::TDS, 1, Memory::of(Form::Partitioned), 0);
    let (setup, position) = (PuzzleSetup { dive_nodes: 0, ..usual }, game.initial());
    let table = || TranspositionTable::new(1, Layout::default());
    let tables = [table()?, table()?];
    let mut workers: Vec<_> = (0..2)
        .zip(&tables)
        .map(|(me, table)| {
            PuzzleWorker::new((me, 2), (game, evaluator), Some(table), &position, u32::MAX, setup)
        })
        .collect();
    let mut letters = VecDeque::new();
    for turn in 0..MOST_TURNS {
        let (me, mut outbox) = (turn % 2, Outbox::default());
        let progress = workers[me as usize].work(0, &mut outbox);
        letters.extend(outbox.letters.into_iter().map(|(to, message)| (me, to, message)));
        while let Some((from, to, message)) = letters.pop_front() {
            if count(&message) as usize == setup.combine {
                return Ok(message);
            }
            let mut answers = Outbox::default();
            workers[to as usize].handle(from, message, &mut answers);
            letters.extend(answers.letters.into_iter().map(|(other, message)| (to, other, message)));
        }
        if progress.status == Status::Finished {
            break;
        }
    }
    bail!("the puzzle is too small to fill a message of positions; measure another one, such as 15-puzzle")
}
