"""Changes that make one correct citation of a draft wrong, one place at a time."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from alterations import NUMBER, Altered, Base, Kind, choose, name_span

from lexls.citations.case_names.compare import make_party_key
from lexls.citations.model import Citation
from lexls.index.records import Authority
from lexls.text.spans import Span

_BRACKETED = re.compile(r"\(([^()]{4,60})\)")
_VERSUS = re.compile(r"\s+(?:v|vs|V)\.?\s+")
_LONG = re.compile(r"\d{2,}")
_CASE = re.compile(r"(?:['’]s?)?\s{0,2}[Cc]ase\b|['’]s\b")
_SEVERAL_NUMBERS = re.compile(r"\d\s?(?:-|–|,|&|and|to)\s?\d[^/]*\bof\b", re.IGNORECASE)
_UNSPECIFIC = re.compile(r"State\b(?! [Oo]f\b)")
_SURNAMES = (
    "Ashgrove", "Bellwether", "Castlemaine", "Dunmorrow", "Ellerby", "Fenwright", "Garnock", "Halversham",
    "Inverlay", "Jessamy", "Kettlestone", "Larkbourne", "Merridew", "Northolme", "Oakhanger", "Penhallow",
)  # fmt: skip
_COURTS = (
    "1st Cir.", "2d Cir.", "3d Cir.", "4th Cir.", "5th Cir.", "6th Cir.", "7th Cir.", "8th Cir.", "9th Cir.",
    "10th Cir.", "11th Cir.",
)  # fmt: skip
_DISTRICTS = (
    "S.D.N.Y.",
    "N.D. Cal.",
    "D. Mass.",
    "E.D. Pa.",
    "N.D. Ill.",
    "S.D. Tex.",
    "D. Colo.",
    "M.D. Fla.",
)


def _reach(base: Base, citation: Citation) -> Span:
    mention = base.draft.mention_of(citation)
    behind = base.source.find("\n", mention.end)
    tail = _BRACKETED.match(base.source, mention.end + 1)
    end = tail.end() if tail else mention.end
    return Span(mention.start, min(end, behind if behind >= 0 else end))


# -- names ---------------------------------------------------------------------------------------------------


def name_of_another(base: Base, chance: random.Random) -> Altered | None:
    def made() -> Iterator[Altered]:
        for citation, authority in base.full(named=True):
            span = name_span(base.draft, citation)
            other = _another(base, chance, authority)
            if span is not None and other is not None:
                yield Altered(span, other.title, _reach(base, citation))

    return choose(chance, made())


def _another(base: Base, chance: random.Random, authority: Authority) -> Authority | None:
    for _ in range(20):
        other = chance.choice(base.others)
        if other.id != authority.id and _VERSUS.search(other.title) and len(other.title) < 90:
            return other
    return None


def party_changed(base: Base, chance: random.Random) -> Altered | None:
    """One of the parties is somebody else, none by whose name others cite the case, nor just "State"."""

    def made() -> Iterator[Altered]:
        for citation, authority in base.full(named=True):
            span = name_span(base.draft, citation)
            other = _another(base, chance, authority)
            if span is None or other is None:
                continue
            parties = _VERSUS.split(span.of(base.source))
            if len(parties) != 2:
                continue
            strange = chance.choice(_VERSUS.split(other.title)[:2])
            side = chance.randrange(2)
            if strange.split()[0] in parties[side] or not strange[0].isupper():
                continue
            if _UNSPECIFIC.match(strange) and parties[side].startswith("State"):
                continue
            kept = span.of(base.source)
            place = kept.find(parties[side]) if side == 0 else kept.rfind(parties[side])
            now = kept[:place] + strange + kept[place + len(parties[side]) :]
            if make_party_key(now) not in base.library.graph.count_names(citation.key):
                yield Altered(span, now, _reach(base, citation))

    return choose(chance, made())


def name_word_changed(base: Base, chance: random.Random) -> Altered | None:
    """The telling word of one party, with the point of an abbreviation, is another one."""

    def made() -> Iterator[Altered]:
        for citation, authority in base.full(named=True):
            span = name_span(base.draft, citation)
            if span is None:
                continue
            known = {word.casefold() for word in re.findall(r"\w+", authority.title)}
            parties = _VERSUS.split(span.of(base.source))
            for party in parties if len(parties) == 2 else ():
                said = re.match(r"[A-Z][a-z]{3,}\b(?!\s+(?:States|of)\b)", party)
                if (
                    said
                    and said[0].casefold() in known
                    and said[0] not in ("State", "People", "Commonwealth")
                ):
                    place = base.source.index(party, span.start)
                    strange = chance.choice(_SURNAMES)
                    end = place + len(said[0]) + party.startswith(".", len(said[0]))
                    yield Altered(Span(place, end), strange, _reach(base, citation))

    return choose(chance, made())


# -- numbers -------------------------------------------------------------------------------------------------


def _numbers(base: Base, citation: Citation) -> tuple[list[Span], list[Span]]:
    """The numbers of a citation's core that are no year, and those that are."""
    found = [
        Span(*each.span()) for each in NUMBER.finditer(base.source, citation.core.start, citation.core.end)
    ]
    years = [
        each for each in found if citation.year is not None and each.of(base.source) == str(citation.year)
    ]
    return [each for each in found if each not in years], years


def _numbered(
    base: Base, chance: random.Random, change: Callable[[str], str | None], which: Sequence[int]
) -> Altered | None:
    def made() -> Iterator[Altered]:
        for citation, _ in base.full():
            numbers, _years = _numbers(base, citation)
            for place in which:
                if len(numbers) > (1 if place == 0 else 0):
                    text = change(numbers[place].of(base.source))
                    if text is not None:
                        said = numbers[place].of(base.source)
                        yield Altered(numbers[place], text, _reach(base, citation), said)

    return choose(chance, made())


def volume_changed(base: Base, chance: random.Random) -> Altered | None:
    return _numbered(base, chance, lambda said: _other_number(said, chance), (0,))


def page_changed(base: Base, chance: random.Random) -> Altered | None:
    return _numbered(base, chance, lambda said: _other_number(said, chance), (-1,))


def _other_number(said: str, chance: random.Random) -> str:
    low = max(1, 10 ** (len(said) - 1))
    return next(
        str(each) for each in iter(lambda: chance.randrange(low, 10 * low), None) if str(each) != said
    )


def digits_swapped(base: Base, chance: random.Random) -> Altered | None:
    def swap(said: str) -> str | None:
        places = [place for place in range(len(said) - 1) if said[place] != said[place + 1]]
        places = [place for place in places if place or said[1] != "0"]
        if not places:
            return None
        place = chance.choice(places)
        return said[:place] + said[place + 1] + said[place] + said[place + 2 :]

    return _numbered(base, chance, swap, (0, -1))


def page_near(base: Base, chance: random.Random) -> Altered | None:
    return _numbered(
        base, chance, lambda said: str(max(1, int(said) + chance.choice((-3, -2, -1, 1, 2, 3)))), (-1,)
    )


def year_changed(base: Base, chance: random.Random) -> Altered | None:
    return _year(base, chance, lambda year: year + chance.choice((-11, -7, -5, -4, -3, 3, 4, 6, 9)))


def year_swapped(base: Base, chance: random.Random) -> Altered | None:
    def swap(year: int) -> int:
        said = str(year)
        return int(said[:2] + said[3] + said[2])

    return _year(base, chance, swap)


def _year(base: Base, chance: random.Random, change: Callable[[int], int]) -> Altered | None:
    def made() -> Iterator[Altered]:
        for citation, authority in base.full():
            if citation.year is None or authority.year is None or abs(citation.year - authority.year) > 1:
                continue
            other = change(citation.year)
            if abs(other - authority.year) <= 2 or other > 2025:
                continue
            reach = _reach(base, citation)
            place = base.source.rfind(str(citation.year), reach.start, reach.end)
            if place >= 0:
                yield Altered(Span(place, place + 4), str(other), reach, str(citation.year))

    return choose(chance, made())


def court_changed(base: Base, chance: random.Random) -> Altered | None:
    def made() -> Iterator[Altered]:
        for citation, _ in base.full():
            reach = _reach(base, citation)
            for found in _BRACKETED.finditer(base.source, citation.core.end, reach.end):
                said = re.match(r"(.*\b(?:Cir|[A-Z]\.?\s?D\.|D)\.?.*?)\s*(?=(?:1[89]|20)\d\d$)", found[1])
                if said is None or "App" in said[1]:
                    continue
                courts = _COURTS if "Cir" in said[1] else _DISTRICTS
                others = [each for each in courts if each.replace(" ", "") != said[1].replace(" ", "")]
                span = Span(found.start(1), found.start(1) + said.end(1))
                strange = chance.choice(others)
                yield Altered(span, strange, reach, strange)

    return choose(chance, made())


def docket_changed(base: Base, chance: random.Random) -> Altered | None:
    """Another docket number beside the citation; where the draft gives none, a wrong one is written there."""

    def made() -> Iterator[Altered]:
        for citation, authority in base.full(named=True):
            numbers = [each for each in authority.docket if _LONG.search(each)]
            span = name_span(base.draft, citation)
            if not numbers or span is None or citation.core.start < span.end:
                continue
            if _CASE.match(base.source, span.end):
                continue
            said = numbers[0] if numbers[0][:1].isalpha() else f"No. {numbers[0]}"
            # Behind the first number of "12-15 of 1999", and in the text, stand others of the case.
            first = _LONG.search(said)
            text = base.library.contents.text(authority.id)
            ways = range(-3, -30, -1) if _SEVERAL_NUMBERS.search(said) else range(3, 30)
            others = (str(int(first[0]) + each) for each in ways) if first is not None else iter(())
            other = next((each for each in others if not re.search(rf"\b{each}\b", text)), None)
            behind = "" if base.source[span.end : span.end + 1] in (",", ";") else ","
            if other is not None:
                wrong = _LONG.sub(other, said, count=1)
                yield Altered(
                    Span(span.end, span.end), f", {wrong}{behind}", _reach(base, citation), numbers[0]
                )

    return choose(chance, made())


# -- another case --------------------------------------------------------------------------------------------


def fabricated(base: Base, chance: random.Random) -> Altered | None:
    def made() -> Iterator[Altered]:
        for citation, _ in base.full(named=True):
            span = name_span(base.draft, citation)
            numbers, _years = _numbers(base, citation)
            if span is None or len(numbers) < 1 or base.draft.group_of(citation) != [citation]:
                continue
            one, other = chance.sample(_SURNAMES, 2)
            text = base.source[span.start : citation.core.end]
            for number in reversed(numbers):
                low, high = number.start - span.start, number.end - span.start
                text = text[:low] + _other_number(number.of(base.source), chance) + text[high:]
            yield Altered(
                Span(span.start, citation.core.end),
                f"{one} v. {other}{text[len(span) :]}",
                _reach(base, citation),
            )

    return choose(chance, made())


def number_of_another(base: Base, chance: random.Random) -> Altered | None:
    """The citation of another case of the library beside the name of this one."""

    def made() -> Iterator[Altered]:
        for citation, authority in base.full(named=True):
            other = _another(base, chance, authority)
            if other is not None and other.citation and not _shares_party(other, authority):
                yield Altered(citation.core, other.citation, _reach(base, citation))

    return choose(chance, made())


def _shares_party(one: Authority, other: Authority) -> bool:
    return bool(
        {*one.title.casefold().split()} & {*other.title.casefold().split()} - {"v.", "v", "of", "the"}
    )


def parallel_of_another(base: Base, chance: random.Random) -> Altered | None:
    """Beside the citation, as its parallel one, that of another case."""

    def made() -> Iterator[Altered]:
        for citation, authority in base.full():
            other = _another(base, chance, authority)
            if other is None or not other.citation or citation.jurisdiction not in ("US", "IN", ""):
                continue
            own, strange = _letters(authority.citation), _letters(other.citation)
            if own == strange or citation.pinpoint is not None:
                continue
            at = citation.core.end
            yield Altered(Span(at, at), f", {other.citation}", _reach(base, citation))

    return choose(chance, made())


def _letters(citation: str) -> str:
    return re.sub(r"[\W\d]", "", citation)


# -- places --------------------------------------------------------------------------------------------------


def pinpoint_beyond(base: Base, chance: random.Random) -> Altered | None:
    return _pinpoint(base, chance, ("full", "short", "supra"))


def id_beyond(base: Base, chance: random.Random) -> Altered | None:
    return _pinpoint(base, chance, ("id",))


def _pinpoint(base: Base, chance: random.Random, forms: Sequence[str]) -> Altered | None:
    def made() -> Iterator[Altered]:
        for before, each in zip([None, *base.cited], base.cited, strict=False):
            citation = each.citation
            pinpoint = citation.pinpoint
            # Where only its page ties an *id.* to its case, another page makes it one of nothing.
            if citation.form == "id" and (before is None or before.authorities[:1] != each.authorities[:1]):
                continue
            if (
                citation.kind != "case"
                or citation.form not in forms
                or not each.authorities
                or pinpoint is None
            ):
                continue
            found = NUMBER.search(base.source, pinpoint.span.start, pinpoint.span.end)
            if found is None or pinpoint.kind not in ("page", "paragraph"):
                continue
            if pinpoint.kind == "page":
                off = chance.choice((-1, 1)) * chance.randint(300, 700)
                # "705, 19" would stand for page 719.
                less = int(found[0]) + off
                value = less if less > 0 and len(str(less)) >= len(found[0]) else int(found[0]) + abs(off)
            else:
                value = int(found[0]) + chance.randint(300, 700)
            span = Span(found.start(), pinpoint.span.end)
            closing = re.search(r"\W*$", span.of(base.source))
            tail = closing[0] if closing else ""
            yield Altered(span, f"{value}{tail}", _reach(base, citation), str(value))

    return choose(chance, made())


def section_beyond(base: Base, chance: random.Random) -> Altered | None:
    """A section that the Act has not."""

    def made() -> Iterator[Altered]:
        for each in base.cited:
            citation = each.citation
            pinpoint = citation.pinpoint
            if citation.kind != "statute" or not each.authorities or pinpoint is None:
                continue
            found = NUMBER.search(base.source, pinpoint.span.start, pinpoint.span.end)
            if found is not None:
                strange = str(int(found[0]) + chance.randint(4000, 8000))
                yield Altered(Span(*found.span()), strange, citation.span, strange)

    return choose(chance, made())


_NAMES = ("name-mismatch", "citation-number", "parallel-mismatch")
_MISSING = ("not-in-library", "missing-among-held")
_NUMBERS = ("name-mismatch", "parallel-mismatch", "impossible-citation", *_MISSING)
_YEARS = ("impossible-citation", *_MISSING)

CITATIONS: Mapping[str, Kind] = {
    "name of another case": Kind(name_of_another, _NAMES),
    "one party another": Kind(party_changed, _NAMES),
    "one word of a name": Kind(name_word_changed, _NAMES),
    "volume": Kind(volume_changed, _NUMBERS, ("citation-number",)),
    "page": Kind(page_changed, _NUMBERS, ("citation-number",)),
    "digits swapped": Kind(digits_swapped, _NUMBERS, ("citation-number",)),
    "page off by a few": Kind(page_near, _NUMBERS, ("citation-number",)),
    "year": Kind(year_changed, _YEARS, ("decision-mismatch", "citation-number")),
    "digits of the year swapped": Kind(year_swapped, _YEARS, ("decision-mismatch", "citation-number")),
    "court": Kind(court_changed, ("impossible-citation",), ("decision-mismatch",)),
    "docket": Kind(docket_changed, (), ("decision-mismatch",)),
    "fabricated": Kind(fabricated, _NUMBERS),
    "number of another case": Kind(number_of_another, _NAMES),
    "parallel of another case": Kind(parallel_of_another, ("parallel-mismatch", "name-mismatch")),
    "pinpoint beyond the end": Kind(pinpoint_beyond, (), ("pinpoint-not-found",)),
    "Id. beyond the end": Kind(id_beyond, (), ("pinpoint-not-found",)),
    "section that is not there": Kind(section_beyond, ("not-in-library",), ("pinpoint-not-found",)),
}
