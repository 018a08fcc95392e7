"""Headings of sections that stand in the line of their text ("12.3 Notices. All notices …")."""

from __future__ import annotations

import re

from lexls.text.spans import Span

LONGEST = 3000
"""A section of which no end is seen is taken to be no longer than this."""
_HEADED = re.compile(
    # No unbounded run of spaces: a page of nothing but these would take minutes.
    r"(?:^|\n|[.;:]\s|\s{2})\s{0,8}(?:(?:ARTICLE|Article|SECTION|Section)\s+)?"
    r"(?:\d{1,2}(?:\.\d{1,2}){0,2}\.?|[IVX]{1,5}\.|[A-Z]\.)[ \t]{1,8}\n?\s{0,8}"
    r"([A-Z][A-Za-z’'&,/-]*(?:[ ][A-Za-z’'&,/-]+){0,6})(?:\.|:|\s?[-—–]|[ ]?\n|\s{2})"
)


def headed_spans(text: str) -> list[tuple[str, Span]]:
    """The headings of numbered sections in ``text``, each with the range from it to the next one."""
    found = [(match[1], match.start(1)) for match in _HEADED.finditer(text)]
    starts = [start for _, start in found]
    return [
        (heading, Span(start, min(end, start + LONGEST)))
        for (heading, start), end in zip(found, [*starts[1:], len(text)], strict=False)
    ]
