//! Equal results become one.

use multigame_mir::{HEADER, Header, SIGNATURE};
use multigame_native::words::same;

use crate::native::Children;

const FREE: u32 = u32::MAX;

/// Keeps the first of equal children; it is irreversible only if all of them are. `slots` is memory to work in.
pub(crate) fn merge(children: &mut Children, slots: &mut Vec<u32>) {
    let count = children.len();
    if count < 2 {
        return;
    }
    let size = (count * 2).next_power_of_two();
    slots.clear();
    slots.resize(size, FREE);
    let mut kept = 0;
    for number in 0..count {
        let mut slot = children.get(number)[SIGNATURE] as usize & (size - 1);
        let earlier = loop {
            match slots[slot] {
                FREE => break None,
                earlier if same(children.get(earlier as usize), children.get(number)) => break Some(earlier),
                _ => slot = (slot + 1) & (size - 1),
            }
        };
        if let Some(earlier) = earlier {
            let irreversible = children.get(number)[HEADER] & Header::IRREVERSIBLE;
            children.get_mut(earlier as usize)[HEADER] &= irreversible | !Header::IRREVERSIBLE;
            continue;
        }
        slots[slot] = kept as u32;
        if kept != number {
            children.copy(number, kept);
        }
        kept += 1;
    }
    children.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_of_equals_stays_and_is_irreversible_if_all_are() {
        let mut children = Children::default();
        children.clear(3);
        for words in [[5, 3, 7], [5, 3, 8], [5, 1, 7], [9, 3, 1], [5, 3, 8], [5, 1 | 4, 7]] {
            children.push().copy_from_slice(&words);
        }
        merge(&mut children, &mut Vec::new());
        let found: Vec<&[u64]> = (0..children.len()).map(|number| children.get(number)).collect();
        assert_eq!(found, [[5, 1, 7], [5, 3, 8], [9, 3, 1], [5, 1 | 4, 7]]);
    }
}
