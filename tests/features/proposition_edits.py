"""The edits that cite an authority for a proposition of a draft, from a place in it."""

from __future__ import annotations

from lexls.index.records import Authority, PassageRecord
from lexls.reading.edit import Edit
from lexls.reading.propositions import find_proposition
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span
from lexls.writing.prescribed_form import cite


def find_edits(
    snapshot: Snapshot, span: Span, authority: Authority, passage: PassageRecord | None
) -> tuple[Edit, ...]:
    """As ``cite``, for the proposition that ``span`` covers or lies in; empty where there is none."""
    target = find_proposition(snapshot.draft, span)
    return cite(snapshot, target, authority, passage) if target is not None else ()
