// Everything under the pieces: plates, lines, links, and the furniture of well-known boards.

import { s } from "../dom.ts";
import type { GameInfo } from "../model.ts";
import { UNIT, type Cell, type Geometry } from "./geometry.ts";

/** Everything that does not change while a game is played. */
export function drawBoard(game: GameInfo, shape: Geometry): SVGGElement {
  const group = s("g", { class: "board", "aria-hidden": "true" });
  const cells = shape.cells.filter((cell): cell is Cell => cell !== undefined);
  group.append(plate(game, shape));
  if (shape.manner === "hex") group.append(...edges(game, shape));
  if (shape.manner === "pegs") group.append(...posts(game, shape));
  for (const cell of cells) {
    group.append(...field(game, shape, cell));
  }
  if (shape.manner === "lines") group.append(...lines(game, shape), ...stars(game, shape));
  if (shape.manner === "graph") group.append(...links(game, shape, cells));
  if (shape.manner === "net") group.append(...faces(game, shape));
  group.append(...furniture(game, shape));
  for (const label of shape.labels) group.append(s("text", { x: label.x, y: label.y, class: "coordinate", "font-size": shape.letters }, label.text));
  return group;
}

function plate(game: GameInfo, shape: Geometry): SVGElement {
  const { box, manner } = shape;
  const pad = { chequered: 8, plain: 8, felt: 10, layers: 0, hex: 0, net: 10, graph: 20, houses: 26, dots: 40, lines: 8, holes: 24, drop: 16, pegs: 30 }[manner];
  const round = { houses: 90, holes: 40, drop: 30, dots: 20, graph: 16 }[manner as string] ?? 10;
  const hidden = manner === "hex" || manner === "layers" || manner === "net" || game.name === "pentago" || manner === "pegs";
  return s("rect", {
    x: box.x - pad, y: box.y - pad, width: box.width + 2 * pad, height: box.height + 2 * pad, rx: round,
    class: hidden ? "plate hidden" : "plate",
  });
}

function field(game: GameInfo, shape: Geometry, cell: Cell): SVGElement[] {
  const { manner } = shape;
  const at = { cx: cell.x, cy: cell.y };
  switch (manner) {
    case "lines":
    case "net":
    case "pegs":
      return [];
    case "graph":
      return [];
    case "dots": {
      const column = cell.field % game.board.columns;
      const row = Math.floor(cell.field / game.board.columns);
      if ((column + row) % 2 === 0) return [];
      const turn = row % 2 === 1 ? `rotate(90 ${cell.x} ${cell.y})` : null;
      return [s("rect", { x: cell.x - 40, y: cell.y - 4, width: 80, height: 8, rx: 4, class: "slot", transform: turn })];
    }
    case "holes":
      return [s("circle", { ...at, r: 36, class: "hollow-field" })];
    case "drop":
      return [s("circle", { ...at, r: 43, class: "window" })];
    case "houses":
      return [s("path", { d: cell.path, class: "house" })];
    default: {
      if (game.pieces[game.initial.cells[cell.field]]?.name === "wall" && game.players === 2) return [];
      return [s("path", { d: cell.path, class: `cell shade-${cell.shade}` })];
    }
  }
}

/** The grid through the middles of the fields, each line drawn once. */
function lines(game: GameInfo, shape: Geometry): SVGElement[] {
  const { columns, rows } = game.board;
  const parts: string[] = [];
  const at = (column: number, row: number) => (column < columns && row < rows ? shape.cells[row * columns + column] : undefined);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const here = at(column, row);
      if (!here) continue;
      const [east, north] = [at(column + 1, row), at(column, row + 1)];
      const river = game.name === "xiangqi" && row === 4 && column > 0 && column < columns - 1;
      if (east) parts.push(`M${here.x} ${here.y}L${east.x} ${east.y}`);
      if (north && !river) parts.push(`M${here.x} ${here.y}L${north.x} ${north.y}`);
    }
  }
  const diagonals = DIAGONALS[game.name] ?? [];
  for (const [from, to] of diagonals) {
    const [a, b] = [named(game, shape, from), named(game, shape, to)];
    if (a && b) parts.push(`M${a.x} ${a.y}L${b.x} ${b.y}`);
  }
  return [s("path", { d: parts.join(""), class: "grid-lines" })];
}

const DIAGONALS: Record<string, [string, string][]> = {
  xiangqi: [["d1", "f3"], ["f1", "d3"], ["d8", "f10"], ["f8", "d10"]],
  "three-mens-morris": [["a1", "c3"], ["a3", "c1"]],
};

function named(game: GameInfo, shape: Geometry, name: string): Cell | undefined {
  return shape.cells[game.board.names.indexOf(name)];
}

/** Star points of large boards. */
function stars(game: GameInfo, shape: Geometry): SVGElement[] {
  const { columns, rows } = game.board;
  if (columns !== rows || columns < 9 || game.name === "xiangqi") return [];
  const near = columns < 13 ? 2 : 3;
  const places = columns % 2 === 1 ? [near, (columns - 1) / 2, columns - 1 - near] : [near, columns - 1 - near];
  return places.flatMap((row) =>
    places.flatMap((column) => {
      const middles = (row === (rows - 1) / 2 ? 1 : 0) + (column === (columns - 1) / 2 ? 1 : 0);
      const cell = shape.cells[row * columns + column];
      return cell && middles !== 1 ? [s("circle", { cx: cell.x, cy: cell.y, r: 8, class: "star" })] : [];
    }),
  );
}

function links(game: GameInfo, shape: Geometry, cells: Cell[]): SVGElement[] {
  const d = game.board.edges
    .map(([a, b]) => [shape.cells[a], shape.cells[b]])
    .map(([a, b]) => (a && b ? `M${a.x} ${a.y}L${b.x} ${b.y}` : ""))
    .join("");
  const knots = cells.map((cell) => s("circle", { cx: cell.x, cy: cell.y, r: 13, class: "knot" }));
  return [s("path", { d, class: "grid-lines" }), ...knots];
}

/** The black frame of each face of a cube. */
function faces(game: GameInfo, shape: Geometry): SVGElement[] {
  const { columns } = game.board;
  return shape.cells.flatMap((cell) => {
    if (!cell) return [];
    const corner = (cell.field % columns) % 3 === 1 && Math.floor(cell.field / columns) % 3 === 1;
    return corner ? [s("rect", { x: cell.x - 150, y: cell.y - 150, width: 300, height: 300, rx: 18, class: "cube-face" })] : [];
  });
}

function posts(game: GameInfo, shape: Geometry): SVGElement[] {
  const { box } = shape;
  const bottom = box.y + box.height;
  const found: SVGElement[] = [];
  for (let column = 0; column < game.board.columns; column++) {
    const x = shape.cells[column]!.x;
    found.push(s("rect", { x: x - 9, y: box.y - 36, width: 18, height: box.height + 40, rx: 9, class: "post" }));
  }
  found.push(s("rect", { x: box.x - 20, y: bottom, width: box.width + 40, height: 22, rx: 8, class: "post" }));
  return found;
}

/** Whose sides are to be joined: thick lines along the border of a rhombus. */
function edges(game: GameInfo, shape: Geometry): SVGElement[] {
  if (game.name !== "hex") return [];
  const { columns, rows } = game.board;
  const turn = shape.cells[0]!.y < shape.cells[rows * columns - 1]!.y ? 3 : 0;
  const found: SVGElement[] = [];
  for (const cell of shape.cells) {
    if (!cell) continue;
    const [column, row] = [cell.field % columns, Math.floor(cell.field / columns)];
    if (row === 0) found.push(border(cell, [0, 1, 2], turn, "white"));
    if (row === rows - 1) found.push(border(cell, [3, 4, 5], turn, "white"));
    if (column === 0) found.push(border(cell, [2, 3, 4], turn, "black"));
    if (column === columns - 1) found.push(border(cell, [5, 0, 1], turn, "black"));
  }
  return found;
}

/** Along some corners of a hexagon, counted clockwise from the lower right. */
function border(cell: Cell, corners: number[], turn: number, side: string): SVGElement {
  const radius = (UNIT / Math.sqrt(3)) * 1.08;
  const points = corners.map((k) => {
    const angle = (Math.PI / 3) * (k + turn) + Math.PI / 6;
    return `${(cell.x + radius * Math.cos(angle)).toFixed(1)} ${(cell.y + radius * Math.sin(angle)).toFixed(1)}`;
  });
  return s("path", { d: `M${points.join("L")}`, class: `border ${side}` });
}

/** Marks of single games. */
function furniture(game: GameInfo, shape: Geometry): SVGElement[] {
  const mark = (name: string, cls: string) => {
    const cell = named(game, shape, name);
    return cell ? [s("path", { d: cell.path, class: cls })] : [];
  };
  switch (game.name) {
    case "tablut":
      return mark("e5", "throne");
    case "king-of-the-hill":
      return ["d4", "e4", "d5", "e5"].flatMap((name) => mark(name, "hill"));
    case "halma": {
      const camp = game.initial.cells.flatMap((piece, field) => (piece > 0 ? [field] : []));
      return camp.flatMap((field) => mark(game.board.names[field], "camp"));
    }
    default:
      return [];
  }
}
