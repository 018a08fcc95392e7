"""Report pinpoints to a range of pages or paragraphs that ends before it begins."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.assessing.check import LocalCheck, Problem
from lexls.assessing.excerpt import Excerpt
from lexls.reading.edit import Edit, Fix
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

PINPOINT_REVERSED = DiagnosticRule(
    code="pinpoint-reversed",
    severity="warning",
    order=55,
    filing="error",
    help="A pinpoint to a range of pages or paragraphs that ends before it begins.",
    documentation="""\
"At 120-115", or "[45]–[42]": one of the two numbers is wrong, or they are in the wrong order. A fix puts them
in order.

Nothing is reported where the second number has fewer digits than the first ("212-7" is 212 to 217), nor of
sections, whose numbers may hold a hyphen.""",
)

_RANGE = re.compile(r"(?<!\d)(\d{2,6})([\]\s]{0,3}[-–—]{1,3}[\[\s¶]{0,3})([1-9]\d{1,5})(?!\d)")
"""Two numbers with what joins them; a number of one digit may be that of a figure ("Fig. 3-1"), and one with
a zero before it is part of a rule's ("845-010-0920")."""


def check_ranges(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each range of a pinpoint whose end is smaller than its beginning."""
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


CHECKS = (LocalCheck((PINPOINT_REVERSED,), check_ranges),)
