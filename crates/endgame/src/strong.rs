//! Strong solutions: the values of all positions that can be reached from one.

use std::ops::ControlFlow;

use anyhow::Context;
use multigame_game::{Ending, Game, Line, Outcome, Random, RulesError, Side, playout};
use rustc_hash::FxHashSet;

use crate::plan::{suitable, too_wide};
use crate::retrograde::{Conditions, Solved, Solver};
use crate::seen::{Packing, Seen};
use crate::space::Space;
use crate::table::Table;

/// Random games that tell how games end, and how far they are followed.
const GAMES: usize = 100;
const LONGEST_GAME: u32 = 600;

/// Values a position and everything that can be reached from it; nothing if it was stopped.
pub fn solve_strongly<G: Game>(
    game: &G,
    root: &G::Position,
    conditions: &mut Conditions<'_>,
) -> anyhow::Result<Option<Table>> {
    let description = game.description();
    suitable(description)?;
    let packing = Packing::of(description).with_context(|| too_wide(description))?;
    let mut seen = Seen::default();
    seen.look(game, packing.slots(), root);
    let key = packing.pack(&seen);
    for scored in [true, false] {
        if scored && !ends_with_scores(game, root)? {
            continue;
        }
        let space = Space::new(game, &packing, None, scored);
        return match Solver::new(space, conditions).solve(vec![key])? {
            Solved::Table(table) => Ok(Some(*table)),
            // Random games have ended with scores, and others do not.
            Solved::Unscored => continue,
            // Without slices there are none to be finished first.
            Solved::Needs(_) | Solved::Stopped => Ok(None),
        };
    }
    Ok(None)
}

/// Whether random games end with a score, or with a draw.
fn ends_with_scores<G: Game>(game: &G, root: &G::Position) -> Result<bool, RulesError> {
    let (mut scores, mut random) = (false, Random::new(1));
    for _ in 0..GAMES {
        match playout(&mut Line::new(game, root.clone()), LONGEST_GAME, &mut random)?.ending {
            Ending::Over(Outcome::Wins(_)) => return Ok(false),
            Ending::Over(Outcome::Score(_)) => scores = true,
            _ => {}
        }
    }
    Ok(scores)
}

/// How many different positions a move ended the game in: won by White, drawn, won by Black. They have no
/// entries, because their values are known without any.
pub fn finished<G: Game>(game: &G, table: &Table) -> anyhow::Result<[u64; 3]> {
    let mut space = Space::new(game, &table.packing, None, table.scored);
    space.extras.clone_from(&table.extras);
    let (mut eye, mut seen) = (space.eye(), Seen::default());
    let mut met = FxHashSet::default();
    let mut counts = [0; 3];
    for node in 0..table.entries() {
        let Some(position) = space.position(node, &mut eye) else { continue };
        game.children(position, &mut |child| {
            if let Some(outcome) = game.ended(child) {
                seen.look(game, table.packing.slots(), child);
                if met.insert((table.packing.pack(&seen), outcome)) {
                    let column = match outcome.winner() {
                        Some(Side::White) => 0,
                        None => 1,
                        Some(Side::Black) => 2,
                    };
                    counts[column] += 1;
                }
            }
            ControlFlow::Continue(())
        })?;
    }
    Ok(counts)
}
