//! A sum that changes when bytes do.

use std::hash::Hasher;

/// FNV-1a over 8 bytes at a time: enough against damage, and the same on every machine.
///
/// Each step is one-to-one in the word and in the state, so that a change within one word of 8 bytes is
/// always noticed.
#[derive(Clone, Copy, Debug)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Checksum {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Checksum {
    /// The sum of bytes and of their number, which tells zeros at the end apart.
    pub fn of(bytes: &[u8]) -> u64 {
        let mut sum = Checksum::default();
        sum.write(&(bytes.len() as u64).to_le_bytes());
        sum.write(bytes);
        sum.finish()
    }
}
