"""Report cases that the library does not hold where it holds nearly all others that the draft cites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lexls.features.checks.check import Problem, Review
from lexls.features.checks.missing import NOT_IN_LIBRARY
from lexls.features.resolve import resolve
from lexls.features.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule

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

It takes the place of `not-in-library` where the library holds at least five times as many of the cases that
the draft cites in full as it lacks, and five at least. Where it is off, such a case is reported as any other
that is not in the library.""",
)

_TIMES = 5
_FEWEST = 5
"""Cases held from which on one that is not stands out."""


def tell_missing(snapshot: Snapshot, problems: Sequence[Problem]) -> Iterator[Problem]:
    """The problems, those of a missing case said with how many others are held where that is nearly all."""
    draft = snapshot.draft
    missing: dict[Problem, str] = {}
    for each in problems:
        if each.code == NOT_IN_LIBRARY.code:
            citation = draft.citation_at(each.span.start)
            if citation is not None and citation.kind == "case":
                missing[each] = citation.key
    needed = max(_FEWEST, _TIMES * len(set(missing.values())))
    held = _count_held(snapshot, needed) if missing else 0
    for each in problems:
        if each in missing and held >= needed:
            others = "which holds nearly all other cases that the draft cites"
            said = each.message.replace("is not in your library", f"is not in your library, {others}", 1)
            yield replace(each, code=MISSING_AMONG_HELD.code, message=said)
        else:
            yield each


def _count_held(snapshot: Snapshot, enough: int) -> int:
    """How many cases the draft cites in full that the library holds; it stops at ``enough``."""
    held: set[int] = set()
    seen: set[str] = set()
    for citation in snapshot.draft.citations:
        if citation.kind == "case" and citation.form == "full" and citation.key not in seen:
            seen.add(citation.key)
            held.update(resolve(snapshot.library, snapshot.draft, citation).authorities[:1])
            if len(held) >= enough:
                break
    return len(held)


CHECKS = (Review((MISSING_AMONG_HELD,), tell_missing),)
