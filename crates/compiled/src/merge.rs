//! Equal results become one.

use multigame_mir::{HEADER, Header, SIGNATURE};

use crate::Positions;
use crate::words::same;

const FREE: u32 = u32::MAX;

/// Keeps the first of equal positions; it is irreversible only if all of them are. `slots` is memory to work
/// in.
pub(crate) fn merge(positions: &mut impl Positions, slots: &mut Vec<u32>) {
    let count = positions.len();
    if count < 2 {
        return;
    }
    let size = (count * 2).next_power_of_two();
    slots.clear();
    slots.resize(size, FREE);
    let mut kept = 0;
    for number in 0..count {
        let words = positions.get(number).as_ref();
        let mut slot = words[SIGNATURE] as usize & (size - 1);
        let equal = loop {
            match slots[slot] {
                FREE => break None,
                it if same(positions.get(it as usize).as_ref(), words) => break Some(it as usize),
                _ => slot = (slot + 1) & (size - 1),
            }
        };
        if let Some(equal) = equal {
            let header = words[HEADER];
            positions.get_mut(equal).as_mut()[HEADER] &= header | !Header::IRREVERSIBLE;
            continue;
        }
        slots[slot] = kept as u32;
        if kept != number {
            positions.copy(number, kept);
        }
        kept += 1;
    }
    positions.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Children;

    #[test]
    fn first_of_equals_stays_and_is_irreversible_if_all_are() {
        let children = [[5, 3, 7], [5, 3, 8], [5, 1, 7], [9, 3, 1], [5, 3, 8], [5, 1 | 4, 7]];
        let mut list = Children::<3>::default();
        children.iter().for_each(|words| *list.add(words) = *words);
        merge(&mut list, &mut Vec::new());
        let found: Vec<[u64; 3]> = list.iter().copied().collect();
        assert_eq!(found, [[5, 1, 7], [5, 3, 8], [9, 3, 1], [5, 1 | 4, 7]]);
    }
}
