"""Split marked-up draft text into words to typeset, keeping its emphasis and removing its markup."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lexls.export.book.typesetting import SetWord
from lexls.text.format import Format
from lexls.text.spans import Span

_WORD = re.compile(r"[^\s\u2028\u2029\u2060\u00ad]+")
_UNREAD = re.compile(r"\u2060+")
_OWN_COMMAND = re.compile(r"\\[A-Za-z@]+\*?\s*\Z")
_RUN = re.compile(r"[*_]{1,3}")
_CLOSING = {"{": "}", "[": "]"}


@dataclass(slots=True)
class SourceWords:
    """The words of a text. ``source`` is the text with markup. ``masked`` is the text with its markup
    blanked, so that both have the same length.

    ``notes`` are the spans of footnotes written inline, each with the mark that is shown instead.
    """

    source: str
    masked: str
    format: Format
    notes: Sequence[tuple[Span, str]] = ()
    _starts: list[int] = field(init=False)
    _emphasised: list[tuple[Span, str]] = field(init=False)

    def __post_init__(self) -> None:
        """Find the emphasised spans."""
        self._emphasised = sorted(self._find_emphasis(), key=lambda each: each[0].start)
        self._starts = [span.start for span, _ in self._emphasised]

    def cut(self, span: Span, style: str = "") -> Iterator[SetWord]:
        """Yield the words of ``span`` in ``style``, with any emphasis that the markup adds."""
        inside = [each for each in self.notes if span.start < each[0].start and each[0].end <= span.end]
        end, at = span.start, span.start
        gap = ""
        first = True
        for note, mark in (*inside, (Span(span.end, span.end), "")):
            for match in _WORD.finditer(self.masked, at, note.start):
                for unread in self._find_unread(Span(end, match.start())):
                    yield SetWord(unread.of(self.source), unread, style)
                    first = False
                gap += self.source[end : match.start()]
                glued = not first and not self._is_space(gap)
                where = Span(*match.span())
                yield SetWord(match.group(), where, self._style_at(where.start, style), glued)
                first, end, gap = False, match.end(), ""
            if mark:
                gap = ""
                yield SetWord(mark, Span(note.start - 1, note.start), style, glued=not first)
                first = False
            at = end = max(end, note.end)

    def _find_unread(self, gap: Span) -> Iterator[Span]:
        """Yield the draft's own commands in a gap between words. They are shown as written, since their
        output is unknown.
        """
        for match in _UNREAD.finditer(self.masked, gap.start, gap.end):
            command = _OWN_COMMAND.search(self.source, gap.start, match.start())
            yield Span(command.start() if command is not None else match.start(), match.end())

    def _is_space(self, gap: str) -> bool:
        return any(map(str.isspace, gap)) or any(tie in gap for tie in self.format.ties)

    def _style_at(self, offset: int, style: str) -> str:
        place = bisect_right(self._starts, offset)
        found = [kind for span, kind in self._emphasised[max(0, place - 4) : place] if offset in span]
        letters = {*style, *"".join(found)}
        return "".join(each for each in "BI" if each in letters)

    def _find_emphasis(self) -> Iterator[tuple[Span, str]]:
        commands = [each for each in self.format.emphasis if each[-1] in _CLOSING]
        if len(commands) < len(self.format.emphasis):
            yield from self._find_runs()
        for match in re.finditer("|".join(map(re.escape, commands)), self.source) if commands else ():
            if not self.masked[match.start() : match.end()].strip():
                closing = self._find_closing(match.end())
                yield Span(match.end(), closing), self.format.emphasis[match.group()]

    def _find_runs(self) -> Iterator[tuple[Span, str]]:
        """Yield the emphasised spans between two identical emphasis marks, such as "**", in one paragraph."""
        signs = self.format.emphasis
        opened: dict[str, int] = {}
        for match in _RUN.finditer(self.source):
            run = match.group()
            if self.masked[match.start() : match.end()].strip() or run not in signs:
                continue
            start = opened.pop(run, None)
            if start is None or "\n\n" in self.source[start : match.start()]:
                opened[run] = match.end()
            else:
                yield Span(start, match.start()), signs[run]

    def _find_closing(self, start: int) -> int:
        """Return the offset of the bracket that matches the one ending at ``start``, or ``start`` if there is
        none.
        """
        opening, depth = self.source[start - 1], 1
        closing = _CLOSING[opening]
        for at in range(start, min(len(self.source), start + 2000)):
            depth += (self.source[at] == opening) - (self.source[at] == closing)
            if depth == 0:
                return at
        return start
