// The board beside the rules, in a real browser: the page that the extension shows, in a frame of another site.
// Arguments: the program `multigame`, a file of rules.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import Module, { createRequire } from "node:module";
import { join } from "node:path";
import { world } from "./world.mjs";

const [program, file] = process.argv.slice(2);
const root = join(import.meta.dirname, "..");
const { chromium } = createRequire(join(root, "..", "..", "web", "package.json"))("playwright-core");

const { vscode, state } = world({ "multigame.path": program });
// In a window of a browser the frame's parents have addresses of the web, as here.
vscode.env.uiKind = vscode.UIKind.Web;
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = createRequire(import.meta.url)(join(root, "dist", "extension.js"));
await extension.activate({ subscriptions: [], extensionPath: root });
const document = state.open(vscode.Uri.file(file), readFileSync(file, "utf8"));
state.activate(document);
await state.commands.get("multigame.preview")();
assert.deepEqual(state.errors, []);
const [panel] = state.panels;

// The other name of this machine is another site.
const host = createServer((_, response) => response.setHeader("content-type", "text/html").end(panel.webview.html));
await new Promise((resolve) => host.listen(0, "localhost", resolve));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
const said = [];
page.on("console", (message) => message.type() === "error" && said.push(message.text()));
await page.goto(`http://localhost:${host.address().port}/`);

let told = 0;
async function fields(number) {
  for (; told < panel.messages.length; told += 1) await page.evaluate((message) => postMessage(message, "*"), panel.messages[told]);
  const cells = page.frameLocator("iframe").locator("[role=gridcell]");
  await cells.nth(number - 1).waitFor({ timeout: 60_000 });
  assert.equal(await cells.count(), number);
}

await fields(9);
state.change(document, document.text.replace("dimensions (3, 3)", "dimensions (4, 3)"));
for (let tries = 0; panel.messages.length < 2 && tries < 600; tries += 1) await new Promise((resolve) => setTimeout(resolve, 50));
await fields(12);
await page.frameLocator("iframe").locator("[role=gridcell]").first().click();
assert.deepEqual(said, []);
await browser.close();
await extension.deactivate();
console.log("the board is shown");
process.exit(0);
