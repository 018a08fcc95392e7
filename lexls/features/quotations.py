"""The quotations of a draft: what stands between quotation marks, and quotations set off as blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lexls.features.draft import Draft
from lexls.features.footnotes import references
from lexls.text.markup import Markup
from lexls.text.spans import Span

_OPENERS = {"“": "”", "«": "»", "„": "“”"}
_CURLY = re.compile(r"[“”«»„]")
_SINGLE_OPENING = re.compile(r"(?<![^\W_])[‘'`](?=[^\W_]|\[|…)")
_SINGLE_CLOSING = {
    mark: re.compile(rf"(?<=\S){mark}(?!\w)(?P<possessive>(?<=s{mark})(?= [a-z]))?") for mark in "’'"
}
_COMMAND = re.compile(
    r"\\(?:enquote|textquote|blockquote|foreignquote\{[a-z]{2,20}\})\*?(?:\[[^\]\n]{0,200}\])?\{"
)
_TYPST = re.compile(r"#quote(?:\([^()\n]{0,200}\))?\[")
_COMMANDS: dict[Markup, re.Pattern[str]] = {"latex": _COMMAND, "typst": _TYPST}
# What opens and closes groups, and what may begin a command that quotes; escaped signs go by as pairs.
_BRACES = re.compile(r"\\(?=(?:en|text|block|foreign)quote)|\\[^a-z]|[{}]")
_BRACKETS = re.compile(r"#(?=quote)|\\.|[\[\]]")
_NOTE_COMMANDS = re.compile(r"\\footnote(?:\[\d+\])?\{|#footnote\[|\^\[")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s{0,3}\{(quote|quotation|displayquote|quoting|blockquote)\}")
_QUOTED_LINE = re.compile(r"[ \t]{0,3}>")
_INDENTED = re.compile(r"(?: {3,}|\t)\S")
_TIES = ("~", "\\\\", "&nbsp;", "\\ ", "\\,", "\\;", "\\newline")
_ELLIPSES = ("\\textellipsis", "\\dotfill")
_LONGEST = 8000
"""Code points; no quotation inside a paragraph is longer."""
_LONGEST_SINGLE = 1500
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation of a draft.

    ``outer`` is where it stands in the source, with its marks; ``inner`` without them. ``text`` are its words
    without the draft's markup and footnotes, and ``offsets`` where each code point of ``text`` stands in the
    source. ``block`` says that it is set off as a paragraph of its own.
    """

    outer: Span
    inner: Span
    text: str
    offsets: tuple[int, ...] = field(repr=False)
    block: bool = False

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


def quotations_in(draft: Draft, paragraph: Span) -> list[Quotation]:
    """The quotations between marks in a paragraph, in order; of those inside one another, the outermost."""
    text = paragraph.of(draft.masked)
    spans = [(outer.shift(paragraph.start), inner.shift(paragraph.start)) for outer, inner in _marked(text)]
    if draft.markup in _COMMANDS:
        # A command at either edge of the paragraph is masked, and so outside of it.
        start = draft.source.rfind("\n", 0, paragraph.start) + 1
        end = draft.source.find("\n", paragraph.end)
        line = draft.source[start : end if end >= 0 else len(draft.source)]
        spans += [(outer.shift(start), inner.shift(start)) for outer, inner in _commanded(line, draft.markup)]
    found: list[Quotation] = []
    for outer, inner in sorted(set(spans)):
        if found and outer.start < found[-1].outer.end:
            continue
        found.append(quotation_at(draft, outer, inner))
    return found


def quotation_at(draft: Draft, outer: Span, inner: Span, *, block: bool = False) -> Quotation:
    """The quotation whose words stand in ``inner`` of the draft's source."""
    text, offsets = _visible(draft, inner)
    return Quotation(outer, inner, text, offsets, block)


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
            if at - start <= _LONGEST:
                yield Span(start, at + 1), Span(start + 1, at)


def _straight(text: str) -> Iterator[tuple[Span, Span]]:
    at = -1
    while (at := text.find('"', at + 1)) >= 0:
        if not _opens(text, at):
            continue
        close = text.find('"', at + 1, at + _LONGEST)
        if close >= 0 and text[close - 1].isspace():
            # A mark behind a space opens another quotation inside this one.
            inner = text.find('"', close + 1, at + _LONGEST)
            close = text.find('"', inner + 1, at + _LONGEST) if inner >= 0 else -1
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


def _commanded(source: str, markup: Markup) -> Iterator[tuple[Span, Span]]:
    """What stands in a command that quotes."""
    brackets = _BRACES if markup == "latex" else _BRACKETS
    opened: list[Span | None] = []
    position = 0
    for match in brackets.finditer(source):
        at = match.start()
        if at < position:
            continue
        if match.group() in "}]":
            command = opened.pop() if opened else None
            if command is not None and at - command.end <= _LONGEST:
                yield Span(command.start, at + 1), Span(command.end, at)
            continue
        quotes = _COMMANDS[markup].match(source, at)
        position = quotes.end() if quotes else match.end()
        if quotes or match.group() in "{[":
            opened.append(Span(*quotes.span()) if quotes else None)


def _closing(source: str, start: int, opening: str) -> int:
    closing = {"{": "}", "[": "]"}[opening]
    depth = 1
    for match in re.compile(r"\\.|[{}\[\]]", re.DOTALL).finditer(source, start, start + _LONGEST):
        depth += (match.group() == opening) - (match.group() == closing)
        if depth == 0:
            return match.start()
    return -1


# -- blocks --------------------------------------------------------------------------------------------------


def block_paragraphs(draft: Draft) -> tuple[int, ...]:
    """Which of the draft's paragraphs are quotations set off as blocks; learnt once for a draft."""
    return draft.once("block quotations", lambda: tuple(_blocks(draft)))


def _blocks(draft: Draft) -> Iterator[int]:
    if draft.markup == "latex":
        yield from _within(draft, list(_environments(draft.source)))
    elif draft.markup == "markdown":
        if ">" in draft.source:
            for place, paragraph in enumerate(draft.paragraphs):
                line = draft.source.rfind("\n", 0, paragraph.start) + 1
                if _QUOTED_LINE.match(draft.source, line):
                    yield place
    elif draft.markup == "typst":
        yield from _within(
            draft,
            [
                inner
                for _, inner in _commanded(draft.source, "typst")
                if "\n\n" in inner.of(draft.source) or _alone(draft.source, inner)
            ],
        )
    else:
        quoted = [block.quoted for block in draft.blocks if len(block.words)]
        for place, paragraph in enumerate(draft.paragraphs):
            if quoted[place]:
                yield place
                continue
            before = draft.paragraphs[place - 1] if place else None
            if before is None or not before.of(draft.source).endswith(":"):
                continue
            line = draft.source.rfind("\n", 0, paragraph.start) + 1
            lines = draft.source[line : paragraph.end].split("\n")
            if all(_INDENTED.match(each) for each in lines) and not _INDENTED.match(_line(draft, before)):
                yield place


def _line(draft: Draft, paragraph: Span) -> str:
    return draft.source[draft.source.rfind("\n", 0, paragraph.start) + 1 : paragraph.end]


def _alone(source: str, inner: Span) -> bool:
    start = source.rfind("\n", 0, inner.start) + 1
    return source[start : inner.start].lstrip().startswith("#quote(")


def _environments(source: str) -> Iterator[Span]:
    opened = -1
    for match in _ENVIRONMENT.finditer(source):
        if match[1] == "begin":
            opened = match.end() if opened < 0 else opened
        elif opened >= 0:
            yield Span(opened, match.start())
            opened = -1


def _within(draft: Draft, blocks: Sequence[Span]) -> Iterator[int]:
    if not blocks:
        return
    at = 0
    for place, paragraph in enumerate(draft.paragraphs):
        while at < len(blocks) and blocks[at].end <= paragraph.start:
            at += 1
        if at == len(blocks):
            return
        if blocks[at].start <= paragraph.start and paragraph.end <= blocks[at].end:
            yield place


# -- words without markup ------------------------------------------------------------------------------------


def _visible(draft: Draft, inner: Span) -> tuple[str, tuple[int, ...]]:
    """The words in a part of the source as they are printed, and where each code point stands."""
    source, masked = draft.source, draft.masked
    hidden = _notes(draft, inner)
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
        shown = "…" if any(each in gone for each in _ELLIPSES) else ""
        if not shown and (any(each in gone for each in _TIES) or "\t" in gone or "\r" in gone):
            shown = " "
        if shown:
            chars.append(shown)
            offsets.append(at)
        at = end
    return "".join(chars), tuple(offsets)


def _notes(draft: Draft, inner: Span) -> list[Span]:
    """The footnotes, and marks of footnotes, inside a part of the source."""
    found = [mark.span for mark in references(draft.source, draft.markup, inner)]
    for match in _NOTE_COMMANDS.finditer(draft.source, inner.start, inner.end):
        if draft.markup == "plain":
            break
        end = _closing(draft.source, match.end(), match.group()[-1])
        if end >= 0:
            found.append(Span(match.start(), end + 1))
    return sorted(found)
