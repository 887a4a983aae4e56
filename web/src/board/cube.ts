// The turns of a cube that is drawn as a net: found by folding the net and turning its layers.

import type { GameInfo, Move, Position } from "../model.ts";

type Vector = [number, number, number];

interface Sticker {
  field: number;
  face: string;
  /** The little cube it sticks to, each coordinate -1, 0 or 1. */
  at: Vector;
  normal: Vector;
}

/** Left column and lower row of each face in the net, and where its sticker in column i and row j sits. */
const FACES: Record<string, { column: number; row: number; normal: Vector; at: (i: number, j: number) => Vector }> = {
  U: { column: 3, row: 6, normal: [0, 1, 0], at: (i, j) => [i - 1, 1, 1 - j] },
  L: { column: 0, row: 3, normal: [-1, 0, 0], at: (i, j) => [-1, j - 1, i - 1] },
  F: { column: 3, row: 3, normal: [0, 0, 1], at: (i, j) => [i - 1, j - 1, 1] },
  R: { column: 6, row: 3, normal: [1, 0, 0], at: (i, j) => [1, j - 1, 1 - i] },
  B: { column: 9, row: 3, normal: [0, 0, -1], at: (i, j) => [1 - i, j - 1, -1] },
  D: { column: 3, row: 0, normal: [0, -1, 0], at: (i, j) => [i - 1, -1, j - 1] },
};

function stickers(columns: number): Sticker[] {
  return Object.entries(FACES).flatMap(([face, { column, row, normal, at }]) =>
    Array.from({ length: 9 }, (_, k) => {
      const [i, j] = [k % 3, Math.floor(k / 3)];
      return { field: column + i + (row + j) * columns, face, at: at(i, j), normal };
    }),
  );
}

/** A quarter turn clockwise as somebody sees it who looks at the face from outside. */
function turn([x, y, z]: Vector, [a, b, c]: Vector): Vector {
  const along = a * x + b * y + c * z;
  return [y * c - z * b + a * along, z * a - x * c + b * along, x * b - y * a + c * along];
}

/** Names the legal moves `U`, `U2`, `U'` and makes the middle of each face a field to click. */
export function nameTurns(game: GameInfo, position: Position, moves: Move[]): Move[] {
  if (game.board.columns !== 12 || game.board.rows !== 9) return moves;
  const all = stickers(game.board.columns);
  if (all.some((sticker) => !game.board.present[sticker.field])) return moves;
  const found = new Map<string, { label: string; middle: number }>();
  for (const [face, { normal, column, row }] of Object.entries(FACES)) {
    let cells = position.cells;
    for (const times of ["", "2", "'"]) {
      cells = quarter(all, cells, normal);
      found.set(cells.join(), { label: face + times, middle: column + 1 + (row + 1) * game.board.columns });
    }
  }
  return moves.map((move) => {
    const after = position.cells.map((piece, field) => move.cells.get(field) ?? piece);
    const name = found.get(after.join());
    return name ? { ...move, label: name.label, clicks: [name.middle] } : move;
  });
}

function quarter(all: Sticker[], cells: number[], normal: Vector): number[] {
  const next = [...cells];
  const place = new Map(all.map((sticker) => [`${sticker.at}/${sticker.normal}`, sticker.field]));
  const layer = all.filter(({ at }) => at[0] * normal[0] + at[1] * normal[1] + at[2] * normal[2] === 1);
  for (const sticker of layer) {
    // Adding zero turns -0 into 0, which reads the same as a key.
    const [at, faces] = [turn(sticker.at, normal), turn(sticker.normal, normal)].map((v) => v.map((n) => n + 0));
    next[place.get(`${at}/${faces}`)!] = cells[sticker.field];
  }
  return next;
}

/** The middle of the face that a sticker belongs to. */
export function middleOf(game: GameInfo, field: number): number {
  const { columns } = game.board;
  const [column, row] = [field % columns, Math.floor(field / columns)];
  return column - (column % 3) + 1 + (row - (row % 3) + 1) * columns;
}
