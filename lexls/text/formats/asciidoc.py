"""Read and write AsciiDoc, as Asciidoctor reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from lexls.text.blanking import PRINTS_GAP, Edits, decode_entity
from lexls.text.format import LONGEST_NOTE, Fold, Footnote, Format, find_places_within
from lexls.text.lexicon import split_words
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

# A title with author, revision and attributes up to the first blank line, at the very beginning.
_HEADER = re.compile(
    r"\A\ufeff?(?:(?:[:/]|\[\[)[^\n]*\n)*=[ \t]+(?P<title>\S[^\r\n]*)(?:\r?\n[ \t]*[^\s][^\n]*)*"
)
_DELIMITER = re.compile(
    r"(?P<mark>/{4,}|-{4,}|\.{4,}|\+{4,}|={4,}|\*{4,}|_{4,}|--|[|,:!]={3,}|`{3}(?!`))"
    r"(?:(?<=```)[\w+,#-]*)?(?=[ \t\r]*$)",
    re.MULTILINE,
)
_COMMENT = re.compile(r"//(?!/)[^\n]*")
_ATTRIBUTES = re.compile(r"\[(?=[^\W\d]|[.\#%{,\"'\]]|\[[^\W\d])[^\n]*\](?=[ \t\r]*$)", re.MULTILINE)
_QUOTE = re.compile(r"\[(?:quote|verse)\b[^\n,\]]*,?[ \t]*")
_MACRO_LINE = re.compile(
    r"[A-Za-z][\w-]{0,60}::(?:[^\s\[\]][^\n\[\]]{0,2000})?\[[^\n]*\](?=[ \t\r]*$)", re.MULTILINE
)
_ENTRY = re.compile(r":!?\w[\w-]{0,80}!?:(?=\s|\Z)[^\n]*(?:(?<=[ \t]\\)\n[^\n]*)*")
_RULE = re.compile(r"(?:'{3}|<{3}|(?:-[ ]?){3}|(?:\*[ ]?){3}|\+)(?=[ \t\r]*$)", re.MULTILINE)
_HEADING = re.compile(
    r"(?P<marks>={1,6}|\#{1,6})[ \t]+(?P<title>\S[^\r\n]*?)(?P<end>[ \t]+(?P=marks))?(?=[ \t\r]*$)",
    re.MULTILINE,
)
_UNDERLINED = re.compile(
    r"(?=[^\r\n]*\w)(?P<title>[^\r\n]++)\r?\n(?P<line>={2,}|-{2,}|~{2,}|\^{2,}|\+{2,})(?=[ \t\r]*$)",
    re.MULTILINE,
)
_LEVELS = "=-~^+"
_BLOCK_TITLE = re.compile(r"\.(?=[^\s.])")
_QUOTED_LINE = re.compile(r"(?:>[ \t]?)+")
_ITEM = re.compile(r"[ \t]*(?:-|\*{1,5}|\.{1,5})(?=[ \t]+\S)")
_TERM = re.compile(r"[^\s:;][^\n:;]{0,200}(?<!\\)(?P<colons>:{2,4}|;;)(?=\s|\Z)")
_CELL = re.compile(r"(?:(?<!\S)[\d.]{0,6}[*+]?[<^>.]{0,3}[adehlmsv]?)?(?<!\\)\|")
_BLANK_LINE = re.compile(r"^[ \t\r]*(?:\n|\Z)", re.MULTILINE)

# The characters with which inline marks begin; a macro is recognised by the colon after its name.
_SIGNS = re.compile(r"[*_`\#^~+{<\\&]|\[(?=[\[.\#%a-z])|\((?=\()|(?<=[a-z0-9]):(?=[^\s:])|[\"'](?=`)")
_TABLES = load_phrases(__package__, "asciidoc.toml")
_SHOWN = split_words(_TABLES["shown"])
_HIDDEN = split_words(_TABLES["hidden"])
_PARTING = split_words(_TABLES["parting"])
_UNPRINTED = split_words(_TABLES["unprinted"])
_WITHIN = split_words(_TABLES["within"])
_NAME = re.compile(
    rf"(?<!\\)(?:{'|'.join(sorted(_WITHIN))}|(?<!\w)(?:{'|'.join(sorted((_SHOWN | _HIDDEN) - _WITHIN))}))\Z"
)
"""Pattern of a macro's name before its colon. A URL scheme must begin a word; other names may follow a
letter.
"""
_PRINTED: Mapping[str, str] = _TABLES["printed"]
_TARGET = re.compile(r":(?!:)[^\s\[\]<>]{0,2000}\[")
_INLINE = re.compile(
    r"""
      (?P<escape>\\{1,2}(?:([*_`\#^~+])\2{0,2}|<<|\[{1,2}|\(\(|[{\]&]|--|\.\.\.|->|::|\((?:C|R|TM)\)|[a-z]{3,12}:))
    | (?P<address><(?:https?|ftp|mailto):[^<>\s]*>)
    | (?P<cross><<[^<>\n,]{1,200}(?:,(?P<words>[^<>]{0,500}))?>>)
    | (?P<gone>\[{2,3}[^\W\d][^\[\]\n]{0,200}\]{2,3}|\({3}[^()]{1,500}\){3})
    | (?P<term>\(\((?P<inner>[^()]{1,500})\)\))
    | (?P<reference>\{(?:(?P<name>\w[\w-]{0,80})|(?:set|counter2?):[^{}\n]{0,200})\})
    | (?P<entity>&(?:\#\d{2,6}|\#x[0-9A-Fa-f]{2,5}|[A-Za-z][A-Za-z0-9]{1,30});)
    | (?P<role>\[[.\#%][^\[\]\n]{0,200}\](?=[*_`\#^~])|\[[a-z][a-z-]{0,40}\](?=\#))
    | (?P<opening>["']`)
    | (?P<closing>`["'])
    | (?P<raised>\^[^\s^]{1,500}\^|~[^\s~]{1,500}~)
    | (?P<run>(?P<sign>[*_`\#+])(?P=sign){0,2})
    """,
    re.VERBOSE,
)
_CURVED = {'"`': " “", '`"': "” ", "'`": " ‘", "`'": "’ "}
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,500}>")
_OPTIONS = re.compile(r"\^?(?:,[ \t]*[\w-]{1,30}=[^\]]{0,500})?\Z")
_BRACKET_END = re.compile(r"(?<!\\)\]")
_CODE_END = re.compile(r"(?<=\S)`(?![\w\"'`])")
_PLUS_END = re.compile(r"(?<=\S)\+(?!\w)")

_FOREIGN = re.compile(r"\(\(|\[\[|--|\.\.\.|->|::|\b[a-z]{3,12}:(?=\S)")
_NOTE_AGAIN = re.compile(r"(?<!\\)footnote:(?P<label>[\w-]{1,80})\[\]")


class _Reading:
    """One pass over a source's lines, and its results: edits that blank marks, and the positions of text,
    titles and blocks.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.edits = Edits(source)
        self.texts: list[Span] = []
        self.titles: list[tuple[int, Span, Span]] = []
        self.folds: list[Fold] = []
        self.quotations: list[Span] = []
        self.kind = ""  # the previous line was in a paragraph ("text"), a list ("item") or neither ("")
        self.styled = self.in_table = False
        self.blank = -1
        self.delimited: list[tuple[str, int]] = []
        header = _HEADER.match(source)
        position = header.end() + 1 if header is not None else 0
        if header is not None:
            title = Span(*header.span("title"))
            line = source.rfind("\n", 0, title.start) + 1
            self.edits.blank(0, title.start)
            self.edits.blank(title.end, header.end())
            self.add_title(1, Span(line, title.end), title)
            self.folds.append(Fold(Span(0, header.end()), "block"))
        while position < len(source):
            end = source.find("\n", position)
            end = len(source) if end < 0 else end
            position = max(self.read_line(position, end), end) + 1

    def read_line(self, start: int, end: int) -> int:
        """Read the line from ``start`` to ``end``, and any block that begins there. Return the end of the
        text read.
        """
        source = self.source
        if self.kind == "text" and source[start].isalnum():
            self.texts[-1] = Span(self.texts[-1].start, end)
            return end
        if not source[start:end].strip():
            self.kind, self.styled = "", False
            return end
        title = _UNDERLINED.match(source, start) if not self.kind else None
        if title is not None and abs(len(title["title"]) - len(title["line"])) < 2:
            self.edits.blank(*title.span("line"))
            level = _LEVELS.index(title["line"][0]) + 1
            self.add_title(level, Span(*title.span()), Span(*title.span("title")))
            return title.end()
        for pattern, read in (
            (_DELIMITER, self.read_delimiter),
            (_ATTRIBUTES, self.read_attributes),
            (_COMMENT, self.hide),
            (_RULE, self.hide),
        ):
            if (match := pattern.match(source, start)) is not None:
                self.kind = ""
                return read(match)
        if not self.kind:
            for pattern in (_ENTRY, _MACRO_LINE):
                if (match := pattern.match(source, start)) is not None:
                    if match.group().startswith("include::"):
                        self.edits.insert(*match.span())
                        return match.end()
                    return self.hide(match)
            if (match := _HEADING.match(source, start)) is not None:
                self.edits.blank(start, match.start("title"))
                self.edits.blank(match.end("title"), match.end())
                self.add_title(len(match["marks"]), Span(*match.span()), Span(*match.span("title")))
                return end
            if _BLOCK_TITLE.match(source, start):
                self.edits.blank(start, start + 1)
                self.texts.append(Span(start + 1, end))
                return end
        return self.read_text(start, end)

    def read_text(self, start: int, end: int) -> int:
        """Read a line of a paragraph or list; an indented paragraph is verbatim."""
        source = self.source
        if self.in_table:
            for cell in _CELL.finditer(source, start, end):
                self.edits.item(*cell.span())
        item = (_ITEM.match(source, start) or _TERM.match(source, start)) if self.kind != "text" else None
        if item is not None:
            listed = item.re is _ITEM
            self.edits.item(*item.span(0 if listed else "colons"))
            self.texts.append(Span(item.end() if listed else start, end))
            self.kind = "item"
        elif not self.kind and source[start] in " \t" and not self.styled and not self.in_table:
            end = self.find_blank(end)
            self.edits.blank(start, end)
        else:
            quoted = _QUOTED_LINE.match(source, start)
            if quoted is not None:
                self.edits.blank(*quoted.span())
                start = quoted.end()
            if self.kind and quoted is None and self.texts:
                self.texts[-1] = Span(self.texts[-1].start, end)
            else:
                self.texts.append(Span(start, end))
            self.kind = self.kind or "text"
        return end

    def read_delimiter(self, match: re.Match[str]) -> int:
        """Blank the line that begins or ends a block. Blank the whole block if it is verbatim."""
        source, mark = self.source, match["mark"]
        self.styled = False
        end = match.end()
        if mark[0] in "/-.+`" and mark != "--":
            closing = re.compile(rf"^{re.escape(mark)}[ \t\r]*$", re.MULTILINE).search(source, end)
            end = closing.end() if closing is not None else len(source)
            self.folds.append(Fold(Span(match.start(), end), "comment" if mark[0] == "/" else "block"))
        elif any(mark == opened for opened, _ in self.delimited):
            opened, start = "", 0
            while opened != mark:
                opened, start = self.delimited.pop()
            self.folds.append(Fold(Span(start, end), "block"))
            if mark[0] == "_":
                self.quotations.append(Span(start, end))
        else:
            self.delimited.append((mark, match.start()))
        self.in_table = any(opened[0] in "|,:!" for opened, _ in self.delimited)
        self.edits.blank(match.start(), end)
        return end

    def read_attributes(self, match: re.Match[str]) -> int:
        """Blank a line of attributes, but keep the attribution of a quotation as a separate paragraph."""
        source, end = self.source, match.end()
        self.styled = source[match.start() + 1].isalpha()
        quote = _QUOTE.match(source, match.start())
        if quote is not None:
            self.quotations.append(Span(end, self.find_blank(end + 1)))
        if quote is None or quote.end() >= end:
            return self.hide(match)
        self.edits.blank(*quote.span())
        self.edits.item(end - 1, end)
        self.texts.append(Span(quote.end(), end - 1))
        return end

    def find_blank(self, start: int) -> int:
        """Return the start of the next blank line, or the end of the source."""
        if self.blank < start:
            found = _BLANK_LINE.search(self.source, start)
            self.blank = found.start() if found is not None else len(self.source)
        return self.blank

    def hide(self, match: re.Match[str]) -> int:
        """Blank a match that is not prose, and return its end."""
        self.edits.blank(*match.span())
        return match.end()

    def add_title(self, level: int, line: Span, words: Span) -> None:
        """Record a title as a separate paragraph."""
        self.titles.append((level, line, words))
        self.texts.append(words)

    def blank_marks(self) -> str:
        """Return the source with its marks blanked, including inline ones."""
        for text in self.texts:
            _Inline(self.source, text, self.edits).read()
        return self.edits.apply()


class _Inline:
    """The inline marks of a paragraph. Opening marks are remembered until the closing mark is found."""

    def __init__(self, source: str, within: Span, edits: Edits) -> None:
        self.source = source
        self.within = within
        self.edits = edits
        self.open: dict[str, int] = {}
        self.unclosed: set[str] = set()

    def read(self) -> None:
        position = self.within.start
        for sign in _SIGNS.finditer(self.source, self.within.start, self.within.end):
            start = sign.start()
            if start < position:
                continue
            if sign.group() == ":":
                position = self.macro(start)
            elif (match := _INLINE.match(self.source, start, self.within.end)) is not None:
                position = self.mark(match)

    def macro(self, colon: int) -> int:
        """Blank a macro except for the text that it shows; return the offset at which to continue."""
        source, edits, limit = self.source, self.edits, self.within.end
        named = _NAME.search(source, max(self.within.start, colon - 16), colon)
        target = _TARGET.match(source, colon, limit) if named is not None else None
        if named is None or target is None:
            return colon + 1
        closing = _BRACKET_END.search(source, target.end(), limit) if "]" not in self.unclosed else None
        if closing is None:
            self.unclosed.add("]")
            return colon + 1
        start, end = target.end(), closing.start()
        hide = edits.blank if named.group() in _PARTING else edits.silence
        if named.group() in _HIDDEN:
            hide(named.start(), closing.end())
            return closing.end()
        if named.group() == "pass":
            return self.verbatim(named.start(), start, end, closing.end())
        hide(named.start(), start)
        options = _OPTIONS.search(source, start, end) if "footnote" not in named.group() else None
        hide(options.start() if options is not None else end, closing.end())
        return start

    def verbatim(self, start: int, inner: int, end: int, stop: int) -> int:
        """Blank the marks around verbatim words, and HTML tags within them; return ``stop``."""
        self.edits.silence(start, inner)
        self.edits.silence(end, stop)
        for tag in _TAG.finditer(self.source, inner, end):
            (self.edits.blank if PRINTS_GAP.match(tag.group()) else self.edits.silence)(*tag.span())
        return stop

    def mark(self, match: re.Match[str]) -> int:
        """Blank or record one mark; return the offset at which to continue."""
        source, edits = self.source, self.edits
        start, end = match.span()
        kind = match.lastgroup
        text = match.group()
        if match["escape"] is not None:
            edits.blank(start, start + len(text) - len(text.lstrip("\\")))
        elif match["cross"] is not None:
            words = match.start("words")
            hide = edits.silence if words >= 0 else edits.blank
            hide(start, words if words >= 0 else end)
            hide(end - 2, end)
        elif match["term"] is not None:
            edits.silence(start, start + 2)
            edits.silence(end - 2, end)
            return start + 2
        elif match["reference"] is not None and match["name"] in _UNPRINTED:
            edits.silence(start, end)
        elif match["reference"] is not None:
            edits.put(start, (_PRINTED.get(match["name"] or "") or " ") + " " * (end - start - 1))
        elif kind == "entity":
            edits.put(start, decode_entity(text))
        elif kind == "opening":
            self.open.setdefault(text[::-1], start)
            return end
        elif kind == "closing":
            if text in self.open:
                opening = self.open.pop(text)
                edits.put(opening, _CURVED[text[::-1]])
                edits.put(start, _CURVED[text])
            elif text == "`'" and source[start - 1 : start].isalnum() and source[end : end + 1].isalpha():
                edits.put(start, _CURVED[text])
            else:
                return self.run("`", start, start + 1)
        elif kind == "raised":
            edits.blank(start, start + 1)
            edits.blank(end - 1, end)
            return start + 1
        elif match["run"] is not None:
            return self.run(match["sign"], start, end)
        elif kind in ("gone", "role"):
            edits.silence(start, end)
        else:
            edits.blank(start, end)
        return end

    def run(self, sign: str, start: int, end: int) -> int:
        """Process a run of marks for emphasis, code or verbatim words, according to the adjacent characters.
        Return the offset at which to continue.
        """
        source = self.source
        before = source[start - 1] if start > self.within.start else " "
        after = source[end] if end < self.within.end else " "
        if sign in "`+":
            marks = source[start:end]
            if marks == "+" and before == " " and after.isspace() and source[end : end + 1] in ("\n", ""):
                self.edits.blank(start, end)  # a forced line break
            close = self.find_close(marks, end, before, after)
            if close < 0:
                self.unclosed.add(marks) if not after.isspace() else None
                return end
            if sign == "+":
                return self.verbatim(start, end, close, close + len(marks))
            self.edits.blank(start, close + len(marks))
            return close + len(marks)
        if end - start >= 2:
            self.pair(sign * 2, start, opens=True, closes=True)
            return start + 2
        opens = not after.isspace() and not (before.isalnum() or before in "_;:}&")
        closes = not before.isspace() and not (after.isalnum() or after == "_")
        self.pair(sign, start, opens=opens, closes=closes)
        return end

    def find_close(self, marks: str, end: int, before: str, after: str) -> int:
        """Return the offset of the marks that close code or verbatim words, or -1 if these marks do not open
        any.
        """
        if marks in self.unclosed:
            return -1
        if len(marks) > 1:
            return self.source.find(marks, end, self.within.end)
        if after.isspace() or before.isalnum() or before in ("_;:}" if marks == "+" else "_;:\"'`}"):
            return -1
        found = (_PLUS_END if marks == "+" else _CODE_END).search(self.source, end + 1, self.within.end)
        return found.start() if found is not None else -1

    def pair(self, mark: str, start: int, *, opens: bool, closes: bool) -> None:
        """Blank a closing mark and its opening mark, or remember an opening mark until its closing mark is
        found.
        """
        if closes and mark in self.open:
            opening = self.open.pop(mark)
            self.edits.silence(opening, opening + len(mark))
            self.edits.silence(start, start + len(mark))
        elif opens:
            self.open.setdefault(mark, start)


class _Asciidoc(Format):
    def blank(self, source: str) -> str:
        return _Reading(source).blank_marks()

    def write_words(self, text: str) -> str:
        return _FOREIGN.sub(r"\\\g<0>", self.escape(text))

    def write_at(self, source: str, offset: int, text: str) -> str:
        """Escape closing brackets inside a footnote, since they would end the footnote."""
        opened = self._find_open(source, max(0, offset - LONGEST_NOTE), offset)
        inside = any(note is not None and note.content.touches(offset) for _, _, note in opened)
        return _BRACKET_END.sub(r"\\]", text) if inside else text

    def insert_note(self, source: str, at: int, text: str) -> list[tuple[int, str]]:
        return super().insert_note(source, at, _BRACKET_END.sub(r"\\]", text))

    def read_note(self, source: str, start: int) -> Footnote | None:
        """Return the footnote, which ends at the first unescaped closing bracket, since brackets do not nest
        here.
        """
        first = source.find("]", start, start + LONGEST_NOTE)
        end = _BRACKET_END.search(source, first, start + LONGEST_NOTE) if first >= 0 else None
        return Footnote(Span(start, end.start()), "") if end is not None else None

    def find_heading_candidates(self, source: str) -> Iterator[tuple[int, Span, Span]]:
        return iter(_Reading(source).titles)

    def find_folds(self, source: str) -> Iterator[Fold]:
        return iter(_Reading(source).folds)

    def find_lone_notes(self, source: str) -> Iterator[tuple[Span, str]]:
        """Yield each ``footnote:label[]``, which refers to an earlier footnote, if no footnote has that
        label.
        """
        for match in _NOTE_AGAIN.finditer(source):
            if not re.search(rf"footnote:{re.escape(match['label'])}\[(?!\])", source):
                yield Span(*match.span()), f"there is no footnote labelled {match['label']}"

    def find_block_quotations(
        self, source: str, read_paragraphs: Callable[[], Sequence[Span]]
    ) -> Iterator[int]:
        found = set(super().find_block_quotations(source, read_paragraphs))
        if "____" in source or "[quote" in source or "[verse" in source:
            found.update(find_places_within(read_paragraphs, sorted(_Reading(source).quotations)))
        return iter(sorted(found))


FORMAT = _Asciidoc.load("asciidoc")
