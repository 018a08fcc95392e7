"""Read the XML in which courts, parliaments and publishers issue law: Akoma Ntoso, USLM and others.

What an element is and where the facts stand is data: one TOML file for each vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from lexls.library.document import Extract, ExtractedPiece, UnreadableFile
from lexls.library.readers.decoding import decode_marked_up
from lexls.library.readers.xml_facts import read_facts
from lexls.library.readers.xml_text import TextWriter
from lexls.library.readers.xml_tree import Node, find_root, read_tree
from lexls.library.readers.xml_vocabulary import XmlVocabulary, find_vocabulary
from lexls.library.sequences import Numbered, find_rising

_BEGINNING = 16_384
_TAG = re.compile(r"<([A-Za-z_][^\s/>]*)([^>]*)>")
_WRAPPERS = 3
"""So many elements may stand around the one by which a vocabulary is known."""


def find_marked_up(data: bytes) -> str:
    """What a file is by its root element: "xml" in a known vocabulary, "html", or "" for all others."""
    name, attributes = find_root(_decode_beginning(data))
    if name.lower() == "html":
        return "html"
    return "xml" if name and find_vocabulary(name, attributes) is not None else ""


def extract(data: bytes) -> Extract:
    """Read legal XML. Raises ``UnreadableFile`` for XML that is damaged or in no known vocabulary."""
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
    """A judgment's pieces, numbered only by its own paragraphs: those of judgments that it quotes restart."""
    numbered = [
        Numbered(position, int(match[1]), match[2])
        for position, piece in enumerate(pieces)
        if piece.label and (match := _PARAGRAPH.fullmatch(piece.label))
    ]
    if len(numbered) * 2 < sum(1 for piece in pieces if piece.label):
        return list(pieces)  # numbered by chapters, as "3.12"
    own = {numbered[index].piece for index in find_rising(numbered)}
    return [
        replace(piece, label="", quoted=True) if piece.label and position not in own else piece
        for position, piece in enumerate(pieces)
    ]


def _find_document(root: Node, source: str) -> tuple[XmlVocabulary, Node] | None:
    """The vocabulary of a document and its root, which a wrapper may stand around."""
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
