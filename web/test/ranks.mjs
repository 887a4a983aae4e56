// A page whose server searches with two ranks: the panel of thoughts and its timeline name rank and host.
import { assert, run, start, test } from "./lib.mjs";

test("threads are called by rank and host", async (open) => {
  const page = await start(open, "chess");
  await page.keyboard.press("2");
  await page.getByRole("button", { name: "Think about this position" }).click();
  // Only the deepest rows are shown.
  const deep = () => [...document.querySelectorAll("tr[data-depth]")].some((row) => Number(row.dataset.depth) >= 9);
  await page.waitForFunction(deep);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector(".play").classList.contains("busy"));
  await page.locator("svg.timeline").scrollIntoViewIfNeeded();
  const lanes = await page.locator("svg.timeline .lane title").allTextContents();
  const bars = await page.locator(".hand-row").evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label")));
  const ranks = await page.locator("ul.ranks li").allTextContents();
  for (const rank of [0, 1]) {
    assert.match(lanes[rank], new RegExp(`rank ${rank} on .+`));
    assert.ok(bars[rank].startsWith(`${lanes[rank]}: `), `${bars[rank]} is the bar of ${lanes[rank]}`);
    assert.match(ranks[rank], new RegExp(`^${rank + 1} rank ${rank} on .+: .+ messages, .+ bytes sent$`));
  }
  assert.match(await page.locator("svg.timeline").getAttribute("aria-label"), /Timeline of the search, 2 workers/);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/ranks.png`, fullPage: true });
});

await run();
