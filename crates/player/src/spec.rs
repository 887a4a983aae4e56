//! A player as people describe it: how it searches, what values positions, and when it stops.
//!
//! The command line, the server and matches fill in a [`PlayerSpec`], and [`PlayerSpec::player`] makes the
//! player. The shell and UCI change the configuration and the limits of a player that was made like this.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use multigame_endgame::load_endgames;
use multigame_game::Game;
use multigame_search::{Engine, RulesEvaluator};

use crate::learned::read_text;
use crate::ranks::{EvaluatorSpec, FileNames, OtherRanks};
use crate::tables::{load_tables, read_tables};
use crate::{Configuration, Limits, Player};

/// A player. The default plays as well as the computer can, for a second a move.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// How it searches.
    pub configuration: Configuration,
    /// What it values positions by, with the content of files.
    pub evaluator: EvaluatorSpec,
    /// What these files are called.
    pub names: FileNames,
    /// A file with pattern databases of a puzzle.
    pub tables: Option<PathBuf>,
    /// A folder of endgame databases, or the file of a strong solution.
    pub endgames: Option<PathBuf>,
    /// When it stops.
    pub limits: Limits,
}

impl Default for PlayerSpec {
    fn default() -> Self {
        PlayerSpec::of(Configuration::playing())
    }
}

impl PlayerSpec {
    /// The parts that [`set_one`](PlayerSpec::set_one) takes for names of files.
    pub const FILES: [&'static str; 4] = ["patterns", "network", "tables", "endgames"];

    /// A player that searches like this.
    pub fn of(configuration: Configuration) -> PlayerSpec {
        let (evaluator, names) = Default::default();
        PlayerSpec { configuration, evaluator, names, tables: None, endgames: None, limits: Limits::usual() }
    }

    /// Sets one part of the description: an option of the search, a limit, `evaluation`, `mobility`, or one
    /// of the files `patterns`, `network`, `tables` and `endgames`, which may be read now.
    pub fn set_one(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        match (name, value) {
            ("evaluation", name) => self.evaluator.evaluation = Some(name.to_string()),
            ("mobility", "on") => self.evaluator.without_mobility = false,
            ("mobility", "off") => self.evaluator.without_mobility = true,
            ("mobility", _) => bail!("`mobility` is `on` or `off`, not `{value}`"),
            ("patterns", file) => self.set_patterns(Path::new(file))?,
            ("network", file) => self.set_network(Path::new(file))?,
            ("tables", file) => self.tables = Some(PathBuf::from(file)),
            ("endgames", path) => self.endgames = Some(PathBuf::from(path)),
            _ if Limits::NAMES.contains(&name) => self.limits.set_one(name, value)?,
            _ => self.configuration.set_one(name, value)?,
        }
        Ok(())
    }

    /// Adds learned patterns from a file.
    pub fn set_patterns(&mut self, file: &Path) -> anyhow::Result<()> {
        self.evaluator.patterns = Some(read_text(file)?);
        self.names.patterns = file.display().to_string();
        self.one_addition()
    }

    /// Adds a learned network from a file.
    pub fn set_network(&mut self, file: &Path) -> anyhow::Result<()> {
        self.evaluator.network = Some(read_text(file)?);
        self.names.network = file.display().to_string();
        self.one_addition()
    }

    fn one_addition(&self) -> anyhow::Result<()> {
        if self.evaluator.patterns.is_some() && self.evaluator.network.is_some() {
            bail!("patterns and a network cannot be added both; leave one of them out");
        }
        Ok(())
    }

    /// What the other ranks of a job have to know about the evaluation; they read no files.
    pub fn evaluator_for_ranks(&self) -> anyhow::Result<EvaluatorSpec> {
        let tables = self.tables.as_deref().map(read_tables).transpose()?;
        Ok(EvaluatorSpec { tables, ..self.evaluator.clone() })
    }

    /// What it values positions by.
    pub fn evaluator<G: Game>(&self, game: &G) -> anyhow::Result<RulesEvaluator> {
        let mut evaluator = self.evaluator.evaluator(game, &self.names)?;
        if let Some(tables) = &self.tables {
            evaluator = evaluator.with_bound(load_tables(tables, game)?);
        }
        if let Some(path) = &self.endgames {
            evaluator = evaluator.with_endgames(Arc::new(load_endgames(path, game)?));
        }
        Ok(evaluator)
    }

    /// The player. Setting `stop` ends its searches; `others` are the other ranks of the job, if they are to
    /// search with it.
    pub fn player<'l, G: Game>(
        &self,
        game: &'l G,
        others: Option<Box<dyn OtherRanks<G> + 'l>>,
        stop: &'l AtomicBool,
    ) -> anyhow::Result<Player<'l, G>> {
        let (evaluator, configuration) = (self.evaluator(game)?, self.configuration.clone());
        let player = Player::valuing(game, evaluator, configuration, self.limits, stop)?;
        let player = match others {
            Some(others) if self.endgames.is_some() && others.size() > 1 => {
                bail!("other ranks have no endgame databases; search on one rank, or leave the databases out")
            }
            Some(others) => player.with_others(others),
            None => player,
        };
        player.check()?;
        if self.tables.is_some() && player.options().engine == Engine::Bfs {
            bail!("`engine=bfs` needs no lower bounds; leave the tables out, or use idastar or astar");
        }
        check_endgames(self.endgames.is_some(), player.options().engine)?;
        Ok(player)
    }
}

/// Whether an engine asks endgame databases.
pub fn asks_endgames(engine: Engine) -> bool {
    matches!(engine, Engine::AlphaBeta | Engine::NegaScout | Engine::Mtdf)
}

/// Engines that ask nobody must not be given endgame databases in vain.
pub(crate) fn check_endgames(given: bool, engine: Engine) -> anyhow::Result<()> {
    if given && !asks_endgames(engine) {
        bail!("`engine={engine}` asks no endgame databases; use `negascout`, or leave the databases out");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_set_by_its_name() {
        let mut spec = PlayerSpec::default();
        let parts = [
            ("engine", "mtdf"),
            ("lmr", "off"),
            ("depth", "6"),
            ("time", "500ms"),
            ("evaluation", "material"),
            ("mobility", "off"),
            ("tables", "file"),
        ];
        parts.iter().for_each(|(name, value)| spec.set_one(name, value).unwrap());
        assert_eq!(spec.configuration.engine(), Some(Engine::Mtdf));
        assert!(!spec.configuration.search.reductions && spec.evaluator.without_mobility);
        assert_eq!((spec.limits.depth, spec.limits.has_time()), (Some(6), true));
        assert_eq!(spec.evaluator.evaluation.as_deref(), Some("material"));
        assert_eq!(spec.tables.as_deref(), Some(Path::new("file")));
    }

    #[test]
    fn wrong_parts_are_refused_with_a_remedy() {
        let mut spec = PlayerSpec::default();
        let mut refused = |name: &str, value: &str| format!("{:#}", spec.set_one(name, value).unwrap_err());
        for (name, value, remedy) in [
            ("mobility", "maybe", "`on` or `off`"),
            ("depth", "0", "a number of plies"),
            ("nodes", "x", "a number of positions"),
            ("clock", "soon", "write seconds"),
            ("patterns", "/no/such/file", "cannot read"),
            ("speed", "3", "known are engine"),
        ] {
            assert!(refused(name, value).contains(remedy), "{name}={value}");
        }
    }

    #[test]
    fn patterns_and_a_network_exclude_each_other() {
        let file = std::env::temp_dir().join(format!("multigame-spec-{}", std::process::id()));
        multigame_files::write(&file, b"{}").unwrap();
        let mut spec = PlayerSpec::default();
        spec.set_network(&file).unwrap();
        assert!(spec.set_patterns(&file).unwrap_err().to_string().contains("leave one of them out"));
        std::fs::remove_file(&file).unwrap();
    }
}
