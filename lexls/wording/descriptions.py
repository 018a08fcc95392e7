"""Describe authorities, pinpoints, dates, treatment and most cited passages for readers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Citation, PinpointKind
from lexls.citations.treatment import NEGATIVE, WORST_FIRST, TreatmentKind
from lexls.index.library import Library
from lexls.index.records import Authority, PassageRecord, TreatedIn
from lexls.library.document import FactSource
from lexls.text.formats.markdown import as_markdown
from lexls.wording.markdown import fold, quote, shorten, write_link
from lexls.wording.place_words import (
    add_place,
    cite_place,
    date_authority,
    find_pinpoint_kind,
    is_slip_opinion,
    join_citation,
    write_pinpoint,
)
from lexls.wording.prose import blank_markup

OpenLink = Callable[[int, int, int], str]
"""Returns the address at which the editor opens a range (authority id, start, end), or "" if it cannot open
it.
"""


def name_file(authority: Authority) -> dict[str, str]:
    """Return the path of an authority's file as JSON data; if it is one of several documents in the file,
    also its part.
    """
    return {"path": authority.relative} | ({"part": authority.part} if authority.part else {})


def link_nothing(authority: int, start: int, end: int) -> str:
    """Return "", for output without links."""
    return ""


_REPORT = re.compile(r"\(\d{4}\)\s*\d|\d+\s+[A-Za-z].*\s\d+$|\[\d{4}\]\s*\d+\s|\[1\d{3}\]")


def choose_pinpoint(authority: Authority) -> PinpointKind:
    """Return the usual kind of pinpoint for an authority: pages for a slip opinion or a case cited by a
    report, otherwise the unit by which its passages are labelled.

    A report's citation gives a volume and a page; courts have numbered their paragraphs since about 2000.
    Indian drafts cite paragraphs even in reports.
    """
    if authority.kind != "case" or find_jurisdiction(authority.jurisdiction).customs.reports_by_paragraph:
        return find_pinpoint_kind(authority)
    paged = _REPORT.match(authority.citation) is not None or is_slip_opinion(authority)
    return "page" if paged else "paragraph"


def write_place(authority: Authority, passage: PassageRecord) -> str:
    """Return a passage's pinpoint, or "" if the passage has neither a number nor a page."""
    return cite_place(authority, passage.paragraph, passage.page)


def write_title(authority: Authority) -> str:
    """Return an authority's title, all its citations, its court, docket and date as one line of Markdown."""
    others = "; ".join(citation for citation in authority.citations if citation != authority.name)
    known = (others, authority.court, "; ".join(authority.docket), date_authority(authority))
    return " · ".join([f"**{as_markdown(authority.name)}**", *(as_markdown(part) for part in known if part)])


_SHOWN = ("title", "citation", "court", "date", "docket")
_PLACES: Mapping[FactSource, str] = {
    "head": "its head",
    "body": "its text",
    "file name": "its file's name alone",
}


def describe_sources(authority: Authority) -> str:
    """Return a sentence that names the uncertain facts about an authority and where each was read; "" if all
    are certain.
    """
    told = []
    for source, place in _PLACES.items():
        facts = [fact for fact, at in authority.sources if at == source and fact in _SHOWN]
        if facts:
            told.append(f"{', '.join(facts)} from {place}")
    return f"Read {'; '.join(told)}." if told else ""


def describe_ocr(library: Library, document: int, offset: int) -> str:
    """Return a note that text in an authority was read by OCR, with its confidence; "" if it was not read by
    OCR.
    """
    scan = library.contents.find_scan(document, offset)
    return f"read by OCR, {scan.confidence:.0%} sure" if scan is not None else ""


def offer_page(library: Library, authority: Authority, offset: int) -> str:
    """Return a Markdown link to the image of the page on which a text was read; "" if the page is not
    a scan.
    """
    scan = library.contents.find_scan(authority.id, offset)
    if scan is None:
        return ""
    said = _capitalise(describe_ocr(library, authority.id, offset))
    page = library.show_page(authority, scan.page)
    return f"_{said}; check {write_link('the page', page.as_uri())}._"


def describe_citing(count: int, complete: bool) -> str:
    """Return a sentence that says how many documents in the library cite an authority; ``complete`` is as in
    ``describe_absence``.
    """
    said = f"Cited by {count} document{'' if count == 1 else 's'} of" if count else "Not cited elsewhere in"
    return f"{said} your library{_describe_reading(complete)}."


def describe_absence(complete: bool) -> str:
    """Return the wording for an authority that is not in the library.

    ``complete`` is ``Library.complete``: until the folders have been indexed once, the authority may still be
    found.
    """
    return f"is not in your library{_describe_reading(complete)}"


def _describe_reading(complete: bool) -> str:
    return "" if complete else " as far as it has been read"


_OF_YEAR = re.compile(r"\s+(?:of\s+)?\d{4}$")


def describe_codified(library: Library, citation: Citation) -> str:
    """Return where the library has the codified provisions of an Act that is not itself in the library; "" if
    nowhere.
    """
    if citation.kind != "statute":
        return ""
    jurisdiction = find_jurisdiction(citation.jurisdiction)
    names = (citation.key, _OF_YEAR.sub("", citation.name), _OF_YEAR.sub("", citation.key))
    title = next((name for name in names if name in jurisdiction.codified), "")
    place = jurisdiction.codified.get(title, "")
    code, _, _ = place.partition(" §")
    if citation.pinpoint is not None:
        number, bracket, within = citation.pinpoint.labels[0].partition("(")
        section = jurisdiction.codified_sections.get(title, {}).get(number)
        place = f"{code} § {section}{bracket}{within}" if section is not None else place
    return f"; {place}, where it is codified, is" if code and library.catalogue.find_key(code) else ""


_MOST_NAMED = 3
_LONGEST_HOLDING = 450
# The paragraph number at the start of the text; it is shown before the quotation.
_NUMBER = re.compile(r"^(?:\[\d+\]|\d+\.)\s+")


def describe_treatments(library: Library, document: int, link: OpenLink) -> list[str]:
    """Return the authority's treatment as Markdown paragraphs. Negative treatments are named one by one; the
    others are counted.
    """
    found = library.graph.find_treatments(document)
    bad: dict[tuple[TreatmentKind, int | str], TreatedIn] = {}
    for each in found:
        if each.treatment in NEGATIVE:
            bad.setdefault((each.treatment, each.treating or each.by or each.citing), each)
    parts = []
    for each in list(bad.values())[:_MOST_NAMED]:
        said = as_markdown(_capitalise(describe_treatment(library, each)))
        parts.append(f"**{write_link(said, link(each.citing, each.sentence_start, each.sentence_end))}**")
    told = {kind for kind, _ in bad} if len(bad) <= _MOST_NAMED else set()
    rest = count_treatments(each for each in found if each.treatment not in told)
    if rest:
        one = rest[-1].endswith(" in 1")
        parts.append(f"{_capitalise(', '.join(rest))} document{'' if one else 's'} of your library.")
    return parts


def count_treatments(found: Iterable[TreatedIn]) -> list[str]:
    """Return the number of documents with each kind of treatment, the most negative first: "followed
    in 3".
    """
    counts: defaultdict[TreatmentKind, set[int | str]] = defaultdict(set)
    for each in found:
        counts[each.treatment].add(each.treating or each.by or each.citing)
    return [f"{kind} in {len(counts[kind])}" for kind in WORST_FIRST if kind in counts]


def describe_treatment(library: Library, each: TreatedIn) -> str:
    """Return the description of one treatment: "overruled in Carrow v Luff [2014] ASC 12 at [23]"."""
    said = " ".join(word for word in (each.treatment, each.extent) if word)
    citing = library.catalogue.get(each.citing)
    if citing is None:
        return f"{said} in"
    passage = library.contents.find_passage(each.citing, each.start)
    where = add_place(_name(citing), write_place(citing, passage) if passage is not None else "")
    if each.treating == each.citing:
        return f"{said} in {where}"
    treating = library.catalogue.get(each.treating) if each.treating is not None else None
    by = _name(treating) if treating is not None else each.by
    return f"{said} by {by}, as said in {where}" if by else f"{said}, as said in {where}"


def _capitalise(said: str) -> str:
    return said[0].upper() + said[1:]


def _name(authority: Authority) -> str:
    return join_citation(fold(authority.name), authority.citation, authority.jurisdiction)


def describe_holding(library: Library, authority: Authority, link: OpenLink) -> list[str]:
    """Return the most cited passage of a case as Markdown paragraphs; an empty list if no document cites a
    passage of it.
    """
    if authority.kind != "case":
        return []
    found = library.graph.find_most_quoted(authority.id)
    if found is None:
        return []
    text = _NUMBER.sub("", found.text)
    by = f"{found.count} document{'' if found.count == 1 else 's'}"
    label = write_pinpoint(found.kind, found.label, authority.jurisdiction) if found.kind else ""
    address = link(authority.id, found.start, found.end)
    at = f"Most cited at {write_link(as_markdown(label), address)}"
    head = at if label else write_link("Most quoted", address)
    return [f"{head}, by {by}:\n\n{quote(shorten(blank_markup(authority, text), _LONGEST_HOLDING))}"]
