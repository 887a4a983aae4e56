//! Matches whose games other ranks of a job play as well: what they are told, and what they tell.

use std::time::Duration;

use anyhow::{Context, bail};
use multigame_game::{Game, Line, Portable, RulesError, Side};
use multigame_player::PlayerSpec;
use multigame_player::ranks::{EvaluatorSpec, Farmhand, FileNames};
use serde::{Deserialize, Serialize};

use crate::referee::{Control, Played, Terms};
use crate::spec::{Kind, WEIGHTS};
use crate::tournament::Tournament;
use crate::{Opening, Spec, from_text, random};

/// Where the games of a match begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Openings {
    /// The text of a file of openings.
    Text(String),
    /// After random moves.
    Random {
        /// How many.
        plies: u32,
        /// The same seed gives the same ones.
        seed: u64,
    },
}

/// Openings of a game.
pub enum Beginnings<'g, G: Game> {
    /// These by turns.
    Listed(Vec<Opening<G>>),
    /// Random moves.
    Random(&'g G, u32, u64),
}

impl Openings {
    /// The openings themselves.
    pub fn of<'g, G: Game>(&self, game: &'g G) -> anyhow::Result<Beginnings<'g, G>> {
        Ok(match self {
            Openings::Text(text) => Beginnings::Listed(from_text(game, text)?),
            Openings::Random { plies, seed } => Beginnings::Random(game, *plies, *seed),
        })
    }
}

impl<G: Game> Beginnings<'_, G> {
    /// The opening of a pair of games.
    pub fn opening(&self, pair: usize) -> anyhow::Result<Opening<G>> {
        match self {
            Beginnings::Listed(openings) => {
                let Opening { start, moves } = &openings[pair % openings.len()];
                Ok(Opening { start: start.clone(), moves: moves.clone() })
            }
            Beginnings::Random(game, plies, seed) => {
                random(*game, *plies, seed.wrapping_mul(1 << 20) + pair as u64)
            }
        }
    }
}

/// A player whose files have been read: other ranks have no files.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Traveller {
    /// The player's text without the files.
    text: String,
    /// What the files say, and their names, if it is one of our players.
    evaluator: Option<(EvaluatorSpec, FileNames)>,
}

impl Traveller {
    fn of(spec: &Spec) -> anyhow::Result<Traveller> {
        let Kind::Computer(computer) = &spec.kind else {
            return Ok(Traveller { text: spec.text.clone(), evaluator: None });
        };
        let is_file = |part: &&str| {
            let name = part.split('=').next().unwrap_or_default().trim();
            name == WEIGHTS || PlayerSpec::FILES.contains(&name)
        };
        let parts = spec.text.split(',').filter(|part| !is_file(part));
        let evaluator = (computer.evaluator_for_ranks()?, computer.names.clone());
        Ok(Traveller { text: parts.collect::<Vec<_>>().join(","), evaluator: Some(evaluator) })
    }

    fn spec(&self) -> anyhow::Result<Spec> {
        let mut spec = Spec::parse(&self.text)?;
        if let (Kind::Computer(computer), Some((evaluator, names))) = (&mut spec.kind, &self.evaluator) {
            (computer.evaluator, computer.names) = (evaluator.clone(), names.clone());
        }
        Ok(spec)
    }
}

/// Everything that a rank needs to play games of a match: what files say is in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchTask {
    players: [Traveller; 2],
    controls: [Control; 2],
    terms: Terms,
    openings: Openings,
}

impl MatchTask {
    /// The games of a match.
    pub fn new(
        [first, second]: &[Spec; 2],
        controls: [Control; 2],
        terms: Terms,
        openings: Openings,
    ) -> anyhow::Result<MatchTask> {
        let players = [Traveller::of(first)?, Traveller::of(second)?];
        Ok(MatchTask { players, controls, terms, openings })
    }

    /// Plays the games that this rank is given.
    pub fn work<G: Portable>(&self, game: &G, hand: &Farmhand<'_>) -> anyhow::Result<()> {
        let [first, second] = &self.players;
        let (first, second) = (first.spec()?, second.spec()?);
        let beginnings = self.openings.of(game)?;
        let first = || first.contestant(game, hand.stop());
        let second = || second.contestant(game, hand.stop());
        let tournament = Tournament {
            game,
            players: [&first, &second],
            controls: self.controls,
            terms: self.terms,
            // Rank 0 counts them.
            pairs: 0,
            opening: &|pair| beginnings.opening(pair),
            concurrency: 1,
            sprt: None,
            farm: None,
            stop: hand.stop(),
        };
        hand.work_off(&|| tournament.contestants(), &|players, number| tournament.play(players, number))
    }
}

/// A game that came to its end, in a form that travels: moves are numbers among the legal moves in the order
/// of their keys, which does not depend on how the rules are run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Finished {
    winner: Option<u8>,
    reason: String,
    failed: Option<u8>,
    moves: Vec<u16>,
    time: [Duration; 2],
}

impl Finished {
    /// A game that began with a position; nothing if it was stopped.
    pub fn of<G: Game>(
        game: &G,
        opening: &Opening<G>,
        played: &Played<G::Move>,
    ) -> Result<Option<Finished>, RulesError> {
        let Some(winner) = played.winner else { return Ok(None) };
        let index = |side: Side| side.index() as u8;
        let mut line = start(game, opening);
        let (mut numbers, mut legal) = (Vec::with_capacity(played.moves.len()), Vec::new());
        for mv in &played.moves {
            sorted_moves(&line, &mut legal)?;
            // The largest number is not a move: whoever reads the game notices it.
            let number = legal.iter().position(|known| known == mv).unwrap_or(usize::MAX);
            numbers.push(u16::try_from(number).unwrap_or(u16::MAX));
            line.play(mv);
        }
        Ok(Some(Finished {
            winner: winner.map(index),
            reason: played.reason.clone(),
            failed: played.failed.map(index),
            moves: numbers,
            time: played.time,
        }))
    }

    /// The game, and how it was played.
    pub fn read<'g, G: Game>(
        self,
        game: &'g G,
        opening: &Opening<G>,
    ) -> anyhow::Result<(Played<G::Move>, Line<'g, G>)> {
        let side = |index: u8| match index {
            0 | 1 => Ok(Side::BOTH[index as usize]),
            _ => bail!("a game without winner and loser came back"),
        };
        let mut line = start(game, opening);
        let mut legal = Vec::new();
        for number in &self.moves {
            sorted_moves(&line, &mut legal)?;
            let mv =
                legal.get(usize::from(*number)).context("a game with moves that there are not came back")?;
            line.play(mv);
        }
        let played = Played {
            winner: Some(self.winner.map(side).transpose()?),
            reason: self.reason,
            failed: self.failed.map(side).transpose()?,
            moves: line.moves().to_vec(),
            time: self.time,
        };
        Ok((played, line))
    }
}

fn start<'g, G: Game>(game: &'g G, opening: &Opening<G>) -> Line<'g, G> {
    Line::new(game, opening.start.clone().unwrap_or_else(|| game.initial()))
}

fn sorted_moves<G: Game>(line: &Line<'_, G>, moves: &mut Vec<G::Move>) -> Result<(), RulesError> {
    line.legal_moves(moves)?;
    moves.sort_unstable_by_key(|mv| line.game().move_key(mv));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the file of the test goes")]
    fn players_travel_without_their_files() {
        let file = std::env::temp_dir().join(format!("multigame-travel-{}", std::process::id()));
        multigame_files::write(&file, b"{\"patterns\": 1}").unwrap();
        let text = format!("engine=mtdf, patterns={},depth=3", file.display());
        let spec = Spec::parse(&text).unwrap();
        std::fs::remove_file(&file).unwrap();
        let traveller = Traveller::of(&spec).unwrap();
        assert_eq!(traveller.text, "engine=mtdf,depth=3");
        assert_eq!(traveller.spec().unwrap().kind, spec.kind);
        // A program may name its options as it likes.
        let program = Spec::parse("uci:engine,weights=net").unwrap();
        assert_eq!(Traveller::of(&program).unwrap().spec().unwrap(), program);
    }
}
