"""Fix known faults of pygls's JSON-RPC layer, in the version pinned in pyproject.toml.

Any input is accepted from the client: messages are limited in size, and invalid ones are answered with an
error.
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
"""Maximum number of requests from the client that may await an answer at the same time."""
_LONGEST_METHOD = 60
_ASKS_FOR_ALL_OR_ONE = frozenset({"Neovim"})
"""Names of clients to which workspace diagnostics are not offered. At a refresh, such a client would request
only the workspace's diagnostics, without those of open drafts. If it requests the workspace's diagnostics
all the same, they are returned.
"""


class RequestRefused(JsonRpcException):
    """Raised to refuse a request that makes no sense in its context; the message gives the user the
    reason.
    """

    CODE = t.LSPErrorCodes.RequestFailed


def _hand_over(method: str) -> Any:
    """Return a handler that passes a notification on to the server's own feature."""

    @lsp_method(method)
    def handle(self: LanguageServerProtocol, params: Any) -> Any:
        return self.fm.features[method](params)

    return handle


class Protocol(LanguageServerProtocol):
    """pygls's protocol, with eight differences:

    - Every finished future is dropped: pygls keeps those of async notification handlers forever.
    - ``shutdown`` iterates over a copy of the running requests: cancelling changes the dictionary itself.
    - Sending stops when the client is gone: pygls reports the error to the client, which fails again.
    - A request that cannot be parsed is answered with an error: pygls only logs it, and the client waits.
    - A request before ``initialize``, after ``shutdown`` or beyond a thousand waiting ones is refused.
    - An answer never quotes an internal error, which may contain paths or text of a draft.
    - A command runs as the request's own task, so that cancelling the request cancels the command.
    - A command can get the client's token for its progress, and clients learn that commands report progress.

    Open documents are kept by ``lexls.server.documents``, not by pygls, which also ends lines at form feeds.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Set first, since pygls reads every attribute of the object while it is created.
        self._progress_token: ContextVar[str | int | None] = ContextVar("progress token", default=None)
        self._initialized = False
        self.client: ClientPaths | None = None
        """The paths of a client on another machine, or None if the client is on this machine."""
        super().__init__(*args, **kwargs)

    @property
    def progress_token(self) -> str | int | None:
        """The client's token for the progress of the running command, or None if it gave none."""
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
        # pygls drops the future here. lexls drops it when it is done, so that exactly one answer is sent.
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.cancel()

    def take(self, data: dict[str, Any]) -> None:
        """Pass a message from the client, a JSON object, to its handler. Invalid messages are answered with
        an error.
        """
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
        # Like ``handle_message``, which spends a quarter of a small message's time on finding its kind.
        run = copy_context().run
        if "id" in data:
            run(self._handle_request, data["id"], data["method"], message.params)
        else:
            run(self._handle_notification, data["method"], message.params)

    def _take_answer(self, data: dict[str, Any]) -> None:
        # A request from the client may have the same id; its task must not be given a result.
        if isinstance(self._request_futures.get(data["id"]), Future):
            with contextlib.suppress(JsonRpcException):
                self.handle_message(self.structure_message(data))

    def _find_obstacle(
        self, method: str, number: str | int | None
    ) -> tuple[t.ErrorCodes | t.LSPErrorCodes, str] | None:
        """Return the error code and the reason why a message cannot be handled now, or None if it can be
        handled.
        """
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
        """Answer the request with the id ``number`` (None if unknown) with an error."""
        error = {"code": int(code), "message": reason}
        self._send_data({"jsonrpc": "2.0", "id": number, "error": error})

    def _send_response(
        self, msg_id: str | int, result: Any | None = None, error: t.ResponseError | None = None
    ) -> None:
        # pygls also sends the traceback, which contains local paths and text quoted in errors.
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
            # The client is gone. The server ends when it reads the end of the input.
            self.writer = None
            return

    @property
    def was_shut_down(self) -> bool:
        """True if the client requested a shutdown, as it should before "exit"."""
        return bool(self._shutdown)

    @lsp_method(t.INITIALIZE)
    def lsp_initialize(self, params: t.InitializeParams) -> Generator[Any, Any, t.InitializeResult]:
        """Return the server's capabilities, adding that commands report progress, which pygls omits."""
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
        """Cancel running requests, let the server clean up, and answer."""
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
            # pygls passes the server as the first argument.
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
    """Return the document's URI and the range from a command's argument. A position counts as an
    empty range.
    """
    try:
        return str(argument["uri"]), _read_range(argument)
    except (TypeError, KeyError, ValueError) as error:
        reason = 'the argument must be {"uri": …, "range": …} or {"uri": …, "position": …}'
        raise refuse_argument(reason) from error


def read_document(argument: Any) -> tuple[str, t.Range | None]:
    """Return the document's URI and the range from a command's argument. The range is None if the command is
    for the whole document.
    """
    if not isinstance(argument, dict) or not isinstance(argument.get("uri"), str):
        raise refuse_argument('the argument must be {"uri": …}')
    if "range" not in argument and "position" not in argument:
        return argument["uri"], None
    try:
        return argument["uri"], _read_range(argument)
    except (TypeError, KeyError, ValueError) as error:
        raise refuse_argument('"range" and "position" must be those of the protocol') from error


def read_data(item: Any, kinds: Mapping[str, type]) -> dict[str, Any]:
    """Return the data that lexls attached to an item. Raises an invalid-parameters error if a field of
    ``kinds`` is missing or has the wrong type.
    """
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
    """Return the error for an invalid argument; ``message`` says what the argument must be."""
    error: JsonRpcInvalidParams = JsonRpcInvalidParams.of(ValueError(message))
    return error


LARGEST_MESSAGE = 256 * 2**20
"""Maximum size of a message in bytes; larger ones are skipped. JSON may encode one code point as twelve
bytes.
"""
LONGEST_HEADER = 8 * 2**10
"""Maximum length of a header line in bytes."""
_PIECE = 2**20
_AHEAD = 8 * 2**10
"""Number of bytes to read at a time while the length of the message is unknown."""
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*", re.IGNORECASE)
_HEADER = re.compile(rb"[\w-]+[ \t]*:")


class FileReader:
    """Reads a file such as stdin on a thread of ``executor``, and buffers input beyond the current request.

    Many small messages that arrive together need only one wait for the thread.
    """

    def __init__(self, file: BinaryIO, executor: Executor) -> None:
        self._file = file
        self._executor = executor
        self._kept = b""
        self._at = 0

    async def line(self) -> bytes:
        """Return the next line with its line end, or the first ``LONGEST_HEADER`` bytes of a longer one."""
        while (end := self._kept.find(b"\n", self._at, self._at + LONGEST_HEADER) + 1) == 0:
            if len(self._kept) - self._at >= LONGEST_HEADER or not await self._read_more():
                end = min(len(self._kept), self._at + LONGEST_HEADER)
                break
        return self._give(end)

    async def take(self, count: int) -> bytes:
        """Return the next ``count`` bytes, or the rest of the file if there are fewer."""
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
    """Pass each message to ``handle`` until the stream ends.

    Invalid input is passed to ``refuse`` with the protocol's error code and the reason; reading continues
    after it.
    """
    length: int | None = None
    lost = False
    while line := await reader.line():
        text = line.strip()
        if text:
            if found := _LENGTH.fullmatch(text):
                length, lost = int(found[1]), False
            elif not lost and (text.lower().startswith(b"content-length") or not _HEADER.match(text)):
                # Reported once: the following lines may be the rest of the same message.
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
            await asyncio.sleep(0)  # let requests be answered between messages that arrive together
        else:
            refuse(ErrorCodes.InvalidRequest, 'a message is a JSON object with "jsonrpc": "2.0"')


async def _pass_over(reader: FileReader, count: int) -> None:
    """Read and discard ``count`` bytes, or the rest of the stream if there are fewer."""
    while count > 0 and (piece := await reader.take(min(count, _PIECE))):
        count -= len(piece)
