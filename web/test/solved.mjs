// The values of endgame databases in the page: tic-tac-toe as a whole, and king and rook against king.
import { assert, banner, run, shown, start, state, test } from "./lib.mjs";

/** Opens the panel with the values. */
async function solved(page) {
  await page.getByRole("tab", { name: "Solved" }).click();
  await page.locator(".solved-move").first().waitFor();
}

/** What the panel says of the position, and of each move. */
async function values(page) {
  const moves = await page.locator(".solved-move").evaluateAll((rows) => rows.map((row) => [row.querySelector(".solved-name").textContent, row.querySelector(".solved-value").textContent]));
  return { position: await page.locator(".solved-position").textContent(), moves };
}

/** Makes the move in that row of the panel. */
async function choose(page, row = 0) {
  const before = await shown(page);
  await page.locator(".solved-move").nth(row).click();
  await page.waitForFunction((count) => document.querySelectorAll(".move-list li button").length > count, before);
}

async function pictured(page, name) {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/solved-${name}.png` });
}

test("tic-tac-toe says of each move where it leads", async (open) => {
  const page = await start(open, "tic-tac-toe");
  await solved(page);
  const first = await values(page);
  assert.equal(first.position, "Nobody can force a win.");
  assert.equal(first.moves.length, 9);
  assert.ok(first.moves.every(([, value]) => value === "draws"), JSON.stringify(first.moves));
  for (const name of ["a1", "b1"]) await choose(page, (await values(page)).moves.findIndex(([move]) => move === name));
  const { position, moves } = await values(page);
  assert.equal(position, "White wins in 3 moves");
  assert.deepEqual(moves.filter(([, value]) => value === "wins in 3 moves").map(([name]) => name).sort(), ["a2", "a3", "b2"]);
  assert.deepEqual(moves.slice(3).map(([, value]) => value), ["draws", "draws", "draws", "draws"]);
  await page.locator(".solved-move").first().hover();
  assert.equal(await page.locator(".ghost.hint").count(), 1, "the move is not shown on the board");
  await pictured(page, "tic-tac-toe");
  await choose(page);
  assert.equal((await values(page)).position, "White wins in 2 moves");
  assert.match((await values(page)).moves[0][1], /^loses in 2 moves$/);
  for (let ply = 0; ply < 4; ply++) await choose(page);
  assert.equal(await banner(page), "White wins");
  assert.equal(await page.locator(".solved-position").textContent(), "The game is over.");
});

test("king and rook mate as fast as their value says", async (open) => {
  const page = await start(open, "chess", { position: "8/8/8/4k3/8/8/8/KR6 w - - 0 1" });
  await solved(page);
  const { position, moves } = await values(page);
  assert.equal(position, "White wins in 15 moves");
  assert.equal(moves[0][1], "wins in 15 moves");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(wide, 0, "the page is wider than its window");
  await pictured(page, "chess");
  for (let left = 29; left > 0; left--) {
    const { endgame } = await state(page);
    assert.equal(endgame.standing.plies, left);
    await choose(page);
  }
  assert.equal(await banner(page), "White wins");
});

test("the computer mates by the same values", async (open) => {
  const settings = { players: { white: "computer", black: "person" }, level: 0, clock: null, lines: false };
  const page = await start(open, "chess", { position: "8/8/8/4k3/8/8/8/KR6 w - - 0 1", settings });
  for (let left = 28; left > 0; left -= 2) {
    await page.waitForFunction((count) => document.querySelectorAll(".move-list li button").length > count, 28 - left);
    assert.equal((await state(page)).endgame.standing.plies, left);
    await solved(page);
    await choose(page);
  }
  assert.equal(await banner(page), "White wins");
});

test("what is not in the databases is said, and games without them have no such panel", async (open) => {
  const page = await start(open, "chess");
  await page.getByRole("tab", { name: "Solved" }).click();
  assert.equal(await page.locator(".solved-position").textContent(), "The value of this position is not known.");
  assert.equal(await page.locator(".solved-move").count(), 0);
  const other = await start(open, "connect-4");
  assert.equal(await other.getByRole("tab", { name: "Solved" }).count(), 0);
});

await run();
