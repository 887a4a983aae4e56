//! Positions that wait for their turn.

use std::collections::BTreeMap;

use super::protocol::{Order, Question};

/// Something that has a place in the tree.
pub(super) trait Placed {
    fn place(&self) -> &[u16];
}

impl<G: multigame_game::Game> Placed for Box<Question<G>> {
    fn place(&self) -> &[u16] {
        &self.place
    }
}

/// The queue. What comes gets a number, by which it can be found again.
#[derive(Debug)]
pub(super) struct Ready<Q> {
    order: Order,
    serial: u64,
    queue: BTreeMap<(Vec<u16>, u64), Q>,
    /// The keys by number.
    keys: BTreeMap<u64, (Vec<u16>, u64)>,
}

impl<Q: Placed> Ready<Q> {
    pub fn new(order: Order) -> Ready<Q> {
        Ready { order, serial: 0, queue: BTreeMap::new(), keys: BTreeMap::default() }
    }

    pub fn len(&self) -> usize {
        self.queue.len()
    }

    pub fn add(&mut self, question: Q) -> u64 {
        self.serial += 1;
        let number = self.serial;
        let key = match self.order {
            Order::Left => (question.place().to_vec(), number),
            Order::Last => (Vec::new(), u64::MAX - number),
            Order::First => (Vec::new(), number),
        };
        self.keys.insert(number, key.clone());
        self.queue.insert(key, question);
        number
    }

    pub fn next(&mut self) -> Option<Q> {
        let ((_, last), question) = self.queue.pop_first()?;
        let number = if self.order == Order::Last { u64::MAX - last } else { last };
        self.keys.remove(&number);
        Some(question)
    }

    pub fn remove(&mut self, number: u64) {
        if let Some(key) = self.keys.remove(&number) {
            self.queue.remove(&key);
        }
    }

    pub fn change(&mut self, number: u64, change: impl FnOnce(&mut Q)) {
        if let Some(question) = self.keys.get(&number).and_then(|key| self.queue.get_mut(key)) {
            change(question);
        }
    }

    pub fn clear(&mut self) {
        self.queue.clear();
        self.keys.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Placed for Vec<u16> {
        fn place(&self) -> &[u16] {
            self
        }
    }

    #[test]
    fn the_order_is_what_its_name_says() {
        let taken = |order: Order| {
            let mut ready = Ready::new(order);
            let numbers: Vec<u64> =
                [vec![1], vec![0, 7], vec![0], vec![2]].into_iter().map(|place| ready.add(place)).collect();
            ready.remove(numbers[3]);
            ready.change(numbers[2], |place| place.push(9));
            let all: Vec<Vec<u16>> = std::iter::from_fn(|| ready.next()).collect();
            assert_eq!(ready.len(), 0);
            all
        };
        assert_eq!(taken(Order::Left), [vec![0, 9], vec![0, 7], vec![1]]);
        assert_eq!(taken(Order::Last), [vec![0, 9], vec![0, 7], vec![1]]);
        assert_eq!(taken(Order::First), [vec![1], vec![0, 7], vec![0, 9]]);
        assert!("right".parse::<Order>().unwrap_err().contains("last"));
    }
}
