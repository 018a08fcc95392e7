"""The part of a draft that lexls writes itself, the table of authorities: found by the marks around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from lexls.text.spans import Span

TABLE = "table-of-authorities"
MARKS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "markdown": (f"<!-- lexls:{TABLE} -->", f"<!-- /lexls:{TABLE} -->"),
        "latex": (f"% lexls:{TABLE}", f"% /lexls:{TABLE}"),
        "typst": (f"// lexls:{TABLE}", f"// /lexls:{TABLE}"),
        # Plain text has no comments: its table has a heading and a last line.
        "plain": ("TABLE OF AUTHORITIES", "END OF THE TABLE OF AUTHORITIES"),
    }
)
"""By markup the line before the table and the one behind it."""


class UnclosedTable(ValueError):
    """The mark of a table's beginning stands without that of its end, or the other way round."""


def table_span(source: str, markup: str) -> Span | None:
    """The table of authorities with its marks; None if the draft has none.

    Raises UnclosedTable where one of the marks is missing: then nobody knows what belongs to the table.
    """
    opening, closing = MARKS[markup]
    if opening not in source and closing not in source:
        return None
    last = next(_lines(source, closing), None)
    # The nearest mark above: in plain text somebody may have written such a heading.
    before = [each for each in _lines(source, opening) if last is None or each.end <= last.start]
    first = before[-1] if before else None
    if first is None and last is None:
        return None
    if first is None or last is None:
        if markup == "plain":
            return None
        raise UnclosedTable(f"the table of authorities needs both its marks, {opening} and {closing}")
    return Span(first.start, last.end)


def without_table(source: str, masked: str, markup: str) -> str:
    """``masked`` with the table blanked, line ends kept: what it lists is cited elsewhere."""
    try:
        span = table_span(source, markup)
    except UnclosedTable:
        return masked
    if span is None:
        return masked
    return masked[: span.start] + re.sub(r"[^\n]", " ", span.of(masked)) + masked[span.end :]


def _lines(source: str, words: str) -> Iterator[Span]:
    """The lines that hold these words and nothing else."""
    at = source.find(words)
    while at >= 0:
        end = at + len(words)
        before = source[source.rfind("\n", 0, at) + 1 : at]
        stop = source.find("\n", end)
        after = source[end : stop if stop >= 0 else len(source)]
        if not before.strip() and not after.strip():
            yield Span(at, end)
        at = source.find(words, end)
