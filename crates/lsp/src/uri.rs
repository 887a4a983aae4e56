//! Addresses of documents, and the files they mean.

use std::path::{Path, PathBuf};

/// The file of a `file:` address on this machine.
pub fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    if !rest.starts_with('/') {
        return None;
    }
    let text = decoded(rest.split(['?', '#']).next().unwrap_or_default())?;
    let drive = text.as_bytes();
    let windows = drive.len() > 2 && drive[1].is_ascii_alphabetic() && drive[2] == b':';
    Some(PathBuf::from(if windows { &text[1..] } else { &text }))
}

/// The address of a file.
pub fn of_path(path: &Path) -> String {
    let mut uri = String::from("file://");
    let text = path.to_string_lossy().replace('\\', "/");
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_files_belong_together() {
        for name in ["/home/me/games/hex/rules.mg", "/tmp/größe & mehr/100%.mg", "/a#b?c.mg"] {
            assert_eq!(path(&of_path(Path::new(name))).as_deref(), Some(Path::new(name)));
        }
        assert_eq!(path("file:///c%3A/games/x.mg"), Some(PathBuf::from("c:/games/x.mg")));
        assert_eq!(path("file://localhost/x.mg"), Some(PathBuf::from("/x.mg")));
        for bad in ["untitled:Untitled-1", "file://host/x", "file:///%zz", "file:///%", ""] {
            assert_eq!(path(bad), None, "{bad}");
        }
    }
}
