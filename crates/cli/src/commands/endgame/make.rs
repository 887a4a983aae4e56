//! `multigame endgame make`: makes slices and writes each when it is finished.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use multigame_endgame::{Anatomy, Conditions, Table, Tables, load, save, summary};
use multigame_files::Lock;
use multigame_game::Game;
use multigame_loader::WithGame;

use super::{FolderArguments, SliceArguments, Stages};
use crate::arguments::threads_parser;
use crate::{interrupt, load as loading};

/// Make slices, and those that they need; slices that are there stay.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) game: loading::GameArguments,
    #[command(flatten)]
    slices: SliceArguments,
    #[command(flatten)]
    folder: FolderArguments,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = threads_parser())]
    threads: u32,
    /// Memory to use, finished slices included
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
}

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let (anatomy, description) = (Anatomy::of(&game)?, game.description());
        let plan = anatomy.plan(&self.slices.wanted(&anatomy, description)?)?;
        let folder = self.folder.folder(description);
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        let _lock = Lock::of(&folder.join("making"))?;
        let mut tables = Tables::default();
        for planned in &plan {
            if let Some(table) = load(&folder, &game, &planned.material)? {
                tables.insert(planned.material.clone(), Arc::new(table));
            }
        }
        let there = tables.len();
        interrupt::catch()?;
        let thinking = interrupt::thinking();
        let stages = Mutex::new(Stages::default());
        let mut tell =
            |stage, done, of| stages.lock().unwrap_or_else(|it| it.into_inner()).at(stage, done, of);
        let mut conditions = Conditions {
            threads: self.threads as usize,
            memory: u64::from(self.memory) << 20,
            option: "--memory",
            stop: interrupt::flag(),
            tell: &mut tell,
        };
        for planned in &plan {
            if tables.contains_key(&planned.material) {
                continue;
            }
            let mut start = Instant::now();
            let mut made = |table: &Arc<Table>, tables: &Tables| {
                stages.lock().unwrap_or_else(|it| it.into_inner()).end();
                let seconds = start.elapsed().as_secs_f64();
                finish(&folder, &anatomy, &game, table, tables, seconds)?;
                start = Instant::now();
                Ok(())
            };
            if !anatomy.make(&planned.material, &mut tables, &mut conditions, &mut made)? {
                let done = tables.len();
                bail!("stopped; {done} slices are finished, and the same command makes the others");
            }
        }
        drop(thinking);
        let made = tables.len() - there;
        writeln!(std::io::stdout(), "{made} slices made, {there} were there, in `{}`", folder.display())?;
        Ok(())
    }
}

/// Writes a slice and a line about it.
fn finish<G: Game>(
    folder: &Path,
    anatomy: &Anatomy<'_, G>,
    game: &G,
    table: &Table,
    tables: &Tables,
    seconds: f64,
) -> anyhow::Result<()> {
    let (_, bytes) = save(folder, anatomy, table, tables)?;
    let (summary, description) = (summary(game, table), game.description());
    let name = table.material().map(|material| material.name(description)).unwrap_or_default();
    let positions = summary.positions();
    let longest = summary.longest.iter().flatten().map(|(plies, _)| *plies).max();
    let longest = longest.map_or_else(
        || "no wins".to_string(),
        |size| match summary.scored {
            true => format!("greatest margin {size}"),
            false => format!("longest win {size} plies"),
        },
    );
    writeln!(
        std::io::stdout(),
        "{name:<12} {positions:>11} positions  {longest:<22}  {bytes:>10} bytes  {:.3} each  {seconds:.1} s  \
         {:.0} positions/s",
        bytes as f64 / positions.max(1) as f64,
        positions as f64 / seconds.max(1e-9),
    )?;
    Ok(())
}
