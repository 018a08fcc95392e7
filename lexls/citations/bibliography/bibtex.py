"""Bibliographies in BibTeX and BibLaTeX."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping

from lexls.citations.bibliography.record import Record, UnreadableBibliography, year_in
from lexls.citations.model import CitationKind

_KINDS: Mapping[str, CitationKind] = {
    "jurisdiction": "case",
    "case": "case",
    "legal_case": "case",
    "judgment": "case",
    "legislation": "statute",
    "statute": "statute",
    "act": "statute",
    "legal": "treaty",
    "treaty": "treaty",
    "article": "journal",
    "book": "book",
    "mvbook": "book",
    "inbook": "book",
    "incollection": "book",
    "collection": "book",
    "commentary": "book",
    "reference": "book",
}
_BRACES = re.compile(r"[{}]")
_SPACES = re.compile(r"[\s~]+")


def read_bibtex(text: str) -> list[Record]:
    """The entries of a .bib file; one that is broken is passed over.

    Raises ``UnreadableBibliography`` where there are only broken ones.
    """
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.middlewares import LatexDecodingMiddleware

    # Its warnings quote the file.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    library = parse_string(text)
    decoding = LatexDecodingMiddleware()
    found = []
    for entry in library.entries:
        values = {field.key.lower(): str(field.value) for field in entry.fields}
        if any("\\" in value for value in values.values()):
            decoded = decoding.transform_entry(entry, library)
            fields = getattr(decoded, "fields", entry.fields)
            values = {field.key.lower(): str(field.value) for field in fields}
        found.append(_record(entry.key, entry.entry_type.lower(), values))
    if not found and library.failed_blocks:
        raise UnreadableBibliography(f"not BibTeX (line {(library.failed_blocks[0].start_line or 0) + 1})")
    return found


def _record(key: str, kind: str, values: Mapping[str, str]) -> Record:
    return Record(
        key=key,
        kind=_KINDS.get(kind, "other"),
        title=_text(values, "title"),
        short_title=_text(values, "shorttitle"),
        container=_text(values, "reporter", "journaltitle", "journal", "shortjournal", "series", "booktitle"),
        volume=_text(values, "volume"),
        page=_text(values, "pages", "page"),
        number=_text(values, "number", "eid"),
        authority=_text(values, "institution", "court", "authority"),
        year=year_in(_text(values, "date", "year", "origdate")),
        jurisdiction=_text(values, "jurisdiction", "location"),
        note=_text(values, "note", "howpublished"),
    )


def _text(values: Mapping[str, str], *names: str) -> str:
    for name in names:
        value = _SPACES.sub(" ", _BRACES.sub("", values.get(name, ""))).strip()
        if value:
            return value.replace("---", "—").replace("--", "–")
    return ""
