"""Read HTML: the visible text, with a map back to the source.

The standard library's parser reports only line and column, and may need quadratic time for broken markup.
Offsets are needed here, and no input may block the reader. So every search below moves only forward.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, NamedTuple

from lexls.library.document import Extract, ExtractedPiece
from lexls.library.lines import split_pieces
from lexls.library.marks import write_count
from lexls.library.pages import PageMark, Pages, find_pages, sort_pages
from lexls.library.readers.decoding import decode_marked_up
from lexls.library.readers.opening import ENTITIES
from lexls.library.readers.page_layouts import Action, FactRule, PageLayout, find_layout
from lexls.library.readers.pieces import SOFT_HYPHEN, leave_soft_hyphens_out
from lexls.text.lexicon import split_words

_TAG_NAME = re.compile(r"<(/?)([A-Za-z][^\s/>]{0,60})")
_ATTRIBUTE = re.compile(r"([^\s=/>\"']{1,80})(?:\s{0,50}=\s{0,50}(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+)))?")
_ENTITY = re.compile(r"&(?:#\d{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[A-Za-z][A-Za-z0-9]{1,31};?)")
_TAG_REST = re.compile(r"(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+>")
_LONGEST_TAG = 16_384
RAW_TEXT = split_words("script style noscript template iframe noembed noframes xmp")
"""Elements whose content is not part of the document's text."""


class Token(NamedTuple):
    """A tag or a run of text: ``[start, end)`` in code points of the source. A tag's name is in lower
    case.
    """

    kind: Literal["open", "close", "text"]
    start: int
    end: int
    name: str = ""
    attributes: Mapping[str, str] = MappingProxyType({})


def read_tokens(source: str) -> Iterator[Token]:
    """Yield the tags and text of HTML source, in order. Comments, declarations and raw text are skipped."""
    at, length = 0, len(source)
    greater = -1
    while at < length:
        less = source.find("<", at)
        if less < 0:
            yield Token("text", at, length)
            return
        if less > at:
            yield Token("text", at, less)
        if source.startswith("<!--", less):
            if (end := source.find("-->", less + 4)) < 0:
                return
            at = end + 3
            continue
        if source.startswith("<![CDATA[", less):
            end = source.find("]]>", less + 9)
            yield Token("text", less + 9, end if end >= 0 else length)
            at = end + 3 if end >= 0 else length
            continue
        name = _TAG_NAME.match(source, less)
        if name is None:
            if source[less + 1 : less + 2] in ("!", "?", "/"):
                end = source.find(">", less)
                at = end + 1 if end >= 0 else length
            else:
                yield Token("text", less, less + 1)
                at = less + 1
            continue
        if greater < name.end():
            greater = source.find(">", name.end())
            if greater < 0:
                yield Token("text", less, length)
                return
        limit = min(length, name.end() + _LONGEST_TAG)
        if greater >= limit:
            yield Token("text", less, less + 1)
            at = less + 1
            continue
        rest = _TAG_REST.match(source, name.end(), limit)
        at = end = rest.end() if rest else greater + 1
        tag = name[2].lower()
        if name[1]:
            yield Token("close", less, end, tag)
            continue
        yield Token("open", less, end, tag, _attributes(source[name.end() : end - 1]))
        if tag in RAW_TEXT and source[end - 2] != "/":
            closing = re.compile(rf"</{re.escape(tag)}\s{{0,20}}>", re.IGNORECASE).search(source, end)
            if closing is None:
                return
            yield Token("close", closing.start(), closing.end(), tag)
            at = closing.end()


def _attributes(source: str) -> dict[str, str]:
    if not source.strip("/ \t\r\n"):
        return {}
    return {
        match[1].lower(): html.unescape(match[2] or match[3] or match[4] or "")
        for match in _ATTRIBUTE.finditer(source)
    }


def decode_runs(source: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the text of ``source[start:end]`` with entities decoded: ``(text, source offset, source
    length)``.

    A run without entities has the same length in the source; a decoded entity is a separate run. Soft hyphens
    are skipped.
    """
    if source.find(SOFT_HYPHEN, start, end) >= 0:
        for first, stretch in leave_soft_hyphens_out(source[start:end], start):
            yield from decode_runs(source, first, first + len(stretch))
        return
    at = start
    if source.find("&", start, end) >= 0:
        for match in _ENTITY.finditer(source, start, end):
            written = match[0]
            decoded = html.unescape(written)
            if decoded == written:
                continue
            if not written.endswith(";"):
                # Without a semicolon only a prefix may be the entity ("&copy2019").
                kept = 0
                while kept < min(len(written), len(decoded)) and written[-1 - kept] == decoded[-1 - kept]:
                    kept += 1
                decoded = decoded[: len(decoded) - kept]
                written = written[: len(written) - kept]
            if match.start() > at:
                yield source[at : match.start()], at, match.start() - at
            if decoded != SOFT_HYPHEN:
                yield decoded, match.start(), len(written)
            at = match.start() + len(written)
    if end > at:
        yield source[at:end], at, end - at


_BLOCKS = split_words(
    """address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol p pre section
    summary table tbody tfoot thead tr ul"""
)
_DROPPED = split_words("nav select button svg canvas object audio video map datalist")
_VOID = split_words("area base br col embed hr img input link meta param source track wbr")
_LISTS = split_words("ol ul menu dir")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CLOSED_BY_NEXT = split_words("p li dt dd td th tr")
_HIDDEN = re.compile(r"display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden", re.IGNORECASE)
_STRETCH = re.compile(r"\S+(?: \S+)*")
_INTEGER = re.compile(r"-?\d{1,6}")
_FIELDS = split_words("citation parallel_citations court date kind jurisdiction short_title")


def extract(data: bytes) -> Extract:
    """Read HTML: headings, paragraphs, list items and table rows become pieces.

    Scripts, styles, navigation and hidden elements are skipped. Items of ordered lists are numbered as in a
    browser. ``<meta>`` elements named after a field of ``Metadata`` declare that field.
    """
    source, stated = decode_marked_up(data)
    found = extract_source(source)
    return replace(found, warnings=(*stated, *found.warnings))


def extract_source(source: str) -> Extract:
    """Read the source of a page according to its publisher's layout. Offsets of the source map are in
    ``source``.

    Raises ``UnreadableFile`` if it has more entities than ``ENTITIES`` allows.
    """
    if source.count("&") > ENTITIES.most:
        ENTITIES.check(sum(1 for _ in _ENTITY.finditer(source)))
    layout = find_layout(source)
    found = _Builder(source, layout, outside=layout.keeps).build()
    if layout.keeps and not found.pieces:
        found = _Builder(source, layout).build()
    return found if found.pieces else _Builder(source, PageLayout()).build()


@dataclass(slots=True)
class _List:
    """An open list, with the numbering type and next number of an ordered list."""

    ordered: bool
    type: str
    next: int
    step: int


_MARKED_PAGE = re.compile(r"(\*{1,3})\D{0,10}(\d{1,6})")
_LAST_DIGITS = re.compile(r"\d{1,4}$")
_LONGEST_LINE = 1000
_HEAD_LINES = 60
"""Maximum number of lines at the beginning of a page that are searched for facts."""
_SPACE = re.compile(r"\s+")
_FIRST_PAGE = re.compile(r"\d{1,5}\s+\D.{0,40}?\s(\d{1,6})$")


@dataclass(slots=True)
class _OpenElement:
    """An open element for which the layout has a rule; ``words`` are the parts of its text so far."""

    action: Action
    rule: FactRule | None
    tag: str
    attributes: Mapping[str, str]
    depth: int = 1
    words: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Builder:
    """Builds the text piece by piece. While ``outside``, only elements that the layout keeps are read."""

    source: str
    layout: PageLayout
    outside: bool = False
    watched: list[_OpenElement] = field(default_factory=list)
    said: list[tuple[FactRule, str]] = field(default_factory=list)
    page_marks: list[PageMark] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    length: int = 0
    runs: list[tuple[int, int, int]] = field(default_factory=list)
    pieces: list[ExtractedPiece] = field(default_factory=list)
    declared: dict[str, object] = field(default_factory=dict)
    lists: list[_List] = field(default_factory=list)
    piece_start: int = -1
    before_piece: tuple[int, int, int] = (0, 0, 0)
    lines_read: int = 0
    space_pending: bool = False
    tab_pending: bool = False
    mark_pending: str = ""
    heading: int = 0
    quotes: int = 0
    preformatted: int = 0
    head: bool = False
    hidden: list[str] = field(default_factory=list)
    title: list[str] | None = None

    def build(self) -> Extract:
        begin, end = self.layout.find_limits(self.source)
        self.said += self.layout.read_source(self.source)
        for token in read_tokens(self.source):
            if token.kind == "text":
                if self.watched:
                    self._watch(token)
                if self.title is not None:
                    self.title.extend(run[0] for run in decode_runs(self.source, token.start, token.end))
                    continue
                if not (self.hidden or self.head or self.outside) and begin <= token.start < end:
                    self._text(token)
            elif token.kind == "open":
                self._open(token)
            else:
                self._close(token.name)
        for each in self.watched:
            self._finish(each)
        self._end_piece()
        text = "".join(self.parts)
        said = self.layout.declare(self.said, text)
        declared = self.declared | said
        page_starts, page_numbers = self._pages(text, declared)
        return Extract(
            text=text,
            pieces=tuple(self._split_preformatted(text)),
            page_starts=page_starts,
            page_numbers=page_numbers,
            source_map=tuple(self.runs),
            declared=declared,
            declared_title_is_weak="title" not in said,
            format=self.layout.name,
        )

    def _pages(self, text: str, declared: Mapping[str, object]) -> Pages:
        """Return the pages given by the mark-up, or else those shown in the text."""
        if not self.page_marks:
            return find_pages(text)
        said = {rule.fact: value for rule, value in self.said if rule.fact in ("first_page", "last_page")}
        cited = _FIRST_PAGE.match(str(declared.get("citation", "")))
        first = _integer(said.get("first_page", ""), _integer(cited[1], 0) if cited else 0)
        starts, numbers = sort_pages(self.page_marks, first, _integer(said.get("last_page", ""), 0))
        return tuple(start and _skip_space(text, start) for start in starts), numbers

    def _open(self, token: Token) -> None:
        name, attributes = token.name, token.attributes
        if self.title is not None:
            self._close("title")
        if self.watched:
            self._watch_tag(name)
        if name == "meta":
            self._declare(attributes)
        if self.hidden and self.hidden[-1] in _CLOSED_BY_NEXT and name == self.hidden[-1]:
            self.hidden.pop()
        if not self.hidden and self._follow_layout(name, attributes):
            return
        if name in _VOID:
            if name == "br":
                self._line_break()
            elif name == "hr":
                self._end_piece()
            return
        if self.hidden:
            if name == self.hidden[-1]:
                self.hidden.append(name)
        elif (
            name in RAW_TEXT
            or name in _DROPPED
            or "hidden" in attributes
            or _HIDDEN.search(attributes.get("style", ""))
        ):
            self.hidden.append(name)
        else:
            self._open_shown(name, attributes)

    def _open_shown(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "head":
            self.head = True
        elif name == "title":
            self.title = []
        elif name == "body":
            self.head = False
        if name in ("td", "th"):
            self.tab_pending = self.piece_start >= 0
        if name in _BLOCKS:
            self._end_piece()
            self._open_block(name, attributes)

    def _open_block(self, name: str, attributes: Mapping[str, str]) -> None:
        """Start a heading, a quotation, preformatted text, a list or a list item."""
        if name in _HEADINGS:
            self.heading = _HEADINGS[name]
        elif name == "blockquote":
            self.quotes += 1
        elif name == "pre":
            self.preformatted += 1
        elif name in _LISTS:
            first, step = _integer(attributes.get("start", ""), 1), -1 if "reversed" in attributes else 1
            self.lists.append(_List(name == "ol", attributes.get("type", "1"), first, step))
        elif name == "li" and self.lists and self.lists[-1].ordered:
            current = self.lists[-1]
            number = _integer(attributes.get("value", ""), current.next)
            current.next = number + current.step
            if not self.mark_pending.startswith("Note "):
                self.mark_pending = write_count(number, current.type) + ". "

    def _follow_layout(self, name: str, attributes: Mapping[str, str]) -> bool:
        """Apply the layout's rules to an element. Return True if the element is not part of the document's
        text.
        """
        hidden = False
        for action, rule in self.layout.list_actions(name, attributes):
            if action == "note":
                self._end_piece()
                counted = _LAST_DIGITS.search(attributes.get("id", ""))
                number = attributes.get("data-label") or (counted[0] if counted else "")
                self.mark_pending = f"Note {number}: " if number else ""
                continue
            element = _OpenElement(action, rule, name, attributes)
            if rule is not None and (rule.of or name in _VOID):
                self._finish(element)
                continue
            hidden |= action in ("drop", "page", "mark")
            if action == "keep":
                self.outside = False
            if action != "drop":
                self.watched.append(element)
        if hidden and name not in _VOID:
            if name in _BLOCKS:
                self._end_piece()
            self.hidden.append(name)
        return hidden

    def _watch(self, token: Token) -> None:
        for text, _, _ in decode_runs(self.source, token.start, token.end):
            for each in self.watched:
                if each.action != "keep":
                    each.words.append(_SPACE.sub(" ", text))

    def _watch_tag(self, name: str, closes: bool = False) -> None:
        """Update the nesting depth of watched elements when a tag opens or ``closes``, and finish those that
        end there.
        """
        ended: list[_OpenElement] = []
        for each in self.watched:
            if each.tag == name:
                each.depth += -1 if closes else 0 if name in _CLOSED_BY_NEXT else 1
                if not each.depth or (not closes and name in _CLOSED_BY_NEXT):
                    ended.append(each)
            elif each.rule is not None and (name in _BLOCKS or name == "br"):
                each.words.append("\n")
        for each in ended:
            self.watched.remove(each)
            self._finish(each)

    def _finish(self, element: _OpenElement) -> None:
        """Process an element's content when the element ends."""
        if element.action == "keep":
            self.outside = True
            return
        written = "".join(element.words)
        if element.rule is not None:
            lines = filter(None, (" ".join(line.split()) for line in written.split("\n")))
            values = element.rule.read("\n".join(lines), element.attributes)
            self.said += [(element.rule, value) for value in values]
        elif element.action == "mark":
            if self.piece_start >= 0 and (number := written.strip()):
                self._append(f" [note {number.strip('[]()')}]", -1)
        elif element.action == "page":
            label = element.attributes.get("data-label") or element.attributes.get("label") or ""
            marked = _MARKED_PAGE.search(written)
            number = label if label.isdecimal() else marked[2] if marked else ""
            if number:
                self.page_marks.append(
                    PageMark(self.length, int(number[:6]), len(marked[1]) if marked else 1)
                )

    def _close(self, name: str) -> None:
        if self.watched:
            self._watch_tag(name, closes=True)
        if self.title is not None and name == "title":
            if words := " ".join("".join(self.title).split()):
                self.declared.setdefault("title", words)
            self.title = None
            return
        if self.hidden:
            if name == self.hidden[-1]:
                self.hidden.pop()
            return
        if name == "head":
            self.head = False
        if name not in _BLOCKS:
            return
        self._end_piece()
        if name in _HEADINGS:
            self.heading = 0
        elif name == "blockquote":
            self.quotes = max(0, self.quotes - 1)
        elif name == "pre":
            self.preformatted = max(0, self.preformatted - 1)
        elif name in _LISTS and self.lists:
            self.lists.pop()
        elif name == "li":
            self.mark_pending = ""

    def _declare(self, attributes: Mapping[str, str]) -> None:
        """Record a ``<meta>`` element that is named after a field of ``Metadata``, except the title."""
        key = (attributes.get("name") or attributes.get("property") or "").strip().lower().replace("-", "_")
        for prefix in ("lexls.", "dcterms.", "dc."):
            key = key.removeprefix(prefix)
        content = attributes.get("content", "")
        if key in _FIELDS and content.strip():
            self.declared.setdefault(key, content)

    def _text(self, token: Token) -> None:
        for text, at, length in decode_runs(self.source, token.start, token.end):
            if self.preformatted:
                self._preformatted(text, at)
                continue
            entity = len(text) != length
            last = 0
            for match in _STRETCH.finditer(text):
                self.space_pending |= match.start() > last
                self._word(match[0], at if entity else at + match.start())
                last = match.end()
            self.space_pending |= last < len(text)

    def _preformatted(self, text: str, at: int) -> None:
        if self.piece_start < 0:
            shown = text.lstrip()
            if not shown:
                return
            text, at = shown, at + len(text) - len(shown)
            self._start_piece()
        self.space_pending = False
        self._append(text, at)

    def _word(self, word: str, at: int) -> None:
        if self.piece_start < 0:
            self._start_piece()
        elif self.tab_pending:
            self._append("\t", -1)
        elif self.space_pending:
            # A single space replaces any white space in the source.
            self._append(" ", at - 1 if self.source[at - 1 : at] == " " else -1)
        self.tab_pending = self.space_pending = False
        self._append(word, at)

    def _start_piece(self) -> None:
        self.before_piece = (len(self.parts), len(self.runs), self.length)
        if self.length:
            self._append("\n\n" if not self.lists else "\n", -1)
        self.piece_start = self.length
        self.space_pending = self.tab_pending = False
        if self.mark_pending:
            self._append(self.mark_pending, -1)
            self.mark_pending = ""

    def _append(self, text: str, at: int) -> None:
        """Append text from offset ``at`` of the source (-1: not in the source)."""
        if at >= 0 and text:
            last = self.runs[-1] if self.runs else None
            if last is not None and last[0] + last[2] == self.length and last[1] + last[2] == at:
                self.runs[-1] = (last[0], last[1], last[2] + len(text))
            else:
                self.runs.append((self.length, at, len(text)))
        self.parts.append(text)
        self.length += len(text)

    def _line_break(self) -> None:
        if self.hidden or self.head:
            return
        if self.preformatted:
            self._append("\n", -1)
        elif self.heading:
            self.space_pending = True
        else:
            self._end_piece()

    def _end_piece(self) -> None:
        if self.piece_start >= 0 and not self._leave_out():
            self.pieces.append(ExtractedPiece(self.piece_start, self.length, self.heading, self.quotes > 0))
        self.piece_start = -1
        self.space_pending = self.tab_pending = False

    def _leave_out(self) -> bool:
        """Remove the line that ends here if the layout excludes it from the document. Return whether it was
        removed.
        """
        if self.layout.no_text is None or self.length - self.piece_start > _LONGEST_LINE:
            return False
        parts, runs, length = self.before_piece
        line = " ".join("".join(self.parts[parts:]).split())
        if self.lines_read < _HEAD_LINES:
            self.lines_read += 1
            self.said += self.layout.read_line(line)
        if self.layout.no_text.match(line) is None:
            return False
        del self.parts[parts:], self.runs[runs:]
        self.length = length
        return True

    def _split_preformatted(self, text: str) -> list[ExtractedPiece]:
        """Return the pieces, with preformatted text (pieces that contain line breaks) split into lines or
        paragraphs.
        """
        pieces: list[ExtractedPiece] = []
        for piece in self.pieces:
            if text.find("\n", piece.start, piece.end) < 0 and not text[piece.end - 1].isspace():
                pieces.append(piece)
            else:
                pieces.extend(split_pieces(text, piece.start, piece.end))
        return pieces


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _integer(written: str, default: int) -> int:
    return int(written) if _INTEGER.fullmatch(written) else default
