// The moves of the game, and the evaluation as a curve beneath them.

import { h, replace, s } from "../dom.ts";
import type { GameInfo, State } from "../model.ts";

/** Values beyond this are drawn at the edge: one side is as good as won. */
const FULL = 1000;

export class MoveList {
  readonly element = h("div", { class: "moves-panel" });
  private readonly list = h("ol", { class: "move-list", "aria-label": "Moves" });
  private readonly graph = h("div", { class: "value-graph" });

  constructor(private readonly game: GameInfo, private readonly jump: (ply: number) => void) {
    this.element.append(this.list, this.graph);
  }

  show(state: State): void {
    // The side that begins the game is on the left, also where a position began with the other one.
    const first = this.game.players === 2 && state.history.length > 0 && state.history[0].side !== this.game.initial.side;
    const rows: HTMLElement[] = [];
    let row: HTMLElement | null = null;
    state.history.forEach((move, index) => {
      const ply = index + 1;
      const alone = this.game.players === 1;
      if (!row || alone || (index + (first ? 1 : 0)) % 2 === 0) {
        row = h("li", {}, h("span", { class: "number" }, `${rows.length + 1}.`));
        if (first && index === 0) row.append(h("span", { class: "gap" }, "…"));
        rows.push(row);
      }
      const current = ply === state.ply;
      const { name } = move;
      const label = name.length > 24 ? `${name.slice(0, 22)}…` : name;
      row.append(h("button", {
        type: "button", class: ply > state.ply ? "undone" : "", title: name.length > 24 ? name : null,
        "aria-current": current ? "step" : null, click: () => this.jump(ply),
      }, label));
    });
    replace(this.list, ...(rows.length ? rows : [h("li", { class: "nothing" }, "No moves yet.")]));
    this.list.classList.toggle("single", this.game.players === 1);
    const current = this.list.querySelector<HTMLElement>("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
    this.draw(state);
  }

  private draw(state: State): void {
    const points = state.history.map((move, index) => ({ ply: index + 1, value: move.value })).filter((p) => p.value !== null);
    this.graph.hidden = points.length < 2 || this.game.players === 1;
    if (this.graph.hidden) return;
    const last = Math.max(state.history.length, 2);
    const x = (ply: number) => (ply / last) * 300;
    const y = (value: number) => 40 - squash(value) * 36;
    const line = points.map((p) => `${x(p.ply).toFixed(1)} ${y(p.value!).toFixed(1)}`).join("L");
    const end = x(points[points.length - 1].ply).toFixed(1);
    const picture = s("svg", { viewBox: "0 0 300 80", role: "img", "aria-label": this.describe(points[points.length - 1].value!), preserveAspectRatio: "none" },
      s("rect", { width: 300, height: 80, class: "graph-back" }),
      s("path", { d: `M0 80V${y(points[0].value!).toFixed(1)}L${line}L${end} 80z`, class: "graph-area" }),
      s("path", { d: `M0 40H300`, class: "graph-zero" }),
      s("path", { d: `M${line}`, class: "graph-line" }),
      s("path", { d: `M${x(state.ply).toFixed(1)} 0V80`, class: "graph-now" }),
    );
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      this.jump(Math.round(((event.clientX - box.left) / box.width) * last));
    });
    replace(this.graph, picture);
  }

  private describe(value: number): string {
    const who = value > 20 ? "White is better" : value < -20 ? "Black is better" : "even";
    return `Evaluation over the game; now ${who}`;
  }
}

/** Large differences matter less than small ones. */
function squash(value: number): number {
  return Math.tanh((value / FULL) * 1.6);
}
