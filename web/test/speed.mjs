// Nodes per second in the web worker of published pages, beside the native program (MULTIGAME) and beside the
// interpreter in the same page.
import { execFileSync } from "node:child_process";
import { assert, run, test } from "./lib.mjs";

/** Deep enough that getting ready does not count. */
const DEPTHS = { chess: 14, checkers: 20, "connect-4": 15 };
/** The interpreter gets no farther in this time. */
const NODES = 1_000;
/** So much faster than the interpreter it is on the busiest machine. */
const FACTOR = 4;

/** Runs in the page before its own scripts: the web worker with the game is kept where the test finds it. */
function keep(interpreter) {
  const [RealBlob, RealWorker] = [Blob, Worker];
  const before = "WebAssembly.Module = function () { throw new Error('the test wants the interpreter'); };";
  if (interpreter) {
    globalThis.Blob = class extends RealBlob {
      constructor(parts, options) {
        super(options?.type === "text/javascript" ? [before, ...parts] : parts, options);
      }
    };
  }
  globalThis.Worker = class extends RealWorker {
    postMessage(message, ...rest) {
      if (message.wish?.startsWith('{"open"')) globalThis.engine = this;
      super.postMessage(message, ...rest);
    }
  };
}

/** Searches in the worker of a page: what was found, and nodes per second. */
async function search(page, depth, nodes) {
  const think = { number: 1, time: null, total: null, depth, nodes, threads: 1, engine: null, options: null, play: false, solve: false };
  const { body, milliseconds } = await page.evaluate((wish) => new Promise((resolve) => {
    const begun = performance.now();
    globalThis.engine.onmessage = ({ data }) => {
      if (data.number === 1_000_000) resolve({ body: data.body, milliseconds: performance.now() - begun });
    };
    globalThis.engine.postMessage({ number: 1_000_000, wish });
  }), JSON.stringify({ request: { think } }));
  const thought = JSON.parse(body);
  return { value: thought.value, nodes: thought.nodes, speed: (1000 * thought.nodes) / milliseconds };
}

async function opened(open, game, interpreter) {
  const page = await open("empty.html");
  await page.addInitScript(keep, interpreter);
  const address = page.url().replace("empty.html", `${game}.html`);
  await page.goto(address);
  await page.waitForSelector("[role=gridcell]");
  return page;
}

for (const [game, depth] of Object.entries(DEPTHS)) {
  test(`${game} at depth ${depth}`, async (open) => {
    const native = JSON.parse(execFileSync(process.env.MULTIGAME, ["search", game, "--depth", `${depth}`, "--threads", "1", "--table", "32", "--json"], { encoding: "utf8" }));
    const found = await search(await opened(open, game, false), depth, null);
    const interpreted = await search(await opened(open, game, true), depth, NODES);
    const per = (speed) => `${Math.round(speed / 1000)} k/s`;
    const speed = native.nodes / native.seconds;
    console.log(`${game}: native ${per(speed)}, page ${per(found.speed)}, ratio ${(found.speed / speed).toFixed(2)}, interpreter ${Math.round(interpreted.speed)}/s`);
    assert.equal(found.nodes, native.nodes);
    assert.ok(found.speed > FACTOR * interpreted.speed, `${found.speed} is not much more than ${interpreted.speed}`);
  });
}

await run();
