// Bundles src/ into dist/, which is committed: the binary embeds it, and builds with cargo alone.
import { build } from "esbuild";
import { cp, mkdir, readdir, rm } from "node:fs/promises";

const dist = new URL("dist/", import.meta.url);
await mkdir(dist, { recursive: true });
for (const name of await readdir(dist)) await rm(new URL(name, dist), { recursive: true });

await build({
  entryPoints: { page: "src/main.ts", style: "src/style/page.css" },
  absWorkingDir: new URL(".", import.meta.url).pathname,
  outdir: "dist",
  bundle: true,
  minify: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  chunkNames: "[name]-[hash]",
  legalComments: "none",
  logLevel: "warning",
});
for (const name of ["index.html", "icon.svg"]) await cp(new URL(`src/${name}`, import.meta.url), new URL(name, dist));
