//! `multigame learn`: weights of an evaluation from games of the computer against itself.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use multigame_arena::{Computer, Contestant, Control, Sprt, Tally, Terms, Tournament, Verdict, random};
use multigame_game::{Appraiser, Game, Purpose, Task};
use multigame_learning::{Fit, GameRecord, Sample, SelfPlay, fit, loss, samples, scale_of};
use multigame_loader::{Source, WeightsFile};
use multigame_player::{Judge, Limits, Player, interrupt};
use multigame_search::Options;
use serde::{Deserialize, Serialize};

use crate::load;

/// Tune the weights of an evaluation by self-play; they are written down only if a match proves them better.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
    /// Which one of the rules' evaluations; the usual one if not given
    #[arg(long, value_name = "NAME")]
    evaluation: Option<String>,
    /// Games to learn from, in each round
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// Rounds of playing and fitting; later ones play with what was learned
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Plies the computer searches in these games
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Random moves at the beginning of a game
    #[arg(long, default_value_t = 6)]
    plies: u32,
    /// 1 learns from results alone, less also from what searches thought later in the game
    #[arg(long, default_value_t = 0.8)]
    lambda: f64,
    /// How strongly weights are held where they were
    #[arg(long, default_value_t = 0.05)]
    pull: f64,
    /// Games at the same time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Longer games are drawn
    #[arg(long, default_value_t = 300)]
    max_plies: usize,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// At most so many games to prove the new weights better; 0 writes them unproved
    #[arg(long, default_value_t = 400)]
    match_games: usize,
    /// Nodes for each move of these games
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: u64,
    /// Keep games here, and go on with them after an interruption
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Where the weights go: `weights.toml` beside the rules if not given
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Plays, fits, proves, writes.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if !(0.0..=1.0).contains(&arguments.lambda) {
        bail!("`--lambda {}` is not between 0 and 1", arguments.lambda);
    }
    let (source, program) = load::program(&arguments.game)?;
    let output = arguments.output.clone().map_or_else(|| beside(&source), Ok)?;
    load::with_program(&source, program, arguments.game.backend, Learn { arguments, output })
}

/// The weights file of rules in a folder of their own.
fn beside(source: &Source) -> anyhow::Result<PathBuf> {
    let path = Path::new(&source.file);
    match path.parent().filter(|_| path.is_file()) {
        Some(folder) if path.file_name().is_some_and(|name| name == "rules.mg") => {
            Ok(folder.join("weights.toml"))
        }
        _ => bail!(
            "say where the weights go with `--output FILE`; only `FOLDER/rules.mg` has its own place for them"
        ),
    }
}

/// What is kept between runs: a line each.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kept {
    /// What it belongs to.
    Head(String),
    /// A game of a round.
    Game { round: u32, record: GameRecord },
    /// The weights after a round.
    Weights { round: u32, values: Vec<i32> },
}

struct Learn<'a> {
    arguments: &'a Arguments,
    output: PathBuf,
}

impl Task for Learn<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let arguments = self.arguments;
        let start = self.appraiser(&game)?;
        interrupt::catch()?;
        let _thinking = interrupt::Thinking::begin();
        let (mut state, kept) = State::open(arguments.state.as_deref(), &self.head(&game, &start))?;
        let mut current = start.clone();
        let mut records: Vec<GameRecord> = Vec::new();
        for round in 1..=arguments.rounds {
            let own = |kept: &Kept| match kept {
                Kept::Game { round: of, record } if *of == round => Some(record.clone()),
                _ => None,
            };
            let mut played: Vec<GameRecord> = kept.iter().filter_map(own).collect();
            self.play(&game, &current, round, &mut played, &mut state)?;
            if interrupt::flag().load(Ordering::Relaxed) {
                let hint = if arguments.state.is_some() { "; the same command goes on" } else { "" };
                bail!("stopped after {} games of round {round}{hint}", played.len());
            }
            records.extend(played);
            let known = kept.iter().find_map(|kept| match kept {
                Kept::Weights { round: of, values } if *of == round => Some(values.clone()),
                _ => None,
            });
            let values = match known {
                Some(values) => values,
                None => {
                    let values = self.fit(&game, &start, &records, round)?;
                    state.add(&Kept::Weights { round, values: values.clone() })?;
                    values
                }
            };
            current.set(game.description(), values);
        }
        show_changes(&start, &current)?;
        if current.values() == start.values() {
            bail!("nothing was learned; play more `--games`, or let go with a smaller `--pull`");
        }
        let proof = self.prove(&game, &start, &current)?;
        self.write(&current, &proof, records.len())
    }
}

impl Learn<'_> {
    fn appraiser<G: Game>(&self, game: &G) -> anyhow::Result<Appraiser> {
        let evaluations = game.evaluations();
        if game.description().players != 2 {
            bail!("puzzles have no opponent to learn from");
        }
        let number = match &self.arguments.evaluation {
            None => 0,
            Some(name) => evaluations
                .iter()
                .position(|evaluation| evaluation.name == *name)
                .with_context(|| format!("the rules have no evaluation `{name}`"))?,
        };
        let Some(evaluation) = evaluations.get(number) else {
            bail!("the rules have no `evaluation` to tune; docs/evaluation.md says how to write one");
        };
        if evaluation.weights.is_empty() || evaluation.purpose != Purpose::Worth {
            bail!("evaluation `{}` has no weights to tune", evaluation.name);
        }
        Ok(Appraiser::new(game, number))
    }

    /// What kept games belong to.
    fn head<G: Game>(&self, game: &G, start: &Appraiser) -> String {
        let Arguments { depth, plies, seed, max_plies, games, lambda, pull, .. } = self.arguments;
        format!(
            "{} evaluation {} depth {depth} plies {plies} seed {seed} max-plies {max_plies} games {games} \
             lambda {lambda} pull {pull} from {:?}",
            game.description().name,
            start.evaluation().name,
            start.values()
        )
    }

    /// Plays what is missing of a round.
    fn play<G: Game>(
        &self,
        game: &G,
        appraiser: &Appraiser,
        round: u32,
        played: &mut Vec<GameRecord>,
        state: &mut State,
    ) -> anyhow::Result<()> {
        let arguments = self.arguments;
        let done: HashSet<u32> = played.iter().map(|record| record.number).collect();
        let numbers: Vec<u32> = (0..arguments.games).filter(|number| !done.contains(number)).collect();
        let selfplay = SelfPlay {
            game,
            appraiser,
            limits: Limits { depth: Some(arguments.depth), ..Limits::default() },
            plies: arguments.plies,
            max_plies: arguments.max_plies,
            seed: arguments.seed.wrapping_mul(1000) + u64::from(round),
            concurrency: arguments.concurrency,
            stop: interrupt::flag(),
        };
        let live = std::io::stderr().is_terminal();
        selfplay.play(&numbers, &mut |record| {
            state.add(&Kept::Game { round, record: record.clone() })?;
            played.push(record);
            if live {
                write!(
                    std::io::stderr(),
                    "\r\x1b[Kround {round}: {} of {} games",
                    played.len(),
                    arguments.games
                )?;
            }
            Ok(())
        })?;
        if live {
            write!(std::io::stderr(), "\r\x1b[K")?;
        }
        // The same weights whatever the order in which games were finished.
        played.sort_by_key(|record| record.number);
        Ok(())
    }

    /// The weights that fit all games so far.
    fn fit<G: Game>(
        &self,
        game: &G,
        start: &Appraiser,
        records: &[GameRecord],
        round: u32,
    ) -> anyhow::Result<Vec<i32>> {
        let from: Vec<f64> = start.values().iter().map(|&value| f64::from(value)).collect();
        let collect = |lambda: f64, scale: f64| -> anyhow::Result<Vec<Sample>> {
            let mut all = Vec::new();
            for record in records {
                all.extend(samples(game, start, record, lambda, scale)?);
            }
            Ok(all)
        };
        let results = collect(1.0, 1.0)?;
        if results.is_empty() {
            bail!("there is no quiet position to learn from in {} games; play more `--games`", records.len());
        }
        let scale = scale_of(&results, &from);
        let samples = collect(self.arguments.lambda, scale)?;
        let ranges: Vec<(f64, f64)> =
            start.evaluation().weights.iter().map(|w| (f64::from(w.low), f64::from(w.high))).collect();
        let plan = Fit { scale, pull: self.arguments.pull, rounds: 400 };
        let found = fit(&samples, &from, &ranges, &plan, &mut |_, _| {});
        writeln!(
            std::io::stdout(),
            "round {round}: {} games, {} positions, scale {scale:.0}, loss {:.4} -> {:.4}",
            records.len(),
            samples.len(),
            loss(&samples, &from, scale),
            loss(&samples, &found, scale)
        )?;
        Ok(found.iter().map(|value| value.round() as i32).collect())
    }

    /// A match of the new weights against the old ones. Gives what it proved in words.
    fn prove<G: Game>(&self, game: &G, start: &Appraiser, learned: &Appraiser) -> anyhow::Result<String> {
        let arguments = self.arguments;
        if arguments.match_games == 0 {
            return Ok("not proved by a match".to_string());
        }
        let player = |appraiser: &Appraiser| -> anyhow::Result<Box<dyn Contestant<G> + '_>> {
            let options = Options { table_mib: 8, ..Options::playing() };
            let player = Player::new(game, None, options, Limits::usual(), interrupt::flag())?;
            let judge = Judge::with_appraiser(game, appraiser.clone());
            Ok(Box::new(Computer::new(player.with_judge(judge))))
        };
        let (first, second) = (|| player(learned), || player(start));
        let control = Control { nodes: Some(arguments.match_nodes), ..Control::default() };
        let tournament = Tournament {
            game,
            players: [&first, &second],
            controls: [control; 2],
            terms: Terms {
                max_plies: arguments.max_plies,
                margin: Duration::ZERO,
                patience: Duration::from_secs(3600),
            },
            pairs: arguments.match_games.div_ceil(2),
            opening: &|pair| random(game, arguments.plies, (arguments.seed << 32) + pair as u64),
            concurrency: arguments.concurrency,
            sprt: Some(Sprt { elo0: 0.0, elo1: 30.0, alpha: 0.05, beta: 0.05 }),
            stop: interrupt::flag(),
        };
        let live = std::io::stderr().is_terminal();
        let (tally, verdict) = tournament.run(&[], &mut |_, _, tally| {
            if live {
                write!(std::io::stderr(), "\r\x1b[Kmatch: {}", score_text(tally))?;
            }
            Ok(())
        })?;
        if live {
            write!(std::io::stderr(), "\r\x1b[K")?;
        }
        let (elo, low, high) = tally.elo();
        let score = format!("{}, Elo {elo:+.0} [{low:+.0}, {high:+.0}]", score_text(&tally));
        writeln!(std::io::stdout(), "match, new against old: {score}")?;
        match verdict {
            Verdict::Accepted => {
                Ok(format!("beats the weights before by {score} at {} nodes", arguments.match_nodes))
            }
            Verdict::Rejected => bail!("the new weights are not better; nothing was written"),
            Verdict::Undecided => {
                bail!("{} games did not prove the new weights better; nothing was written", tally.count())
            }
        }
    }

    fn write(&self, learned: &Appraiser, proof: &str, games: usize) -> anyhow::Result<()> {
        let name = self.output.display();
        let mut file = match std::fs::read_to_string(&self.output) {
            Ok(text) => WeightsFile::parse(&text)
                .map_err(anyhow::Error::msg)
                .with_context(|| format!("`{name}` is no file of weights; choose another `--output`"))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => WeightsFile::default(),
            Err(error) => return Err(error).with_context(|| format!("cannot read `{name}`")),
        };
        let Arguments { depth, plies, lambda, pull, seed, rounds, .. } = self.arguments;
        let provenance = format!(
            "multigame learn: {games} games of self-play in {rounds} rounds at depth {depth} after {plies} random plies, \
             lambda {lambda}, pull {pull}, seed {seed}; {proof}"
        );
        file.set(learned.evaluation(), learned.values(), &provenance);
        std::fs::write(&self.output, file.to_text()).with_context(|| format!("cannot write `{name}`"))?;
        writeln!(std::io::stdout(), "written to {name}")?;
        Ok(())
    }
}

fn score_text(tally: &Tally) -> String {
    let [losses, draws, wins] = tally.games;
    format!("+{wins} ={draws} -{losses}")
}

/// The weights that moved most.
fn show_changes(start: &Appraiser, learned: &Appraiser) -> anyhow::Result<()> {
    let weights = start.evaluation().weights.iter().zip(start.values().iter().zip(learned.values()));
    let mut changes: Vec<_> = weights.filter(|(_, (old, new))| old != new).collect();
    changes.sort_by_key(|(_, (old, new))| std::cmp::Reverse((*new - *old).abs()));
    writeln!(std::io::stdout(), "{} of {} weights changed", changes.len(), start.values().len())?;
    for (weight, (old, new)) in changes.iter().take(12) {
        writeln!(std::io::stdout(), "{:<24} {old:>6} -> {new:>6}", weight.name)?;
    }
    Ok(())
}

/// The file that games are kept in.
struct State(Option<(File, String)>);

impl State {
    /// Opens the file, if there shall be one, and gives what is in it.
    fn open(path: Option<&Path>, head: &str) -> anyhow::Result<(State, Vec<Kept>)> {
        let Some(path) = path else { return Ok((State(None), Vec::new())) };
        let name = path.display().to_string();
        let mut text = String::new();
        match File::open(path).and_then(|mut file| file.read_to_string(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot read `{name}`")),
        }
        let complete = text.rfind('\n').map_or(0, |end| end + 1);
        let mut kept = Vec::new();
        for (number, line) in text[..complete].lines().enumerate() {
            let line: Kept = serde_json::from_str(line).with_context(|| {
                format!("line {} of `{name}` is damaged; choose another file", number + 1)
            })?;
            kept.push(line);
        }
        match kept.first() {
            None => {}
            Some(Kept::Head(found)) if found == head => {}
            Some(_) => bail!("`{name}` belongs to other rules, weights or options; choose another file"),
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot write `{name}`"))?;
        file.set_len(complete as u64).with_context(|| format!("cannot write `{name}`"))?;
        let mut state = State(Some((file, name)));
        if kept.is_empty() {
            state.add(&Kept::Head(head.to_string()))?;
        }
        Ok((state, kept))
    }

    fn add(&mut self, kept: &Kept) -> anyhow::Result<()> {
        let Some((file, name)) = &mut self.0 else { return Ok(()) };
        let line = serde_json::to_string(kept)? + "\n";
        file.write_all(line.as_bytes()).with_context(|| format!("cannot write `{name}`"))
    }
}
