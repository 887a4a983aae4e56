//! Bytes as letters that mean nothing in a page: five letters for four bytes, where base64 has sixteen for
//! twelve. `web/src/offline/letters.ts` reads them.

/// 85 letters of ASCII: all visible ones but those that could end a text in a page or a script, or begin a
/// tag, a comment or an entity.
const LETTERS: &[u8; 85] =
    b"!#%()*+,./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~";

/// Bytes as letters; the last letters stand for what is left.
pub(crate) fn letters(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() / 4 * 5 + 5);
    for part in bytes.chunks(4) {
        let mut word = [0; 4];
        word[..part.len()].copy_from_slice(part);
        let word = u32::from_be_bytes(word);
        let digits = (0..=part.len() as u32).map(|place| word / 85_u32.pow(4 - place) % 85);
        text.extend(digits.map(|digit| char::from(LETTERS[digit as usize])));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the page does it.
    fn bytes(text: &str) -> Vec<u8> {
        let digit = |letter| LETTERS.iter().position(|known| *known == letter).unwrap() as u32;
        let mut bytes = Vec::new();
        for part in text.as_bytes().chunks(5) {
            let digits = (0..5).map(|place| part.get(place).map_or(84, |&letter| digit(letter)));
            let word = digits.fold(0, |word, digit| word * 85 + digit);
            bytes.extend(&word.to_be_bytes()[..part.len() - 1]);
        }
        bytes
    }

    #[test]
    fn letters_are_bytes_again() {
        let all: Vec<u8> = (0..1000_u32).map(|number| (number.pow(3) >> 3) as u8).collect();
        for length in 0..all.len() {
            let text = letters(&all[..length]);
            assert_eq!(bytes(&text), all[..length]);
            assert_eq!(text.len(), length.div_ceil(4) + length);
        }
        for ends in [[0; 7], [255; 7]] {
            (0..7).for_each(|length| assert_eq!(bytes(&letters(&ends[..length])), ends[..length]));
        }
    }

    #[test]
    fn letters_mean_nothing_in_a_page() {
        assert!(LETTERS.is_sorted() && LETTERS.iter().all(u8::is_ascii_graphic));
        assert!(b"<>&\"'`\\$-".iter().all(|sign| !LETTERS.contains(sign)));
    }
}
