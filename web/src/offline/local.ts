// The engine inside of the page as one that answers requests of docs/api.md.
//
// Each session has a web worker. A worker cannot be interrupted, so a search is stopped by ending its worker;
// another one goes on where the game was.

import type { RawState } from "../model.ts";
import { ApiError, type Hearer, type Transport } from "../transport.ts";
import { Engine } from "./engine.ts";

/** Rules with what was learned for them, as `multigame publish` writes them. */
export interface Rules {
  name: string;
  text: string;
  parameters: Record<string, number>;
  weights: string | null;
  patterns: string | null;
  network: string | null;
}

/** Where games come from. */
export interface Shelf {
  /** The rules of a game. */
  rules(game: string): Promise<Rules>;
  /** The files that rules may be based on, by path. */
  texts(): Promise<Record<string, string>>;
}

/** Memory of the table of a search, in MiB. */
const TABLE = 32;
/** The longest search, in milliseconds. */
const MOST_TIME = 60_000;
/** What searches take if nothing is said, in milliseconds. */
const SOLVE_TIME = 10_000;
const EVALUATE_TIME = 300;

type Body = Record<string, unknown>;

/** A search that goes on. */
interface Search {
  number: number;
  /** What its end is called. */
  end: "thought" | "evaluated" | "simulated";
  /** Whether its move is to be made. */
  play: boolean;
  /** What it last told. */
  progress: Body | null;
}

class LocalSession {
  readonly hearers = new Set<Hearer>();
  private engine: Engine;
  private search: Search | null = null;
  private searches = 0;
  private state!: RawState;
  private received = 0;
  /** Versions grow, also where another worker counts them from the beginning. */
  private versions = 0;
  /** The moves of the game as they were told. */
  private known: RawState["history"] = [];
  /** How many of them another worker has made again. */
  private repeated = 0;

  constructor(private readonly rules: Rules, private readonly texts: Record<string, string>) {
    this.engine = this.start();
  }

  private start(): Engine {
    return new Engine(this.texts, (name, data) => this.happened(name, JSON.parse(data) as Body));
  }

  /** Begins the game; the answer describes it. */
  async open(opening: Body): Promise<Body> {
    const answer = (await this.engine.wish({ open: [this.rules, { table_mib: TABLE, moves: [], position: null, clock: null, ...opening }] })) as Body;
    if (answer.reason) console.info(`the interpreter plays: ${answer.reason}`);
    return { ...answer, state: this.take(answer.state as RawState) };
  }

  private take(state: RawState): RawState {
    // A worker that took over knows names of earlier moves only.
    const history = state.history.map((move, ply) => {
      const known = this.known[ply];
      return ply < this.repeated && known?.name === move.name ? known : move;
    });
    this.known = history;
    this.state = { ...state, history, version: state.version + this.versions, thinking: null };
    this.received = performance.now();
    return this.state;
  }

  private happened(name: string, data: Body): void {
    if (name === "state") return this.tell(name, this.take(data as unknown as RawState) as unknown as Body);
    if (this.search && name === "progress") this.search.progress = data;
    this.tell(name, data);
  }

  private tell(name: string, data: Body): void {
    for (const hear of this.hearers) hear(name, data);
  }

  /** Changes the game; a search that goes on makes no sense any more. */
  async change(request: unknown): Promise<RawState> {
    if (this.search) await this.interrupt();
    return this.take((await this.engine.wish({ request })) as RawState);
  }

  /** Asks for something that changes nothing. */
  async ask(request: unknown): Promise<unknown> {
    if (this.search) throw new ApiError("busy", "a search is going on; wait for its end or stop it");
    return this.engine.wish({ request });
  }

  /** Begins a search, which ends one that is going on. Its number comes at once. */
  async begin(end: Search["end"], play: boolean, make: (number: number) => unknown): Promise<Body> {
    if (this.search) await this.interrupt();
    const search: Search = { number: ++this.searches, end, play, progress: null };
    this.search = search;
    const ended = (name: string, data: Body) => {
      if (this.search !== search) return;
      this.search = null;
      this.tell(name, data);
    };
    this.engine.wish({ request: make(search.number) }).then(
      (body) => ended(end, body as Body),
      (failure: ApiError) => ended("failed", { search: search.number, error: { code: failure.code, message: failure.message } }),
    );
    return { search: search.number };
  }

  /** Ends the search that goes on, and makes the best move that it knows, if it was for a move. */
  async stop(): Promise<RawState> {
    const search = this.search;
    if (!search) return this.state;
    await this.interrupt();
    const pv = (search.progress?.pv as { name: string }[] | undefined) ?? [];
    if (search.end === "evaluated") this.tell("evaluated", { search: search.number, values: [] });
    else if (search.end === "simulated" || pv.length === 0) {
      this.tell("failed", { search: search.number, error: { code: "stopped", message: "the search was stopped before it found anything" } });
    } else {
      const thought = { ...search.progress, best: pv[0], origin: "search", played: search.play };
      if (search.play) await this.change({ play: pv[0].name });
      this.tell("thought", thought);
    }
    return this.state;
  }

  /** Another worker takes over the game as it is. */
  private async interrupt(): Promise<void> {
    this.search = null;
    this.engine.end();
    const { start, history, ply, length, version } = this.state;
    const clock = this.clock();
    this.versions = version + 1;
    this.repeated = history.length;
    this.engine = this.start();
    await this.open({ position: start, moves: history.map((move) => move.name), clock });
    if (ply < length) this.take((await this.engine.wish({ request: { jump: ply } })) as RawState);
  }

  /** The setting of clocks that go on from now. */
  private clock(): Body | null {
    const { clock } = this.state;
    if (!clock) return null;
    const gone = performance.now() - this.received;
    const left = clock.left.map((left, side) => {
      const running = clock.running === (side === 0 ? "white" : "black");
      return Math.max(0, Math.round(running ? left - gone : left));
    });
    return { time: 1, increment: clock.increment, left };
  }

  close(): void {
    this.search = null;
    this.engine.end();
  }
}

/** An engine inside of the page, which finds the rules of games on a shelf. */
export class Local implements Transport {
  private readonly sessions = new Map<string, LocalSession>();
  private next = 1;
  /** Answers questions about rules, so that they need not wait for a search. */
  private answering: Promise<Engine> | undefined;

  constructor(private readonly shelf: Shelf) {}

  listen(session: string, hear: Hearer): () => void {
    const hearers = this.session(session).hearers;
    hearers.add(hear);
    return () => hearers.delete(hear);
  }

  private async question(wish: unknown): Promise<unknown> {
    this.answering ??= this.shelf.texts().then((texts) => new Engine(texts, () => undefined));
    return (await this.answering).wish(wish);
  }

  async request(method: string, path: string, body: unknown = {}): Promise<unknown> {
    const [, place, name, ...rest] = path.split("/").map(decodeURIComponent);
    const wish = body as Body;
    switch (`${method} ${place ?? ""}${name !== undefined ? "/" : ""}`) {
      case "GET ":
        return { ...((await this.question("about")) as Body), limits: { searches: 1 } };
      case "GET games":
        return this.question("games");
      case "GET games/":
        return this.question({ game: name });
      case "GET language":
        return this.question("words");
      case "POST rules/":
        return this.question({ ask: about(name, wish) });
      case "POST sessions":
        return this.open(wish);
      case "DELETE sessions/":
        this.session(name).close();
        this.sessions.delete(name);
        return null;
      case "POST sessions/":
        return this.inSession(this.session(name), rest[0], wish);
      case "GET sessions/":
        // A page that was loaded anew has no sessions.
        return this.session(name).ask({ node: Number(rest[1]) });
      default:
        throw new ApiError("no-such-path", `there is no ${method} ${path} here`);
    }
  }

  private session(id: string): LocalSession {
    const session = this.sessions.get(id);
    if (!session) throw new ApiError("no-such-session", "this game is not there any more; start a new one");
    return session;
  }

  private async open(body: Body): Promise<unknown> {
    const { game, rules, name, parameters, ...opening } = body;
    const chosen = rules === undefined ? await this.shelf.rules(game as string) : own({ rules, name });
    const set = { ...chosen.parameters, ...(parameters as Record<string, number> | undefined) };
    const session = new LocalSession({ ...chosen, parameters: set }, await this.shelf.texts());
    const answer = await session.open(opening).catch((failure) => {
      session.close();
      throw failure;
    });
    const id = String(this.next++);
    this.sessions.set(id, session);
    return { id, ...answer };
  }

  private inSession(session: LocalSession, action: string, body: Body): Promise<unknown> {
    const time = Math.min((body.time as number | undefined) ?? SOLVE_TIME, MOST_TIME);
    const limits = { time: null, total: null, depth: null, nodes: null, threads: null, engine: null, options: null };
    const think = (more: Body) => (number: number) => ({ think: { ...limits, play: false, solve: false, ...more, threads: null, number } });
    const parallel = { processors: body.processors ?? null, policy: body.policy ?? null, network: body.network ?? null };
    switch (action) {
      case "play":
        return session.change({ play: body.move });
      case "jump":
        return session.change({ jump: body.ply });
      case "stop":
        return session.stop();
      case "think":
        return session.begin("thought", body.play === true, think(body));
      case "solve":
        return session.begin("thought", false, think({ time, solve: true }));
      case "evaluate": {
        const wish = { time: body.time ?? EVALUATE_TIME, total: MOST_TIME, depth: body.depth ?? null };
        return session.begin("evaluated", false, (number) => ({ evaluate: { ...limits, play: false, solve: false, ...wish, number } }));
      }
      case "simulate":
        return session.begin("simulated", false, (number) => ({ simulate: { number, time, depth: body.depth ?? null, options: null, parallel } }));
      case "tree":
        return session.ask({ tree: { depth: body.depth, options: null, parallel: body.processors === undefined ? null : parallel } });
      default:
        throw new ApiError("no-such-path", `a session has no \`${action}\` here`);
    }
  }
}

/** A question about rules. */
function about(name: string, { rules, at, ...rest }: Body): unknown {
  switch (name) {
    case "check":
      return { check: own({ rules, ...rest }) };
    case "format":
      return { format: rules };
    case "hover":
      return { hover: [rules, at] };
    case "complete":
      return { complete: [rules, at] };
    default:
      throw new ApiError("no-such-path", `nobody answers \`rules/${name}\` here`);
  }
}

/** Rules that somebody wrote in the page. */
function own({ rules, name }: Body): Rules {
  return { name: (name as string | undefined) ?? "game", text: rules as string, parameters: {}, weights: null, patterns: null, network: null };
}
