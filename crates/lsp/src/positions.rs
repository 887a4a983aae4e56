//! Places as editors count: lines from 0, and units within a line.

use gen_lsp_types::{Position, Range};
use multigame_syntax::Span;

/// What columns count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every editor understands.
    #[default]
    Utf16,
}

impl Encoding {
    /// How many units a text has.
    pub fn length(self, text: &str) -> u32 {
        match self {
            Encoding::Utf8 => text.len() as u32,
            Encoding::Utf16 => text.chars().map(|c| c.len_utf16() as u32).sum(),
        }
    }
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    /// Reads a text once. Lines end with `\n`, `\r\n` or `\r`.
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at as u32 + 1);
            }
        }
        Lines { starts }
    }

    /// The byte at a position. What is behind the end of a line is its end, what is behind the text is its
    /// end, and the middle of a character is its beginning.
    pub fn offset(&self, text: &str, position: Position, encoding: Encoding) -> u32 {
        let Some(&start) = self.starts.get(position.line as usize) else { return text.len() as u32 };
        let line = self.line(text, position.line as usize);
        let mut units = 0;
        for (at, c) in line.char_indices() {
            let width = if encoding == Encoding::Utf8 { c.len_utf8() } else { c.len_utf16() } as u32;
            if units + width > position.character {
                return start + at as u32;
            }
            units += width;
        }
        start + line.len() as u32
    }

    /// The position of a byte.
    pub fn position(&self, text: &str, offset: u32, encoding: Encoding) -> Position {
        let line = self.starts.partition_point(|&start| start <= offset) - 1;
        let start = self.starts[line] as usize;
        let mut end = (offset as usize).min(start + self.line(text, line).len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Position { line: line as u32, character: encoding.length(&text[start..end.max(start)]) }
    }

    /// The span of a range; empty at its start if it ends before that.
    pub fn span(&self, text: &str, range: Range, encoding: Encoding) -> Span {
        let start = self.offset(text, range.start, encoding);
        Span::new(start, self.offset(text, range.end, encoding).max(start))
    }

    /// The range of a span.
    pub fn range(&self, text: &str, span: Span, encoding: Encoding) -> Range {
        let position = |offset| self.position(text, offset, encoding);
        Range { start: position(span.start), end: position(span.end) }
    }

    /// A line without its end.
    fn line<'t>(&self, text: &'t str, line: usize) -> &'t str {
        let start = self.starts[line] as usize;
        let end = self.starts.get(line + 1).map_or(text.len(), |&end| end as usize);
        text[start..end].trim_end_matches(['\n', '\r'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn characters_of_other_planes_have_two_units() {
        let text = "a♔😀b\r\nx\ry\n";
        let lines = Lines::new(text);
        let offset = |line, unit| lines.offset(text, at(line, unit), Encoding::Utf16);
        assert_eq!([0, 1, 2, 3, 4, 5, 9].map(|unit| offset(0, unit)), [0, 1, 4, 4, 8, 9, 9]);
        assert_eq!((offset(1, 0), offset(2, 0), offset(3, 0), offset(4, 0)), (11, 13, 15, 15));
        assert_eq!(lines.position(text, 8, Encoding::Utf16), at(0, 4));
        assert_eq!(lines.position(text, 10, Encoding::Utf16), at(0, 5));
        assert_eq!(lines.position(text, 99, Encoding::Utf16), at(3, 0));
        assert_eq!(lines.position(text, 8, Encoding::Utf8), at(0, 8));
        assert_eq!(lines.offset(text, at(0, 5), Encoding::Utf8), 4);
    }
}
