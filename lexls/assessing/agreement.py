"""Compare what a citation says, element by element, with the authority of the library that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from lexls.assessing.check import Excerpt, Problem, as_cited
from lexls.assessing.rules.misnamed import check_names, check_parallels
from lexls.assessing.rules.pinpoints import check_pinpoints, has_pages_cited
from lexls.citations.cores import find_court_and_number, find_court_and_year
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.keys import fold, join_spaces
from lexls.citations.model import Pinpoint
from lexls.citations.same_court import compare_bracketed, compare_courts, identify_court, write_court
from lexls.citations.same_docket import find_docket, names_serial, read_serials
from lexls.index.records import Authority
from lexls.library.document import CONFIDENCE
from lexls.reading.resolve import Resolution, find_place
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span
from lexls.wording.place_words import write_pinpoint

Element = Literal["name", "citation", "year", "court", "docket", "pinpoint"]
"""``citation`` is what identifies the authority: report and page, a neutral citation, a title."""
Status = Literal["agrees", "differs", "unknown"]
_REASONS: Mapping[str, str] = load_phrases(__package__, "verdicts.toml")["uncompared"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """One element of a citation beside the authority's own.

    ``said`` is what the draft says at ``span`` of its source, ``held`` what the authority says ("" if that
    is not known). ``reason`` says what differs, or why it cannot be told.
    """

    element: Element
    status: Status
    said: str
    held: str
    span: Span
    reason: str = ""


def compare_mention(
    snapshot: Snapshot, mention: Sequence[Resolution], token: CancelToken
) -> tuple[Agreement, ...]:
    """The elements that a mention states, each compared with the authority that its citations name.

    ``mention`` are parallel citations, or one citation. Empty if the library holds no such authority.
    """
    authority = find_held(snapshot, mention)
    if authority is None:
        return ()
    span = Span(mention[0].citation.span.start, mention[-1].citation.span.end)
    excerpt = Excerpt(snapshot, span, tuple(mention))
    return tuple(
        each
        for found in (
            _compare_name(excerpt, authority, token),
            _compare_citations(excerpt, authority, token),
            compare_facts(snapshot, mention, authority),
            _compare_pinpoints(excerpt, authority, token),
        )
        for each in found
    )


def find_held(snapshot: Snapshot, mention: Sequence[Resolution]) -> Authority | None:
    """The authority that a mention names, by a citation rather than by name; None if none is held."""
    found = sorted((each for each in mention if each.authorities), key=lambda each: each.by == "name")
    return snapshot.library.catalogue.get(found[0].authorities[0]) if found else None


def _first(found: Iterator[Problem]) -> Problem | None:
    return next(found, None)


def _compare_name(excerpt: Excerpt, authority: Authority, token: CancelToken) -> Iterator[Agreement]:
    first = excerpt.cited[0].citation
    name = join_spaces(next((each.citation.name for each in excerpt.cited if each.citation.name), ""))
    if not name or first.form != "full" or excerpt.snapshot.draft.key_of(first) is not None:
        return
    problem = _first(check_names(excerpt, token)) if first.kind == "case" else None
    if problem is not None:
        yield Agreement("name", "differs", name, authority.name, problem.span, problem.message)
    elif authority.title:
        yield Agreement("name", "agrees", name, authority.title, first.span)
    else:
        yield Agreement("name", "unknown", name, "", first.span, _REASONS["title"])


def _compare_citations(excerpt: Excerpt, authority: Authority, token: CancelToken) -> Iterator[Agreement]:
    snapshot = excerpt.snapshot
    own = snapshot.library.catalogue.keys_of(authority.id)
    problem = _first(check_parallels(excerpt, token))
    for each in excerpt.cited:
        citation = each.citation
        docket = find_docket(snapshot.draft.masked, citation.core.start, citation.core.end)
        if docket is not None and not docket.of_year:
            continue
        said = as_cited(snapshot, citation) if citation.form == "full" else citation.key
        if problem is not None and problem.span == citation.core:
            yield Agreement("citation", "differs", said, authority.citation, citation.core, problem.message)
        elif each.by == "citation" or fold(citation.key) in own or (each.is_sure and citation.kind != "case"):
            yield Agreement("citation", "agrees", said, citation.key, citation.core)
        else:
            reason = _REASONS["parallel"].format(cited=authority.citation or authority.name)
            yield Agreement("citation", "unknown", said, authority.citation, citation.core, reason)


def _compare_pinpoints(excerpt: Excerpt, authority: Authority, token: CancelToken) -> Iterator[Agreement]:
    snapshot = excerpt.snapshot
    place = authority.jurisdiction or snapshot.draft.jurisdiction
    for each in excerpt.cited:
        pinpoint = each.citation.pinpoint
        if pinpoint is None:
            continue
        problem = _first(check_pinpoints(Excerpt(snapshot, excerpt.paragraph, (each,)), token))
        for label in pinpoint.labels:
            said = write_pinpoint(pinpoint.kind, label, place)
            if problem is not None and (
                len(pinpoint.labels) == 1 or label in problem.span.of(snapshot.draft.source)
            ):
                yield Agreement("pinpoint", "differs", said, "", problem.span, problem.message)
            elif reason := _tell_unnumbered(snapshot, each, authority, pinpoint, label):
                yield Agreement("pinpoint", "unknown", said, "", pinpoint.span, reason)
            else:
                yield Agreement("pinpoint", "agrees", said, said, pinpoint.span)
        for note in pinpoint.notes:
            said = write_pinpoint("note", note, place)
            yield Agreement("pinpoint", "unknown", said, "", pinpoint.span, _REASONS["notes"])


def _tell_unnumbered(
    snapshot: Snapshot, resolution: Resolution, authority: Authority, pinpoint: Pinpoint, label: str
) -> str:
    """Why nobody can tell whether an authority has a place; "" if it has it."""
    contents = snapshot.library.contents
    if not resolution.is_sure:
        return _REASONS["unsure"]
    labels = contents.list_labels(authority.id, pinpoint.kind)
    paged = pinpoint.kind != "page" or has_pages_cited(snapshot, resolution.citation, labels)
    if labels and paged and contents.find_places(authority.id, replace(pinpoint, labels=(label,))):
        return ""
    if not labels:
        return _REASONS["unnumbered"].format(kind=pinpoint.kind)
    if not paged:
        return _REASONS["pages"]
    content = contents.get(authority.id)
    if content is not None and (empty := content.count_empty_pages()):
        return _REASONS["scan"].format(empty=empty, pages=len(content.page_starts))
    above = find_place(snapshot.library, authority.id, pinpoint, label)
    where = write_pinpoint(pinpoint.kind, above[0].label, authority.jurisdiction) if above else ""
    return _REASONS["depth"].format(where=where) if above else _REASONS["unfound"]


# -- year, court and docket ----------------------------------------------------------------------------------

_YEAR_BEFORE = re.compile(r"\((?P<year>(?:1[6-9]|20)\d\d)\)\s{0,3}$")
_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)")
_BRACKETED = re.compile(r"\((?P<court>[A-Z][A-Za-z. ]{0,13})\)")
_FACTS: dict[Element, str] = {"year": "date", "court": "court", "docket": "docket"}
_AMENDED = re.compile(
    r"\b(?:opinion|order|judgment|decision)\b[^.]{0,60}\bamended\b|\bas amended (?:on )?[A-Z]", re.IGNORECASE
)
_SEVERAL = 2
_OPENING = 2500
"""Code points of an authority in which it says that it was amended, perhaps in the next year."""
_TERM_UNTIL = 1900
"""Until when the Supreme Court's decisions are cited by the year of a term, which ends in the next."""


def compare_facts(
    snapshot: Snapshot, mention: Sequence[Resolution], authority: Authority
) -> Iterator[Agreement]:
    """The year, the court and the docket that a mention of a case states, beside those of the authority.

    Only what the draft says in so many words: a citation whose numbers hold its year has none besides.
    """
    first = mention[0].citation
    if first.kind != "case" or first.form != "full" or authority.kind != "case":
        return
    if snapshot.draft.key_of(first) is not None or not any(each.by == "citation" for each in mention):
        return
    masked = snapshot.draft.masked
    yield from _compare_docket(snapshot, mention, authority)
    if not find_jurisdiction(authority.jurisdiction).customs.court_and_year:
        yield from _compare_bracketed(masked, mention, authority)
        return
    for each in mention:
        core, end = each.citation.core, each.citation.span.end
        behind = find_court_and_year(masked, core.end, end)
        if behind is not None:
            yield from _compare_year(snapshot, behind.year, authority)
            if len(behind.court):
                yield from _compare_court(snapshot, behind.court, authority)
            return
    last = mention[-1].citation
    behind = find_court_and_number(masked, last.span.end) if last.year is None else None
    if behind is not None and (not len(behind.court) or identify_court(behind.court.of(masked))):
        yield from _compare_year(snapshot, behind.year, authority)
        return
    before = _YEAR_BEFORE.search(masked, first.span.start, first.core.start)
    if before is not None:
        yield from _compare_year(snapshot, Span(*before.span("year")), authority)


def _compare_year(snapshot: Snapshot, span: Span, authority: Authority) -> Iterator[Agreement]:
    said = span.of(snapshot.draft.masked)
    if authority.year is None:
        yield Agreement("year", "unknown", said, "", span, _REASONS["date"])
        return
    held = str(authority.year)
    years = {held, *(year for each in authority.citations for year in _YEAR.findall(each))}
    term = authority.year <= _TERM_UNTIL and abs(int(said) - authority.year) == 1
    amended = int(said) == authority.year + 1 and _AMENDED.search(
        snapshot.library.contents.text(authority.id)[:_OPENING]
    )
    if said in years or term or amended or _is_usual(snapshot, authority, int(said)):
        yield Agreement("year", "agrees", said, held, span)
    else:
        yield _differ("year", said, held, span, authority)


def _is_usual(snapshot: Snapshot, authority: Authority, year: int) -> bool:
    """Whether several documents of the library cite an authority as one of a year next to that of its file:
    its opinion was amended or withdrawn, or the file is wrong.
    """
    if authority.year is None or abs(year - authority.year) > 1:
        return False
    count = snapshot.library.graph.count_citing_key
    return any(count(each, year) >= _SEVERAL for each in authority.citations)


def _compare_court(snapshot: Snapshot, span: Span, authority: Authority) -> Iterator[Agreement]:
    said = join_spaces(span.of(snapshot.draft.masked))
    if not authority.court:
        yield Agreement("court", "unknown", said, "", span, _REASONS["no-court"])
        return
    compared = compare_courts(said, authority.court)
    held = write_court(authority.court) or authority.court
    if compared == "same":
        yield Agreement("court", "agrees", said, held, span)
    elif compared == "other" and not _applies_law_of(snapshot, authority, said, held):
        yield _differ("court", said, held, span, authority)
    else:
        yield Agreement("court", "unknown", said, held, span, _REASONS["court"].format(held=authority.court))


def _applies_law_of(snapshot: Snapshot, authority: Authority, said: str, held: str) -> bool:
    """Whether a state's decision names the state that the draft says again and again ("N.D.C.C."), and
    never that of its file, which then is wrong.
    """
    named = identify_court(said), identify_court(held)
    text = snapshot.library.contents.text(authority.id)
    return (
        all(each is not None and each.system == "state" for each in named)
        and held not in text
        and text.count(said) > _SEVERAL
    )


def _compare_bracketed(
    masked: str, mention: Sequence[Resolution], authority: Authority
) -> Iterator[Agreement]:
    """The court in brackets behind a report, as it stands outside America: "[1932] AC 562 (HL)"."""
    for each in mention:
        found = _BRACKETED.search(masked, each.citation.core.end, each.citation.span.end)
        if found is None:
            continue
        said, span = found["court"], Span(*found.span("court"))
        compared = compare_bracketed(said, authority.court, authority.jurisdiction)
        abbreviations = find_jurisdiction(authority.jurisdiction).courts.abbreviations
        held = abbreviations.get(join_spaces(authority.court).casefold(), authority.court)
        if compared == "same":
            yield Agreement("court", "agrees", said, held, span)
        elif compared == "other":
            yield _differ("court", said, held, span, authority)


def _compare_docket(
    snapshot: Snapshot, mention: Sequence[Resolution], authority: Authority
) -> Iterator[Agreement]:
    """The docket beside those of the file, which may name some that were decided together, and the text the
    others.
    """
    masked = snapshot.draft.masked
    found = find_docket(masked, mention[0].citation.span.start, mention[-1].citation.span.end)
    if found is None:
        return
    said, span = found.span.of(masked), found.span
    if not authority.docket:
        yield Agreement("docket", "unknown", said, "", span, _REASONS["no-docket"])
        return
    held = "; ".join(authority.docket)
    known = [read_serials(each) for each in authority.docket]
    strange = found.serials.difference(*known)
    text = snapshot.library.contents.text(authority.id) if strange and found.of_year else ""
    if fold(said) in map(fold, authority.docket) or (found.serials and not strange):
        yield Agreement("docket", "agrees", said, held, span)
    elif not strange or not all(known) or (text and all(names_serial(text, each) for each in strange)):
        yield Agreement("docket", "unknown", said, held, span, _REASONS["uncertain"].format(held=held))
    elif found.of_year:
        yield Agreement("docket", "differs", said, held, span, f"the docket is {held}, not {said}")
    else:
        yield _differ("docket", said, held, span, authority)


def _differ(element: Element, said: str, held: str, span: Span, authority: Authority) -> Agreement:
    """What differs, where the file is sure of it."""
    source = dict(authority.sources).get(_FACTS[element])
    if source is None or CONFIDENCE[source] != "certain":
        return Agreement(element, "unknown", said, held, span, _REASONS["uncertain"].format(held=held))
    return Agreement(element, "differs", said, held, span, f"the {element} is {held}, not {said}")
