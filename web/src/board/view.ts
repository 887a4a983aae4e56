// The board on the screen: fields, pieces, marks, arrows; pointer and keyboard.

import { s } from "../dom.ts";
import { pieceName, spoken, type GameInfo, type Move, type Position } from "../model.ts";
import { drawBoard } from "./decor.ts";
import { geometry, neighbour, UNIT, type Cell, type Geometry } from "./geometry.ts";
import { drawPiece, drawSeeds, drawStack, placeOf } from "./pieces.ts";

export interface Marks {
  selected: readonly number[];
  targets: ReadonlySet<number>;
  starts: ReadonlySet<number>;
}

export interface Listener {
  /** A field was clicked, or Enter pressed on it. */
  click(field: number): void;
  /** Whether pressing the pointer there selects at once, so that the piece can be dragged. */
  grabs(field: number): boolean;
  /** A piece was dropped where nothing may be dropped. */
  cancel(): void;
}

const NO_MARKS: Marks = { selected: [], targets: new Set(), starts: new Set() };

/** Properties that drawings show by themselves. */
const SHOWN = ["number", "size", "kind", "seeds", "arriving", "promoted"];

export class BoardView {
  readonly element: SVGSVGElement;
  private shape: Geometry;
  private position: Position;
  private marks: Marks = NO_MARKS;
  private last: Move | null = null;
  private focused = 0;
  private flipped = false;
  private readonly layers: Record<"base" | "marks" | "pieces" | "arrows" | "hits", SVGGElement>;
  private drag: { field: number; x: number; y: number; moved: boolean; clicked: boolean; ghost: SVGGElement | null } | null = null;

  constructor(private readonly game: GameInfo, private readonly listener: Listener | null) {
    this.position = game.initial;
    this.shape = geometry(game, false);
    this.layers = {
      base: s("g"),
      marks: s("g", { "aria-hidden": "true" }),
      pieces: s("g", { class: "pieces", "aria-hidden": "true" }),
      arrows: s("g", { class: "arrows", "aria-hidden": "true" }),
      hits: s("g"),
    };
    this.element = s("svg", { class: `board-view ${this.shape.manner} game-${game.name}` }, ...Object.values(this.layers));
    if (listener) this.listen();
    else this.element.setAttribute("aria-hidden", "true");
    this.layout();
  }

  get manner() {
    return this.shape.manner;
  }

  get canFlip(): boolean {
    return this.shape.canFlip;
  }

  flip(flipped: boolean): void {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.layout();
  }

  /** Shows a position; a move that led there is shown as it is made. */
  show(position: Position, last: Move | null, animate: boolean): void {
    this.position = position;
    this.last = last;
    this.drawPieces();
    this.drawMarks();
    this.label();
    if (animate && last) this.animate(last);
  }

  mark(marks: Marks): void {
    this.marks = marks;
    this.drawMarks();
    this.label();
  }

  /** Draws a line of moves as arrows and rings. */
  line(moves: Move[], kind: "pv" | "hint"): void {
    const parts = moves.slice(0, kind === "hint" ? 1 : 4).flatMap((move, index) => this.stroke(move, index, kind));
    this.layers.arrows.replaceChildren(...parts);
  }

  focus(): void {
    this.hit(this.focused)?.focus();
  }

  private layout(): void {
    this.shape = geometry(this.game, this.flipped);
    const { box, manner } = this.shape;
    const margin = this.listener ? 14 + 1.6 * this.shape.letters : 14;
    const pad: Partial<Record<typeof manner, number>> = { houses: 30, dots: 44, holes: 28, drop: 20, graph: 24, pegs: 46 };
    const tight = Math.max(pad[manner] ?? 0, ["net", "layers"].includes(manner) ? 14 : margin) + (this.listener ? (pad[manner] ?? 0) : 0);
    const view = [box.x - tight, box.y - tight, box.width + 2 * tight, box.height + 2 * tight];
    this.element.setAttribute("viewBox", view.map((v) => v.toFixed(1)).join(" "));
    this.element.style.setProperty("--ratio", String(view[2] / view[3]));
    this.layers.base.replaceChildren(drawBoard(this.game, this.shape));
    if (this.listener) this.drawHits();
    this.drawPieces();
    this.drawMarks();
    this.label();
  }

  private cells(): Cell[] {
    return this.shape.cells.filter((cell): cell is Cell => cell !== undefined);
  }

  private pieceAt(field: number): SVGGElement | null {
    return this.layers.pieces.querySelector(`[data-at="${field}"]`);
  }

  private drawPieces(): void {
    const { manner } = this.shape;
    const parts: SVGElement[] = [];
    for (const cell of this.cells()) {
      const piece = this.position.cells[cell.field];
      parts.push(...this.drawValues(cell, piece));
      if (piece === 0) continue;
      const turn = manner === "dots" && Math.floor(cell.field / this.game.board.columns) % 2 === 1 ? " rotate(90)" : "";
      const isLine = this.game.pieces[piece].name === "line";
      const drawing = drawPiece(this.game, piece, placeOf(this.position, cell.field, manner, this.flipped));
      const scale = manner === "dots" ? 1 : cell.size / UNIT;
      const at = `translate(${cell.x} ${cell.y}) scale(${scale})${isLine ? turn : ""}`;
      parts.push(s("g", { transform: at, "data-at": cell.field }, s("g", { class: "mover" }, drawing)));
      const stack = this.position.stacks.get(cell.field);
      if (stack) parts.push(drawStack(this.game, stack, `translate(${cell.x} ${cell.y}) scale(${scale})`));
    }
    this.layers.pieces.replaceChildren(...parts);
  }

  /** Seeds, marked fields, and numbers that belong to fields. */
  private drawValues(cell: Cell, piece: number): SVGElement[] {
    const found: SVGElement[] = [];
    for (const property of this.game.properties) {
      const list = this.position.values[property.name];
      if (property.scope !== "field" || !Array.isArray(list)) continue;
      const value = list[cell.field];
      if (this.shape.manner === "houses") {
        const tall = cell.y !== this.shape.cells[this.columnPartner(cell)]?.y && this.columnPartner(cell) === cell.field;
        const seeds = drawSeeds(value, tall);
        seeds.setAttribute("transform", `translate(${cell.x} ${cell.y})`);
        found.push(seeds, s("text", { x: cell.x, y: cell.y + (tall ? 66 : 32), class: "seed-count" }, String(value)));
      } else if (!SHOWN.includes(property.name) && value !== property.low) {
        if (property.low === 0 && property.high === 1) {
          found.push(s("circle", { cx: cell.x, cy: cell.y, r: 14, class: `marked ${piece ? "under" : ""}` }));
        } else found.push(s("text", { x: cell.x + 34, y: cell.y - 30, class: "field-value" }, String(value)));
      }
    }
    return found;
  }

  /** The other field of its column, or itself if it is alone: then it is a store. */
  private columnPartner(cell: Cell): number {
    const { columns, present } = this.game.board;
    const other = present.findIndex((there, f) => there && f !== cell.field && f % columns === cell.field % columns);
    return other < 0 ? cell.field : other;
  }

  private drawMarks(): void {
    const parts: SVGElement[] = [];
    const outline = (field: number, cls: string) => {
      const cell = this.shape.cells[field];
      if (!cell) return;
      const round = ["lines", "graph", "holes", "drop", "pegs"].includes(this.shape.manner);
      parts.push(round ? s("circle", { cx: cell.x, cy: cell.y, r: 46, class: cls }) : s("path", { d: cell.path, class: cls }));
    };
    if (this.last && this.shape.manner !== "net" && this.shape.manner !== "pegs") {
      const fields = this.last.path.length > 0 ? this.last.path : [...this.last.cells.keys()].slice(0, 4);
      for (const field of fields) outline(field, "mark last");
      for (const field of this.last.captured) outline(field, "mark taken");
    }
    for (const field of this.marks.selected) outline(field, "mark selected");
    for (const field of this.marks.targets) {
      const cell = this.shape.cells[field];
      if (!cell) continue;
      const full = this.position.cells[field] > 0;
      const r = (full ? 44 : 15) * (cell.size / UNIT);
      parts.push(s("circle", { cx: cell.x, cy: cell.y, r, class: full ? "target ring" : "target" }));
    }
    this.layers.marks.replaceChildren(...parts);
  }

  private stroke(move: Move, index: number, kind: string): SVGElement[] {
    const points = move.path.map((field) => this.shape.cells[field]).filter((cell): cell is Cell => cell !== undefined);
    const cls = `${kind} step-${index} ${index % 2 ? "reply" : "own"}`;
    if (points.length === 0) return [];
    const end = points[points.length - 1];
    if (points.length === 1) {
      return [
        s("circle", { cx: end.x, cy: end.y, r: 34 * (end.size / UNIT), class: `ghost ${cls}` }),
        s("text", { x: end.x, y: end.y + 2, class: `ghost-number ${cls}` }, kind === "hint" ? "" : String(index + 1)),
      ];
    }
    const before = points[points.length - 2];
    const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
    const [ux, uy] = [(end.x - before.x) / length, (end.y - before.y) / length];
    const tip = `${end.x - ux * 8},${end.y - uy * 8}`;
    const [bx, by] = [end.x - ux * 40, end.y - uy * 40];
    const head = `${tip} ${bx - uy * 20},${by + ux * 20} ${bx + uy * 20},${by - ux * 20}`;
    const way = [...points.slice(0, -1).map((p) => `${p.x} ${p.y}`), `${bx} ${by}`].join("L");
    return [s("path", { d: `M${way}`, class: `arrow ${cls}` }), s("polygon", { points: head, class: `arrow-head ${cls}` })];
  }

  private animate(move: Move): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const from = this.shape.cells[move.path[0]];
    const to = this.shape.cells[move.path[move.path.length - 1]];
    if (!from || !to) return;
    const mover = this.pieceAt(to.field)?.querySelector(".mover");
    if (!mover) return;
    const scale = this.shape.manner === "dots" ? 1 : to.size / UNIT;
    if (move.path.length === 1) {
      mover.animate([{ transform: "scale(.3)", opacity: 0 }, { transform: "scale(1)", opacity: 1 }], { duration: 160, easing: "ease-out" });
      return;
    }
    const frames = move.path.map((field) => {
      const cell = this.shape.cells[field] ?? to;
      return { transform: `translate(${(cell.x - to.x) / scale}px, ${(cell.y - to.y) / scale}px)` };
    });
    mover.animate(frames, { duration: 170 * (frames.length - 1), easing: "ease-in-out" });
  }

  /* Fields as things to click, to reach by keyboard and to read out. */

  private drawHits(): void {
    const { columns, rows } = this.game.board;
    const order = Array.from({ length: rows }, (_, k) => (this.flipped ? k : rows - 1 - k));
    const lines = order.map((row) => {
      const line = s("g", { role: "row" });
      const across = Array.from({ length: columns }, (_, k) => (this.flipped ? columns - 1 - k : k));
      for (const column of across) {
        const cell = this.shape.cells[row * columns + column];
        if (!cell) continue;
        const area = s("path", { d: this.reach(cell), class: "hit" });
        line.append(s("g", { role: "gridcell", "data-field": cell.field, tabindex: -1 }, area));
      }
      return line;
    });
    this.layers.hits.setAttribute("role", "grid");
    this.layers.hits.setAttribute("aria-label", `${this.game.name} board`);
    this.layers.hits.replaceChildren(...lines.filter((line) => line.childElementCount > 0));
    if (!this.shape.cells[this.focused]) this.focused = this.cells()[0]?.field ?? 0;
    this.hit(this.focused)?.setAttribute("tabindex", "0");
  }

  /** Lines between dots are narrow; they are easier to hit than they look. */
  private reach(cell: Cell): string {
    if (this.shape.manner !== "dots") return cell.path;
    const column = cell.field % this.game.board.columns;
    const row = Math.floor(cell.field / this.game.board.columns);
    if ((column + row) % 2 === 0) return cell.path;
    const [w, tall] = row % 2 === 1 ? [34, 48] : [48, 34];
    return `M${cell.x - w} ${cell.y}L${cell.x} ${cell.y - tall}L${cell.x + w} ${cell.y}L${cell.x} ${cell.y + tall}z`;
  }

  private hit(field: number): SVGGElement | null {
    return this.layers.hits.querySelector(`[data-field="${field}"]`);
  }

  private label(): void {
    if (!this.listener) return;
    for (const cell of this.cells()) {
      const hit = this.hit(cell.field);
      if (!hit) continue;
      hit.setAttribute("aria-label", this.describe(cell.field));
      const selected = this.marks.selected.includes(cell.field);
      hit.setAttribute("aria-selected", String(selected));
      hit.classList.toggle("can-start", this.marks.starts.has(cell.field));
      hit.classList.toggle("can-land", this.marks.targets.has(cell.field));
    }
  }

  private describe(field: number): string {
    const piece = this.position.cells[field];
    const parts = [this.game.board.names[field]];
    const houses = this.shape.manner === "houses";
    if (!houses) parts.push(piece > 0 ? pieceName(this.game, piece) : "empty");
    const below = this.position.stacks.get(field)?.slice(0, -1).reverse() ?? [];
    if (below.length > 0) parts.push(`above ${below.map((other) => pieceName(this.game, other)).join(", ")}`);
    for (const property of this.game.properties) {
      const list = this.position.values[property.name];
      if (property.scope !== "field" || !Array.isArray(list)) continue;
      if (houses || list[field] !== property.low) parts.push(`${spoken(property.name)} ${list[field]}`);
    }
    if (this.marks.selected.includes(field)) parts.push("selected");
    else if (this.marks.targets.has(field)) parts.push("possible");
    else if (this.marks.selected.length === 0 && this.marks.starts.has(field)) parts.push("can move");
    return parts.join(", ");
  }

  private listen(): void {
    this.element.addEventListener("pointerdown", (event) => this.down(event));
    this.element.addEventListener("pointermove", (event) => this.move(event));
    this.element.addEventListener("pointerup", (event) => this.up(event));
    this.element.addEventListener("pointercancel", () => this.drop());
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  private fieldAt(x: number, y: number): number | undefined {
    const field = document.elementFromPoint(x, y)?.closest("[data-field]")?.getAttribute("data-field");
    return field === null || field === undefined ? undefined : Number(field);
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const field = this.fieldAt(event.clientX, event.clientY);
    if (field === undefined) return;
    this.roam(field, false);
    this.drag = { field, x: event.clientX, y: event.clientY, moved: false, clicked: false, ghost: null };
    if (this.listener!.grabs(field)) {
      this.drag.clicked = true;
      this.listener!.click(field);
      const mover = this.pieceAt(field)?.querySelector<SVGGElement>(".mover") ?? null;
      if (this.drag) this.drag.ghost = mover;
      if (mover) this.element.setPointerCapture(event.pointerId);
    }
  }

  private move(event: PointerEvent): void {
    if (!this.drag?.ghost) return;
    const [dx, dy] = [event.clientX - this.drag.x, event.clientY - this.drag.y];
    if (!this.drag.moved && Math.hypot(dx, dy) < 5) return;
    this.drag.moved = true;
    const matrix = (this.drag.ghost.parentNode as SVGGElement).getScreenCTM();
    const scale = matrix?.a || 1;
    this.drag.ghost.parentElement?.classList.add("dragged");
    this.drag.ghost.style.transform = `translate(${dx / scale}px, ${dy / scale}px)`;
  }

  private up(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag) return;
    this.drop();
    const field = this.fieldAt(event.clientX, event.clientY);
    if (drag.moved) {
      if (field !== undefined && this.marks.targets.has(field)) this.listener!.click(field);
      else if (field !== drag.field) this.listener!.cancel();
    } else if (!drag.clicked && field === drag.field) this.listener!.click(field);
  }

  private drop(): void {
    const ghost = this.drag?.ghost;
    if (ghost) {
      ghost.style.transform = "";
      ghost.parentElement?.classList.remove("dragged");
    }
    this.drag = null;
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = {
      ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
    };
    const step = steps[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (step) {
      const next = neighbour(this.shape, this.focused, ...step);
      if (next !== undefined) this.roam(next, true);
    } else if (event.key === "Enter" || event.key === " ") this.listener!.click(this.focused);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the field that the tabulator key reaches. */
  private roam(field: number, focus: boolean): void {
    this.hit(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = field;
    this.hit(field)?.setAttribute("tabindex", "0");
    if (focus) this.hit(field)?.focus();
  }
}
