"""Find the quotations of a draft: text between quotation marks, and block quotations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lexls.reading.draft import Draft
from lexls.reading.draft_block import DraftBlock
from lexls.reading.quotation_marks import find_marked
from lexls.text.blanking import SOFT_HYPHEN, find_disguises
from lexls.text.spans import Span

_WORD = re.compile(r"[^\W_]+")
_MOST_PARAGRAPHS = 8
"""Maximum number of paragraphs in one quotation between marks."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation in a draft. ``outer`` is its span in the source with its marks, ``inner`` without them.
    ``text`` has its words without the draft's markup and footnotes, and ``offsets`` has the position in
    the source of each code point of ``text``.
    """

    outer: Span
    inner: Span
    text: str
    offsets: tuple[int, ...] = field(repr=False)

    def in_source(self, span: Span) -> Span:
        """Return the span in the draft's source that corresponds to ``span`` of ``text``."""
        if not self.offsets:
            return Span(self.inner.start, self.inner.start)
        if not len(span):
            at = self.offsets[span.start] if span.start < len(self.offsets) else self.offsets[-1] + 1
            return Span(at, at)
        return Span(self.offsets[span.start], self.offsets[span.end - 1] + 1)

    @property
    def words(self) -> int:
        """The number of words."""
        return len(_WORD.findall(self.text))


def find_quotations(draft: Draft, paragraph: Span) -> list[Quotation]:
    """Return the quotations between marks in a paragraph, in order. Of nested quotations, only the outermost
    is returned.
    """
    text = paragraph.of(draft.masked)
    start = paragraph.start
    spans = [(outer.shift(start), inner.shift(start)) for outer, inner in find_marked(text)]
    if draft.format.quote_command is not None:
        # A quote command at either end of the paragraph is masked, and so outside its span.
        start = draft.source.rfind("\n", 0, paragraph.start) + 1
        end = draft.source.find("\n", paragraph.end)
        line = draft.source[start : end if end >= 0 else len(draft.source)]
        commanded = draft.format.find_commanded(line)
        spans += [(outer.shift(start), inner.shift(start)) for outer, inner in commanded]
    found: list[Quotation] = []
    for outer, inner in sorted(set(spans)):
        if not found or outer.start >= found[-1].outer.end:
            found.append(read_quotation(draft, outer, inner))
    return found


def read_quotation(draft: Draft, outer: Span, inner: Span) -> Quotation:
    """Return the quotation whose words are at ``inner`` in the draft's source."""
    text, offsets = _visible(draft, inner)
    disguises = find_disguises(text)
    if disguises:
        plain = {each.span.start: each.plain for each in disguises if text[each.span.start] != SOFT_HYPHEN}
        kept = [(plain.get(at, char), offsets[at]) for at, char in enumerate(text) if plain.get(at, char)]
        text, offsets = "".join(char for char, _ in kept), tuple(offset for _, offset in kept)
    return Quotation(outer, inner, text, offsets)


# -- blocks --------------------------------------------------------------------------------------------------


def find_block_paragraphs(draft: Draft) -> tuple[int, ...]:
    """Return the indices of the draft's paragraphs that are block quotations; cached. A paragraph entirely
    between quotation marks is one. So are several paragraphs if each has an opening mark and only the last
    has a closing one.
    """
    return draft.once("block quotations", lambda: tuple(sorted(_blocks(draft))))


def find_set_off(draft: Draft) -> frozenset[int]:
    """Return the block quotations that the draft's format marks as such. Paragraphs that only have quotation
    marks are not included.
    """

    def find() -> frozenset[int]:
        found = set(draft.format.find_block_quotations(draft.source, lambda: draft.paragraphs))
        if any(block.quoted for block in draft.blocks):
            worded = (block for block in draft.blocks if len(block.words))
            found.update(place for place, block in enumerate(worded) if block.quoted)
        return frozenset(found)

    return draft.once("quotations set off", find)


def _blocks(draft: Draft) -> set[int]:
    found = set(find_set_off(draft))
    if any(block.marks_around for block in draft.blocks):
        worded = [block for block in draft.blocks if len(block.words)]
        for place, block in enumerate(worded):
            if block.marks_around == "whole":
                found.add(place)
            elif block.marks_around == "opens":
                found.update(range(place, _find_close(worded, place)))
    return found


def _find_close(worded: Sequence[DraftBlock], place: int) -> int:
    """Return the index after the last paragraph of the quotation that a paragraph opens. If the end is
    unknown, return the paragraph's own index.
    """
    opened_again = True
    for at in range(place + 1, min(place + _MOST_PARAGRAPHS, len(worded))):
        around = worded[at].marks_around
        if around == "closes" or (around == "whole" and opened_again):
            return at + 1
        if worded[at].heading is not None or worded[at].words.of(worded[at].masked).endswith((":", ":-")):
            break  # It introduces another quotation: the mark before it was never closed.
        opened_again = opened_again and around == "opens"
    return place


# -- words without marks -------------------------------------------------------------------------------------


def _visible(draft: Draft, inner: Span) -> tuple[str, tuple[int, ...]]:
    """Return the words in a part of the source, as they are printed, and the offset of each code point."""
    source, masked = draft.source, draft.masked
    hidden = draft.format.find_note_spans(source, inner)
    if not hidden and source[inner.start : inner.end] == masked[inner.start : inner.end]:
        return inner.of(source), tuple(range(inner.start, inner.end))
    chars: list[str] = []
    offsets: list[int] = []
    at = inner.start
    note = 0
    while at < inner.end:
        if note < len(hidden) and at >= hidden[note].start:
            at = max(at, hidden[note].end)
            note += 1
            continue
        if masked[at] != " " or source[at] == " ":
            chars.append(masked[at])
            offsets.append(at)
            at += 1
            continue
        end = at + 1
        while end < inner.end and masked[end] == " " and source[end] != " ":
            end += 1
        gone = source[at:end]
        shown = "…" if any(each in gone for each in draft.format.ellipses) else ""
        if not shown and (any(each in gone for each in draft.format.ties) or "\t" in gone or "\r" in gone):
            shown = " "
        if shown:
            chars.append(shown)
            offsets.append(at)
        at = end
    return "".join(chars), tuple(offsets)
