//! A checksum as the last member of an object of JSON, so that the text stays JSON.

use std::io;

use crate::Checksum;

const SUM: &str = r#","sum":""#;
/// With 16 digits, quotation mark and brace.
const LENGTH: usize = SUM.len() + 16 + 2;

/// The text with a checksum over everything before it.
pub fn stamp(object: &str) -> io::Result<String> {
    let members = object.trim_end().strip_suffix('}').map(str::trim_end);
    match members.filter(|members| members.starts_with('{') && members.len() > 1) {
        Some(members) => Ok(format!("{members}{}", suffix(members))),
        None => Err(io::Error::new(io::ErrorKind::InvalidInput, "only objects with members have a checksum")),
    }
}

/// What is wrong with a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StampError {
    /// There is none.
    #[error("it has no checksum")]
    Missing,
    /// It does not fit the text.
    #[error("it is damaged: its checksum does not fit")]
    Wrong,
}

/// The text that was stamped.
pub fn unstamp(text: &str) -> Result<String, StampError> {
    let text = text.trim_end();
    let place = text.len().checked_sub(LENGTH).and_then(|place| text.split_at_checked(place));
    let (members, found) = place.filter(|(_, found)| found.starts_with(SUM)).ok_or(StampError::Missing)?;
    if found == suffix(members) { Ok(format!("{members}}}")) } else { Err(StampError::Wrong) }
}

/// The text of a file that may have been written by hand, without a checksum.
///
/// A checksum whose name is damaged is an unknown member, which readers have to refuse.
pub fn unstamp_if_stamped(text: &str) -> Result<String, StampError> {
    match unstamp(text) {
        Err(StampError::Missing) => Ok(text.to_string()),
        result => result,
    }
}

fn suffix(members: &str) -> String {
    format!("{SUM}{:016x}\"}}", Checksum::of(members.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamped_texts_are_json_with_a_checksum() {
        let text = stamp("{\n  \"a\": 1\n}\n").unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((value["a"].as_i64(), value["sum"].as_str().unwrap().len()), (Some(1), 16));
        assert_eq!(unstamp(&(text.clone() + "\n")).unwrap(), "{\n  \"a\": 1}");
        assert_eq!(unstamp(&text.replace('1', "2")), Err(StampError::Wrong));
        assert_eq!(unstamp(&text[1..]), Err(StampError::Wrong));
        assert_eq!(unstamp("{}"), Err(StampError::Missing));
        assert_eq!(unstamp_if_stamped("{\"a\":1}").unwrap(), "{\"a\":1}");
        assert!(stamp("3").is_err() && stamp("{}").is_err());
    }
}
