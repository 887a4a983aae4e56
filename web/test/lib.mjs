// What the tests of the page share: a browser, a window, and fields to click by their names.
import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
// Without these, Chromium asks its maker's hosts for updates.
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const [address, ...wanted] = process.argv.slice(2);
if (!address) throw new Error("usage: node web/test/SCRIPT.mjs ADDRESS [TEST...]");

const tests = [];

/** Declares a test; `open` gives it a fresh window. */
export function test(name, body) {
  tests.push({ name, body });
}

/** Runs what was declared, each test with a browser profile of its own. */
export async function run() {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing: run tests/setup (or apt-get install -y chromium)`);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  let failures = 0;
  for (const { name, body } of tests) {
    if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
    const contexts = [];
    const problems = [];
    const open = async (hash = "", options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, reducedMotion: "reduce", ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      page.on("pageerror", (error) => problems.push(`error in the page: ${error.message}`));
      page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.origin !== new URL(address).origin && url.protocol !== "blob:" && url.protocol !== "data:") problems.push(`request to another host: ${url}`);
      });
      if (options.settings) await page.addInitScript((value) => localStorage.setItem("multigame.settings", JSON.stringify(value)), options.settings);
      await page.goto(`${address}${hash}`);
      return page;
    };
    const begun = Date.now();
    try {
      await body(open);
      assert.deepEqual(problems, []);
      console.log(`ok   ${name} (${Date.now() - begun} ms)`);
    } catch (error) {
      failures += 1;
      console.log(`FAIL ${name}\n${error.stack}\n${problems.join("\n")}`);
      await picture(contexts, name);
    }
    for (const context of contexts) await context.close();
  }
  await browser.close();
  process.exit(failures > 0 ? 1 : 0);
}

async function picture(contexts, name) {
  const page = contexts.at(-1)?.pages().at(-1);
  const path = `${process.env.PICTURES ?? "/tmp"}/failed-${name.replace(/\W+/g, "-")}.png`;
  await page?.screenshot({ path }).then(() => console.log(`picture: ${path}`)).catch(() => undefined);
}

export const PEOPLE = { players: { white: "person", black: "person" }, level: 2, clock: null, lines: true };

/** A game for two people at one board. */
export async function start(open, game, { position, ...options } = {}) {
  const query = position ? `?position=${encodeURIComponent(position)}` : "";
  const page = await open(`#play/${game}${query}`, { settings: PEOPLE, ...options });
  await page.waitForSelector("[role=gridcell]");
  return page;
}

export function cell(page, field) {
  return page.locator(`[role=gridcell][aria-label^="${field},"]`);
}

/** Clicks fields one after the other, as a person does. */
export async function click(page, ...fields) {
  for (const field of fields) await cell(page, field).click();
}

/** What the server says about the game that this window shows. */
export async function state(page) {
  return page.evaluate(async () => {
    const { id } = JSON.parse(sessionStorage.getItem("multigame.session"));
    return (await fetch(`/api/sessions/${id}/state`)).json();
  });
}

/** Waits until the game has that many moves. */
export async function until(page, ply) {
  await page.waitForFunction(async (wanted) => {
    const { id } = JSON.parse(sessionStorage.getItem("multigame.session"));
    return (await (await fetch(`/api/sessions/${id}/state`)).json()).ply >= wanted;
  }, ply, { polling: 50 });
}

/** Makes a move by its clicks: waits until it is made and the page shows it. */
export async function play(page, fields, choice) {
  const before = await shown(page);
  await click(page, ...fields);
  if (choice) await page.locator("dialog.chooser button", { hasText: choice }).click();
  await page.waitForFunction((count) => document.querySelectorAll(".move-list li button").length > count, before);
}

/** How many moves the list shows. */
export async function shown(page) {
  return page.locator(".move-list li button").count();
}

export async function banner(page, timeout = 30_000) {
  const text = page.locator(".banner strong");
  await text.waitFor({ timeout });
  return text.textContent();
}

export { assert, address };
