//! `multigame bench loops`: instructions of the six loops that all work is made of.
//!
//! valgrind runs this program once for each loop, and counts only inside of [`measured_loop`]: starting,
//! compiling rules and preparing positions do not count. So busy machines change nothing.

use std::cell::Cell;
use std::io::{ErrorKind, Write};
use std::process::Command;

use anyhow::{Context, bail};
use clap::ValueEnum;
use multigame_game::{Game, Line, Random, playout};
use multigame_loader::{Backend, WithGame};
use multigame_search::{
    Evaluator, NodeLimit, Options, Root, RulesEvaluator, Search, SearchError, TranspositionTable,
};
use serde_json::json;

use crate::{load, output};

/// The game that is measured if none is named.
const USUAL_GAME: &str = "chess";
/// Positions of random games that the loops work on.
const POSITIONS: usize = 64;
/// The longest random game.
const PLIES: u32 = 200;
/// Nodes of a search.
const NODES: u64 = 2000;
/// Memory for its table.
const TABLE_MIB: usize = 1;

/// Counts what is done in `measured_loop`; machine code is made while the program runs.
const VALGRIND: [&str; 4] = [
    "--tool=callgrind",
    "--callgrind-out-file=/dev/null",
    "--toggle-collect=*measured_loop*",
    "--smc-check=all-non-file",
];

/// The loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Loop {
    /// Generating the moves of a position
    Generate,
    /// Making a move: the position after it
    Make,
    /// Evaluating a position
    Evaluate,
    /// Looking a position up in the transposition table
    Probe,
    /// A node of the search that plays, with everything above
    Search,
    /// A ply of a random game
    Playout,
}

impl Loop {
    /// What is counted, and how many rounds are enough for some million instructions.
    fn unit(self) -> (&'static str, u64) {
        match self {
            Loop::Generate => ("move", 40),
            Loop::Make => ("move", 20),
            Loop::Evaluate => ("position", 200),
            Loop::Probe => ("probe", 2000),
            Loop::Search => ("node", 4),
            Loop::Playout => ("ply", 10),
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
    }
}

/// Prints instructions for each unit of each loop.
pub fn run(games: &[String], json: bool) -> anyhow::Result<()> {
    let usual = [USUAL_GAME.to_string()];
    let games = if games.is_empty() { &usual } else { games };
    let mut out = std::io::stdout().lock();
    let mut report = Vec::new();
    for game in games {
        for what in Loop::value_variants() {
            let (unit, rounds) = what.unit();
            let units = once(game, *what, rounds)?;
            let each = instructions(game, *what, rounds)? as f64 / units.max(1) as f64;
            if !json {
                writeln!(out, "{game:<18} {:<9} {each:>10.1} instructions a {unit}", what.name())?;
                out.flush()?;
            }
            report.push(json!({
                "game": game, "loop": what.name(), "unit": unit, "units": units, "instructions": each,
            }));
        }
    }
    if json { output::json(&report.into()) } else { Ok(()) }
}

/// Instructions of a loop, in a process of its own.
fn instructions(game: &str, what: Loop, rounds: u64) -> anyhow::Result<u64> {
    let program = std::env::current_exe().context("this program cannot find itself")?;
    let mut command = Command::new("valgrind");
    command.args(VALGRIND).arg(program).args(["bench", "loops", "--game", game]);
    command.args(["--one", &what.name(), "--rounds", &rounds.to_string()]);
    let ran = match command.output() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("`valgrind` counts the instructions, and it is not installed; install its package")
        }
        ran => ran.context("`valgrind` cannot be started")?,
    };
    let said = String::from_utf8_lossy(&ran.stderr);
    let found = counted(&said).filter(|&count| ran.status.success() && count > 0);
    found.with_context(|| {
        format!("valgrind did not count `{game}`: {}", said.lines().last().unwrap_or_default())
    })
}

/// What valgrind says: `==1== Collected : 1234`.
fn counted(said: &str) -> Option<u64> {
    let (_, number) = said.lines().find_map(|line| line.split_once("Collected :"))?;
    number.trim().parse().ok()
}

/// Runs one loop, and tells how many units it had.
pub fn once(game: &str, what: Loop, rounds: u64) -> anyhow::Result<u64> {
    let arguments = load::GameArguments {
        game: game.to_string(),
        parameters: Vec::new(),
        backend: Backend::Auto,
        weights_file: None,
    };
    let units = Cell::new(0);
    load::with_game(&arguments, Work { what, rounds, units: &units })?;
    Ok(units.get())
}

struct Work<'a> {
    what: Loop,
    rounds: u64,
    units: &'a Cell<u64>,
}

impl WithGame for Work<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let bench = Bench::new(&game)?;
        // Machine code is made when it is needed first, and everybody pays for all of it.
        for what in Loop::value_variants() {
            bench.round(*what, 0)?;
        }
        self.units.set(measured_loop(&bench, self.what, self.rounds)?);
        Ok(())
    }
}

/// The part that valgrind counts; it knows it by its name.
#[inline(never)]
fn measured_loop<G: Game>(bench: &Bench<'_, G>, what: Loop, rounds: u64) -> anyhow::Result<u64> {
    (1..=rounds).map(|round| bench.round(what, round)).sum()
}

/// What the loops work on.
struct Bench<'g, G: Game> {
    game: &'g G,
    evaluator: RulesEvaluator,
    table: TranspositionTable,
    positions: Vec<G::Position>,
}

impl<'g, G: Game> Bench<'g, G> {
    /// Positions of random games, those at their ends left out.
    fn new(game: &'g G) -> anyhow::Result<Bench<'g, G>> {
        let (mut positions, mut random) = (Vec::new(), Random::new(5));
        while positions.len() < POSITIONS {
            let mut line = Line::new(game, game.initial());
            playout(&mut line, PLIES, &mut random)?;
            let passed = &line.positions()[..line.moves().len()];
            positions.extend(passed.iter().step_by(5).take(POSITIONS / 4).cloned());
            anyhow::ensure!(!passed.is_empty(), "the game is over before it begins; measure another one");
        }
        positions.truncate(POSITIONS);
        let evaluator = RulesEvaluator::new(game, None).map_err(anyhow::Error::msg)?;
        let table = TranspositionTable::new(TABLE_MIB, Options::playing().table_layout)?;
        Ok(Bench { game, evaluator, table, positions })
    }

    /// One round of a loop: the number of units.
    fn round(&self, what: Loop, round: u64) -> anyhow::Result<u64> {
        let game = self.game;
        let mut moves = Vec::new();
        let mut units = 0;
        match what {
            Loop::Generate => {
                for position in &self.positions {
                    game.moves(position, &mut moves)?;
                    units += moves.len() as u64;
                }
            }
            Loop::Make => {
                for position in &self.positions {
                    let mut child = position.clone();
                    game.moves(position, &mut moves)?;
                    for _ in 0..MAKES {
                        moves
                            .iter()
                            .for_each(|mv| game.apply(position, mv, std::hint::black_box(&mut child)));
                    }
                    units += MAKES * moves.len() as u64;
                }
            }
            Loop::Evaluate => {
                for position in &self.positions {
                    std::hint::black_box(self.evaluator.evaluate(game, position));
                }
                units = self.positions.len() as u64;
            }
            Loop::Probe => {
                for position in &self.positions {
                    std::hint::black_box(self.table.probe(game.signature(position)));
                }
                units = self.positions.len() as u64;
            }
            Loop::Search => units = self.search(round)?,
            Loop::Playout => {
                let mut line = Line::new(game, game.initial());
                units = playout(&mut line, PLIES, &mut Random::new(round))?.plies.into();
            }
        }
        Ok(units)
    }

    /// Searches a position a round with an empty table.
    fn search(&self, round: u64) -> anyhow::Result<u64> {
        let position = &self.positions[round as usize % self.positions.len()];
        let options = Options { poll_interval: 16, ..Options::playing() };
        let options = match self.game.description().players {
            1 => Options { engine: multigame_search::Engine::IdaStar, ..options },
            _ => options,
        };
        self.table.clear();
        let search = Search::new(self.game, &self.evaluator, options)?.with_table(&self.table);
        let result = { search }.run(&Root::new(self.game, position.clone()), 60, &mut NodeLimit(NODES));
        let result = result.map_err(|error| match error {
            SearchError::Rules(error) => anyhow::Error::from(*error),
            error => error.into(),
        })?;
        Ok(result.statistics.nodes)
    }
}

/// How often each move is made, so that generating it counts for little.
const MAKES: u64 = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loop_has_units_that_grow_with_the_rounds() {
        for game in ["tic-tac-toe", "hanoi"] {
            for what in Loop::value_variants() {
                let units = [0, 1, 3].map(|rounds| once(game, *what, rounds).unwrap());
                assert!(units[0] == 0 && units[1] > 0 && units[2] > units[1], "{game} {what:?}: {units:?}");
            }
        }
    }

    #[test]
    fn the_counts_of_valgrind_are_read() {
        assert_eq!(counted("==7== \n==7== Collected : 1234567\n==7==\n"), Some(1_234_567));
        assert_eq!(counted("valgrind: failed to start\n"), None);
    }
}
