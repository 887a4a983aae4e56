// How the page behaves for everybody: keyboard, screen readers, phones, dark and light, and what it loads.
import { gunzipSync } from "node:zlib";
import { address, assert, banner, cell, PEOPLE, play, run, start, state, test } from "./lib.mjs";

test("the first load is small", async (open) => {
  const page = await open();
  await page.locator(".card").first().waitFor();
  const files = await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name));
  let bytes = 0;
  for (const file of [address, ...files.filter((name) => !name.includes("/api/"))]) {
    const answer = await fetch(file, { headers: { "accept-encoding": "identity" } });
    const whole = (await answer.arrayBuffer()).byteLength;
    const size = await compressed(file);
    assert.ok(size <= whole, `${file} is not compressed`);
    bytes += size;
  }
  const api = await page.evaluate(() => performance.getEntriesByType("resource").filter((entry) => entry.name.endsWith("/api/games")).map((entry) => entry.encodedBodySize));
  bytes += api[0];
  console.log(`     first load: ${bytes} bytes compressed`);
  assert.ok(bytes < 250_000, `${bytes} bytes`);
});

/** Bytes on the wire; fetch itself unpacks what it gets. */
async function compressed(file) {
  const { request } = await import("node:http");
  const { hostname, port, pathname } = new URL(file);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: pathname, headers: { "accept-encoding": "gzip" } }, (answer) => {
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("end", () => {
        const body = Buffer.concat(parts);
        if (answer.headers["content-encoding"] === "gzip") assert.ok(gunzipSync(body).length >= 0);
        resolve(body.length);
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}

test("a game with the keyboard alone", async (open) => {
  const page = await open("", { settings: PEOPLE });
  await page.locator(".card").first().waitFor();
  await page.locator("#find-game").focus();
  await page.keyboard.type("tic-tac-toe: three");
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 1);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=gridcell]");
  await page.keyboard.press("b");
  const here = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.match(await here(), /^a1, empty/);
  const go = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const made = (count) => page.waitForFunction((n) => document.querySelectorAll(".move-list li button").length === n, count);
  await go("Enter");
  await made(1);
  assert.match(await here(), /^a1, white mark/);
  await go("ArrowRight", "Enter");
  await made(2);
  await go("ArrowLeft", "ArrowUp", "Enter");
  await made(3);
  await go("ArrowRight", "Enter");
  await made(4);
  await go("ArrowLeft", "ArrowUp", "Enter");
  assert.equal(await banner(page), "White wins");
  await go("?");
  assert.ok(await page.getByRole("dialog", { name: "Help" }).isVisible());
  await go("Escape", "u");
  await page.waitForFunction(() => document.querySelector(".banner").hidden);
  await go("t");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
});

test("a screen reader finds the board, the pieces and the moves", async (open) => {
  const page = await start(open, "chess");
  const tree = await page.locator("body").ariaSnapshot();
  for (const part of ['grid "chess board"', 'gridcell "e1, white king', 'gridcell "d8, black queen', 'toolbar "Game"', 'tab "Moves"', 'button "New game"', 'textbox "Type a move"', "status: White to move", 'navigation "Page"']) {
    assert.ok(tree.includes(part), `${part} is not in the accessibility tree:\n${tree.slice(0, 3000)}`);
  }
  assert.equal(await page.getByRole("row").count(), 8);
  assert.equal(await page.getByRole("gridcell").count(), 64);
  await cell(page, "e2").click();
  assert.match(await cell(page, "e4").getAttribute("aria-label"), /possible/);
  assert.equal(await cell(page, "e2").getAttribute("aria-selected"), "true");
  await play(page, ["e4"]);
  assert.equal(await page.locator("#announcer").textContent(), "white: e2e4");
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, a")]
    .filter((element) => !(element.textContent.trim() || element.getAttribute("aria-label") || element.labels?.length))
    .map((element) => element.outerHTML));
  assert.deepEqual(unnamed, []);
});

test("moves can be typed, and wrong ones are explained", async (open) => {
  const page = await start(open, "chess");
  await page.keyboard.press("m");
  await page.keyboard.type("Nf3");
  await page.keyboard.press("Enter");
  await page.locator(".move-list li button").waitFor();
  await page.locator("#typed-move").fill("Ke5");
  await page.keyboard.press("Enter");
  await page.locator(".toast.error").waitFor();
  assert.equal((await state(page)).ply, 1);
});

for (const game of ["chess", "hex", "nine-mens-morris", "rubik", "kalah", "qubic", "shogi", "halma"]) {
  test(`${game} fits a phone`, async (open) => {
    const page = await start(open, game, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `the page is ${wide} wide`);
    const box = await page.locator(".board-view").boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.width > 200, JSON.stringify(box));
  });
}

test("dark and light follow the machine until somebody chooses", async (open) => {
  const dark = await open("", { colorScheme: "dark" });
  const paper = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await open("", { colorScheme: "light" });
  assert.notEqual(await paper(dark), await paper(light));
  await light.locator("#theme").click();
  assert.equal(await paper(dark), await paper(light));
  await light.reload();
  assert.equal(await paper(dark), await paper(light));
});

test("watching it think: depth, value, speed, the line on the board, the tree", async (open) => {
  const page = await start(open, "chess");
  await page.keyboard.press("2");
  await page.locator("#threads option[value='2']").waitFor({ state: "attached" });
  await page.locator("#threads").selectOption("2");
  await page.getByRole("button", { name: "Think about this position" }).click();
  await page.locator(".depths tbody tr").first().waitFor();
  await page.locator(".arrows .arrow-head.pv").first().waitFor();
  const figures = await page.locator(".figures dd").allTextContents();
  assert.ok(figures.every((text) => text !== "–"), figures.join(" "));
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector(".play").classList.contains("busy"));
  assert.equal(await page.locator(".hand-row").count(), 2);
  assert.match(await page.locator("svg.timeline").getAttribute("aria-label"), /Timeline of the search, 2 workers/);
  await page.keyboard.press("3");
  await page.getByRole("button", { name: "Search the tree" }).click();
  const root = page.getByRole("treeitem").first();
  await root.waitFor();
  assert.ok((await page.getByRole("treeitem").count()) > 3);
  assert.ok((await page.locator(".badge.cutoff").count()) >= 0);
  const before = await page.getByRole("treeitem").count();
  await page.locator("[role=treeitem][aria-level='2'][aria-expanded=false] > .tree-row").first().click();
  await page.waitForFunction((count) => document.querySelectorAll("[role=treeitem]").length > count, before);
});

test("workers of a parallel tree have colours, and a legend", async (open) => {
  const page = await start(open, "othello");
  await page.keyboard.press("3");
  await page.locator("#tree-processors").selectOption("4");
  await page.locator("#tree-policy option[value='jamboree']").waitFor({ state: "attached" });
  await page.locator("#tree-policy").selectOption("jamboree");
  await page.getByRole("button", { name: "Search the tree" }).click();
  const legend = page.getByRole("list", { name: /Workers/ });
  await legend.waitFor();
  assert.equal(await legend.getByRole("listitem").count(), 4);
  const colours = await legend.locator(".worker").evaluateAll((plates) => plates.map((plate) => plate.style.background));
  assert.equal(new Set(colours).size, 4);
  const labels = await page.getByRole("treeitem").evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")));
  assert.ok(labels.every((label) => /worker [1-4]$/.test(label)), labels.join("\n"));
  assert.ok((await page.locator(".shares span").count()) > 4);
});

test("a simulated search is drawn as a timeline", async (open) => {
  const page = await start(open, "othello");
  await page.keyboard.press("4");
  await page.locator("#parallel-processors").selectOption("8");
  await page.getByRole("button", { name: "Simulate" }).click();
  const picture = page.locator("svg.timeline");
  await picture.waitFor();
  assert.match(await picture.getAttribute("aria-label"), /Timeline of the simulated search, 8 workers, .* on average each searched \d+ %/);
  assert.equal(await picture.locator(".lane").count(), 8);
  const first = await picture.locator(".lane-work").first().getAttribute("d");
  assert.ok(first.length > 30, first);
  assert.deepEqual(await page.locator(".parallel-result tbody tr td:first-child").allTextContents(), ["1", "2", "4", "8"]);
  assert.ok(await page.evaluate(() => !document.querySelector(".play").classList.contains("busy")));
});

test("a simulated search is stopped", async (open) => {
  // One that takes minutes: on a busy machine the end of a short one would come before the keystroke.
  const page = await start(open, "chess");
  await page.keyboard.press("4");
  await page.locator("#parallel-depth").selectOption("12");
  await page.getByRole("button", { name: "Simulate" }).click();
  await page.waitForFunction(() => /Simulating 1 processor: \d/.test(document.querySelector(".parallel-panel .note").textContent));
  await page.keyboard.press("Escape");
  await page.locator(".toast.error", { hasText: "stopped" }).waitFor();
});

test("the evaluation is drawn over the game", async (open) => {
  const page = await start(open, "connect-4");
  for (const field of ["d1", "d1", "c1", "e1"]) await play(page, [field]);
  await page.keyboard.press("2");
  await page.getByRole("button", { name: "Evaluate the game" }).click();
  await page.locator(".value-graph svg").waitFor();
  assert.match(await page.locator(".value-graph svg").getAttribute("aria-label"), /Evaluation over the game/);
});

test("a window that is reloaded goes on with its game and its players", async (open) => {
  const page = await open("#play/othello", { settings: { players: { white: "person", black: "computer" }, level: 0, clock: null, threads: 1, lines: true } });
  await page.waitForSelector("[role=gridcell]");
  // Black begins, so the person is Black.
  await play(page, ["e6"]);
  await page.waitForFunction(() => document.querySelectorAll(".move-list li button").length === 2);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".move-list li button").length === 2);
  assert.match(await page.locator(".player-bar.to-move").textContent(), /Black.*person/);
});

test("moves without a field are in sight: a pass, pieces to give", async (open) => {
  const page = await start(open, "othello", { position: "8/8/8/8/8/8/8/XO6 w" });
  const pass = await page.getByRole("button", { name: "pass", exact: true }).boundingBox();
  assert.ok(pass.y > 0 && pass.y + pass.height <= 800, JSON.stringify(pass));
  const quarto = await start(open, "quarto");
  assert.equal(await quarto.locator(".move-buttons button .piece-icon").count(), 16);
  const last = await quarto.locator(".move-buttons button").last().boundingBox();
  assert.ok(last.y + last.height <= 800, JSON.stringify(last));
});

test("a link that is damaged is explained", async (open) => {
  const page = await open("#own?rules=AAAA");
  assert.match(await page.locator(".failure").textContent(), /cannot be read/);
  const other = await open("#play/chess?position=nonsense");
  assert.match(await other.locator(".failure").textContent(), /position is wrong/);
});

test("clocks run", async (open) => {
  const page = await start(open, "tic-tac-toe");
  await page.keyboard.press("n");
  await page.locator("#clock").selectOption("1+0");
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator(".clock").first().waitFor();
  await play(page, ["b2"]);
  await page.waitForFunction(() => [...document.querySelectorAll(".clock")].some((clock) => /^0:5/.test(clock.textContent)));
});

test("a new game begins from a position text and with parameters", async (open) => {
  const page = await start(open, "connect-4");
  await page.keyboard.press("n");
  await page.locator("#set-columns").fill("9");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForFunction(() => document.querySelectorAll("[role=gridcell]").length === 54);
  assert.match(page.url(), /columns%3D9/);
  await page.goto(`${address}#play/tic-tac-toe`);
  await page.waitForFunction(() => document.querySelectorAll("[role=gridcell]").length === 9);
  await page.keyboard.press("n");
  await page.locator("#position-text").fill("XX1/OO1/3 w");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".pieces [data-at]").length === 4);
  await play(page, ["c3"]);
  assert.equal(await banner(page), "White wins");
});

await run();
