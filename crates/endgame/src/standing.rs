//! What is known about a position, and as a number of 16 bits.

use std::cmp::Ordering;

/// Who wins with best play, as the player to move sees it, and in how many plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The player to move wins in this many plies, and not sooner.
    Win(u16),
    /// Nobody can win.
    Draw,
    /// The player to move loses, after this many plies at the most.
    Loss(u16),
}

/// Nobody can win, or not known yet.
pub(crate) const OPEN: u16 = 0;
/// No position: two pieces on one field, or one that cannot occur.
pub(crate) const NONE: u16 = 1;
/// The longest win or loss in plies that has a number.
pub(crate) const LONGEST: u16 = 32_000;

impl Standing {
    /// The number.
    pub(crate) fn code(self) -> u16 {
        match self {
            Standing::Draw => OPEN,
            Standing::Loss(plies) => 2 + 2 * plies,
            Standing::Win(plies) => 3 + 2 * plies,
        }
    }

    /// From the number; nothing where there is no position.
    pub(crate) fn of_code(code: u16) -> Option<Standing> {
        match code {
            NONE => None,
            OPEN => Some(Standing::Draw),
            even if even % 2 == 0 => Some(Standing::Loss((even - 2) / 2)),
            odd => Some(Standing::Win((odd - 3) / 2)),
        }
    }

    /// One move earlier, for the player who makes it; `same` says whether the same player is to move again.
    #[must_use]
    pub fn before(self, same: bool) -> Standing {
        match (self, same) {
            (Standing::Draw, _) => Standing::Draw,
            (Standing::Win(plies), true) | (Standing::Loss(plies), false) => Standing::Win(plies + 1),
            (Standing::Loss(plies), true) | (Standing::Win(plies), false) => Standing::Loss(plies + 1),
        }
    }

    /// The better the greater: quick wins before slow ones, slow losses before quick ones.
    pub fn rank(self) -> i32 {
        match self {
            Standing::Win(plies) => 1 + i32::from(u16::MAX) - i32::from(plies),
            Standing::Draw => 0,
            Standing::Loss(plies) => i32::from(plies) - i32::from(u16::MAX) - 1,
        }
    }

    /// A finished game.
    pub(crate) fn finished(worth: Ordering) -> Standing {
        match worth {
            Ordering::Greater => Standing::Win(0),
            Ordering::Equal => Standing::Draw,
            Ordering::Less => Standing::Loss(0),
        }
    }
}

impl PartialOrd for Standing {
    fn partial_cmp(&self, other: &Standing) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Standing {
    fn cmp(&self, other: &Standing) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_everything() {
        for standing in
            [Standing::Draw, Standing::Win(0), Standing::Win(77), Standing::Loss(0), Standing::Loss(LONGEST)]
        {
            assert_eq!(Standing::of_code(standing.code()), Some(standing));
        }
        assert_eq!(Standing::of_code(NONE), None);
    }

    #[test]
    fn players_hurry_to_win_and_not_to_lose() {
        let order =
            [Standing::Loss(1), Standing::Loss(8), Standing::Draw, Standing::Win(9), Standing::Win(2)];
        assert!(order.is_sorted());
        assert_eq!(Standing::Loss(4).before(false), Standing::Win(5));
        assert_eq!(Standing::Win(4).before(true), Standing::Win(5));
    }
}
