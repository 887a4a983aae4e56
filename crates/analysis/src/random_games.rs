//! Random games: what the rules alone make of the game.

use std::sync::atomic::{AtomicBool, Ordering};

use multigame_game::{Game, Line, Random, Status};

use crate::{Listener, Plan, Report};

/// Branching is reported for so many plies.
const PLIES: usize = 200;

pub(crate) fn play<G: Game>(
    game: &G,
    plan: &Plan,
    stop: &AtomicBool,
    listener: &mut dyn Listener<G>,
    report: &mut Report,
) -> anyhow::Result<()> {
    let mut random = Random::new(plan.seed);
    let first = game.side_to_move(&game.initial());
    let summary = &mut report.random;
    let mut branching: Vec<(u64, u64)> = Vec::new();
    let mut moves = Vec::new();
    for number in 0..plan.random_games {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut line = Line::new(game, game.initial());
        let outcome = loop {
            listener.position(line.position());
            if let Some(outcome) = line.legal_moves(&mut moves)? {
                break Some(outcome);
            }
            if let Status::Repeated(outcome) = line.repetition()? {
                summary.repeated += 1;
                break Some(outcome);
            }
            let ply = line.moves().len();
            if ply >= plan.max_plies as usize {
                break None;
            }
            if ply < PLIES {
                if branching.len() <= ply {
                    branching.push((0, 0));
                }
                branching[ply].0 += moves.len() as u64;
                branching[ply].1 += 1;
            }
            summary.choices += moves.len() as u64;
            summary.turns += 1;
            // The same games however the rules are run.
            moves.sort_unstable_by_key(|mv| game.move_key(mv));
            line.play(&moves[random.below(moves.len())]);
        };
        summary.add(outcome, first, line.moves().len() as u32);
        listener.progress("random games", number + 1, plan.random_games);
    }
    summary.finish();
    // Where only a few games got so far, their average says little.
    let enough = u64::from(plan.random_games / 20).max(1);
    let branching = branching.iter().take_while(|(_, games)| *games >= enough);
    report.branching_by_ply = branching.map(|&(moves, games)| moves as f64 / games as f64).collect();
    Ok(())
}
