"""Read bibliographies in BibTeX, CSL and Hayagriva, and the citations and locators that refer to their keys.

``bibliography.toml`` maps the names that each format uses for kinds and fields.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from lexls.citations.grammar import Grammar
from lexls.citations.jurisdiction import find_jurisdiction_by_name
from lexls.citations.model import Citation, CitationKind, Pinpoint, PinpointKind, join_spaces
from lexls.citations.pinpoints import read_labels
from lexls.text.dates import normalise_date
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span
from lexls.text.yaml_data import UnreadableYaml, load_yaml

_YEAR = re.compile(r"(?<!\d)(1[0-9]\d\d|20\d\d)(?!\d)")
_BRACES = re.compile(r"[{}]")
_SPACES = re.compile(r"[\s~]+")
_FIRST = re.compile(r"[A-Za-z]?\d+[A-Za-z]?")
_UNESCAPED_COLON = re.compile(r"(?<!\\):")
_UNESCAPED_SEMICOLON = re.compile(r"(?<!\\);")
_SUFFIX = re.compile(r"\.\w{1,6}\s*$")
_DRIVE = re.compile(r"[A-Za-z]")
_LONGEST = 1000
"""Maximum length, in code points, of a field that is searched for a citation."""
_CITED_BY_PAGE = frozenset({"case", "journal", "book", "other"})
_TERM = re.compile(
    r"(?:at\s{1,3})?(?P<term>[A-Za-z]{1,11}|¶{1,2}|§{1,2})\.?(?:\s|~|\\,|(?=[\d\[(§¶]))\s{0,3}"
)
_LABEL = r"\d{1,5}[A-Za-z]{0,2}(?:\.\d{1,4}){0,3}(?:\s?\([0-9A-Za-z]{1,5}\)){0,4}"
_LABELS = re.compile(
    rf"(?:at\s{{1,3}})?\[?\s?{_LABEL}\]?(?:\s{{0,3}}(?:[-–—]{{1,3}}|,|;|&|\band\b|\bto\b)\s{{0,3}}\[?\s?{_LABEL}\]?){{0,30}}"
)
_AT = re.compile(r"at\s{1,3}")


class UnreadableBibliography(Exception):
    """A bibliography that is not valid in its format; the message gives the user the reason."""


@dataclass(frozen=True, slots=True)
class Record:
    """One bibliography entry; missing fields are "".

    ``container`` is the report or journal. ``number`` is a neutral citation or a court's own number, and
    ``authority`` the court that assigned it. ``year`` is None if missing; ``date`` is ISO 8601, possibly only
    the year or the year and month. ``files`` are the paths of attachments, as written. ``line`` is the
    entry's first line, from 1 (0 if the format does not record it).
    """

    key: str
    kind: CitationKind
    title: str = ""
    short_title: str = ""
    container: str = ""
    volume: str = ""
    page: str = ""
    number: str = ""
    authority: str = ""
    year: int | None = None
    jurisdiction: str = ""
    note: str = ""
    date: str = ""
    files: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """The authority that a bibliography key refers to.

    ``key`` is a normalised citation key, or the title and year if no citation form matches. ``style`` is the
    unit of a bare number after the key.
    """

    key: str
    name: str
    kind: CitationKind
    year: int | None
    jurisdiction: str
    style: PinpointKind


@lru_cache(maxsize=1)
def _load() -> Mapping[str, Any]:
    """Return the contents of ``bibliography.toml``, with the words for kinds and locators mapped to lexls's
    names.
    """
    data = load_phrases("lexls.citations", "bibliography.toml")
    for table in (data, *data.values()):
        for name in {"kinds", "locators"} & set(table):
            table[name] = {word: called for called, listed in table[name].items() for word in listed.split()}
    return data


def read_bibtex(text: str) -> list[Record]:
    """Return the entries of a .bib file, skipping broken ones.

    Raises ``UnreadableBibliography`` if all of them are broken.
    """
    found, broken = read_bibtex_and_faults(text)
    if not found and broken:
        raise UnreadableBibliography(f"not BibTeX (line {broken[0]})")
    return found


def read_bibtex_and_faults(text: str) -> tuple[list[Record], list[int]]:
    """Return the entries of a .bib file, and the line (from 1) on which each broken entry begins."""
    import logging

    from bibtexparser.entrypoint import parse_string
    from bibtexparser.middlewares import LatexDecodingMiddleware
    from bibtexparser.model import Entry as BibtexEntry

    # Its warnings quote the file.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    library = parse_string(text)
    decoding = LatexDecodingMiddleware()
    known = {name for listed in _load()["bibtex"]["fields"].values() for name in listed.split()}
    found = []
    for entry in library.entries:
        fields = [field for field in entry.fields if field.key.lower() in known]
        # Decoding takes a millisecond for a short field; abstracts are long.
        coded = [field for field in fields if "\\" in str(field.value)]
        if coded:
            decoded = decoding.transform_entry(BibtexEntry(entry.entry_type, entry.key, coded), library)
            fields += getattr(decoded, "fields", ())
        values = {field.key.lower(): str(field.value) for field in fields}
        # Backslashes in paths are not LaTeX.
        files = next((str(field.value) for field in entry.fields if field.key.lower() == "file"), "")
        record = _record("bibtex", entry.key, entry.entry_type.lower(), values, _read_latex)
        line = (entry.start_line or 0) + 1
        found.append(replace(record, files=tuple(_split_files(files)), line=line))
    return found, [(block.start_line or 0) + 1 for block in library.failed_blocks]


def _split_files(value: str) -> Iterator[str]:
    """Yield the paths in a ``file`` field.

    Zotero writes "Full Text:files/12/x.pdf:application/pdf;…", JabRef ":x.pdf:PDF", Better BibTeX
    "x.pdf;y.pdf". Separators within a path are escaped with a backslash, but not always the colon of a
    Windows drive.
    """
    for each in _UNESCAPED_SEMICOLON.split(value.strip()):
        parts = _UNESCAPED_COLON.split(each)
        for place in range(len(parts) - 2, -1, -1):
            if _DRIVE.fullmatch(parts[place]) and parts[place + 1][:1] in ("\\", "/"):
                parts[place : place + 2] = [f"{parts[place]}:{parts[place + 1]}"]
        # A description may precede the path, and the file type may follow it.
        path = next((part for part in parts if _SUFFIX.search(part)), parts[0])
        if path := re.sub(r"\\(.)", r"\1", path).strip():
            yield path


def read_json(text: str) -> list[Record]:
    """Return the entries of a CSL-JSON file; raise ``UnreadableBibliography`` if it is not JSON."""
    try:
        return list(read_records(json.loads(text)))
    except (ValueError, RecursionError) as error:
        raise UnreadableBibliography(f"not JSON ({error})") from None


def read_yaml(text: str) -> list[Record]:
    """Return the entries of a CSL-YAML file, which lists them under ``references``."""
    data = _load_yaml(text)
    return list(read_records(data.get("references") if isinstance(data, dict) else data))


def read_records(data: Any) -> Iterator[Record]:
    """Yield the entries of a CSL list, skipping any other item."""
    if isinstance(data, Mapping):
        data = data.get("items", data.get("references", ()))
    for item in data if isinstance(data, list) else ():
        if isinstance(item, Mapping) and item.get("id") not in (None, ""):
            kind = str(item.get("type", "")).replace(" ", "_")
            files = [item.get("file"), item.get("localPath")]
            attached = item.get("attachments")
            for each in attached if isinstance(attached, list) else ():
                if isinstance(each, Mapping):
                    files.append(each.get("localPath") or each.get("path") or each.get("file"))
            named = tuple(dict.fromkeys(each for each in files if isinstance(each, str) and each.strip()))
            yield replace(_record("csl", str(item["id"]), kind, item, _read_csl), files=named)


def read_hayagriva(text: str) -> list[Record]:
    """Return the entries of a Hayagriva file. Raises ``UnreadableBibliography`` if the file is not a mapping
    from keys.
    """
    data = _load_yaml(text)
    if not isinstance(data, Mapping):
        raise UnreadableBibliography("not a Hayagriva file (its top is no mapping of keys)")
    return [
        _record("hayagriva", str(key), str(item.get("type", "")).lower(), item, _read_hayagriva)
        for key, item in data.items()
        if isinstance(item, Mapping)
    ]


def _load_yaml(text: str) -> Any:
    try:
        return load_yaml(text)
    except UnreadableYaml as error:
        raise UnreadableBibliography(str(error)) from None


def _record(format: str, key: str, kind: str, item: Mapping[str, Any], read: Callable[[Any], str]) -> Record:
    """Build an entry from an item of a format, using the format's names for kinds and fields.

    ``read`` converts a field's value to text.
    """
    names = _load()[format]
    values: dict[str, Any] = {
        field: next(filter(None, (read(_find(item, name)) for name in listed.split())), "")
        for field, listed in names["fields"].items()
    }
    year = _YEAR.search(values["year"])
    values["year"] = int(year.group()) if year is not None else None
    values["date"] = normalise_date(values["date"]) if values["date"] else ""
    return Record(key, names["kinds"].get(kind, "other"), **values)


def _find(item: Any, path: str) -> Any:
    for name in path.split("."):
        if isinstance(item, list):
            item = item[0] if item else None
        item = item.get(name) if isinstance(item, Mapping) else None
    return item


def _read_latex(value: Any) -> str:
    text = _SPACES.sub(" ", _BRACES.sub("", value or "")).strip()
    return text.replace("---", "—").replace("--", "–")


def _read_csl(value: Any) -> str:
    """Return a CSL field's text. If it is a date, return its first date-part."""
    if isinstance(value, Mapping):
        parts = value.get("date-parts", value.get("year", value.get("literal", value.get("raw"))))
        if isinstance(parts, list) and parts and isinstance(parts[0], list):
            numbers = [_read_csl(part) for part in parts[0][:3]]
            return "-".join(number.zfill(2) for number in numbers if number.isdigit())
        return _read_csl(parts)
    if isinstance(value, list):
        return _read_csl(value[0]) if value else ""
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _read_hayagriva(value: Any) -> str:
    if isinstance(value, Mapping):
        value = value.get("value", next(iter(value.values()), ""))
    return " ".join(str(value).split()) if value is not None and not isinstance(value, list) else ""


def read_entry(record: Record, grammar: Grammar, jurisdiction: str) -> Entry:
    """Return the authority that an entry refers to in a draft of a jurisdiction."""
    place = find_jurisdiction_by_name(record.jurisdiction) or jurisdiction
    name = record.title
    read = [(text, found) for text in _candidates(record) if (found := _read(text, record, grammar, place))]
    # Complete matches first: "1 WLR 153" is only part of "[1990] 1 WLR 153".
    read.sort(key=lambda each: len(each[1].core) < len(each[0]))
    for text, found in read[:1]:
        if found.name and text == record.title and record.kind == "case":
            name = found.name
        core = grammar.core_of(found.key, place)
        style: PinpointKind = core.form.pinpoint if core is not None else _usual(record.kind)
        year = record.year or found.year
        return Entry(found.key, name or found.name, record.kind, year, found.jurisdiction or place, style)
    title = join_spaces(record.title)
    dated = title if record.year is None or str(record.year) in title else f"{title} ({record.year})"
    return Entry(dated, name, record.kind, record.year, place, _usual(record.kind))


def find_own_citations(record: Record, grammar: Grammar) -> list[str]:
    """Return the normalised keys of the entry's own citations, in the order of its fields.

    The title is ignored, and so is a field that contains more than the citation.
    """
    place = find_jurisdiction_by_name(record.jurisdiction)
    read = [
        found.key
        for text in _candidates(record)
        if text != record.title
        and (found := _read(text, record, grammar, place))
        and len(found.core) == len(text)
    ]
    return list(dict.fromkeys(read))


def _read(text: str, record: Record, grammar: Grammar, jurisdiction: str) -> Citation | None:
    """Return the full citation in a text, or None if the field contains something else."""
    for found in grammar.find(text, jurisdiction) if 0 < len(text) <= _LONGEST else ():
        if found.form == "full" and not _is_other(found.kind, record.kind):
            return found
    return None


def _is_other(found: CitationKind, wanted: CitationKind) -> bool:
    """Return whether the kind of a citation contradicts the kind that its entry states."""
    return wanted in ("case", "statute") and found not in (wanted, "other")


def _usual(kind: CitationKind) -> PinpointKind:
    return "page" if kind in _CITED_BY_PAGE else "section"


def _candidates(record: Record) -> Iterator[str]:
    """Yield the texts that may be the entry's citation, the most reliable first."""
    if record.kind in ("statute", "regulation", "treaty"):
        if record.year is not None and str(record.year) not in record.title:
            yield f"{record.title} {record.year}"
        yield record.title
        return
    yield record.number
    year, report, volume = record.year, record.container, record.volume
    number = record.number if record.number.isdigit() else ""
    for court in (report, record.authority) if number and not record.page and year else ():
        yield f"[{year}] {court} {number}"
        yield f"{year} {court} {number}"
    first = _FIRST.match(record.page)
    if report and first is not None:
        page = first.group()
        if volume:
            yield f"{volume} {report} {page}" + (f" ({year})" if year else "")
        if year:
            yield f"({year}) {volume} {report} {page}"
            yield f"[{year}] {volume} {report} {page}" if volume else f"[{year}] {report} {page}"
            yield f"{report} {year} {volume} {page}" if volume else f"{report} {year} {page}"
    yield record.note
    yield record.title


def read_locator(text: str, span: Span, style: PinpointKind) -> Pinpoint | None:
    """Return the pinpoint given by the locator at ``span`` of ``text``, or None.

    ``style`` is the unit of a bare number. Brackets always mean paragraphs.
    """
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    kind = style
    term = _TERM.match(text, start, end)
    if term is not None and term["term"].casefold() == "at":
        term = None
    if term is not None:
        named = _load()["locators"].get(term["term"].casefold())
        if named is None:
            return None
        kind, start = named, term.end()
    labels = _LABELS.match(text, start, end)
    if labels is None:
        return None
    if term is None:
        at = _AT.match(text, start, end)
        start = at.end() if at is not None else start
        if text[start] == "[":
            kind = "paragraph"
    words = text[start : labels.end()]
    found = read_labels(re.sub(r"(?<=\d)\s(?=\()", "", words).replace("–", "-").replace("--", "-"))
    return Pinpoint(kind, found, Span(start, labels.end())) if found else None
