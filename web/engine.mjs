// Makes the engine of pages that need no server: crates/browser as WebAssembly, compressed, into offline/.
//
//   node engine.mjs           builds it (needs `rustup target add wasm32-wasip1` and Python)
//   node engine.mjs --check   says whether it was built from the sources that are here
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const TARGET = "wasm32-wasip1";
/** Networks are sums of products, which all browsers with `DecompressionStream` can do eight at a time. */
const FLAGS = { CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS: "-C target-feature=+simd128" };
const root = fileURLToPath(new URL("..", import.meta.url));
const engine = join(root, "web/offline/engine.wasm.lzma");
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

/**
 * A file in the form that lzma.ts unpacks: by gzip, which browsers know, it is 1.4 times as large, because gzip does not
 * see how much alike the searches of different games are.
 */
function pack(path) {
  const program = `
import lzma, sys
content = open(sys.argv[1], "rb").read()
filters = [{"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0, "dict_size": 1 << 23}]
packed = lzma.compress(content, format=lzma.FORMAT_ALONE, filters=filters)
sys.stdout.buffer.write(packed[:5] + len(content).to_bytes(8, "little") + packed[13:])`;
  return execFileSync("python3", ["-c", program, path], { maxBuffer: 1 << 26 });
}

if (process.argv[2] === "--check") {
  const built = existsSync(stamp) ? readFileSync(stamp, "utf8").trim() : "nothing";
  if (built !== sources()) {
    console.error("web/offline/engine.wasm.lzma is older than its sources: run `npm run --prefix web engine` and commit it");
    process.exit(1);
  }
} else {
  const build = ["build", "--locked", "--profile", "engine", "--target", TARGET, "-p", "multigame-browser"];
  try {
    execFileSync("cargo", build, { cwd: root, stdio: "inherit", env: { ...process.env, ...FLAGS } });
  } catch {
    console.error(`the engine could not be built; is the target there (\`rustup target add ${TARGET}\`)?`);
    process.exit(1);
  }
  const folder = process.env.CARGO_TARGET_DIR ?? join(root, "target");
  const packed = pack(join(folder, TARGET, "engine/multigame_browser.wasm"));
  writeFileSync(engine, packed);
  writeFileSync(stamp, `${sources()}\n`);
  console.log(`${engine}: ${Math.ceil(packed.length / 1024)} KiB`);
}
