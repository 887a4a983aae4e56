//! Which parts of the rules are used: what the commands that report it have in common.

use multigame_analysis::Unused;
use multigame_game::{Diagram, Game};
use multigame_ir::{Program, RulesGame};

/// More positions are not looked at: the interpreter needs about a millisecond for one of chess.
const POSITIONS: usize = 4000;

/// A part of the rules on one line, shortened; of a game that these rules are based on, the line where it
/// begins.
pub fn snippet(text: &str, part: &multigame_ir::Unused) -> String {
    let other = |name| multigame_library::rules(name).or_else(|| multigame_library::library(name));
    let base = part.rule.split_once(": ").and_then(|(base, _)| other(base));
    let part = match &base {
        Some(base) => base.lines().nth(part.line as usize - 1),
        None => text.get(part.span.0 as usize..part.span.1 as usize),
    };
    let words: Vec<&str> = part.unwrap_or_default().split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line,
    }
}

/// An even choice of the positions of many games, whoever plays them.
#[derive(Debug)]
pub struct Chosen {
    diagrams: Vec<Diagram>,
    /// One in this many positions is kept.
    step: usize,
    seen: usize,
}

impl Default for Chosen {
    fn default() -> Self {
        Chosen { diagrams: Vec::new(), step: 1, seen: 0 }
    }
}

impl Chosen {
    /// Looks at the next position, and keeps it if it is its turn.
    pub fn add(&mut self, diagram: impl FnOnce() -> Diagram) {
        if self.seen.is_multiple_of(self.step) {
            if self.diagrams.len() == POSITIONS {
                let mut number = 0;
                self.diagrams.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
                self.step *= 2;
            }
            if self.seen.is_multiple_of(self.step) {
                self.diagrams.push(diagram());
            }
        }
        self.seen += 1;
    }

    /// The parts of the rules that have no result in any of these positions.
    pub fn unused(&self, program: Program, text: &str) -> anyhow::Result<Vec<Unused>> {
        let game = RulesGame::counting(program);
        for diagram in &self.diagrams {
            game.count(&game.position(diagram))?;
        }
        let parts = game.coverage().map_or_else(Vec::new, |coverage| coverage.unused);
        let of = |part: &multigame_ir::Unused| Unused {
            rule: part.rule.clone(),
            line: part.line,
            text: snippet(text, part),
            tried: part.tried,
        };
        Ok(parts.iter().map(of).collect())
    }
}

#[cfg(test)]
mod tests {
    use multigame_game::Side;

    use super::*;

    #[test]
    fn positions_are_chosen_evenly() {
        let mut chosen = Chosen::default();
        let number =
            |number: usize| Diagram { cells: Vec::new(), values: vec![number as i32], side: Side::White };
        for index in 0..5 * POSITIONS {
            chosen.add(|| number(index));
        }
        let kept: Vec<usize> = chosen.diagrams.iter().map(|diagram| diagram.values[0] as usize).collect();
        assert!(kept.len() > POSITIONS / 2 && kept.len() <= POSITIONS);
        assert!(kept.windows(2).all(|pair| pair[1] - pair[0] == chosen.step), "{kept:?}");
    }
}
