"""The passages that one request may rest on, and the pieces of them that an answer pins its sentences to."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from lexls.index.records import Authority


@dataclass(frozen=True, slots=True)
class Stretch:
    """From ``start`` (in code points of the authority's text) to the next stretch, this is where text stands.

    ``label`` is the numbered paragraph or section ("" if none), ``page`` its page (0 if none).
    ``at_pinpoint`` says that it lies in the place a citation points at.
    """

    start: int
    label: str = ""
    page: int = 0
    at_pinpoint: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """A stretch of an authority's text that an answer may quote.

    ``identifier`` ("P1", "P2", …) names it in one request only. ``text`` is ``[start, end)`` (code points) of
    the text of ``authority``. ``stretches`` are in order and the first begins at ``start``. ``core`` is the
    part that retrieval found, ``[start, end)`` of the authority's text; what lies around it is its context.
    """

    identifier: str
    authority: Authority
    start: int
    end: int
    text: str
    stretches: tuple[Stretch, ...]
    core: tuple[int, int]

    def stretch_at(self, offset: int) -> Stretch:
        """Where ``offset``, a code point of the authority's text, stands."""
        return self.stretches[max(0, bisect_right([each.start for each in self.stretches], offset) - 1)]

    def pin(self, start: int, end: int) -> Pin:
        """The piece ``[start, end)`` of the authority's text, which must lie in this evidence."""
        here = self.stretch_at(start)
        return Pin(
            self.identifier,
            self.authority,
            start,
            end,
            self.text[start - self.start : end - self.start],
            here.label,
            here.page,
            here.at_pinpoint,
        )


@dataclass(frozen=True, slots=True)
class Pin:
    """A verbatim piece of an authority: ``text`` is ``[start, end)`` (code points) of its text.

    ``label``, ``page`` and ``at_pinpoint`` are those of the place where it begins, as in ``Stretch``.
    ``identifier`` is that of the evidence it was taken from.
    """

    identifier: str
    authority: Authority
    start: int
    end: int
    text: str
    label: str
    page: int
    at_pinpoint: bool
