"""What an explanation consists of, and the check that it is verbatim."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lexls.index.records import Authority


@dataclass(frozen=True, slots=True)
class Statement:
    """A verbatim piece of an authority: ``text`` is ``[start, end)`` (code points) of its text.

    ``label`` is the paragraph or section it stands in ("" if none), ``page`` its page (0 if none).
    ``at_pinpoint`` says that it lies in the place the citation points at. ``coverage`` is the share of the
    proposition's weighted words that it has, ``similarity`` the cosine of their vectors (None without).
    """

    text: str
    document: int
    start: int
    end: int
    label: str
    page: int
    at_pinpoint: bool
    coverage: float
    similarity: float | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an authority supports a proposition, in the authority's own words.

    ``statements`` are in order: those of the pinpoint first, then by relevance; empty when no passage
    bears on the proposition, which ``notes`` then says. ``missing`` are the proposition's words that
    no statement has, as written in it.
    """

    proposition: str
    authority: Authority
    statements: tuple[Statement, ...]
    notes: tuple[str, ...]
    missing: tuple[str, ...] = ()

    @property
    def abstained(self) -> bool:
        """Whether no passage was found that bears on the proposition."""
        return not self.statements


def verified(statements: Iterable[Statement], text: str) -> tuple[Statement, ...]:
    """The statements whose words stand in ``text``, the authority's whole text, exactly where they say.

    Others are dropped: what an index or a reader got wrong is not shown as an authority's words.
    """
    return tuple(
        statement
        for statement in statements
        if statement.text and statement.start >= 0 and text[statement.start : statement.end] == statement.text
    )
