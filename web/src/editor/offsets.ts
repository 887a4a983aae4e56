// Places in a text: the compiler counts bytes, the editor units of UTF-16.

/** From bytes of UTF-8, which the compiler counts, to places in the text. */
export class Offsets {
  private readonly places: number[] | null;

  constructor(private readonly text: string) {
    this.places = /^[\x00-\x7f]*$/.test(text) ? null : table(text);
  }

  at(byte: number): number {
    if (!this.places) return Math.min(byte, this.text.length);
    return this.places[Math.min(byte, this.places.length - 1)];
  }

  /** The byte at a place. */
  static byte(text: string, place: number): number {
    return new TextEncoder().encode(text.slice(0, place)).length;
  }
}

function table(text: string): number[] {
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let k = 0; k < bytes; k++) places.push(place);
    place += character.length;
  }
  places.push(place);
  return places;
}
