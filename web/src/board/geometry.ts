// Where the fields of a board lie on the drawing, and in which manner they are drawn.

import type { BoardInfo, GameInfo } from "../model.ts";

/** Edge of an ordinary field. */
export const UNIT = 100;

export type Manner =
  | "chequered" // squares in two shades
  | "plain" // squares in one shade
  | "lines" // points where lines cross
  | "holes" // hollows in a plate
  | "drop" // a standing grid with round windows
  | "felt" // green squares
  | "dots" // dots, lines between them and boxes
  | "layers" // levels of a cube, one above the other
  | "pegs" // towers of discs
  | "houses" // hollows with seeds
  | "graph" // points and links
  | "net" // coloured stickers
  | "hex"; // hexagons

export interface Cell {
  field: number;
  /** Centre. */
  x: number;
  y: number;
  /** Edge of the square that a piece may fill. */
  size: number;
  /** Outline. */
  path: string;
  /** 0 or 1 for chequered boards, 0 to 2 for hexagons. */
  shade: number;
}

export interface Geometry {
  manner: Manner;
  /** One entry for each field number; holes have none. */
  cells: (Cell | undefined)[];
  /** The box around all fields. */
  box: { x: number; y: number; width: number; height: number };
  /** Coordinates to write around the board. */
  labels: { x: number; y: number; text: string }[];
  /** Size of these: about the same on the screen for small and large boards. */
  letters: number;
  canFlip: boolean;
}

/** How the board of a game is drawn: what its rules say, otherwise what its pieces suggest. */
export function mannerOf(game: GameInfo): Manner {
  const { board, pieces, fields } = game;
  const has = (...names: string[]) => names.every((name) => pieces.some((piece) => piece.name === name));
  if (board.topology === "hex") return "hex";
  if (board.topology === "graph") {
    if (pieces.length <= 1) return "houses";
    if (fields === "plain" || fields === "chequered") return fields;
    const full = game.initial.cells.every((piece, field) => piece > 0 || !board.present[field]);
    return full && !fields ? "net" : "graph";
  }
  if (fields === "chequered" || fields === "plain" || fields === "lines" || fields === "holes") return fields;
  if (has("dot", "line", "box")) return "dots";
  if (has("disc") && game.players === 1) return "pegs";
  if (layersOf(board).length > 1) return "layers";
  if (game.notation.includes("column") && game.players === 2) return "drop";
  if (has("stone")) return "lines";
  if (has("disc")) return "felt";
  return ["queen", "amazon", "pawn", "bishop"].some((name) => has(name)) && !pieces.some((p) => p.glyph)
    ? "chequered"
    : "plain";
}

/** Columns without any field separate the levels of a cube. */
export function layersOf(board: BoardInfo): number[][] {
  const layers: number[][] = [[]];
  for (let column = 0; column < board.columns; column++) {
    const empty = Array.from({ length: board.rows }, (_, row) => board.present[row * board.columns + column]);
    if (!empty.some(Boolean)) layers.push([]);
    else layers[layers.length - 1].push(column);
  }
  const filled = layers.filter((layer) => layer.length > 0);
  return filled.every((layer) => layer.length === filled[0].length) ? filled : [filled.flat()];
}

export function geometry(game: GameInfo, flipped: boolean): Geometry {
  const manner = mannerOf(game);
  const canFlip = !["drop", "pegs", "net", "layers"].includes(manner);
  const turn = flipped && canFlip;
  const { board } = game;
  const place = placing(game, manner);
  const cells = board.present.map((present, field) => {
    if (!present || game.pieces[game.initial.cells[field]]?.name === "outside") return undefined;
    const last = board.present.length - 1;
    const seen = turn ? last - field : field;
    return place(field, seen % board.columns, Math.floor(seen / board.columns));
  });
  const box = around(cells, manner);
  const letters = Math.round(Math.max(12, Math.min(34, 3.2 * Math.max(board.columns, board.rows))));
  return { manner, cells, box, labels: labels(board, manner, cells, box, letters), letters, canFlip };
}

type Place = (field: number, column: number, row: number) => Cell;

function placing(game: GameInfo, manner: Manner): Place {
  switch (manner) {
    case "hex":
      return hexagons(game);
    case "layers":
      return layers(game.board);
    case "houses":
      return houses(game.board);
    default:
      return squares(game, manner);
  }
}

function squares(game: GameInfo, manner: Manner): Place {
  const { columns, rows, present } = game.board;
  const wall = game.pieces.findIndex((piece) => piece.name === "wall");
  const cells = game.initial.cells;
  const isWall = (field: number) => !present[field] || (wall > 0 && cells[field] === wall);
  const keeper = game.players === 1;
  const whole = (fields: number[]) => !keeper && manner === "plain" && fields.every(isWall);
  const widths = Array.from({ length: columns }, (_, c) => {
    if (manner === "dots") return c % 2 === 0 ? 0.26 : 1;
    if (manner === "pegs") return 2.4;
    return whole(Array.from({ length: rows }, (_, r) => r * columns + c)) ? 0.22 : 1;
  });
  const heights = Array.from({ length: rows }, (_, r) => {
    if (manner === "dots") return r % 2 === 0 ? 0.26 : 1;
    if (manner === "pegs") return 0.5;
    return whole(Array.from({ length: columns }, (_, c) => r * columns + c)) ? 0.22 : 1;
  });
  const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
  // Quarters that can be twisted lie a little apart.
  const gap = (index: number, count: number) => (game.name === "pentago" && index >= count / 2 ? 0.16 : 0);
  return (field, column, row) => {
    const [w, height] = [widths[column] * UNIT, heights[row] * UNIT];
    const x = (sum(widths.slice(0, column)) + gap(column, columns)) * UNIT;
    const y = (sum(heights.slice(row + 1)) + gap(rows - 1 - row, rows)) * UNIT;
    const size = manner === "dots" ? Math.max(w, height) : Math.min(w, height);
    // A dark field in the lower left corner, as on every chessboard.
    const shade = (column + row) % 2 === 0 ? 1 : 0;
    return { field, x: x + w / 2, y: y + height / 2, size, path: `M${x} ${y}h${w}v${height}h${-w}z`, shade };
  };
}

function hexagons(game: GameInfo): Place {
  const rise = (UNIT * Math.sqrt(3)) / 2;
  const radius = UNIT / Math.sqrt(3);
  const { rows } = game.board;
  return (field, column, row) => {
    const x = (column + row / 2) * UNIT;
    const y = (rows - 1 - row) * rise;
    const corners = Array.from({ length: 6 }, (_, k) => {
      const angle = (Math.PI / 3) * k + Math.PI / 6;
      return `${round(x + radius * Math.cos(angle))} ${round(y + radius * Math.sin(angle))}`;
    });
    return { field, x, y, size: UNIT * 0.92, path: `M${corners.join("L")}z`, shade: (((column - row) % 3) + 3) % 3 };
  };
}

/** Levels as parallelograms, the first at the bottom. */
function layers(board: BoardInfo): Place {
  const levels = layersOf(board);
  const [slant, depth] = [0.42, 0.52];
  const tall = board.rows * depth + 0.5;
  return (field, column, row) => {
    const level = levels.findIndex((columns) => columns.includes(column));
    const inside = levels[level].indexOf(column);
    const at = (c: number, r: number) => [
      round((c + r * slant) * UNIT),
      round(((levels.length - 1 - level) * tall + (board.rows - r) * depth) * UNIT),
    ];
    const corners = [at(inside, row), at(inside + 1, row), at(inside + 1, row + 1), at(inside, row + 1)];
    const [x, y] = at(inside + 0.5, row + 0.5);
    return { field, x, y, size: UNIT * 0.62, path: `M${corners.map((c) => c.join(" ")).join("L")}z`, shade: (inside + row) % 2 };
  };
}

function houses(board: BoardInfo): Place {
  return (field, column, row) => {
    const store = (column === 0 || column === board.columns - 1) && loneInColumn(board, field);
    const x = (column + 0.5) * UNIT * 1.1;
    const y = store ? (board.rows / 2) * UNIT * 1.1 : (board.rows - row - 0.5) * UNIT * 1.1;
    const [rx, ry] = store ? [46, 88] : [46, 46];
    const path = `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;
    return { field, x, y, size: UNIT * 0.9, path, shade: 0 };
  };
}

function loneInColumn(board: BoardInfo, field: number): boolean {
  const column = field % board.columns;
  return board.present.filter((present, f) => present && f % board.columns === column).length === 1;
}

function around(cells: (Cell | undefined)[], manner: Manner): Geometry["box"] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const cell of cells) {
    if (!cell) continue;
    const half = cell.size / 2;
    let [w, tall] = [half, half];
    if (manner === "hex") [w, tall] = [UNIT / 2, UNIT / Math.sqrt(3)];
    if (manner === "layers") [w, tall] = [UNIT * 0.71, UNIT * 0.26];
    if (manner === "pegs") [w, tall] = [UNIT * 1.2, UNIT * 0.25];
    if (manner === "dots") [w, tall] = [UNIT * 0.13, UNIT * 0.13];
    if (manner === "houses") [w, tall] = [UNIT * 0.55, UNIT * 0.55];
    [left, right] = [Math.min(left, cell.x - w), Math.max(right, cell.x + w)];
    [top, bottom] = [Math.min(top, cell.y - tall), Math.max(bottom, cell.y + tall)];
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Letters below the board and numbers beside it. */
function labels(board: BoardInfo, manner: Manner, cells: (Cell | undefined)[], box: Geometry["box"], letters: number): Geometry["labels"] {
  if (["net", "layers", "houses", "dots", "pegs"].includes(manner)) return [];
  const found: Geometry["labels"] = [];
  const distance = 6 + letters;
  const present = cells.filter((cell): cell is Cell => cell !== undefined);
  const row = (cell: Cell) => Math.floor(cell.field / board.columns);
  for (let r = 0; r < board.rows; r++) {
    const line = present.filter((cell) => row(cell) === r);
    if (!line.some((cell) => cell.size >= UNIT / 2)) continue;
    const first = line.reduce((a, b) => (b.x < a.x ? b : a));
    const x = manner === "hex" ? first.x - 0.5 * UNIT - distance * 0.8 : box.x - distance;
    found.push({ x, y: first.y, text: String(r + 1) });
  }
  for (let c = 0; c < board.columns; c++) {
    const line = present.filter((cell) => cell.field % board.columns === c);
    if (!line.some((cell) => cell.size >= UNIT / 2)) continue;
    const lowest = line.reduce((a, b) => (b.y > a.y ? b : a));
    const letter = board.names[lowest.field].replace(/\d+$/, "");
    const hex = { x: lowest.x + 0.35 * UNIT, y: lowest.y + 0.5 * UNIT + distance };
    const at = manner === "hex" ? hex : { x: lowest.x, y: box.y + box.height + distance };
    found.push({ ...at, text: letter });
  }
  return found;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The field that lies next in a direction of the screen, for the arrow keys. */
export function neighbour(shape: Geometry, from: number, dx: number, dy: number): number | undefined {
  const origin = shape.cells[from];
  if (!origin) return undefined;
  let best: { field: number; cost: number } | undefined;
  for (const cell of shape.cells) {
    if (!cell || cell === origin) continue;
    const along = (cell.x - origin.x) * dx + (cell.y - origin.y) * dy;
    const aside = Math.abs((cell.x - origin.x) * dy) + Math.abs((cell.y - origin.y) * dx);
    if (along <= 1 || aside > along * 1.8) continue;
    const cost = along + 2 * aside;
    if (!best || cost < best.cost) best = { field: cell.field, cost };
  }
  return best?.field;
}
