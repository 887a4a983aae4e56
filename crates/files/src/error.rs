//! Why a file cannot be read or written, in words that name the file and what to do.

use std::io;
use std::path::{Path, PathBuf};

use crate::Kind;

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It is something else.
    #[error("`{}` is not a {kind} of multigame; choose another file", .file.display())]
    NotOurs {
        /// The file.
        file: PathBuf,
        /// What it should be.
        kind: &'static str,
    },
    /// It was written by us, but something happened to it.
    #[error("the {kind} `{}` is damaged {place}; {remedy}", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What it should be.
        kind: &'static str,
        /// Where: `in line 3`.
        place: String,
        /// What to do.
        remedy: &'static str,
    },
    /// It was written by another version.
    #[error(
        "the {kind} `{}` has format {found}, and this version of multigame reads format {known}; use the \
         version that \
         wrote it, or another file",
        .file.display()
    )]
    OtherVersion {
        /// The file.
        file: PathBuf,
        /// What it is.
        kind: &'static str,
        /// Its format.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// Somebody else uses it.
    #[error("`{}` is in use by {owner}; wait for its end, or choose another file", .file.display())]
    InUse {
        /// The file.
        file: PathBuf,
        /// Process, host and command.
        owner: String,
    },
    /// The system refused.
    #[error("cannot {action} `{}`{hint}", .file.display())]
    System {
        /// `read`, `write`, `lock`.
        action: &'static str,
        /// The file.
        file: PathBuf,
        /// What may help; empty, or after a comma.
        hint: &'static str,
        /// What the system says.
        source: io::Error,
    },
}

impl FileError {
    pub(crate) fn not_ours(file: &Path, kind: Kind) -> FileError {
        FileError::NotOurs { file: file.to_path_buf(), kind: kind.name }
    }

    pub(crate) fn damaged(file: &Path, kind: Kind, place: impl Into<String>) -> FileError {
        let place = place.into();
        FileError::Damaged { file: file.to_path_buf(), kind: kind.name, place, remedy: kind.remedy }
    }

    pub(crate) fn other_version(file: &Path, kind: Kind, found: u32) -> FileError {
        FileError::OtherVersion { file: file.to_path_buf(), kind: kind.name, found, known: kind.version }
    }

    pub(crate) fn reading(file: &Path) -> impl Fn(io::Error) -> FileError + Copy {
        move |source| FileError::System { action: "read", file: file.to_path_buf(), hint: "", source }
    }

    pub(crate) fn writing(file: &Path) -> impl Fn(io::Error) -> FileError + Copy {
        move |source| {
            let hint = match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                    ", what was there before is still there; make room and try again"
                }
                _ => "",
            };
            FileError::System { action: "write", file: file.to_path_buf(), hint, source }
        }
    }

    /// Whether there is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(self, FileError::System { action: "read", source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
