//! `multigame show`: a position as a picture.

use std::io::Write;

use clap::Args;
use multigame_game::{Game, WithGame, draw, position_text};
use multigame_player::outcome_text;

use crate::arguments::PositionArguments;
use crate::output;

/// Draw a position.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let arguments = self;
        let position = arguments.position.position(&game)?;
        let description = game.description();
        let diagram = game.diagram(&position);
        let outcome = game.outcome(&position)?;
        let text = position_text(description, &diagram);
        if arguments.json {
            let fields = description.board.fields().filter(|&field| diagram.piece(field).index() != 0);
            let pieces: serde_json::Map<String, serde_json::Value> = fields
                .map(|field| {
                    (description.board.field_name(field), description.piece_name(diagram.piece(field)).into())
                })
                .collect();
            return output::json(&serde_json::json!({
                "game": description.name,
                "position": text,
                "side": diagram.side.to_string(),
                "pieces": pieces,
                "signature": format!("{:016x}", game.signature(&position)),
                "outcome": outcome.map(|outcome| outcome.to_string()),
            }));
        }
        let mut out = std::io::stdout().lock();
        write!(out, "{}", draw(description, &diagram, output::draw_style()))?;
        writeln!(out, "{text}")?;
        if let Some(outcome) = outcome {
            writeln!(out, "{}", outcome_text(description, outcome))?;
        }
        Ok(())
    }
}
