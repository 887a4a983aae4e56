//! Decisions, one byte after the other.

/// Decides by one byte after the other.
pub(crate) struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
}

impl<'b> Choices<'b> {
    pub fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices { bytes: bytes.iter() }
    }

    /// A number below another; 0 when all bytes have been used.
    pub fn below(&mut self, number: usize) -> usize {
        self.bytes.next().map_or(0, |&byte| usize::from(byte) % number)
    }

    /// One of these.
    pub fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    /// One of these numbers.
    pub fn of_numbers(&mut self, list: &[usize]) -> usize {
        list[self.below(list.len())]
    }

    /// True once in this many times, never when all bytes have been used.
    pub fn rarely(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }
}
