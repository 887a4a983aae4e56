// The packaged extension in a real VS Code: code-server, driven in Chromium as a person does it.
// Arguments: the program `multigame`, the folder where `tests/setup code` has put code-server, a file of rules.
// `PICTURES` is a folder for a picture of each step.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [program, installed, file] = process.argv.slice(2);
const root = join(import.meta.dirname, "..");
const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { chromium } = createRequire(join(root, "..", "..", "web", "package.json"))("playwright-core");

const own = mkdtempSync(join(tmpdir(), "multigame-code-"));
const rules = join(own, "rules", "my-game.mg");
mkdirSync(join(own, "rules"));
mkdirSync(join(own, "data", "User"), { recursive: true });
writeFileSync(rules, readFileSync(file, "utf8").replace("find empty field", "find emty field"));
writeFileSync(join(own, "data", "User", "settings.json"), JSON.stringify({
  "multigame.path": program,
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  // Terminals as text, which can be read.
  "terminal.integrated.gpuAcceleration": "off",
}));

const entry = join(installed, "node_modules", "code-server", "out", "node", "entry.js");
const options = ["--user-data-dir", join(own, "data"), "--extensions-dir", join(own, "extensions"), "--config", join(own, "code.yaml"),
  "--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry", "--disable-update-check"];
const environment = { ...process.env, HOME: own };
const install = spawnSync("node", [entry, ...options, "--install-extension", join(root, `multigame-${about.version}.vsix`)], { env: environment, encoding: "utf8" });
assert.match(install.stdout, /successfully installed/, `${install.stdout}${install.stderr}`);
const server = spawn("node", [entry, ...options, join(own, "rules")], { env: environment, stdio: ["ignore", "pipe", "inherit"] });
const port = await new Promise((resolve, reject) => {
  server.on("exit", () => reject(new Error("code-server ended")));
  createInterface({ input: server.stdout }).on("line", (line) => {
    const found = line.match(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
    if (found) resolve(found[1]);
  });
});

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1500, height: 950 } });
page.setDefaultTimeout(20_000);
let pictures = 0;

/** Does something, and takes a picture of what it led to. */
async function step(name, act) {
  try {
    await act();
    console.log(`ok   ${name}`);
  } finally {
    if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `code-${++pictures}-${name.replace(/\W+/g, "-")}.png`) });
  }
}

async function command(name) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(`>${name}`);
  await page.locator(".quick-input-list .monaco-list-row").first().getByText(name.replace(/^.*: /, "")).first().waitFor();
  await page.keyboard.press("Enter");
}

/** Puts the cursor onto the first place of a word. */
async function find(word) {
  const { text } = await saved();
  const before = text.slice(0, text.indexOf(word)).split("\n");
  assert.ok(text.includes(word), `${word} is not in the rules`);
  await page.keyboard.press("Control+G");
  await page.locator(".quick-input-widget input").fill(`:${before.length}:${before.at(-1).length + 2}`);
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

/** The rules as they are now, on the disk. */
async function saved(holds = () => true) {
  await page.keyboard.press("Control+S");
  for (let tries = 0; tries < 200; tries++) {
    const text = readFileSync(rules, "utf8");
    if (holds(text)) return { text };
    await page.waitForTimeout(50);
  }
  assert.fail(readFileSync(rules, "utf8"));
}

const errors = page.locator(".squiggly-error");
try {
  await step("file", async () => {
    await page.goto(`http://localhost:${port}/?folder=${join(own, "rules")}`);
    await page.getByRole("treeitem", { name: /my-game\.mg/ }).dblclick();
    await page.locator(".monaco-editor .view-line").first().waitFor();
  });
  await step("diagnostic", async () => {
    await errors.first().waitFor();
    await page.locator(".monaco-editor .view-line").first().click();
    await page.keyboard.press("F8");
    await page.locator(".marker-widget").getByText(/there is no .emty field/).waitFor();
    await page.keyboard.press("Escape");
  });
  await step("remedy", async () => {
    await find("emty");
    await page.locator("[class*=codicon-lightbulb], [class*=codicon-light-bulb]").first().waitFor();
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget").getByText("write `empty field`").waitFor();
    await page.keyboard.press("Enter");
    await errors.first().waitFor({ state: "detached" });
    await saved((text) => text.includes("find empty field"));
  });
  await step("hover", async () => {
    await find("find empty");
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+I");
    await page.locator(".monaco-hover").getByText(/Puts the finger/).waitFor();
    await page.keyboard.press("Escape");
  });
  await step("completion", async () => {
    await find("irreversible,");
    await page.keyboard.press("End");
    await page.keyboard.press("Control+Space");
    await page.locator(".suggest-widget .monaco-list-row").getByText("three_in_a_row").first().waitFor();
    await page.keyboard.press("Escape");
  });
  await step("rename", async () => {
    await find("three_in_a_row");
    await page.keyboard.press("F2");
    await page.locator(".rename-input").fill("row_of_three");
    await page.keyboard.press("Enter");
    await saved((text) => !text.includes("three_in_a_row") && text.split("row_of_three").length === 3);
  });
  await step("format", async () => {
    await find("sides");
    await page.keyboard.press("Home");
    await page.keyboard.type("   ");
    await command("Format Document");
    await saved((text) => text.includes("\nsides = 1"));
  });
  await step("lenses and hints", async () => {
    for (const lens of ["play", "perft 4", "analyze", "coverage"]) await page.locator(".codelens-decoration").getByText(lens, { exact: true }).first().waitFor();
    await page.locator(".view-line", { hasText: /changes\sthe\sboard/ }).first().waitFor();
    await page.locator(".codelens-decoration").getByText("perft 4", { exact: true }).click();
    // 3,024 games of four moves.
    await page.locator(".xterm-rows").getByText(/3024/).waitFor();
  });
  await step("board", async () => {
    await page.locator(".monaco-editor .view-line").first().click();
    await command("Multigame: Show the Board beside the Rules");
    const board = page.frameLocator("iframe.webview").frameLocator("iframe").frameLocator("iframe[title=Board]");
    const fields = board.locator("[role=gridcell]");
    await fields.nth(8).waitFor();
    assert.equal(await fields.count(), 9);
    await fields.nth(4).click();
    await board.locator(".move-list li button").first().waitFor();
    await page.locator(".monaco-editor .view-line").first().click();
    await find("(3, 3)");
    await page.keyboard.press("Delete");
    await page.keyboard.type("4");
    await fields.nth(11).waitFor();
    assert.equal(await fields.count(), 12);
  });
  console.log("the extension works in VS Code");
} finally {
  await browser.close();
  server.removeAllListeners("exit");
  server.kill();
  rmSync(own, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
