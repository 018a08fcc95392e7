"""Asking over HTTP, against a real server on this machine."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator

import httpx2
import pytest
from scripted_server import Asked, Handler, scripted

from lexls.models.http import get, post_events, read_events
from lexls.models.web_address import BadAddress, HttpFailed, read_address
from lexls.text.cancel import Cancelled, CancelToken

SECRET = "the pontoon sank because the harbour master slept"
BODY = {"prompt": SECRET}


def ask(url: str, token: CancelToken | None = None, seconds: float = 20) -> Iterator[str]:
    return post_events(url, {"Authorization": "Bearer sesame"}, BODY, seconds, token or CancelToken())


def failed(url: str, seconds: float = 20) -> HttpFailed:
    with pytest.raises(HttpFailed) as raised:
        list(ask(url, seconds=seconds))
    assert SECRET not in str(raised.value)
    assert "sesame" not in str(raised.value)
    return raised.value


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost",
        "HTTP://LocalHost:11434/v1",
        "http://127.0.0.1/",
        "https://127.200.3.4:8443/x?y=1",
        "http://[::1]:8080/v1",
    ],
)
def test_addresses_of_this_machine(url: str) -> None:
    assert read_address(url).is_loopback


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost@evil.example/",
        "http://127.0.0.1:80@evil.example/",
        "http://localhost\\@evil.example/",
        "http://localhost#@evil.example/",
        "http://localhost\t.evil.example",
        "http://127.0.0.1.evil.example/",
        "http://localhost.evil.example/",
        "http://127.1/",
        "http://0x7f.0.0.1/",
        "http://0.0.0.0/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::1].evil.example/",
        "http://①②⑦.0.0.1/",
        "ftp://localhost/",
        "file:///etc/passwd",
        "localhost:11434",
        "//localhost/",
        "http://localhost:0/",
        "http://localhost:99999/",
        "",
    ],
)
def test_addresses_that_only_look_like_this_machine(url: str) -> None:
    with pytest.raises(BadAddress):
        read_address(url)


@pytest.mark.parametrize("url", ["http://models.example/v1", "ws://localhost/", "http://user:pw@localhost/"])
def test_what_is_not_asked_at_all(url: str) -> None:
    with pytest.raises(BadAddress):
        read_address(url)
    assert failed(url).kind == "address"


def test_events_come_one_by_one_however_they_are_cut() -> None:
    go_on = threading.Event()
    text = 'data: {"a": "§ 12 – “naïve”"}\r\n\r\n: nothing\n\n'.encode()
    text += b"data:two\ndata: lines\n\nevent: x\nid: 7\n\n"

    def script(handler: Handler, asked: Asked) -> None:
        handler.begin()
        handler.chunk(b"data: first\n\n")
        go_on.wait(20)
        for at in range(len(text)):
            handler.chunk(text[at : at + 1])
        handler.chunk(b"data: the last has no empty line")
        handler.end()

    with scripted(script) as server:
        events = ask(server.url + "/v1/x")
        assert next(events) == "first"
        go_on.set()
        assert list(events) == ['{"a": "§ 12 – “naïve”"}', "two\nlines", "the last has no empty line"]
        [asked] = server.asked
    assert (asked.method, asked.path, asked.json) == ("POST", "/v1/x", BODY)
    assert asked.headers["authorization"] == "Bearer sesame"


async def test_a_long_event_may_come_byte_by_byte() -> None:
    async def byte_by_byte() -> AsyncIterator[bytes]:
        for byte in b"data: " + b"x" * 300_000 + b"\r\n\r\ndata: y\n\n":
            yield bytes([byte])

    assert [event async for event in read_events(byte_by_byte())] == ["x" * 300_000, "y"]


async def test_an_event_without_end_is_refused() -> None:
    async def without_end() -> AsyncIterator[bytes]:
        for _ in range(200):
            yield b"z" * 4096
        yield b"z" * 200_000
        raise AssertionError("nobody needs more to know")

    with pytest.raises(httpx2.SSEError):
        [event async for event in read_events(without_end())]


async def test_bytes_that_are_no_text_are_marked() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"data: a\xff"
        yield b"b \xc2"
        yield b"\xa7\r"
        yield b"\n\n"

    assert [event async for event in read_events(pieces())] == ["a\ufffdb §"]


def test_an_answer_that_is_no_stream_is_given_whole() -> None:
    with scripted(lambda handler, _: handler.whole(200, b'{"text":\n "\xc2\xa7"}')) as server:
        assert list(ask(server.url)) == ['{"text":\n "§"}']


@pytest.mark.parametrize("after", ["nothing", "the head", "an event"])
def test_cancelling_closes_the_connection(after: str) -> None:
    waiting = threading.Event()
    left: list[bool] = []

    def script(handler: Handler, asked: Asked) -> None:
        if after != "nothing":
            handler.begin()
        if after == "an event":
            handler.chunk(b"data: one\n\n")
        waiting.set()
        left.append(handler.client_left(20))
        handler.close_connection = True

    token = CancelToken()
    with scripted(script) as server:
        threading.Thread(target=lambda: (waiting.wait(20), token.cancel()), daemon=True).start()
        with pytest.raises(Cancelled):
            list(ask(server.url, token))
        assert server.done.acquire(timeout=20)
    assert left == [True]


def test_leaving_the_events_closes_the_connection() -> None:
    left: list[bool] = []

    def script(handler: Handler, asked: Asked) -> None:
        handler.begin()
        handler.chunk(b"data: one\n\n")
        left.append(handler.client_left(20))
        handler.close_connection = True

    with scripted(script) as server:
        events = ask(server.url)
        assert next(events) == "one"
        events.close()  # type: ignore[attr-defined]
        assert server.done.acquire(timeout=20)
    assert left == [True]


def test_nothing_is_asked_for_a_token_that_is_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with scripted(lambda handler, _: handler.whole(200, b"{}")) as server:
        with pytest.raises(Cancelled):
            list(ask(server.url, token))
        assert server.asked == []


def test_the_time_is_over_all() -> None:
    def script(handler: Handler, asked: Asked) -> None:
        handler.begin()
        while True:  # never silent for long, never at an end
            handler.chunk(b": still here\n")
            threading.Event().wait(0.02)

    with scripted(script) as server:
        assert failed(server.url, seconds=0.5).kind == "time"


def test_a_connection_that_breaks_in_the_middle() -> None:
    def script(handler: Handler, asked: Asked) -> None:
        handler.begin()
        handler.chunk(b"data: one\n\n")
        handler.hang_up()

    with scripted(script) as server:
        events = ask(server.url)
        assert next(events) == "one"
        with pytest.raises(HttpFailed, match="broke off") as raised:
            next(events)
    assert raised.value.kind == "broken"


def test_nothing_listens_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    error = failed(f"http://127.0.0.1:{port}/v1")
    assert error.kind == "refused"
    assert f"http://127.0.0.1:{port}" in str(error)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_question_is_never_carried_elsewhere(status: int) -> None:
    with scripted(lambda handler, _: handler.whole(200, b"{}")) as elsewhere:

        def script(handler: Handler, asked: Asked) -> None:
            handler.whole(status, b"", Location=elsewhere.url)

        with scripted(script) as server:
            error = failed(server.url)
        assert (error.status, elsewhere.asked) == (status, [])
    assert "not followed" in str(error)


def test_what_a_server_says_of_a_failure_is_not_repeated() -> None:
    body = b'{"error": {"message": "%s", "type": "rate_limit_error", "code": "slow"}}' % SECRET.encode()
    with scripted(lambda handler, _: handler.whole(429, body, Retry_After="17")) as server:
        error = failed(server.url)
    assert (error.status, error.retry_after, error.codes) == (429, 17, {"rate_limit_error", "slow"})


@pytest.mark.parametrize("body", [b"data: " + b"x" * 2_000_000, b"x\n" * 9_000_000])
def test_a_server_that_sends_without_end_is_given_up(body: bytes) -> None:
    with scripted(lambda handler, _: handler.whole(200, body, "text/event-stream")) as server:
        assert failed(server.url).kind == "broken"


@pytest.mark.parametrize("status", [200, 400])
def test_a_packed_answer_is_never_unpacked(status: int) -> None:
    said = json.dumps({"error": {"code": "known"}})
    body = gzip.compress(gzip.compress(f"data: {said}\n\n".encode() if status == 200 else said.encode()))

    def script(handler: Handler, asked: Asked) -> None:
        handler.whole(status, body, "text/event-stream", Content_Encoding="gzip, gzip")

    with scripted(script) as server:
        error = failed(server.url)
    assert (error.kind, error.status) == (("broken", 0) if status == 200 else ("status", 400))
    assert not error.codes


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(lambda handler, _: handler.whole(200, b'"proxy"')) as proxy:
        for name in ("http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        with scripted(lambda handler, _: handler.whole(200, b'"there"')) as server:
            assert list(ask(server.url)) == ['"there"']
            with get(server.url, {}) as opened:
                assert b"".join(opened.pieces()) == b'"there"'
        assert proxy.asked == []


def test_a_proxy_of_the_environment_is_asked_for_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(lambda handler, _: handler.whole(502, b"")) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url)
        assert failed("https://models.example/v1").kind in ("unreachable", "broken")
        assert [(asked.method, asked.path) for asked in proxy.asked] == [("CONNECT", "models.example:443")]


def test_signed_addresses_are_followed_letter_by_letter() -> None:
    signed = (
        "/x%2Fy?Policy=" + "eyJ~_-" * 500 + "&d=inline%3B+f*%3DUTF-8%27%27a%22.gguf&X-Amz=a%2Fb/c:d@e,f;g"
    )

    def script(handler: Handler, asked: Asked) -> None:
        if asked.path == "/old":
            handler.whole(302, b"", Location=signed)
        else:
            handler.whole(200, asked.path.encode(), "application/octet-stream")

    with scripted(script) as server, get(server.url + "/old", {}) as opened:
        assert b"".join(opened.pieces()).decode() == signed


def test_files_are_fetched_through_redirects_of_the_same_machine() -> None:
    def script(handler: Handler, asked: Asked) -> None:
        if asked.path == "/old":
            handler.whole(302, b"", Location="/new?x=1", X_Linked_Size="3")
        else:
            handler.whole(200, b"abc", "application/octet-stream")

    with scripted(script) as server:
        with get(server.url + "/old", {}) as opened:
            assert (opened.status, b"".join(opened.pieces())) == (200, b"abc")
        with get(server.url + "/old", {}, head=True, stop=lambda seen: "x-linked-size" in seen) as opened:
            assert (opened.status, opened.headers["x-linked-size"]) == (302, "3")


@pytest.mark.parametrize(
    "target", ["http://models.example/", "file:///etc/passwd", "http://localhost@evil.example/"]
)
def test_files_are_not_fetched_from_where_a_redirect_may_not_lead(target: str) -> None:
    with (
        scripted(lambda handler, _: handler.whole(302, b"", Location=target)) as server,
        pytest.raises(HttpFailed) as raised,
        get(server.url, {}),
    ):
        pass
    assert raised.value.kind == "address"


def test_redirects_come_to_an_end() -> None:
    with (
        scripted(lambda handler, _: handler.whole(302, b"", Location="/again")) as server,
        pytest.raises(HttpFailed, match="without end"),
        get(server.url, {}),
    ):
        pass
