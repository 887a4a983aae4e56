//! Multigame turns the rules of a board game into a strong player. This is the library; the program
//! `multigame` does the same from a command line.
//!
//! | to | use |
//! |---|---|
//! | load rules | [`rules`], then [`JitGame`] or [`RulesGame`] |
//! | generate moves | [`Game`], [`Line`], [`notation`], [`perft`] |
//! | find a move | [`search`], or a [`Player`] for a whole game |
//! | find out who wins, or solve a puzzle | [`solve`] |
//! | search a game of one's own | [`Game`] and [`moves_alone!`] |
//!
//! # Load rules, generate moves
//!
//! ```
//! use multigame::{Game, JitGame, Line, notation, perft};
//!
//! let game = JitGame::new(multigame::rules("chess", &[])?)?;
//! let mut line = Line::new(&game, game.initial());
//! let pawn = notation::find(&game, line.position(), "e2e4")?;
//! line.play(&pawn);
//! let moves = notation::names(&game, line.position())?;
//! assert_eq!(moves.len(), 20);
//! assert!(moves.iter().any(|named| named.name == "g8f6"));
//! assert_eq!(perft(&game, &game.initial(), 3)?, 8902);
//! # Ok::<(), anyhow::Error>(())
//! ```
//!
//! Rules may also come from a file (`rules("my/rules.mg", &[])`) or a text ([`rules_of_text`]). [`RulesGame`]
//! interprets what [`JitGame`] runs as machine code; it plays every game, and slowly.
//!
//! # Search
//!
//! ```
//! use multigame::{Configuration, Game, JitGame, Limits, Line, line_names, parse_position};
//!
//! let game = JitGame::new(multigame::rules("chess", &[])?)?;
//! let diagram = parse_position(game.description(), "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")?;
//! let line = Line::new(&game, game.position(&diagram));
//! let configuration = Configuration::playing().with("tt-size=1,threads=2")?;
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let thought = multigame::search(&line, configuration, limits)?;
//! assert_eq!(line_names(&game, line.position(), &thought.pv, 1)?, ["a1a8"]);
//! assert!(thought.proved.is_win());
//! # Ok::<(), anyhow::Error>(())
//! ```
//!
//! # Solve
//!
//! ```
//! use multigame::{Game, JitGame, Line, Solving, result_text};
//!
//! let game = JitGame::new(multigame::rules("hanoi", &[("discs", 4)])?)?;
//! let line = Line::new(&game, game.initial());
//! let solving = Solving { table_mib: 16, ..Solving::default() };
//! let solution = multigame::solve(&line, &solving)?;
//! assert_eq!(solution.pv.len(), 15);
//! let side = game.side_to_move(line.position());
//! assert_eq!(result_text(game.description(), side, solution.proved).as_deref(), Some("solved in 15 moves"));
//! # Ok::<(), anyhow::Error>(())
//! ```
//!
//! # A game of one's own
//!
//! Whatever implements [`Game`] can be searched and solved. A game that is told by its moves alone needs the
//! methods below; [`moves_alone!`] answers the questions about evaluations. In this one, players take one to
//! three of the matches on the table in turn, and who takes the last one wins.
//!
//! ```
#![doc = include_str!("../examples/matches.rs")]
//! ```

use std::sync::atomic::AtomicBool;

use anyhow::bail;

pub use multigame_game::{
    Board, Description, Diagram, Field, Game, Line, Looks, NoMoves, Outcome, Piece, PieceInfo, Property,
    Random, Repetition, RulesError, Scope, Side, Signature, Status, Topology, Visitor, WithGame, Zobrist,
    moves_alone, notation, parse_position, perft, position_text,
};
pub use multigame_ir::{Program, RulesGame};
pub use multigame_jit::JitGame;
pub use multigame_loader::{Backend, Playable, Source, source};
pub use multigame_player::{
    Changes, Configuration, Limits, Player, PlayerSpec, Progress, Solver, Solving, Thought, line_names,
    result_text, value_text,
};
pub use multigame_search::{Bounds, Engine, Options, Proved, RulesEvaluator, Value};

/// The move program of a game: a bundled one by its name, or a file of rules. Parameters are set by their
/// names.
pub fn rules(game: &str, parameters: &[(&str, i64)]) -> anyhow::Result<Program> {
    compiled(&source(game)?, parameters)
}

/// The move program of rules that are a text; `name` is what the game is called.
pub fn rules_of_text(name: &str, text: &str, parameters: &[(&str, i64)]) -> anyhow::Result<Program> {
    compiled(&Source::of_text(name.to_string(), name.to_string(), text.to_string()), parameters)
}

/// The program, or what is wrong with the rules, with the place of each mistake.
fn compiled(source: &Source, parameters: &[(&str, i64)]) -> anyhow::Result<Program> {
    let parameters: Vec<(String, i64)> =
        parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let compilation = multigame_loader::compile(source, &parameters);
    let Some(program) = compilation.program else {
        let style = multigame_syntax::Style::Plain;
        bail!("{}", multigame_syntax::render(&compilation.diagnostics, &source.file, &source.text, style));
    };
    Ok(program)
}

/// Searches the last position of a line. [`Player`] keeps what it learns from move to move and can be
/// stopped.
pub fn search<G: Game>(
    line: &Line<'_, G>,
    configuration: Configuration,
    limits: Limits,
) -> anyhow::Result<Thought<G::Move>> {
    let stop = AtomicBool::new(false);
    Player::new(line.game(), configuration, limits, &stop)?.search(line, &mut |_| ())
}

/// Finds out who wins from the last position of a line, or the shortest solution of a puzzle. [`Solver`] can
/// be stopped.
pub fn solve<G: Game>(line: &Line<'_, G>, solving: &Solving) -> anyhow::Result<Thought<G::Move>> {
    let stop = AtomicBool::new(false);
    Solver::new(line.game(), solving, &stop).run(line, &mut |_| ())
}
