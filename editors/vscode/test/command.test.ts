import assert from "node:assert/strict";
import { test } from "node:test";
import { serverCommand } from "../src/command";

const on = { path: "", enable: true };
const nothing = (): boolean => false;

test("a configured path wins", () => {
  assert.deepEqual(serverCommand({ path: " /opt/ptolint ", enable: true }, ["/w"], () => true), {
    command: "/opt/ptolint",
    args: ["lsp"],
  });
});

test("a virtual environment of a workspace folder comes next", () => {
  const exists = (file: string): boolean => file === "/b/venv/bin/ptolint";
  assert.equal(serverCommand(on, ["/a", "/b"], exists, "linux")?.command, "/b/venv/bin/ptolint");
});

test("otherwise the PATH decides", () => {
  assert.equal(serverCommand(on, ["/a"], nothing, "linux")?.command, "ptolint");
});

test("switched off means no server", () => {
  assert.equal(serverCommand({ path: "", enable: false }, [], nothing), undefined);
});
