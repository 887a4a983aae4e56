// Playing a game: board, players, moves, and what the computer thinks.

import { about, ApiError, Session, type Limits, type Setup } from "./api.ts";
import { faceClicks, middleOf } from "./board/cube.ts";
import { Clicks, type Verdict } from "./board/input.ts";
import { BoardView } from "./board/view.ts";
import { announce, button, h, icon, replace, toast } from "./dom.ts";
import { summary, title } from "./gallery.ts";
import type { Move, Side, State, Thought } from "./model.ts";
import { askNewGame, chooseMove, described, showLink } from "./panels/dialogs.ts";
import { MoveList } from "./panels/moves.ts";
import { ParallelPanel } from "./panels/parallel.ts";
import { boardValues, PlayerBar } from "./panels/players.ts";
import { SolvedPanel } from "./panels/solved.ts";
import { Tabs } from "./panels/tabs.ts";
import { ThinkingPanel } from "./panels/thinking.ts";
import { TreePanel } from "./panels/tree.ts";
import { LEVELS, saveSettings, settings, type Settings } from "./settings.ts";

/** What a search that runs is for. */
type Purpose = "move" | "hint" | "analyse" | "solve" | "evaluate" | "simulate";

export interface PlayOptions {
  /** How the game was set up; a new game begins with it again. */
  setup: Setup;
  settings: Settings;
  /** Whether the computer may begin at once. */
  fresh: boolean;
  /** Starts another game in place of this one. */
  restart(setup: Setup, settings: Settings): void;
  /** A link to this game in that position. */
  link(position: string): Promise<string>;
}

export class PlayView {
  readonly element = h("div", { class: "play" });
  private readonly board: BoardView;
  private readonly clicks = new Clicks();
  private readonly bars: Record<Side, PlayerBar>;
  private readonly moves: MoveList;
  private readonly thinking: ThinkingPanel;
  private readonly tree: TreePanel;
  private readonly parallel: ParallelPanel;
  /** Only where there are databases of the game. */
  private readonly solved: SolvedPanel | null;
  private readonly tabs: Tabs;
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly banner = h("div", { class: "banner", role: "alert", hidden: true });
  private readonly buttons = h("div", { class: "move-buttons", role: "group", "aria-label": "Moves that cannot be clicked on the board" });
  private readonly typed = h("input", { id: "typed-move", placeholder: "type a move", "aria-label": "Type a move", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  private readonly values = h("div", { class: "board-values" });
  private state: State;
  private purpose: Purpose | null = null;
  private flipped: boolean;
  /** Whether the computer answers by itself: not after somebody went back in the game. */
  private answering: boolean;
  private received = performance.now();
  private readonly timer: number;
  private playback: Move[] = [];
  /** The ply at which the computer was last asked for a move: it is asked once. */
  private asked = -1;
  private closed = false;

  constructor(readonly session: Session, private readonly options: PlayOptions) {
    const { game } = session;
    this.state = session.first;
    this.answering = options.fresh;
    this.board = new BoardView(game, {
      click: (field) => this.touch(field),
      grabs: (field) => this.grabs(field),
      cancel: () => this.letGo(),
    });
    const bar = (side: Side) => new PlayerBar(game, side, this.board.manner, (piece) => this.hold(piece));
    this.bars = { white: bar("white"), black: bar("black") };
    this.moves = new MoveList(game, (ply) => void this.jump(ply));
    this.thinking = new ThinkingPanel(this.thinkingButtons(), this.linesSwitch());
    this.tree = new TreePanel(session);
    this.parallel = new ParallelPanel((start) => void this.search("simulate", () => start(session)));
    this.solved = session.endgames && new SolvedPanel(session.endgames, {
      play: (name) => void this.play(name),
      point: (move) => this.board.line(move ? [move] : [], "hint"),
    });
    const two: [string, HTMLElement][] = [["Tree", this.tree.element], ["Parallel", this.parallel.element]];
    // A puzzle has no tree of two players.
    this.tabs = new Tabs([["Moves", this.moves.element], ["Thinking", this.thinking.element], ...(game.players === 2 ? two : []), ...(this.solved ? [["Solved", this.solved.element] as [string, HTMLElement]] : [])]);
    this.flipped = this.natural();
    this.build();
    this.board.flip(this.flipped);
    this.receive(session.first, false);
    session.listen({
      state: (state) => this.receive(state, true),
      progress: (thought) => this.progress(thought),
      thought: (thought) => void this.thought(thought),
      evaluation: (ply, value) => this.valued(ply, value),
      evaluated: () => this.ended("evaluate"),
      simulating: (processors, nodes) => this.parallel.wait(nodes, processors),
      simulated: (run) => {
        this.parallel.show(run);
        this.ended("simulate");
      },
      failed: (message) => this.failed(message),
      closed: () => this.failed("the game was closed because nobody played; start a new one"),
    });
    this.timer = window.setInterval(() => this.tick(), 100);
    this.consider();
  }

  /** Who sits below: the person, if only one plays. */
  private natural(): boolean {
    const { white, black } = this.options.settings.players;
    return this.session.game.board.turned && white === "computer" && black === "person";
  }

  private build(): void {
    const { game } = this.session;
    const two = game.players === 2;
    const stage = h("section", { class: "stage", "aria-label": "Board" },
      two && h("div", { class: "bar-slot top" }), h("div", { class: "board-frame" }, this.board.element, this.banner),
      two && h("div", { class: "bar-slot bottom" }), this.buttons);
    const tools = h("div", { class: "tools", role: "toolbar", "aria-label": "Game" },
      button("First position", () => void this.jump(0), {}, icon("first")),
      button("Take a move back", () => void this.undo(), {}, icon("undo")),
      button("Make it again", () => void this.jump(this.state.ply + 1), {}, icon("redo")),
      button("Last position", () => void this.jump(this.state.length), {}, icon("last")),
      this.board.canFlip && button("Turn the board", () => this.flip(), {}, icon("flip")),
      two && button("Hint", () => void this.hint(), {}, icon("hint")),
      two && button("Let the computer move", () => void this.computerMove(), {}, icon("play")),
      button("Stop", () => void this.stop(), { class: "stop" }, icon("stop")),
      button("Copy a link to this position", () => void this.share(), {}, icon("link")));
    const enter = h("form", { class: "typed" }, this.typed, h("button", {}, "Play"));
    enter.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.play(this.typed.value.trim());
    });
    const side = h("aside", { class: "side", "aria-label": "Game" },
      h("div", { class: "side-head" }, h("h1", {}, title(game.name, game.about)), button("New game", () => void this.newGame(), { class: "primary" }),
        !two && button("Solve", () => void this.solve(), { class: "primary" })),
      h("p", { class: "about" }, summary(game.about)),
      this.status, this.values, tools, this.tabs.element, enter);
    replace(this.element, stage, side);
    this.placeBars();
  }

  private placeBars(): void {
    if (this.session.game.players !== 2) return;
    const [top, bottom]: Side[] = this.flipped ? ["white", "black"] : ["black", "white"];
    this.element.querySelector(".bar-slot.top")?.replaceChildren(this.bars[top].element);
    this.element.querySelector(".bar-slot.bottom")?.replaceChildren(this.bars[bottom].element);
  }

  private thinkingButtons(): HTMLElement {
    const two = this.session.game.players === 2;
    return h("div", { class: "row" },
      button("Think about this position", () => void this.analyse(), { class: "primary" }),
      two && button("Evaluate the game", () => void this.evaluate()));
  }

  private linesSwitch(): HTMLElement {
    const box = h("input", { type: "checkbox", id: "lines", checked: settings().lines });
    box.addEventListener("change", () => {
      saveSettings({ lines: box.checked });
      if (!box.checked) this.board.line([], "pv");
    });
    const threads = h("select", { id: "threads" }, h("option", { value: 1 }, "1"));
    void this.offerThreads(threads);
    return h("p", { class: "switch" }, box, h("label", { for: "lines" }, "Draw the line"), h("span", { class: "grow" }),
      h("label", { for: "threads" }, "Threads"), threads);
  }

  private async offerThreads(threads: HTMLSelectElement): Promise<void> {
    const most = await about().then(({ limits }) => limits.searches).catch(() => 1);
    const chosen = Math.min(settings().threads, most);
    const offered = Array.from({ length: Math.min(most, 16) }, (_, k) => k + 1);
    replace(threads, ...offered.map((n) => h("option", { value: n, selected: n === chosen }, String(n))));
    threads.addEventListener("change", () => saveSettings({ threads: Number(threads.value) }));
  }

  /** Limits of a search, with the threads that were chosen. */
  private limits(limits: Limits): Limits {
    const { threads } = settings();
    return threads > 1 ? { ...limits, threads } : limits;
  }

  /* The state of the game. */

  private receive(state: State, animate: boolean): void {
    const before = this.state;
    // Answers and events come on two connections: an older state may arrive later.
    if (state.version < before.version) return;
    const moved = state.position !== before.position || state.ply !== before.ply || !animate;
    if (this.board.manner === "net") state.moves = faceClicks(this.session.game, state, state.moves);
    this.state = state;
    this.received = performance.now();
    if (moved) {
      this.clicks.reset(state.outcome ? [] : state.moves);
      this.board.line([], "pv");
      this.board.show(state, state.last, animate && state.ply === before.ply + 1);
      this.tree.forget();
      this.parallel.forget();
      if (animate && state.ply === before.ply + 1 && state.last) this.speak(state);
    }
    this.moves.show(state);
    this.refresh();
    if (animate) this.consider();
  }

  private speak(state: State): void {
    const mover = this.session.game.players === 2 && state.last?.side ? `${state.last.side}: ` : "";
    announce(`${mover}${state.last!.name}${state.outcome ? `. ${state.outcome.text}` : ""}`);
  }

  private refresh(): void {
    const { state } = this;
    const { game } = this.session;
    for (const side of ["white", "black"] as const) {
      if (game.players === 2) this.bars[side].show(state, this.options.settings.players[side]);
    }
    replace(this.values, ...boardValues(game, state));
    this.showMarks();
    this.showButtons();
    this.showStatus();
    this.solved?.show(state, this.mayMove());
    this.tick();
  }

  private showStatus(): void {
    const { state, purpose } = this;
    const who = state.side === "white" ? "White" : "Black";
    const doing: Record<Purpose, string> = { move: "The computer thinks …", hint: "Looking for a hint …", analyse: "Thinking …", solve: "Solving …", evaluate: "Evaluating the game …", simulate: "Simulating …" };
    let text = this.session.game.players === 2 ? `${who} to move` : state.ply === 0 ? "Your turn" : `${state.ply} ${state.ply === 1 ? "move" : "moves"}`;
    if (this.clicks.complete.length > 0) text = "Click again to finish here, or go on";
    else if (this.clicks.selected.length > 1) text = "Go on: this move has another step";
    if (purpose) text = doing[purpose];
    if (state.outcome) text = outcomeText(state);
    this.status.textContent = text;
    this.element.classList.toggle("busy", purpose !== null);
    const over = state.outcome !== null && state.ply === state.length;
    if (over && this.banner.hidden) {
      replace(this.banner, h("strong", {}, outcomeText(state)), h("span", {}, reasonText(state)),
        button("New game", () => void this.newGame(), { class: "primary" }),
        button("Look at the board", () => (this.banner.hidden = true)));
    }
    this.banner.hidden = !over;
  }

  private showButtons(): void {
    const turns = this.board.manner === "net";
    const moves = this.mayMove() ? this.state.moves.filter((move) => turns || move.clicks.length === 0) : [];
    const parts = moves.map((move) => {
      const label = move.label ?? move.name;
      return button(label, () => void this.play(move.name), {}, ...described(this.session.game, move, label));
    });
    const done = this.clicks.complete.length > 0 ? [button("Finish the move here", () => void this.verdict({ kind: "choose", moves: this.clicks.complete }))] : [];
    replace(this.buttons, ...done, ...parts);
    this.buttons.classList.toggle("many", moves.length > 4);
  }

  private showMarks(): void {
    const may = this.mayMove();
    const starts = may ? this.clicks.starts : new Set<number>();
    const empty = this.state.cells.filter((piece, field) => piece === 0 && this.session.game.board.present[field]).length;
    const placing = [...starts].every((field) => this.state.cells[field] === 0);
    // Where only some of the empty fields are allowed, they are shown before anything is touched.
    const few = placing && starts.size < empty && this.clicks.selected.length === 0 && this.board.manner !== "houses";
    const targets = few ? starts : may ? this.clicks.targets : new Set<number>();
    this.board.mark({ selected: this.clicks.selected, targets, starts });
  }

  private tick(): void {
    for (const side of ["white", "black"] as const) this.bars[side].tick(this.state.clock, this.received);
  }

  /* A person's moves. */

  private mayMove(): boolean {
    if (this.state.outcome || this.purpose === "move" || this.purpose === "solve" || this.playback.length > 0) return false;
    return !this.computerIsToMove() || !this.answering;
  }

  /** Pressing on a piece selects it, so that it can be dragged; what would finish a move waits for the release. */
  private grabs(field: number): boolean {
    const { clicks } = this;
    if (!this.mayMove() || !clicks.starts.has(field) || clicks.targets.has(field)) return false;
    return !clicks.selected.includes(field) && !clicks.startsWhole(field);
  }

  private touch(field: number): void {
    if (this.mayMove()) void this.verdict(this.clicks.click(this.meant(field)));
  }

  /** Where things fall, a click anywhere in a column means the field where the move is made. */
  private meant(field: number): number {
    if (this.board.manner === "net") return middleOf(this.session.game, field);
    if (this.board.manner !== "drop" && this.board.manner !== "pegs") return field;
    const { columns } = this.session.game.board;
    const wanted = this.clicks.selected.length > 0 ? this.clicks.targets : this.clicks.starts;
    const there = [...wanted].find((other) => other % columns === field % columns);
    const held = this.clicks.selected.find((other) => other % columns === field % columns);
    return there ?? held ?? field;
  }

  private async verdict(verdict: Verdict): Promise<void> {
    if (verdict.kind === "play") await this.play(verdict.move.name);
    else if (verdict.kind === "choose") {
      const move = verdict.moves.length === 1 ? verdict.moves[0] : await chooseMove(this.session.game, this.state, verdict.moves, this.flipped);
      if (move) await this.play(move.name);
      else this.letGo();
    } else {
      this.showMarks();
      this.showButtons();
      this.showStatus();
    }
  }

  /** Takes a piece from the hand: only the fields where it may be dropped are left. */
  private hold(piece: number): void {
    if (!this.mayMove()) return;
    const drops = this.state.moves.filter((move) => move.clicks.length === 1 && move.cells.get(move.clicks[0]) === piece);
    this.clicks.reset(drops.length > 0 ? drops : this.state.moves);
    this.showMarks();
  }

  private letGo(): void {
    this.clicks.reset(this.state.outcome ? [] : this.state.moves);
    this.showMarks();
    this.showButtons();
    this.showStatus();
  }

  private async play(name: string): Promise<void> {
    if (!name) return;
    await this.guard(async () => {
      const state = await this.session.play(name);
      this.typed.value = "";
      this.answering = true;
      this.receive(state, true);
      this.consider();
    });
    if (this.clicks.selected.length > 0) this.letGo();
  }

  /** Takes back to where a person is to move. */
  private async undo(): Promise<void> {
    const { players } = this.options.settings;
    const own = (ply: number) => players[this.state.history[ply]?.side ?? "white"] === "person";
    let ply = this.state.ply - 1;
    const both = players.white === players.black || this.session.game.players === 1;
    while (ply > 0 && !both && !own(ply)) ply--;
    await this.jump(ply);
  }

  private async jump(ply: number): Promise<void> {
    const to = Math.max(0, Math.min(ply, this.state.length));
    if (to === this.state.ply) return;
    this.playback = [];
    this.answering = false;
    this.asked = -1;
    this.purpose = null;
    await this.guard(async () => this.receive(await this.session.jump(to), true));
  }

  /* The computer. */

  private computerIsToMove(): boolean {
    return this.session.game.players === 2 && this.options.settings.players[this.state.side] === "computer";
  }

  private consider(): void {
    if (this.closed || this.state.outcome || this.purpose || !this.answering || !this.computerIsToMove()) return;
    if (this.asked === this.state.ply) return;
    void this.computerMove();
  }

  private async computerMove(): Promise<void> {
    if (this.state.outcome) return;
    this.answering = true;
    this.asked = this.state.ply;
    const limits = this.state.clock ? {} : LEVELS[this.options.settings.level].limits;
    await this.search("move", () => this.session.think(this.limits(limits), true));
  }

  private hint(): Promise<void> {
    return this.search("hint", () => this.session.think(this.limits({ time: 1500 }), false));
  }

  private analyse(): Promise<void> {
    return this.search("analyse", () => this.session.think(this.limits({ time: 30_000 }), false));
  }

  private evaluate(): Promise<void> {
    this.tabs.select(0);
    return this.search("evaluate", () => this.session.evaluate(200));
  }

  private solve(): Promise<void> {
    this.playback = [];
    return this.search("solve", () => this.session.solve(60_000));
  }

  private async search(purpose: Purpose, start: () => Promise<unknown>): Promise<void> {
    if (this.state.outcome && purpose !== "evaluate") return;
    if (this.purpose === "move" || this.playback.length > 0) return;
    this.purpose = purpose;
    this.refresh();
    try {
      await start();
    } catch (failure) {
      this.failed((failure as Error).message);
    }
  }

  private async stop(): Promise<void> {
    this.playback = [];
    if (this.purpose) await this.guard(async () => this.receive(await this.session.stop(), true));
  }

  private progress(thought: Thought): void {
    if (!this.purpose) return;
    this.thinking.show(thought);
    if (settings().lines && thought.pv.length > 0 && this.purpose !== "hint") this.board.line(thought.pv, "pv");
  }

  private async thought(thought: Thought): Promise<void> {
    const purpose = this.purpose;
    this.purpose = null;
    this.thinking.show(thought);
    if (purpose === "hint" && thought.best) {
      this.board.line([thought.best], "hint");
      toast(`Try ${thought.best.name}`);
      announce(`Hint: ${thought.best.name}`);
    } else if (purpose === "solve") await this.replay(thought);
    else if (purpose === "analyse" && settings().lines) this.board.line(thought.pv, "pv");
    this.refresh();
    this.consider();
  }

  /** Plays a solution back, one move after the other. */
  private async replay(thought: Thought): Promise<void> {
    if (!thought.best || thought.pv.length === 0) {
      toast("No solution was found in the time given.", "error");
      return;
    }
    toast(`Solved in ${thought.pv.length} moves.`);
    this.playback = [...thought.pv];
    const pause = Math.max(60, Math.min(350, 12_000 / thought.pv.length));
    while (this.playback.length > 0 && !this.closed) {
      const move = this.playback.shift()!;
      try {
        this.receive(await this.session.play(move.name), true);
      } catch (failure) {
        this.playback = [];
        this.failed((failure as Error).message);
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  private valued(ply: number, value: number | null): void {
    if (ply > 0 && this.state.history[ply - 1]) this.state.history[ply - 1].value = value;
    this.moves.show(this.state);
  }

  private ended(purpose: Purpose): void {
    if (this.purpose === purpose) this.purpose = null;
    this.refresh();
  }

  private failed(message: string): void {
    if (this.purpose === "simulate") this.parallel.failed();
    this.purpose = null;
    this.playback = [];
    // A person may go on, whichever side is to move.
    this.answering = false;
    toast(message, "error");
    this.refresh();
  }

  private async guard(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (failure) {
      if (failure instanceof ApiError) toast(failure.message, "error");
      else throw failure;
    }
  }

  /* The rest. */

  private flip(): void {
    this.flipped = !this.flipped;
    this.board.flip(this.flipped);
    this.placeBars();
    this.showMarks();
  }

  private async share(): Promise<void> {
    await showLink(new URL(await this.options.link(this.state.position), location.href).href);
  }

  private async newGame(): Promise<void> {
    const { setup } = this.options;
    const wish = await askNewGame(this.session.game, this.session.game.parameters, setup.parameters ?? {});
    if (!wish) return;
    const { clock } = wish.settings;
    const timed = clock && this.session.game.players === 2 ? { clock: { time: clock.minutes * 60_000, increment: clock.seconds * 1000 } } : {};
    const { game, rules, name } = setup;
    this.options.restart({ game, rules, name, parameters: wish.parameters, position: wish.position, ...timed }, wish.settings);
  }

  /** Answers whether the key meant something. */
  key(key: string): boolean {
    const actions: Record<string, () => void> = {
      b: () => this.board.focus(),
      n: () => void this.newGame(),
      u: () => void this.undo(),
      r: () => void this.jump(this.state.ply + 1),
      ArrowLeft: () => void this.jump(this.state.ply - 1),
      ArrowRight: () => void this.jump(this.state.ply + 1),
      h: () => void this.hint(),
      c: () => void this.computerMove(),
      f: () => this.board.canFlip && this.flip(),
      m: () => this.typed.focus(),
      "1": () => this.tabs.select(0),
      "2": () => this.tabs.select(1),
      "3": () => this.tabs.select(2),
      "4": () => this.tabs.select(3),
      "5": () => this.tabs.select(4),
      Escape: () => (this.purpose ? void this.stop() : this.letGo()),
    };
    actions[key]?.();
    return key in actions;
  }

  /** The window shows something else now. */
  close(): void {
    this.closed = true;
    this.playback = [];
    clearInterval(this.timer);
    this.session.leave();
  }
}

function outcomeText(state: State): string {
  const text = state.outcome!.text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function reasonText(state: State): string {
  const moves = `${state.length} ${state.length === 1 ? "move" : "moves"}`;
  const reasons: Record<string, string> = { repetition: `by repetition, after ${moves}`, time: `on time, after ${moves}` };
  return reasons[state.outcome!.reason] ?? `after ${moves}`;
}
