//! Any bytes as messages: what the tests of the wire form and the fuzz target `wire` have in common.

use multigame_game::Portable;

use crate::protocol::Message;
use crate::puzzle::PuzzleMessage;
use crate::wire::Wire;

/// Reads bytes as a message of each kind of worker; how many of them it is. What was read can be written, and
/// read again as the same.
///
/// # Panics
/// If the wire form is wrong.
pub fn read_anything<G: Portable>(game: &G, bytes: &[u8]) -> usize {
    let messages = [is_message::<G, Message<G>>(game, bytes), is_message::<G, PuzzleMessage<G>>(game, bytes)];
    messages.into_iter().filter(|&is_message| is_message).count()
}

fn is_message<G: Portable, M: Wire<G>>(game: &G, bytes: &[u8]) -> bool {
    let Ok(message) = M::read(game, bytes) else { return false };
    let (mut once, mut twice) = (Vec::new(), Vec::new());
    message.write(game, &mut once);
    let again = M::read(game, &once).expect("what was written can be read");
    again.write(game, &mut twice);
    assert_eq!(once, twice, "a message is written in one way");
    true
}

/// Bytes, cut off at each length, with a byte more, and damaged this many times, for [`read_anything`].
#[cfg(test)]
pub(crate) fn read_damaged<G: Portable>(game: &G, bytes: &[u8], times: usize) {
    use multigame_game::Random;
    let mut random = Random::new(bytes.len() as u64);
    for length in 0..bytes.len() {
        read_anything(game, &bytes[..length]);
    }
    read_anything(game, &[bytes, &[0]].concat());
    for _ in 0..times {
        let mut damaged = bytes.to_vec();
        for _ in 0..1 + random.below(3) {
            let place = random.below(damaged.len());
            match random.below(4) {
                0 => damaged[place] = random.below(256) as u8,
                1 => damaged[place] ^= 1 << random.below(8),
                2 => damaged[place] = [0, 1, 127, 128, 255][random.below(5)],
                _ => {
                    // A part of the message in the place of another.
                    let from = random.below(damaged.len());
                    let length = random.below(9).min(damaged.len() - from.max(place));
                    damaged.copy_within(from..from + length, place);
                }
            }
        }
        read_anything(game, &damaged);
    }
}
