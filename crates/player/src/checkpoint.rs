//! What an interrupted search knows, kept in a file: its transposition table, or what df-pn has proved so far.
//!
//! The file is a head that says what it belongs to, the words of the table, and a checksum over everything. A file that is
//! damaged or belongs to something else is refused and left alone; a new one replaces the old one only when it is
//! complete.

use std::fs::File;
use std::hash::Hasher;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use multigame_search::{Engine, Proofs, TranspositionTable};

const MAGIC: &[u8; 8] = b"mgtable1";

/// Where a search is kept, and which one it is.
#[derive(Debug)]
pub struct Checkpoint {
    file: PathBuf,
    /// Fingerprint of rules, parameters and engine.
    search: u64,
    mib: u32,
}

/// What is kept.
#[derive(Debug)]
pub enum Knowledge<'a> {
    /// A transposition table.
    Table(&'a TranspositionTable),
    /// What df-pn knows.
    Proofs(&'a mut Proofs),
}

impl Knowledge<'_> {
    fn put(&self, put: &mut dyn FnMut(u64) -> std::io::Result<()>) -> std::io::Result<()> {
        match self {
            Knowledge::Table(table) => {
                (0..table.capacity()).flat_map(|index| table.words(index)).try_for_each(put)
            }
            Knowledge::Proofs(proofs) => {
                put(proofs.len_words() as u64)?;
                proofs.words().try_for_each(put)
            }
        }
    }

    fn take(&mut self, next: &mut dyn FnMut() -> anyhow::Result<u64>) -> anyhow::Result<()> {
        match self {
            Knowledge::Table(table) => {
                for index in 0..table.capacity() {
                    table.set_words(index, [next()?, next()?]);
                }
            }
            Knowledge::Proofs(proofs) => {
                let count = next()?;
                let words: anyhow::Result<Vec<u64>> = (0..count).map(|_| next()).collect();
                proofs.extend_from_words(&words?);
            }
        }
        Ok(())
    }
}

impl Checkpoint {
    /// The checkpoint of a search.
    pub fn new(
        file: PathBuf,
        rules: &str,
        parameters: &[(String, i64)],
        engine: Engine,
        mib: u32,
    ) -> Checkpoint {
        let mut hash = Checksum::default();
        hash.write(format!("{engine} {parameters:?}\n{rules}").as_bytes());
        Checkpoint { file, search: hash.finish(), mib }
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Adds what the file knows; false if there is no file yet.
    pub fn load(&self, knowledge: &mut Knowledge<'_>) -> anyhow::Result<bool> {
        let name = self.file.display();
        let file = match File::open(&self.file) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error).with_context(|| format!("cannot read the checkpoint `{name}`")),
        };
        let loaded = self.read(BufReader::new(file), knowledge);
        loaded.with_context(|| format!("cannot go on from the checkpoint `{name}`"))?;
        Ok(true)
    }

    fn read(&self, mut file: impl Read, knowledge: &mut Knowledge<'_>) -> anyhow::Result<()> {
        let mut magic = [0; 8];
        let damaged = "it is damaged; delete it to start again";
        file.read_exact(&mut magic).context(damaged)?;
        if &magic != MAGIC {
            bail!("it is no checkpoint of `multigame solve`; choose another file");
        }
        let mut sum = Checksum::default();
        let mut next = || -> anyhow::Result<u64> {
            let mut bytes = [0; 8];
            file.read_exact(&mut bytes).context(damaged)?;
            sum.write(&bytes);
            Ok(u64::from_le_bytes(bytes))
        };
        if next()? != self.search {
            bail!("it belongs to other rules, parameters or another engine; choose another file");
        }
        let mib = next()?;
        if mib != u64::from(self.mib) {
            bail!("its table has {mib} MiB; use `--table {mib}`");
        }
        knowledge.take(&mut next)?;
        let expected = sum.finish();
        let mut bytes = [0; 8];
        file.read_exact(&mut bytes).context(damaged)?;
        if u64::from_le_bytes(bytes) != expected {
            bail!(damaged);
        }
        Ok(())
    }

    /// Writes what is known, beside the file first.
    pub fn save(&self, knowledge: &Knowledge<'_>) -> anyhow::Result<()> {
        let beside = self.file.with_extension("unfinished");
        let written = File::create(&beside).and_then(|file| self.write(BufWriter::new(file), knowledge));
        written.with_context(|| format!("cannot write the checkpoint `{}`", beside.display()))?;
        std::fs::rename(&beside, &self.file)
            .with_context(|| format!("cannot write the checkpoint `{}`", self.file.display()))
    }

    fn write(&self, mut file: impl Write, knowledge: &Knowledge<'_>) -> std::io::Result<()> {
        file.write_all(MAGIC)?;
        let mut sum = Checksum::default();
        let mut put = |word: u64| {
            sum.write(&word.to_le_bytes());
            file.write_all(&word.to_le_bytes())
        };
        put(self.search)?;
        put(u64::from(self.mib))?;
        knowledge.put(&mut put)?;
        let sum = sum.finish();
        file.write_all(&sum.to_le_bytes())?;
        file.flush()
    }
}

/// FNV-1a over 8 bytes at a time: enough against damage, and the same on every machine.
pub(crate) struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Checksum {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
