// Writing rules: the text, the compiler's diagnostics as you type, the setup as a board, and "try it".

import { closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { bundled, checkRules, formatRules, listGames, type Check, type Diagnostic } from "../api.ts";
import { BoardView } from "../board/view.ts";
import { button, h, replace, toast } from "../dom.ts";
import { title } from "../gallery.ts";
import { draft } from "../settings.ts";
import { completion, hoverHelp } from "./help.ts";
import { colours, multigame } from "./language.ts";
import { Offsets } from "./offsets.ts";

const BEGINNING = `# My game: say in one sentence what it is.

dimensions (3, 3)
sides = 1
no moves = draw

pieces { mark 'X' 'O' }

main = find empty field, replace by mark, irreversible, try [ three_in_a_row, win ].

three_in_a_row = find own mark, any direction, repeat 2 times [ step, points at own mark ].
`;

/** Milliseconds without a key before the rules are checked. */
const PAUSE = 300;

class Editor {
  private readonly host = h("div", { class: "editor-host" });
  private readonly view: EditorView;
  private readonly preview = h("div", { class: "preview", "aria-label": "Setup" });
  private readonly list = h("ul", { class: "diagnostics", "aria-label": "Diagnostics" });
  private readonly summary = h("p", { class: "summary", role: "status" });
  private readonly name = h("input", { id: "rules-name", value: "my-game", "aria-label": "Name of the game", spellcheck: "false" });
  private readonly tryIt = button("Try it", () => this.play(), { class: "primary", id: "try-it" });
  private pending = 0;
  private running: AbortController | null = null;

  constructor(private readonly root: HTMLElement, name: string, rules: string, private readonly playOwn: () => void) {
    this.name.value = name;
    this.name.addEventListener("change", () => this.save());
    // In a tree of its own the editor may adopt its style sheets; elsewhere it would write them into the page, which
    // the server's content policy forbids.
    const shadow = this.host.attachShadow({ mode: "open" });
    shadow.append(h("link", { rel: "stylesheet", href: "style.css" }));
    this.view = new EditorView({ state: this.begin(rules), parent: shadow, root: shadow });
    this.view.contentDOM.setAttribute("aria-label", "Rules");
    void this.check();
  }

  private begin(rules: string): EditorState {
    return EditorState.create({
      doc: rules,
      extensions: [
        lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), lintGutter(),
        indentUnit.of("    "), EditorState.tabSize.of(4), EditorView.lineWrapping,
        multigame, colours, hoverHelp(), completion(),
        keymap.of([
          { key: "Mod-s", run: () => (this.download(), true) },
          { key: "Mod-Enter", run: () => (this.play(), true) },
          { key: "Shift-Alt-f", run: () => (void this.format(), true) },
          ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, indentWithTab,
        ]),
        EditorView.updateListener.of((update) => update.docChanged && this.changed()),
      ],
    });
  }

  async show(): Promise<void> {
    const games = await listGames();
    const from = h("select", { id: "start-from", "aria-label": "Start from a bundled game" },
      h("option", { value: "" }, "Start from …"), h("option", { value: "*" }, "a small example"),
      ...games.map((game) => h("option", { value: game.name }, title(game.name, game.about))));
    from.addEventListener("change", () => void this.load(from));
    replace(this.root, h("div", { class: "editor" },
      h("section", { class: "write", "aria-label": "Rules" },
        h("div", { class: "tools" }, this.name, from, button("Format", () => void this.format()), button("Download .mg", () => this.download()), h("span", { class: "grow" }), this.tryIt),
        this.host),
      h("aside", { class: "side", "aria-label": "What the rules say" }, this.summary, this.preview, this.list,
        h("p", { class: "note" }, "Rest the pointer on a word to see what it means. Ctrl-Enter tries the game, Ctrl-S downloads it, Escape and then Tab leaves the editor."))));
  }

  private get rules(): string {
    return this.view.state.doc.toString();
  }

  private save(): void {
    draft.write({ name: this.name.value.trim() || "my-game", rules: this.rules });
  }

  private changed(): void {
    this.save();
    clearTimeout(this.pending);
    this.pending = window.setTimeout(() => void this.check(), PAUSE);
  }

  private async check(): Promise<void> {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    const rules = this.rules;
    try {
      const answer = await checkRules(rules, running.signal);
      if (rules === this.rules) this.tell(answer, rules);
    } catch (failure) {
      if (running.signal.aborted) return;
      replace(this.summary, (failure as Error).message);
      this.tryIt.disabled = true;
    }
  }

  private tell(answer: Check, rules: string): void {
    const offsets = new Offsets(rules);
    const marks = answer.diagnostics.map((diagnostic) => this.mark(diagnostic, offsets));
    this.view.dispatch(setDiagnostics(this.view.state, marks));
    const errors = answer.diagnostics.filter((diagnostic) => diagnostic.severity === "error").length;
    const warnings = answer.diagnostics.filter((diagnostic) => diagnostic.severity === "warning").length;
    this.tryIt.disabled = errors > 0;
    const count = (n: number, word: string) => `${n} ${word}${n === 1 ? "" : "s"}`;
    const text = errors > 0 ? count(errors, "error") : warnings > 0 ? count(warnings, "warning") : "The rules are fine.";
    const moves = answer.preview?.moves;
    replace(this.summary, text, moves !== undefined && ` ${count(moves, "legal move")} at the beginning.`);
    this.summary.className = errors > 0 ? "summary bad" : "summary good";
    replace(this.list, ...answer.diagnostics.map((diagnostic, index) => this.entry(diagnostic, marks[index])));
    if (!answer.preview) return;
    const board = new BoardView(answer.preview.game, null);
    board.show(answer.preview.game.initial, null, false);
    replace(this.preview, board.element);
  }

  private mark(diagnostic: Diagnostic, offsets: Offsets): Mark {
    const [from, to] = diagnostic.span.map((byte) => offsets.at(byte));
    const { fix } = diagnostic;
    const actions = fix ? [{ name: `Write “${fix.replacement}”`, apply: () => this.apply(fix, offsets) }] : [];
    const message = [diagnostic.message, diagnostic.help].filter(Boolean).join("\n");
    return { from, to: Math.max(to, from), severity: diagnostic.severity === "note" ? "info" : diagnostic.severity, message, source: diagnostic.code, actions };
  }

  private apply(fix: NonNullable<Diagnostic["fix"]>, offsets: Offsets): void {
    const [from, to] = fix.span.map((byte) => offsets.at(byte));
    this.view.dispatch({ changes: { from, to, insert: fix.replacement } });
    this.view.focus();
  }

  private entry(diagnostic: Diagnostic, mark: Mark): HTMLElement {
    const go = () => {
      this.view.dispatch({ selection: { anchor: mark.from }, scrollIntoView: true });
      this.view.focus();
    };
    return h("li", { class: diagnostic.severity },
      button(`line ${diagnostic.line}: ${diagnostic.message}`, go),
      diagnostic.help && h("p", {}, diagnostic.help),
      ...(mark.actions ?? []).map((action) => button(action.name, () => action.apply(this.view, mark.from, mark.to), { class: "fix" })));
  }

  private async load(from: HTMLSelectElement): Promise<void> {
    const name = from.value;
    from.value = "";
    if (!name) return;
    try {
      const rules = name === "*" ? BEGINNING : (await bundled(name)).rules;
      this.set(name === "*" ? "my-game" : `my-${name}`, rules);
    } catch (failure) {
      toast((failure as Error).message, "error");
    }
  }

  private set(name: string, rules: string): void {
    this.name.value = name;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: rules } });
    this.view.focus();
  }

  private async format(): Promise<void> {
    try {
      const rules = await formatRules(this.rules);
      if (rules !== this.rules) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: rules } });
      toast("Formatted.");
    } catch (failure) {
      toast((failure as Error).message, "error");
    }
  }

  private download(): void {
    const address = URL.createObjectURL(new Blob([this.rules], { type: "text/plain;charset=utf-8" }));
    h("a", { href: address, download: `${this.name.value.trim() || "my-game"}.mg` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  private play(): void {
    if (this.tryIt.disabled) return;
    this.save();
    this.playOwn();
  }
}

/** Shows the editor: with a bundled game, with what was written before, or with an example. */
export async function editor(root: HTMLElement, game: string | undefined, playOwn: () => void): Promise<void> {
  const saved = draft.read();
  const rules = game ? (await bundled(game)).rules : (saved?.rules ?? BEGINNING);
  await new Editor(root, game ? `my-${game}` : (saved?.name ?? "my-game"), rules, playOwn).show();
}
