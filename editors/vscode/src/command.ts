import * as path from "path";

/** How to start the language server. */
export interface ServerCommand {
  command: string;
  args: string[];
}

/** Settings that decide which executable runs. */
export interface Settings {
  path: string;
  enable: boolean;
}

/**
 * The server's command: the configured executable, else the one of a virtual environment in a workspace folder,
 * else `ptolint` on the PATH. Returns undefined when the extension is switched off.
 */
export function serverCommand(
  settings: Settings,
  folders: string[],
  exists: (file: string) => boolean,
  platform: string = process.platform,
): ServerCommand | undefined {
  if (!settings.enable) {
    return undefined;
  }
  const args = ["lsp"];
  if (settings.path.trim() !== "") {
    return { command: settings.path.trim(), args };
  }
  const inside = platform === "win32" ? ["Scripts", "ptolint.exe"] : ["bin", "ptolint"];
  for (const folder of folders) {
    for (const environment of [".venv", "venv"]) {
      const candidate = path.join(folder, environment, ...inside);
      if (exists(candidate)) {
        return { command: candidate, args };
      }
    }
  }
  return { command: "ptolint", args };
}
