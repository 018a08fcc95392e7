"""Find the authorities of the library that a citation may have meant: a slip of the pen away, or so named."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from lexls.citations.case_names.alone import find_words_before
from lexls.citations.case_names.compare import (
    are_close,
    is_other_name,
    is_plainly_same_name,
    list_name_words,
    names_both_parties,
    same_name,
)
from lexls.citations.case_names.shorten import list_short_names
from lexls.citations.cores import find_court_and_year
from lexls.citations.grammar import find_impossibility
from lexls.citations.model import Citation, fold
from lexls.citations.same_court import compare_courts
from lexls.index.records import Authority
from lexls.reading.binding import is_called
from lexls.reading.resolve import Resolution
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span

Slip = Literal["number", "order", "report", "other", "name"]
"""What differs: a digit of one number, the order of the numbers, the report or court, one number altogether;
"name": all but the name."""
_ORDER: tuple[Slip, ...] = ("number", "order", "report", "other", "name")
_NUMBER = re.compile(r"\d+")
# Not the number of a report's series ("F.2d").
_OWN_NUMBER = re.compile(r"\d+(?!\d*[a-z])")
_MOST = 3
_MOST_NAMES = 120
"""Names of a form's reports or courts that are all tried in place of the one cited."""
_FAR = 3
"""Pages by which a citation may be off."""
_BEFORE = 80
"""Code points before a citation in which its name is looked for where none was read."""
_NO_NAME = re.compile(r"^\W*\w+|\b(?:See|Cf|In|And|But|Compare|Also|Accord|E\.g|The|Court|As|At)\b")
_SUPRA = 12
_LONG = 80
"""Pages that most decisions do not exceed."""
_YEAR = 4
"""Digits of a year."""
_CITED = 2
"""How many of the library's documents must cite a number for it to be that of a decision not held."""
_LONGEST = 80
"""Code points of the longest key that is varied."""
_NEXT = 40
"""Code points from a citation within which the next one is looked for."""
_BESIDE = re.compile(r"[\s.,:=()\[\]]{0,6}")
_NEUTRAL = re.compile(r"\[?\d{4}\]?\s+[A-Z][A-Za-z ]*\d+$")
"""A court's own number of a judgment: "[2014] UKSC 12", "2014 ONCA 12"."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """An authority that a citation may have meant, under the citation that is near.

    ``citation`` is "" if the authority's file gives none. ``named`` says that the authority has the name that
    the draft gives, ``certain`` that it can hardly be another decision between the same parties.
    """

    authority: Authority
    citation: str
    slip: Slip
    named: bool
    certain: bool = False


def find_near_misses(snapshot: Snapshot, citation: Citation) -> list[NearMiss]:
    """At most three authorities that a full citation without authority may have meant, the likeliest first.

    One of another name than the draft gives is none. Where no name was read, the words before the citation
    must speak of it; where these name nothing at all, only a slip in the numbers is likely enough, and if
    more than one is a slip away nobody knows.
    """
    if not citation.key or len(citation.key) > _LONGEST or "_" in citation.key:
        return []
    if citation.kind == "statute" and citation.key[0].isdigit() and citation.name:
        return []  # a code by its name: no number of it can be wrong
    found: dict[int, NearMiss] = {}
    before = "" if citation.name else _words_before(snapshot, citation)
    called = citation.name or _name_before(snapshot, citation)
    bare = not citation.name and not any(map(str.isupper, before))
    for written, document, slip in _near_keys(snapshot, citation):
        if bare and slip != "number":
            continue
        authority = snapshot.library.catalogue.get(document)
        if authority is None or document in found or authority.kind != _kind(citation, authority):
            continue
        if not _years_agree(citation, authority, written):
            continue
        named = _named(citation, authority) or (
            not citation.name
            and (_speak_of(before, authority) or is_plainly_same_name(called, authority.title))
        )
        certain = named and _is_certain(snapshot, citation, authority, written, slip, called)
        if certain or (slip != "other" and (named or bare)):
            found[document] = NearMiss(authority, _as_given(authority, written), slip, named, certain)
    if not found:
        for each in _of_the_name(snapshot, citation):
            found.setdefault(each.authority.id, each)
    ranked = sorted(found.values(), key=lambda each: (not each.named, _ORDER.index(each.slip)))
    for sure in (
        [each for each in ranked if each.certain],
        [each for each in ranked if each.named and each.slip == "number"],
    ):
        if len({fold(each.citation) for each in sure}) == 1:
            return sure[:1]
    return ranked[:_MOST] if not bare or len(ranked) == 1 else []


def find_misnumbered(snapshot: Snapshot, resolution: Resolution) -> NearMiss | None:
    """The authority of a citation that is found by another one beside it, if this one has a wrong number.

    It has the authority's citation in that report but for one number, and others of the library write that
    beside its parallel ones if the library does not know these. None if it has not. Of what is found by its
    name alone that is asked as of what is not found.
    """
    citation = resolution.citation
    if citation.kind != "case" or citation.form != "full" or resolution.by == "citation":
        return None
    if resolution.is_by_name:
        near = find_near_misses(snapshot, citation)
        return near[0] if len(near) == 1 and near[0].certain else None
    beside = resolution.authorities or _find_beside(snapshot, citation)
    parallel = [each.key for each in snapshot.draft.group_of(citation) if each.key != citation.key]
    for place, one, other, document in _differing(snapshot, citation) if beside or parallel else ():
        authority = snapshot.library.catalogue.get(document)
        if authority is None or _is_series(fold(citation.key), place):
            continue
        written = _respell(citation.key, place, one, other)
        if fold(written) in {fold(citation.key), *map(fold, parallel)}:
            continue  # of a list of cases, which was read as that of parallel citations
        if document not in beside and not any(
            snapshot.library.graph.stand_together(written, each) for each in parallel
        ):
            continue
        if not _is_known(snapshot, citation, authority, written):
            slip: Slip = "number" if is_slip(one, other) else "other"
            return NearMiss(authority, _as_given(authority, written), slip, True, True)
    return None


def _find_beside(snapshot: Snapshot, citation: Citation) -> tuple[int, ...]:
    """The authorities whose citations stand right beside this one, as its parallel ones do.

    Two that give different years are not read as parallel.
    """
    draft = snapshot.draft
    around = draft.citations_in(Span(citation.span.start - _NEXT, citation.core.end + _NEXT))
    found: list[int] = []
    for other in around:
        first, second = (citation, other) if citation.core.start < other.core.start else (other, citation)
        between = draft.masked[first.core.end : second.core.start]
        if other.form != "full" or _letters(other.key) == _letters(citation.key):
            continue  # another case of the same report
        if _BESIDE.fullmatch(between):
            found += snapshot.library.catalogue.find_key(other.key)
    return tuple(found)


def _kind(citation: Citation, authority: Authority) -> str:
    """The kind that an authority must have: that of the citation, where the two name kinds alike."""
    return citation.kind if citation.kind in ("case", "statute") else authority.kind


def _years_agree(citation: Citation, authority: Authority, key: str) -> bool:
    """Return whether the years may be of one authority; a key that holds its year is as good as its
    numbers."""
    if citation.kind != "case":
        return True
    if citation.year is None or authority.year is None:
        # Hundreds of cases are called "R v Smith".
        return not citation.name or is_plainly_same_name(citation.name, authority.title)
    return abs(citation.year - authority.year) <= 1 or any(str(authority.year + by) in key for by in (0, 1))


def _named(citation: Citation, authority: Authority) -> bool:
    if citation.kind == "case":
        return bool(citation.name) and any(
            same_name(citation.name, title) for title in (authority.title, authority.short_title) if title
        )
    return _letters(citation.key) in {_letters(each) for each in (authority.title, *authority.citations)}


def _words_before(snapshot: Snapshot, citation: Citation) -> str:
    """Return what stands before a citation and may name it, the first word of its paragraph and signals
    left out."""
    draft = snapshot.draft
    paragraph = draft.paragraph_at(citation.core.start)
    start = max(paragraph.start if paragraph is not None else 0, citation.core.start - _BEFORE)
    return _NO_NAME.sub("", draft.masked[start : citation.core.start])


def _name_before(snapshot: Snapshot, citation: Citation) -> str:
    """The capitalised words that stand right before a citation: in all likelihood one of its parties."""
    draft = snapshot.draft
    paragraph = draft.paragraph_at(citation.core.start)
    start = max(paragraph.start if paragraph is not None else 0, citation.core.start - _BEFORE)
    words = find_words_before(draft.masked[start : citation.core.start], citation.core.start - start)
    return words.shift(start).of(draft.masked) if words is not None else ""


def _speak_of(words: str, authority: Authority) -> bool:
    """Return whether words hold one of those that tell an authority's name."""
    telling = {
        word for name in list_short_names(authority.title) for word in list_name_words(name) if len(word) > 3
    }
    return not telling.isdisjoint(list_name_words(words))


def _letters(text: str) -> str:
    return _NUMBER.sub("", fold(text))


def _as_given(authority: Authority, key: str) -> str:
    """The citation of an authority that has this key."""
    wanted = fold(key)
    return next((each for each in authority.citations if fold(each) == wanted), key)


def _near_keys(snapshot: Snapshot, citation: Citation) -> Iterator[tuple[str, int, Slip]]:
    """The citations that are one slip away, or that differ in one number, with their authorities."""
    key = citation.key
    catalogue = snapshot.library.catalogue
    for place, one, other, document in _differing(snapshot, citation):
        slip: Slip = (
            "report" if _is_series(fold(key), place) else "number" if is_slip(one, other) else "other"
        )
        yield _respell(key, place, one, other), document, slip
    if citation.kind != "case":
        return
    for written, slip in _variants(snapshot, citation):
        for document in catalogue.find_key(written):
            yield written, document, slip


def _differing(snapshot: Snapshot, citation: Citation) -> Iterator[tuple[int, str, str, int]]:
    """Yield where the folded key differs from others in one number, how it is in each, and the others'
    authorities.

    A year before the volume that is left out elsewhere ("(1992) 415 Pa. Super. 263") is no difference.
    """
    key = fold(citation.key)
    for folded, document in snapshot.library.catalogue.find_but_for_a_number(key):
        place, one, other = _find_difference(key, folded)
        if not (one.endswith(other) or other.endswith(one)) or abs(len(one) - len(other)) != _YEAR:
            yield place, one, other, document


def _find_difference(one: str, other: str) -> tuple[int, str, str]:
    """Return which of the runs of digits of two folded keys differs, and how it is in each."""
    runs = zip(_NUMBER.finditer(one), _NUMBER.findall(other), strict=True)
    return next((found.start(), found[0], run) for found, run in runs if found[0] != run)


def _is_series(key: str, place: int) -> bool:
    """Return whether the digits there count the series of a report ("373f3d197")."""
    found = _NUMBER.match(key, place)
    end = found.end() if found is not None else place
    return place > 0 and end - place < 3 and key[place - 1].isalpha() and key[end : end + 1].isalpha()


def _respell(key: str, place: int, one: str, other: str) -> str:
    """A key with the digits that its folded form has at ``place`` changed to others."""
    positions = [at for at, character in enumerate(key) if character.isalnum()]
    if len(positions) != len(fold(key)):
        return key
    own = positions[place : place + len(one)]
    if len(one) == len(other):
        written = list(key)
        for at, digit in zip(own, other, strict=True):
            written[at] = digit
        return "".join(written)
    # Of two numbers side by side ("(2003) 4") the later one changes its length.
    first = next((at for at in range(len(own) - 1, 0, -1) if own[at] != own[at - 1] + 1), 0)
    if one[:first] != other[:first]:
        return key
    return key[: own[first]] + other[first:] + key[own[-1] + 1 :]


def is_slip(one: str, other: str) -> bool:
    """Return whether a number is another with a digit wrong, missing, doubled or swapped, or is a few
    pages off."""
    if are_close(one, other):
        return True
    is_year = len(one) == 4 and int(one) <= 2100
    return not is_year and abs(int(one) - int(other)) <= _FAR


def _is_certain(
    snapshot: Snapshot, citation: Citation, authority: Authority, written: str, slip: Slip, called: str
) -> bool:
    """Return whether a case of the name that the draft gives can hardly be another than the near one.

    ``called`` is that name, or words before the citation that may be a part of it: then only a slip, or
    another year before the right numbers, is certain. Courts decide again between the same parties: soon, and
    in the same report. Their judgments of a year bear numbers that follow one another, so that these are as
    like as two decisions are. What the library's own documents cite by that number is another decision.
    """
    if citation.kind != "case" or not is_plainly_same_name(called, authority.title):
        return False
    if _is_of_another_court(snapshot, citation, authority):
        return False
    before = snapshot.draft.masked[max(0, citation.core.start - _SUPRA) : citation.core.start]
    if "supra" in before:
        return False  # "*Carrow*, supra, 159 App. Div. 2d 185": a page of the case
    parties = names_both_parties(called)
    if slip in ("order", "report"):
        known = citation.year is not None and authority.year is not None
        certain = _agree_in_year(citation, authority) or (parties and not known)
        return bool(citation.name) and certain and not _is_known(snapshot, citation, authority, written)
    key = fold(citation.key)
    place, one, other = _find_difference(key, fold(written))
    dated = citation.year is not None and str(citation.year) in key
    other_year = dated and one.startswith(str(citation.year)) and not other.startswith(str(citation.year))
    agreeing = _agree_in_year(citation, authority) and not other_year
    undated = citation.year is None or authority.year is None
    if place + len(one) < len(key):
        certain = agreeing or undated or other_year or (slip == "number" and parties)
    elif _NEUTRAL.match(citation.key):
        certain = slip == "number" and abs(int(one) - int(other)) > _FAR and (parties or agreeing)
    elif _points_into(citation, int(one)) and not _points_into(citation, int(other)):
        certain = False  # the pinpoint is one of the page in the draft
    elif slip == "number":
        certain = agreeing or parties or undated
    else:
        certain = undated or (agreeing and (parties or not dated))
    if not citation.name and slip != "number" and not other_year:
        return False
    return certain and not _is_known(snapshot, citation, authority, written)


def _is_of_another_court(snapshot: Snapshot, citation: Citation, authority: Authority) -> bool:
    """Return whether the draft names another court behind the citation: that which decided before or
    after."""
    masked = snapshot.draft.masked
    behind = find_court_and_year(masked, citation.core.end, citation.span.end)
    said = behind.court.of(masked) if behind is not None else ""
    return bool(said) and compare_courts(said, authority.court) == "other"


def _agree_in_year(citation: Citation, authority: Authority) -> bool:
    return (
        None not in (citation.year, authority.year) and abs((citation.year or 0) - (authority.year or 0)) <= 1
    )


def _points_into(citation: Citation, page: int) -> bool:
    """Return whether the pinpoint is a page that a decision may have that begins at ``page``."""
    pinpoint = citation.pinpoint
    found = _NUMBER.match(pinpoint.labels[0]) if pinpoint is not None and pinpoint.kind == "page" else None
    return found is not None and page <= int(found[0]) <= page + _LONG


def _is_known(snapshot: Snapshot, citation: Citation, authority: Authority, written: str) -> bool:
    """Return whether the number in the draft may be right: others cite it, or the library's is impossible."""
    grammar = snapshot.searcher.grammar
    held = replace(citation, key=written, year=authority.year)
    if grammar is not None and find_impossibility(held, grammar):
        return True
    graph = snapshot.library.graph
    # One citation is enough where the decision itself has it: it is a companion's, or that of one before.
    if graph.cites(authority.id, citation.key):
        return True
    citing = graph.count_citing_key(citation.key)
    return citing >= _CITED and not _is_anothers(graph.count_names(citation.key), citation, citing)


def _is_anothers(names: Mapping[str, int], citation: Citation, citing: int) -> bool:
    """Return whether most of those that cite a number have it under another name than the draft."""
    others = sum(count for name, count in names.items() if is_other_name(citation.name, name))
    return bool(citation.name) and 2 * others > citing


def _variants(snapshot: Snapshot, citation: Citation) -> Iterator[tuple[str, Slip]]:
    """The keys with numbers in another order, or of another court or report."""
    key = citation.key
    numbers = list(_OWN_NUMBER.finditer(key))
    for place, match in enumerate(numbers):
        for later in numbers[place + 1 :]:
            if match.group() != later.group():
                between = key[match.end() : later.start()]
                swapped = later.group() + between + match.group()
                yield key[: match.start()] + swapped + key[later.end() :], "order"
    yield from ((each, "report") for each in _other_reports(snapshot, citation))


def _other_reports(snapshot: Snapshot, citation: Citation) -> Iterator[str]:
    """The same numbers in the other courts or reports of the form; of many, those spelt alike."""
    grammar = snapshot.searcher.grammar
    match = grammar.core_of(citation.key, citation.jurisdiction) if grammar is not None else None
    if match is None:
        return
    for token, names in match.form.names.items():
        span = match.find(token, citation.key)
        if span is None or token not in ("court", "report"):
            continue
        written = fold(span.of(citation.key))
        # The same for every citation of the draft in that report.
        find = partial(_list_others, written, names)
        for other in snapshot.draft.once(("other reports", match.form.id, token, written), find):
            yield citation.key[: span.start] + other + citation.key[span.end :]


def _list_others(written: str, names: Collection[str]) -> list[str]:
    """Return the other names of a court or report; of many, those spelt alike."""
    few = len(names) <= _MOST_NAMES
    return [each for each in names if fold(each) != written and (few or _are_alike(written, fold(each)))]


def _are_alike(one: str, other: str) -> bool:
    """Return whether one of two abbreviations has a letter more, another one, or its letters in another
    order."""
    return are_close(one, other) or (len(one) == len(other) and sorted(one) == sorted(other))


def _of_the_name(snapshot: Snapshot, citation: Citation) -> Iterator[NearMiss]:
    """Cases of the same years whose both parties are those of the draft's name, under whatever citation.

    It is certain where such a case of that very year is in the report that the draft cites.
    """
    if citation.kind != "case" or not names_both_parties(citation.name):
        return
    series = _letters(citation.key)
    for document in snapshot.names.of(snapshot.library).by_name(f"{citation.name} ", 8):
        authority = snapshot.library.catalogue.get(document)
        if (
            authority is not None
            and authority.kind == "case"
            and authority.citation
            and citation.year is not None
            and authority.year is not None
            and abs(citation.year - authority.year) <= 1
            and names_both_parties(authority.title)
            and same_name(citation.name, authority.title)
        ):
            there = next((each for each in authority.citations if _letters(each) == series), "")
            certain = bool(there) and _is_misnumbered(snapshot, citation, authority, there)
            yield NearMiss(authority, there or authority.citation, "name", True, certain)
    yield from _list_unreported(snapshot, citation)


def _list_unreported(snapshot: Snapshot, citation: Citation) -> Iterator[NearMiss]:
    """Cases of the same years and the draft's name whose files give no citation."""
    catalogue = snapshot.library.catalogue
    for document in catalogue.find_sharing_word(citation.name):
        authority = catalogue.find_unreported(document)
        if (
            authority is not None
            and authority.kind == "case"
            and _agree_in_year(citation, authority)
            and is_called(citation.name, authority)
        ):
            yield NearMiss(authority, "", "name", True)


def _is_misnumbered(snapshot: Snapshot, citation: Citation, authority: Authority, held: str) -> bool:
    """Return whether a case of the draft's name and year can hardly have another citation in the same
    report."""
    return (
        citation.year == authority.year
        and not _NEUTRAL.match(citation.key)
        and is_plainly_same_name(citation.name, authority.title)
        and not _is_of_another_court(snapshot, citation, authority)
        and "supra" not in snapshot.draft.masked[citation.core.start - _SUPRA : citation.core.start]
        and not any(_points_into(citation, int(each)) for each in _NUMBER.findall(citation.key)[-1:])
        and not _is_known(snapshot, citation, authority, held)
    )
