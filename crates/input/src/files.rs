//! Files that somebody named.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Bytes of rules: a hundred times as much as the largest that come with the program.
pub const MOST_RULES: u64 = 2 << 20;
/// Bytes of other texts: weights, patterns, networks, openings, books, commands.
pub const MOST_TEXT: u64 = 64 << 20;
/// Bytes of positions to learn from, of which there may be tens of millions.
pub const MOST_POSITIONS: u64 = 4 << 30;

/// The text of a file with at most this many bytes.
pub fn read_text(path: impl AsRef<Path>, most: u64) -> Result<String> {
    read_all(File::open(path)?, most)
}

/// The text of a stream with at most this many bytes.
pub fn read_all(input: impl Read, most: u64) -> Result<String> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it has more than {}; is it the right file?", size(most));
        return Err(Error::new(ErrorKind::FileTooLarge, message));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        Error::new(ErrorKind::InvalidData, format!("it is not UTF-8 text (byte {place})"))
    })
}

fn size(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with some bytes, which goes with the test.
    struct Temporary(std::path::PathBuf);

    impl Temporary {
        fn new(name: &str, bytes: &[u8]) -> Temporary {
            let path = std::env::temp_dir().join(format!("multigame-input-{}-{name}", std::process::id()));
            std::fs::write(&path, bytes).unwrap();
            Temporary(path)
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn a_file_may_have_as_much_as_was_said_and_no_more() {
        let file = Temporary::new("size", b"12345");
        assert_eq!(read_text(&file.0, 5).unwrap(), "12345");
        let error = read_text(&file.0, 4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it has more than 4 bytes; is it the right file?");
    }

    #[test]
    fn bytes_that_are_not_text_are_named() {
        let file = Temporary::new("bytes", b"ab\xffcd");
        let error = read_text(&file.0, 100).unwrap_err();
        assert_eq!(error.to_string(), "it is not UTF-8 text (byte 2)");
    }

    #[cfg(unix)]
    #[test]
    fn endless_files_end() {
        assert_eq!(read_text("/dev/zero", 1 << 20).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_text("/dev/null", 0).unwrap(), "");
    }
}
