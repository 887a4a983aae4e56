// Pieces as drawings around the origin, in a box of 100 by 100.

import { s } from "../dom.ts";
import type { GameInfo, PieceInfo, Position, Side } from "../model.ts";
import { CHESSMEN, chessmanOf, type Chessman } from "./chess.ts";
import type { Manner } from "./geometry.ts";

/** What a drawing may depend on besides the piece. */
export interface Place {
  manner: Manner;
  /** Value of a field property where the piece stands. */
  value: (property: string) => number | undefined;
  /** Whether the board is turned. */
  flipped: boolean;
}

type Draw = (info: PieceInfo, place: Place) => SVGElement[];

/** The drawing of a piece. */
export function drawPiece(game: GameInfo, piece: number, place: Place): SVGGElement {
  const info = game.pieces[piece];
  const owner = game.players === 2 ? (info.side ?? "neutral") : "alone";
  const group = s("g", { class: `piece ${owner}` }, ...drawingOf(game, info, place)(info, place));
  if (info.colour && safeColour(info.colour)) group.style.setProperty("--piece", info.colour);
  return group;
}

/** All pieces of a stack as a column of bars beside the one on top, the lowest below. */
export function drawStack(game: GameInfo, stack: number[], transform: string): SVGGElement {
  const step = Math.min(10, 78 / stack.length);
  const bars = stack.map((piece, level) => {
    const { side, colour } = game.pieces[piece];
    const y = 40 - (level + 1) * step;
    const bar = s("rect", { x: 26, y, width: 18, height: step - 1.5, rx: 2, class: `piece tier ${side ?? "neutral"}` });
    if (colour && safeColour(colour)) bar.style.setProperty("--piece", colour);
    return bar;
  });
  return s("g", { transform, class: "stack" }, ...bars);
}

/** The values of field properties in a position. */
export function placeOf(position: Position, field: number, manner: Manner, flipped: boolean): Place {
  const value = (name: string) => {
    const list = position.values[name];
    return Array.isArray(list) && list.length === position.cells.length ? list[field] : undefined;
  };
  return { manner, value, flipped };
}

/** Colours come from rules that anybody may have written: names and hexadecimal digits, nothing else. */
function safeColour(colour: string): boolean {
  return /^(#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,24})$/.test(colour);
}

function drawingOf(game: GameInfo, info: PieceInfo, place: Place): Draw {
  if (game.name === "connect-4" || place.manner === "drop") return chip;
  if (place.manner === "net") return sticker;
  const chessman = chessmanOf(info.glyph);
  if (chessman) return () => chess(chessman);
  if (info.glyph && "⛀⛂".includes(info.glyph)) return draughtsman(false);
  if (info.glyph && "⛁⛃".includes(info.glyph)) return draughtsman(true);
  if (info.glyph && "○●".includes(info.glyph)) return stone;
  if (info.glyph && /^\p{Script=Han}|^\p{Script=Hiragana}/u.test(info.glyph)) {
    return place.manner === "lines" ? medallion : wedge;
  }
  if (info.glyph) return glyph;
  return BY_NAME[info.name.replace(/_?\d+$/, "")]?.(game, place) ?? fallback(info);
}

/** Pieces whose rules say nothing about their looks are known by their names. */
const BY_NAME: Record<string, (game: GameInfo, place: Place) => Draw | undefined> = {
  mark: () => mark,
  tile: () => tile,
  stone: () => stone,
  disc: (game) => (game.players === 1 ? ring : stone),
  marble: () => stone,
  gem: () => gem,
  peg: () => stone,
  man: (_, place) => (place.manner === "chequered" ? draughtsman(false) : stone),
  king: (game, place) => {
    if (game.pieces.some((piece) => piece.name === "queen") || place.manner === "chequered") return () => chess("king");
    return draughtsman(true);
  },
  pawn: () => () => chess("pawn"),
  queen: () => () => chess("queen"),
  amazon: () => () => chess("queen"),
  rook: () => () => chess("rook"),
  bishop: () => () => chess("bishop"),
  knight: () => () => chess("knight"),
  arrow: () => arrow,
  wall: (game) => (game.players === 1 ? bricks : () => []),
  outside: () => () => [],
  box: (_, place) => (place.manner === "dots" ? claimed : crate),
  line: (_, place) => (place.manner === "dots" ? drawnLine : undefined),
  dot: (_, place) => (place.manner === "dots" ? dot : undefined),
  keeper: () => keeper,
  rock: () => rock,
  domino: () => block,
  cell: () => block,
  token: (game) => (game.properties.some((property) => property.name === "kind") ? token : undefined),
};

/* Families of pieces. */

function chess(man: Chessman): SVGElement[] {
  const drawing = CHESSMEN[man];
  return [
    s("g", { transform: "scale(1.14) translate(-50 -49)", class: "chessman" },
      ...drawing.bodies.map((d) => s("path", { d, class: "body" })),
      ...drawing.details.map((d) => s("path", { d, class: "detail" })),
    ),
  ];
}

function circle(r: number, cls: string, cy = 0): SVGElement {
  return s("circle", { cx: 0, cy, r, class: cls });
}

const stone: Draw = () => [circle(42, "shadow", 4), circle(42, "body round")];

function draughtsman(crowned: boolean): Draw {
  return () => {
    const crown = "M-17 12L-21 -11L-9 -2L0 -17L9 -2L21 -11L17 12Z";
    return [
      circle(38, "rim", crowned ? 7 : 4),
      circle(38, "body", crowned ? -3 : 0),
      circle(28, "groove", crowned ? -3 : 0),
      ...(crowned ? [s("path", { d: crown, class: "crown", transform: "translate(0 -2)" })] : [circle(16, "groove")]),
    ];
  };
}

const chip: Draw = () => [circle(40, "body"), circle(28, "groove")];

const mark: Draw = (info) =>
  info.side === "black" || info.symbol.toLowerCase() === "o"
    ? [circle(27, "stroke")]
    : [s("path", { d: "M-26 -26L26 26M26 -26L-26 26", class: "stroke" })];

const tile: Draw = (info, place) => {
  const number = place.value("number") ?? Number(/\d+$/.exec(info.name)?.[0]);
  const label = Number.isFinite(number) ? String(number) : info.symbol;
  return [
    s("rect", { x: -46, y: -46, width: 92, height: 92, rx: 12, class: "body" }),
    s("text", { class: "numeral", y: 2 }, label),
  ];
};

const gem: Draw = () => [
  s("path", { d: "M-36 -10L-20 -32H20L36 -10L0 36Z", class: "body" }),
  s("path", { d: "M-36 -10H36M-20 -32L-12 -10L0 36L12 -10L20 -32M-12 -10L0 -32L12 -10", class: "detail" }),
];

const wedge: Draw = (info, place) => {
  const away = (info.side === "black") !== place.flipped;
  const size = (info.glyph ?? "").length > 1 ? 30 : 42;
  return [
    s("g", { transform: away ? "rotate(180)" : null },
      s("path", { d: "M0 -44L27 -32L37 42H-37L-27 -32Z", class: "wood" }),
      s("text", { class: `character ${promoted(info.name)}`, y: 8, "font-size": size }, written(info)),
    ),
  ];
};

/** The character on a piece, or its plain sign where the machine has no such letters. */
function written(info: PieceInfo): string {
  return hasCharacters() ? (info.glyph ?? info.symbol) : info.symbol.toUpperCase();
}

let characters: boolean | undefined;

/** Without a font every character is the same empty box. */
function hasCharacters(): boolean {
  if (characters === undefined) {
    const picture = (text: string) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [24, 24];
      const context = canvas.getContext("2d")!;
      context.font = "18px serif";
      context.fillText(text, 2, 18);
      return context.getImageData(0, 0, 24, 24).data.join();
    };
    characters = picture("玉") !== picture("兵");
  }
  return characters;
}

function promoted(name: string): string {
  return ["promoted", "narigin", "narikei", "narikyo", "tokin", "horse", "dragon"].includes(name) ? "red" : "";
}

const medallion: Draw = (info) => [
  circle(42, "shadow", 4),
  circle(42, "wood"),
  circle(35, "groove"),
  s("text", { class: `character ${info.side ?? ""}`, y: 3, "font-size": 46 }, written(info)),
];

const glyph: Draw = (info) => [s("text", { class: "glyph", y: 4 }, info.glyph ?? "")];

const arrow: Draw = () => [s("path", { d: "M0 -24L24 0L0 24L-24 0Z", class: "rubble" })];

const bricks: Draw = () => [
  s("rect", { x: -50, y: -50, width: 100, height: 100, class: "brick" }),
  s("path", { d: "M-50 -17H50M-50 17H50M0 -50V-17M-25 -17V17M25 -17V17M0 17V50", class: "mortar" }),
];

const crate: Draw = () => [
  s("rect", { x: -38, y: -38, width: 76, height: 76, rx: 6, class: "wood" }),
  s("path", { d: "M-38 -22H38M-38 22H38M-22 -22L22 22M22 -22L-22 22", class: "plank" }),
];

const keeper: Draw = () => [
  s("path", { d: "M-26 40C-26 8 26 8 26 40Z", class: "coat" }),
  circle(19, "face", -14),
  s("path", { d: "M-24 -20C-22 -42 22 -42 24 -20Z", class: "coat" }),
];

const rock: Draw = () => [s("path", { d: "M-34 24L-28 -12L-6 -32L24 -22L36 10L22 30H-20Z", class: "rubble" })];

const claimed: Draw = () => [
  s("rect", { x: -44, y: -44, width: 88, height: 88, rx: 10, class: "claim" }),
];

/** Lines lie across or upright, as the field between the dots does. */
const drawnLine: Draw = () => [s("rect", { x: -50, y: -9, width: 100, height: 18, rx: 9, class: "drawn" })];

const dot: Draw = () => [circle(11, "dot")];

const block: Draw = () => [s("rect", { x: -44, y: -44, width: 88, height: 88, rx: 14, class: "body" })];

/** A disc of a tower, as wide as its number. */
const ring: Draw = (_, place) => {
  const size = place.value("size") ?? 4;
  const half = 40 + size * 24;
  const body = s("rect", { x: -half, y: -42, width: 2 * half, height: 84, rx: 38, class: "ring" });
  body.style.setProperty("--hue", String((size * 47) % 360));
  return [body];
};

/** Quarto's tokens: tall, dark, round, hollow, one bit each. */
const token: Draw = (_, place) => tokenOf(place.value("kind") ?? 0);

export function tokenOf(kind: number): SVGElement[] {
  const half = kind & 1 ? 40 : 27;
  const shade = kind & 2 ? "dark" : "light";
  const shape = (size: number, cls: string) =>
    kind & 4
      ? circle(size, cls)
      : s("rect", { x: -size, y: -size, width: 2 * size, height: 2 * size, rx: 7, class: cls });
  const parts = [shape(half, `token ${shade}`)];
  if (kind & 8) parts.push(circle(half * 0.42, "hollow"));
  return parts;
}

const sticker: Draw = (info) => [
  s("rect", { x: -46, y: -46, width: 92, height: 92, rx: 14, class: `sticker ${info.name}` }),
];

/** A disc with its sign. */
function fallback(info: PieceInfo): Draw {
  return () => [circle(40, "body"), s("text", { class: "letter", y: 3 }, info.symbol)];
}

/** Seeds lying in a house, and their number. */
export function drawSeeds(count: number, tall: boolean): SVGGElement {
  const group = s("g", { class: "seeds" });
  const shown = Math.min(count, 24);
  for (let i = 0; i < shown; i++) {
    // A sunflower's spiral spreads any number evenly.
    const angle = i * 2.39996;
    const distance = 8 * Math.sqrt(i + 0.4) * (shown > 12 ? 0.84 : 1);
    const [x, y] = [Math.cos(angle) * distance, Math.sin(angle) * distance * (tall ? 1.7 : 1)];
    group.append(s("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 7, class: `seed seed-${i % 3}` }));
  }
  return group;
}

/** A small picture of a piece for texts and buttons. */
export function pieceIcon(game: GameInfo, piece: number, manner: Manner, kind?: number): SVGSVGElement {
  const drawing = kind === undefined
    ? drawPiece(game, piece, { manner, value: () => undefined, flipped: false })
    : s("g", { class: "piece neutral" }, ...tokenOf(kind));
  return s("svg", { viewBox: "-50 -50 100 100", class: `piece-icon ${manner} game-${game.name}`, "aria-hidden": "true" }, drawing);
}

/** The piece that stands for a player: the most common one at the beginning, otherwise the first. */
export function emblem(game: GameInfo, side: Side): number {
  const own = game.pieces.map((piece, index) => ({ piece, index })).filter(({ piece, index }) => index > 0 && piece.side === side);
  const king = own.find(({ piece }) => piece.name === "king" || piece.name === "general");
  return (king ?? own[0])?.index ?? 0;
}
