"""Changes that make one correct citation or quotation of a draft wrong, one place at a time."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from quotation_edits import MODALS, modal_swapped, negation_dropped, number_changed, reordered
from sentence_edits import TURNED, Edit, foreign_word, itself, negation_added, word_added

from lexls.citations.case_names.compare import make_party_key
from lexls.citations.model import Citation
from lexls.features.draft import Draft
from lexls.features.resolve import Resolution
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.text.spans import Span

_NUMBER = re.compile(r"\d+(?![\da-z])")
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


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words of a draft that stand verbatim in an authority that the paragraph cites."""

    span: Span
    resolution: Resolution
    authority: Authority


@dataclass(frozen=True, slots=True)
class Base:
    """A draft with all that it cites, before anything is altered.

    ``others`` are authorities of the library that another citation may name, ``words`` words of other texts.
    ``has`` tells whether an authority has words verbatim.
    """

    draft: Draft
    library: Library
    cited: Sequence[Resolution]
    quoted: Sequence[Quoted]
    others: Sequence[Authority]
    words: Sequence[str]
    has: Callable[[Authority, str], bool]

    @property
    def source(self) -> str:
        return self.draft.source

    def full(self, *, named: bool = False) -> Iterator[tuple[Citation, Authority]]:
        """The full citations of cases that are found by their own citation, with what they name."""
        for each in self.cited:
            citation = each.citation
            if citation.kind != "case" or citation.form != "full" or each.by != "citation":
                continue
            authority = self.library.catalogue.get(each.authorities[0])
            if authority is not None and (not named or name_span(self.draft, citation) is not None):
                yield citation, authority

    def cited_beside(self, span: Span) -> Iterator[Authority]:
        """The authorities cited in the paragraph that ``span`` stands in."""
        paragraph = next(each for each in self.draft.paragraphs if each.start <= span.start < each.end)
        for each in self.cited:
            if paragraph.start <= each.citation.core.start < paragraph.end:
                found = map(self.library.catalogue.get, each.authorities)
                yield from filter(None, found)


@dataclass(frozen=True, slots=True)
class Altered:
    """``text`` in place of ``span`` of a draft's source; ``around`` is where it must be noticed.

    ``right`` is what would be right there, as a message may give it.
    """

    span: Span
    text: str
    around: Span
    right: str = ""


Alteration = Callable[[Base, random.Random], Altered | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One way of making a draft wrong, and the diagnostics whose messages name what is wrong with it then.

    Those of ``codes`` say it by what they are ("… is Smith v. Jones, not Smith v. Brown", "… is not in your
    library"), those of ``giving`` only where their message has what would be right.
    """

    alter: Alteration
    codes: tuple[str, ...] = ()
    giving: tuple[str, ...] = ()

    def is_named(self, altered: Altered, code: str, message: str) -> bool:
        """Whether a finding names what was altered."""
        if code in self.codes:
            return True
        return (
            code in self.giving
            and re.search(rf"(?<!\w){re.escape(altered.right)}(?!\w)", message) is not None
        )


def name_span(draft: Draft, citation: Citation) -> Span | None:
    """Where a citation's name stands."""
    if not citation.name:
        return None
    pattern = r"\s+".join(map(re.escape, citation.name.split()))
    found = re.compile(pattern).search(draft.source, citation.span.start, citation.span.end)
    return Span(*found.span()) if found else None


def _choose(chance: random.Random, made: Iterator[Altered]) -> Altered | None:
    found = list(made)
    return chance.choice(found) if found else None


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

    return _choose(chance, made())


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

    return _choose(chance, made())


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

    return _choose(chance, made())


# -- numbers -------------------------------------------------------------------------------------------------


def _numbers(base: Base, citation: Citation) -> tuple[list[Span], list[Span]]:
    """The numbers of a citation's core that are no year, and those that are."""
    found = [Span(*each.span()) for each in _NUMBER.finditer(base.source, *_ends(citation.core))]
    years = [
        each for each in found if citation.year is not None and each.of(base.source) == str(citation.year)
    ]
    return [each for each in found if each not in years], years


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


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

    return _choose(chance, made())


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

    return _choose(chance, made())


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

    return _choose(chance, made())


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

    return _choose(chance, made())


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

    return _choose(chance, made())


def number_of_another(base: Base, chance: random.Random) -> Altered | None:
    """The citation of another case of the library beside the name of this one."""

    def made() -> Iterator[Altered]:
        for citation, authority in base.full(named=True):
            other = _another(base, chance, authority)
            if other is not None and other.citation and not _shares_party(other, authority):
                yield Altered(citation.core, other.citation, _reach(base, citation))

    return _choose(chance, made())


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

    return _choose(chance, made())


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
            found = _NUMBER.search(base.source, *_ends(pinpoint.span))
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

    return _choose(chance, made())


def section_beyond(base: Base, chance: random.Random) -> Altered | None:
    """A section that the Act has not."""

    def made() -> Iterator[Altered]:
        for each in base.cited:
            citation = each.citation
            pinpoint = citation.pinpoint
            if citation.kind != "statute" or not each.authorities or pinpoint is None:
                continue
            found = _NUMBER.search(base.source, *_ends(pinpoint.span))
            if found is not None:
                strange = str(int(found[0]) + chance.randint(4000, 8000))
                yield Altered(Span(*found.span()), strange, citation.span, strange)

    return _choose(chance, made())


# -- quotations ----------------------------------------------------------------------------------------------


def _quotation(change: Callable[[str, random.Random, Sequence[str]], str | None]) -> Alteration:
    def alter(base: Base, chance: random.Random) -> Altered | None:
        for each in chance.sample(list(base.quoted), len(base.quoted)):
            said = each.span.of(base.source)
            text = change(said, chance, base.words)
            if text is not None and text != said:
                return Altered(each.span, text, each.span)
        return None

    return alter


def word_changed(quotation: str, chance: random.Random, others: Sequence[str]) -> str | None:
    return foreign_word(quotation, chance, others)


def words_left_out(quotation: str, chance: random.Random, others: Sequence[str]) -> str | None:
    """One to three words less, and nothing that says so."""
    words = quotation.split(" ")
    length = chance.randint(1, 3)
    if len(words) < length + 6:
        return None
    place = chance.randrange(2, len(words) - length - 2)
    if not any(word.isalpha() and len(word) > 4 for word in words[place : place + length]):
        return None
    return " ".join(words[:place] + words[place + length :])


def may_for_shall(quotation: str, chance: random.Random, others: Sequence[str]) -> str | None:
    return modal_swapped(quotation, chance, others) if set(quotation.split()) & set(MODALS) else None


def quotation_moved(base: Base, chance: random.Random) -> Altered | None:
    """Words of another authority stand where this one's stood, which nothing cited in the paragraph has."""
    pairs = [
        (one, other)
        for one in base.quoted
        for other in base.quoted
        if one.authority.id != other.authority.id and one.span != other.span
    ]
    for one, other in chance.sample(pairs, len(pairs)):
        words = other.span.of(base.source)
        if not any(base.has(each, words) for each in base.cited_beside(one.span)):
            return Altered(one.span, words, one.span)
    return None


def quotation_pinpoint(base: Base, chance: random.Random) -> Altered | None:
    """Another place of the same authority, which it has, beside a quotation."""

    def made() -> Iterator[Altered]:
        for each in base.quoted:
            citation = each.resolution.citation
            pinpoint = citation.pinpoint
            if pinpoint is None or pinpoint.kind not in ("page", "paragraph"):
                continue
            labels = base.library.contents.list_labels(each.authority.id, pinpoint.kind)
            found = _NUMBER.search(base.source, *_ends(pinpoint.span))
            if found is None or found[0] not in labels:
                continue
            far = [one for one in labels if one.isdigit() and abs(int(one) - int(found[0])) > 2]
            if far:
                span = Span(*found.span())
                around = Span(
                    min(each.span.start, citation.span.start), max(each.span.end, citation.span.end)
                )
                yield Altered(span, chance.choice(far), around, found[0])

    return _choose(chance, made())


_NAMES = ("name-mismatch", "citation-number", "parallel-mismatch")
_MISSING = ("not-in-library", "missing-among-held")
_NUMBERS = ("name-mismatch", "parallel-mismatch", "impossible-citation", *_MISSING)
_YEARS = ("impossible-citation", *_MISSING)
_WORDS = ("misquotation", "quotation-wording", "quotation-altered", "quotation-spelling")

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
QUOTATIONS: Mapping[str, Kind] = {
    "quotation: word changed": Kind(_quotation(word_changed), _WORDS),
    "quotation: negation dropped": Kind(_quotation(negation_dropped), _WORDS),
    "quotation: negation added": Kind(_quotation(negation_added), _WORDS),
    "quotation: word inserted": Kind(_quotation(word_added), _WORDS),
    "quotation: words left out": Kind(_quotation(words_left_out), _WORDS),
    "quotation: two words swapped": Kind(_quotation(reordered), _WORDS),
    "quotation: number changed": Kind(_quotation(number_changed), _WORDS),
    "quotation: modality changed": Kind(_quotation(may_for_shall), _WORDS),
    "quotation: of another authority": Kind(quotation_moved, _WORDS),
    "quotation: wrong pinpoint": Kind(quotation_pinpoint, (), ("pinpoint-elsewhere",)),
}
_NEGATED = ("negation added", "negation dropped")
HOLDINGS: Mapping[str, Sequence[Edit]] = {
    "holding negated": [TURNED[each] for each in _NEGATED],
    "holding turned": [edit for name, edit in TURNED.items() if name not in _NEGATED],
    "authority of another topic": [itself],
}
"""What is done to a sentence that an authority bears out; the last is put beside another authority."""
