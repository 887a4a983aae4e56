// Where the extension begins: the language server, the commands of lenses, and the board beside the rules.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { registerCommands } from "./commands.ts";
import { Preview } from "./preview.ts";
import { program } from "./program.ts";

let client: LanguageClient | undefined;
let preview: Preview | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  preview = new Preview();
  registerCommands(context);
  context.subscriptions.push(
    preview,
    vscode.commands.registerCommand("multigame.preview", () => preview?.show()),
    vscode.commands.registerCommand("multigame.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("multigame.path")) void restart();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  preview?.dispose();
  await client?.stop();
}

async function start(): Promise<void> {
  const command = program();
  const server: ServerOptions = { command, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "multigame" }],
    // Lenses open terminals here, which the server cannot.
    initializationOptions: { commands: "client" },
  };
  client = new LanguageClient("multigame", "Multigame", server, options);
  try {
    await client.start();
  } catch (failure) {
    client = undefined;
    const choose = "Open Settings";
    const message = `The program \`${command}\` cannot be started: ${(failure as Error).message}`;
    // Closing the message is an answer too.
    void vscode.window.showErrorMessage(message, choose).then((chosen) => {
      if (chosen === choose) void vscode.commands.executeCommand("workbench.action.openSettings", "multigame.path");
    });
  }
}

async function restart(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.stop();
  await start();
}
