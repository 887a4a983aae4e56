// A search of the position on a simulated parallel machine: how fast it is with more processors, and who does what when.

import { about, type Choice, type Session, type Team } from "../api.ts";
import { button, h, replace } from "../dom.ts";
import type { Simulated } from "../model.ts";
import { count } from "./thinking.ts";
import { duration, timelinePicture } from "./workers.ts";

const NOTE = "Searches this position on a machine that is only simulated, with 1, 2, 4 … processors, and shows who did what when.";

/** Fields to choose a machine, which trees use, too. */
export class TeamFields {
  readonly processors: HTMLSelectElement;
  readonly policy = h("select");
  readonly network = h("select");

  constructor(prefix: string, offered: number[], usual: number) {
    this.processors = h("select", { id: `${prefix}-processors` }, ...offered.map((n) => h("option", { value: n, selected: n === usual }, String(n))));
    this.policy.id = `${prefix}-policy`;
    this.network.id = `${prefix}-network`;
    void about().then(({ policies, networks }) => {
      fill(this.policy, policies, "ybwc-1-2*");
      fill(this.network, networks, "cm5");
    }).catch(() => undefined);
  }

  field(label: string, select: HTMLSelectElement): HTMLElement {
    return h("div", { class: "choice-field" }, h("label", { for: select.id }, label), select);
  }

  get team(): Team {
    const { processors, policy, network } = this;
    return { processors: Number(processors.value), policy: policy.value || undefined, network: network.value || undefined };
  }
}

function fill(select: HTMLSelectElement, choices: Choice[], usual: string): void {
  replace(select, ...choices.map(({ name, about }) => h("option", { value: name, selected: name === usual, title: about }, name)));
  const explain = () => (select.title = choices.find(({ name }) => name === select.value)?.about ?? "");
  select.addEventListener("change", explain);
  explain();
}

export class ParallelPanel {
  readonly element = h("div", { class: "parallel-panel" });
  private readonly fields = new TeamFields("parallel", [2, 4, 8, 16, 32, 64], 8);
  private readonly depth = h("select", { id: "parallel-depth" }, h("option", { value: 0 }, "automatic"));
  private readonly note = h("p", { class: "note", role: "status" }, NOTE);
  private readonly body = h("div", { class: "parallel-result" });

  /** `simulate` starts a run; what comes out is told to `show`. */
  constructor(simulate: (start: (session: Session) => Promise<unknown>) => void) {
    for (let depth = 1; depth <= 12; depth++) this.depth.append(h("option", { value: depth }, `${depth} plies`));
    const { fields } = this;
    const start = button("Simulate", () => simulate((session) => {
      this.wait(0, 1);
      return session.simulate(fields.team, Number(this.depth.value) || undefined);
    }), { class: "primary" });
    this.element.append(
      h("div", { class: "choice-fields" }, fields.field("Processors", fields.processors), fields.field("Depth", this.depth),
        fields.field("Who shares what", fields.policy), fields.field("Machine", fields.network)),
      h("div", { class: "row" }, start), this.note, this.body);
  }

  /** The game went on: what is shown is of another position. */
  forget(): void {
    replace(this.body);
    replace(this.note, NOTE);
  }

  wait(nodes: number, processors: number): void {
    const who = processors === 1 ? "1 processor" : `${processors} processors`;
    replace(this.note, `Simulating ${who}: ${count(nodes)} nodes …`);
  }

  /** It did not work, or was stopped. */
  failed(): void {
    replace(this.note, NOTE);
  }

  show(run: Simulated): void {
    const last = run.rows[run.rows.length - 1];
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    replace(this.note, `${run.depth} plies, ${run.policy}, ${run.network}: ${run.value_text} after ${duration(run.time)} of the machine's time.`);
    const figures = [["speedup", last.speedup.toFixed(1)], ["load", percent(last.load)], ["more nodes", percent(last.overhead)], ["messages", count(last.messages)]];
    replace(this.body,
      h("dl", { class: "figures" }, ...figures.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
      timelinePicture(run.timeline, "the simulated search"), table(run));
    this.body.querySelector(".timeline-frame")?.scrollIntoView({ block: "nearest" });
  }
}

/** One row for each number of processors. */
function table(run: Simulated): HTMLElement {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const head = ["P", "time", "speedup", "load", "idle", "more nodes", "room"];
  const rows = run.rows.map((row) => [String(row.processors), duration(row.time), row.speedup.toFixed(2), percent(row.load), percent(row.idle), percent(row.overhead), row.parallelism.toFixed(1)]);
  return h("table", { class: "depths" },
    h("caption", {}, "P processors; load: share of the time spent searching; room: how many processors could be busy on average"),
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map((text) => h("td", {}, text))))));
}
