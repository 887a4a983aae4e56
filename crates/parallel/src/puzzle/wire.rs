//! Messages of puzzle workers as bytes.

use multigame_game::{Portable, Unreadable, portable};
use multigame_search::NEVER;

use super::path::Path;
use super::protocol::{PuzzleMessage, State};
use crate::wire::{Wire, put, take, whole};
use crate::worker::Parcel;

fn write_state<G: Portable>(game: &G, state: &State<G::Position>, bytes: &mut Vec<u8>) {
    game.pack_position(&state.position, bytes);
    bytes.push(u8::from(state.back.is_some()));
    bytes.extend_from_slice(&state.back.unwrap_or_default().to_le_bytes());
    bytes.extend_from_slice(&state.left.to_le_bytes());
    bytes.extend_from_slice(&state.bound.to_le_bytes());
    state.path.write(bytes);
}

fn read_state<G: Portable>(
    game: &G,
    limit: u32,
    bytes: &mut &[u8],
) -> Result<State<G::Position>, Unreadable> {
    let position = game.unpack_position(bytes)?;
    let known = portable::take_bool(bytes)?;
    let back = Some(portable::take_u64(bytes)?).filter(|_| known);
    let number = |bytes: &mut &[u8]| portable::take_bytes(bytes).map(u32::from_le_bytes);
    let (left, bound, path) = (number(bytes)?, number(bytes)?, Path::read(bytes)?);
    // Workers count what was used of the limit.
    if left > limit || bound > NEVER {
        Err(Unreadable("a position under this limit"))
    } else {
        Ok(State { position, back, left, bound, path })
    }
}

/// More positions than there are bytes left are not there.
fn read_states<G: Portable>(game: &G, mut bytes: &[u8]) -> Result<PuzzleMessage<G>, Unreadable> {
    let (limit, count): (u32, u32) = take(&mut bytes)?;
    if limit > NEVER || count as usize > bytes.len() {
        return Err(Unreadable("a limit"));
    }
    let mut states = Vec::with_capacity((count as usize).min(256));
    for _ in 0..count {
        states.push(read_state(game, limit, &mut bytes)?);
    }
    whole(bytes).map(|()| PuzzleMessage::States { limit, states })
}

impl<G: Portable> Wire<G> for PuzzleMessage<G> {
    fn write(&self, game: &G, bytes: &mut Vec<u8>) {
        bytes.push(self.kind() as u8);
        match self {
            PuzzleMessage::Start { limit, spare } => put(bytes, &(limit, spare)),
            PuzzleMessage::States { limit, states } => {
                put(bytes, &(*limit, states.len() as u32));
                states.iter().for_each(|state| write_state(game, state, bytes));
            }
            PuzzleMessage::Request | PuzzleMessage::NoWork | PuzzleMessage::Finished => {}
            PuzzleMessage::Wave(wave) => put(bytes, wave),
            PuzzleMessage::Quiet { wave, sent, received, least } => {
                put(bytes, &(wave, sent, received, least));
            }
            PuzzleMessage::Window { limit } => put(bytes, limit),
            PuzzleMessage::Searched { limit, least } => put(bytes, &(limit, least)),
            PuzzleMessage::Lookup { signature } => bytes.extend(signature.to_le_bytes()),
            PuzzleMessage::Answer { signature, entry } => put(bytes, &(signature, entry)),
            PuzzleMessage::Store(entries) => put(bytes, entries),
            PuzzleMessage::Solved(path) => put(bytes, path),
            PuzzleMessage::Failed(error) => put(bytes, error),
        }
    }

    fn read(game: &G, mut bytes: &[u8]) -> Result<Self, Unreadable> {
        let kind = portable::take_u8(&mut bytes)?;
        let name = Self::KINDS.get(usize::from(kind)).ok_or(Unreadable("a kind of message"))?;
        Ok(match *name {
            "start" => match whole(bytes)? {
                (limit @ 0..=NEVER, spare @ 0..=NEVER) => PuzzleMessage::Start { limit, spare },
                _ => return Err(Unreadable("a limit")),
            },
            "states" => read_states(game, bytes)?,
            "request" => whole(bytes).map(|()| PuzzleMessage::Request)?,
            "no-work" => whole(bytes).map(|()| PuzzleMessage::NoWork)?,
            "wave" => PuzzleMessage::Wave(whole(bytes)?),
            "quiet" => {
                let (wave, sent, received, least) = whole(bytes)?;
                PuzzleMessage::Quiet { wave, sent, received, least }
            }
            "window" => PuzzleMessage::Window { limit: whole(bytes)? },
            "searched" => whole(bytes).map(|(limit, least)| PuzzleMessage::Searched { limit, least })?,
            "lookup" => {
                let signature = portable::take_u64(&mut bytes)?;
                whole(bytes).map(|()| PuzzleMessage::Lookup { signature })?
            }
            "answer" => whole(bytes).map(|(signature, entry)| PuzzleMessage::Answer { signature, entry })?,
            "store" => PuzzleMessage::Store(whole(bytes)?),
            "solved" => PuzzleMessage::Solved(whole(bytes)?),
            "failed" => PuzzleMessage::Failed(whole(bytes)?),
            _ => whole(bytes).map(|()| PuzzleMessage::Finished)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use multigame_game::{Game, RulesError};
    use multigame_search::random_tree::{RandomTree, Shape};
    use multigame_search::{Bound, Entry, Value};

    use super::*;
    use crate::garbage::{read_anything, read_damaged};

    /// One message of each kind.
    fn messages(game: &RandomTree) -> Vec<PuzzleMessage<RandomTree>> {
        let entry = Entry { value: Value::new(40), bound: Bound::Lower, depth: 9, complete: false, mark: 0 };
        let state = |left, back| {
            let (position, path) = (game.initial(), Path::of(&[1, 20, 3, 0]));
            State { position, back, left, bound: 3, path }
        };
        let error = RulesError { message: "m".into(), rule: "r".into(), line: 3, span: (1, 2) };
        vec![
            PuzzleMessage::Start { limit: 80, spare: 6 },
            PuzzleMessage::States { limit: 80, states: vec![state(80, None), state(1, Some(u64::MAX))] },
            PuzzleMessage::Request,
            PuzzleMessage::NoWork,
            PuzzleMessage::Wave(1 << 40),
            PuzzleMessage::Quiet { wave: 3, sent: 1, received: 2, least: NEVER },
            PuzzleMessage::Window { limit: Some(3) },
            PuzzleMessage::Searched { limit: 3, least: 5 },
            PuzzleMessage::Lookup { signature: 1 << 63 },
            PuzzleMessage::Answer { signature: 7, entry: Some(entry) },
            PuzzleMessage::Store(vec![(1, entry), (u64::MAX, entry)]),
            PuzzleMessage::Solved(vec![1, 300]),
            PuzzleMessage::Failed(Box::new(error)),
            PuzzleMessage::Finished,
        ]
    }

    fn bytes_of(game: &RandomTree, message: &PuzzleMessage<RandomTree>) -> Vec<u8> {
        let mut bytes = Vec::new();
        message.write(game, &mut bytes);
        bytes
    }

    #[test]
    fn messages_come_back() {
        let game = RandomTree::new(Shape { width: 4, ..Shape::default() });
        let kinds: Vec<usize> = messages(&game).iter().map(Parcel::kind).collect();
        assert_eq!(kinds, (0..PuzzleMessage::<RandomTree>::KINDS.len()).collect::<Vec<_>>());
        for message in messages(&game) {
            let bytes = bytes_of(&game, &message);
            let read = PuzzleMessage::read(&game, &bytes).unwrap();
            assert_eq!(format!("{read:?}"), format!("{message:?}"));
            assert!(read_anything(&game, &bytes) > 0);
        }
    }

    #[test]
    fn any_bytes_are_a_message_or_refused() {
        let game = RandomTree::new(Shape { width: 4, ..Shape::default() });
        for message in messages(&game) {
            let bytes = bytes_of(&game, &message);
            for length in 0..bytes.len() {
                assert!(PuzzleMessage::read(&game, &bytes[..length]).is_err(), "{message:?} cut at {length}");
            }
            let longer = [&bytes[..], &[0]].concat();
            assert!(PuzzleMessage::read(&game, &longer).is_err(), "{message:?} and a byte more");
            read_damaged(&game, &bytes, 2000);
        }
        // More positions than there are bytes, and moves that are left beyond the limit.
        let mut many = vec![1];
        put(&mut many, &(80u32, u32::MAX));
        assert!(PuzzleMessage::read(&game, &many).is_err());
        for (limit, spare) in [(NEVER + 1, 0), (80, NEVER + 1)] {
            let far = PuzzleMessage::Start { limit, spare };
            assert!(PuzzleMessage::read(&game, &bytes_of(&game, &far)).is_err());
        }
    }
}
