// Makes dist/extension.js, one file with everything that it needs.
import { build } from "esbuild";

await build({
  entryPoints: ["src/extension.ts"],
  absWorkingDir: import.meta.dirname,
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node18",
  external: ["vscode"],
  minify: true,
  legalComments: "eof",
});
