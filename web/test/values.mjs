// The engine of published pages against the native program, on every game it was given on standard input: the same
// search has the same result and as many nodes, and along a random game the interpreter sees the same.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { engine, opening } from "./engine.mjs";

const { table, shelf, searches } = JSON.parse(readFileSync(0, "utf8"));
const PLIES = 5;

/** Numbers as they come, the same each time. */
let state = 1;
function below(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

function begin(rules, options) {
  const begun = engine(options);
  begun.wish({ shelf });
  const answer = begun.wish({ open: [rules, { ...opening, table_mib: table }] });
  return { ask: (request) => begun.wish({ request }), backend: answer.backend, reason: answer.reason };
}

/** A state without what differs each time: the order of moves is not part of the rules, and players take time. */
function timeless(state) {
  const same = JSON.parse(JSON.stringify(state, (key, value) => (key === "time" ? undefined : value)));
  return { ...same, moves: same.moves.map((move) => JSON.stringify(move)).sort() };
}

function follow(compiled, interpreted) {
  for (let ply = 0; ; ply++) {
    const [found, expected] = [compiled, interpreted].map((game) => game.ask("state"));
    assert.deepEqual(timeless(found), timeless(expected));
    if (ply === PLIES || expected.moves.length === 0) return;
    const { name } = expected.moves[below(expected.moves.length)];
    for (const game of [compiled, interpreted]) game.ask({ play: name });
  }
}

const failures = [];
for (const { rules, think, native } of searches) {
  const begun = performance.now();
  try {
    const compiled = begin(rules);
    assert.deepEqual([compiled.backend, compiled.reason], ["WebAssembly", null]);
    const thought = compiled.ask({ think });
    for (const key of Object.keys(native)) assert.deepEqual(thought[key], native[key], key);
    const interpreted = begin(rules, { interpreter: true });
    assert.equal(interpreted.backend, "interpreter");
    assert.match(interpreted.reason, /the browser did not take it/);
    follow(compiled, interpreted);
  } catch (failure) {
    failures.push(`${rules.name}: ${failure.message}`);
  }
  console.log(`${rules.name}: ${Math.round(performance.now() - begun)} ms`);
}
console.log(`${searches.length} games, ${failures.length} differ`);
if (failures.length > 0) console.log(failures.join("\n"));
process.exit(failures.length > 0 ? 1 : 0);
