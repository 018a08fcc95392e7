"""Folding ranges: sections, footnotes, block quotations and whatever else of a draft's markup spans lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lexls.features.draft import Draft
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

FoldKind = Literal["section", "block", "comment"]

_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(?:[^\n]*\n){0,400}?(?:---|\.\.\.)[ \t]*(?=\r?\n|\Z)")
_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
_QUOTED = re.compile(r"(?:^[ \t]{0,3}>[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
_NOTE = re.compile(r"^\[\^[^\]\s]{1,80}\]:", re.MULTILINE)
_MARKER = re.compile(
    r"^[ \t]*(?:<!--|%|//)[ \t]*(?P<end>/|end[ \t]+)?(?P<name>lexls:[\w-]+)"
    r"(?:[ \t]+(?P<close>begin|end))?[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_PREAMBLE = re.compile(r"\\documentclass\b.*?(?=\\begin\s*\{document\})", re.DOTALL)
_ENVIRONMENT = re.compile(r"(?<!\\)(?P<comment>%[^\n]*)|\\(?P<what>begin|end)\s*\{(?P<name>[A-Za-z]+\*?)\}")
_VERBATIM = frozenset({"verbatim", "lstlisting", "minted", "comment", "filecontents"})
_PERCENT = re.compile(r"(?:^[ \t]*%[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
_SLASHES = re.compile(r"(?:^[ \t]*//[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
_BRACKETS = re.compile(
    r"\\.|\"(?:\\.|[^\"\\\n])*\"|//[^\n]*|(?P<raw>`{3,})|(?P<open_comment>/\*)|(?P<open>[\[({])|(?P<close>[\])}])"
)
_CLOSES = {"[": "]", "(": ")", "{": "}"}


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that fold into the first of them: from that line's part of ``span`` to the last one's."""

    span: Span
    kind: FoldKind


def folds(draft: Draft, token: CancelToken) -> list[Fold]:
    """What can be folded in the draft, by where it begins, outer before inner; nothing on one line."""
    found: list[Fold] = []
    for each in (_sections(draft), _notes(draft), _marked(draft.source), _by_markup(draft)):
        for fold in each:
            token.raise_if_cancelled()
            trimmed = _trimmed(draft.source, fold.span)
            if "\n" in trimmed.of(draft.source):
                found.append(Fold(trimmed, fold.kind))
    found.sort(key=lambda each: (each.span.start, -each.span.end))
    return list(dict.fromkeys(found))


def _by_markup(draft: Draft) -> Iterator[Fold]:
    if draft.markup == "markdown":
        return _markdown(draft.source)
    if draft.markup == "latex":
        return _latex(draft.source)
    if draft.markup == "typst":
        return _typst(draft.source)
    return iter(())


def _trimmed(source: str, span: Span) -> Span:
    text = span.of(source)
    return Span(span.start, span.start + len(text.rstrip()))


def _sections(draft: Draft) -> Iterator[Fold]:
    """Each heading with all below it, up to the next that is not deeper."""
    limit = len(draft.source)
    if draft.markup == "latex":
        end = draft.source.rfind("\\end{document}")
        limit = end if end >= 0 else limit
    if draft.markup == "markdown":
        limit = _last_notes(draft)
    open_: list[tuple[int, int]] = []
    for heading in draft.headings:
        while open_ and open_[-1][0] >= heading.level:
            yield Fold(Span(open_.pop()[1], heading.line.start), "section")
        open_.append((heading.level, heading.line.start))
    for _, start in open_:
        yield Fold(Span(start, max(start, limit)), "section")


def _last_notes(draft: Draft) -> int:
    """Where the footnotes at the end of a Markdown draft begin: they belong to no section."""
    source = draft.source
    limit = len(source)
    notes = {source.rfind("\n", 0, each.content.start) + 1: each.content.end for each in draft.footnotes}
    for match in reversed(list(_NOTE.finditer(source))):
        end = notes.get(match.start())
        if end is None or source[end:limit].strip():
            break
        limit = match.start()
    return limit


def _notes(draft: Draft) -> Iterator[Fold]:
    """Footnotes of more than one line, and several definitions of footnotes in a row."""
    source = draft.source
    if draft.markup == "latex":
        for note in draft.footnotes:
            yield Fold(Span(source.rfind("\n", 0, note.content.start) + 1, note.content.end), "block")
    if draft.markup != "markdown":  # Typst's stand in brackets, which fold anyway
        return
    starts = [match.start() for match in _NOTE.finditer(source)]
    ends = {start: start for start in starts}
    for note in draft.footnotes:
        line = source.rfind("\n", 0, note.content.start) + 1
        if line in ends:
            ends[line] = note.content.end
            yield Fold(Span(line, note.content.end), "block")
    first = -1
    for place, start in enumerate(starts):
        if place == 0 or source[ends[starts[place - 1]] : start].strip():
            first = start
        last = place + 1 == len(starts) or bool(source[ends[start] : starts[place + 1]].strip())
        if last and first != start:
            yield Fold(Span(first, ends[start]), "block")


def _marked(source: str) -> Iterator[Fold]:
    """What stands between the two markers of a part that a command keeps up to date."""
    begun: dict[str, int] = {}
    for match in _MARKER.finditer(source):
        name = match["name"].casefold()
        ends = bool(match["end"]) or (match["close"] or "").casefold() == "end"
        if ends and name in begun:
            yield Fold(Span(begun.pop(name), match.end()), "block")
        elif not ends:
            begun[name] = match.start()


def _markdown(source: str) -> Iterator[Fold]:
    position = 0
    matter = _FRONT_MATTER.match(source)
    if matter is not None:
        yield Fold(Span(*matter.span()), "block")
        position = matter.end()
    code: list[Span] = []
    while (opening := _FENCE.search(source, position)) is not None:
        mark = opening["mark"]
        closing = re.compile(rf"^ {{0,3}}{re.escape(mark)}{re.escape(mark[0])}*[ \t\r]*$", re.MULTILINE)
        found = closing.search(source, opening.end())
        position = found.end() if found is not None else len(source)
        code.append(Span(opening.start(), position))
        yield Fold(code[-1], "block")
    starts = [each.start for each in code]
    for fold in (*_quoted(source), *_commented(source)):
        place = bisect_right(starts, fold.span.start) - 1
        if place < 0 or fold.span.start not in code[place]:
            yield fold


def _quoted(source: str) -> Iterator[Fold]:
    for match in _QUOTED.finditer(source):
        yield Fold(Span(*match.span()), "block")


def _commented(source: str) -> Iterator[Fold]:
    start = source.find("<!--")
    while start >= 0:
        end = source.find("-->", start)
        if end < 0:
            return
        yield Fold(Span(start, end + 3), "comment")
        start = source.find("<!--", end)


def _latex(source: str) -> Iterator[Fold]:
    preamble = _PREAMBLE.search(source, 0, min(len(source), 100_000))
    position = 0
    if preamble is not None:
        yield Fold(Span(*preamble.span()), "block")
        position = preamble.end()
    open_: list[tuple[str, int]] = []
    waiting: Counter[str] = Counter()
    start = 0
    while (match := _ENVIRONMENT.search(source, position)) is not None:
        position = match.end()
        name = match["name"]
        if name is None or name == "document":
            continue
        if match["what"] == "begin":
            open_.append((name, match.start()))
            waiting[name] += 1
            if name.rstrip("*") in _VERBATIM:
                close = source.find(f"\\end{{{name}}}", position)
                position = close if close >= 0 else len(source)
        elif waiting[name]:
            begun = ""
            while begun != name:
                begun, start = open_.pop()
                waiting[begun] -= 1
            yield Fold(Span(start, match.end()), "block")
    for match in _PERCENT.finditer(source):
        yield Fold(Span(*match.span()), "comment")


def _typst(source: str) -> Iterator[Fold]:
    open_: list[tuple[str, int]] = []
    position = 0
    while (match := _BRACKETS.search(source, position)) is not None:
        position = match.end()
        if match["raw"]:
            close = source.find(match["raw"], position)
            position = close + len(match["raw"]) if close >= 0 else len(source)
            yield Fold(Span(match.start(), position), "block")
        elif match["open_comment"]:
            close = source.find("*/", position)
            position = close + 2 if close >= 0 else len(source)
            yield Fold(Span(match.start(), position), "comment")
        elif match["open"]:
            open_.append((match["open"], match.start()))
        elif match["close"] and open_ and _CLOSES[open_[-1][0]] == match["close"]:
            _, start = open_.pop()
            if "\n" in source[start : match.end()]:
                yield Fold(Span(start, match.end()), "block")
    for match in _SLASHES.finditer(source):
        yield Fold(Span(*match.span()), "comment")
