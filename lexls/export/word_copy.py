"""Write a copy of a Word document in which only comments and tracked changes are added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from itertools import count
from posixpath import basename, dirname, join, normpath, relpath

from lexls.export.word_comments import HeldComment, find_held, leave_out, replace_members
from lexls.export.word_edits import Author, Names, PartEdits, write_xml
from lexls.library.document import Extract, UnreadableFile
from lexls.library.readers.archive import Archive
from lexls.library.readers.docx import trace
from lexls.library.readers.word_source import MAIN_SPACES, Origin, Origins, PlacedElement, read_source
from lexls.text.spans import Span

_RELATIONS = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "http://purl.oclc.org/ooxml/officeDocument/relationships",
)
_COMMENTS = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
_TYPES = "[Content_Types].xml"
_NUMBER = re.compile(rb"<(\w+):comment\s[^>]*?\b\1:id=[\"'](\d{1,9})[\"']")
_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)
_NOTHING = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


class UnwritableCopy(ValueError):
    """Raised if no copy of a document can be written. The message gives the reason."""


@dataclass
class WordCopy:
    """A copy of the Word document ``data`` to which changes by ``author`` are added.

    Spans are offsets in the text that lexls extracts (``extract``). Text that a tracked change would damage
    is left unchanged; ``change`` then returns False. ``kept`` counts the comments of an earlier review that
    remain. Raises ``UnreadableFile`` if the document cannot be read.
    """

    data: bytes
    author: Author
    comments: int = 0
    changes: int = 0
    kept: int = 0
    _noted: dict[int, tuple[str, ...]] = field(default_factory=dict)
    _changed: list[Span] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Read the document."""
        self.extract: Extract
        self.origins: Origins
        self.extract, self.origins = trace(self.data)

    # -- what is there ---------------------------------------------------------------------------------------

    def find_held(self) -> list[HeldComment]:
        """Return the author's own comments already in the document."""
        return find_held(self.data, self._main, self.origins, self.author.name)

    def withdraw(self, comments: Sequence[HeldComment]) -> None:
        """Remove comments from the document. Call this before adding anything."""
        if comments:
            self.data = leave_out(self.data, self._main, comments)
            self.extract, self.origins = trace(self.data)
            self.__dict__.pop("_parts", None)

    def is_at(self, held: HeldComment, span: Span, at: Span | None) -> bool:
        """Return whether an existing comment is at the position where ``comment`` would add a new one."""
        found = self._find_words(span, at)
        return bool(found) and found[0].span.start <= held.span.end and held.span.start <= found[-1].span.end

    # -- what is put in --------------------------------------------------------------------------------------

    def comment(self, span: Span, paragraphs: Sequence[str], *, at: Span | None = None) -> None:
        """Add a comment on the words of ``span``, or on those of ``at`` where Word allows no comment on
        ``span``.

        If the document's text does not contain the words (an automatic number), the comment is added to the
        nearest text.
        """
        found = self._find_words(span, at)
        if not found:
            return
        edits = self._parts[found[0].part]
        found = [each for each in found if each.part == found[0].part]
        first, last = found[0], found[-1]
        number = self._first_comment + self.comments
        nodes = edits.source.nodes
        edits.comment(
            (nodes[first.element], first.index), (nodes[last.element], last.index + len(last.span)), number
        )
        self._noted[number] = tuple(paragraphs)
        self.comments += 1

    def _find_words(self, span: Span, at: Span | None) -> list[Origin]:
        found = self.origins.of(span if at is None else at)
        nearest = self.origins.near(span.start) if not found else None
        return [nearest] if nearest is not None else found

    def stands_alone(self, span: Span) -> bool:
        """Return whether Word allows a comment on exactly these words. It does not in an equation or a text
        box.
        """
        return all(self._node(each).run is not None for each in self.origins.of(span))

    def can_change(self, span: Span, text: str) -> bool:
        """Return whether ``change`` can replace the words of ``span`` with ``text``."""
        hunks = list(self._hunks(span, text))
        return all(self._touched(old) for old, _ in hunks) and not any(
            old.overlaps(each) or old == each for old, _ in hunks for each in self._changed
        )

    def change(self, span: Span, text: str) -> bool:
        """Replace the words of ``span`` with ``text``, using tracked changes to as few words as possible.

        If one of the words must not be changed or has been changed before, do nothing and return False.
        """
        if not self.can_change(span, text):
            return False
        for old, new in self._hunks(span, text):
            touched = self._touched(old)
            edits = self._parts[touched[0].part]
            nodes = [edits.source.nodes[each.element] for each in touched]
            if len(old):
                for node, each in zip(nodes, touched, strict=True):
                    edits.delete(node, each.index, each.index + len(each.span))
            if new:
                last = touched[-1]
                behind = last.index + len(last.span) if last.span.start < old.end else last.index
                edits.insert(nodes[-1], behind, new, nodes[0])
            self._changed.append(old)
        self.changes += 1
        return True

    def put_behind(self, offset: int, runs: str) -> bool:
        """Insert runs (XML) before ``offset``, after the preceding character, as a tracked change. Return
        False if that is not possible.
        """
        found = self._touched(Span(offset - 1, offset))
        if not found:
            return False
        edits = self._parts[found[0].part]
        edits.put(edits.source.nodes[found[0].element], found[0].index + 1, runs)
        return True

    def put_before(self, offset: int, paragraphs: str) -> None:
        """Insert paragraphs (XML) before the paragraph or the whole table of the main part that contains
        ``offset``.
        """
        near = [each for each in self.origins.found if each.part == self._main]
        found = next((each for each in near if each.span.end > offset), near[-1])
        top = next(
            each for each in self._node(found).ancestors() if each.parent and each.parent.kind == "body"
        )
        self._parts[self._main].put_before(top, paragraphs)

    def _hunks(self, span: Span, text: str) -> Iterator[tuple[Span, str]]:
        """Yield the spans of words that differ, each with its replacement."""
        old, new = (_TOKEN.findall(each) for each in (span.of(self.extract.text), text))
        starts = [span.start]
        for token in old:
            starts.append(starts[-1] + len(token))
        hunks: list[tuple[int, int, int, int]] = []
        for kind, first, last, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind == "equal":
                continue
            if hunks and not any(each[0].isalnum() for each in old[hunks[-1][1] : first]):
                # Replace two words together with what is between them.
                first, _, begin, _ = hunks.pop()
            hunks.append((first, last, begin, end))
        for first, last, begin, end in hunks:
            yield Span(starts[first], starts[last]), "".join(new[begin:end])

    def _touched(self, span: Span) -> list[Origin]:
        """Return the origins of words in one paragraph that may be changed, or nothing if they may not. For
        an empty span, return the origin of the character before or after it.
        """
        piece = next((each for each in self.extract.pieces if each.start <= span.start <= each.end), None)
        if piece is None or span.end > piece.end:
            return []
        found = self.origins.of(span)
        if not len(span):
            sides = (Span(span.start - 1, span.start), Span(span.start, span.start + 1))
            inside = (each for each in sides if piece.start <= each.start and each.end <= piece.end)
            found = next((near for each in inside if (near := self.origins.of(each)) and near[0].is_text), [])
        elif sum(len(each.span) for each in found) != len(span):
            return []
        whole = all(self._node(each).changeable for each in found)
        return found if whole and len({each.part for each in found}) == 1 else []

    @property
    def main(self) -> PartEdits | None:
        """Return the edits of the main part; None if no text was read from it."""
        return self._parts.get(self._main)

    @property
    def names(self) -> Names:
        """Return an object that names elements with the namespace prefix of the main part."""
        return self._parts[self._main].names

    # -- parts -----------------------------------------------------------------------------------------------

    @cached_property
    def _parts(self) -> Mapping[str, PartEdits]:
        """Return the edits of each part from which text was read."""
        wanted: dict[str, set[int]] = {}
        for each in self.origins.found:
            wanted.setdefault(each.part, set()).add(each.element)
        sources = {name: read_source(self._read(name), found) for name, found in wanted.items()}
        numbers = count(max((each.largest for each in sources.values()), default=0) + 1)
        return {name: PartEdits(source, self.author, numbers) for name, source in sources.items()}

    def _node(self, origin: Origin) -> PlacedElement:
        return self._parts[origin.part].source.nodes[origin.element]

    def _read(self, part: str) -> bytes:
        with (archive := Archive.open(self.data, "DOCX", together=False)).archive:
            return archive.read(part) or b""

    @cached_property
    def _main(self) -> str:
        parts = dict.fromkeys(each.part for each in self.origins.found)
        names = [name for name in parts if name not in ("word/footnotes.xml", "word/endnotes.xml")]
        return names[0] if names else "word/document.xml"

    @cached_property
    def _comments_part(self) -> str:
        """Return the name of the existing comments part, or ""."""
        found = re.findall(rb"<[^<>]*?/relationships/comments[\"'][^<>]*>", self._read(self._relations_part))
        target = re.search(rb"\bTarget\s*=\s*[\"']([^\"']+)", found[0]) if found else None
        return normpath(join(dirname(self._main), target[1].decode())).lstrip("/") if target else ""

    @property
    def _relations_part(self) -> str:
        return join(dirname(self._main), "_rels", f"{basename(self._main)}.rels")

    @cached_property
    def _first_comment(self) -> int:
        known = _NUMBER.findall(self._read(self._comments_part)) if self._comments_part else []
        return max((int(number) for _, number in known), default=-1) + 1

    # -- the copy --------------------------------------------------------------------------------------------

    @cached_property
    def written(self) -> bytes:
        """Return the finished copy. Parts without edits are the same as in the document, byte for byte."""
        changed = {name: edits.write() for name, edits in self._parts.items() if not edits.is_empty}
        if self._noted:
            changed |= self._write_comments()
        return replace_members(self.data, changed) if changed else self.data

    def _write_comments(self) -> dict[str, bytes]:
        space = self._parts[self._main].source.space
        if self._comments_part:
            old = self._read(self._comments_part)
            source = read_source(old, ())
            new = "".join(self._list_comments(Names(source.prefix)))
            return {self._comments_part: source.write(_append(source.text, new))}
        new = "".join(self._list_comments(Names("w")))
        name = join(dirname(self._main), "comments.xml")
        relation = f"{_RELATIONS[MAIN_SPACES.index(space)]}/comments"
        relations = self._read(self._relations_part)
        taken = set(re.findall(rb"\bId\s*=\s*[\"']([^\"']+)", relations))
        identifier = next(each for n in count(1) if (each := f"rIdLexls{n}").encode() not in taken)
        target = relpath(name, dirname(self._main) or ".")
        link = f'<Relationship Id="{identifier}" Type="{relation}" Target="{target}"/>'
        kind = f'<Override PartName="/{name}" ContentType="{_COMMENTS}"/>'
        packages = "http://schemas.openxmlformats.org/package/2006/relationships"
        relations = relations or f'{_NOTHING}<Relationships xmlns="{packages}"></Relationships>'.encode()
        return {
            name: f'{_NOTHING}<w:comments xmlns:w="{space}">{new}</w:comments>'.encode(),
            self._relations_part: _append(relations, link),
            _TYPES: _append(self._read(_TYPES), kind),
        }

    def _list_comments(self, names: Names) -> Iterator[str]:
        mark = names.run(names.element("annotationRef"))
        signed = {"author": write_xml(self.author.name), "date": self.author.when, "initials": "lx"}
        for number, paragraphs in self._noted.items():
            runs = [names.run(names.text(" ".join(text.split()))) for text in paragraphs]
            written = (names.element("p", f"{'' if place else mark}{run}") for place, run in enumerate(runs))
            yield names.element("comment", "".join(written), id=str(number), **signed)


def _append(source: bytes, new: str) -> bytes:
    """Return a part with ``new`` inserted before the root element's end tag. The root must declare the
    namespace that ``new`` uses.
    """
    end = source.rstrip().rfind(b"</")
    if end < 0:
        # The root element is empty.
        tag = re.search(rb"<([\w:.-]+)(?=[\s/>])(?!\?)[^<>]*?(/>)\s*\Z", source)
        if tag is None:
            raise UnreadableFile("damaged DOCX file (a part has no root)")
        return source[: tag.start(2)] + b">" + new.encode() + b"</" + tag[1] + b">"
    prefix = re.match(rb"</([\w.-]+):", source[end:])
    if prefix is not None and not new.startswith(f"<{prefix[1].decode()}:"):
        new = re.sub(r"<(?=\w+ )", f"<{prefix[1].decode()}:", new)
    return source[:end] + new.encode() + source[end:]
