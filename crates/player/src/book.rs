//! The opening book: moves to play without thinking, by position.
//!
//! In a file each line is `POSITION | MOVE`, both as the game writes them; `#` begins a comment.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::Context;
use multigame_files::append;
use multigame_game::{Game, Random, Signature, notation, parse_position, position_text};
use multigame_input::{MOST_TEXT, read_text};

/// Moves by position.
#[derive(Debug, Default)]
pub struct Book {
    /// The keys of the moves of a position.
    moves: HashMap<Signature, Vec<u64>>,
    /// Where additions are written to.
    file: Option<PathBuf>,
}

impl Book {
    /// Reads a book; a file that does not exist yet is an empty one.
    pub fn read<G: Game>(game: &G, file: PathBuf) -> anyhow::Result<Book> {
        let mut book = Book { moves: HashMap::new(), file: None };
        let name = file.display().to_string();
        let text = match read_text(&file, MOST_TEXT) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| format!("cannot read the book `{name}`")),
        };
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let place = || format!("the book `{name}` is wrong in line {}", number + 1);
                book.add_line(game, line).with_context(place)?;
            }
        }
        book.file = Some(file);
        Ok(book)
    }

    fn add_line<G: Game>(&mut self, game: &G, line: &str) -> anyhow::Result<()> {
        let (position, mv) = line.rsplit_once('|').context("`POSITION | MOVE` is expected")?;
        let position = game.position(&parse_position(game.description(), position.trim())?);
        let mv = notation::find(game, &position, mv.trim())?;
        self.insert(game, &position, &mv);
        Ok(())
    }

    fn insert<G: Game>(&mut self, game: &G, position: &G::Position, mv: &G::Move) -> bool {
        let moves = self.moves.entry(game.signature(position)).or_default();
        let key = game.move_key(mv);
        let new = !moves.contains(&key);
        if new {
            moves.push(key);
        }
        new
    }

    /// Adds a move for a position, in memory and to the file; false if it was there already.
    pub fn add<G: Game>(&mut self, game: &G, position: &G::Position, mv: &G::Move) -> anyhow::Result<bool> {
        if !self.insert(game, position, mv) {
            return Ok(false);
        }
        if let Some(file) = &self.file {
            let text = position_text(game.description(), &game.diagram(position));
            let name = notation::name_of(game, position, mv)?;
            append(file, &format!("{text} | {name}\n")).context("the book is not changed")?;
        }
        Ok(true)
    }

    /// The moves for a position.
    pub fn moves<G: Game>(&self, game: &G, signature: Signature, legal: &[G::Move]) -> Vec<G::Move> {
        let Some(keys) = self.moves.get(&signature) else { return Vec::new() };
        legal.iter().filter(|mv| keys.contains(&game.move_key(mv))).cloned().collect()
    }

    /// One of the moves for a position.
    pub fn choose<G: Game>(
        &self,
        game: &G,
        signature: Signature,
        legal: &[G::Move],
        random: &mut Random,
    ) -> Option<G::Move> {
        let mut moves = self.moves(game, signature, legal);
        (!moves.is_empty()).then(|| moves.swap_remove(random.below(moves.len())))
    }

    /// How many positions there are moves for.
    pub fn positions(&self) -> usize {
        self.moves.len()
    }
}
