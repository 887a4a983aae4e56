//! The computer against itself at growing levels: who gets the upper hand, and how often that changes.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use multigame_game::{Game, Line, Outcome, Random, Side, chance};
use multigame_learning::{Sample, chance, scale_of};
use multigame_player::{Limits, Player};
use multigame_search::{Engine, Options, Value};
use multigame_threads::Tasks;
use serde::{Deserialize, Serialize};

use crate::games::{Ended, Played, ended, taken_in_order};
use crate::report::{Level, Report, Trace};
use crate::{AnalysisTask, Farms, Listener, Plan};

/// The scale of values where no game shows it.
const USUAL_SCALE: f64 = 300.0;
/// Somebody leads with a chance above this.
const LEAD: f64 = 0.55;
/// Somebody is as good as certain to win with a chance above this.
const CERTAIN: f64 = 0.9;
/// Random games of Monte-Carlo search at the first level; each level has four times as many.
const FIRST_NODES: u64 = 25;
/// The table of the player, in MiB.
const TABLE: usize = 16;

pub(crate) fn play<G: Game>(
    game: &G,
    plan: &Plan,
    farms: &Farms<'_>,
    stop: &AtomicBool,
    listener: &mut dyn Listener<G>,
    report: &mut Report,
) -> anyhow::Result<()> {
    let mut levels = Vec::new();
    let counts_nodes = player(game, Limits::usual(), stop)?.options().engine == Engine::Mcts;
    let first = game.side_to_move(&game.initial());
    for level in 1..=plan.levels {
        let (name, limits) = if counts_nodes {
            let nodes = FIRST_NODES << (2 * level.min(20));
            (format!("{nodes} random games"), Limits { nodes: Some(nodes), ..Limits::default() })
        } else {
            (format!("depth {level}"), Limits { depth: Some(level), ..Limits::default() })
        };
        let farm = farms(AnalysisTask::SelfPlay(*plan, limits));
        let mut result = Level { name, ..Level::default() };
        let mut courses = Vec::new();
        let tasks = Tasks {
            threads: plan.concurrency,
            stop,
            worker: &|| player(game, limits, stop),
            work: &|player: &mut Player<'_, G>, number| one_game(game, player, plan, number, stop),
        };
        taken_in_order(&tasks, plan.games, farm.as_ref(), &mut |number, moves: Moves| {
            let (played, course) = moves.replay(game, plan, number)?;
            played.positions.iter().for_each(|position| listener.position(position));
            played.count(first, &mut result.summary);
            courses.push(course);
            listener.progress(&result.name, courses.len() as u32, plan.games);
            Ok(())
        })?;
        if result.summary.games > 0 {
            levels.push((result, courses));
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    report.scale = scale(levels.iter().flat_map(|(_, courses)| courses));
    for (mut level, courses) in levels {
        for course in courses {
            let chances = course.values.iter().map(|&value| chance_of(value, report.scale)).collect();
            level.count(chances, course.outcome);
        }
        level.finish();
        report.levels.push(level);
    }
    Ok(())
}

/// A game: what the search thought it was worth to White before each move, and how it ended.
struct Course {
    values: Vec<Value>,
    outcome: Option<Outcome>,
}

/// The scale of evaluations of this game: the value with which 73 % of the points are made.
fn scale<'c>(courses: impl Iterator<Item = &'c Course>) -> f64 {
    let mut samples = Vec::new();
    for course in courses {
        let Some(outcome) = course.outcome else { continue };
        let target = match outcome.winner() {
            Some(Side::White) => 1.0,
            Some(Side::Black) => 0.0,
            None => 0.5,
        };
        let open = course.values.iter().filter(|value| value.number().abs() < Value::LEAST_SCORE.number());
        samples.extend(open.map(|value| Sample {
            features: vec![(0, value.number() as f32)],
            offset: 0.0,
            target,
        }));
    }
    if samples.is_empty() { USUAL_SCALE } else { scale_of(&samples, &[1.0]) }
}

/// Somebody who plays such games.
pub(crate) fn player<'g, G: Game>(
    game: &'g G,
    limits: Limits,
    stop: &'g AtomicBool,
) -> anyhow::Result<Player<'g, G>> {
    let options = Options { table_mib: TABLE, ..Options::playing() };
    Player::new(game, options.into(), limits, stop)
}

/// A game in a form that travels.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Moves {
    /// After the opening, as numbers among the legal moves in the order of their keys.
    moves: Vec<u16>,
    /// What the search thought the position was worth to White before each of them.
    values: Vec<Value>,
}

/// Plays a game, the same one for the same number; nothing if it was stopped.
pub(crate) fn one_game<G: Game>(
    game: &G,
    player: &mut Player<'_, G>,
    plan: &Plan,
    number: usize,
    stop: &AtomicBool,
) -> anyhow::Result<Option<Moves>> {
    let mut line = opening(game, plan, number)?;
    let (mut legal, mut moves, mut values) = (Vec::new(), Vec::new(), Vec::new());
    player.forget();
    let mut dice = Random::new(!plan.seed ^ (number as u64) << 32);
    while ended(&line, plan.max_plies, &mut legal)?.is_none() {
        let thought = player.search(&line, &mut |_| {})?;
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let white = game.side_to_move(line.position()) == Side::White;
        values.push(if white { thought.value } else { -thought.value });
        legal.sort_unstable_by_key(|mv| game.move_key(mv));
        let best = match game.is_chance(line.position()) {
            true => Some(legal[chance::throw(game, line.position(), &legal, &mut dice)].clone()),
            false => thought.best.filter(|mv| legal.contains(mv)),
        };
        let best = best.unwrap_or_else(|| legal[0].clone());
        let place = legal.iter().position(|mv| *mv == best).context("the move is one of the legal ones")?;
        moves.push(u16::try_from(place).context("there are too many legal moves")?);
        line.play(&best);
    }
    Ok(Some(Moves { moves, values }))
}

/// How the game with a number begins.
fn opening<'g, G: Game>(game: &'g G, plan: &Plan, number: usize) -> anyhow::Result<Line<'g, G>> {
    let seed = plan.seed.wrapping_mul(1 << 20) + number as u64;
    Ok(multigame_arena::random(game, plan.plies, seed)?.line(game))
}

impl Moves {
    /// Plays the game again.
    fn replay<G: Game>(
        self,
        game: &G,
        plan: &Plan,
        number: usize,
    ) -> anyhow::Result<(Played<G::Position>, Course)> {
        let mut line = opening(game, plan, number)?;
        let before = line.moves().len();
        let (mut legal, mut choices, mut moves) = (Vec::new(), Vec::new(), self.moves.into_iter());
        let Ended { outcome, repeated } = loop {
            if let Some(ended) = ended(&line, plan.max_plies, &mut legal)? {
                break ended;
            }
            choices.push(legal.len() as u32);
            legal.sort_unstable_by_key(|mv| game.move_key(mv));
            let mv = moves.next().and_then(|place| legal.get(usize::from(place)));
            line.play(mv.context("a game with moves that there are not came back")?);
        };
        let (positions, length) = (line.positions()[before..].to_vec(), line.moves().len() as u32);
        let played = Played { positions, outcome, repeated, choices, length };
        Ok((played, Course { values: self.values, outcome }))
    }
}

/// The chance of winning that a value means.
fn chance_of(value: Value, scale: f64) -> f64 {
    if value >= Value::LEAST_SCORE {
        1.0
    } else if value <= -Value::LEAST_SCORE {
        0.0
    } else {
        chance(f64::from(value.number()), scale)
    }
}

impl Level {
    fn count(&mut self, chances: Vec<f64>, outcome: Option<Outcome>) {
        self.lead_changes += f64::from(lead_changes(&chances));
        let winner = outcome.and_then(Outcome::winner);
        if let Some(winner) = winner {
            let own = |chance: &f64| if winner == Side::White { *chance } else { 1.0 - chance };
            let worst = chances.iter().map(own).fold(0.5, f64::min);
            self.drama += 1.0 - 2.0 * worst;
            let doubtful = chances.iter().rposition(|chance| own(chance) < CERTAIN).map_or(0, |ply| ply + 1);
            self.decided_after += doubtful as f64 / chances.len().max(1) as f64;
        }
        let name = |side| if side == Side::White { "white" } else { "black" };
        self.traces.push(Trace { chances, winner: winner.map(name) });
    }

    fn finish(&mut self) {
        self.summary.finish();
        let decided = f64::from((self.summary.first_wins + self.summary.second_wins).max(1));
        self.lead_changes /= f64::from(self.summary.games.max(1));
        self.drama /= decided;
        self.decided_after /= decided;
    }
}

/// Number of changes of the lead; while nobody leads, it is still the last leader's.
fn lead_changes(chances: &[f64]) -> u32 {
    let mut leader = None;
    let mut changes = 0;
    for &chance in chances {
        let now = if chance > LEAD {
            Some(Side::White)
        } else if chance < 1.0 - LEAD {
            Some(Side::Black)
        } else {
            None
        };
        if now.is_some() {
            changes += u32::from(leader.is_some() && leader != now);
            leader = now;
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_changes_when_the_other_side_gets_ahead() {
        assert_eq!(lead_changes(&[0.5, 0.6, 0.5, 0.7]), 0);
        assert_eq!(lead_changes(&[0.6, 0.5, 0.4, 0.6, 0.9]), 2);
        assert_eq!(lead_changes(&[]), 0);
    }

    #[test]
    fn drama_is_the_worst_moment_of_the_winner() {
        let mut level = Level::default();
        level.summary.add(Some(Outcome::Wins(Side::White)), Side::White, 4);
        level.count(vec![0.5, 0.1, 0.6, 0.95], Some(Outcome::Wins(Side::White)));
        level.summary.add(Some(Outcome::Draw), Side::White, 2);
        level.count(vec![0.5, 0.5], Some(Outcome::Draw));
        level.finish();
        assert!((level.drama - 0.8).abs() < 1e-9, "{}", level.drama);
        assert!((level.decided_after - 0.75).abs() < 1e-9);
        assert!((level.lead_changes - 0.5).abs() < 1e-9);
    }

    #[test]
    fn chances_follow_values() {
        assert_eq!(chance_of(Value::win_in(3), 300.0), 1.0);
        assert_eq!(chance_of(Value::loss_in(3), 300.0), 0.0);
        assert!((chance_of(Value::new(300), 300.0) - 0.731).abs() < 0.001);
        let course = |value: i32, winner: Side| Course {
            values: vec![Value::new(value), Value::new(value), Value::win_in(1)],
            outcome: Some(Outcome::Wins(winner)),
        };
        // 73 of 100 games are won with 40 on the board: that is what 40 means here.
        let games: Vec<Course> =
            (0..100).map(|n| course(40, if n < 73 { Side::White } else { Side::Black })).collect();
        assert!((scale(games.iter()) - 40.0).abs() < 1.0, "{}", scale(games.iter()));
        assert_eq!(scale(std::iter::empty()), USUAL_SCALE);
    }
}
