//! Who is next to whom, and how far it is from one processor to another.

use std::fmt;
use std::str::FromStr;

use multigame_parallel::WorkerId;
use serde::{Deserialize, Serialize};

/// A network of `processors` processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Topology {
    /// Everybody is next to everybody.
    Full,
    /// Each has two neighbours.
    Ring,
    /// Rows and columns, as square as the number allows.
    Grid,
    /// The same with the ends joined.
    Torus,
    /// The de Bruijn graph: neighbours are reached by shifting a bit into the number. The number of
    /// processors has to be a power of two.
    DeBruijn,
}

/// A network that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TopologyError(String);

const NAMES: [(&str, Topology); 5] = [
    ("full", Topology::Full),
    ("ring", Topology::Ring),
    ("grid", Topology::Grid),
    ("torus", Topology::Torus),
    ("debruijn", Topology::DeBruijn),
];

impl FromStr for Topology {
    type Err = TopologyError;

    fn from_str(text: &str) -> Result<Topology, TopologyError> {
        NAMES.iter().find(|(name, _)| *name == text).map(|&(_, topology)| topology).ok_or_else(|| {
            let names: Vec<&str> = NAMES.iter().map(|&(name, _)| name).collect();
            TopologyError(format!("there is no topology `{text}`; known are {}", names.join(", ")))
        })
    }
}

impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, _) = NAMES.iter().find(|(_, topology)| topology == self).expect("all are listed");
        f.write_str(name)
    }
}

impl Topology {
    /// Whether that many processors can be connected so.
    pub fn check(self, processors: u32) -> Result<(), TopologyError> {
        if self == Topology::DeBruijn && !processors.is_power_of_two() {
            let message = format!(
                "a de Bruijn network needs a power of two, not {processors} processors; use another `topology` or 1, 2, 4, 8..."
            );
            return Err(TopologyError(message));
        }
        Ok(())
    }

    /// Width of the grid: the greatest divisor up to the square root is its height.
    fn width(processors: u32) -> u32 {
        let height = (1..=processors.isqrt()).rev().find(|&height| processors.is_multiple_of(height));
        processors / height.unwrap_or(1)
    }

    /// The neighbours of a processor.
    pub fn neighbours(self, id: WorkerId, processors: u32) -> Vec<WorkerId> {
        let mut found: Vec<WorkerId> = match self {
            Topology::Full => (0..processors).collect(),
            Topology::Ring => vec![(id + 1) % processors, (id + processors - 1) % processors],
            Topology::Grid | Topology::Torus => {
                let width = Self::width(processors);
                let height = processors / width;
                let (x, y) = (id % width, id / width);
                let wraps = self == Topology::Torus;
                let mut found = Vec::new();
                let mut add = |ok: bool, x: u32, y: u32| {
                    if ok || wraps {
                        found.push(y % height * width + x % width);
                    }
                };
                add(x + 1 < width, x + 1, y);
                add(x > 0, x + width - 1, y);
                add(y + 1 < height, x, y + 1);
                add(y > 0, x, y + height - 1);
                found
            }
            Topology::DeBruijn => {
                let (mask, half) = (processors - 1, processors / 2);
                vec![(id << 1) & mask, (id << 1 | 1) & mask, id >> 1, id >> 1 | half]
            }
        };
        found.retain(|&other| other != id && other < processors);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The processors a message goes through on its way, the receiver included, the sender not.
    pub fn route(self, from: WorkerId, to: WorkerId, processors: u32, route: &mut Vec<WorkerId>) {
        route.clear();
        if from == to {
            return;
        }
        match self {
            Topology::Full => route.push(to),
            Topology::Ring => {
                let ahead = (to + processors - from) % processors;
                let step = if ahead <= processors / 2 { 1 } else { processors - 1 };
                walk(from, to, route, |at| (at + step) % processors);
            }
            Topology::Grid | Topology::Torus => {
                let width = Self::width(processors);
                let height = processors / width;
                let wraps = self == Topology::Torus;
                let next = |at: u32, to: u32, size: u32| {
                    let ahead = (to + size - at) % size;
                    let forward = if wraps { ahead <= size / 2 } else { to > at };
                    if forward { (at + 1) % size } else { (at + size - 1) % size }
                };
                walk(from, to, route, |at| {
                    let (x, y) = (at % width, at / width);
                    if x != to % width {
                        y * width + next(x, to % width, width)
                    } else {
                        next(y, to / width, height) * width + x
                    }
                });
            }
            Topology::DeBruijn => de_bruijn(from, to, processors, route),
        }
    }
}

fn walk(from: u32, to: u32, route: &mut Vec<u32>, step: impl Fn(u32) -> u32) {
    let mut at = from;
    while at != to {
        at = step(at);
        route.push(at);
    }
}

/// Shifts left or right, whichever needs fewer bits: as many as the end of one number is not the beginning of
/// the other.
fn de_bruijn(from: u32, to: u32, processors: u32, route: &mut Vec<u32>) {
    let bits = processors.trailing_zeros();
    let mask = processors - 1;
    let left = (0..=bits).find(|&n| (from << n) & mask & !((1 << n) - 1) == to & !((1 << n) - 1) & mask);
    let right = (0..=bits).find(|&n| from >> n == to & (mask >> n));
    let (left, right) = (left.unwrap_or(bits), right.unwrap_or(bits));
    let mut at = from;
    for step in 0..left.min(right) {
        at = if left <= right {
            (at << 1 | to >> (left - 1 - step) & 1) & mask
        } else {
            let bit = to >> (bits - right + step) & 1;
            at >> 1 | bit << (bits - 1)
        };
        route.push(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Topology; 5] =
        [Topology::Full, Topology::Ring, Topology::Grid, Topology::Torus, Topology::DeBruijn];

    #[test]
    fn routes_go_from_neighbour_to_neighbour_and_arrive() {
        let mut route = Vec::new();
        for topology in ALL {
            for processors in [1, 2, 4, 8, 16, 32, 64] {
                for (from, to) in (0..processors).flat_map(|a| (0..processors).map(move |b| (a, b))) {
                    topology.route(from, to, processors, &mut route);
                    let mut at = from;
                    for &next in &route {
                        let near = topology.neighbours(at, processors).contains(&next) || next == at;
                        assert!(near, "{topology} {processors}: {from} -> {to} by {route:?}");
                        at = next;
                    }
                    assert_eq!(at, to, "{topology} {processors}");
                }
            }
        }
    }

    #[test]
    fn distances_are_those_of_the_literature() {
        let mean = |topology: Topology, processors: u32| {
            let mut route = Vec::new();
            let mut sum = 0;
            for (from, to) in (0..processors).flat_map(|a| (0..processors).map(move |b| (a, b))) {
                topology.route(from, to, processors, &mut route);
                sum += route.len();
            }
            sum as f64 / f64::from(processors).powi(2)
        };
        assert!((mean(Topology::Torus, 256) - 8.0).abs() < 0.01);
        assert!((mean(Topology::Grid, 256) - 10.6).abs() < 0.05);
        // Shifting one way only is a little longer than the shortest way, 5.0.
        let de_bruijn = mean(Topology::DeBruijn, 256);
        assert!((5.0..6.5).contains(&de_bruijn), "{de_bruijn}");
    }

    #[test]
    fn bad_networks_are_refused() {
        assert!(Topology::DeBruijn.check(24).unwrap_err().to_string().contains("power of two"));
        assert!("star".parse::<Topology>().unwrap_err().to_string().contains("debruijn"));
    }
}
