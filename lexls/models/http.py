"""Call model servers and fetch model files over HTTP: the only module that opens sockets for models.

Errors contain nothing from a request. They contain no text from a server either, since that may repeat what
it was sent. Proxies and certificates from the environment apply to other machines only, never to this one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import queue
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from lexls.models.web_address import BadAddress, Failure, HttpFailed, WebAddress, read_address
from lexls.text.cancel import CancelToken

CONNECT_SECONDS = 10.0
READ_SECONDS = 60.0
"""Seconds that a download waits for the next bytes to arrive."""
_MOST_BYTES = 16_000_000
"""Maximum number of bytes in an answer, a thousand times what explain.answerTokens allows."""
_LONGEST_EVENT = 1_000_000
"""Maximum number of bytes in an event; a server that sends more does not follow the protocol."""
_ERROR_BYTES = 65_536
_ERRORS = (httpx2.HTTPError, httpx2.InvalidURL, ImportError, ValueError)
"""Errors of a request. httpx2 raises the last two for an unusable proxy in the environment."""
_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 6


def post_events(
    url: str, headers: Mapping[str, str], body: Mapping[str, Any], seconds: float, token: CancelToken
) -> Iterator[str]:
    """Send ``body`` as JSON, and yield the data of each server-sent event of the answer as it arrives.

    A plain JSON answer is yielded as a whole. ``seconds`` limits the total time from connecting to the last
    byte. The connection is closed at once if ``token`` is cancelled or the iterator is closed, even before
    anything has arrived. Redirects are not followed, because they would send the body elsewhere. Raises
    ``HttpFailed`` and ``Cancelled``.
    """
    token.raise_if_cancelled()
    exchange = _Exchange(_checked(url), dict(headers), json.dumps(body).encode("utf-8"), seconds)
    forget = token.on_cancel(exchange.stop)
    try:
        exchange.start()
        while True:
            event = exchange.events.get()
            token.raise_if_cancelled()
            if event is None:
                return
            if isinstance(event, HttpFailed):
                raise event
            yield event
    finally:
        forget()
        exchange.stop()


class _Exchange:
    """One request, made on its own thread so that its caller can stop waiting at any time."""

    def __init__(self, address: WebAddress, headers: dict[str, str], body: bytes, seconds: float) -> None:
        self.events: queue.SimpleQueue[str | HttpFailed | None] = queue.SimpleQueue()
        self._address = address
        self._headers = headers | {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        self._body = body
        self._seconds = seconds
        self._lock = threading.Lock()
        self._stopped = False
        self._end: Callable[[], object] = lambda: None

    def start(self) -> None:
        threading.Thread(target=self._run, name="lexls-http", daemon=True).start()

    def stop(self) -> None:
        """Close the connection. A caller that waits for an event then reaches the end of the events."""
        with self._lock:
            self._stopped = True
            end, self._end = self._end, lambda: None
        self.events.put(None)
        with contextlib.suppress(RuntimeError):  # the loop has ended by itself
            end()

    def _run(self) -> None:
        try:
            asyncio.run(self._timed())
        except HttpFailed as error:
            self.events.put(error)
        except asyncio.CancelledError:
            pass
        except Exception as error:
            # Not even the error's message, which may quote a header or the body.
            self.events.put(HttpFailed("broken", f"the request failed ({type(error).__name__})"))
        finally:
            self.events.put(None)

    async def _timed(self) -> None:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None
        with self._lock:
            if self._stopped:
                return
            self._end = lambda: loop.call_soon_threadsafe(task.cancel)
        try:
            async with asyncio.timeout(self._seconds):
                await self._ask()
        except TimeoutError:
            raise HttpFailed("time", f"no whole answer within {self._seconds:g} seconds") from None
        except _ERRORS as error:
            raise _failure(error, self._address) from None

    async def _ask(self) -> None:
        limits = httpx2.Timeout(None, connect=CONNECT_SECONDS)
        async with (
            httpx2.AsyncClient(trust_env=not self._address.is_loopback, timeout=limits) as client,
            client.stream("POST", self._address.url, headers=self._headers, content=self._body) as response,
        ):
            if response.status_code != 200:
                raise await _refusal(response, self._address)
            await self._read(response)

    async def _read(self, response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("identity", ""):
            # Unpacked, a few bytes could exceed the memory.
            raise HttpFailed("broken", f"{self._address.origin} packs its answer, which nobody asked it to")
        if response.headers.get("content-type", "").split(";")[0].strip() == "application/json":
            whole = b"".join([piece async for piece in self._pieces(response)])
            self.events.put(whole.decode("utf-8", "replace"))
            return
        try:
            async for event in read_events(self._pieces(response)):
                self.events.put(event)
        except httpx2.SSEError:
            raise HttpFailed("broken", f"{self._address.origin} sends no events that end") from None

    async def _pieces(self, response: httpx2.Response) -> AsyncIterator[bytes]:
        size = 0
        async for piece in response.aiter_raw():
            size += len(piece)
            if size > _MOST_BYTES:
                raise HttpFailed("broken", f"{self._address.origin} sends more than any answer has")
            yield piece


async def read_events(pieces: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """Yield the data of each server-sent event in ``pieces`` of bytes, wherever the pieces were split.

    The last event is yielded even if the empty line that should end it is missing. Raises ``httpx2.SSEError``
    for an event longer than any answer could be, and whatever ``pieces`` raises.
    """

    async def closed() -> AsyncIterator[bytes]:
        async for piece in pieces:
            yield piece
        yield b"\n\n"

    # Whatever content type a server declares, its answer is read as UTF-8 events.
    stream = httpx2.Response(
        200,
        headers={"Content-Type": "text/event-stream; charset=utf-8"},
        content=closed(),
        request=httpx2.Request("POST", "http://localhost"),
    )
    async for event in httpx2.EventSource(stream, _LONGEST_EVENT):
        if event.data:
            yield event.data


@dataclass(slots=True)
class Opened:
    """A response to GET or HEAD whose body has not been read. Names in ``headers`` are in lower case."""

    status: int
    headers: Mapping[str, str]
    address: WebAddress
    _response: httpx2.Response = field(repr=False)

    def pieces(self) -> Iterator[bytes]:
        """Yield the body in pieces. Raises ``HttpFailed`` if the connection breaks."""
        try:
            yield from self._response.iter_raw()
        except httpx2.HTTPError as error:
            raise _failure(error, self.address) from None


@contextlib.contextmanager
def get(
    url: str,
    headers: Mapping[str, str],
    *,
    head: bool = False,
    seconds: float = READ_SECONDS,
    stop: Callable[[Mapping[str, str]], bool] = lambda headers: False,
) -> Iterator[Opened]:
    """Send a GET request for a file (with ``head``, a HEAD request) and yield the response, following
    redirects.

    Redirects are followed to https only, or from this machine to itself. If ``stop`` returns true for a
    redirect's headers, that response is yielded. ``seconds`` is the time to wait for the next bytes. Raises
    ``HttpFailed`` for any status but 200, 206 and 416 (the file is shorter than the part already fetched).
    """
    address, timeout = _checked(url), httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
    asked = {"Accept-Encoding": "identity", **headers}
    with contextlib.ExitStack() as stack:
        for _ in range(_MOST_REDIRECTS):
            try:
                client = httpx2.Client(trust_env=not address.is_loopback, timeout=timeout)
                request = stack.enter_context(client).build_request(
                    "HEAD" if head else "GET", address.url, headers=asked
                )
                response = client.send(request, stream=True)
            except _ERRORS as error:
                raise _failure(error, address) from None
            stack.callback(response.close)
            opened = Opened(response.status_code, dict(response.headers), address, response)
            if opened.status not in _REDIRECTS or stop(opened.headers):
                break
            address = _redirected(address, opened.headers.get("location", ""))
        else:
            raise HttpFailed("broken", f"{address.origin} redirects without end")
        if opened.status not in (200, 206, 416, *_REDIRECTS):
            raise HttpFailed("status", _status_words(opened.status, address), opened.status)
        yield opened


def _redirected(address: WebAddress, location: str) -> WebAddress:
    target = _checked(address.origin + location if location.startswith("/") else location)
    if target.is_loopback and not address.is_loopback:
        raise HttpFailed("address", f"{address.origin} redirects to this machine, which is not followed")
    return target


def _checked(url: str) -> WebAddress:
    try:
        return read_address(url)
    except BadAddress as error:
        raise HttpFailed("address", f"the address {error}") from None


async def _refusal(response: httpx2.Response, address: WebAddress) -> HttpFailed:
    """Return the error for a status other than 200. Of the body, only short error codes are kept."""
    body = bytearray()
    with contextlib.suppress(httpx2.HTTPError, TimeoutError):
        async with asyncio.timeout(5):
            async for piece in response.aiter_raw():  # unpacked would have no size limit
                body += piece
                if len(body) > _ERROR_BYTES:
                    break
    after = response.headers.get("retry-after", "")
    return HttpFailed(
        "status",
        _status_words(response.status_code, address),
        response.status_code,
        int(after) if after.isascii() and after.isdigit() and len(after) < 7 else 0,
        _codes(bytes(body)),
    )


def _codes(body: bytes) -> frozenset[str]:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return frozenset()
    error = data.get("error") if isinstance(data, dict) else None
    if not isinstance(error, dict):
        return frozenset()
    found = (error.get("code"), error.get("type"), error.get("param"))
    return frozenset(each for each in found if isinstance(each, str) and len(each) <= 64)


def _status_words(status: int, address: WebAddress) -> str:
    if status in _REDIRECTS:
        return f"{address.origin} redirects to another address, which is not followed"
    return f"{address.origin} answers with HTTP status {status}"


_FAILURES: tuple[tuple[type[Exception] | tuple[type[Exception], ...], Failure, str], ...] = (
    (ConnectionRefusedError, "refused", "nothing answers at {}"),
    (socket.gaierror, "unknown host", "the host of {} is not found (is there a network?)"),
    (ssl.SSLError, "certificate", "no secure connection to {} (its certificate is not accepted)"),
    ((httpx2.ConnectTimeout, httpx2.ConnectError, httpx2.ProxyError), "unreachable", "{} cannot be reached"),
    (httpx2.TimeoutException, "time", "{} sends nothing any more"),
    (httpx2.TransportError, "broken", "the connection to {} broke off"),
    (
        (ImportError, ValueError),
        "unreachable",
        "{} cannot be asked: the proxy of the environment is not usable",
    ),
)
"""Kinds of failure. The first entry that matches the error or one of its causes applies."""


def _failure(error: Exception, address: WebAddress) -> HttpFailed:
    """Describe a connection error without quoting its message."""
    if isinstance(error, HttpFailed):
        return error
    causes = list(_causes(error))
    for types, kind, words in _FAILURES:
        if any(isinstance(each, types) for each in causes):
            return HttpFailed(kind, words.format(address.origin))
    return HttpFailed("broken", f"the request to {address.origin} failed ({type(error).__name__})")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and all its causes, including those in exception groups."""
    todo: list[BaseException | None] = [error]
    seen: set[int] = set()
    while todo and len(seen) < 100:
        each = todo.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        todo += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            todo += each.exceptions
