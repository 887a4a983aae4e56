//! Games of every kind, small enough that an input costs little, each by the interpreter and by machine code.

use std::sync::LazyLock;

use multigame_game::{Game, Line, Random};
use multigame_ir::{Program, RulesGame};
use multigame_jit::JitGame;
use multigame_loader::{compile, source};

/// Statements for one move; rules that need more are left alone.
pub const MOST_STEPS: u64 = 100_000;

const NAMES: [&str; 9] = [
    "tic-tac-toe",
    "chess",
    "othello",
    "checkers",
    "minishogi",
    "kalah",
    "connect-4",
    "nine-mens-morris",
    "15-puzzle",
];

/// A game in both forms.
pub struct Both {
    /// Its move program.
    pub program: Program,
    /// By the interpreter.
    pub rules: RulesGame,
    /// By machine code.
    pub native: JitGame,
}

static GAMES: LazyLock<Vec<Both>> = LazyLock::new(|| NAMES.map(both).into());

fn both(name: &str) -> Both {
    let program = compile(&source(name).expect("a bundled game"), &[]).program.expect("it compiles");
    let rules = RulesGame::new(program.clone()).with_most_steps(MOST_STEPS);
    let native = JitGame::new(program.clone()).expect("it becomes machine code");
    Both { program, rules, native }
}

/// The games.
pub fn all() -> &'static [Both] {
    &GAMES
}

/// The game that the first byte chooses, and the rest.
pub fn chosen(input: &[u8]) -> Option<(&'static Both, &[u8])> {
    let (first, rest) = input.split_first()?;
    Some((&GAMES[usize::from(*first) % GAMES.len()], rest))
}

/// The positions of a random game, some plies apart.
pub fn positions<G: Game>(game: &G, seed: u64) -> Vec<G::Position> {
    let (mut random, mut moves) = (Random::new(seed), Vec::new());
    let mut line = Line::new(game, game.initial());
    while line.moves().len() < 40 && matches!(line.legal_moves(&mut moves), Ok(None)) && !moves.is_empty() {
        line.play(&moves[random.below(moves.len())]);
    }
    line.positions().iter().step_by(8).cloned().collect()
}
