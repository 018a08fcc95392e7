"""Find library authorities that a citation may have meant: those whose citation differs by a slip, and those
with the same name.
"""

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
"""The kind of difference: "number" (a digit of one number), "order" (the order of the numbers), "report" (the
report or court), "other" (one number entirely), or "name" (only the name agrees).
"""
_ORDER: tuple[Slip, ...] = ("number", "order", "report", "other", "name")
_NUMBER = re.compile(r"\d+")
# Not the number of a report's series ("F.2d").
_OWN_NUMBER = re.compile(r"\d+(?!\d*[a-z])")
_MOST = 3
_MOST_NAMES = 120
"""Maximum number of reports or courts in a citation form for each of them to be tried."""
_FAR = 3
"""Maximum difference between a mistyped page number and the right one."""
_BEFORE = 80
"""Code points before a citation that are searched for the authority's name if no name was read."""
_NO_NAME = re.compile(r"^\W*\w+|\b(?:See|Cf|In|And|But|Compare|Also|Accord|E\.g|The|Court|As|At)\b")
_SUPRA = 12
_LONG = 80
"""Length that most decisions do not exceed, in pages."""
_YEAR = 4
"""Digits of a year."""
_CITED = 2
"""Minimum number of library documents that must cite a number for it to belong to a decision that the library
lacks.
"""
_LONGEST = 80
"""Maximum length of a key for which variants are tried, in code points."""
_NEXT = 40
"""Code points before and after a citation that are searched for an adjacent one."""
_BESIDE = re.compile(r"[\s.,:=()\[\]]{0,6}")
_NEUTRAL = re.compile(r"\[?\d{4}\]?\s+[A-Z][A-Za-z ]*\d+$")
"""Pattern of a neutral citation, the court's own number of a judgment: "[2014] UKSC 12", "2014 ONCA 12"."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """An authority that a citation may have meant, and the similar citation of that authority ("" if its file
    gives none). ``named`` is true if the authority has the draft's name. ``certain`` is true if a
    different decision between the same parties is hardly possible.
    """

    authority: Authority
    citation: str
    slip: Slip
    named: bool
    certain: bool = False


def find_near_misses(snapshot: Snapshot, citation: Citation) -> list[NearMiss]:
    """Return at most three authorities that an unmatched full citation may have meant, likeliest first.

    Authorities with another name are excluded. If no name was read, the words before the citation must
    mention the authority. If there is no name in these words either, only a slip in the numbers counts, and
    only if it leads to a single authority.
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
    """Return the authority meant by a citation with a wrong number; None if the number may be right. The
    citation must have been matched through an adjacent one or by name.

    The authority must have a citation in the same report that differs in one number only. If the library does
    not have the draft's parallel citations, its documents must cite the corrected citation together with
    them. A citation matched by name alone is treated like an unmatched one.
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
    """Return the authorities of the citations directly next to this one, as parallel citations are. Adjacent
    citations with different years count too, although they are not read as parallel.
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
    """Return the kind that the authority must have: the citation's if it is a case or a statute; otherwise
    any kind.
    """
    return citation.kind if citation.kind in ("case", "statute") else authority.kind


def _years_agree(citation: Citation, authority: Authority, key: str) -> bool:
    """Return whether citation and authority may be of the same year, or one year apart. A key that contains
    the authority's year, or the next one, also agrees. If a year is unknown, the names must agree.
    """
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
    """Return the words before a citation that may name the authority, without signals and the paragraph's
    first word.
    """
    draft = snapshot.draft
    paragraph = draft.paragraph_at(citation.core.start)
    start = max(paragraph.start if paragraph is not None else 0, citation.core.start - _BEFORE)
    return _NO_NAME.sub("", draft.masked[start : citation.core.start])


def _name_before(snapshot: Snapshot, citation: Citation) -> str:
    """Return the capitalised words directly before a citation, which probably name one of the parties."""
    draft = snapshot.draft
    paragraph = draft.paragraph_at(citation.core.start)
    start = max(paragraph.start if paragraph is not None else 0, citation.core.start - _BEFORE)
    words = find_words_before(draft.masked[start : citation.core.start], citation.core.start - start)
    return words.shift(start).of(draft.masked) if words is not None else ""


def _speak_of(words: str, authority: Authority) -> bool:
    """Return whether the words include a distinctive word of the authority's name."""
    telling = {
        word for name in list_short_names(authority.title) for word in list_name_words(name) if len(word) > 3
    }
    return not telling.isdisjoint(list_name_words(words))


def _letters(text: str) -> str:
    return _NUMBER.sub("", fold(text))


def _as_given(authority: Authority, key: str) -> str:
    """Return the authority's citation with this key, as its file writes it; the key itself if the file has no
    such citation.
    """
    wanted = fold(key)
    return next((each for each in authority.citations if fold(each) == wanted), key)


def _near_keys(snapshot: Snapshot, citation: Citation) -> Iterator[tuple[str, int, Slip]]:
    """Yield the existing citations that are one slip away from the draft's, or differ in one number, each
    with its authority and the kind of difference.
    """
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
    """Yield the library's keys that differ from the citation's in one number, as (offset in the folded key,
    the citation's number, the other number, document). A year before the volume that is omitted elsewhere
    ("(1992) 415 Pa. Super. 263") is not a difference.
    """
    key = fold(citation.key)
    for folded, document in snapshot.library.catalogue.find_but_for_a_number(key):
        place, one, other = _find_difference(key, folded)
        if not (one.endswith(other) or other.endswith(one)) or abs(len(one) - len(other)) != _YEAR:
            yield place, one, other, document


def _find_difference(one: str, other: str) -> tuple[int, str, str]:
    """Return the offset of the number that differs in two folded keys, and its value in each."""
    runs = zip(_NUMBER.finditer(one), _NUMBER.findall(other), strict=True)
    return next((found.start(), found[0], run) for found, run in runs if found[0] != run)


def _is_series(key: str, place: int) -> bool:
    """Return whether the digits at ``place`` are the number of a report's series ("373f3d197")."""
    found = _NUMBER.match(key, place)
    end = found.end() if found is not None else place
    return place > 0 and end - place < 3 and key[place - 1].isalpha() and key[end : end + 1].isalpha()


def _respell(key: str, place: int, one: str, other: str) -> str:
    """Return a key in which ``one``, the digits at offset ``place`` of its folded form, is replaced by
    ``other``.
    """
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
    """Return whether the difference between two numbers may be a typing error (a digit wrong, missing,
    doubled or swapped), or is a few pages.
    """
    if are_close(one, other):
        return True
    is_year = len(one) == 4 and int(one) <= 2100
    return not is_year and abs(int(one) - int(other)) <= _FAR


def _is_certain(
    snapshot: Snapshot, citation: Citation, authority: Authority, written: str, slip: Slip, called: str
) -> bool:
    """Return whether a similar case with the draft's name can hardly be a different decision.

    ``called`` is that name, or words before the citation that may be part of it. If it is only such words,
    the difference must be a slip, or another year before the right numbers. Courts often decide again between
    the same parties, soon and in the same report. Judgments of one year have consecutive numbers, so similar
    numbers prove little. A number that documents of the library cite belongs to another decision.
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
    """Return whether the draft names a different court after the citation, so that an earlier or later
    decision of the case is meant.
    """
    masked = snapshot.draft.masked
    behind = find_court_and_year(masked, citation.core.end, citation.span.end)
    said = behind.court.of(masked) if behind is not None else ""
    return bool(said) and compare_courts(said, authority.court) == "other"


def _agree_in_year(citation: Citation, authority: Authority) -> bool:
    return (
        None not in (citation.year, authority.year) and abs((citation.year or 0) - (authority.year or 0)) <= 1
    )


def _points_into(citation: Citation, page: int) -> bool:
    """Return whether the pinpoint is a plausible page of a decision that begins at ``page``."""
    pinpoint = citation.pinpoint
    found = _NUMBER.match(pinpoint.labels[0]) if pinpoint is not None and pinpoint.kind == "page" else None
    return found is not None and page <= int(found[0]) <= page + _LONG


def _is_known(snapshot: Snapshot, citation: Citation, authority: Authority, written: str) -> bool:
    """Return whether the draft's number may be right: other documents cite it, or the authority's own number
    is impossible.
    """
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
    """Return whether most documents that cite a number use a name other than the draft's."""
    others = sum(count for name, count in names.items() if is_other_name(citation.name, name))
    return bool(citation.name) and 2 * others > citing


def _variants(snapshot: Snapshot, citation: Citation) -> Iterator[tuple[str, Slip]]:
    """Yield variants of the key with swapped numbers, or with another court or report."""
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
    """Yield the key with its report or court replaced by each other one of the citation form. If there are
    many, only those with similar spelling are tried.
    """
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
    """Return the other names of a court or report; if there are many, only those with similar spelling."""
    few = len(names) <= _MOST_NAMES
    return [each for each in names if fold(each) != written and (few or _are_alike(written, fold(each)))]


def _are_alike(one: str, other: str) -> bool:
    """Return whether two abbreviations differ by one letter (added, missing or replaced) or by the order of
    their letters.
    """
    return are_close(one, other) or (len(one) == len(other) and sorted(one) == sorted(other))


def _of_the_name(snapshot: Snapshot, citation: Citation) -> Iterator[NearMiss]:
    """Yield cases with both parties of the draft's name, under any citation, of the same year or one year
    apart. A match is certain only if the case is of exactly that year and in the report that the draft
    cites.
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
    """Yield cases with the draft's name whose files give no citation, of the same year or one year apart."""
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
    """Return whether a case with the draft's name and year can hardly have a second citation in the same
    report, so that the draft's number must be wrong.
    """
    return (
        citation.year == authority.year
        and not _NEUTRAL.match(citation.key)
        and is_plainly_same_name(citation.name, authority.title)
        and not _is_of_another_court(snapshot, citation, authority)
        and "supra" not in snapshot.draft.masked[citation.core.start - _SUPRA : citation.core.start]
        and not any(_points_into(citation, int(each)) for each in _NUMBER.findall(citation.key)[-1:])
        and not _is_known(snapshot, citation, authority, held)
    )
