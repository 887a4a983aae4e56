//! Which moves were good, told while the search goes on.
//!
//! Workers form a tree: worker `n` is below worker `n / 2`, which is its neighbour in a de Bruijn network.
//! Now and then each of them tells those next to it in the tree what it has not told them yet: its own
//! counts, and what it has heard from the others next to it. So everything reaches everybody once, and what
//! is learned by many travels together.

use multigame_game::Game;

use crate::protocol::Message;
use crate::tree::Post;
use crate::worker::WorkerId;

/// What one worker has to tell.
#[derive(Clone, Debug)]
pub(crate) struct News {
    /// Its counts when it last told, with all it has heard since.
    known: Vec<u32>,
    listeners: Vec<Listener>,
    /// Nodes between two times.
    every: u64,
    /// Nodes it had visited when it last told.
    told_at: u64,
}

#[derive(Clone, Debug)]
struct Listener {
    worker: WorkerId,
    /// What it has not been told. A place may occur several times.
    untold: Vec<(u16, u32)>,
}

impl News {
    /// Nothing yet.
    pub fn new(me: WorkerId, workers: u32, every: u64) -> News {
        let below = [2 * me, 2 * me + 1].into_iter().filter(|&other| other > me && other < workers);
        let above = (me > 0).then_some(me / 2);
        let listeners =
            above.into_iter().chain(below).map(|worker| Listener { worker, untold: Vec::new() }).collect();
        News { known: Vec::new(), listeners, every, told_at: 0 }
    }

    /// Hears what somebody next to it has learned or heard.
    pub fn hear(&mut self, from: WorkerId, counts: &[(u16, u32)]) {
        for &(place, count) in counts {
            let place = usize::from(place);
            if self.known.len() <= place {
                self.known.resize(place + 1, 0);
            }
            self.known[place] = self.known[place].saturating_add(count);
        }
        for listener in self.listeners.iter_mut().filter(|listener| listener.worker != from) {
            listener.untold.extend_from_slice(counts);
        }
    }

    /// Whether it is time to tell, after this many nodes.
    pub fn is_due(&self, nodes: u64) -> bool {
        nodes - self.told_at >= self.every
    }

    /// Whether something was heard that others have not been told.
    pub fn has_heard(&self) -> bool {
        self.listeners.iter().any(|listener| !listener.untold.is_empty())
    }

    /// Tells what there is, of these counts of its own too.
    pub fn tell<G: Game>(&mut self, own: &[u32], nodes: u64, mail: Post<'_, G>) {
        self.told_at = nodes;
        self.known.resize(own.len(), 0);
        let learned = own.iter().zip(&self.known).enumerate().filter(|(_, (own, known))| own > known);
        let learned: Vec<(u16, u32)> =
            learned.map(|(place, (own, known))| (place as u16, own - known)).collect();
        self.known.copy_from_slice(own);
        for Listener { worker, untold } in &mut self.listeners {
            untold.extend_from_slice(&learned);
            if untold.is_empty() {
                continue;
            }
            let mut counts = std::mem::take(untold);
            counts.sort_unstable();
            counts.dedup_by(|later, kept| {
                let same = later.0 == kept.0;
                if same {
                    kept.1 = kept.1.saturating_add(later.1);
                }
                same
            });
            mail.send(*worker, Message::News(counts));
        }
    }
}

#[cfg(test)]
mod tests {
    use multigame_search::random_tree::RandomTree;

    use super::*;
    use crate::worker::Outbox;

    #[test]
    fn everything_reaches_everybody_once() {
        const WORKERS: usize = 11;
        let mut own = vec![[0u32; 8]; WORKERS];
        let mut news: Vec<News> =
            (0..WORKERS).map(|me| News::new(me as WorkerId, WORKERS as u32, 5)).collect();
        for (me, counts) in own.iter_mut().enumerate() {
            counts[me % 8] += 1 << me;
        }
        for _ in 0..10 {
            for me in 0..WORKERS {
                let mut outbox: Outbox<Message<RandomTree>> = Outbox::default();
                news[me].tell(&own[me], 0, &mut outbox);
                for (to, message) in outbox.letters {
                    let Message::News(counts) = message else { panic!("{message:?}") };
                    for &(place, count) in &counts {
                        own[to as usize][usize::from(place)] += count;
                    }
                    news[to as usize].hear(me as WorkerId, &counts);
                }
            }
        }
        let mut all = [0; 8];
        (0..WORKERS).for_each(|me| all[me % 8] += 1 << me);
        assert!(own.iter().all(|counts| *counts == all), "{own:?}");
        assert!(news.iter().all(|news| !news.has_heard()));
        assert!(news[3].is_due(5) && !news[3].is_due(4));
    }
}
