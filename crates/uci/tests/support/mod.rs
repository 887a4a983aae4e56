//! Games and players for tests.

use std::sync::atomic::AtomicBool;

use multigame_game::{Game, Line, notation};
use multigame_ir::RulesGame;
use multigame_player::{Configuration, Limits, Player};

/// A bundled game, played by the interpreter.
pub fn game(name: &str) -> RulesGame {
    let path = format!("{}/../../games/{name}/rules.mg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let options = multigame_compiler::Options { name: name.to_string(), parameters: Vec::new() };
    RulesGame::new(multigame_compiler::compile(&text, &options).program.unwrap())
}

/// A player with the usual settings.
pub fn player<'l>(game: &'l RulesGame, stop: &'l AtomicBool) -> Player<'l, RulesGame> {
    Player::new(game, Configuration::default(), Limits::usual(), stop).unwrap()
}

/// The names of the moves played.
pub trait Moves {
    fn names(&self) -> Vec<String>;
}

impl<G: Game> Moves for Line<'_, G> {
    fn names(&self) -> Vec<String> {
        let name = |(position, mv)| notation::name_of(self.game(), position, mv).unwrap();
        self.positions().iter().zip(self.moves()).map(name).collect()
    }
}
