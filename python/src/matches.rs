//! Matches between two players.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::bail;
use multigame_arena::{Control, Entry, Openings, Spec, Sprt, Tally, Terms, Tournament, Verdict};
use multigame_game::{Game, Line};
use multigame_player::{Limits, parse_time};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::hosted::Report;

/// Where nothing limits the players.
const USUAL_TIME: Duration = Duration::from_millis(100);

/// A match to be played.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchPlan {
    first: String,
    second: String,
    games: usize,
    plies: u32,
    seed: u64,
    concurrency: usize,
    openings: Option<String>,
    /// `elo0`, `elo1`, `alpha`, `beta`.
    sprt: Option<[f64; 4]>,
    max_plies: usize,
    margin: String,
    patience: String,
    /// Limits of players who have none of their own.
    limits: Vec<(String, String)>,
}

impl MatchPlan {
    fn control(&self) -> anyhow::Result<Control> {
        let mut limits = Limits::default();
        self.limits.iter().try_for_each(|(name, value)| limits.set_one(name, value))?;
        if limits == Limits::default() {
            limits.time = Some(USUAL_TIME);
        }
        Ok(limits.into())
    }

    fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let Some([elo0, elo1, alpha, beta]) = self.sprt else { return Ok(None) };
        let share = |value: f64| value > 0.0 && value < 0.5;
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            bail!("`elo0` must be less than `elo1`");
        }
        if !share(alpha) || !share(beta) {
            bail!("`alpha` and `beta` must lie between 0 and 0.5");
        }
        Ok(Some(Sprt { elo0, elo1, alpha, beta }))
    }

    fn terms(&self) -> anyhow::Result<Terms> {
        let time = |text: &str| parse_time(text).map_err(anyhow::Error::msg);
        Ok(Terms { max_plies: self.max_plies, margin: time(&self.margin)?, patience: time(&self.patience)? })
    }
}

/// Plays the match.
pub fn play<G: Game>(
    game: &G,
    plan: &MatchPlan,
    stop: &AtomicBool,
    report: &mut Report<'_>,
) -> anyhow::Result<Value> {
    if game.description().players != 2 {
        bail!("a puzzle has no opponent; `solve` solves it");
    }
    let mut specs = [Spec::parse(&plan.first)?, Spec::parse(&plan.second)?];
    Spec::tell_apart(&mut specs);
    let usual = plan.control()?;
    let openings = match &plan.openings {
        Some(text) => Openings::Text(text.clone()),
        None => Openings::Random { plies: plan.plies, seed: plan.seed },
    };
    let beginnings = openings.of(game)?;
    let opening = |pair: usize| beginnings.opening(pair);
    let first = || specs[0].contestant(game, stop);
    let second = || specs[1].contestant(game, stop);
    let sprt = plan.sprt()?;
    let tournament = Tournament {
        game,
        players: [&first, &second],
        controls: [0, 1].map(|number| specs[number].control.unwrap_or(usual)),
        terms: plan.terms()?,
        pairs: plan.games.div_ceil(2),
        opening: &opening,
        concurrency: plan.concurrency,
        sprt,
        farm: None,
        stop,
    };
    let mut games = Vec::new();
    let (tally, verdict) = tournament.run(&[], &mut |entry: &Entry, _: &Line<'_, G>, _: &Tally| {
        let entry = serde_json::to_value(entry)?;
        if !report(entry.clone()) {
            stop.store(true, Ordering::Relaxed);
        }
        games.push(entry);
        Ok(())
    })?;
    let (elo, low, high) = tally.elo();
    let finite = |number: f64| number.is_finite().then_some(number);
    let word = match verdict {
        Verdict::Undecided => "undecided",
        Verdict::Accepted => "accepted",
        Verdict::Rejected => "rejected",
    };
    let sprt = sprt.map(|sprt| {
        let (low, high) = sprt.bounds();
        json!({"llr": tally.log_likelihood_ratio(&sprt), "low": low, "high": high, "verdict": word})
    });
    Ok(json!({
        "game": game.description().name,
        "players": [specs[0].name, specs[1].name],
        "games": tally.count(),
        "wins": tally.games[2], "draws": tally.games[1], "losses": tally.games[0],
        "pairs": tally.pairs,
        "score": tally.score(),
        "elo": finite(elo), "elo_low": finite(low), "elo_high": finite(high),
        "superiority": tally.superiority(),
        "sprt": sprt,
        "played": games,
    }))
}
