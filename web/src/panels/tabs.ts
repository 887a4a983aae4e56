// Panels of which one is seen at a time.

import { h } from "../dom.ts";

export class Tabs {
  readonly element = h("div", { class: "tabs" });
  private readonly heads: HTMLButtonElement[];
  private readonly panels: HTMLElement[];

  constructor(entries: [string, HTMLElement][]) {
    this.heads = entries.map(([name], index) =>
      h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, click: () => this.select(index) }, name));
    this.panels = entries.map(([name, panel]) =>
      h("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, class: "panel" }, panel));
    const list = h("div", { role: "tablist", class: "tab-heads" }, ...this.heads);
    list.addEventListener("keydown", (event) => this.key(event));
    this.element.append(list, ...this.panels);
    this.select(0);
  }

  select(index: number): void {
    if (!this.heads[index]) return;
    this.heads.forEach((head, k) => {
      head.setAttribute("aria-selected", String(k === index));
      head.tabIndex = k === index ? 0 : -1;
      this.panels[k].hidden = k !== index;
    });
  }

  private key(event: KeyboardEvent): void {
    const at = this.heads.findIndex((head) => head === document.activeElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at < 0 || !step) return;
    const next = (at + step + this.heads.length) % this.heads.length;
    this.select(next);
    this.heads[next].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
