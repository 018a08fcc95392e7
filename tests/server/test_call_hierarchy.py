"""The citation graph as editors ask for it, from a draft and from an authority that is open."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from raw_client import PATIENCE, RawClient

from lexls.text.lines import LineIndex

DRAFT = "drafts/skeleton-argument.md"
ORRIN = "Orrin Grain Co v Pell Line Ltd"


@pytest.fixture(scope="module")
def sample(shared_sample: tuple[RawClient, Path]) -> Path:
    return shared_sample[1]


@pytest.fixture(scope="module")
def client(shared_sample: tuple[RawClient, Path]) -> RawClient:
    client, sample = shared_sample
    client.initialize(sample)
    uri = client.open(sample / DRAFT, (sample / DRAFT).read_text(encoding="utf-8"))
    while not client.diagnostics(uri):
        pass
    return client


def prepared(client: RawClient, path: Path, words: str) -> list[dict[str, Any]]:
    """The items at the middle of ``words`` in a file that is open."""
    text = path.read_text(encoding="utf-8")
    line, character = LineIndex(text).position(text.index(words) + len(words) // 2, "utf-16")
    place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}}
    found: list[dict[str, Any]] = client.result("textDocument/prepareCallHierarchy", place) or []
    return found


def said(range_: dict[str, Any], path: Path) -> str:
    """What a range covers in a text file."""
    text = path.read_text(encoding="utf-8")
    lines = LineIndex(text)
    start, end = (
        lines.offset(range_[edge]["line"], range_[edge]["character"], "utf-16") for edge in ("start", "end")
    )
    return text[start:end]


def test_a_draft_s_citation_leads_to_those_who_cite_it_and_to_what_they_cite(
    client: RawClient, sample: Path
) -> None:
    (item,) = prepared(client, sample / DRAFT, "(1968) 1 AldLR 301")
    assert item["name"] == ORRIN
    assert item["tags"] == [1]  # struck through: it was overruled
    calls = client.result("callHierarchy/incomingCalls", {"item": item})
    end = time.monotonic() + PATIENCE
    while not calls[0]["from"]["name"].startswith("Carrow") and time.monotonic() < end:
        time.sleep(
            0.1
        )  # while the library is read for the first time, who treats it worst may be yet to come
        calls = client.result("callHierarchy/incomingCalls", {"item": item})
    carrow = calls[0]["from"]
    assert carrow["name"].startswith("Carrow")
    assert carrow["detail"] == "[2014] ASC 12 · overruled"
    path = next((sample / "library").rglob("2014-ASC-12-*"))
    assert carrow["uri"] == path.as_uri()
    assert any("Orrin Grain" in said(each, path) for each in calls[0]["fromRanges"])
    onward = client.result("callHierarchy/outgoingCalls", {"item": carrow})
    assert onward[0]["to"]["name"] == ORRIN
    assert all(said(each, path) for call in onward for each in call["fromRanges"])
    assert any("(1968) 1 AldLR 301" in said(each, path) for each in onward[0]["fromRanges"])


def test_an_open_authority_has_a_hierarchy_of_its_own(client: RawClient, sample: Path) -> None:
    path = next((sample / "library").rglob("2009-ACA-31-*"))
    client.open(path, path.read_text(encoding="utf-8"))
    (itself,) = prepared(client, path, "machine tools were carried")
    assert itself["name"] == "Lathe & Sons v Owners of the Silver Tern"
    outgoing = client.result("callHierarchy/outgoingCalls", {"item": itself})
    assert ORRIN in {call["to"]["name"] for call in outgoing}
    (cited,) = prepared(client, path, "(1968) 1 AldLR 301, 303")
    assert cited["name"] == ORRIN


def test_nothing_is_prepared_where_nothing_is_cited(client: RawClient, sample: Path) -> None:
    assert prepared(client, sample / DRAFT, "Claimant’s skeleton argument") == []


def test_an_item_of_an_authority_that_is_gone_has_no_calls(client: RawClient, sample: Path) -> None:
    (item,) = prepared(client, sample / DRAFT, "(1968) 1 AldLR 301")
    item["data"]["authority"] = 999_999
    assert client.result("callHierarchy/incomingCalls", {"item": item}) == []
    item["data"] = {"odd": True}
    assert client.result("callHierarchy/incomingCalls", {"item": item}) is None
