"""Masking Typst."""

from __future__ import annotations

import re

from lexls.text.blanking import Edits

# What any of the marks begins with, and the ends of lines, behind which some can.
_SIGNS = re.compile(r"[\n\\/`$#<\[\]*_~]")
_BREAK = re.compile(r"\n[ \t\r]*(?=\n)")
_LINE = re.compile(r"=+(?=[ \t])|[ \t]*[-+](?=[ \t])")
_STATEMENT = re.compile(r"#(?:set|show|import|include|let)\b")
_MARKS = re.compile(
    r"""
      (?P<escape>\\.)
    | (?P<comment>(?<!:)//[^\n]*|/\*)
    | (?P<raw>`+)
    | (?P<math>\$)
    | (?P<function>\#[A-Za-z][\w.-]*)
    | (?P<label><[A-Za-z][\w:.-]*>)
    | (?P<open>\[)
    | (?P<close>\])
    | (?P<star>\*)
    | (?P<under>_)
    | (?P<tilde>~)
    """,
    re.VERBOSE,
)


def mask(source: str) -> str:
    """``source`` with Typst's marks, code, mathematics and comments blanked; same length.

    The content of a function's brackets (``#emph[…]``, ``#footnote[…]``) stays.
    """
    edits = Edits(source)
    brackets: list[bool] = []  # for each open "[", whether it opened a function's content
    emphasis: dict[str, int] = {}
    position = _line(source, 0, edits)
    for sign in _SIGNS.finditer(source):
        start = sign.start()
        if start < position:
            continue
        if source[start] == "\n":
            if _BREAK.match(source, start):
                emphasis.clear()
            position = _line(source, start + 1, edits)
            continue
        match = _MARKS.match(source, start)
        if match is None:
            continue
        end = match.end()
        kind = match.lastgroup
        if kind == "star" or kind == "under":
            _emphasis(source, start, emphasis, edits)
        elif kind == "open":
            brackets.append(False)
        elif kind == "close":
            if brackets and brackets.pop():
                edits.blank(start, end)
                # "#link(…)[a][b]": further content follows at once.
                if source[end : end + 1] == "[":
                    edits.blank(end, end + 1)
                    brackets.append(True)
                    end += 1
        elif kind == "function" and _STATEMENT.fullmatch(match.group()):
            end = _statement(source, end)
            edits.blank(start, end)
        elif kind == "function":
            end = _arguments(source, end)
            if source[end : end + 1] == "[":
                end += 1
                brackets.append(True)
            edits.blank(start, end)
        elif kind == "escape":
            edits.put(start, " ")
        elif kind == "comment" and match.group() == "/*":
            close = source.find("*/", end)
            end = len(source) if close < 0 else close + 2
            edits.blank(start, end)
        elif kind == "raw":
            end = _raw(source, start, end, edits)
        elif kind == "math":
            close = source.find("$", end, end + 5000)
            if close >= 0 and "\n\n" not in source[end:close]:
                end = close + 1
                edits.blank(start, end)
        else:
            edits.blank(start, end)
        position = end
    return edits.apply()


def _line(source: str, start: int, edits: Edits) -> int:
    """Blanks the mark of a heading or list item at the start of a line; where its text begins."""
    match = _LINE.match(source, start)
    if match is None:
        return start
    if match.group().endswith(("-", "+")):
        edits.item(start, match.end())
    else:
        edits.blank(start, match.end())
    return match.end()


def _emphasis(source: str, start: int, emphasis: dict[str, int], edits: Edits) -> None:
    """Pairs ``_`` or ``*`` with the open one of its kind in the paragraph; inside a word it is a letter."""
    mark = source[start]
    before = source[start - 1] if start else " "
    after = source[start + 1] if start + 1 < len(source) else " "
    if before.isalnum() and after.isalnum():
        return
    opening = emphasis.pop(mark, None)
    if opening is not None and not before.isspace():
        edits.blank(opening, opening + 1)
        edits.blank(start, start + 1)
    elif not after.isspace() and not before.isalnum():
        emphasis[mark] = start


def _raw(source: str, start: int, end: int, edits: Edits) -> int:
    """Blanks raw text; two backticks are empty raw text, unclosed raw text stays as it is."""
    if end - start == 2:
        edits.blank(start, end)
        return end
    close = source.find("`" * (end - start), end)
    if close < 0:
        return end
    end = close + end - start
    edits.blank(start, end)
    return end


def _arguments(source: str, position: int) -> int:
    """The end of a parenthesised argument list that begins at ``position`` (itself if there is none)."""
    if source[position : position + 1] != "(":
        return position
    depth = 0
    for match in re.compile(r'"(?:\\.|[^"\\\n])*"|[()]').finditer(source, position, position + 4000):
        if match.group() == "(":
            depth += 1
        elif match.group() == ")":
            depth -= 1
            if not depth:
                return match.end()
    return position


def _statement(source: str, position: int) -> int:
    """The end of a ``#set`` or ``#let`` statement: its line, or the line where its brackets close."""
    depth = 0
    for match in re.compile(r'"(?:\\.|[^"\\\n])*"|[()\[\]{}]|\n').finditer(
        source, position, position + 20000
    ):
        token = match.group()
        if token == "\n":
            if depth <= 0:
                return match.start()
        elif token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
    return len(source) if len(source) < position + 20000 else source.find("\n", position)
