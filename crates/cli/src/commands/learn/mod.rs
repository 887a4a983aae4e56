//! `multigame learn`: weights of an evaluation from games of the computer against itself.

mod network;

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use multigame_arena::{Control, MatchTask, Openings, Spec, Sprt, Tally, Terms, Tournament, Verdict};
use multigame_files::{Lock, stamp};
use multigame_game::{Appraiser, Game, PatternsFile, Purpose, WithGame};
use multigame_input::{MOST_POSITIONS, MOST_TEXT, read_text};
use multigame_learning::{
    Fit, GameRecord, Kept, Sample, SelfPlay, State, fit, judged, learn_patterns, loss, samples, scale_of,
};
use multigame_loader::{NETWORK, PATTERNS, Source, WEIGHTS, WeightsFile};
use multigame_player::ranks::EvaluatorSpec;
use multigame_player::{Limits, RulesEvaluator, parse_time};
use multigame_progress::Progress;
use multigame_search::Patterns;

use crate::chores::Chore;
use crate::{interrupt, load};

/// A move may be late by this much without losing the game: machines have other things to do.
const MARGIN: Duration = Duration::from_secs(2);

/// Tune the weights of an evaluation by self-play; they are written down only if a match proves them better.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
    /// Learn this many pattern tables over groups of fields instead of weights; needs no evaluation in the
    /// rules
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=256))]
    patterns: Option<u32>,
    /// Learn a network instead, with this many numbers for each player's view: 16, 32, 64, 128 or 256
    #[arg(long, value_name = "SIZE", value_parser = network_size, conflicts_with = "patterns")]
    network: Option<usize>,
    /// Number of times that the network learns from each position
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Which one of the rules' evaluations; the usual one if not given
    #[arg(long, value_name = "NAME")]
    evaluation: Option<String>,
    /// Learn from positions that somebody has judged instead of from games: lines `POSITION | SCORE`, the
    /// score being what White may expect, from 0 to 1
    #[arg(long, value_name = "FILE", conflicts_with_all = ["patterns", "games", "rounds", "state", "lambda"])]
    judged: Option<PathBuf>,
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
    /// Strength of the pull towards the old weights; 0.05 if not given, and 0.002 for patterns, which occur
    /// rarely
    #[arg(long)]
    pull: Option<f64>,
    /// Games at the same time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Longer games are drawn
    #[arg(long, default_value_t = 300)]
    max_plies: usize,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Most games to prove the new weights better; 0 writes them unproved
    #[arg(long, default_value_t = 400)]
    match_games: usize,
    /// Nodes for each move of these games
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    match_nodes: u64,
    /// Time for each move of these games instead: what is learned may be faster or slower than what was
    /// before
    #[arg(long, value_parser = parse_time, conflicts_with = "match_nodes")]
    match_time: Option<Duration>,
    /// Keep games here, and go on with them after an interruption
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Where it goes: `weights.toml`, `patterns.json` or `network.json` beside the rules if not given
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Plays, fits, proves, writes.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if !(0.0..=1.0).contains(&arguments.lambda) {
        bail!("`--lambda {}` is not between 0 and 1", arguments.lambda);
    }
    let (source, program) = load::program(&arguments.game)?;
    let output = match &arguments.output {
        Some(output) => output.clone(),
        None if arguments.patterns.is_some() => beside(&source, PATTERNS)?,
        None if arguments.network.is_some() => beside(&source, NETWORK)?,
        None => beside(&source, WEIGHTS)?,
    };
    load::with_program(&source, program, arguments.game.backend, Learn { arguments, output })
}

/// The file beside rules in a folder of their own.
fn beside(source: &Source, file: &str) -> anyhow::Result<PathBuf> {
    let path = Path::new(&source.file);
    match path.parent().filter(|_| path.is_file()) {
        Some(folder) if path.file_name().is_some_and(|name| name == "rules.mg") => Ok(folder.join(file)),
        _ => bail!(
            "say where `{file}` goes with `--output FILE`; only `FOLDER/rules.mg` has its own place for it"
        ),
    }
}

fn network_size(text: &str) -> Result<usize, String> {
    let sizes = multigame_game::Network::SIZES;
    let size = text.parse().ok().filter(|size| sizes.contains(size));
    size.ok_or_else(|| format!("a network has one of the sizes {sizes:?}"))
}

struct Learn<'a> {
    arguments: &'a Arguments,
    output: PathBuf,
}

impl WithGame for Learn<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let arguments = self.arguments;
        if game.description().players != 2 {
            bail!("puzzles have no opponent to learn from");
        }
        if let Some(count) = arguments.patterns {
            return self.learn_patterns(&game, count as usize);
        }
        if let Some(hidden) = arguments.network {
            return self.learn_network(&game, hidden);
        }
        let start = self.appraiser(&game)?;
        if game.network().is_some() || !game.patterns().is_empty() {
            bail!(
                "what was learned beside the rules was learned on top of their present weights: move \
                 `{NETWORK}` or \
                 `{PATTERNS}` away, tune the weights, and learn it again"
            );
        }
        interrupt::catch()?;
        let _thinking = interrupt::thinking();
        if let Some(file) = &arguments.judged {
            return self.learn_judged(&game, &start, file);
        }
        let from = format!("{} from {:?}", start.evaluation().name, start.values());
        let weights = start.values().len();
        let (mut state, kept) = State::open(arguments.state.as_deref(), &self.head(&game, &from), weights)?;
        let mut current = start.clone();
        let mut records: Vec<GameRecord> = Vec::new();
        for round in 1..=arguments.rounds {
            let evaluator = RulesEvaluator::with_appraiser(&game, current.clone());
            records.extend(self.play(&game, &evaluator, round, &kept, &mut state)?);
            let known = kept.iter().find_map(|kept| match kept {
                Kept::Weights { round: of, values } if *of == round => Some(values.clone()),
                _ => None,
            });
            let values = match known {
                Some(values) => values,
                None => {
                    let values = self.fit_games(&game, &start, &records, round)?;
                    state.add(&Kept::Weights { round, values: values.clone() })?;
                    values
                }
            };
            current.set(game.description(), values);
        }
        self.conclude(&game, &start, &current, &self.of_games(records.len()))
    }
}

impl Learn<'_> {
    fn appraiser<G: Game>(&self, game: &G) -> anyhow::Result<Appraiser> {
        let evaluations = game.evaluations();
        let number = match &self.arguments.evaluation {
            None => 0,
            Some(name) => evaluations
                .iter()
                .position(|evaluation| evaluation.name == *name)
                .with_context(|| format!("the rules have no evaluation `{name}`"))?,
        };
        let Some(evaluation) = evaluations.get(number) else {
            bail!(
                "the rules have no `evaluation` to tune; docs/evaluation.md says how to write one, and \
                 `--network 32` learns without"
            );
        };
        if evaluation.weights.is_empty() || evaluation.purpose != Purpose::Worth {
            bail!("evaluation `{}` has no weights to tune", evaluation.name);
        }
        Ok(Appraiser::new(game, number))
    }

    /// Fits weights to positions that somebody has judged.
    fn learn_judged<G: Game>(&self, game: &G, start: &Appraiser, file: &Path) -> anyhow::Result<()> {
        let name = file.display();
        let text = read_text(file, MOST_POSITIONS).with_context(|| format!("cannot read `{name}`"))?;
        let samples =
            judged(game, start, &text).with_context(|| format!("`{name}` cannot be learned from"))?;
        if samples.is_empty() {
            bail!("there is no position in `{name}`; lines `POSITION | SCORE` are expected");
        }
        let scale = scale_of(&samples, &weights_of(start));
        let values = self.fit(start, &samples, scale, &format!("{} positions", samples.len()))?;
        let mut current = start.clone();
        current.set(game.description(), values);
        let pull = self.pull();
        let source = format!("{} judged positions, pull {pull}", samples.len());
        self.conclude(game, start, &current, &source)
    }

    /// Tells what changed, proves it better and writes it down; `source` says what was learned from.
    fn conclude<G: Game>(
        &self,
        game: &G,
        start: &Appraiser,
        learned: &Appraiser,
        source: &str,
    ) -> anyhow::Result<()> {
        show_changes(start, learned)?;
        if learned.values() == start.values() {
            bail!("nothing was learned; learn from more, or let go with a smaller `--pull`");
        }
        let evaluators =
            [learned, start].map(|appraiser| RulesEvaluator::with_appraiser(game, appraiser.clone()));
        let proof = self.prove(game, &evaluators[0], &evaluators[1])?;
        self.write(learned, &format!("multigame learn: {source}; {proof}"))
    }

    fn pull(&self) -> f64 {
        let usual = if self.arguments.patterns.is_some() { 0.002 } else { 0.05 };
        self.arguments.pull.unwrap_or(usual)
    }

    /// The run that kept games belong to.
    fn head<G: Game>(&self, game: &G, from: &str) -> String {
        let Arguments { depth, plies, seed, max_plies, games, lambda, .. } = self.arguments;
        let pull = self.pull();
        format!(
            "{} depth {depth} plies {plies} seed {seed} max-plies {max_plies} games {games} \
             lambda {lambda} pull {pull} evaluation {from}",
            game.description().name,
        )
    }

    /// The games of a round; those that are not kept are played.
    fn play<G: Game>(
        &self,
        game: &G,
        evaluator: &RulesEvaluator,
        round: u32,
        kept: &[Kept],
        state: &mut State,
    ) -> anyhow::Result<Vec<GameRecord>> {
        let arguments = self.arguments;
        let own = |kept: &Kept| match kept {
            Kept::Game { round: of, record } if *of == round => Some(record.clone()),
            _ => None,
        };
        let mut played: Vec<GameRecord> = kept.iter().filter_map(own).collect();
        let done: HashSet<u32> = played.iter().map(|record| record.number).collect();
        let numbers: Vec<u32> = (0..arguments.games).filter(|number| !done.contains(number)).collect();
        let selfplay = SelfPlay {
            game,
            evaluator,
            limits: Limits { depth: Some(arguments.depth), ..Limits::default() },
            plies: arguments.plies,
            max_plies: arguments.max_plies,
            seed: arguments.seed.wrapping_mul(1000) + u64::from(round),
            concurrency: arguments.concurrency,
            farm: None,
            stop: interrupt::flag(),
        };
        let farm = Chore::SelfPlay(Box::new(selfplay.task())).farm(arguments.concurrency);
        let selfplay = SelfPlay { farm: farm.as_ref(), ..selfplay };
        let mut progress = Progress::counting(&format!("games of round {round}"), u64::from(arguments.games));
        selfplay.play(&numbers, &mut |record| {
            state.add(&Kept::Game { round, record: record.clone() })?;
            played.push(record);
            progress.at(played.len() as u64);
            Ok(())
        })?;
        drop(progress);
        if interrupt::flag().load(Ordering::Relaxed) {
            let hint = if arguments.state.is_some() { "; the same command goes on" } else { "" };
            bail!("stopped after {} games of round {round}{hint}", played.len());
        }
        // The same weights whatever the order in which games were finished.
        played.sort_by_key(|record| record.number);
        Ok(played)
    }

    /// Learns pattern tables on top of what positions are judged by.
    fn learn_patterns<G: Game>(&self, game: &G, count: usize) -> anyhow::Result<()> {
        let arguments = self.arguments;
        let base = RulesEvaluator::new(game, arguments.evaluation.as_deref())
            .map_err(anyhow::Error::msg)?
            .without_learned();
        interrupt::catch()?;
        let _thinking = interrupt::thinking();
        let from = format!("{} with {count} patterns", base.name());
        let (mut state, kept) = State::open(arguments.state.as_deref(), &self.head(game, &from), 0)?;
        let mut learned: Option<Patterns> = None;
        let mut records = Vec::new();
        for round in 1..=arguments.rounds {
            let evaluator =
                learned.take().map_or(base.clone(), |patterns| base.clone().with_learned(patterns));
            records.extend(self.play(game, &evaluator, round, &kept, &mut state)?);
            let plan = Fit { scale: scale_of_values(&records), pull: self.pull(), rounds: 200 };
            let (patterns, [without, with]) =
                learn_patterns(game, &base, &records, arguments.lambda, &plan, count)?;
            writeln!(
                std::io::stdout(),
                "round {round}: {} games, scale {:.0}, {} patterns, loss {without:.4} -> {with:.4}",
                records.len(),
                plan.scale,
                patterns.tuples().len()
            )?;
            learned = Some(patterns);
        }
        let Some(patterns) = learned.filter(|patterns| !patterns.tuples().is_empty()) else {
            bail!("nothing was learned; play more `--games`");
        };
        let proof = self.prove(game, &base.clone().with_learned(patterns.clone()), &base)?;
        let provenance = format!("multigame learn: {}; {proof}", self.of_games(records.len()));
        let file = PatternsFile::new(game.description(), patterns.tuples(), provenance);
        let name = self.output.display();
        multigame_files::write(&self.output, stamp(&serde_json::to_string(&file)?)?.as_bytes())?;
        writeln!(std::io::stdout(), "written to {name}; {}", self.use_of("patterns"))?;
        Ok(())
    }

    /// The way to use the written file; `option` is the switch of other commands for it.
    fn use_of(&self, option: &str) -> String {
        match &self.arguments.output {
            Some(name) => format!("`--{option} {}` uses it", name.display()),
            None => "it is used from now on".to_string(),
        }
    }

    /// The weights that fit all games so far.
    fn fit_games<G: Game>(
        &self,
        game: &G,
        start: &Appraiser,
        records: &[GameRecord],
        round: u32,
    ) -> anyhow::Result<Vec<i32>> {
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
        let scale = scale_of(&results, &weights_of(start));
        let samples = collect(self.arguments.lambda, scale)?;
        let what = format!("round {round}: {} games, {} positions", records.len(), samples.len());
        self.fit(start, &samples, scale, &what)
    }

    /// The weights that fit samples; says how well they do.
    fn fit(&self, start: &Appraiser, samples: &[Sample], scale: f64, what: &str) -> anyhow::Result<Vec<i32>> {
        let from = weights_of(start);
        let ranges: Vec<(f64, f64)> =
            start.evaluation().weights.iter().map(|w| (f64::from(w.low), f64::from(w.high))).collect();
        let plan = Fit { scale, pull: self.pull(), rounds: 400 };
        let found = fit(samples, &from, &ranges, &plan, &mut |_, _| {});
        writeln!(
            std::io::stdout(),
            "{what}, scale {scale:.0}, loss {:.4} -> {:.4}",
            loss(samples, &from, scale),
            loss(samples, &found, scale)
        )?;
        Ok(found.iter().map(|value| value.round() as i32).collect())
    }

    /// A match of the new weights against the old ones. Gives what it proved in words.
    fn prove<G: Game>(
        &self,
        game: &G,
        learned: &RulesEvaluator,
        start: &RulesEvaluator,
    ) -> anyhow::Result<String> {
        let arguments = self.arguments;
        if arguments.match_games == 0 {
            return Ok("not proved by a match".to_string());
        }
        // Nodes of other engines would be something else.
        let spec = |evaluator| {
            Spec::valuing("engine=negascout,tt-size=8", EvaluatorSpec::of(game.description(), evaluator))
        };
        let specs = [spec(learned)?, spec(start)?];
        let [first, second] = [0, 1].map(|number| {
            let spec: &Spec = &specs[number];
            move || spec.contestant(game, interrupt::flag())
        });
        let (control, margin, effort) = match arguments.match_time {
            Some(time) => {
                let control = Control { time: Some(time), ..Control::default() };
                (control, MARGIN, format!("{} s", time.as_secs_f64()))
            }
            None => {
                let control = Control { nodes: Some(arguments.match_nodes), ..Control::default() };
                (control, Duration::ZERO, format!("{} nodes", arguments.match_nodes))
            }
        };
        let terms = Terms { max_plies: arguments.max_plies, margin, patience: Duration::from_secs(3600) };
        let openings =
            Openings::Random { plies: arguments.plies, seed: arguments.seed.wrapping_mul(1 << 12) };
        let beginnings = openings.of(game)?;
        let task = MatchTask::new(&specs, [control; 2], terms, openings)?;
        let farm = Chore::Match(Box::new(task)).farm(arguments.concurrency);
        let tournament = Tournament {
            game,
            players: [&first, &second],
            controls: [control; 2],
            terms,
            pairs: arguments.match_games.div_ceil(2),
            opening: &|pair| beginnings.opening(pair),
            concurrency: arguments.concurrency,
            sprt: Some(Sprt { elo0: 0.0, elo1: 30.0, alpha: 0.05, beta: 0.05 }),
            farm: farm.as_ref(),
            stop: interrupt::flag(),
        };
        let mut progress = Progress::counting("match, pairs at most", tournament.pairs as u64);
        let (tally, verdict) = tournament.run(&[], &mut |_, _, tally| {
            progress.at(tally.games.iter().sum::<u64>() / 2);
            progress.say(&score_text(tally));
            Ok(())
        })?;
        drop(progress);
        let (elo, low, high) = tally.elo();
        let score = format!("{}, Elo {elo:+.0} [{low:+.0}, {high:+.0}]", score_text(&tally));
        writeln!(std::io::stdout(), "match, new against old: {score}")?;
        match verdict {
            Verdict::Accepted => Ok(format!("beats what was before by {score} at {effort} a move")),
            Verdict::Rejected => bail!("what was learned is not better; nothing was written"),
            Verdict::Undecided => {
                bail!("{} games did not prove what was learned better; nothing was written", tally.count())
            }
        }
    }

    /// The origin of the data, for readers of the file.
    fn of_games(&self, games: usize) -> String {
        let Arguments { depth, plies, lambda, seed, rounds, network, .. } = self.arguments;
        // Networks are not pulled anywhere.
        let pull = if network.is_some() { String::new() } else { format!(", pull {}", self.pull()) };
        format!(
            "{games} games of self-play in {rounds} rounds at depth {depth} after {plies} random plies, \
             lambda {lambda}{pull}, seed {seed}"
        )
    }

    fn write(&self, learned: &Appraiser, provenance: &str) -> anyhow::Result<()> {
        let name = self.output.display();
        // Others may add their weights to the same file.
        let _lock = Lock::of(&self.output)?;
        let mut file = match read_text(&self.output, MOST_TEXT) {
            Ok(text) => WeightsFile::parse(&text)
                .map_err(anyhow::Error::msg)
                .with_context(|| format!("`{name}` is not a file of weights; choose another `--output`"))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => WeightsFile::default(),
            Err(error) => return Err(error).with_context(|| format!("cannot read `{name}`")),
        };
        file.set(learned.evaluation(), learned.values(), provenance);
        multigame_files::write(&self.output, file.to_text().as_bytes())?;
        writeln!(std::io::stdout(), "written to {name}")?;
        Ok(())
    }
}

/// The scale of search values: the value with which 73 % of the points are made.
fn scale_of_values(records: &[GameRecord]) -> f64 {
    let mut samples = Vec::new();
    for record in records {
        for number in (0..record.values.len()).filter(|&number| record.teaches(number)) {
            let features = vec![(0, record.values[number] as f32)];
            samples.push(Sample { features, offset: 0.0, target: record.result });
        }
    }
    // Where values tell nothing, neither does their scale.
    if samples.is_empty() { 100.0 } else { scale_of(&samples, &[1.0]).clamp(50.0, 400.0) }
}

fn weights_of(appraiser: &Appraiser) -> Vec<f64> {
    appraiser.values().iter().map(|&value| f64::from(value)).collect()
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
