"""Quotations that stand in the authority, but not where the citation points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lexls.citations.model import Pinpoint
from lexls.features.checks.misquoted import cited_as, label_at
from lexls.features.checks.pinpoints import paged_like
from lexls.features.checks.problem import Edit, Fix, Problem, Related
from lexls.features.quotations import Quotation
from lexls.features.resolve import Resolution
from lexls.features.snapshot import Snapshot
from lexls.grounding.place_words import pinpoint_words
from lexls.grounding.quotations.compare import places
from lexls.index.records import Authority
from lexls.settings.diagnostics import PINPOINT_ELSEWHERE
from lexls.text.spans import Span

_FEWEST = 6
"""Words from which on a quotation tells one place from another."""
_KINDS = ("paragraph", "page", "section", "article", "regulation", "rule", "clause")


def elsewhere(
    snapshot: Snapshot, quotation: Quotation, cited: Sequence[tuple[Resolution, Authority]]
) -> Iterator[Problem]:
    """A problem if the authorities cited hold the quotation, and none of them where the citations point."""
    if quotation.words < _FEWEST:
        return
    wrong: list[tuple[Resolution, Authority, Pinpoint, list[Span]]] = []
    for resolution, authority in cited:
        pinpoint = resolution.citation.pinpoint
        found = places(snapshot.quoted.of(snapshot.library, authority), quotation.text)
        if not found:
            continue
        if pinpoint is None or pinpoint.kind not in _KINDS:
            return
        if pinpoint.kind == "page" and not _paged(snapshot, resolution, authority):
            return
        named = snapshot.library.places(authority.id, pinpoint, fallback=True)
        if not named or any(
            place.start < span.end and span.start < place.end for place in named for span in found
        ):
            return
        wrong.append((resolution, authority, pinpoint, found))
    for _, authority, pinpoint, found in wrong[:1]:
        labels = list(
            dict.fromkeys(
                label for span in found if (label := label_at(snapshot, authority, pinpoint.kind, span.start))
            )
        )
        if not labels:
            return
        right = " and ".join(pinpoint_words(pinpoint.kind, label) for label in labels[:3])
        given = ", ".join(pinpoint_words(pinpoint.kind, label) for label in pinpoint.labels)
        message = f"these words are at {right} of {cited_as(authority)}, not at {given}"
        related = tuple(Related("Here", span, authority.id) for span in found[:3])
        fixes: tuple[Fix, ...] = ()
        if len(labels) == 1 and len(pinpoint.labels) == 1:
            fixes = (_fix(snapshot, pinpoint, labels[0]),)
        yield Problem(pinpoint.span, PINPOINT_ELSEWHERE.code, message, authority.id, related, fixes)


def _fix(snapshot: Snapshot, pinpoint: Pinpoint, label: str) -> Fix:
    """The right label in the place of the wrong one, its brackets and signs kept."""
    source = snapshot.draft.source
    written = pinpoint.span.of(source)
    bare = written.strip("[]¶§ \t*")
    start = pinpoint.span.start + written.find(bare)
    span = Span(start, start + len(bare))
    return Fix(f"Change the pinpoint to {pinpoint_words(pinpoint.kind, label)}", (Edit(span, label),))


def _paged(snapshot: Snapshot, resolution: Resolution, authority: Authority) -> bool:
    """Whether the pages cited are those that the library's copy keeps."""
    labels = snapshot.library.labels(authority.id, "page")
    return bool(labels) and paged_like(snapshot, resolution.citation, labels)
