// Complete games through the page: every click as a person makes it.
import { assert, banner, cell, click, play, run, shown, start, state, test } from "./lib.mjs";

/** Moves spread over the list: deterministic, and varied enough for short games with everything in them. */
function spread(first, step) {
  return (moves, ply) => moves[(first + ply * step) % moves.length];
}

/** Plays to the end: each time the move that `choose` picks among the legal ones, by its clicks. */
async function complete(page, choose, most = 200) {
  const played = [];
  for (let ply = 0; ply < most; ply++) {
    const now = await state(page);
    if (now.outcome) return { played, outcome: now.outcome };
    const move = choose(now.moves, ply);
    played.push(move);
    const before = await shown(page);
    if (move.clicks.length === 0) await page.locator(".move-buttons button", { hasText: move.name }).click();
    else await click(page, ...move.clicks);
    await page.waitForFunction((count) => document.querySelectorAll(".move-list li button").length > count, before);
  }
  throw new Error(`no end after ${most} moves`);
}

test("tic-tac-toe, to a win", async (open) => {
  const page = await start(open, "tic-tac-toe");
  for (const field of ["a1", "b1", "a2", "b2", "a3"]) await play(page, [field]);
  assert.equal(await banner(page), "White wins");
  assert.equal(await page.locator(".status").textContent(), "White wins");
});

test("connect-4, by clicking anywhere in a column", async (open) => {
  const page = await start(open, "connect-4");
  for (const field of ["a6", "b6", "a6", "b1", "a5", "b2", "a1"]) await play(page, [field]);
  assert.equal(await banner(page), "White wins");
});

test("checkers, with compulsory jumps over several men", async (open) => {
  const page = await start(open, "checkers");
  const other = spread(3, 11);
  const longest = (moves, ply) => {
    const most = moves.reduce((best, move) => (move.captured.length > best.captured.length ? move : best));
    return most.captured.length > 0 ? most : other(moves, ply);
  };
  const { played, outcome } = await complete(page, longest);
  const jumps = played.filter((move) => move.captured.length > 1);
  assert.ok(jumps.length > 0, "nobody jumped over two men");
  assert.ok(jumps.every((move) => move.clicks.length >= 2));
  assert.ok(outcome.text.length > 0);
  await banner(page);
});

test("checkers: a jump is compulsory, and other men cannot be taken up", async (open) => {
  const page = await start(open, "checkers", { position: "8/8/8/4b3/8/2b5/1w5w/8 w" });
  await cell(page, "h2").click();
  assert.equal(await page.locator("[role=gridcell][aria-selected=true]").count(), 0);
  await play(page, ["b2", "f6"]);
  assert.equal((await state(page)).cells.c3, undefined);
});

test("nine men's morris, with mills and men taken", async (open) => {
  const page = await start(open, "nine-mens-morris");
  const other = spread(4, 9);
  const { played } = await complete(page, (moves, ply) => moves.find((move) => move.captured.length > 0) ?? other(moves, ply));
  const mills = played.filter((move) => move.captured.length > 0);
  assert.ok(mills.some((move) => move.clicks.length > 1), "no mill had a choice");
  await banner(page);
});

test("othello, with a pass", async (open) => {
  const page = await start(open, "othello");
  const { played, outcome } = await complete(page, spread(0, 1));
  assert.ok(played.some((move) => move.clicks.length === 0), "nobody had to pass");
  assert.match(outcome.text, /wins by 18/);
  await banner(page);
});

test("chess, with castling, en passant, promotion and mate", async (open) => {
  const page = await start(open, "chess");
  const game = "e2e4 a7a6 e4e5 d7d5 e5d6 b7b6 d6c7 b6b5 c7b8q a6a5 g1f3 a5a4 f1c4 a4a3 e1g1 e8d7 c4b5 d7e6 b8e5";
  for (const move of game.split(" ")) {
    await play(page, [move.slice(0, 2), move.slice(2, 4)], move[4] === "q" ? "queen" : undefined);
    const now = await state(page);
    if (move === "e5d6") assert.equal(now.cells.d5, undefined, "the pawn taken en passant is still there");
    if (move === "e1g1") assert.ok(now.cells.f1 && !now.cells.h1, "the rook did not castle");
    if (move === "c7b8q") assert.match(await cell(page, "b8").getAttribute("aria-label"), /white queen/);
  }
  assert.equal(await banner(page), "White wins");
});

test("chess: dragging, turning the board, taking back", async (open) => {
  const page = await start(open, "chess");
  const middle = async (field) => {
    const box = await cell(page, field).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const drag = async (from, to) => {
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 4 });
    await page.mouse.up();
  };
  await drag("e2", "e5");
  assert.equal(await shown(page), 0, "a pawn was dropped on a field that it cannot reach");
  await drag("e2", "e4");
  await page.locator(".move-list li button").waitFor();
  const [, before] = await middle("e4");
  await page.keyboard.press("f");
  const [, after] = await middle("e4");
  assert.notEqual(Math.round(before), Math.round(after));
  await drag("e7", "e5");
  await page.waitForFunction(() => document.querySelectorAll(".move-list li button").length === 2);
  await page.getByRole("button", { name: "Take a move back" }).click();
  await page.waitForFunction(() => document.querySelector(".move-list [aria-current]")?.textContent.startsWith("e2"));
  await page.getByRole("button", { name: "Make it again" }).click();
  await page.waitForFunction(() => document.querySelector(".move-list [aria-current]")?.textContent.startsWith("e7"));
});

test("amazons: a move in three clicks", async (open) => {
  const page = await start(open, "amazons");
  await play(page, ["d1", "d7", "g7"]);
  const { cells } = await state(page);
  assert.ok(cells.d7 && cells.g7 && !cells.d1);
});

test("awari: seeds are sown by touching a house", async (open) => {
  const page = await start(open, "awari");
  await play(page, ["c1"]);
  assert.match(await cell(page, "c1").getAttribute("aria-label"), /seeds 0/);
  assert.match(await cell(page, "f2").getAttribute("aria-label"), /seeds 5/);
});

test("the cube turns by buttons and by clicks on a face", async (open) => {
  const page = await start(open, "rubik");
  await page.getByRole("button", { name: "U'", exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll(".move-list li button").length === 1);
  await play(page, ["g6"], "R2");
  const names = await page.locator(".move-list li button").allTextContents();
  assert.deepEqual(names, ["U'", "R2"]);
});

test("a 15-puzzle is solved and the solution played back", async (open) => {
  const page = await start(open, "15-puzzle", { position: "4123/56A7/C9.B/D8EF" });
  await page.getByRole("button", { name: "Solve" }).click();
  await banner(page, 60_000);
  const now = await state(page);
  assert.equal(now.position, ".123/4567/89AB/CDEF");
  assert.equal(await shown(page), now.ply);
});

test("hanoi is solved", async (open) => {
  const page = await start(open, "hanoi");
  await page.getByRole("button", { name: "Solve" }).click();
  await banner(page);
  assert.equal(await shown(page), 15);
});

test("against the computer, with a hint, and a link that carries the position", async (open) => {
  const page = await start(open, "connect-4", { settings: { players: { white: "person", black: "computer" }, level: 0, clock: null, lines: true } });
  await play(page, ["d1"]);
  await page.waitForFunction(() => document.querySelectorAll(".move-list li button").length === 2);
  await page.keyboard.press("h");
  await page.locator(".arrows .ghost.hint").waitFor();
  const before = (await state(page)).position;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy a link to this position" }).click();
  const link = await page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return navigator.clipboard.readText();
  });
  const other = await open(new URL(link).hash);
  await other.waitForSelector("[role=gridcell]");
  assert.equal((await state(other)).position, before);
});

await run();
