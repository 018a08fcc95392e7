"""Run ``lexls serve``: a language server on standard input and output, from start to exit."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from lsprotocol import types as t

from lexls.server import checking, semantic_tokens
from lexls.server.client_paths import ClientPaths
from lexls.server.closed_drafts import ClosedDrafts
from lexls.server.protocol import Protocol
from lexls.server.server import SWITCH_SECONDS, LexlsServer
from lexls.server.session import Session
from lexls.server.status import StatusReporter
from lexls.server.sweeper import Sweeper

_FEATURES = """
    completion code_action navigation semantic_tokens commands graph explaining asking citation_styles
    ignoring reporting books file_renames
"""
"""Modules that register the server's features."""


def make_server(client: ClientPaths | None = None) -> LexlsServer:
    """Return a server with all features registered, not yet connected."""
    server = LexlsServer(client)

    @server.feature(t.INITIALIZE)
    def initialize(ls: LexlsServer, params: t.InitializeParams) -> None:
        ls.initialization_options = params.initialization_options
        editor = params.process_id
        # Checked before answering the editor: it may be gone before anything else runs.
        if client is None and editor is not None and can_be_watched(editor):
            ls.spawn(end_with_editor(ls, editor))
        semantic_tokens.choose_legend(ls)
        checking.choose_kind(ls)

    register(server)
    for name in _FEATURES.split():
        import_module(f"lexls.server.{name}").register(server)
    return server


def find_client(name: str, shared: Sequence[Path]) -> ClientPaths:
    """Return the path mapping for the client ``name`` on another machine. The client's folder on this machine
    becomes the current folder, so that a ``lexls.toml`` in it or above applies to the client.
    """
    from platformdirs import user_data_path

    folder = user_data_path("lexls", appauthor=False).absolute() / "clients" / name
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    paths = ClientPaths(folder.resolve(), tuple(Path(os.path.abspath(each)) for each in shared))
    os.chdir(folder)
    return paths


def serve(client: ClientPaths | None = None) -> int:
    """Serve one client until it disconnects. Return the exit status: 0 if the client shut the server down,
    else 1.

    ``client`` maps the paths of a client on another machine.
    """
    # pygls logs whole messages, and parameters with errors: these contain privileged text.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="lexls: %(levelname)s: %(message)s")
    sys.setswitchinterval(SWITCH_SECONDS)
    Sweeper.begin()
    server = make_server(client)
    server.start_io()
    protocol = server.protocol
    return 0 if isinstance(protocol, Protocol) and protocol.was_shut_down else 1


SECTION = "lexls"
EDITOR_SECONDS = 2.0
"""Seconds between checks that the editor's process is still running."""


def register(server: LexlsServer) -> None:
    """Register the handlers for starting and stopping, settings, folders and open documents."""
    diagnostics = checking.Diagnostics(server)
    on_disk = ClosedDrafts(server)
    _answer_for_drafts(server, diagnostics, on_disk)
    status = StatusReporter(server)

    @server.feature(t.INITIALIZED)
    async def initialized(ls: LexlsServer, params: t.InitializedParams) -> None:
        # Drafts may be opened before the editor has sent its settings.
        ls.editor_settings = _section(ls.initialization_options)
        settings = await _read_settings(ls, ls.initialization_options)
        if settings != ls.editor_settings:
            ls.change_settings(settings)
        ls.start_sessions()
        ls.start_ticking(status.report)
        await _register(ls)

    @server.feature(t.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration_changed(ls: LexlsServer, params: t.DidChangeConfigurationParams) -> None:
        ls.change_settings(await _read_settings(ls, params.settings))

    @server.feature(t.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(ls: LexlsServer, params: t.DidChangeWorkspaceFoldersParams) -> None:
        ls.start_sessions()
        on_disk.wake()

    @server.feature(t.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(ls: LexlsServer, params: t.DidChangeWatchedFilesParams) -> None:
        """Recheck drafts that are not open. Library and settings files are watched elsewhere."""
        on_disk.wake()

    @server.feature(t.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: LexlsServer, params: t.DidOpenTextDocumentParams) -> None:
        ls.documents.open(params.text_document)
        ls.warn_of_host(params.text_document.uri)
        ls.start_ticking(status.report)
        diagnostics.schedule(params.text_document.uri, 0)
        on_disk.wake()

    @server.feature(t.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: LexlsServer, params: t.DidChangeTextDocumentParams) -> None:
        document = ls.documents.change(params.text_document, params.content_changes, ls.encoding)
        if document is not None:
            diagnostics.schedule(document.uri)

    @server.feature(t.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: LexlsServer, params: t.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.documents.close(uri)
        for session in ls.sessions:
            session.checker.forget(uri)
        ls.leave_off(uri)
        diagnostics.clear(uri)
        on_disk.leave(uri)

    @server.feature(t.SHUTDOWN)
    async def shutdown(ls: LexlsServer, params: Any = None) -> None:
        await ls.end()

    refreshing: list[asyncio.Task[None]] = []

    async def refresh() -> None:
        await asyncio.sleep(REFRESH_SECONDS)
        refreshing.clear()
        for ask in _supported(server):
            try:
                await ask(None)
            except Exception as error:  # if one kind is refused, another may not be
                server.report_server_error(error, None)

    def notice(session: Session) -> None:
        if not refreshing:
            refreshing.append(server.spawn(refresh()))

    server.watchers.append(notice)


def _answer_for_drafts(server: LexlsServer, diagnostics: checking.Diagnostics, on_disk: ClosedDrafts) -> None:
    """Answer requests for diagnostics, for one draft or for the whole workspace."""
    # Findings in a draft depend on the library's files.
    options = t.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=True, identifier="lexls"
    )

    @server.feature(t.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def document_diagnostic(
        ls: LexlsServer, params: t.DocumentDiagnosticParams
    ) -> t.DocumentDiagnosticReport:
        opened = ls.documents.get(params.text_document.uri) is not None
        return await (diagnostics.answer(params) if opened else on_disk.answer_one(params))

    @server.feature(t.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(
        ls: LexlsServer, params: t.WorkspaceDiagnosticParams
    ) -> t.WorkspaceDiagnosticReport:
        return await on_disk.answer(params)


async def end_with_editor(ls: LexlsServer, process: int) -> None:
    """Exit when the editor's process has ended, even if another process that it started keeps its
    pipes open.
    """
    while _is_running(process):
        await asyncio.sleep(EDITOR_SECONDS)
    for service in ls.opened:
        await ls.run_behind(service.close)
    os._exit(1)  # a thread still waits for input that will never come


def can_be_watched(process: int) -> bool:
    """Return whether the end of an editor's process can be detected.

    A process that does not exist at the start is assumed to run in another container or on another machine.
    Windows has no harmless way to check.
    """
    return os.name == "posix" and _is_running(process)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


async def _read_settings(ls: LexlsServer, pushed: Any) -> dict[str, Any]:
    """Return the editor's settings. If the editor cannot be asked or does not answer, return those that it
    ``pushed``.
    """
    if not ls.find_capability("workspace.configuration"):
        return _section(pushed)
    request = t.ConfigurationParams([t.ConfigurationItem(section=SECTION)])
    try:
        answer = await asyncio.wait_for(ls.workspace_configuration_async(request), timeout=5)
    except Exception as error:  # start even if the editor cannot answer
        ls.report_server_error(error, None)
        return _section(pushed)
    first = answer[0] if answer else None
    return dict(first) if isinstance(first, dict) else {}


def _section(settings: Any) -> dict[str, Any]:
    """Return lexls's settings from the data that an editor pushed: the table "lexls" or, if there is none,
    all of the data.
    """
    if not isinstance(settings, dict):
        return {}
    own = settings.get(SECTION)
    return dict(own) if isinstance(own, dict) else dict(settings)


async def _register(ls: LexlsServer) -> None:
    """Register for notifications of changed settings and drafts if the client supports dynamic
    registration.
    """
    from lexls.text.formats import DRAFT_SUFFIXES

    suffixes = ",".join(sorted(each.removeprefix(".") for each in DRAFT_SUFFIXES))
    drafts = t.FileSystemWatcher(f"**/*.{{{suffixes}}}")
    wanted: dict[str, tuple[str, object]] = {
        "did_change_configuration": (
            t.WORKSPACE_DID_CHANGE_CONFIGURATION,
            t.DidChangeConfigurationRegistrationOptions(section=SECTION),
        ),
        "did_change_watched_files": (
            t.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            t.DidChangeWatchedFilesRegistrationOptions([drafts]),
        ),
    }
    registrations = [
        t.Registration(f"lexls-{name}", method, options)
        for name, (method, options) in wanted.items()
        if ls.find_capability(f"workspace.{name}.dynamic_registration")
    ]
    if registrations:
        await ls.client_register_capability_async(t.RegistrationParams(registrations))


REFRESH_SECONDS = 1.0
"""Seconds between refresh requests to the editor. A busy indexer changes the library constantly."""


def _supported(server: LexlsServer) -> list[Callable[[None], Awaitable[None]]]:
    kinds: dict[str, Callable[[None], Awaitable[None]]] = {
        "inlay_hint": server.workspace_inlay_hint_refresh_async,
        "semantic_tokens": server.workspace_semantic_tokens_refresh_async,
        "code_lens": server.workspace_code_lens_refresh_async,
    }
    supported = (server.find_capability(f"workspace.{kind}.refresh_support") for kind in kinds)
    return [ask for ask, known in zip(kinds.values(), supported, strict=True) if known]
