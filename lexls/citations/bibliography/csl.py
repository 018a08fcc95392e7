"""Bibliographies in CSL-JSON and CSL-YAML, as Zotero exports and pandoc reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lexls.citations.bibliography.record import Record, UnreadableBibliography, year_in
from lexls.citations.bibliography.yaml_text import load_yaml
from lexls.citations.model import CitationKind

_KINDS: Mapping[str, CitationKind] = {
    "legal_case": "case",
    "hearing": "case",
    "legislation": "statute",
    "bill": "statute",
    "regulation": "regulation",
    "treaty": "treaty",
    "article-journal": "journal",
    "article-magazine": "journal",
    "article": "journal",
    "book": "book",
    "chapter": "book",
    "entry-encyclopedia": "book",
}


def read_json(text: str) -> list[Record]:
    """The entries of a CSL-JSON file; raises ``UnreadableBibliography``."""
    try:
        return list(records(json.loads(text)))
    except (ValueError, RecursionError) as error:
        raise UnreadableBibliography(f"not JSON ({error})") from None


def read_yaml(text: str) -> list[Record]:
    """The entries of a CSL-YAML file, whose list is called ``references``."""
    data = load_yaml(text)
    return list(records(data.get("references") if isinstance(data, dict) else data))


def records(data: Any) -> Iterator[Record]:
    """The entries of a CSL list; what is no entry is passed over."""
    if isinstance(data, Mapping):
        data = data.get("items", data.get("references", ()))
    for item in data if isinstance(data, list) else ():
        if isinstance(item, Mapping) and item.get("id") not in (None, ""):
            yield _record(item)


def _record(item: Mapping[str, Any]) -> Record:
    return Record(
        key=str(item["id"]),
        kind=_KINDS.get(str(item.get("type", "")).replace(" ", "_"), "other"),
        title=_text(item, "title"),
        short_title=_text(item, "title-short", "shortTitle"),
        container=_text(item, "container-title", "container-title-short", "journalAbbreviation"),
        volume=_text(item, "volume"),
        page=_text(item, "page", "page-first"),
        number=_text(item, "number"),
        authority=_text(item, "authority"),
        year=_year(item.get("issued")),
        jurisdiction=_text(item, "jurisdiction"),
        note=_text(item, "note"),
    )


def _text(item: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = item.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            return str(value).strip()
        if isinstance(value, list) and value and isinstance(value[0], str):
            return value[0].strip()
    return ""


def _year(issued: Any) -> int | None:
    for number in _numbers(issued):
        return number
    return None


def _numbers(issued: Any) -> Iterable[int]:
    if isinstance(issued, Mapping):
        parts = issued.get("date-parts")
        first = parts[0] if isinstance(parts, list) and parts else parts
        if isinstance(first, list) and first:
            issued = first[0]
        else:
            issued = issued.get("year", issued.get("literal", issued.get("raw", "")))
    elif isinstance(issued, list) and issued:
        return _numbers(issued[0])
    year = year_in(str(issued)) if issued is not None else None
    return () if year is None else (year,)
