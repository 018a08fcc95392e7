"""Whatever a client sends, each request is answered once, and the server goes on."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from raw_client import PATIENCE, RawClient, memory
from weir_workspace import workspace

from lexls.server.protocol import LONGEST_HEADER

Start = Callable[[], RawClient]
PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
NOT_INITIALIZED, REQUEST_FAILED, REQUEST_CANCELLED = -32002, -32803, -32800
TEXT = "As was held in [2019] ASC 41 at [2]. *Ibid* at [3]. 𝔸 “The carrier” – Hale v Ryle.\n\n" * 20


def frame(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def message(**fields: Any) -> bytes:
    return frame(json.dumps({"jsonrpc": "2.0", **fields}).encode())


@pytest.fixture
def client(start: Start, tmp_path: Path) -> RawClient:
    client = start()
    client.initialize(workspace(tmp_path / "weir"))
    return client


@pytest.fixture(scope="module")
def shared(shared_start: Start, tmp_path_factory: pytest.TempPathFactory) -> RawClient:
    client = shared_start()
    client.initialize(workspace(tmp_path_factory.mktemp("weir") / "weir"))
    return client


def is_alive(client: RawClient) -> bool:
    return "result" in client.answer(client.request("lexls/unheard", None)) or client.process.poll() is None


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(b'{"jsonrpc": "2.0", "id": 5, "method": '), PARSE_ERROR),
        (frame(b'\xff\xfe{"id": 5}'), PARSE_ERROR),
        (frame(b'{"jsonrpc": "2.0", "params": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"), PARSE_ERROR),
        (frame(b'{"jsonrpc": "2.0", "params": ' + b"9" * 5000 + b"}"), PARSE_ERROR),
        (frame(b"[1, 2]"), INVALID_REQUEST),
        (frame(b"12"), INVALID_REQUEST),
        (frame(b'{"id": 5, "method": "shutdown"}'), INVALID_REQUEST),
        (message(id=None, method="shutdown"), INVALID_REQUEST),
        (message(id=[1], method="shutdown"), INVALID_REQUEST),
        (message(id=True, method="shutdown"), INVALID_REQUEST),
        (b"\r\n\r\n{}\r\n", PARSE_ERROR),
        (b"Content-Length: -5\r\n\r\n", PARSE_ERROR),
        (b"a" * (40 * LONGEST_HEADER) + b"\r\n", PARSE_ERROR),
    ],
    ids=range(13),
)
def test_what_is_no_message_is_told_so_and_passed_over(shared: RawClient, sent: bytes, code: int) -> None:
    shared.answers.pop(None, None)
    shared.write(sent)
    assert shared.answer(None)["error"]["code"] == code
    assert shared.answer(shared.request("lexls/unheard"))["error"]["code"] == -32601
    assert len(shared.answers[None]) == 1


def test_headers_are_read_however_they_are_written(shared: RawClient) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": "headers", "method": "lexls/unheard"}).encode()
    shared.write(b"\r\n\r\nX-Other: 1\r\ncontent-length : %d\r\nContent-Type: a\r\n\r\n" % len(body) + body)
    assert shared.answer("headers")["error"]["code"] == -32601


def test_a_message_larger_than_any_draft_is_never_held(start: Start, tmp_path: Path) -> None:
    client = start()
    client.initialize(tmp_path)
    client.result("workspace/executeCommand", {"command": "lexls.status"})  # with all that requests import
    before = memory(client.process)
    length = 300 * 2**20
    client.write(b"Content-Length: %d\r\n\r\n" % length)
    assert client.answer(None)["error"]["code"] == INVALID_REQUEST  # before it comes
    piece = b" " * 2**20
    for _ in range(length // len(piece)):
        client.write(piece)
    assert client.answer(client.request("lexls/unheard"))["error"]["code"] == -32601
    assert memory(client.process) - before < 30 * 2**20
    client.write(b"Content-Length: 999999999999999999\r\n\r\n{}")
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(timeout=PATIENCE) == 1


def test_the_order_of_a_conversation_is_kept(start: Start, tmp_path: Path) -> None:
    client = start()
    client.open(tmp_path / "a.md", TEXT)  # a notification: dropped
    assert client.answer(client.request("textDocument/hover", {}))["error"]["code"] == NOT_INITIALIZED
    assert client.answer(client.request("shutdown"))["error"]["code"] == NOT_INITIALIZED
    assert client.answer(client.request("initialize", {"capabilities": 5}))["error"]["code"] == INVALID_PARAMS
    client.notify("initialize", {"processId": None, "rootUri": None, "capabilities": {}})  # no request
    assert client.answer(client.request("textDocument/hover", {}))["error"]["code"] == NOT_INITIALIZED
    client.initialize(tmp_path)
    again = client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert client.answer(again)["error"]["code"] == INVALID_REQUEST
    client.result("shutdown")
    assert client.answer(client.request("textDocument/hover", {}))["error"]["code"] == INVALID_REQUEST
    client.notify("exit")
    assert client.process.wait(timeout=PATIENCE) == 0


def list_foreign_items() -> list[dict[str, Any]]:
    """What may be resolved, with data that lexls never sent."""
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
    item = {"label": "x", "title": "x", "range": place, "position": place["start"]}
    foreign: tuple[Any, ...] = (None, 5, "x", [], {}, {"uri": 5}, {"uri": "file:///a.md"}, {"id": 7})
    wrong = {"uri": "file:///a.md", "version": "1", "start": None, "core": [], "authority": "x", "label": 1}
    return [item, *({**item, "data": data} for data in (*foreign, wrong))]


def test_parameters_that_make_no_sense_are_refused(shared: RawClient) -> None:
    for method, params in (
        ("textDocument/hover", {"textDocument": 5}),
        ("textDocument/hover", None),
        ("textDocument/hover", {"textDocument": {"uri": "a.md"}, "position": {"line": "x", "character": 0}}),
        ("workspace/executeCommand", {"command": "lexls.unheard"}),
        ("workspace/executeCommand", {"command": "lexls.status", "arguments": [1, 2, 3]}),
        (
            "workspace/executeCommand",
            {"command": "lexls.findSupport", "arguments": [{"uri": [], "range": 1}]},
        ),
    ):
        error = shared.answer(shared.request(method, params))["error"]
        assert error["code"] == INVALID_PARAMS, (method, params, error)
        assert "Traceback" not in json.dumps(error)
    for params in list_foreign_items():
        for method in ("completionItem", "codeLens", "inlayHint", "documentLink", "codeAction"):
            error = shared.answer(shared.request(f"{method}/resolve", params))["error"]
            assert error["code"] == INVALID_PARAMS, (method, params, error)
    for params in ({"id": [1]}, None, {}, {"id": "never"}):
        shared.notify("$/cancelRequest", params)
    shared.send({"id": 991, "result": None})
    shared.send({"id": 992, "error": {"code": 1, "message": "no"}})
    assert is_alive(shared)


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1", "git:/a/b.md?%7B%7D", "vscode-vfs://github/a/b.md", "output:x",
        "https://example.invalid/a.md", "file:///a%00b.md", "file:///%ff%fe.md", "file:", "", "%", "a b",
        "file:///" + "a" * 5000 + ".md",
        "file://host/share/a.md", "file:///../../a.md", "file:///a.md#x",
    ],
)  # fmt: skip
def test_a_document_of_any_name_is_served(shared: RawClient, uri: str) -> None:
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": TEXT}
    shared.notify("textDocument/didOpen", {"textDocument": item})
    found = shared.result("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert found is None or isinstance(found, list)
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 20}}
    assert "error" not in shared.answer(shared.request("textDocument/hover", place))
    shared.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    shared.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert is_alive(shared)


def test_half_a_surrogate_pair_is_answered_as_any_text(client: RawClient, tmp_path: Path) -> None:
    text = "As was held in Hale \ud83d v Ryle [2019] ASC 41 at [99], \u201cthe \udc00 carrier\u201d."
    uri = client.open(tmp_path / "weir/a.md", text)
    while not client.diagnostics(uri):
        pass
    for place in (5, 22, 40, 60):
        where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": place}}
        for method in ("hover", "completion", "definition"):
            assert "result" in client.answer(client.request(f"textDocument/{method}", where))
    assert "error" in client.answer(client.request("lexls/\ud800"))
    support = {"uri": uri, "position": {"line": 0, "character": 5}}
    asked = {"command": "lexls.findSupport", "arguments": [support]}
    assert "result" in client.answer(client.request("workspace/executeCommand", asked))
    assert client.goodbye() == 0


AT_A_PLACE = (
    "hover", "definition", "references", "documentHighlight", "completion", "rename", "selectionRange",
    "prepareCallHierarchy", "inlineCompletion",
)  # fmt: skip
IN_A_RANGE = ("codeAction", "inlayHint", "semanticTokens/range")
OF_A_DOCUMENT = (
    "documentSymbol",
    "foldingRange",
    "codeLens",
    "documentLink",
    "semanticTokens/full",
    "diagnostic",
)
FAR = (0, 1, 7, 19, 20, 21, 4_000, 2**31 - 1)


def any_request(chance: random.Random, uri: str) -> tuple[str, dict[str, Any]]:
    document = {"textDocument": {"uri": uri}}
    first, last = ({"line": chance.choice(FAR), "character": chance.choice(FAR)} for _ in range(2))
    method = chance.choice([*AT_A_PLACE, *IN_A_RANGE, *OF_A_DOCUMENT])
    if method in OF_A_DOCUMENT:
        return f"textDocument/{method}", document
    if method in IN_A_RANGE:
        span = {"range": {"start": first, "end": last}, "context": {"diagnostics": []}}
        return f"textDocument/{method}", {**document, **span}
    more: dict[str, Any] = {"position": first, "positions": [first, last], "newName": "x"}
    more["context"] = {"includeDeclaration": True, "triggerKind": 1}
    return f"textDocument/{method}", {**document, **more}


def any_change(chance: random.Random, uri: str) -> dict[str, Any]:
    first, last = ({"line": chance.choice(FAR), "character": chance.choice(FAR)} for _ in range(2))
    change: dict[str, Any] = {"text": chance.choice(["", "x", "“", "[2019] ASC 41 at [2]", "\r", "𝔸\n\n"])}
    if chance.random() < 0.8:
        change["range"] = {"start": first, "end": last}
    else:
        change["text"] = TEXT
    version = chance.choice([-1, 0, 1, 2, 2**31 - 1])
    return {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}


@pytest.mark.parametrize("seed", range(3))
def test_any_order_of_messages_is_answered(client: RawClient, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    uris = [client.open(tmp_path / f"weir/{number}.md", TEXT) for number in range(2)]
    asked = []
    for _ in range(400):
        uri = chance.choice(uris)
        kind = chance.random()
        if kind < 0.5:
            asked.append(client.request(*any_request(chance, uri)))
        elif kind < 0.8:
            client.notify("textDocument/didChange", any_change(chance, uri))
        elif kind < 0.9 and asked:
            client.notify("$/cancelRequest", {"id": chance.choice(asked)})
        elif kind < 0.95:
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        else:
            item = {"uri": uri, "languageId": "markdown", "version": 1, "text": TEXT}
            client.notify("textDocument/didOpen", {"textDocument": item})
    allowed = {REQUEST_CANCELLED, REQUEST_FAILED, INVALID_PARAMS, -32601}
    for number in asked:
        answer = client.answer(number)
        assert "result" in answer or answer["error"]["code"] in allowed, answer
    assert client.goodbye() == 0
    assert all(len(client.answers[number]) == 1 for number in asked)


def test_requests_by_the_thousand_are_answered_or_refused(client: RawClient, tmp_path: Path) -> None:
    uri = client.open(tmp_path / "weir/a.md", TEXT)
    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 20}}
    asked = [client.request("textDocument/hover", place) for _ in range(500)]
    assert all("result" in client.answer(number) for number in asked)
    asked = [client.request("textDocument/references", {**place, "context": {"includeDeclaration": True}})
             for _ in range(3000)]  # fmt: skip
    for number in asked:
        client.notify("$/cancelRequest", {"id": number})
    codes = {client.answer(number).get("error", {}).get("code", 0) for number in asked}
    assert codes <= {0, REQUEST_CANCELLED, REQUEST_FAILED}
    assert client.goodbye() == 0
    assert all(len(client.answers[number]) == 1 for number in asked)


def test_a_client_that_reads_nothing_costs_no_memory(client: RawClient, tmp_path: Path) -> None:
    uri = client.open(tmp_path / "weir/a.md", TEXT)
    client.result("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    before = memory(client.process)
    client.pause()
    # The server stops to listen once nobody takes its answers: whoever sends waits, too.
    sent: list[int] = []
    kinds = [f"textDocument/{kind}" for kind in ("semanticTokens/full", "documentLink", "foldingRange")]

    def send() -> None:
        for number in range(6000):
            sent.append(client.request(kinds[number % 3], {"textDocument": {"uri": uri}}))

    sender = threading.Thread(target=send)
    sender.start()
    sender.join(10.0)
    assert memory(client.process) - before < 120 * 2**20
    client.resume()
    sender.join(PATIENCE)
    assert len(sent) == 6000
    assert all(client.answer(number) for number in sent)
    assert client.goodbye() == 0


def test_one_id_is_answered_once_while_it_waits(client: RawClient, tmp_path: Path) -> None:
    uri = client.open(tmp_path / "weir/a.md", TEXT)
    asked = {"id": "twice", "method": "textDocument/codeLens", "params": {"textDocument": {"uri": uri}}}
    client.send(asked)
    client.send(asked)
    client.send({"id": "twice", "result": None})  # as if the server had asked
    codes = [client.answer("twice", place).get("error", {}).get("code", 0) for place in range(2)]
    assert sorted(codes) in ([INVALID_REQUEST, 0], [0, 0])
    assert client.goodbye() == 0
    assert len(client.answers["twice"]) == 2


def test_a_draft_of_five_megabytes_on_one_line_is_served(client: RawClient, tmp_path: Path) -> None:
    text = "The carrier — 𝔸 — must proceed by [2019] ASC 41 at [2]. " * 90_000
    uri = client.open(tmp_path / "weir/long.md", text[:5_000_000])
    place = {"line": 0, "character": 2_500_000}
    change = {"text": "x", "range": {"start": place, "end": place}}
    client.notify(
        "textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]}
    )
    assert is_alive(client)
    number = client.request("textDocument/foldingRange", {"textDocument": {"uri": uri}})
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer(number)
    assert client.goodbye() == 0
