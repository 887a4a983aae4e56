//! Random games and counts of leaves, on several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use multigame_game::{Ending, Outcome, Playout, Portable, Random, Side, parts, playout};

use crate::hosted::Held;

/// So many parts for each thread, so that the last ones end at about the same time.
const PARTS: usize = 64;

/// Random games to be played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub games: usize,
    pub seed: u64,
    pub max_plies: u32,
    pub threads: usize,
}

/// What came of random games, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// 1 for White, -1 for Black, 0 for a draw or a game without end.
    pub winners: Vec<i8>,
    /// 0 for a game without end, 1 for an end by the rules, 2 for one by repetition.
    pub endings: Vec<u8>,
    /// Moves played.
    pub plies: Vec<u32>,
    /// Legal moves at all turns together.
    pub choices: Vec<u64>,
}

impl Results {
    /// Adds a game.
    pub fn add(&mut self, played: &Playout) {
        let (winner, ending) = match played.ending {
            Ending::TooLong => (0, 0),
            Ending::Over(outcome) => (winner_number(outcome), 1),
            Ending::Repeated(outcome) => (winner_number(outcome), 2),
        };
        self.winners.push(winner);
        self.endings.push(ending);
        self.plies.push(played.plies);
        self.choices.push(played.choices);
    }

    /// These games and further ones.
    pub fn and(mut self, more: Results) -> Results {
        self.winners.extend(more.winners);
        self.endings.extend(more.endings);
        self.plies.extend(more.plies);
        self.choices.extend(more.choices);
        self
    }
}

/// A generator for each number: generators of neighbouring seeds give neighbouring numbers.
pub fn generator(seed: u64, number: u64) -> Random {
    let mut first = Random::new(seed);
    let mut second = Random::new(first.next_u64().wrapping_add(number));
    Random::new(second.next_u64())
}

/// Who has won, as a number.
fn winner_number(outcome: Outcome) -> i8 {
    match outcome.winner() {
        None => 0,
        Some(Side::White) => 1,
        Some(Side::Black) => -1,
    }
}

/// Plays random games from a position.
pub fn play<G: Portable + 'static>(
    held: &Held<G>,
    plan: &Plan,
    stop: &AtomicBool,
) -> anyhow::Result<Results> {
    let share = plan.games.div_ceil(plan.threads.max(1)).max(1);
    let shares: Vec<_> =
        (0..plan.games).step_by(share).map(|from| from..plan.games.min(from + share)).collect();
    let work = |numbers: std::ops::Range<usize>| {
        let mut results = Results::default();
        let mut line = held.node.line(held.game());
        for number in numbers {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut random = generator(plan.seed, number as u64);
            let played = playout(&mut line, plan.max_plies, &mut random)?;
            for _ in 0..played.plies {
                line.undo();
            }
            results.add(&played);
        }
        anyhow::Ok(results)
    };
    let shares: anyhow::Result<Vec<Results>> = side_by_side(shares, &work)?.into_iter().collect();
    Ok(shares?.into_iter().fold(Results::default(), Results::and))
}

/// Does each part on a thread of its own, the last one here; results in the order of the parts.
pub fn side_by_side<P: Send, T: Send>(
    mut parts: Vec<P>,
    work: &(impl Fn(P) -> T + Sync),
) -> anyhow::Result<Vec<T>> {
    let last = parts.pop();
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for part in parts {
            threads.push(std::thread::Builder::new().spawn_scoped(scope, move || work(part))?);
        }
        let last = last.map(work);
        let mut results = Vec::new();
        for thread in threads {
            results.push(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results.extend(last);
        Ok(results)
    })
}

/// Counts leaves on several threads; it can be stopped.
fn counts<G: Portable + 'static>(
    held: &Held<G>,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> anyhow::Result<(Vec<G::Move>, Vec<u64>)> {
    let (moves, parts) = parts(held.game(), &held.node.position, depth, PARTS * threads.max(1))?;
    let next = AtomicUsize::new(0);
    let work = |_: usize| {
        let mut counts = vec![0; moves.len()];
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            counts[part.first] += part.count(held.game())?;
        }
        anyhow::Ok(counts)
    };
    let mut sums = vec![0; moves.len()];
    for counts in side_by_side((0..threads.max(1)).collect(), &work)? {
        sums.iter_mut().zip(counts?).for_each(|(sum, count)| *sum += count);
    }
    Ok((moves, sums))
}

/// Number of sequences of so many moves.
pub fn perft<G: Portable + 'static>(
    held: &Held<G>,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> anyhow::Result<u64> {
    if depth == 0 {
        return Ok(1);
    }
    Ok(counts(held, depth, threads, stop)?.1.iter().sum())
}

/// The same for each first move, by name.
pub fn divide<G: Portable + 'static>(
    held: &Held<G>,
    depth: u32,
    threads: usize,
    stop: &AtomicBool,
) -> anyhow::Result<Vec<(String, u64)>> {
    if depth == 0 {
        anyhow::bail!("`divide` needs a depth of at least 1");
    }
    let (moves, sums) = counts(held, depth, threads, stop)?;
    let names = held.node.names(held.game())?;
    let named = moves.iter().zip(sums).map(|(mv, sum)| {
        let place = held.node.place(held.game(), mv)?;
        anyhow::Ok((place.and_then(|place| names.get(place)).cloned().unwrap_or_default(), sum))
    });
    named.collect()
}
