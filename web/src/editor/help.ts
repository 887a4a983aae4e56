// Help where the pointer rests, and words to complete: from the language and from the rules themselves.

import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { language, type Symbol, type Word } from "../api.ts";
import { h } from "../dom.ts";

let words: Promise<Word[]> | undefined;

function languageWords(): Promise<Word[]> {
  words ??= language();
  words.catch(() => (words = undefined));
  return words;
}

/** The phrase of the language, or the single word, that covers a column of a line. */
function wordAt(line: string, column: number, known: Word[]): { text: string; from: number; to: number } | null {
  const phrases = known.map((entry) => entry.word).filter((word) => word.includes(" "));
  for (const phrase of phrases.sort((a, b) => b.length - a.length)) {
    const pattern = new RegExp(`\\b${phrase.replace(/[^a-z' ]/g, "").replaceAll(" ", "\\s+")}\\b`, "g");
    for (const found of line.matchAll(pattern)) {
      const [from, to] = [found.index, found.index + found[0].length];
      if (from <= column && column <= to) return { text: phrase, from, to };
    }
  }
  for (const found of line.matchAll(/opponent's|[A-Za-z_][A-Za-z0-9_]*/g)) {
    const [from, to] = [found.index, found.index + found[0].length];
    if (from <= column && column <= to) return { text: found[0], from, to };
  }
  return null;
}

/** Shows what a word means when the pointer rests on it. */
export function hoverHelp(symbols: () => Symbol[]): Extension {
  return hoverTooltip(async (view, position) => {
    const line = view.state.doc.lineAt(position);
    const known = await languageWords().catch((): Word[] => []);
    const word = wordAt(line.text, position - line.from, known);
    if (!word) return null;
    const own = symbols().filter((symbol) => symbol.name === word.text);
    const entries = known.filter((entry) => entry.word === word.text);
    if (own.length === 0 && entries.length === 0) return null;
    return {
      pos: line.from + word.from,
      end: line.from + word.to,
      above: true,
      create: () => ({ dom: tip(word.text, own, entries) }),
    };
  });
}

function tip(word: string, own: Symbol[], entries: Word[]): HTMLElement {
  return h("div", { class: "hover-help" },
    ...own.map((symbol) => h("p", {}, h("b", {}, word), ` – ${symbol.kind}${symbol.detail ? `: ${symbol.detail}` : ""}`)),
    ...entries.map((entry) => h("p", {}, h("b", {}, word), ` – ${entry.about}`, entry.more ? h("small", {}, entry.more) : null)));
}

/** Offers the words of the language and the names that the rules declare. */
export function completion(symbols: () => Symbol[]): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.matchBefore(/[A-Za-z_][A-Za-z0-9_']*/);
    if (!before || (before.to - before.from < 2 && !context.explicit)) return null;
    const known = await languageWords().catch((): Word[] => []);
    const own = symbols().map((symbol) => ({ label: symbol.name, detail: symbol.kind, type: "variable", boost: 1 }));
    const all = known.map((entry) => ({ label: entry.word, detail: entry.kind, info: entry.about, type: "keyword" }));
    return { from: before.from, options: [...own, ...all], validFor: /^[A-Za-z_][A-Za-z0-9_']*$/ };
  };
  return autocompletion({ override: [source], icons: false });
}
