"""Find block quotations and quotations that fill a paragraph, and the citations around them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from lexls.quotations.introductions import introduces, refers_back
from lexls.reading.draft import Draft
from lexls.reading.quotations import Quotation, find_block_paragraphs, find_set_off, read_quotation
from lexls.reading.resolve import Resolution, resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span

_OPENING_MARKS = "“‘«\"'`"
_CLOSING_MARKS = "”’»\"'"
_BRACKET_BEHIND = re.compile(r"(?<=[”’»\"'])\s?[(\[][^()\[\]]{0,60}[)\]]$")
_CLOSED = re.compile(r"(?:[.?!…”’\"'—–-]|\n)[\s(\[—–-]{0,60}$")
"""Pattern of the end of a block quotation's words, directly before its own citation."""
_MOST_NEAR = 2
"""Maximum number of citations after a block quotation that are considered."""
_MOST_INTRODUCING = 6
"""Maximum number of citations in the sentence before a block quotation that are considered."""
_MOST_SENTENCES = 3
"""Maximum number of sentences before a block quotation that are searched for citations. The last one with a
citation is used.
"""
_LINK = 240
"""Maximum length, in code points, of a paragraph that only links two block quotations."""
_NOTE_NEAR = 4


@dataclass(frozen=True, slots=True)
class QuotedBlock:
    """One paragraph of a block quotation, and the surrounding paragraphs that may name its source. All are
    indices of the draft's paragraphs. ``place`` is the paragraph itself, ``leads`` are the paragraphs
    before the block quotation, nearest first, and ``behind`` is the one after it. ``marked`` is true if
    only quotation marks show that it is a quotation.
    """

    draft: Draft
    place: int
    leads: tuple[int, ...]
    behind: int
    marked: bool

    @property
    def region(self) -> Span:
        """The span of the block's paragraphs and of those around them."""
        paragraphs = self.draft.paragraphs
        last = min(self.behind, len(paragraphs) - 1)
        return Span(paragraphs[max(0, self.leads[-1])].start, paragraphs[last].end)

    @property
    def key(self) -> Hashable:
        """A key of everything on which the attribution depends."""
        draft, region = self.draft, self.region
        places = range(draft.block_at(region.start), draft.block_at(region.end) + 1)
        labels = (label for place in places for _, label in _marks(draft, place))
        notes = tuple((each.start - region.start, each.of(draft.source)) for each in _notes(draft, labels))
        pieces = draft.citations.pieces
        own = tuple((draft.blocks[place], pieces[place]) for place in places)
        return own, notes, draft.paragraphs[self.place].start - region.start


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """The citations in a block quotation, at its end, after it and before it.

    ``quotation`` has the words without ``own``, the citations at the end. ``noted`` are the citations in
    footnotes at its end, and ``following`` those that begin the next paragraph. ``introducing`` are the
    citations in a sentence before the quotation, and ``words`` is the text of that sentence; ``adjacent`` is
    true if it is directly before the quotation.
    """

    quotation: Quotation
    own: tuple[Resolution, ...]
    noted: tuple[Resolution, ...]
    following: tuple[Resolution, ...]
    introducing: tuple[Resolution, ...]
    words: str
    adjacent: bool

    @property
    def around(self) -> tuple[Resolution, ...]:
        """The citations after the block, then those before it."""
        return (*self.following, *self.introducing)


def find_blocks(draft: Draft) -> Iterator[QuotedBlock]:
    """Yield the block quotations, in order."""
    places = frozenset(find_block_paragraphs(draft))
    set_off = find_set_off(draft)
    for place in sorted(places):
        before, behind = place - 1, place + 1
        leads = []
        while True:
            while before in places or _is_mere_title(draft, before):
                before -= 1
            leads.append(before)
            if not _is_link(draft, before) or before - 1 not in places or len(leads) == _MOST_SENTENCES:
                break
            before -= 1
        while behind in places:
            behind += 1
        yield QuotedBlock(draft, place, tuple(leads), behind, place not in set_off)


def _is_mere_title(draft: Draft, place: int) -> bool:
    """Return whether a paragraph is only the title of a block quotation, without citations."""
    paragraph = draft.paragraphs[place] if place >= 0 else None
    if paragraph is None or not draft.format.is_block_title(draft.source, paragraph.start):
        return False
    return not draft.citations_in(paragraph)


def _is_link(draft: Draft, place: int) -> bool:
    """Return whether a paragraph between two block quotations only links them and cites nothing: "The court
    went on:".
    """
    if place < 0 or len(draft.paragraphs[place]) > _LINK:
        return False
    paragraph = draft.paragraphs[place]
    return not draft.citations_in(paragraph) and introduces(paragraph.of(draft.masked))


def read_block(snapshot: Snapshot, block: QuotedBlock) -> BlockFacts:
    """Return the facts about one paragraph of a block quotation and the citations around it."""
    draft = snapshot.draft
    paragraph = draft.paragraphs[block.place]
    introducing, words, adjacent = _read_introduction(snapshot, block)
    following = _read_following(snapshot, block.behind)
    inner = _find_inner_notes(draft, paragraph)
    at_end = _find_notes_at_end(draft, paragraph, inner)
    end = at_end[0].start if at_end else paragraph.end
    start = None if block.marked else _find_own_citations(draft, Span(paragraph.start, end), inner)
    own = _resolve(snapshot, Span(start, end)) if start is not None else ()
    if (following or introducing) and not any(each.authorities for each in own):
        own = ()
    noted = _read_notes(snapshot, Span(end - _NOTE_NEAR, paragraph.end + _NOTE_NEAR))
    noted += tuple(chain.from_iterable(_resolve(snapshot, each) for each in at_end))
    quotation = _read_words(draft, paragraph, start if own and start is not None else end)
    return BlockFacts(quotation, own, noted, following, introducing, words, adjacent)


def _resolve(snapshot: Snapshot, span: Span) -> tuple[Resolution, ...]:
    draft = snapshot.draft
    return tuple(resolve(snapshot.library, draft, each) for each in draft.citations_in(span))


def _find_inner_notes(draft: Draft, paragraph: Span) -> list[Span]:
    """Return the spans of a paragraph's inline footnotes, including their marks."""
    marks = {each.span for each in draft.format.find_note_marks(draft.source, paragraph)}
    return [each for each in draft.format.find_note_spans(draft.source, paragraph) if each not in marks]


def _find_notes_at_end(draft: Draft, paragraph: Span, inner: Sequence[Span]) -> list[Span]:
    """Return the footnotes whose marks are at the end of the paragraph, with no words after them, in
    order.
    """
    found: list[Span] = []
    end = paragraph.end
    for each in reversed(inner):
        if draft.masked[each.end : end].strip(" \t\n.,;:)…" + _CLOSING_MARKS):
            break
        found.insert(0, each)
        end = each.start
    return found


def _find_own_citations(draft: Draft, paragraph: Span, notes: Sequence[Span]) -> int | None:
    """Return the offset where the citations at the end of a block quotation begin; None if it ends in words.
    Citations in its footnotes do not count.
    """
    own = [
        each
        for each in draft.citations_in(paragraph)
        if not any(note.start <= each.span.start < note.end for note in notes)
    ]
    if not own or draft.masked[own[-1].span.end : paragraph.end].strip(" \t\n.,;)]"):
        return None
    first = own[-1]
    for each in reversed(own[:-1]):
        if draft.masked[each.span.end : first.span.start].strip(" \t\n.,;:()"):
            break
        first = each
    return first.span.start if _CLOSED.search(draft.masked, paragraph.start, first.span.start) else None


def _read_words(draft: Draft, paragraph: Span, end: int) -> Quotation:
    """Return the words of a block quotation up to ``end``, without any quotation marks around the whole."""
    words = draft.masked[paragraph.start : end].rstrip(" \t\n—–-(")
    inner = Span(paragraph.start, paragraph.start + len(words))
    bare = words.rstrip(".,;: ")
    bare = _BRACKET_BEHIND.sub("", bare)
    opened, closed = words[:1] in _OPENING_MARKS, bare[-1:] in _CLOSING_MARKS
    around = draft.blocks[draft.block_at(paragraph.start)].marks_around
    if (opened and closed) or around == "closes":
        inner = Span(inner.start, inner.start + len(bare) - 1)
    if (opened and closed) or around == "opens":
        inner = Span(inner.start + 1, inner.end)
    return read_quotation(draft, paragraph, inner)


def _read_introduction(snapshot: Snapshot, block: QuotedBlock) -> tuple[tuple[Resolution, ...], str, bool]:
    """Return the citations in a sentence before a block quotation, that sentence's text, and whether it is
    directly before the quotation. It is the last sentence before, or an earlier one if the last refers
    back to it.
    """
    draft = snapshot.draft
    for number, place in enumerate(block.leads):
        if place < 0:
            break
        sentences = draft.sentences_of(draft.paragraphs[place])
        for back, sentence in enumerate(reversed(sentences[-_MOST_SENTENCES:])):
            words, adjacent = sentence.of(draft.masked), not number and not back
            if adjacent and block.marked and not introduces(words):
                return (), "", False
            if back and not refers_back(sentences[-1].of(draft.masked)):
                break
            cited = (*_resolve(snapshot, sentence), *_read_notes(snapshot, sentence))[-_MOST_INTRODUCING:]
            if cited:
                return cited, words, adjacent
    return (), "", False


def _read_following(snapshot: Snapshot, place: int) -> tuple[Resolution, ...]:
    """Return the citations at the beginning of the paragraph after a block quotation; () if there are
    none.
    """
    draft = snapshot.draft
    if not 0 <= place < len(draft.paragraphs):
        return ()
    paragraph = draft.paragraphs[place]
    cited = draft.citations_in(paragraph)
    if not cited or draft.masked[paragraph.start : cited[0].span.start].strip(" \t\n(—–-"):
        return ()
    behind = draft.masked[cited[0].span.end : cited[0].span.end + 3].lstrip(" ")
    if behind[:1] not in ("", ".", ")", ";", "\n", "("):
        return ()  # the citation is the subject of a new sentence
    strung = [cited[0]]
    for each in cited[1:_MOST_NEAR]:
        if draft.masked[strung[-1].span.end : each.span.start].strip(" \t\n.,;:()"):
            break
        strung.append(each)
    return tuple(resolve(snapshot.library, draft, each) for each in strung)


def _read_notes(snapshot: Snapshot, span: Span) -> tuple[Resolution, ...]:
    """Return the citations in the footnotes whose marks are in ``span``."""
    draft = snapshot.draft
    labels = [
        label
        for place in {draft.block_at(span.start), draft.block_at(span.end)}
        for mark, label in _marks(draft, place)
        if span.start <= mark.start and mark.end <= span.end + _NOTE_NEAR
    ]
    return tuple(chain.from_iterable(_resolve(snapshot, note) for note in _notes(draft, labels)))


def _marks(draft: Draft, place: int) -> Sequence[tuple[Span, str]]:
    start = draft.starts[place]
    return [(each.span.shift(start), each.label) for each in draft.blocks[place].marks]


def _notes(draft: Draft, labels: Iterable[str]) -> tuple[Span, ...]:
    """Return the spans of the footnotes with these labels."""
    labels = list(labels)
    if not labels:
        return ()

    def list_notes() -> Mapping[str, Span]:
        return {each.label: each.content for each in draft.footnotes if each.label}

    known = draft.once("footnotes by label", list_notes)
    return tuple(known[label] for label in labels if label in known)
