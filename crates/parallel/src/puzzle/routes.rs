//! Which positions travel to their homes, and on which way: the settings of transposition-driven scheduling.
//!
//! ```text
//! tds:stride=4:relay=on
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::worker::WorkerId;

/// How positions go home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Homes {
    /// Every this many moves a position goes home. In between it stays with the worker that made it, which
    /// looks it up in its own part of the table: fewer messages, but two workers may search the same.
    pub stride: u32,
    /// Whether a position is sent to a worker in the row of its sender and the column of its home first,
    /// which passes it on. A worker writes to few others then, so that its letters are fuller.
    pub relay: bool,
}

impl Homes {
    /// As in the thesis.
    pub const USUAL: Homes = Homes { stride: 1, relay: false };

    /// Whether a position with this many moves left goes home.
    pub(super) fn travels(self, left: u32) -> bool {
        left.is_multiple_of(self.stride)
    }

    /// Where a worker sends a position that is at home at another one.
    pub(super) fn next(self, me: WorkerId, home: WorkerId, workers: u32) -> WorkerId {
        if !self.relay {
            return home;
        }
        let columns = workers.isqrt();
        let (row, column) = (|id: WorkerId| id / columns, |id: WorkerId| id % columns);
        if row(me) == row(home) || column(me) == column(home) {
            return home;
        }
        let between = row(me) * columns + column(home);
        // The last row may be shorter than the others.
        if between < workers { between } else { row(home) * columns + column(me) }
    }

    /// Reads settings like `stride=4:relay=on`; says what is wrong with them.
    pub fn parse(text: &str) -> Result<Homes, String> {
        let mut homes = Homes::USUAL;
        for setting in text.split(':') {
            match setting.split_once('=') {
                Some(("stride", number)) => {
                    let stride = number.parse().ok().filter(|stride| (1..=1000).contains(stride));
                    homes.stride = stride
                        .ok_or_else(|| format!("`{number}` is not a number of moves; use 1 or more"))?;
                }
                Some(("relay", "on")) => homes.relay = true,
                Some(("relay", "off")) => homes.relay = false,
                Some(("relay", other)) => {
                    return Err(format!("`relay` is on or off, not `{other}`; use `relay=on`"));
                }
                _ => {
                    return Err(format!(
                        "`{setting}` is not a setting of `tds`; use `stride=N` or `relay=on`"
                    ));
                }
            }
        }
        Ok(homes)
    }
}

impl Default for Homes {
    fn default() -> Homes {
        Homes::USUAL
    }
}

impl fmt::Display for Homes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.stride != Homes::USUAL.stride {
            write!(f, ":stride={}", self.stride)?;
        }
        if self.relay { f.write_str(":relay=on") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_comes_home_in_two_steps() {
        let relay = Homes { relay: true, ..Homes::USUAL };
        for workers in [1, 2, 3, 5, 16, 23, 128, 130] {
            for (me, home) in (0..workers).flat_map(|me| (0..workers).map(move |home| (me, home))) {
                let next = relay.next(me, home, workers);
                assert!(next < workers && next != me || me == home, "{me} to {home} of {workers}: {next}");
                assert_eq!(relay.next(next, home, workers), home, "{me} to {home} of {workers}");
                assert_eq!(Homes::USUAL.next(me, home, workers), home);
            }
        }
    }

    #[test]
    fn workers_write_to_few_others() {
        let relay = Homes { relay: true, ..Homes::USUAL };
        let next: std::collections::BTreeSet<_> = (1..128).map(|home| relay.next(0, home, 128)).collect();
        assert!(next.len() < 25, "{}", next.len());
    }

    #[test]
    fn settings_are_read_as_they_are_written() {
        for text in ["stride=4", "relay=on", "stride=2:relay=on"] {
            assert_eq!(Homes::parse(text).unwrap().to_string(), format!(":{text}"));
        }
        for wrong in ["stride=0", "stride=many", "relay=yes", "depth=3", ""] {
            assert!(Homes::parse(wrong).unwrap_err().contains("use"), "{wrong}");
        }
        assert_eq!((1..=6).filter(|&left| Homes { stride: 3, ..Homes::USUAL }.travels(left)).count(), 2);
    }
}
