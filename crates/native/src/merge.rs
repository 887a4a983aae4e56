//! Equal results become one.

use multigame_mir::{HEADER, Header, SIGNATURE};

use crate::NativePosition;

const FREE: u32 = u32::MAX;

/// Keeps the first of equal children; it is irreversible only if all of them are. `slots` is memory to work in.
pub(crate) fn merge<const WORDS: usize>(children: &mut Vec<NativePosition<WORDS>>, slots: &mut Vec<u32>) {
    if children.len() < 2 {
        return;
    }
    let size = (children.len() * 2).next_power_of_two();
    slots.clear();
    slots.resize(size, FREE);
    let mut kept = 0;
    for number in 0..children.len() {
        let child = children[number];
        let mut slot = child.words[SIGNATURE] as usize & (size - 1);
        while slots[slot] != FREE && children[slots[slot] as usize] != child {
            slot = (slot + 1) & (size - 1);
        }
        if slots[slot] != FREE {
            let irreversible = child.words[HEADER] & Header::IRREVERSIBLE;
            children[slots[slot] as usize].words[HEADER] &= irreversible | !Header::IRREVERSIBLE;
            continue;
        }
        slots[slot] = kept as u32;
        children[kept] = child;
        kept += 1;
    }
    children.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_of_equals_stays_and_is_irreversible_if_all_are() {
        let children = [[5, 3, 7], [5, 3, 8], [5, 1, 7], [9, 3, 1], [5, 3, 8], [5, 1 | 4, 7]];
        let mut children = children.map(|words| NativePosition { words }).to_vec();
        merge(&mut children, &mut Vec::new());
        let found: Vec<[u64; 3]> = children.iter().map(|child| child.words).collect();
        assert_eq!(found, [[5, 1, 7], [5, 3, 8], [9, 3, 1], [5, 1 | 4, 7]]);
    }
}
