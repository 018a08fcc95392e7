"""Collect all citations and quotations of a draft, with a verdict on each, for a report to be read and
signed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lexls.assessing.assess import Assessment, assess_excerpt
from lexls.assessing.check import Finding, as_named
from lexls.assessing.excerpt import list_excerpts
from lexls.assessing.ignoring import Ignored
from lexls.assessing.papers import CitedInRecord, list_cited_in_record
from lexls.assessing.quotations import (
    Compared,
    QuotationAssessment,
    assess_quotation,
    find_attributions,
    find_block_attributions,
)
from lexls.assessing.rules.decisions import DECISION_MISMATCH
from lexls.assessing.rules.engine import check_at_once
from lexls.assessing.rules.quotations import report_quotation
from lexls.assessing.rules.support import CONTRADICTED, NOT_FOUND
from lexls.assessing.rules.unverified import UNVERIFIED
from lexls.assessing.support import Support, judge_support
from lexls.assessing.verdicts import (
    QuotationVerdict,
    Verdict,
    decide,
    decide_quotation,
    explain,
    explain_quotation,
    summarise,
)
from lexls.citations.jurisdiction import load_jurisdictions
from lexls.citations.model import Citation
from lexls.citations.treatment import NEGATIVE
from lexls.export.review import BriefReview
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.unread import describe_kinds
from lexls.quotations.attribution import Attribution
from lexls.reading.citation_order import find_reading_place
from lexls.reading.draft import Draft
from lexls.reading.quotations import Quotation
from lexls.reading.record import is_of_record, see_record
from lexls.reading.resolve import Resolution, find_country, find_places, settle
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.descriptions import count_treatments, describe_treatment
from lexls.wording.markdown import fold, shorten
from lexls.wording.place_words import write_pinpoint
from lexls.wording.prose import blank_markup

_JUDGED = frozenset({UNVERIFIED.code, DECISION_MISMATCH.code, CONTRADICTED.code, NOT_FOUND.code})
"""Codes of findings already covered by the verdict on a citation or its support."""
_BEFORE_SIGN = re.compile(r"\s+(?=[,;:])")
"""Matches the space left before punctuation by a blanked emphasis mark."""
_MOST_PLACES = 3
_LONGEST_PLACE = 600
_LONGEST = 3000
"""Maximum length, in code points, of the authority's text shown next to a quotation."""
_MOST_TREATMENTS = 3


@dataclass(frozen=True, slots=True)
class PinpointText:
    """An authority's text at a pinpoint: the pinpoint's label, the words without markup, and their range.

    ``page`` is the page on which the text begins, counted in the file from 1; 0 if there are no pages.
    """

    label: str
    text: str
    start: int
    end: int
    page: int


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    """A quotation in the draft and how it compares with its authority.

    ``reason`` explains the verdict: how the quotation may differ, or why it was not compared. ``differing``
    are the parts of ``text`` that differ from the authority. ``original`` is the authority's wording, and
    ``original_differing`` the parts of it that differ. ``remarks`` describe the problems found.
    """

    span: Span
    text: str
    verdict: QuotationVerdict
    reason: str
    differing: tuple[Span, ...]
    original: str
    original_differing: tuple[Span, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CitedAuthority:
    """One mention of an authority in a draft: a full citation with its parallel citations, or a short form.

    ``span`` is in the draft's source; ``text`` is the mention as written, without markup. ``stands_for`` is
    the full citation to which a short form or a citation key refers, otherwise "". ``pinpoint`` is as
    written. ``treatment`` describes how documents in the library treat the authority, negative treatment
    first; ``warned`` is true if any treatment is negative. ``remarks`` are the messages of the checks about
    the mention. ``support`` is whether the authority supports what it is cited for; None if not requested.
    """

    span: Span
    text: str
    assessment: Assessment
    stands_for: str
    authority: Authority | None
    pinpoint: str
    places: tuple[PinpointText, ...]
    treatment: tuple[str, ...]
    warned: bool
    quotations: tuple[QuotedPassage, ...]
    remarks: tuple[str, ...]
    support: Support | None = None

    @property
    def verdict(self) -> Verdict:
        """Return the verdict on the citation."""
        return decide(self.assessment)

    @property
    def reason(self) -> str:
        """Explain why the citation is not verified; "" if it is."""
        return explain(self.assessment)


@dataclass(frozen=True, slots=True)
class DraftReport:
    """All mentions of authorities in a draft in reading order, and the quotations that belong to none of
    them.

    A defined term ("the Act") without a pinpoint is not a mention. ``others`` are findings that concern
    neither a mention nor a quotation; ``ignored`` are findings that someone has chosen to ignore.
    ``complete`` is whether the library has been indexed completely. ``outside`` describes what could not be
    checked at all. ``review`` is the review of the whole draft; None if not requested. ``of_record`` are the
    draft's citations of the record.
    """

    cited: tuple[CitedAuthority, ...]
    quotations: tuple[QuotedPassage, ...]
    others: tuple[Finding, ...]
    complete: bool
    outside: tuple[str, ...]
    ignored: tuple[Ignored, ...] = ()
    review: BriefReview | None = None
    of_record: tuple[CitedInRecord, ...] = ()

    @property
    def quoted(self) -> list[QuotedPassage]:
        """Return all quotations."""
        return [*self.quotations, *(one for each in self.cited for one in each.quotations)]

    @property
    def summary(self) -> str:
        """Return one line with the number of citations and quotations for each verdict."""
        return summarise(self.verdicts, self.quotation_verdicts)

    @property
    def verdicts(self) -> Counter[Verdict]:
        """Return the number of citations with each verdict."""
        return Counter(each.verdict for each in self.cited)

    @property
    def quotation_verdicts(self) -> Counter[QuotationVerdict]:
        """Return the number of quotations with each verdict."""
        return Counter(each.verdict for each in self.quoted)


def examine(snapshot: Snapshot, token: CancelToken, *, support: bool) -> tuple[list[Finding], DraftReport]:
    """Return the findings in a draft and the report on it. For ``support`` see `make_report`."""
    checked = check_at_once(snapshot, token, support=support)
    report = make_report(snapshot, checked.findings, token, support=support, ignored=checked.ignored)
    return list(checked.findings), report


def make_report(
    snapshot: Snapshot,
    findings: Sequence[Finding],
    token: CancelToken,
    *,
    support: bool = False,
    ignored: Sequence[Ignored] = (),
) -> DraftReport:
    """Return the report on a draft; ``findings`` and ``ignored`` are the results of `check_all`.

    With ``support``, passages of each authority are read to judge whether it supports what it is cited for.
    """
    quoted = list(compare_quotations(snapshot, token))
    cited = list(_cited(snapshot, findings, quoted, support, token))
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
    return DraftReport(
        tuple(cited),
        free,
        others,
        snapshot.library.complete,
        tuple(tell_outside(snapshot)),
        tuple(ignored),
        of_record=tuple(list_cited_in_record(snapshot, token)),
    )


# -- citations -----------------------------------------------------------------------------------------------


def _cited(
    snapshot: Snapshot,
    findings: Sequence[Finding],
    quoted: Sequence[tuple[QuotedPassage, Citation | None]],
    support: bool,
    token: CancelToken,
) -> Iterator[CitedAuthority]:
    draft = snapshot.draft
    remarks = _by_block(draft, findings)
    passages: defaultdict[Span, list[QuotedPassage]] = defaultdict(list)
    for passage, citation in quoted:
        if citation is not None:
            passages[draft.mention_of(citation)].append(passage)
    made: list[CitedAuthority] = []
    for assessment in (one for excerpt in list_excerpts(snapshot) for one in assess_excerpt(excerpt, token)):
        span = assessment.span
        block = draft.block_at(span.start)
        each = _mention(snapshot, assessment)
        if support:
            each = replace(each, support=judge_support(snapshot, _best(assessment), token))
        told = (one.message for one in remarks[block] if one.span.overlaps(span) and one.code not in _JUDGED)
        made.append(
            replace(each, quotations=tuple(passages.get(span, ())), remarks=tuple(dict.fromkeys(told)))
        )
    yield from sorted(made, key=lambda one: find_reading_place(draft, one.span.start))


def _by_block(draft: Draft, findings: Iterable[Finding]) -> Mapping[int, list[Finding]]:
    """Return the findings grouped by the block of the draft in which they begin."""
    found: defaultdict[int, list[Finding]] = defaultdict(list)
    for each in findings:
        found[draft.block_at(each.span.start)].append(each)
    return found


def _best(assessment: Assessment) -> Resolution:
    """Return the first citation of a mention that resolves to an authority in the library, or else its first
    citation.
    """
    return next((each for each in assessment.cited if each.authorities), assessment.cited[0])


def _mention(snapshot: Snapshot, assessment: Assessment) -> CitedAuthority:
    library, draft = snapshot.library, snapshot.draft
    span, first, best = assessment.span, assessment.citation, _best(assessment)
    authority = assessment.authority
    if authority is not None:
        authority = settle(authority, find_country(library, best.citation.jurisdiction))
    pinned = [each for each in assessment.cited if each.citation.pinpoint is not None]
    pinpoints = [each.citation.pinpoint.span for each in pinned if each.citation.pinpoint is not None]
    places = [place for each in pinned for place in _places(snapshot, each, authority)]
    full = best.citation.antecedent
    keyed = draft.key_of(first) is not None
    meant = draft.citations[full] if full is not None else first
    stands_for = as_named(snapshot, meant) if keyed or full is not None else ""
    warned, treatment = _treatment(library, authority)
    return CitedAuthority(
        span,
        fold(span.of(draft.source))
        if keyed
        else _BEFORE_SIGN.sub("", draft.prose(span, without_citations=False)),
        assessment,
        stands_for if keyed or best.citation.form != "full" else "",
        authority,
        ", ".join(dict.fromkeys(fold(span.of(draft.masked)) for span in pinpoints)),
        tuple(dict.fromkeys(places))[:_MOST_PLACES],
        treatment,
        warned,
        (),
        (),
    )


def _places(
    snapshot: Snapshot, resolution: Resolution, authority: Authority | None
) -> Iterator[PinpointText]:
    pinpoint = resolution.citation.pinpoint
    if authority is None or pinpoint is None:
        return
    content = snapshot.library.contents.get(authority.id)
    for place in find_places(snapshot.library, resolution):
        if place.document == authority.id:
            country = authority.jurisdiction or snapshot.draft.jurisdiction
            label = write_pinpoint(pinpoint.kind, place.label, country)
            words = fold(blank_markup(authority, place.text))
            text = shorten(words.removeprefix(label).lstrip(), _LONGEST_PLACE)
            page = content.position_at(place.start) if content is not None else 0
            yield PinpointText(label, text, place.start, place.end, page)


def _treatment(library: Library, authority: Authority | None) -> tuple[bool, tuple[str, ...]]:
    """Return whether documents in the library treat an authority negatively, and descriptions of its
    treatment.
    """
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


# -- quotations ---------------------------------------------------------------------------------------------


def compare_quotations(
    snapshot: Snapshot, token: CancelToken
) -> Iterator[tuple[QuotedPassage, Citation | None]]:
    """Yield every quotation worth comparing, with the citation of the authority to which it is attributed.

    A quotation attributed to a paper of the record is compared with that paper, and comes with None instead
    of a citation.
    """
    seen = see_record(snapshot)
    own = {
        passage.span: passage
        for passage, citation in (_compare_quotations(seen, token) if seen is not None else ())
        if citation is not None and is_of_record(citation)
    }
    for passage, citation in _compare_quotations(snapshot, token):
        of_paper = own.get(passage.span)
        yield (of_paper, None) if of_paper is not None else (passage, citation)


def _compare_quotations(
    snapshot: Snapshot, token: CancelToken
) -> Iterator[tuple[QuotedPassage, Citation | None]]:
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
        yield describe_quotation(snapshot, assess_quotation(snapshot, quotation, attributed))


def describe_quotation(
    snapshot: Snapshot, assessed: QuotationAssessment
) -> tuple[QuotedPassage, Citation | None]:
    """Return a quotation with the result of comparing it with its authority, and the citation to which it is
    attributed.
    """
    quotation, best, attributed = assessed.quotation, assessed.best, assessed.attribution
    remarks = tuple(dict.fromkeys(each.message for each in report_quotation(snapshot, assessed)))
    verdict, reason = decide_quotation(assessed), explain_quotation(assessed)
    made = QuotedPassage(quotation.inner, quotation.text, verdict, reason, (), "", (), remarks)
    if best is not None and assessed.outcome == "differs":
        made = _compared(snapshot, quotation, best, remarks)
    if best is not None:
        return made, best.resolution.citation
    return made, attributed.cited[0].citation if attributed is not None and attributed.cited else None


def _compared(
    snapshot: Snapshot, quotation: Quotation, best: Compared, remarks: tuple[str, ...]
) -> QuotedPassage:
    """Return a quotation that differs from its authority, with the authority's wording."""
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
    return QuotedPassage(quotation.inner, quotation.text, "differs", "", differing, original, marked, remarks)


# -- what lies outside ---------------------------------------------------------------------------------------

_MOST_NAMED = 5


def tell_outside(snapshot: Snapshot) -> Iterator[str]:
    """Return descriptions of what the checks could not cover: library files, pages, jurisdictions."""
    yield from describe_unread(snapshot)
    places = {*load_jurisdictions(), *(each for each in (snapshot.settings.jurisdiction,) if each)}
    yield f"citations in forms of other jurisdictions than {', '.join(sorted(places))}"


def describe_unread(snapshot: Snapshot) -> Iterator[str]:
    """Return descriptions of the files of the library and the record that could not be read or were read only
    in part.
    """
    yield from _describe_unread(snapshot.library, "library")
    if snapshot.record is not None:
        yield from _describe_unread(snapshot.record.library, "record")


def _describe_unread(library: Library, name: str) -> Iterator[str]:
    status = library.status
    for said, files in (("could not be read", status.failed()), ("were read with gaps", status.warnings())):
        if files:
            named = [f"{each.path.name} ({each.reason})" for each in files[:_MOST_NAMED]]
            more = f" and {len(files) - _MOST_NAMED} more" if len(files) > _MOST_NAMED else ""
            yield f"files of the {name} that {said}: {'; '.join(named)}{more}"
    if kinds := status.unread():
        read = "read as authorities" if name == "library" else "read"
        yield f"files of the {name} that lexls does not {read}: {describe_kinds(kinds)}"
