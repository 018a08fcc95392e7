"""Report pinpoints that an authority does not have, and ranges whose end is smaller than their beginning."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.assessing.assess import assess_excerpt
from lexls.assessing.check import LocalCheck, Problem
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.fact import Fact
from lexls.reading.edit import Edit, Fix
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

PINPOINT_NOT_FOUND = DiagnosticRule(
    code="pinpoint-not-found",
    severity="warning",
    order=50,
    filing="error",
    help="A pinpoint to a paragraph, page or section that the authority does not have.",
    documentation="""\
The authority is in the library and its paragraphs, pages or sections are numbered, but none has the
number in the citation. For example, a judgment that ends at paragraph 41 is cited "at [52]", or the draft
relies on a section that was never enacted.

A page before the first page of the case in its report is reported for any case cited in full. A page
after its end is reported only if the case is in the library. Its end is known if the next case of that
volume in the library begins before the page, or if the text is far too short to reach the page. If the
case is in the library, this also applies to short forms and *Id.*. The page must be in none of the known
parallel reports. A page between two of them counts as a page of the first.

Otherwise, nothing is reported if the library's copy has no numbering of that kind. A page of a report
series is not checked against a text without page numbers, nor a section against a copy with only some
sections of its Act. Nor is anything reported if the notes of a code say that the section was repealed or
had another number. A message about a code names the year of the library's copy.""",
)


def check_pinpoints(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each pinpoint that its authority lacks, although the authority numbers such places."""
    for assessment in assess_excerpt(excerpt, token):
        authority = assessment.authority.id if assessment.authority is not None else None
        yield from (report_place(fact, authority) for fact in assessment.facts if fact.fault == "no-place")


def report_place(fact: Fact, authority: int | None) -> Problem:
    """Return the problem for a pinpoint that an authority, given by its id, does not have."""
    return Problem(fact.span, PINPOINT_NOT_FOUND.code, fact.reason, authority)


PINPOINT_REVERSED = DiagnosticRule(
    code="pinpoint-reversed",
    severity="warning",
    order=55,
    filing="error",
    help="A pinpoint to a range of pages or paragraphs that ends before it begins.",
    documentation="""\
In "at 120-115" or "[45]–[42]", one of the two numbers is wrong, or they are in the wrong order. A quick
fix puts them in order.

Nothing is reported if the second number has fewer digits than the first ("212-7" means 212 to 217).
Sections are never reported, since their numbers may contain a hyphen.""",
)

_RANGE = re.compile(r"(?<!\d)(\d{2,6})([\]\s]{0,3}[-–—]{1,3}[\[\s¶]{0,3})([1-9]\d{1,5})(?!\d)")
"""Pattern of a range of numbers. Ranges of single digits do not match, since they occur in the numbers of
figures ("Fig. 3-1"). Nor do ranges whose second number has a leading zero, as in the number of a rule
("845-010-0920").
"""


def check_ranges(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each range in a pinpoint whose end is smaller than its beginning."""
    source = excerpt.snapshot.draft.source
    for resolution in excerpt.cited:
        token.raise_if_cancelled()
        pinpoint = resolution.citation.pinpoint
        if pinpoint is None or pinpoint.kind not in ("page", "paragraph"):
            continue
        for found in _RANGE.finditer(source, pinpoint.span.start, pinpoint.span.end):
            first, joined, last = found.groups()
            if len(first) != len(last) or int(last) >= int(first) or f"{first}-{last}" not in pinpoint.labels:
                continue
            span, ordered = Span(*found.span()), f"{last}{joined}{first}"
            fix = Fix(f"Change to {ordered}", (Edit(span, ordered),), preferred=False)
            message = f"the range {found.group()} ends before it begins"
            yield Problem(span, PINPOINT_REVERSED.code, message, fixes=(fix,))


CHECKS = (
    LocalCheck((PINPOINT_NOT_FOUND,), check_pinpoints),
    LocalCheck((PINPOINT_REVERSED,), check_ranges),
)
