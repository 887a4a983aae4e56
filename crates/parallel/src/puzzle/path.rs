//! The way to a position: each move as its place in the list of moves, in half a byte where that is enough,
//! so that positions travel without memory being allocated for them.

use multigame_game::Unreadable;
use smallvec::SmallVec;

/// Ways of this many bytes are kept in place: 80 moves where there are fewer than 15 to choose from.
const INLINE: usize = 40;
/// Says that the place fills the four half bytes that follow.
const ESCAPE: u8 = 15;

/// A way; see the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Path {
    /// The first half byte is the low one.
    bytes: SmallVec<[u8; INLINE]>,
    /// Whether the high half of the last byte is free.
    odd: bool,
}

impl Path {
    /// The way of these moves.
    pub fn of(moves: &[u16]) -> Path {
        let mut path = Path::default();
        moves.iter().for_each(|&index| path.push(index));
        path
    }

    /// Goes one move on.
    #[inline]
    pub fn push(&mut self, index: u16) {
        if index < u16::from(ESCAPE) {
            self.push_half(index as u8);
            return;
        }
        self.push_half(ESCAPE);
        (0..4).for_each(|half| self.push_half((index >> (4 * half)) as u8 & 15));
    }

    #[inline]
    fn push_half(&mut self, half: u8) {
        match self.bytes.last_mut().filter(|_| self.odd) {
            Some(last) => *last |= half << 4,
            None => self.bytes.push(half),
        }
        self.odd = !self.odd;
    }

    /// The moves.
    pub fn moves(&self) -> Vec<u16> {
        let count = 2 * self.bytes.len() - usize::from(self.odd);
        let mut halves = (0..count).map(|place| self.bytes[place / 2] >> (4 * (place % 2)) & 15);
        let mut moves = Vec::new();
        while let Some(half) = halves.next() {
            moves.push(match half {
                ESCAPE => (0..4)
                    .fold(0, |index, place| index | u16::from(halves.next().unwrap_or(0)) << (4 * place)),
                half => u16::from(half),
            });
        }
        moves
    }

    /// Appends it.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let halves = (2 * self.bytes.len() - usize::from(self.odd)) as u16;
        bytes.extend_from_slice(&halves.to_le_bytes());
        bytes.extend_from_slice(&self.bytes);
    }

    /// Takes it off the front of bytes.
    pub fn read(bytes: &mut &[u8]) -> Result<Path, Unreadable> {
        let halves = usize::from(multigame_game::portable::take_u16(bytes)?);
        let (own, rest) = bytes.split_at_checked(halves.div_ceil(2)).ok_or(Unreadable("a way"))?;
        *bytes = rest;
        let odd = halves % 2 == 1;
        match own.last() {
            Some(last) if odd && last >> 4 != 0 => Err(Unreadable("a way")),
            _ => Ok(Path { bytes: SmallVec::from_slice(own), odd }),
        }
    }

    /// How many bytes it takes on a wire.
    pub fn size(&self) -> usize {
        2 + self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use multigame_game::Random;

    use super::*;

    #[test]
    fn ways_of_any_moves_come_back() {
        let mut random = Random::new(5);
        for length in 0..200 {
            let most = [2, 15, 16, 65_536][length % 4];
            let moves: Vec<u16> = (0..length).map(|_| random.below(most) as u16).collect();
            let path = Path::of(&moves);
            assert_eq!(path.moves(), moves);
            let mut bytes = Vec::new();
            path.write(&mut bytes);
            assert_eq!(bytes.len(), path.size());
            let mut rest = &bytes[..];
            assert_eq!(Path::read(&mut rest), Ok(path));
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn ways_that_are_cut_off_are_refused() {
        let mut bytes = Vec::new();
        Path::of(&[1, 2, 3]).write(&mut bytes);
        for length in 0..bytes.len() {
            assert!(Path::read(&mut &bytes[..length]).is_err());
        }
        *bytes.last_mut().unwrap() |= 0x50;
        assert!(Path::read(&mut &bytes[..]).is_err(), "there is one way to write a way");
        assert_eq!(Path::read(&mut &[1, 0, 15][..]).map(|path| path.moves()), Ok(vec![0]), "half a number");
    }
}
