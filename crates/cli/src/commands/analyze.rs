//! `multigame analyze`: what a game is like to play.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use multigame_analysis::{Listener, Plan, analyze, html, text};
use multigame_game::{Game, WithGame};
use multigame_ir::Program;
use multigame_progress::Progress;

use crate::chores::Chore;
use crate::coverage::Chosen;
use crate::{interrupt, load, output};

/// Measure what a game is like: advantage, length, drama, worth of thinking.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
    /// Random games
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// The computer plays itself at search depths 1 to this one
    #[arg(long, default_value_t = 3)]
    depth: u32,
    /// Games at each depth
    #[arg(long, default_value_t = 20)]
    selfplay: u32,
    /// Random moves at the beginning of these games, so that they differ
    #[arg(long, default_value_t = 2)]
    plies: u32,
    /// Nodes of the weakest player when doubling the effort
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of doublings of the effort; 0 leaves these matches out
    #[arg(long, default_value_t = 3)]
    doublings: u32,
    /// Games of each of these matches
    #[arg(long, default_value_t = 20)]
    match_games: u32,
    /// Games at the same time; the report does not depend on it
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Give games up after this many moves
    #[arg(long, default_value_t = 400)]
    max_plies: u32,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also write a page with plots
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Measures and reports.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (source, program) = load::program(&arguments.game)?;
    let task = Analyze { arguments, program: program.clone(), text: &source.text };
    load::with_program(&source, program, arguments.game.backend, task)
}

/// An analysis of rules, whoever runs them.
struct Analyze<'a> {
    arguments: &'a Arguments,
    program: Program,
    text: &'a str,
}

impl WithGame for Analyze<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        self.arguments.plan_and_report(&game, self.program, self.text)
    }
}

impl Arguments {
    fn plan_and_report<G: Game>(&self, game: &G, program: Program, rules: &str) -> anyhow::Result<()> {
        let plan = Plan {
            random_games: self.games,
            levels: self.depth,
            games: self.selfplay,
            plies: self.plies,
            nodes: self.nodes,
            doublings: self.doublings,
            match_games: self.match_games,
            concurrency: self.concurrency,
            max_plies: self.max_plies,
            seed: self.seed,
        };
        interrupt::catch()?;
        let thinking = interrupt::thinking();
        let mut live = Live { game, part: String::new(), progress: None, chosen: Chosen::default() };
        let farms = |task| Chore::Analysis(task).farm(plan.concurrency);
        let mut report = analyze(game, &plan, &farms, interrupt::flag(), &mut live)?;
        drop(thinking);
        live.progress = None;
        report.set_unused(live.chosen.unused(program, rules)?);
        if let Some(path) = &self.html {
            output::write(path, &html(&report))?;
        }
        if self.json {
            return output::json(&serde_json::to_value(&report)?);
        }
        write!(std::io::stdout(), "{}", text(&report))?;
        Ok(())
    }
}

/// Shows how far it is; keeps positions, from which is told which rules were used.
struct Live<'g, G> {
    game: &'g G,
    /// What is being measured.
    part: String,
    progress: Option<Progress>,
    chosen: Chosen,
}

impl<G: Game> Listener<G> for Live<'_, G> {
    fn progress(&mut self, part: &str, done: u32, of: u32) {
        if self.part != part {
            self.part = part.to_string();
            self.progress = None;
        }
        let progress = self.progress.get_or_insert_with(|| Progress::counting(part, u64::from(of)));
        progress.at(u64::from(done));
    }

    fn position(&mut self, position: &G::Position) {
        self.chosen.add(|| self.game.diagram(position));
    }
}
