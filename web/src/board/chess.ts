// Chess pieces as drawings of their own, in a box of 100 by 100.

export type Chessman = "pawn" | "knight" | "bishop" | "rook" | "queen" | "king";

interface Drawing {
  /** Filled outlines, drawn one over the other. */
  bodies: string[];
  /** Lines on top. */
  details: string[];
}

const BASE = "M27 80C27 76 30 74 34 74H66C70 74 73 76 73 80V86H27Z";

export const CHESSMEN: Record<Chessman, Drawing> = {
  pawn: {
    bodies: [
      BASE,
      "M36 74C42 66 44 58 44.5 49H55.5C56 58 58 66 64 74Z",
      "M39 49C39 46.5 41 45 43.5 45H56.500C59 45 61 46.5 61 49Z",
      "M50 20A13 13 0 1 1 50 46A13 13 0 1 1 50 20Z",
    ],
    details: [],
  },
  knight: {
    bodies: [
      BASE,
      "M35 74C34 64 40 59 46 52C47.5 50 47.5 48 46 47C42 49 39 53 34.5 55C29 57.5 23.5 53 26 47L35.5 31C36 27 35.5 22 37.5 16L45 22C61 21 71.5 34 72 51C72.3 61 69 68 67.5 74Z",
    ],
    details: ["M52 28C60 33 64 43 63.5 55", "M41.5 33.500L44 32.5", "M29.5 49.500L31.5 48"],
  },
  bishop: {
    bodies: [
      BASE,
      "M37 74C41 70 43 66 43.5 62H56.500C57 66 59 70 63 74Z",
      "M50 22C61 30 68 41 64 52C62 58 56.5 60 50 60C43.5 60 38 58 36 52C32 41 39 30 50 22Z",
      "M38 59.500H62C64 59.5 64 65 62 65H38C36 65 36 59.5 38 59.500Z",
      "M50 13A5 5 0 1 1 50 23A5 5 0 1 1 50 13Z",
    ],
    details: ["M50 36V50", "M43.5 42.500H56.5"],
  },
  rook: {
    bodies: [
      BASE,
      "M35 74L38 46H62L65 74Z",
      "M30 22H39V28H45.500V22H54.500V28H61V22H70V38L63 46H37L30 38Z",
    ],
    details: ["M38 46.500H62", "M36 68H64"],
  },
  queen: {
    bodies: [
      BASE,
      "M33 62C35.5 66 35.5 70 33 74H67C64.5 70 64.5 66 67 62Z",
      "M21 34L33 62H67L79 34L63.5 48L61 26L50 46L39 26L36.5 48Z",
      "M20 27A4.5 4.5 0 1 1 20 36A4.5 4.5 0 1 1 20 27Z",
      "M38.5 18.500A4.5 4.5 0 1 1 38.5 27.500A4.5 4.5 0 1 1 38.5 18.500Z",
      "M61.5 18.500A4.5 4.5 0 1 1 61.5 27.500A4.5 4.5 0 1 1 61.5 18.500Z",
      "M80 27A4.5 4.5 0 1 1 80 36A4.5 4.5 0 1 1 80 27Z",
    ],
    details: ["M34.5 66.500C44 64 56 64 65.5 66.5"],
  },
  king: {
    bodies: [
      BASE,
      "M46.8 10H53.200V15H58.500V21H53.200V31H46.800V21H41.500V15H46.800Z",
      "M34 64C34.5 68 34.5 71 33 74H67C65.5 71 65.5 68 66 64Z",
      "M50 38C54 27 79 25 78 43C77.5 52 70 57 67 64H33C30 57 22.5 52 22 43C21 25 46 27 50 38Z",
    ],
    details: ["M50 38V60", "M35 68C45 65.5 55 65.5 65 68"],
  },
};

const GLYPHS: Record<string, Chessman> = {
  "♔": "king", "♕": "queen", "♖": "rook", "♗": "bishop", "♘": "knight", "♙": "pawn",
  "♚": "king", "♛": "queen", "♜": "rook", "♝": "bishop", "♞": "knight", "♟": "pawn",
};

/** The chessman that a glyph of Unicode stands for. */
export function chessmanOf(glyph: string | null): Chessman | undefined {
  return glyph ? GLYPHS[glyph.replace("\uFE0E", "")] : undefined;
}
