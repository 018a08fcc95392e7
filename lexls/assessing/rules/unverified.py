"""Report citations and quotations that could not be verified, for drafts that are filed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lexls.assessing.check import Excerpt, LocalCheck, Problem, WholeCheck, as_named
from lexls.assessing.quotation_verdicts import compare_quotation, name_quotation_verdict
from lexls.assessing.rules.quotations import find_attributions, find_block_attributions
from lexls.assessing.verdicts import judge_mention, tell_judgement
from lexls.quotations.attribution import Attribution
from lexls.reading.quotations import Quotation
from lexls.reading.record import is_of_record, see_record
from lexls.reading.resolve import Resolution, resolve
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

Attributed = Iterable[tuple[Quotation, Attribution | None]]
"""Quotations, each with what it is attributed to."""

UNVERIFIED = DiagnosticRule(
    code="unverified",
    severity="off",
    filing="warning",
    order=12,
    help="A citation or quotation of which something could not be compared with the library.",
    documentation="""\
Whoever files a draft wants to know what nobody has compared: the page of a report whose copy keeps no
pages, a parallel citation that the authority's file does not give, a quotation that no citation can be told
for. The message says what agrees, what could not be compared and why.

It is off by default, and a warning in the profile for filing (`check.profile = "filing"`, `lexls check
--strict`). What is not in the library, or wrong, other diagnostics report.""",
)


def check_verified(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each mention that is verified in part, or of which nobody knows what it stands for, and
    for each quotation between marks that is compared with nothing."""
    snapshot = excerpt.snapshot
    seen: set[int] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if citation.group in seen or (citation.form == "defined" and citation.pinpoint is None):
            continue
        if citation.papers:  # of the record
            continue
        if citation.group:
            seen.add(citation.group)
        token.raise_if_cancelled()
        mention = [each.citation for each in excerpt.group(citation)]
        judgement = judge_mention(snapshot, mention, token)
        told = not citation.key and not citation.unread
        if judgement.verdict in ("partly", "not-checkable") and not told:
            span = Span(mention[0].core.start, mention[-1].core.end)
            message = f"{as_named(snapshot, citation)}: {tell_judgement(judgement)}"
            authority = judgement.authority.id if judgement.authority is not None else None
            yield Problem(span, UNVERIFIED.code, message, authority)
    papers = _find_excerpt_of_record(excerpt)
    own = find_attributions(papers) if papers is not None else ()
    record = papers.snapshot if papers is not None else None
    yield from _tell_uncompared(snapshot, find_attributions(excerpt), record, own, token)


def check_blocks_verified(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """The same for quotations set off as blocks."""
    record = see_record(snapshot)
    own = find_block_attributions(record) if record is not None else ()
    yield from _tell_uncompared(snapshot, find_block_attributions(snapshot), record, own, token)


def _tell_uncompared(
    snapshot: Snapshot, found: Attributed, record: Snapshot | None, own: Attributed, token: CancelToken
) -> Iterator[Problem]:
    """A problem for each quotation that was not compared; those of ``own`` that belong to papers are
    compared with these, in ``record``."""
    of_papers = dict(_attributed_to_papers(own))
    for quotation, attributed in found:
        token.raise_if_cancelled()
        paper = of_papers.get(quotation.inner)
        if record is not None and paper is not None:
            passage, _ = compare_quotation(record, quotation, paper)
        else:
            passage, _ = compare_quotation(snapshot, quotation, attributed)
        if passage.verdict == "not-compared":
            yield Problem(passage.span, UNVERIFIED.code, _tell(passage.reason))


def _find_excerpt_of_record(excerpt: Excerpt) -> Excerpt | None:
    """The same paragraph with its citations of the record; None without one."""
    seen = see_record(excerpt.snapshot)
    if seen is None:
        return None
    draft, library = seen.draft, seen.library

    def cited(span: Span) -> tuple[Resolution, ...]:
        return tuple(resolve(library, draft, each) for each in draft.citations_in(span))

    notes = tuple(cited(note.content) for note in excerpt.notes)
    return replace(excerpt, snapshot=seen, cited=cited(excerpt.paragraph), cited_in_notes=notes)


def _attributed_to_papers(found: Attributed) -> Iterator[tuple[Span, Attribution]]:
    """The quotations that belong to papers of the record, each by the span of its words."""
    for quotation, attributed in found:
        if attributed is not None and attributed.cited and is_of_record(attributed.cited[0].citation):
            yield quotation.inner, attributed


def _tell(reason: str) -> str:
    return f"{name_quotation_verdict('not-compared')}: {reason}"


CHECKS = (
    LocalCheck((UNVERIFIED,), check_verified, late=True),
    WholeCheck((UNVERIFIED,), check_blocks_verified),
)
