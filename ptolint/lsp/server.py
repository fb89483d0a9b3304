"""Features of the server. Diagnostics wait until typing pauses; an answer for an old version is dropped."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from ptolint import __version__
from ptolint.findings import Finding
from ptolint.ir.model import Span
from ptolint.lsp.actions import actions
from ptolint.lsp.convert import Lines, diagnostic
from ptolint.lsp.engine import Engine, options_for
from ptolint.lsp.hover import describe
from ptolint.results import FileResult

DEBOUNCE = 0.08  # seconds without a change before an analysis starts


@dataclass(slots=True)
class _Document:
    """What the server knows of an open document."""

    version: int = -1
    findings: list[Finding] = field(default_factory=list)
    task: asyncio.Task[None] | None = None


class Server(LanguageServer):
    """The server with its open documents and its analysis engine."""

    def __init__(self) -> None:
        super().__init__("ptolint", f"v{__version__}", text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.documents: dict[str, _Document] = {}
        self.engine = Engine()

    def schedule(self, uri: str, delay: float) -> None:
        """Analyse the document after `delay` seconds unless it changes again before that."""
        document = self.documents.setdefault(uri, _Document())
        if document.task is not None:
            document.task.cancel()
        document.task = asyncio.ensure_future(self._analyse(uri, delay))

    async def _analyse(self, uri: str, delay: float) -> None:
        await asyncio.sleep(delay)
        path = to_fs_path(uri)
        if path is None or uri not in self.workspace.text_documents:
            return
        source = self.workspace.get_text_document(uri)
        version, text = source.version or 0, source.source
        result = await self.engine.check(path, text)
        current = self.workspace.text_documents.get(uri)
        document = self.documents.get(uri)
        if current is None or document is None or (current.version or 0) != version:
            return
        document.version = version
        document.findings = [f for f in result.findings if f.suppressed is None and f.span.file == path]
        lines = Lines(path, text)
        shown = [diagnostic(f, lines) for f in document.findings] + _failure(result, path, lines)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, shown, version))

    def forget(self, uri: str) -> None:
        """The document was closed: its diagnostics go."""
        document = self.documents.pop(uri, None)
        if document is not None and document.task is not None:
            document.task.cancel()
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


def _failure(result: FileResult, path: str, lines: Lines) -> list[lsp.Diagnostic]:
    """A file that could not be analysed says so on its first line."""
    if result.failure is None:
        return []
    place = lines.range(Span(path, 1, 1, 1, 2))
    text = f"not analysed: {result.failure}"
    return [lsp.Diagnostic(place, text, lsp.DiagnosticSeverity.Warning, code="ptolint/not-analysed", source="ptolint")]


def create_server() -> Server:
    """A server with all features registered."""
    server = Server()

    @server.feature(lsp.INITIALIZED)
    def initialized(_params: lsp.InitializedParams) -> None:
        server.engine.warm_up()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.schedule(params.text_document.uri, 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        server.schedule(params.text_document.uri, DEBOUNCE)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        server.schedule(params.text_document.uri, 0)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(_params: lsp.DidChangeWatchedFilesParams) -> None:
        for uri in list(server.documents):
            server.schedule(uri, 0)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configuration_changed(_params: lsp.DidChangeConfigurationParams) -> None:
        for uri in list(server.documents):
            server.schedule(uri, 0)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        return await _hover(server, params)

    kinds = [lsp.CodeActionKind.QuickFix]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds))
    def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document = server.documents.get(params.text_document.uri)
        path = to_fs_path(params.text_document.uri)
        if document is None or path is None:
            return []
        source = server.workspace.get_text_document(params.text_document.uri)
        return actions(document.findings, params, Lines(path, source.source), document.version == source.version)

    @server.feature(lsp.SHUTDOWN)
    def shutdown(_params: object) -> None:
        server.engine.close()

    return server


async def _hover(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """What stands under the cursor, worked out in the worker."""
    path = to_fs_path(params.text_document.uri)
    if path is None:
        return None
    text = server.workspace.get_text_document(params.text_document.uri).source
    options, _, timeout = options_for(path)
    line = params.position.line
    rows = text.split("\n")
    raw = rows[line] if line < len(rows) else ""
    before = raw.encode("utf-16-le")[: 2 * params.position.character].decode("utf-16-le", "replace")
    found = await server.engine.call(timeout, describe, path, text, line + 1, len(before.encode()) + 1, options)
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found)) if found else None
