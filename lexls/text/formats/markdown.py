"""Read and write Markdown: CommonMark with front matter, footnotes and pandoc's citations."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

from lexls.text.blanking import PRINTS_GAP, Edits, decode_entity
from lexls.text.format import Fold, Format, KeyUse, find_closing
from lexls.text.lines import match_lines
from lexls.text.spans import Span

_FRONT_MATTER = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(?:(?!(?:---|\.\.\.)[ \t]*\r?$)[^\n]*\n)*+(?:---|\.\.\.)[ \t]*\r?$", re.M
)

# The characters with which inline markup begins, and line ends, after which block markup is possible.
# As one character set, this skips long lines without any of them several times as fast.
_SIGNS = re.compile(r"[\n<&`\[!\]\\~*_^]")
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
_CALLOUT = re.compile(
    r"\[!(?P<kind>[A-Za-z][\w -]{0,40})(?:\|[^\]\n]{0,80})?\][-+]?(?=[ \t\r]|$)", re.MULTILINE
)
"""Pattern of a callout's mark, after the ">" of its first line. The rest of that line is the
callout's title.
"""
_QUOTING_CALLOUTS = ("quote", "cite")
_INLINE = re.compile(
    r"""
      (?P<comment><!--)
    | (?P<tag></?[A-Za-z][A-Za-z0-9]*(?:\s[^<>\n]*)?/?>)
    | (?P<address><(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*|[\w.+-]{1,64}@[\w.-]{1,255})>)
    | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});)
    | (?P<tick>`+)
    | (?P<footnote>\[\^[^\]\s]{1,80}\]:?)
    | (?P<open>[!^]?\[)
    | (?P<link>\]\((?:[^()\s]|\([^()\s]*\))*+(?:\s+"[^"\n]*"|\s+'[^'\n]*')?\s*\))
    | (?P<close>\])
    | (?P<escape>\\[!-/:-@\[-`{-~])
    | (?P<strike>~~)
    | (?P<star>\*+)
    | (?P<under>_+)
    """,
    re.VERBOSE,
)
_LINK_DEFINITION = re.compile(
    r"^ {0,3}\[(?!\^)(?P<label>[^\[\]\n]{1,200})\]:[ \t]*(?:\r?\n[ \t]*)?(?:<[^<>\n]*>|[^\s<]\S*)"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t\r]*$",
    re.MULTILINE,
)
_LABEL = re.compile(r"\[(?P<label>[^\[\]\n]{0,200})\]")
_CONTAINER = re.compile(r"(?:[-+*]|\d{1,9}[.)])[ \t]|\[\^")
_INDENTED_CODE = re.compile(
    r"(?:[ ]{4}|[ ]{0,3}\t)[^\n]*(?:\n(?:[ \t\r]*\n)*(?:[ ]{4}|[ ]{0,3}\t)[ \t]*[^\s][^\n]*)*"
)
# Other characters that may be markup anywhere in a line.
_ALWAYS = re.compile(r"[\\`*~]")
_EDGE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_ANGLE = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#|[A-Za-z][A-Za-z0-9]*;)")
_AFTER_BRACKET = re.compile(r"\](?=[(\[:])")
_OPEN_BRACKET = re.compile(r"\[(?=\^| \]|[xX]\])")
_SCHEME = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]{1,31}):(?=\S)")
_WWW = re.compile(r"\b(www)\.", re.IGNORECASE)
_AT = re.compile(r"(?<=\S)@(?=\S)")
_LINE_START = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_LINE_START_SIGN = re.compile(r"^([#>+=-])")
# Markup beyond CommonMark: drafts have notes, formulas and bibliography keys.
_OF_DRAFTS = re.compile(r"(?<!\\)(?:[$@]|\^(?=\[))")
_BRACKETS = re.compile(r"(?<!\\)[\[\]]")
_LONE_STAR = re.compile(r"(?<=[^\W_])\*{1,3}(?![^\W_])|(?<![^\W_])\*{1,3}(?=[^\W_])")

_HEADING = re.compile(
    r"^ {0,3}(?P<marks>\#{1,6})[ \t]+(?P<title>[^\r\n]*?)(?:[ \t]+\#+)?[ \t]*\r?$"
    r"|^ {0,3}(?P<under>[^\s>#*+\-\[|=][^\r\n]*+)\r?\n {0,3}(?P<rule>=+|-{2,})[ \t]*\r?$",
    re.MULTILINE,
)
_RAW_NOTE = re.compile(r"\\footnote(?:\[\d+\])?\{")

_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
_QUOTED = re.compile(r"(?:^[ \t]{0,3}>[^\n]*(?:\n|\Z)){2,}", re.MULTILINE)
_QUOTE_LINE = re.compile(r"^(?P<marks>[ \t]{0,3}>(?:[ \t]?>)*)[ \t]*(?P<words>[^\n]*)\n?", re.MULTILINE)
_NOTE = re.compile(r"^\[\^[^\]\s]{1,80}\]:", re.MULTILINE)

_LONGEST_GROUP = 400
"""Maximum length of a group of citations in code points; an opening bracket further back is ignored."""
_LONGEST_FRONT_MATTER = 200_000
_BEGIN = re.compile(r"\A\ufeff?---[ \t]*\r?\n")
_END = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_WANTED = re.compile(r"^(?:bibliography|references)[ \t]*:", re.MULTILINE)
_KEY = re.compile(
    r"(?<![\w.@\\/])-?@(?:\{(?P<braced>[^{}\s]{1,200})\}|(?P<key>\w(?:[:.#$%&\-+?<>~/]?\w){0,200}))"
)
_BLANKS = " \t\r\n"


class _Masking:
    """One pass over a source, with the opening marks whose closing marks have not been found yet."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.edits = Edits(source)
        self.delimiters: list[list[int]] = []  # [start, length left] of runs that can open emphasis
        self.brackets: list[tuple[int, int]] = []  # spans of "[", "![" and "^["
        self.no_tick: set[int] = set()  # lengths of backtick runs that have no closing run
        self.labels = _labels(source)
        self.after_blank = True
        self.in_container = False  # whether indented text continues a list or a footnote
        self.in_title = False  # whether the previous line is the title of a callout

    def run(self) -> str:
        source = self.source
        matter = _FRONT_MATTER.match(source)
        position = matter.end() if matter else 0
        self.edits.blank(0, position)
        for definition in _definitions(source) if self.labels else ():
            self.edits.blank(*definition.span())
        position = self.blocks(position)
        while (sign := _SIGNS.search(source, position)) is not None:
            start = sign.start()
            if source[start] == "\n":
                if _BREAK.match(source, start):
                    self.after_blank = True
                    self.delimiters.clear()
                    self.brackets.clear()
                position = self.blocks(start + 1)
                continue
            match = _INLINE.match(source, start)
            position = self.inline(match) if match is not None else start + 1
        return self.edits.apply()

    def blocks(self, position: int) -> int:
        """Blank the block marks at the start of a line; return the offset of the line's text."""
        first = self.source[position : position + 1]
        if first.isspace() and self.after_blank and not self.in_container:
            code = _INDENTED_CODE.match(self.source, position)
            if code is not None and code.group().strip():
                self.edits.blank(*code.span())
                return code.end()
        if not first.isspace():
            marked = _CONTAINER.match(self.source, position) is not None
            self.in_container = marked or (self.in_container and not self.after_blank)
        self.after_blank = self.after_blank and first in ("\n", "\r")
        while (match := _BLOCK.match(self.source, position)) is not None:
            if match["fence"]:
                end = _fence_end(self.source, match, match["fence"])
                self.edits.blank(match.start(), end)
                return end
            if match["bullet"] or (match["quote"] and self.in_title):
                self.edits.item(*match.span())
            else:
                self.edits.blank(*match.span())
            position = match.end()
            self.in_title = False
            if match["quote"] and (callout := _CALLOUT.match(self.source, position)) is not None:
                self.edits.item(*callout.span())
                self.in_title = True
                return callout.end()
            if not match["quote"]:
                break
        return position

    def inline(self, match: re.Match[str]) -> int:
        """Blank or record one inline mark; return the offset at which to continue."""
        source, edits = self.source, self.edits
        start, end = match.span()
        kind = match.lastgroup
        if kind == "star" or kind == "under":
            self.emphasis(start, end)
        elif kind == "open":
            self.brackets.append((start, end))
        elif kind in ("close", "link") and self.brackets and source[self.brackets[-1][0]] == "^":
            edits.blank(*self.brackets.pop())
            edits.blank(start, start + 1)
            return start + 1
        elif kind == "close":
            if self.brackets:
                return self.reference(self.brackets.pop(), start, end)
        elif kind == "link":
            if self.brackets:
                edits.silence(*self.brackets.pop())
                edits.silence(start, end)
        elif kind == "escape":
            edits.put(start, " ")
        elif kind == "entity":
            edits.put(start, decode_entity(match.group()))
        elif kind == "tick":
            return self.code(start, end)
        elif kind == "comment":
            close = source.find("-->", end)
            end = len(source) if close < 0 else close + 3
            edits.silence(start, end)
        elif kind == "strike" or (kind == "tag" and not PRINTS_GAP.match(source, start)):
            edits.silence(start, end)
        else:
            edits.blank(start, end)
        return end

    def reference(self, opening: tuple[int, int], start: int, end: int) -> int:
        """Blank the marks and the label of a link whose address is defined elsewhere; return the offset at
        which to continue.
        """
        source = self.source
        inner = _folded(source[opening[1] : start]) if self.labels else ""
        label = _LABEL.match(source, end) if self.labels else None
        if label is not None and (_folded(label["label"]) or inner) in self.labels:
            end = label.end()
        elif inner not in self.labels:
            return end
        self.edits.silence(*opening)
        self.edits.silence(start, end)
        return end

    def code(self, start: int, end: int) -> int:
        """Blank inline code up to the next run of the same number of backticks in the paragraph; return the
        offset at which to continue.
        """
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
        """Pair a run of ``*`` or ``_`` with earlier open ones, by CommonMark's flanking rules."""
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
                self.edits.silence(opener[0] + opener[1] - used, opener[0] + opener[1])
                self.edits.silence(end - left, end - left + used)
                left -= used
                opener[1] -= used
                if not opener[1]:
                    self.delimiters.pop()
        if left and opens:
            self.delimiters.append([end - left, left])


def _definitions(source: str) -> Iterator[re.Match[str]]:
    """Yield the lines that define links; they are never inside a paragraph."""
    end, at = -1, source.find("]:")
    while at >= 0:
        start = source.rfind("\n", 0, at) + 1
        note = source.startswith("[^", start)  # there may be hundreds of these
        match = _LINK_DEFINITION.match(source, start) if start > end and not note else None
        line = source.rfind("\n", 0, max(0, start - 1)) + 1
        if match is not None and (start in (0, end + 1) or not source[line:start].strip()):
            end = match.end()
            yield match
        # A line defines at most one link, however many it seems to define.
        behind = source.find("\n", at)
        at = source.find("]:", behind) if behind >= 0 else -1


def _labels(source: str) -> frozenset[str]:
    """Return the labels of the links that a draft defines separately."""
    return frozenset(_folded(match["label"]) for match in _definitions(source))


def _folded(label: str) -> str:
    return " ".join(label.casefold().split())


def _fence_end(source: str, match: re.Match[str], mark: str) -> int:
    """Return the end of fenced code; an unclosed fence extends to the end of the text."""
    closing = re.compile(rf"^[ ]{{0,3}}{re.escape(mark)}{re.escape(mark[0])}*[ \t\r]*$", re.MULTILINE)
    found = closing.search(source, match.end())
    return found.end() if found else len(source)


def as_markdown(text: str) -> str:
    """Return ``text`` on one line as Markdown that renders to exactly these characters.

    It may be used anywhere in a line. Brackets of citations ("[2014] ASC 12") stay readable, since a bracket
    is markup only before ``(``, ``[`` or ``:``. Only what CommonMark and GitHub's extensions would read as
    markup is escaped, since some editors show the backslashes.
    """
    line = _ALWAYS.sub(r"\\\g<0>", " ".join(text.split()))
    line = _EDGE_UNDERSCORE.sub(r"\\_", line)
    line = _ANGLE.sub(r"\\<", line)
    line = _ENTITY.sub(r"\\&", line)
    line = _AFTER_BRACKET.sub(r"\\]", line)
    line = _OPEN_BRACKET.sub(r"\\[", line)
    line = _SCHEME.sub(r"\1\\:", line)
    line = _WWW.sub(r"\1\\.", line)
    line = _AT.sub(r"\\@", line)
    line = _LINE_START.sub(r"\1\\\2", line)
    return _LINE_START_SIGN.sub(r"\\\1", line)


def _balanced(text: str) -> bool:
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth += 1 if match.group() == "[" else -1
        if depth < 0:
            return False
    return depth == 0


class _Markdown(Format):
    def blank(self, source: str) -> str:
        return _Masking(source).run()

    def reaches_far(self, source: str, was: str, now: str) -> bool:
        """Return whether an edit may change how other paragraphs are masked, including links whose address is
        defined elsewhere.
        """
        far = super().reaches_far(source, was, now)
        return far or (("[" in was or "[" in now) and any(_definitions(source)))

    def drop_lone_marks(self, text: str) -> str:
        return text if text.count("*") % 2 == 0 else _LONE_STAR.sub("", text, count=1)

    def write_words(self, text: str) -> str:
        written = _OF_DRAFTS.sub(r"\\\g<0>", as_markdown(text))
        return written if _balanced(written) else _BRACKETS.sub(r"\\\g<0>", written)

    def find_heading_candidates(self, source: str) -> Iterator[tuple[int, Span, Span]]:
        for match in match_lines(_HEADING, source):
            line = Span(*match.span())
            if match["marks"]:
                yield len(match["marks"]), line, Span(*match.span("title"))
            else:
                yield 1 if match["rule"][0] == "=" else 2, line, Span(*match.span("under"))

    def find_block_quotations(
        self, source: str, read_paragraphs: Callable[[], Sequence[Span]]
    ) -> Iterator[int]:
        """Yield the indexes of block quotations, except callout titles and callouts that are not
        quotations.
        """
        own = frozenset(_unquoted_lines(source)) if "[!" in source else ()
        for place in super().find_block_quotations(source, read_paragraphs):
            if not own or source.rfind("\n", 0, read_paragraphs()[place].start) + 1 not in own:
                yield place

    def is_quoted_line(self, source: str, offset: int) -> bool:
        return super().is_quoted_line(source, offset) and not self.is_block_title(source, offset)

    def is_block_title(self, source: str, offset: int) -> bool:
        line = _QUOTE_LINE.match(source, source.rfind("\n", 0, offset) + 1)
        return line is not None and _CALLOUT.match(source, line.start("words")) is not None

    def insert_note(self, source: str, at: int, text: str) -> list[tuple[int, str]]:
        words = text if text.endswith(".") else text + "."
        definitions = self.find_defined_notes(source)
        labels = [each.label for each in definitions] + [each.label for each in self.find_note_marks(source)]
        label = str(max((int(each) for each in labels if each.isdigit()), default=0) + 1)
        end = definitions[-1].content.end if definitions else len(source.rstrip())
        gap = "\n" if definitions else "\n\n"
        return [(at, f"[^{label}]"), (end, f"{gap}[^{label}]: {words}")]

    def find_note_spans(self, source: str, within: Span) -> list[Span]:
        found = super().find_note_spans(source, within)
        for match in _RAW_NOTE.finditer(source, within.start, within.end):  # pandoc lets raw LaTeX through
            end = find_closing(source, match.end(), "{}")
            if end >= 0:
                found.append(Span(match.start(), end + 1))
        return sorted(found)

    def find_body_end(self, source: str) -> int:
        limit = len(source)
        notes = dict(self._defined_lines(source))
        for match in reversed(list(match_lines(_NOTE, source))):
            end = notes.get(match.start())
            if end is None or source[end:limit].strip():
                break
            limit = match.start()
        return limit

    def _defined_lines(self, source: str) -> Iterator[tuple[int, int]]:
        """Yield the start of each defined footnote's first line, and the end of its text."""
        for note in self.find_defined_notes(source):
            yield source.rfind("\n", 0, note.content.start) + 1, note.content.end

    def find_folds(self, source: str) -> Iterator[Fold]:
        yield from self._fold_notes(source)
        position = 0
        matter = _FRONT_MATTER.match(source)
        if matter is not None:
            yield Fold(Span(*matter.span()), "block")
            position = matter.end()
        code: list[Span] = []
        while (opening := _FENCE.search(source, position)) is not None:
            position = _fence_end(source, opening, opening["mark"])
            code.append(Span(opening.start(), position))
            yield Fold(code[-1], "block")
        starts = [each.start for each in code]
        quoted = (Fold(Span(*match.span()), "block") for match in match_lines(_QUOTED, source))
        for fold in (*quoted, *_commented(source)):
            place = bisect_right(starts, fold.span.start) - 1
            if place < 0 or fold.span.start not in code[place]:
                yield fold

    def _fold_notes(self, source: str) -> Iterator[Fold]:
        """Yield the ranges of footnotes, and of series of adjacent footnote definitions."""
        starts = [match.start() for match in match_lines(_NOTE, source)]
        ends = {start: start for start in starts}
        for line, end in self._defined_lines(source):
            ends[line] = end
            yield Fold(Span(line, end), "block")
        first = -1
        for place, start in enumerate(starts):
            if place == 0 or source[ends[starts[place - 1]] : start].strip():
                first = start
            last = place + 1 == len(starts) or bool(source[ends[start] : starts[place + 1]].strip())
            if last and first != start:
                yield Fold(Span(first, ends[start]), "block")

    def find_keys(self, source: str, masked: str) -> tuple[KeyUse, ...]:
        return tuple(_keys(source, masked)) if "@" in source else ()

    def find_front_matter(self, source: str) -> str:
        begin = _BEGIN.match(source)
        if begin is None:
            return ""
        end = _END.search(source, begin.end(), begin.end() + _LONGEST_FRONT_MATTER)
        text = source[begin.end() : end.start()] if end is not None else ""
        return text if _WANTED.search(text) else ""


def _unquoted_lines(source: str) -> Iterator[int]:
    """Yield the starts of lines that are marked as quoted but quote nothing: callout titles, and text in
    callouts that are not quotations.
    """
    callouts: list[tuple[int, bool]] = []  # the depth of each that is open, and whether it quotes
    end = -1
    for line in _QUOTE_LINE.finditer(source):
        depth = line["marks"].count(">")
        if line.start() != end:
            callouts.clear()
        end = line.end()
        while callouts and callouts[-1][0] > depth:
            callouts.pop()
        callout = _CALLOUT.match(source, line.start("words"))
        if callout is not None:
            if callouts and callouts[-1][0] == depth:
                callouts.pop()
            callouts.append((depth, callout["kind"].lower() in _QUOTING_CALLOUTS))
        if callout is not None or (callouts and callouts[-1] == (depth, False)):
            yield line.start()


def _commented(source: str) -> Iterator[Fold]:
    start = source.find("<!--")
    while start >= 0 and (end := source.find("-->", start)) >= 0:
        yield Fold(Span(start, end + 3), "comment")
        start = source.find("<!--", end)


def _keys(source: str, masked: str) -> Iterator[KeyUse]:
    """Yield pandoc's keys: ``[@a, p. 2]``, ``@a [p. 2]``."""
    position = 0
    for match in _KEY.finditer(source):
        group = "braced" if match["braced"] is not None else "key"
        core = Span(*match.span(group))
        if match.start() < position or masked[core.start - 1 - (group == "braced")] != "@":
            continue
        bracket = _closing_around(source, match.start(), match.end())
        position, locator = match.end(), None
        if bracket >= 0:
            end = source.find(";", position, bracket)
            locator = _trimmed(source, position, bracket if end < 0 else end)
            position = locator.end if locator is not None else position
        elif source.startswith((" [", "["), position):
            opening = source.index("[", position)
            closing = find_closing(source, opening + 1, "[]", _LONGEST_GROUP)
            if closing >= 0 and source[closing + 1 : closing + 2] not in ("(", "[", ":"):
                locator, position = Span(opening + 1, closing), closing + 1
        yield KeyUse(Span(match.start(), position), core, core.of(source), locator, sure=bracket >= 0)


def _closing_around(source: str, start: int, end: int) -> int:
    """Return where the brackets around a key close, or -1 if it is not in brackets."""
    depth = 0
    for at in range(start - 1, max(0, start - _LONGEST_GROUP) - 1, -1):
        depth += (source[at] == "]") - (source[at] == "[")
        if depth < 0:
            opens = source[at + 1 : at + 2] != "^"
            return find_closing(source, end, "[]", _LONGEST_GROUP) if opens else -1
    return -1


def _trimmed(source: str, start: int, end: int) -> Span | None:
    """Return the span without surrounding commas, braces and whitespace, or None if nothing remains."""
    words = source[start:end].rstrip(_BLANKS + "}")
    start, end = start + len(words) - len(words.lstrip(_BLANKS + ",{")), start + len(words)
    return Span(start, end) if start < end else None


FORMAT = _Markdown.load("markdown")
