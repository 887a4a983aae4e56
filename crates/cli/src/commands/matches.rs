//! `multigame match`: two players, many games, and what their results prove.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use anyhow::{Context, bail};
use clap::Args;
use multigame_arena::{
    Control, Entry, Header, Log, MatchTask, Openings, Spec, Sprt, Tally, Terms, Tournament, Verdict,
    write_game,
};
use multigame_files::append;
use multigame_game::{Game, Line, WithGame};
use multigame_input::{MOST_TEXT, read_text};
use multigame_loader::Backend;
use multigame_player::{parse_clock, parse_time};

use crate::arguments::LimitArguments;
use crate::chores::Chore;
use crate::{interrupt, load, output};

/// Where nothing limits the players.
const USUAL_TIME: Duration = Duration::from_millis(100);

/// Play many games between two players, and find out which one is stronger.
#[derive(Debug, Args)]
#[command(
    after_help = "PLAYER is `default`, `random`, switches of the search such as `lmr=on,time=0.2`, or \
    `uci:PROGRAM ARGUMENTS,Option=Value`; `name=`, `time=`, `clock=`, `depth=` and `nodes=` work for all of them."
)]
pub struct Arguments {
    /// The player whose results are told
    #[arg(value_name = "PLAYER")]
    first: String,
    /// The opponent
    #[arg(value_name = "OPPONENT")]
    second: String,
    /// A bundled game or a path to an `.mg` file
    #[arg(long, default_value = "chess")]
    game: String,
    /// Set a parameter of the rules
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = load::parse_parameter)]
    parameters: Vec<(String, i64)>,
    /// How the rules are run
    #[arg(long, value_parser = load::backend_parser(), default_value = "auto")]
    backend: Backend,
    #[command(flatten)]
    limits: LimitArguments,
    /// Time for a game and each move, such as `10+0.1`
    #[arg(long, value_parser = parse_clock)]
    clock: Option<multigame_player::Clock>,
    /// Number of games; each opening is played twice with colours swapped, so an odd number becomes even
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// Begin with these positions: a file with a line for each, or `startpos | MOVE MOVE ...`
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Begin with this many random moves
    #[arg(long, default_value_t = 4, conflicts_with = "openings")]
    plies: u32,
    /// The same seed gives the same random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of games at the same time, on each rank of a job
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Stop when it is clear whether PLAYER is stronger: `elo0=0,elo1=20,alpha=0.05,beta=0.05`
    #[arg(long, value_parser = parse_sprt, value_name = "elo0=X,elo1=Y")]
    sprt: Option<Sprt>,
    /// Write each game down at once; the same command goes on after an interruption
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Add the games to a file: PGN for the family of chess, PDN for draughts, else plain text
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Longer games are drawn
    #[arg(long, default_value_t = 600)]
    max_plies: usize,
    /// Being late by less is forgiven
    #[arg(long, default_value = "200ms", value_parser = parse_time)]
    margin: Duration,
    /// A program without time limit that does not answer for so long is killed
    #[arg(long, default_value = "60", value_parser = parse_time)]
    patience: Duration,
    /// Say only the result
    #[arg(long)]
    quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let mut sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };
    for part in text.split(',') {
        let expected = || format!("`{part}` is not understood; write `elo0=0,elo1=20,alpha=0.05,beta=0.05`");
        let (name, value) = part.split_once('=').ok_or_else(expected)?;
        let value: f64 = value.trim().parse().map_err(|_| expected())?;
        match name.trim() {
            "elo0" => sprt.elo0 = value,
            "elo1" => sprt.elo1 = value,
            "alpha" => sprt.alpha = value,
            "beta" => sprt.beta = value,
            _ => return Err(expected()),
        }
    }
    let share = |value: f64| value > 0.0 && value < 0.5;
    if !(sprt.elo0 < sprt.elo1 && sprt.elo0.is_finite() && sprt.elo1.is_finite()) {
        return Err("`elo0` must be less than `elo1`".to_string());
    }
    if !share(sprt.alpha) || !share(sprt.beta) {
        return Err("`alpha` and `beta` must lie between 0 and 0.5".to_string());
    }
    Ok(sprt)
}

/// Plays the match.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut specs = [Spec::parse(&arguments.first)?, Spec::parse(&arguments.second)?];
    Spec::tell_apart(&mut specs);
    let game = load::GameArguments {
        game: arguments.game.clone(),
        parameters: arguments.parameters.clone(),
        backend: arguments.backend,
        weights_file: None,
    };
    load::with_game(&game, Match { arguments, specs })
}

/// A match about to be played.
struct Match<'a> {
    arguments: &'a Arguments,
    specs: [Spec; 2],
}

impl WithGame for Match<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let (arguments, specs) = (self.arguments, &self.specs);
        if game.description().players != 2 {
            bail!("a puzzle has no opponent; `multigame solve` solves it");
        }
        let ranks = multigame_player::ranks::installed().map_or(1, |ranks| ranks.size());
        if ranks > 1 && specs.iter().any(Spec::uses_endgames) {
            bail!("other ranks have no endgame databases; play on one rank, or leave `endgames=` out");
        }
        interrupt::catch()?;
        let _thinking = interrupt::thinking();
        let controls = [0, 1].map(|number| specs[number].control.unwrap_or(self.control()));
        let openings = self.openings()?;
        let beginnings = openings.of(&game);
        let beginnings = match &arguments.openings {
            Some(path) => beginnings.with_context(|| format!("`{}` cannot be used", path.display()))?,
            None => beginnings?,
        };
        let opening = |pair: usize| beginnings.opening(pair);
        let (mut log, done) = match &arguments.log {
            Some(path) => {
                let (log, done) = Log::open(path, &self.header(&controls))?;
                (Some(log), done)
            }
            None => (None, Vec::new()),
        };
        let first = || specs[0].contestant(&game, interrupt::flag());
        let second = || specs[1].contestant(&game, interrupt::flag());
        let terms =
            Terms { max_plies: arguments.max_plies, margin: arguments.margin, patience: arguments.patience };
        let task = MatchTask::new(specs, controls, terms, openings.clone())?;
        let farm = Chore::Match(Box::new(task)).farm(arguments.concurrency);
        let tournament = Tournament {
            game: &game,
            players: [&first, &second],
            controls,
            terms,
            pairs: arguments.games.div_ceil(2),
            opening: &opening,
            concurrency: arguments.concurrency,
            sprt: arguments.sprt,
            farm: farm.as_ref(),
            stop: interrupt::flag(),
        };
        let mut failures: Vec<String> = done.iter().filter_map(|entry| self.failure(entry)).collect();
        let mut report = |entry: &Entry, line: &Line<'_, G>, tally: &Tally| -> anyhow::Result<()> {
            failures.extend(self.failure(entry));
            if let Some(log) = &mut log {
                log.add(entry)?;
            }
            self.write_record(entry, line)?;
            if !arguments.quiet && !arguments.json {
                writeln!(std::io::stdout(), "{}", self.game_text(entry, tally))?;
            }
            Ok(())
        };
        let (tally, verdict) = tournament.run(&done, &mut report)?;
        let complete = verdict != Verdict::Undecided || tally.count() as usize >= 2 * tournament.pairs;
        if !complete && interrupt::flag().load(Ordering::Relaxed) {
            let hint = if arguments.log.is_some() { "; the same command goes on" } else { "" };
            writeln!(std::io::stderr(), "stopped after {} games{hint}", tally.count())?;
        }
        self.show(&tally, verdict)?;
        // Even who wants to hear little has to know that not only strength decided.
        if let Some(first) = failures.first() {
            let games =
                if failures.len() == 1 { "1 game was" } else { &format!("{} games were", failures.len()) };
            writeln!(
                std::io::stderr(),
                "{games} lost by a failure and not on the board; the first: {first}"
            )?;
        }
        Ok(())
    }
}

impl Match<'_> {
    /// The limits of players who have none of their own.
    fn control(&self) -> Control {
        let LimitArguments { depth, nodes, time, .. } = self.arguments.limits;
        let clock = self.arguments.clock.map(|clock| (clock.left[0], clock.increment));
        let control = Control { depth, nodes, time, clock };
        if control == Control::default() { Control { time: Some(USUAL_TIME), ..control } } else { control }
    }

    fn openings(&self) -> anyhow::Result<Openings> {
        let Arguments { openings, plies, seed, .. } = self.arguments;
        let Some(path) = openings else { return Ok(Openings::Random { plies: *plies, seed: *seed }) };
        let text = read_text(path, MOST_TEXT).with_context(|| format!("cannot read `{}`", path.display()))?;
        Ok(Openings::Text(text))
    }

    fn header(&self, controls: &[Control; 2]) -> Header {
        let Arguments { game, parameters, openings, plies, seed, .. } = self.arguments;
        let parameters: String = parameters.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        Header {
            game: format!("{game}{parameters}"),
            players: [0, 1].map(|number| self.specs[number].text.clone()),
            controls: controls.map(control_text),
            openings: match openings {
                Some(path) => path.display().to_string(),
                None => format!("{plies} random plies with seed {seed}"),
            },
        }
    }

    fn write_record<G: Game>(&self, entry: &Entry, line: &Line<'_, G>) -> anyhow::Result<()> {
        let Some(path) = &self.arguments.record else { return Ok(()) };
        let names = [entry.white, 1 - entry.white].map(|number| self.specs[number].name.as_str());
        let text = write_game(line, entry, names, &today())?;
        Ok(append(path, &text)?)
    }

    /// How a player lost a game by failing, if one did.
    fn failure(&self, entry: &Entry) -> Option<String> {
        let player = &self.specs[entry.failed?].name;
        Some(format!("game {}, {player}: {}", entry.number + 1, entry.reason))
    }

    fn game_text(&self, entry: &Entry, tally: &Tally) -> String {
        let [white, black] = [entry.white, 1 - entry.white].map(|number| &self.specs[number].name);
        let mark = if entry.failed.is_some() { " (!)" } else { "" };
        format!(
            "game {:>4}  {:<7}  {white} - {black}  {} plies, {}{mark}  {}",
            entry.number + 1,
            entry.result,
            entry.moves.len(),
            entry.reason,
            counts(tally)
        )
    }

    fn show(&self, tally: &Tally, verdict: Verdict) -> anyhow::Result<()> {
        let (elo, low, high) = tally.elo();
        let [first, second] = [0, 1].map(|number| &self.specs[number].name);
        let ratio = self.arguments.sprt.map(|sprt| (tally.log_likelihood_ratio(&sprt), sprt.bounds()));
        let word = match verdict {
            Verdict::Undecided => "undecided",
            Verdict::Accepted => "accepted",
            Verdict::Rejected => "rejected",
        };
        if self.arguments.json {
            let finite = |number: f64| number.is_finite().then_some(number);
            return output::json(&serde_json::json!({
                "game": self.arguments.game,
                "players": [first, second],
                "games": tally.count(),
                "wins": tally.games[2], "draws": tally.games[1], "losses": tally.games[0],
                "pairs": tally.pairs,
                "score": tally.score(),
                "elo": finite(elo), "elo_low": finite(low), "elo_high": finite(high),
                "superiority": tally.superiority(),
                "sprt": ratio.map(|(ratio, (low, high))| serde_json::json!({
                    "llr": ratio, "low": low, "high": high, "verdict": word,
                })),
            }));
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{first} - {second}: {}", counts(tally))?;
        writeln!(
            out,
            "score {:.1} %, Elo {} [{}, {}] (95 %), stronger with {:.1} %",
            100.0 * tally.score(),
            elo_text(elo),
            elo_text(low),
            elo_text(high),
            100.0 * tally.superiority()
        )?;
        writeln!(out, "pairs with 0, 1/2, 1, 3/2, 2 points: {:?}", tally.pairs)?;
        if let (Some((ratio, (low, high))), Some(sprt)) = (ratio, self.arguments.sprt) {
            writeln!(
                out,
                "test of Elo {} against {}: {word}, log-likelihood ratio {ratio:.2} [{low:.2}, {high:.2}]",
                sprt.elo1, sprt.elo0
            )?;
        }
        Ok(())
    }
}

fn counts(tally: &Tally) -> String {
    let [losses, draws, wins] = tally.games;
    format!("+{wins} ={draws} -{losses}")
}

fn elo_text(elo: f64) -> String {
    if elo.is_finite() {
        format!("{elo:+.0}")
    } else {
        String::from(if elo > 0.0 { "+infinite" } else { "-infinite" })
    }
}

fn control_text(control: Control) -> String {
    let mut parts = Vec::new();
    if let Some((time, increment)) = control.clock {
        parts.push(format!("clock {}+{}", time.as_secs_f64(), increment.as_secs_f64()));
    }
    parts.extend(control.time.map(|time| format!("time {}", time.as_secs_f64())));
    parts.extend(control.depth.map(|depth| format!("depth {depth}")));
    parts.extend(control.nodes.map(|nodes| format!("nodes {nodes}")));
    parts.join(" ")
}

/// `2024.02.29`, in Greenwich.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = date(seconds / 86_400);
    format!("{year}.{month:02}.{day:02}")
}

/// Year, month and day of a day since 1 January 1970: years begin in March here, so that leap days come last.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(19_782), (2024, 2, 29));
        assert_eq!(date(19_783), (2024, 3, 1));
        assert_eq!(date(20_453), (2025, 12, 31));
    }

    #[test]
    fn tests_are_read() {
        let sprt = parse_sprt("elo0=-5,elo1=5,alpha=0.1").unwrap();
        assert_eq!(sprt, Sprt { elo0: -5.0, elo1: 5.0, alpha: 0.1, beta: 0.05 });
        for wrong in ["", "elo0", "elo1=x", "elo0=5,elo1=5", "alpha=0.7", "gamma=1", "elo1=inf"] {
            assert!(parse_sprt(wrong).is_err(), "{wrong}");
        }
    }
}
