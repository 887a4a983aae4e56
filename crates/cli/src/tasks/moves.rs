//! `multigame moves`: what may be played.

use std::collections::HashSet;
use std::io::Write;

use clap::Args;
use multigame_game::{Game, Line, WithGame, notation, position_text};
use multigame_player::outcome_text;

use crate::arguments::PositionArguments;
use crate::output;

/// List the legal moves of a position.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Play these moves first, separated by commas; what may not come again is then left out
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    after: Vec<String>,
    /// Print JSON, with the position after each move
    #[arg(long)]
    json: bool,
}

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let arguments = self;
        let mut line = Line::new(&game, arguments.position.position(&game)?);
        for text in &arguments.after {
            let mv = notation::find(&game, line.position(), text)?;
            line.play(&mv);
        }
        let position = line.position().clone();
        let mut named = notation::names(&game, &position)?;
        let mut legal = Vec::new();
        let outcome = line.legal_moves(&mut legal)?;
        let legal: HashSet<u64> = legal.iter().map(|mv| game.move_key(mv)).collect();
        named.retain(|entry| legal.contains(&game.move_key(&entry.mv)));
        named.sort_by(|a, b| a.name.cmp(&b.name));
        if arguments.json {
            let mut list = Vec::new();
            for entry in &named {
                let mut child = position.clone();
                game.apply(&position, &entry.mv, &mut child);
                let after = position_text(game.description(), &game.diagram(&child));
                let outcome = game.outcome(&child)?;
                list.push(serde_json::json!({
                "move": entry.name, "position": after, "outcome": outcome.map(|outcome| outcome.to_string()),
            }));
            }
            return output::json(&list.into());
        }
        let mut out = std::io::stdout().lock();
        for entry in &named {
            writeln!(out, "{}", entry.name)?;
        }
        if named.is_empty()
            && let Some(outcome) = outcome
        {
            writeln!(std::io::stderr(), "the game is over: {}", outcome_text(game.description(), outcome))?;
        }
        Ok(())
    }
}
