//! Random games: what the rules alone make of the game.

use std::sync::atomic::AtomicBool;

use multigame_game::{Game, Line, Random, chance};

use crate::games::{Ended, Played, ended, side_by_side};
use crate::{Listener, Plan, Report};

/// Branching is reported for this many plies.
const PLIES: usize = 200;

pub(crate) fn play<G: Game>(
    game: &G,
    plan: &Plan,
    stop: &AtomicBool,
    listener: &mut dyn Listener<G>,
    report: &mut Report,
) -> anyhow::Result<()> {
    let first = game.side_to_move(&game.initial());
    let summary = &mut report.random;
    let mut branching: Vec<(u64, u64)> = Vec::new();
    let mut done = 0;
    let one_game = |(): &mut (), number| one_game(game, plan, number).map(Some);
    side_by_side(plan.random_games, plan.concurrency, stop, &|| Ok(()), &one_game, &mut |played| {
        played.positions.iter().for_each(|position| listener.position(position));
        for (ply, &choices) in played.choices.iter().take(PLIES).enumerate() {
            if branching.len() <= ply {
                branching.push((0, 0));
            }
            branching[ply].0 += u64::from(choices);
            branching[ply].1 += 1;
        }
        played.count(first, summary);
        done += 1;
        listener.progress("random games", done, plan.random_games);
    })?;
    summary.finish();
    // Where only a few games got so far, their average says little.
    let enough = u64::from(plan.random_games / 20).max(1);
    let branching = branching.iter().take_while(|(_, games)| *games >= enough);
    report.branching_by_ply = branching.map(|&(moves, games)| moves as f64 / games as f64).collect();
    Ok(())
}

/// Plays a game; the same one for the same number.
fn one_game<G: Game>(game: &G, plan: &Plan, number: u32) -> anyhow::Result<Played<G::Position>> {
    let mut random = Random::new(plan.seed.wrapping_mul(1 << 22) + u64::from(number));
    let mut line = Line::new(game, game.initial());
    let (mut moves, mut choices) = (Vec::new(), Vec::new());
    let Ended { outcome, repeated } = loop {
        if let Some(ended) = ended(&line, plan.max_plies, &mut moves)? {
            break ended;
        }
        choices.push(moves.len() as u32);
        // The same games however the rules are run.
        moves.sort_unstable_by_key(|mv| game.move_key(mv));
        let number = chance::pick(game, line.position(), &moves, &mut random);
        line.play(&moves[number]);
    };
    let (positions, length) = (line.positions().to_vec(), line.moves().len() as u32);
    Ok(Played { positions, outcome, repeated, choices, length })
}
