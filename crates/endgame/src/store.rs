//! Tables in files.
//!
//! A folder has a file for each slice; a game that was solved as a whole has one file. A file is sealed: it
//! says what it is, damage is noticed, and it is replaced as a whole, so that a kill leaves finished slices
//! and nothing else. Values are compressed by zlib, which the program has anyway and which needs no C.
//!
//! A file belongs to rules: it holds a mark made from the moves of many of its positions. It also holds the
//! sums of the slices that it was made from, so that slices of different rules are not mixed.

use std::hash::Hasher;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use multigame_files::{Checksum, FileError, Kind, Output, Sealed, seal};
use multigame_game::{Description, Field, Game, Piece, Random};

use crate::lookup::Endgames;
use crate::material::Material;
use crate::plan::{Anatomy, too_wide};
use crate::seen::{Key, Packing};
use crate::shape::{Shape, closed};
use crate::space::{Slice, Space, Tables};
use crate::standing::NONE;
use crate::survey::Survey;
use crate::table::{Table, Values};

const SLICE: Kind =
    Kind { name: "endgame", version: 2, remedy: "delete it and make it again with `multigame endgame make`" };
const WHOLE: Kind = Kind {
    name: "solution",
    version: 2,
    remedy: "delete it and make it again with `multigame solve --strong`",
};
/// How the names of files end.
const ENDING: &str = "endgame";
/// Positions whose moves tell rules apart.
const SAMPLES: usize = 2000;
/// Most slices that one slice is made from.
const MOST_BASES: u64 = 1 << 16;

/// The file of a slice.
fn file(folder: &Path, description: &Description, material: &Material) -> PathBuf {
    folder.join(format!("{}.{ENDING}", material.file_name(description)))
}

/// Writes a slice into a folder; `tables` are those that it was made from. The file and its size.
pub fn save<G: Game>(
    folder: &Path,
    anatomy: &Anatomy<'_, G>,
    table: &Table,
    tables: &Tables,
) -> anyhow::Result<(PathBuf, u64)> {
    let description = anatomy.game.description();
    let material = table.material.as_ref().context("a table without a slice")?;
    let needs = anatomy.needs(material)?;
    let bases: Vec<(&Material, u64)> =
        needs.iter().filter_map(|need| Some((need, tables.get(need)?.sum()))).collect();
    let path = file(folder, description, material);
    write(&path, SLICE, anatomy.game, table, &bases)?;
    let size =
        std::fs::metadata(&path).with_context(|| format!("cannot look at `{}`", path.display()))?.len();
    Ok((path, size))
}

/// Writes the solution of a game; its size.
pub fn save_whole<G: Game>(path: &Path, game: &G, table: &Table) -> anyhow::Result<u64> {
    write(path, WHOLE, game, table, &[])?;
    Ok(std::fs::metadata(path).with_context(|| format!("cannot look at `{}`", path.display()))?.len())
}

fn write<G: Game>(
    path: &Path,
    kind: Kind,
    game: &G,
    table: &Table,
    bases: &[(&Material, u64)],
) -> anyhow::Result<()> {
    let mark = mark(game, table)?;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let (width, coded) = match &table.values {
        Values::Narrow(codes) => (1, encoder.write_all(codes)),
        Values::Wide(codes) => {
            let mut coded = Ok(());
            for chunk in codes.chunks(1 << 16) {
                let bytes: Vec<u8> = chunk.iter().flat_map(|code| code.to_le_bytes()).collect();
                coded = coded.and_then(|()| encoder.write_all(&bytes));
            }
            (2, coded)
        }
    };
    let compressed = coded.and_then(|()| encoder.finish()).context("the values cannot be compressed")?;
    seal(path, kind, |output| {
        output.word(kin(game.description()))?;
        output.word(mark)?;
        output.word(table.scored.into())?;
        write_shape(output, table)?;
        output.word(table.extras.len() as u64)?;
        for key in &table.extras {
            key[..table.packing.words()].iter().try_for_each(|&word| output.word(word))?;
        }
        output.word(bases.len() as u64)?;
        for (material, sum) in bases {
            output.bytes(material.counts())?;
            output.word(*sum)?;
        }
        output.word(width)?;
        output.word(compressed.len() as u64)?;
        output.bytes(&compressed)
    })?;
    Ok(())
}

fn write_shape(output: &mut Output<'_>, table: &Table) -> std::io::Result<()> {
    let (Some(_), Some(shape)) = (&table.material, &table.shape) else { return Ok(()) };
    output.word(shape.groups().len() as u64)?;
    for group in shape.groups() {
        output.bytes(&[group.piece.0, group.count])?;
        output.word(group.fields.len() as u64)?;
        group.fields.iter().try_for_each(|field| output.bytes(&field.to_le_bytes()))?;
    }
    output.word(shape.symmetries().len() as u64)?;
    for field in shape.symmetries().iter().flatten() {
        output.bytes(&field.0.to_le_bytes())?;
    }
    Ok(())
}

/// Whether a folder has slices.
pub fn has_slices(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.path().extension().is_some_and(|ending| ending == ENDING))
}

/// Reads all slices of a folder.
pub fn load_folder<G: Game>(folder: &Path, game: &G) -> anyhow::Result<Tables> {
    load_folder_within(folder, game, u64::MAX)
}

/// The same where values may take that many bytes of memory.
fn load_folder_within<G: Game>(folder: &Path, game: &G, mut bytes: u64) -> anyhow::Result<Tables> {
    let entries = std::fs::read_dir(folder).with_context(|| {
        format!("there is no folder `{}` of endgames; `multigame endgame make` makes it", folder.display())
    })?;
    let (mut tables, mut used) = (Tables::default(), Vec::new());
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read the folder `{}`", folder.display()))?.path();
        if path.extension().is_none_or(|ending| ending != ENDING) {
            continue;
        }
        let (table, bases) = read(&path, SLICE, game, bytes)?;
        bytes = bytes.saturating_sub(table.bytes());
        let material = table.material.clone().context("a slice without material")?;
        used.extend(bases.into_iter().map(|(base, sum)| (path.clone(), base, sum)));
        tables.insert(material, Arc::new(table));
    }
    for (path, base, sum) in used {
        if tables.get(&base).is_some_and(|table| table.sum() != sum) {
            let name = base.name(game.description());
            bail!(
                "`{}` was made from another `{name}` than the one beside it; delete it and make it again \
                 with \
                 `multigame endgame make`",
                path.display()
            );
        }
    }
    Ok(tables)
}

/// Reads a slice of a folder; nothing if it is not there.
pub fn load<G: Game>(folder: &Path, game: &G, material: &Material) -> anyhow::Result<Option<Table>> {
    let path = file(folder, game.description(), material);
    if !path.exists() {
        return Ok(None);
    }
    let (table, _) = read(&path, SLICE, game, u64::MAX)?;
    if table.material.as_ref() != Some(material) {
        bail!("`{}` has another slice than its name says; delete it and make it again", path.display());
    }
    Ok(Some(table))
}

/// Reads the solution of a game.
pub fn load_whole<G: Game>(path: &Path, game: &G) -> anyhow::Result<Table> {
    Ok(read(path, WHOLE, game, u64::MAX)?.0)
}

/// Everything that a folder of slices, or the file of a game that was solved as a whole, knows.
pub fn load_endgames<G: Game>(path: &Path, game: &G) -> anyhow::Result<Endgames> {
    load_endgames_within(path, game, u64::MAX)
}

/// The same where values may take that many bytes of memory; an error if they take more.
pub fn load_endgames_within<G: Game>(path: &Path, game: &G, bytes: u64) -> anyhow::Result<Endgames> {
    if path.is_file() {
        let whole = Arc::new(read(path, WHOLE, game, bytes)?.0);
        return Ok(Endgames::new(game.description(), Tables::default(), Some(whole)));
    }
    let slices = load_folder_within(path, game, bytes)?;
    if slices.is_empty() {
        bail!("the folder `{}` has no endgames; `multigame endgame make` makes them", path.display());
    }
    Ok(Endgames::new(game.description(), slices, None))
}

type Bases = Vec<(Material, u64)>;

fn read<G: Game>(path: &Path, kind: Kind, game: &G, bytes: u64) -> anyhow::Result<(Table, Bases)> {
    let name = path.display();
    let sealed = match Sealed::open(path, kind) {
        Err(error) if error.is_missing() => {
            bail!("there is no {} `{name}`; {}", kind.name, kind.remedy.trim_start_matches("delete it and "))
        }
        opened => opened?,
    };
    let found = content(sealed, kind, game, bytes).with_context(|| format!("cannot use `{name}`"))?;
    let (table, bases, found) = found;
    if found != mark(game, &table)? {
        bail!("cannot use `{name}`: it was made for other rules; {}", kind.remedy);
    }
    Ok((table, bases))
}

fn content<G: Game>(
    mut sealed: Sealed,
    kind: Kind,
    game: &G,
    bytes: u64,
) -> anyhow::Result<(Table, Bases, u64)> {
    let description = game.description();
    let packing = Packing::of(description).with_context(|| too_wide(description))?;
    if sealed.word()? != kin(description) {
        bail!("it belongs to another game; give the one of {}", description.name);
    }
    let mark = sealed.word()?;
    let scored = at_most(&mut sealed, 1)? == 1;
    let (mut material, mut shape) = (None, None);
    if kind == SLICE {
        let (what, how) = read_shape(&mut sealed, game)?;
        (material, shape) = (Some(what), Some(how));
    }
    let extras = read_extras(&mut sealed, &packing)?;
    let mut bases = Vec::new();
    for _ in 0..at_most(&mut sealed, MOST_BASES)? {
        let counts = sealed.many(description.pieces.len() as u64)?;
        let base = Material::of_counts(description, counts).ok_or_else(|| sealed.damaged())?;
        bases.push((base, sealed.word()?));
    }
    let (width, length) = (sealed.word()?, sealed.word()?);
    let compressed = sealed.many(length)?;
    let entries = shape.as_ref().map_or(0, Shape::size) + extras.len() as u64;
    let needed = entries.saturating_mul(width);
    if needed > bytes {
        bail!("its values take {needed} bytes of memory, and {bytes} are left for them");
    }
    let values = decode(&compressed, width, entries).ok_or_else(|| sealed.damaged())?;
    sealed.finish()?;
    Ok((Table { material, shape, packing, scored, extras, values }, bases, mark))
}

/// A number that damage or another board could make too large.
fn at_most(sealed: &mut Sealed, most: u64) -> Result<u64, FileError> {
    let number = sealed.word()?;
    if number > most { Err(sealed.damaged()) } else { Ok(number) }
}

fn read_shape<G: Game>(sealed: &mut Sealed, game: &G) -> anyhow::Result<(Material, Shape)> {
    let description = game.description();
    let (kinds, size) = (description.pieces.len(), description.board.size());
    let foreign = "it belongs to another game; give the folder of this one";
    let (mut counts, mut groups) = (vec![0; kinds], Vec::new());
    for _ in 0..at_most(sealed, 255)? {
        let mut head = [0; 2];
        sealed.bytes(&mut head)?;
        let [piece, count] = head;
        let bytes = at_most(sealed, 1 << 16)?;
        let bytes = sealed.many(2 * bytes)?;
        let fields: Vec<u16> =
            bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
        let place = counts.get_mut(usize::from(piece)).filter(|place| piece > 0 && **place == 0 && count > 0);
        let sorted = fields.is_sorted_by(|a, b| a < b);
        let (Some(place), true) =
            (place, sorted && fields.last().is_none_or(|&last| usize::from(last) < size))
        else {
            bail!(foreign)
        };
        *place = count;
        groups.push((Piece(piece), count, fields));
    }
    let material = Material::of_counts(description, counts).context(foreign)?;
    let symmetries = read_symmetries(sealed, size)?;
    let proved = closed(&game.symmetries(groups.iter().map(|(piece, ..)| *piece).collect()));
    if symmetries.iter().any(|symmetry| !proved.contains(symmetry)) {
        bail!(
            "it was made for other rules, which take no notice of how the board is turned; delete it and \
             make it again"
        );
    }
    let shape = Shape::of_groups(groups, &symmetries)
        .filter(|shape| shape.size() < u64::from(u32::MAX))
        .context(foreign)?;
    Ok((material, shape))
}

fn read_symmetries(sealed: &mut Sealed, size: usize) -> anyhow::Result<Vec<Vec<Field>>> {
    let count = at_most(sealed, 7)?;
    let bytes = sealed.many(count * 2 * size as u64)?;
    let fields = bytes.chunks_exact(2).map(|two| Field(u16::from_le_bytes([two[0], two[1]])));
    Ok(fields.collect::<Vec<Field>>().chunks(size).map(<[Field]>::to_vec).collect())
}

fn read_extras(sealed: &mut Sealed, packing: &Packing) -> anyhow::Result<Vec<Key>> {
    let count = at_most(sealed, u32::MAX.into())?;
    let bytes = sealed.many(count * packing.words() as u64 * 8)?;
    let key = |bytes: &[u8]| {
        let mut key = [0; 4];
        for (word, eight) in key.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(eight.try_into().unwrap_or_default());
        }
        key
    };
    let keys: Vec<Key> = bytes.chunks_exact(packing.words() * 8).map(key).collect();
    if !keys.is_sorted_by(|a, b| a < b) {
        return Err(sealed.damaged().into());
    }
    Ok(keys)
}

/// The values, of which there are `entries`; nothing if these are not.
fn decode(compressed: &[u8], width: u64, entries: u64) -> Option<Values> {
    let entries = usize::try_from(entries).ok()?;
    let mut bytes = Vec::new();
    // Memory grows with the bytes that are read, because the length may be damaged.
    let most = (entries as u64).checked_mul(width)?;
    ZlibDecoder::new(compressed).take(most + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 != most {
        return None;
    }
    match width {
        1 => Some(Values::Narrow(bytes)),
        2 => Some(Values::Wide(
            bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect(),
        )),
        _ => None,
    }
}

impl Table {
    /// A sum that changes when a value does.
    pub fn sum(&self) -> u64 {
        let mut sum = Checksum::default();
        match &self.values {
            Values::Narrow(codes) => sum.write(codes),
            Values::Wide(codes) => codes.iter().for_each(|code| sum.write(&code.to_le_bytes())),
        }
        sum.finish()
    }
}

/// A number that tells games apart: board, pieces and properties.
fn kin(description: &Description) -> u64 {
    let pieces: Vec<_> = description.pieces.iter().map(|piece| (piece.name.as_str(), piece.side)).collect();
    let game = (description.board.size(), &description.properties, description.no_moves);
    Checksum::of(format!("{pieces:?} {game:?} {:?}", description.repetition).as_bytes())
}

/// A number that tells rules apart: the moves of some positions of a table.
fn mark<G: Game>(game: &G, table: &Table) -> anyhow::Result<u64> {
    let description = game.description();
    let mut sum = Checksum::default();
    let (survey, none) = (Survey::none(description), Tables::default());
    let slice = table.material.as_ref().zip(table.shape.as_ref());
    let slice = slice.map(|(material, shape)| Slice { material, shape, survey: &survey, tables: &none });
    let mut space = Space::new(game, &table.packing, slice, table.scored);
    space.extras.clone_from(&table.extras);
    let (mut eye, mut random, mut children) = (space.eye(), Random::new(3), Vec::new());
    for _ in 0..SAMPLES.min(table.entries()) {
        let node = random.below(table.entries());
        // Arrangements that cannot occur need no rules.
        if table.values.code(node) == NONE {
            continue;
        }
        let Some(position) = space.position(node, &mut eye) else { continue };
        children.clear();
        let outcome = game.children(position, &mut |child| {
            children.push((game.signature(child), game.ended(child).map(|outcome| format!("{outcome:?}"))));
            ControlFlow::Continue(())
        })?;
        // Back ends may generate moves in different orders.
        children.sort_unstable();
        sum.write(format!("{outcome:?} {children:?}").as_bytes());
    }
    Ok(sum.finish())
}
