"""Keep sessions and libraries, and schedule the work of requests."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pkgutil
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast
from weakref import WeakValueDictionary

from lsprotocol import types as t
from pygls.io_ import StdoutWriter
from pygls.lsp.server import LanguageServer

from lexls import __version__
from lexls.server.client_paths import ClientPaths
from lexls.server.convert import to_location, to_offset, to_path, to_range, to_span, to_uri
from lexls.server.documents import OpenDocument, OpenDocuments
from lexls.server.protocol import FileReader, Protocol, RequestRefused, read_data, read_messages
from lexls.server.session import Session
from lexls.server.sweeper import Sweeper
from lexls.settings.load import find_workspace_settings
from lexls.text.cancel import Cancelled, CancelToken
from lexls.text.lines import Encoding
from lexls.text.paths import find_file, find_host
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.index.config import IndexerConfig
    from lexls.index.records import OpenLocation
    from lexls.reading.edit import Edit
    from lexls.reading.snapshot import Draft, Snapshot
    from lexls.server.library_service import LibraryService


_OF_REQUESTS = ("lexls.text.formats", "lexls.features", "lexls.assessing.rules")
"""Packages needed to answer requests. Importing them all takes hardly longer than importing what the first
request needs.
"""


log = logging.getLogger(__name__)
T = TypeVar("T")
P = TypeVar("P")

_ENCODINGS: Mapping[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}
TICK_SECONDS = 0.25
"""Seconds between regular checks of libraries and settings files. A check that finds no change takes
microseconds.
"""
CASES_SECONDS = 5.0
"""Seconds between two checks of the user's own case files."""
WORKERS = 3
CHECKERS = 2
"""Maximum number of drafts checked at the same time; a long one may take seconds."""
WRITERS = 2
"""Maximum number of answers written at the same time; each may take a model a minute."""
SAID_AT = frozenset({1, 10, 100, 1_000, 10_000})
"""Occurrences at which an error is logged: the first, the tenth, the hundredth, and so on."""
ANSWER_SECONDS = 10.0
"""Seconds that the regular checks wait for the client to answer a request."""
SWITCH_SECONDS = 0.0005
"""Maximum time in seconds that a thread may keep the interpreter (Python's default: 0.005). A request
releases the interpreter dozens of times, for SQLite and NumPy. If a background thread computes, the
request waits this long each time. With one such thread, finding support took 60 ms instead of 170.
"""
FIRST_ANSWER_SECONDS = 20.0
"""Seconds a request waits for the index to be opened for the first time."""


def find_fault(error: Exception) -> str:
    """Return the name of the source file and the line at which an error arose. They contain no text of a
    draft.
    """
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    return f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where else "?"


class LexlsServer(LanguageServer):
    """The language server. Use everything except ``run`` and the functions it calls on the event loop only.

    pygls's thread pool also reads standard input, so a few slow requests on it would stop the server from
    receiving anything. Therefore requests run on ``WORKERS`` separate threads, and answers that may take a
    model minutes on ``WRITERS`` more. ``client`` has the paths of a client on another machine.
    """

    def __init__(self, client: ClientPaths | None = None) -> None:
        super().__init__(
            "lexls",
            __version__,
            text_document_sync_kind=t.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
            max_workers=1,  # standard input
        )
        self.client = client
        cast(Protocol, self.protocol).client = client
        self.documents = OpenDocuments()
        self.initialization_options: Any = None
        self.editor_settings: Mapping[str, Any] = {}
        self.watchers: list[Callable[[Session], None]] = []
        """Called when a session's documents, vectors or settings have changed."""
        self.leaving_off: list[Callable[[str | None], None]] = []
        """Called to stop preparing explanations, because the user asks for an answer (argument None) or a
        document was closed (its URI)."""
        self._sessions: dict[Path, Session] = {}
        self._services: dict[str, LibraryService] = {}
        self._importing = threading.Lock()
        self._requests = self._make_threads(WORKERS, "lexls-request")
        self._writing = self._make_threads(WRITERS, "lexls-writing")
        self._checks = self._make_threads(CHECKERS, "lexls-check")
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._written: set[CancelToken] = set()
        self._background = self._make_threads(2, "lexls-background")
        self._aside = self._make_threads(1, "lexls-aside")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._said: dict[str, int] = {}
        self._hosts: set[str] = set()
        self._sweeper = Sweeper()
        self._ticking = False
        self._index_changed = asyncio.Event()
        self._cases: asyncio.Task[None] | None = None
        self._end_of_cases = CancelToken()
        self._ended = False

    def _make_threads(self, count: int, name: str) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(count, name, self._import_features)

    def _import_features(self) -> None:
        """Import everything that requests need before a thread handles one, in one thread at a time.

        Threads that import at the same time may see each other's modules partly initialised.
        """
        with self._importing:
            for package in map(import_module, _OF_REQUESTS):
                for module in pkgutil.iter_modules(package.__path__):
                    if not module.name.startswith("_"):
                        import_module(f"{package.__name__}.{module.name}")

    # -- the connection --------------------------------------------------------------------------------

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve the client on standard input and output until it disconnects."""
        self.protocol.set_writer(StdoutWriter(stdout or sys.stdout.buffer))
        reader = FileReader(stdin or sys.stdin.buffer, self.thread_pool)
        try:
            asyncio.run(self._converse(reader))
        except (BrokenPipeError, KeyboardInterrupt, SystemExit):
            pass  # the client is gone or has ended the session
        finally:
            self.shutdown()

    async def _converse(self, reader: FileReader) -> None:
        protocol = cast(Protocol, self.protocol)

        def take(message: dict[str, Any]) -> None:
            try:
                protocol.take(message)
            except Exception as error:
                self.report_server_error(error, None)

        await read_messages(reader, take, protocol.refuse)

    # -- errors: never with text of a draft ------------------------------------------------------------

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log the type and the position of an error without its message, which may quote a draft."""
        if isinstance(error, RequestRefused):
            return
        said = f"{type(error).__name__} at {find_fault(error)}"
        self._said[said] = self._said.get(said, 0) + 1
        # An error at each tick or key press must not fill a disk.
        if self._said[said] in SAID_AT:
            log.error("%s%s", said, f" ({self._said[said]} times)" if self._said[said] > 1 else "")

    # -- documents and sessions ------------------------------------------------------------------------

    @property
    def encoding(self) -> Encoding:
        """The encoding in which the client counts columns."""
        chosen = self.server_capabilities.position_encoding
        return _ENCODINGS.get(str(getattr(chosen, "value", chosen)), "utf-16")

    def find_capability(self, field: str) -> Any:
        """Return the client's value for a capability ("window.work_done_progress"), or None if it
        gives none.
        """
        known: Any = self.client_capabilities
        for name in field.split("."):
            known = getattr(known, name) if known is not None else None
        return known

    def find_own_capability(self, name: str) -> Any:
        """Return the client's value for a capability under "lexls" in its experimental capabilities, or None
        if it gives none.
        """
        own = _field(self.client_capabilities.experimental, "lexls")
        return _field(own, name)

    def session_of(self, uri: str) -> Session:
        """Return the session of a document, which belongs to the nearest ``lexls.toml`` or else to a
        workspace folder. Opens the session if necessary.

        Without a document (""), return the session of the first workspace folder or, if there is none, of the
        first open document.
        """
        if not uri:
            folders = [folder.uri for folder in self.workspace.folders.values()]
            opened = [document.uri for document in self.documents]
            uri = (folders or opened or [to_uri(Path.cwd())])[0]
        root = self._root_of(uri)
        return self._sessions.get(root) or self._open_session(root)

    def find_session(self, uri: str) -> Session | None:
        """Return the session that a draft belongs to, or None if that session is not open. The draft need not
        be open.
        """
        return self._sessions.get(self._root_of(uri))

    def _open_session(self, root: Path) -> Session:
        session = self._sessions[root] = Session(root, self.editor_settings, self.client)
        for problem in session.problems:
            self.show(t.MessageType.Warning, problem)
        library, record = session.find_configs()
        idle_seconds = 60.0 * session.settings.models_idle_minutes
        session.service = self._share(library, idle_seconds) if library is not None else None
        session.record = self._share(record, 0.0) if record is not None else None
        return session

    @property
    def folders(self) -> list[Path]:
        """The workspace folders."""
        return [to_path(folder.uri) for folder in self.workspace.folders.values()]

    @property
    def sessions(self) -> list[Session]:
        """All open sessions."""
        return list(self._sessions.values())

    @property
    def services(self) -> list[LibraryService]:
        """The libraries used by the sessions, without duplicates."""
        return list({id(each.service): each.service for each in self.sessions if each.service}.values())

    @property
    def records(self) -> list[LibraryService]:
        """The records used by the sessions, without duplicates."""
        return list({id(each.record): each.record for each in self.sessions if each.record}.values())

    @property
    def opened(self) -> list[LibraryService]:
        """All libraries and records that the sessions use."""
        return list(self._services.values())

    def start_sessions(self) -> None:
        """Open the session of every workspace folder, so that indexing begins before a draft is opened."""
        for folder in self.workspace.folders.values():
            self.warn_of_host(folder.uri)
            self.session_of(folder.uri)

    def change_settings(self, editor: Mapping[str, Any]) -> None:
        """Apply new settings from the editor. Libraries whose configuration does not change stay open."""
        self.editor_settings = editor
        self._reload(list(self._sessions))

    def _reload(self, roots: list[Path]) -> None:
        for root in roots:
            self._open_session(root)
        sessions = self._sessions.values()
        used = {id(service) for session in sessions for service in (session.service, session.record)}
        unused = {key: service for key, service in self._services.items() if id(service) not in used}
        for key, service in unused.items():
            del self._services[key]
            heir = next((each for each in self._services.values() if each.may_follow(service)), None)
            if heir is not None:
                heir.follow(service)
            self._background.submit(service.close if heir is None else service.end_indexer)
        for root in roots:
            self._notify(self._sessions[root])

    def _root_of(self, uri: str) -> Path:
        folders = self.folders
        # A draft that was never saved belongs to the workspace, wherever the server was started.
        path = folders[0] if folders and find_file(uri) is None else to_path(uri)
        settings = find_workspace_settings(path)
        if settings is not None:
            if self.client is not None and self.client.folder.is_relative_to(settings.parent):
                return self.client.folder  # a file shared by several clients is not a workspace
            return settings.parent
        inside = [folder for folder in folders if path.is_relative_to(folder)]
        if inside:
            return max(inside, key=lambda folder: len(folder.parts))
        return path if os.path.isdir(path) else path.parent

    def _share(self, config: IndexerConfig, idle_seconds: float) -> LibraryService:
        """Return the service of a configuration, shared by all sessions."""
        from lexls.index.config import find_writable
        from lexls.index.siblings import choose_seed
        from lexls.server.library_service import LibraryService

        key = config.to_json()
        if key not in self._services:
            wanted, index = config.index, find_writable(config.index)
            loop = asyncio.get_running_loop()

            def describe_change() -> None:
                with contextlib.suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(self._index_changed.set)

            config = replace(config, index=index)
            # Services no longer used are included: new sessions are opened before the old ones are closed.
            seed = choose_seed(config, (each.config for each in self._services.values()))
            alone = self.client is not None  # a remote client must not use other clients' indexes
            service = LibraryService(replace(config, seed=seed, alone=alone), idle_seconds, describe_change)
            if index != wanted:
                service.news = f"no index can be made at {wanted}; it is made at {index} instead"
            self._services[key] = service
        return self._services[key]

    def warn_of_host(self, uri: str) -> None:
        """Warn the user that files on the machine named in ``uri`` cannot be accessed from here. The warning
        is shown once per machine.
        """
        host = find_host(uri)
        if host and host not in self._hosts:
            self._hosts.add(host)
            self.show(
                t.MessageType.Warning,
                f"{uri} is a file of the machine {host}, to which this system has no path; open it where its "
                "folder is mounted. Until then neither settings nor bibliographies beside it are read",
            )

    def show(self, type: t.MessageType, message: object) -> None:
        """Show the user a message."""
        self.window_show_message(t.ShowMessageParams(type, f"lexls: {message}"))

    # -- scheduling ------------------------------------------------------------------------------------

    async def answer(self, uri: str, work: Callable[[DocumentRequest], T], otherwise: T, turn: str = "") -> T:
        """Run ``work`` on a worker thread with the document's current text, and return its result. Returns
        ``otherwise`` if the document is not open or there is no library.

        Cancelling the request cancels the token passed to the work. Work with a ``turn`` checks a draft: it
        runs on separate threads, so that it does not delay fast requests, and only one task per turn runs at
        a time.
        """
        document = self.documents.get(uri)
        if document is None:
            return otherwise
        asked = self.session_of(uri)

        def task(token: CancelToken) -> T:
            # The settings may have changed while the task waited for a thread.
            session = self._sessions.get(asked.root, asked)
            snapshot = self.wait_for_snapshot(session, document, token)
            if snapshot is None:
                return otherwise
            return work(DocumentRequest(self, session, snapshot, document, token))

        return await (self._run_in_turn(turn, task) if turn else self.run(task))

    def answers(
        self, method: str, options: Any = None, *, checks: bool = False
    ) -> Callable[[Work[P, T]], Work[P, T]]:
        """Return a decorator that registers a function as the handler of a method. The function runs as in
        `answer`; the result is null if there is no library.

        ``checks`` says that the function may check the whole document.
        """

        def register(work: Work[P, T]) -> Work[P, T]:
            @self.feature(method, options)
            async def handle(ls: LexlsServer, params: Any) -> T | None:
                uri = params.text_document.uri
                return await ls.answer(uri, lambda asked: work(asked, params), None, uri if checks else "")

            return work

        return register

    def resolves(self, method: str, **kinds: type) -> Callable[[Resolve[P]], Resolve[P]]:
        """Return a decorator that registers a function as the resolver of a method. The function completes an
        item of an earlier answer, using the data that was sent with the item.

        ``kinds`` are the fields of that data besides the URI; the request is refused if one is missing. If
        there is no library, the item is returned unchanged.
        """

        def register(work: Resolve[P]) -> Resolve[P]:
            @self.feature(method)
            async def handle(ls: LexlsServer, params: Any) -> P:
                data = read_data(params, {"uri": str, **kinds})
                return await ls.answer(data["uri"], lambda asked: work(asked, params, data), params)

            return work

        return register

    @staticmethod
    def wait_for_snapshot(
        session: Session, document: OpenDocument | None, token: CancelToken
    ) -> Snapshot | None:
        """Return a snapshot of a document (None: an empty one) and the library. Waits for the library to
        open; returns None if there is no library.

        For worker threads. Raises ``Cancelled``.
        """
        if session.service is None:
            return None
        if session.service.library is None:
            session.service.wait(FIRST_ANSWER_SECONDS)
        token.raise_if_cancelled()
        return session.empty_snapshot() if document is None else session.snapshot(document)

    async def read(self, uri: str, work: Callable[[Draft, OpenDocument, CancelToken], T], otherwise: T) -> T:
        """Run ``work`` as in ``answer``, but without a library: only the document is needed."""
        document = self.documents.get(uri)
        if document is None:
            return otherwise
        session = self.session_of(uri)
        return await self.run(lambda token: work(session.draft(document), document, token))

    async def run(self, task: Callable[[CancelToken], T]) -> T:
        """Run ``task`` on a worker thread; cancelling the awaiting request cancels its token."""
        return await self._run_on(self._requests, task, CancelToken())

    async def run_long(self, task: Callable[[CancelToken], T]) -> T:
        """Run a task that may take minutes, as in ``run`` but on separate threads, so that other requests are
        not delayed.
        """
        token = CancelToken()
        self._written.add(token)
        try:
            return await self._run_on(self._writing, task, token)
        finally:
            self._written.discard(token)

    async def _run_in_turn(self, turn: str, task: Callable[[CancelToken], T]) -> T:
        """Run a task as in ``run``, after earlier tasks with the same turn. Waiting occupies no thread and
        can be cancelled.
        """
        lock = self._turns.get(turn) or self._turns.setdefault(turn, asyncio.Lock())
        await lock.acquire()
        loop = asyncio.get_running_loop()

        def end(_: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(lock.release)

        return await self._run_on(self._checks, task, CancelToken(), end)

    async def _run_on(
        self,
        threads: ThreadPoolExecutor,
        task: Callable[[CancelToken], T],
        token: CancelToken,
        end: Callable[[object], None] | None = None,
    ) -> T:
        """Run a task on one of ``threads``. ``end`` is called once no thread is running the task any more,
        even if the task was cancelled.
        """
        if threads is not self._aside:
            self._sweeper.asked()
        tasks = [task]
        future = threads.submit(lambda: tasks[0](token))
        if end is not None:
            future.add_done_callback(end)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            token.cancel()
            # Otherwise the queued task would keep the old draft in memory.
            tasks.clear()
            raise
        except Cancelled:
            raise asyncio.CancelledError from None
        except Exception as error:
            from lexls.index.milvus import MilvusUnavailable  # already loaded if the error is of this type

            if isinstance(error, MilvusUnavailable):
                raise RequestRefused(str(error)) from None
            from lexls.server.library_service import explain_failure

            if reason := await self.run_behind(partial(explain_failure, error, self.opened)):
                raise RequestRefused(reason) from None
            raise

    async def run_aside(self, task: Callable[[CancelToken], T]) -> T:
        """Run a long background task as in ``run``, but on a separate thread that runs one task at a time."""
        return await self._run_on(self._aside, task, CancelToken())

    async def wait_for_quiet(self, seconds: float, most: float) -> None:
        """Wait until no request has arrived for ``seconds``, but at most for ``most`` seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(most):
                while (left := seconds - self._sweeper.seconds_since_request) > 0:
                    await asyncio.sleep(left)

    async def run_behind(self, task: Callable[[], T]) -> T:
        """Run ``task`` on a background thread, so that it does not delay requests."""
        return await asyncio.get_running_loop().run_in_executor(self._background, task)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run ``work`` in the background until it is done or the server ends."""
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
        """Start the regular checks of libraries and settings files."""
        if not self._ticking:
            self._ticking = True
            self.spawn(self._tick(after_tick))

    async def _tick(self, after_tick: Callable[[], Awaitable[None]]) -> None:
        while not self._ended:
            self._index_changed.clear()
            stale = [root for root, session in self._sessions.items() if session.settings_changed()]
            if stale:
                self._reload(stale)
            for service in self.opened:
                try:
                    if await self.run_behind(service.tick):
                        await self._library_changed(service)
                    if not service.complete:
                        await self._read_cited_first(service)
                except Exception as error:
                    self.report_server_error(error, None)
            try:
                # Not wait_for: in Python 3.11 it loses a cancellation if the awaited task has just finished.
                async with asyncio.timeout(ANSWER_SECONDS):
                    await after_tick()
            except Exception as error:
                self.report_server_error(error, None)
            self._sweeper.sweep_if_due()
            if self._cases is None or self._cases.done():
                self._cases = self.spawn(self._follow_cases())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK_SECONDS):
                    await self._index_changed.wait()

    async def _read_cited_first(self, service: LibraryService) -> None:
        for document in self.documents:
            session = self.session_of(document.uri)
            if session.service is service:
                await self.run_behind(partial(session.read_cited_first, document))

    async def _follow_cases(self) -> None:
        """Update the user's own cases. This is separate from the regular checks and less frequent, since
        embedding many cases takes long the first time.
        """
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
            if service in (session.service, session.record):
                self._notify(session)

    def _notify(self, session: Session) -> None:
        for watcher in self.watchers:
            watcher(session)

    def leave_off(self, uri: str | None = None) -> None:
        """Stop preparing explanations, because the user asks for an answer or because the document ``uri``
        was closed. With ``uri``, only explanations for that document are stopped.
        """
        for stop in self.leaving_off:
            stop(uri)

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
        """Stop all threads and close all libraries. Called by pygls when the connection ends, even if the
        client just vanished.
        """
        self._ended = True
        self._end_of_cases.cancel()
        for token in list(self._written):
            token.cancel()
        for service in self._services.values():
            service.close()
        self._services = {}
        for threads in (self._requests, self._checks, self._writing, self._background, self._aside):
            threads.shutdown(wait=False, cancel_futures=True)
        super().shutdown()  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True)
class DocumentRequest:
    """A request about an open document, with all data that a worker thread needs to answer it."""

    ls: LexlsServer
    session: Session
    snapshot: Snapshot
    document: OpenDocument
    token: CancelToken

    def offset(self, position: t.Position) -> int:
        """Return the offset of a position in code points."""
        return to_offset(self.document.lines, position, self.ls.encoding)

    def span(self, range_: t.Range) -> Span:
        """Return the span of a range."""
        return to_span(self.document.lines, range_, self.ls.encoding)

    def range(self, span: Span) -> t.Range:
        """Return the range of a span."""
        return to_range(self.document.lines, span, self.ls.encoding)

    def location(self, place: OpenLocation | None) -> t.Location | None:
        """Return the location at which an editor opens a place in an authority, or None for None."""
        return to_location(place, self.ls.encoding) if place is not None else None

    def edit(self, edits: Sequence[Edit]) -> t.WorkspaceEdit:
        """Convert edits of the document to the protocol's form."""
        return to_workspace_edit(self.ls, self.document, edits)

    def snippet_edit(self, edit: Edit, snippet: str) -> t.WorkspaceEdit | None:
        """Return an edit that inserts a snippet in place of the text of ``edit``, or None if the client does
        not support snippets in edits.
        """
        supported = self.ls.find_capability("workspace.workspace_edit.snippet_edit_support")
        if not supported or not self.ls.find_capability("workspace.workspace_edit.document_changes"):
            return None
        change = t.SnippetTextEdit(self.range(edit.span), t.StringValue(snippet))
        identifier = t.OptionalVersionedTextDocumentIdentifier(self.document.uri, self.document.version)
        return t.WorkspaceEdit(document_changes=[t.TextDocumentEdit(identifier, [change])])


def _field(data: Any, name: str) -> Any:
    return data.get(name) if isinstance(data, Mapping) else getattr(data, name, None)


Work = Callable[[DocumentRequest, P], T]
"""A function that answers a request, given its parameters."""
Resolve = Callable[[DocumentRequest, P, dict[str, Any]], P]
"""A function that resolves an item, given the data sent with the item."""


def to_workspace_edit(ls: LexlsServer, document: OpenDocument, edits: Sequence[Edit]) -> t.WorkspaceEdit:
    """Convert edits of one document to the protocol's form, with the document's version if the client
    supports versions.
    """
    changes = [t.TextEdit(to_range(document.lines, edit.span, ls.encoding), edit.text) for edit in edits]
    if ls.find_capability("workspace.workspace_edit.document_changes"):
        # With the version, so that no editor applies the edit to a text that has changed since.
        identifier = t.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        return t.WorkspaceEdit(document_changes=[t.TextDocumentEdit(identifier, [*changes])])
    return t.WorkspaceEdit(changes={document.uri: changes})
