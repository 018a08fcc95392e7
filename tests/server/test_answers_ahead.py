"""Explanations made ahead, one at a time, and pages of answers that are told now and then."""

from __future__ import annotations

import asyncio
import io
import json
import os
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as t
from pygls.workspace import Workspace
from scripted_server import scripted
from weir_workspace import DRAFT, SlowModel, workspace

from lexls.grounding.answer import Answer
from lexls.server.answering import KEPT_FILES, NotifiedPage, Page, WrittenPage, find_answers_folder
from lexls.server.documents import OpenDocument
from lexls.server.explainer import MOST_READY, Explainer, ReadyKey
from lexls.server.explaining import Ahead
from lexls.server.main import make_server
from lexls.server.server import LexlsServer
from lexls.settings.declaration import Settings

PATIENCE = 60.0
CLAIM = (
    "A keeper who leaves the gates shut answers to the owners of the flooded meadows",
    "A keeper who leaves gates shut answers to owners of flooded meadows for their hay.",
)


class Prepared:
    """A server with the library of weirs open, whose model writes slowly."""

    def __init__(self, server: LexlsServer, model: SlowModel, document: OpenDocument) -> None:
        self.server = server
        self.model = model
        self.document = document
        self.session = server.session_of(document.uri)
        self.ahead = Ahead(server)

    def key(self, proposition: str) -> ReadyKey:
        service = self.session.service
        assert service is not None
        assert service.library is not None
        return ReadyKey(1, "", proposition, service.library.generation)


@pytest.fixture
async def prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Prepared]:
    for name in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / "home"))
    root = workspace(tmp_path / "work")
    model = SlowModel([CLAIM])
    with scripted(model) as address:
        server = make_server()
        server.protocol._workspace = Workspace(None, t.TextDocumentSyncKind.Incremental)
        server.protocol.client_capabilities = t.ClientCapabilities()
        server.editor_settings = {
            "explain": {"generator": "openai"},
            "openai": {"baseUrl": address.url, "model": "slow"},
        }
        item = t.TextDocumentItem((root / "draft.md").as_uri(), "markdown", 1, DRAFT)
        found = Prepared(server, model, server.documents.open(item))
        service = found.session.service
        assert service is not None
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while not (service.library is not None and service.library.complete):
            assert loop.time() < until, "the library was not read"
            await server.run_behind(service.tick)
            await asyncio.sleep(0.05)
        yield found
        await server.end()
        server.shutdown()


async def happens(event: threading.Event) -> bool:
    return await asyncio.get_running_loop().run_in_executor(None, event.wait, PATIENCE)


async def test_what_was_wished_for_is_made_and_remembered(prepared: Prepared) -> None:
    key = prepared.key("one")
    prepared.ahead.want(prepared.document, DRAFT.index("[2019]"), key)
    assert await happens(prepared.model.begun)
    extracts = prepared.session.explainer.ready(key)
    assert extracts is not None
    assert all(each.is_extract for each in extracts.sentences)
    prepared.model.go_on.release(10)
    until = asyncio.get_running_loop().time() + PATIENCE
    while (answer := prepared.session.explainer.ready(key)) is None or answer == extracts:
        assert asyncio.get_running_loop().time() < until
        await asyncio.sleep(0.02)
    assert CLAIM[1] in [each.text for each in answer.sentences]


async def test_a_newer_wish_ends_the_older_one(prepared: Prepared) -> None:
    model = prepared.model
    prepared.ahead.want(prepared.document, DRAFT.index("[2019]"), prepared.key("one"))
    assert await happens(model.begun)
    model.begun.clear()
    prepared.ahead.want(prepared.document, DRAFT.index("[2019]"), prepared.key("two"))
    assert await happens(model.left)
    assert await happens(model.begun)


async def test_the_same_wish_again_changes_nothing(prepared: Prepared) -> None:
    model = prepared.model
    for _ in range(3):
        prepared.ahead.want(prepared.document, DRAFT.index("[2019]"), prepared.key("one"))
        assert await happens(model.begun)
    assert not model.left.is_set()
    assert len(model.asked) == 1


async def test_a_model_that_fails_is_left_alone_until_somebody_asks(prepared: Prepared) -> None:
    explainer = prepared.session.explainer
    prepared.ahead.want(prepared.document, DRAFT.index("[2019]"), prepared.key("one"))
    assert await happens(prepared.model.begun)
    local = Explainer(replace(prepared.session.settings, explain_generator="llama"))
    prepared.session.explainer = local
    assert local.explains_unasked
    prepared.ahead.want(prepared.document, DRAFT.index("[2019]"), prepared.key("two"))
    until = asyncio.get_running_loop().time() + PATIENCE
    while local.explains_unasked:  # no model is set
        assert asyncio.get_running_loop().time() < until
        await asyncio.sleep(0.02)
    local.keep(prepared.key("asked"), Answer("explain", "asked"))
    assert local.explains_unasked
    prepared.session.explainer = explainer


async def test_closing_the_document_ends_the_wish(prepared: Prepared) -> None:
    server, model = prepared.server, prepared.model
    prepared.ahead.want(prepared.document, DRAFT.index("[2019]"), prepared.key("one"))
    assert await happens(model.begun)
    server.leave_off("file:///another.md")
    assert not model.left.wait(0.2)
    server.leave_off(prepared.document.uri)
    assert await happens(model.left)
    ready = prepared.session.explainer.ready(prepared.key("one"))
    assert ready is None or all(each.is_extract for each in ready.sentences)


class _Wire(io.BytesIO):
    """What was sent to the client."""

    def told(self) -> list[dict[str, Any]]:
        bodies = self.getvalue().split(b"Content-Length: ")[1:]
        return [json.loads(each.partition(b"\r\n\r\n")[2])["params"] for each in bodies]


async def test_a_fast_answer_is_told_now_and_then_and_its_end_always() -> None:
    server, wire = make_server(), _Wire()
    server.protocol.set_writer(wire)
    shown = NotifiedPage(server, "a", "")
    for number in range(200):
        shown.show(Page("Title", str(number), False, False))
    until = asyncio.get_running_loop().time() + PATIENCE
    while wire.told()[-1]["markdown"] != "199":
        assert asyncio.get_running_loop().time() < until
        await asyncio.sleep(0.02)
    assert wire.told()[0]["markdown"] == "0"
    assert len(wire.told()) < 100
    shown.show(Page("Title", "more", False, False))
    shown.show(Page("Title", "all", True, False))
    assert (wire.told()[-1]["markdown"], wire.told()[-1]["complete"]) == ("all", True)
    await asyncio.sleep(0.3)
    assert wire.told()[-1]["markdown"] == "all"
    server.shutdown()


async def test_old_pages_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = find_answers_folder()
    folder.mkdir(parents=True)
    for name in (".answer-left", ".answer-another"):
        (folder / name).write_text("half of a page")
    os.utime(folder / ".answer-left", (0, 0))
    for number in range(KEPT_FILES + 20):
        (folder / f"answer-20200101-{number:06}-abcdef.md").write_text("old")
    server = make_server()
    server.protocol.set_writer(_Wire())
    server.protocol.client_capabilities = t.ClientCapabilities()
    WrittenPage(server).show(Page("Title \ud800", "new words", True, False))
    until = asyncio.get_running_loop().time() + PATIENCE
    while not (found := [each for each in folder.glob("answer-2*.md") if "new words" in each.read_text()]):
        assert asyncio.get_running_loop().time() < until
        await asyncio.sleep(0.02)
    assert len(list(folder.glob("answer-*.md"))) == KEPT_FILES
    assert found[0].read_text() == "# Title ?\n\nnew words\n"
    assert [each.name for each in folder.glob(".*")] == [".answer-another"]
    assert (folder / f"answer-20200101-{KEPT_FILES + 19:06}-abcdef.md").exists()
    server.shutdown()


def test_memory_of_explanations_is_bounded() -> None:
    explainer = Explainer(Settings())
    keys = [ReadyKey(1, "", str(number), 1) for number in range(MOST_READY + 1)]
    for key in keys[:-1]:
        explainer.keep(key, Answer("explain", key.proposition))
    assert explainer.ready(keys[0]) is not None
    explainer.keep(keys[-1], Answer("explain", "last"))
    assert explainer.ready(keys[0]) is not None
    assert explainer.ready(keys[1]) is None
