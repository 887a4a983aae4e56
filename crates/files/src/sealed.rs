//! Files of numbers and bytes that say what they are and notice damage.
//!
//! A line of text says kind and version of the format; its checksum follows. Then come blocks: the length of
//! the content (4 bytes), a checksum over everything so far (8 bytes), the content. A block without content
//! is the last one, and nothing comes after it. Numbers are little-endian.
//!
//! A block is handed out only after its checksum has been found right, so that readers never see damaged
//! numbers. They need not hold the whole file in memory, and writers need not know its length.

use std::fs::File;
use std::hash::Hasher;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::{Checksum, FileError, Kind, Replacement};

/// Every file of ours begins so.
const OURS: &str = "multigame ";
/// Longest line at the beginning.
const LONGEST_HEAD: usize = 100;
/// Bytes of a block.
const BLOCK: usize = 1 << 20;

/// Writes a sealed file as a whole.
pub fn seal(
    path: &Path,
    kind: Kind,
    content: impl FnOnce(&mut Output<'_>) -> io::Result<()>,
) -> Result<(), FileError> {
    let mut replacement = Replacement::of(path)?;
    let written = Output::new(&mut replacement, kind).and_then(|mut output| {
        content(&mut output)?;
        output.finish()
    });
    written.map_err(FileError::writing(path))?;
    replacement.commit()
}

/// Where the content of a sealed file goes.
pub struct Output<'w> {
    file: &'w mut dyn Write,
    sum: Checksum,
    block: Vec<u8>,
}

impl<'w> Output<'w> {
    fn new(file: &'w mut dyn Write, kind: Kind) -> io::Result<Output<'w>> {
        let head = format!("{OURS}{} {}\n", kind.name, kind.version);
        let mut sum = Checksum::default();
        sum.write(head.as_bytes());
        file.write_all(head.as_bytes())?;
        file.write_all(&sum.finish().to_le_bytes())?;
        Ok(Output { file, sum, block: Vec::with_capacity(BLOCK) })
    }

    /// Writes bytes.
    pub fn bytes(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            if self.block.len() == BLOCK {
                self.end_block()?;
            }
            bytes = later;
        }
        Ok(())
    }

    /// Writes a number.
    pub fn word(&mut self, word: u64) -> io::Result<()> {
        self.bytes(&word.to_le_bytes())
    }

    fn end_block(&mut self) -> io::Result<()> {
        let length = (self.block.len() as u32).to_le_bytes();
        self.sum.write(&length);
        self.sum.write(&self.block);
        self.file.write_all(&length)?;
        self.file.write_all(&self.sum.finish().to_le_bytes())?;
        self.file.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.end_block()
    }
}

/// A sealed file that is being read.
pub struct Sealed {
    path: PathBuf,
    kind: Kind,
    file: Box<dyn Read>,
    sum: Checksum,
    block: Vec<u8>,
    /// How much of the block has been handed out.
    used: usize,
}

impl Sealed {
    /// Opens a file.
    pub fn open(path: &Path, kind: Kind) -> Result<Sealed, FileError> {
        let file = File::open(path).map_err(FileError::reading(path))?;
        Sealed::new(path, kind, Box::new(BufReader::new(file)))
    }

    /// The content of a file that was read elsewhere; messages call it `path`.
    pub fn of_bytes(path: &Path, kind: Kind, bytes: Vec<u8>) -> Result<Sealed, FileError> {
        Sealed::new(path, kind, Box::new(io::Cursor::new(bytes)))
    }

    fn new(path: &Path, kind: Kind, mut file: Box<dyn Read>) -> Result<Sealed, FileError> {
        let mut head = Vec::new();
        while head.len() < LONGEST_HEAD && head.last() != Some(&b'\n') {
            let mut byte = [0];
            match file.read_exact(&mut byte) {
                Ok(()) => head.push(byte[0]),
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
                Err(error) => return Err(FileError::reading(path)(error)),
            }
        }
        let mut sum = Checksum::default();
        sum.write(&head);
        let path = path.to_path_buf();
        let mut sealed = Sealed { path, kind, file, sum, block: Vec::new(), used: 0 };
        sealed.check_head(&head)?;
        Ok(sealed)
    }

    fn check_head(&mut self, head: &[u8]) -> Result<(), FileError> {
        let Some(text) = std::str::from_utf8(head).ok().and_then(|head| head.strip_prefix(OURS)) else {
            return Err(FileError::not_ours(&self.path, self.kind));
        };
        let mut found = [0; 8];
        self.fill(&mut found)?;
        if u64::from_le_bytes(found) != self.sum.finish() {
            return Err(self.damaged());
        }
        let (name, version) = text.trim_end().rsplit_once(' ').unwrap_or_default();
        match version.parse() {
            _ if name != self.kind.name => Err(FileError::not_ours(&self.path, self.kind)),
            Ok(version) if version == self.kind.version => Ok(()),
            Ok(version) => Err(FileError::other_version(&self.path, self.kind, version)),
            Err(_) => Err(self.damaged()),
        }
    }

    /// The error that says that the file is damaged, for numbers that make no sense.
    pub fn damaged(&self) -> FileError {
        FileError::damaged(&self.path, self.kind, "or was cut off")
    }

    /// Reads a number.
    pub fn word(&mut self) -> Result<u64, FileError> {
        let mut bytes = [0; 8];
        self.bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Reads as many bytes as there is room for.
    pub fn bytes(&mut self, mut bytes: &mut [u8]) -> Result<(), FileError> {
        while !bytes.is_empty() {
            if self.used == self.block.len() && !self.next_block()? {
                return Err(self.damaged());
            }
            let count = bytes.len().min(self.block.len() - self.used);
            bytes[..count].copy_from_slice(&self.block[self.used..][..count]);
            self.used += count;
            bytes = &mut bytes[count..];
        }
        Ok(())
    }

    /// Reads that many bytes into memory of their own. What a file claims is not believed before it has been
    /// read.
    pub fn many(&mut self, count: u64) -> Result<Vec<u8>, FileError> {
        let mut all = Vec::new();
        while (all.len() as u64) < count {
            if self.used == self.block.len() && !self.next_block()? {
                return Err(self.damaged());
            }
            let rest = &self.block[self.used..];
            let now = rest.len().min(usize::try_from(count - all.len() as u64).unwrap_or(usize::MAX));
            let room = all.try_reserve(now).map_err(|_| io::Error::from(ErrorKind::OutOfMemory));
            room.map_err(FileError::reading(&self.path))?;
            all.extend_from_slice(&rest[..now]);
            self.used += now;
        }
        Ok(all)
    }

    /// Checks that everything has been read.
    pub fn finish(mut self) -> Result<(), FileError> {
        if self.used < self.block.len() || self.next_block()? {
            return Err(self.damaged());
        }
        match self.file.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(self.damaged()),
            Err(error) => Err(FileError::reading(&self.path)(error)),
        }
    }

    /// Reads the next block; false if it is the last one, which is empty.
    fn next_block(&mut self) -> Result<bool, FileError> {
        let (mut length, mut sum) = ([0; 4], [0; 8]);
        self.fill(&mut length)?;
        self.fill(&mut sum)?;
        let count = u32::from_le_bytes(length) as usize;
        if count > BLOCK {
            return Err(self.damaged());
        }
        let mut block = std::mem::take(&mut self.block);
        block.resize(count, 0);
        self.fill(&mut block)?;
        self.sum.write(&length);
        self.sum.write(&block);
        if u64::from_le_bytes(sum) != self.sum.finish() {
            return Err(self.damaged());
        }
        (self.block, self.used) = (block, 0);
        Ok(count > 0)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), FileError> {
        self.file.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => self.damaged(),
            _ => FileError::reading(&self.path)(error),
        })
    }
}
