"""The day of a paper that is nothing but a few lines."""

from __future__ import annotations

from collections.abc import Sequence

from lexls.library.decision_dates import DatedPaper, find_own_date


def date_by_lines(rows: Sequence[str | tuple[str, ...]], jurisdiction: str) -> str:
    """The day by the lines of a decision, or by the rows of cells of its head."""
    lines = (row if isinstance(row, str) else "     ".join(row) for row in rows)
    return find_own_date(DatedPaper("\n".join(lines), "case", jurisdiction))[0]
