// The page's data about a game and a position: the objects of docs/api.md with fields as numbers.

export type Side = "white" | "black";

/** Fields by number: column + columns * row, from White's lower left. */
export interface BoardInfo {
  topology: "square" | "hex" | "graph";
  columns: number;
  rows: number;
  /** Whether Black sees the board turned by 180 degrees. */
  turned: boolean;
  /** Names of the fields; holes have an empty one. */
  names: string[];
  present: boolean[];
  /** Links of a free graph. */
  edges: [number, number][];
}

export interface PieceInfo {
  name: string;
  side: Side | null;
  symbol: string;
  glyph: string | null;
  colour: string | null;
}

export interface PropertyInfo {
  name: string;
  scope: "board" | "player" | "field";
  low: number;
  high: number;
}

export interface ParameterInfo {
  name: string;
  value: number;
  low: number;
  high: number;
  about: string | null;
}

export interface Position {
  cells: number[];
  /** The pieces on each field that holds several, the lowest first. */
  stacks: Map<number, number[]>;
  values: Values;
  side: Side;
}

/** Board properties are numbers, player properties pairs, field properties lists with an entry for each field. */
export type Values = Record<string, number | number[]>;

export interface GameInfo {
  name: string;
  about: string;
  players: number;
  board: BoardInfo;
  pieces: PieceInfo[];
  properties: PropertyInfo[];
  parameters: ParameterInfo[];
  notation: string[];
  fields: string | null;
  initial: Position;
}

export interface Move {
  name: string;
  side: Side | null;
  clicks: number[];
  path: number[];
  label: string | null;
  captured: number[];
  /** New pieces of changed fields. */
  cells: Map<number, number>;
  /** New values as the interface gives them. */
  values: Record<string, unknown>;
  /** What is known about the position after a move of the history, as White sees it. */
  value: number | null;
  time: number;
}

export interface Outcome {
  winner: Side | null;
  text: string;
  reason: string;
}

export interface Clock {
  left: [number, number];
  increment: number;
  running: Side | null;
}

export interface State extends Position {
  /** Grows with every change. */
  version: number;
  ply: number;
  length: number;
  position: string;
  start: string;
  moves: Move[];
  last: Move | null;
  history: Move[];
  outcome: Outcome | null;
  clock: Clock | null;
  /** Null where nothing is known. */
  endgame?: Endgame | null;
  thinking: unknown;
}

/** What the threads of a search did, on all ranks. */
export interface Crew {
  policy: string | null;
  threads: { nodes: number; idle: number }[];
  /** The ranks of a job, each with as many of the threads, one after the other; none if there is one process. */
  processes: { name: string; messages: number; bytes: number }[];
  work: number;
  critical: number;
  load: number;
  /** When each thread worked; null if the search was for a move to be played. */
  timeline: Timeline | null;
}

/** What each worker of a run did, in columns of `step` milliseconds: percent of the column. */
export interface Timeline {
  end: number;
  step: number;
  lanes: { work: number[]; messages: number[]; busy: number; talking: number }[];
}

/** A search on a simulated machine, and one row for each number of processors. */
export interface Simulated {
  search: number;
  processors: number;
  policy: string;
  network: string;
  depth: number;
  value_text: string;
  time: number;
  rows: { processors: number; time: number; speedup: number; load: number; overhead: number; idle: number; parallelism: number; messages: number }[];
  timeline: Timeline;
}

/** What a position is worth to its player, or a move to who makes it, with perfect play. */
export interface Standing {
  value: "win" | "draw" | "loss";
  /** To the end of the game. */
  plies?: number;
  /** Where games end with a score, in place of plies. */
  margin?: number;
}

/** What databases know about a position, its best moves first. */
export interface Endgame {
  standing: Standing | null;
  moves: { move: string; standing: Standing | null }[];
}

/** A line of the search while it runs, or its result. */
export interface Thought {
  search: number;
  depth: number;
  value: number | null;
  white_value: number | null;
  value_text: string | null;
  nodes: number;
  speed: number;
  time: number;
  pv: Move[];
  best: Move | null;
  origin: string | null;
  played: boolean;
  engine: string | null;
  waiting: boolean;
  crew: Crew | null;
}

/* The objects as they come. */

export interface RawGame {
  name: string;
  about?: string | null;
  players: number;
  board: {
    topology: BoardInfo["topology"];
    columns: number;
    rows: number;
    turned: boolean;
    fields: { name: string; column: number; row: number }[];
    edges: [string, string][];
  };
  pieces: PieceInfo[];
  properties: PropertyInfo[];
  parameters: ParameterInfo[];
  notation: string[];
  looks: { fields: string | null };
}

export interface RawPosition {
  cells: Record<string, number>;
  stacks?: Record<string, number[]>;
  values: Record<string, unknown>;
  side: Side;
}

export interface RawMove {
  name: string;
  side?: Side;
  clicks: string[];
  path: string[];
  label?: string | null;
  captured: string[];
  changes: { cells: Record<string, number>; values: Record<string, unknown> };
  value?: number | null;
  time?: number;
}

export type RawState = RawPosition &
  Omit<State, "cells" | "stacks" | "values" | "moves" | "last" | "history"> & {
    moves: RawMove[];
    last: RawMove | null;
    history: RawMove[];
  };

/** Turns names of fields into numbers, for one game. */
export class Reader {
  readonly board: BoardInfo;
  private readonly numbers = new Map<string, number>();

  constructor(private readonly raw: RawGame) {
    const { columns, rows, fields } = raw.board;
    const names: string[] = new Array(columns * rows).fill("");
    for (const field of fields) {
      const number = field.column - 1 + (field.row - 1) * columns;
      names[number] = field.name;
      this.numbers.set(field.name, number);
    }
    const edges = raw.board.edges.map(([a, b]): [number, number] => [this.field(a), this.field(b)]);
    const { topology, turned } = raw.board;
    this.board = { topology, columns, rows, turned, names, present: names.map((name) => name !== ""), edges };
  }

  private field(name: string): number {
    return this.numbers.get(name) ?? 0;
  }

  game(start: RawPosition): GameInfo {
    const { name, about, players, pieces, properties, parameters, notation, looks } = this.raw;
    const initial = this.position(start);
    const rest = { name, players, pieces, properties, parameters, notation, initial };
    return { ...rest, about: about ?? "", board: this.board, fields: looks.fields };
  }

  position(raw: RawPosition): Position {
    const cells: number[] = new Array(this.board.names.length).fill(0);
    for (const [name, piece] of Object.entries(raw.cells)) cells[this.field(name)] = piece;
    const values: Values = {};
    for (const property of this.raw.properties) {
      const value = raw.values[property.name];
      if (property.scope === "field") {
        const list: number[] = new Array(cells.length).fill(property.low);
        for (const [name, number] of Object.entries((value ?? {}) as Record<string, number>)) list[this.field(name)] = number;
        values[property.name] = list;
      } else values[property.name] = value as number | number[];
    }
    const stacks = new Map(Object.entries(raw.stacks ?? {}).map(([name, pieces]) => [this.field(name), pieces]));
    return { cells, stacks, values, side: raw.side };
  }

  move(raw: RawMove): Move {
    const all = (names: string[]) => names.map((name) => this.field(name));
    const cells = new Map(Object.entries(raw.changes.cells).map(([name, piece]) => [this.field(name), piece]));
    const rest = { label: raw.label ?? null, value: raw.value ?? null, time: raw.time ?? 0, side: raw.side ?? null };
    const fields = { clicks: all(raw.clicks), path: all(raw.path), captured: all(raw.captured) };
    return { name: raw.name, ...fields, ...rest, cells, values: raw.changes.values };
  }

  state(raw: RawState): State {
    const moves = (list: RawMove[]) => list.map((move) => this.move(move));
    const last = raw.last && this.move(raw.last);
    return { ...raw, ...this.position(raw), moves: moves(raw.moves), history: moves(raw.history), last };
  }

  thought(raw: Record<string, unknown>): Thought {
    const best = raw.best ? this.move(raw.best as RawMove) : null;
    const pv = ((raw.pv as RawMove[] | undefined) ?? []).map((move) => this.move(move));
    const rest = { depth: 0, value: null, white_value: null, value_text: null, nodes: 0, speed: 0, time: 0 };
    return { search: 0, ...rest, origin: null, engine: null, played: false, waiting: false, crew: null, ...raw, best, pv } as Thought;
  }
}

/** How a piece is called: its owner too, where there are two. */
export function pieceName(game: GameInfo, piece: number): string {
  const info = game.pieces[piece];
  return info.side && game.players === 2 ? `${info.side} ${spoken(info.name)}` : spoken(info.name);
}

/** `tile_7` as people say it. */
export function spoken(name: string): string {
  return name.replaceAll("_", " ");
}
