//! Who wins with best play, or the shortest solution of a puzzle.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use multigame_game::{Diagram, Portable, WithGame, position_text};
use multigame_loader::Playable;
use multigame_parallel::PolicyKind;
use multigame_player::{
    Changes, Checkpoint, Identity, News, Solver, Solving, check_memory, line_names, load_tables, parse_time,
    partial_text, result_text,
};
use multigame_search::Engine;
use multigame_search::patterns::{Perimeter, WIDEST};
use multigame_syntax::closest;
use serde_json::Value;

use crate::hosted::{Held, Report, Wishes};
use crate::think::{iteration_json, thought_json};

/// A position around the goal, and its table.
const BYTES_PER_NEIGHBOUR: usize = 64;
/// What can be wished for.
const NAMES: [&str; 14] = [
    "engine",
    "table",
    "threads",
    "policy",
    "depth",
    "time",
    "nodes",
    "verdict",
    "options",
    "tables",
    "perimeter",
    "checkpoint",
    "checkpoint-every",
    "clock",
];

/// How to solve something.
#[derive(Default)]
struct Way {
    solving: Solving,
    tables: Option<PathBuf>,
    perimeter: Option<u32>,
    checkpoint: Option<PathBuf>,
}

impl Way {
    fn of(wishes: &Wishes) -> anyhow::Result<Way> {
        let mut way = Way::default();
        wishes.iter().try_for_each(|(name, value)| way.set(name, value))?;
        check_memory(way.solving.table_mib as usize)?;
        Ok(way)
    }

    fn set(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        let solving = &mut self.solving;
        let number = || value.parse::<u32>().ok().filter(|&number| number > 0);
        match name {
            "engine" if value == "automatic" => solving.engine = None,
            "engine" => {
                let known = Engine::ALL.iter().find(|(known, _)| *known == value);
                let names = Engine::ALL.map(|(name, _)| name).join(", ");
                solving.engine = Some(
                    known.with_context(|| format!("there is no engine `{value}`; there are {names}"))?.1,
                );
            }
            "table" => solving.table_mib = number().context("`table` needs a number of MiB")?,
            "threads" => {
                let most = multigame_player::MOST_THREADS;
                let threads = number().filter(|&threads| threads <= most);
                solving.threads =
                    Some(threads.with_context(|| format!("`threads` is a number from 1 to {most}"))?);
            }
            "policy" => solving.policy = Some(value.parse()?),
            "verdict" => {
                solving.verdict = match value {
                    "on" => true,
                    "off" => false,
                    _ => bail!("`verdict` is True or False, not `{value}`"),
                }
            }
            "options" => solving.options = Changes::parse(value)?,
            "tables" => self.tables = Some(PathBuf::from(value)),
            "checkpoint" => self.checkpoint = Some(PathBuf::from(value)),
            "checkpoint-every" => solving.keep_every = parse_time(value).map_err(anyhow::Error::msg)?,
            "perimeter" => {
                let width = number().filter(|width| *width <= WIDEST);
                self.perimeter = Some(
                    width.with_context(|| format!("`perimeter` is a number of moves from 1 to {WIDEST}"))?,
                );
            }
            "depth" | "time" | "nodes" => solving.limits.set_one(name, value)?,
            "clock" => bail!("nobody's clock runs while something is solved; use `time`"),
            _ => {
                let hint =
                    closest(name, NAMES).map_or(String::new(), |near| format!("did you mean `{near}`? "));
                bail!("`solve` has no option `{name}`; {hint}it has {}", NAMES[..NAMES.len() - 1].join(", "));
            }
        }
        Ok(())
    }

    fn checkpoint<G: Portable + 'static>(
        &self,
        held: &Held<G>,
        engine: Engine,
    ) -> anyhow::Result<Checkpoint> {
        let (loaded, file) = (&held.core.loaded, self.checkpoint.clone().unwrap_or_default());
        let position = position_text(held.game().description(), &held.diagram());
        // A table that was filled by an unsound policy is not to be believed by searches without.
        let sound = self.solving.policy.is_none_or(PolicyKind::is_sound);
        let switches = &format!("{} {sound}", self.solving.options);
        let (rules, parameters) = (&loaded.text, &loaded.parameters);
        let search = Identity { rules, parameters, position: &position, switches, engine };
        Checkpoint::new(file, &search, self.solving.table_mib)
    }
}

/// Solves a position.
pub fn solve<G: Portable + 'static>(
    held: &Held<G>,
    wishes: &Wishes,
    stop: &AtomicBool,
    report: &mut Report<'_>,
) -> anyhow::Result<Value> {
    let way = Way::of(wishes)?;
    let (game, position, line) = (held.game(), &held.node.position, held.node.line(held.game()));
    let make = |engine| way.checkpoint(held, engine);
    let mut solver = Solver::new(game, &way.solving, stop);
    if let Some(tables) = &way.tables {
        solver = solver.with_bound(load_tables(tables, game)?)?;
    }
    if let Some(width) = way.perimeter {
        solver = solver.with_perimeter(perimeter(held, &way.solving, width, stop)?)?;
    }
    if way.checkpoint.is_some() {
        solver = solver.with_checkpoint(&make);
    } else if wishes.iter().any(|(name, _)| name == "checkpoint-every") {
        bail!("`checkpoint_every` needs `checkpoint`, the name of a file");
    }
    let solution = solver.run(&line, &mut |news| {
        let News::Progress(_, progress) = news else { return };
        if progress.finished {
            let names = line_names(game, position, progress.pv, 24).unwrap_or_default();
            if !report(iteration_json(progress, &names)) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    })?;
    let side = game.side_to_move(position);
    let result = result_text(game.description(), side, solution.proved);
    let known = partial_text(game.description(), side, solution.proved).filter(|_| result.is_none());
    let mut told = thought_json(held, &solution)?;
    told["result"] = result.into();
    told["known"] = known.into();
    Ok(told)
}

/// The positions around the goal of a puzzle.
fn perimeter<G: Portable + 'static>(
    held: &Held<G>,
    solving: &Solving,
    width: u32,
    stop: &AtomicBool,
) -> anyhow::Result<Perimeter> {
    let game = held.game();
    if game.description().players != 1 {
        bail!("`perimeter` is for puzzles; leave it out");
    }
    let puzzle =
        game.puzzle().context("`perimeter` needs a `goal` that is one `match` of the whole board")?;
    let goal = Diagram { cells: puzzle.goal, ..held.diagram() };
    let most = solving.table_mib as usize * (1 << 20) / BYTES_PER_NEIGHBOUR;
    let mut program = held.core.loaded.program.clone();
    // The rules have to go on where the puzzle is solved.
    program.goal = None;
    Playable::new(program, held.core.loaded.backend).0.run(Around { goal: &goal, width, most, stop })
}

struct Around<'a> {
    goal: &'a Diagram,
    width: u32,
    most: usize,
    stop: &'a AtomicBool,
}

impl WithGame for Around<'_> {
    type Output = anyhow::Result<Perimeter>;

    fn run<G: Portable + 'static>(self, game: G) -> anyhow::Result<Perimeter> {
        let goal = game.position(self.goal);
        let goes_on = &mut |_: usize| !self.stop.load(Ordering::Relaxed);
        Perimeter::around(&game, &goal, self.width, self.most, goes_on)
            .context("no perimeter around the goal")
    }
}
