"""Attribute a quotation set off as a block, or that is a paragraph of its own, to what is cited around it."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from lexls.quotations.attribution import Attribution, introduces, is_partys, refers_to_what_was_quoted
from lexls.reading.draft import Draft
from lexls.reading.quotations import Quotation, find_block_paragraphs, find_set_off, read_quotation
from lexls.reading.resolve import Resolution, resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span

_OPENING_MARKS = "“‘«\"'`"
_CLOSING_MARKS = "”’»\"'"
_BRACKET_BEHIND = re.compile(r"(?<=[”’»\"'])\s?[(\[][^()\[\]]{0,60}[)\]]$")
_CLOSED = re.compile(r"(?:[.?!…”’\"'—–-]|\n)[\s(\[—–-]{0,8}$")
"""The end of a block quotation before the citation that stands in the block."""
_MOST_NEAR = 2
"""Citations behind a block quotation that count."""
_MOST_INTRODUCING = 6
"""Citations in the sentence before a block quotation that count."""
_MOST_SENTENCES = 3
"""Sentences before a block quotation of which the first that cites counts."""
_LINK = 240
"""Code points up to which a paragraph between two blocks only leads from one to the other."""
_NOTE_NEAR = 4


@dataclass(frozen=True, slots=True)
class QuotedBlock:
    """A quotation set off: its paragraph, and those around it that may say whose words it has.

    All places are among the draft's paragraphs. ``leads`` are the paragraphs before the blocks, the nearest
    first; ``behind`` is the paragraph behind them. ``marked`` says that only quotation marks set it off.
    """

    draft: Draft
    place: int
    leads: tuple[int, ...]
    behind: int
    marked: bool

    @property
    def region(self) -> Span:
        """All its paragraphs, and those around them."""
        paragraphs = self.draft.paragraphs
        last = min(self.behind, len(paragraphs) - 1)
        return Span(paragraphs[max(0, self.leads[-1])].start, paragraphs[last].end)

    @property
    def key(self) -> Hashable:
        """What its attribution depends on."""
        draft, region = self.draft, self.region
        first, last = draft.block_at(region.start), draft.block_at(region.end)
        places = [*range(first, last + 1)]
        notes = tuple(
            (each.start - region.start, each.of(draft.source))
            for each in _notes(draft, (mark for place in places for mark in _marks(draft, place)))
        )
        pieces = draft.citations.pieces
        own = tuple((draft.blocks[place], pieces[place]) for place in places)
        return own, notes, draft.paragraphs[self.place].start - region.start


def find_blocks(draft: Draft) -> Iterator[QuotedBlock]:
    """The quotations set off, in order."""
    places = frozenset(find_block_paragraphs(draft))
    set_off = find_set_off(draft)
    for place in sorted(places):
        before, behind = place - 1, place + 1
        leads = []
        while True:
            while before in places:
                before -= 1
            leads.append(before)
            if not _is_link(draft, before) or before - 1 not in places or len(leads) == _MOST_SENTENCES:
                break
            before -= 1
        while behind in places:
            behind += 1
        yield QuotedBlock(draft, place, tuple(leads), behind, place not in set_off)


def _is_link(draft: Draft, place: int) -> bool:
    """Whether a paragraph between two blocks cites nothing of its own: "The court went on:"."""
    if place < 0 or len(draft.paragraphs[place]) > _LINK:
        return False
    paragraph = draft.paragraphs[place]
    return not draft.citations_in(paragraph) and introduces(paragraph.of(draft.masked))


def attribute_block(snapshot: Snapshot, block: QuotedBlock) -> tuple[Quotation, Attribution | None]:
    """One paragraph of a block quotation, and what it is attributed to."""
    draft = snapshot.draft
    paragraph = draft.paragraphs[block.place]
    introduced = _introduce(snapshot, block)
    introducing = introduced.cited if introduced is not None else ()
    following = _following(snapshot, block.behind)
    around = (*following, *introducing)
    start = None if block.marked else _own_citations(draft, paragraph)
    if start is not None:
        cited = _resolve(snapshot, Span(start, paragraph.end))
        if any(each.authorities for each in cited) or not around:
            return _written(draft, paragraph, start), Attribution(cited, True, around)
    quotation = _written(draft, paragraph, paragraph.end)
    noted = _noted(snapshot, Span(paragraph.end - _NOTE_NEAR, paragraph.end + _NOTE_NEAR))
    if noted:
        return quotation, Attribution(noted, True, around)
    if following:
        return quotation, Attribution(following, True, introducing)
    return quotation, introduced


def _resolve(snapshot: Snapshot, span: Span) -> tuple[Resolution, ...]:
    draft = snapshot.draft
    return tuple(resolve(snapshot.library, draft, each) for each in draft.citations_in(span))


def _own_citations(draft: Draft, paragraph: Span) -> int | None:
    """Where the citations begin that end a block quotation, None if it ends in words."""
    own = draft.citations_in(paragraph)
    if not own or draft.masked[own[-1].span.end : paragraph.end].strip(" \t\n.,;)]"):
        return None
    first = own[-1]
    for each in reversed(own[:-1]):
        if draft.masked[each.span.end : first.span.start].strip(" \t\n.,;:()"):
            break
        first = each
    return first.span.start if _CLOSED.search(draft.masked, paragraph.start, first.span.start) else None


def _written(draft: Draft, paragraph: Span, end: int) -> Quotation:
    """The words of a block up to ``end``, without quotation marks around all of them."""
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


# -- before --------------------------------------------------------------------------------------------------


def _introduce(snapshot: Snapshot, block: QuotedBlock) -> Attribution | None:
    """What the sentences before a block cite: the last one, else one before it that it goes on from."""
    draft = snapshot.draft
    for number, place in enumerate(block.leads):
        if place < 0:
            return None
        sentences = draft.sentences_of(draft.paragraphs[place])
        for back, sentence in enumerate(reversed(sentences[-_MOST_SENTENCES:])):
            words = sentence.of(draft.masked)
            if not number and not back and block.marked and not introduces(words):
                return None
            if back and not refers_to_what_was_quoted(sentences[-1].of(draft.masked)):
                break
            cited = (*_resolve(snapshot, sentence), *_noted(snapshot, sentence))[-_MOST_INTRODUCING:]
            if cited:
                first = not number and not back
                one = len({each.citation.group or -1 - at for at, each in enumerate(cited)}) == 1
                strong = first and one and introduces(words) and not is_partys(words, cited)
                return Attribution(cited, strong, (), elsewhere=not first)
    return None


# -- behind --------------------------------------------------------------------------------------------------


def _following(snapshot: Snapshot, place: int) -> tuple[Resolution, ...]:
    """What the paragraph behind a block begins with, if that is a citation."""
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


# -- footnotes -----------------------------------------------------------------------------------------------


def _noted(snapshot: Snapshot, span: Span) -> tuple[Resolution, ...]:
    """What the footnotes cite whose marks stand in ``span``."""
    draft = snapshot.draft
    labels = [
        label
        for place in {draft.block_at(span.start), draft.block_at(span.end)}
        for mark, label in _marks(draft, place)
        if span.start <= mark.start and mark.end <= span.end + _NOTE_NEAR
    ]
    notes = _notes(draft, ((Span(0, 0), label) for label in labels)) if labels else ()
    return tuple(chain.from_iterable(_resolve(snapshot, note) for note in notes))


def _marks(draft: Draft, place: int) -> Sequence[tuple[Span, str]]:
    start = draft.starts[place]
    return [(each.span.shift(start), each.label) for each in draft.blocks[place].marks]


def _notes(draft: Draft, marks: Iterator[tuple[Span, str]]) -> tuple[Span, ...]:
    """Where the footnotes stand that these marks refer to."""
    labels = [label for _, label in marks]
    if not labels:
        return ()

    def list_notes() -> Mapping[str, Span]:
        return {each.label: each.content for each in draft.footnotes if each.label}

    known = draft.once("footnotes by label", list_notes)
    return tuple(known[label] for label in labels if label in known)
