"""The quotations of a draft: what stands between quotation marks, and quotations set off as blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lexls.features.draft import Draft
from lexls.text.format import LONGEST_QUOTATION
from lexls.text.spans import Span

_OPENERS = {"“": "”", "«": "»", "„": "“”"}
_CURLY = re.compile(r"[“”«»„]")
_SINGLE_OPENING = re.compile(r"(?<![^\W_])[‘'`](?=[^\W_]|\[|…)")
_SINGLE_CLOSING = {
    mark: re.compile(rf"(?<=\S){mark}(?!\w)(?P<possessive>(?<=s{mark})(?= [a-z]))?") for mark in "’'"
}
_LONGEST_SINGLE = 1500
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation of a draft.

    ``outer`` is where it stands in the source, with its marks; ``inner`` without them. ``text`` are its words
    without the draft's marks and footnotes, and ``offsets`` where each code point of ``text`` stands in the
    source.
    """

    outer: Span
    inner: Span
    text: str
    offsets: tuple[int, ...] = field(repr=False)

    def in_source(self, span: Span) -> Span:
        """Where ``span`` of ``text`` stands in the draft's source."""
        if not self.offsets:
            return Span(self.inner.start, self.inner.start)
        if not len(span):
            at = self.offsets[span.start] if span.start < len(self.offsets) else self.offsets[-1] + 1
            return Span(at, at)
        return Span(self.offsets[span.start], self.offsets[span.end - 1] + 1)

    @property
    def words(self) -> int:
        """How many words it has."""
        return len(_WORD.findall(self.text))


def find_quotations(draft: Draft, paragraph: Span) -> list[Quotation]:
    """The quotations between marks in a paragraph, in order; of those inside one another, the outermost."""
    text = paragraph.of(draft.masked)
    spans = [(outer.shift(paragraph.start), inner.shift(paragraph.start)) for outer, inner in _marked(text)]
    if draft.format.quote_command is not None:
        # A command at either edge of the paragraph is masked, and so outside of it.
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
    """The quotation whose words stand in ``inner`` of the draft's source."""
    text, offsets = _visible(draft, inner)
    return Quotation(outer, inner, text, offsets)


# -- marks ---------------------------------------------------------------------------------------------------


def _marked(text: str) -> Iterator[tuple[Span, Span]]:
    """What stands between quotation marks: pairs of the span with the marks and without."""
    double = [*_curly(text), *_straight(text)]
    yield from double
    for outer, inner in _single(text):
        if all(not outer.overlaps(each) or _holds(outer, each) or _holds(each, outer) for each, _ in double):
            yield outer, inner


def _holds(one: Span, other: Span) -> bool:
    return one.start <= other.start and other.end <= one.end


def _curly(text: str) -> Iterator[tuple[Span, Span]]:
    """Between marks whose two sides differ; what is never closed does not count."""
    opened: list[tuple[int, str]] = []
    for match in _CURLY.finditer(text):
        mark, at = match.group(), match.start()
        if mark in _OPENERS and not (opened and mark in _OPENERS[opened[-1][1]]):
            opened.append((at, mark))
            continue
        while opened and mark not in _OPENERS[opened[-1][1]]:
            opened.pop()
        if opened:
            start, _ = opened.pop()
            if at - start <= LONGEST_QUOTATION:
                yield Span(start, at + 1), Span(start + 1, at)


def _straight(text: str) -> Iterator[tuple[Span, Span]]:
    at = -1
    while (at := text.find('"', at + 1)) >= 0:
        if not _opens(text, at):
            continue
        close = text.find('"', at + 1, at + LONGEST_QUOTATION)
        if close >= 0 and text[close - 1].isspace():
            # A mark behind a space opens another quotation inside this one.
            inner = text.find('"', close + 1, at + LONGEST_QUOTATION)
            close = text.find('"', inner + 1, at + LONGEST_QUOTATION) if inner >= 0 else -1
        if close < 0:
            continue
        yield Span(at, close + 1), Span(at + 1, close)
        at = close


def _single(text: str) -> Iterator[tuple[Span, Span]]:
    position = 0
    for match in _SINGLE_OPENING.finditer(text):
        at = match.start()
        if at >= position and _opens(text, at):
            close = _single_closing(text, at, "’" if match.group() == "‘" else "'")
            if close > at:
                yield Span(at, close + 1), Span(at + 1, close)
                position = close + 1


def _single_closing(text: str, at: int, closing: str) -> int:
    """The closing one of single marks, which are apostrophes too; -1 if there is none near."""
    again = _SINGLE_OPENING.search(text, at + 1, at + _LONGEST_SINGLE)
    doubtful = -1
    for match in _SINGLE_CLOSING[closing].finditer(text, at + 1, at + _LONGEST_SINGLE):
        close = match.start()
        if again is not None and close > again.start() and doubtful >= 0:
            return doubtful
        if match["possessive"] is not None:
            doubtful = close if doubtful < 0 else doubtful  # "the parties’ rights", if one closes later
            continue
        return close
    return doubtful


def _opens(text: str, at: int) -> bool:
    before = text[at - 1] if at else " "
    after = text[at + 1 : at + 2]
    return not before.isalnum() and before not in ".,;!?" and bool(after) and not after.isspace()


# -- blocks --------------------------------------------------------------------------------------------------


def find_block_paragraphs(draft: Draft) -> tuple[int, ...]:
    """Which of the draft's paragraphs are quotations set off as blocks; learnt once for a draft."""
    return draft.once("block quotations", lambda: tuple(_blocks(draft)))


def _blocks(draft: Draft) -> Iterator[int]:
    found = set(draft.format.find_block_quotations(draft.source, lambda: draft.paragraphs))
    if any(block.quoted for block in draft.blocks):
        worded = (block for block in draft.blocks if len(block.words))
        found.update(place for place, block in enumerate(worded) if block.quoted)
    return iter(sorted(found))


# -- words without marks -------------------------------------------------------------------------------------


def _visible(draft: Draft, inner: Span) -> tuple[str, tuple[int, ...]]:
    """The words in a part of the source as they are printed, and where each code point stands."""
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
