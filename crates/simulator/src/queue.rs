//! Events in the order of time; those of the same time in the order in which they were put in.
//!
//! A heap moves its elements about, so it holds only times and places; places are used again. PERF: no
//! difference to a map from numbers to events could be measured (256 processors, 190,000 nodes: 2.2 to 2.8
//! seconds with either).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The queue; see the module.
#[derive(Debug)]
pub(crate) struct Queue<E> {
    /// Time, number and place.
    heap: BinaryHeap<Reverse<(u64, u64, u32)>>,
    events: Vec<Option<E>>,
    free: Vec<u32>,
    sequence: u64,
}

impl<E> Default for Queue<E> {
    fn default() -> Self {
        Queue { heap: BinaryHeap::new(), events: Vec::new(), free: Vec::new(), sequence: 0 }
    }
}

impl<E> Queue<E> {
    pub fn push(&mut self, time: u64, event: E) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.events.push(None);
            self.events.len() as u32 - 1
        });
        self.events[place as usize] = Some(event);
        self.sequence += 1;
        self.heap.push(Reverse((time, self.sequence, place)));
    }

    pub fn pop(&mut self) -> Option<(u64, E)> {
        let Reverse((time, _, place)) = self.heap.pop()?;
        let event = self.events[place as usize].take()?;
        self.free.push(place);
        Some((time, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_in_the_order_of_time_and_then_of_putting_in() {
        let mut queue = Queue::default();
        for (time, event) in [(5, 'c'), (3, 'a'), (5, 'd'), (4, 'b')] {
            queue.push(time, event);
        }
        assert_eq!(queue.pop(), Some((3, 'a')));
        queue.push(5, 'e');
        let rest: String = std::iter::from_fn(|| queue.pop()).map(|(_, event)| event).collect();
        assert_eq!(rest, "bcde");
        assert_eq!(queue.events.len(), 4, "places are used again");
    }
}
