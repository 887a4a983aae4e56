//! Matches in which one side searches twice as many nodes: how much there is to find by thinking.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use multigame_arena::{Contestant, Control, MatchTask, Openings, Spec, Terms, Tournament};
use multigame_game::Game;

use crate::report::{Doubling, Report};
use crate::{AnalysisTask, Farms, Listener, Plan};

pub(crate) fn play<G: Game>(
    game: &G,
    plan: &Plan,
    farms: &Farms<'_>,
    stop: &AtomicBool,
    listener: &mut dyn Listener<G>,
    report: &mut Report,
) -> anyhow::Result<()> {
    let spec = Spec::parse("default")?;
    for step in 0..plan.doublings {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let nodes = plan.nodes << step.min(40);
        let player = || -> anyhow::Result<Box<dyn Contestant<G> + '_>> { spec.contestant(game, stop) };
        let control = |nodes| Control { nodes: Some(nodes), ..Control::default() };
        let controls = [control(2 * nodes), control(nodes)];
        let terms = Terms {
            max_plies: plan.max_plies as usize,
            margin: Duration::ZERO,
            patience: Duration::from_secs(3600),
        };
        let openings = Openings::Random { plies: plan.plies, seed: plan.seed.wrapping_mul(2) };
        let beginnings = openings.of(game)?;
        let task = MatchTask::new(&[spec.clone(), spec.clone()], controls, terms, openings)?;
        let farm = farms(AnalysisTask::Match(Box::new(task)));
        let tournament = Tournament {
            game,
            players: [&player, &player],
            controls,
            terms,
            pairs: (plan.match_games as usize).div_ceil(2),
            opening: &|pair| beginnings.opening(pair),
            concurrency: plan.concurrency,
            sprt: None,
            farm: farm.as_ref(),
            stop,
        };
        let part = format!("{} against {nodes} nodes", 2 * nodes);
        let games = 2 * tournament.pairs as u32;
        let (tally, _) = tournament.run(&[], &mut |_, _, tally| {
            listener.progress(&part, tally.count() as u32, games);
            Ok(())
        })?;
        if tally.count() > 0 {
            let (elo, low, high) = tally.elo();
            let finite = |number: f64| number.is_finite().then_some(number);
            report.doublings.push(Doubling {
                nodes,
                games: tally.count(),
                score: tally.score(),
                elo: finite(elo),
                low: finite(low),
                high: finite(high),
            });
        }
    }
    Ok(())
}
