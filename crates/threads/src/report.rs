//! What the threads of a search did.

use std::time::Duration;

use multigame_parallel::{Activity, Counters, PolicyKind, Span};
use multigame_search::Statistics;
use serde::{Deserialize, Serialize};

/// What one thread did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HandReport {
    /// Counted in the tree.
    pub statistics: Statistics,
    /// Counted besides.
    pub counters: Counters,
    /// Time without work.
    pub idle: Duration,
}

/// What a process sent to the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Messages.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Letters between workers in them, by kind.
    pub letters: Vec<(String, u64)>,
}

impl Traffic {
    /// Adds letters.
    pub fn add<'k>(&mut self, letters: impl IntoIterator<Item = (&'k str, u64)>) {
        for (kind, count) in letters {
            match self.letters.iter_mut().find(|(known, _)| known == kind) {
                Some((_, sum)) => *sum += count,
                None => self.letters.push((kind.to_string(), count)),
            }
        }
    }

    /// What was sent since an earlier time.
    pub fn since(&self, before: &Traffic) -> Traffic {
        let earlier =
            |kind: &str| before.letters.iter().find(|(known, _)| known == kind).map_or(0, |it| it.1);
        let letters = self.letters.iter().map(|(kind, count)| (kind.clone(), count - earlier(kind)));
        Traffic {
            messages: self.messages - before.messages,
            bytes: self.bytes - before.bytes,
            letters: letters.filter(|(_, count)| *count > 0).collect(),
        }
    }
}

/// What one process of several did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessReport {
    /// What people call it: its rank and its host.
    pub name: String,
    /// Its threads.
    pub hands: Vec<HandReport>,
    /// What it sent.
    pub traffic: Traffic,
    /// When its threads worked, if that was asked for.
    pub spans: Vec<Span>,
}

/// What all of them did.
#[derive(Clone, Debug, PartialEq)]
pub struct CrewReport {
    /// How the work was divided, where there are several ways.
    pub policy: Option<PolicyKind>,
    /// The threads.
    pub hands: Vec<HandReport>,
    /// How long it took.
    pub time: Duration,
    /// Work W: nodes of all threads.
    pub work: u64,
    /// Critical path C, in nodes; nothing for policies that do not measure it.
    pub critical: Option<u64>,
    /// When each thread worked, if that was asked for.
    pub spans: Vec<Span>,
    /// What the processes sent, by name, if there were several. The threads of each stand one after the other
    /// in `hands`.
    pub processes: Vec<(String, Traffic)>,
}

impl CrewReport {
    /// The report of threads that never wait: each works from the beginning to the end.
    pub(crate) fn of_busy(
        policy: Option<PolicyKind>,
        counted: impl IntoIterator<Item = Statistics>,
        time: Duration,
        trace: bool,
    ) -> CrewReport {
        let hands: Vec<HandReport> = counted
            .into_iter()
            .map(|statistics| HandReport { statistics, counters: Counters::default(), idle: Duration::ZERO })
            .collect();
        let work = hands.iter().map(|hand| hand.statistics.nodes).sum();
        let traced = if trace { hands.len() as u32 } else { 0 };
        let spans = (0..traced)
            .map(|processor| Span {
                processor,
                from: 0,
                to: time.as_nanos() as u64,
                activity: Activity::Work,
            })
            .collect();
        CrewReport { policy, hands, time, work, critical: None, spans, processes: Vec::new() }
    }

    /// The share of the threads' time that was not idle, from 0 to 1.
    pub fn load(&self) -> f64 {
        let all = self.time.as_secs_f64() * self.hands.len() as f64;
        let idle: f64 = self.hands.iter().map(|hand| hand.idle.as_secs_f64()).sum();
        if all > 0.0 { (1.0 - idle / all).max(0.0) } else { 1.0 }
    }

    /// Average parallelism W/C.
    pub fn parallelism(&self) -> Option<f64> {
        self.critical.map(|critical| self.work as f64 / critical.max(1) as f64)
    }

    /// All counters together.
    pub fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        for hand in &self.hands {
            sum += hand.counters;
        }
        sum
    }
}
