//! Positions and moves as bytes, for processes that share no memory.
//!
//! The sender and the receiver run the same program and the same rules, so the bytes need not describe
//! themselves. But the receiver believes nothing: bytes that are not a position or a move of the game are
//! [`Unreadable`], so that nothing on a wire can lead a move generator astray.

use crate::Game;

/// Bytes that do not say what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the bytes are not {0}")]
pub struct Unreadable(pub &'static str);

/// A game whose positions and moves can travel.
///
/// `unpack_*` takes the bytes that `pack_*` appended off the front of a slice and gives back an equal value.
pub trait Portable: Game {
    /// Appends a position.
    fn pack_position(&self, position: &Self::Position, bytes: &mut Vec<u8>);

    /// Takes a position off the front.
    fn unpack_position(&self, bytes: &mut &[u8]) -> Result<Self::Position, Unreadable>;

    /// Appends a move.
    fn pack_move(&self, mv: &Self::Move, bytes: &mut Vec<u8>);

    /// Takes a move off the front.
    fn unpack_move(&self, bytes: &mut &[u8]) -> Result<Self::Move, Unreadable>;
}

/// Takes a fixed number of bytes off the front.
#[inline]
pub fn take_bytes<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], Unreadable> {
    let (first, rest) = bytes.split_first_chunk::<N>().ok_or(Unreadable("complete"))?;
    *bytes = rest;
    Ok(*first)
}

/// Takes a little-endian word off the front.
#[inline]
pub fn take_u64(bytes: &mut &[u8]) -> Result<u64, Unreadable> {
    take_bytes(bytes).map(u64::from_le_bytes)
}

/// Takes a little-endian number off the front.
#[inline]
pub fn take_i32(bytes: &mut &[u8]) -> Result<i32, Unreadable> {
    take_bytes(bytes).map(i32::from_le_bytes)
}

/// Takes a little-endian number off the front.
#[inline]
pub fn take_u16(bytes: &mut &[u8]) -> Result<u16, Unreadable> {
    take_bytes(bytes).map(u16::from_le_bytes)
}

/// Takes a byte off the front.
#[inline]
pub fn take_u8(bytes: &mut &[u8]) -> Result<u8, Unreadable> {
    take_bytes(bytes).map(|[byte]: [u8; 1]| byte)
}

/// Takes a flag off the front.
#[inline]
pub fn take_bool(bytes: &mut &[u8]) -> Result<bool, Unreadable> {
    match take_u8(bytes)? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Unreadable("a flag")),
    }
}
