"""Invent an authority for every example of every citation form, and write the files that may hold it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lexls.citations.form import Form
from lexls.citations.grammar import Grammar, find_impossibility
from lexls.citations.jurisdiction import find_court_of_citation, find_jurisdiction
from lexls.citations.model import fold

# -- names and words -----------------------------------------------------------------------------------------


def _list_words(text: str) -> list[str]:
    return text.split()


_OPENINGS = _list_words("B Br C Cr D Dr F G Gr H J K L M N P Pr Qu R S St T Th V W")
_MIDDLES = _list_words("all am and arr ell en err ill im ind oll or ost udd um urr")
_ENDINGS = _list_words("ard astle ett ew ick iford ingham itt ley ock olt ombe orpe ott ow strom uck urne")
GIVEN = (("Ada", "Ida"), ("Otto", "Ott"), ("Wilma", "Vilma"), ("Abel", "Basil"))
"""Given names, each with the one that is written in its place."""
BUSINESSES = (("Properties", "Property"), ("Industry", "Industries"), ("Estates", "Estate"))
"""What companies are called, each with its other number."""
_NOUNS = _list_words("""
    anchor barley basket beacon boiler bridge candle canvas carrot castle cellar chapel cherry clover
    copper cotton cradle crayon dagger ditch engine fabric fiddle forge garden ginger goblet hammer harbour
    helmet honey hurdle jacket jumper kennel kettle ladder lantern leather lemon lobster magnet market meadow
    mirror mortar muslin needle nettle orchard oyster paddle parrot pebble pepper pigeon pillow plough
    pocket pottery quarry quilt rabbit ribbon saddle salmon scarlet shovel silver spindle stable sugar
    tallow thistle timber tinder turnip velvet violin waggon walnut whistle willow window
""")
_CLAUSES = (
    "Whoever lends a {} must ask for it again before the {} is sold",
    "A {} that was left beside a {} belongs to the finder of neither",
    "The buyer of a {} bears the loss if the {} is late",
    "No keeper of a {} may charge for a {} that nobody delivered",
    "Notice about a {} is of no use where the {} was never counted",
    "The owner of a {} owes the neighbour the price of the {} that it broke",
)
_PARAGRAPHS = 6
_MONTHS = _list_words("January February March April May June July August September October November December")


def draw(*what: object) -> int:
    """A number that depends on nothing but ``what``."""
    return int.from_bytes(hashlib.sha256(" ".join(map(str, what)).encode()).digest()[:6])


def is_unseen(form: Form) -> bool:
    """Whether a form belongs to the third whose failures nobody looks at."""
    return draw("part", form.id) % 3 == 0


def invent_surname(number: int) -> str:
    """A surname; no two of the first few thousand are alike."""
    number = number * 2357 % (len(_OPENINGS) * len(_MIDDLES) * len(_ENDINGS))
    opening, rest = number % len(_OPENINGS), number // len(_OPENINGS)
    middle, ending = rest % len(_MIDDLES), rest // len(_MIDDLES)
    return _OPENINGS[opening] + _MIDDLES[middle] + _ENDINGS[ending]


def write_sentence(*what: object) -> str:
    """A sentence of an invented court or legislature, without its full stop."""
    first, second = draw("noun", *what), draw("other noun", *what)
    return _CLAUSES[draw("clause", *what) % len(_CLAUSES)].format(
        _NOUNS[first % len(_NOUNS)], f"{_NOUNS[second % len(_NOUNS)]} of {invent_surname(first % 5000)}"
    )


# -- what a citation is made of ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a core that identifies the authority; ``name`` is what its form calls it, "" if nothing."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Core:
    """A citation as an example writes it, without name and pinpoint, cut into its tokens."""

    form: Form
    text: str
    tokens: tuple[Token, ...]

    def write(self, token: Token, words: str) -> str:
        """The citation with other words in place of a token."""
        return self.text[: token.start] + words + self.text[token.end :]


_NUMBER = re.compile(r"\d+")
_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)")


def read_core(form: Form, text: str, grammar: Grammar) -> Core:
    """Cut a core into its tokens; where its form also holds the pinpoint, into its numbers and names."""
    match = grammar.core_of(text, form.jurisdiction)
    if match is not None:
        spans = [(name, match.find(name, text)) for name in match.values]
        found = [Token(name, span.start, span.end) for name, span in spans if span is not None]
        return Core(match.form, text, tuple(sorted(found, key=lambda each: each.start)))
    found = [Token("number", *each.span()) for each in _NUMBER.finditer(text)]
    for name, table in form.names.items():
        ways = sorted((way for key, others in table.items() for way in (key, *others)), key=len, reverse=True)
        way = next((way for way in ways if way in text), "")
        if way:
            found.append(Token(name, text.index(way), text.index(way) + len(way)))
    return Core(form, text, tuple(sorted(found, key=lambda each: each.start)))


def find_canonical(core: Core, token: str, written: str) -> str:
    """What a form calls a report or court by, of which ``written`` may be a variant."""
    table = core.form.names.get(token, {})
    ways = ((key, way) for key, others in table.items() for way in (key, *others))
    return next((key for key, way in ways if fold(way) == fold(written)), written)


# -- authorities ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Party:
    """A party of a case: a person or a company, as the title has it and as drafts may shorten it."""

    surname: str
    given: str = ""
    business: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.given, self.surname, self.business)))


@dataclass(frozen=True, slots=True)
class Invented:
    """An authority: what its file says, and how it is cited.

    ``written`` is the example whole, for what is no case; ``place`` the jurisdiction of the drafts that
    cite it, ``home`` its own. ``pin`` is a place that it has, ``beyond`` one that it has not, ``places`` its
    words by place.
    """

    core: Core
    written: str
    place: str
    home: str
    kind: str
    title: str
    parties: tuple[Party, ...]
    citation: str
    parallel: str
    court: str
    bracket: str
    year: int
    docket: str
    style: str
    pin: str
    beyond: str
    places: Mapping[str, str]

    @property
    def key(self) -> str:
        """A word that tells it from all others: the name of its file."""
        return re.sub(r"\W+", "-", f"{self.core.form.id} {self.citation}").strip("-")

    @property
    def date(self) -> str:
        """The day of its decision, in ISO 8601."""
        return f"{self.year}-{draw('month', self.key) % 12 + 1:02}-{draw('day', self.key) % 27 + 1:02}"


_COURTS = {
    "US": {
        "U.S.": ("Supreme Court of the United States", ""),
        "S. Ct.": ("Supreme Court of the United States", ""),
        "L. Ed. 2d": ("Supreme Court of the United States", ""),
        "F.2d": ("United States Court of Appeals for the Sixth Circuit", "6th Cir."),
        "F.3d": ("United States Court of Appeals for the Sixth Circuit", "6th Cir."),
        "F. App'x": ("United States Court of Appeals for the Sixth Circuit", "6th Cir."),
        "F. Supp. 2d": ("United States District Court for the Northern District of Ohio", "N.D. Ohio"),
        "B.R.": ("United States Bankruptcy Court for the Northern District of Ohio", "Bankr. N.D. Ohio"),
        "WL": ("United States Court of Appeals for the Fifth Circuit", "5th Cir."),
        "U.S. Dist. LEXIS": ("United States District Court for the Eastern District of Texas", "E.D. Tex."),
        "N.E.2d": ("Supreme Judicial Court of Massachusetts", "Mass."),
        "So. 3d": ("Supreme Court of Alabama", "Ala."),
        "A.": ("Supreme Court of Pennsylvania", "Pa."),
        "Cal. App. 4th": ("California Court of Appeal", "Ct. App."),
        "Mass.": ("Supreme Judicial Court of Massachusetts", ""),
        "N.Y.2d": ("New York Court of Appeals", ""),
        "N.Y.3d": ("New York Court of Appeals", ""),
        "A.D.3d": ("New York Supreme Court, Appellate Division, Second Department", "App. Div."),
        "Kan. App. 2d": ("Kansas Court of Appeals", ""),
        "Wash. 2d": ("Supreme Court of Washington", ""),
        "IL App": ("Appellate Court of Illinois", ""),
        "CO": ("Supreme Court of Colorado", ""),
        "WI App": ("Wisconsin Court of Appeals", ""),
        "MT": ("Supreme Court of Montana", ""),
        "Fed. Cl.": ("United States Court of Federal Claims", ""),
    },
    "UK": {
        "AC": ("House of Lords", "HL"),
        "WLR": ("Court of Appeal of England and Wales", "CA"),
        "All ER": ("Court of Appeal of England and Wales", "CA"),
    },
    "NZ": {"NZLR": ("Court of Appeal of New Zealand", "CA")},
}
"""Courts by what a citation's report calls, with how they stand in brackets behind it."""
_PLAIN_COURTS = {
    "US": "Supreme Court of Ohio",
    "UK": "Court of Appeal of England and Wales",
    "CA": "Supreme Court of Canada",
    "AU": "High Court of Australia",
    "NZ": "Court of Appeal of New Zealand",
    "IE": "Supreme Court of Ireland",
    "IN": "Supreme Court of India",
    "SG": "Court of Appeal of Singapore",
    "HK": "Court of Final Appeal of Hong Kong",
    "ZA": "Supreme Court of Appeal of South Africa",
    "EU": "Court of Justice of the European Union",
    "ECHR": "European Court of Human Rights",
}
_PARALLELS = {
    "UK": "[{year}] 1 WLR {page}",
    "US": "{year} WL {long}",
    "CA": "{year} CanLII {page}",
    "AU": "({year}) 66 ALR {page}",
    "NZ": "[{year}] 2 NZLR {page}",
    "IE": "[{year}] 2 IR {page}",
    "IN": "({year}) 4 SCC {page}",
    "SG": "[{year}] 2 SLR {page}",
    "HK": "[{year}] 2 HKLRD {page}",
    "ZA": "[{year}] 4 All SA {page}",
    "EU": "ECLI:EU:C:{year}:{page}",
}
_FURTHER = {
    "us-neutral": (
        "2019 IL App (2d) 180123",
        "2019 IL App (1st) 180123",
        "2017 IL App (3d) 160044",
        "2021 MT 118",
    ),
    "us-state": ("32 N.Y.3d 1", "44 A.D.3d 212"),
    "us-code": ("50 U.S.C. § 31", "22 U.S.C. § 77"),
    "uk-neutral": ("[2014] EWCA Civ 912",),
}
"""More writings of some forms, whose parts are altered as those of their examples."""
_SKIPPED = frozenset({"135 *355 Mass. 147"})
"""Examples that no draft would have so: a star page of another report stands in the midst."""
_YEARS = {"N.Y.3d": 2018, "A.D.3d": 2007}
"""Years of reports whose form does not tell them."""


def invent(grammar: Grammar) -> Iterator[Invented]:
    """An authority for each example of each form, no two of which have numbers in common."""
    taken: set[str] = set()
    keys: set[str] = set()
    count = 0
    for form in grammar.forms:
        for text in (*(each.text for each in form.examples), *_FURTHER.get(form.id, ())):
            found = [each for each in grammar.find(text, form.jurisdiction) if each.form == "full"]
            if not found or text in _SKIPPED:
                continue
            citation = found[0]
            core = read_core(form, citation.core.of(text).removesuffix(", slip op."), grammar)
            if form.kind == "case":
                core = _renumber(core, taken, grammar)
                match = grammar.core_of(core.text, form.jurisdiction)
                key = match.key if match is not None else core.text
                if key in keys:
                    continue  # another way to write one ("1 Cranch (5 U.S.) 137")
                keys.add(key)
            label = citation.pinpoint.labels[0] if citation.pinpoint is not None else ""
            label = label if label.partition("(")[0] in text else ""
            yield _invent(core, text, label, count, grammar)
            count += 1


def _renumber(core: Core, taken: set[str], grammar: Grammar) -> Core:
    """A core with another last number, where reports of the same volume and page are taken."""
    numbers = [
        each for each in core.tokens if each.name != "year" and core.text[each.start : each.end].isdigit()
    ]
    while (known := re.sub(r"^\W*\d{4}\W+", "", core.text)) and fold(known) in taken and numbers:
        last = numbers[-1]
        text = core.write(last, str(int(core.text[last.start : last.end]) + 7))
        core = read_core(core.form, text, grammar)
        numbers = [
            each for each in core.tokens if each.name != "year" and core.text[each.start : each.end].isdigit()
        ]
    taken.add(fold(known))
    return core


def _invent(core: Core, text: str, label: str, count: int, grammar: Grammar) -> Invented:
    form = core.form
    home = form.jurisdiction
    place = home or ("US" if "Rev." in core.text else "UK")
    year = _find_year(core, text)
    parties: tuple[Party, ...] = ()
    title, kind = core.text, str(form.kind)
    if form.kind == "case":
        parties = _invent_parties(count)
        title = f" {find_jurisdiction(place).customs.versus} ".join(map(str, parties))
    elif form.kind in ("journal", "book", "other"):
        title, kind = f"On the {invent_surname(count)} {_NOUNS[count % len(_NOUNS)].title()}", "article"
    elif text.partition(core.text)[0].endswith("("):
        title = text.partition(core.text)[0].rstrip(" (")
    elif not _is_code(core):
        noun = "Act" if form.kind == "statute" else "Convention" if form.kind == "treaty" else "Regulations"
        title = f"{invent_surname(count)} {noun} {year}"
    citation = core.text.rstrip(" ,") if form.kind == "case" else _cut_subsections(core, text, label)
    if _is_code(core):
        title = citation
    court, bracket = _find_court(core, place, grammar)
    pin, beyond, places = _write_places(core, label, f"{form.id} {citation}")
    parallel = _PARALLELS.get(home, "").format(year=year, page=300 + count, long=1200300 + 7 * count)
    docket = next((core.text[each.start : each.end] for each in core.tokens if each.name == "uscase"), "")
    authority = Invented(
        core, text, place, home, kind, title, parties, citation, parallel, court, bracket,
        year, docket or f"{year % 100:02}-{2100 + 3 * count}", form.pinpoint, pin, beyond, places,
    )  # fmt: skip
    possible = (
        form.kind == "case"
        and _of_other_reports(parallel, core.text)
        and not any(
            find_impossibility(replace(each, year=year), grammar) for each in grammar.find(parallel, home)
        )
    )
    return authority if possible else replace(authority, parallel="")


def _of_other_reports(first: str, second: str) -> bool:
    """Whether two citations are of different reports."""
    names = [fold(re.sub(r"[\d\[\]()]", "", each)) for each in (first, second)]
    return names[0] != names[1]


def _invent_parties(count: int) -> tuple[Party, Party]:
    first, second = invent_surname(2 * count), invent_surname(2 * count + 1)
    business = BUSINESSES[count // 4 % len(BUSINESSES)][0]
    given, other = GIVEN[count // 4 % len(GIVEN)][0], GIVEN[(count // 4 + 1) % len(GIVEN)][0]
    return (
        (Party(first), Party(second)),
        (Party(first, business=business), Party(second)),
        (Party(first, given), Party(second, other)),
        (Party(first), Party(second, business=business)),
    )[count % 4]


def _find_year(core: Core, text: str) -> int:
    """A year in which a case can have been decided by its citation."""
    for source in (core.text[each.start : each.end] for each in core.tokens if each.name == "year"):
        if (found := _YEAR.search(source)) is not None:
            return int(found[0])
    if (found := _YEAR.search(text)) is not None:
        return int(found[0])
    values = {each.name: core.text[each.start : each.end] for each in core.tokens}
    names = {fold(find_canonical(core, name, values.get(name, ""))) for name in ("report", "court")}
    for name, anchors in core.form.volumes.items():
        if fold(name) in names and values.get("volume", "").isdigit():
            volume = int(values["volume"])
            return max((first for number, first, _ in anchors if number <= volume), default=anchors[0][1])
    for name, (first, last) in core.form.years.items():
        if fold(name) in names:
            return (first + (last or first + 10)) // 2
    return next((year for name, year in _YEARS.items() if fold(name) in names), 1996)


def _find_court(core: Core, place: str, grammar: Grammar) -> tuple[str, str]:
    match = grammar.core_of(core.text, core.form.jurisdiction)
    values = dict(match.values) if match is not None else {}
    for name in (values.get("report", ""), values.get("court", "")):
        for known, found in _COURTS.get(place, {}).items():
            if fold(known) == fold(name):
                return found
    key = match.key if match is not None else core.text
    return find_court_of_citation(key, place) or _PLAIN_COURTS.get(place, ""), ""


# -- places --------------------------------------------------------------------------------------------------


_INSTRUMENT_NUMBERS = frozenset({"number", "chapter", "serial", "year", "page", "largepage", "local"})


def _cut_subsections(core: Core, text: str, label: str) -> str:
    """The citation of what a file of the authority holds: a code's section, an instrument as a whole."""
    if not _is_code(core) or not label:
        return core.text.rstrip(" ,")
    base = label.partition("(")[0]
    return text[: text.index(base) + len(base)].replace("§§", "§")


def _is_code(core: Core) -> bool:
    """Whether a core names a whole code, of which files hold sections, not one instrument by its number."""
    return core.form.kind in ("statute", "regulation", "rule", "constitution") and not any(
        each.name in _INSTRUMENT_NUMBERS for each in core.tokens
    )


def _write_places(core: Core, label: str, about: str) -> tuple[str, str, dict[str, str]]:
    """A place that is cited, one that there is not, and the words of each place."""
    style, kind = core.form.pinpoint, core.form.kind
    if kind == "case":
        numbers = [int(part) for part in re.findall(r"\d+", core.text)]
        paged = style == "page" and any(each.name in ("page", "folio") for each in core.tokens)
        page = numbers[-1] if paged and numbers else 0
        labels = [str(page + each) for each in range(1, _PARAGRAPHS + 1)]
        words = {each: f"{write_sentence(about, each)}. {write_sentence(about, each, 2)}." for each in labels}
        return labels[2], str(page + 60), words
    base = label.partition("(")[0] or ("3" if kind not in ("journal", "other") else "")
    labels = [base]
    if (last := re.search(r"\d+$", base)) is not None:
        labels = [f"{base[: last.start()]}{int(last[0]) + by:0{len(last[0])}}" for by in range(2)]
    return base, "9981", {each: f"{write_sentence(about, each)}." for each in labels}


# -- files ---------------------------------------------------------------------------------------------------

LIBRARY_FORMS = {
    "complete": "complete front matter",
    "no kind": "front matter without kind",
    "no jurisdiction": "front matter without jurisdiction",
    "no court": "front matter without court",
    "no date": "front matter without date",
    "title and citation": "title and citation alone",
    "raw": "the text with its head",
    "record": "a publisher's JSON",
}
"""The ways in which a library may hold an authority."""


def write_file(authority: Invented, form: str) -> tuple[str, str]:
    """The name and the text of an authority's file."""
    if form == "raw":
        return f"{authority.key}.txt", _write_raw(authority)
    if form == "record":
        return f"{authority.key}.json", _write_record(authority)
    lacking = {
        "title and citation": ("kind", "jurisdiction", "court", "date", "docket", "parallel_citations")
    }
    facts = {
        name: value
        for name, value in _list_facts(authority).items()
        if value and name not in lacking.get(form, (form.removeprefix("no "),))
    }
    head = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in facts.items())
    return f"{authority.key}.md", f"---\n{head}---\n\n{_write_text(authority)}"


def _list_facts(authority: Invented) -> dict[str, object]:
    case = authority.core.form.kind == "case"
    return {
        "title": authority.title,
        "kind": authority.kind,
        "jurisdiction": authority.home,
        "citation": authority.citation,
        "parallel_citations": [authority.parallel] if authority.parallel else [],
        "court": authority.court if case else "",
        "date": authority.date if case else str(authority.year),
        "docket": authority.docket if case and authority.home == "US" else "",
    }


def _write_text(authority: Invented, *, plain: bool = False) -> str:
    """Its words with the numbers of their places; headings of sections are ``plain`` or Markdown's."""
    form = authority.core.form
    sign = "§ " if "§" in authority.written else "Article " if form.pinpoint == "article" else ""
    if form.kind != "case":
        return "\n\n".join(
            f"{label + '. ' if label else ''}{words}" if form.kind in ("journal", "other")
            else f"{'' if plain else '### '}{sign}{label} Of keeping\n\n{words}"
            for label, words in authority.places.items()
        ) + "\n"  # fmt: skip
    if form.pinpoint == "page":
        return "This case is about keeping. " + " ".join(
            f"*{label} {words}" for label, words in authority.places.items()
        ) + "\n"  # fmt: skip
    mark = "[{}] " if authority.core.text.startswith("[") else "{}. "
    if authority.place == "US":
        mark = "¶ {} "
    return "\n\n".join(mark.format(label) + words for label, words in authority.places.items()) + "\n"


def _write_raw(authority: Invented) -> str:
    if authority.core.form.kind != "case":
        return f"{authority.title}\n\n{authority.citation}\n\n{_write_text(authority, plain=True)}"
    year, month, day = authority.date.split("-")
    date = f"{_MONTHS[int(month) - 1]} {int(day)}, {year}"
    if authority.home == "US":
        lines = [authority.court, "", authority.title, "", authority.citation, "", f"Decided {date}", ""]
    else:
        date = f"{int(day)} {_MONTHS[int(month) - 1]} {year}"
        lines = [authority.title, "", authority.citation, "", authority.court, "", f"Date: {date}", ""]
    return "\n".join(lines) + "\n" + _write_text(authority, plain=True)


def _write_record(authority: Invented) -> str:
    if authority.core.form.kind == "case" and authority.home == "US":
        cited = [authority.citation, *([authority.parallel] if authority.parallel else [])]
        record: dict[str, object] = {
            "name": authority.title, "name_abbreviation": authority.title,
            "decision_date": authority.date, "docket_number": f"No. {authority.docket}",
            "citations": [{"type": "official", "cite": each} for each in cited],
            "court": {"name": authority.court},
            "casebody": {"opinions": [{"text": _write_text(authority)}], "head_matter": ""},
        }  # fmt: skip
    else:
        record = {name: value for name, value in _list_facts(authority).items() if value}
        record["text"] = _write_text(authority)
    return json.dumps(record, ensure_ascii=False, indent=1)


def write_library(folder: Path, authorities: Sequence[Invented], form: str) -> dict[str, Path]:
    """Write a library in one form; the files by the authorities' keys."""
    folder.mkdir(parents=True, exist_ok=True)
    written = {}
    for each in authorities:
        name, text = write_file(each, form)
        (folder / name).write_text(text, encoding="utf-8")
        written[each.key] = folder / name
    return written
