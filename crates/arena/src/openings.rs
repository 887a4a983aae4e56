//! Where games begin: positions of a file, or some random moves.

use anyhow::{Context, bail};
use multigame_game::{Game, Line, Random, Status, chance, notation, parse_position};

/// A beginning: a position and moves from there.
pub struct Opening<G: Game> {
    /// Nothing for the position the rules begin with.
    pub start: Option<G::Position>,
    /// Played from there by nobody.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Opening<G> {
    /// The game after the opening.
    pub fn line<'g>(&self, game: &'g G) -> Line<'g, G> {
        let mut line = Line::new(game, self.start.clone().unwrap_or_else(|| game.initial()));
        for mv in &self.moves {
            line.play(mv);
        }
        line
    }
}

/// Reads openings: each line is `POSITION`, `startpos | MOVE MOVE ...` or `POSITION | MOVE MOVE ...`; `#`
/// begins a comment. Moves with blanks in their names are separated by commas.
pub fn from_text<G: Game>(game: &G, text: &str) -> anyhow::Result<Vec<Opening<G>>> {
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening =
            read(game, line).with_context(|| format!("line {} of the openings is wrong", number + 1))?;
        if !matches!(opening.line(game).status()?, Status::Playing) {
            bail!("the opening in line {} ends the game; remove it", number + 1);
        }
        openings.push(opening);
    }
    if openings.is_empty() {
        bail!("there is no opening in the file; each line is a position, or `startpos | MOVE MOVE ...`");
    }
    Ok(openings)
}

fn read<G: Game>(game: &G, line: &str) -> anyhow::Result<Opening<G>> {
    let (position, moves) = line.split_once('|').unwrap_or((line, ""));
    let position = position.trim();
    let start = if position == "startpos" {
        None
    } else {
        Some(game.position(&parse_position(game.description(), position)?))
    };
    let mut opening = Opening { start, moves: Vec::new() };
    let separator = |sign: char| if moves.contains(',') { sign == ',' } else { sign.is_whitespace() };
    for text in moves.split(separator).map(str::trim).filter(|text| !text.is_empty()) {
        let line = opening.line(game);
        let mv = notation::find(game, line.position(), text)?;
        opening.moves.push(mv);
    }
    Ok(opening)
}

/// An opening of random moves; none of them ends the game. The same seed gives the same one.
pub fn random<G: Game>(game: &G, plies: u32, seed: u64) -> anyhow::Result<Opening<G>> {
    // Games that are over so soon are rare; rules for which they are the rule need fewer plies.
    for attempt in 0..100 {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(attempt << 40));
        let mut line = Line::new(game, game.initial());
        let mut moves = Vec::new();
        for _ in 0..plies {
            if line.legal_moves(&mut moves)?.is_some() || line.repetition()? != Status::Playing {
                break;
            }
            // The same openings however the rules are run.
            moves.sort_unstable_by_key(|mv| game.move_key(mv));
            let number = chance::pick(game, line.position(), &moves, &mut random);
            line.play(&moves[number]);
        }
        if line.moves().len() == plies as usize && line.status()? == Status::Playing {
            return Ok(Opening { start: None, moves: line.moves().to_vec() });
        }
    }
    bail!("games are over before {plies} random moves are played; use fewer with `--plies`")
}
