// A page with one game that works from a file: `multigame publish GAME`.

import { begin } from "../main.ts";
import { inside } from "./engine.ts";
import { Local, type Rules } from "./local.ts";

/** What the page has packed. */
const packed = inside("rules").then((response) => response.json() as Promise<{ rules: Rules; shelf: Record<string, string> }>);
const shelf = { rules: async () => (await packed).rules, texts: async () => (await packed).shelf };
begin({ transport: new Local(shelf), game: document.getElementById("rules")!.dataset.name! });
