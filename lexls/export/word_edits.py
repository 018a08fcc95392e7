"""Add comments and tracked changes to the XML of a part of a Word document; the rest of the part is
unchanged.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from lexls.library.readers.word_source import PartSource, PlacedElement

_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OLDER_FORMAT = re.compile(rb"<(\w+):rPrChange\b.*?</\1:rPrChange>", re.DOTALL)
# Order of edits at the same position: insertions, ends of ranges, starts of ranges.
_INSERTED, _ENDS, _BEGINS = range(3)


def write_xml(text: str) -> str:
    """Return text escaped for XML, without the characters that XML does not allow."""
    return escape(_UNWRITABLE.sub("", text))


@dataclass(frozen=True, slots=True)
class Names:
    """A writer of Word elements with the namespace prefix of a part."""

    prefix: str

    def element(self, name: str, content: str = "", /, **attributes: str) -> str:
        """Return an element with attributes in Word's namespace. ``content`` is the XML inside it."""
        written = "".join(f" {self.prefix}:{key}={quoteattr(value)}" for key, value in attributes.items())
        tag = f"{self.prefix}:{name}"
        return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"

    def text(self, text: str, name: str = "t") -> str:
        """Return a text element for a run, which preserves its spaces."""
        tag = f"{self.prefix}:{name}"
        return f'<{tag} xml:space="preserve">{write_xml(text)}</{tag}>'

    def run(self, content: str, properties: str = "") -> str:
        """Return a run with ``content`` (XML)."""
        return self.element("r", f"{properties}{content}")


@dataclass(frozen=True, slots=True)
class Author:
    """The author of changes and their time, in Word's format ("2031-05-04T10:00:00Z")."""

    name: str
    when: str


@dataclass
class PartEdits:
    """The edits of one part. The nodes passed to its methods belong to ``source``; ``numbers`` provides the
    ids of the changes.
    """

    source: PartSource
    author: Author
    numbers: Iterator[int]
    _outside: list[tuple[int, int, str]] = field(default_factory=list)
    _cuts: dict[PlacedElement, list[tuple[int, int, str]]] = field(default_factory=lambda: defaultdict(list))
    _deleted: dict[PlacedElement, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def names(self) -> Names:
        """Return an object that names elements with the namespace prefix of the part."""
        return Names(self.source.prefix)

    @property
    def is_empty(self) -> bool:
        """Return whether there are no edits."""
        return not (self._outside or self._cuts or self._deleted)

    def delete(self, node: PlacedElement, start: int, end: int) -> None:
        """Mark the characters from ``start`` to ``end`` of a changeable text element, or a whole symbol, as
        deleted.
        """
        run = node.run
        assert run is not None
        self._deleted[run].append((self._before(node, start)[1], self._behind(node, end)[1]))

    def insert(self, node: PlacedElement, index: int, text: str, like: PlacedElement) -> None:
        """Insert text after the first ``index`` characters of a changeable text element, as a tracked change,
        in the format of ``like``.
        """
        run = like.run
        assert run is not None
        self.put(node, index, self.names.run(self.names.text(text), self._properties(run)))

    def put(self, node: PlacedElement, index: int, runs: str) -> None:
        """Insert runs (XML) after the first ``index`` characters of a changeable text element, as a tracked
        change.
        """
        above = node.run.parent if node.run is not None else None
        new = self.track(runs)
        if above is not None and above.kind == "ins":
            # Insertions must not be nested.
            opening = self.source.text[above.start : above.content_start].decode()
            new = f"</{self.source.prefix}:ins>{new}{opening}"
        at = self._behind(node, index) if index else self._before(node, 0)
        self._put(*at, _INSERTED, new)

    def track(self, runs: str) -> str:
        """Return the runs marked as an insertion by the author."""
        return self.names.element("ins", runs, **self._signed())

    def paragraph(self, runs: str, properties: str = "") -> str:
        """Return a new paragraph of runs, marked as inserted by the author. ``properties`` precede the
        properties of the paragraph mark.
        """
        mark = self.names.element("rPr", self.names.element("ins", **self._signed()))
        return self.names.element("p", self.names.element("pPr", f"{properties}{mark}") + self.track(runs))

    def put_before(self, node: PlacedElement, xml: str) -> None:
        """Insert XML before an element."""
        self._put(None, node.start, _BEGINS, xml)

    def comment(self, first: tuple[PlacedElement, int], last: tuple[PlacedElement, int], number: int) -> None:
        """Mark the range of a comment. It starts before a character of one element and ends after a character
        of another.
        """
        name = self.names
        begin = name.element("commentRangeStart", id=str(number))
        end = name.element("commentRangeEnd", id=str(number))
        mark = name.run(name.element("commentReference", id=str(number)))
        self._put(*self._before(*first), _BEGINS, begin)
        self._put(*self._behind(*last), _ENDS, f"{end}{mark}")

    def write(self) -> bytes:
        """Return the part with all its edits, in its own encoding."""
        text = self.source.text
        places = [
            (at, rank, number, at, new.encode()) for number, (at, rank, new) in enumerate(self._outside)
        ]
        runs = {*self._cuts, *self._deleted}
        places += [(run.start, 9, 0, run.end, self._rewrite(run)) for run in runs]
        written, at = [], 0
        for start, _, _, end, new in sorted(places):
            written += [text[at:start], new]
            at = end
        return self.source.write(b"".join([*written, text[at:]]))

    # -- places ----------------------------------------------------------------------------------------------

    def _before(self, node: PlacedElement, index: int) -> tuple[PlacedElement | None, int]:
        """Return the position before a character: its run and a byte offset in it, or None and an offset
        between runs.
        """
        run = node.run
        if run is None:
            return None, node.unit.start
        at = self.source.offset(node, index)
        first = next(each for each in run.children if each.kind != "rPr")
        return (None, run.start) if at == first.start else (run, at)

    def _behind(self, node: PlacedElement, index: int) -> tuple[PlacedElement | None, int]:
        """Return the position after the first ``index`` characters, as in ``_before``."""
        run = node.run
        if run is None:
            return None, node.unit.end
        whole = node.kind != "t" or index >= self.source.length(node)
        at = node.end if whole else self.source.offset(node, index)
        at = node.end if at == node.start else at
        return (None, run.end) if at == run.children[-1].end else (run, at)

    def _put(self, run: PlacedElement | None, at: int, rank: int, new: str) -> None:
        (self._outside if run is None else self._cuts[run]).append((at, rank, new))

    def _signed(self) -> dict[str, str]:
        return {"id": str(next(self.numbers)), "author": self.author.name, "date": self.author.when}

    # -- runs ------------------------------------------------------------------------------------------------

    def _properties(self, run: PlacedElement) -> str:
        first = run.children[0]
        written = self.source.text[first.start : first.end] if first.kind == "rPr" else b""
        return _OLDER_FORMAT.sub(b"", written).decode()

    def _rewrite(self, run: PlacedElement) -> bytes:
        """Return the XML of a run, split at its insertions and with its deleted parts marked."""
        source = self.source.text
        lead, end = run.children[0], run.content_end
        start = lead.end if lead.kind == "rPr" else run.content_start
        deleted = [
            (start if first == run.start else first, end if last == run.end else last)
            for first, last in self._deleted.get(run, ())
        ]
        cuts = sorted(self._cuts.get(run, ()), key=lambda each: each[:2])
        bounds = sorted({start, end, *(at for at, _, _ in cuts), *(at for each in deleted for at in each)})
        opening, closing = source[run.start : start], source[run.content_end : run.end]
        written = []
        for first, last in pairwise(bounds):
            written += [new.encode() for at, _, new in cuts if at == first]
            gone = any(left <= first and last <= right for left, right in deleted)
            content = b"".join([opening, *self._slice(run, first, last, gone=gone), closing])
            if gone:
                deletion = self.names.element("del", "\0", **self._signed()).encode()
                content = deletion.replace(b"\0", content)
            written.append(content)
        return b"".join(written)

    def _slice(self, run: PlacedElement, start: int, end: int, *, gone: bool) -> Iterator[bytes]:
        """Yield the XML from ``start`` to ``end`` in a run. Text elements that are split there are closed and
        reopened.
        """
        source, at = self.source.text, start
        for child in run.children:
            if child.kind != "t" or child.end <= start or end <= child.start:
                continue
            if start <= child.start and child.end <= end and not gone:
                continue
            yield source[at : max(at, child.start)]
            inside = source[max(start, child.content_start) : min(end, child.content_end)]
            tag = f"{self.source.prefix}:{'delText' if gone else 't'}".encode()
            yield b'<%s xml:space="preserve">%s</%s>' % (tag, inside, tag)
            at = min(end, child.end)
        yield source[at:end]
