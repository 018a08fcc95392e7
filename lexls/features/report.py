"""Everything a draft cites and quotes with a verdict on each, for a page that is read and signed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from lexls.citations.model import Citation
from lexls.citations.treatment import NEGATIVE
from lexls.features.attribution import Attribution
from lexls.features.checks.check import Finding, as_named
from lexls.features.checks.engine import check, list_excerpts
from lexls.features.checks.misnamed import NAME_MISMATCH, PARALLEL_MISMATCH
from lexls.features.checks.misquoted import PINPOINT_ELSEWHERE
from lexls.features.checks.missing import IMPOSSIBLE_CITATION
from lexls.features.checks.pinpoints import describe_missing_place
from lexls.features.checks.quotations import (
    Compared,
    find_attributions,
    find_best_match,
    find_block_attributions,
    judge,
)
from lexls.features.citation_order import find_reading_place
from lexls.features.draft import Draft
from lexls.features.quotations import Quotation
from lexls.features.resolve import Resolution, find_authority, find_places, resolve
from lexls.features.snapshot import Snapshot
from lexls.features.wording import count_treatments, describe_treatment
from lexls.grounding.markdown import fold, shorten
from lexls.grounding.place_words import write_pinpoint
from lexls.grounding.reading import blank_markup
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.settings.diagnostics import Severity
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

Verdict = Literal[
    "verified",
    "place-unchecked",
    "place-not-found",
    "name-mismatch",
    "parallel-mismatch",
    "by-name",
    "impossible",
    "not-in-library",
    "unknown",
]
"""``place-unchecked``: the library's copy does not number its text as the pinpoint counts. ``by-name``: the
library holds a case of that name, but not under the citation. ``unknown``: a short form that stands for
nothing lexls could find."""

_OF_CITATIONS: Mapping[str, Verdict] = {
    NAME_MISMATCH.code: "name-mismatch",
    PARALLEL_MISMATCH.code: "parallel-mismatch",
    IMPOSSIBLE_CITATION.code: "impossible",
}
_INHERITED: frozenset[Verdict] = frozenset({*_OF_CITATIONS.values(), "by-name"})
"""What is wrong with a full citation is wrong with the short forms that stand for it."""
_MOST_PLACES = 3
_LONGEST_PLACE = 600
_MOST_TREATMENTS = 3


@dataclass(frozen=True, slots=True)
class PinpointText:
    """What an authority has at a pinpoint: the place as it is cited, its words without markup, its range."""

    label: str
    text: str
    start: int
    end: int
    page: int


@dataclass(frozen=True, slots=True)
class CitedAuthority:
    """One mention of an authority in a draft: a full citation with its parallel ones, or a short form.

    ``span`` is in the draft's source, ``text`` as written without markup. ``stands_for`` is the full citation
    behind a short form or a key, "" otherwise. ``pinpoint`` is as written. ``treatment`` says how the
    library's own texts treat the authority, the worst first; ``warned`` that some of it warns one off.
    ``remarks`` are the messages of the checks about it.
    """

    span: Span
    text: str
    verdict: Verdict
    stands_for: str
    authority: Authority | None
    pinpoint: str
    places: tuple[PinpointText, ...]
    treatment: tuple[str, ...]
    warned: bool
    quotations: tuple[QuotedPassage, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DraftReport:
    """All mentions of a draft as a reader meets them, and the quotations that belong to none of them.

    A defined term ("the Act") without a pinpoint is no mention of its own. ``others`` are the findings that
    concern neither a mention nor a quotation. ``complete`` says whether the library has been read to its end.
    """

    cited: tuple[CitedAuthority, ...]
    quotations: tuple[QuotedPassage, ...]
    others: tuple[Finding, ...]
    complete: bool


def make_report(snapshot: Snapshot, findings: Sequence[Finding], token: CancelToken) -> DraftReport:
    """The report on a draft, of which ``findings`` is what `check` found."""
    quoted = list(compare_quotations(snapshot, token))
    cited = list(_cited(snapshot, findings, quoted, token))
    used = {passage.span for each in cited for passage in each.quotations}
    free = tuple(passage for passage, _ in quoted if passage.span not in used)
    told: defaultdict[int, list[Span]] = defaultdict(list)
    for span in (*(each.span for each in cited), *(passage.span for passage, _ in quoted)):
        told[snapshot.draft.block_at(span.start)].append(span)
    others = tuple(
        each
        for each in findings
        if not any(each.span.overlaps(span) for span in told[snapshot.draft.block_at(each.span.start)])
    )
    return DraftReport(tuple(cited), free, others, snapshot.library.complete)


# -- citations -----------------------------------------------------------------------------------------------


def _cited(
    snapshot: Snapshot,
    findings: Sequence[Finding],
    quoted: Sequence[tuple[QuotedPassage, Citation | None]],
    token: CancelToken,
) -> Iterator[CitedAuthority]:
    draft = snapshot.draft
    judgements = _by_block(draft, _judgements(snapshot, findings, token))
    remarks = _by_block(draft, findings)
    by_place: dict[int, Verdict] = {}
    passages: defaultdict[Span, list[QuotedPassage]] = defaultdict(list)
    for passage, citation in quoted:
        if citation is not None:
            passages[draft.mention_of(citation)].append(passage)
    made: list[CitedAuthority] = []
    groups: set[int] = set()
    for place, citation in enumerate(draft.citations):
        if citation.group in groups or (citation.form == "defined" and citation.pinpoint is None):
            continue
        token.raise_if_cancelled()
        mates = draft.group_of(citation)
        if citation.group:
            groups.add(citation.group)
        span = draft.mention_of(citation)
        inherited = by_place.get(citation.antecedent) if citation.antecedent is not None else None
        block = draft.block_at(span.start)
        said = [one for one in judgements[block] if one.span.overlaps(span)]
        each = _mention(snapshot, span, mates, said, inherited)
        for number in range(place, place + len(mates)):
            by_place[number] = each.verdict
        told = (one.message for one in remarks[block] if one.span.overlaps(span))
        made.append(
            replace(each, quotations=tuple(passages.get(span, ())), remarks=tuple(dict.fromkeys(told)))
        )
    yield from sorted(made, key=lambda one: find_reading_place(draft, one.span.start))


def _by_block(draft: Draft, findings: Iterable[Finding]) -> Mapping[int, list[Finding]]:
    """The findings by the block of the draft that they begin in."""
    found: defaultdict[int, list[Finding]] = defaultdict(list)
    for each in findings:
        found[draft.block_at(each.span.start)].append(each)
    return found


def _judgements(snapshot: Snapshot, findings: Sequence[Finding], token: CancelToken) -> Sequence[Finding]:
    """What the checks say of citations, also where the settings are not to show it."""
    settings = snapshot.settings
    hidden = [code for code in _OF_CITATIONS if settings.severities.get(code) == "off"]
    if not hidden:
        return findings
    severities: dict[str, Severity] = dict.fromkeys(settings.severities, "off")
    severities.update(dict.fromkeys(_OF_CITATIONS, "warning"))
    shown = replace(snapshot, settings=replace(settings, severities=severities))
    return check(shown, token)


def _mention(
    snapshot: Snapshot,
    span: Span,
    mates: Sequence[Citation],
    judgements: Sequence[Finding],
    inherited: Verdict | None,
) -> CitedAuthority:
    library, draft = snapshot.library, snapshot.draft
    found = [resolve(library, draft, each) for each in mates]
    best = next((each for each in found if each.authorities), found[0])
    authority = find_authority(library, best)
    pinned = [each for each in found if each.citation.pinpoint is not None]
    pinpoints = [each.citation.pinpoint.span for each in pinned if each.citation.pinpoint is not None]
    places = [place for each in pinned for place in _places(snapshot, each, authority)]
    verdict = _verdict(snapshot, best, pinned, authority, places, judgements, inherited)
    full = best.citation.antecedent
    keyed = draft.key_of(mates[0]) is not None
    meant = draft.citations[full] if full is not None else mates[0]
    stands_for = as_named(snapshot, meant) if keyed or full is not None else ""
    warned, treatment = _treatment(library, authority)
    return CitedAuthority(
        span,
        fold(span.of(draft.source)) if keyed else draft.prose(span, without_citations=False),
        verdict,
        stands_for if keyed or best.citation.form != "full" else "",
        authority,
        ", ".join(dict.fromkeys(fold(span.of(draft.masked)) for span in pinpoints)),
        tuple(dict.fromkeys(places))[:_MOST_PLACES],
        treatment,
        warned,
        (),
        (),
    )


def _verdict(
    snapshot: Snapshot,
    best: Resolution,
    pinned: Sequence[Resolution],
    authority: Authority | None,
    places: Sequence[PinpointText],
    judgements: Sequence[Finding],
    inherited: Verdict | None,
) -> Verdict:
    said = [_OF_CITATIONS[each.code] for each in judgements if each.code in _OF_CITATIONS]
    if said:
        return said[0]
    if inherited in _INHERITED:
        return inherited
    if authority is None:
        return "not-in-library" if best.citation.key else "unknown"
    if best.by == "name" and best.citation.kind == "case":
        return "by-name"
    if any(describe_missing_place(snapshot, each, authority) for each in pinned):
        return "place-not-found"
    return "place-unchecked" if pinned and not places else "verified"


def _places(
    snapshot: Snapshot, resolution: Resolution, authority: Authority | None
) -> Iterator[PinpointText]:
    pinpoint = resolution.citation.pinpoint
    if authority is None or pinpoint is None:
        return
    for place in find_places(snapshot.library, resolution):
        if place.document == authority.id:
            label = write_pinpoint(pinpoint.kind, place.label, authority.jurisdiction)
            words = fold(blank_markup(authority, place.text))
            text = shorten(words.removeprefix(label).lstrip(), _LONGEST_PLACE)
            yield PinpointText(label, text, place.start, place.end, place.page)


def _treatment(library: Library, authority: Authority | None) -> tuple[bool, tuple[str, ...]]:
    """Whether the library warns of an authority, and what it says of it in words."""
    if authority is None:
        return False, ()
    found = library.graph.find_treatments(authority.id)
    bad = [each for each in found if each.treatment in NEGATIVE]
    said = list(dict.fromkeys(describe_treatment(library, each) for each in bad))[:_MOST_TREATMENTS]
    others = count_treatments(each for each in found if each.treatment not in NEGATIVE)
    if others:
        one = len(others) == 1 and others[-1].endswith(" in 1")
        said.append(f"{', '.join(others)} document{'' if one else 's'} of the library")
    return bool(bad), tuple(said)


# -- quotations, each compared with the authority that it is attributed to -----------------------------------

QuotationVerdict = Literal["verbatim", "lawful", "differs", "elsewhere", "absent", "not-compared"]
"""``lawful``: only differences that are allowed or shown, such as an ellipsis or brackets. ``elsewhere``: as
in the authority, but not at the pinpoint. ``not-compared``: nobody can tell what it is compared with."""

_LONGEST = 3000
"""Code points of an authority's words that are shown beside a quotation."""


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """A quotation of the draft and how it compares with its authority.

    ``differing`` are the segments of ``text`` that are not as in the authority, ``original`` what it says
    there, ``original_differing`` the segments of that. ``remarks`` say what was found wrong.
    """

    span: Span
    text: str
    verdict: QuotationVerdict
    differing: tuple[Span, ...]
    original: str
    original_differing: tuple[Span, ...]
    remarks: tuple[str, ...]


def compare_quotations(
    snapshot: Snapshot, token: CancelToken
) -> Iterator[tuple[QuotedPassage, Citation | None]]:
    """Every quotation that is worth comparing, with the citation that it is attributed to, if one is."""
    blocks = list(find_block_attributions(snapshot))
    found: list[tuple[Quotation, Attribution | None]] = list(blocks)
    for excerpt in list_excerpts(snapshot):
        token.raise_if_cancelled()
        found.extend(
            (quotation, attributed)
            for quotation, attributed in find_attributions(excerpt)
            if not any(quotation.outer.overlaps(block.outer) for block, _ in blocks)
        )
    for quotation, attributed in sorted(found, key=lambda each: each[0].outer):
        yield _passage(snapshot, quotation, attributed)


def _passage(
    snapshot: Snapshot, quotation: Quotation, attributed: Attribution | None
) -> tuple[QuotedPassage, Citation | None]:
    best = find_best_match(snapshot, quotation, attributed) if attributed is not None else None
    citation = attributed.cited[0].citation if attributed is not None and attributed.cited else None
    uncompared = QuotedPassage(quotation.inner, quotation.text, "not-compared", (), "", (), ())
    if attributed is None or best is None:
        return uncompared, citation
    problems = list(judge(snapshot, quotation, attributed))
    wrong = [each for each in problems if each.code != PINPOINT_ELSEWHERE.code]
    remarks = tuple(dict.fromkeys(each.message for each in problems))
    verdict = best.comparison.verdict
    if wrong and verdict == "absent":
        made = replace(uncompared, verdict="absent", remarks=remarks)
    elif wrong:
        made = _compared(snapshot, quotation, best, remarks)
    elif verdict == "verbatim" or verdict == "lawful":
        made = replace(uncompared, verdict="elsewhere" if problems else verdict, remarks=remarks)
    else:
        made = uncompared
    return made, best.resolution.citation


def _compared(
    snapshot: Snapshot, quotation: Quotation, best: Compared, remarks: tuple[str, ...]
) -> QuotedPassage:
    """A quotation that differs, with the authority's words beside it."""
    comparison = best.comparison
    weighing = comparison.of_grade("harmful", "wording", "altered", "spelling")
    place = comparison.place
    original = ""
    marked: tuple[Span, ...] = ()
    if place is not None and len(place) <= _LONGEST:
        original = place.of(blank_markup(best.authority, snapshot.library.contents.text(best.authority.id)))
        inside = (each.original for each in weighing if len(each.original))
        marked = tuple(
            each.shift(-place.start) for each in inside if place.start <= each.start and each.end <= place.end
        )
    differing = tuple(each.quoted for each in weighing if len(each.quoted))
    return QuotedPassage(quotation.inner, quotation.text, "differs", differing, original, marked, remarks)
