"""Find the papers of the record that a draft cites, and show, open or complete their citations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from lexls.assessing.pinpoints import describe_missing_place
from lexls.citations.model import Citation
from lexls.citations.record_names import find_names, load_record_forms
from lexls.citations.scan import Scan
from lexls.index.records import Authority, OpenLocation, Place
from lexls.reading.record import (
    describe_missing_pages,
    find_papers,
    find_pinpoint,
    find_record_places,
    holds_file,
    is_of_record,
    see_record,
)
from lexls.reading.resolve import Resolution, find_country, resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.formats.markdown import as_markdown
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span
from lexls.wording.descriptions import OpenLink, offer_page
from lexls.wording.markdown import list_choices, quote, shorten, write_link
from lexls.wording.place_words import write_pinpoint
from lexls.wording.prose import blank_markup

_LONGEST = 1200
_LONGEST_BEGINNING = 400
_MOST_LINES = 40
_NO_FILE = "no file of the record is called so"
_UNMARKED = "Your copy does not mark this place"
_TYPED = re.compile(r"[\w./-]*\Z")
_LINE = 120
"""Code points before the cursor that are searched for a paper's name."""
_NUMBERS = re.compile(r"\d+|\D+")


def cites_paper(snapshot: Snapshot, offset: int) -> tuple[Snapshot, Resolution] | None:
    """Return the citation of the record at ``offset``, with the record's snapshot; None if there is none."""
    seen = see_record(snapshot)
    citation = seen.draft.citation_at(offset) if seen is not None else None
    if seen is None or citation is None or not is_of_record(citation):
        return None
    return seen, resolve_paper(seen, citation)


def resolve_paper(seen: Snapshot, citation: Citation) -> Resolution:
    """Resolve a citation of the record. A bare *id.* gets the pinpoint of the citation before it."""
    place = find_pinpoint(seen, citation)
    return replace(resolve(seen.library, seen.draft, citation), citation=replace(citation, pinpoint=place))


PaperVerdict = Literal["found", "place-not-found", "ambiguous", "not-in-record"]
"""The verdict on a citation of the record. ``found``: the paper and the pinpoint exist, or the paper's copy
does not mark pinpoints. ``place-not-found``: the paper cannot have the pinpoint. ``ambiguous``: several
files have this name.
"""


_VERDICTS: Mapping[PaperVerdict, str] = load_phrases(__package__, "verdicts.toml")["papers"]


@dataclass(frozen=True, slots=True)
class CitedInRecord:
    """A citation of the record in a draft, and the papers that match it. ``span`` is in the draft's source;
    ``text`` is the citation as written, without markup. ``papers`` are the matching papers. ``place`` is
    the pinpoint as it is cited, and ``places`` are the passages there. ``reason`` explains a citation that
    was not found.
    """

    span: Span
    text: str
    verdict: PaperVerdict
    papers: tuple[Authority, ...]
    place: str = ""
    places: tuple[Place, ...] = ()
    reason: str = ""


def list_cited_in_record(snapshot: Snapshot, token: CancelToken) -> Iterator[CitedInRecord]:
    """Yield the draft's citations of the record, in order; nothing if there is no record. Raises
    ``Cancelled``.
    """
    seen = see_record(snapshot)
    for citation in seen.draft.citations if seen is not None else ():
        token.raise_if_cancelled()
        if seen is not None and is_of_record(citation):
            yield _answer(seen, resolve_paper(seen, citation))


def _answer(seen: Snapshot, resolution: Resolution) -> CitedInRecord:
    citation = resolution.citation
    papers = tuple(find_papers(seen, citation))
    text = " ".join(citation.span.of(seen.draft.masked).split())
    if len(papers) != 1:
        verdict: PaperVerdict = "ambiguous" if papers else "not-in-record"
        reason = "" if papers else describe_missing_paper(seen, citation)
        return CitedInRecord(citation.span, text, verdict, papers, reason=reason)
    places = tuple(find_record_places(seen, resolution))
    if places or citation.pinpoint is None:
        place = write_places(seen, resolution, places)
        return CitedInRecord(citation.span, text, "found", papers, place, places)
    reason = describe_missing_place(seen, resolution, papers[0])
    reason = reason or "; ".join(describe_missing_pages(seen, papers[0], citation.pinpoint))
    verdict = "place-not-found" if reason else "found"
    return CitedInRecord(citation.span, text, verdict, papers, reason=reason or _UNMARKED)


def describe_missing_paper(seen: Snapshot, citation: Citation) -> str:
    """Explain why no paper matches a citation: there is no such file, or it could not be read."""
    folders = sorted({each.library for each in seen.library.catalogue.all()})
    if holds_file(folders, citation.papers[0].keys):
        return "a file of the record is called so, and no text was read in it"
    return _NO_FILE if seen.library.complete else f"{_NO_FILE} as far as it has been read"


def name_paper_verdict(verdict: PaperVerdict) -> str:
    """Return the verdict in words for users: "Not in the record"."""
    return _VERDICTS[verdict]


def write_places(seen: Snapshot, resolution: Resolution, places: Sequence[Place]) -> str:
    """Return the pinpoint of passages of a paper, as it is cited: "¶ 2", "45:12–45:18", "page 45"; "" if
    there is none.
    """
    pinpoint = resolution.citation.pinpoint
    if pinpoint is None or not places:
        return ""
    of_page = pinpoint.kind == "paragraph" and ":" not in places[0].label and _is_line(pinpoint.labels)
    first, last = places[0], places[-1]
    label = first.label if first.label == last.label else f"{first.label}–{last.label}"
    country = find_country(seen.library, seen.draft.jurisdiction)
    of_line = ":" in places[0].label
    return write_pinpoint("page" if of_page else "paragraph" if of_line else pinpoint.kind, label, country)


def describe_paper(seen: Snapshot, resolution: Resolution, link: OpenLink) -> str:
    """Return a Markdown description of a citation of the record: the passage cited and the paper's file.
    ``link`` makes the addresses.
    """
    papers = find_papers(seen, resolution.citation)
    if not papers:
        missing = describe_missing_paper(seen, resolution.citation)
        return f"_{as_markdown(missing[:1].upper() + missing[1:])}._"
    if len(papers) > 1:
        named = [write_link(as_markdown(each.relative), link(each.id, 0, 0)) for each in papers]
        return f"_Nothing tells which is meant:_ {list_choices(named)}"
    (paper,) = papers
    parts = list(_show_places(seen, resolution, paper, link))
    title = write_link(f"**{as_markdown(paper.name)}**", link(paper.id, 0, 0))
    parts.append(f"{title} · {as_markdown(f'{paper.library.name}/{paper.relative}')}")
    return "\n\n".join(parts)


def _show_places(seen: Snapshot, resolution: Resolution, paper: Authority, link: OpenLink) -> Iterator[str]:
    pinpoint = resolution.citation.pinpoint
    places = find_record_places(seen, resolution)
    if pinpoint is None:
        text = blank_markup(paper, seen.library.contents.text(paper.id)[: 2 * _LONGEST_BEGINNING])
        yield quote(shorten(text, _LONGEST_BEGINNING))
    elif not places:
        missing = describe_missing_place(seen, resolution, paper)
        missing = missing or "; ".join(describe_missing_pages(seen, paper, pinpoint))
        yield f"_{as_markdown(missing or _UNMARKED)}._"
    else:
        first, last = places[0], places[-1]
        where = write_places(seen, resolution, places)
        yield write_link(as_markdown(where), link(paper.id, first.start, last.end))
        yield _quote_places(paper, places)
        yield from filter(None, [offer_page(seen.library, paper, first.start)])


def _is_line(labels: Sequence[str]) -> bool:
    return any(":" in label for label in labels)


def _quote_places(paper: Authority, places: Sequence[Place]) -> str:
    """Quote passages as Markdown; for a transcript, each line with its number."""
    if ":" not in places[0].label:
        text = "\n\n".join(blank_markup(paper, each.text) for each in places)
        return quote(shorten(text, _LONGEST))
    lines = [f"{each.label} {as_markdown(each.text)}" for each in places[:_MOST_LINES]]
    more = [f"… and {len(places) - _MOST_LINES} more lines"] if len(places) > _MOST_LINES else []
    return "> " + "  \n> ".join([*lines, *more])


def locate_paper(seen: Snapshot, resolution: Resolution) -> list[tuple[Authority, OpenLocation]]:
    """Return the papers that a citation may mean, each with the location to open: the pinpoint if there is
    one paper, the beginnings if there are several.
    """
    papers = find_papers(seen, resolution.citation)
    places = find_record_places(seen, resolution) if len(papers) == 1 else []
    start, end = (places[0].start, places[-1].end) if places else (0, 0)
    located = ((paper, seen.library.locate(paper.id, start, end)) for paper in papers)
    return [(paper, location) for paper, location in located if location is not None]


def list_cited_papers(snapshot: Snapshot, token: CancelToken) -> Iterator[tuple[Citation, Authority]]:
    """Yield the citations of the record that match exactly one paper, each with its paper, in order."""
    seen = see_record(snapshot)
    for citation in seen.draft.citations if seen is not None else ():
        token.raise_if_cancelled()
        if seen is not None and is_of_record(citation):
            papers = find_papers(seen, citation)
            if len(papers) == 1:
                yield citation, papers[0]


def complete_papers(snapshot: Snapshot, offset: int) -> list[tuple[Span, str, Authority]]:
    """Return completions for a paper's number typed before ``offset`` ("Ex. ", "ECF No. 3"), in order: the
    span of the source to replace, the number, and the paper.
    """
    record = snapshot.record
    if record is None:
        return []
    masked = snapshot.draft.masked
    line = max(masked.rfind("\n", 0, offset) + 1, offset - _LINE)
    typed = _TYPED.search(masked, line, offset)
    start = typed.start() if typed is not None else offset
    before = masked[line:start]
    if not before.endswith(" "):
        return []
    names = list(find_names(Scan(f"{before}1"), load_record_forms()))
    if not names or names[-1].end != len(before) + 1 or not names[-1].paper.numbered:
        return []
    series = names[-1].key.removesuffix("1")
    found: dict[str, Authority] = {}
    for paper in record.library.catalogue.all():
        for key in paper.citations[1:]:
            number = key.removeprefix(series).upper()
            if (
                key.startswith(series)
                and " " not in number
                and number.startswith(masked[start:offset].upper())
            ):
                found.setdefault(number, paper)
    ordered = sorted(found, key=_in_order)
    return [(Span(start, offset), number, found[number]) for number in ordered]


def _in_order(number: str) -> list[tuple[bool, int, str]]:
    """Return a key that sorts numbers naturally: "4" before "12", and "12" before "A"."""
    parts = _NUMBERS.findall(number)
    return [(False, int(each), "") if each.isdigit() else (True, 0, each) for each in parts]
