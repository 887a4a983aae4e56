//! Weights of a network apart from the rest of it, in an order that packs well: half of a page would be
//! weights otherwise. `web/src/offline/weights.ts` puts them back.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The file of a network without its weights, and these: the low bytes of all, then the high bytes. The sign
/// is the lowest bit, so that most high bytes are 0. Nothing if there are none to take out.
pub(crate) fn apart(network: &str) -> Option<(String, Vec<u8>)> {
    let mut file: Value = serde_json::from_str(network).ok()?;
    let weights = file.get_mut("weights")?;
    let bytes = STANDARD.decode(weights.as_str()?).ok()?;
    let (pairs, []) = bytes.as_chunks::<2>() else { return None };
    let folded = pairs.iter().map(|pair| {
        let weight = i16::from_le_bytes(*pair);
        ((weight << 1) ^ (weight >> 15)).to_le_bytes()
    });
    let (mut low, high): (Vec<u8>, Vec<u8>) = folded.map(|[low, high]| (low, high)).unzip();
    low.extend(high);
    *weights = Value::String(String::new());
    Some((file.to_string(), low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_folded_and_sorted() {
        let weights = [0_i16, -1, 1, 300, -300, i16::MIN];
        let bytes: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        let network = format!(r#"{{"hidden":16,"weights":"{}"}}"#, STANDARD.encode(bytes));
        let (rest, planes) = apart(&network).unwrap();
        assert_eq!(rest, r#"{"hidden":16,"weights":""}"#);
        assert_eq!(planes, [0, 1, 2, 88, 87, 255, 0, 0, 0, 2, 2, 255]);
    }

    #[test]
    fn what_is_not_such_a_file_stays_as_it_is() {
        for text in ["", "{}", "[1]", r#"{"weights":7}"#, r#"{"weights":"AAAA"}"#, r#"{"weights":"?"}"#] {
            assert_eq!(apart(text), None, "{text}");
        }
    }
}
