"""What a citing sentence quotes from the authority it cites."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from lexls.text.spans import Span

_QUOTATION = re.compile(
    r"“([^“”]{40,1500})”|(?<![\w\"])\"([^\"\n]{40,1500})\"(?!\w)|(?<!\w)‘([^‘\n]{40,1500})’(?!\w)"
)
_BETWEEN = 40
"""How far behind a quotation its citation may stand."""


def quotes(text: str, citations: Sequence[Span]) -> list[tuple[int, int]]:
    """For each citation (sorted spans of ``text``) the range of the quotation right before it, else (0, 0).

    The citation must follow at once: a quotation further back may be of something else.
    """
    found: list[tuple[int, int]] = [(0, 0)] * len(citations)
    starts = [span.start for span in citations]
    for match in _QUOTATION.finditer(text):
        start, end = match.span(match.lastindex or 0)
        place = bisect_left(starts, match.end())
        if place == len(starts) or starts[place] - match.end() > _BETWEEN:
            continue
        if "\n\n" in text[match.end() : starts[place]]:
            continue
        found[place] = (start, end)
    return found
