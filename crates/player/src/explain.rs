//! A value term by term, as people and programs read it.

use std::fmt::Write;

use multigame_game::{Game, Purpose, RulesError, Share, Side};
use multigame_search::{Evaluator, RulesEvaluator};
use serde_json::json;

/// What a position is worth, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The evaluation's name.
    pub evaluation: String,
    /// For whom the value is.
    pub side: Side,
    /// What the number means.
    pub purpose: Purpose,
    /// The phase and its range, the end of the game first.
    pub phase: Option<(i32, (i32, i32))>,
    /// The shares of the terms.
    pub shares: Vec<Share>,
    /// The value.
    pub value: i32,
}

/// Judges a position in which the game goes on.
pub fn explain<G: Game>(
    game: &G,
    position: &G::Position,
    evaluator: &RulesEvaluator,
) -> Result<Explained, RulesError> {
    let side = game.side_to_move(position);
    let evaluation = evaluator.name().to_string();
    if let Some(appraiser) = evaluator.appraiser() {
        let mut explanation = appraiser.explain(game, position)?;
        if let Some(learned) = evaluator.learned() {
            let more = learned.value(game, position);
            explanation.shares.push(plain_share(learned.name(), None, more));
            explanation.value += more;
        }
        return Ok(Explained {
            evaluation,
            side,
            purpose: appraiser.evaluation().purpose,
            phase: explanation.phase.zip(appraiser.evaluation().phase),
            shares: explanation.shares,
            value: explanation.value,
        });
    }
    let purpose = if game.description().players == 1 { Purpose::Bound } else { Purpose::Worth };
    let mut shares = Vec::new();
    let mut add = |name, count, value| shares.push(plain_share(name, count, value));
    let standard = evaluator.standard();
    if purpose == Purpose::Worth && evaluator.name() != "random" {
        let material = standard.material(game, position);
        add("material", None, if side == Side::White { material } else { -material });
        if standard.knows_goals() {
            let nearness = standard.nearness(game, position);
            add("near goals", None, if side == Side::White { nearness } else { -nearness });
        }
        if standard.counts_moves() {
            let moves = game.count(position)?;
            add("moves", i32::try_from(moves).ok(), standard.mobility(moves));
        }
        if let Some(learned) = evaluator.learned() {
            add(learned.name(), None, learned.value(game, position));
        }
    }
    let value = match purpose {
        Purpose::Worth => evaluator.evaluate(game, position).number(),
        Purpose::Bound => evaluator.lower_bound(game, position) as i32,
    };
    Ok(Explained { evaluation, side, purpose, phase: None, shares, value })
}

/// A share of a term without weights.
fn plain_share(name: &str, count: Option<i32>, value: i32) -> Share {
    Share { name: name.to_string(), count, weights: None, value: f64::from(value), group: None }
}

impl Explained {
    /// A table for people.
    pub fn text(&self) -> String {
        let mut text = format!("evaluation {}", self.evaluation);
        if let Some((phase, (end, opening))) = self.phase {
            let _ = write!(text, ", phase {phase} (opening {opening}, end {end})");
        }
        let _ = writeln!(text, "\n{:<20} {:>7} {:>14} {:>9}", "term", "count", "weight", "value");
        for share in &self.shares {
            let count = share.count.map_or(String::new(), |count| format!("{count:+}"));
            let weight = match share.weights {
                None => String::new(),
                Some([opening, end]) if opening == end => opening.to_string(),
                Some([opening, end]) => format!("{opening} .. {end}"),
            };
            let group =
                share.group.map_or(String::new(), |group| format!("  greatest of group {}", group + 1));
            let _ = writeln!(
                text,
                "{:<20} {count:>7} {weight:>14} {:>+9.1}{group}",
                share.name,
                share.value + 0.0
            );
        }
        let _ = match self.purpose {
            Purpose::Worth => writeln!(text, "{:<20} {:>+32} for {}", "value", self.value, self.side),
            Purpose::Bound => writeln!(text, "{:<20} {:>32} moves at least", "bound", self.value),
        };
        text
    }

    /// The same for programs.
    pub fn json(&self) -> serde_json::Value {
        let terms: Vec<serde_json::Value> = self
            .shares
            .iter()
            .map(|share| {
                json!({
                    "name": share.name, "count": share.count, "weights": share.weights,
                    "value": share.value, "group": share.group,
                })
            })
            .collect();
        json!({
            "evaluation": self.evaluation,
            "side": self.side.to_string(),
            "kind": if self.purpose == Purpose::Worth { "worth" } else { "bound" },
            "phase": self.phase.map(|(phase, (end, opening))| json!({"value": phase, "end": end, "opening": opening})),
            "terms": terms,
            "value": self.value,
        })
    }
}
