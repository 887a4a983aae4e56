//! `multigame evaluate`: what a position is worth, and why.

use std::io::Write;

use anyhow::bail;
use clap::Args;
use multigame_game::{Game, WithGame, position_text};
use multigame_player::{RulesEvaluator, explain, outcome_text};

use crate::arguments::PositionArguments;
use crate::output;

/// Explain the value of a position term by term.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// One of the rules' evaluations, or `measured`, `material`, `random`; the usual one if not given
    #[arg(long, value_name = "NAME")]
    evaluation: Option<String>,
    /// List the weights of the evaluation with their ranges instead
    #[arg(long = "weights")]
    list_weights: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let position = self.position.position(&game)?;
        let evaluator = RulesEvaluator::new(&game, self.evaluation.as_deref()).map_err(anyhow::Error::msg)?;
        if self.list_weights {
            return self.show_weights(&evaluator);
        }
        if let Some(outcome) = game.outcome(&position)? {
            let outcome = outcome_text(game.description(), outcome);
            bail!("there is nothing to evaluator, the game is over: {outcome}; give another `--position`");
        }
        let explained = explain(&game, &position, &evaluator)?;
        if !self.json {
            write!(std::io::stdout(), "{}", explained.text())?;
            return Ok(());
        }
        let mut value = explained.json();
        value["game"] = game.description().name.clone().into();
        value["position"] = position_text(game.description(), &game.diagram(&position)).into();
        output::json(&value)
    }
}

impl Arguments {
    fn show_weights(&self, evaluator: &RulesEvaluator) -> anyhow::Result<()> {
        let Some(appraiser) = evaluator.appraiser() else {
            bail!("`{}` has no weights; only evaluations of the rules have", evaluator.name());
        };
        let weights = || appraiser.evaluation().weights.iter();
        if self.json {
            let entry = |weight: &multigame_game::Weight| serde_json::json!({"name": weight.name, "value": weight.value, "low": weight.low, "high": weight.high});
            return output::json(&weights().map(entry).collect::<Vec<_>>().into());
        }
        let mut out = std::io::stdout().lock();
        for weight in weights() {
            writeln!(out, "{:<28} {:>6}   {} .. {}", weight.name, weight.value, weight.low, weight.high)?;
        }
        Ok(())
    }
}
