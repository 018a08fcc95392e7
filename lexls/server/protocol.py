"""Mend known faults of pygls' JSON-RPC layer; pyproject.toml pins the version they are in.

Messages are taken off the wire whatever comes: each is bounded, and what is none is answered with an error.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import logging
import re
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Executor, Future
from contextvars import ContextVar, copy_context
from typing import Any, BinaryIO

from lsprotocol import types as t
from lsprotocol.types import ErrorCodes
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, lsp_method

from lexls.server.client_paths import REFUSED_COMMANDS, ClientPaths

log = logging.getLogger(__name__)


MOST_WAITING = 1000
"""Requests, of both sides, that may wait for their answers at the same time."""
_LONGEST_METHOD = 60
_ASKS_FOR_ALL_OR_ONE = frozenset({"Neovim"})
"""Clients that, told to ask again, ask for the whole workspace where they can, and leave out the open drafts:
they are not told that they can. They may ask all the same."""


class RequestRefused(JsonRpcException):
    """A request that makes no sense where it was made; the message tells the user why."""

    CODE = t.LSPErrorCodes.RequestFailed


def _hand_over(method: str) -> Any:
    """Return what hands a notification over to the server's own documents."""

    @lsp_method(method)
    def handle(self: LanguageServerProtocol, params: Any) -> Any:
        return self.fm.features[method](params)

    return handle


class Protocol(LanguageServerProtocol):
    """pygls' protocol, with eight differences.

    - Every future is forgotten when it is done: pygls keeps those of async notification handlers forever.
    - ``shutdown`` cancels over a copy of what is in flight: cancelling changes the dictionary itself.
    - A client that is gone ends the sending: pygls reports the error to the client, which fails again, ….
    - A request that cannot be understood is answered with an error: pygls only logs it, and the client waits.
    - A request before ``initialize``, behind ``shutdown`` or among a thousand that wait is refused.
    - An answer never quotes an error of lexls itself: it may hold text of a draft, and paths.
    - A command runs as the request's own task, so that cancelling the request reaches the command.
    - A command can ask for the token under which the client wants to hear of its progress; clients are told.

    Open documents are kept by ``lexls.server.documents``, not by pygls, whose lines also end at form feeds.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # First, since pygls looks at every attribute of the object while it is made.
        self._progress_token: ContextVar[str | int | None] = ContextVar("progress token", default=None)
        self._initialized = False
        self.client: ClientPaths | None = None
        """Whose paths are no paths of this machine; None: the client is on this machine."""
        super().__init__(*args, **kwargs)

    @property
    def progress_token(self) -> str | int | None:
        """The token that the client gave for the progress of the command that asks; None if it gave none."""
        return self._progress_token.get()

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda done: self._forget(msg_id, done))

    def _forget(self, msg_id: str | int, done: object) -> None:
        if self._request_futures.get(msg_id) is done:
            del self._request_futures[msg_id]

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        # pygls drops the future here; ours goes when it is done, so that exactly one answer is sent.
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.cancel()

    def take(self, data: dict[str, Any]) -> None:
        """Hand a message of the client, a JSON object, to its handler; answer at once what has none."""
        if self.client is not None:
            try:
                data = self.client.take(data)
            except RecursionError:
                number = data["id"] if _is_id(data.get("id")) else None
                self.refuse(t.ErrorCodes.InvalidRequest, "the message is nested too deep", number)
                return
        number, method = data.get("id"), data.get("method")
        if "id" in data and not _is_id(number):
            self.refuse(t.ErrorCodes.InvalidRequest, "an id is a string or a whole number")
        elif "method" in data and not isinstance(method, str):
            self.refuse(t.ErrorCodes.InvalidRequest, "a method is a string", number)
        elif method is None and "id" in data:
            self._take_answer(data)
        elif method is not None and (reason := self._find_obstacle(method, number)) is not None:
            if "id" in data:
                self.refuse(*reason, number)
        elif method is not None:
            self._hand_on(data)

    def _hand_on(self, data: dict[str, Any]) -> None:
        if self.get_message_type(data["method"]) is None:
            data.setdefault("params", None)
        try:
            message = self.structure_message(data)
        except Exception as error:
            if "id" in data:
                wrong = f"the parameters of {data['method'][:_LONGEST_METHOD]} are malformed"
                self.refuse(t.ErrorCodes.InvalidParams, wrong, data["id"])
            self._server.report_server_error(error, JsonRpcInvalidParams)
            return
        # As ``handle_message`` does, which takes a quarter of a small message's time to tell its kind.
        run = copy_context().run
        if "id" in data:
            run(self._handle_request, data["id"], data["method"], message.params)
        else:
            run(self._handle_notification, data["method"], message.params)

    def _take_answer(self, data: dict[str, Any]) -> None:
        # A request of the client may have the same id: its task cannot be given a result.
        if isinstance(self._request_futures.get(data["id"]), Future):
            with contextlib.suppress(JsonRpcException):
                self.handle_message(self.structure_message(data))

    def _find_obstacle(
        self, method: str, number: str | int | None
    ) -> tuple[t.ErrorCodes | t.LSPErrorCodes, str] | None:
        """Return why a message cannot be handled now: the protocol's code and the reason; None if it can."""
        if method == t.INITIALIZE:
            if self._initialized:
                return t.ErrorCodes.InvalidRequest, "the server is initialized already"
            if number is None:
                return t.ErrorCodes.InvalidRequest, '"initialize" is a request'
            return None
        if not self._initialized and method != t.EXIT:
            return t.ErrorCodes.ServerNotInitialized, 'the first request is "initialize"'
        if self._shutdown and method != t.EXIT:
            return t.ErrorCodes.InvalidRequest, "the server was shut down"
        if number is None:
            return None
        if number in self._request_futures:
            return t.ErrorCodes.InvalidRequest, "a request with this id waits for its answer"
        if len(self._request_futures) >= MOST_WAITING and method != t.SHUTDOWN:
            return t.LSPErrorCodes.RequestFailed, f"{MOST_WAITING} requests wait for their answers"
        return None

    def refuse(
        self, code: t.ErrorCodes | t.LSPErrorCodes, reason: str, number: str | int | None = None
    ) -> None:
        """Answer the request ``number`` (None: nobody knows which it was) with an error."""
        error = {"code": int(code), "message": reason}
        self._send_data({"jsonrpc": "2.0", "id": number, "error": error})

    def _send_response(
        self, msg_id: str | int, result: Any | None = None, error: t.ResponseError | None = None
    ) -> None:
        # pygls sends the traceback along, with paths of the machine and what an error quotes.
        if error is not None and error.code == t.ErrorCodes.InternalError:
            kind = re.match(r"\w+", error.message)
            error = t.ResponseError(error.code, f"a fault in lexls ({kind[0] if kind else 'unknown'})")
        super()._send_response(msg_id, result, error)

    def _send_data(self, data: Any) -> None:
        if not data or self.writer is None:
            return
        try:
            body = json.dumps(data, default=self._serialize_message)
        except (TypeError, ValueError) as error:
            log.error("an answer could not be written as JSON (%s)", type(error).__name__)
            return
        if self.client is not None:
            body = self.client.give(body)
        message = f"Content-Length: {len(body)}\r\n\r\n{body}" if self._include_headers else body
        try:
            self.writer.write(message.encode(self.CHARSET))
        except (OSError, ValueError):
            # The client is gone. Nobody is left to tell; reading its end will finish the server.
            self.writer = None
            return

    @property
    def was_shut_down(self) -> bool:
        """Return whether the client asked for the end, as it should before "exit"."""
        return bool(self._shutdown)

    @lsp_method(t.INITIALIZE)
    def lsp_initialize(self, params: t.InitializeParams) -> Generator[Any, Any, t.InitializeResult]:
        """Say what the server can do; pygls leaves out that commands report their progress."""
        result: t.InitializeResult = yield from super().lsp_initialize(params)
        if result.capabilities.execute_command_provider is not None:
            result.capabilities.execute_command_provider.work_done_progress = True
        provider = result.capabilities.diagnostic_provider
        if provider is not None and getattr(params.client_info, "name", "") in _ASKS_FOR_ALL_OR_ONE:
            provider.workspace_diagnostics = False
        self._initialized = True
        return result

    @lsp_method(t.SHUTDOWN)
    async def lsp_shutdown(self, *args: Any) -> None:  # type: ignore[override]
        """Cancel what is in flight, let the server clean up, and answer."""
        own: object = asyncio.current_task()
        for future in list(self._request_futures.values()):
            if future is not own and not future.done():
                future.cancel()
        handler = self.fm.features.get(t.SHUTDOWN)
        if handler is not None:
            await handler(*args)
        self._shutdown = True

    @lsp_method(t.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # pygls has a generator here
        self, params: t.ExecuteCommandParams
    ) -> Any:
        """Run a command with its arguments as plain data."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams.of(ValueError(f"lexls has no command {params.command!r}"))
        if self.client is not None and params.command in REFUSED_COMMANDS:
            raise RequestRefused("that is for whoever looks after the server, which is on another machine")
        arguments = params.arguments or []
        try:
            # pygls gives the server itself first.
            inspect.signature(handler.func).bind(self._server, *arguments)
        except TypeError:
            raise refuse_argument(f"{params.command} takes other arguments") from None
        self._progress_token.set(params.work_done_token)
        return await handler(*arguments)

    lsp_text_document__did_open = _hand_over(t.TEXT_DOCUMENT_DID_OPEN)
    lsp_text_document__did_change = _hand_over(t.TEXT_DOCUMENT_DID_CHANGE)
    lsp_text_document__did_close = _hand_over(t.TEXT_DOCUMENT_DID_CLOSE)


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def read_place(argument: Any) -> tuple[str, t.Range]:
    """The document and the range of a command's argument; a position counts as an empty range."""
    try:
        return str(argument["uri"]), _read_range(argument)
    except (TypeError, KeyError, ValueError) as error:
        reason = 'the argument must be {"uri": …, "range": …} or {"uri": …, "position": …}'
        raise refuse_argument(reason) from error


def read_document(argument: Any) -> tuple[str, t.Range | None]:
    """As `read_place`, for a command that takes a whole document too: None is its range then."""
    if not isinstance(argument, dict) or not isinstance(argument.get("uri"), str):
        raise refuse_argument('the argument must be {"uri": …}')
    if "range" not in argument and "position" not in argument:
        return argument["uri"], None
    try:
        return argument["uri"], _read_range(argument)
    except (TypeError, KeyError, ValueError) as error:
        raise refuse_argument('"range" and "position" must be those of the protocol') from error


def read_data(item: Any, kinds: Mapping[str, type]) -> dict[str, Any]:
    """Return the data that lexls sent with an item; an error of the parameters if it is not lexls's own."""
    data = item.data
    if not isinstance(data, dict) or not all(type(data.get(name)) is kind for name, kind in kinds.items()):
        raise refuse_argument("`data` must be what came with the item")
    return data


def _read_range(argument: Any) -> t.Range:
    if "range" in argument:
        first, last = argument["range"]["start"], argument["range"]["end"]
    else:
        first = last = argument["position"]
    start, end = (t.Position(int(p["line"]), int(p["character"])) for p in (first, last))
    return t.Range(start, end)


def refuse_argument(message: str) -> JsonRpcInvalidParams:
    """The error for an argument that makes no sense; ``message`` says what it must be."""
    error: JsonRpcInvalidParams = JsonRpcInvalidParams.of(ValueError(message))
    return error


LARGEST_MESSAGE = 256 * 2**20
"""Bytes of one message; larger ones are passed over. JSON may write a code point as twelve bytes."""
LONGEST_HEADER = 8 * 2**10
"""Bytes of one line of a header."""
_PIECE = 2**20
_AHEAD = 8 * 2**10
"""Bytes that are read at a time, as long as nobody knows how long the message is."""
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*", re.IGNORECASE)
_HEADER = re.compile(rb"[\w-]+[ \t]*:")


class FileReader:
    """Read a file, such as stdin, on a thread of ``executor``, and keep what came beyond what was asked for.

    Many small messages that come at once cost one wait for the thread together.
    """

    def __init__(self, file: BinaryIO, executor: Executor) -> None:
        self._file = file
        self._executor = executor
        self._kept = b""
        self._at = 0

    async def line(self) -> bytes:
        """The next line with its end, or the beginning of one that is longer than ``LONGEST_HEADER``."""
        while (end := self._kept.find(b"\n", self._at, self._at + LONGEST_HEADER) + 1) == 0:
            if len(self._kept) - self._at >= LONGEST_HEADER or not await self._read_more():
                end = min(len(self._kept), self._at + LONGEST_HEADER)
                break
        return self._give(end)

    async def take(self, count: int) -> bytes:
        """The next ``count`` bytes, or what is left of the file."""
        missing = count - (len(self._kept) - self._at)
        if missing <= 0:
            return self._give(self._at + count)
        return self._give(len(self._kept)) + await self._run(self._file.read, missing)

    def _give(self, end: int) -> bytes:
        given, self._at = self._kept[self._at : end], end
        return given

    async def _read_more(self) -> bool:
        more = await self._run(self._read_some, _AHEAD)
        self._kept, self._at = self._kept[self._at :] + more, 0
        return bool(more)

    def _read_some(self, most: int) -> bytes:
        read: Callable[[int], bytes] = getattr(self._file, "read1", self._file.readline)
        return read(most)

    async def _run(self, read: Callable[[int], bytes], count: int) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(self._executor, read, count)


async def read_messages(
    reader: FileReader,
    handle: Callable[[dict[str, Any]], None],
    refuse: Callable[[ErrorCodes, str], None],
) -> None:
    """Give each message to ``handle`` until the stream ends.

    What is no message goes to ``refuse``, with the protocol's code and the reason; reading goes on behind it.
    """
    length: int | None = None
    lost = False
    while line := await reader.line():
        text = line.strip()
        if text:
            if found := _LENGTH.fullmatch(text):
                length, lost = int(found[1]), False
            elif not lost and (text.lower().startswith(b"content-length") or not _HEADER.match(text)):
                # Said once: what follows may be the rest of it.
                lost = True
                refuse(ErrorCodes.ParseError, "a message begins with its Content-Length")
            continue
        if length is None:
            continue
        size, length = length, None
        if size > LARGEST_MESSAGE:
            refuse(ErrorCodes.InvalidRequest, f"a message has at most {LARGEST_MESSAGE} bytes")
            await _pass_over(reader, size)
            continue
        body = await reader.take(size)
        if len(body) < size:
            return
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            refuse(ErrorCodes.ParseError, "the message is not JSON")
            continue
        if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
            handle(message)
            await asyncio.sleep(0)  # what was asked is answered between the messages that came at once
        else:
            refuse(ErrorCodes.InvalidRequest, 'a message is a JSON object with "jsonrpc": "2.0"')


async def _pass_over(reader: FileReader, count: int) -> None:
    """Read so many bytes, or to the end of the stream, and hold none."""
    while count > 0 and (piece := await reader.take(min(count, _PIECE))):
        count -= len(piece)
