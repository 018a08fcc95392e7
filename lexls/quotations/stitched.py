"""Find the passages of an authority from which a quotation was stitched together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.quotation import Item, read_items
from lexls.text.spans import Span

FEWEST = 8
"""Minimum number of consecutive words shared with an authority for them to count as a piece of a
quotation.
"""
_COVERED = 0.8
"""Minimum share of a quotation's words that its pieces must cover."""
_FAR = 240
"""Maximum number of words between two pieces for both to belong to one passage."""
_MOST_HITS = 12
"""Maximum number of occurrences in the authority of a piece's first words that are tried."""
_MOST_WORDS = 3_000
"""Maximum number of words of a quotation for it to be divided into pieces."""


@dataclass(frozen=True, slots=True)
class StitchedPiece:
    """A piece of a quotation (span ``quoted`` of its text) that an authority has word for word at span
    ``original``. ``forward`` is true if the piece comes after the previous one in the authority too, so
    that an ellipsis could mark the gap.
    """

    quoted: Span
    original: Span
    forward: bool


@dataclass(slots=True)
class _Stretch:
    """A run of words that a quotation shares with an authority: the quotation's words ``[low, high)`` are the
    authority's words ``[at, end)``.
    """

    low: int
    high: int
    at: int
    end: int


def find_stitched(authority: AuthorityText, quotation: str) -> tuple[StitchedPiece, ...]:
    """Return the pieces that make up nearly all of a quotation and come from distant passages of an
    authority. Empty if there are no such pieces, or if the quotation marks its omissions.
    """
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
    """Yield the longest runs of words shared with the authority, in the order of the quotation."""
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
    """Return how many consecutive words are the same, from word ``at`` of a quotation and word ``hit`` of the
    authority on.
    """
    original = authority.words(hit, min(len(authority), hit + len(norms) - at))
    pairs = zip(norms[at:], original, strict=False)
    return next((count for count, (one, other) in enumerate(pairs) if one != other), len(original))


def _join(runs: Iterator[_Stretch]) -> list[_Stretch]:
    """Return the runs. Runs that are close together and in the same order are merged."""
    joined: list[_Stretch] = []
    for run in runs:
        if joined and 0 <= run.at - joined[-1].end <= _FAR:
            joined[-1] = _Stretch(joined[-1].low, run.high, joined[-1].at, run.end)
        else:
            joined.append(run)
    return joined
