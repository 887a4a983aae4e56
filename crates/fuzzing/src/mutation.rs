//! Damage: what fuzzers do to inputs, always the same for the same random numbers.

use multigame_game::Random;

/// Numbers that programs get wrong.
const NUMBERS: [&[u8]; 10] = [
    b"0",
    b"-1",
    b"255",
    b"256",
    b"65536",
    b"2147483648",
    b"-2147483649",
    b"9223372036854775808",
    b"1e400",
    b"00",
];

/// An input that has been damaged a few times; parts may come from another one.
pub fn mutated(seed: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        damage(&mut bytes, other, random);
    }
    bytes
}

fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let (start, end) = stretch(bytes, random);
    match random.below(8) {
        0 => bytes.truncate(start),
        1 => drop(bytes.drain(start..end)),
        2 => {
            let twice = bytes[start..end].to_vec();
            bytes.splice(start..start, twice);
        }
        3 => {
            let (from, to) = stretch(other, random);
            bytes.splice(start..end, other[from..to].iter().copied());
        }
        4 => {
            let number = NUMBERS[random.below(NUMBERS.len())];
            let (start, end) = digits(bytes, start);
            bytes.splice(start..end, number.iter().copied());
        }
        5 => bytes.insert(start, random.next_u64() as u8),
        _ if start < bytes.len() => bytes[start] ^= 1 << random.below(8),
        _ => bytes.push(random.next_u64() as u8),
    }
}

/// A part, short more often than long.
fn stretch(bytes: &[u8], random: &mut Random) -> (usize, usize) {
    let start = random.below(bytes.len() + 1);
    let most = 1 << random.below(8);
    (start, (start + random.below(most + 1)).min(bytes.len()))
}

/// The number that is there, or nothing.
fn digits(bytes: &[u8], at: usize) -> (usize, usize) {
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let before = bytes[..at].iter().rev().take_while(is_digit).count();
    let after = bytes[at..].iter().take_while(is_digit).count();
    (at - before, at + after)
}
