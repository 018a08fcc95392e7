"""Combine the problems about statutes, rules and works that are not in the library into one problem per
draft.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lexls.assessing.check import Problem, Related, Review, as_cited
from lexls.assessing.rules.missing import NOT_IN_LIBRARY
from lexls.citations.model import CitationKind
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule

OUTSIDE_LIBRARY = DiagnosticRule(
    code="outside-library",
    severity="information",
    order=14,
    said_once=True,
    filing="warning",
    help="Statutes, rules and works that are not in your library, reported together once per draft.",
    documentation="""\
Few libraries contain codes, rules of court and treatises. If the draft cites two or more that are not in
the library, a single finding at the first of them counts them all, so that a missing case stands out. The
related information lists them, and the report names each one.

If the library may contain the Act that was meant, that Act is still reported as `not-in-library`, with a
quick fix. If this diagnostic is off, each of them is reported as `not-in-library`.""",
)

_FEWEST = 2
_TOLD_EACH: frozenset[CitationKind] = frozenset(("case", "contract", "record"))
_WORKS: frozenset[CitationKind] = frozenset(("journal", "book", "other"))


def gather_outside(snapshot: Snapshot, problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield the problems. If two or more enactments or works are missing from the library, and no suggestion
    can be made for them, their problems are combined into one.
    """
    found: dict[Problem, CitationKind] = {}
    for each in problems:
        citation = snapshot.draft.citation_at(each.span.start)
        if each.code != NOT_IN_LIBRARY.code or citation is None or citation.kind in _TOLD_EACH:
            continue
        if not each.fixes and each.authority is None:
            found[each] = citation.kind
    told: dict[str, Problem] = {}
    for each in sorted(found, key=lambda each: each.span):
        told.setdefault(each.message, each)  # each authority's first occurrence
    gathered = list(told.values()) if len(told) >= _FEWEST else []
    for each in problems:
        if not gathered or each not in found:
            yield each
    if gathered:
        span, related = gathered[0].span, tuple(_list_related(snapshot, gathered))
        works = sum(found[each] in _WORKS for each in gathered)
        message = f"{_count(len(gathered) - works, works)} are outside your library"
        yield Problem(span, OUTSIDE_LIBRARY.code, message, related=related)


def _list_related(snapshot: Snapshot, gathered: Sequence[Problem]) -> Iterator[Related]:
    for each in gathered:
        citation = snapshot.draft.citation_at(each.span.start)
        if citation is not None:
            yield Related(as_cited(snapshot, citation), each.span)


def _count(enacted: int, works: int) -> str:
    """Return the counts in words: "6 statutes and rules", "1 statute or rule and 2 other works"."""
    counted = []
    if enacted:
        counted.append(f"{enacted} {'statute or rule' if enacted == 1 else 'statutes and rules'}")
    if works:
        other = "other " if enacted else ""
        counted.append(f"{works} {other}{'work' if works == 1 else 'works'}")
    return " and ".join(counted)


CHECKS = (Review((OUTSIDE_LIBRARY,), gather_outside),)
