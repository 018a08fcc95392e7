"""US reporters, codes and journals from the Free Law Project's `reporters-db`, as citation forms.

They supplement lexls's own forms, which take precedence: names in an own form are skipped here. The tables
are large, so they are read only for US citations, and the resulting forms are cached between runs.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lexls.citations.form import Form, read_form
from lexls.citations.jurisdiction import Jurisdiction
from lexls.citations.model import fold
from lexls.text.kept import keep

_SOURCE = "reporters-db"
_FILES = ("reporters", "laws", "journals")
"""The package's tables, read as files. Importing the package itself would read all its tables and parse 1,862
dates.
"""
_FIRST = 1600
# The first year that the tables give if it is unknown.
_UNKNOWN = 1750
# The tables' patterns for codes → our templates.
_LAWS: Mapping[str, tuple[str, ...]] = {
    "$reporter § $law_section": ("{report} § {section}", "{report}, § {section}"),
    r"$reporter tit\. (?P<title>\d+), § $law_section": ("{report} tit. {title}, § {section}",),
    r"$reporter ch\. (?P<chapter>\d+), § $law_section": ("{report} ch. {title}, § {section}",),
    r"(?P<title>\d+) $reporter § $law_section": ("{title} {report} § {section}",),
    r"$reporter r\. $law_section": ("{report} r. {rule}",),
    "$law_year $reporter $page_with_commas": ("{year} {report} {largepage}",),
    "$volume $reporter $page_with_commas": ("{volume} {report} {largepage}",),
    r"(?P<issue>\d+) $reporter $page_with_commas": ("{volume} {report} {largepage}",),
    r"$volume $reporter (?P<reg>\d+)": ("{volume} {report} {largepage}",),
    r"$volume $reporter (?P<rule>\d+)": ("{volume} {report} {largepage}",),
    r"$law_year\-(?P<pamphlet>\d+) $reporter $page_with_commas": ("{year}-{number} {report} {largepage}",),
    r"$law_year $reporter (?P<law>\d+)": ("{year} {report} {largepage}",),
    r"$reporter (?P<law>\d+)": ("{report} {number}",),
    "$reporter $page_with_commas": ("{report} {largepage}",),
    r"$reporter art (?P<article>\d+)": ("{report} art {article}", "{report} art. {article}"),
    r"$reporter art (?P<article>\d+), § $law_section": ("{report} art {article}", "{report} art. {article}"),
    r"$reporter (?P<rule>\d+)": ("{report} {rule}",),
    r"$reporter (?P<reg>\d+)": ("{report} {rule}",),
    "$reporter $law_section": ("{report} {rule}",),
    r"(?P<title>\d+) $reporter (?P<rule>\d+)": ("{title} {report} {rule}",),
    r"(?P<title>\d+) $reporter $law_section": ("{title} {report} {section}",),
    "$volume $reporter § $law_section": ("{title} {report} § {section}",),
    r"(?P<chapter>\d+) $reporter (?P<act>\d+) / $law_section": ("{title} {report} {number} / {section}",),
    r"(?P<title>\d+)\-(?P<chapter>\d+) $reporter § $law_section": ("{agencies} {report} § {section}",),
    r"(?P<chapter>\d+-\d+-\d+) $reporter § $law_section": ("{agencies} {report} § {section}",),
    r"$reporter tit\. (?P<title>\d+) § $law_section": ("{report} tit. {title} § {section}",),
    "$reporter r. $law_section": ("{report} r. {rule}",),
    "$reporter (?P<agency>[A-Z][A-Za-z]+) § $law_section": ("{report} {code} § {section}",),
    r"$reporter No\. (?P<number>\d[\d,]*)": ("{report} No. {registered}",),
    r"$reporter No\. (?P<number>\d[\d,]*)(?: (?P<kind_code>[A-Z]\d?))?": ("{report} No. {registered}",),
}
_PINPOINT = re.compile(r"(?:,? §|,? r\.|,? art\.?|,)?\s\{(?:section|rule|article)\}.*")
"""Pattern of the pinpoint at the end of a code's template, including the text before it."""
_PLAIN = frozenset({"$full_cite", "$volume $reporter $page", "$volume $reporter,? $page"})
_CITED_AS: Mapping[str, frozenset[str]] = {
    # Reporters with a single volume, or whose volume may be left out.
    "unnumbered": frozenset({
        "$volume_nominative ?$reporter $page", "$volume_nominative ?$reporter,? $page",
        "$volume_nominative ?$reporter, $page", "$reporter $page", "$reporter,? $page",
        "$full_cite_single_volume",
    }),
    # Loose-leaf services, which are cited by paragraph.
    "service": frozenset({
        "$full_cite_cch", "$full_cite_paragraph", "$reporter $paragraph_marker_optional$page_with_commas",
        "$reporter $paragraph_marker_optional$page_with_commas_and_suffix",
        "$volume $reporter $paragraph_marker_optional$page_with_commas",
        "$volume $reporter $paragraph_marker_optional$page_with_commas(A)?",
    }),
    # Reporters with the year in brackets between their name and the page.
    "dated inside": frozenset({"$full_cite_year_included", r"$volume $reporter \(\d{4}\,?\) $page"}),
    "by volume": _PLAIN,
}  # fmt: skip
"""The patterns in the tables for each way of citing a reporter."""
_SERVED = ["{volume} {report}", "{year}-{volume} {report}", "{volume}-{number} {report}", "{report}"]
_LEFT_OUT = frozenset({"neutral", "specialty_lexis", "specialty_west"})


def make_reporter_forms(own: Iterable[Form], place: Jurisdiction) -> list[Form]:
    """Return forms for all names in reporters-db that ``own``, all other forms of ``place``, does not
    contain.

    An abbreviation that is a single plain word ("Day", "Hill") must be followed by a year that is possible
    for the reporter. One with several words ("F. Supp.") need not be.
    """
    # Keep their order, so that two runs give the same names.
    names = dict.fromkeys(
        fold(name)
        for form in own
        for table in form.names.values()
        for canonical, others in table.items()
        for name in (canonical, *others)
    )
    package = find_spec("reporters_db")
    assert package is not None
    assert package.origin is not None
    files = [Path(package.origin).with_name("data") / f"{name}.json" for name in _FILES]

    def read() -> list[dict[str, Any]]:
        reporters, laws, journals = (json.loads(file.read_bytes()) for file in files)
        known = frozenset(names)
        return [*_reporters(reporters, known), *_laws(laws, known), *_journals(journals, known)]

    tables = keep("citations.reporters-db", [*files, Path(__file__)], read, given="\n".join(names))
    prefix = place.code.casefold()
    return [
        read_form(
            {**table, "id": f"{prefix}-{table['id']}", "jurisdiction": place.code}, _SOURCE, place.around
        )
        for table in tables
    ]


def _reporters(data: Mapping[str, Any], known: Collection[str]) -> Iterator[dict[str, Any]]:
    plain: dict[str, list[str]] = {}
    dated: dict[str, list[str]] = {}
    years: dict[str, tuple[int, int]] = {}
    cited: defaultdict[str, set[str]] = defaultdict(set)
    for entry in (entry for entries in data.values() for entry in entries):
        if entry["cite_type"] in _LEFT_OUT:
            continue
        names: dict[str, list[str]] = {}
        for name, edition in entry["editions"].items():
            patterns = set(edition.get("regexes") or ("$full_cite",))
            if any("reporter_nominative" in each for each in patterns):
                cited["nominative"].add(name)
            ways = [way for way, known_patterns in _CITED_AS.items() if patterns & known_patterns]
            for way in ways:
                cited[way].add(name)
            if not ways:
                continue
            names[name] = []
            first, last = years.get(name, (9999, 0))
            years[name] = min(first, _year(edition["start"], _FIRST)), max(last, _year(edition["end"], 9999))
        for variation, name in entry["variations"].items():
            if name in names:
                names[name].append(variation)
        for name, variations in names.items():
            for written in (name, *variations):
                if fold(written) in known or not _nameable(written):
                    continue
                # The name itself is read too, so its variants belong in the same table.
                table = (
                    dated if (_one_word(name) and fold(name) not in known) or _one_word(written) else plain
                )
                table.setdefault(name, []).append(written)
    for form_id, table, needs in (("reporters", plain, False), ("reporters-dated", dated, True)):
        named = _listed(table)
        yield {
            "id": form_id,
            "pattern": "{volume} {report} {page}",
            "report": named,
            "elsewhere": False,
            "dated": needs,
            "years": {name: f"{years[name][0]}-{_end(years[name][1])}" for name in named} if needs else {},
        }
    written_as = {name: [*plain.get(name, ()), *dated.get(name, ())] for name in (*plain, *dated)}

    def describe(way: str, patterns: list[str], keys: str | list[str], **more: object) -> dict[str, Any]:
        report = _listed({name: each for name, each in written_as.items() if name in cited[way]})
        form = {"id": f"reporters-{way.replace(' ', '-')}", "pattern": patterns, "report": report}
        keys = [keys] * len(patterns) if isinstance(keys, str) else keys
        return {**form, "key": keys, "elsewhere": False, **more}

    unnumbered = describe("unnumbered", ["{report} {page}"], "{report} {page}", around=["needs-name"])
    # Not a party's name before the volume of another report: "Carrow v. Thompson, 501 U.S. 722".
    years_of = {name: f"{years[name][0]}-{_end(years[name][1])}" for name in unnumbered["report"]}
    yield {**unnumbered, "dated": True, "years": years_of}
    inside = ["{volume} {report} ({year}) {page}", "{volume} {report} ({year},) {page}"]
    yield describe("dated inside", inside, "{volume} {report} {page}", around=["needs-name"])
    served = [f"{each} {{mark}}{{largepage}}" for each in _SERVED]
    yield describe("service", served, [f"{each} ¶ {{largepage}}" for each in _SERVED], pinpoint="page")
    nominative = ["{volume} {report} {nominative} {page}", "{volume} {report} ({nominal}) {page}"]
    yield {
        **describe("nominative", nominative, "{volume} {report} {page}", around=["needs-name"]),
        "report": {name: [] for name in sorted(cited["nominative"])},
    }


def _laws(data: Mapping[str, Any], known: Collection[str]) -> Iterator[dict[str, Any]]:
    groups: dict[tuple[str, str], dict[str, list[str]]] = {}
    for name, entries in data.items():
        for entry in entries:
            kind = "statute" if entry["cite_type"].startswith("leg_") else "regulation"
            for pattern in entry["regexes"]:
                if pattern not in _LAWS:
                    continue
                for written in (name, *entry["variations"]):
                    if fold(written) not in known and _nameable(written) and not _one_word(written):
                        groups.setdefault((pattern, kind), {}).setdefault(name, []).append(written)
    for number, ((pattern, kind), table) in enumerate(groups.items(), 1):
        templates = _LAWS[pattern]
        head = _PINPOINT.sub("", templates[0])
        by_section = head != templates[0]
        yield {
            "id": f"laws-{number}",
            "kind": kind,
            "pattern": list(templates),
            "key": head.removesuffix(" /"),
            "report": _listed(table),
            "pinpoint": "section" if by_section else "page",
            "elsewhere": False,
        }


def _journals(data: Mapping[str, Any], known: Collection[str]) -> Iterator[dict[str, Any]]:
    table: dict[str, list[str]] = {}
    for name, entries in data.items():
        for written in (name, *(variation for entry in entries for variation in entry["variations"])):
            if fold(written) not in known and _nameable(written) and not _one_word(written):
                table.setdefault(name, []).append(written)
    yield {
        "id": "journals",
        "kind": "journal",
        "pattern": "{volume} {report} {page}",
        "report": _listed(table),
        "pinpoint": "page",
        "elsewhere": False,
    }


def _listed(table: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {
        name: [written for written in dict.fromkeys(names) if written != name]
        for name, names in table.items()
    }


def _year(date: str | None, default: int) -> int:
    """Return the year of a date as written in the tables ("1875-01-01T00:00:00"), or ``default`` if
    unknown.
    """
    year = int(date[:4]) if date is not None else _UNKNOWN
    return default if year <= _UNKNOWN else year


def _end(year: int) -> str:
    return "" if year == 9999 else str(year)


def _one_word(name: str) -> bool:
    """Return whether an abbreviation may also be an ordinary word or an initial ("Hill", "P.")."""
    return name.rstrip(".").isalpha()


def _nameable(name: str) -> bool:
    """Return whether a template's token can have this name: ASCII, beginning with a letter, without signs of
    the template syntax, and not ending in a digit or "at".

    "T.C. at" is not a report but the beginning of a short form.
    """
    return (
        not name[-1:].isdigit()
        and not name.endswith(" at")
        and name[:1].isascii()
        and name[:1].isalpha()
        and not set(name) & set("[]{}<>|;=\n")
        and name.isascii()
    )
