"""Number the pages of a slip opinion as printed. Each opinion in it starts again at 1."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BEGINS = re.compile(r"\s{0,9}(?:\(Slip Opinion\)|NOTICE: This opinion|SUPREME COURT OF THE UNITED STATES\b)")
"""The beginning of the first page of a syllabus or an opinion."""


def number_slip_pages(text: str, page_starts: Sequence[int]) -> tuple[int, ...]:
    """Return the number printed on each page of a slip opinion; ``page_starts`` are the offsets of
    its pages.
    """
    numbers: list[int] = []
    for start in page_starts:
        begins = not numbers or _BEGINS.match(text, start) is not None
        numbers.append(1 if begins else numbers[-1] + 1)
    return tuple(numbers)
