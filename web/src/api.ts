// The interface of docs/api.md as functions, whoever answers.

import { Reader, type GameInfo, type ParameterInfo, type RawGame, type RawPosition, type RawState, type Simulated, type State, type Thought } from "./model.ts";
import type { Endgames } from "./panels/solved.ts";
import type { Transport } from "./transport.ts";

export { ApiError } from "./transport.ts";

let transport: Transport;

/** Who answers from now on. */
export function answeredBy(chosen: Transport): void {
  transport = chosen;
}

export interface Diagnostic {
  severity: "error" | "warning" | "note";
  code: string;
  message: string;
  label?: string | null;
  help?: string | null;
  span: [number, number];
  line: number;
  column: number;
  fix?: { span: [number, number]; replacement: string } | null;
}

export interface GameEntry {
  name: string;
  about: string;
  family: string;
  players: number;
  topology: string;
  columns: number;
  rows: number;
  parameters: ParameterInfo[];
}

export interface Symbol {
  name: string;
  kind: string;
  detail: string;
  span: [number, number];
}

/** Help about a word; places are bytes. */
export interface Help {
  word: string;
  span: [number, number];
  entries: { kind: string; about: string; more: string }[];
}

/** What can be written at a place; `snippet` has places to fill in. */
export interface Completion {
  span: [number, number];
  items: { label: string; kind: string; detail: string; snippet: string }[];
}

export interface Check {
  ok: boolean;
  diagnostics: Diagnostic[];
  symbols: Symbol[];
  /** The game, its setup and the number of legal moves there. */
  preview: { game: GameInfo; moves: number } | null;
}

export interface TreeNode {
  id: number;
  move: string | null;
  ply: number;
  depth: number;
  window: [number | null, number | null];
  low: number | null;
  high: number | null;
  value_text: string;
  kind: "exact" | "cutoff" | "all";
  from_table: boolean;
  /** Who looked at it. */
  worker: number;
  nodes: number;
  children: number;
  /** How many of the nodes below each worker looked at; null for one worker. */
  shares: [number, number][] | null;
  searches?: number;
  unsearched?: number;
}

export interface Tree {
  node: TreeNode;
  children: TreeNode[];
  nodes?: number;
  complete?: boolean;
  line?: string[];
  workers: number;
  /** Nodes that were looked at in vain. */
  abandoned: number;
}

/** A parallel machine to be simulated. */
export interface Team {
  processors: number;
  policy?: string;
  network?: string;
}

export interface Choice {
  name: string;
  about: string;
}

export interface Setup {
  game?: string;
  rules?: string;
  name?: string;
  parameters?: Record<string, number>;
  position?: string;
  moves?: string[];
  clock?: { time: number; increment: number };
}

export interface Limits {
  time?: number;
  depth?: number;
  threads?: number;
}

export interface About {
  limits: { searches: number };
  policies: Choice[];
  networks: Choice[];
}

let server: Promise<About> | undefined;

/** What the server offers, asked for once. */
export function about(): Promise<About> {
  server ??= request<About>("GET", "");
  server.catch(() => (server = undefined));
  return server;
}

function request<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return transport.request(method, path, body, signal) as Promise<T>;
}

let games: Promise<GameEntry[]> | undefined;

/** The bundled games, asked for once. */
export function listGames(): Promise<GameEntry[]> {
  games ??= request<{ games: GameEntry[] }>("GET", "/games").then((answer) => answer.games);
  games.catch(() => (games = undefined));
  return games;
}

export async function bundled(name: string): Promise<{ rules: string; game: GameInfo }> {
  const path = `/games/${encodeURIComponent(name)}`;
  const answer = await request<{ rules: string; game: RawGame; start: RawPosition }>("GET", path);
  return { rules: answer.rules, game: new Reader(answer.game).game(answer.start) };
}

export async function checkRules(rules: string, signal?: AbortSignal): Promise<Check> {
  type Raw = Omit<Check, "preview"> & { preview: { game: RawGame; state: RawPosition & { moves: unknown[] } } | null };
  const answer = await request<Raw>("POST", "/rules/check", { rules }, signal);
  if (!answer.preview) return { ...answer, preview: null };
  const { game, state } = answer.preview;
  return { ...answer, preview: { game: new Reader(game).game(state), moves: state.moves.length } };
}

export async function formatRules(rules: string): Promise<string> {
  return (await request<{ rules: string }>("POST", "/rules/format", { rules })).rules;
}

export async function helpAt(rules: string, at: number): Promise<Help | null> {
  return (await request<{ help: Help | null }>("POST", "/rules/hover", { rules, at })).help;
}

export async function completeAt(rules: string, at: number): Promise<Completion> {
  return await request<Completion>("POST", "/rules/complete", { rules, at });
}

interface RawSession {
  id: string;
  game: RawGame;
  diagnostics: Diagnostic[];
  backend: string;
  /** Engines inside a page have none. */
  endgames?: Endgames | null;
  /** The setup, which decides how the board is drawn; without it the position now must do. */
  start?: RawPosition;
  state: RawState;
}

export interface SessionEvents {
  state(state: State): void;
  progress(thought: Thought): void;
  thought(thought: Thought): void;
  evaluation(ply: number, value: number | null): void;
  evaluated(): void;
  simulating(processors: number, nodes: number): void;
  simulated(run: Simulated): void;
  failed(message: string): void;
  closed(): void;
}

/** A game being played. */
export class Session {
  private silence: () => void = () => undefined;

  private constructor(
    readonly id: string,
    readonly game: GameInfo,
    readonly backend: string,
    readonly endgames: Endgames | null,
    readonly first: State,
    private readonly reader: Reader,
  ) {}

  static async create(setup: Setup): Promise<Session> {
    return Session.from(await request<RawSession>("POST", "/sessions", setup));
  }

  static async resume(id: string): Promise<Session> {
    return Session.from(await request<RawSession>("GET", `/sessions/${encodeURIComponent(id)}`));
  }

  private static from(raw: RawSession): Session {
    const reader = new Reader(raw.game);
    return new Session(raw.id, reader.game(raw.start ?? raw.state), raw.backend, raw.endgames ?? null, reader.state(raw.state), reader);
  }

  private post<T>(path: string, body: unknown): Promise<T> {
    return request<T>("POST", `/sessions/${this.id}/${path}`, body);
  }

  private async change(path: string, body: unknown): Promise<State> {
    return this.reader.state(await this.post<RawState>(path, body));
  }

  play(move: string): Promise<State> {
    return this.change("play", { move });
  }

  jump(ply: number): Promise<State> {
    return this.change("jump", { ply });
  }

  stop(): Promise<State> {
    return this.change("stop", {});
  }

  think(limits: Limits, play: boolean): Promise<unknown> {
    return this.post("think", { ...limits, play });
  }

  solve(time: number): Promise<unknown> {
    return this.post("solve", { time });
  }

  evaluate(time: number): Promise<unknown> {
    return this.post("evaluate", { time });
  }

  simulate(team: Team, depth: number | undefined): Promise<unknown> {
    return this.post("simulate", { ...team, depth });
  }

  tree(depth: number, team: Partial<Team>): Promise<Tree> {
    return this.post("tree", { depth, ...team });
  }

  node(id: number): Promise<Tree> {
    return request("GET", `/sessions/${this.id}/tree/${id}`);
  }

  listen(events: SessionEvents): void {
    const heard = new Map<string, (data: Record<string, unknown>) => void>();
    const on = (name: string, action: (data: Record<string, unknown>) => void) => heard.set(name, action);
    on("state", (data) => events.state(this.reader.state(data as unknown as RawState)));
    on("progress", (data) => events.progress(this.reader.thought(data)));
    on("thought", (data) => events.thought(this.reader.thought(data)));
    on("evaluation", (data) => events.evaluation(data.ply as number, data.white_value as number | null));
    on("evaluated", () => events.evaluated());
    on("simulating", (data) => events.simulating(data.processors as number, data.nodes as number));
    on("simulated", (data) => events.simulated(data as unknown as Simulated));
    on("failed", (data) => events.failed((data.error as { message: string }).message));
    on("closed", () => events.closed());
    this.silence = transport.listen(this.id, (name, data) => heard.get(name)?.(data));
  }

  /** Ends the session; nobody waits for the answer. */
  close(): void {
    this.silence();
    void request("DELETE", `/sessions/${this.id}`).catch(() => undefined);
  }

  /** Stops listening, but leaves the game as it is. */
  leave(): void {
    this.silence();
  }
}
