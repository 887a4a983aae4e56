//! Positions that somebody else has judged: another program, or the results of games that were played
//! elsewhere.

use anyhow::{Context, bail};
use multigame_game::{Appraiser, Game, parse_position};

use crate::Sample;
use crate::samples::sample;

/// The samples of a text whose lines are `POSITION | SCORE`. The score from 0 to 1 is what White may expect.
/// Empty lines and comments with `#` are skipped.
pub fn judged<G: Game>(game: &G, appraiser: &Appraiser, text: &str) -> anyhow::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    judged_positions(game, text, &mut |position, target| {
        samples.push(sample(game, appraiser, position, target)?);
        Ok(())
    })?;
    Ok(samples)
}

/// Visits the positions of such a text with their scores.
pub fn judged_positions<G: Game>(
    game: &G,
    text: &str,
    visit: &mut dyn FnMut(&G::Position, f64) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    for (number, line) in lines {
        judge(game, line)
            .and_then(|(position, target)| visit(&position, target))
            .with_context(|| format!("line {} is wrong", number + 1))?;
    }
    Ok(())
}

fn judge<G: Game>(game: &G, line: &str) -> anyhow::Result<(G::Position, f64)> {
    let Some((position, score)) = line.rsplit_once('|') else {
        bail!("`POSITION | SCORE` is expected");
    };
    let score = score.trim();
    let target = match score.parse() {
        Ok(target) if (0.0..=1.0).contains(&target) => target,
        _ => bail!("the score `{score}` is not a number from 0 (Black wins) to 1 (White wins)"),
    };
    let diagram = parse_position(game.description(), position.trim())?;
    Ok((game.position(&diagram), target))
}
