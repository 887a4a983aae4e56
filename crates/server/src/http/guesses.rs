//! Wrong tokens: who gives too many of them has to wait, so that guessing takes for ever.
//!
//! While an address has to wait, nothing that it brings is looked at, not even the right token: an answer
//! that comes at once would tell that the guess was wrong. A browser that sends an old cookie again and again
//! does not guess: the same wrong token counts once.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Wrong tokens that cost nothing.
const FREE: u32 = 5;
/// The wait after the next one; it doubles each time.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// No wait is longer.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// After this time without a wrong token all is forgotten.
const FORGET: Duration = Duration::from_secs(15 * 60);
/// Addresses that are remembered.
const MOST: usize = 4096;

/// What is known of wrong tokens.
#[derive(Debug, Default)]
pub struct Guesses(Mutex<HashMap<IpAddr, Guesser>>);

#[derive(Debug)]
struct Guesser {
    /// Different wrong tokens.
    wrong: u32,
    /// The last one.
    token: Vec<u8>,
    /// When it came.
    last: Instant,
}

/// What to say to somebody who brings a token.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the right one.
    Right,
    /// It is not.
    Wrong,
    /// Nobody has looked at it; there may be another try after this time.
    Wait(Duration),
}

impl Guesses {
    /// Looks at a token, if it may be looked at. `is_right` is asked at most once.
    pub fn judge(
        &self,
        from: IpAddr,
        now: Instant,
        token: &[u8],
        is_right: impl FnOnce(&[u8]) -> bool,
    ) -> Verdict {
        let mut all = self.0.lock().expect("nobody panics here");
        let from = household(from);
        let known = all.get(&from).filter(|guesser| now.duration_since(guesser.last) < FORGET);
        if let Some(guesser) = known {
            if guesser.token == token {
                return Verdict::Wrong;
            }
            let left = guesser.wait().saturating_sub(now.duration_since(guesser.last));
            if !left.is_zero() {
                return Verdict::Wait(left);
            }
        }
        if is_right(token) {
            return Verdict::Right;
        }
        let wrong = known.map_or(0, |guesser| guesser.wrong) + 1;
        make_room(&mut all, now);
        all.insert(from, Guesser { wrong, token: token.to_vec(), last: now });
        Verdict::Wrong
    }
}

impl Guesser {
    /// How long this one has to wait after the last wrong token.
    fn wait(&self) -> Duration {
        match self.wrong.checked_sub(FREE) {
            None => Duration::ZERO,
            Some(more) => FIRST_WAIT.saturating_mul(1 << more.min(10)).min(LONGEST_WAIT),
        }
    }
}

/// Those who have been quiet for the longest time are forgotten first.
fn make_room(all: &mut HashMap<IpAddr, Guesser>, now: Instant) {
    if all.len() < MOST {
        return;
    }
    all.retain(|_, guesser| now.duration_since(guesser.last) < FORGET);
    while all.len() >= MOST {
        let oldest = all.iter().min_by_key(|(_, guesser)| guesser.last).map(|(from, _)| *from);
        oldest.and_then(|from| all.remove(&from));
    }
}

/// A client with one IPv6 address has 2 to the power of 64 of them.
fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: &[u8] = b"correct-horse";

    struct Attack {
        guesses: Guesses,
        start: Instant,
    }

    impl Attack {
        fn new() -> Attack {
            Attack { guesses: Guesses::default(), start: Instant::now() }
        }

        fn at(&self, second: u64, from: &str, token: &[u8]) -> Verdict {
            let now = self.start + Duration::from_secs(second);
            self.guesses.judge(from.parse().unwrap(), now, token, |token| token == RIGHT)
        }
    }

    #[test]
    fn guessing_becomes_slow_and_nothing_is_told_meanwhile() {
        let attack = Attack::new();
        for guess in 0..5 {
            assert_eq!(attack.at(0, "10.0.0.1", &[guess]), Verdict::Wrong);
        }
        assert_eq!(attack.at(0, "10.0.0.1", b"next"), Verdict::Wait(Duration::from_secs(1)));
        assert_eq!(attack.at(0, "10.0.0.1", RIGHT), Verdict::Wait(Duration::from_secs(1)));
        assert_eq!(attack.at(0, "10.0.0.2", RIGHT), Verdict::Right, "others are not meant");
        assert_eq!(attack.at(1, "10.0.0.1", b"next"), Verdict::Wrong);
        assert_eq!(attack.at(2, "10.0.0.1", RIGHT), Verdict::Wait(Duration::from_secs(1)));
        assert_eq!(attack.at(3, "10.0.0.1", RIGHT), Verdict::Right);
        // In a day there are less than 1500 guesses.
        let wrong = |second| attack.at(second, "10.0.0.1", &u64::to_le_bytes(second)) == Verdict::Wrong;
        assert!((4..86_400).filter(|&second| wrong(second)).count() < 1500);
    }

    #[test]
    fn an_old_cookie_is_no_guess() {
        let attack = Attack::new();
        for second in 0..100 {
            assert_eq!(attack.at(second, "10.0.0.1", b"yesterday"), Verdict::Wrong);
        }
        assert_eq!(attack.at(100, "10.0.0.1", RIGHT), Verdict::Right);
    }

    #[test]
    fn a_network_is_one_guesser_and_many_are_forgotten() {
        let attack = Attack::new();
        for guess in 0..5u8 {
            assert_eq!(attack.at(0, &format!("2001:db8::{guess}"), &[guess]), Verdict::Wrong);
        }
        assert!(matches!(attack.at(0, "2001:db8::99", b"x"), Verdict::Wait(_)));
        assert_eq!(attack.at(0, "2001:db8:0:1::1", b"x"), Verdict::Wrong);
        for guess in 0..10_000u32 {
            attack.at(0, &std::net::Ipv4Addr::from_bits(guess).to_string(), b"x");
        }
        assert!(attack.guesses.0.lock().unwrap().len() <= MOST);
    }
}
