//! A log that grows while something runs: a line of JSON for each entry, written as soon as there is one.
//!
//! The first line says what the log belongs to. Each line is an object whose last member is a checksum over
//! what comes before it. A last line without an end was being written when its process ended; it is dropped,
//! since nothing after it was promised. Any other line with a wrong checksum is damage and an error.
//!
//! Each entry is with the operating system when [`Log::add`] returns, so that a kill loses nothing; it is on
//! the disk after a second at most, or when the log is closed.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::lock::folder;
use crate::replacement::sync_folder;
use crate::stamp::{stamp, unstamp};
use crate::{FileError, Kind, Lock};

/// Between two visits to the disk.
const SYNC: Duration = Duration::from_secs(1);

/// The first line of a log.
#[derive(Debug, Serialize, Deserialize)]
struct First<H> {
    multigame: String,
    version: u32,
    head: H,
}

/// The same of any log.
#[derive(Debug, Deserialize)]
struct Claim {
    multigame: String,
    version: u32,
}

/// A log that entries are added to. Nobody else can open it meanwhile.
#[derive(Debug)]
pub struct Log<H, E> {
    path: PathBuf,
    kind: Kind,
    file: File,
    length: u64,
    /// Whether part of a line follows. It goes when something is added: to look at a log changes nothing.
    is_torn: bool,
    /// When the log last went to the disk, and whether something was added since.
    synced: Instant,
    added: bool,
    _lock: Lock,
    _content: PhantomData<fn(H, E)>,
}

/// A log with what was in it.
#[derive(Debug)]
pub struct Opened<H, E> {
    /// The log.
    pub log: Log<H, E>,
    /// What it belongs to; nothing if it is new.
    pub head: Option<H>,
    /// The entries, with their line numbers.
    pub entries: Vec<(usize, E)>,
}

impl<H, E> Log<H, E>
where
    H: Serialize + DeserializeOwned,
    E: Serialize + DeserializeOwned,
{
    /// Opens a log, which is made if there is none. A new one needs a [`Log::begin`] before entries.
    pub fn open(path: &Path, kind: Kind) -> Result<Opened<H, E>, FileError> {
        let lock = Lock::of(path)?;
        let file = OpenOptions::new().create(true).read(true).append(true).open(path);
        let mut file = file.map_err(FileError::writing(path))?;
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(FileError::reading(path))?;
        let reader = Reader { path, kind };
        let (head, entries, length) = reader.read(&content)?;
        if content.is_empty() {
            sync_folder(folder(path)).map_err(FileError::writing(path))?;
        }
        let (path, synced) = (path.to_path_buf(), Instant::now());
        let (length, is_torn, added) = (length as u64, length < content.len(), false);
        let log =
            Log { path, kind, file, length, is_torn, synced, added, _lock: lock, _content: PhantomData };
        Ok(Opened { log, head, entries })
    }

    /// Forgets all entries and begins with a head.
    pub fn begin(&mut self, head: &H) -> Result<(), FileError> {
        self.length = 0;
        self.cut().map_err(FileError::writing(&self.path))?;
        let (multigame, version) = (self.kind.name.to_string(), self.kind.version);
        self.line(&First { multigame, version, head })?;
        self.sync()
    }

    /// Adds an entry.
    pub fn add(&mut self, entry: &E) -> Result<(), FileError> {
        self.line(entry)?;
        if self.synced.elapsed() >= SYNC { self.sync() } else { Ok(()) }
    }

    /// An error that says that a line is damaged, for entries that make no sense.
    pub fn damaged(&self, line: usize) -> FileError {
        Reader { path: &self.path, kind: self.kind }.damaged(line)
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), FileError> {
        let line = with_sum(value).map_err(FileError::writing(&self.path))?;
        if self.is_torn {
            self.cut().map_err(FileError::writing(&self.path))?;
        }
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // The next line must not be appended to a part of a line.
            self.is_torn = true;
            let _ = self.cut();
            return Err(FileError::writing(&self.path)(error));
        }
        self.length += line.len() as u64;
        self.added = true;
        Ok(())
    }

    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.is_torn = false;
        Ok(())
    }

    fn sync(&mut self) -> Result<(), FileError> {
        (self.synced, self.added) = (Instant::now(), false);
        self.file.sync_data().map_err(FileError::writing(&self.path))
    }
}

impl<H, E> Drop for Log<H, E> {
    fn drop(&mut self) {
        if self.added {
            // There is nobody left to tell.
            let _ = self.file.sync_data();
        }
    }
}

struct Reader<'p> {
    path: &'p Path,
    kind: Kind,
}

type Content<H, E> = (Option<H>, Vec<(usize, E)>, usize);

impl Reader<'_> {
    /// Head, entries, and how many bytes are complete.
    fn read<H: DeserializeOwned, E: DeserializeOwned>(
        &self,
        content: &[u8],
    ) -> Result<Content<H, E>, FileError> {
        let complete = content.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut lines = content[..complete].split_inclusive(|&byte| byte == b'\n').zip(1..);
        let Some((first, _)) = lines.next() else {
            // A file without a line is only ours if the first one was being written.
            return match self.begins(content) {
                true => Ok((None, Vec::new(), 0)),
                false => Err(FileError::not_ours(self.path, self.kind)),
            };
        };
        let head = self.first(first)?;
        let entries = lines.map(|(line, number)| {
            let entry = without_sum(line).and_then(|text| serde_json::from_str(&text).ok());
            entry.map(|entry| (number, entry)).ok_or_else(|| self.damaged(number))
        });
        Ok((Some(head), entries.collect::<Result<_, _>>()?, complete))
    }

    fn first<H: DeserializeOwned>(&self, line: &[u8]) -> Result<H, FileError> {
        let Some(text) = without_sum(line) else {
            let is_ours = line.len() > self.beginning().len() && self.begins(line);
            return Err(if is_ours { self.damaged(1) } else { FileError::not_ours(self.path, self.kind) });
        };
        let not_ours = || FileError::not_ours(self.path, self.kind);
        let claim: Claim = serde_json::from_str(&text).map_err(|_| not_ours())?;
        if claim.multigame != self.kind.name {
            return Err(not_ours());
        }
        if claim.version != self.kind.version {
            return Err(FileError::other_version(self.path, self.kind, claim.version));
        }
        let first: First<H> = serde_json::from_str(&text).map_err(|_| self.damaged(1))?;
        Ok(first.head)
    }

    /// Whether bytes begin as a log does, as far as they go.
    fn begins(&self, bytes: &[u8]) -> bool {
        let beginning = self.beginning();
        let common = bytes.len().min(beginning.len());
        bytes[..common] == beginning.as_bytes()[..common]
    }

    fn beginning(&self) -> String {
        format!(r#"{{"multigame":"{}","version":"#, self.kind.name)
    }

    fn damaged(&self, line: usize) -> FileError {
        FileError::damaged(self.path, self.kind, format!("in line {line}"))
    }
}

/// The line of an object: its last member is a checksum.
fn with_sum(value: &impl Serialize) -> io::Result<String> {
    Ok(stamp(&serde_json::to_string(value)?)? + "\n")
}

/// The object of a line, if its checksum is right.
fn without_sum(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix("}\n")?;
    unstamp(&format!("{line}}}")).ok()
}
