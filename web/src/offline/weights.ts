// Rules as `multigame publish` packs them: JSON, a byte that is 0, and the weights of the network, if there is one.

import type { Rules } from "./local.ts";

export interface Packed {
  rules: Rules;
  shelf: Record<string, string>;
}

/** Characters that are made of bytes at once. */
const PART = 0x4000;

/** What is packed, with the weights where they belong. */
export function unpackRules(bytes: Uint8Array): Packed {
  const end = bytes.indexOf(0);
  const packed = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Packed;
  const folded = bytes.subarray(end + 1);
  if (folded.length > 0) {
    const network = JSON.parse(packed.rules.network!) as { weights: string };
    network.weights = btoa(text(unfold(folded)));
    packed.rules.network = JSON.stringify(network);
  }
  return packed;
}

/** Weights as they were: the low bytes of all come first, and the sign is the lowest bit. */
function unfold(folded: Uint8Array): Uint8Array {
  const count = folded.length / 2;
  const bytes = new Uint8Array(2 * count);
  const view = new DataView(bytes.buffer);
  for (let number = 0; number < count; number++) {
    const both = folded[number]! | (folded[count + number]! << 8);
    view.setInt16(2 * number, (both >> 1) ^ -(both & 1), true);
  }
  return bytes;
}

function text(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PART) text += String.fromCharCode(...bytes.subarray(at, at + PART));
  return text;
}
