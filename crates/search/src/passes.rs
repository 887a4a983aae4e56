//! The passes of a search: which depths are searched in turn, and with which window the root is asked at
//! each.
//!
//! Nothing here searches, so that sequential and parallel searches deepen in the same way.

use crate::kernel::Found;
use crate::{Bounds, Engine, Options, Value, Window};

/// More passes than any sound MTD(f) needs.
const MAX_PASSES: u32 = 1000;

/// The depths of the iterations; the last one is the depth asked for. `step` is [`Options::deepening`].
pub fn depths(depth: u32, step: u32) -> impl Iterator<Item = u32> + Clone {
    let first = match step {
        0 => depth,
        1 => 1.min(depth),
        _ => 2 - depth % 2,
    };
    (first.min(depth)..=depth).step_by(step.max(1) as usize)
}

/// Whether deeper iterations cannot change what was found.
pub fn decided(found: Found, depth: u32, options: &Options) -> bool {
    let shortest = found.bounds.lower.plies().is_some_and(|plies| plies <= depth);
    // Pruning may overlook a defence, not invent a win.
    let sound = found.bounds.lower.is_win() || !(options.null_move || options.reductions || options.futility);
    found.bounds.is_exact() && (found.complete || (shortest && sound))
}

/// The passes of one iteration: a full window, an aspiration window and its repetitions, or MTD(f)'s zero
/// windows.
#[derive(Clone, Debug)]
pub struct Passes {
    mtdf: bool,
    window: Window,
    /// Passes made that did not decide; for MTD(f) all.
    passes: u32,
    counts: bool,
    /// The bounds that MTD(f) has collected.
    bounds: Bounds,
    lower_complete: bool,
    upper_complete: bool,
}

impl Passes {
    /// An iteration of that depth after one that gave `last`.
    pub fn new(depth: u32, last: Option<Value>, options: &Options) -> Passes {
        let mtdf = options.engine == Engine::Mtdf;
        let window = match last {
            last if mtdf => zero_window(last.unwrap_or(Value::DRAW), Bounds::UNKNOWN),
            Some(value) if options.aspiration => aspire(depth, value, options),
            _ => Window::FULL,
        };
        Passes {
            mtdf,
            window,
            passes: 0,
            counts: false,
            bounds: Bounds::UNKNOWN,
            lower_complete: false,
            upper_complete: false,
        }
    }

    /// The next question.
    pub fn window(&self) -> Window {
        self.window
    }

    /// Whether the last pass counts as one more than needed ([`crate::Statistics::root_passes`]).
    pub fn counts(&self) -> bool {
        self.counts
    }

    /// Whether the best line of a pass is to be kept even if passes after it know none.
    pub fn keeps_line(&self, found: Found, asked: Window) -> bool {
        self.mtdf && (found.bounds.lower >= asked.beta || self.bounds.is_exact())
    }

    /// Takes the answer of a pass. The iteration is over when there is one; `matters` is the window outside
    /// of which nobody wants to know more.
    pub fn absorb(&mut self, found: Found, asked: Window, matters: Window) -> Option<Found> {
        self.passes += 1;
        if self.mtdf {
            self.counts = true;
            return self.close_in(found, asked, matters);
        }
        self.counts = false;
        if found.bounds.decides(matters) {
            return Some(found);
        }
        self.counts = true;
        if self.window == Window::FULL {
            return Some(found);
        }
        // Entries deeper than needed can make a value jump to and fro between two windows.
        self.window = if self.passes > 2 {
            Window::FULL
        } else if found.bounds.lower >= asked.beta {
            Window { alpha: found.bounds.lower - 1, beta: Value::INFINITE }
        } else if found.bounds.upper <= asked.alpha {
            Window { alpha: -Value::INFINITE, beta: found.bounds.upper + 1 }
        } else {
            Window::FULL
        };
        None
    }

    fn close_in(&mut self, found: Found, asked: Window, matters: Window) -> Option<Found> {
        if found.bounds.lower > self.bounds.lower {
            self.lower_complete = found.complete;
        }
        if found.bounds.upper < self.bounds.upper {
            self.upper_complete = found.complete;
        }
        self.bounds = self.bounds.and(found.bounds);
        if self.bounds.decides(matters) || self.passes > MAX_PASSES {
            let complete = self.lower_complete && self.upper_complete;
            return Some(Found { bounds: self.bounds, complete });
        }
        let failed_high = found.bounds.lower >= asked.beta;
        let guess = if failed_high { self.bounds.lower } else { self.bounds.upper };
        // Entries deeper than needed can contradict each other; then the last pass is a full search.
        self.window = if self.passes < MAX_PASSES { zero_window(guess, self.bounds) } else { Window::FULL };
        None
    }
}

fn zero_window(guess: Value, bounds: Bounds) -> Window {
    Window::above(guess.max(bounds.lower + 1) - 1)
}

/// The window around the value of the last iteration. The side that is to move at the horizon gains by it, so
/// values swing up with odd depths and down with even ones: that side gets the wider half.
fn aspire(depth: u32, value: Value, options: &Options) -> Window {
    let (narrow, wide) = (options.aspiration_narrow, options.aspiration_wide);
    if depth % 2 == 1 {
        Window { alpha: value - narrow, beta: value + wide }
    } else {
        Window { alpha: value - wide, beta: value + narrow }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_end_at_the_depth_asked_for() {
        let all = |depth, step| depths(depth, step).collect::<Vec<_>>();
        assert_eq!(all(4, 1), [1, 2, 3, 4]);
        assert_eq!(all(5, 2), [1, 3, 5]);
        assert_eq!(all(6, 2), [2, 4, 6]);
        assert_eq!(all(6, 0), [6]);
        assert_eq!(all(0, 1), [0]);
        assert_eq!(all(1, 2), [1]);
        assert_eq!(all(0, 2), [0]);
    }

    #[test]
    fn odd_iterations_look_upwards() {
        let window = aspire(3, Value::DRAW, &Options::default());
        assert_eq!((window.alpha.number(), window.beta.number()), (-10, 25));
        let window = aspire(4, Value::DRAW, &Options::default());
        assert_eq!((window.alpha.number(), window.beta.number()), (-25, 10));
    }
}
