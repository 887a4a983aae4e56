//! Messages as bytes: a header with a length, then JSON.
//!
//! `lsp-server` can read them as well, but reserves as much memory as the header asks for and gives up at the
//! first body that is not a message.

use std::io::{self, BufRead, Read, Write};

use lsp_server::Message;
use serde_json::{Value, json};

/// Longer bodies are not read: rules have at most 1 MiB.
const MOST_BYTES: usize = 64 << 20;
/// Longer lines are not a header.
const LONGEST_LINE: u64 = 4096;

/// What was read.
#[derive(Debug)]
pub enum Frame {
    /// A message.
    Message(Message),
    /// A body that is not one, with the code and the text of the answer.
    Unreadable(i32, String),
}

/// Reads the next message; nothing at the end of the input. After an error nobody knows where the next one
/// begins.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let Some(length) = header(input)? else { return Ok(None) };
    let mut body = Vec::new();
    if input.take(length as u64).read_to_end(&mut body)? < length {
        return Err(bad(format!("the input ends within a message of {length} bytes")));
    }
    Ok(Some(parse(&body)))
}

/// The length of the body; nothing at the end of the input.
fn header(input: &mut impl BufRead) -> io::Result<Option<usize>> {
    let mut length = None;
    let mut first = true;
    loop {
        let mut line = Vec::new();
        input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && first {
            return Ok(None);
        }
        first = false;
        let text = String::from_utf8_lossy(&line);
        let Some(text) = text.strip_suffix("\r\n") else {
            let shown: String = text.chars().take(60).collect();
            return Err(bad(format!(
                "{shown:?} is not a header of a message: this is a language server, which an editor starts"
            )));
        };
        if text.is_empty() {
            return match length {
                Some(length) if length <= MOST_BYTES => Ok(Some(length)),
                Some(length) => Err(bad(format!("a message of {length} bytes is too long"))),
                None => Err(bad("a header without `Content-Length`".to_string())),
            };
        }
        if let Some((name, value)) = text.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            let value = value.trim();
            length = Some(value.parse().map_err(|_| bad(format!("`{value}` is not a length in bytes")))?);
        }
    }
}

fn bad(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

fn parse(body: &[u8]) -> Frame {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => return Frame::Unreadable(-32700, format!("this is not JSON: {error}")),
    };
    match serde_json::from_value(value) {
        Ok(message) => Frame::Message(message),
        Err(_) => Frame::Unreadable(-32600, "this is not a message of JSON-RPC".to_string()),
    }
}

/// Answers a body that was not a message.
pub fn write_error(output: &mut impl Write, code: i32, message: &str) -> io::Result<()> {
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": message}});
    let text = error.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8]) -> (Vec<Frame>, Option<String>) {
        let (mut input, mut frames) = (bytes, Vec::new());
        loop {
            match read(&mut input) {
                Ok(Some(frame)) => frames.push(frame),
                Ok(None) => return (frames, None),
                Err(error) => return (frames, Some(error.to_string())),
            }
        }
    }

    #[test]
    fn messages_are_read_one_by_one() {
        let body = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let one = format!("Content-Type: x\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        let (frames, error) = read_all(format!("{one}{one}").as_bytes());
        assert_eq!((frames.len(), error), (2, None));
    }

    #[test]
    fn a_body_that_is_not_a_message_is_skipped() {
        let text = "Content-Length: 3\r\n\r\n{]}Content-Length: 2\r\n\r\n[]";
        let (frames, error) = read_all(text.as_bytes());
        let codes: Vec<i32> = frames
            .iter()
            .map(|frame| match frame {
                Frame::Unreadable(code, _) => *code,
                Frame::Message(_) => 0,
            })
            .collect();
        assert_eq!((codes, error), (vec![-32700, -32600], None));
    }

    #[test]
    fn garbage_is_an_error() {
        for text in [
            "hello\n",
            "GET / HTTP/1.1\r\n\r\n",
            "Content-Length: x\r\n\r\n",
            "Content-Length: -1\r\n\r\n",
            "Content-Length: 99999999999999999999999\r\n\r\n",
            "Content-Length: 9999999999\r\n\r\n",
            "Content-Length: 10\r\n\r\n{}",
            "Content-Length: 10",
        ] {
            let (frames, error) = read_all(text.as_bytes());
            assert!(frames.is_empty() && error.is_some(), "{text:?}: {frames:?}");
        }
    }
}
