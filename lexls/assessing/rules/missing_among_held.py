"""Report cases that the library does not hold where it holds nearly all others that the draft cites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from lexls.assessing.check import Problem, Review
from lexls.assessing.rules.missing import NOT_IN_LIBRARY
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.wording.descriptions import tell_absence

MISSING_AMONG_HELD = DiagnosticRule(
    code="missing-among-held",
    severity="warning",
    order=11,
    said_once=True,
    filing="warning",
    help="A case that your library does not hold, where it holds nearly all others that the draft cites.",
    documentation="""\
Whoever keeps the authorities of a draft in the library has them all there. A case that is missing then is
one that was forgotten, or one whose name, number or very existence is wrong: look it up before you rely on
it. lexls knows only the library, and does not say that there is no such case.

It takes the place of `not-in-library` where only one of the cases that the draft cites in full is missing and
four or more are held, or where five times as many are held as are missing. Where it is off, such a case is
reported as any other that is not in the library.""",
)

_MISSING = tell_absence(complete=True)
_HELD_BESIDE_ONE = 4
_HELD_FOR_EACH = 5
"""Cases held from which on one that is not, or each of several, stands out."""
_OTHERS = "which holds nearly all other cases that the draft cites"


def tell_missing(snapshot: Snapshot, problems: Sequence[Problem]) -> Iterator[Problem]:
    """The problems, those of a missing case said with how many others are held where that is nearly all."""
    draft = snapshot.draft
    missing: dict[Problem, str] = {}
    for each in problems:
        if each.code == NOT_IN_LIBRARY.code:
            citation = draft.citation_at(each.span.start)
            if citation is not None and citation.kind == "case":
                missing[each] = citation.key
    cases = len(set(missing.values()))
    needed = _HELD_BESIDE_ONE if cases == 1 else _HELD_FOR_EACH * cases
    stand_out = cases > 0 and _count_held(snapshot, needed) >= needed
    for each in problems:
        if stand_out and each in missing:
            said = each.message.replace(_MISSING, f"{_MISSING}, {_OTHERS}", 1)
            yield replace(each, code=MISSING_AMONG_HELD.code, message=said)
        else:
            yield each


def _count_held(snapshot: Snapshot, enough: int) -> int:
    """How many cases the draft cites in full that the library holds; it stops at ``enough``."""
    held: set[int] = set()
    seen: set[str] = set()
    for citation in chain.from_iterable(piece.citations for piece in snapshot.draft.citations.pieces):
        if citation.kind == "case" and citation.form == "full" and citation.key not in seen:
            seen.add(citation.key)
            held.update(snapshot.library.catalogue.find_key(citation.key)[:1])
            if len(held) >= enough:
                break
    return len(held)


CHECKS = (Review((MISSING_AMONG_HELD,), tell_missing),)
