"""Footnotes of Markdown, LaTeX and Typst: where they are, and how a new one is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lexls.text.markup import Markup
from lexls.text.spans import Span

_DEFINITION = re.compile(
    r"^\[\^(?P<label>[^\]\s]{1,80})\]:[ \t]*(?P<content>[^\r\n]*(?:\r?\n(?:[ ]{4}|\t)[^\r\n]*)*)",
    re.MULTILINE,
)
_REFERENCE = re.compile(r"\[\^(?P<label>[^\]\s]{1,80})\](?!:)")
_INLINE = re.compile(r"\^\[")
_BRACKETS = {"{": re.compile(r"\\.|[{}]", re.DOTALL), "[": re.compile(r"\\.|[\[\]]", re.DOTALL)}
_MOST_OPEN = 500
"""Footnotes in one paragraph, from which on one that does not end is the last to be read."""
LONGEST_NOTE = 10_000
"""Code points; a bracket that is open for longer was forgotten."""
_COMMANDS: dict[Markup, re.Pattern[str]] = {
    "latex": re.compile(r"\\footnote(?:\[\d+\])?\{"),
    "typst": re.compile(r"\#footnote\["),
}


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: the span of its words in the source, and its label ("" where the markup counts)."""

    content: Span
    label: str

    def moved(self, by: int) -> Footnote:
        """The footnote ``by`` code points further on."""
        return Footnote(self.content.shift(by), self.label)


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark in the text that refers to a footnote written elsewhere: its span in the source, its label."""

    span: Span
    label: str


def references(source: str, markup: Markup, within: Span) -> list[Mark]:
    """The marks in a part of the source whose footnotes are written elsewhere (Markdown has these)."""
    if markup != "markdown" or source.find("[^", within.start, within.end) < 0:
        return []
    found = _REFERENCE.finditer(source, within.start, within.end)
    return [Mark(Span(*match.span()), match["label"]) for match in found]


def defined_notes(source: str, markup: Markup) -> list[Footnote]:
    """The footnotes that are written as paragraphs of their own (Markdown has these), in order."""
    if markup != "markdown" or "[^" not in source:
        return []
    return [Footnote(Span(*match.span("content")), match["label"]) for match in _DEFINITION.finditer(source)]


def footnotes(source: str, markup: Markup) -> list[Footnote]:
    """All footnotes of a draft, in the order of their words."""
    return list(_all(source, markup))


def footnote_at(source: str, markup: Markup, offset: int) -> Footnote | None:
    """The footnote in whose words ``offset`` stands."""
    for note in _all(source, markup):
        if note.content.touches(offset):
            return note
    return None


def footnote_behind(source: str, markup: Markup, offset: int) -> Footnote | None:
    """The footnote whose mark stands right at ``offset`` or before the one punctuation mark there."""
    for at in (offset, offset - 1):
        if at < 0:
            continue
        if markup == "markdown":
            reference = _REFERENCE.match(source, at)
            if reference:
                for note in _all(source, markup):
                    if note.label == reference["label"]:
                        return note
            if _INLINE.match(source, at):
                return _bracketed(source, at + 2, "[", "]")
        elif markup in _COMMANDS:
            command = _COMMANDS[markup].match(source, at)
            if command:
                return _bracketed(source, command.end(), *("{}" if markup == "latex" else "[]"))
    return _before_stop(source, markup, offset)


def new_footnote(source: str, markup: Markup, at: int, text: str) -> list[tuple[int, str]]:
    """The insertions (offset, text) that make a footnote with ``text`` as its words, its mark at ``at``."""
    words = text if text.endswith(".") else text + "."
    if markup == "latex":
        return [(at, f"\\footnote{{{words}}}")]
    if markup == "typst":
        return [(at, f"#footnote[{words}]")]
    if markup == "markdown":
        definitions = list(_DEFINITION.finditer(source))
        numbers = [
            int(match["label"])
            for match in [*definitions, *_REFERENCE.finditer(source)]
            if match["label"].isdigit()
        ]
        label = str(max(numbers, default=0) + 1)
        if definitions:
            end = definitions[-1].end()
            return [(at, f"[^{label}]"), (end, f"\n[^{label}]: {words}")]
        end = len(source.rstrip())
        return [(at, f"[^{label}]"), (end, f"\n\n[^{label}]: {words}")]
    return [(at, f" ({text})")]


def definition_starts(source: str, markup: Markup) -> Iterator[int]:
    """Where the footnotes begin that are written as paragraphs of their own (Markdown has these)."""
    if markup == "markdown" and "[^" in source:
        for match in _DEFINITION.finditer(source):
            yield match.start()


@dataclass(frozen=True, slots=True)
class InnerNote:
    """A footnote written where its mark stands: where its words begin, and where they end.

    The end is None if it does not lie in what was read.
    """

    start: int
    end: int | None


def inner_notes(source: str, markup: Markup) -> list[InnerNote]:
    """The footnotes of a part of a source that are written where their marks stand."""
    found = []
    for start in note_starts(source, markup):
        note = note_from(source, markup, start)
        found.append(InnerNote(start, note.content.end if note is not None else None))
        if note is None and len(found) > _MOST_OPEN:
            break
    return found


def note_starts(source: str, markup: Markup) -> Iterator[int]:
    """Where the words of footnotes begin that are written where their marks stand."""
    if markup == "markdown":
        if "^[" in source:
            for match in _INLINE.finditer(source):
                yield match.end()
    elif markup in _COMMANDS and "footnote" in source:
        for match in _COMMANDS[markup].finditer(source):
            yield match.end()


def note_from(source: str, markup: Markup, start: int) -> Footnote | None:
    """The footnote whose words begin at ``start``, one of `note_starts`; None if it has no end."""
    return _bracketed(source, start, *("{}" if markup == "latex" else "[]"))


def _all(source: str, markup: Markup) -> Iterator[Footnote]:
    if markup == "markdown":
        for match in _DEFINITION.finditer(source):
            yield Footnote(Span(*match.span("content")), match["label"])
    for start in note_starts(source, markup):
        note = note_from(source, markup, start)
        if note is not None:
            yield note


def _before_stop(source: str, markup: Markup, offset: int) -> Footnote | None:
    """A footnote whose mark ends right before a stop that ends at ``offset`` ("liable[^1].")."""
    end = offset - 1 if 0 < offset <= len(source) and source[offset - 1] in ".,;:?!" else offset
    if markup == "markdown":
        start = source.rfind("[^", max(0, end - 84), end)
        if start >= 0:
            reference = _REFERENCE.match(source, start)
            if reference and reference.end() == end:
                return next((note for note in _all(source, markup) if note.label == reference["label"]), None)
        return None
    return next((note for note in _all(source, markup) if note.content.end + 1 == end), None)


def _bracketed(source: str, start: int, opening: str, closing: str) -> Footnote | None:
    """The words from ``start`` to the bracket that closes; None if it does not within `LONGEST_NOTE`."""
    depth = 1
    for match in _BRACKETS[opening].finditer(source, start, start + LONGEST_NOTE):
        sign = match.group()
        if sign == opening:
            depth += 1
        elif sign == closing:
            depth -= 1
            if depth == 0:
                return Footnote(Span(start, match.start()), "")
    return None
