//! Pattern databases in a file.
//!
//! The file says which game it belongs to, then come the databases, packed, and a checksum over everything. It is
//! mapped into memory, so that several searches share it. A file that is damaged or belongs to another game is
//! refused.

use std::fs::File;
use std::hash::Hasher;
use std::io::{BufWriter, Write};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use memmap2::Mmap;
use multigame_game::{Abstraction, Game, Piece, PieceSet, Puzzle, Random, Signature};
use multigame_search::patterns::{Arrangement, Costs, LowerBound, Pattern};

use crate::checkpoint::Checksum;

const MAGIC: &[u8; 8] = b"mgtabl01";
const DAMAGED: &str = "it is damaged; make it again with `multigame tables`";

/// Plies of the random walk that tells rules apart.
const WALK: usize = 100;

/// Writes databases, beside the file first.
pub fn save_tables<G: Game>(path: &Path, game: &G, patterns: &[Pattern]) -> anyhow::Result<()> {
    let Some(puzzle) = game.puzzle() else { bail!("only puzzles with one goal position have tables") };
    let beside = path.with_extension("unfinished");
    let written = File::create(&beside).and_then(|file| {
        let mut out = Output { file: BufWriter::new(file), sum: Checksum::default() };
        out.file.write_all(MAGIC)?;
        out.word(fingerprint(game, &puzzle))?;
        out.word(patterns.len() as u64)?;
        for pattern in patterns {
            out.bytes(pattern.abstraction().name.as_bytes())?;
            let kept: Vec<u8> = pattern.abstraction().kept.iter().map(|piece| piece.0).collect();
            out.bytes(&kept)?;
            out.word(u64::from(pattern.costs() == Costs::Own))?;
            out.word(u64::from(pattern.width()))?;
            out.bytes(pattern.bytes())?;
        }
        let sum = out.sum.finish();
        out.file.write_all(&sum.to_le_bytes())?;
        out.file.flush()
    });
    written.with_context(|| format!("cannot write the tables `{}`", beside.display()))?;
    std::fs::rename(&beside, path).with_context(|| format!("cannot write the tables `{}`", path.display()))
}

/// The lower bound that the databases of a file give.
pub fn load_tables<G: Game>(path: &Path, game: &G) -> anyhow::Result<LowerBound> {
    let name = path.display();
    let file = File::open(path)
        .with_context(|| format!("cannot read the tables `{name}`; `multigame tables` makes them"))?;
    // SAFETY: the mapping is only read. Somebody who writes to the file meanwhile changes lower bounds, which are
    // checked to be inside the file at each access; replacing the file as a whole, as `save_tables` does, is harmless.
    let map = unsafe { Mmap::map(&file) }.with_context(|| format!("cannot read the tables `{name}`"))?;
    read(Arc::new(map), game).with_context(|| format!("cannot use the tables `{name}`"))
}

fn read<G: Game>(map: Arc<Mmap>, game: &G) -> anyhow::Result<LowerBound> {
    let Some(puzzle) = game.puzzle() else { bail!("only puzzles with one goal position have tables") };
    let mut input = Input { bytes: &map, place: 8 };
    if map.get(..8) != Some(MAGIC) {
        bail!("it has no tables of `multigame tables`; choose another file");
    }
    if input.word()? != fingerprint(game, &puzzle) {
        bail!("it belongs to another game or other rules; make tables for this one with `multigame tables`");
    }
    let end = map.len().checked_sub(8).context(DAMAGED)?;
    let mut sum = Checksum::default();
    sum.write(&map[8..end]);
    if map[end..] != sum.finish().to_le_bytes() {
        bail!(DAMAGED);
    }
    let mut patterns = Vec::new();
    for _ in 0..input.word()? {
        let name = String::from_utf8(map[input.bytes()?].to_vec()).context(DAMAGED)?;
        let kept: PieceSet = map[input.bytes()?].iter().map(|&piece| Piece(piece)).collect();
        let costs = if input.word()? == 1 { Costs::Own } else { Costs::All };
        let width = input.word()? as u32;
        let range = input.bytes()?;
        let abstraction = Abstraction { name, kept };
        let arrangement = Arrangement::new(game.description(), &puzzle, &abstraction)?;
        let numbers = Arc::new(Part { map: map.clone(), range });
        patterns.push(Pattern::new(abstraction, arrangement, costs, width, numbers).context(DAMAGED)?);
    }
    Ok(LowerBound::new(patterns))
}

/// A number that tells games and rules apart: what can be said about the puzzle, and the positions of a random walk.
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

/// A part of a mapped file.
struct Part {
    map: Arc<Mmap>,
    range: Range<usize>,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.map[self.range.clone()]
    }
}

struct Output<W> {
    file: W,
    sum: Checksum,
}

impl<W: Write> Output<W> {
    fn word(&mut self, word: u64) -> std::io::Result<()> {
        self.sum.write(&word.to_le_bytes());
        self.file.write_all(&word.to_le_bytes())
    }

    /// The length, then the bytes, filled up to whole words.
    fn bytes(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.word(bytes.len() as u64)?;
        let (whole, rest) = bytes.split_at(bytes.len() / 8 * 8);
        self.sum.write(whole);
        self.file.write_all(whole)?;
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.sum.write(&last);
            self.file.write_all(&last)?;
        }
        Ok(())
    }
}

struct Input<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl Input<'_> {
    fn word(&mut self) -> anyhow::Result<u64> {
        let bytes = self.bytes.get(self.place..self.place + 8).context(DAMAGED)?;
        self.place += 8;
        Ok(u64::from_le_bytes(bytes.try_into().context(DAMAGED)?))
    }

    fn bytes(&mut self) -> anyhow::Result<Range<usize>> {
        let length = usize::try_from(self.word()?).context(DAMAGED)?;
        let end = self.place.checked_add(length).filter(|&end| end <= self.bytes.len()).context(DAMAGED)?;
        let range = self.place..end;
        self.place = end.next_multiple_of(8);
        Ok(range)
    }
}
