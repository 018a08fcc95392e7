"""Find the pieces of a quotation that was put together from distant places of an authority."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.quotation import Item, read_items
from lexls.text.spans import Span

FEWEST = 8
"""Words of a piece that stand side by side in an authority by no chance."""
_COVERED = 0.8
"""The share of a quotation's words that its pieces must have."""
_FAR = 240
"""Words between two pieces up to which they are one passage with words left out."""
_MOST_HITS = 12
"""Places of the first words of a piece that are tried."""
_MOST_WORDS = 3_000
"""Words of a quotation up to which its pieces are looked for."""


@dataclass(frozen=True, slots=True)
class StitchedPiece:
    """Words of a quotation's text, ``quoted``, that stand word for word at ``original`` of an authority.

    ``forward`` says that they follow the piece before there, too, as an ellipsis could mark.
    """

    quoted: Span
    original: Span
    forward: bool


@dataclass(slots=True)
class _Stretch:
    """The words ``[low, high)`` of a quotation, and where an authority has them: ``[at, end)``."""

    low: int
    high: int
    at: int
    end: int


def find_stitched(authority: AuthorityText, quotation: str) -> tuple[StitchedPiece, ...]:
    """The pieces that make up nearly all of a quotation, each from a place far from that of the one before
    it or before that; empty if it is not made of such pieces, or marks what it leaves out."""
    items = read_items(quotation)
    words = [each for each in items if each.kind == "word"]
    if len(words) > _MOST_WORDS or any(each.kind == "ellipsis" for each in items):
        return ()
    runs = _join(_find_runs(authority, words))
    if len(runs) < 2 or sum(each.high - each.low for each in runs) < _COVERED * len(words):
        return ()
    before = 0
    pieces = []
    for run in runs:
        quoted = Span(words[run.low].span.start, words[run.high - 1].span.end)
        pieces.append(StitchedPiece(quoted, authority.span(run.at, run.end), run.at >= before))
        before = run.end
    return tuple(pieces)


def _find_runs(authority: AuthorityText, words: Sequence[Item]) -> Iterator[_Stretch]:
    """The longest runs of words that the authority has, in the order of the quotation."""
    norms = [each.norm for each in words]
    at, left = 0, (1 - _COVERED) * len(norms)
    behind = 0
    while at + FEWEST <= len(norms):
        hits = islice(authority.find_run(norms[at : at + FEWEST]), _MOST_HITS)
        found = [(_count_same(authority, norms, at, hit), hit == behind, hit >= behind, -hit) for hit in hits]
        if not found:
            left -= 1
            if left < 0:
                return
            at += 1
            continue
        count, *_, place = max(found)
        behind = count - place
        yield _Stretch(at, at + count, -place, behind)
        at += count


def _count_same(authority: AuthorityText, norms: Sequence[str], at: int, hit: int) -> int:
    """Count how many words from ``at`` of a quotation on stand from ``hit`` of the authority on."""
    original = authority.words(hit, min(len(authority), hit + len(norms) - at))
    pairs = zip(norms[at:], original, strict=False)
    return next((count for count, (one, other) in enumerate(pairs) if one != other), len(original))


def _join(runs: Iterator[_Stretch]) -> list[_Stretch]:
    """The runs, those that stand near one another in the same order as one."""
    joined: list[_Stretch] = []
    for run in runs:
        if joined and 0 <= run.at - joined[-1].end <= _FAR:
            joined[-1] = _Stretch(joined[-1].low, run.high, joined[-1].at, run.end)
        else:
            joined.append(run)
    return joined
