// Writing rules in the page: an error first, then a game that is played at once.
import { assert, cell, play, run, test } from "./lib.mjs";

const RULES = `# Race: the first man on the opponent's home row wins.
dimensions (3, 4)
no moves = loss
pieces { man 'M' 'm' }
setup { "mmm" "..." "..." "MMM" }
main = find own man, pick up, north, step, points at empty field, put down, try [ assert (row == 4), win ].
`;

async function write(page, text) {
  const content = page.locator(".cm-content");
  await content.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

test("a new game is written, with an error first, and played", async (open) => {
  const page = await open("#write", { settings: { players: { white: "person", black: "person" }, level: 2, clock: null, lines: true } });
  await page.locator(".cm-content").waitFor();
  await write(page, RULES.replace("find own man", "find own mna"));
  await page.locator(".diagnostics li.error").waitFor();
  assert.match(await page.locator(".summary").textContent(), /1 error/);
  assert.ok(await page.locator("#try-it").isDisabled());
  assert.ok((await page.locator(".cm-lintRange-error").count()) > 0, "the place is not marked");
  await page.locator(".diagnostics .fix", { hasText: "man" }).click();
  await page.locator(".summary.good").waitFor();
  assert.match(await page.locator(".cm-content").textContent(), /find own man/);
  await page.locator(".preview .board-view").waitFor();
  assert.equal(await page.locator(".preview .pieces [data-at]").count(), 6);
  await page.locator("#try-it").click();
  await page.waitForSelector("[role=gridcell]");
  await play(page, ["a1", "a2"]);
  await play(page, ["b4", "b3"]);
  await play(page, ["a2", "a3"]);
  await play(page, ["b3", "b2"]);
  assert.match(await cell(page, "a3").getAttribute("aria-label"), /white man/);
});

test("rules are kept, formatted and downloaded", async (open) => {
  const page = await open("#write");
  await page.locator(".cm-content").waitFor();
  await write(page, RULES);
  await page.locator(".summary.good").waitFor();
  await page.getByRole("button", { name: "Format" }).click();
  await page.locator(".cm-line", { hasText: /^    find own man,$/ }).waitFor();
  await page.locator("#rules-name").fill("race");
  await page.locator("#rules-name").blur();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download .mg" }).click()]);
  assert.equal(download.suggestedFilename(), "race.mg");
  await page.reload();
  await page.locator(".cm-content").waitFor();
  assert.match(await page.locator(".cm-content").textContent(), /Race: the first man/);
});

test("bundled games open as starting points, and words explain themselves", async (open) => {
  const page = await open("#write");
  await page.locator("#start-from").selectOption("breakthrough");
  // What was there before was good, too.
  await page.locator(".cm-content", { hasText: "Breakthrough" }).waitFor();
  await page.locator(".summary.good").waitFor();
  const word = page.locator(".cm-line .tok-keyword", { hasText: /^find$/ }).first();
  await word.hover();
  await page.locator(".hover-help").waitFor();
  assert.match(await page.locator(".hover-help").textContent(), /find – /);
});

test("what fits is offered, with places to fill in", async (open) => {
  const page = await open("#write");
  await page.locator(".cm-content").waitFor();
  await write(page, `# ♔😀\n${RULES}more = find `);
  const options = page.locator(".cm-tooltip-autocomplete li");
  await page.keyboard.press("Control+Space");
  await options.filter({ hasText: "own piece" }).waitFor();
  assert.match(await options.first().textContent(), /man/);
  assert.equal(await options.filter({ hasText: "points at" }).count(), 0);
  await page.keyboard.press("Escape");
  await page.keyboard.type("own man, rep");
  await options.filter({ hasText: "repeat" }).first().waitFor();
  await options.filter({ hasText: "repeat" }).first().click();
  await page.keyboard.type("3");
  await page.locator(".cm-line", { hasText: "more = find own man, repeat 3 times nothing" }).waitFor();
});

test("own rules travel in a link", async (open) => {
  const page = await open("#write");
  await page.locator(".cm-content").waitFor();
  await write(page, RULES);
  await page.locator(".summary.good").waitFor();
  await page.locator("#try-it").click();
  await page.waitForSelector("[role=gridcell]");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy a link to this position" }).click();
  await page.locator(".toast").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await open(new URL(link).hash);
  await other.waitForSelector("[role=gridcell]");
  assert.match(await cell(other, "a1").getAttribute("aria-label"), /white man/);
});

await run();
