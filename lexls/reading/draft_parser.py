"""Parse drafts incrementally: after a keystroke, only the parts that it changed are parsed again."""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from weakref import WeakValueDictionary

from lexls.citations.bibliography import read_locator
from lexls.citations.grammar import Grammar, guess_jurisdiction
from lexls.citations.model import KeyedCitations, Mention
from lexls.citations.reading import CitationReader
from lexls.reading.bibliography import Bibliographies, Bibliography
from lexls.reading.draft import Draft
from lexls.reading.draft_block import (
    DraftBlock,
    cut_blocks,
    list_starts,
    number_footnotes,
    place_footnotes,
)
from lexls.reading.works import Works
from lexls.text.blanking import blank
from lexls.text.format import Format, KeyUse
from lexls.text.memory import Memory
from lexls.text.remask import remask
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A block's masked text with its citations by bibliography key blanked out, and these citations."""

    text: str
    citations: KeyedCitations


@dataclass(frozen=True, slots=True)
class KeyedBlocks:
    """The citations by bibliography key in a draft's blocks, read once per block. ``known`` has the results
    for the blocks of the last version; None for a block without such citations.
    """

    bibliography: Bibliography
    jurisdiction: str
    known: Memory[DraftBlock, _Prepared | None] = field(default_factory=Memory)

    def pieces(self, blocks: Sequence[DraftBlock]) -> tuple[list[str], Mapping[int, KeyedCitations]]:
        """Return the text of each block with its citations by key blanked out, and the citations by key of
        each block that has any, by the block's index.
        """
        texts: list[str] = []
        keyed: dict[int, KeyedCitations] = {}
        for number, block in enumerate(blocks):
            prepared = self.known.recall(block, partial(self._prepare, block)) if block.keys else None
            texts.append(block.masked if prepared is None else prepared.text)
            if prepared is not None:
                keyed[number] = prepared.citations
        self.known.sweep()
        return texts, keyed

    def _prepare(self, block: DraftBlock) -> _Prepared | None:
        text = block.masked
        found = []
        for use in block.keys:
            mention = self._mention(use, block.source)
            if mention is not None:
                found.append(mention)
                text = text[: use.span.start] + blank(use.span.of(text)) + text[use.span.end :]
        return _Prepared(text, KeyedCitations(tuple(found))) if found else None

    def _mention(self, use: KeyUse, source: str) -> Mention | None:
        entry = self.bibliography.entry(use.key, self.jurisdiction)
        if entry is None:
            return None
        pinpoint = read_locator(source, use.locator, entry.style) if use.locator is not None else None
        return Mention(
            use.span.start,
            use.span.end,
            use.core,
            entry.kind,
            "full",
            entry.jurisdiction,
            entry.key,
            entry.name,
            entry.year,
            pinpoint,
            style=entry.style,
            written=use.span.of(source),
        )


KEPT_DRAFTS = 32
GUESS_AGAIN = 2_000
"""Minimum change in a draft's length, in code points, for its jurisdiction to be guessed again."""
GUESS_AT_ALL = 40
"""Minimum change in a draft's length, in code points, for its jurisdiction to be guessed again while it is
unknown.
"""


@dataclass(frozen=True, slots=True)
class _ReadVersion:
    """The last reading of a draft. ``reader`` caches the citations of its paragraphs. ``also`` are the
    library's jurisdictions at the time. ``guessed_at`` is the draft's length, in code points, when its own
    jurisdiction was guessed. ``keyed`` has its citations by bibliography key if it has a bibliography.
    """

    draft: Draft
    reader: CitationReader
    also: tuple[str, ...]
    guessed_at: int
    keyed: KeyedBlocks | None


class DraftParser:
    """Parses drafts. Thread-safe.

    The last reading of recent drafts is cached, and only edited paragraphs are read again. The result is the
    same as that of a full reading. A draft that is one of several files is read together with the others
    (`works.py`).

    ``jurisdiction`` is the jurisdiction of all drafts; if it is empty, each draft's is guessed from its text.
    ``also`` returns the library's jurisdictions, most frequent first. They decide if neither the draft's
    jurisdiction nor its other citations do. If ``named_in`` is given, files that a draft names are read only
    from these folders.
    """

    def __init__(
        self,
        grammar: Grammar,
        jurisdiction: str = "",
        also: Callable[[], Sequence[str]] = tuple,
        named_in: Sequence[Path] | None = None,
    ) -> None:
        self.grammar = grammar
        self.jurisdiction = jurisdiction
        self._also = also
        self._bibliographies = Bibliographies(grammar, named_in)
        self._works = Works(named_in)
        self._lock = threading.Lock()
        self._reading: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
        self._last = Memory[str, _ReadVersion](KEPT_DRAFTS)

    def parse(self, uri: str, source: str, format: Format) -> Draft:
        """Parse ``source``. ``uri`` identifies the draft. Different drafts may be parsed at the same time."""
        with self._lock:
            lock = self._reading.get(uri) or self._reading.setdefault(uri, threading.Lock())
        with lock:
            last = self._last.get(uri)
            draft = self._last.keep(uri, self._read(uri, source, format, last)).draft
            if last is not None and last.draft is not draft:
                last.draft.forget()
            return draft

    def vary(self, draft: Draft, source: str) -> Draft:
        """Return ``draft`` with another text, which is not cached. Only the differences are read."""
        with self._lock:
            lock = self._reading.get(draft.uri) or self._reading.setdefault(draft.uri, threading.Lock())
        with lock:
            return self._read(draft.uri, source, draft.format, self._last.get(draft.uri)).draft

    def _read(self, uri: str, source: str, format: Format, last: _ReadVersion | None) -> _ReadVersion:
        main, several = self._works.find_main(uri, source, format)
        bibliography = self._bibliographies.of(uri, source, format)
        if bibliography is None and main is not None:
            bibliography = self._bibliographies.of(main.path.as_uri(), main.source, format)
        keys = bibliography is not None
        if last is not None and last.draft.format is format and (last.draft.bibliography is not None) == keys:
            before = last.draft
            if before.source == source:
                masked, found = before.masked, before.blocks
            else:
                masked, old, _ = remask(before.source, before.masked, source, format)
                found = _again(before, old, source, masked, format, keys)
        else:
            last = None
            masked = format.mask(source)
            found = tuple(cut_blocks(source, masked, format, keys=keys))
        work = self._works.arrange(uri, found, format, main, several=several, keys=keys)
        if last is not None and last.draft.source == source:
            before = last.draft
            if before.bibliography is bibliography and before.work == work:
                return last
        place, guessed_at = self._place(masked, last)
        also = tuple(self._also())
        if last is not None and (last.draft.jurisdiction, last.also) == (place, also):
            reader = last.reader
        else:
            reader = self.grammar.reader(place, also)
        starts = list_starts(found)
        notes = number_footnotes(source, format, found, starts)
        blocks = found if work is None else work.blocks
        placed, marks = (
            place_footnotes(notes) if work is None else work.place_footnotes(notes, starts, format)
        )
        keyed: KeyedBlocks | None = None
        if bibliography is None:
            citations = reader.read([block.masked for block in blocks], placed, marks=marks)
        else:
            keyed = last.keyed if last is not None else None
            if keyed is None or (keyed.bibliography, keyed.jurisdiction) != (bibliography, place):
                keyed = KeyedBlocks(bibliography, place)
            texts, cited = keyed.pieces(blocks)
            citations = reader.read(texts, placed, cited, marks=marks)
        if work is not None:
            citations = citations.choose(work.own)
        draft = Draft(uri, source, format, masked, place, found, starts, citations, notes, bibliography, work)
        return _ReadVersion(draft, reader, also, guessed_at, keyed)

    def _place(self, masked: str, last: _ReadVersion | None) -> tuple[str, int]:
        """Return the draft's jurisdiction, and the draft's length when it was guessed."""
        if self.jurisdiction:
            return self.jurisdiction, 0
        if last is not None:
            known = last.draft.jurisdiction
            if abs(len(masked) - last.guessed_at) < (GUESS_AGAIN if known else GUESS_AT_ALL):
                return known, last.guessed_at
        return guess_jurisdiction(masked, self.grammar), len(masked)


def _again(
    before: Draft, old: Span, source: str, masked: str, format: Format, keys: bool
) -> tuple[DraftBlock, ...]:
    """Return the blocks of a draft that differs from ``before`` only in the text that replaced ``old``. That
    span begins and ends at blank lines, so no block extends beyond the blocks that it touches.
    """
    first = max(0, bisect_right(before.starts, old.start) - 1)
    last = bisect_left(before.starts, old.end)
    start = before.starts[first] if before.starts else 0
    rest = len(before.source) - (before.starts[last] if last < len(before.starts) else len(before.source))
    changed = Span(start, len(source) - rest)
    fresh = cut_blocks(changed.of(source), changed.of(masked), format, keys=keys)
    return (*before.blocks[:first], *fresh, *before.blocks[last:])
