"""The numbers, dates and provisions of a sentence, each of which must stand in its evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lexls.grounding.answer import Fault
from lexls.grounding.verification.dates import Date, dates
from lexls.grounding.verification.evidence_text import ReadEvidence
from lexls.grounding.verification.numbers import Number, numbers
from lexls.grounding.verification.provisions import Provision, of_place, provisions
from lexls.text.spans import Span

_BEFORE = 6000
"""Characters before a place that are read for the markers of its subdivisions."""


def unborne_particulars(text: str, evidence: str, places: Sequence[tuple[ReadEvidence, Span]]) -> list[Fault]:
    """Faults of ``text`` for dates, provisions and numbers that ``evidence`` has not, or not so often.

    ``evidence`` are the sentences at ``places``; the provision in which a place stands counts too.
    """
    said_dates, said_provisions = dates(evidence), provisions(evidence)
    here = [each for read, span in places for each in _provisions_at(read, span)]
    mine_dates, mine_provisions = dates(text), provisions(text)
    faults = []
    wrong = [
        each
        for each in mine_dates
        if sum(each.is_borne_by(other) for other in said_dates) < sum(_same(each, it) for it in mine_dates)
    ]
    if wrong:
        faults.append(Fault("date", tuple(each.span.of(text) for each in wrong)))
    missing = [
        each
        for each in mine_provisions
        if not any(each.is_named_by(other) for other in here)
        and sum(each.is_named_by(other) for other in said_provisions)
        < sum(each.is_named_by(other) for other in mine_provisions)
    ]
    if missing:
        faults.append(Fault("provision", tuple(each.span.of(text) for each in missing)))
    taken = [each.span for each in mine_dates] + [each.span for each in mine_provisions]
    there = [each.span for each in said_dates] + [each.span for each in said_provisions]
    counted = numbers(evidence, there)
    # The year of a date is a number too, but of that date: none is said more often than it stands there.
    years = {float(each.year) for each in said_dates if each.year}
    mine = numbers(text, taken)
    often = _values(mine, mine_dates) - _values(counted, said_dates)
    unborne = [
        each
        for each in mine
        if each.value in often
        or not (any(each.is_borne_by(other) for other in counted) or (each.value in years and not each.unit))
    ]
    if unborne:
        faults.append(Fault("number", tuple(each.span.of(text) for each in unborne)))
    return faults


def _same(one: Date, other: Date) -> bool:
    return (one.year, one.month, one.day) == (other.year, other.month, other.day)


def _values(counted: Sequence[Number], dated: Sequence[Date]) -> Counter[float]:
    """How often each number is said, the years of dates with them."""
    return Counter([each.value for each in counted] + [float(each.year) for each in dated if each.year])


def _provisions_at(read: ReadEvidence, span: Span) -> Sequence[Provision]:
    evidence = read.evidence
    stretch = evidence.stretch_at(evidence.start + span.start)
    begin = max(stretch.start - evidence.start, span.start - _BEFORE, 0)
    line = read.prose.find("\n", span.start)
    before = read.prose[begin : span.start]
    # A place that begins with its own marker, "(2) …", is in that subdivision.
    head = read.prose[span.start : span.start + 12 if line < 0 else min(line, span.start + 12)]
    return tuple(of_place(stretch.label, evidence.authority.kind, before + head))
