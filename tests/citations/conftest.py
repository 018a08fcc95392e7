from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation

OPEN, CLOSE = "⟦", "⟧"
Check = Callable[..., tuple[Citation, ...]]


@pytest.fixture(scope="session")
def grammar() -> Grammar:
    return Grammar.load()


@pytest.fixture(scope="session")
def check(grammar: Grammar) -> Check:
    """Finds the citations of a text in which each whole mention is marked ``⟦…⟧``; gives them back.

    ``keys`` are their keys in order, where the test is about them.
    """

    def run(marked: str, jurisdiction: str = "", keys: list[str] | None = None) -> tuple[Citation, ...]:
        text = ""
        expected: list[str] = []
        for piece in marked.split(OPEN):
            inside, _, outside = piece.partition(CLOSE)
            if CLOSE in piece:
                expected.append(f"{len(text)}: {inside}")
            text += inside + outside
        found = grammar.find(text, jurisdiction)
        assert [f"{citation.span.start}: {citation.text}" for citation in found] == expected
        for citation in found:
            assert citation.span.of(text) == citation.text
            assert citation.span.start <= citation.core.start < citation.core.end <= citation.span.end
            if citation.antecedent is not None:
                assert found[citation.antecedent].form == "full"
                assert found[citation.antecedent].key == citation.key
        if keys is not None:
            assert [citation.key for citation in found] == keys
        return found

    return run
