// The search tree: open a node to see what was asked, what was answered, and what was cut off.

import type { Session, TreeNode } from "../api.ts";
import { button, h, replace, toast } from "../dom.ts";
import { TeamFields } from "./parallel.ts";
import { count } from "./thinking.ts";
import { legend, plate, shareBar } from "./workers.ts";

const KINDS: Record<string, string> = {
  exact: "the value is exact",
  cutoff: "at least beta: the remaining moves were not looked at",
  all: "at most alpha: no move was good enough",
};

const NOTE = "Searches this position with Alpha-Beta and keeps every node. With several workers the search is simulated, and colours say who looked at what.";

export class TreePanel {
  readonly element = h("div", { class: "tree-panel" });
  private readonly depth = h("select", { id: "tree-depth" });
  private readonly team = new TeamFields("tree", [1, 2, 4, 8, 16], 1);
  private readonly workers = h("div", {});
  private readonly body = h("div", { class: "tree", role: "tree", "aria-label": "Search tree" });
  private readonly note = h("p", { class: "note", role: "status" }, NOTE);

  constructor(private readonly session: Session) {
    for (let depth = 1; depth <= 8; depth++) this.depth.append(h("option", { value: depth, selected: depth === 4 }, `${depth} plies`));
    const search = button("Search the tree", () => void this.search(), { class: "primary" });
    const { team } = this;
    const policy = team.field("Who shares what", team.policy);
    const alone = () => (policy.hidden = team.team.processors === 1);
    team.processors.addEventListener("change", alone);
    alone();
    this.element.append(
      h("div", { class: "choice-fields" }, team.field("Depth", this.depth), team.field("Workers", team.processors), policy),
      h("div", { class: "row" }, search), this.note, this.workers, this.body);
    this.body.addEventListener("keydown", (event) => this.key(event));
  }

  /** The game went on: the tree is of another position. */
  forget(): void {
    replace(this.body);
    replace(this.workers);
    replace(this.note, NOTE);
  }

  private async search(): Promise<void> {
    this.forget();
    replace(this.note, "Searching …");
    try {
      const { processors, policy } = this.team.team;
      const tree = await this.session.tree(Number(this.depth.value), processors > 1 ? { processors, policy } : {});
      const whole = tree.complete === false ? "; there were too many to keep the last ones" : "";
      const vain = tree.abandoned > 0 ? `; ${count(tree.abandoned)} of the last iteration were looked at in vain` : "";
      replace(this.note, `${count(tree.nodes ?? tree.node.nodes)} nodes${whole}${vain}.`);
      replace(this.workers, tree.node.shares && legend(tree.node.shares));
      const root = this.item(tree.node, 1);
      replace(this.body, root);
      this.fill(root, tree.children, tree.node, 2);
      root.querySelector<HTMLElement>(".tree-row")?.setAttribute("tabindex", "0");
    } catch (failure) {
      replace(this.note, (failure as Error).message);
    }
  }

  private item(node: TreeNode, level: number): HTMLElement {
    const [alpha, beta] = node.window.map(bound);
    const name = node.move ?? "this position";
    const badges = [
      h("span", { class: `badge ${node.kind}`, title: KINDS[node.kind] }, node.kind),
      node.from_table && h("span", { class: "badge table", title: "the transposition table answered" }, "table"),
    ];
    const row = h("div", { class: "tree-row", tabindex: -1 },
      h("span", { class: "twist", "aria-hidden": "true" }, node.children > 0 ? "▸" : "·"),
      node.shares && plate(node.worker),
      h("span", { class: "tree-move" }, name), h("span", { class: "tree-value" }, node.value_text),
      ...badges, h("span", { class: "tree-window", title: "window: alpha and beta" }, `${alpha} … ${beta}`),
      h("span", { class: "tree-nodes", title: "nodes below" }, count(node.nodes)), node.shares && shareBar(node.shares));
    const who = node.shares ? `, worker ${node.worker + 1}` : "";
    const item = h("div", { role: "treeitem", "aria-level": level, "aria-expanded": node.children > 0 ? "false" : null, "aria-label": `${name}, ${node.value_text}, ${KINDS[node.kind]}${who}` }, row, h("div", { role: "group", class: "children" }));
    row.addEventListener("click", () => void this.toggle(item, node, level));
    return item;
  }

  private async toggle(item: HTMLElement, node: TreeNode, level: number): Promise<void> {
    this.focus(item);
    if (node.children === 0) return;
    const group = item.lastElementChild as HTMLElement;
    if (group.childElementCount > 0) {
      const open = item.getAttribute("aria-expanded") !== "true";
      item.setAttribute("aria-expanded", String(open));
      return;
    }
    try {
      const answer = await this.session.node(node.id);
      this.fill(item, answer.children, answer.node, level + 1);
    } catch (failure) {
      toast((failure as Error).message, "error");
    }
  }

  private fill(item: HTMLElement, children: TreeNode[], node: TreeNode, level: number): void {
    const group = item.lastElementChild as HTMLElement;
    replace(group, ...children.map((child) => this.item(child, level)));
    if (node.unsearched) group.append(h("p", { class: "note" }, `${node.unsearched} more moves were never looked at.`));
    item.setAttribute("aria-expanded", "true");
  }

  private focus(item: HTMLElement): void {
    for (const row of this.body.querySelectorAll(".tree-row")) row.setAttribute("tabindex", "-1");
    const row = item.querySelector<HTMLElement>(".tree-row");
    row?.setAttribute("tabindex", "0");
    row?.focus();
  }

  private key(event: KeyboardEvent): void {
    const item = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
    if (!item) return;
    const open = item.getAttribute("aria-expanded");
    const row = item.querySelector<HTMLElement>(".tree-row")!;
    const seen = [...this.body.querySelectorAll<HTMLElement>("[role=treeitem]")].filter((each) => each.offsetParent !== null);
    const at = seen.indexOf(item);
    if (event.key === "ArrowDown" && seen[at + 1]) this.focus(seen[at + 1]);
    else if (event.key === "ArrowUp" && seen[at - 1]) this.focus(seen[at - 1]);
    else if (event.key === "ArrowRight" && open === "false") row.click();
    else if (event.key === "ArrowLeft" && open === "true") row.click();
    else if (event.key === "Enter" || event.key === " ") row.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Windows that are open have no number worth reading. */
function bound(value: number | null): string {
  if (value === null) return "∞";
  if (value > 7_000_000) return "∞";
  if (value < -7_000_000) return "−∞";
  return String(value);
}
