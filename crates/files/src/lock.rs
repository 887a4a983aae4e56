//! One user at a time for a file, and a name for it.
//!
//! The lock is a file of its own, `FILE.lock`, because files that are replaced as a whole have no lasting
//! identity. It says who has it, and is removed at the end. After a kill it stays without meaning anything.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::FileError;
use crate::claim::claim;

/// Longest description of an owner that is read.
const LONGEST: u64 = 2000;
/// Longest command that is shown.
const LONGEST_COMMAND: usize = 200;
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(10);

/// Nobody else can lock the file while this lives.
#[derive(Debug)]
pub struct Lock {
    /// Nothing for devices.
    _held: Option<Held>,
}

#[derive(Debug)]
struct Held {
    path: PathBuf,
    /// The lock lasts as long as it is open.
    _file: File,
}

impl Lock {
    /// Locks a file, which need not exist. An error names the owner if there is one.
    pub fn of(path: &Path) -> Result<Lock, FileError> {
        Lock::within(path, Duration::ZERO)
    }

    /// The same, after waiting for others that need it only for a moment.
    pub(crate) fn within(path: &Path, patience: Duration) -> Result<Lock, FileError> {
        let target = target(path);
        // Devices and pipes are nobody's.
        if std::fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
            return Ok(Lock { _held: None });
        }
        let beside = beside(&target);
        let until = Instant::now() + patience;
        loop {
            if let Some(file) = claim(&beside).map_err(locking(path))? {
                introduce(&file).map_err(locking(path))?;
                return Ok(Lock { _held: Some(Held { path: beside, _file: file }) });
            }
            if Instant::now() >= until {
                return Err(FileError::InUse { file: path.to_path_buf(), owner: owner(&beside) });
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // What cannot be removed means nothing without its lock.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The file itself, whatever links lead there: one file has one lock.
pub(crate) fn target(path: &Path) -> PathBuf {
    if let Ok(found) = path.canonicalize() {
        return found;
    }
    let folder = folder(path).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// The folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn beside(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_os_string();
    name.push(".lock");
    name.into()
}

fn locking(path: &Path) -> impl Fn(io::Error) -> FileError {
    move |source| {
        let hint = match source.kind() {
            io::ErrorKind::NotFound => ", its folder does not exist",
            io::ErrorKind::Unsupported => ", the file system has no locks; use another one",
            _ => ", its folder must be writable",
        };
        FileError::System { action: "lock", file: path.to_path_buf(), hint, source }
    }
}

/// Writes down who we are.
fn introduce(mut file: &File) -> io::Result<()> {
    let mut command =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = command.char_indices().nth(LONGEST_COMMAND) {
        command.truncate(end);
        command.push_str("...");
    }
    file.set_len(0)?;
    write!(file, "process {} on {} (`{command}`)", std::process::id(), host())
}

/// Who has a lock, as far as it is known.
fn owner(lock: &Path) -> String {
    let mut text = String::new();
    let read = File::open(lock).and_then(|mut file| {
        file.rewind()?;
        file.take(LONGEST).read_to_string(&mut text)
    });
    match read {
        Ok(_) if !text.is_empty() => text,
        _ => "another process".to_string(),
    }
}

#[cfg(unix)]
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "this host".to_string())
}
