// Makes the engine of pages that need no server: crates/browser as WebAssembly, compressed, into offline/.
//
//   node engine.mjs           builds it (needs `rustup target add wasm32-wasip1`)
//   node engine.mjs --check   says whether it was built from the sources that are here
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const TARGET = "wasm32-wasip1";
const root = fileURLToPath(new URL("..", import.meta.url));
const engine = join(root, "web/offline/engine.wasm.gz");
const stamp = join(root, "web/offline/engine.sources");

/** All files below a path, in an order that does not depend on the machine. */
function files(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).sort().flatMap((name) => files(join(path, name)));
}

/** A hash of everything the engine is made of: our crates and the versions of others. */
function sources() {
  const tree = ["tree", "--locked", "-p", "multigame-browser", "--target", TARGET, "-e", "normal,build", "--prefix", "none", "--format", "{p}"];
  const lines = execFileSync("cargo", tree, { cwd: root, encoding: "utf8" }).split("\n");
  const packages = [...new Set(lines.map((line) => line.replace(/ \(.*/, "").trim()).filter(Boolean))].sort();
  const ours = packages.filter((name) => name.startsWith("multigame-")).map((name) => name.split(" ")[0].replace("multigame-", ""));
  const code = ours.flatMap((name) => ["src", "build.rs", "Cargo.toml"].flatMap((part) => files(join(root, "crates", name, part))));
  const hash = createHash("sha256");
  hash.update(packages.join("\n"));
  for (const file of code) hash.update(`\n${file.slice(root.length)}\n`).update(readFileSync(file));
  return hash.digest("hex");
}

if (process.argv[2] === "--check") {
  const built = existsSync(stamp) ? readFileSync(stamp, "utf8").trim() : "nothing";
  if (built !== sources()) {
    console.error("web/offline/engine.wasm.gz is older than its sources: run `npm run --prefix web engine` and commit it");
    process.exit(1);
  }
} else {
  const build = ["build", "--locked", "--profile", "engine", "--target", TARGET, "-p", "multigame-browser"];
  try {
    execFileSync("cargo", build, { cwd: root, stdio: "inherit" });
  } catch {
    console.error(`the engine could not be built; is the target there (\`rustup target add ${TARGET}\`)?`);
    process.exit(1);
  }
  const folder = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const packed = gzipSync(readFileSync(join(folder, TARGET, "engine/multigame_browser.wasm")), { level: 9 });
  writeFileSync(engine, packed);
  writeFileSync(stamp, `${sources()}\n`);
  console.log(`${engine}: ${Math.ceil(packed.length / 1024)} KiB`);
}
