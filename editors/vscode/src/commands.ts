// The commands of lenses, in terminals: play, perft, analyze, coverage.

import * as path from "node:path";
import * as vscode from "vscode";
import { runInTerminal } from "./program.ts";

/** What the server puts into a lens. */
interface Argument {
  uri: string;
  arguments: string[];
}

/** What each command runs where no lens says it. */
const USUAL: Record<string, (file: string) => string[]> = {
  play: (file) => ["play", file],
  perft: (file) => ["perft", file, "4"],
  analyze: (file) => ["analyze", file],
  coverage: (file) => ["playout", file, "--coverage"],
};

export function registerCommands(context: vscode.ExtensionContext): void {
  for (const [name, usual] of Object.entries(USUAL)) {
    const run = (argument?: Argument) => runOn(name, usual, argument);
    context.subscriptions.push(vscode.commands.registerCommand(`multigame.${name}`, run));
  }
}

async function runOn(name: string, usual: (file: string) => string[], argument?: Argument): Promise<void> {
  const uri = argument?.uri ? vscode.Uri.parse(argument.uri) : vscode.window.activeTextEditor?.document.uri;
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri?.toString());
  if (!uri || uri.scheme !== "file") {
    void vscode.window.showErrorMessage("Save the rules to a file first: the command reads it.");
    return;
  }
  // The program reads the file, and the rules on the screen are meant.
  if (document?.isDirty && !(await document.save())) return;
  const file = uri.fsPath;
  runInTerminal(`${name} ${path.basename(file)}`, argument?.arguments ?? usual(file), path.dirname(file));
}
