"""Cutting a passage into windows: the sentences of clauses, about as long as one provision."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

SHORT = 60
"""Shorter sentences (headings, numbers) go with what follows them; in characters."""
LONG = 700
"""Longer ones are cut at about this length."""
_END = re.compile(r"(?<=[.;:?!])[\"”’)\]]*\s+|\n\s*\n")
_DIGIT = re.compile(r"\d")


def windows(text: str) -> Iterator[tuple[int, int]]:
    """The windows of ``text``, as ``[start, end)`` in its code points; together they hold all of it."""
    start = 0
    for end in (*(match.end() for match in _END.finditer(text)), len(text)):
        if end - start < SHORT and end != len(text):
            continue
        while end - start > LONG * 1.4:
            cut = text.find(" ", start + LONG, end) + 1
            if not cut:
                break
            yield start, cut
            start = cut
        if end > start:
            yield start, end
        start = end


def features(terms: Sequence[str]) -> set[str]:
    """What a window is judged by: its terms and pairs of terms that follow each other, without numbers."""
    found = {term for term in terms if not _DIGIT.search(term)}
    found.update(f"{a} {b}" for a, b in pairwise(terms) if a in found and b in found)
    return found


def norm(terms: Sequence[str]) -> float:
    """What the sum of a window's weights is divided by, so that long windows do not win by length."""
    return math.sqrt(max(len(set(terms)), 6))
