//! Lines of a conversation.

use std::io::{BufRead, Read, Result};

/// Bytes of a line: a game of thousands of moves fits in.
pub const LONGEST_LINE: u64 = 1 << 20;

/// What was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line without its end. Bytes that are not UTF-8 have become U+FFFD, which is in no command and no
    /// move.
    Line(String),
    /// A line that was longer than [`LONGEST_LINE`]; it is left out.
    TooLong,
}

/// Waits for a line; nothing at the end of the input.
pub fn hear(input: &mut impl BufRead) -> Result<Option<Heard>> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.pop_if(|last| *last == b'\n').is_some() {
        bytes.pop_if(|last| *last == b'\r');
    } else if bytes.len() as u64 > LONGEST_LINE {
        input.skip_until(b'\n')?;
        return Ok(Some(Heard::TooLong));
    }
    Ok(Some(Heard::Line(String::from_utf8_lossy(&bytes).into_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that is heard.
    fn all(mut input: &[u8]) -> Vec<Heard> {
        std::iter::from_fn(|| hear(&mut input).unwrap()).collect()
    }

    fn line(text: &str) -> Heard {
        Heard::Line(text.to_string())
    }

    #[test]
    fn lines_end_as_on_any_system() {
        assert_eq!(all(b"a\r\nb\n\nc"), [line("a"), line("b"), line(""), line("c")]);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn a_wrong_byte_spoils_its_line_only() {
        assert_eq!(all(b"go\xff\nquit\n"), [line("go\u{fffd}"), line("quit")]);
    }

    #[test]
    fn a_line_without_end_is_left_out() {
        let longest = vec![b'x'; LONGEST_LINE as usize];
        let mut input = longest.clone();
        input.extend(b"\nnext\n");
        assert_eq!(all(&input), [line(&String::from_utf8(longest.clone()).unwrap()), line("next")]);
        let mut input = longest;
        input.extend(b"yz\nnext\n");
        assert_eq!(all(&input), [Heard::TooLong, line("next")]);
        assert_eq!(all(&vec![0; 3 << 20]), [Heard::TooLong]);
    }
}
