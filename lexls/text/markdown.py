"""Masking Markdown (CommonMark, with front matter, footnotes and pandoc's citations)."""

from __future__ import annotations

import re

from lexls.text.blanking import Edits

_FRONT_MATTER = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(?:(?!(?:---|\.\.\.)[ \t]*\r?$)[^\n]*\n)*+(?:---|\.\.\.)[ \t]*\r?$", re.M
)

# What inline markup can begin with, and the ends of lines, behind which block markup can.
_SIGNS = re.compile(r"[\n<&`\[!\]\\~*_]")
_BREAK = re.compile(r"\n[ \t\r]*(?=\n)")
_BLOCK = re.compile(
    r"""
      [ ]{0,3}(?P<fence>`{3,}|~{3,})[^\n`]*$
    | (?P<rule>[ ]{0,3}(?:=+|-{2,}|(?:\*[ ]?){3,}|_{3,})[ \t\r]*)$
    | (?P<quote>[ \t]*(?:>[ \t]?)+)
    | (?P<heading>[ ]{0,3}\#{1,6})(?=[ \t]|$)
    | (?P<bullet>[ \t]*[-+*])(?=[ \t])
    """,
    re.VERBOSE | re.MULTILINE,
)
_INLINE = re.compile(
    r"""
      (?P<comment><!--)
    | (?P<tag></?[A-Za-z][A-Za-z0-9]*(?:\s[^<>\n]*)?/?>|<(?:https?|mailto):[^<>\s]*>)
    | (?P<entity>&(?:nbsp|sect|para|amp|ndash|mdash|quot|rsquo|lsquo|ldquo|rdquo);)
    | (?P<tick>`+)
    | (?P<footnote>\[\^[^\]\s]{1,80}\]:?)
    | (?P<open>!?\[)
    | (?P<link>\]\((?:[^()\s]|\([^()\s]*\))*+(?:\s+"[^"\n]*"|\s+'[^'\n]*')?\s*\))
    | (?P<close>\])
    | (?P<escape>\\[!-/:-@\[-`{-~])
    | (?P<strike>~~)
    | (?P<star>\*+)
    | (?P<under>_+)
    """,
    re.VERBOSE,
)
_ENTITIES = {
    "&nbsp;": " ",
    "&sect;": "§",
    "&para;": "¶",
    "&amp;": "&",
    "&ndash;": "–",
    "&mdash;": "—",
    "&quot;": '"',
    "&rsquo;": "’",
    "&lsquo;": "‘",
    "&ldquo;": "“",
    "&rdquo;": "”",
}


def mask(source: str) -> str:
    """``source`` with Markdown's marks, code, comments and front matter blanked; same length."""
    return _Masking(source).run()


class _Masking:
    """The state of one pass: what is open and waits for its partner."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.edits = Edits(source)
        self.delimiters: list[list[int]] = []  # [start, length left] of runs that can open emphasis
        self.brackets: list[tuple[int, int]] = []  # spans of "[" and "!["
        self.no_tick: set[int] = set()  # lengths of backtick runs that have no partner any more

    def run(self) -> str:
        source = self.source
        matter = _FRONT_MATTER.match(source)
        position = matter.end() if matter else 0
        self.edits.blank(0, position)
        position = self.blocks(position)
        while (sign := _SIGNS.search(source, position)) is not None:
            start = sign.start()
            if source[start] == "\n":
                if _BREAK.match(source, start):
                    self.delimiters.clear()
                    self.brackets.clear()
                position = self.blocks(start + 1)
                continue
            match = _INLINE.match(source, start)
            position = self.inline(match) if match is not None else start + 1
        return self.edits.apply()

    def blocks(self, position: int) -> int:
        """Blanks the block marks at the start of a line; where the line's text begins."""
        while (match := _BLOCK.match(self.source, position)) is not None:
            if match["fence"]:
                return self.fence(match)
            if match["bullet"]:
                self.edits.item(*match.span())
            else:
                self.edits.blank(*match.span())
            position = match.end()
            if not match["quote"]:
                break
        return position

    def inline(self, match: re.Match[str]) -> int:
        """Blanks or notes one inline mark; where to go on."""
        source, edits = self.source, self.edits
        start, end = match.span()
        kind = match.lastgroup
        if kind == "star" or kind == "under":
            self.emphasis(start, end)
        elif kind == "open":
            self.brackets.append((start, end))
        elif kind == "close":
            if self.brackets:
                self.brackets.pop()
        elif kind == "link":
            if self.brackets:
                edits.blank(*self.brackets.pop())
                edits.blank(start, end)
        elif kind == "escape":
            edits.put(start, " ")
        elif kind == "entity":
            sign = _ENTITIES[match.group()]
            edits.put(start, sign + " " * (end - start - 1))
        elif kind == "tick":
            return self.code(start, end)
        elif kind == "comment":
            close = source.find("-->", end)
            end = len(source) if close < 0 else close + 3
            edits.blank(start, end)
        else:
            edits.blank(start, end)
        return end

    def fence(self, match: re.Match[str]) -> int:
        """Blanks fenced code; a fence that is never closed reaches to the end of the text."""
        mark = match["fence"]
        closing = re.compile(rf"^[ ]{{0,3}}{re.escape(mark)}{re.escape(mark[0])}*[ \t\r]*$", re.MULTILINE)
        found = closing.search(self.source, match.end())
        end = found.end() if found else len(self.source)
        self.edits.blank(match.start(), end)
        return end

    def code(self, start: int, end: int) -> int:
        """Blanks inline code up to the next run of as many backticks in the same paragraph."""
        length = end - start
        if length in self.no_tick:
            return end
        found = re.compile(rf"(?<!`)`{{{length}}}(?!`)").search(self.source, end)
        if found is None:
            self.no_tick.add(length)
            return end
        if re.compile(r"\n[ \t\r]*\n").search(self.source, end, found.start()):
            return end
        self.edits.blank(start, found.end())
        return found.end()

    def emphasis(self, start: int, end: int) -> None:
        """Pairs a run of ``*`` or ``_`` with the open ones before it, by CommonMark's flanking rules."""
        source = self.source
        mark = source[start]
        before = source[start - 1] if start else " "
        after = source[end] if end < len(source) else " "
        opens, closes = not after.isspace(), not before.isspace()
        if opens and closes and not after.isalnum() and before.isalnum():
            opens = False  # "word*," closes
        if mark == "_":
            opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
        left = end - start
        if closes:
            while left and self.delimiters:
                opener = self.delimiters[-1]
                if source[opener[0]] != mark:
                    if not any(source[entry[0]] == mark for entry in self.delimiters[-8:]):
                        break
                    self.delimiters.pop()
                    continue
                used = min(left, opener[1])
                self.edits.blank(opener[0] + opener[1] - used, opener[0] + opener[1])
                self.edits.blank(end - left, end - left + used)
                left -= used
                opener[1] -= used
                if not opener[1]:
                    self.delimiters.pop()
        if left and opens:
            self.delimiters.append([end - left, left])
