"""Compare a case's year, court and docket with those in its file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lexls.assessing.fact import Element, Fact
from lexls.citations.cores import CourtAndYear, find_court_and_number, find_court_and_year
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Citation, fold, join_spaces
from lexls.citations.same_court import compare_bracketed, compare_courts, identify_court, write_court
from lexls.citations.same_docket import find_docket, names_serial, read_serials
from lexls.index.records import Authority
from lexls.library.document import CONFIDENCE
from lexls.reading.amended import is_amended
from lexls.reading.resolve import Resolution
from lexls.reading.snapshot import Snapshot
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

_REASONS: Mapping[str, str] = load_phrases(__package__, "verdicts.toml")["uncompared"]
_ENACTED = frozenset(("statute", "regulation", "rule", "constitution", "treaty", "contract"))


def is_enacted(authority: Authority) -> bool:
    """Return whether an authority's file shows that it is an enactment or a contract, not a case."""
    return authority.kind in _ENACTED


_YEAR_BEFORE = re.compile(r"\((?P<year>(?:1[6-9]|20)\d\d)\)\s{0,3}$")
_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)")
_BRACKETED = re.compile(r"\((?P<court>[A-Z][A-Za-z. ]{0,13})\)")
_SEVERAL = 2
_TERM_UNTIL = 1900
"""Last year in which Supreme Court decisions are cited by the year of the court's term; a term ends in the
next year.
"""


def compare_decision(
    snapshot: Snapshot, mention: Sequence[Resolution], authority: Authority
) -> Iterator[Fact]:
    """Compare the year, court and docket that a mention of a case states with those of the authority. Only
    explicit statements count, not a year that is part of the citation's numbers.
    """
    first = mention[0].citation
    if first.kind != "case" or first.form != "full" or is_enacted(authority):
        return
    if snapshot.draft.key_of(first) is not None:
        return
    facts = _compare_stated(snapshot, mention, authority)
    if any(each.is_sure for each in mention):
        yield from facts
    else:  # Of a case that only its name is that of, nothing can be wrong.
        yield from (
            replace(each, status="not-compared", reason=_REASONS["uncertain"].format(held=each.recorded))
            if each.status == "differs"
            else each
            for each in facts
        )


def find_stated_decision(snapshot: Snapshot, mention: Sequence[Resolution]) -> CourtAndYear | None:
    """Return the year of decision that a mention states, with the court if given; None if it states none, or
    only as part of its citations.
    """
    american = find_jurisdiction(mention[0].citation.jurisdiction).customs.court_and_year
    stated = _find_court_and_year(snapshot.draft.masked, [each.citation for each in mention], american)
    if stated is None or any(
        each.core.overlaps(stated.year) for each in snapshot.draft.citations_in(stated.year)
    ):
        return None
    return stated


def _compare_stated(
    snapshot: Snapshot, mention: Sequence[Resolution], authority: Authority
) -> Iterator[Fact]:
    masked = snapshot.draft.masked
    yield from _compare_docket(snapshot, mention, authority)
    american = find_jurisdiction(authority.jurisdiction).customs.court_and_year
    if not american:
        yield from _compare_bracketed(masked, mention, authority)
    stated = _find_court_and_year(masked, [each.citation for each in mention], american)
    if stated is not None and not any(
        each.core.overlaps(stated.year) for each in snapshot.draft.citations_in(stated.year)
    ):
        yield from _compare_year(snapshot, stated.year, authority)
        if american and len(stated.court):
            yield from _compare_court(snapshot, stated.court, authority)


def _find_court_and_year(masked: str, mention: Sequence[Citation], american: bool) -> CourtAndYear | None:
    """Return the year of decision that a mention states outside its citation numbers, with the court if
    given; None if it states none.

    The year is in brackets after one of its citations ("(5th Cir. 2016)") or directly after the last. For
    American cases, a year before the first citation counts too; elsewhere such a year belongs to the report.
    """
    for each in mention:
        behind = find_court_and_year(masked, each.core.end, each.span.end)
        if behind is not None:
            return behind
    last = mention[-1]
    behind = find_court_and_number(masked, last.span.end)
    if behind is not None and (not len(behind.court) or identify_court(behind.court.of(masked))):
        return CourtAndYear(Span(behind.year.start, behind.year.start), behind.year)
    before = _YEAR_BEFORE.search(masked, mention[0].span.start, mention[0].core.start)
    if before is None or not american:
        return None
    year = Span(*before.span("year"))
    return CourtAndYear(Span(year.start, year.start), year)


def _compare_year(snapshot: Snapshot, span: Span, authority: Authority) -> Iterator[Fact]:
    said = span.of(snapshot.draft.masked)
    if authority.year is None:
        yield Fact("year", "not-stated", said, "", span, _REASONS["date"])
        return
    held = str(authority.year)
    years = {held, *(year for each in authority.citations for year in _YEAR.findall(each))}
    if said in years:
        yield Fact("year", "agrees", said, held, span)
    elif _may_be_dated(snapshot, authority, authority.year, int(said)):
        yield Fact("year", "not-compared", said, held, span, _REASONS["uncertain"].format(held=held))
    else:
        yield _differ("year", said, held, span, authority)


def _may_be_dated(snapshot: Snapshot, authority: Authority, decided: int, year: int) -> bool:
    """Return whether a case may be cited with the year before or after its decision: by the Supreme Court's
    term, because it was amended, or because several library documents cite it with that year.
    """
    if abs(year - decided) != 1:
        return False
    if decided <= _TERM_UNTIL:
        return True
    count = snapshot.library.graph.count_citing_key
    if any(count(each, year) >= _SEVERAL for each in authority.citations):
        return True
    return is_amended(snapshot.library, authority, year)


def _compare_court(snapshot: Snapshot, span: Span, authority: Authority) -> Iterator[Fact]:
    said = join_spaces(span.of(snapshot.draft.masked))
    if not authority.court:
        yield Fact("court", "not-stated", said, "", span, _REASONS["no-court"])
        return
    compared = compare_courts(said, authority.court)
    held = write_court(authority.court) or authority.court
    if compared == "same":
        yield Fact("court", "agrees", said, held, span)
    elif compared == "other" and not _applies_law_of(snapshot, authority, said, held):
        yield _differ("court", said, held, span, authority)
    else:
        yield Fact("court", "not-compared", said, held, span, _REASONS["court"].format(held=authority.court))


def _applies_law_of(snapshot: Snapshot, authority: Authority, said: str, held: str) -> bool:
    """Return whether a decision's text repeatedly mentions the state that the draft gives ("N.D.C.C.") but
    never the state in its file, so that the file must be wrong. Both must be state courts.
    """
    named = identify_court(said), identify_court(held)
    text = snapshot.library.contents.text(authority.id)
    return (
        all(each is not None and each.system == "state" for each in named)
        and held not in text
        and text.count(said) > _SEVERAL
    )


def _compare_bracketed(masked: str, mention: Sequence[Resolution], authority: Authority) -> Iterator[Fact]:
    """Compare the court in brackets after a report citation with the file's. Such a court is common outside
    the United States: "[1932] AC 562 (HL)".
    """
    for each in mention:
        found = _BRACKETED.search(masked, each.citation.core.end, each.citation.span.end)
        if found is None:
            continue
        said, span = found["court"], Span(*found.span("court"))
        compared = compare_bracketed(said, authority.court, authority.jurisdiction)
        abbreviations = find_jurisdiction(authority.jurisdiction).courts.abbreviations
        held = abbreviations.get(join_spaces(authority.court).casefold(), authority.court)
        if compared == "same":
            yield Fact("court", "agrees", said, held, span)
        elif compared == "other":
            yield _differ("court", said, held, span, authority)
        else:
            reason = _REASONS["court"].format(held=authority.court) if held else _REASONS["no-court"]
            yield Fact("court", "not-compared", said, held, span, reason)


def _compare_docket(
    snapshot: Snapshot, mention: Sequence[Resolution], authority: Authority
) -> Iterator[Fact]:
    """Compare the docket number that a mention states with the file's. If cases were decided together, some
    of the numbers may be only in the text.
    """
    masked = snapshot.draft.masked
    found = find_docket(masked, mention[0].citation.span.start, mention[-1].citation.span.end)
    if found is None:
        return
    said, span = found.span.of(masked), found.span
    cited = {fold(each) for each in authority.citations}
    cores = (each.citation.core for each in mention if fold(each.citation.core.of(masked)) in cited)
    if any(core.start <= span.start and span.end <= core.end for core in cores):
        return  # the number of the citation, which was compared: "ASBCA No. 43466"
    if not authority.docket:
        yield Fact("docket", "not-stated", said, "", span, _REASONS["no-docket"])
        return
    held = "; ".join(authority.docket)
    known = [read_serials(each) for each in authority.docket]
    strange = found.serials.difference(*known)
    text = snapshot.library.contents.text(authority.id) if strange and found.of_year else ""
    if fold(said) in map(fold, authority.docket) or (found.serials and not strange):
        yield Fact("docket", "agrees", said, held, span)
    elif not strange or not all(known) or (text and all(names_serial(text, each) for each in strange)):
        yield Fact("docket", "not-compared", said, held, span, _REASONS["uncertain"].format(held=held))
    elif found.of_year:
        yield Fact("docket", "differs", said, held, span, f"the docket is {held}, not {said}")
    else:
        yield _differ("docket", said, held, span, authority)


def _differ(element: Element, said: str, held: str, span: Span, authority: Authority) -> Fact:
    """Return a fact that the values differ, or "not-compared" if the file's value is uncertain."""
    source = dict(authority.sources).get("date" if element == "year" else element)
    if source is None or CONFIDENCE[source] != "certain":
        return Fact(element, "not-compared", said, held, span, _REASONS["uncertain"].format(held=held))
    return Fact(element, "differs", said, held, span, f"the {element} is {held}, not {said}")
