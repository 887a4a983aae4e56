//! Files whose name belongs to one process for as long as it lives.
//!
//! The operating system's lock ends with its owner, however it ends. A lock belongs to an open file, though,
//! not to its name: somebody may have removed the name between opening and locking. So a claim counts only if
//! the name still leads to the file that was locked, and whoever holds a claim may remove the name.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// Opens a file, which is made if there is none, and locks it; nothing if somebody else has it.
pub fn claim(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        match std::fs::metadata(path) {
            Ok(found) if is_same(&found, &file.metadata()?) => return Ok(Some(file)),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Elsewhere a name cannot be removed from an open file.
#[cfg(not(unix))]
fn is_same(_one: &Metadata, _other: &Metadata) -> bool {
    true
}
