"""Read RTF: paragraphs with their numbers, table rows, footnotes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lexls.library.document import Extract, UnreadableFile
from lexls.library.readers.json_strings import clean
from lexls.library.readers.pieces import Pieces
from lexls.text.lexicon import split_words
from lexls.text.phrases import load_phrases

_DATA = load_phrases(__package__, "rtf.toml")
_SKIPPED, _KEPT = split_words(_DATA["skipped"]), split_words(_DATA["kept"])
_SIGNS: dict[str, str] = _DATA["signs"]
_CHARSETS: dict[str, str] = _DATA["charsets"]
_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<hex>[0-9A-Fa-f]{2})|\\(?P<symbol>[^A-Za-z'])"
    r"|(?P<brace>[{}])|(?P<words>[^\\{}\r\n]+)|[\r\n]+|\\",
    re.DOTALL,
)
_STYLE = re.compile(r"\{[^{}]{0,400}?\\s(\d{1,5})\b[^{}]{0,800}?\bheading (\d)[^{}]{0,40};?\}")
_FONT = re.compile(r"\{\\f(\d{1,5})\b[^{}]{0,200}?\\fcharset(\d{1,3})\b")
_TITLE = re.compile(r"\{\\title ([^{}\\]{1,400})\}")
_CODE_PAGE = re.compile(r"\\ansicpg(\d{3,5})")
_BRACE = re.compile(r"\\[{}\\]|[{}]")
_LONGEST_TABLE = 2_000_000
_HEADINGS = 9
_ENDS = frozenset({"par", "sect", "page", "column", "row", "nestrow"})


class _State(NamedTuple):
    """The state of a group: whether its text is visible, the encoding, how many substitute characters follow
    a Unicode one, the heading level, and the number of the note it is in (0: none).
    """

    skipped: bool = False
    hidden: bool = False
    encoding: str = "cp1252"
    doubled: int = 1
    heading: int = 0
    note: int = 0


@dataclass(slots=True)
class _Text:
    """The parts of a paragraph; ``pending`` are the first bytes of a character that may be incomplete."""

    parts: list[str] = field(default_factory=list)
    pending: bytearray = field(default_factory=bytearray)
    encoding: str = ""

    def add(self, text: str) -> None:
        self.flush()
        self.parts.append(text)

    def add_byte(self, byte: int, encoding: str) -> None:
        if encoding != self.encoding:
            self.flush()
        self.encoding = encoding
        self.pending.append(byte)

    def flush(self) -> None:
        if self.pending:
            self.parts.append(self.pending.decode(self.encoding, "replace"))
            self.pending.clear()

    def take(self) -> str:
        """Return the text and clear it."""
        self.flush()
        text = "".join(self.parts)
        self.parts.clear()
        # The two surrogates of a pair are written separately.
        return clean(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass"))


def extract(data: bytes) -> Extract:
    """Read RTF. Paragraph numbers are included in the text as printed; notes follow their paragraph.

    Raises ``UnreadableFile`` if it is not RTF.
    """
    source = data.lstrip().decode("latin-1")
    if not source.startswith("{\\rtf"):
        raise UnreadableFile("not an RTF file")
    title = _TITLE.search(source[:20_000])
    reader = _RtfReader(source)
    reader.read()
    return Extract(
        text=reader.pieces.text,
        pieces=tuple(reader.pieces.pieces),
        declared={"title": title[1].strip()} if title else {},
        declared_title_is_weak=True,
    )


class _RtfReader:
    def __init__(self, source: str) -> None:
        self.pieces = Pieces()
        self._source = source
        page = _CODE_PAGE.search(source[:2000])
        self._encoding = _known(f"cp{page[1]}" if page else "", "cp1252")
        tables = dict(_read_tables(source))
        self._fonts = {
            number: _known(_CHARSETS.get(charset, ""), self._encoding)
            for number, charset in _FONT.findall(tables.get("fonttbl", ""))
        }
        self._styles = {number: int(level) for number, level in _STYLE.findall(tables.get("stylesheet", ""))}
        self._state = _State(encoding=self._encoding)
        self._stack: list[_State] = []
        self._text = _Text()
        self._notes: dict[int, _Text] = {}
        self._last_note = 0
        self._unicode_left = 0

    def read(self) -> None:
        """Read the whole source."""
        starts = False
        starred = False
        skip_to = 0
        for token in _TOKEN.finditer(self._source):
            if token.start() < skip_to:
                continue
            kind = token.lastgroup
            if kind == "brace":
                self._unicode_left = 0
                if token[0] == "{":
                    self._stack.append(self._state)
                    starts, starred = True, False
                    continue
                if not self._close():
                    break
            elif kind in ("word", "number"):
                word, number = token["word"], token["number"]
                if word == "bin" and number:
                    skip_to = token.end() + max(0, int(number))
                elif starts and (word in _SKIPPED or (starred and word not in _KEPT)):
                    self._state = self._state._replace(skipped=True)
                elif not self._state.skipped:
                    self._word(word, number)
            elif kind == "symbol" and token[0] == "\\*":
                starred = True
                continue
            elif not self._state.skipped:
                self._characters(token, kind)
            starts = starred = False
        self._end_paragraph()

    def _close(self) -> bool:
        """End a group. Return whether the document continues."""
        if not self._stack:
            return False
        self._target().flush()
        self._state = self._stack.pop()
        return bool(self._stack)

    def _target(self) -> _Text:
        return self._notes.get(self._state.note, self._text)

    def _characters(self, token: re.Match[str], kind: str | None) -> None:
        if kind == "hex":
            if self._unicode_left:
                self._unicode_left -= 1
            elif not self._state.hidden:
                self._target().add_byte(int(token["hex"], 16), self._state.encoding)
        elif kind == "words":
            written = token["words"]
            if self._unicode_left:
                left = min(self._unicode_left, len(written))
                self._unicode_left -= left
                written = written[left:]
            if self._state.hidden:
                return
            if written.isascii():
                self._target().add(written)
            else:
                for byte in written.encode("latin-1"):
                    self._target().add_byte(byte, self._state.encoding)
        elif kind == "symbol":
            symbol = token["symbol"]
            if symbol in "\r\n":
                self._end_paragraph()
            elif not self._state.hidden and symbol in "~_\\{}":
                self._target().add({"~": " ", "_": "-"}.get(symbol, symbol))

    def _word(self, word: str, number: str | None) -> None:
        state = self._state
        value = int(number) if number else 1
        if word == "u":
            if not state.hidden and -32768 <= value < 0x110000:
                self._target().add(chr(value + 65536 if value < 0 else value))
            self._unicode_left = state.doubled
        elif word in _SIGNS:
            if not state.hidden:
                self._target().add(_SIGNS[word])
        elif word in _ENDS:
            self._end_paragraph()
        elif word in ("cell", "nestcell"):
            self._text.add("\t")
        elif word == "footnote" and not state.note:
            self._last_note += 1
            self._text.add(f" [note {self._last_note}]")
            self._notes[self._last_note] = _Text()
            self._state = state._replace(note=self._last_note)
        else:
            self._state = self._change(word, number, value)

    def _change(self, word: str, number: str | None, value: int) -> _State:
        """Return the state after a formatting word; unchanged after any other word."""
        match word:
            case "uc":
                return self._state._replace(doubled=max(0, min(value, 8)))
            case "f":
                return self._state._replace(encoding=self._fonts.get(number or "0", self._encoding))
            case "v" | "deleted":
                return self._state._replace(hidden=number != "0")
            case "plain":
                return self._state._replace(hidden=False, encoding=self._encoding)
            case "pard":
                return self._state._replace(heading=0)
            case "s":
                return self._state._replace(heading=self._styles.get(number or "", 0))
            case "outlinelevel":
                return self._state._replace(heading=value + 1 if 0 <= value < _HEADINGS else 0)
        return self._state

    def _end_paragraph(self) -> None:
        self._unicode_left = 0
        if self._state.note:
            self._target().add(" ")
            return
        cells = self._text.take()
        if "\t" in cells and cells.endswith("\t"):
            cells = "\t".join(filter(None, (" ".join(cell.split()) for cell in cells.split("\t"))))
        self.pieces.add(cells, self._state.heading)
        for number, note in self._notes.items():
            self.pieces.add(f"Note {number}: {' '.join(note.take().split())}", quoted=True)
        self._notes.clear()


def _read_tables(source: str) -> Iterator[tuple[str, str]]:
    """Yield the first font table and the first style sheet, each as its name and its source text."""
    for name in ("fonttbl", "stylesheet"):
        start = source.find(f"{{\\{name}", 0, _LONGEST_TABLE)
        depth = 0
        for brace in _BRACE.finditer(source, max(start, 0), start + _LONGEST_TABLE) if start >= 0 else ():
            depth += (brace[0] == "{") - (brace[0] == "}")
            if not depth:
                yield name, source[start : brace.end()]
                break


def _known(encoding: str, default: str) -> str:
    try:
        return codecs.lookup(encoding).name if encoding else default
    except LookupError:
        return default
