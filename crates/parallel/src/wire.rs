//! Messages as bytes, for workers in different processes.
//!
//! A message is its kind, the number that [`Parcel::kind`](crate::Parcel::kind) gives it, and its content.
//! Positions and moves are written by the game ([`Portable`]), everything else by `postcard`. Any bytes are
//! read as a message or refused: numbers that would make a worker compute nonsense, such as a depth that no
//! search has, are refused, too.

use multigame_game::{Portable, Unreadable, portable};
use multigame_search::PathEntry;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::protocol::{Job, JobResult, Message};
use crate::worker::Parcel;

/// No search goes deeper.
const MOST_DEPTH: u32 = 255;
/// No line is longer.
const MOST_PLIES: usize = 4096;

/// Something that workers in other processes can read.
pub trait Wire<G>: Sized {
    /// Appends it.
    fn write(&self, game: &G, bytes: &mut Vec<u8>);

    /// Reads it; all bytes belong to it.
    fn read(game: &G, bytes: &[u8]) -> Result<Self, Unreadable>;
}

/// Appends a plain value.
pub(crate) fn put<T: Serialize + ?Sized>(bytes: &mut Vec<u8>, value: &T) {
    let taken = std::mem::take(bytes);
    // Memory can always be extended, and the types here have nothing that `postcard` cannot write.
    *bytes = postcard::to_extend(value, taken).expect("plain values can be written");
}

/// Takes a plain value off the front.
pub(crate) fn take<T: DeserializeOwned>(bytes: &mut &[u8]) -> Result<T, Unreadable> {
    let (value, rest) = postcard::take_from_bytes(bytes).map_err(|_| Unreadable("a message"))?;
    *bytes = rest;
    Ok(value)
}

fn put_moves<G: Portable>(game: &G, moves: &[G::Move], bytes: &mut Vec<u8>) {
    put(bytes, &(moves.len() as u16));
    moves.iter().for_each(|mv| game.pack_move(mv, bytes));
}

fn take_moves<G: Portable>(game: &G, bytes: &mut &[u8]) -> Result<Vec<G::Move>, Unreadable> {
    let count = usize::from(take::<u16>(bytes)?);
    if count > MOST_PLIES {
        return Err(Unreadable("a line of moves"));
    }
    (0..count).map(|_| game.unpack_move(bytes)).collect()
}

impl<G: Portable> Wire<G> for Job<G> {
    fn write(&self, game: &G, bytes: &mut Vec<u8>) {
        game.pack_position(&self.position, bytes);
        game.pack_move(&self.mv, bytes);
        put(bytes, &(self.id, self.choice, self.number as u32, self.ply as u32, self.depth));
        put(bytes, &(self.window, self.kind, self.probe_only, self.root_depth, self.start));
        put(bytes, &(&self.path, &self.killers));
    }

    fn read(game: &G, mut bytes: &[u8]) -> Result<Self, Unreadable> {
        let bytes = &mut bytes;
        let (position, mv) = (game.unpack_position(bytes)?, game.unpack_move(bytes)?);
        let (id, choice, number, ply, depth): (_, _, u32, u32, u32) = take(bytes)?;
        let (window, kind, probe_only, root_depth, start) = take(bytes)?;
        let (path, killers): (Vec<PathEntry>, _) = take(bytes)?;
        let (number, ply) = (number as usize, ply as usize);
        if depth > MOST_DEPTH || root_depth > MOST_DEPTH || ply > MOST_PLIES || !bytes.is_empty() {
            return Err(Unreadable("a job"));
        }
        let job = Job {
            id,
            position,
            mv,
            choice,
            number,
            ply,
            depth,
            window,
            kind,
            probe_only,
            root_depth,
            path,
            start,
            killers,
        };
        Ok(job)
    }
}

impl<G: Portable> Wire<G> for JobResult<G> {
    fn write(&self, game: &G, bytes: &mut Vec<u8>) {
        put_moves(game, &self.pv, bytes);
        put(bytes, &(self.id, self.found, self.end, self.asks, &self.killers));
    }

    fn read(game: &G, mut bytes: &[u8]) -> Result<Self, Unreadable> {
        let pv = take_moves(game, &mut bytes)?;
        let (id, found, end, asks, killers) = whole(bytes)?;
        Ok(JobResult { id, found, pv, end, asks, killers })
    }
}

/// The plain value that bytes are.
pub(crate) fn whole<T: DeserializeOwned>(mut bytes: &[u8]) -> Result<T, Unreadable> {
    let value = take(&mut bytes)?;
    if bytes.is_empty() { Ok(value) } else { Err(Unreadable("a message that ends here")) }
}

impl<G: Portable> Wire<G> for Message<G> {
    fn write(&self, game: &G, bytes: &mut Vec<u8>) {
        bytes.push(self.kind() as u8);
        match self {
            Message::Request(request) => put(bytes, request),
            Message::Job(job) => job.write(game, bytes),
            Message::NoWork { below } => put(bytes, below),
            Message::HaveWork | Message::Finished => {}
            Message::Refuse(job) | Message::Kill(job) => put(bytes, job),
            Message::Window { job, window } => put(bytes, &(job, window)),
            Message::Report { job, value } => put(bytes, &(job, value)),
            Message::Result(result) => result.write(game, bytes),
            Message::Lookup { signature } => bytes.extend(signature.to_le_bytes()),
            Message::Answer { signature, entry } => {
                bytes.extend(signature.to_le_bytes());
                put(bytes, entry);
            }
            Message::Store(entries) => put(bytes, entries),
            Message::Busy { signature, begins } => {
                bytes.extend(signature.to_le_bytes());
                bytes.push(u8::from(*begins));
            }
            Message::History(counts) => put(bytes, counts),
            Message::Learned(counts) => put(bytes, &counts[..]),
            Message::News(counts) => put(bytes, counts),
            Message::Failed(error) => put(bytes, error),
        }
    }

    fn read(game: &G, mut bytes: &[u8]) -> Result<Self, Unreadable> {
        let kind = portable::take_u8(&mut bytes)?;
        let name = Self::KINDS.get(usize::from(kind)).ok_or(Unreadable("a kind of message"))?;
        Ok(match *name {
            "request" => Message::Request(whole(bytes)?),
            "job" => Message::Job(Box::new(Job::read(game, bytes)?)),
            "no-work" => Message::NoWork { below: whole(bytes)? },
            "have-work" => whole(bytes).map(|()| Message::HaveWork)?,
            "refuse" => Message::Refuse(whole(bytes)?),
            "window" => whole(bytes).map(|(job, window)| Message::Window { job, window })?,
            "kill" => Message::Kill(whole(bytes)?),
            "report" => whole(bytes).map(|(job, value)| Message::Report { job, value })?,
            "result" => Message::Result(Box::new(JobResult::read(game, bytes)?)),
            "lookup" => {
                let signature = portable::take_u64(&mut bytes)?;
                whole(bytes).map(|()| Message::Lookup { signature })?
            }
            "answer" => {
                let signature = portable::take_u64(&mut bytes)?;
                Message::Answer { signature, entry: whole(bytes)? }
            }
            "store" => Message::Store(whole(bytes)?),
            "busy" => {
                let signature = portable::take_u64(&mut bytes)?;
                let begins = portable::take_bool(&mut bytes)?;
                whole(bytes).map(|()| Message::Busy { signature, begins })?
            }
            "history" => Message::History(whole(bytes)?),
            "learned" => Message::Learned(whole::<Vec<u32>>(bytes)?.into()),
            "news" => Message::News(whole(bytes)?),
            "failed" => Message::Failed(whole(bytes)?),
            _ => whole(bytes).map(|()| Message::Finished)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use multigame_game::{Game, Random, RulesError};
    use multigame_search::random_tree::{RandomTree, Shape};
    use multigame_search::{Bound, Bounds, Choice, Entry, Found, Killer, Value, Window};

    use super::*;
    use crate::garbage::{read_anything, read_damaged};
    use crate::policy::NodeKind;
    use crate::protocol::{JobId, Request};

    /// One message of each kind.
    fn messages(game: &RandomTree) -> Vec<Message<RandomTree>> {
        let id = JobId { master: 70_000, serial: u64::MAX };
        let choice = Choice { score: -5, key: 3, index: 1, gain: Some(-7), priority: 2, merit: -1 };
        let entry =
            Entry { value: Value::win_in(3), bound: Bound::Exact, depth: 9, complete: true, mark: 77 };
        let path = vec![PathEntry { signature: 1 << 63, irreversible: true }; 3];
        let killers = vec![[Killer::default(); 2]; 2];
        let job = Job {
            id,
            position: game.initial(),
            mv: 2,
            choice,
            number: 3,
            ply: 4,
            depth: 5,
            window: Window::FULL,
            kind: NodeKind::Cut,
            probe_only: true,
            root_depth: 9,
            path,
            start: 1 << 50,
            killers: killers.clone(),
        };
        let found = Found { bounds: Bounds::at_least(Value::new(12)), complete: false };
        let result = JobResult { id, found, pv: vec![1, 0, 2], end: 7, asks: true, killers };
        let error = RulesError { message: "m".into(), rule: "r".into(), line: 3, span: (1, 2) };
        vec![
            Message::Request(Request { thief: 1, hops: 2, below: Some(id) }),
            Message::Job(Box::new(job)),
            Message::NoWork { below: None },
            Message::HaveWork,
            Message::Refuse(id),
            Message::Window { job: id, window: Window::FULL },
            Message::Kill(id),
            Message::Report { job: id, value: Value::DRAW },
            Message::Result(Box::new(result)),
            Message::Lookup { signature: 5 },
            Message::Answer { signature: 6, entry: Some(entry) },
            Message::Store(vec![(7, entry); 5]),
            Message::Busy { signature: 8, begins: true },
            Message::History(vec![1, 2, u32::MAX]),
            Message::Learned(vec![3, 4].into()),
            Message::News(vec![(1, 2)]),
            Message::Failed(Box::new(error)),
            Message::Finished,
        ]
    }

    fn bytes_of(game: &RandomTree, message: &Message<RandomTree>) -> Vec<u8> {
        let mut bytes = Vec::new();
        message.write(game, &mut bytes);
        bytes
    }

    #[test]
    fn every_kind_of_message_comes_back() {
        let game = RandomTree::new(Shape { width: 4, ..Shape::default() });
        let messages = messages(&game);
        assert_eq!(messages.len(), Message::<RandomTree>::KINDS.len());
        for message in &messages {
            let read = Message::read(&game, &bytes_of(&game, message)).unwrap();
            assert_eq!(format!("{read:?}"), format!("{message:?}"));
        }
    }

    #[test]
    fn any_bytes_are_a_message_or_refused() {
        let game = RandomTree::new(Shape { width: 4, ..Shape::default() });
        let mut random = Random::new(1);
        for message in messages(&game) {
            let bytes = bytes_of(&game, &message);
            for length in 0..bytes.len() {
                assert!(Message::read(&game, &bytes[..length]).is_err(), "{message:?} cut off at {length}");
            }
            let longer = [&bytes[..], &[0]].concat();
            assert!(Message::read(&game, &longer).is_err(), "{message:?} and a byte more");
            // It may be another message, but it must not panic.
            read_damaged(&game, &bytes, 2000);
        }
        for _ in 0..20_000 {
            let noise: Vec<u8> = (0..random.below(80)).map(|_| random.below(256) as u8).collect();
            read_anything(&game, &noise);
        }
    }
}
