"""Features of the server. Diagnostics wait until typing pauses; an answer for an old version is never shown."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from ptolint import __version__
from ptolint.errors import InputError
from ptolint.findings import Finding
from ptolint.fixers import fixes_of
from ptolint.lsp.actions import actions, touched
from ptolint.lsp.convert import Lines, clean, diagnostic, place_in
from ptolint.lsp.engine import Engine, configuration_files, settings_for
from ptolint.lsp.hover import name_at, part, render
from ptolint.lsp.worker import Failed
from ptolint.options import DEFAULT_TARGETS
from ptolint.results import FileResult

DEBOUNCE = 0.1  # seconds without a change before an analysis starts, while somebody types
FIRST = 0.02  # the same for a change after a pause
POLL = 1.0  # seconds between looks at the files that documents depend on
Stamp = dict[str, int]


@dataclass(slots=True)
class _Document:
    """What the server knows of an open document; `stamp` holds the times of the files that its findings rest on."""

    version: int | None = None
    changed: float = 0.0
    findings: list[Finding] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    stamp: Stamp | None = None


class Server(LanguageServer):
    """The server with its open documents and its analysis engine."""

    def __init__(self) -> None:
        super().__init__("ptolint", f"v{__version__}", text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.documents: dict[str, _Document] = {}
        self.engine = Engine()
        self.polling: asyncio.Task[None] | None = None

    def schedule(self, uri: str, delay: float = 0.0) -> None:
        """Analyse the document after `delay` seconds unless it changes again before that."""
        document = self.documents.setdefault(uri, _Document())
        if document.task is not None:
            document.task.cancel()
        document.task = asyncio.ensure_future(self._analyse(uri, document, delay))
        document.task.add_done_callback(lambda task: self._say_fault(uri, document, task))

    def changed(self, uri: str) -> None:
        """The text changed: wait for a pause, but not when this is the first change after one."""
        document = self.documents.setdefault(uri, _Document())
        now = time.monotonic()
        self.schedule(uri, DEBOUNCE if now - document.changed < 2 * DEBOUNCE else FIRST)
        document.changed = now

    def source(self, uri: str) -> TextDocument | None:
        """An open document; the workspace keeps them by unquoted URI."""
        found: TextDocument | None = self.workspace.text_documents.get(unquote(uri))
        return found

    def lines(self, uri: str) -> Lines:
        """The lines of an open document."""
        encoding = self.workspace.position_encoding
        text = clean(self.workspace.get_text_document(uri).source)
        return Lines(path_of(uri), text, uri, str(getattr(encoding, "value", encoding)))

    async def _analyse(self, uri: str, document: _Document, delay: float) -> None:
        await asyncio.sleep(delay)
        source = self.source(uri)
        if source is None:
            return
        version, text = source.version, clean(source.source)
        document.stamp = _stamp(path_of(uri), ())
        async for result in self.engine.check(path_of(uri), text):
            current = self.source(uri)
            if current is None or current.version != version:
                return
            self._publish(uri, document, result, version)

    def _say_fault(self, uri: str, document: _Document, task: asyncio.Task[None]) -> None:
        """A fault of ours is shown in the document: silence would look like a clean file."""
        source = self.source(uri)
        if task.cancelled() or task.exception() is None or source is None:
            return
        failure = f"internal error: {type(task.exception()).__name__}: {task.exception()}"
        result = FileResult(path_of(uri), failure=failure, internal=True)
        self._publish(uri, document, result, source.version)

    def _publish(self, uri: str, document: _Document, result: FileResult, version: int | None) -> None:
        document.version = version
        document.stamp = _stamp(path_of(uri), result.includes)
        document.findings = [f for f in result.findings if f.suppressed is None]
        lines = self.lines(uri)
        shown = [diagnostic(f, lines) for f in document.findings] + _failure(result)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, shown, version))

    def forget(self, uri: str) -> None:
        """The document was closed: its diagnostics go."""
        document = self.documents.pop(uri, None)
        if document is not None and document.task is not None:
            document.task.cancel()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def reload(self) -> None:
        """Configuration, rules or headers changed: everything anew, with workers that have cached nothing."""
        for document in self.documents.values():
            if document.task is not None:
                document.task.cancel()
        self.engine.close()
        for uri in list(self.documents):
            self.schedule(uri)

    async def poll(self) -> None:
        """Notice changes of configuration, rule files and headers on disk, whatever the editor can watch itself."""
        while True:
            await asyncio.sleep(POLL)
            if any(_stale(uri, document) for uri, document in self.documents.items()):
                self.reload()


def path_of(uri: str) -> str:
    """The path of a document; one that was never saved is called by its URI."""
    return to_fs_path(uri) or uri


def _stamp(path: str, files: tuple[str, ...]) -> Stamp:
    """Modification times of the document's configuration, its rule files, and `files`; -1 for one that is gone."""
    return {name: _modified(name) for name in configuration_files(path) | set(files)}


def _stale(uri: str, document: _Document) -> bool:
    return document.stamp is not None and document.stamp != _stamp(path_of(uri), tuple(document.stamp))


def _modified(name: str) -> int:
    try:
        return Path(name).stat().st_mtime_ns
    except (OSError, ValueError):
        return -1


def _failure(result: FileResult) -> list[lsp.Diagnostic]:
    """A file that could not be analysed says so on its first line."""
    if result.failure is None:
        return []
    place = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 1))
    text = f"not analysed: {result.failure}"
    return [lsp.Diagnostic(place, text, lsp.DiagnosticSeverity.Warning, code="ptolint/not-analysed", source="ptolint")]


def create_server() -> Server:
    """A server with all features registered."""
    server = Server()

    @server.feature(lsp.INITIALIZED)
    async def initialized(_params: lsp.InitializedParams) -> None:
        server.polling = asyncio.ensure_future(server.poll())
        await server.engine.warm_up(DEFAULT_TARGETS)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.schedule(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        server.schedule(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(_params: lsp.DidChangeWatchedFilesParams) -> None:
        server.reload()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configuration_changed(_params: lsp.DidChangeConfigurationParams) -> None:
        server.reload()

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        return await _hover(server, params)

    kinds = [lsp.CodeActionKind.QuickFix]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds))
    async def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return await _code_actions(server, params)

    @server.feature(lsp.SHUTDOWN)
    def shutdown(*_: object) -> None:
        if server.polling is not None:
            server.polling.cancel()
        server.engine.close()

    return server


async def _hover(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """What stands under the cursor, worked out in the workers."""
    uri, line = params.text_document.uri, params.position.line + 1
    lines = server.lines(uri)
    col = lines.column(params.position)
    text = clean(server.workspace.get_text_document(uri).source)
    try:
        settings = settings_for(lines.path)
    except InputError:
        return None
    options = settings.options
    answers = await server.engine.each(options.targets, settings.timeout, part, lines.path, text, line, col, options)
    document = server.documents.get(uri)
    here = [f for f in (document.findings if document else []) if place_in(f, lines.path).line == line]
    parts = [a for a in answers if a is not None and not isinstance(a, str)]
    found = render(parts, name_at(lines.line(lines.path, line), col), here)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found)) if found else None


async def _code_actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The actions at a range; fixes are looked for when they are asked for, not while somebody types."""
    uri = params.text_document.uri
    document, source = server.documents.get(uri), server.source(uri)
    if document is None or source is None or document.version != source.version:
        return []  # the findings are older than the text
    lines = server.lines(uri)
    here = touched(document.findings, params.range, lines)
    if any(not f.fixes for f in here):
        with contextlib.suppress(InputError, Failed):
            settings = settings_for(lines.path)
            worker = server.engine.worker(settings.options.targets[0])
            text = clean(source.source)
            here = await worker.call(settings.timeout, fixes_of, lines.path, text, here, settings.options) or here
    if document.version != source.version:
        return []  # changed meanwhile
    return [action for finding in here for action in actions(finding, lines)]
