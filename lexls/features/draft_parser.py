"""Reading drafts, so that a key press costs what it touched."""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lexls.citations.grammar import Grammar
from lexls.citations.jurisdiction import guess
from lexls.citations.reading import CitationReader
from lexls.features.bibliography import Bibliographies
from lexls.features.blocks import Block, blocks, inner_footnotes, starts_of
from lexls.features.draft import Draft
from lexls.features.keyed import KeyedBlocks
from lexls.text.markup import Markup, mask
from lexls.text.remask import remask
from lexls.text.spans import Span

KEPT_DRAFTS = 32
GUESS_AGAIN = 2_000
"""Code points by which a draft must have grown or shrunk for its jurisdiction to be guessed anew."""
GUESS_AT_ALL = 40
"""The same while nobody knows it."""


@dataclass(frozen=True, slots=True)
class _Read:
    """How a draft was read last. ``reader`` remembers what its paragraphs cite.

    ``also`` are the library's jurisdictions it was read with; ``guessed_at`` is how long the draft was when
    its own was guessed, in code points. ``keyed`` is what is cited by the keys of a bibliography, if it has
    one.
    """

    draft: Draft
    reader: CitationReader
    also: tuple[str, ...]
    guessed_at: int
    keyed: KeyedBlocks | None


class DraftParser:
    """Reads drafts. Safe from several threads.

    The last reading of each of the last drafts is kept: of the next version only the paragraphs are read that
    the edit touched. What is read is the same as if nothing were kept.

    ``jurisdiction`` is that of the drafts; without one it is guessed for each draft from its text. ``also``
    tells the jurisdictions of the library, the most frequent first: they decide what neither the draft's own
    jurisdiction nor its other citations do.
    """

    def __init__(
        self, grammar: Grammar, jurisdiction: str = "", also: Callable[[], Sequence[str]] = tuple
    ) -> None:
        self._grammar = grammar
        self._jurisdiction = jurisdiction
        self._also = also
        self._bibliographies = Bibliographies(grammar)
        self._lock = threading.Lock()
        self._last: OrderedDict[str, _Read] = OrderedDict()

    def parse(self, uri: str, source: str, markup: Markup) -> Draft:
        """The draft that ``source`` is; ``uri`` tells drafts apart."""
        with self._lock:
            read = self._read(uri, source, markup, self._last.get(uri))
            self._last[uri] = read
            self._last.move_to_end(uri)
            while len(self._last) > KEPT_DRAFTS:
                self._last.popitem(last=False)
        return read.draft

    def is_current(self, draft: Draft) -> bool:
        """Whether nothing that the draft names has changed since it was read."""
        if draft.bibliography is None:
            return True
        with self._lock:
            return self._bibliographies.of(draft.uri, draft.source, draft.markup) is draft.bibliography

    def _read(self, uri: str, source: str, markup: Markup, last: _Read | None) -> _Read:
        bibliography = self._bibliographies.of(uri, source, markup)
        keys = bibliography is not None
        if last is not None and last.draft.markup == markup and (last.draft.bibliography is not None) == keys:
            before = last.draft
            if before.source == source and before.bibliography is bibliography:
                return last
            if before.source == source:
                masked, found = before.masked, before.blocks
            else:
                masked, old, _ = remask(before.source, before.masked, source, markup)
                found = _again(before, old, source, masked, markup, keys)
        else:
            last = None
            masked = mask(source, markup)
            found = tuple(blocks(source, masked, markup, keys=keys))
        place, guessed_at = self._place(masked, last)
        also = tuple(self._also())
        if last is not None and (last.draft.jurisdiction, last.also) == (place, also):
            reader = last.reader
        else:
            reader = self._grammar.reader(place, also)
        starts = starts_of(found)
        notes = _numbered_notes(source, markup, found, starts)
        keyed: KeyedBlocks | None = None
        if bibliography is None:
            citations = reader.read([block.masked for block in found], notes)
        else:
            keyed = last.keyed if last is not None else None
            if keyed is None or (keyed.bibliography, keyed.jurisdiction) != (bibliography, place):
                keyed = KeyedBlocks(bibliography, place)
            texts, cited = keyed.pieces(found)
            citations = reader.read(texts, notes, cited)
        draft = Draft(uri, source, markup, masked, place, found, starts, citations, bibliography)
        return _Read(draft, reader, also, guessed_at, keyed)

    def _place(self, masked: str, last: _Read | None) -> tuple[str, int]:
        """The draft's jurisdiction, and how long the draft was when it was guessed."""
        if self._jurisdiction:
            return self._jurisdiction, 0
        if last is not None:
            known = last.draft.jurisdiction
            if abs(len(masked) - last.guessed_at) < (GUESS_AGAIN if known else GUESS_AT_ALL):
                return known, last.guessed_at
        return guess(masked, self._grammar), len(masked)


def _again(
    before: Draft, old: Span, source: str, masked: str, markup: Markup, keys: bool
) -> tuple[Block, ...]:
    """The blocks of a draft that differs from ``before`` only in what took the place of ``old``.

    ``old`` begins and ends at blank lines, so that no block can grow beyond those that it touches.
    """
    first = max(0, bisect_right(before.starts, old.start) - 1)
    last = bisect_left(before.starts, old.end)
    start = before.starts[first] if before.starts else 0
    rest = len(before.source) - (before.starts[last] if last < len(before.starts) else len(before.source))
    changed = Span(start, len(source) - rest)
    fresh = blocks(changed.of(source), changed.of(masked), markup, keys=keys)
    return (*before.blocks[:first], *fresh, *before.blocks[last:])


def _numbered_notes(
    source: str, markup: Markup, found: Sequence[Block], starts: Sequence[int]
) -> Mapping[str, Span]:
    """Where the words of each footnote stand, by the number that it gets in print.

    Footnotes are counted in the order of their marks.
    """
    defined: dict[str, Span] = {}
    for block, start in zip(found, starts, strict=True):
        if block.note is not None:
            defined.setdefault(block.note.label, block.note.moved(start).content)
    inner = inner_footnotes(source, markup, found, starts)
    places: dict[object, Span | None] = {}
    for block, start in zip(found, starts, strict=True):
        if not block.marks and not block.inner_notes:
            continue
        labels = {mark.span.start: mark.label for mark in block.marks}
        for offset in sorted({*labels, *(each.start for each in block.inner_notes)}):
            if offset in labels:
                places.setdefault(labels[offset], defined.get(labels[offset]))
            else:
                note = inner.get(start + offset)
                places[start + offset] = note.content if note is not None else None
    return {str(number): span for number, span in enumerate(places.values(), start=1) if span is not None}
