// The extension as it is packaged, with the real language client and server, in a world that pretends to be VS Code.
// Arguments: the program `multigame`, a file of rules.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Module from "node:module";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { world } from "./world.mjs";

const [program, file] = process.argv.slice(2);
const root = join(import.meta.dirname, "..");
const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const { vscode, state } = world({ "multigame.path": program });

// `require("vscode")` in the bundle finds the pretended one.
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = createRequire(import.meta.url)(join(root, "dist", "extension.js"));

const until = async (what, condition) => {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = condition();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`${what} does not come`);
};

const context = { subscriptions: [], extensionPath: root };
await extension.activate(context);
assert.deepEqual(state.errors, []);

for (const { command } of about.contributes.commands) assert.ok(state.commands.has(command), `${command} is not there`);

// A document with a mistake gets diagnostics from the real server.
const text = readFileSync(file, "utf8");
const document = state.open(vscode.Uri.file(file), text.replace("find empty field", "find emty field"));
const wrong = await until("a diagnostic", () => state.diagnostics(document.uri)?.[0]);
assert.match(wrong.message, /emty/);
assert.equal(wrong.severity, vscode.DiagnosticSeverity.Error);

// Features are asked through what the client registered.
state.change(document, text);
await until("the end of the diagnostics", () => state.diagnostics(document.uri)?.length === 0);
for (const kind of ["Hover", "CompletionItem", "Definition", "Reference", "Rename", "CodeActions", "CodeLens", "DocumentFormattingEdit",
  "DocumentSymbol", "WorkspaceSymbol", "FoldingRange", "InlayHints", "DocumentSemanticTokens", "SignatureHelp", "SelectionRange"]) {
  assert.ok(state.providers.has(kind), `the client registered no ${kind}`);
}
const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
const lenses = await state.providers.get("CodeLens").provideCodeLenses(document, token);
assert.deepEqual(lenses.slice(0, 4).map((lens) => lens.command.title), ["play", "perft 4", "analyze", "coverage"]);

// Lenses run in terminals, without a shell that reads the arguments.
for (const lens of lenses.slice(0, 4)) await state.commands.get(lens.command.command)(...lens.command.arguments);
assert.equal(state.terminals.length, 4);
assert.deepEqual(state.terminals[1].shellArgs.slice(2), [program, "perft", file, "4"]);
assert.deepEqual(state.terminals[3].shellArgs.slice(2), [program, "playout", file, "--coverage", "--rule", "main"]);

// The preview starts a server that this window may frame, and shows the rules as they are.
state.activate(document);
await state.commands.get("multigame.preview")();
assert.deepEqual(state.errors, []);
const panel = state.panels[0];
const shown = await until("a board", () => panel.messages.at(-1));
const address = new URL(shown.address);
const packed = new URLSearchParams(address.hash.split("?")[1]).get("rules");
assert.equal(inflateRawSync(Buffer.from(packed, "base64url")).toString(), text);
const page = await fetch(address.origin);
assert.equal(page.status, 200);
assert.match(page.headers.get("content-security-policy"), /frame-ancestors vscode-webview: vscode-file:$/);
assert.equal(page.headers.get("x-frame-options"), null);
assert.ok(panel.webview.html.includes(`frame-src ${address.origin};`));
state.change(document, `${text}\n# more\n`);
await until("the next board", () => panel.messages.length === 2);

await extension.deactivate();
await until("the end of the server", async () => fetch(address.origin).then(() => false, () => true));

// A program that is not there is named, with the way to the setting.
vscode.settings["multigame.path"] = "/nowhere/multigame";
await state.commands.get("multigame.restart")();
assert.match(state.errors.at(-1) ?? "", /\/nowhere\/multigame/);
console.log("the extension works");
process.exit(0);
