// A world that pretends to be VS Code: enough of its interface for the language client and the extension. What is
// not named here is a class without anything in it, so that something missing fails where it is used.
import { pathToFileURL, fileURLToPath } from "node:url";

class Disposable {
  constructor(act) { this.act = act; }
  dispose() { this.act?.(); }
  static from(...all) { return new Disposable(() => all.forEach((it) => it.dispose())); }
}

class EventEmitter {
  listeners = new Set();
  event = (listener, self, disposables) => {
    const bound = self ? listener.bind(self) : listener;
    this.listeners.add(bound);
    const disposable = new Disposable(() => this.listeners.delete(bound));
    disposables?.push(disposable);
    return disposable;
  };
  fire(event) { [...this.listeners].forEach((listener) => listener(event)); }
  dispose() { this.listeners.clear(); }
}

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}

class Range {
  constructor(a, b, c, d) {
    [this.start, this.end] = c === undefined ? [a, b] : [new Position(a, b), new Position(c, d)];
  }
}

class Uri {
  constructor(text) { this.url = new URL(text); }
  static parse(text) { return new Uri(text); }
  static file(path) { return new Uri(pathToFileURL(path).href); }
  get scheme() { return this.url.protocol.slice(0, -1); }
  get path() { return decodeURIComponent(this.url.pathname); }
  get fsPath() { return fileURLToPath(this.url); }
  get authority() { return this.url.host; }
  get query() { return this.url.search.slice(1); }
  get fragment() { return this.url.hash.slice(1); }
  toString() { return this.url.href; }
  with() { return this; }
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable() };
  cancel() {}
  dispose() {}
}

export function world(settings) {
  const events = new Map();
  const emitter = (name) => events.get(name) ?? events.set(name, new EventEmitter()).get(name);
  const collections = new Map();
  const state = {
    commands: new Map(), providers: new Map(), terminals: [], panels: [], errors: [],
    diagnostics: (uri) => collections.get(uri.toString()),
    open(uri, text) {
      const document = { uri, languageId: "multigame", version: 1, isDirty: false, isClosed: false, fileName: uri.fsPath, text,
        getText() { return this.text; }, save: async () => true, get lineCount() { return this.text.split("\n").length; } };
      vscode.workspace.textDocuments.push(document);
      emitter("onDidOpenTextDocument").fire(document);
      return document;
    },
    change(document, text) {
      const lines = document.text.split("\n");
      const range = new Range(0, 0, lines.length - 1, lines.at(-1).length);
      document.text = text;
      document.version += 1;
      emitter("onDidChangeTextDocument").fire({ document, contentChanges: [{ range, text, rangeOffset: 0, rangeLength: 0 }] });
    },
    activate(document) { vscode.window.activeTextEditor = { document }; },
  };

  const named = (object, events) => new Proxy(object, {
    get: (it, name) => {
      if (name in it) return it[name];
      if (/^on(Did|Will)/.test(String(name)) && events) return emitter(name).event;
      return undefined;
    },
  });
  const register = (kind) => (...args) => {
    state.providers.set(kind, args.find((it) => it && typeof it === "object" && Object.keys(it).some((key) => key.startsWith("provide"))) ?? args[1]);
    return new Disposable();
  };
  const languages = new Proxy({
    createDiagnosticCollection: () => ({
      set: (uri, list) => { collections.set(uri.toString(), list ?? []); emitter("onDidChangeDiagnostics").fire({ uris: [uri] }); },
      delete: (uri) => collections.delete(uri.toString()), clear: () => collections.clear(), dispose() {}, get: (uri) => collections.get(uri.toString()),
    }),
    getDiagnostics: (uri) => collections.get(uri.toString()) ?? [],
    match: (selector, document) => [selector].flat().some((it) => it.language === document.languageId) ? 10 : 0,
    onDidChangeDiagnostics: emitter("onDidChangeDiagnostics").event,
  }, { get: (it, name) => it[name] ?? (String(name).match(/^register(\w+)Provider$/) ? register(String(name).match(/^register(\w+)Provider$/)[1]) : undefined) });

  const known = {
    settings, Disposable, EventEmitter, Position, Range, Uri, CancellationTokenSource, languages, version: "1.82.0",
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    UIKind: { Desktop: 1, Web: 2 }, ViewColumn: { Beside: -2 }, StatusBarAlignment: { Left: 1, Right: 2 },
    env: { appName: "pretended", language: "en", uiKind: 1, machineId: "x", asExternalUri: async (uri) => uri, onDidChangeTelemetryEnabled: emitter("t").event },
    commands: {
      registerCommand: (name, act) => (state.commands.set(name, act), new Disposable(() => state.commands.delete(name))),
      executeCommand: async () => undefined, getCommands: async () => [],
    },
    workspace: named({
      textDocuments: [], notebookDocuments: [], workspaceFolders: undefined, isTrusted: true,
      getConfiguration: (section) => ({
        get: (name, usual) => settings[[section, name].filter(Boolean).join(".")] ?? usual,
        has: () => false, inspect: () => undefined, update: async () => {},
      }),
      createFileSystemWatcher: () => named({ dispose() {} }, true),
      getWorkspaceFolder: () => undefined,
    }, true),
    window: named({
      activeTextEditor: undefined, visibleTextEditors: [], tabGroups: named({ all: [] }, true),
      createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, clear() {}, dispose() {}, replace() {}, hide() {}, info() {}, warn() {}, error() {}, debug() {}, trace() {} }),
      createTerminal: (options) => (state.terminals.push(options), { show() {} }),
      showErrorMessage: async (message) => void state.errors.push(message),
      showWarningMessage: async () => undefined, showInformationMessage: async () => undefined,
      withProgress: async (options, act) => act({ report() {} }, new CancellationTokenSource().token),
      createWebviewPanel: () => {
        const panel = { messages: [], onDidDispose: (act) => (panel.act = act, new Disposable()), dispose() { panel.act?.(); },
          webview: { html: "", postMessage: async (message) => (panel.messages.push(message), true) } };
        state.panels.push(panel);
        return panel;
      },
    }, true),
  };
  // Kinds and classes that have no meaning here.
  const vscode = new Proxy(known, {
    get: (it, name) => {
      if (name in it) return it[name];
      if (typeof name !== "string") return undefined;
      const kind = class { constructor(...parts) { Object.assign(this, ...parts.filter((it) => it && typeof it === "object" && !Array.isArray(it))); this.parts = parts; } };
      it[name] = withNumbers(kind, name);
      return it[name];
    },
    has: () => true,
  });
  const actionKind = (value) => ({ value, append: (part) => actionKind(value ? `${value}.${part}` : part) });
  vscode.CodeActionKind = {
    Empty: actionKind(""), QuickFix: actionKind("quickfix"), Refactor: actionKind("refactor"), RefactorExtract: actionKind("refactor.extract"),
    RefactorInline: actionKind("refactor.inline"), RefactorRewrite: actionKind("refactor.rewrite"), Source: actionKind("source"),
    SourceOrganizeImports: actionKind("source.organizeImports"), SourceFixAll: actionKind("source.fixAll"),
  };
  vscode.CodeLens = class { constructor(range, command) { Object.assign(this, { range, command }); } };
  vscode.Diagnostic = class { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } };
  return { vscode, state };
}

/** A class that is an enumeration as well: every member it is asked for has a number. */
function withNumbers(kind, name) {
  const members = new Map();
  return new Proxy(kind, {
    get: (it, member, receiver) => {
      if (member in it || typeof member !== "string" || !/^[A-Z]/.test(member)) return Reflect.get(it, member, receiver);
      if (!members.has(member)) members.set(member, members.size);
      return members.get(member);
    },
  });
}
