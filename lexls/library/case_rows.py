"""Read one case from a list, mapping the field names of users and publishers to those of lexls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Literal

from lexls.text.dates import normalise_date
from lexls.text.phrases import load_phrases

Field = Literal["name", "citation", "reporter", "volume", "page", "last_page", "court", "date", "docket"]
FIELDS: tuple[Field, ...] = (
    *("name", "citation", "reporter", "volume", "page", "last_page", "court", "date", "docket"),
)

_CAP: Mapping[Field, tuple[str, ...]] = {
    "name": ("name_abbreviation", "name"),
    "citation": ("citations",),
    "page": ("first_page",),
    "last_page": ("last_page",),
    "court": ("court.name", "court"),
    "date": ("decision_date",),
    "docket": ("docket_number",),
}
"""The keys of the Caselaw Access Project for each field."""
_SIGNS = re.compile(r"[^a-z0-9]+")
_YEAR = re.compile(r"(?<!\d)(?:1[0-9]|20)\d\d(?!\d)")
_PART = re.compile(r"\s*;\s*")


@dataclass(frozen=True, slots=True)
class ListedRow:
    """A case as a list describes it. Unknown values are "" or 0.

    ``date`` is YYYYMMDD as a number, with 00 for an unknown month or day. ``first_page`` and ``last_page``
    are the case's pages in one of its reports. ``row`` is the row's position, for messages.
    """

    row: str
    name: str
    citations: tuple[str, ...]
    court: str = ""
    date: int = 0
    docket: str = ""
    first_page: int = 0
    last_page: int = 0

    @property
    def year(self) -> int:
        """The year of the decision, or 0 if unknown."""
        return self.date // 10_000


def parse_columns(words: Sequence[str]) -> dict[Field, str]:
    """Parse ``FIELD=COLUMN`` words. Raises ``ValueError`` with a description of the first error."""
    found: dict[Field, str] = {}
    for word in words:
        name, sign, column = word.partition("=")
        known = next((each for each in FIELDS if each == name), None)
        if known is None or not sign or not column:
            raise ValueError(f'"{word}" is not FIELD=COLUMN with one of {", ".join(FIELDS)}')
        found[known] = column
    return found


def read_case(row: str, record: Mapping[str, Any], columns: Mapping[Field, str]) -> ListedRow:
    """Read the record at ``row``. Raises ``ValueError`` with a description of the error."""
    found = {each: next(map(_text, _find_all(record, each, columns)), "") for each in FIELDS}
    citations = tuple(dict.fromkeys(_list_citations(list(_find_all(record, "citation", columns)))))
    parts = [found[each] for each in ("volume", "reporter", "page")]
    if not citations and all(parts):
        citations = (" ".join(parts),)
    if not citations and "volume_number" in record:
        raise ValueError("a volume and no case: add the CasesMetadata.json of the volumes")
    if not citations:
        raise ValueError("no citation")
    first, last = (int(found[each]) if found[each].isdecimal() else 0 for each in ("page", "last_page"))
    date = read_day(found["date"])
    return ListedRow(row, found["name"], citations, found["court"], date, found["docket"], first, last)


def read_day(text: str) -> int:
    """Return a date as the number YYYYMMDD, or 0 for an empty text. Raises ``ValueError`` if the text has no
    year.
    """
    if not text:
        return 0
    parts = normalise_date(text).split("-")
    if parts[0].isdecimal() and int(parts[0]):
        year, month, day = (int(each) for each in (*parts, "0", "0")[:3])
        return year * 10_000 + month * 100 + day
    year_alone = _YEAR.search(text)
    if year_alone is None:
        raise ValueError(f"{text[:40]!r} is no date")
    return int(year_alone[0]) * 10_000


def _list_citations(value: Any) -> Iterator[str]:
    """Yield the citations in a value: a text with citations separated by semicolons, or a list of texts or of
    objects with a ``cite``.
    """
    if isinstance(value, Sequence) and not isinstance(value, str):
        for each in value:
            yield from _list_citations(each.get("cite") if isinstance(each, Mapping) else each)
    else:
        yield from filter(None, _PART.split(_text(value)))


def _text(value: Any) -> str:
    if isinstance(value, Mapping | list | None):
        return ""
    return " ".join(str(value).split())


def _find_all(record: Mapping[str, Any], wanted: Field, columns: Mapping[Field, str]) -> Iterator[Any]:
    """Yield the values that a record gives for a field, the most reliable first."""
    if wanted in columns:
        keys: Sequence[str] = (columns[wanted],)
    elif "name_abbreviation" in record:
        keys = _CAP.get(wanted, ())
    else:
        keys = _match_names(tuple(record), wanted)
    yield from (found for key in keys if (found := _look_up(record, key)) not in (None, "", []))


def _look_up(record: Mapping[str, Any], key: str) -> Any:
    """Return the value of a key, which may be nested: "court.name"."""
    if key in record:
        return record[key]
    first, dot, rest = key.partition(".")
    inner = record.get(first)
    return _look_up(inner, rest) if dot and isinstance(inner, Mapping) else None


@lru_cache(maxsize=1024)
def _match_names(names: tuple[str, ...], wanted: Field) -> Sequence[str]:
    """Return the values in a record whose names usually mean the wanted field, the most reliable first."""
    usual = list(_usual_names()[wanted])
    plain = {simplify_name(each): each for each in reversed(names)}
    return [plain[each] for each in usual if each in plain]


def has_field(wanted: Field, columns: Mapping[Field, str], names: set[str]) -> bool:
    """Return whether the user named a column for this field, or one of the usual names of its columns is
    among ``names`` (as returned by ``simplify_name``).
    """
    return wanted in columns or any(each in names for each in _usual_names()[wanted])


@cache
def _usual_names() -> Mapping[Field, tuple[str, ...]]:
    known = load_phrases(__package__, "catalogues.toml")["columns"]
    citation = chain(known["citation"], known["parallel_citations"], ("cites",))
    return {
        "name": (*known["title"], *known["short_title"]),
        "citation": tuple(citation),
        "reporter": ("reporter", "report"),
        "volume": ("volume", "vol"),
        "page": ("page", "first page"),
        "last_page": ("last page",),
        "court": tuple(known["court"]),
        "date": tuple(known["date"]),
        "docket": tuple(known["docket"]),
    }


def simplify_name(name: str) -> str:
    """Return a field's name in lower case, with every character other than letters and digits replaced by a
    space.
    """
    return _SIGNS.sub(" ", name.casefold()).strip()
