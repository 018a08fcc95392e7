"""The server object: open documents, sessions, and how work is scheduled."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types as t
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from lexls import __version__
from lexls.server.documents import OpenDocument, OpenDocuments
from lexls.server.explaining_ahead import Ahead
from lexls.server.protocol import Protocol, Refused
from lexls.server.session import Session
from lexls.server.sweeping import Sweeper
from lexls.settings.load import Problem, workspace_settings_file
from lexls.text.cancel import Cancelled, CancelToken
from lexls.text.lines import Encoding

if TYPE_CHECKING:
    from lexls.features.snapshot import Draft, Snapshot
    from lexls.server.library_service import LibraryService

log = logging.getLogger(__name__)
T = TypeVar("T")

_ENCODINGS: Mapping[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}
TICK_SECONDS = 0.25
"""How often libraries and settings files are looked at; a look that finds nothing costs microseconds."""
CASES_SECONDS = 5.0
"""Between two looks at the files of the user's own cases."""
WORKERS = 3
WRITERS = 2
"""Answers that may be written at the same time; each may take a model a minute."""
SAID_AT = frozenset({1, 10, 100, 1_000, 10_000})
"""A fault is logged the first time it happens, the tenth, the hundredth, …."""
ANSWER_SECONDS = 10.0
"""How long the pulse waits for a client that was asked something."""
FIRST_ANSWER_SECONDS = 20.0
"""How long a request waits for the index to be opened for the first time."""


class LexlsServer(LanguageServer):
    """The language server. Everything but ``run`` and what it calls belongs to the event loop.

    Requests are answered on ``WORKERS`` threads of their own: pygls' pool also reads standard input, so
    that a few slow requests would stop the server from hearing anything. What may take a model minutes has
    ``WRITERS`` threads of its own for the same reason.
    """

    def __init__(self) -> None:
        super().__init__(
            "lexls",
            __version__,
            text_document_sync_kind=t.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
            max_workers=1,  # standard input
        )
        self.documents = OpenDocuments()
        self.ahead = Ahead(self)
        self.initialization_options: Any = None
        self.editor_settings: Mapping[str, Any] = {}
        self.watchers: list[Callable[[Session], None]] = []
        """Called when a session's documents or vectors changed, or its settings."""
        self._sessions: dict[Path, Session] = {}
        self._services: dict[str, LibraryService] = {}
        self._requests = ThreadPoolExecutor(WORKERS, thread_name_prefix="lexls-request")
        self._writing = ThreadPoolExecutor(WRITERS, thread_name_prefix="lexls-writing")
        self._written: set[CancelToken] = set()
        self._background = ThreadPoolExecutor(2, thread_name_prefix="lexls-background")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._said: dict[str, int] = {}
        self._sweeper = Sweeper()
        self._ticking = False
        self._cases: asyncio.Task[None] | None = None
        self._end_of_cases = CancelToken()
        self._ended = False

    # -- errors: never with text of a draft ------------------------------------------------------------

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log what failed, not what it was working on: a message may quote a draft."""
        if isinstance(error, Refused):
            return
        where = error.__traceback__
        while where is not None and where.tb_next is not None:
            where = where.tb_next
        place = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where else "?"
        said = f"{type(error).__name__} at {place}"
        self._said[said] = self._said.get(said, 0) + 1
        # What goes wrong at each tick or key press must not fill a disk.
        if self._said[said] in SAID_AT:
            log.error("%s%s", said, f" ({self._said[said]} times)" if self._said[said] > 1 else "")

    # -- documents and sessions ------------------------------------------------------------------------

    @property
    def encoding(self) -> Encoding:
        """What the client counts columns in."""
        chosen = self.server_capabilities.position_encoding
        return _ENCODINGS.get(str(getattr(chosen, "value", chosen)), "utf-16")

    def session_of(self, uri: str) -> Session:
        """The session of a document: that of the nearest ``lexls.toml``, or of its workspace folder."""
        root = self._root_of(uri)
        session = self._sessions.get(root)
        if session is None:
            session = Session(root, self.editor_settings)
            self._sessions[root] = session
            self._tell_problems(session.problems)
            session.service = self._service_of(session)
        return session

    @property
    def sessions(self) -> list[Session]:
        """All sessions there are."""
        return list(self._sessions.values())

    def session_for(self, uri: str | None) -> Session:
        """The session of a document; without one, that of the first workspace folder or of what is open."""
        if uri:
            return self.session_of(uri)
        folders = [folder.uri for folder in self.workspace.folders.values()]
        opened = [document.uri for document in self.documents]
        return self.session_of((folders or opened or [uri_of(Path.cwd())])[0])

    def start_sessions(self) -> None:
        """Open the session of every workspace folder, so that indexing begins before a draft is opened."""
        for folder in self.workspace.folders.values():
            self.session_of(folder.uri)

    def change_settings(self, editor: Mapping[str, Any]) -> None:
        """Take over what the editor says now; libraries that stay the same stay open."""
        self.editor_settings = editor
        self._reload(list(self._sessions))

    def _reload(self, roots: list[Path]) -> None:
        for root in roots:
            fresh = Session(root, self.editor_settings)
            self._sessions[root] = fresh
            self._tell_problems(fresh.problems)
            fresh.service = self._service_of(fresh)
        used = {id(session.service) for session in self._sessions.values()}
        for key, service in list(self._services.items()):
            if id(service) not in used:
                del self._services[key]
                self._background.submit(service.close)
        for root in roots:
            self._notify(self._sessions[root])

    def _root_of(self, uri: str) -> Path:
        folders = [path_of(folder.uri) for folder in self.workspace.folders.values()]
        # A draft that was never saved belongs to the workspace, wherever the server was started.
        path = folders[0] if folders and not uri.startswith("file:") else path_of(uri)
        settings = workspace_settings_file(path)
        if settings is not None:
            return settings.parent
        inside = [folder for folder in folders if path.is_relative_to(folder)]
        if inside:
            return max(inside, key=lambda folder: len(folder.parts))
        return path if path.is_dir() else path.parent

    def _service_of(self, session: Session) -> LibraryService | None:
        folders = session.settings.library_folders
        if not folders:
            return None
        from lexls.index.config import indexer_config
        from lexls.server.library_service import LibraryService

        config = indexer_config(folders, session.settings)
        key = config.to_json()
        if key not in self._services:
            idle_seconds = 60.0 * session.settings.models_idle_minutes
            self._services[key] = LibraryService(config, idle_seconds)
        return self._services[key]

    def _tell_problems(self, problems: list[Problem]) -> None:
        for problem in problems:
            self.window_show_message(t.ShowMessageParams(t.MessageType.Warning, f"lexls: {problem}"))

    # -- scheduling ------------------------------------------------------------------------------------

    async def answer(
        self, uri: str, work: Callable[[Snapshot, OpenDocument, CancelToken], T], otherwise: T
    ) -> T:
        """Run ``work`` on a worker thread with the document as it is now; ``otherwise`` without a library.

        Cancelling the request cancels the token that the work carries.
        """
        document = self.documents.get(uri)
        if document is None:
            return otherwise
        session = self.session_of(uri)

        def task(token: CancelToken) -> T:
            if session.service is None:
                return otherwise
            if session.service.library is None:
                session.service.wait(FIRST_ANSWER_SECONDS)
            token.raise_if_cancelled()
            snapshot = session.snapshot(document, str(path_of(uri)))
            return otherwise if snapshot is None else work(snapshot, document, token)

        return await self.run(task)

    async def read(self, uri: str, work: Callable[[Draft, OpenDocument, CancelToken], T], otherwise: T) -> T:
        """As ``answer``, for what a document alone tells: it waits for no library and needs none."""
        document = self.documents.get(uri)
        if document is None:
            return otherwise
        session = self.session_of(uri)
        return await self.run(lambda token: work(session.draft(document, str(path_of(uri))), document, token))

    async def run(self, task: Callable[[CancelToken], T]) -> T:
        """Run ``task`` on a worker thread; cancelling the awaiting request cancels its token."""
        return await self._run_on(self._requests, task, CancelToken())

    async def run_long(self, task: Callable[[CancelToken], T]) -> T:
        """As ``run``, for what may take minutes: it takes no thread from other requests."""
        token = CancelToken()
        self._written.add(token)
        try:
            return await self._run_on(self._writing, task, token)
        finally:
            self._written.discard(token)

    async def _run_on(
        self, threads: ThreadPoolExecutor, task: Callable[[CancelToken], T], token: CancelToken
    ) -> T:
        self._sweeper.asked()
        try:
            return await asyncio.get_running_loop().run_in_executor(threads, task, token)
        except asyncio.CancelledError:
            token.cancel()
            raise
        except Cancelled:
            raise asyncio.CancelledError from None

    async def run_behind(self, task: Callable[[], T]) -> T:
        """Run ``task`` where it delays no request."""
        return await asyncio.get_running_loop().run_in_executor(self._background, task)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Let ``work`` go on beside the requests, until the server ends."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.report_server_error(error, None)

    # -- the pulse -------------------------------------------------------------------------------------

    def start_ticking(self, after_tick: Callable[[], Awaitable[None]]) -> None:
        """Begin to look after libraries and settings files."""
        if not self._ticking:
            self._ticking = True
            self.spawn(self._tick(after_tick))

    async def _tick(self, after_tick: Callable[[], Awaitable[None]]) -> None:
        while not self._ended:
            stale = [root for root, session in self._sessions.items() if session.settings_changed()]
            if stale:
                self._reload(stale)
            for service in list(self._services.values()):
                try:
                    if await self.run_behind(service.tick):
                        await self._library_changed(service)
                except Exception as error:
                    self.report_server_error(error, None)
            try:
                await asyncio.wait_for(after_tick(), ANSWER_SECONDS)
            except Exception as error:
                self.report_server_error(error, None)
            self._sweeper.sweep_if_idle()
            if self._cases is None or self._cases.done():
                self._cases = self.spawn(self._follow_cases())
            await asyncio.sleep(TICK_SECONDS)

    async def _follow_cases(self) -> None:
        """Beside the ticks, since the vectors of many cases take long the first time; and less often."""
        for session in self.sessions:
            try:
                await self.run_behind(partial(session.follow_cases, self._end_of_cases))
            except Cancelled:
                return
            except Exception as error:
                self.report_server_error(error, None)
        await asyncio.sleep(CASES_SECONDS)

    async def _library_changed(self, service: LibraryService) -> None:
        for session in self.sessions:
            if session.service is service:
                await self.run_behind(session.warm)
                self._notify(session)

    def _notify(self, session: Session) -> None:
        for watcher in self.watchers:
            watcher(session)

    # -- the end ---------------------------------------------------------------------------------------

    async def end(self) -> None:
        """Stop all work and close all libraries."""
        self._ended = True
        self._end_of_cases.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*list(self._tasks), return_exceptions=True)
        services, self._services = list(self._services.values()), {}
        await asyncio.gather(*(self.run_behind(service.close) for service in services))

    def shutdown(self) -> None:
        """Called by pygls when the connection is over, also when the client just vanished."""
        self._ended = True
        self._end_of_cases.cancel()
        for token in list(self._written):
            token.cancel()
        for service in self._services.values():
            service.close()
        self._services = {}
        self._requests.shutdown(wait=False, cancel_futures=True)
        self._writing.shutdown(wait=False, cancel_futures=True)
        self._background.shutdown(wait=False, cancel_futures=True)
        super().shutdown()  # type: ignore[no-untyped-call]


def path_of(uri: str) -> Path:
    """The path of a document; for documents that are no files, a path that only tells the suffix."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path else Path(uri.rsplit("/", 1)[-1] or "untitled").absolute()


def uri_of(path: Path) -> str:
    """The URI of a file."""
    return str(from_fs_path(str(path)))
