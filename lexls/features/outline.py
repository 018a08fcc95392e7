"""The headings of a draft, in each markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lexls.text.markup import Markup
from lexls.text.spans import Span

_MARKDOWN = re.compile(
    r"^ {0,3}(?P<marks>\#{1,6})[ \t]+(?P<title>[^\r\n]*?)(?:[ \t]+\#+)?[ \t]*\r?$"
    r"|^ {0,3}(?P<under>[^\s>#*+\-\[|=][^\r\n]*)\r?\n {0,3}(?P<rule>=+|-{2,})[ \t]*\r?$",
    re.MULTILINE,
)
_LATEX = re.compile(
    r"\\(?P<command>part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\*?"
    r"[ \t]*(?:\[[^\]\r\n]*\])?[ \t]*\{"
)
_LATEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_TYPST = re.compile(
    r"^[ \t]*(?P<marks>={1,6})[ \t]+(?P<title>[^\r\n]*?)(?:[ \t]*<[\w:.-]+>)?[ \t]*\r?$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its depth (1 is the outermost that the markup knows), its words without markup, the span
    of the whole heading with its marks and that of the words."""

    level: int
    title: str
    line: Span
    words: Span

    def moved(self, by: int) -> Heading:
        """The heading ``by`` code points further on."""
        return replace(self, line=self.line.shift(by), words=self.words.shift(by))


def headings(source: str, masked: str, markup: Markup) -> tuple[Heading, ...]:
    """The headings of a draft in order; ``masked`` tells those in code or comments, which are left out."""
    found = []
    for level, line, words in _candidates(source, markup):
        title = " ".join(words.of(masked).split())
        if title:
            found.append(Heading(level, title, line, words))
    return tuple(found)


def _candidates(source: str, markup: Markup) -> Iterator[tuple[int, Span, Span]]:
    if markup == "markdown":
        for match in _MARKDOWN.finditer(source):
            line = Span(match.start(), match.end())
            if match["marks"]:
                yield len(match["marks"]), line, Span(*match.span("title"))
            else:
                yield 1 if match["rule"][0] == "=" else 2, line, Span(*match.span("under"))
    elif markup == "typst":
        for match in _TYPST.finditer(source):
            yield len(match["marks"]), Span(match.start(), match.end()), Span(*match.span("title"))
    elif markup == "latex":
        for match in _LATEX.finditer(source):
            end = _closing_brace(source, match.end())
            if end is not None:
                level = _LATEX_LEVELS.index(match["command"]) + 1
                yield level, Span(match.start(), end + 1), Span(match.end(), end)


def _closing_brace(source: str, start: int) -> int | None:
    """The brace that closes the one before ``start``, None if the paragraph ends before it."""
    depth = 1
    position = start
    while position < len(source):
        char = source[position]
        if char == "\\":
            position += 2
            continue
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return position
        elif char == "\n" and source[position + 1 : position + 2] in ("\n", "\r", ""):
            return None
        position += 1
    return None
