// Unpacks LZMA, which makes the engine a third smaller than what browsers can unpack themselves.
//
// The form is that of `.lzma` files: a byte of properties, 4 bytes of the dictionary's size, 8 bytes of the size
// of what is packed, which has to be known here, and the stream of an arithmetic decoder.

const HEADER = 13;
/** A probability of one half. */
const EVEN = 1024;

/** Lengths of copies: two bits that say which tree, and the trees, of which some depend on the position. */
const LENGTH = { size: 2 + 16 * 8 * 2 + 256, middle: 2 + 16 * 8, high: 2 + 16 * 8 * 2 };

/** Where the probabilities of each kind begin. */
const MATCH = 0;
const AGAIN = MATCH + 12 * 16;
const AGAIN_0 = AGAIN + 12;
const AGAIN_1 = AGAIN_0 + 12;
const AGAIN_2 = AGAIN_1 + 12;
const AGAIN_LONG = AGAIN_2 + 12;
const SLOT = AGAIN_LONG + 12 * 16;
const SPECIAL = SLOT + 4 * 64;
const ALIGN = SPECIAL + 128;
const NEW_LENGTH = ALIGN + 16;
const AGAIN_LENGTH = NEW_LENGTH + LENGTH.size;
const LITERAL = AGAIN_LENGTH + LENGTH.size;

/** Reads bits that are more or less probable. */
class Bits {
  readonly odds: Uint16Array;
  private range = 0xffffffff;
  private code = 0;
  private at = HEADER + 5;

  constructor(private readonly packed: Uint8Array, literals: number) {
    this.odds = new Uint16Array(LITERAL + literals).fill(EVEN);
    for (let byte = HEADER + 1; byte < this.at; byte++) this.code = ((this.code << 8) | packed[byte]!) >>> 0;
  }

  private refill(): void {
    if (this.range < 0x1000000) {
      this.range = (this.range << 8) >>> 0;
      this.code = ((this.code << 8) | (this.packed[this.at++] ?? 0)) >>> 0;
    }
  }

  bit(which: number): number {
    const odds = this.odds[which]!;
    const bound = (this.range >>> 11) * odds;
    const set = this.code >= bound;
    if (set) {
      this.range -= bound;
      this.code -= bound;
      this.odds[which] = odds - (odds >> 5);
    } else {
      this.range = bound;
      this.odds[which] = odds + ((2048 - odds) >> 5);
    }
    this.refill();
    return set ? 1 : 0;
  }

  /** Bits of which both values are as probable. */
  even(count: number): number {
    let value = 0;
    for (; count > 0; count--) {
      this.range >>>= 1;
      const set = this.code >= this.range;
      if (set) this.code -= this.range;
      value = value * 2 + (set ? 1 : 0);
      this.refill();
    }
    return value;
  }

  /** Reads a number of this many bits, the highest first. */
  tree(first: number, count: number): number {
    let node = 1;
    for (let bit = 0; bit < count; bit++) node = (node << 1) | this.bit(first + node);
    return node - (1 << count);
  }

  /** The same, the lowest bit first. */
  reverse(first: number, count: number): number {
    let node = 1;
    let value = 0;
    for (let place = 0; place < count; place++) {
      const bit = this.bit(first + node);
      node = (node << 1) | bit;
      value |= bit << place;
    }
    return value;
  }

  length(first: number, state: number): number {
    if (!this.bit(first)) return 2 + this.tree(first + 2 + (state << 3), 3);
    if (!this.bit(first + 1)) return 10 + this.tree(first + LENGTH.middle + (state << 3), 3);
    return 18 + this.tree(first + LENGTH.high, 8);
  }

  /** How far back a copy of this length begins, less one. */
  distance(length: number): number {
    const slot = this.tree(SLOT + (Math.min(length - 2, 3) << 6), 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const begin = (2 | (slot & 1)) * 2 ** count;
    if (slot < 14) return begin + this.reverse(SPECIAL + begin - slot, count);
    return begin + this.even(count - 4) * 16 + this.reverse(ALIGN, 4);
  }
}

/** A byte; `matched` is the one that a copy would give where a copy has just ended, else -1. */
function literal(bits: Bits, first: number, matched: number): number {
  let symbol = 1;
  while (matched >= 0 && symbol < 0x100) {
    const expected = (matched >> 7) & 1;
    matched = (matched << 1) & 0xff;
    const bit = bits.bit(first + ((1 + expected) << 8) + symbol);
    symbol = (symbol << 1) | bit;
    if (bit !== expected) break;
  }
  while (symbol < 0x100) symbol = (symbol << 1) | bits.bit(first + symbol);
  return symbol & 0xff;
}

/** Which of the last distances is used again; -1 for the last one, for one byte. */
function again(bits: Bits, state: number, place: number): number {
  if (!bits.bit(AGAIN_0 + state)) return bits.bit(AGAIN_LONG + (state << 4) + place) ? 0 : -1;
  if (!bits.bit(AGAIN_1 + state)) return 1;
  return bits.bit(AGAIN_2 + state) ? 3 : 2;
}

/** Steps between two looks at the clock. */
const STEPS = 0x1000;
/** Milliseconds after which the page may do something else. */
const PATIENCE = 20;

/** Unpacks bytes; now and then it lets the page do something else. */
export async function unpack(packed: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const properties = view.getUint8(0);
  const [before, places, sort] = [properties % 9, Math.floor(properties / 9) % 5, Math.floor(properties / 45)];
  const bytes = new Uint8Array(view.getUint32(5, true));
  const bits = new Bits(packed, 0x300 << (before + places));
  const last: [number, number, number, number] = [0, 0, 0, 0];
  let state = 0;
  let rested = performance.now();
  for (let at = 0, step = 1; at < bytes.length; step++) {
    if (step % STEPS === 0 && performance.now() - rested > PATIENCE) {
      await new Promise((resolve) => setTimeout(resolve));
      rested = performance.now();
    }
    const place = at & ((1 << sort) - 1);
    if (!bits.bit(MATCH + (state << 4) + place)) {
      const group = ((at & ((1 << places) - 1)) << before) + ((bytes[at - 1] ?? 0) >> (8 - before));
      bytes[at] = literal(bits, LITERAL + 0x300 * group, state < 7 ? -1 : bytes[at - last[0] - 1]!);
      at++;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length = 1;
    if (!bits.bit(AGAIN + state)) {
      length = bits.length(NEW_LENGTH, place);
      last.copyWithin(1, 0);
      last[0] = bits.distance(length);
      state = state < 7 ? 7 : 10;
    } else {
      const which = again(bits, state, place);
      if (which >= 0) {
        const distance = last[which]!;
        last.copyWithin(1, 0, which);
        last[0] = distance;
        length = bits.length(AGAIN_LENGTH, place);
        state = state < 7 ? 8 : 11;
      } else {
        state = state < 7 ? 9 : 11;
      }
    }
    for (const end = at + length; at < end; at++) bytes[at] = bytes[at - last[0] - 1]!;
  }
  return bytes;
}
