"""Plan a book of authorities: its tabs, in the order of the table of authorities, and the contents of
each.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lexls.assessing.assess import Assessment, assess_excerpt
from lexls.assessing.excerpt import list_excerpts
from lexls.assessing.quotations import (
    QuotationAssessment,
    assess_quotation,
    find_attributions,
    find_block_attributions,
)
from lexls.assessing.verdicts import describe, explain
from lexls.export.table_of_authorities import TableEntry, list_entries
from lexls.features.found_by_words import find_by_words
from lexls.index.records import Authority
from lexls.reading.resolve import find_country, find_places
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.descriptions import describe_absence
from lexls.wording.place_words import write_pinpoint

_BEFORE_SIGN = re.compile(r" (?=[,;:.)])")
"""Matches the space left before punctuation by a blanked emphasis mark."""
_BY_WORDS = (
    "Where this copy does not mark the place cited, a link opens the sentence that is nearest in words."
)
_LONGEST = 6000
"""Maximum length, in code points, of a passage that is marked. A longer passage is a link target only."""


@dataclass(frozen=True, slots=True)
class BookCitation:
    """A citation in the brief and its link target. All spans except ``span`` are offsets in the authority's
    text.

    ``places`` are the passages that the pinpoint names. If the library's copy does not number them, the
    sentence with the most similar words is used. ``quoted`` are the words that the brief quotes. If both are
    empty, the link leads to the start of the authority. ``marks`` is false if ``places`` are whole pages,
    which are not marked.
    """

    span: Span
    places: tuple[Span, ...] = ()
    quoted: tuple[Span, ...] = ()
    marks: bool = True

    @property
    def target(self) -> int:
        """Return the offset in the authority that the link leads to; 0 for the authority as a whole."""
        return next(iter((*self.quoted, *self.places)), Span(0, 0)).start


@dataclass(slots=True)
class BookTab:
    """A tab of the book: an authority, or several entries of the table of authorities that share one file.

    ``names`` are its entries as in the table, ``cited_at`` the positions in the brief that cite it, and
    ``pinpoints`` the pinpoints cited. ``authority`` is None if it is not in the library; ``remark`` may then
    give the reason. Otherwise ``remark`` describes what is uncertain about the authority, or is "".
    """

    number: int
    names: list[str]
    authority: Authority | None
    cited_at: list[str] = field(default_factory=list)
    pinpoints: list[str] = field(default_factory=list)
    citations: list[BookCitation] = field(default_factory=list)
    remark: str = ""

    @property
    def name(self) -> str:
        """Return the tab's name: the authority's name or, if it is not in the library, the tab's
        first entry.
        """
        return self.authority.name if self.authority is not None else self.names[0]

    @property
    def quoted(self) -> list[Span]:
        """Return all passages that the brief quotes, each once."""
        return list(dict.fromkeys(span for each in self.citations for span in each.quoted))

    @property
    def marked(self) -> list[Span]:
        """Return all cited passages that are short enough to be marked, each once."""
        places = dict.fromkeys(span for each in self.citations if each.marks for span in each.places)
        return [each for each in places if len(each) <= _LONGEST]


@dataclass(frozen=True, slots=True)
class BookPlan:
    """The tabs of a book. ``unlinked`` are citations in the brief that could not be resolved."""

    tabs: tuple[BookTab, ...]
    unlinked: tuple[Span, ...]


def plan_book(snapshot: Snapshot, token: CancelToken) -> BookPlan:
    """Plan the book of a brief. Raises ``Cancelled``."""
    tabs: list[BookTab] = []
    by_document: dict[int, BookTab] = {}
    by_mention: dict[Span, BookTab] = {}
    for entry in list_entries(snapshot, token):
        tab = by_document.get(entry.authority.id) if entry.authority is not None else None
        if tab is None:
            tab = BookTab(len(tabs) + 1, [], entry.authority)
            tabs.append(tab)
            if entry.authority is not None:
                by_document[entry.authority.id] = tab
        tab.names.append(_write_plain(snapshot, entry))
        tab.cited_at.append(entry.places)
        for span in entry.spans:
            by_mention.setdefault(span, tab)
    quoted = _find_quoted(snapshot, token)
    unlinked: list[Span] = []
    for assessment in _list_assessments(snapshot, token):
        known = assessment.authority
        tab = by_document.get(known.id) if known is not None else None
        tab = tab or by_mention.get(assessment.span)
        if tab is None:
            unlinked.append(assessment.span)
        else:
            _cite(snapshot, tab, assessment, quoted, token)
    return BookPlan(tuple(tabs), tuple(unlinked))


def _write_plain(snapshot: Snapshot, entry: TableEntry) -> str:
    """Return an entry of the table of authorities without the markup of the draft's format."""
    return _BEFORE_SIGN.sub("", " ".join(snapshot.draft.format.mask(entry.text).split()))


def _list_assessments(snapshot: Snapshot, token: CancelToken) -> Iterator[Assessment]:
    for excerpt in list_excerpts(snapshot):
        yield from assess_excerpt(excerpt, token)


def _cite(
    snapshot: Snapshot,
    tab: BookTab,
    assessment: Assessment,
    quoted: Mapping[tuple[Span, int], Sequence[Span]],
    token: CancelToken,
) -> None:
    """Add a citation to its tab."""
    pinned = [each for each in assessment.cited if each.citation.pinpoint is not None]
    for each in pinned:
        pinpoint = each.citation.pinpoint
        if pinpoint is None:
            continue
        country = tab.authority.jurisdiction if tab.authority is not None else ""
        country = country or find_country(snapshot.library, each.citation.jurisdiction)
        said = [write_pinpoint(pinpoint.kind, label, country) for label in pinpoint.labels]
        tab.pinpoints.extend(one for one in said if one not in tab.pinpoints)
    if tab.authority is None or assessment.authority is None:
        reason = explain(assessment)
        if not reason.endswith(
            (describe_absence(True), describe_absence(False))
        ):  # the cover sheet says so itself
            tab.remark = tab.remark or reason
        tab.citations.append(BookCitation(assessment.span))
        return
    if not assessment.is_identified:
        tab.remark = tab.remark or describe(assessment)
    document = tab.authority.id
    found = [place for each in pinned for place in find_places(snapshot.library, each)]
    places = [Span(each.start, each.end) for each in found if each.document == document]
    marks = not any(each.citation.pinpoint and each.citation.pinpoint.kind == "page" for each in pinned)
    if not places:
        marks = False
        by_words = (find_by_words(snapshot, each, token) for each in pinned)
        places = [each.span for each in by_words if each is not None]
        if places:
            tab.remark = tab.remark or _BY_WORDS
    words = tuple(quoted.get((assessment.span, document), ()))
    if not pinned and assessment.citation.form == "id" and tab.citations:  # the same place again
        places = [*tab.citations[-1].quoted, *tab.citations[-1].places]
        marks = False
    tab.citations.append(BookCitation(assessment.span, tuple(dict.fromkeys(places)), words, marks))


def _find_quoted(snapshot: Snapshot, token: CancelToken) -> Mapping[tuple[Span, int], list[Span]]:
    """Return the passages that the draft quotes, by citation and by the id of the authority quoted."""
    draft = snapshot.draft
    found: defaultdict[tuple[Span, int], list[Span]] = defaultdict(list)
    for assessed in _assess_quotations(snapshot, token):
        best = assessed.best
        if best is None or assessed.outcome not in ("as-in-authority", "differs", "stitched", "doubtful"):
            continue
        place = best.comparison.place
        spans = [each.original for each in assessed.pieces] or ([place] if place is not None else [])
        mention = draft.mention_of(best.resolution.citation)
        found[mention, best.authority.id].extend(each for each in spans if len(each) <= _LONGEST)
    return found


def _assess_quotations(snapshot: Snapshot, token: CancelToken) -> Iterator[QuotationAssessment]:
    blocks = list(find_block_attributions(snapshot))
    for quotation, attributed in blocks:
        yield assess_quotation(snapshot, quotation, attributed)
    for excerpt in list_excerpts(snapshot):
        token.raise_if_cancelled()
        for quotation, attributed in find_attributions(excerpt):
            if not any(quotation.outer.overlaps(block.outer) for block, _ in blocks):
                yield assess_quotation(snapshot, quotation, attributed)
