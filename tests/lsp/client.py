"""A language client over stdio: messages in, messages out, waits with a bound; nothing of pygls."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 90.0  # seconds; a bound for a loaded machine, not an expectation
Message = dict[str, Any]


class Client:
    """One server process. `version` counts the text changes of each document."""

    def __init__(self, directory: Path, encodings: list[str] | None = None) -> None:
        self.directory = directory
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ptolint", "lsp"],
            cwd=directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PTOLINT_CACHE_DIR": str(directory / ".cache")},
        )
        self._messages: queue.Queue[Message] = queue.Queue()
        self._early: list[Message] = []
        self._id = 0
        self.version: dict[str, int] = {}
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._log, daemon=True).start()
        general = {"positionEncodings": encodings} if encodings else {}
        self.capabilities = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": directory.as_uri(),
                "capabilities": {
                    "general": general,
                    "textDocument": {"publishDiagnostics": {"versionSupport": True, "relatedInformation": True}},
                },
            },
        )["capabilities"]
        self.notify("initialized", {})

    # ------------------------------------------------------------ transport

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while True:
            length = 0
            while line := out.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            self._messages.put(json.loads(out.read(length)))

    def _log(self) -> None:
        """The server's log, shown by pytest when a test fails."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            sys.stderr.write(line.decode("utf-8", "replace"))

    def send(self, message: Message) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> Any:
        self._id += 1
        number = self._id
        self.send({"id": number, "method": method, "params": params})
        answer = self.wait(lambda m: m.get("id") == number and "method" not in m)
        assert "error" not in answer, answer
        return answer.get("result")

    def wait(self, wanted: Callable[[Message], bool], patience: float = PATIENCE) -> Message:
        """The first message, read or to come, that is `wanted`; others are kept."""
        for message in self._early:
            if wanted(message):
                self._early.remove(message)
                return message
        end = time.monotonic() + patience
        while True:
            message = self._messages.get(timeout=max(0.01, end - time.monotonic()))
            if wanted(message):
                return message
            self._early.append(message)

    # ------------------------------------------------------------ documents

    def uri(self, name: str) -> str:
        return (self.directory / name).as_uri()

    def open(self, name: str, text: str, uri: str | None = None) -> str:
        uri = uri or self.uri(name)
        self.version[uri] = 1
        document = {"uri": uri, "languageId": "cpp", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, text: str) -> None:
        """Replace the whole text."""
        self.version[uri] += 1
        identifier = {"uri": uri, "version": self.version[uri]}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": text}]})

    def diagnostics(self, uri: str, wanted: Callable[[list[Message]], bool] = lambda d: True) -> list[Message]:
        """Diagnostics of the document's present version that are as wanted."""

        def fits(m: Message) -> bool:
            p = m.get("params", {})
            return (
                m.get("method") == "textDocument/publishDiagnostics"
                and p["uri"] == uri
                and p.get("version") == self.version.get(uri)
                and wanted(p["diagnostics"])
            )

        found: list[Message] = self.wait(fits)["params"]["diagnostics"]
        return found

    def settled(self, uri: str) -> list[Message]:
        """The second diagnostics of the document's present version: those with the solver's findings."""
        self.diagnostics(uri)
        return self.diagnostics(uri)

    def published_versions(self, uri: str) -> list[int]:
        """The versions of all diagnostics received so far that nobody has asked for."""
        while not self._messages.empty():
            self._early.append(self._messages.get())
        shown = [m["params"] for m in self._early if m.get("method") == "textDocument/publishDiagnostics"]
        return [p["version"] for p in shown if p["uri"] == uri and p.get("version") is not None]

    def at(self, method: str, uri: str, line: int, character: int) -> Any:
        """A request about a position, counted from 0."""
        position = {"line": line, "character": character}
        return self.request(method, {"textDocument": {"uri": uri}, "position": position})

    def actions(self, uri: str, line: int) -> list[Message]:
        """The code actions of a whole line, counted from 0."""
        range_ = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 200}}
        params = {"textDocument": {"uri": uri}, "range": range_, "context": {"diagnostics": []}}
        return list(self.request("textDocument/codeAction", params))

    def close(self) -> int:
        """Shut the server down as an editor does; its exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(PATIENCE)


def codes(diagnostics: list[Message]) -> list[str]:
    return [str(d["code"]) for d in diagnostics]
