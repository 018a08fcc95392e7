"""What retrieval asks of an index is what a library answers, and retrieval asks for nothing else."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import lexls.retrieval
from lexls.index.catalogue import Catalogue
from lexls.index.citation_graph import CitationGraph
from lexls.index.contents import Contents
from lexls.index.library import Library
from lexls.index.precedents import Precedents
from lexls.index.searchable import (
    SearchableCatalogue,
    SearchableContents,
    SearchableGraph,
    SearchableIndex,
    SearchablePrecedents,
    SearchableStatus,
)
from lexls.index.status import IndexStatus

if TYPE_CHECKING:

    def _a_library_is_searchable(library: Library) -> SearchableIndex:
        return library  # mypy compares every signature


def _public(protocol: type) -> list[str]:
    return sorted(name for name, _ in inspect.getmembers(protocol) if not name.startswith("_"))


PARTS: dict[str, tuple[type, type]] = {
    "catalogue": (SearchableCatalogue, Catalogue),
    "contents": (SearchableContents, Contents),
    "graph": (SearchableGraph, CitationGraph),
    "precedents": (SearchablePrecedents, Precedents),
    "status": (SearchableStatus, IndexStatus),
}
ASKED = _public(SearchableIndex)
ALL = [
    *((SearchableIndex, Library, name) for name in ASKED if name not in PARTS),
    *((protocol, own, name) for protocol, own in PARTS.values() for name in _public(protocol)),
]


@pytest.mark.parametrize(("protocol", "own", "name"), ALL)
def test_a_library_has_every_method_with_the_same_parameters(protocol: type, own: type, name: str) -> None:
    wanted, held = getattr(protocol, name), getattr(own, name)
    if isinstance(wanted, property):
        assert isinstance(held, property)
    else:
        assert _shape(wanted) == _shape(held)


def test_retrieval_asks_a_library_for_nothing_else() -> None:
    asked: set[str] = set()
    asked_of: dict[str, set[str]] = {part: set() for part in PARTS}
    for path in Path(lexls.retrieval.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Attribute):
                continue
            if _is_library(node.value):
                asked.add(node.attr)
            elif isinstance(node.value, ast.Attribute) and _is_library(node.value.value):
                asked_of.get(node.value.attr, set()).add(node.attr)
    assert {"lexical", "nearest", *PARTS} <= asked
    assert asked <= {*ASKED}
    assert "find_cited_in" in asked_of["graph"]
    assert {part: of - {*_public(PARTS[part][0])} for part, of in asked_of.items()} == {
        part: set() for part in PARTS
    }


def _shape(method: Callable[..., object]) -> list[tuple[str, object, object]]:
    parameters = inspect.signature(method).parameters.values()
    return [(each.name, each.kind, each.default) for each in parameters]


def _is_library(node: ast.expr) -> bool:
    """``library``, ``self.library`` or ``self._library``."""
    if isinstance(node, ast.Name):
        return node.id == "library"
    return isinstance(node, ast.Attribute) and node.attr in ("library", "_library")
