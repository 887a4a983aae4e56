// The engine of published pages in Node.js, without a browser: the same web worker on the same WebAssembly.
import { build } from "esbuild";
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A part of the page, bundled as the build does it. */
async function bundle(name, format) {
  const { outputFiles } = await build({ entryPoints: [here(`../src/offline/${name}`)], bundle: true, format, write: false });
  return outputFiles[0].text;
}

const { unpack } = await import(`data:text/javascript,${encodeURIComponent(await bundle("lzma.ts", "esm"))}`);
const script = new vm.Script(await bundle("worker.ts", "iife"));
const module = new WebAssembly.Module(await unpack(readFileSync(here("../offline/engine.wasm.lzma"))));

/** WebAssembly for a page whose browser takes no more than the engine. */
const OnlyTheEngine = {
  ...Object.fromEntries(Object.getOwnPropertyNames(WebAssembly).map((name) => [name, WebAssembly[name]])),
  Module: class {
    constructor() {
      throw new Error("this test wants the interpreter");
    }
  },
};

/** A new engine. Wishes are done at once: `wish` gives the answer and throws failures. */
export function engine({ interpreter = false } = {}) {
  let last = null;
  const self = {
    onmessage: null,
    postMessage: (message) => {
      if ("broken" in message) throw new Error(message.broken);
      if ("number" in message) last = message;
    },
  };
  const quiet = { ...console, warn: () => undefined };
  script.runInContext(vm.createContext({
    self, WebAssembly: interpreter ? OnlyTheEngine : WebAssembly, TextDecoder, TextEncoder, performance, crypto: webcrypto, console: quiet,
  }));
  const send = (data) => self.onmessage({ data });
  send({ module });
  return {
    wish(wish) {
      last = null;
      send({ number: 1, wish: JSON.stringify(wish) });
      const body = JSON.parse(last.body);
      if (!last.ok) throw new Error(last.body);
      return body;
    },
  };
}

/** What begins a session. */
export const opening = { position: null, moves: [], clock: null, table_mib: 32 };

/** A search of this depth. */
export const think = (number, depth, options = {}) => ({
  number, time: null, total: null, depth, nodes: null, threads: 1, engine: null, options: null, play: false, solve: false, ...options,
});
