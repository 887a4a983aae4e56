//! What travels between two ranks: a head and bytes.
//!
//! | kind | content |
//! |---|---|
//! | order, reply | what the ranks agree on besides searching, as their owner writes it |
//! | letters | many letters between workers of one search, in company |
//! | beat | nothing: its sender is alive |

use serde::{Deserialize, Serialize};

use multigame_game::Unreadable;
use multigame_parallel::WorkerId;

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FrameKind {
    /// Between the ranks as such.
    Order,
    /// Between workers of the search with that number.
    Letters(u64),
    /// A sign of life.
    Beat,
}

/// What travels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// What it is for.
    pub kind: FrameKind,
    /// Nodes that the sender's workers have visited in their search.
    pub nodes: u64,
    /// The content.
    pub body: Vec<u8>,
}

impl Frame {
    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        let bytes = Vec::with_capacity(self.body.len() + 24);
        // Memory can always be extended, and a head is two numbers.
        let mut bytes = postcard::to_extend(&(self.kind, self.nodes), bytes).expect("heads can be written");
        bytes.extend(&self.body);
        bytes
    }

    /// From bytes.
    pub fn read(bytes: &[u8]) -> Result<Frame, Unreadable> {
        let head = postcard::take_from_bytes(bytes);
        let ((kind, nodes), body): (_, &[u8]) = head.map_err(|_| Unreadable("a frame"))?;
        Ok(Frame { kind, nodes, body: body.to_vec() })
    }
}

/// How many letters any bytes are, if they are a frame with letters: for tests that make up bytes.
pub fn inspect(bytes: &[u8]) -> Result<usize, Unreadable> {
    let frame = Frame::read(bytes)?;
    let (mut body, mut letters) = (&frame.body[..], 0);
    while matches!(frame.kind, FrameKind::Letters(_)) && !body.is_empty() {
        take_letter(&mut body)?;
        letters += 1;
    }
    Ok(letters)
}

/// Appends a letter to the body of a frame.
pub(crate) fn add_letter(
    body: &mut Vec<u8>,
    (from, to): (WorkerId, WorkerId),
    write: impl FnOnce(&mut Vec<u8>),
) {
    body.extend(from.to_le_bytes());
    body.extend(to.to_le_bytes());
    let length = body.len();
    body.extend([0; 4]);
    write(body);
    let bytes = (body.len() - length - 4) as u32;
    body[length..length + 4].copy_from_slice(&bytes.to_le_bytes());
}

/// A letter, read back.
pub(crate) struct Letter<'b> {
    pub from: WorkerId,
    pub to: WorkerId,
    pub bytes: &'b [u8],
}

/// Takes a letter off the front of a body.
pub(crate) fn take_letter<'b>(body: &mut &'b [u8]) -> Result<Letter<'b>, Unreadable> {
    let number = |body: &mut &'b [u8]| -> Result<u32, Unreadable> {
        multigame_game::portable::take_bytes(body).map(u32::from_le_bytes)
    };
    let (from, to, length) = (number(body)?, number(body)?, number(body)? as usize);
    let (bytes, rest) = body.split_at_checked(length).ok_or(Unreadable("a letter"))?;
    *body = rest;
    Ok(Letter { from, to, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_letters_come_back() {
        let mut body = Vec::new();
        add_letter(&mut body, (3, 70_000), |bytes| bytes.extend(b"job"));
        add_letter(&mut body, (4, 0), |_| ());
        let frame = Frame { kind: FrameKind::Letters(9), nodes: 1 << 40, body };
        let read = Frame::read(&frame.write()).unwrap();
        assert_eq!(read, frame);
        let mut rest = &read.body[..];
        let first = take_letter(&mut rest).unwrap();
        assert_eq!((first.from, first.to, first.bytes), (3, 70_000, &b"job"[..]));
        assert!(take_letter(&mut rest).unwrap().bytes.is_empty());
        assert!(rest.is_empty() && take_letter(&mut rest).is_err());
    }

    /// Changes, cuts and repeats a frame in thousands of ways: what is not a frame any more is refused, and
    /// nothing else happens.
    #[test]
    fn damaged_frames_are_refused_or_read() {
        let mut body = Vec::new();
        (0..5u32).for_each(|worker| {
            add_letter(&mut body, (worker, worker + 1), |bytes| bytes.extend(vec![7; worker as usize * 9]));
        });
        let frames = [
            Frame { kind: FrameKind::Letters(3), nodes: 1 << 33, body }.write(),
            Frame { kind: FrameKind::Order, nodes: 0, body: vec![1, 2, 3] }.write(),
            Frame { kind: FrameKind::Beat, nodes: 9, body: Vec::new() }.write(),
        ];
        assert_eq!(frames.each_ref().map(|frame| inspect(frame)), [Ok(5), Ok(0), Ok(0)]);
        let mut random = multigame_game::Random::new(24);
        let mut refused = 0;
        for number in 0..20_000 {
            let mut bytes = frames[number % 3].clone();
            for _ in 0..=random.below(4) {
                let place = random.below(bytes.len().max(1));
                match random.below(3) {
                    0 => bytes.truncate(place),
                    1 if !bytes.is_empty() => bytes[place] = random.next_u64() as u8,
                    _ => bytes.extend_from_within(place.min(bytes.len())..),
                }
            }
            refused += usize::from(inspect(&bytes).is_err());
        }
        assert!((1000..20_000).contains(&refused), "{refused}");
    }

    #[test]
    fn garbage_is_refused() {
        assert!(Frame::read(&[]).is_err());
        assert!(Frame::read(&[250, 1, 2]).is_err());
        assert!(take_letter(&mut &[1, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255, 7][..]).is_err());
    }
}
