// Bytes as `crates/publish/src/letters.rs` writes them: five letters for four bytes.

/** In the order of their codes: all visible letters of ASCII but these. */
const LEFT_OUT = "\"$&'-<>\\`";

/** What each letter counts. */
const digits = new Uint8Array(128);
for (let code = 0x21, digit = 0; code < 0x7f; code++) if (!LEFT_OUT.includes(String.fromCharCode(code))) digits[code] = digit++;

/** The bytes that letters stand for. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const length = Math.floor((text.length * 4) / 5);
  const bytes = new Uint8Array(Math.ceil(text.length / 5) * 4);
  const view = new DataView(bytes.buffer);
  for (let from = 0, to = 0; from < text.length; from += 5, to += 4) {
    let word = 0;
    // What is not there counts most, so that the bytes before it are right.
    for (let place = from; place < from + 5; place++) word = word * 85 + (place < text.length ? digits[text.charCodeAt(place)]! : 84);
    view.setUint32(to, word);
  }
  return bytes.subarray(0, length);
}
