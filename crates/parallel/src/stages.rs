//! How a child is asked about: the stages of a search with zero windows and reductions.

use multigame_game::Game;
use multigame_search::{Choice, Engine, Evaluator, Stepper, Window};

use crate::level::{Level, Stage};
use crate::policy::{Policy, Probe};

/// The first stage of a child with its number and extension, which has been made. `serial` says whether its
/// brothers wait for it.
pub(crate) fn first_stage<G: Game, E: Evaluator<G>>(
    stepper: &mut Stepper<'_, G, E>,
    level: &Level<G>,
    policy: &dyn Policy,
    (number, choice, extension): (usize, Choice, u32),
    serial: bool,
) -> Stage {
    let options = stepper.task().options;
    let place = level.true_number(number);
    let (ply, depth) = (level.ply, level.depth);
    let zero = options.engine == Engine::NegaScout;
    let is_zero = level.window.is_zero();
    if !policy.prunes() {
        return Stage::Value;
    }
    if extension == 0 && options.reductions {
        let plies = stepper.reduction((ply, depth), level.window, place, choice);
        if plies > 0 {
            return Stage::Reduced(plies);
        }
    }
    match policy.probe() {
        Probe::FirstAnswer if place > 0 && !serial && depth > 1 => Stage::FirstAnswer,
        Probe::Test if place > 0 && !serial && !is_zero => Stage::Test,
        _ if zero && place > 0 && !is_zero => Stage::Test,
        _ => Stage::Value,
    }
}

/// The question about a child at a stage, as its father sees it.
pub(crate) fn asked_window<G: Game>(stage: Stage, level: &Level<G>, policy: &dyn Policy) -> Window {
    match stage {
        _ if !policy.prunes() => Window::FULL,
        Stage::Reduced(_) | Stage::Test => Window::above(level.window.alpha),
        Stage::FirstAnswer | Stage::Value => level.window,
    }
}
