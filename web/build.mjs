// Bundles src/ into dist/ and offline/, which are committed: the binary embeds them, and builds with cargo alone.
//
// dist/ is the page that `multigame serve` shows. offline/ has what `multigame publish` puts into pages that need
// no server; engine.mjs makes the engine there.
import { build } from "esbuild";
import { cp, mkdir, readdir, rm } from "node:fs/promises";

const here = (name) => new URL(name, import.meta.url);
const common = {
  absWorkingDir: here(".").pathname,
  bundle: true,
  minify: true,
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
};

/** A folder without what earlier builds left. */
async function empty(folder, keep = []) {
  await mkdir(here(folder), { recursive: true });
  for (const name of await readdir(here(folder))) if (!keep.includes(name)) await rm(here(`${folder}/${name}`), { recursive: true });
}

await empty("dist");
const split = { ...common, splitting: true, format: "esm", chunkNames: "[name]-[hash]" };
await build({ ...split, entryPoints: { page: "src/page.ts", style: "src/style/page.css" }, outdir: "dist" });
for (const name of ["index.html", "icon.svg"]) await cp(here(`src/${name}`), here(`dist/${name}`));

await empty("offline", ["engine.wasm.lzma", "engine.sources"]);
const worker = await build({ ...common, entryPoints: ["src/offline/worker.ts"], format: "iife", write: false });
const define = { WORKER: JSON.stringify(worker.outputFiles[0].text) };
await build({ ...common, define, entryPoints: { game: "src/offline/game.ts" }, format: "iife", outdir: "offline" });
await build({ ...split, define, entryPoints: { site: "src/offline/site.ts" }, outdir: "offline" });
await cp(here("src/offline/game.html"), here("offline/game.html"));
