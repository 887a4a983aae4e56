// The engine of published pages against the native program, game by game: the same search has the same result and as
// many nodes, and along a random game the interpreter sees the same. The first line of standard input is what all games
// share, each line after it a game; each game is answered by a line.
import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { engine, opening } from "./engine.mjs";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { table, shelf } = JSON.parse((await lines.next()).value);
const PLIES = 5;
/** Moves that are named by the interpreter in one game at most: it takes milliseconds for each in some games. */
const MOVES = 1_000;

/** Numbers as they come, the same each time. */
let state = 1;
function below(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

function begin(rules, options) {
  const begun = engine(options);
  begun.wish({ shelf });
  const answer = begun.wish({ open: [rules, { ...opening, table_mib: table, seed: 1 }] });
  return { ask: (request) => begun.wish({ request }), backend: answer.backend, reason: answer.reason };
}

/** A state without what differs each time: the order of moves is not part of the rules, and players take time. */
function timeless(state) {
  const same = JSON.parse(JSON.stringify(state, (key, value) => (key === "time" ? undefined : value)));
  return { ...same, moves: same.moves.map((move) => JSON.stringify(move)).sort() };
}

function follow(compiled, interpreted) {
  for (let ply = 0, moves = 0; ; ply++) {
    const [found, expected] = [compiled, interpreted].map((game) => game.ask("state"));
    assert.deepEqual(timeless(found), timeless(expected));
    moves += expected.moves.length;
    if (ply === PLIES || moves > MOVES || expected.moves.length === 0) return ply;
    const { name } = expected.moves[below(expected.moves.length)];
    for (const game of [compiled, interpreted]) game.ask({ play: name });
  }
}

for await (const line of lines) {
  const { rules, think, native } = JSON.parse(line);
  const report = { game: rules.name, failure: null };
  let begun = performance.now();
  const lap = () => Math.round(-begun + (begun = performance.now()));
  try {
    const compiled = begin(rules);
    assert.deepEqual([compiled.backend, compiled.reason], ["WebAssembly", null]);
    report.opened = lap();
    const thought = compiled.ask({ think });
    for (const key of Object.keys(native)) assert.deepEqual(thought[key], native[key], key);
    report.searched = lap();
    const interpreted = begin(rules, { interpreter: true });
    assert.equal(interpreted.backend, "interpreter");
    assert.match(interpreted.reason, /the browser did not take it/);
    report.plies = follow(compiled, interpreted);
    report.followed = lap();
  } catch (failure) {
    report.failure = failure.message;
  }
  console.log(JSON.stringify(report));
}
