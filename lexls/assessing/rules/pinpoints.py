"""Report pinpoints to places that an authority does not have."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.assess import assess_excerpt
from lexls.assessing.check import LocalCheck, Problem
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.fact import Fact
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken

PINPOINT_NOT_FOUND = DiagnosticRule(
    code="pinpoint-not-found",
    severity="warning",
    order=50,
    filing="error",
    help="A pinpoint to a paragraph, page or section that the authority does not have.",
    documentation="""\
The authority is in the library, its paragraphs (or pages, or sections) are numbered, and none of them
carries the number that the citation points at: a judgment that ends at paragraph 41 is cited "at [52]",
say, or a section that was never enacted is relied on.

A page before that on which the case begins in its report is reported of any case that is cited in full. One
behind its end is, where the library has the case: if the next case of the volume that it holds begins before
that page, or if the text is far too short to reach it. Short forms and *Id.* are read so too where the
library has the case. The page must be in none of the parallel reports that are known; one between two of
them is that of the first.

Otherwise nothing is reported where the library's copy has no numbering of that kind, since then nobody can
tell: a page of a report series is not checked against a text that keeps no pages, nor a section against a
copy that has only some sections of its Act. Where the notes of a code say that the section was repealed or
numbered otherwise before, nothing is reported either; the message names the year of the library's copy.""",
)


def check_pinpoints(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each place that a citation points at and its authority, being numbered so, does not have."""
    for assessment in assess_excerpt(excerpt, token):
        authority = assessment.authority.id if assessment.authority is not None else None
        yield from (report_place(fact, authority) for fact in assessment.facts if fact.fault == "no-place")


def report_place(fact: Fact, authority: int | None) -> Problem:
    """Report a place that an authority, by its id, does not have."""
    return Problem(fact.span, PINPOINT_NOT_FOUND.code, fact.reason, authority)


CHECKS = (LocalCheck((PINPOINT_NOT_FOUND,), check_pinpoints),)
