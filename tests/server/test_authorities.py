"""The authorities of a draft as the command ``lexls.authorities`` lists them, in a real server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from raw_client import RawClient
from weir_workspace import opened, told, workspace

Start = Callable[[], RawClient]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return workspace(tmp_path / "work")


def test_what_is_missing_comes_first_and_each_place_says_why(start: Start, root: Path) -> None:
    client = start()
    uri = opened(client, root)
    missing, held = told(client, "lexls.authorities", uri=uri)
    assert (missing["verdict"], missing["state"], missing["authority"]) == ("not-in-library", "missing", None)
    assert missing["title"].startswith("Nobody v Known")
    assert (held["title"], held["cited"]) == ("Hale v Ryle", "[2019] ASC 41")
    assert (held["verdict"], held["state"]) == ("verified", "found")
    assert held["target"]["uri"].endswith("hale.md")
    (place,) = held["places"]
    assert place["text"] == "Hale v Ryle [2019] ASC 41 at [2]"
    assert place["range"]["start"]["line"] == 2
    assert place["target"]["uri"] == held["target"]["uri"]
    assert place["target"]["range"]["start"]["line"] > held["target"]["range"]["start"]["line"]


def test_an_authority_has_none(start: Start, root: Path) -> None:
    client = start()
    opened(client, root)
    path = root / "library" / "hale.md"
    uri = client.open(path, path.read_text())
    assert (
        client.result(
            "workspace/executeCommand", {"command": "lexls.authorities", "arguments": [{"uri": uri}]}
        )
        is None
    )


def test_only_authorities_that_are_wanted_are_found(start: Start, root: Path) -> None:
    client = start()
    uri = opened(client, root)
    place = {"line": 4, "character": 10}
    sought = {"uri": uri, "range": {"start": place, "end": place}}
    (hit, *_) = told(client, "lexls.findSupport", **sought)
    assert (hit["title"], hit["cited"]) == ("Hale v Ryle", "[2019] ASC 41 at [2]")
    assert hit["quote"].startswith("The keeper of a weir must open its gates")
    assert hit["written"] == "*Hale v Ryle* [2019] ASC 41 at [2]"
    assert hit["shortEdit"] is not None
    facets = told(client, "lexls.facets", uri=uri)
    assert [(each["value"], each["count"]) for each in facets["jurisdictions"]] == [("UK", 2)]
    assert told(client, "lexls.findSupport", **sought, filter={"jurisdictions": ["US"]}) == []
    assert told(client, "lexls.findSupport", **sought, filter={"jurisdictions": ["UK"]})
    wrong = {"command": "lexls.findSupport", "arguments": [{**sought, "filter": 3}]}
    assert "error" in client.answer(client.request("workspace/executeCommand", wrong))


def test_a_citation_leads_to_its_graph(start: Start, root: Path) -> None:
    (root / "library" / "marten.md").write_text(CITING)
    client = start()
    uri = opened(client, root)
    graph = told(client, "lexls.graph", uri=uri, position={"line": 2, "character": 90})
    assert (graph["name"], graph["cites"]["nodes"]) == ("Hale v Ryle [2019] ASC 41", [])
    (citing,) = graph["citedBy"]["nodes"]
    assert (citing["title"], citing["treatment"], citing["year"]) == ("Marten v Quill", "followed", 2021)
    assert citing["target"]["uri"].endswith("marten.md")
    assert citing["target"]["range"]["start"]["line"] > 0
    other = told(client, "lexls.graph", authority=citing["authority"], uri=uri)
    assert [each["title"] for each in other["cites"]["nodes"]] == ["Hale v Ryle"]
    assert told(client, "lexls.graph", uri=uri, position={"line": 0, "character": 0}) is None
    assert "error" in client.answer(client.request("workspace/executeCommand", {"command": "lexls.graph"}))


CITING = """\
---
title: Marten v Quill
citation: "[2021] ASC 5"
kind: case
date: 2021-03-01
jurisdiction: UK
---

[1] The sluice at Orrin is kept by the county.

[2] I follow Hale v Ryle [2019] ASC 41 at [2].
"""
