// Pages that need no server: every game is played from a file, and nothing is asked for elsewhere.
import { assert, banner, cell, click, PEOPLE, play, run, shown, test } from "./lib.mjs";

const COMPUTER = { players: { white: "person", black: "computer" }, level: 2, clock: null, lines: true };

async function open_file(open, game, settings, hash = "") {
  const page = await open(`${game}.html${hash}`, { settings });
  await page.waitForSelector("[role=gridcell]");
  return page;
}

/** Plays the first field that can be clicked until the game is over; the computer answers. */
async function against(page, most, pick) {
  for (let turn = 0; turn < most; turn++) {
    if (await page.locator(".banner strong").isVisible()) return;
    const before = await shown(page);
    await pick(page, turn);
    await page.waitForFunction((count) => document.querySelectorAll(".move-list li button").length >= count + 2 || document.querySelector(".banner strong")?.offsetParent, before, { timeout: 60_000 });
  }
}

test("tic-tac-toe, to a win", async (open) => {
  const page = await open_file(open, "tic-tac-toe", PEOPLE);
  for (const field of ["a1", "b1", "a2", "b2", "a3"]) await play(page, [field]);
  assert.equal(await banner(page), "White wins");
});

test("connect-4, against the computer to the end", async (open) => {
  const page = await open_file(open, "connect-4", COMPUTER);
  await against(page, 21, async (page, turn) => {
    for (let column = 0; column < 7; column++) {
      const name = "abcdefg"[(column + turn) % 7];
      const before = await shown(page);
      await cell(page, `${name}6`).click();
      await page.waitForTimeout(50);
      if ((await shown(page)) > before) return;
    }
  });
  assert.match(await banner(page), /wins|draw/i);
});

test("checkers: the computer answers, and a move is taken back while it thinks", async (open) => {
  const page = await open_file(open, "checkers", { ...COMPUTER, level: 4 });
  const place = page.locator("[role=gridcell]");
  assert.equal(await place.count() > 32, true);
  await page.locator("#typed-move").fill("11-15");
  await page.locator("#typed-move").press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".move-list li button").length === 1);
  // The computer thinks for seconds; its web worker is ended, and the game goes on in another one.
  await page.waitForTimeout(500);
  await page.getByRole("button", { name: "Take a move back" }).click();
  await page.waitForFunction(() => document.querySelector(".move-list li button[aria-current]") === null);
  await page.locator("#typed-move").fill("9-14");
  await page.locator("#typed-move").press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".move-list li button").length === 2, undefined, { timeout: 30_000 });
});

test("chess, to mate, with a link to a position", async (open) => {
  const page = await open_file(open, "chess", PEOPLE);
  const game = "e2e4 a7a6 e4e5 d7d5 e5d6 b7b6 d6c7 b6b5 c7b8q a6a5 g1f3 a5a4 f1c4 a4a3 e1g1 e8d7 c4b5 d7e6 b8e5";
  for (const move of game.split(" ")) {
    await play(page, [move.slice(0, 2), move.slice(2, 4)], move[4] === "q" ? "queen" : undefined);
  }
  assert.equal(await banner(page), "White wins");
  const position = encodeURIComponent("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
  const other = await open_file(open, "chess", PEOPLE, `#play/chess?position=${position}`);
  await play(other, ["a1", "a8"]);
  assert.equal(await banner(other), "White wins");
});

test("a game written by somebody, on a phone", async (open) => {
  const page = await open("my-game.html", { settings: PEOPLE, viewport: { width: 360, height: 640 } });
  await page.waitForSelector("[role=gridcell]");
  assert.equal(await page.title(), "My game – Multigame");
  assert.equal(await page.locator("nav a").count(), 0, "there is nothing else to go to");
  await click(page, "a1", "a2");
  assert.equal(await banner(page), "White wins");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the phone");
});

await run();
