"""HTML: the visible text, with a map back to the source."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

from lexls.library.document import UnreadableFile
from lexls.library.extract import Extract, Piece
from lexls.library.lines import pieces_of_text
from lexls.library.pages import text_pages
from lexls.library.readers.counters import counted
from lexls.library.readers.decoding import decode
from lexls.library.readers.tags import RAW_TEXT, Token, decoded_runs, tokens

_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}["']?([A-Za-z0-9_.:-]{2,30})""", re.IGNORECASE
)
_BLOCKS = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
    }
    | {"div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5"}
    | {"h6", "header", "hgroup", "hr", "html", "legend", "li", "main", "menu", "ol", "p", "pre", "section"}
    | {"summary", "table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_DROPPED = frozenset(
    {"nav", "select", "button", "svg", "canvas", "object", "audio", "video", "map", "datalist"}
)
_VOID = frozenset(
    {
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    }
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CLOSED_BY_NEXT = frozenset({"p", "li", "dt", "dd", "td", "th", "tr"})
_HIDDEN = re.compile(r"display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden", re.IGNORECASE)
_WORDS = re.compile(r"\S+")
_FIELDS = frozenset(
    {"title", "citation", "parallel_citations", "court", "date", "kind", "jurisdiction", "short_title"}
)


def extract(data: bytes) -> Extract:
    """Read HTML: headings, paragraphs, list items and table rows become pieces.

    Scripts, styles, navigation and hidden elements are left out; items of ordered lists get the number that a
    browser shows. ``<meta>`` elements named like a field of ``Metadata`` declare it.
    """
    return _Builder(source_of(data)).build()


def source_of(data: bytes) -> str:
    """The source of an HTML file as text; another charset than UTF-8 is taken from its ``<meta>`` element."""
    try:
        return decode(data)
    except UnreadableFile as error:
        declared = _CHARSET.search(data, 0, 4096)
        try:
            charset = codecs.lookup(declared[1].decode("ascii")).name if declared else "utf-8"
        except LookupError:
            raise error from None
        if charset == "utf-8":
            raise
        try:
            return data.decode(charset)
        except (LookupError, UnicodeError):
            raise UnreadableFile(f"not {charset} text, as it declares") from None


@dataclass(slots=True)
class _List:
    """An open list: the type and the next number of an ordered one."""

    ordered: bool
    type: str
    next: int
    step: int


@dataclass(slots=True)
class _Builder:
    """Builds the text piece by piece."""

    source: str
    parts: list[str] = field(default_factory=list)
    length: int = 0
    runs: list[tuple[int, int, int]] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    declared: dict[str, object] = field(default_factory=dict)
    lists: list[_List] = field(default_factory=list)
    piece_start: int = -1
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
        for token in tokens(self.source):
            if token.kind == "text":
                if self.title is not None:
                    self.title.extend(
                        text for text, _, _ in decoded_runs(self.source, token.start, token.end)
                    )
                elif not self.hidden and not self.head:
                    self._text(token)
            elif token.kind == "open":
                self._open(token)
            else:
                self._close(token.name)
        self._end_piece()
        text = "".join(self.parts)
        page_starts, page_numbers = text_pages(text)
        return Extract(
            text=text,
            pieces=tuple(self._split_preformatted(text)),
            page_starts=page_starts,
            page_numbers=page_numbers,
            source_map=tuple(self.runs),
            declared=self.declared,
            declared_title_is_weak=True,
        )

    def _open(self, token: Token) -> None:
        name, attributes = token.name, token.attributes
        if self.title is not None:
            self._close("title")
        if name == "meta":
            self._meta(
                attributes.get("name") or attributes.get("property") or "", attributes.get("content", "")
            )
        if name in _VOID:
            if name == "br":
                self._line_break()
            elif name == "hr":
                self._end_piece()
            return
        if self.hidden and self.hidden[-1] in _CLOSED_BY_NEXT and name == self.hidden[-1]:
            self.hidden.pop()
        if self.hidden:
            if name == self.hidden[-1]:
                self.hidden.append(name)
            return
        if name in RAW_TEXT or name in _DROPPED or _is_hidden(attributes):
            self.hidden.append(name)
            return
        if name == "head":
            self.head = True
        elif name == "title":
            self.title = []
        elif name == "body":
            self.head = False
        if name in ("td", "th"):
            self.tab_pending = self.piece_start >= 0
        if name not in _BLOCKS:
            return
        self._end_piece()
        if name in _HEADINGS:
            self.heading = _HEADINGS[name]
        elif name == "blockquote":
            self.quotes += 1
        elif name == "pre":
            self.preformatted += 1
        elif name in ("ol", "ul", "menu", "dir"):
            start = attributes.get("start", "1")
            reverse = "reversed" in attributes
            number = int(start) if re.fullmatch(r"-?\d{1,6}", start) else 1
            self.lists.append(_List(name == "ol", attributes.get("type", "1"), number, -1 if reverse else 1))
        elif name == "li":
            self._item(attributes)

    def _item(self, attributes: object) -> None:
        if not self.lists or not self.lists[-1].ordered:
            return
        current = self.lists[-1]
        value = attributes.get("value", "") if isinstance(attributes, dict) else ""
        number = int(value) if re.fullmatch(r"-?\d{1,6}", value) else current.next
        current.next = number + current.step
        self.mark_pending = counted(number, current.type) + ". "

    def _close(self, name: str) -> None:
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
        elif name in ("ol", "ul", "menu", "dir") and self.lists:
            self.lists.pop()
        elif name == "li":
            self.mark_pending = ""

    def _meta(self, name: str, content: str) -> None:
        key = name.strip().lower().replace("-", "_")
        for prefix in ("lexls.", "dcterms.", "dc."):
            key = key.removeprefix(prefix)
        if key in _FIELDS and content.strip() and key != "title":
            self.declared.setdefault(key, content)

    def _text(self, token: Token) -> None:
        for text, at, length in decoded_runs(self.source, token.start, token.end):
            if self.preformatted:
                self._preformatted(text, at)
                continue
            entity = len(text) != length
            last = 0
            for match in _WORDS.finditer(text):
                if match.start() > last:
                    self.space_pending = True
                self._word(match[0], at if entity else at + match.start())
                last = match.end()
            if last < len(text):
                self.space_pending = True

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
            # A single space stands for whatever white space the source has there.
            self._append(" ", at - 1 if self.source[at - 1 : at] == " " else -1)
        self.tab_pending = self.space_pending = False
        self._append(word, at)

    def _start_piece(self) -> None:
        if self.length:
            self._append("\n\n" if not self.lists else "\n", -1)
        self.piece_start = self.length
        self.space_pending = self.tab_pending = False
        if self.mark_pending:
            self._append(self.mark_pending, -1)
            self.mark_pending = ""

    def _append(self, text: str, at: int) -> None:
        """Add text that stands at ``at`` in the source (-1: nowhere)."""
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
        if self.piece_start >= 0:
            self.pieces.append(Piece(self.piece_start, self.length, self.heading, self.quotes > 0))
        self.piece_start = -1
        self.space_pending = self.tab_pending = False

    def _split_preformatted(self, text: str) -> list[Piece]:
        """Cut pieces that hold line breaks (preformatted ones) into lines or paragraphs."""
        pieces: list[Piece] = []
        for piece in self.pieces:
            if text.find("\n", piece.start, piece.end) < 0 and not text[piece.end - 1].isspace():
                pieces.append(piece)
            else:
                pieces.extend(pieces_of_text(text, piece.start, piece.end))
        return pieces


def _is_hidden(attributes: object) -> bool:
    if not isinstance(attributes, dict) or not attributes:
        return False
    return "hidden" in attributes or _HIDDEN.search(attributes.get("style", "")) is not None
