"""Find the comments already in a Word document (their author, position and status) and remove some of them.

This module also replaces members of the document's ZIP archive.
"""

from __future__ import annotations

import struct
import zipfile
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from operator import itemgetter
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING

from lexls.library.document import UnreadableFile
from lexls.library.readers import word_source
from lexls.library.readers.archive import Archive, read_attribute, read_local_name
from lexls.library.readers.word_source import Origins
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lxml.etree import _Element


_MARKS = ("commentRangeStart", "commentRangeEnd", "commentReference")
_CHANGES = ("ins", "del")
_TOLD_OF = {"commentsExtended": "paraId", "commentsIds": "paraId", "commentsExtensible": "durableId"}
"""The parts with additional data about comments, and the attribute with which each refers to a comment."""


@dataclass(frozen=True, slots=True)
class HeldComment:
    """A comment by a given author in a document. ``paragraphs`` are the comment's lines. ``span`` is the
    commented text in the extracted text, empty if the comment is not on any text.

    ``settled`` comments are kept: somebody has answered or resolved them, or a tracked change by the same
    author on the commented text is still pending. ``number`` is the comment's id in the document.
    """

    number: str
    paragraphs: tuple[str, ...]
    span: Span
    settled: bool

    @property
    def lead(self) -> str:
        """Return the comment's first paragraph."""
        return self.paragraphs[0] if self.paragraphs else ""


def find_held(data: bytes, main: str, origins: Origins, author: str) -> list[HeldComment]:
    """Return an author's comments on the text of the document part ``main``, in the order in which the
    document stores them.
    """
    parts = _Parts.read(data, main)
    threads = {
        read_attribute(each, "paraId"): each for each in parts.list_elements("commentsExtended", "commentEx")
    }
    answered = {read_attribute(each, "paraIdParent") for each in threads.values()} - {""}
    words = sorted((each.element, each.span) for each in origins.found if each.part == main)
    comments = [
        (each, marks, _find_words(words, marks))
        for each in parts.list_elements("comments", "comment")
        if (marks := parts.places.get(read_attribute(each, "id"), []))
    ]
    others = {span for comment, _, span in comments if read_attribute(comment, "author") != author}
    found = []
    for comment, marks, span in comments:
        if read_attribute(comment, "author") != author:
            continue
        name = next(reversed(_identify(comment)), "")
        thread = threads.get(name)
        settled = name in answered or (
            read_attribute(thread, "done") in ("1", "true", "on")
            or read_attribute(thread, "paraIdParent") != ""
            # Programs that cannot reply to a comment add another on the same words.
            or span in others
            or parts.waits(marks[0], marks[-1], author)
        )
        lines = []
        for paragraph in _list_paragraphs(comment):
            texts = (each.text or "" for each in paragraph.iter("*") if read_local_name(each) == "t")
            lines.append(" ".join("".join(texts).split()))
        found.append(HeldComment(read_attribute(comment, "id"), tuple(lines), span, settled))
    return found


def _find_words(words: Sequence[tuple[int, Span]], marks: Sequence[int]) -> Span:
    """Return the span between the marks of a comment. ``words`` are spans with the index of their element;
    ``marks`` are the indices of the comment's marks.
    """
    first, end = (bisect_left(words, place, key=itemgetter(0)) for place in (marks[0], marks[-1]))
    inside = [span for _, span in words[first:end]]
    if inside:
        return Span(min(each.start for each in inside), max(each.end for each in inside))
    before = words[first - 1][1].end if first else 0
    return Span(before, before)


def leave_out(data: bytes, main: str, comments: Sequence[HeldComment]) -> bytes:
    """Return the document without these comments; the rest is unchanged, byte for byte."""
    parts = _Parts.read(data, main)
    numbers = {each.number for each in comments}
    gone: dict[str, set[int]] = {main: set()}
    for number in numbers:
        for place in parts.places[number]:
            mark = parts.elements[place]
            run = mark.getparent()
            if run is not None and read_local_name(run) == "r":
                alone = all(each is mark or read_local_name(each) == "rPr" for each in run)
                gone[main].add(parts.elements.index(run, 0, place) if alone else place)
            else:
                gone[main].add(place)
    names: dict[str, set[str]] = {"paraId": set(), "durableId": set()}
    for kind, wanted in (("comments", "id"), *_TOLD_OF.items()):
        name = parts.named.get(kind)
        if name is None:
            continue
        taken = numbers if kind == "comments" else names[wanted]
        for place, each in enumerate(parts.roots[kind].iter("*")):
            if each.getparent() is parts.roots[kind] and read_attribute(each, wanted) in taken:
                gone.setdefault(name, set()).add(place)
                names["paraId"].update(_identify(each))
                names["durableId"].update(filter(None, [read_attribute(each, "durableId")]))
    with (archive := Archive.open(data, "DOCX", together=False)).archive:
        changed = {
            name: word_source.leave_out(archive.read(name) or b"", found) for name, found in gone.items()
        }
    return replace_members(data, changed)


def _identify(comment: _Element) -> list[str]:
    """Return the ids by which other parts refer to the paragraphs of a comment."""
    return [name for each in _list_paragraphs(comment) if (name := read_attribute(each, "paraId"))]


def _list_paragraphs(comment: _Element) -> Iterator[_Element]:
    """Yield the paragraphs of a comment, including those in its tables."""
    return (each for each in comment.iter("*") if read_local_name(each) == "p")


@dataclass
class _Parts:
    """A document's main part, notes and comment parts, by kind."""

    named: Mapping[str, str]
    roots: Mapping[str, _Element]
    main: _Element

    @classmethod
    def read(cls, data: bytes, main: str) -> _Parts:
        with (archive := Archive.open(data, "DOCX", together=False)).archive:
            root = archive.read_xml(main)
            assert root is not None
            relations = archive.read_xml(join(dirname(main), "_rels", f"{basename(main)}.rels"))
            named, roots = {}, {}
            for each in relations if relations is not None else ():
                kind = str(each.get("Type", "")).rpartition("/")[2]
                name = normpath(join(dirname(main), str(each.get("Target", "")))).lstrip("/")
                if kind in ("comments", *_TOLD_OF, "footnotes", "endnotes"):
                    part = archive.read_xml(name)
                    if part is not None:
                        named[kind], roots[kind] = name, part
        return cls(named, roots, root)

    def list_elements(self, kind: str, name: str) -> list[_Element]:
        """Return the elements called ``name`` in the part of the given kind."""
        root = self.roots.get(kind)
        return [] if root is None else [each for each in root if read_local_name(each) == name]

    @cached_property
    def elements(self) -> list[_Element]:
        """Return the elements of the main part in document order."""
        return list(self.main.iter("*"))

    @cached_property
    def places(self) -> Mapping[str, list[int]]:
        """Return the indices in ``elements`` of each comment's marks, in order, by the comment's id."""
        found: dict[str, list[int]] = {}
        for place, each in enumerate(self.elements):
            if read_local_name(each) in _MARKS:
                found.setdefault(read_attribute(each, "id"), []).append(place)
        return found

    def waits(self, start: int, end: int, author: str) -> bool:
        """Return whether a tracked change by an author is pending between two positions in the main part, or
        in a note whose mark is there.
        """
        between = self.elements[start:end]
        return any(
            read_local_name(each) in _CHANGES and read_attribute(each, "author") == author
            for each in (*between, *(one for mark in between for one in self._list_note(mark)))
        )

    def _list_note(self, mark: _Element) -> Iterator[_Element]:
        """Yield the elements of the note to which a mark refers."""
        name = read_local_name(mark)
        if name.endswith("noteReference"):
            kind = name.removesuffix("Reference")
            for each in self.list_elements(f"{kind}s", kind):
                if read_attribute(each, "id") == read_attribute(mark, "id"):
                    yield from each.iter("*")


def replace_members(data: bytes, changed: Mapping[str, bytes]) -> bytes:
    """Return the archive with new contents for some members. The others are copied without being unpacked."""
    out = BytesIO()
    left = dict(changed)
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        if sum(each.compress_size for each in old.infolist()) > len(data):
            raise UnreadableFile("damaged DOCX file (its members overlap)")
        for member in old.infolist():
            if member.filename in left:
                new.writestr(_like(member), left.pop(member.filename), zipfile.ZIP_DEFLATED)
            else:
                _copy_member(data, member, new)
        for name, content in left.items():
            new.writestr(_like(old.infolist()[0], name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _like(member: zipfile.ZipInfo, name: str = "") -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name or member.filename, member.date_time)
    made.external_attr, made.create_system = member.external_attr, member.create_system
    return made


def _copy_member(data: bytes, member: zipfile.ZipInfo, new: zipfile.ZipFile) -> None:
    """Copy a member in compressed form."""
    names = struct.unpack("<HH", data[member.header_offset + 26 : member.header_offset + 30])
    start = member.header_offset + 30 + sum(names)
    made = copy(member)
    made.flag_bits &= ~0x08  # the size is in the header before the data
    file = new.fp
    assert file is not None
    made.header_offset = file.tell()
    file.write(made.FileHeader(zip64=None))
    file.write(data[start : start + member.compress_size])
    new.filelist.append(made)
    new.NameToInfo[made.filename] = made
    new.start_dir = file.tell()
