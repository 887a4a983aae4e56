// The computer's thoughts: depth, value, speed and the line it expects.

import { h, replace } from "../dom.ts";
import type { Crew, Thought } from "../model.ts";
import { colour, hands, plate, timelinePicture } from "./workers.ts";

export class ThinkingPanel {
  readonly element = h("div", { class: "thinking-panel" });
  private readonly figures = h("dl", { class: "figures" });
  private readonly line = h("p", { class: "line", "aria-label": "Expected line" });
  private readonly depths = h("table", { class: "depths" });
  private readonly crew = h("div", { class: "crew" });
  private readonly rows: HTMLElement[] = [];
  private search = -1;

  constructor(buttons: HTMLElement, switches: HTMLElement) {
    this.element.append(buttons, this.figures, this.line, switches, this.crew, this.depths);
    this.clear();
  }

  clear(): void {
    replace(this.figures, ...figure("value", "–"), ...figure("depth", "–"), ...figure("nodes", "–"), ...figure("nodes/s", "–"));
    replace(this.line, "Nothing has been searched yet.");
    this.rows.length = 0;
    replace(this.depths);
  }

  show(thought: Thought): void {
    if (thought.waiting) {
      replace(this.line, "Waiting for a free processor …");
      return;
    }
    if (thought.search !== this.search) {
      this.search = thought.search;
      this.rows.length = 0;
    }
    const value = thought.value_text ?? "–";
    replace(this.figures, ...figure("value", value), ...figure("depth", String(thought.depth)), ...figure("nodes", count(thought.nodes)), ...figure("nodes/s", count(thought.speed)));
    const names = thought.pv.map((move) => h("span", { class: move.side ?? "" }, move.name));
    replace(this.line, ...(names.length ? names.flatMap((name) => [name, " "]) : ["…"]));
    if (thought.pv.length > 0) this.row(thought, value);
    replace(this.crew, ...(thought.crew ? work(thought.crew, thought.time) : []));
  }

  /** One row for each depth, the newest on top. */
  private row(thought: Thought, value: string): void {
    const depth = String(thought.depth);
    const cells = [depth, value, count(thought.nodes), thought.pv.slice(0, 6).map((move) => move.name).join(" ")];
    const row = h("tr", { "data-depth": depth }, ...cells.map((text) => h("td", {}, text)));
    if (this.rows[0]?.dataset.depth === depth) this.rows[0] = row;
    else this.rows.unshift(row);
    const head = h("tr", {}, ...["depth", "value", "nodes", "line"].map((text) => h("th", { scope: "col" }, text)));
    replace(this.depths, h("thead", {}, head), h("tbody", {}, ...this.rows.slice(0, 12)));
  }
}

/** A bar for each thread: how much of the time it worked, and how many nodes it looked at. */
function work(crew: Crew, time: number): HTMLElement[] {
  const names = hands(crew);
  const bars = crew.threads.map((thread, index) => {
    const busy = time > 0 ? Math.max(0, Math.min(1, 1 - thread.idle / time)) : 1;
    const bar = h("span", { class: "hand" });
    bar.style.background = colour(index);
    bar.style.width = `${Math.round(busy * 100)}%`;
    const label = `${names[index]}: ${count(thread.nodes)} nodes, busy ${Math.round(busy * 100)} %`;
    return h("div", { class: "hand-row", role: "img", "aria-label": label, title: label }, bar, h("small", {}, count(thread.nodes)));
  });
  const parallelism = crew.critical > 0 ? `, room for ${(crew.work / crew.critical).toFixed(1)} threads` : "";
  const each = crew.threads.length / Math.max(1, crew.processes.length);
  const ranks = crew.processes.map((rank, index) => {
    const bytes = `${count(rank.messages)} messages, ${count(rank.bytes)} bytes sent`;
    return h("li", {}, ...names.slice(index * each, (index + 1) * each).map((_, thread) => plate(index * each + thread)), ` ${rank.name}: ${bytes}`);
  });
  return [h("p", { class: "note" }, `${crew.policy === null ? "" : `${crew.policy}, `}load ${Math.round(crew.load * 100)} %${parallelism}`), ...bars,
    ...(ranks.length > 0 ? [h("ul", { class: "legend ranks", "aria-label": "The threads of each rank" }, ...ranks)] : []),
    ...(crew.timeline ? [timelinePicture(crew.timeline, "the search", names)] : [])];
}

function figure(name: string, value: string): HTMLElement[] {
  return [h("div", {}, h("dt", {}, name), h("dd", {}, value))];
}

/** Numbers as people read them: 12.3k, 4.5M. */
export function count(number: number): string {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)}G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)}M`;
  if (number >= 1e4) return `${(number / 1e3).toFixed(0)}k`;
  return String(Math.round(number));
}
