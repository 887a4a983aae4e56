// The TextMate grammar on rules, with the program that VS Code uses, against the tokens of the language server.
// Arguments: the program `multigame`, and files of rules.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "./client.mjs";

const require = createRequire(import.meta.url);
const { OnigScanner, OnigString, loadWASM } = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const [program, ...files] = process.argv.slice(2);
const root = join(import.meta.dirname, "..");
const grammarFile = join(root, "syntaxes", "multigame.tmLanguage.json");

await loadWASM(readFileSync(join(root, "node_modules", "vscode-oniguruma", "release", "onig.wasm")).buffer);
const registry = new Registry({
  onigLib: Promise.resolve({ createOnigScanner: (patterns) => new OnigScanner(patterns), createOnigString: (text) => new OnigString(text) }),
  loadGrammar: async () => parseRawGrammar(readFileSync(grammarFile, "utf8"), grammarFile),
});
const grammar = await registry.loadGrammar("source.multigame");

/** The innermost scope at each unit of each line. */
function scopes(text) {
  let stack = INITIAL;
  return text.split("\n").map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    return tokens.flatMap((token) => Array(Math.max(0, Math.min(token.endIndex, line.length) - token.startIndex)).fill(token.scopes.at(-1)));
  });
}

/** What a scope says about a token of the server. */
function agrees(type, declares, scope) {
  const begins = (...words) => words.some((word) => scope.startsWith(word));
  switch (type) {
    case "comment": return begins("comment");
    case "string": return begins("string", "constant.character", "variable.other");
    case "number": return begins("constant.numeric");
    case "operator": return begins("keyword.operator");
    case "keyword": return begins("keyword.control", "keyword.other", "storage", "support.constant", "constant.language", "variable.language");
    case "function": return declares ? begins("entity.name.function") : begins("variable.other");
    default: return !begins("comment", "keyword.control", "constant.numeric");
  }
}

const client = new Client(program);
const { capabilities } = await client.initialize();
const { tokenTypes } = capabilities.semanticTokensProvider.legend;
let [right, all] = [0, 0];
const wrong = [];
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const uri = pathToFileURL(file).href;
  client.open(uri, text);
  const { data } = await client.ask("textDocument/semanticTokens/full", { textDocument: { uri } });
  const lines = scopes(text);
  let [line, character] = [0, 0];
  for (let index = 0; index < data.length; index += 5) {
    const [down, right_, length, type, modifiers] = data.slice(index, index + 5);
    [line, character] = [line + down, down ? right_ : character + right_];
    const found = lines[line].slice(character, character + length);
    all += 1;
    const name = tokenTypes[type];
    if (found.every((scope) => agrees(name, modifiers === 1, scope))) right += 1;
    else {
      // What means something by itself must be right everywhere.
      assert.ok(!["comment", "number", "operator"].includes(name), `${file}:${line + 1}: ${name} is ${found[0]}`);
      wrong.push(`${file}:${line + 1}: ${name} ${text.split("\n")[line].slice(character, character + length)}: ${found[0]}`);
    }
  }
}
console.log(`${files.length} files, ${all} tokens, ${right} with the colour that the language server gives (${((100 * right) / all).toFixed(2)} %)`);
if (process.env.WRONG) console.log(wrong.join("\n"));
assert.ok(right / all > 0.99, wrong.slice(0, 40).join("\n"));
await client.end();
