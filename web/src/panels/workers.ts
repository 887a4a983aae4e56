// Workers of a parallel search have colours, and numbers for those who do not see these.

import { h, s } from "../dom.ts";
import type { Crew, Timeline } from "../model.ts";

/** Neighbouring numbers get colours that are far from each other. */
export function colour(worker: number): string {
  const lightness = [66, 56, 74][Math.floor(worker / 8) % 3];
  return `hsl(${Math.round((worker * 137.5 + 160) % 360)} 48% ${lightness}%)`;
}

/** A small plate with a worker's number in its colour. */
export function plate(worker: number): HTMLElement {
  const element = h("span", { class: "worker", title: `searched by worker ${worker + 1}` }, String(worker + 1));
  element.style.background = colour(worker);
  return element;
}

/** Who did how much, as one bar. */
export function shareBar(shares: [number, number][]): HTMLElement {
  const whole = shares.reduce((sum, [, nodes]) => sum + nodes, 0);
  const label = shares.map(([worker, nodes]) => `worker ${worker + 1}: ${nodes}`).join(", ");
  const parts = shares.map(([worker, nodes]) => {
    const part = h("span", {});
    part.style.background = colour(worker);
    part.style.width = `${((100 * nodes) / whole).toFixed(1)}%`;
    return part;
  });
  return h("span", { class: "shares", role: "img", "aria-label": `Nodes below by worker: ${label}`, title: label }, ...parts);
}

/** All workers with their colours. */
export function legend(shares: [number, number][]): HTMLElement {
  const entries = shares.map(([worker, nodes]) => h("li", {}, plate(worker), ` ${nodes}`));
  return h("ul", { class: "legend", "aria-label": "Workers and how many nodes of the tree each looked at" }, ...entries);
}

/** What the threads of a search are called: by number, and by rank and host if there are several ranks. */
export function hands(crew: Crew): string[] {
  const each = crew.threads.length / Math.max(1, crew.processes.length);
  return crew.threads.map((_, index) => {
    const rank = crew.processes[Math.floor(index / each)];
    return rank ? `${rank.name}, thread ${(index % each) + 1}` : `thread ${index + 1}`;
  });
}

const WIDTH = 360;

/** Who did what when: a lane for each worker, filled as far as it searched, with its messages on top. */
export function timelinePicture(timeline: Timeline, what: string, names: string[] = []): HTMLElement {
  const { lanes, end, step } = timeline;
  const height = Math.max(5, Math.min(22, 260 / lanes.length));
  const gap = height > 8 ? 2 : 1;
  const left = 22;
  const x = (column: number) => left + Math.min(1, (column * step) / end) * (WIDTH - left);
  const whole = lanes.length * height;
  const parts: SVGElement[] = [];
  lanes.forEach((lane, worker) => {
    const floor = (worker + 1) * height - gap;
    const room = height - gap;
    parts.push(s("rect", { x: left, y: worker * height, width: WIDTH - left, height: room, class: "lane" }, ...title(names[worker])));
    const work = lane.work.map((share) => share / 100);
    const both = lane.messages.map((share, column) => Math.min(1, work[column] + share / 100));
    parts.push(s("path", { d: area(both, x, floor, room), class: "lane-messages" }));
    const searched = s("path", { d: area(work, x, floor, room), class: "lane-work" });
    searched.style.fill = colour(worker);
    searched.append(...title(names[worker]));
    parts.push(searched);
    if (height > 9 || worker % 8 === 7 || worker === 0) {
      parts.push(s("text", { x: left - 4, y: floor - room / 2, class: "lane-name" }, String(worker + 1)));
    }
  });
  const picture = s("svg", { viewBox: `0 0 ${WIDTH} ${whole + 16}`, class: "timeline", role: "img", "aria-label": describe(timeline, what) },
    ...parts,
    s("text", { x: left, y: whole + 12, class: "lane-time" }, "0"),
    s("text", { x: WIDTH, y: whole + 12, class: "lane-time end" }, duration(end)));
  const keys = [["work", "searching"], ["messages", "messages"], ["idle", "without work"]];
  const told = keys.filter(([name]) => name !== "messages" || lanes.some((lane) => lane.talking > 0));
  return h("figure", { class: "timeline-frame" }, picture,
    h("figcaption", {}, ...told.flatMap(([name, text]) => [h("span", { class: `key key-${name}` }), text])));
}

/** What a lane is called, for those who point at it. */
function title(name: string | undefined): SVGElement[] {
  return name ? [s("title", {}, name)] : [];
}

/** The outline of shares between 0 and 1, standing on a floor. */
function area(shares: number[], x: (column: number) => number, floor: number, room: number): string {
  let path = `M${x(0).toFixed(1)} ${floor.toFixed(1)}`;
  let last = 0;
  shares.forEach((share, column) => {
    if (share !== last) path += `H${x(column).toFixed(1)}V${(floor - share * room).toFixed(1)}`;
    last = share;
  });
  return `${path}H${x(shares.length).toFixed(1)}V${floor.toFixed(1)}z`;
}

function describe(timeline: Timeline, what: string): string {
  const busy = timeline.lanes.map((lane) => Math.round(lane.busy * 100));
  const mean = Math.round(busy.reduce((sum, share) => sum + share, 0) / busy.length);
  return `Timeline of ${what}, ${timeline.lanes.length} workers, ${duration(timeline.end)}: on average each searched ${mean} % of the time, the least ${Math.min(...busy)} %, the most ${Math.max(...busy)} %`;
}

/** Milliseconds as people read them. */
export function duration(ms: number): string {
  if (ms < 1) return `${(ms * 1000).toFixed(0)} µs`;
  if (ms < 1000) return `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
