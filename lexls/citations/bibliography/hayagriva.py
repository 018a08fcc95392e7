"""Bibliographies in Hayagriva's YAML, which Typst reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lexls.citations.bibliography.record import Record, UnreadableBibliography, year_in
from lexls.citations.bibliography.yaml_text import load_yaml
from lexls.citations.model import CitationKind

_KINDS: Mapping[str, CitationKind] = {
    "case": "case",
    "legislation": "statute",
    "article": "journal",
    "book": "book",
    "chapter": "book",
    "anthos": "book",
    "anthology": "book",
    "reference": "book",
}


def read_hayagriva(text: str) -> list[Record]:
    """The entries of a Hayagriva file: a mapping from keys; raises ``UnreadableBibliography``."""
    data = load_yaml(text)
    if not isinstance(data, Mapping):
        raise UnreadableBibliography("not a Hayagriva file (its top is no mapping of keys)")
    return [_record(str(key), item) for key, item in data.items() if isinstance(item, Mapping)]


def _record(key: str, item: Mapping[str, Any]) -> Record:
    above = item.get("parent")
    parent = above[0] if isinstance(above, list) and above else above
    parent = parent if isinstance(parent, Mapping) else {}
    return Record(
        key=key,
        kind=_KINDS.get(str(item.get("type", "")).lower(), "other"),
        title=_text(item.get("title")),
        short_title=_short(item.get("title")),
        container=_text(parent.get("title")),
        volume=_text(item.get("volume")) or _text(parent.get("volume")),
        page=_text(item.get("page-range")) or _text(item.get("page")),
        number=_text(item.get("serial-number")),
        authority=_text(item.get("organization")) or _text(parent.get("organization")),
        year=year_in(_text(item.get("date")) or _text(parent.get("date"))),
        jurisdiction=_text(item.get("location")),
        note=_text(item.get("note")),
    )


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        value = value.get("value", next(iter(value.values()), ""))
    return " ".join(str(value).split()) if value is not None and not isinstance(value, list) else ""


def _short(value: Any) -> str:
    return _text(value.get("short")) if isinstance(value, Mapping) else ""
