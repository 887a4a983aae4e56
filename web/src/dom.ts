// Small helpers to build HTML and SVG elements without a framework.

type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;
type Child = Node | string | null | undefined | false;

const SVG = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** An HTML element; functions among the attributes are event listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A button with a label for everybody and a hint for those who point at it. */
export function button(label: string, action: () => void, attributes: Attributes = {}, ...children: Child[]) {
  const content = children.length ? children : [label];
  const named = children.length ? { "aria-label": label, title: label } : {};
  return h("button", { type: "button", click: action, ...named, ...attributes }, ...content);
}

/** A drawn icon of the interface, in the colour of the text around it. */
export function icon(name: keyof typeof ICONS): SVGSVGElement {
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    s("path", { d: ICONS[name], fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" }),
  );
}

const ICONS = {
  first: "M18 5 L9 12 L18 19 M6 5 V19",
  undo: "M15 5 L8 12 L15 19",
  redo: "M9 5 L16 12 L9 19",
  last: "M6 5 L15 12 L6 19 M18 5 V19",
  flip: "M8 20 V5 M8 5 L4 9 M8 5 L12 9 M16 4 V19 M16 19 L12 15 M16 19 L20 15",
  hint: "M9 18 H15 M10 21 H14 M8.5 14.5 A6 6 0 1 1 15.5 14.5 C15 15.3 15 16 15 18 H9 C9 16 9 15.3 8.5 14.5 Z",
  link: "M10 14 A4 4 0 0 0 15.6 14.4 L19 11 A4 4 0 0 0 13.4 5.3 L12 6.7 M14 10 A4 4 0 0 0 8.4 9.6 L5 13 A4 4 0 0 0 10.6 18.7 L12 17.3",
  sun: "M12 8 A4 4 0 1 1 12 16 A4 4 0 1 1 12 8 M12 2 V4 M12 20 V22 M2 12 H4 M20 12 H22 M5 5 L6.4 6.4 M17.6 17.6 L19 19 M5 19 L6.4 17.6 M17.6 6.4 L19 5",
  moon: "M20 14 A8.5 8.5 0 1 1 10 4 A6.8 6.8 0 0 0 20 14 Z",
  play: "M8 5 L19 12 L8 19 Z",
  stop: "M7 7 H17 V17 H7 Z",
  close: "M6 6 L18 18 M18 6 L6 18",
  search: "M10.5 4 A6.5 6.5 0 1 1 10.5 17 A6.5 6.5 0 1 1 10.5 4 M15.5 15.5 L20 20",
  plus: "M12 5 V19 M5 12 H19",
};

/** Replaces what is in an element. */
export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
}

/** Says something to users of screen readers. */
export function announce(text: string): void {
  const region = document.getElementById("announcer");
  if (region) region.textContent = text;
}

/** Shows a short message that goes away by itself. */
export function toast(text: string, kind: "info" | "error" = "info"): void {
  const box = h("div", { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" }, text);
  document.getElementById("toasts")?.append(box);
  setTimeout(() => box.remove(), kind === "error" ? 8000 : 3000);
}
