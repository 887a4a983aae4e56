//! What an interrupted search knows, kept in a file: its transposition table, or what df-pn has proved so
//! far.
//!
//! The content of the file is a number that says which search it belongs to, the size of the memory, and the
//! words of the table. One search at a time uses a checkpoint.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use multigame_files::{Checksum, FileError, Kind, Lock, Output, Sealed, seal};
use multigame_search::{Engine, Proofs, TranspositionTable};

const KIND: Kind = Kind { name: "checkpoint", version: 2, remedy: "delete it to start again" };

/// Which search a checkpoint belongs to: what a search of one position has not finished need not hold for
/// searches of others.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'i> {
    /// The text of the rules.
    pub rules: &'i str,
    /// Their parameters.
    pub parameters: &'i [(String, i64)],
    /// The text of the position.
    pub position: &'i str,
    /// What else decides about the content of the table.
    pub switches: &'i str,
    /// The engine.
    pub engine: Engine,
}

impl Identity<'_> {
    fn number(&self) -> u64 {
        let Identity { rules, parameters, position, switches, engine } = self;
        Checksum::of(format!("{engine} {parameters:?} {position} {switches}\n{rules}").as_bytes())
    }
}

/// Where a search is kept. Nobody else uses the file meanwhile.
#[derive(Debug)]
pub struct Checkpoint {
    file: PathBuf,
    search: u64,
    mib: u32,
    _lock: Lock,
}

/// Knowledge that is kept. Others may write to it meanwhile: each entry is whole or empty.
#[derive(Debug)]
pub enum Knowledge<'a> {
    /// A transposition table.
    Table(&'a TranspositionTable),
    /// What df-pn knows.
    Proofs(&'a Proofs),
}

impl Knowledge<'_> {
    fn write(&self, output: &mut Output<'_>) -> std::io::Result<()> {
        match self {
            Knowledge::Table(table) => (0..table.capacity())
                .flat_map(|index| table.words(index))
                .try_for_each(|word| output.word(word)),
            Knowledge::Proofs(proofs) => {
                let (count, mut words) = proofs.words();
                output.word(count as u64)?;
                words.try_for_each(|word| output.word(word))
            }
        }
    }

    fn read(&self, sealed: &mut Sealed) -> Result<(), FileError> {
        match self {
            Knowledge::Table(table) => {
                for index in 0..table.capacity() {
                    table.set_words(index, [sealed.word()?, sealed.word()?]);
                }
            }
            Knowledge::Proofs(proofs) => {
                let count = sealed.word()?;
                let words: Result<Vec<u64>, FileError> = (0..count).map(|_| sealed.word()).collect();
                proofs.extend_from_words(&words?);
            }
        }
        Ok(())
    }
}

impl Checkpoint {
    /// The checkpoint of a search with this much memory; an error if somebody else uses it.
    pub fn new(file: PathBuf, search: &Identity<'_>, mib: u32) -> anyhow::Result<Checkpoint> {
        let lock = Lock::of(&file)?;
        Ok(Checkpoint { file, search: search.number(), mib, _lock: lock })
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Adds what the file knows; false if there is no file yet.
    pub fn load(&self, memory: &Knowledge<'_>) -> anyhow::Result<bool> {
        let name = self.file.display();
        let sealed = match Sealed::open(&self.file, KIND) {
            Err(error) if error.is_missing() => return Ok(false),
            opened => opened,
        };
        let loaded = sealed.map_err(anyhow::Error::from).and_then(|sealed| self.read(sealed, memory));
        loaded.with_context(|| format!("cannot go on from the checkpoint `{name}`"))?;
        Ok(true)
    }

    fn read(&self, mut sealed: Sealed, memory: &Knowledge<'_>) -> anyhow::Result<()> {
        if sealed.word()? != self.search {
            bail!(
                "it belongs to other rules, parameters, switches, another position or another engine; choose another file"
            );
        }
        let mib = sealed.word()?;
        if mib != u64::from(self.mib) {
            bail!("its table has {mib} MiB; use `--table {mib}`");
        }
        memory.read(&mut sealed)?;
        Ok(sealed.finish()?)
    }

    /// Replaces the file by what is known.
    pub fn save(&self, knowledge: &Knowledge<'_>) -> Result<(), FileError> {
        seal(&self.file, KIND, |output| {
            output.word(self.search)?;
            output.word(u64::from(self.mib))?;
            knowledge.write(output)
        })
    }
}
