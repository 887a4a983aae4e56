//! Ctrl-C: stops the search that is running, which keeps its best result; otherwise ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static THINKING: AtomicBool = AtomicBool::new(false);

/// What shells say of a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Searches that are running stop when it is set.
pub fn flag() -> &'static AtomicBool {
    &STOP
}

/// Whether Ctrl-C was pressed since the last search began; it counts once.
pub fn take() -> bool {
    STOP.swap(false, Ordering::Relaxed)
}

/// From now on Ctrl-C stops searches first.
pub fn catch() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        let again = STOP.swap(true, Ordering::Relaxed);
        if again || !THINKING.load(Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    })?;
    Ok(())
}

/// A search is running for as long as it lives.
#[derive(Debug)]
pub struct Thinking;

impl Thinking {
    /// A search begins.
    pub fn begin() -> Thinking {
        STOP.store(false, Ordering::Relaxed);
        THINKING.store(true, Ordering::Relaxed);
        Thinking
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        THINKING.store(false, Ordering::Relaxed);
    }
}
