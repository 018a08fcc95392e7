"""Join lines of plain text and Markdown into pieces that belong together."""

from __future__ import annotations

import re

from lexls.library.document import ExtractedPiece

_WRAPPED_LINE = 120
"""Length of a line in code points. If at least half of a file's text is in longer lines, each line is a
paragraph of its own.
"""

_STARTS_ANEW = re.compile(
    r"""(?:[-*+•]\s+)?[*_]{0,3}(?:
        \\?\[\s*(?:¶\s*)?\d{1,4}\s*\\?\]        # [12]
      | ¶
      | \\?\(\w{1,5}\\?\)                       # (1) (a) (iv)
      | \d{1,4}[A-Z]{0,3}\\?[.)][*_]{0,3}(?:\s|$)   # 12.  12A)
      | (?-i:\d{1,4}[A-Z]?\s{1,20}["“(]?[A-Z])    # 12 The
      | \d{1,3}(?:\.\d{1,3}){1,4}\.?\s          # 7.2
      | [A-Za-z][.)]\s                          # a.  B)
      | (?:section|sec\.|article|art\.|rule|regulation|clause|part|chapter|division|schedule|annex|exhibit
          |appendix|§)\s*[\dIVXLC]
      | (?:provided|explanation|whereas)\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_LEADS_ON = re.compile(
    r"\s(?:sub)?(?:section|paragraph|clause|article|rule|chapter|part|sec\.|par\.|cl\.)s?$|\s§$",
    re.IGNORECASE,
)
"""The end of a line whose sentence continues with the number of a provision: "under subsection / (e) of
section 7".
"""
_LONGEST_WORD = 40
_MIDDLE_OF_SENTENCE = re.compile(r"(?:\b[a-z]+|,)$")
_MARKDOWN_HEADING = re.compile(r"(#{1,6})(?:\s|$)")
_RULE = re.compile(r"[-=_*~ ]{3,}$")


def split_pieces(
    text: str, start: int = 0, end: int | None = None, *, markdown: bool = False
) -> tuple[ExtractedPiece, ...]:
    r"""Split ``text[start:end]`` into pieces: one per line, or one per paragraph if lines are wrapped.

    Lines end at ``\n``, ``\r\n``, ``\r`` or a form feed. Wrapped lines are joined up to a blank line, a
    heading, or a line that starts like a numbered paragraph, a section or a list item.
    """
    lines = []
    for line in text[start:end].replace("\r", "\n").replace("\f", "\n").split("\n"):
        if visible := line.strip():
            indent = start + len(line) - len(line.lstrip())
            lines.append((indent, indent + len(visible)))
        start += len(line) + 1
    lengths = [line_end - line_start for line_start, line_end in lines]
    if sum(length for length in lengths if length > _WRAPPED_LINE) * 2 >= sum(lengths):
        return tuple(_piece(text, line_start, line_end, markdown) for line_start, line_end in lines)
    return _joined(text, lines, markdown)


def starts_anew(line: str) -> bool:
    """Return whether a line begins like a numbered paragraph, a section, a list item or a proviso."""
    return _STARTS_ANEW.match(line) is not None


def _leads_on(before: str, line: str) -> bool:
    """Return whether the number at the start of a line belongs to the sentence before it instead of starting
    a new unit.
    """
    if line[:2].isalpha() and line[0].islower():
        return _MIDDLE_OF_SENTENCE.search(before[-_LONGEST_WORD:]) is not None
    return _LEADS_ON.search(before[-_LONGEST_WORD:]) is not None


def _piece(text: str, start: int, end: int, markdown: bool) -> ExtractedPiece:
    if markdown:
        first = text[start]
        if first == "#" and (match := _MARKDOWN_HEADING.match(text, start, end)):
            return ExtractedPiece(start, end, heading=len(match[1]))
        if first == ">":
            return ExtractedPiece(start, end, quoted=True)
    return ExtractedPiece(start, end)


def _joined(text: str, lines: list[tuple[int, int]], markdown: bool) -> tuple[ExtractedPiece, ...]:
    pieces: list[ExtractedPiece] = []
    open_start = open_end = -1
    alone = False
    capitals = False
    for start, end in lines:
        line = text[start:end]
        heading = markdown and line[0] == "#" and _MARKDOWN_HEADING.match(line) is not None
        line_capitals = line.isupper()
        anew = (
            open_start < 0
            or alone
            or heading
            or line_capitals != capitals
            or _blank_between(text, open_end, start)
            or (starts_anew(line) and not _leads_on(text[open_start:open_end], line))
        )
        if anew and open_start >= 0:
            pieces.append(_piece(text, open_start, open_end, markdown))
        if anew:
            open_start = start
        open_end = end
        alone = heading or _RULE.match(line) is not None
        capitals = line_capitals
    if open_start >= 0:
        pieces.append(_piece(text, open_start, open_end, markdown))
    return tuple(pieces)


def _blank_between(text: str, end: int, start: int) -> bool:
    if start - end <= 1:
        return False
    gap = text[end:start].replace("\r\n", "\n")
    return gap.count("\n") + gap.count("\r") + 2 * gap.count("\f") > 1
