"""``lexls search --passages``: several passages of an authority, of the one that the query names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

Run = Any
"""``Run`` of conftest.py."""


def test_passages_are_those_of_the_authority_that_the_query_names(lexls: Run, matter: Path) -> None:
    question = "In Ash Mooring v Tern Harbour Board, what was the knowledge of the board?"
    plain = lexls("search", question, "--json").json["hits"]
    assert len({hit["path"] for hit in plain}) == len(plain) > 1
    hits = lexls("search", question, "--passages", "--json").json["hits"]
    assert len(hits) > 1
    assert {hit["path"] for hit in hits} == {"cases/ash-mooring.md"}
    assert "The knowledge of each servant" in hits[0]["text"]
