//! Refutation lines: for each root move the line that answered it in the iteration before is tried first
//! again.

use rustc_hash::FxHashMap;

/// Plies remembered for each root move.
const LENGTH: usize = 6;

/// The lines, by the key of the root move; each begins with the answer to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refutations {
    lines: FxHashMap<u64, Vec<u64>>,
}

impl Refutations {
    /// Copies the line of a root move into `line`, with the root move in front.
    pub fn load(&self, root_move: u64, line: &mut Vec<u64>) {
        line.clear();
        if let Some(answers) = self.lines.get(&root_move) {
            line.push(root_move);
            line.extend_from_slice(answers);
        }
    }

    /// Remembers the answers to a root move. A line that is not known keeps the old one.
    pub fn save(&mut self, root_move: u64, answers: impl Iterator<Item = u64>) {
        let mut answers = answers.take(LENGTH).peekable();
        if answers.peek().is_some() {
            let line = self.lines.entry(root_move).or_default();
            line.clear();
            line.extend(answers);
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.lines.clear();
    }
}
