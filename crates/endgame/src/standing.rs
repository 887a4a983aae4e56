//! What is known about a position, and as a number of 16 bits.

use std::cmp::Ordering;

use multigame_game::{Outcome, Side};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Who wins with best play, as the player to move sees it, and in how many plies; or by how much, in games
/// that end with a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The player to move wins in this many plies, and not sooner.
    Win(u16),
    /// Nobody can win.
    Draw,
    /// The player to move loses, after this many plies at the most.
    Loss(u16),
    /// The player to move ends with this many more points, and not with more; not 0.
    Ahead(u16),
    /// The player to move ends with this many fewer points, and not with fewer; not 0.
    Behind(u16),
}

/// Nobody can win, or not known yet.
pub(crate) const OPEN: u16 = 0;
/// No position: two pieces on one field, or one that cannot occur.
pub(crate) const NONE: u16 = 1;
/// The longest win or loss in plies, or the greatest margin, that has a number.
pub(crate) const LONGEST: u16 = 32_000;

impl Standing {
    /// The number.
    pub(crate) fn code(self) -> u16 {
        match self {
            Standing::Draw => OPEN,
            Standing::Loss(number) | Standing::Behind(number) => 2 + 2 * number,
            Standing::Win(number) | Standing::Ahead(number) => 3 + 2 * number,
        }
    }

    /// From the number, in a game that ends with scores or in another one; nothing where there is no
    /// position.
    pub(crate) fn of_code(code: u16, scored: bool) -> Option<Standing> {
        match code {
            NONE => None,
            OPEN => Some(Standing::Draw),
            code => {
                let (won, number) = (code % 2 == 1, (code - 2) / 2);
                Some(match (won, scored) {
                    (true, false) => Standing::Win(number),
                    (true, true) => Standing::Ahead(number),
                    (false, false) => Standing::Loss(number),
                    (false, true) => Standing::Behind(number),
                })
            }
        }
    }

    /// How good it is for the winner, 0 being the best, and whether that is the player to move; nothing where
    /// nobody wins.
    pub(crate) fn level(self) -> Option<(u16, bool)> {
        match self {
            Standing::Draw => None,
            Standing::Win(plies) => Some((plies, true)),
            Standing::Loss(plies) => Some((plies, false)),
            Standing::Ahead(margin) => Some((LONGEST - margin, true)),
            Standing::Behind(margin) => Some((LONGEST - margin, false)),
        }
    }

    /// From the level.
    pub(crate) fn of_level(level: u16, wins: bool, scored: bool) -> Standing {
        match (wins, scored) {
            (true, false) => Standing::Win(level),
            (false, false) => Standing::Loss(level),
            (true, true) => Standing::Ahead(LONGEST - level),
            (false, true) => Standing::Behind(LONGEST - level),
        }
    }

    /// One move earlier, for the player who makes it; `same` says whether the same player is to move again.
    #[must_use]
    pub fn before(self, same: bool) -> Standing {
        match (self, same) {
            (Standing::Draw, _) => Standing::Draw,
            (Standing::Ahead(_) | Standing::Behind(_), true) => self,
            (Standing::Ahead(margin), false) => Standing::Behind(margin),
            (Standing::Behind(margin), false) => Standing::Ahead(margin),
            (Standing::Win(plies), true) | (Standing::Loss(plies), false) => Standing::Win(plies + 1),
            (Standing::Loss(plies), true) | (Standing::Win(plies), false) => Standing::Loss(plies + 1),
        }
    }

    /// The better the greater: quick wins before slow ones, slow losses before quick ones; or by the margin.
    pub fn rank(self) -> i32 {
        match self {
            Standing::Win(plies) => 1 + i32::from(u16::MAX) - i32::from(plies),
            Standing::Draw => 0,
            Standing::Ahead(margin) => margin.into(),
            Standing::Behind(margin) => -i32::from(margin),
            Standing::Loss(plies) => i32::from(plies) - i32::from(u16::MAX) - 1,
        }
    }

    /// A finished game, as that player sees it. Where games end with scores, nothing for an outcome without
    /// one, or with one that has no number.
    pub(crate) fn finished(outcome: Outcome, side: Side, scored: bool) -> Option<Standing> {
        if scored && outcome.winner().is_some() {
            let Outcome::Score(margin) = outcome else { return None };
            let size = u16::try_from(margin.unsigned_abs()).ok().filter(|&size| size <= LONGEST)?;
            let ahead = (margin > 0) == (side == Side::White);
            return Some(if ahead { Standing::Ahead(size) } else { Standing::Behind(size) });
        }
        Some(match outcome.worth_to(side).cmp(&0) {
            Ordering::Greater => Standing::Win(0),
            Ordering::Equal => Standing::Draw,
            Ordering::Less => Standing::Loss(0),
        })
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

/// For programs: `{"value": "win", "plies": 5}`, with `margin` where games end with a score, and
/// `{"value": "draw"}`.
impl Serialize for Standing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (value, number) = match self {
            Standing::Win(plies) => ("win", Some(("plies", plies))),
            Standing::Loss(plies) => ("loss", Some(("plies", plies))),
            Standing::Ahead(margin) => ("win", Some(("margin", margin))),
            Standing::Behind(margin) => ("loss", Some(("margin", margin))),
            Standing::Draw => ("draw", None),
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("value", value)?;
        if let Some((name, number)) = number {
            map.serialize_entry(name, number)?;
        }
        map.end()
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
            assert_eq!(Standing::of_code(standing.code(), false), Some(standing));
        }
        for standing in [Standing::Draw, Standing::Ahead(1), Standing::Behind(1), Standing::Ahead(LONGEST)] {
            assert_eq!(Standing::of_code(standing.code(), true), Some(standing));
        }
        assert_eq!(Standing::of_code(NONE, false), None);
    }

    #[test]
    fn players_hurry_to_win_and_not_to_lose() {
        let order =
            [Standing::Loss(1), Standing::Loss(8), Standing::Draw, Standing::Win(9), Standing::Win(2)];
        assert!(order.is_sorted());
        let margins = [Standing::Behind(8), Standing::Behind(2), Standing::Draw, Standing::Ahead(1)];
        assert!(margins.is_sorted());
        assert_eq!(Standing::Loss(4).before(false), Standing::Win(5));
        assert_eq!(Standing::Win(4).before(true), Standing::Win(5));
    }
}
