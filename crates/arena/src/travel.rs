//! Matches whose games other ranks of a job play as well: what they are told, and what they tell.

use std::time::Duration;

use anyhow::{Context, bail};
use multigame_game::{Game, Line, Portable, RulesError, Side};
use multigame_player::ranks::Farmhand;
use serde::{Deserialize, Serialize};

use crate::referee::{Control, Played, Terms};
use crate::spec::Files;
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

/// Everything that a rank needs to play games of a match: what files say is in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchTask {
    players: [(String, Files); 2],
    controls: [Control; 2],
    terms: Terms,
    openings: Openings,
}

impl MatchTask {
    /// The games of a match between players whose files have been read.
    pub fn new(players: &[Spec; 2], controls: [Control; 2], terms: Terms, openings: Openings) -> MatchTask {
        let players = players.each_ref().map(|player| (player.text.clone(), player.files.clone()));
        MatchTask { players, controls, terms, openings }
    }

    /// Plays the games that this rank is given.
    pub fn work<G: Portable>(&self, game: &G, hand: &Farmhand<'_>) -> anyhow::Result<()> {
        let [first, second] = &self.players;
        let player = |(text, files): &(String, Files)| -> anyhow::Result<Spec> {
            Ok(Spec { files: files.clone(), ..Spec::parse(text)? })
        };
        let (first, second) = (player(first)?, player(second)?);
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

/// A game that came to its end, in a form that travels: moves are numbers among the legal moves in the order of
/// their keys, which does not depend on how the rules are run.
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
            // A number that is too large is no move, and is noticed when the game is read.
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
