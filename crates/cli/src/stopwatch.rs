//! Measures time, also on a machine that does other things.

use std::time::Instant;

/// Runs from the moment it is made.
#[derive(Debug)]
pub struct Stopwatch {
    start: Instant,
    processor: Option<f64>,
}

impl Stopwatch {
    /// Starts.
    pub fn start() -> Stopwatch {
        Stopwatch { start: Instant::now(), processor: processor_seconds() }
    }

    /// Seconds that have passed.
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Seconds for which the threads of this process had a processor, added up; those that have passed where
    /// the system does not tell.
    pub fn processor_seconds(&self) -> f64 {
        match (self.processor, processor_seconds()) {
            (Some(before), Some(after)) if after > before => after - before,
            _ => self.seconds(),
        }
    }
}

/// For how many seconds the threads of this process had a processor so far.
#[cfg(target_os = "linux")]
fn processor_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

#[cfg(not(target_os = "linux"))]
fn processor_seconds() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_threads_count() {
        let watch = Stopwatch::start();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while processor_seconds().is_some_and(|now| now < watch.processor.unwrap_or(now) + 0.02) {}
            });
        });
        assert!(watch.processor_seconds() >= 0.02 || processor_seconds().is_none());
    }
}
