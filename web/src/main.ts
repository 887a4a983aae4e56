// Where the page begins: the bar on top, addresses, keys, and what is shown below.

import { answeredBy, Session, type Setup } from "./api.ts";
import { button, h, icon, replace, toast } from "./dom.ts";
import { gallery, title } from "./gallery.ts";
import { showHelp } from "./panels/dialogs.ts";
import { PlayView } from "./play.ts";
import { formatRoute, parseRoute, type Route } from "./route.ts";
import { applyTheme, currentTheme, draft, resumed, settings, toggleTheme, type Settings } from "./settings.ts";
import type { Transport } from "./transport.ts";

/** What makes one page different from another. */
export interface Page {
  transport: Transport;
  /** The editor, where there is one. */
  editor?: () => Promise<typeof import("./editor/editor.ts")>;
  /** The only game, where there is no choice. */
  game?: string;
}

let page: Page;
const root = document.getElementById("main")!;
let playing: PlayView | null = null;
/** Counts what was asked for, so that a late answer does not replace a newer one. */
let request = 0;
/** Whoever waits longer is told so, in milliseconds. */
const PATIENCE = 150;

function drawTop(): void {
  const theme = button("Dark or light", changeTheme, { class: "plain", id: "theme" }, icon(currentTheme() === "dark" ? "sun" : "moon"));
  const logo = h("a", { href: "#", class: "logo" }, h("img", { src: document.querySelector<HTMLLinkElement>("link[rel=icon]")!.href, alt: "", width: 28, height: 28 }), h("span", {}, "Multigame"));
  const nav = h("nav", { "aria-label": "Page" },
    !page.game && h("a", { href: "#", "data-view": "games" }, "Games"), page.editor && h("a", { href: "#write", "data-view": "write" }, "Write rules"));
  replace(document.getElementById("top")!, logo, nav, h("span", { class: "grow" }), theme, button("Help", () => void showHelp(), { class: "plain" }, "?"));
}

function changeTheme(): void {
  toggleTheme();
  document.getElementById("theme")!.replaceChildren(icon(currentTheme() === "dark" ? "sun" : "moon"));
}

async function navigate(): Promise<void> {
  const mine = ++request;
  const current = () => mine === request;
  playing?.close();
  playing = null;
  // The old content must not be taken for the new one.
  const late = setTimeout(() => current() && replace(root, h("p", { class: "loading", role: "status" }, "One moment …")), PATIENCE);
  try {
    const route = onlyOffered(await parseRoute(location.hash));
    for (const link of document.querySelectorAll<HTMLElement>("[data-view]")) {
      if (link.dataset.view === route.view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    await show(route, current);
  } catch (failure) {
    if (current()) showFailure((failure as Error).message);
  } finally {
    clearTimeout(late);
  }
}

/** Where a page leads that has one game only, or no editor. */
function onlyOffered(route: Route): Route {
  if (page.game && (route.view === "games" || route.view === "write" || (route.view === "play" && route.game !== page.game))) {
    return { view: "play", game: page.game, parameters: {} };
  }
  return route.view === "write" && !page.editor ? { view: "games" } : route;
}

async function show(route: Route, current: () => boolean): Promise<void> {
  switch (route.view) {
    case "games":
      document.title = "Multigame";
      return gallery(root);
    case "write": {
      document.title = "Write rules – Multigame";
      const { editor } = await page.editor!();
      if (current()) await editor(root, route.game, playOwn);
      return;
    }
    case "play":
      return start({ game: route.game, parameters: route.parameters, position: route.position }, settings(), current);
    case "own": {
      const saved = draft.read();
      const rules = route.rules ?? saved?.rules;
      if (!rules) throw new Error("there are no rules of your own in this browser yet; write some first");
      return start({ rules, name: route.rules ? "own-rules" : saved?.name, position: route.position }, settings(), current);
    }
  }
}

/** Begins a game, or goes on with the one that this window showed before it was reloaded. */
async function start(setup: Setup, chosen: Settings, current: () => boolean): Promise<void> {
  const before = resumed.read();
  let session: Session | null = null;
  let fresh = true;
  if (before && before.hash === location.hash) {
    session = await Session.resume(before.id).catch(() => null);
    // A game that is over is not gone on with.
    if (session?.first.outcome) session = null;
    fresh = session === null;
    if (!fresh) chosen = { ...chosen, players: before.players };
  }
  session ??= await Session.create(dropEmpty(setup));
  if (!current()) return session.leave();
  const { game } = session;
  // A visitor wants to play, and gets the side that begins.
  if (fresh && session.first.side === "black" && chosen.players.white === "person" && chosen.players.black === "computer") {
    chosen = { ...chosen, players: { white: "computer", black: "person" } };
  }
  resumed.write({ id: session.id, hash: location.hash, players: chosen.players });
  document.title = `${title(game.name, game.about)} – Multigame`;
  playing = new PlayView(session, {
    setup,
    settings: chosen,
    fresh,
    restart: (next, wish) => void restart(next, wish),
    link: (position) => formatRoute(routeOf(setup, position)),
  });
  replace(root, playing.element);
}

async function restart(setup: Setup, chosen: Settings): Promise<void> {
  const mine = ++request;
  try {
    const hash = await formatRoute(routeOf(setup, setup.position));
    const session = await Session.create(dropEmpty(setup));
    playing?.close();
    playing?.session.close();
    history.replaceState(null, "", hash);
    resumed.write({ id: session.id, hash: location.hash, players: chosen.players });
    const options = { setup, settings: chosen, fresh: true, restart, link: (position: string) => formatRoute(routeOf(setup, position)) };
    if (mine !== request) return;
    playing = new PlayView(session, options);
    replace(root, playing.element);
  } catch (failure) {
    toast((failure as Error).message, "error");
  }
}

function routeOf(setup: Setup, position: string | undefined): Route {
  if (setup.game) return { view: "play", game: setup.game, parameters: setup.parameters ?? {}, position };
  return { view: "own", rules: setup.rules, position };
}

function dropEmpty(setup: Setup): Setup {
  return JSON.parse(JSON.stringify(setup)) as Setup;
}

function playOwn(): void {
  resumed.write(null);
  location.hash = "#own";
}

function showFailure(message: string): void {
  replace(root, h("div", { class: "failure", role: "alert" }, h("h1", {}, "That did not work"), h("p", {}, message), h("a", { href: "#", class: "primary" }, "To the games")));
}

function onKey(event: KeyboardEvent): void {
  // The editor is a tree of its own: from outside only its host is seen.
  const target = event.composedPath()[0] as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (target.closest("input, textarea, select, [contenteditable]")) return;
  const actions: Record<string, () => void> = {
    "?": () => void showHelp(),
    t: changeTheme,
    g: () => !page.game && (location.hash = "#"),
    e: () => page.editor && (location.hash = "#write"),
  };
  const action = actions[event.key];
  if (action) action();
  else if (!playing?.key(event.key)) return;
  event.preventDefault();
}

/** Begins the page. */
export function begin(chosen: Page): void {
  page = chosen;
  answeredBy(page.transport);
  applyTheme();
  drawTop();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
  document.getElementById("skip")!.addEventListener("click", () => root.focus());
  window.addEventListener("hashchange", () => void navigate());
  document.addEventListener("keydown", onKey);
  void navigate();
}
