"""Read the docket numbers in citations, to compare them with those of a case.

A US docket is identified by its year and number ("2:11-cv-00445"), an Indian one by each of its numbers and
the year ("Civil Appeal Nos. 12-14 of 1999").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lexls.text.spans import Span

_LISTED = 80
"""Maximum number of code points between a number and its year in a list, and maximum length of a range."""
_KIND = r"\s{0,2}(?:Civ|Cv|Cr|Crim|Misc|Mc|Md|Bk|C|CV|CR|MC|MD|BK)\.?\s{0,2}"
"""Pattern of the type of a federal case, between the year and the number in its docket, without hyphens."""
_AMERICAN = re.compile(
    r"\bNos?\.?\s{1,3}(?P<docket>(?=[\w:.–-]*(?:\d[-:–]|\d{5}))\d[\w:.–-]*\d"
    rf"|(?:\d:)?\d\d{_KIND}\d{{1,6}}(?!\d))"
)
_SERIAL = re.compile(rf"(?P<year>\d\d)(?:[-–](?:[A-Za-z]{{1,5}}[-–])?|{_KIND})0*(?P<number>\d+)(?!\d)")
_NUMBER = r"\d{1,5}(?:[A-Z]\b|\([A-Z]{1,3}\))?"
_NUMBERS = rf"{_NUMBER}(?:\s{{0,2}}(?:,|&|and|-|–|to)\s{{0,2}}{_NUMBER}){{0,9}}"
_OF_YEAR = re.compile(
    rf"(?P<docket>(?<![\d/-])(?P<numbers>{_NUMBERS})(?:\s{{0,2}}/\s{{0,2}}|\s{{0,3}}of\s{{0,3}})"
    r"(?P<year>(?:19|20)\d\d))\b",
    re.IGNORECASE,
)
_INDIAN = re.compile(
    r"(?:\b(?:Appeal|Petition|Suit|Application|Reference|W\.?P|(?:C|Crl?)?\.?A|S\.?L\.?P)s?\b[.\s]{0,3}"
    r"(?:\(\w{1,12}\.?\)\s{0,3})?(?:\(?Nos?\b\s?\.?\)?\s{0,3})?|,\s{1,3}Nos?\.?\s{1,3})"
    rf"{_OF_YEAR.pattern}",
    re.IGNORECASE,
)
_KIND_OF_INDIAN = re.compile(r"[A-Za-z][\w.()&/ -]{0,120}")
_NOS = re.compile(r"\(?\bNos?\b\s?\.?\)?[\s,]{0,3}$", re.IGNORECASE)
_PLURAL = re.compile(r"(?<=[A-Z])s(?=\.)|(?<=Appeal)s\b|(?<=Petition)s\b")
_PLAIN = re.compile(r",\s{1,3}Nos?\.?\s{1,3}(?P<docket>\d{2,5})(?=,?\s{1,3}[\[(]?\d)")
_BETWEEN = re.compile(r"[\s,;:(\[–-]{0,4}(?:reported\s{1,3}(?:in|as|at)[\s:(\[]{1,4})?")

Serial = tuple[str, str]
"""A docket number and its year, each with the digits that are written; the year is "" if there is none."""


@dataclass(frozen=True, slots=True)
class Docket:
    """A docket as written at ``span``.

    ``of_year`` is false for a US docket with year and serial number ("14-cv-1234"), true for any other ("No.
    12 of 2014").
    """

    span: Span
    serials: frozenset[Serial]
    of_year: bool


def find_docket(text: str, start: int, end: int) -> Docket | None:
    """Return the docket in a mention from ``start`` to ``end``. An Indian docket may also be immediately
    before the mention. Return None if there is none.
    """
    for found in _INDIAN.finditer(text, max(0, start - _LISTED), end):
        if found.start() >= start or _BETWEEN.fullmatch(text, found.end(), max(start, found.end())):
            return Docket(Span(*found.span("docket")), read_serials(found["docket"]), True)
    american = _AMERICAN.search(text, start, end)
    other = american or _PLAIN.search(text, start, end)
    if other is None:
        return None
    return Docket(Span(*other.span("docket")), read_serials(other["docket"]), american is None)


def find_docket_numbers(docket: str) -> str:
    """Return the numbers and year in a docket: "12-14 of 1999" for "Civil Appeal Nos. 12-14 of 1999". Return
    other dockets unchanged.
    """
    found = _OF_YEAR.search(docket)
    return found["docket"] if found is not None else docket


def tidy_docket(docket: str) -> str:
    """Return a docket in a judgment's heading as drafts cite it: "Criminal Appeal Nos. 4-6 of 1999".

    Of several numbers, only the first number or range is kept. Anything but an Indian docket is returned
    unchanged.
    """
    written = " ".join(docket.split())
    found = _OF_YEAR.search(written)
    if found is None:
        return docket
    kind = re.split(r"\bJurisdiction\b", written[: found.start()], flags=re.IGNORECASE)[-1]
    kind = _NOS.sub("", kind).strip(" ,:")
    if not _KIND_OF_INDIAN.fullmatch(kind):
        return docket
    if kind.isupper() and len(max(re.findall(r"[A-Z]+", kind), key=len)) > 3:
        kind = kind.title()
    kind = re.sub(r"\((\w)", lambda opening: f"({opening[1].upper()}", _PLURAL.sub("", kind))
    first, *last = re.match(r"(\w+)(?:\s?[-–]\s?(\w+))?", found["numbers"]).groups()  # type: ignore[union-attr]
    numbers = f"Nos. {first}-{last[0]}" if last[0] else f"No. {first}"
    return f"{kind} {numbers} of {found['year']}"


def read_serials(docket: str) -> frozenset[Serial]:
    """Return the numbers in a docket, each with its year. Empty if the docket cannot be read."""
    if (listed := _OF_YEAR.search(docket)) is not None:
        return frozenset((str(number), listed["year"]) for number in _list_numbers(listed["numbers"]))
    found = _SERIAL.search(docket)
    if found is None:
        return frozenset({(docket, "")} if docket.isdigit() else ())
    return frozenset({(found["number"], found["year"])})


def list_serials(dockets: Iterable[str]) -> frozenset[Serial]:
    """Return the numbers in several dockets, each with its year."""
    return frozenset().union(*map(read_serials, dockets))


def _list_numbers(written: str) -> Iterator[int]:
    """Yield each number in a list: 12, 13, 14, 20, 21 for "12-14, 20 and 21"."""
    for part in re.split(r"\s*(?:,|&|and)\s*", written):
        first, *rest = re.findall(r"\d+", part)
        last = rest[-1] if rest else first
        if len(last) < len(first):  # "657-58"
            last = first[: -len(last)] + last
        yield from range(int(first), min(max(int(first), int(last)), int(first) + _LISTED) + 1)


def names_serial(text: str, serial: Serial) -> bool:
    """Return whether a text has a docket's number followed by its year."""
    number, year = serial
    return re.search(rf"\b0*{number}\b[^.]{{0,{_LISTED}}}\b{year}\b", text) is not None
