"""Report what could not be verified in drafts to be filed, and paragraphs that were not read completely."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from lexls.assessing.assess import assess_excerpt
from lexls.assessing.check import LocalCheck, Problem, WholeCheck, as_named
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.quotations import assess_quotation, find_attributions, find_block_attributions
from lexls.assessing.verdicts import (
    decide,
    decide_quotation,
    describe,
    explain_quotation,
    name_quotation_verdict,
)
from lexls.quotations.attribution import Attribution
from lexls.reading.draft_block import LONGEST_PARAGRAPH
from lexls.reading.quotations import Quotation
from lexls.reading.record import is_of_record, see_record
from lexls.reading.resolve import Resolution, resolve
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

Attributed = Iterable[tuple[Quotation, Attribution | None]]
"""Quotations, each with its attribution or None."""

UNVERIFIED = DiagnosticRule(
    code="unverified",
    severity="off",
    filing="warning",
    order=12,
    help="A citation or quotation that could not be fully compared with the library.",
    documentation="""\
Before you file a draft, you want to know what has not been compared: a page of a report if the library's
copy has no page numbers, a parallel citation that the authority's file does not give, a quotation whose
source is not clear. The message says what agrees, what could not be compared and why.

It is off by default, and a warning in the profile for filing (`check.profile = "filing"`, `lexls check
--strict`). Other diagnostics report what is wrong or not in the library.""",
)


def check_verified(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each mention that is not fully verified although no error was found in it, and each inline
    quotation that was not compared.
    """
    snapshot = excerpt.snapshot
    for assessment in assess_excerpt(excerpt, token):
        citation = assessment.citation
        told = assessment.absence in ("no-antecedent", "ambiguous", "several", "unclear")
        if decide(assessment) in ("partly", "identified", "not-checkable") and not told:
            span = Span(citation.core.start, assessment.cited[-1].citation.core.end)
            message = f"{as_named(snapshot, citation)}: {describe(assessment)}"
            authority = assessment.authority.id if assessment.authority is not None else None
            yield Problem(span, UNVERIFIED.code, message, authority)
    papers = _find_excerpt_of_record(excerpt)
    own = find_attributions(papers) if papers is not None else ()
    record = papers.snapshot if papers is not None else None
    yield from _describe_uncompared(snapshot, find_attributions(excerpt), record, own, token)


def check_blocks_verified(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report each block quotation that was not compared."""
    record = see_record(snapshot)
    own = find_block_attributions(record) if record is not None else ()
    yield from _describe_uncompared(snapshot, find_block_attributions(snapshot), record, own, token)


def _describe_uncompared(
    snapshot: Snapshot, found: Attributed, record: Snapshot | None, own: Attributed, token: CancelToken
) -> Iterator[Problem]:
    """Report each quotation in ``found`` that was not compared with an authority. If ``own`` attributes it to
    a paper of the record, the comparison is with the papers in ``record``.
    """
    of_papers = dict(_attributed_to_papers(own))
    for quotation, attributed in found:
        token.raise_if_cancelled()
        paper = of_papers.get(quotation.inner)
        if record is not None and paper is not None:
            assessed = assess_quotation(record, quotation, paper)
        else:
            assessed = assess_quotation(snapshot, quotation, attributed)
        # A wrong citation is reported at the citation itself.
        if decide_quotation(assessed) == "not-compared" and assessed.outcome != "miscited":
            yield Problem(quotation.inner, UNVERIFIED.code, _tell(explain_quotation(assessed)))


def _find_excerpt_of_record(excerpt: Excerpt) -> Excerpt | None:
    """Return the same paragraph with its citations resolved in the record; None if there is no record."""
    seen = see_record(excerpt.snapshot)
    if seen is None:
        return None
    draft, library = seen.draft, seen.library

    def cited(span: Span) -> tuple[Resolution, ...]:
        return tuple(resolve(library, draft, each) for each in draft.citations_in(span))

    notes = tuple(cited(note.content) for note in excerpt.notes)
    return replace(excerpt, snapshot=seen, cited=cited(excerpt.paragraph), cited_in_notes=notes)


def _attributed_to_papers(found: Attributed) -> Iterator[tuple[Span, Attribution]]:
    """Yield the attribution of each quotation that comes from a paper of the record, with the span of its
    words.
    """
    for quotation, attributed in found:
        if attributed is not None and attributed.cited and is_of_record(attributed.cited[0].citation):
            yield quotation.inner, attributed


def _tell(reason: str) -> str:
    return f"{name_quotation_verdict('not-compared')}: {reason}"


NOT_FULLY_READ = DiagnosticRule(
    code="not-fully-read",
    severity="information",
    filing="warning",
    order=27,
    help="A paragraph that takes lexls too long to read, so that some of its citations may have been missed.",
    documentation="""\
lexls limits the time for reading one paragraph, so that no text blocks an editor. After that time, it
skips the remaining citations of the paragraph and reports this. A paragraph of more than 100,000
characters is read in parts, and a citation that crosses from one part into the next may be missed.

Ordinary prose needs only a small part of that time. Look for a list of thousands of numbers, or for a
table that a converter turned into one paragraph, and divide it with blank lines.""",
)


def check_read(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report each paragraph that took too long to read, and each that is longer than the limit and was
    therefore divided.
    """
    draft, divided = snapshot.draft, False
    for block, start, piece in zip(draft.blocks, draft.starts, draft.citations.pieces, strict=True):
        if not piece.is_whole or (block.goes_on and not divided):
            reason = f"has more than {LONGEST_PARAGRAPH:,} characters" if piece.is_whole else "takes too long"
            words = f"not fully read: this paragraph {reason}, and citations in it may be missing"
            yield Problem(block.words.shift(start), NOT_FULLY_READ.code, words)
        divided = block.goes_on


CHECKS = (
    LocalCheck((UNVERIFIED,), check_verified, late=True),
    WholeCheck((UNVERIFIED,), check_blocks_verified),
    WholeCheck((NOT_FULLY_READ,), check_read),
)
