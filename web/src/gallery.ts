// The bundled games as a gallery of small boards.

import { bundled, listGames, type GameEntry } from "./api.ts";
import { BoardView } from "./board/view.ts";
import { h, replace, icon } from "./dom.ts";

const TITLES: Record<string, string> = {
  chess: "Chess and its relatives",
  shogi: "Shogi",
  draughts: "Draughts",
  rows: "Rows",
  connection: "Connecting",
  territory: "Territory",
  mancala: "Mancala",
  morris: "Morris",
  tafl: "Tafl",
  hunt: "Hunting",
  race: "Racing",
  blocking: "Blocking",
  combinatorial: "Who moves last",
  modern: "Modern",
  puzzle: "Puzzles",
};

/** What a game is called: as its first comment writes it, if that is only another spelling of its name. */
export function title(name: string, about = ""): string {
  const written = about.split(/[:,]/)[0].replace(/^The /, "").replace(/ \(.*/, "");
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (letters(written).startsWith(letters(name)) && written.length < 28) return capital(written);
  return capital(name.replaceAll("-", " "));
}

/** The first comment without the name before the colon. */
export function summary(about: string): string {
  return capital(about.replace(/^[^:]*:\s*/, ""));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export async function gallery(root: HTMLElement): Promise<void> {
  const games = await listGames();
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      void thumbnail(entry.target as HTMLElement);
    }
  }, { rootMargin: "300px" });
  const sections = h("div", { class: "sections" });
  const draw = (wanted: string) => {
    const found = games.filter((game) => `${game.name} ${game.family} ${game.about}`.toLowerCase().includes(wanted.toLowerCase()));
    const families = Object.keys(TITLES).concat(found.map((game) => game.family));
    const parts = [...new Set(families)].map((family) => section(family, found.filter((game) => game.family === family), watcher));
    replace(sections, ...parts, found.length === 0 && h("p", { class: "nothing" }, `No game matches “${wanted}”.`));
  };
  const search = h("input", { type: "search", placeholder: "Find a game", "aria-label": "Find a game", id: "find-game" });
  search.addEventListener("input", () => draw(search.value.trim()));
  draw("");
  replace(
    root,
    h("div", { class: "gallery" },
      h("header", { class: "gallery-head" },
        h("div", {},
          h("h1", {}, "Choose a game"),
          h("p", {}, `${games.length} games, each of them a page of rules. Play, watch the computer think, or `,
            h("a", { href: "#write" }, "write your own"), "."),
        ),
        h("div", { class: "find" }, icon("search"), search),
      ),
      sections,
    ),
  );
}

function section(family: string, games: GameEntry[], watcher: IntersectionObserver): HTMLElement | null {
  if (games.length === 0) return null;
  const cards = games.map((game) => {
    const picture = h("div", { class: "thumbnail", "data-game": game.name });
    watcher.observe(picture);
    return h("li", {},
      h("a", { class: "card", href: `#play/${encodeURIComponent(game.name)}` },
        picture, h("span", { class: "card-name" }, title(game.name, game.about)), h("span", { class: "card-about" }, summary(game.about))));
  });
  return h("section", {}, h("h2", {}, TITLES[family] ?? family), h("ul", { class: "cards" }, ...cards));
}

async function thumbnail(picture: HTMLElement): Promise<void> {
  try {
    const { game } = await bundled(picture.dataset.game!);
    const view = new BoardView(game, null);
    view.show(game.initial, null, false);
    replace(picture, view.element);
  } catch {
    picture.classList.add("missing");
  }
}
