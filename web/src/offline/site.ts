// The whole page without a server: `multigame publish --site FOLDER`.

import { begin } from "../main.ts";
import { ApiError } from "../transport.ts";
import { Local, type Rules } from "./local.ts";

async function load<T>(path: string, failure: string): Promise<T> {
  const response = await fetch(path).catch(() => null);
  if (!response?.ok) throw new ApiError("no-such-game", failure);
  return (await response.json()) as T;
}

let all: Promise<Record<string, string>> | undefined;

const shelf = {
  rules: (game: string) => load<Rules>(`games/${encodeURIComponent(game)}.json`, `there is no game \`${game}\` here`),
  texts: () => (all ??= load<Record<string, string>>("games.json", "the games cannot be loaded; open the site through a web server")),
};
begin({ transport: new Local(shelf), editor: () => import("../editor/editor.ts") });
