// The program `multigame`, and how a terminal is told to run it.

import * as vscode from "vscode";

/** The program as the settings name it. */
export function program(): string {
  return vscode.workspace.getConfiguration("multigame").get<string>("path")?.trim() || "multigame";
}

/** A terminal that runs the program with arguments and stays open with what it says. No shell reads them. */
export function runInTerminal(title: string, args: string[], cwd: string | undefined): vscode.Terminal {
  const [shell, ...rest] =
    process.platform === "win32"
      ? ["cmd.exe", "/d", "/k", program(), ...args]
      : ["/bin/sh", "-c", 'printf "%s\\n" "multigame $*"; "$0" "$@"; printf "\\n[Enter closes this] "; read -r _', program(), ...args];
  const terminal = vscode.window.createTerminal({ name: title, shellPath: shell, shellArgs: rest, cwd });
  terminal.show();
  return terminal;
}
