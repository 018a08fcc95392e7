"""Describe the layouts of records (JSON objects and table rows): where their text and facts are.

The user's own layouts apply to the files that they name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path as JsonPath
from typing import Any, Literal

from pathspec import PathSpec

from lexls.citations.jurisdiction import find_jurisdiction_by_name
from lexls.library.document import NO_AUTHORITY, UnreadableFile
from lexls.library.readers.json_strings import Path, clean
from lexls.library.report_heads import read_dockets, write_name
from lexls.text.paths import read_globs
from lexls.text.phrases import load_phrases

_PLACE = re.compile(r"\{(\w+)\}")
_HOST = re.compile(r"(?:https?://)?(?:www\d?\.)?([a-z0-9.-]{4,80})", re.IGNORECASE)
_CIRCUIT = re.compile(r"Court of Appeals for the .*\bCircuit$")
_LONGEST_FACT = 2000
_LONGEST_NAME = 200
_LONGEST_SLUG = 72
"""Maximum length, in characters, of a title in a web address that is complete; a longer one may be
cut off.
"""


@dataclass(frozen=True, slots=True)
class RecordRule:
    """Where a record has a fact, and how it is read; see ``record_layouts.toml``."""

    at: tuple[str, ...]
    pattern: re.Pattern[str] | None = None
    write: str = ""
    through: Literal["", "court", "site", "slug"] = ""

    def read(self, record: Any, text: str) -> Iterator[str]:
        """Yield the values of the fact in a record; ``text`` is the document's text."""
        for _, value in find_values(record, self.at):
            if self.pattern is None and self.write:
                value = _fill(self.write, value) if isinstance(value, Mapping) else ""
            if isinstance(value, bool) or not isinstance(value, str | int):
                continue
            written = clean(str(value)[:_LONGEST_FACT]).strip()
            if self.pattern is not None:
                found = self.pattern.search(written)
                written = "" if found is None else _fill(self.write or "{value}", found.groupdict())
            if self.through == "court":
                written = _name_court(written)
            elif self.through == "site":
                written = _name_court_of_site(written)
            elif self.through == "slug":
                written = write_name(written.replace("-", " "), text) if len(written) < _LONGEST_SLUG else ""
            if written:
                yield written


def _fill(template: str, values: Mapping[str, Any]) -> str:
    places = _PLACE.findall(template)
    if not all(isinstance(values.get(place), str | int) and str(values[place]) for place in places):
        return ""
    return _PLACE.sub(lambda place: str(values[place[1]]), template)


def _name_court(identifier: str) -> str:
    """Return the name of a court by its identifier ("ca1"), or "" if unknown."""
    return _name_courts()[0].get(identifier, "")


def _name_court_of_site(address: str) -> str:
    """Return the name of the court on whose website an address is; "" if there is none or several courts
    share the site.
    """
    host = _HOST.match(address)
    return _name_courts()[1].get(host[1].lower(), "") if host else ""


@cache
def _name_courts() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the courts' names by identifier in `courts-db`, and by the host name of their website."""
    from courts_db import courts

    by_identifier: dict[str, str] = {}
    by_site: dict[str, str] = {}
    for court in courts:
        name = court["name"]
        if _CIRCUIT.match(name):
            name = f"United States {name}"
        by_identifier[court["id"]] = name
        if host := _HOST.match(court.get("court_url") or ""):
            site = host[1].lower()
            by_site[site] = name if by_site.get(site, name) == name else ""
    return by_identifier, by_site


@dataclass(frozen=True, slots=True)
class RecordLayout:
    """A publisher's record layout. ``guessed`` means that a record with this layout is not always an
    authority; ``own`` means that the layout is the user's.
    """

    name: str
    text: tuple[tuple[tuple[str, ...], ...], ...]
    values: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, tuple[RecordRule, ...]] = field(default_factory=dict)
    hints: Mapping[str, tuple[RecordRule, ...]] = field(default_factory=dict)
    identity: tuple[tuple[str, ...], ...] = ()
    guessed: bool = False
    own: bool = False

    def identify(self, record: Any) -> str:
        """Return the name that distinguishes the record from others in its file, or ""."""
        values = (value for place in self.identity for _, value in find_values(record, place))
        named = (str(each) for each in values if isinstance(each, str | int) and not isinstance(each, bool))
        return next((name for each in named if (name := " ".join(clean(each).split())[:_LONGEST_NAME])), "")

    def find_text(self, record: Any) -> list[Path]:
        """Return the paths of the strings that make up the record's text, in order; empty if it has none."""
        typewritten: list[Path] = []
        for alternative in self.text:
            found = [
                (path, value)
                for place in alternative
                for path, value in find_values(record, place)
                if isinstance(value, str) and value.strip()
            ]
            if not found:
                continue
            paths = [path for path, _ in found]
            if not found[0][1].lstrip().startswith("<pre"):
                return paths
            typewritten = typewritten or paths
        return typewritten

    def check_text(self, paths: Sequence[Path]) -> None:
        """Raise ``UnreadableFile`` with the reason if there are no ``paths`` to the record's text."""
        if paths:
            return
        if self.own:
            named = ", ".join('"' + ".".join(place) + '"' for each in self.text for place in each)
            raise UnreadableFile(f"no text in {named}, where library.records in lexls.toml says it is")
        raise UnreadableFile(NO_AUTHORITY)

    def find_missing(self, records: Sequence[Any]) -> Iterator[str]:
        """Yield a warning for each field of the user's layout that is missing from all of these records."""
        for fact, rules in self.facts.items() if self.own else ():
            if not any(list(find_values(record, rule.at)) for record in records for rule in rules):
                named = ", ".join('"' + ".".join(rule.at) + '"' for rule in rules)
                yield f"no {named} in the first records, where library.records in lexls.toml has the {fact}"

    def declare(self, record: Any, marked: Mapping[str, object], text: str) -> dict[str, object]:
        """Return the metadata of a record; ``marked`` is the metadata that the mark-up in its ``text``
        declares.
        """
        declared: dict[str, object] = dict(self.values)
        for fact, rules in self.facts.items():
            _take(declared, fact, rules, record, text)
        declared = {**marked, **declared}
        for fact, rules in self.hints.items():
            if not declared.get(fact):
                _take(declared, fact, rules, record, text)
        return declared


def _take(
    declared: dict[str, object], fact: str, rules: Sequence[RecordRule], record: Any, text: str
) -> None:
    """Add a record's values of a fact to ``declared``, if there are any."""
    every = [list(rule.read(record, text)) for rule in rules]
    first = next(filter(None, every), [])
    if not first:
        return
    if fact == "citation":
        main, *others = dict.fromkeys(value for values in every for value in values)
        declared |= {"citation": main, "parallel_citations": others}
    elif fact == "docket":
        declared[fact] = list(dict.fromkeys(each for value in first for each in read_dockets(value)))
    elif fact == "kind":
        if kind := find_kind(first[0]):
            declared[fact] = kind
    elif fact == "jurisdiction":
        if code := find_jurisdiction_by_name(first[0]):
            declared[fact] = code
    else:
        declared[fact] = first[0]


def find_kind(written: str) -> str:
    """Return the kind of authority for the words that a record uses, or "" if they are unknown."""
    return _load()[2].get(written.casefold().replace("_", " "), "")


def find_values(record: Any, place: Sequence[str]) -> Iterator[tuple[Path, Any]]:
    """Yield the values at ``place`` in a record, each with its path. ``place`` is a sequence of keys, with
    "*" for every item of a list.
    """
    found: list[tuple[Path, Any]] = [((), record)]
    for step in place:
        below: list[tuple[Path, Any]] = []
        for path, value in found:
            if step == "*":
                items = value if isinstance(value, list) else ()
                below += [((*path, position), item) for position, item in enumerate(items)]
            elif isinstance(value, Mapping) and step in value:
                below.append(((*path, step), value[step]))
        found = below
    yield from found


def find_layout(record: Mapping[str, Any]) -> RecordLayout:
    """Detect the layout of a record by its keys. Return the generic layout if no other fits."""
    layouts, signs, _ = _load()
    for name, alternatives in signs.items():
        if any(all(key in record for key in keys) for keys in alternatives):
            return layouts[name]
    return layouts["record"]


@cache
def _load() -> tuple[Mapping[str, RecordLayout], Mapping[str, Sequence[Sequence[str]]], Mapping[str, str]]:
    data = load_phrases(__package__, "record_layouts.toml")
    kinds = data.pop("kinds")
    layouts = {name: _read_layout(name, table) for name, table in data.items()}
    return layouts, {name: table["signs"] for name, table in data.items()}, kinds


def _read_layout(name: str, table: Mapping[str, Any]) -> RecordLayout:
    return RecordLayout(
        name,
        tuple(tuple(tuple(place.split(".")) for place in each) for each in table["text"]),
        table.get("values", {}),
        _read_rules(table.get("facts", {})),
        _read_rules(table.get("hints", {})),
        tuple(tuple(place.split(".")) for place in table["identity"]),
        guessed=not table["signs"],
    )


def _read_rules(table: Mapping[str, Any]) -> Mapping[str, tuple[RecordRule, ...]]:
    return {fact: tuple(map(_read_rule, rules)) for fact, rules in table.items()}


def _read_rule(table: Mapping[str, str]) -> RecordRule:
    pattern = re.compile(table["pattern"]) if "pattern" in table else None
    through: Any = table.get("through", "")
    return RecordRule(tuple(table["at"].split(".")), pattern, table.get("write", ""), through)


_NO_FACTS = frozenset({"files", "text", "values", "identity"})


@dataclass(frozen=True, slots=True)
class RecordMappings:
    """The tables of the setting ``library.records``, each with the files it applies to."""

    tables: Sequence[tuple[PathSpec[Any], RecordLayout]] = ()

    @classmethod
    def load(cls, tables: str) -> RecordMappings:
        """Load the tables from a validated JSON array."""
        return cls(
            tuple((read_globs(_list(table["files"])), _make_layout(table)) for table in json.loads(tables))
        )

    def find(self, relative: str) -> RecordLayout | None:
        """Return the user's layout for a file, or None. ``relative`` is its path below the library folder,
        with "/" as the separator.
        """
        return next((layout for files, layout in self.tables if files.match_file(relative)), None)

    def find_path(self, path: JsonPath, folders: Sequence[JsonPath]) -> RecordLayout | None:
        """Return the user's layout for any file, by its path in one of the library's ``folders`` or else by
        its name.
        """
        path = path.absolute()
        folder = next((each for each in folders if path.is_relative_to(each)), path.parent)
        return self.find(path.relative_to(folder).as_posix())


def _make_layout(table: Mapping[str, Any]) -> RecordLayout:
    return RecordLayout(
        name="record",
        text=(tuple(map(_split, _list(table["text"]))),),
        values=table.get("values", {}),
        facts={
            fact: tuple(RecordRule(_split(place)) for place in _list(places))
            for fact, places in table.items()
            if fact not in _NO_FACTS
        },
        identity=tuple(map(_split, _list(table.get("identity", ["id", "_id"])))),
        own=True,
    )


def _list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _split(place: str) -> tuple[str, ...]:
    return tuple(place.split("."))
