//! Ctrl-C and SIGTERM: they stop the search that is running, which keeps its best result; otherwise they end
//! the program.
//!
//! The program that catches them calls [`Interrupt::press`] and does what it says; searches only look at a
//! flag.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody wants the search that is running to stop.
#[derive(Debug, Default)]
pub struct Interrupt {
    stop: AtomicBool,
    thinking: AtomicBool,
    /// Whether the search was stopped by [`stop`](Interrupt::stop), and nobody has pressed Ctrl-C yet.
    told: AtomicBool,
}

impl Interrupt {
    /// Nobody has pressed Ctrl-C, and no search is running.
    pub const fn new() -> Interrupt {
        let [stop, thinking, told] = [const { AtomicBool::new(false) }; 3];
        Interrupt { stop, thinking, told }
    }

    /// Searches that are running stop when it is set.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether Ctrl-C was pressed since the last search began; it counts once.
    pub fn take(&self) -> bool {
        self.stop.swap(false, Ordering::Relaxed)
    }

    /// Ctrl-C was pressed. Says whether the program has to end, since no search is running or this one does
    /// not stop.
    pub fn press(&self) -> bool {
        let told = self.told.swap(false, Ordering::Relaxed);
        let again = self.stop.swap(true, Ordering::Relaxed) && !told;
        again || !self.thinking.load(Ordering::Relaxed)
    }

    /// Stops the search that is running, if there is one: the program has heard that Ctrl-C will follow.
    pub fn stop(&self) {
        if self.thinking.load(Ordering::Relaxed) {
            self.told.store(true, Ordering::Relaxed);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// A search begins.
    pub fn thinking(&self) -> Thinking<'_> {
        self.stop.store(false, Ordering::Relaxed);
        self.told.store(false, Ordering::Relaxed);
        self.thinking.store(true, Ordering::Relaxed);
        Thinking(self)
    }
}

/// A search is running for as long as it lives.
#[derive(Debug)]
pub struct Thinking<'i>(&'i Interrupt);

impl Drop for Thinking<'_> {
    fn drop(&mut self) {
        self.0.thinking.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_press_stops_a_search_and_the_second_ends_the_program() {
        let interrupt = Interrupt::new();
        let thinking = interrupt.thinking();
        assert!(!interrupt.press() && interrupt.flag().load(Ordering::Relaxed));
        assert!(interrupt.press());
        drop(thinking);
        assert!(interrupt.take() && !interrupt.take());
    }

    #[test]
    fn the_press_that_was_foretold_does_not_end_the_program() {
        let interrupt = Interrupt::new();
        interrupt.stop();
        assert!(!interrupt.flag().load(Ordering::Relaxed), "nothing is searched");
        let _thinking = interrupt.thinking();
        interrupt.stop();
        assert!(interrupt.flag().load(Ordering::Relaxed));
        assert!(!interrupt.press());
        assert!(interrupt.press());
    }

    #[test]
    fn a_press_while_nothing_is_searched_ends_the_program() {
        let interrupt = Interrupt::new();
        drop(interrupt.thinking());
        assert!(interrupt.press());
        let _thinking = interrupt.thinking();
        assert!(!interrupt.flag().load(Ordering::Relaxed));
    }
}
