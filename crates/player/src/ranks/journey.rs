//! How long messages between two ranks take, and how far their clocks are apart.

use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use multigame_cluster::{Cluster, Rank};
use serde::{Deserialize, Serialize};

use super::conductor::reply;
use super::orders::{Order, Reply, Time, write};

/// Bytes of a small message, and of one that shows how fast the network is.
const SMALL: usize = 16;
const LARGE: usize = 1 << 20;
/// Messages of each size; the fastest counts, since others waited for something else.
const TRIES: [u32; 2] = [200, 10];
/// After this many tries both ranks sleep: a system that runs them on one core finds them another.
const TOGETHER: u32 = 20;
const SLEEP: Duration = Duration::from_millis(5);
/// Messages whose cost is measured together, and the time in which their answers have arrived.
const MANY: u32 = 500;
const ARRIVED: Duration = Duration::from_millis(100);
/// Questions for the time; the one that was answered fastest counts.
const QUESTIONS: u32 = 16;

/// How long messages between two ranks take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Journey {
    /// Of a small message, one way.
    pub latency: Duration,
    /// In bytes a second.
    pub bandwidth: f64,
}

impl Journey {
    /// Sends messages to another rank and back; both must be waiting for orders.
    pub(crate) fn between(cluster: &Cluster, other: Rank) -> anyhow::Result<Journey> {
        let small = round_trip(cluster, other, SMALL, TRIES[0])?;
        let large = round_trip(cluster, other, LARGE, TRIES[1])?;
        let seconds = large.saturating_sub(small).as_secs_f64().max(1e-9);
        Ok(Journey { latency: small / 2, bandwidth: 2.0 * LARGE as f64 / seconds })
    }
}

/// The time there and back of this many bytes, the shortest of several tries.
fn round_trip(cluster: &Cluster, other: Rank, bytes: usize, tries: u32) -> anyhow::Result<Duration> {
    let order = write(&Order::Echo(vec![0; bytes]));
    let mut shortest = Duration::MAX;
    for number in 0..tries {
        if number % TOGETHER == 0 {
            std::thread::sleep(SLEEP);
        }
        let start = Instant::now();
        cluster.send_order(other, order.clone());
        let Reply::Echo(back) = reply(cluster)?.1 else { bail!("an echo was expected") };
        ensure!(back.len() == bytes, "an echo of {bytes} bytes has {}", back.len());
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}

/// What a small message costs those who send and receive it, besides the time it is on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overhead {
    /// To send it.
    pub send: Duration,
    /// To take it.
    pub receive: Duration,
}

impl Overhead {
    /// Sends many messages to another rank without waiting, and takes all answers when they have arrived.
    pub(crate) fn of(cluster: &Cluster, other: Rank) -> anyhow::Result<Overhead> {
        let order = write(&Order::Echo(vec![0; SMALL]));
        let start = Instant::now();
        (0..MANY).for_each(|_| cluster.send_order(other, order.clone()));
        let send = start.elapsed() / MANY;
        std::thread::sleep(ARRIVED);
        let start = Instant::now();
        for _ in 0..MANY {
            reply(cluster)?;
        }
        Ok(Overhead { send, receive: start.elapsed() / MANY })
    }
}

/// By how much the clocks of a rank are ahead of those here, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The one that is used to measure, which begins when the rank does.
    pub own: i64,
    /// The one on the wall.
    pub wall: i64,
    /// How wrong both numbers may be.
    pub doubt: i64,
}

impl Clock {
    /// Asks a rank, and takes its answer for the middle of the journey.
    pub(super) fn of(cluster: &Cluster, rank: Rank, start: Instant) -> anyhow::Result<Clock> {
        let mut best = Clock { doubt: i64::MAX, ..Clock::default() };
        if rank == cluster.rank() {
            return Ok(Clock::default());
        }
        for _ in 0..QUESTIONS {
            let asked = Time::now(start);
            cluster.send_order(rank, write(&Order::Clock));
            let Reply::Time(there) = reply(cluster)?.1 else { bail!("a rank did not tell the time") };
            let doubt = (Time::now(start).own - asked.own) / 2;
            if doubt < best.doubt {
                let ahead = |there: i64, asked: i64| there.saturating_sub(asked).saturating_sub(doubt);
                best = Clock { own: ahead(there.own, asked.own), wall: ahead(there.wall, asked.wall), doubt };
            }
        }
        Ok(best)
    }
}
