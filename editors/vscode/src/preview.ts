// The board beside the rules: the page of `multigame serve`, which plays the rules as they are on the screen.

import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import * as readline from "node:readline";
import * as vscode from "vscode";
import { program } from "./program.ts";

/** Milliseconds without a key before the board follows. */
const PAUSE = 500;
/** Milliseconds until a server that says nothing is given up. */
const PATIENCE = 15_000;

export class Preview implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private server: ChildProcess | undefined;
  private address: string | undefined;
  private document: vscode.TextDocument | undefined;
  private pending: NodeJS.Timeout | undefined;
  private shown = "";
  private readonly listeners: vscode.Disposable[];

  constructor() {
    this.listeners = [
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event.document)),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.changed(editor.document)),
      // Errors come from the language server a moment after the key.
      vscode.languages.onDidChangeDiagnostics(() => this.document && this.changed(this.document)),
    ];
  }

  async show(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "multigame") {
      void vscode.window.showInformationMessage("Open rules (a file that ends in `.mg`) to see their board.");
      return;
    }
    this.document = document;
    try {
      this.address ??= await this.start();
    } catch (failure) {
      void vscode.window.showErrorMessage(`The board cannot be shown: ${(failure as Error).message}`);
      return;
    }
    if (!this.panel) {
      const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel("multigame.preview", "Board", where, { enableScripts: true, retainContextWhenHidden: true });
      this.panel.onDidDispose(() => this.closed());
      this.panel.webview.html = frame(this.address);
      this.shown = "";
    }
    await this.update();
  }

  dispose(): void {
    this.listeners.forEach((listener) => listener.dispose());
    this.panel?.dispose();
    this.closed();
  }

  private closed(): void {
    clearTimeout(this.pending);
    this.panel = undefined;
    this.document = undefined;
    this.address = undefined;
    this.server?.kill();
    this.server = undefined;
  }

  private changed(document: vscode.TextDocument): void {
    if (!this.panel || document.languageId !== "multigame") return;
    this.document = document;
    clearTimeout(this.pending);
    this.pending = setTimeout(() => void this.update(), PAUSE);
  }

  /** Shows the rules of the document, unless they have errors: then the last ones that worked stay. */
  private async update(): Promise<void> {
    if (!this.panel || !this.document || !this.address) return;
    const rules = this.document.getText();
    const isWrong = vscode.languages.getDiagnostics(this.document.uri).some((it) => it.severity === vscode.DiagnosticSeverity.Error);
    if (rules === this.shown || isWrong) return;
    this.shown = rules;
    const packed = deflateRawSync(Buffer.from(rules)).toString("base64url");
    await this.panel.webview.postMessage({ address: `${this.address}#own?rules=${packed}` });
  }

  /** Starts the server and gives its address as this window sees it. */
  private async start(): Promise<string> {
    // In a browser the window itself has an address; elsewhere no page of the web may frame the server's.
    const frames = vscode.env.uiKind === vscode.UIKind.Web ? "vscode-webview: http: https:" : "vscode-webview: vscode-file:";
    const args = ["serve", "--port", "0", "--framed-by", frames];
    const server = spawn(program(), args, { stdio: ["ignore", "pipe", "pipe"] });
    this.server = server;
    server.on("exit", () => {
      if (this.server === server) this.address = undefined;
    });
    const local = await firstLine(server);
    const outside = await vscode.env.asExternalUri(vscode.Uri.parse(local));
    return outside.toString(true).replace(/#.*$/, "");
  }
}

/** The address that a server prints first. */
function firstLine(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let errors = "";
    const late = setTimeout(() => (server.kill(), reject(new Error("the server does not start"))), PATIENCE);
    const settle = (act: () => void) => (clearTimeout(late), act());
    server.stderr?.on("data", (part) => (errors += part));
    server.on("error", (failure) => settle(() => reject(failure)));
    server.on("exit", () => settle(() => reject(new Error(errors.trim() || "the server ended"))));
    readline.createInterface({ input: server.stdout! }).on("line", (line) => {
      const address = line.match(/http:\S+/)?.[0];
      if (address) settle(() => resolve(address));
    });
  });
}

/** A page with nothing but the board's page, at the address that messages name. */
export function frame(address: string): string {
  const origin = new URL(address).origin;
  const nonce = randomBytes(16).toString("hex");
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; frame-src ${origin}; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'">
<style>html, body, iframe { width: 100%; height: 100%; margin: 0; padding: 0; border: 0; overflow: hidden; }</style></head>
<body><iframe title="Board" allow="clipboard-write"></iframe>
<script nonce="${nonce}">
const board = document.querySelector("iframe");
addEventListener("message", (event) => { if (event.data?.address) board.src = event.data.address; });
</script></body></html>`;
}
