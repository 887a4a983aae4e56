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

    /// Seconds for which this thread had a processor; those that have passed where the system does not tell.
    pub fn processor_seconds(&self) -> f64 {
        match (self.processor, processor_seconds()) {
            (Some(before), Some(after)) if after > before => after - before,
            _ => self.seconds(),
        }
    }
}

/// For how many seconds this thread had a processor so far.
#[cfg(target_os = "linux")]
fn processor_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
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
    fn sleeping_takes_no_processor() {
        let watch = Stopwatch::start();
        std::thread::sleep(std::time::Duration::from_millis(30));
        assert!(watch.seconds() >= 0.03);
        if processor_seconds().is_some() {
            assert!(watch.processor_seconds() <= watch.seconds());
        }
    }
}
