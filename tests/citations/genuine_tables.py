"""Reads tables of genuine citations and says what the grammar makes of each entry.

The fields of a table are described in ``genuine/README.md``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation, fold
from lexls.text.spans import Span

OPEN, CLOSE = "‹", "›"
AROUND = " \u00a0,"


class TableError(ValueError):
    """A table that cannot be read; the message names the file, the entry and the reason."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A citation that must be read; tuples of kinds, forms and keys are alternatives.

    ``place`` covers a part of its core or of its span in the entry's text.
    """

    place: Span
    kinds: tuple[str, ...]
    forms: tuple[str, ...]
    keys: tuple[str, ...]
    key_open: bool
    pinpoint: tuple[str, ...] | None
    pinpoint_open: bool
    pinpoint_kind: str
    optional: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a table. ``marks`` are the spans of its mentions in ``text``, which has no marks."""

    table: str
    number: int
    jurisdiction: str
    text: str
    marks: tuple[Span, ...]
    name_open: bool
    expected: tuple[Expected, ...]

    @property
    def id(self) -> str:
        """The table, the entry's place in it and its first mention."""
        mark = self.marks[0]
        return f"{self.table}-{self.number}: {self.text[mark.start : mark.end]}"


def tables(folder: Path) -> dict[str, list[Entry]]:
    """The entries of each table (``*.toml``) of a folder, by the table's name.

    Raises ``TableError`` for a folder without tables, a file that is no TOML, or an entry with a fault.
    """
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise TableError(f"{folder}: no tables (*.toml)")
    return {path.stem: _table(path) for path in paths}


def verdicts(folder: Path, grammar: Grammar | None = None) -> Iterator[tuple[Entry, list[str]]]:
    """Each entry of a folder's tables with its faults; an entry without faults is read rightly."""
    grammar = grammar or Grammar.load()
    for entries in tables(folder).values():
        for entry in entries:
            yield entry, faults(entry, grammar)


def faults(entry: Entry, grammar: Grammar) -> list[str]:
    """What the grammar reads otherwise than the entry says, one sentence a fault."""
    found = grammar.find(entry.text, entry.jurisdiction)
    wrong = [
        f"reads {citation.text!r} where nothing is cited"
        for citation in found
        if not any(_overlap(citation.span, mark) for mark in entry.marks)
    ]
    for mark in entry.marks:
        mentions = [citation for citation in found if _overlap(citation.span, mark)]
        expected = [one for one in entry.expected if _overlap(one.place, mark)]
        if not mentions:
            wrong.append(f"does not read {entry.text[mark.start : mark.end]!r}")
            continue
        wrong += _span_faults(entry, mark, mentions)
        wrong += _citation_faults(entry, expected, mentions)
    return wrong


def _span_faults(entry: Entry, mark: Span, mentions: list[Citation]) -> Iterator[str]:
    start = min(citation.span.start for citation in mentions)
    end = max(citation.span.end for citation in mentions)
    first = min(citation.core.start for citation in mentions)
    right = entry.text[mark.start : mark.end]
    read = entry.text[start:end]
    tail = entry.text[min(end, mark.end) : max(end, mark.end)].strip(AROUND)
    head = entry.text[min(start, mark.start) : max(start, mark.start)].strip(AROUND)
    if entry.name_open and mark.start <= start <= first:
        head = ""
    if head or tail:
        yield f"the span is {read!r}, not {right!r}"


def _citation_faults(entry: Entry, expected: list[Expected], mentions: list[Citation]) -> Iterator[str]:
    matches = _matches(expected, mentions)
    pinpoints = {one.pinpoint for one in expected if one.pinpoint is not None}
    read = {_labels(citation) for citation in mentions}
    others = [citation for citation in mentions if citation not in matches]
    parallel = [citation for citation in others if any(_other_key(citation.key, one) for one in expected)]
    for one, match in zip(expected, matches, strict=True):
        if match is None:
            if not one.optional:
                yield f"does not read {entry.text[one.place.start : one.place.end]!r}"
            continue
        shared = bool(parallel) or sum(other.pinpoint == one.pinpoint for other in expected) > 1
        if match.pinpoint is None and shared and one.pinpoint in read:
            one = replace(one, pinpoint=None)
        yield from _field_faults(one, match, pinpoints)
    for citation in others:
        if citation not in parallel:
            core = entry.text[citation.core.start : citation.core.end]
            yield f"reads {core!r} as a citation of its own"


def _matches(expected: list[Expected], mentions: list[Citation]) -> list[Citation | None]:
    """The citation read for each expected one: by its core, else (one that must be read) by its span."""
    left = list(mentions)
    matches: list[Citation | None] = []
    for one in expected:
        match = next((citation for citation in left if _overlap(citation.core, one.place)), None)
        if match is not None:
            left.remove(match)
        matches.append(match)
    for at, one in enumerate(expected):
        if matches[at] is None and not one.optional:
            match = next((citation for citation in left if _overlap(citation.span, one.place)), None)
            if match is not None:
                left.remove(match)
            matches[at] = match
    return matches


def _field_faults(one: Expected, citation: Citation, siblings: set[tuple[str, ...]]) -> Iterator[str]:
    if citation.kind not in one.kinds:
        yield f"the kind is {citation.kind}, not {' or '.join(one.kinds)}"
    if citation.form not in one.forms:
        yield f"the form is {citation.form}, not {' or '.join(one.forms)}"
    if not any(_same_key(citation.key, key, one.key_open) for key in one.keys):
        yield f"the key is {citation.key!r}, not {' or '.join(map(repr, one.keys))}"
    labels = _labels(citation)
    if one.pinpoint is None:
        if labels is not None and labels not in siblings:
            yield f"has the pinpoint {labels}, where there is none"
        return
    if labels is None or citation.pinpoint is None:
        yield f"has no pinpoint, not {one.pinpoint}"
        return
    right = (
        fold("".join(labels)).startswith(fold("".join(one.pinpoint)))
        if one.pinpoint_open
        else labels == one.pinpoint
    )
    if not right:
        yield f"the pinpoint is {labels}, not {one.pinpoint}"
    if one.pinpoint_kind and citation.pinpoint.kind != one.pinpoint_kind:
        yield f"the pinpoint's kind is {citation.pinpoint.kind}, not {one.pinpoint_kind}"


def _other_key(found: str, one: Expected) -> bool:
    return one.key_open and any(_same_key(found, key, False) for key in one.keys)


def _labels(citation: Citation) -> tuple[str, ...] | None:
    return None if citation.pinpoint is None else tuple(map(_plain, citation.pinpoint.labels))


def _same_key(found: str, key: str, is_open: bool) -> bool:
    found, key = fold(found), fold(key)
    return found == key or (is_open and bool(found) and (found in key or key in found))


def _plain(label: str) -> str:
    return "".join(label.split()).replace("–", "-").replace("*", "")


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _table(path: Path) -> list[Entry]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TableError(f"{path}: {error}") from error
    jurisdiction = table.get("jurisdiction")
    if not isinstance(jurisdiction, str):
        raise TableError(f"{path}: no `jurisdiction`")
    entries = []
    for number, fields in enumerate(table.get("citation", []), 1):
        try:
            entries.append(_entry(path.stem, number, jurisdiction, fields))
        except (KeyError, TypeError, ValueError) as error:
            raise TableError(f"{path}: entry {number}: {error}") from error
    return entries


def _entry(table: str, number: int, jurisdiction: str, fields: dict[str, Any]) -> Entry:
    text = ""
    marks = []
    first, *pieces = fields["text"].split(OPEN)
    text += first
    for piece in pieces:
        inside, close, outside = piece.partition(CLOSE)
        if not close or not inside:
            raise ValueError("a mark ‹…› is empty or not closed")
        marks.append(Span(len(text), len(text) + len(inside)))
        text += inside + outside
    if not marks:
        raise ValueError("no mark ‹…›")
    expected = []
    at = 0
    for one in fields.get("expect", [fields]):
        if "expect" in fields:
            at = text.index(one["quote"], at)
            place = Span(at, at + len(one["quote"]))
            at += 1
        else:
            place = marks[0]
        expected.append(_expected(place, one))
    for mark in marks:
        if not any(_overlap(one.place, mark) for one in expected):
            raise ValueError(f"nothing is expected of {text[mark.start : mark.end]!r}")
    return Entry(
        table, number, jurisdiction, text, tuple(marks), fields.get("name_open", False), tuple(expected)
    )


def _expected(place: Span, fields: dict[str, Any]) -> Expected:
    pinpoint_open = fields.get("pinpoint_open", False)
    pinpoint = fields.get("pinpoint", [] if pinpoint_open else None)
    return Expected(
        place=place,
        kinds=_alternatives(fields["kind"]),
        forms=_alternatives(fields.get("form", "full")),
        keys=_alternatives(fields["key"]),
        key_open=fields.get("key_open", False),
        pinpoint=None if pinpoint is None else tuple(map(_plain, pinpoint)),
        pinpoint_open=pinpoint_open,
        pinpoint_kind=fields.get("pinpoint_kind", ""),
        optional=fields.get("optional", False),
    )


def _alternatives(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
