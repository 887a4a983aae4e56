//! One game: whose turn it is, how much time is left, and how it ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use multigame_game::{Game, Line, Random, RulesError, Side, Status, chance};
use multigame_player::{Clock, Limits};
use serde::{Deserialize, Serialize};

use crate::{Contestant, Failure, Opening};

/// Past its time a program may take so long to answer at all.
const GRACE: Duration = Duration::from_secs(2);

/// How a player's thinking is limited; the first limit reached counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// For each move.
    pub time: Option<Duration>,
    /// For the game: at the start, and added after each move.
    pub clock: Option<(Duration, Duration)>,
}

impl From<Limits> for Control {
    fn from(limits: Limits) -> Control {
        let Limits { depth, nodes, time, clock } = limits;
        Control { depth, nodes, time, clock: clock.map(|clock| (clock.left[0], clock.increment)) }
    }
}

/// What holds for both players.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// Longer games are drawn.
    pub max_plies: usize,
    /// Being late by less is forgiven: machines are busy.
    pub margin: Duration,
    /// Where no time limits a move, a player who takes so long is given up.
    pub patience: Duration,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played<M> {
    /// Nothing if it was interrupted.
    pub winner: Option<Option<Side>>,
    /// Why it ended.
    pub reason: String,
    /// Whether it ended by a failure: the side that crashed, hung, was late or played something illegal.
    pub failed: Option<Side>,
    /// All moves, those of the opening included.
    pub moves: Vec<M>,
    /// What each side needed.
    pub time: [Duration; 2],
}

/// Plays a game; `players` and `controls` are White's and Black's. When `stop` is set it ends without a
/// result.
pub fn play_game<G: Game>(
    game: &G,
    opening: &Opening<G>,
    mut players: [&mut dyn Contestant<G>; 2],
    controls: [Control; 2],
    terms: &Terms,
    stop: &AtomicBool,
) -> Result<Played<G::Move>, RulesError> {
    let mut line = opening.line(game);
    let mut dice = Random::new(dice_of(game, &line));
    let mut left = controls.map(|control| control.clock.map_or(Duration::ZERO, |(time, _)| time));
    let mut time = [Duration::ZERO; 2];
    let ended = |line: &Line<'_, G>, time, winner, reason: String, failed| {
        let moves = line.moves().to_vec();
        Ok(Played { winner: Some(winner), reason, failed, moves, time })
    };
    for side in Side::BOTH {
        if let Err(failure) = players[side.index()].new_game() {
            let winner = Some(side.opponent());
            return ended(&line, time, winner, format!("{side} {failure}"), Some(side));
        }
    }
    loop {
        match line.status()? {
            Status::Playing => {}
            Status::Over(outcome) => {
                return ended(&line, time, outcome.winner(), outcome.to_string(), None);
            }
            Status::Repeated(outcome) => {
                let reason = format!("{outcome} by repetition");
                return ended(&line, time, outcome.winner(), reason, None);
            }
        }
        if line.moves().len() >= terms.max_plies {
            return ended(&line, time, None, format!("draw after {} plies", terms.max_plies), None);
        }
        if game.is_chance(line.position()) {
            throw(&mut line, &mut dice)?;
            continue;
        }
        let side = game.side_to_move(line.position());
        let control = controls[side.index()];
        let limits = Limits {
            depth: control.depth,
            nodes: control.nodes,
            time: control.time,
            clock: control.clock.map(|(_, increment)| Clock { left, ..Clock::new(left[0], increment) }),
        };
        let allowed = allowed(control, left[side.index()]);
        let patience = allowed.map_or(terms.patience, |allowed| allowed + terms.margin + GRACE);
        let start = Instant::now();
        let player = &mut players[side.index()];
        let chosen = player.choose(&line, &limits, patience);
        let used = player.answered().unwrap_or_else(Instant::now).saturating_duration_since(start);
        time[side.index()] += used;
        if stop.load(Ordering::Relaxed) {
            let moves = line.moves().to_vec();
            return Ok(Played { winner: None, reason: "interrupted".to_string(), failed: None, moves, time });
        }
        // Whatever was said too late does not count.
        let answered = matches!(chosen, Ok(_) | Err(Failure::Illegal(_)));
        if let Some(allowed) = allowed.filter(|allowed| answered && used > *allowed + terms.margin) {
            let late = (used - allowed).as_secs_f64();
            let reason = format!("{side} ran out of time by {late:.2} s");
            return ended(&line, time, Some(side.opponent()), reason, Some(side));
        }
        let mv = match chosen {
            Ok(mv) => mv,
            Err(failure) => {
                let reason = format!("{side} {failure}");
                return ended(&line, time, Some(side.opponent()), reason, Some(side));
            }
        };
        if let Some((_, increment)) = control.clock {
            let left = &mut left[side.index()];
            *left = left.saturating_sub(used) + increment;
        }
        line.play(&mv);
    }
}

/// The seed of the dice after an opening: both games of a pair get the same throws.
fn dice_of<G: Game>(game: &G, line: &Line<'_, G>) -> u64 {
    let start = game.signature(&line.positions()[0]);
    line.moves().iter().fold(start, |seed, mv| Random::new(seed ^ game.move_key(mv)).next_u64())
}

/// Nature moves, in the same way however the rules are run.
fn throw<G: Game>(line: &mut Line<'_, G>, dice: &mut Random) -> Result<(), RulesError> {
    let mut moves = Vec::new();
    line.legal_moves(&mut moves)?;
    moves.sort_unstable_by_key(|mv| line.game().move_key(mv));
    let thrown = chance::throw(line.game(), line.position(), &moves, dice);
    line.play(&moves[thrown]);
    Ok(())
}

/// How long a move may take.
fn allowed(control: Control, left: Duration) -> Option<Duration> {
    let by_clock = control.clock.map(|_| left);
    control.time.into_iter().chain(by_clock).min()
}
