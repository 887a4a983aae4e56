//! How far a command has come: a bar with the rate and the time left where the end is known, a count where it
//! is not, or a line of news. Front ends use it; everything below them takes a callback.
//!
//! On a terminal one line of standard error changes in place, and is gone when the work is done. Elsewhere,
//! and where `TERM` is `dumb`, a line is written now and then, so that logs tell the same. Nothing is
//! coloured, which is what `NO_COLOR` asks for.

#![forbid(unsafe_code)]
#![allow(clippy::disallowed_methods, reason = "a part of front ends: it writes to standard error")]

use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

pub mod terminal;

/// Between two lines where nothing can change in place.
const PAUSE: Duration = Duration::from_secs(10);

/// A display of progress; see the crate. Dropping it clears the line.
pub struct Progress {
    name: String,
    of: Option<u64>,
    start: Instant,
    view: View,
}

enum View {
    /// A line that changes in place.
    Live(ProgressBar),
    /// A new line now and then.
    Lines { next: Instant, out: Box<dyn Write + Send> },
}

/// Whether a person sees standard error on a terminal on which a line can change in place.
pub fn is_live() -> bool {
    can_change(terminal::sees_errors(), std::env::var("TERM").ok().as_deref())
}

fn can_change(terminal: bool, term: Option<&str>) -> bool {
    terminal && term != Some("dumb")
}

impl Progress {
    /// Work whose end is known: `of` steps.
    pub fn counting(name: &str, of: u64) -> Progress {
        let bar = || {
            ProgressBar::new(of)
                .with_style(style("{prefix}: {wide_bar} {pos} of {len}, {per_sec}, {eta} left {msg}"))
        };
        Progress::new(name, Some(of), bar)
    }

    /// Work whose end is not known.
    pub fn open_ended(name: &str) -> Progress {
        Progress::new(name, None, || {
            ProgressBar::no_length().with_style(style("{prefix}: {human_pos}, {per_sec} {msg}"))
        })
    }

    /// A line of news only. Where it cannot change in place nothing is shown.
    pub fn news() -> Progress {
        Progress::new("", None, || ProgressBar::no_length().with_style(style("{wide_msg}")))
    }

    fn new(name: &str, of: Option<u64>, bar: impl FnOnce() -> ProgressBar) -> Progress {
        let view = match is_live() {
            true => View::Live(bar().with_prefix(name.to_string())),
            false => View::Lines { next: Instant::now() + PAUSE, out: Box::new(std::io::stderr()) },
        };
        Progress { name: name.to_string(), of, start: Instant::now(), view }
    }

    /// This many steps are done.
    pub fn at(&mut self, done: u64) {
        match &mut self.view {
            View::Live(bar) => bar.set_position(done),
            View::Lines { next, out } => {
                if Instant::now() < *next {
                    return;
                }
                *next = Instant::now() + PAUSE;
                let text = line(&self.name, done, self.of, self.start.elapsed());
                // Progress that cannot be shown is not a reason to stop.
                let _ = writeln!(out, "{text}");
            }
        }
    }

    /// Shows news beside the count; where lines cannot change, news are left out.
    pub fn say(&mut self, news: &str) {
        if let View::Live(bar) = &self.view {
            bar.set_message(news.to_string());
        }
    }

    /// Does something that writes elsewhere, with the line out of the way.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.view {
            View::Live(bar) => bar.suspend(write),
            View::Lines { .. } => write(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let View::Live(bar) = &self.view {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("a template of this file").progress_chars("=> ")
}

/// What a line says where nothing can change in place.
fn line(name: &str, done: u64, of: Option<u64>, time: Duration) -> String {
    let rate = done as f64 / time.as_secs_f64().max(1e-9);
    let Some(of) = of else { return format!("{name}: {done}, {rate:.1}/s") };
    let left = match done {
        0 => "time left not known".to_string(),
        _ => {
            let seconds = of.saturating_sub(done) as f64 / rate;
            format!("{} left", HumanDuration(Duration::from_secs_f64(seconds)))
        }
    };
    format!("{name}: {done} of {of}, {rate:.1}/s, {left}")
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_tell_count_rate_and_time_left() {
        let time = Duration::from_secs(10);
        assert_eq!(line("games", 20, Some(50), time), "games: 20 of 50, 2.0/s, 15 seconds left");
        assert_eq!(line("games", 0, Some(50), time), "games: 0 of 50, 0.0/s, time left not known");
        assert_eq!(line("games", 60, Some(50), time), "games: 60 of 50, 6.0/s, 0 seconds left");
        assert_eq!(line("positions", 35, None, time), "positions: 35, 3.5/s");
    }

    #[test]
    fn without_a_terminal_a_line_comes_only_now_and_then() {
        let paper = Paper::default();
        let view = View::Lines { next: Instant::now(), out: Box::new(paper.clone()) };
        let mut progress = Progress { name: "games".into(), of: Some(9), start: Instant::now(), view };
        for done in 0..9 {
            progress.at(done);
            progress.say("not shown");
        }
        drop(progress);
        let text = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text, "games: 0 of 9, 0.0/s, time left not known\n");
    }

    #[test]
    fn dumb_terminals_get_lines() {
        assert!(can_change(true, Some("xterm")) && can_change(true, None));
        assert!(!can_change(true, Some("dumb")) && !can_change(false, Some("xterm")));
    }

    #[test]
    fn every_template_is_one() {
        for progress in [Progress::counting("a", 3), Progress::open_ended("b"), Progress::news()] {
            drop(progress);
        }
        style("{prefix}: {wide_bar} {pos} of {len}, {per_sec}, {eta} left {msg}");
        style("{prefix}: {human_pos}, {per_sec} {msg}");
        style("{wide_msg}");
    }
}
