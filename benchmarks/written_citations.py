"""Write citations of invented authorities as drafts have them, right and with one element altered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from invented_authorities import (
    BUSINESSES,
    GIVEN,
    Core,
    Invented,
    Party,
    Token,
    draw,
    find_canonical,
    invent_surname,
)

from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import fold


@dataclass(frozen=True, slots=True)
class Cell:
    """A draft that cites one authority: ``kind`` says how it was altered, "" or what is right about it.

    ``element`` is what lexls calls the element that was altered, "" of a draft that is right.
    """

    kind: str
    element: str
    text: str
    quotes: bool = False


@dataclass(frozen=True, slots=True)
class Writing:
    """The elements of a citation as a draft writes them, each "" where it does not."""

    authority: Invented
    core: str
    name: str = ""
    pin: str = ""
    note: str = ""
    parallel: str = ""
    court: str = ""
    year: str = ""
    docket: str = ""
    official: bool = False

    @property
    def around(self) -> frozenset[str]:
        """What may stand around the citation, as its form says."""
        return self.authority.core.form.around

    def __str__(self) -> str:
        authority, around = self.authority, self.around
        place = authority.place
        name = f"*{self.name}*" if self.name else ""
        if self.official:
            behind = " ".join(filter(None, (self.court, self.year)))
            return f"({', '.join(filter(None, (name, self.core, self.pin)))} [{behind}])"
        customs = find_jurisdiction(place).customs
        pin = _find_pin_shape(authority).format(self.pin) if self.pin else ""
        pin += f" n.{self.note}" if self.note else ""
        docket = f"No. {self.docket}, " if self.docket else ""
        behind = " ".join(filter(None, (self.court, self.year)))
        behind = f" ({behind})" if behind else ""
        parallel = f", {self.parallel}" if self.parallel else ""
        if "name-behind" in around:
            return f"{self.core} {name}{pin}{parallel}"
        comma = ", " if customs.name_comma else " "
        return f"{name}{comma if name else ''}{docket}{self.core}{pin}{parallel}{behind}"


def _find_pin_shape(authority: Invented) -> str:
    """What stands between a citation and its pinpoint, which takes the place of the braces."""
    customs = find_jurisdiction(authority.place).customs
    if authority.style == "paragraph":
        return ", ¶ {}" if authority.place == "US" else customs.paragraph
    return ", at *{}" if _is_star(authority) else customs.page


def _is_star(authority: Invented) -> bool:
    return authority.style == "page" and not any(
        each.name in ("page", "folio") for each in authority.core.tokens
    )


def write_cells(authority: Invented) -> Iterator[Cell]:
    """All drafts on one authority, first those that are right."""
    if authority.core.form.kind != "case":
        yield from _write_instrument(authority)
        return
    full = make_writing(authority)
    yield Cell("name, number and year", "", _state(full))
    if authority.parties[0].given:
        short = join(authority, *(each.surname for each in authority.parties))
        yield Cell("surnames alone", "", _state(replace(full, name=short)))
    yield Cell("with a pinpoint", "", _state(replace(full, pin=authority.pin)))
    if not authority.core.form.around & {"needs-name", "needs-name-or-date", "key-by-name"}:
        yield Cell("without a name", "", _state(replace(full, name="")))
    for kind, name in alter_name(authority):
        yield Cell(f"name: {kind}", "name", _state(replace(full, name=name)))
    for kind, core in alter_core(authority.core):
        yield Cell(f"number: {kind}", "citation", _state(replace(full, core=core)))
    if full.year:
        for by in (-3, -1, 1, 3):
            yield Cell(f"year: {by:+}", "year", _state(replace(full, year=f"{int(full.year) + by}")))
    elif not any(each.name == "year" for each in authority.core.tokens) and "name-behind" not in full.around:
        yield Cell("with the year behind", "", _state(replace(full, year=str(authority.year))))
        for by in (-3, -1, 1, 3):
            yield Cell(f"year: {by:+}", "year", _state(replace(full, year=f"{authority.year + by}")))
    if authority.bracket:
        bracketed = replace(full, court=authority.bracket)
        yield Cell("with its court", "", _state(bracketed))
        for other in alter_court(authority.bracket):
            yield Cell("court: another of the system", "court", _state(replace(bracketed, court=other)))
    if authority.place == "US" and not any(
        "docket" in each.name or "uscase" in each.name for each in authority.core.tokens
    ):
        numbered = replace(full, docket=authority.docket)
        yield Cell("with its docket", "", _state(numbered))
        for kind, docket in alter_digits(authority.docket):
            yield Cell(f"docket: {kind}", "docket", _state(replace(numbered, docket=docket)))
    if authority.parallel:
        beside = replace(full, parallel=authority.parallel)
        yield Cell("with its parallel citation", "", _state(beside))
        head, _, last = authority.parallel.rpartition(authority.parallel[_last_number(authority.parallel) :])
        for kind, number in alter_digits(authority.parallel[_last_number(authority.parallel) :]):
            yield Cell(
                f"parallel: {kind}", "citation", _state(replace(beside, parallel=head + number + last))
            )
    yield Cell("pinpoint: beyond the end", "pinpoint", _state(replace(full, pin=authority.beyond)))
    if authority.place == "US" and authority.style == "page":
        yield Cell(
            "pinpoint: a note that there is not",
            "pinpoint",
            _state(replace(full, pin=authority.pin, note="14")),
        )
    yield from _write_official(authority, full)
    yield from _write_quotations(authority, full)


def make_writing(authority: Invented) -> Writing:
    """A citation with name and number, and with the year where the jurisdiction writes it behind."""
    customs = find_jurisdiction(authority.place).customs
    tokens = {each.name for each in authority.core.tokens}
    dated = customs.court_and_year and (
        "year" not in tokens or "court-and-year" in authority.core.form.around
    )
    return Writing(authority, authority.core.text, authority.title, year=str(authority.year) if dated else "")


def _state(writing: Writing) -> str:
    return f"That is settled law. See {writing}.\n"


# -- names ---------------------------------------------------------------------------------------------------


def join(authority: Invented, first: str, second: str) -> str:
    return f"{first} {find_jurisdiction(authority.place).customs.versus} {second}"


def alter_name(authority: Invented) -> Iterator[tuple[str, str]]:
    """Names that are not quite the authority's, each with how it was altered."""
    first, second = authority.parties
    stranger = Party(invent_surname(1500 + draw("stranger", authority.key) % 1500))
    at = 1 + draw("letter", second.surname) % (len(second.surname) - 2)
    dropped = second.surname[:at] + second.surname[at + 1 :]
    yield "a letter dropped", join(authority, str(first), str(replace(second, surname=dropped)))
    yield (
        "a letter doubled",
        join(authority, str(replace(first, surname=_double(first.surname))), str(second)),
    )
    for party in (first, second):
        if party.business:
            other = next(pair for pair in BUSINESSES if party.business in pair)
            said = replace(party, business=other[1] if other[0] == party.business else other[0])
            sides = (said, second) if party is first else (first, said)
            yield "the other number", join(authority, *map(str, sides))
    if first.given:
        other_given = next(other for given, other in GIVEN if given == first.given)
        yield "another given name", join(authority, str(replace(first, given=other_given)), str(second))
    yield "another first party", join(authority, str(stranger), str(second))
    yield "another second party", join(authority, str(first), str(stranger))
    yield (
        "another case",
        join(authority, str(stranger), invent_surname(1400 + draw("x", authority.key) % 1500)),
    )
    yield "parties swapped", join(authority, str(second), str(first))
    yield "a party added", join(authority, f"{first} and {stranger}", str(second))
    yield "a party dropped", f"{'In re' if authority.place == 'US' else 'Re'} {second}"


def _double(word: str) -> str:
    """A word with its last letter doubled, or written once if it is."""
    return word[:-1] if word[-1] == word[-2] else word + word[-1]


# -- numbers -------------------------------------------------------------------------------------------------

NO_ALTERATION = frozenset({
    ("eu-case", "word"),  # "Case" and "Cases" before the same number
    ("eu-docket", "word"),
    ("echr-application", "word"),  # "App", "Appl", "Application"
    ("echr-application-bare", "word"),
    ("uk-employment-appeal", "code"),  # who sat: no part of what identifies the judgment
    ("uk-employment-appeal-neutral", "code"),
    ("uk-employment-appeal-neutral", "court"),  # one tribunal under its two names
})  # fmt: skip
"""Tokens of forms in whose place others designate the same authority."""
_ORDINAL = re.compile(r"(?<=\()(\d)(st|nd|rd|d|th)(?=\))")
_SUFFIXES = {1: "st", 2: "d", 3: "d"}


def alter_core(core: Core) -> Iterator[tuple[str, str]]:
    """A core with one of its tokens altered, each with how."""
    for token in core.tokens:
        if (core.form.id, token.name) in NO_ALTERATION:
            continue
        written = core.text[token.start : token.end]
        if token.name == "year":
            year = re.search(r"\d{4}", written)
            for by in (-3, -1, 1, 3) if year is not None else ():
                assert year is not None
                now = written[: year.start()] + str(int(year[0]) + by) + written[year.end() :]
                yield f"year {by:+}", core.write(token, now)
        elif token.name in core.form.names:
            for other in find_neighbours(core, token, written):
                yield f"another {token.name}", core.write(token, other)
            for found in _ORDINAL.finditer(written):
                number = int(found[1]) % 5 + 1
                now = (
                    written[: found.start()]
                    + f"{number}{_SUFFIXES.get(number, 'th')}"
                    + written[found.end() :]
                )
                yield "another district", core.write(token, now)
        else:
            for kind, now in alter_digits(written):
                yield f"{token.name}, {kind}", core.write(token, now)


def alter_digits(written: str) -> Iterator[tuple[str, str]]:
    """A number with its last digit changed, and with two digits swapped."""
    digits = [at for at, letter in enumerate(written) if letter.isdigit()]
    if not digits:
        return
    last = digits[-1]
    yield "one digit", written[:last] + str((int(written[last]) + 1) % 9 + 1) + written[last + 1 :]
    for one, two in pairwise(digits):
        if two == one + 1 and written[one] != written[two] and (one > digits[0] or written[two] != "0"):
            yield "digits swapped", written[:one] + written[two] + written[one] + written[two + 1 :]
            return


def _last_number(text: str) -> int:
    return [each.start() for each in re.finditer(r"\d+", text)][-1]


_NEIGHBOURS = 2


def find_neighbours(core: Core, token: Token, written: str) -> list[str]:
    """The names of a report, court or division that are likest to the one that is written."""
    table = core.form.names[token.name]
    own = find_canonical(core, token.name, written)
    rest = [each for each in table if each != own and fold(each) != fold(written)]
    return sorted(rest, key=lambda each: -SequenceMatcher(None, each, own).ratio())[:_NEIGHBOURS]


_OTHER_COURTS = {
    "6th Cir.": ("5th Cir.", "8th Cir."),
    "5th Cir.": ("6th Cir.", "9th Cir."),
    "N.D. Ohio": ("S.D. Ohio", "N.D. Ill."),
    "E.D. Tex.": ("W.D. Tex.", "E.D. Mich."),
    "Bankr. N.D. Ohio": ("Bankr. S.D. Ohio",),
    "Mass.": ("Me.", "Mass. App. Ct."),
    "Ala.": ("Fla.", "Ala. Civ. App."),
    "Pa.": ("N.J.", "Pa. Super. Ct."),
    "HL": ("CA", "PC"),
    "CA": ("HL", "DC"),
}
"""Courts in brackets, with others of the same system that are written in their place."""


def alter_court(bracket: str) -> tuple[str, ...]:
    return _OTHER_COURTS.get(bracket, ())


# -- New York's official style -------------------------------------------------------------------------------

_OFFICIAL = {"N.Y.2d": "", "N.Y.3d": "", "A.D.3d": "2d Dept"}
"""Reports that New York's courts cite without points, the year in square brackets, with the court there."""


def _write_official(authority: Invented, full: Writing) -> Iterator[Cell]:
    report = next((each for each in _OFFICIAL if f" {each} " in authority.core.text), "")
    if not report:
        return
    writing = replace(
        full, core=authority.core.text.replace(".", ""), name=authority.title.replace(" v. ", " v "),
        official=True, court=_OFFICIAL[report],
    )  # fmt: skip
    yield Cell("official style", "", f"That is settled law {writing}.\n")
    pinned = replace(writing, pin=authority.pin)
    yield Cell("official style with a pinpoint", "", f"That is settled law {pinned}.\n")
    for by in (-7, -3, -1, 1, 3):
        other = replace(writing, year=f"{authority.year + by}")
        yield Cell(f"official style, year: {by:+}", "year", f"That is settled law {other}.\n")
    if writing.court:
        other = replace(writing, court="1st Dept")
        yield Cell("official style, court: another department", "court", f"That is settled law {other}.\n")


# -- quotations and propositions -----------------------------------------------------------------------------


def _write_quotations(authority: Invented, full: Writing) -> Iterator[Cell]:
    words = authority.places[authority.pin].split(". ")[0]
    pinned = replace(full, pin=authority.pin)
    beside = replace(full, pin=str(int(authority.pin) + 1))
    far = replace(full, pin=str(int(authority.pin) + 3))
    lower = words[0].lower() + words[1:]
    yield Cell("a quotation, its citation behind", "", f"“{words}.” {pinned}.\n", True)
    yield Cell("a quotation with an introduction", "", f"The court held: “{words}.” {pinned}.\n", True)
    yield Cell(
        "a quotation in a sentence's place", "", f"The rule is old. “{words}.” {pinned}. It stands.\n", True
    )
    yield Cell("a quotation with a signal behind", "", f"“{words}.” See {pinned}.\n", True)
    yield Cell("a quotation with brackets behind", "", f"“{words}” ({pinned}).\n", True)
    yield Cell("a quotation within a sentence", "", f"The court held that “{lower}”. {pinned}.\n", True)
    for kind, moved in (("beside", beside), ("far", far)):
        yield Cell(f"quotation: place moved {kind}", "pinpoint", f"“{words}.” {moved}.\n", True)
        yield Cell(
            f"quotation introduced: place moved {kind}",
            "pinpoint",
            f"The court held: “{words}.” {moved}.\n",
            True,
        )
        yield Cell(f"proposition: place moved {kind}", "pinpoint", f"{words}. {moved}.\n")
    for kind, said in alter_words(authority):
        yield Cell(f"quotation: {kind}", "quotation", f"“{said}.” {pinned}.\n", True)
    yield Cell("a proposition", "", f"{words}. {pinned}.\n")


def alter_words(authority: Invented) -> Iterator[tuple[str, str]]:
    """The first sentence at the cited place in words that are not the court's."""
    first, second = (each.split() for each in authority.places[authority.pin].rstrip(".").split(". "))
    half = len(first) // 2
    yield "its second half from another sentence", " ".join(first[:half] + second[len(second) // 2 :])
    yield "its second half made up", " ".join(first[:half]) + " shall be returned to whoever paid for it"
    yield "one word of it another", " ".join((*first[:-1], "sufficient"))
    yield "made up", "Every tenant of a lighthouse is bound to paint its door before the spring"


# -- instruments and works -----------------------------------------------------------------------------------


def _write_instrument(authority: Invented) -> Iterator[Cell]:
    """Drafts on what is no case: the example as it is written, and its core and place altered."""
    whole, core = authority.written, authority.core

    def cite(now: str) -> str:
        return f"That is settled law. See {now}.\n"

    yield Cell("as its form writes it", "", cite(whole))
    for kind, now in alter_core(core):
        yield Cell(f"number: {kind}", "citation", cite(whole.replace(core.text, now, 1)))
    if authority.pin and "§§" not in whole:
        at = whole.rfind(authority.pin)
        for kind, now in alter_digits(authority.pin):
            moved = whole[:at] + now + whole[at + len(authority.pin) :] if at >= 0 else whole
            if at >= 0:
                yield Cell(f"section: {kind}", "pinpoint", cite(moved))
    if whole == core.text or not whole.startswith(core.text):
        before = whole.partition(core.text)[0].rstrip(" (")
        if before and core.form.around.isdisjoint(()) and before.split()[-1] in ("Act", "Ordinance"):
            other = f"{invent_surname(1700 + draw(whole) % 900)} {before.split()[-1]}"
            yield Cell("title: another", "name", cite(whole.replace(before, other, 1)))
    if core.form.id in ("us-code", "us-state-codes") and authority.pin:
        base = whole[: whole.rfind(authority.pin) + len(authority.pin)]
        yield Cell("section: of the appendix", "citation", cite(base.replace("§", "app. §", 1)))
        yield Cell("section: its note", "pinpoint", cite(f"{base} note"))
        words = authority.places[authority.pin].rstrip(".")
        yield Cell("a quotation of a section", "", f"“{words}.” {base}.\n", True)
        yield Cell(
            "quotation: of the appendix", "citation", f"“{words}.” {base.replace('§', 'app. §', 1)}.\n", True
        )
        yield Cell("quotation: of a note", "pinpoint", f"“{words}.” {base} note.\n", True)
