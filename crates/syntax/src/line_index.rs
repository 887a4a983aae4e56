//! From bytes to lines and columns.

/// A place as people count: both from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
}

/// Finds lines and columns of a text quickly.
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    /// Where each line begins.
    starts: Vec<u32>,
}

impl<'t> LineIndex<'t> {
    /// Reads the text once.
    pub fn new(text: &'t str) -> Self {
        let following =
            text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        LineIndex { text, starts: std::iter::once(0).chain(following).collect() }
    }

    /// The line of a byte, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }

    /// The line and column of a byte; a byte inside a character counts as that character, one behind the end
    /// of the text as its end.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line(offset);
        let start = self.starts[line as usize - 1] as usize;
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        LineColumn { line, column: self.text[start..end.max(start)].chars().count() as u32 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_characters_not_bytes() {
        let index = LineIndex::new("añb\n\nx");
        let place = |offset| (index.line_column(offset).line, index.line_column(offset).column);
        assert_eq!(place(0), (1, 1));
        assert_eq!(place(3), (1, 3));
        assert_eq!(place(4), (1, 4));
        assert_eq!(place(5), (2, 1));
        assert_eq!(place(6), (3, 1));
        assert_eq!(place(7), (3, 2));
        assert_eq!(place(99), (3, 2));
    }
}
