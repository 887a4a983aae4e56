// A page with one game that works from a file: `multigame publish GAME`.

import { begin } from "../main.ts";
import { inside } from "./engine.ts";
import { Local } from "./local.ts";
import { unpackRules } from "./weights.ts";

/** What the page has packed. */
const packed = inside("rules").then((response) => response.arrayBuffer()).then((bytes) => unpackRules(new Uint8Array(bytes)));
const shelf = { rules: async () => (await packed).rules, texts: async () => (await packed).shelf };
begin({ transport: new Local(shelf), game: document.getElementById("rules")!.dataset.name! });
