// Help where the pointer rests, and what can be written: the server knows the language.

import { autocompletion, snippet, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { completeAt, helpAt, type Help } from "../api.ts";
import { h } from "../dom.ts";
import { Offsets } from "./offsets.ts";

/** Shows what a word means when the pointer rests on it. */
export function hoverHelp(): Extension {
  return hoverTooltip(async (view, position) => {
    const rules = view.state.doc.toString();
    const help = await helpAt(rules, Offsets.byte(rules, position)).catch(() => null);
    if (!help || help.entries.length === 0) return null;
    const offsets = new Offsets(rules);
    return { pos: offsets.at(help.span[0]), end: offsets.at(help.span[1]), above: true, create: () => ({ dom: tip(help) }) };
  });
}

function tip({ word, entries }: Help): HTMLElement {
  return h("div", { class: "hover-help" },
    ...entries.map(({ kind, about, more }) => h("p", {}, h("b", {}, word), ` – ${kind}${about ? `: ${about}` : ""}`, more ? h("small", {}, more) : null)));
}

/** Offers what can be written at the cursor. */
export function completion(): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.matchBefore(/[A-Za-z_][A-Za-z0-9_]*/);
    if (!context.explicit && (!before || before.to - before.from < 2)) return null;
    const rules = context.state.doc.toString();
    const found = await completeAt(rules, Offsets.byte(rules, context.pos)).catch(() => null);
    if (!found || found.items.length === 0) return null;
    const from = new Offsets(rules).at(found.span[0]);
    const options = found.items.map((item, index): Completion => ({
      label: item.label,
      detail: item.kind === "word" ? undefined : item.kind,
      info: item.detail || undefined,
      // The server knows the order; letters that fit better count for more.
      boost: -Math.min(index, 90),
      apply: item.snippet.includes("$") ? snippet(places(item.snippet)) : item.snippet,
    }));
    return { from, options, validFor: /^[A-Za-z_][A-Za-z0-9_']*$/ };
  };
  return autocompletion({ override: [source], icons: false });
}

/** Of a choice of texts this editor can offer the first only; the last place has no number. */
function places(text: string): string {
  return text.replace(/\$\{(\d+)\|([^,|]*)[^}]*\}/g, "${$1:$2}").replace(/\$0/g, "${}");
}
