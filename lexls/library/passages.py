"""Cut a document into passages that follow its structure."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from lexls.library.document import Block, Passage, SourceDocument
from lexls.library.headings import TITLE, read_heading
from lexls.library.pages import count_own_pages
from lexls.library.speakers import Speaker, list_speakers

_SENTENCE_END = re.compile(r"(?<=[a-z0-9)\]\"”’]{3})[.?!][\"”’)\]]*\s+(?=[A-Z\"“‘(\[])")
_CLAUSE_END = re.compile(r"[.;:?!,][\"”’)\]]*\s+")
_SPACE = re.compile(r"\s+")
_LINE_END = re.compile(r"[\r\n]")
_VISIBLE = re.compile(r"\S")
_ROOT = re.compile(r"(?:.* para )?(?:[^\d]*\d+[A-Z]*|[^(.]+)")
_STEPS = re.compile(r"\([^)]*\)|\.\w+| para \w+|(?:(?! para )[^(.])+")
_LONGEST_CRUMB = 100
_SECTION_TITLE_EDGE = " .:;,—–-"
_CRUMB_JOIN = " › "


def cut_passages(
    document: SourceDocument,
    max_chars: int = 1500,
    overlap: int = 0,
    speakers: Sequence[tuple[int, Speaker]] | None = None,
) -> tuple[Passage, ...]:
    """Cut ``document`` into passages of at most ``max_chars`` code points.

    No passage spans two numbered paragraphs, two sections or, in a judgment, two speakers. The subsections of
    one section, and unnumbered text under one heading, are joined up to ``max_chars``. A heading is kept with
    the text that follows it. Longer text is cut into parts of about equal length at the ends of lines,
    sentences or words. Each part after the first then starts up to ``overlap`` code points before the end of
    the previous one. Every visible character of the document's blocks is in a passage.

    ``speakers`` is the result of ``list_speakers``, if already known.
    """
    if max_chars < 1 or not 0 <= overlap < max_chars:
        raise ValueError("max_chars must be positive and overlap smaller than it")
    speakers = list_speakers(document) if speakers is None else speakers
    return tuple(_Cutter(document, max_chars, overlap, [at for at, _ in speakers]).run())


class _Cutter:
    def __init__(
        self, document: SourceDocument, max_chars: int, overlap: int, speaking: Sequence[int]
    ) -> None:
        self._text = document.text
        self._blocks = document.blocks
        self._title = document.metadata.title.casefold()
        own = count_own_pages(document.page_starts, document.page_numbers)
        self._pages = document.page_starts[:own]
        self._max = max_chars
        self._overlap = overlap
        self._speaking = speaking
        self._crumbs: list[tuple[int, str]] = []
        self._breadcrumb = ""
        self._section = (-1, "")

    def run(self) -> Iterator[Passage]:
        start = end = body = -1
        group: str | None = None
        labels: list[str] = []
        for position, block in enumerate(self._blocks):
            key = self._group(block)
            only_headings = group is None
            if start >= 0 and not only_headings and (key != group or block.end - start > self._max):
                yield from self._emit(start, end, labels, body)
                start, labels, body = -1, [], -1
            if block.kind == "heading" or self._is_division(block):
                self._enter(block, position)
            elif block.kind == "section" and block.level == 1 and "." not in block.label:
                self._name_section(block)
            if start < 0:
                start = block.start
            if body < 0 and key is not None:
                body = block.start
            end = block.end
            if key is not None:
                labels.append(block.label)
            group = key
        if start >= 0:
            yield from self._emit(start, end, labels, body)

    def _group(self, block: Block) -> str | None:
        """Return a key, or None for headings. Blocks are joined only if their keys are equal; headings are
        joined with the text after them.
        """
        if block.kind == "heading" or (self._is_division(block) and block.end - block.start < _LONGEST_CRUMB):
            return None
        if block.kind == "text":
            return ""
        if block.kind == "paragraph":
            return f"{block.start}"
        root = _ROOT.match(block.label)
        return f"section {root[0] if root else ''}"

    def _is_division(self, block: Block) -> bool:
        """Return whether a block opens a schedule, annex or exhibit."""
        return block.kind == "section" and block.label[:1].isalpha() and " para " not in block.label

    def _name_section(self, block: Block) -> None:
        """Remember the section's heading, so that passages that do not show it can have it in their
        breadcrumb.
        """
        opening = self._text[block.start : block.end][: 2 * _LONGEST_CRUMB]
        line = _LINE_END.split(opening, maxsplit=1)[0]
        words = read_heading(line).strip(_SECTION_TITLE_EDGE)
        self._section = (block.start, words if " " in words and len(words) <= _LONGEST_CRUMB else "")

    def _enter(self, block: Block, position: int) -> None:
        level = max(block.level, 1)
        while self._crumbs and self._crumbs[-1][0] >= level:
            self._crumbs.pop()
        line = _LINE_END.split(self._text[block.start : block.end], 1)[0] if block.kind != "heading" else ""
        words = read_heading(line or self._text[block.start : block.end])
        self._section = (-1, "")
        if words.casefold() != self._title and not (level == TITLE and position == 0):
            self._crumbs.append((level, words[:_LONGEST_CRUMB]))
        self._breadcrumb = _CRUMB_JOIN.join(crumb for _, crumb in self._crumbs)

    def _emit(self, start: int, end: int, labels: list[str], body: int) -> Iterator[Passage]:
        """Yield the passages of ``[start, end)``. ``body`` is the offset of the text after the headings (-1:
        there is no text).
        """
        label = find_common_label(labels)
        for part_start, part_end in self._cut_at_speakers(start, end, body):
            page = max(bisect_right(self._pages, part_start), 1) if self._pages else 0
            breadcrumb = self._breadcrumb
            section_start, section = self._section
            if label and section and part_start > section_start:
                breadcrumb = f"{breadcrumb}{_CRUMB_JOIN}{section}" if breadcrumb else section
            yield Passage(part_start, part_end, label, page, breadcrumb)

    def _cut_at_speakers(self, start: int, end: int, body: int) -> Iterator[tuple[int, int]]:
        first = bisect_right(self._speaking, body if body >= 0 else end)
        for at in self._speaking[first : bisect_left(self._speaking, end)]:
            yield from self._cut(start, at)
            start = at
        yield from self._cut(start, end)

    def _cut(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        text, limit = self._text, self._max
        while end - start > limit:
            stop = self._cut_at(start, end)
            if kept := len(text[start:stop].rstrip()):
                yield start, start + kept
            back = self._back(start, stop) if self._overlap else stop
            visible = _VISIBLE.search(text, back, end)
            if visible is None:
                return
            start = visible.start()
        if kept := len(text[start:end].rstrip()):
            yield start, start + kept

    def _cut_at(self, start: int, end: int) -> int:
        """Return the offset at which the first part of ``[start, end)`` should end, aiming for parts of equal
        length.
        """
        text, limit = self._text, self._max
        parts = -(-(end - start) // limit)
        aim = (end - start) / parts
        low = start + max(1, int(aim * 0.7))
        high = min(start + limit, start + int(aim * 1.25) + 1)
        line = text.rfind("\n", low, high)
        if line >= 0:
            return line + 1
        for pattern in (_SENTENCE_END, _CLAUSE_END, _SPACE):
            cuts = [match.end() for match in pattern.finditer(text, low, high)]
            if cuts and cuts[-1] > start:
                return cuts[-1]
        return min(start + limit, high)

    def _back(self, start: int, stop: int) -> int:
        """Return the offset at which the part after ``stop`` begins. It repeats up to ``overlap`` code points
        of the part from ``start`` to ``stop``.
        """
        back = max(stop - self._overlap, (start + stop) // 2)
        if back <= start:
            return stop
        space = _SPACE.search(self._text, back, stop)
        return space.end() if space is not None else stop


def find_common_label(labels: list[str]) -> str:
    """Return the innermost label that encloses all ``labels``, or "" if there is none: "12" encloses "12(1)"
    and "12(2)".
    """
    if not labels:
        return ""
    if len(set(labels)) == 1:
        return labels[0]
    steps = zip(*(_STEPS.findall(label) for label in labels), strict=False)
    shared = itertools.takewhile(lambda each: len(set(each)) == 1, steps)
    return "".join(each[0] for each in shared).rstrip(".")
