//! The end of a limit. Worker 0 sends waves. A worker answers a wave when it has nothing to do, with the number of
//! messages with positions that it has sent and received since the start. If two waves in a row bring the same sums, and as
//! many messages were received as sent, then nothing was on its way between the two (Mattern's counting).

use multigame_game::Game;
use multigame_search::{Evaluator, NEVER};

use super::PuzzleWorker;
use super::protocol::{PuzzleMessage, PuzzleResult};
use crate::worker::Mail;

/// The waves of worker 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Waves {
    pub number: u64,
    pub answers: u32,
    pub sent: u64,
    pub received: u64,
    pub least: u32,
    /// The sums of the wave before.
    pub last: Option<(u64, u64)>,
}

impl<G: Game, E: Evaluator<G>> PuzzleWorker<'_, G, E> {
    pub(super) fn send_wave(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        self.waves = Waves {
            number: self.waves.number + 1,
            answers: 1,
            sent: self.sent,
            received: self.received,
            least: self.least,
            last: self.waves.last,
        };
        for other in 1..self.workers {
            mail.send(other, PuzzleMessage::Wave(self.waves.number));
        }
        self.count_wave(mail);
    }

    /// Looks whether all have answered, and what that means.
    pub(super) fn count_wave(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        if self.waves.answers < self.workers {
            return;
        }
        let sums = (self.waves.sent, self.waves.received);
        // A worker 0 that got work in the meantime has sent or received, or will have by the next wave.
        let quiet = sums.0 == sums.1 && self.waves.last == Some(sums) && self.stack_height() == 0;
        self.waves.last = Some(sums);
        self.waves.answers = 0;
        if quiet {
            self.waves.last = None;
            self.next_limit(mail);
        }
    }

    fn next_limit(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        if self.result.is_some() {
            return;
        }
        self.iterations.push(self.limit);
        let least = self.waves.least.min(self.least);
        if least >= NEVER {
            self.result = Some(PuzzleResult::Unsolvable);
        } else if least > self.longest {
            self.result = Some(PuzzleResult::Unknown(least));
        } else {
            for other in 1..self.workers {
                mail.send(other, PuzzleMessage::Start { limit: least });
            }
            self.begin(least);
        }
    }
}
