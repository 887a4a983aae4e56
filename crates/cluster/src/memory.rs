//! Ranks inside of one process, for tests: a queue for each pair of ranks, and weather.
//!
//! The weather holds letters back. It is made from a seed, and knows no clock: a letter is held back for a
//! number of looks of its receiver. Letters between the same two ranks keep their order; between different
//! pairs there is none.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use multigame_game::Random;

use crate::transport::{Lost, Rank, Transport};

/// How letters are held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weather {
    /// Decides everything.
    pub seed: u64,
    /// A letter is held back for fewer looks than this; 0 or 1 holds nothing back.
    pub looks: u32,
}

impl Weather {
    /// Everything arrives at once.
    pub const FAIR: Weather = Weather { seed: 0, looks: 0 };
}

/// A letter and the looks that it still waits for.
type Letter = (u32, Vec<u8>);

/// The queues; `queues[to][from]`.
type Queues = Arc<Vec<Mutex<Vec<VecDeque<Letter>>>>>;

/// One rank's end.
#[derive(Debug)]
pub struct Memory {
    rank: Rank,
    size: u32,
    queues: Queues,
    weather: Weather,
    random: Random,
    /// Where the next look begins, so that no rank is heard first always.
    next: usize,
}

/// The ends of this many ranks.
pub fn ranks(size: u32, weather: Weather) -> Vec<Memory> {
    let empty = || Mutex::new(vec![VecDeque::new(); size as usize]);
    let queues: Queues = Arc::new((0..size).map(|_| empty()).collect());
    (0..size)
        .map(|rank| Memory {
            rank,
            size,
            queues: queues.clone(),
            weather,
            random: Random::new(weather.seed.wrapping_mul(31).wrapping_add(u64::from(rank))),
            next: 0,
        })
        .collect()
}

impl Memory {
    fn queues_to(&self, rank: Rank) -> MutexGuard<'_, Vec<VecDeque<Letter>>> {
        self.queues[rank as usize].lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Transport for Memory {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn host(&self) -> String {
        "memory".to_string()
    }

    fn library(&self) -> String {
        "memory of one process".to_string()
    }

    fn send(&mut self, to: Rank, bytes: Vec<u8>) -> Result<(), Lost> {
        let held = self.random.below(self.weather.looks.max(1) as usize) as u32;
        let from = self.rank as usize;
        self.queues_to(to)[from].push_back((held, bytes));
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<(Rank, Vec<u8>)>, Lost> {
        let (size, first) = (self.size as usize, self.next);
        self.next = (first + 1) % size;
        let mut queues = self.queues_to(self.rank);
        for from in (0..size).map(|number| (first + number) % size) {
            match queues[from].front_mut() {
                Some((held, _)) if *held > 0 => *held -= 1,
                Some(_) => {
                    let letter = queues[from].pop_front();
                    return Ok(letter.map(|(_, bytes)| (from as Rank, bytes)));
                }
                None => {}
            }
        }
        Ok(None)
    }

    fn close(&mut self) -> Result<(), Lost> {
        Ok(())
    }

    #[expect(clippy::disallowed_methods, reason = "to end the whole job is what it is for")]
    fn abort(&mut self, code: i32) {
        std::process::exit(code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_between_two_ranks_keep_their_order_in_any_weather() {
        for seed in 0..20 {
            let mut ends = ranks(3, Weather { seed, looks: 5 });
            for number in 0..50u8 {
                ends[0].send(2, vec![0, number]).unwrap();
                ends[1].send(2, vec![1, number]).unwrap();
            }
            let (mut seen, mut orders) = ([0u8; 2], Vec::new());
            while seen != [50, 50] {
                if let Some((from, bytes)) = ends[2].receive().unwrap() {
                    assert_eq!(bytes, [from as u8, seen[from as usize]], "seed {seed}");
                    seen[from as usize] += 1;
                    orders.push(from);
                }
            }
            assert!(!orders.is_sorted(), "letters of different ranks cross: seed {seed}");
        }
    }
}
