//! Pattern databases in a file.
//!
//! The content of the file is a number that says which game it belongs to, then come the databases, packed.
//!
//! PERF: the file is read into memory, although mapping it would share it between processes. It has to be
//! read anyway to check it, and a mapping dies with SIGBUS when somebody shortens the file.

mod making;

use std::hash::Hasher;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use multigame_files::{Checksum, FileError, Kind, Output, Sealed, seal};
use multigame_game::{Abstraction, Description, Game, Piece, PieceSet, Puzzle, Random, Signature};
use multigame_search::patterns::{Arrangement, Costs, LowerBound, PatternDatabase};

pub use making::{TableMaker, TablesTask};

const KIND: Kind = Kind { name: "tables", version: 1, remedy: "make it again with `multigame tables`" };

/// Longest name of an abstraction.
const LONGEST_NAME: u64 = 1 << 16;

/// Plies of the random walk that tells rules apart.
const WALK: usize = 100;

/// Writes databases.
pub fn save_tables<G: Game>(path: &Path, game: &G, patterns: &[PatternDatabase]) -> anyhow::Result<()> {
    let Some(puzzle) = game.puzzle() else { bail!("only puzzles with one goal position have tables") };
    seal(path, KIND, |output| {
        output.word(fingerprint(game, &puzzle))?;
        output.word(patterns.len() as u64)?;
        patterns.iter().try_for_each(|pattern| write(output, pattern))
    })?;
    Ok(())
}

fn write(output: &mut Output<'_>, pattern: &PatternDatabase) -> std::io::Result<()> {
    let kept: Vec<u8> = pattern.abstraction().kept.iter().map(|piece| piece.0).collect();
    for bytes in [pattern.abstraction().name.as_bytes(), &kept] {
        output.word(bytes.len() as u64)?;
        output.bytes(bytes)?;
    }
    output.word(u64::from(pattern.costs() == Costs::Own))?;
    output.word(u64::from(pattern.width()))?;
    output.word(pattern.bytes().len() as u64)?;
    output.bytes(pattern.bytes())
}

/// The lower bound that the databases of a file give.
pub fn load_tables<G: Game>(path: &Path, game: &G) -> anyhow::Result<LowerBound> {
    let name = path.display();
    let sealed = match Sealed::open(path, KIND) {
        Err(error) if error.is_missing() => {
            bail!("there are no tables `{name}`; `multigame tables` makes them")
        }
        opened => opened?,
    };
    read(sealed, game).with_context(|| format!("cannot use the tables `{name}`"))
}

/// The bytes of a file, for other processes.
pub fn read_tables(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = path.display();
    std::fs::read(path)
        .with_context(|| format!("cannot read the tables `{name}`; `multigame tables` makes them"))
}

/// The lower bound that databases give which were read from a file elsewhere.
pub(crate) fn tables_of_bytes<G: Game>(bytes: Vec<u8>, game: &G) -> anyhow::Result<LowerBound> {
    read(Sealed::of_bytes(Path::new("tables"), KIND, bytes)?, game).context("cannot use the tables")
}

fn read<G: Game>(mut sealed: Sealed, game: &G) -> anyhow::Result<LowerBound> {
    let Some(puzzle) = game.puzzle() else { bail!("only puzzles with one goal position have tables") };
    if sealed.word()? != fingerprint(game, &puzzle) {
        bail!("it belongs to another game or other rules; make tables for this one with `multigame tables`");
    }
    let mut patterns = Vec::new();
    for _ in 0..sealed.word()? {
        patterns.push(pattern(&mut sealed, game.description(), &puzzle)?);
    }
    sealed.finish()?;
    Ok(LowerBound::new(patterns).reflected(&puzzle))
}

fn pattern(
    sealed: &mut Sealed,
    description: &Description,
    puzzle: &Puzzle,
) -> anyhow::Result<PatternDatabase> {
    let mut short = |most: u64| -> Result<Vec<u8>, FileError> {
        let length = sealed.word()?;
        if length > most { Err(sealed.damaged()) } else { sealed.many(length) }
    };
    let (name, kept) = (short(LONGEST_NAME)?, short(description.pieces.len() as u64)?);
    let [own, width, length] = [sealed.word()?, sealed.word()?, sealed.word()?];
    let (costs, width) = match (own, width) {
        (0, 1..=8) => (Costs::All, width as u32),
        (1, 1..=8) => (Costs::Own, width as u32),
        _ => return Err(sealed.damaged().into()),
    };
    let name = String::from_utf8(name).map_err(|_| sealed.damaged())?;
    if kept.iter().any(|&piece| !(1..description.pieces.len()).contains(&piece.into())) {
        return Err(sealed.damaged().into());
    }
    let kept: PieceSet = kept.into_iter().map(Piece).collect();
    let abstraction = Abstraction { name, kept };
    let arrangement = Arrangement::new(description, puzzle, &abstraction)?;
    let numbers = Arc::new(sealed.many(length)?);
    Ok(PatternDatabase::new(abstraction, arrangement, costs, width, numbers)
        .ok_or_else(|| sealed.damaged())?)
}

/// A number that tells games and rules apart: what can be said about the puzzle, and the positions of a
/// random walk.
fn fingerprint<G: Game>(game: &G, puzzle: &Puzzle) -> u64 {
    let description = game.description();
    let mut sum = Checksum::default();
    sum.write(format!("{:?} {:?} {:?}", description.pieces, puzzle.goal, puzzle.asked).as_bytes());
    let (mut position, mut random) = (game.initial(), Random::new(7));
    for _ in 0..WALK {
        let mut children: Vec<(Signature, G::Position)> = Vec::new();
        // Rules that fail say so wherever they are searched.
        let _ = game.children(&position, &mut |child| {
            children.push((game.signature(child), child.clone()));
            ControlFlow::Continue(())
        });
        // Engines may generate moves in different orders.
        children.sort_unstable_by_key(|(signature, _)| *signature);
        children.iter().for_each(|(signature, _)| sum.write(&signature.to_le_bytes()));
        if children.is_empty() {
            break;
        }
        position = children.swap_remove(random.below(children.len())).1;
    }
    sum.finish()
}
