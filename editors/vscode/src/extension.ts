import * as fs from "fs";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { serverCommand } from "./command";

let client: LanguageClient | undefined;

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("ptolint");
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const command = serverCommand(
    { path: settings.get("path", ""), enable: settings.get("enable", true) },
    folders,
    fs.existsSync,
  );
  if (command === undefined) {
    return;
  }
  client = new LanguageClient("ptolint", "ptolint", command, {
    documentSelector: [
      { scheme: "file", language: "cpp" },
      { scheme: "file", language: "c" },
      { scheme: "file", pattern: "**/*.cce" },
    ],
    synchronize: {
      fileEvents: vscode.workspace.createFileSystemWatcher("**/{ptolint.toml,.ptolint.toml,pyproject.toml}"),
    },
  });
  try {
    await client.start();
  } catch (error) {
    void vscode.window.showErrorMessage(`ptolint: cannot start ${command.command}: ${String(error)}`);
  }
}

async function stop(): Promise<void> {
  await client?.stop();
  client = undefined;
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("ptolint.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("ptolint")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

export function deactivate(): Promise<void> {
  return stop();
}
