//! Replacing a file as a whole: all of the new content or all of the old.
//!
//! The new content is written beside the file under a name that belongs to this process and this replacement
//! alone. It goes to the disk before the name changes, and the folder with the new name goes to the disk
//! before success is reported. Remains of processes that were killed meanwhile are removed by the next
//! replacement: nobody holds their claim.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::FileError;
use crate::claim::claim;
use crate::lock::{folder, target};

/// How the names of unfinished files end.
const UNFINISHED: &str = ".unfinished";
/// Names longer than this are cut before something is added to them.
const LONGEST_NAME: usize = 160;

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// Writes a file as a whole.
pub fn write(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let mut replacement = Replacement::of(path)?;
    replacement.write_all(content).map_err(FileError::writing(path))?;
    replacement.commit()
}

/// New content of a file, which is as it was until [`Replacement::commit`].
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    file: BufWriter<File>,
    /// Nothing for devices and pipes, which are written to directly.
    beside: Option<Beside>,
}

/// A file beside the one to be replaced; removed unless it took its place.
#[derive(Debug)]
struct Beside {
    target: PathBuf,
    name: PathBuf,
    permissions: Option<Permissions>,
}

impl Replacement {
    /// Begins to replace a file, which need not exist.
    pub fn of(path: &Path) -> Result<Replacement, FileError> {
        let failed = FileError::writing(path);
        let target = target(path);
        let found = match std::fs::metadata(&target) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        if found.as_ref().is_some_and(|found| !found.is_file()) {
            let file = OpenOptions::new().write(true).open(&target).map_err(failed)?;
            return Ok(Replacement { path: path.to_path_buf(), file: BufWriter::new(file), beside: None });
        }
        let permissions = found.map(|found| found.permissions());
        if permissions.as_ref().is_some_and(Permissions::readonly) {
            let error = io::Error::new(io::ErrorKind::PermissionDenied, "it is write-protected");
            return Err(failed(error));
        }
        let prefix = prefix(&target);
        sweep(folder(&target), &prefix);
        let (file, name) = unfinished(path, folder(&target), &prefix)?;
        let beside = Some(Beside { target, name, permissions });
        Ok(Replacement { path: path.to_path_buf(), file: BufWriter::new(file), beside })
    }

    /// Puts the new content in the place of the old one. On an error the old content stays.
    pub fn commit(mut self) -> Result<(), FileError> {
        let failed = FileError::writing(&self.path);
        self.file.flush().map_err(failed)?;
        let Some(beside) = self.beside.take() else { return Ok(()) };
        let moved = beside.take_place(self.file.get_ref());
        moved.map_err(failed)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Beside {
    fn take_place(&self, file: &File) -> io::Result<()> {
        if let Some(permissions) = &self.permissions {
            file.set_permissions(permissions.clone())?;
        }
        file.sync_all()?;
        std::fs::rename(&self.name, &self.target)?;
        sync_folder(folder(&self.target))
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // After a success there is no such name any more.
        let _ = std::fs::remove_file(&self.name);
    }
}

/// Brings the names in a folder to the disk, where the system can do that.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        result => result,
    }
}

/// How the names of unfinished files for a target begin.
fn prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let end = name.char_indices().map(|(at, _)| at).find(|&at| at > LONGEST_NAME).unwrap_or(name.len());
    format!(".{}.", &name[..end])
}

/// A new file of our own.
fn unfinished(path: &Path, folder: &Path, prefix: &str) -> Result<(File, PathBuf), FileError> {
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = folder.join(format!("{prefix}{}-{number}{UNFINISHED}", std::process::id()));
        let claimed = claim(&name).map_err(|source| {
            let hint = match source.kind() {
                io::ErrorKind::NotFound => ", its folder does not exist",
                _ => ", its folder must be writable, because new content is written beside the old",
            };
            FileError::System { action: "write", file: path.to_path_buf(), hint, source }
        })?;
        if let Some(file) = claimed {
            file.set_len(0).map_err(FileError::writing(path))?;
            return Ok((file, name));
        }
    }
}

/// Removes what dead processes left.
fn sweep(folder: &Path, prefix: &str) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_ours = name.starts_with(prefix) && name.ends_with(UNFINISHED);
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // Nobody's, if it can be claimed. It stays claimed while it is removed.
            if let Ok(Some(_claimed)) = claim(&entry.path()) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}
