//! Adding lines to a text that people may edit.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use crate::{FileError, Lock};

/// Others need the file only as long as we do.
const PATIENCE: Duration = Duration::from_secs(5);

/// Adds lines to a text, all of them or none. A last line without an end gets one.
pub fn append(path: &Path, lines: &str) -> Result<(), FileError> {
    let _lock = Lock::within(path, PATIENCE)?;
    let file = OpenOptions::new().create(true).read(true).append(true).open(path);
    let failed = FileError::writing(path);
    let mut file = file.map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let added = add(&mut file, length, lines);
    if added.is_err() {
        // A part of a line would be worse than nothing.
        let _ = file.set_len(length);
    }
    added.map_err(failed)
}

fn add(file: &mut File, length: u64, lines: &str) -> io::Result<()> {
    let mut text = String::with_capacity(lines.len() + 1);
    if length > 0 && last_byte(file)? != b'\n' {
        text.push('\n');
    }
    text.push_str(lines);
    file.write_all(text.as_bytes())?;
    match file.sync_data() {
        // Pipes and devices.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        result => result,
    }
}

fn last_byte(file: &mut File) -> io::Result<u8> {
    file.seek(SeekFrom::End(-1))?;
    let mut byte = [0];
    file.read_exact(&mut byte)?;
    Ok(byte[0])
}
