"""Read the XML in which courts, parliaments and publishers issue law: Akoma Ntoso, USLM and others.

The role of each element and the location of each fact (title, citations, court, date, docket) are data: one
TOML file for each vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from lexls.citations.jurisdiction import find_court_of_citation
from lexls.library.document import Extract, ExtractedPiece, UnreadableFile
from lexls.library.marks import Numbered, find_rising
from lexls.library.readers.decoding import decode_marked_up
from lexls.library.readers.xml_text import TextWriter, read_words
from lexls.library.readers.xml_tree import (
    DocumentKind,
    Node,
    XmlVocabulary,
    find_root,
    find_vocabulary,
    read_tree,
)
from lexls.library.title_case import in_capitals, write_title_case

_BEGINNING = 16_384
_TAG = re.compile(r"<([A-Za-z_][^\s/>]*)([^>]*)>")
_WRAPPERS = 3
"""Maximum number of elements that may enclose the one that identifies a vocabulary."""


def find_marked_up(data: bytes) -> str:
    """Return the format that a file's root element shows: "xml" for a known vocabulary, "html", or "" for any
    other.
    """
    name, attributes = find_root(_decode_beginning(data))
    if name.lower() == "html":
        return "html"
    return "xml" if name and find_vocabulary(name, attributes) is not None else ""


def extract(data: bytes) -> Extract:
    """Read legal XML. Raises ``UnreadableFile`` if it is damaged or in no known vocabulary."""
    source, stated = decode_marked_up(data)
    root = read_tree(source)
    found = _find_document(root, source)
    kind = found[0].find_kind(found[1]) if found is not None else None
    if found is None or kind is None:
        raise UnreadableFile(f"an XML vocabulary that lexls does not know (root element {root.tag})")
    vocabulary, document = found
    writer = TextWriter(vocabulary, kind)
    writer.write(document)
    pages = writer.pages
    declared = read_facts(document, kind, vocabulary)
    pieces = _keep_series(writer.pieces) if declared.get("kind") == "case" else writer.pieces
    return Extract(
        text="".join(writer.parts),
        pieces=tuple(pieces),
        page_starts=(0, *(start for start, _ in pages[1:])) if pages else (),
        page_numbers=tuple(number for _, number in pages),
        source_map=tuple(writer.source_map),
        declared=declared,
        declared_is_all=True,
        notes=writer.notes,
        warnings=stated,
        format=vocabulary.format,
    )


_PARAGRAPH = re.compile(r"(\d{1,4})([A-Z]{0,2})")


def _keep_series(pieces: Sequence[ExtractedPiece]) -> list[ExtractedPiece]:
    """Return a judgment's pieces. Paragraphs whose numbers are not the judgment's own, because a quoted
    judgment starts again from 1, lose their labels and count as quoted.
    """
    numbered = [
        Numbered(position, int(match[1]), match[2])
        for position, piece in enumerate(pieces)
        if piece.label and (match := _PARAGRAPH.fullmatch(piece.label))
    ]
    if len(numbered) * 2 < sum(1 for piece in pieces if piece.label):
        return list(pieces)  # numbered by chapter: "3.12"
    own = {numbered[index].piece for index in find_rising(numbered)}
    return [
        replace(piece, label="", quoted=True) if piece.label and position not in own else piece
        for position, piece in enumerate(pieces)
    ]


def _find_document(root: Node, source: str) -> tuple[XmlVocabulary, Node] | None:
    """Return the vocabulary of a document and its root, which may be inside a wrapper; None if there
    is none.
    """
    node, inherited = root, ""
    beginning = find_root(source[:_BEGINNING])
    tags = islice(_TAG.finditer(source, source.find("<" + beginning[0])), _WRAPPERS)
    for match in tags:
        inherited += match[2]
        vocabulary = find_vocabulary(match[1], inherited)
        if vocabulary is not None:
            return vocabulary, node
        if not len(node):
            break
        node = next(iter(node))
    return None


def _decode_beginning(data: bytes) -> str:
    beginning = data[:_BEGINNING]
    if beginning[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return beginning.decode("utf-16", "ignore")
    return beginning.decode("utf-8", "ignore")


_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_REFERENCE = " -> "
_DATE = re.compile(r"(\d{4})-?(\d{1,2})-?(\d{1,2})")


def read_facts(root: Node, kind: DocumentKind, vocabulary: XmlVocabulary) -> dict[str, object]:
    """Return the fields of ``Metadata`` that the document declares, with their values.

    The ``citations`` of the vocabulary become the citation and the parallel citations; ``docket`` is a list.
    The neutral citation determines the court, since it identifies the division.
    """
    reader = _FactReader(root, vocabulary)
    facts: dict[str, object] = {}
    for name, sources in kind.declared.items():
        if name in ("citations", "docket"):
            found = list(dict.fromkeys(value for source in sources for value in reader.read_first(source)))
            if found:
                cited = {"citation": found[0], "parallel_citations": found[1:]}
                facts |= cited if name == "citations" else {name: found}
        elif values := reader.read_first(sources):
            facts[name] = values[0]
    citation, place = str(facts.get("citation", "")), str(facts.get("jurisdiction", ""))
    if facts.get("kind") == "case" and (court := find_court_of_citation(citation, place)):
        facts["court"] = court
    if parts := _DATE.fullmatch(str(facts.get("date", ""))):
        facts["date"] = f"{parts[1]}-{int(parts[2]):02}-{int(parts[3]):02}"
    return facts


class _FactReader:
    """Reads single facts from a tree, at the locations given in the TOML files."""

    def __init__(self, root: Node, vocabulary: XmlVocabulary) -> None:
        self._root = root
        self._roles = vocabulary.roles
        self._references: dict[str, Node] | None = None

    def read_first(self, source: Any) -> list[str]:
        """Return the values of a source. If it is a list of sources, return those of the first source that
        has any.
        """
        if not isinstance(source, (list, tuple)):
            return list(self.read(source))
        return next(filter(None, (list(self.read(each)) for each in source)), [])

    def read(self, source: Any) -> Iterator[str]:
        """Yield the non-empty values of a source."""
        if isinstance(source, str):
            yield from filter(None, self._values(source, title_case=False))
            return
        if "is" in source:
            yield source["is"]
            return
        if "parties" in source:
            yield from filter(None, [self._parties(source["parties"], source["by"])])
            return
        pattern = re.compile(source.get("pattern", ""))
        table: Mapping[str, str] = source.get("values", {})
        for value in self._values(source["at"], title_case=source.get("title_case", False)):
            match = pattern.search(value)
            if match is None:
                continue
            if "pattern" in source:
                value = source.get("as", "{0}").format(
                    match[0], *(group or "" for group in match.groups()), **match.groupdict("")
                )
            if table:
                value = next((known for key, known in table.items() if re.fullmatch(key, value, re.I)), "")
            value = " ".join(value.split())
            if source.get("upper"):
                value = value.upper()
            if value:
                yield value

    def _values(self, source: str, *, title_case: bool) -> Iterator[str]:
        """Yield the values at a path. For a template, yield its text with the first value at each path, or
        nothing if a path has no value.
        """
        if "{" not in source:
            for value in self._at(source):
                yield write_title_case(value) if title_case and in_capitals(value) else value
            return
        filled: dict[str, str] = {}
        for path in _PLACEHOLDER.findall(source):
            filled[path] = next(self._at(path), "")
            if not filled[path]:
                return
            if title_case and in_capitals(filled[path]):
                filled[path] = write_title_case(filled[path])
        yield _PLACEHOLDER.sub(lambda match: filled[match[1]], source)

    def _at(self, path: str) -> Iterator[str]:
        """Yield the words of the elements, or the values of the attributes, at a path."""
        path, refers, target = path.partition(_REFERENCE)
        elements, _, attribute = path.rpartition("/@") if "/@" in path else (path, "", "")
        for node in [self._root] if elements == "." else self._root.iterfind(elements):
            value = (
                " ".join((node.get(attribute) or "").split()) if attribute else read_words(node, self._roles)
            )
            if refers:
                other = self._find_named(value.lstrip("#~"))
                value = other.get(target.lstrip("@")) or "" if other is not None else ""
            if value:
                yield value

    def _find_named(self, name: str) -> Node | None:
        if self._references is None:
            self._references = {}
            for node in self._root.iter():
                if identifier := node.get("eId") or node.get("id"):
                    self._references.setdefault(identifier, node)
        return self._references.get(name)

    def _parties(self, path: str, by: str) -> str:
        """Return the case's name from the first party of each of the first two roles; "" if fewer than two
        roles have a party.
        """
        first: dict[str, str] = {}
        for node in self._root.iterfind(path):
            words = read_words(node).strip(" ,;:.-–") if node.get(by) else ""
            if words:
                first.setdefault(node.get(by, ""), write_title_case(words) if in_capitals(words) else words)
        return " v ".join(list(first.values())[:2]) if len(first) > 1 else ""
