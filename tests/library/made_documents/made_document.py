"""Describe a document that was made, and compare what is read of it with what was put into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from lexls.library.document import SourceDocument


@dataclass(frozen=True, slots=True)
class Box:
    """Where lines stand on a page (from 1): points from its lower left corner, the font's whole height."""

    page: int
    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, slots=True)
class MadeDocument:
    """A file with the text that was put into it.

    ``format`` is what it is to be read as. ``lines`` are its paragraphs, ``labels`` the pinpoints of its
    numbered ones (None: not looked at). A file that cannot be read has a part of the ``reason`` instead, one
    that is read with a warning a part of that. ``boxes`` are those of the paragraphs, ``pages`` the printed
    numbers of the pages. ``exactly`` says that the format tells where paragraphs begin.
    """

    name: str
    format: str
    make: Callable[[], bytes]
    lines: Sequence[str] = ()
    labels: Sequence[str] | None = None
    title: str = ""
    reason: str = ""
    warning: str = ""
    boxes: Callable[[], Sequence[Sequence[Box]]] | None = None
    pages: Sequence[str] = ()
    exactly: bool = True


def fold(text: str) -> str:
    """A text with each run of white space as one space."""
    return " ".join(text.split())


def count_errors(document: MadeDocument, found: SourceDocument) -> tuple[int, int]:
    """How many characters must be added, left out or changed to make what was read what was put in, of how
    many; runs of white space are one space.
    """
    expected = fold("\n".join(document.lines))
    return Levenshtein.distance(expected, fold(found.text)), len(expected)


def list_paragraphs(found: SourceDocument) -> list[str]:
    """The lines of what was read."""
    return [line for each in found.text.splitlines() if (line := fold(each))]
