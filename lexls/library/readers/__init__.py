"""Read a file of the library into a ``SourceDocument``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from lexls.library.document import Extract, SourceDocument, UnreadableFile
from lexls.library.readers.opening import MAX_BYTES, read_bytes

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar
    from lexls.library.readers.corpora import Corpus, CorpusRecord
    from lexls.library.readers.ocr import ReadPictures
    from lexls.library.readers.record_layouts import RecordLayout

_READERS: Mapping[str, tuple[str, str, str]] = {
    "text": ("plain", "extract", ".txt .text"),
    "markdown": ("plain", "extract_markdown", ".md .markdown"),
    "html": ("html", "extract", ".html .htm .xhtml"),
    "xml": ("legal_xml", "extract", ".xml .akn"),
    "docx": ("docx", "extract", ".docx"),
    "pdf": ("pdf", "extract", ".pdf"),
    "json": ("records", "extract", ".json .jsonl .ndjson"),
    "table": ("records", "extract_table", ".csv"),
    "odt": ("odt", "extract", ".odt"),
    "rtf": ("rtf", "extract", ".rtf"),
    "epub": ("page_bundles", "extract_book", ".epub"),
    "e-mail": ("page_bundles", "extract", ".eml"),
    "mhtml": ("page_bundles", "extract_page", ".mht .mhtml"),
    # Files with this suffix are often RTF, web pages or newer Word documents.
    "doc": ("docx", "extract_doc", ".doc"),
}
"""The module and function that read each format, and the lower-case suffixes of its files. The suffix decides
only if a file's content does not show another format.
"""
_FORMATS = {suffix: format for format, (*_, suffixes) in _READERS.items() for suffix in suffixes.split()}
SUFFIXES: frozenset[str] = frozenset(_FORMATS)
"""The suffixes, in lower case, of the files that can be read."""
_PLAIN = frozenset(("text", "markdown", "xml", "json", "table"))
LAID_OUT_SUFFIXES = frozenset(suffix for suffix, format in _FORMATS.items() if format not in _PLAIN)
"""Suffixes of formats that are not written as plain text: web pages and word-processor documents."""
CORPUS_SUFFIXES = frozenset(suffix for suffix, format in _FORMATS.items() if format in ("json", "table"))
"""Suffixes of files that may contain several documents, depending on their content."""


def read(
    path: Path,
    grammar: Grammar,
    max_bytes: int = MAX_BYTES,
    layout: RecordLayout | None = None,
    described: Mapping[str, object] | None = None,
    watermarks: str = "",
) -> SourceDocument:
    """Read ``path`` with the reader of its format, and find its structure and metadata.

    Pictures are read by OCR, ignoring marks that look like the samples in the folder ``watermarks``. Raises
    ``UnreadableFile`` with the reason if the file is missing, not a regular file, larger than ``max_bytes``,
    not readable by this user, empty, or not in the format that its suffix indicates.
    """
    from lexls.library.readers.ocr import read_pictures

    read_pages = partial(read_pictures, watermarks=watermarks)
    return parse(path, read_bytes(path, max_bytes), grammar, read_pages, layout, described)


def read_each(
    path: Path,
    grammar: Grammar,
    max_bytes: int = MAX_BYTES,
    layout: RecordLayout | None = None,
    described: Mapping[str, object] | None = None,
    watermarks: str = "",
) -> Iterator[tuple[str, SourceDocument | UnreadableFile]]:
    """Yield each document of a file with its name, or the error if it cannot be read.

    Most files have one document, named "", as returned by ``read``. A corpus has one for each record, named
    by its identity or else its position. ``layout`` is the user's record layout for the file, if any.
    """
    try:
        corpus = find_corpus(path, max_bytes, layout)
        records = corpus.read() if corpus else ()
        if corpus is None:
            yield "", read(path, grammar, max_bytes, layout, described, watermarks)
        for record in records:
            try:
                document = parse_record(record, grammar, layout)
                yield document.identity or record.place, document
            except UnreadableFile as error:
                yield record.place, error
    except UnreadableFile as error:
        yield "", error


def find_corpus(path: Path, max_bytes: int, layout: RecordLayout | None = None) -> Corpus | None:
    """Return how to read ``path`` if it contains several authorities, or None for any other file.

    Raises ``UnreadableFile`` if it cannot be opened.
    """
    if path.suffix.lower() not in CORPUS_SUFFIXES:
        return None
    from lexls.library.readers import corpora  # only for the few files that may be one

    return corpora.find_corpus(path, max_bytes, layout)


def parse(
    path: Path,
    data: bytes,
    grammar: Grammar,
    read_pictures: ReadPictures | None = None,
    layout: RecordLayout | None = None,
    described: Mapping[str, object] | None = None,
) -> SourceDocument:
    """Read ``data``, the bytes of the file ``path``, with the reader of its format.

    No file is opened, so a hash of ``data`` identifies what was read. ``read_pictures`` reads pages that have
    no text. ``layout`` is the user's record layout, and ``described`` is the catalogues' description of the
    file. Raises ``UnreadableFile`` with the reason if the data is not in the format that the suffix
    indicates, or has no text.
    """
    format = find_format(path, data)
    module, function, _ = _READERS[format]
    more = {"pdf": (read_pictures,), "json": (layout,), "table": (layout,)}.get(format, ())
    extract: Extract = getattr(import_module(f"lexls.library.readers.{module}"), function)(data, *more)
    return _build(extract, path, grammar, format, described)


def parse_record(
    record: CorpusRecord, grammar: Grammar, layout: RecordLayout | None = None
) -> SourceDocument:
    """Read one of several documents of a file; ``layout`` is the user's layout for its records. Raises
    ``UnreadableFile`` with the reason, as ``parse`` does.
    """
    from lexls.library.readers.records import extract_record

    if record.problem:
        raise UnreadableFile(record.problem)
    return _build(extract_record(record.data, record.line > 0, layout), Path(), grammar, "json")


def _build(
    extract: Extract,
    path: Path,
    grammar: Grammar,
    format: str,
    described: Mapping[str, object] | None = None,
) -> SourceDocument:
    from lexls.library.metadata import read_metadata
    from lexls.library.structure import find_structure

    if not extract.pieces:
        raise UnreadableFile("no text in it")
    found, sources = read_metadata(extract, path, grammar, described)
    return SourceDocument(
        text=extract.text,
        metadata=found,
        blocks=find_structure(extract.text, extract.pieces, found.kind, found.title, found.jurisdiction),
        page_starts=extract.page_starts,
        page_numbers=extract.page_numbers,
        source_map=extract.source_map,
        warnings=extract.warnings,
        sources=sources,
        format=extract.format or format,
        scanned=extract.scanned,
        identity=extract.identity,
        boxes=extract.boxes,
    )


_MAGIC: Mapping[str, bytes] = {
    "pdf": rb"\s*%PDF-",
    "rtf": rb"\s*\{\\rtf\d",
    "odt": rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis\.opendocument\.text",
    "epub": rb"PK\x03\x04.{26}mimetypeapplication/epub\+zip",
    "docx": rb"PK\x03\x04(?=.{26}(?:\[Content_Types\]\.xml|_rels/|word/|docProps/))",
    "json": rb'(?:\xef\xbb\xbf)?\s*\{\s*"[\w@$ -]{1,60}"\s*:',
}
"""Patterns for the beginnings of files of each format, which apply whatever the suffix."""
_HEAD_LINES = rb"(?:[\w-]{1,60}:[^\n]*\n|[ \t][^\n]*\n|From [^\n]*\n){0,200}?"
_ENCODED_MAIL = re.compile(
    rb"(?i)(?:\xef\xbb\xbf)?(?=%bFrom:)%b(?:MIME-Version|Content-Transfer-Encoding):"
    % (_HEAD_LINES, _HEAD_LINES)
)
"""The beginning of an e-mail as it is transmitted, whose text may be encoded."""
_MARKED_UP = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\x00]*<")


def find_format(path: Path, data: bytes) -> str:
    """Return a file's format from its content, else from its suffix. Raises ``UnreadableFile`` if the format
    is unknown.
    """
    for format, pattern in _MAGIC.items():
        if re.match(pattern, data, re.DOTALL):
            return format
    if _MARKED_UP.match(data):
        from lexls.library.readers.legal_xml import find_marked_up

        if told := find_marked_up(data):
            return told
    found = _FORMATS.get(path.suffix.lower())
    if found in (None, "text", "markdown") and _ENCODED_MAIL.match(data):
        return "e-mail"
    if found is None:
        raise UnreadableFile(f'no reader for "{path.suffix}" files')
    return found
